mod detection;
mod round_trip;

use super::*;
use crate::TextEdit;

/// Every candidate of the detector and more, with text that it can hold.
const SAMPLES: &[(Encoding, &str)] = &[
    (Encoding::Utf8, "aé中🍊\u{301}"),
    (Encoding::Utf16Le, "aé中🍊\u{301}"),
    (Encoding::Utf16Be, "aé中🍊\u{301}"),
    (Encoding::Gb18030, "aé中🍊€ḿ㐀"),
    (Encoding::Big5, "a中文國、α"),
    (Encoding::ShiftJis, "aあア日本ｱ①"),
    (Encoding::EucJp, "aあア日本ｱ"),
    (Encoding::EucKr, "a한국어漢똠"),
    (Encoding::Windows1252, "aéß€“"),
    (Encoding::Windows1250, "aěšőű"),
    (Encoding::Windows1251, "aпривет№"),
    (Encoding::Koi8R, "aпривет"),
    (Encoding::Macintosh, "aéπ"),
];

fn edit(text: &str, old: &str, new: &str) -> TextEdit {
    let start = text.find(old).unwrap();
    TextEdit { range: start..start + old.len(), insert: new.into() }
}

#[test]
fn labels_name_encodings_both_ways() {
    for &encoding in Encoding::ALL {
        assert_eq!(Encoding::from_label(encoding.label()), Some(encoding));
    }
    assert_eq!(Encoding::from_label("gbk"), Some(Encoding::Gb18030));
    assert_eq!(Encoding::from_label("latin1"), Some(Encoding::Windows1252));
    assert_eq!(Encoding::from_label("iso-2022-jp"), None);
}

#[test]
fn endings_are_counted_and_the_most_frequent_dominates() {
    let check = |text, all, dominant| assert_eq!(endings(text), (all, dominant), "{text:?}");
    check("", LineEnding::Lf, Ending::Lf);
    check("a\nb", LineEnding::Lf, Ending::Lf);
    check("a\r\nb\r\n", LineEnding::CrLf, Ending::CrLf);
    check("a\rb\r", LineEnding::Cr, Ending::Cr);
    check("\r\r\n", LineEnding::Mixed, Ending::CrLf);
    check("a\nb\r\nc\r\n", LineEnding::Mixed, Ending::CrLf);
    check("a\u{2028}b\u{85}c\u{B}", LineEnding::Lf, Ending::Lf);
}

#[test]
fn inserts_take_the_ending_of_their_place() {
    assert_eq!(to_ending("a\nb\r\nc\rd\n\n", Ending::CrLf), "a\r\nb\r\nc\r\nd\r\n\r\n");
    assert_eq!(to_ending("a\r\nb", Ending::Lf), "a\nb");
    assert_eq!(to_ending("a\n\rb", Ending::Cr), "a\r\rb");
}

#[test]
fn a_byte_order_mark_is_kept_and_never_added() {
    for encoding in [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Gb18030] {
        for bom in [true, false] {
            let raw = encode("中文 text\n", encoding, bom).unwrap();
            let base = decode(&raw, None, &[encoding]).unwrap();
            assert_eq!((base.text.as_str(), base.bom), ("中文 text\n", bom), "{encoding}");
            let edits = [TextEdit { range: 0..0, insert: "新".into() }];
            let out = splice(&raw, &base, &edits).unwrap();
            assert_eq!(out, encode("新中文 text\n", encoding, bom).unwrap(), "{encoding}");
        }
    }
}

#[test]
fn a_character_that_the_encoding_lacks_is_refused_by_name() {
    let raw = encode("prix", Encoding::Windows1252, false).unwrap();
    let base = decode(&raw, Some(Encoding::Windows1252), &[]).unwrap();
    let error = splice(&raw, &base, &[edit("prix", "i", "i中")]).unwrap_err();
    assert_eq!(error.to_string(), "Windows-1252 cannot hold the character '中' (U+4E2D)");
    // The encoder would write a backslash.
    let yen = encode("100¥", Encoding::ShiftJis, false);
    assert!(matches!(yen, Err(SpliceError::Unencodable { character: '¥', .. })));
}

