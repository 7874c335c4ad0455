//! Folding: what a reader takes for the same character is the same to search.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

use super::han::simplified;

/// How a unit of text takes part in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Lower,
    Upper,
    Digit,
    /// Scripts written without blanks between words: matched by pairs of units.
    Dense,
    /// One sign, one word.
    Emoji,
    /// `_`, `.` or an apostrophe: joins words into one when it stands between them.
    Joint,
    /// The comma of `1,000`: it joins digits and is not itself a part of the number.
    Grouping,
    Blank,
}

/// A base character with its marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    pub class: Class,
    /// Bytes of the folded text.
    pub folded: Range<u32>,
    /// Bytes of the source.
    pub source: Range<u32>,
}

/// Folds `text` into `folded` and `units`, which are cleared first. Case goes, compatibility forms
/// become plain ones (full width, ligatures), traditional characters become simplified ones, and marks on
/// letters of alphabets go; marks that make another syllable (kana, Hangul, Indic and Thai vowels) stay.
pub fn fold(text: &str, folded: &mut String, units: &mut Vec<Unit>) {
    folded.clear();
    units.clear();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        if byte < 0x80 && bytes.get(at + 1).is_none_or(|next| *next < 0x80) {
            let start = folded.len() as u32;
            let class = if groups_digits(bytes, at) { Class::Grouping } else { ascii_class(byte) };
            if class != Class::Grouping {
                folded.push(char::from(byte.to_ascii_lowercase()));
            }
            units.push(Unit { class, folded: start..folded.len() as u32, source: at as u32..at as u32 + 1 });
            at += 1;
            continue;
        }
        let end = at + cluster_length(&text[at..]);
        push_cluster(&text[at..end], at, folded, units);
        at = end;
    }
}

/// Whether the byte at `at` is a comma between a digit and exactly three more.
fn groups_digits(bytes: &[u8], at: usize) -> bool {
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    bytes[at] == b',' && at.checked_sub(1).is_some_and(digit) && (at + 1..at + 4).all(digit) && !digit(at + 4)
}

/// `text` as search compares it.
pub fn folded(text: &str) -> String {
    let (mut folded, mut units) = (String::new(), Vec::new());
    fold(text, &mut folded, &mut units);
    folded
}

/// A base character, its marks, and the jamo that compose with it.
fn cluster_length(text: &str) -> usize {
    let mut chars = text.char_indices();
    let Some((_, base)) = chars.next() else {
        return 0;
    };
    let jamo = |c: char| matches!(c, '\u{1160}'..='\u{11ff}');
    let mut length = base.len_utf8();
    for (at, c) in chars {
        let joins =
            is_mark(c) || (jamo(c) && matches!(base, '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7a3}'));
        if !joins {
            break;
        }
        length = at + c.len_utf8();
    }
    length
}

/// A combining mark, or one of the half-width voicing marks of kana, which Unicode calls letters.
fn is_mark(c: char) -> bool {
    is_combining_mark(c) || matches!(c, '\u{ff9e}' | '\u{ff9f}')
}

fn push_cluster(cluster: &str, at: usize, folded: &mut String, units: &mut Vec<Unit>) {
    let source = at as u32..(at + cluster.len()) as u32;
    let upper = cluster.chars().next().is_some_and(char::is_uppercase);
    let first_unit = units.len();
    // A compatibility character may stand for several: each becomes a unit over the same source.
    for composed in cluster.nfkc() {
        let dense = is_dense(composed);
        if is_combining_mark(composed) {
            // Left over where nothing composes: belongs to what stands before it if it counts there.
            if let Some(last) = units.get_mut(first_unit..).and_then(<[_]>::last_mut)
                && (dense || last.class == Class::Dense || makes_syllables(composed))
            {
                folded.push(composed);
                last.folded.end = folded.len() as u32;
            }
            continue;
        }
        let start = folded.len() as u32;
        if dense {
            folded.push(simplified(composed));
        } else {
            for plain in std::iter::once(composed).nfd().filter(|c| !is_combining_mark(*c)) {
                match without_stroke(plain) {
                    Some(letters) => folded.push_str(letters),
                    None => folded.extend(plain.to_lowercase().filter(|c| !is_combining_mark(*c))),
                }
            }
        }
        units.push(Unit {
            class: class(composed, upper),
            folded: start..folded.len() as u32,
            source: source.clone(),
        });
    }
}

/// Vowel signs and viramas of scripts like Devanagari: without them other words would remain. Nuktas,
/// accents, points and the marks of symbols do not count.
fn makes_syllables(mark: char) -> bool {
    matches!(mark, '\u{0900}'..='\u{0fff}' | '\u{1700}'..='\u{1a7f}' | '\u{a800}'..='\u{abff}')
        && canonical_combining_class(mark) != 7
}

/// Letters that carry their mark inside, and those that stand for two: as people type them without.
fn without_stroke(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ß' | 'ẞ' => "ss",
        'æ' | 'Æ' => "ae",
        'œ' | 'Œ' => "oe",
        'ø' | 'Ø' => "o",
        'đ' | 'Đ' | 'ð' | 'Ð' => "d",
        'ł' | 'Ł' => "l",
        'ħ' | 'Ħ' => "h",
        'ı' => "i",
        'þ' | 'Þ' => "th",
        'ς' => "σ",
        _ => return None,
    })
}

fn ascii_class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' => Class::Lower,
        b'A'..=b'Z' => Class::Upper,
        b'0'..=b'9' => Class::Digit,
        b'_' | b'.' | b'\'' => Class::Joint,
        _ => Class::Blank,
    }
}

fn class(c: char, upper: bool) -> Class {
    match c {
        '\0'..='\x7f' if upper && c.is_ascii_alphabetic() => Class::Upper,
        '\0'..='\x7f' => ascii_class(c as u8),
        '\u{2019}' => Class::Joint,
        _ if is_dense(c) => Class::Dense,
        _ if c.is_numeric() => Class::Digit,
        _ if c.is_alphabetic() && upper => Class::Upper,
        _ if c.is_alphabetic() => Class::Lower,
        '\u{2300}'..='\u{23ff}'
        | '\u{2600}'..='\u{27bf}'
        | '\u{2b00}'..='\u{2bff}'
        | '\u{1f000}'..='\u{1faff}' => Class::Emoji,
        _ => Class::Blank,
    }
}

/// Han, kana, bopomofo, Hangul, Thai, Lao, Myanmar, Khmer.
pub fn is_dense(c: char) -> bool {
    matches!(c,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'
        | '\u{3005}' | '\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}' | '\u{30a1}'..='\u{30fa}'
        | '\u{30fc}'..='\u{30ff}' | '\u{3105}'..='\u{312f}' | '\u{31f0}'..='\u{31ff}'
        | '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{0e01}'..='\u{0e2e}' | '\u{0e30}'..='\u{0e4e}' | '\u{0e81}'..='\u{0ede}' | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17dd}')
}
