//! A text seen through a loose eye, with the way back to its bytes.

use std::ops::Range;

use aho_corasick::AhoCorasick;
use unicode_normalization::{UnicodeNormalization, char::canonical_combining_class};

/// What is not told apart. Line endings never are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Looseness {
    /// Curly and straight quotes.
    pub quotes: bool,
    /// Composed and decomposed letters.
    pub form: bool,
    /// Blanks before a line break.
    pub trailing: bool,
    /// Full-width and half-width punctuation, and the kinds of blanks and hyphens.
    pub width: bool,
}

impl Looseness {
    pub const EXACT: Self = Self { quotes: false, form: false, trailing: false, width: false };
    pub const ALL: Self = Self { quotes: true, form: true, trailing: true, width: true };
    /// From the least loose to the most.
    pub const SECOND: [Self; 6] = [
        Self { quotes: true, ..Self::EXACT },
        Self { form: true, ..Self::EXACT },
        Self { quotes: true, form: true, ..Self::EXACT },
        Self { width: false, ..Self::ALL },
        Self { trailing: false, ..Self::ALL },
        Self::ALL,
    ];

    fn fold(self, char: char) -> char {
        let char = if self.width { narrow(char) } else { char };
        if self.quotes { straight(char) } else { char }
    }
}

/// A folded text. Every folded byte knows the piece of the original that it stands for.
#[derive(Debug)]
pub struct Folded {
    text: String,
    /// Original bounds of the piece behind each folded byte.
    pieces: Vec<(u32, u32)>,
}

impl Folded {
    /// Folds `text`, which is at most 4 GiB.
    pub fn new(text: &str, looseness: Looseness) -> Self {
        let mut folded =
            Self { text: String::with_capacity(text.len()), pieces: Vec::with_capacity(text.len()) };
        let mut rest = text;
        let mut offset = 0;
        while let Some(first) = rest.chars().next() {
            let taken = folded.take(rest, first, offset, looseness);
            offset += taken;
            rest = rest.get(taken..).unwrap_or_default();
        }
        folded
    }

    /// Folds what `rest` starts with and says how many bytes that was.
    fn take(&mut self, rest: &str, first: char, offset: usize, looseness: Looseness) -> usize {
        let mut taken = first.len_utf8();
        if first == '\r' {
            taken = if rest.as_bytes().get(1) == Some(&b'\n') { 2 } else { 1 };
            self.push('\n', offset, taken);
            return taken;
        }
        if looseness.trailing && is_blank(first) {
            let run: usize = rest.chars().take_while(|char| is_blank(*char)).map(char::len_utf8).sum();
            let after = rest.get(run..).unwrap_or_default();
            if after.is_empty() || after.starts_with(['\r', '\n']) {
                return run;
            }
        }
        if looseness.form && (!first.is_ascii() || rest.chars().nth(1).is_some_and(combines)) {
            taken +=
                rest.chars().skip(1).take_while(|char| combines(*char)).map(char::len_utf8).sum::<usize>();
            for composed in rest.get(..taken).unwrap_or_default().nfc() {
                self.push(looseness.fold(composed), offset, taken);
            }
        } else {
            self.push(looseness.fold(first), offset, taken);
        }
        taken
    }

