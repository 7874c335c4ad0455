//! The numbers of lists.

use super::{part, read, shown, word};
use crate::document::Limits;

fn level(at: usize, format: &str, text: &str, more: &str) -> String {
    format!(
        "<w:lvl w:ilvl='{at}'><w:start w:val='1'/><w:numFmt w:val='{format}'/><w:lvlText w:val='{text}'/>{more}</w:lvl>"
    )
}

/// Items as (list, level).
fn check(numbering: &str, items: &[(u32, u32)], expected: &[&str]) {
    let body: String = items
        .iter()
        .map(|(list, level)| {
            format!("<w:p><w:pPr><w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='{list}'/></w:numPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p>")
        })
        .collect();
    let numbering = part("numbering", numbering);
    let document = read(&word(&body, &[], &[("word/numbering.xml", &numbering)]), &Limits::default());
    let labels: Vec<String> = shown(&document)
        .iter()
        .map(|line| {
            line.trim_start_matches("li ")
                .trim_start_matches("p ")
                .trim_end_matches('x')
                .trim_end()
                .to_owned()
        })
        .collect();
    assert_eq!(labels, expected, "{numbering}");
}

fn list(id: u32, levels: &str) -> String {
    format!("<w:abstractNum w:abstractNumId='{id}'>{levels}</w:abstractNum>")
}

fn use_of(id: u32, base: u32, more: &str) -> String {
    format!("<w:num w:numId='{id}'><w:abstractNumId w:val='{base}'/>{more}</w:num>")
}

#[test]
fn levels_count_and_start_again() {
    let levels = [
        level(0, "decimal", "%1.", ""),
        level(1, "lowerLetter", "%2)", ""),
        level(2, "upperRoman", "%1.%2.%3", ""),
    ]
    .concat();
    check(
        &format!("{}{}", list(0, &levels), use_of(1, 0, "")),
        &[(1, 0), (1, 1), (1, 1), (1, 2), (1, 0), (1, 1), (1, 2)],
        &["1.", "a)", "b)", "1.b.I", "2.", "a)", "2.a.I"],
    );
}

#[test]
fn uses_of_one_list_go_on_unless_they_start_anew() {
    let numbering = format!(
        "{}{}{}{}",
        list(0, &level(0, "decimal", "%1.", "")),
        use_of(1, 0, ""),
        use_of(2, 0, ""),
        use_of(3, 0, "<w:lvlOverride w:ilvl='0'><w:startOverride w:val='10'/></w:lvlOverride>")
    );
    check(&numbering, &[(1, 0), (2, 0), (3, 0), (3, 0), (1, 0)], &["1.", "2.", "10.", "11.", "12."]);
}

#[test]
fn a_use_may_replace_a_level_and_a_level_may_never_start_again() {
    let change = format!(
        "<w:lvlOverride w:ilvl='0'>{}</w:lvlOverride>",
        level(0, "chineseCounting", "第%1条", "<w:suff w:val='space'/>")
    );
    let levels =
        [level(0, "decimal", "%1", ""), level(1, "decimal", "%1-%2", "<w:lvlRestart w:val='0'/>")].concat();
    check(
        &format!("{}{}{}", list(0, &levels), use_of(1, 0, ""), use_of(2, 0, &change)),
        &[(1, 0), (1, 1), (1, 0), (1, 1), (2, 0)],
        &["1", "1-1", "2", "2-2", "第三条"],
    );
}

#[test]
fn bullets_are_signs_and_legal_numbers_are_digits() {
    let symbol = "<w:rPr><w:rFonts w:ascii='Symbol'/></w:rPr>";
    let wingdings = "<w:rPr><w:rFonts w:ascii='Wingdings'/></w:rPr>";
    let levels = [
        level(0, "bullet", "\u{f0b7}", symbol),
        level(1, "bullet", "o", ""),
        level(2, "bullet", "\u{f0a7}", wingdings),
        level(3, "bullet", "\u{e999}", ""),
        level(4, "none", "", ""),
    ];
    check(
        &format!("{}{}", list(0, &levels.concat()), use_of(1, 0, "")),
        &[(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (9, 0)],
        &["•", "◦", "■", "•", "", ""],
    );
    let levels = [level(0, "upperRoman", "%1", ""), level(1, "decimal", "%1.%2", "<w:isLgl/>")].concat();
    check(
        &format!("{}{}", list(0, &levels), use_of(1, 0, "")),
        &[(1, 0), (1, 0), (1, 1)],
        &["I", "II", "2.1"],
    );
}

#[test]
fn nine_levels_keep_all_that_they_hold() {
    let levels: String = (0..9)
        .map(|at| {
            level(at, "decimal", &(1..=at + 1).map(|n| format!("%{n}")).collect::<Vec<_>>().join("."), "")
        })
        .collect();
    let items: Vec<(u32, u32)> = (0..9).map(|at| (1, at)).chain([(1, 8), (1, 20)]).collect();
    let expected: Vec<String> = (1..=9)
        .map(|count| vec!["1"; count].join("."))
        .chain(["1.1.1.1.1.1.1.1.2".into(), "1.1.1.1.1.1.1.1.3".into()])
        .collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check(&format!("{}{}", list(0, &levels), use_of(1, 0, "")), &items, &expected);
}

#[test]
fn styles_number_their_paragraphs() {
    let levels = [
        level(0, "decimal", "%1", "<w:pStyle w:val='H1'/>"),
        level(1, "decimal", "%1.%2", "<w:pStyle w:val='H2'/>"),
    ]
    .concat();
    let numbering = part("numbering", &format!("{}{}", list(0, &levels), use_of(1, 0, "")));
    let style = |id: &str, name: &str| {
        format!(
            "<w:style w:type='paragraph' w:styleId='{id}'><w:name w:val='{name}'/><w:pPr><w:numPr><w:numId w:val='1'/></w:numPr></w:pPr></w:style>"
        )
    };
    let styles = part("styles", &format!("{}{}", style("H1", "heading 1"), style("H2", "heading 2")));
    let p = |style: &str, more: &str| {
        format!("<w:p><w:pPr><w:pStyle w:val='{style}'/>{more}</w:pPr><w:r><w:t>x</w:t></w:r></w:p>")
    };
    let off = "<w:numPr><w:numId w:val='0'/></w:numPr>";
    let body = [p("H1", ""), p("H2", ""), p("H1", off), p("H2", ""), p("H1", "")].concat();
    let parts = [("word/numbering.xml", numbering.as_str()), ("word/styles.xml", &styles)];
    let document = read(&word(&body, &[], &parts), &Limits::default());
    assert_eq!(shown(&document), ["h1 1 x", "h2 1.1 x", "h1 x", "h2 1.2 x", "h1 2 x"]);
    // A bare number is no word of the heading; one with levels is what people look for.
    assert_eq!(document.blocks[0].text, "x");
    assert_eq!(document.blocks[1].text, "1.1 x");
}
