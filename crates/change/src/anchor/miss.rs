//! Why an anchor was not found: the lines that come nearest and what differs in them.

use unicode_normalization::UnicodeNormalization;

use super::fold::{narrow, straight};
use crate::diff::{Lines, likeness};

/// A place that nearly fits an anchor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// From 1.
    pub line: u32,
    /// The first line of the anchor that differs there, from 1 in the file.
    pub differs_at: u32,
    pub wanted: String,
    pub found: String,
    pub why: &'static str,
}

/// At most this many places are named.
const PLACES: usize = 3;
/// Shown of a long line, in characters.
const SHOWN: usize = 200;

/// The nearest places to `anchor` in `text`, best first.
pub fn nearest(text: &str, anchor: &str) -> Vec<Nearest> {
    let (lines, anchor) = (Lines::of(text), Lines::of(anchor));
    let wanted: Vec<String> = anchor.rows().into_iter().map(squeeze).collect();
    let have: Vec<String> = lines.rows().into_iter().map(squeeze).collect();
    let Some(lead) = wanted.iter().position(|row| !row.is_empty()) else {
        return Vec::new();
    };

    // Where most of the anchor's lines are the file's, blanks, quotes and case aside.
    let mut scored: Vec<(f32, usize)> = Vec::new();
    for start in 0..have.len() {
        let window = have.get(start..have.len().min(start + wanted.len())).unwrap_or_default();
        let same = window.iter().zip(&wanted).filter(|(a, b)| a == b && !b.is_empty()).count();
        if same > 0 {
            scored.push((same as f32, start));
        }
    }
    if scored.is_empty() {
        // Else where the first line is like one of the file's, or part of it.
        let (first, key) = (anchor.body(lead), &wanted[lead]);
        for (row, own) in have.iter().enumerate() {
            let like = if !key.is_empty() && own.contains(key.as_str()) {
                0.9
            } else {
                likeness(lines.body(row), first)
            };
            if like >= 0.4 {
                scored.push((like, row.saturating_sub(lead)));
            }
        }
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.into_iter().take(PLACES).filter_map(|(_, start)| describe(&lines, start, &anchor)).collect()
}

fn describe(lines: &Lines<'_>, start: usize, anchor: &Lines<'_>) -> Option<Nearest> {
    let at = (0..anchor.count()).find(|&at| {
        let (own, file) = (anchor.body(at), lines.body(start + at));
        // The first and the last line of an anchor may be a part of the file's.
        let whole = at > 0 && at + 1 < anchor.count();
        if whole { own != file } else { !file.contains(own) }
    })?;
    let (wanted, found) = (anchor.body(at), lines.body(start + at));
    Some(Nearest {
        line: start as u32 + 1,
        differs_at: (start + at) as u32 + 1,
        wanted: cut(wanted),
        found: cut(found),
        why: if start + at < lines.count() { difference(wanted, found) } else { "the file ends before it" },
    })
}

/// What tells two lines apart, named by the least thing that does.
fn difference(wanted: &str, found: &str) -> &'static str {
    let quotes = |text: &str| text.chars().map(straight).collect::<String>();
    let form = |text: &str| text.nfc().collect::<String>();
    if wanted.trim_end() == found.trim_end() {
        "blanks at the end of the line"
    } else if wanted.trim_start() == found.trim_start() {
        "the indentation (tabs or number of blanks)"
    } else if wanted.trim() == found.trim() {
        "blanks at both ends of the line"
    } else if quotes(wanted.trim()) == quotes(found.trim()) {
        "curly and straight quotes"
    } else if form(wanted.trim()) == form(found.trim()) {
        "the Unicode form of a letter (composed or decomposed)"
    } else if wide(wanted.trim()) == wide(found.trim()) {
        "full-width punctuation, or kinds of blanks and hyphens"
    } else if solid(wanted) == solid(found) {
        "blanks within the line"
    } else if squeeze(wanted) == squeeze(found) {
        "upper and lower case, quotes or blanks"
    } else {
        "the words"
    }
}

fn wide(text: &str) -> String {
    text.nfc().map(narrow).map(straight).collect()
}

fn solid(text: &str) -> String {
    text.chars().filter(|char| !char.is_whitespace()).collect()
}

/// A row with all that models get wrong most taken out.
fn squeeze(row: &str) -> String {
    row.nfkc().filter(|char| !char.is_whitespace()).map(straight).flat_map(char::to_lowercase).collect()
}

fn cut(row: &str) -> String {
    match row.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", row.get(..end).unwrap_or_default()),
        None => row.to_owned(),
    }
}

/// Rows `line` ± `context` as `number⇥text`, for a message.
pub fn around(text: &str, line: u32, context: usize) -> String {
    let lines = Lines::of(text);
    let middle = (line as usize).saturating_sub(1);
    let rows = middle.saturating_sub(context)..lines.count().min(middle + context + 1);
    rows.map(|row| format!("{}\t{}\n", row + 1, cut(lines.body(row)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, anchor: &str, line: u32, differs_at: u32, why: &str) {
        let nearest = nearest(text, anchor);
        let first = nearest.first().expect("a nearest place");
        assert_eq!((first.line, first.differs_at), (line, differs_at), "{first:?}");
        assert!(first.why.contains(why), "{first:?}");
    }

    #[test]
    fn a_miss_names_the_first_line_that_differs_and_what_differs() {
        check("one\ntwo  \nthree\n", "one\ntwo\nthree", 1, 2, "end of the line");
        check("one\n\ttwo\nthree\n", "one\n    two\nthree", 1, 2, "indentation");
        check("x\nsay “a” b\nthree\n", "say \"a\" b\nfour", 2, 2, "quotes");
        check("x\ncafe\u{301} one\nthree\n", "café one\nfour", 2, 2, "Unicode form");
        check("x\n价格：低，高\nthree\n", "价格:低,高\nfour", 2, 2, "full-width");
        check("x\na  b\nthree\n", "a b\nfour", 2, 2, "within the line");
        check("x\nthe quick brown fox\n", "the quick red fox", 2, 2, "words");
        check("x\nlast\n", "last\nmore", 2, 3, "the file ends");
        assert_eq!(nearest("one\ntwo\n", "something else"), []);
    }
}
