//! Locating the text that an edit names, the way models write it.
//!
//! First exactly; then, where nothing fits, through a loose eye, and only if exactly one place fits.
//! Every anchor is located on the original text before anything is built, and one that fails refuses
//! the whole call.

mod code;
mod fold;
mod indent;
mod miss;
mod style;

use std::{cell::OnceCell, ops::Range};

use orangery_domain::TextEdit;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

use crate::{
    diff::{Lines, between},
    edits::shrink,
};

use fold::{Folded, Looseness};
use style::Style;

pub use miss::{Nearest, around, nearest};

/// One replacement as a model asks for it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReplaceEdit {
    pub original: String,
    pub next: String,
    /// Which of several places, from 1.
    pub occurrence: Option<u32>,
    pub replace_all: bool,
}

/// Edits of the text, and what the second pass had to overlook.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Located {
    pub edits: Vec<TextEdit>,
    /// For people and models, one per replacement that was not found exactly.
    pub overlooked: Vec<&'static str>,
}

/// Why a call is refused. `edit` counts from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Miss {
    Empty {
        edit: usize,
    },
    Missing {
        edit: usize,
        nearest: Vec<Nearest>,
    },
    /// Lines from 1.
    Ambiguous {
        edit: usize,
        lines: Vec<u32>,
    },
    Occurrence {
        edit: usize,
        asked: u32,
        lines: Vec<u32>,
    },
    /// Two edits change the same text; lines from 1.
    Overlap {
        edit: usize,
        other: usize,
        lines: (u32, u32),
    },
    InsideEarlier {
        edit: usize,
        earlier: usize,
    },
}

/// The edits that `replacements` mean on `text`.
pub fn locate(text: &str, replacements: &[ReplaceEdit]) -> Result<Located, Miss> {
    let views = Views::of(text);
    let mut located = Located::default();
    let mut inserted = Inserted::default();
    let originals: Vec<String> =
        replacements.iter().map(|replacement| line_feeds(&replacement.original)).collect();
    let exact = views.exact.find_all(&originals);
    // With the regions as named, before they are narrowed: two edits of one region clash even where
    // what they change does not.
    let mut places: Vec<(Place, usize)> = Vec::new();
    for (edit, (replacement, found)) in replacements.iter().zip(exact).enumerate() {
        if replacement.original.is_empty() {
            return Err(Miss::Empty { edit });
        }
        if let Some(earlier) = inserted.holds(&originals[edit]) {
            return Err(Miss::InsideEarlier { edit, earlier });
        }
        inserted.push(&line_feeds(&replacement.next));
        places.extend(views.places(edit, replacement, found)?.into_iter().map(|place| (place, edit)));
    }
    places.sort_by_key(|(place, edit)| (place.region.start, place.region.end, *edit));
    for pair in places.windows(2) {
        if let [(first, a), (second, b)] = pair
            && second.region.start < first.region.end
        {
            let lines = (views.line(first.region.start), views.line(second.region.start));
            return Err(Miss::Overlap { edit: *a.max(b), other: *a.min(b), lines });
        }
    }
    for (place, _) in places {
        located.edits.extend(place.edits);
        located.overlooked.extend(place.overlooked);
    }
    code::straighten(text, &mut located.edits);
    Ok(located)
}

/// Edits that turn the whole of `text` into `content`, whose line breaks are whatever the file's are.
/// Lines that stay keep their own endings.
pub fn rewrite(text: &str, content: &str) -> Vec<TextEdit> {
    let view = Folded::new(text, Looseness::EXACT);
    let lines = Lines::of(text);
    between(view.text(), &line_feeds(content))
        .into_iter()
        .filter_map(|edit| carry(text, &view, &lines, 0, edit))
        .collect()
}

/// What the replacements so far put in, in one text, so that a thousand are looked through at once.
#[derive(Default)]
struct Inserted {
    text: String,
    starts: Vec<usize>,
}

impl Inserted {
    /// No text of a note holds it.
    const BETWEEN: char = '\0';

    fn push(&mut self, next: &str) {
        self.starts.push(self.text.len());
        self.text.push_str(next);
        self.text.push(Self::BETWEEN);
    }

    /// The replacement whose new text holds `original`.
    fn holds(&self, original: &str) -> Option<usize> {
        let at = self.text.find(original)?;
        self.starts.partition_point(|start| *start <= at).checked_sub(1)
    }
}

/// One region that an anchor fits, and what replacing it changes.
struct Place {
    region: Range<usize>,
    edits: Vec<TextEdit>,
    overlooked: Option<&'static str>,
}

/// The text through every eye that some anchor needed; made at first use, as a call can hold a
/// thousand anchors.
struct Views<'a> {
    text: &'a str,
    lines: Lines<'a>,
    exact: Folded,
    second: [OnceCell<Folded>; Looseness::SECOND.len()],
    keys: OnceCell<Vec<String>>,
}

