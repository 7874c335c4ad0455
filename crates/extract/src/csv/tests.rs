//! Dialects, encodings, and tables that are none.

use std::path::Path;

use orangery_domain::text::Encoding;
use proptest::prelude::*;

use super::dialect::sniff;
use super::{read, rows};
use crate::document::{Limits, RowsWanted};
use crate::package::tests::{check_shape, shown};

fn wanted(first: u32, count: u32) -> RowsWanted {
    RowsWanted { sheet: 1, first, count, bytes: 1 << 20 }
}

fn cells(bytes: &[u8], name: &str) -> Vec<Vec<String>> {
    rows(bytes, name, None, wanted(1, 1000)).unwrap().0.rows
}

fn check(text: &str, expected: &[&[&str]]) {
    assert_eq!(cells(text.as_bytes(), "table.csv"), expected, "{text:?}");
}

#[test]
fn cells_are_read_as_spreadsheets_read_them() {
    check("a,b\nc,d\n", &[&["a", "b"], &["c", "d"]]);
    check("a,b\r\n\r\nc,d", &[&["a", "b"], &[""], &["c", "d"]]);
    check("a,\"b, and \"\"c\"\"\"\n,x", &[&["a", "b, and \"c\""], &["", "x"]]);
    check("a,\"two\nlines\"\nb,c", &[&["a", "two\nlines"], &["b", "c"]]);
    check("a,\"two\r\nlines\"\r\nb,c", &[&["a", "two\r\nlines"], &["b", "c"]]);
    check("a,6\" pipe\nb,\"x\" y\nc, \"z\"", &[&["a", "6\" pipe"], &["b", "x y"], &["c", "z"]]);
    // A quote that is never closed is a sign like any other.
    check("a,\"b\nc,d\ne,f", &[&["a", "\"b"], &["c", "d"], &["e", "f"]]);
    check("", &[]);
}

#[test]
fn the_separator_is_found() {
    for (text, separator) in [
        ("a;b;c\n1,5;2,5;3\n2,0;1,0;4\n", b';'),
        ("a\tb, c\td\n1\t2\t3\n", b'\t'),
        ("a|b|c\nd|e, f|g\n", b'|'),
        ("name,note\nx,one; two\ny,three\n", b','),
        ("just one column\nof text, sometimes\nwith commas\n", b','),
        ("sep=;\na;b\n", b';'),
        // Quotes stand at the edges of cells with one of the two only.
        ("\"\",\";\n\",\";\n\"\r\n\";é\",\"\",\"\n;\"", b','),
    ] {
        assert_eq!(sniff(text, "t.csv").separator, separator, "{text}");
    }
    assert_eq!(sniff("one column", "t.TSV").separator, b'\t');
    check("sep=;\na;b\n", &[&["a", "b"]]);
}

#[test]
fn other_quotes_and_escapes_are_found() {
    check("'a,b','it''s'\n'c','d'\n", &[&["a,b", "it's"], &["c", "d"]]);
    check("a,\"say \\\"hi\\\", now\"\nb,\"C:\\\\x\"\n", &[&["a", "say \"hi\", now"], &["b", "C:\\x"]]);
    check("path,\"C:\\\"\nb,\"x\"\n", &[&["path", "C:\\"], &["b", "x"]]);
    check("don't,won't\ncan't,x\n", &[&["don't", "won't"], &["can't", "x"]]);
}

