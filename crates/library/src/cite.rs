//! Snippets: the readable text around a match, and what of it matched.

use std::collections::HashSet;
use std::ops::Range;

use orangery_domain::LineRange;
use orangery_domain::position::utf16_len;
use orangery_store::table::chunk::Chunk;

use crate::chunk::line_at;

mod sought;

use sought::Match;
pub use sought::Sought;

/// A piece of a text, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    pub text: String,
    /// UTF-16 ranges of `text` that matched, in order and apart.
    pub marks: Vec<(u32, u32)>,
    pub lines: LineRange,
    /// Bytes of the passage where the match begins, and where its last part does.
    pub ends: (usize, usize),
    /// How many terms of the query are in it.
    pub terms: usize,
}

/// Characters that a snippet shows at most, about.
const LENGTH: usize = 220;

/// UTF-16 ranges of `text` that match.
pub fn marks(text: &str, sought: &Sought) -> Vec<(u32, u32)> {
    to_utf16(text, &merged(sought.matches(text).into_iter().map(|found| found.range)))
}

/// The part of a passage that holds most of the terms.
pub fn snippet(chunk: &Chunk, sought: &Sought) -> Snippet {
    let text = &chunk.text;
    let found = sought.matches(text);
    let window = window(text, &found);
    let inside = |found: &&Match| found.range.start >= window.start && found.range.end <= window.end;
    let terms: HashSet<usize> = found.iter().filter(inside).map(|found| found.term).collect();
    let close: Vec<_> = tight(found.iter().filter(inside).collect());
    let ends = match close.as_slice() {
        [first, .., last] => (first.range.start, last.range.start),
        [only] => (only.range.start, only.range.start),
        [] => (window.start, window.end.saturating_sub(1)),
    };
    let lines = LineRange { start: line_at(chunk, ends.0), end: line_at(chunk, ends.1) };
    let (open, close) = (window.start > 0, window.end < text.len());
    let mut shown = String::new();
    if open {
        shown.push('…');
    }
    let shift = shown.len();
    // One byte for one byte: ranges stay.
    shown.extend(text[window.clone()].chars().map(|c| if matches!(c, '\n' | '\r' | '\t') { ' ' } else { c }));
    if close {
        shown.push('…');
    }
    let ranges = merged(
        found
            .iter()
            .filter(inside)
            .map(|found| found.range.start - window.start + shift..found.range.end - window.start + shift),
    );
    let marks = to_utf16(&shown, &ranges);
    Snippet { text: shown, marks, lines, ends, terms: terms.len() }
}

/// Without what comes before and is said again.
fn tight(found: Vec<&Match>) -> Vec<&Match> {
    let repeated = |at: usize| found[at + 1..].iter().any(|later| later.term == found[at].term);
    let skip = (0..found.len()).take_while(|at| repeated(*at)).count();
    found[skip..].to_vec()
}

/// Where to look: the stretch of `LENGTH` characters with the most different terms, then the most
/// matches, then the first.
fn window(text: &str, found: &[Match]) -> Range<usize> {
    let mut best = (0, 0, 0..0);
    for (at, first) in found.iter().enumerate() {
        let reach = ahead(text, first.range.start, LENGTH * 3 / 4);
        let inside: Vec<_> = found[at..].iter().take_while(|found| found.range.end <= reach).collect();
        let terms: HashSet<usize> = inside.iter().map(|found| found.term).collect();
        let end = inside.last().map_or(first.range.end, |last| last.range.end);
        if (terms.len(), inside.len()) > (best.0, best.1) {
            best = (terms.len(), inside.len(), first.range.start..end);
        }
    }
    let core = best.2;
    let spare = LENGTH.saturating_sub(text[core.clone()].chars().count());
    let start = at_word_start(text, behind(text, core.start, spare / 3), core.start);
    let left = LENGTH.saturating_sub(text[start..core.end].chars().count());
    let end = at_word_end(text, ahead(text, core.end, left), core.end);
    let trimmed = text[start..end].trim_start();
    let start = end - trimmed.len();
    start..start + trimmed.trim_end().len()
}

