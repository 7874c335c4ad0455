//! The text of one block while it is put together.

use std::ops::Range;

/// Text with its links, and what of it only guides the eye: list numbers and note marks are shown to a
/// reader but are no words of the text, so search does not see them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inline {
    shown: String,
    /// Only where it differs from `shown`.
    indexed: Option<String>,
    links: Vec<(Range<usize>, String)>,
}

impl Inline {
    pub fn new(text: &str) -> Self {
        let mut inline = Self::default();
        inline.push(text);
        inline
    }

    /// Adds text, without what a reader never sees: control characters, soft hyphens, byte order marks.
    pub fn push(&mut self, text: &str) {
        for piece in text.split(unseen) {
            self.shown.push_str(piece);
            if let Some(indexed) = &mut self.indexed {
                indexed.push_str(piece);
            }
        }
    }

    /// Adds a mark that is shown but not indexed.
    pub fn mark(&mut self, mark: &str) {
        if self.indexed.is_none() {
            self.indexed = Some(self.shown.clone());
        }
        self.shown.push_str(mark);
    }

    /// Adds another text behind this one.
    pub fn append(&mut self, other: &Inline) {
        let offset = self.shown.len();
        if let Some(indexed) = &other.indexed {
            let before = self.indexed.take().unwrap_or_else(|| self.shown.clone());
            self.indexed = Some(before + indexed);
        } else if let Some(indexed) = &mut self.indexed {
            indexed.push_str(&other.shown);
        }
        self.shown.push_str(&other.shown);
        let moved = |(range, target): &(Range<usize>, String)| {
            (range.start + offset..range.end + offset, target.clone())
        };
        self.links.extend(other.links.iter().map(moved));
    }

    /// Where the next text begins; see [`Self::link`].
    pub fn position(&self) -> usize {
        self.shown.len()
    }

    /// Makes what was added since `start` a link to `target`.
    pub fn link(&mut self, start: usize, target: &str) {
        if start < self.shown.len() && !target.is_empty() {
            self.links.push((start..self.shown.len(), target.to_owned()));
        }
    }

    /// As one line: line ends and tabs become blanks, as a cell of a table wants it. No byte moves.
    pub fn flatten(&mut self) {
        let flat = |text: &mut String| {
            if text.contains(['\n', '\t', '\r']) {
                *text = text.replace(['\n', '\t', '\r'], " ");
            }
        };
        flat(&mut self.shown);
        if let Some(indexed) = &mut self.indexed {
            flat(indexed);
        }
    }

    /// Takes blanks off the front.
    pub fn trim_start(&mut self) {
        let blank = self.shown.len() - self.shown.trim_start().len();
        if blank == 0 {
            return;
        }
        self.shown.drain(..blank);
        if let Some(indexed) = &mut self.indexed {
            *indexed = indexed.trim_start().to_owned();
        }
        for (range, _) in &mut self.links {
            *range = range.start.saturating_sub(blank)..range.end.saturating_sub(blank);
        }
    }

    pub fn is_blank(&self) -> bool {
        self.shown.trim().is_empty()
    }

    /// What a reader sees.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// What search sees, where that differs.
    pub fn indexed(&self) -> Option<&str> {
        self.indexed.as_deref()
    }

    /// What search sees.
    pub fn words(&self) -> &str {
        self.indexed.as_deref().unwrap_or(&self.shown)
    }

    pub fn links(&self) -> &[(Range<usize>, String)] {
        &self.links
    }
}

fn unseen(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{e}'..='\u{1f}' | '\u{7f}' | '\u{ad}' | '\u{feff}')
}