#[test]
fn encodings_are_found_and_obeyed() {
    let chinese = "编号,名称,备注\r\n1,北京大学,中华人民共和国\r\n2,上海,他们说这是真的\r\n";
    let gbk = b"\xB1\xE0\xBA\xC5,\xC3\xFB\xB3\xC6\n1,\xB1\xB1\xBE\xA9\n".to_vec();
    assert_eq!(cells(&gbk, "a.csv")[0], ["编号", "名称"]);
    // One Chinese word among digits, which happens to be UTF-8 too.
    assert_eq!(cells(b"id,\xD6\xB5\n1,2\n", "a.csv")[0], ["id", "值"]);
    assert_eq!(cells("é,naïve\n".as_bytes(), "a.csv")[0], ["é", "naïve"]);
    let latin = b"nom,pr\xE9nom,ville\nAndr\xE9,H\xE9l\xE8ne,Orl\xE9ans\nFran\xE7ois,Ad\xE8le,Besan\xE7on\n";
    assert_eq!(cells(latin, "a.csv")[1], ["André", "Hélène", "Orléans"]);
    let marked = [b"\xEF\xBB\xBF", chinese.as_bytes()].concat();
    assert_eq!(cells(&marked, "a.csv")[0], ["编号", "名称", "备注"]);
    let wide: Vec<u8> =
        [0xFEFF].into_iter().chain(chinese.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(cells(&wide, "a.csv")[1], ["1", "北京大学", "中华人民共和国"]);
    let big5 = b"\xA4\xA4\xA4\xE5,x\n";
    let (chosen, _) = rows(big5, "a.csv", Some(Encoding::Big5), wanted(1, 9)).unwrap();
    assert_eq!(chosen.rows[0], ["中文", "x"]);
    let guessed = read(&gbk, "a.csv", None, &Limits::default());
    assert_eq!(guessed.warnings[0].detail, "GB18030");
    let binary = read(b"\0\x01\x02\0\xFF\x03", "a.csv", None, &Limits::default());
    assert_eq!(binary.trouble.unwrap().code, "notThisKind");
}

#[test]
fn rows_are_blocks_with_the_numbers_that_a_spreadsheet_shows() {
    let document = read(b"a,\"b\nc\"\n\nd,\te\n", "t.csv", None, &Limits::default());
    assert_eq!(shown(&document), ["row a⇥b c", "row d⇥e"]);
    let spots: Vec<_> = document.spots.iter().map(|spot| format!("{spot:?}")).collect();
    assert_eq!(spots, ["Row { sheet: 1, row: 1 }", "Row { sheet: 1, row: 3 }"]);
}

#[test]
fn a_grid_gets_the_rows_it_asks_for() {
    let text: String = (1..=100).map(|row| format!("{row},x\n")).collect();
    let (got, _) = rows(text.as_bytes(), "t.csv", None, wanted(40, 3)).unwrap();
    assert_eq!((got.first, got.total, got.columns), (40, 100, 2));
    assert_eq!(got.rows.iter().map(|row| row[0].as_str()).collect::<Vec<_>>(), ["40", "41", "42"]);
    let little = RowsWanted { bytes: 1, ..wanted(1, 50) };
    assert_eq!(rows(text.as_bytes(), "t.csv", None, little).unwrap().0.rows.len(), 1);
    assert!(rows(text.as_bytes(), "t.csv", None, wanted(200, 3)).unwrap().0.rows.is_empty());
}

/// Real files with the cells that they hold, where they are at hand.
#[test]
fn real_tables_have_their_known_cells() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/csv");
    let Ok(entries) = folder.read_dir() else { return };
    for file in entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "csv"))
    {
        let got = cells(&std::fs::read(&file).unwrap(), "t.csv");
        let truth: Vec<indexed::Record> =
            indexed::records(&std::fs::read_to_string(file.with_extension("json")).unwrap());
        let (head, body) = got.split_first().unwrap();
        let body: Vec<indexed::Record> =
            body.iter().map(|row| head.iter().cloned().zip(row.iter().cloned()).collect()).collect();
        // One truth has another telephone number than its table, and copies may have lost their CR.
        let known = |record: &indexed::Record| -> indexed::Record {
            {
                let kept = record.iter().filter(|(head, _)| head != "Contact Phone Number");
                kept.map(|(head, cell)| (head.clone(), cell.replace('\r', ""))).collect()
            }
        };
        let (body, truth): (Vec<_>, Vec<_>) =
            (body.iter().map(known).collect(), truth.iter().map(known).collect());
        assert_eq!(body, truth, "{}", file.display());
    }
}

/// As much JSON as the truths use: a list of objects of strings.
mod indexed {
    pub type Record = Vec<(String, String)>;

    pub fn records(text: &str) -> Vec<Record> {
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        let record = |value: &serde_json::Value| {
            let entries = value.as_object().unwrap().iter();
            entries.map(|(key, value)| (key.clone(), value.as_str().unwrap().to_owned())).collect()
        };
        match value.as_array() {
            Some(list) => list.iter().map(record).collect(),
            None => vec![record(&value)],
        }
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read(table in prop::collection::vec(prop::collection::vec("[a-z \",\n;é中]{0,8}", 3), 2..8)) {
        let quoted = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
        let lines: Vec<String> = table.iter().map(|row| row.iter().map(quoted).collect::<Vec<_>>().join(",")).collect();
        prop_assert_eq!(cells(lines.join("\r\n").as_bytes(), "t.csv"), table);
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(prop_oneof![Just(b'"'), Just(b','), Just(b'\n'), Just(b'\\'), any::<u8>()], 0..300)) {
        check_shape(&read(&bytes, "t.csv", None, &Limits::default()));
        let _ = rows(&bytes, "t.csv", Some(Encoding::Windows1252), wanted(1, 100));
    }
}