/// `count` characters after `from`.
fn ahead(text: &str, from: usize, count: usize) -> usize {
    text[from..].char_indices().nth(count).map_or(text.len(), |(at, _)| from + at)
}

/// `count` characters before `from`.
fn behind(text: &str, from: usize, count: usize) -> usize {
    match count.checked_sub(1) {
        None => from,
        Some(count) => text[..from].char_indices().rev().nth(count).map_or(0, |(at, _)| at),
    }
}

/// After the blank or line that is nearest behind `at`, if it is not beyond `limit`.
fn at_word_start(text: &str, at: usize, limit: usize) -> usize {
    if at == 0 {
        return 0;
    }
    let ahead = &text[at..limit];
    match ahead.find('\n').or_else(|| ahead.find(|c: char| c.is_whitespace() || "。！？，；".contains(c)))
    {
        Some(found) => at + found + ahead[found..].chars().next().map_or(0, char::len_utf8),
        None => at,
    }
}

fn at_word_end(text: &str, at: usize, limit: usize) -> usize {
    if at == text.len() {
        return at;
    }
    text[limit..at].rfind(char::is_whitespace).filter(|found| *found > 0).map_or(at, |found| limit + found)
}

/// Ranges that overlap, as the pairs of a run do, become one.
fn merged(ranges: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

fn to_utf16(text: &str, ranges: &[Range<usize>]) -> Vec<(u32, u32)> {
    let (mut at, mut units) = (0, 0);
    let mut advance = |to: usize| {
        units += utf16_len(&text[at..to]);
        at = to;
        units
    };
    ranges.iter().map(|range| (advance(range.start), advance(range.end))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::fold::folded;

    fn sought(terms: &[&[&str]]) -> Sought {
        let mut sought = Sought::default();
        for (term, words) in terms.iter().enumerate() {
            words.iter().for_each(|word| sought.add_word(term, word));
        }
        sought
    }

    fn under(text: &str, marks: &[(u32, u32)]) -> Vec<String> {
        let units: Vec<u16> = text.encode_utf16().collect();
        marks
            .iter()
            .map(|(start, end)| String::from_utf16(&units[*start as usize..*end as usize]).unwrap())
            .collect()
    }

    #[test]
    fn the_text_under_a_mark_is_what_was_asked_for() {
        let text = "🍊 （警戒水位） ＲＵＳＴ和rust，Café的 警 getUserName";
        let sought = sought(&[&["警戒", "戒水", "水位"], &["rust"], &["cafe"], &["user"]]);
        let marks = marks(text, &sought);
        assert_eq!(under(text, &marks), ["警戒水位", "ＲＵＳＴ", "rust", "Café", "User"]);
        assert!(
            under(text, &marks)
                .iter()
                .all(|under| { ["警戒水位", "rust", "cafe", "user"].contains(&folded(under).as_str()) })
        );
    }

    #[test]
    fn a_snippet_shows_most_terms_and_their_lines() {
        let filler = "nothing to see here. ".repeat(40);
        let text = format!("alpha\n{filler}\nalpha and beta\n{filler}");
        let chunk = Chunk {
            heading_path: Vec::new(),
            range: 0..1,
            lines: (10, 13),
            spots: None,
            line_map: vec![(0, 10), (6, 11), (7 + filler.len() as u32, 12), (22 + filler.len() as u32, 13)],
            text,
        };
        let snippet = snippet(&chunk, &sought(&[&["alpha"], &["beta"]]));
        assert_eq!(under(&snippet.text, &snippet.marks), ["alpha", "beta"]);
        assert_eq!((snippet.lines, snippet.terms), (LineRange { start: 12, end: 12 }, 2));
        assert!(snippet.text.chars().count() <= LENGTH + 2, "{}", snippet.text);
        assert!(snippet.text.starts_with('…') && snippet.text.ends_with('…'));
    }
}
