//! Workbooks written by the tests.

use proptest::prelude::*;

use super::{read, rows};
use crate::document::{Limits, RowsWanted};
use crate::package::tests::{check_cut_off, check_shape, relationships, shown, zip};

const NS: &str = "xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main' xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships'";

/// A workbook of these sheets (name, state, rows).
fn book(sheets: &[(&str, &str, &str)], more: &[(&str, &str)]) -> Vec<u8> {
    let list: String = sheets
        .iter()
        .enumerate()
        .map(|(at, (name, state, _))| format!("<sheet name='{name}' state='{state}' r:id='r{at}'/>"))
        .collect();
    let workbook = format!("<workbook {NS}><sheets>{list}</sheets></workbook>");
    let targets: Vec<(String, String)> =
        (0..sheets.len()).map(|at| (format!("r{at}"), format!("/xl/worksheets/s{at}.xml"))).collect();
    let lines: Vec<(&str, &str, &str)> =
        targets.iter().map(|(id, target)| (id.as_str(), "worksheet", target.as_str())).collect();
    let relations = relationships(&lines);
    let strings = format!(
        "<sst {NS}><si><t>shared</t></si><si><r><t>ri</t></r><r><t>ch</t></r><rPh sb='0' eb='1'><t>reading</t></rPh></si><si/><si><t>a_x000D_b &amp; c</t></si></sst>"
    );
    let styles = format!(
        "<styleSheet {NS}><numFmts><numFmt numFmtId='164' formatCode='0.0%'/></numFmts><cellXfs><xf numFmtId='0'/><xf numFmtId='14'/><xf numFmtId='164'/><xf numFmtId='31'/></cellXfs></styleSheet>"
    );
    let names: Vec<String> = (0..sheets.len()).map(|at| format!("xl/worksheets/s{at}.xml")).collect();
    let texts: Vec<String> = sheets
        .iter()
        .map(|(_, _, rows)| format!("<worksheet {NS}><sheetData>{rows}</sheetData></worksheet>"))
        .collect();
    let mut parts: Vec<(&str, &[u8])> = vec![
        ("xl/workbook.xml", workbook.as_bytes()),
        ("xl/_rels/workbook.xml.rels", relations.as_bytes()),
        ("xl/sharedStrings.xml", strings.as_bytes()),
        ("xl/styles.xml", styles.as_bytes()),
    ];
    parts.extend(names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_bytes())));
    parts.extend(more.iter().map(|(name, text)| (*name, text.as_bytes())));
    zip(&parts)
}

fn check(rows: &str, expected: &[&str]) {
    let document = read(&book(&[("Sheet1", "visible", rows)], &[]), &Limits::default());
    assert_eq!(shown(&document), expected, "{rows}");
}

#[test]
fn cells_are_shown_as_a_reader_sees_them() {
    check(
        "<row r='2'><c r='A2' t='s'><v>0</v></c><c r='C2' t='s'><v>1</v></c><c t='s'><v>3</v></c></row>",
        &["row shared⇥⇥rich⇥a b & c"],
    );
    check(
        "<row><c><v>0.30000000000000004</v></c><c s='1'><v>45292</v></c><c s='2'><v>0.125</v></c><c s='3'><v>45352</v></c></row>",
        &["row 0.3⇥2024-01-01⇥12.5%⇥2024年3月1日"],
    );
    check(
        "<row><c t='b'><v>1</v></c><c t='e'><v>#DIV/0!</v></c><c t='str'><f>A1&amp;B1</f><v>joined</v></c><c t='inlineStr'><is><t>in</t></is></c><c t='s'><v>999</v></c></row>",
        &["row TRUE⇥#DIV/0!⇥joined⇥in"],
    );
    check(
        "<row/><row r='1'><c r='ZZZZ9'><v>1</v></c></row><row r='9999999'><c><v>2</v></c></row>",
        &["row 1"],
    );
}

#[test]
fn sheets_have_names_and_hidden_ones_are_said() {
    let row = "<row r='3'><c t='s'><v>0</v></c></row>";
    let bytes = book(&[("One", "visible", row), ("Two", "hidden", row)], &[]);
    let document = read(&bytes, &Limits::default());
    assert_eq!(shown(&document), ["h1 One", "row shared", "h1 Two", "row shared"]);
    assert_eq!(document.warnings[0].detail, "Two");
    assert_eq!(format!("{:?}", document.spots[3]), "Row { sheet: 2, row: 3 }");
    assert_eq!(document.pages.iter().map(|page| page.label.as_str()).collect::<Vec<_>>(), ["One", "Two"]);
}