    fn push(&mut self, char: char, offset: usize, length: usize) {
        self.text.push(char);
        let piece = (offset as u32, (offset + length) as u32);
        self.pieces.extend(std::iter::repeat_n(piece, char.len_utf8()));
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of the original that the folded bytes `range` stand for; for an empty range, the
    /// point right after the piece before it.
    pub fn original(&self, range: &Range<usize>) -> Range<usize> {
        let before = range.start.checked_sub(1).and_then(|at| self.pieces.get(at));
        if range.is_empty() {
            let point = match (before, self.pieces.first()) {
                (Some(piece), _) => piece.1,
                (None, Some(piece)) => piece.0,
                (None, None) => 0,
            };
            return point as usize..point as usize;
        }
        let start = self.pieces.get(range.start).map_or(0, |piece| piece.0);
        let end = self.pieces.get(range.end - 1).map_or(start, |piece| piece.1);
        start as usize..end as usize
    }

    /// The folded bytes that stand for the original bytes `range`.
    pub fn folded(&self, range: &Range<usize>) -> Range<usize> {
        let before = |offset: usize| self.pieces.partition_point(|piece| piece.1 as usize <= offset);
        before(range.start)..before(range.end)
    }

    /// Whether the folded offset `at` is not in the middle of what one piece of the original became.
    fn is_bound(&self, at: usize) -> bool {
        at == 0 || at >= self.pieces.len() || self.pieces.get(at) != self.pieces.get(at - 1)
    }

    /// Folded ranges where `needle`, folded alike, occurs; from left to right, apart.
    pub fn find(&self, needle: &str) -> Vec<Range<usize>> {
        if needle.is_empty() {
            return Vec::new();
        }
        self.text
            .match_indices(needle)
            .map(|(at, found)| at..at + found.len())
            .filter(|range| self.is_bound(range.start) && self.is_bound(range.end))
            .collect()
    }

    /// As [`Folded::find`] for each of `needles`, in one walk over the text.
    pub fn find_all(&self, needles: &[String]) -> Vec<Vec<Range<usize>>> {
        let Ok(automaton) = AhoCorasick::new(needles) else {
            return needles.iter().map(|needle| self.find(needle)).collect();
        };
        let mut found = vec![Vec::<Range<usize>>::new(); needles.len()];
        for hit in automaton.find_overlapping_iter(&self.text) {
            let own = &mut found[hit.pattern().as_usize()];
            let range = hit.range();
            let apart = own.last().is_none_or(|last| last.end <= range.start);
            if apart && !range.is_empty() && self.is_bound(range.start) && self.is_bound(range.end) {
                own.push(range);
            }
        }
        found
    }
}

fn is_blank(char: char) -> bool {
    char == ' ' || char == '\t'
}

/// Whether `char` can be part of the letter before it: a combining mark, or a Hangul vowel or final.
fn combines(char: char) -> bool {
    canonical_combining_class(char) != 0 || ('\u{1160}'..='\u{11ff}').contains(&char)
}

/// Typographic quotes as the straight ones; anything else as it is.
pub fn straight(char: char) -> char {
    match char {
        '\u{2018}'..='\u{201b}' => '\'',
        '\u{201c}'..='\u{201f}' => '"',
        char => char,
    }
}

/// Punctuation, blanks and hyphens as ASCII has them; anything else as it is.
pub fn narrow(char: char) -> char {
    match char {
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(u32::from(char) - 0xfee0).filter(char::is_ascii_punctuation).unwrap_or(char)
        }
        '\u{3002}' | '\u{ff61}' => '.',
        '\u{3001}' | '\u{ff64}' => ',',
        '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{3000}' => ' ',
        '\u{2010}'..='\u{2013}' | '\u{2212}' => '-',
        char => char,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, looseness: Looseness, needle: &str, found: &[&str]) {
        let folded = Folded::new(text, looseness);
        let needle = Folded::new(needle, looseness);
        let got: Vec<&str> =
            folded.find(needle.text()).iter().map(|range| &text[folded.original(range)]).collect();
        assert_eq!(got, found, "{text:?}");
    }

    #[test]
    fn what_is_found_is_bytes_of_the_original() {
        let quotes = Looseness { quotes: true, ..Looseness::EXACT };
        let form = Looseness { form: true, ..Looseness::EXACT };
        let trailing = Looseness { trailing: true, ..Looseness::EXACT };
        check("a\r\nb\rc", Looseness::EXACT, "a\nb\n", &["a\r\nb\r"]);
        check("“a” ‘b’", quotes, "\"a\"", &["“a”"]);
        check("cafe\u{301} x", form, "café", &["cafe\u{301}"]);
        check("café x", form, "cafe\u{301} x", &["café x"]);
        check("\u{1112}\u{1161}\u{11ab} x", form, "한", &["\u{1112}\u{1161}\u{11ab}"]);
        let width = Looseness { width: true, ..Looseness::EXACT };
        check("价格（1）：低，高。", width, "价格(1):低,高.", &["价格（1）：低，高。"]);
        check("10\u{a0}m – b", width, "10 m - b", &["10\u{a0}m – b"]);
        check("Ａ", width, "A", &[]);
        check("a  \nb", trailing, "a\nb", &["a  \nb"]);
        check("a  b", trailing, "a b", &[]);
        // Half of a letter is not found, and blanks after the last word are left alone.
        check("e\u{301}", Looseness::EXACT, "e", &["e"]);
        check("e\u{301}", form, "e", &[]);
        check("a  \n", trailing, "a", &["a"]);
        check("aaa", Looseness::EXACT, "aa", &["aa"]);
    }
}
