//! Line arithmetic. A line ends at LF, CRLF or a lone CR; nothing else ends one.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::text::Ending;

/// A place as an editor counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Position {
    /// From 1.
    pub line: u32,
    /// UTF-16 code units from the start of the line, from 0.
    pub column: u32,
}

/// A run of whole lines, both ends included, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LineRange {
    pub start: u32,
    pub end: u32,
}

/// UTF-16 code units of `text`.
pub fn utf16_len(text: &str) -> u32 {
    count(text.encode_utf16().count())
}

/// Where the lines of one text are. A text has one line more than it has line endings, as an editor
/// shows it: `"a\n"` has an empty second line, and the empty text has one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineIndex {
    lines: Vec<Line>,
    end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Line {
    start: usize,
    /// Absent for the last line.
    ending: Option<Ending>,
}

impl LineIndex {
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut lines = Vec::new();
        let mut start = 0;
        for (at, byte) in bytes.iter().enumerate() {
            let ending = match byte {
                b'\n' if at > start && bytes[at - 1] == b'\r' => Ending::CrLf,
                b'\n' => Ending::Lf,
                b'\r' if bytes.get(at + 1) != Some(&b'\n') => Ending::Cr,
                _ => continue,
            };
            lines.push(Line { start, ending: Some(ending) });
            start = at + 1;
        }
        lines.push(Line { start, ending: None });
        Self { lines, end: bytes.len() }
    }

    /// At least 1.
    pub fn line_count(&self) -> u32 {
        count(self.lines.len())
    }

    /// Bytes of line `line` (from 1) without its ending.
    pub fn line(&self, line: u32) -> Option<Range<usize>> {
        let full = self.line_full(line)?;
        let ending = self.ending_at(line).map_or(0, |ending| ending.as_str().len());
        Some(full.start..full.end - ending)
    }

    /// Bytes of line `line` (from 1) with its ending.
    pub fn line_full(&self, line: u32) -> Option<Range<usize>> {
        let index = usize::try_from(line.checked_sub(1)?).ok()?;
        let start = self.lines.get(index)?.start;
        let end = self.lines.get(index + 1).map_or(self.end, |next| next.start);
        Some(start..end)
    }

    /// What ends line `line`; nothing for the last line.
    pub fn ending_at(&self, line: u32) -> Option<Ending> {
        let index = usize::try_from(line.checked_sub(1)?).ok()?;
        self.lines.get(index)?.ending
    }

    /// The line (from 1) that holds byte `offset`. An ending belongs to the line that it ends; what
    /// lies past the end is on the last line.
    pub fn line_at(&self, offset: usize) -> u32 {
        count(self.lines.partition_point(|line| line.start <= offset))
    }

    /// The lines that the bytes of `range` touch; an empty range touches the line it stands on.
    pub fn lines_of(&self, range: &Range<usize>) -> LineRange {
        let last = range.end.saturating_sub(1).max(range.start);
        LineRange { start: self.line_at(range.start), end: self.line_at(last) }
    }

    /// Line and UTF-16 column of a byte of `text`, the text of this index. Inside a character it is
    /// that character's place, inside an ending the end of the line.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let line = self.line_at(offset);
        let range = self.line(line).unwrap_or(self.end..self.end);
        let mut stop = offset.min(range.end);
        while !text.is_char_boundary(stop) {
            stop -= 1;
        }
        Position { line, column: utf16_len(text.get(range.start..stop).unwrap_or_default()) }
    }

    /// The byte of `text`, the text of this index, at a line and UTF-16 column; nothing where the
    /// line does not exist, is shorter, or the column is inside a character.
    pub fn offset(&self, text: &str, position: Position) -> Option<usize> {
        let range = self.line(position.line)?;
        let line = text.get(range.clone())?;
        let mut column = 0;
        for (at, character) in line.char_indices() {
            if column >= position.column {
                return (column == position.column).then_some(range.start + at);
            }
            column += count(character.len_utf16());
        }
        (column == position.column).then_some(range.end)
    }
}

/// Lines and columns are counted in 32 bits; a text that long is never opened.
fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
