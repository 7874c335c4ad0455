//! Notices text that fonts map to signs that make no sense.

use unicode_normalization::UnicodeNormalization as _;

/// Too little to judge by.
const FEWEST: usize = 40;

/// Whether a page's text is no language: signs without a meaning, or letters as no writing has them.
pub fn is_garbled(text: &str) -> bool {
    let mut all = 0_usize;
    let mut nonsense = 0_usize;
    for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
        all += 1;
        nonsense += usize::from(is_nonsense(letter));
    }
    if all < 8 {
        return false;
    }
    nonsense * 5 > all || (all >= FEWEST && (has_no_vowels(text) || is_shifted(text)))
}

fn is_nonsense(letter: char) -> bool {
    matches!(letter,
        char::REPLACEMENT_CHARACTER | '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}'
        | '\u{FFF0}'..='\u{FFFB}' | '\u{0080}'..='\u{009F}')
}

/// Letters of the Latin script with hardly a vowel among them, or with little else.
fn has_no_vowels(text: &str) -> bool {
    let (mut vowels, mut letters) = (0_usize, 0_usize);
    // Letters with marks count by the letter.
    let plain =
        |letter: char| if letter.is_ascii() { Some(letter) } else { std::iter::once(letter).nfd().next() };
    for letter in text.chars().filter_map(plain).filter(char::is_ascii_alphabetic) {
        letters += 1;
        vowels += usize::from(matches!(letter.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u' | 'y'));
    }
    letters >= FEWEST * 2 && (vowels * 100 < letters * 16 || vowels * 100 > letters * 75)
}

/// Words that mix letters, figures and signs within themselves, most of them: numbers of glyphs taken for
/// numbers of characters.
fn is_shifted(text: &str) -> bool {
    let (mut mixed, mut words) = (0_usize, 0_usize);
    for word in text.split_whitespace() {
        let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        let count = word.chars().count();
        if count < 3 || !word.is_ascii() {
            continue;
        }
        words += 1;
        let inner: Vec<char> = word.chars().collect();
        let changes = inner.windows(2).filter(|pair| class(pair[0]) != class(pair[1])).count();
        let upper_within = inner[1..].iter().filter(|letter| letter.is_ascii_uppercase()).count();
        let lower = inner.iter().filter(|letter| letter.is_ascii_lowercase()).count();
        mixed +=
            usize::from(changes * 3 > count || (upper_within > 1 && lower > 0 && upper_within * 3 > count));
    }
    words >= 12 && mixed * 10 > words * 6
}

fn class(letter: char) -> u8 {
    match letter {
        'a'..='z' | 'A'..='Z' => 0,
        '0'..='9' => 1,
        _ => 2,
    }
}