#[test]
fn bytes_that_their_encoding_writes_differently_survive() {
    // 0x80 is the euro sign in GB18030, which itself writes it as A2 E3; 8F A2 B7 … is EUC-JP's
    // third plane; 87 90 and FA 54 are doubles in Shift_JIS.
    let cases: &[(Encoding, &[u8])] = &[
        (Encoding::Gb18030, b"\x80\xD6\xD0 x \x80\xCE\xC4"),
        (Encoding::ShiftJis, b"\x87\x90\x93\xFA x \xFA\x54\x96\x7B"),
        (Encoding::EucJp, b"\x8F\xA2\xB7 x \xC6\xFC"),
    ];
    for (encoding, raw) in cases {
        let base = decode(raw, Some(*encoding), &[]).unwrap();
        assert!(!base.malformed);
        let out = splice(raw, &base, &[edit(&base.text, "x", "yy")]).unwrap();
        let at = raw.iter().position(|&byte| byte == b'x').unwrap();
        assert_eq!(out, [&raw[..at], b"yy", &raw[at + 1..]].concat(), "{encoding}");
        // What an edit leaves as it was is not written anew either.
        let whole = TextEdit { range: 0..base.text.len(), insert: base.text.replace('x', "yy") };
        assert_eq!(splice(raw, &base, &[whole]).unwrap(), out, "{encoding}");
    }
}

#[test]
fn a_unit_of_two_characters_is_one_place() {
    let raw = b"a\x88\x62b";
    let base = decode(raw, Some(Encoding::Big5), &[]).unwrap();
    assert_eq!(base.text, "aÊ\u{304}b");
    // The standard reads the letter alone (88 66) but never writes it.
    let cut = splice(raw, &base, &[edit(&base.text, "\u{304}", "")]);
    assert!(matches!(cut, Err(SpliceError::Unencodable { character: 'Ê', .. })));
    let out = splice(raw, &base, &[edit(&base.text, "Ê\u{304}", "中")]).unwrap();
    assert_eq!(out, b"a\xA4\xA4b");
    let out = splice(raw, &base, &[edit(&base.text, "b", "c")]).unwrap();
    assert_eq!(out, b"a\x88\x62c");
}

#[test]
fn malformed_bytes_survive_edits_beside_them() {
    let raw = b"\xD6\xD0\xFF\xCE\xC4 end\x81";
    let base = decode(raw, Some(Encoding::Gb18030), &[]).unwrap();
    assert!(base.malformed);
    assert_eq!(base.text, "中\u{FFFD}文 end\u{FFFD}");
    let out = splice(raw, &base, &[edit(&base.text, "end", "End 字")]).unwrap();
    assert_eq!(out, b"\xD6\xD0\xFF\xCE\xC4 End \xD7\xD6\x81");
    // `A` would complete the lead byte at the end.
    let end = base.text.len();
    let append = TextEdit { range: end..end, insert: "A".into() };
    assert_eq!(splice(raw, &base, &[append]), Err(SpliceError::Ambiguous));
}

#[test]
fn edits_that_do_not_fit_are_refused() {
    let base = decode("aé".as_bytes(), None, &[]).unwrap();
    let check = |ranges: &[(usize, usize)]| {
        let edits: Vec<_> =
            ranges.iter().map(|range| TextEdit { range: range.0..range.1, insert: "x".into() }).collect();
        splice("aé".as_bytes(), &base, &edits)
    };
    assert!(matches!(check(&[(2, 3)]), Err(SpliceError::Range { .. })));
    assert!(matches!(check(&[(0, 9)]), Err(SpliceError::Range { .. })));
    assert!(matches!(check(&[(1, 3), (0, 1)]), Err(SpliceError::Range { .. })));
    assert_eq!(check(&[(0, 1), (1, 1)]).unwrap(), "xxé".as_bytes());
    assert_eq!(splice(b"other", &base, &[]), Err(SpliceError::Base));
}

#[test]
fn an_edit_that_makes_a_byte_order_mark_is_refused() {
    let text = "a\u{FEFF}b";
    let base = decode(text.as_bytes(), None, &[]).unwrap();
    let out = splice(text.as_bytes(), &base, &[edit(text, "a", "")]);
    assert_eq!(out, Err(SpliceError::Ambiguous));
}
