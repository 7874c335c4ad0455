use proptest::prelude::*;

use super::*;

#[test]
fn only_lf_crlf_and_cr_end_a_line() {
    let text = "a\nbé\r\nc\rd\u{2028}e\u{85}f\u{B}g\u{C}h\n";
    let index = LineIndex::new(text);
    let lines: Vec<_> = (1..=index.line_count())
        .map(|line| (&text[index.line(line).unwrap()], index.ending_at(line)))
        .collect();
    assert_eq!(
        lines,
        [
            ("a", Some(Ending::Lf)),
            ("bé", Some(Ending::CrLf)),
            ("c", Some(Ending::Cr)),
            ("d\u{2028}e\u{85}f\u{B}g\u{C}h", Some(Ending::Lf)),
            ("", None),
        ]
    );
    assert_eq!(&text[index.line_full(2).unwrap()], "bé\r\n");
    assert_eq!(index.line(0), None);
    assert_eq!(index.line(6), None);
    assert_eq!(LineIndex::new("").line(1), Some(0..0));
}

#[test]
fn columns_are_utf16_units() {
    let text = "a🍊b\r\nc";
    let index = LineIndex::new(text);
    let at = |line, column| Position { line, column };
    assert_eq!(index.position(text, 5), at(1, 3));
    assert_eq!(index.position(text, 2), at(1, 1), "inside the orange");
    assert_eq!(index.position(text, 7), at(1, 4), "inside the ending");
    assert_eq!(index.position(text, 99), at(2, 1));
    assert_eq!(index.offset(text, at(1, 3)), Some(5));
    assert_eq!(index.offset(text, at(1, 2)), None);
    assert_eq!(index.offset(text, at(1, 5)), None);
    assert_eq!(index.offset(text, at(3, 0)), None);
    assert_eq!(utf16_len("a🍊b"), 4);
}

#[test]
fn a_range_touches_the_lines_of_its_bytes() {
    let index = LineIndex::new("a\nb\nc");
    assert_eq!(index.lines_of(&(0..2)), LineRange { start: 1, end: 1 });
    assert_eq!(index.lines_of(&(0..3)), LineRange { start: 1, end: 2 });
    assert_eq!(index.lines_of(&(2..2)), LineRange { start: 2, end: 2 });
}

proptest! {
    #[test]
    fn lines_cover_the_text_and_places_round_trip(text in "[ab🍊é\r\n\u{2028}]{0,40}") {
        let index = LineIndex::new(&text);
        let all: String = (1..=index.line_count()).map(|line| &text[index.line_full(line).unwrap()]).collect();
        prop_assert_eq!(&all, &text);
        for (offset, _) in text.char_indices() {
            let line = index.line_at(offset);
            prop_assert!(index.line_full(line).unwrap().contains(&offset));
            if index.line(line).unwrap().end >= offset {
                prop_assert_eq!(index.offset(&text, index.position(&text, offset)), Some(offset));
            }
        }
    }
}
