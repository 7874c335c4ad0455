//! A text as rows of a diff: every line with its ending, and no empty row after a final newline.

use std::ops::Range;

/// Line starts of a text. A line ends at LF, CRLF or a lone CR.
#[derive(Debug)]
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub fn of(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = Vec::new();
        if !bytes.is_empty() {
            starts.push(0);
        }
        for (at, byte) in bytes.iter().enumerate() {
            let ends = match byte {
                b'\n' => true,
                b'\r' => bytes.get(at + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends && at + 1 < bytes.len() {
                starts.push(at + 1);
            }
        }
        Self { text, starts }
    }

    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Rows; an empty text has none.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// Row `at`, from 0, with its ending.
    pub fn full(&self, at: usize) -> &'a str {
        self.text.get(self.range(at..at + 1)).unwrap_or_default()
    }

    /// Row `at`, from 0, without its ending.
    pub fn body(&self, at: usize) -> &'a str {
        strip_ending(self.full(at))
    }

    /// All rows with their endings.
    pub fn rows(&self) -> Vec<&'a str> {
        self.rows_in(0..self.count())
    }

    /// The rows `rows` with their endings.
    pub fn rows_in(&self, rows: Range<usize>) -> Vec<&'a str> {
        rows.map(|at| self.full(at)).collect()
    }

    /// Bytes of the rows `rows`.
    pub fn range(&self, rows: Range<usize>) -> Range<usize> {
        self.start(rows.start)..self.start(rows.end)
    }

    /// Where row `at` starts; the end of the text for the row after the last.
    pub fn start(&self, at: usize) -> usize {
        self.starts.get(at).copied().unwrap_or(self.text.len())
    }

    /// The row that holds the byte at `offset`; at the end of the text, the number of rows if a line
    /// could start there and the last row otherwise.
    pub fn at(&self, offset: usize) -> usize {
        if offset >= self.text.len() && self.is_start(offset) {
            return self.count();
        }
        self.starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// Whether a line starts at `offset`, the end of a text with a final newline included.
    pub fn is_start(&self, offset: usize) -> bool {
        let bytes = self.text.as_bytes();
        match offset.checked_sub(1).and_then(|before| bytes.get(before)) {
            None => true,
            Some(b'\n') => true,
            Some(b'\r') => bytes.get(offset) != Some(&b'\n'),
            Some(_) => false,
        }
    }

    /// The rows that a change of `range` touches; for an insertion between two lines, none but the
    /// place itself counts as one row so that two such insertions meet.
    pub fn touched(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.at(range.start);
        let end = if range.end > range.start && self.is_start(range.end) {
            self.at(range.end)
        } else {
            self.at(range.end) + 1
        };
        start..end.max(start + 1)
    }

    /// The ending that a line break inserted at `offset` takes: that of the line there, else of the
    /// line above; `None` in a text of one line without an ending.
    pub fn ending_near(&self, offset: usize) -> Option<&'static str> {
        let row = self.at(offset).min(self.count().saturating_sub(1));
        (0..=row).rev().find_map(|row| ending(self.full(row)))
    }

    /// The ending that most rows have; `None` if there is no line break.
    pub fn usual_ending(&self) -> Option<&'static str> {
        let mut counts = [("\n", 0usize), ("\r\n", 0), ("\r", 0)];
        for at in 0..self.count() {
            let own = ending(self.full(at));
            for (name, count) in &mut counts {
                if own == Some(*name) {
                    *count += 1;
                }
            }
        }
        counts
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .max_by_key(|(_, count)| *count)
            .map(|(name, _)| name)
    }
}

/// The line ending that `row` carries.
pub fn ending(row: &str) -> Option<&'static str> {
    if row.ends_with("\r\n") {
        Some("\r\n")
    } else if row.ends_with('\n') {
        Some("\n")
    } else if row.ends_with('\r') {
        Some("\r")
    } else {
        None
    }
}

/// The row without its ending.
pub fn strip_ending(row: &str) -> &str {
    row.strip_suffix("\r\n")
        .or_else(|| row.strip_suffix('\n'))
        .or_else(|| row.strip_suffix('\r'))
        .unwrap_or(row)
}

/// The name of an ending in a diff.
pub fn ending_name(row: &str) -> &'static str {
    match ending(row) {
        Some("\r\n") => "CRLF",
        Some("\r") => "CR",
        Some(_) => "LF",
        None => "none",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_ends_a_row_and_none_is_lost() {
        let text = "a\r\nb\rc\n\nd";
        let lines = Lines::of(text);
        assert_eq!(lines.rows(), ["a\r\n", "b\r", "c\n", "\n", "d"]);
        assert_eq!(lines.rows().concat(), text);
        assert_eq!(Lines::of("a\n").rows(), ["a\n"]);
        assert_eq!(Lines::of("").count(), 0);
        assert_eq!(Lines::of("\r\r\n").rows(), ["\r", "\r\n"]);
    }

    #[test]
    fn a_break_takes_the_ending_of_its_place() {
        let lines = Lines::of("a\r\nb\nc");
        assert_eq!(lines.ending_near(0), Some("\r\n"));
        assert_eq!(lines.ending_near(4), Some("\n"));
        assert_eq!(lines.ending_near(6), Some("\n"));
        assert_eq!(Lines::of("abc").ending_near(1), None);
    }
}
