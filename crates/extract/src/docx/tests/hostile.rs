//! Files made to do harm, and files that something happened to.

use proptest::prelude::*;

use super::{p, part, read, word};
use crate::document::{Limits, code};
use crate::package::tests::{check_shape, shown, zip};

fn limits() -> Limits {
    Limits { text: 1 << 20, unfolded: 8 << 20, ratio: 100, depth: 64 }
}

#[test]
fn deep_nesting_ends_at_the_limit() {
    for (open, close) in [
        ("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>"),
        ("<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>"),
        ("<w:p><w:r><w:pict><w:txbxContent>", "</w:txbxContent></w:pict></w:r></w:p>"),
        ("<mc:AlternateContent><mc:Choice>", "</mc:Choice></mc:AlternateContent>"),
    ] {
        let body = format!(
            "{}{}{}{}{}",
            p("before"),
            open.repeat(20_000),
            p("deep"),
            close.repeat(20_000),
            p("after")
        );
        let document = read(&word(&body, &[], &[]), &limits());
        check_shape(&document);
        assert!(document.text.contains("before"));
        assert!(document.warnings.iter().any(|warning| warning.code == code::PARTS_DAMAGED));
    }
}

#[test]
fn damage_is_said_once() {
    let body: String = (0..1000).map(|at| p(&format!("paragraph {}", at * at))).collect();
    let whole = word(&body, &[], &[]);
    let document = read(&whole[..whole.len() / 2], &limits());
    let said = document.warnings.iter().filter(|warning| warning.code == code::PARTS_DAMAGED).count();
    assert_eq!((said, document.text.is_empty()), (1, false));
}

#[test]
fn fields_that_never_end_are_few() {
    let begin = "<w:r><w:fldChar w:fldCharType='begin'/><w:instrText>HYPERLINK x</w:instrText></w:r>";
    let body = format!("<w:p>{}</w:p>{}", begin.repeat(500), p("after"));
    let document = read(&word(&body, &[], &[]), &limits());
    assert_eq!(shown(&document), ["p after"]);
    assert!(document.links.len() <= 64, "{}", document.links.len());
}

#[test]
fn a_bomb_in_the_document_itself_is_cut() {
    let body = p(&"a".repeat(30 << 20));
    let document = read(&word(&body, &[], &[]), &limits());
    check_shape(&document);
    assert!(document.text.len() <= 1 << 20);
    assert!(document.warnings.iter().any(|warning| warning.code == code::PARTS_LEFT_OUT));
}

#[test]
fn absurd_counts_are_taken_down() {
    let cell =
        "<w:tc><w:tcPr><w:gridSpan w:val='4000000000'/></w:tcPr><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc>";
    let list = "<w:p><w:pPr><w:numPr><w:ilvl w:val='99999'/><w:numId w:val='1'/></w:numPr></w:pPr><w:r><w:t>y</w:t></w:r></w:p>";
    let numbering = part(
        "numbering",
        "<w:abstractNum w:abstractNumId='0'><w:lvl w:ilvl='8'><w:start w:val='9223372036854775807'/><w:numFmt w:val='lowerLetter'/><w:lvlText w:val='%9%9%8'/></w:lvl><w:numStyleLink w:val='s'/><w:styleLink w:val='s'/></w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num>",
    );
    let body = format!("<w:tbl><w:tr>{cell}{cell}</w:tr></w:tbl>{list}{list}");
    let document = read(&word(&body, &[], &[("word/numbering.xml", &numbering)]), &limits());
    check_shape(&document);
    assert!(document.text.len() < 1000);
}

#[test]
fn parts_that_lead_in_circles_are_read_once() {
    let header = part("hdr", &p("head"));
    let section = "<w:sectPr><w:headerReference r:id='a'/><w:headerReference r:id='b'/></w:sectPr>";
    let relations = [("a", "header", "document.xml"), ("b", "header", "header1.xml")];
    let document =
        read(&word(&format!("{}{section}", p("x")), &relations, &[("word/header1.xml", &header)]), &limits());
    assert_eq!(shown(&document).iter().filter(|line| line.as_str() == "header head").count(), 1);
}

#[test]
fn cut_off_at_any_length_a_document_is_read_or_says_why() {
    let body: String = (0..30).map(|at| p(&format!("paragraph {at}"))).collect();
    let whole =
        word(&body, &[("l", "hyperlink", "https://example.org")], &[("word/styles.xml", "<w:styles/>")]);
    for length in (0..whole.len()).step_by(7) {
        let document = read(&whole[..length], &limits());
        check_shape(&document);
        assert!(!document.text.is_empty() || document.trouble.is_some(), "{length}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_markup_is_read(words in prop::collection::vec(0..WORDS.len(), 0..120)) {
        let body: String = words.iter().map(|at| WORDS[*at]).collect();
        let text = part("document", &format!("<w:body>{body}"));
        let document = read(&zip(&[("word/document.xml", text.as_bytes())]), &limits());
        check_shape(&document);
    }
}

const WORDS: &[&str] = &[
    "<w:p>",
    "</w:p>",
    "<w:r>",
    "</w:r>",
    "<w:t>",
    "</w:t>",
    "text",
    " ",
    "<w:tbl>",
    "</w:tbl>",
    "<w:tr>",
    "</w:tr>",
    "<w:tc>",
    "</w:tc>",
    "<w:del>",
    "</w:del>",
    "<w:ins>",
    "</w:ins>",
    "<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>",
    "<w:fldChar w:fldCharType='begin'/>",
    "<w:fldChar w:fldCharType='separate'/>",
    "<w:fldChar w:fldCharType='end'/>",
    "<w:instrText>HYPERLINK x</w:instrText>",
    "<w:ruby>",
    "</w:ruby>",
    "<w:rt>",
    "</w:rt>",
    "<w:rubyBase>",
    "<w:tab/>",
    "<w:br/>",
    "<w:footnoteReference w:id='1'/>",
    "<mc:AlternateContent>",
    "</mc:AlternateContent>",
    "<mc:Choice>",
    "<mc:Fallback>",
    "<w:pict>",
    "<w:txbxContent>",
    "</w:txbxContent>",
    "</w:pict>",
    "&amp;",
    "&x;",
    "<m:oMath>",
    "<m:r><m:t>x</m:t></m:r>",
    "</m:oMath>",
    "<w:sdt>",
    "<w:sdtContent>",
    "</w:sdtContent>",
    "</w:sdt>",
    "<w:hyperlink>",
    "</w:hyperlink>",
    "<w:sectPr>",
    "</w:sectPr>",
    "\u{0}",
    "中文",
    "<![CDATA[",
    "]]>",
];
