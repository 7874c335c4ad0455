//! What is taken from the lines that fit: their number and the first few, or the lines themselves.

use std::io;

use grep_matcher::Matcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkContextKind, SinkMatch};
use orangery_domain::{TextRow, utf16_len};

use super::pattern::Pattern;

/// Of the lines of a file that fit, how many are told by number alone.
pub const FIRST: usize = 5;
/// Bytes of a line that are shown.
const LINE_LIMIT: usize = 512;
/// Of these, how many may stand before the first match.
const LEAD: usize = 128;
const CUT: char = '…';

/// Counts.
#[derive(Debug, Default)]
pub struct Tally {
    pub count: u64,
    pub first: Vec<u64>,
}

impl Sink for Tally {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        let from = found.line_number().unwrap_or_default();
        for (number, _) in (from..).zip(found.lines()) {
            self.count += 1;
            if self.first.len() < FIRST {
                self.first.push(number);
            }
        }
        Ok(true)
    }
}

/// Takes the lines from the `skip`th that fits on, with what stands around them.
pub struct Rows<'a> {
    pattern: &'a Pattern,
    pub rows: Vec<TextRow>,
    skip: u64,
    left: u64,
    /// Bytes that may still be taken.
    bytes: usize,
    /// How many that fit were taken.
    pub taken: u64,
    /// The page has room for no more.
    pub full: bool,
    /// What stands before the next that fits.
    before: Vec<TextRow>,
}

impl<'a> Rows<'a> {
    /// Of `left` lines and about `bytes` at most, but of one line in any case.
    pub fn new(pattern: &'a Pattern, skip: u64, left: u64, bytes: usize) -> Self {
        Self { pattern, rows: Vec::new(), skip, left, bytes, taken: 0, full: false, before: Vec::new() }
    }

    pub fn bytes_left(&self) -> usize {
        self.bytes
    }

    fn weigh(&mut self, row: &TextRow) -> bool {
        // What a row costs beside its text.
        let cost = row.text.len() + 48;
        self.bytes = self.bytes.saturating_sub(cost);
        self.bytes > 0
    }

    fn push(&mut self, row: TextRow) {
        let before = std::mem::take(&mut self.before);
        // What stands before two that fit is theirs together.
        let shown = self.rows.last().map_or(0, |row| row.line);
        for row in before.into_iter().filter(|row| row.line > shown).chain([row]) {
            if !self.weigh(&row) {
                self.full = true;
            }
            self.rows.push(row);
        }
    }
}

impl Sink for Rows<'_> {
    type Error = io::Error;

    fn matched(&mut self, searcher: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        // Over several lines, each is told with its part.
        let mut marks = Vec::new();
        let lines = self.pattern.lines(searcher.line_terminator().is_crlf());
        let marked = lines.find_iter(found.bytes(), |mark| {
            marks.push((mark.start(), mark.end()));
            marks.len() < LINE_LIMIT
        });
        marked.map_err(io::Error::other)?;
        let mut at = 0;
        for (number, line) in (found.line_number().unwrap_or_default()..).zip(found.lines()) {
            let begin = at;
            at += line.len();
            if self.skip > 0 {
                self.skip -= 1;
                self.before.clear();
                continue;
            }
            if self.left == 0 || self.full {
                self.full = true;
                return Ok(false);
            }
            let here = marks.iter().filter(|(start, end)| *start < at && (*end > begin || start == end));
            let here = here.map(|(start, end)| (start.saturating_sub(begin), end.saturating_sub(begin)));
            let row = row(number, line, &here.collect::<Vec<_>>(), false);
            self.push(row);
            self.left -= 1;
            self.taken += 1;
        }
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, found: &SinkContext<'_>) -> Result<bool, io::Error> {
        let row = row(found.line_number().unwrap_or_default(), found.bytes(), &[], true);
        match found.kind() {
            // Of one that is not on this page.
            SinkContextKind::After if self.taken == 0 => self.before.push(row),
            SinkContextKind::After => {
                // It may stand before the next one, too.
                self.weigh(&row);
                self.rows.push(row);
            }
            _ => self.before.push(row),
        }
        Ok(true)
    }

    fn context_break(&mut self, _: &Searcher) -> Result<bool, io::Error> {
        self.before.clear();
        Ok(true)
    }
}

/// A line as it is shown; `marks` are in its bytes.
fn row(number: u64, line: &[u8], marks: &[(usize, usize)], context: bool) -> TextRow {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let first = marks.first().map_or(0, |(start, _)| *start);
    let (from, to) = window(line, first);
    let shown = line.get(from..to).unwrap_or_default();
    let mut text = String::with_capacity(shown.len() + 2 * CUT.len_utf8());
    if from > 0 {
        text.push(CUT);
    }
    let lead = utf16_len(&text);
    text.push_str(&String::from_utf8_lossy(shown));
    if to < line.len() {
        text.push(CUT);
    }
    let column = |at: usize| {
        let before = shown.get(..at.clamp(from, to) - from).unwrap_or_default();
        lead + utf16_len(&String::from_utf8_lossy(before))
    };
    let marks = marks.iter().map(|(start, end)| (column(*start), column(*end)));
    TextRow {
        line: u32::try_from(number).unwrap_or(u32::MAX),
        marks: marks.filter(|(start, end)| start < end).collect(),
        text,
        context,
    }
}

/// The part of a line that is shown, cut between characters.
fn window(line: &[u8], first: usize) -> (usize, usize) {
    if line.len() <= LINE_LIMIT {
        return (0, line.len());
    }
    let from = if first < LINE_LIMIT - LEAD { 0 } else { first.min(line.len()) - LEAD };
    let begins = |at: usize| line.get(at).is_none_or(|byte| byte & 0xC0 != 0x80);
    let back = |mut at: usize| {
        while at > 0 && !begins(at) {
            at -= 1;
        }
        at
    };
    let from = back(from);
    (from, back((from + LINE_LIMIT).min(line.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_around_its_match() {
        let line = format!("{}针{}\r\n", "草".repeat(400), "草".repeat(400));
        let row = row(7, line.as_bytes(), &[(1200, 1203)], false);
        assert!(row.text.len() <= LINE_LIMIT + 2 * CUT.len_utf8());
        assert!(row.text.starts_with('…') && row.text.ends_with('…'));
        let (start, end) = row.marks[0];
        let units: Vec<u16> = row.text.encode_utf16().collect();
        assert_eq!(String::from_utf16_lossy(&units[start as usize..end as usize]), "针");
        let short = super::row(1, b"abc\n", &[(1, 2), (3, 3)], false);
        assert_eq!((short.text.as_str(), short.marks), ("abc", vec![(1, 2)]));
    }
}