impl<'a> Views<'a> {
    fn of(text: &'a str) -> Self {
        Self {
            text,
            lines: Lines::of(text),
            exact: Folded::new(text, Looseness::EXACT),
            second: Default::default(),
            keys: OnceCell::new(),
        }
    }

    /// From 1.
    fn line(&self, offset: usize) -> u32 {
        self.lines.at(offset) as u32 + 1
    }

    /// `exact` is where the anchor as it is written occurs.
    fn places(
        &self,
        edit: usize,
        replacement: &ReplaceEdit,
        exact: Vec<Range<usize>>,
    ) -> Result<Vec<Place>, Miss> {
        let spellings = spellings(replacement, self.text);
        let mut exact = Some(exact);
        for spelling in &spellings {
            let mut found = exact.take().unwrap_or_else(|| self.exact.find(&spelling.original));
            found.retain(|at| !spelling.at_end || at.end == self.exact.text().len());
            if found.is_empty() {
                continue;
            }
            let chosen = self.choose(edit, replacement, &found)?;
            let changes = between(&spelling.original, &spelling.next);
            return Ok(chosen.iter().map(|at| self.exact_place(at, &changes, spelling.overlooked)).collect());
        }
        self.second_pass(edit, replacement, &spellings)
    }

    /// Which of the exact places are meant.
    fn choose(
        &self,
        edit: usize,
        replacement: &ReplaceEdit,
        found: &[Range<usize>],
    ) -> Result<Vec<Range<usize>>, Miss> {
        let lines = || found.iter().map(|at| self.line(self.exact.original(at).start)).collect();
        if replacement.replace_all {
            return Ok(found.to_vec());
        }
        match (replacement.occurrence, found) {
            (None, [only]) => Ok(vec![only.clone()]),
            (None, _) => Err(Miss::Ambiguous { edit, lines: lines() }),
            (Some(asked), found) => match (asked as usize).checked_sub(1).and_then(|at| found.get(at)) {
                Some(place) => Ok(vec![place.clone()]),
                None => Err(Miss::Occurrence { edit, asked, lines: lines() }),
            },
        }
    }

    fn exact_place(
        &self,
        at: &Range<usize>,
        changes: &[TextEdit],
        overlooked: Option<&'static str>,
    ) -> Place {
        let edits = changes
            .iter()
            .filter_map(|change| carry(self.text, &self.exact, &self.lines, at.start, change.clone()))
            .collect();
        Place { region: self.exact.original(at), edits, overlooked }
    }

    fn second_pass(
        &self,
        edit: usize,
        replacement: &ReplaceEdit,
        spellings: &[Spelling],
    ) -> Result<Vec<Place>, Miss> {
        let missing = || Miss::Missing { edit, nearest: nearest(self.text, &spellings[0].original) };
        if replacement.occurrence.is_some_and(|asked| asked != 1) {
            return Err(missing());
        }
        for (looseness, view) in Looseness::SECOND.into_iter().zip(&self.second) {
            let view = view.get_or_init(|| Folded::new(self.text, looseness));
            for spelling in spellings {
                let anchor = Folded::new(&spelling.original, looseness);
                let found: Vec<Range<usize>> = view
                    .find(anchor.text())
                    .into_iter()
                    .filter(|at| !spelling.at_end || at.end == view.text().len())
                    .collect();
                match found.as_slice() {
                    [] => {}
                    [only] => return Ok(vec![self.loose_place(only, view, &anchor, spelling, looseness)]),
                    several => {
                        let lines = several.iter().map(|at| self.line(view.original(at).start)).collect();
                        return Err(Miss::Ambiguous { edit, lines });
                    }
                }
            }
        }
        let keys = self.keys.get_or_init(|| self.lines.rows().into_iter().map(indent::key).collect());
        for spelling in spellings {
            match indent::find(keys, &spelling.original).as_slice() {
                [] => {}
                [only] => return Ok(vec![self.indented_place(*only, spelling)]),
                several => {
                    let lines = several.iter().map(|row| *row as u32 + 1).collect();
                    return Err(Miss::Ambiguous { edit, lines });
                }
            }
        }
        Err(missing())
    }

    /// What the model changed between its anchor and its new text, word by word, so that everything it
    /// left alone stays as the file spells it.
    fn loose_place(
        &self,
        at: &Range<usize>,
        view: &Folded,
        anchor: &Folded,
        spelling: &Spelling,
        looseness: Looseness,
    ) -> Place {
        let region = view.original(at);
        let sample = self.text.get(region.clone()).unwrap_or_default();
        let style = Style::of(sample);
        let edits = words_between(&spelling.original, &spelling.next)
            .into_iter()
            .filter_map(|change| {
                let before = spelling.original.get(..change.range.start).unwrap_or_default();
                let insert = style.adopt(&change.insert, before);
                let range = anchor.folded(&change.range);
                carry(self.text, view, &self.lines, at.start, TextEdit { range, insert })
            })
            .collect();
        Place { region, edits, overlooked: Some(looseness.name()) }
    }