#[test]
fn comments_on_cells_follow_the_rows() {
    let relations = "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'><Relationship Id='c' Type='x/comments' Target='../comments1.xml'/><Relationship Id='t' Type='x/threadedComment' Target='../threads.xml'/></Relationships>";
    let comments = format!(
        "<comments {NS}><authors><author>Ann</author></authors><commentList><comment ref='B3' authorId='0'><text><r><t>why </t></r><r><t>so</t></r></text></comment><comment ref='B4' authorId='0'><text><t>[Threaded comment] ask</t></text></comment></commentList></comments>"
    );
    let threads = "<ThreadedComments><threadedComment ref='B4' personId='p'><text>ask</text></threadedComment></ThreadedComments>";
    let more = [
        ("xl/worksheets/_rels/s0.xml.rels", relations),
        ("xl/comments1.xml", comments.as_str()),
        ("xl/threads.xml", threads),
    ];
    let document = read(&book(&[("S", "visible", "")], &more), &Limits::default());
    assert_eq!(shown(&document), ["comment B3 Ann: why so", "comment B4 ask"]);
    assert_eq!(format!("{:?}", document.spots[1]), "Row { sheet: 1, row: 4 }");
}

#[test]
fn a_grid_gets_the_rows_it_asks_for() {
    let text: String =
        [2, 4, 5, 9].iter().map(|row| format!("<row r='{row}'><c><v>{row}</v></c></row>")).collect();
    let bytes = book(&[("S", "visible", &text)], &[]);
    let got = |first, count| {
        let wanted = RowsWanted { sheet: 1, first, count, bytes: 1 << 20 };
        let (found, grid) = rows(&bytes, &Limits::default(), wanted).unwrap();
        assert_eq!(grid.unwrap().rows(wanted), found);
        assert_eq!(found.total, 9);
        found.rows.iter().map(|row| row.join("|")).collect::<Vec<_>>()
    };
    assert_eq!(got(1, 5), ["", "2", "", "4", "5"]);
    assert_eq!(got(4, 2), ["4", "5"]);
    assert_eq!(got(8, 9), ["", "9"]);
    assert!(got(10, 2).is_empty());
    let other = RowsWanted { sheet: 7, first: 1, count: 1, bytes: 9 };
    assert!(rows(&bytes, &Limits::default(), other).unwrap().0.rows.is_empty());
}

#[test]
fn wide_and_endless_sheets_stay_within_bounds() {
    let row = "<row><c r='XFD1'><v>1</v></c></row>".repeat(5000);
    let limits = Limits { text: 1 << 20, ..Limits::default() };
    let document = read(&book(&[("S", "visible", &row)], &[]), &limits);
    check_shape(&document);
    assert!(document.text.len() <= 1 << 20);
    assert_eq!(document.warnings[0].code, "textCut");
}

#[test]
fn a_row_of_long_strings_ends_at_the_limit() {
    let strings = format!("<sst {NS}><si><t>{}</t></si></sst>", "a".repeat(1000));
    let row = format!("<row>{}</row><row><c><v>7</v></c></row>", "<c t='s'><v>0</v></c>".repeat(100));
    let bytes = book(&[("S", "visible", &row)], &[("xl/sharedStrings.xml", &strings)]);
    let limits = Limits { text: 64_999, ..Limits::default() };
    let wanted = RowsWanted { sheet: 1, first: 1, count: 9, bytes: usize::MAX };
    let (got, _) = rows(&bytes, &limits, wanted).unwrap();
    assert_eq!((got.rows[0].len(), got.rows[1].as_slice()), (64, &["7".to_owned()][..]));
    let document = read(&bytes, &limits);
    assert_eq!(document.blocks.iter().map(|block| block.text.len()).collect::<Vec<_>>(), [64_063, 1]);
    let codes: Vec<_> = document.warnings.iter().map(|warning| warning.code.as_str()).collect();
    assert_eq!(codes, ["partsLeftOut"]);
}

#[test]
fn cut_off_at_any_length_a_workbook_is_read_or_says_why() {
    let row = "<row><c t='s'><v>0</v></c><c><v>12</v></c></row>".repeat(50);
    let whole = book(&[("S", "visible", &row)], &[]);
    check_cut_off(&whole, 11, read);
}

proptest! {
    #[test]
    fn any_rows_are_read(words in prop::collection::vec(0..WORDS.len(), 0..80)) {
        let text: String = words.iter().map(|at| WORDS[*at]).collect();
        check_shape(&read(&book(&[("S", "visible", &text)], &[]), &Limits { text: 1 << 20, ..Limits::default() }));
    }
}

const WORDS: &[&str] = &[
    "<row>",
    "</row>",
    "<row r='5'>",
    "<row r='-1'>",
    "<c>",
    "</c>",
    "<c r='B2' t='s'>",
    "<c s='1'>",
    "<c s='99' t='inlineStr'>",
    "<v>",
    "</v>",
    "1",
    "-1e308",
    "1e999",
    "45292.5",
    "<is>",
    "</is>",
    "<t>",
    "</t>",
    "&amp;",
    "&#0;",
    "<f>",
    "</f>",
    "</sheetData>",
    "<rPh>",
    "</rPh>",
    "<c r='XFD1048576'>",
    "\u{0}",
    "<![CDATA[x]]>",
    "<!--",
    "-->",
];