    fn indented_place(&self, row: usize, spelling: &Spelling) -> Place {
        let (region, next) = indent::rewrite(&self.lines, row, &spelling.original, &spelling.next);
        let sample = self.text.get(region.clone()).unwrap_or_default();
        let edits = between(sample, &next)
            .into_iter()
            .map(|edit| TextEdit {
                range: edit.range.start + region.start..edit.range.end + region.start,
                insert: edit.insert,
            })
            .collect();
        Place { region, edits, overlooked: Some("indentation") }
    }
}

impl Looseness {
    fn name(self) -> &'static str {
        match (self.width, self.trailing, self.quotes) {
            (true, ..) => "full-width punctuation, or kinds of blanks and hyphens",
            (_, true, _) => "blanks at line ends",
            (.., true) => "curly and straight quotes",
            _ => "the Unicode form of letters",
        }
    }
}

/// An edit of the folded text, `from` bytes into it, as one of the original with its line endings.
fn carry(text: &str, view: &Folded, lines: &Lines<'_>, from: usize, edit: TextEdit) -> Option<TextEdit> {
    let range = view.original(&(edit.range.start + from..edit.range.end + from));
    let insert = match lines.ending_near(range.start) {
        Some("\n") | None => edit.insert,
        Some(ending) => edit.insert.replace('\n', ending),
    };
    shrink(text, TextEdit { range, insert })
}

/// Line edits, and within a changed stretch of lines the words that differ.
fn words_between(old: &str, new: &str) -> Vec<TextEdit> {
    /// Longer stretches are replaced whole.
    const LONGEST: usize = 20_000;
    let mut out = Vec::new();
    for edit in between(old, new) {
        let gone = old.get(edit.range.clone()).unwrap_or_default();
        if gone.len() > LONGEST || edit.insert.len() > LONGEST {
            out.push(edit);
            continue;
        }
        let old_words: Vec<&str> = gone.split_word_bounds().collect();
        let new_words: Vec<&str> = edit.insert.split_word_bounds().collect();
        let mut at = edit.range.start;
        for op in capture_diff_slices(Algorithm::Myers, &old_words, &new_words) {
            let width: usize =
                old_words.get(op.old_range()).unwrap_or_default().iter().map(|word| word.len()).sum();
            if !matches!(op, DiffOp::Equal { .. }) {
                let insert = new_words.get(op.new_range()).unwrap_or_default().concat();
                out.push(TextEdit { range: at..at + width, insert });
            }
            at += width;
        }
    }
    out
}

/// An anchor as it may be meant, line breaks as LF.
struct Spelling {
    original: String,
    next: String,
    /// Fits only at the end of the text.
    at_end: bool,
    overlooked: Option<&'static str>,
}

fn spellings(replacement: &ReplaceEdit, text: &str) -> Vec<Spelling> {
    let (original, next) = (line_feeds(&replacement.original), line_feeds(&replacement.next));
    let mut out = Vec::with_capacity(3);
    let stripped = strip_row_numbers(&original);
    out.push(Spelling { original: original.clone(), next: next.clone(), at_end: false, overlooked: None });
    if let Some(stripped) = stripped {
        out.push(Spelling {
            next: strip_row_numbers(&next).unwrap_or_else(|| next.clone()),
            original: stripped,
            at_end: false,
            overlooked: Some("row numbers"),
        });
    }
    // A last line without a line break, quoted with one.
    if let (Some(shorter), false) = (original.strip_suffix('\n'), text.ends_with(['\n', '\r']))
        && !shorter.is_empty()
    {
        out.push(Spelling {
            original: shorter.to_owned(),
            next: next.strip_suffix('\n').unwrap_or(&next).to_owned(),
            at_end: true,
            overlooked: Some("the missing line break at the end"),
        });
    }
    out
}

/// CRLF and CR as LF.
pub fn line_feeds(text: &str) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_owned() }
}

/// The text without the `number⇥` that a numbered read puts before every line; `None` unless every
/// line has one.
pub fn strip_row_numbers(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
        }
        if line.is_empty() {
            continue;
        }
        let rest = line.trim_start_matches(' ').trim_start_matches(|char: char| char.is_ascii_digit());
        let digits = line.trim_start_matches(' ').len() - rest.len();
        let body = rest.strip_prefix('\t').or_else(|| rest.strip_prefix(['⇥', '→']))?;
        if digits == 0 {
            return None;
        }
        out.push_str(body);
    }
    (!text.trim().is_empty()).then_some(out)
}

#[cfg(test)]
mod replay;
#[cfg(test)]
mod tests;
