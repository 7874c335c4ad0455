//! Cuts a table's text into records.

use std::borrow::Cow;

use super::Dialect;
use super::dialect::SEPARATORS;

/// The records of a table. Blank lines are records of one empty cell, as a spreadsheet counts them.
pub(super) struct Records<'a> {
    text: &'a str,
    at: usize,
    dialect: Dialect,
    /// A quote that is never closed has been met; the next one runs to the end.
    forgave: bool,
    /// Cells that go on behind their closing quote, or hold quoted ones: signs of another separator.
    pub odd: usize,
}

impl<'a> Records<'a> {
    pub(super) fn new(text: &'a str, dialect: Dialect) -> Self {
        let mut records = Self { text, at: 0, dialect, forgave: false, odd: 0 };
        if dialect.declared {
            records.at = text.find(['\n', '\r']).unwrap_or(text.len());
            records.end_line();
        }
        records
    }

    fn end_line(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += match rest {
            [b'\r', b'\n', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => 0,
        };
    }

    /// Bytes up to the next separator or line end.
    fn bare(&self) -> usize {
        let rest = &self.text.as_bytes()[self.at..];
        let separator = self.dialect.separator;
        rest.iter()
            .position(|&byte| byte == separator || byte == b'\n' || byte == b'\r')
            .unwrap_or(rest.len())
    }

    fn cell(&mut self) -> Cow<'a, str> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        // A blank before a quote is common, and no part of the cell.
        let blanks = bytes[start..].iter().take_while(|&&byte| byte == b' ').count();
        if bytes.get(start + blanks) == Some(&self.dialect.quote) {
            self.at = start + blanks + 1;
            if let Some(cell) = self.quoted() {
                return cell;
            }
            self.at = start;
        }
        let length = self.bare();
        self.at = start + length;
        let cell = &self.text[start..start + length];
        self.odd += usize::from(holds_quoted_cells(cell, self.dialect.quote));
        if self.dialect.backslash && cell.contains('\\') {
            Cow::Owned(unescaped(cell))
        } else {
            Cow::Borrowed(cell)
        }
    }

    /// A cell whose opening quote is behind us; `None` when it is never closed, once.
    fn quoted(&mut self) -> Option<Cow<'a, str>> {
        let bytes = self.text.as_bytes();
        let quote = self.dialect.quote;
        let mut out = Cow::Borrowed("");
        let mut from = self.at;
        let mut add = |piece: &'a str| {
            if out.is_empty() { out = Cow::Borrowed(piece) } else { out.to_mut().push_str(piece) }
        };
        loop {
            let rest = bytes.get(from..).unwrap_or_default();
            let found =
                rest.iter().position(|&byte| byte == quote || byte == b'\\' && self.dialect.backslash);
            let Some(found) = found else {
                if !std::mem::replace(&mut self.forgave, true) {
                    return None;
                }
                add(&self.text[from.min(bytes.len())..]);
                self.at = bytes.len();
                return Some(out);
            };
            add(&self.text[from..from + found]);
            let at = from + found;
            if bytes[at] == b'\\' {
                let next = self.text[at + 1..].chars().next().map_or(0, char::len_utf8);
                // Only what needs it is escaped; other backslashes are text.
                let needed = matches!(bytes.get(at + 1), Some(&byte) if byte == quote || byte == b'\\');
                add(&self.text[if needed { at + 1 } else { at }..at + 1 + next]);
                from = at + 1 + next;
            } else if bytes.get(at + 1) == Some(&quote) {
                add(&self.text[at..at + 1]);
                from = at + 2;
            } else {
                self.at = at + 1;
                // What stands between the closing quote and the separator belongs to the cell.
                let length = self.bare();
                let tail = self.text[self.at..self.at + length].trim_end();
                if !tail.is_empty() {
                    self.odd += 1;
                    add(tail);
                }
                self.at += length;
                return Some(out);
            }
        }
    }
}

/// Whether a quote stands beside another separator in `cell`: `a","b` is no cell but two.
fn holds_quoted_cells(cell: &str, quote: u8) -> bool {
    cell.as_bytes().windows(2).any(|two| {
        two[0] == quote && SEPARATORS.contains(&two[1]) || two[1] == quote && SEPARATORS.contains(&two[0])
    })
}

fn unescaped(cell: &str) -> String {
    let mut out = String::with_capacity(cell.len());
    let mut characters = cell.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, characters.peek()) {
            ('\\', Some('"' | '\'' | '\\' | ',' | ';' | '|')) => out.extend(characters.next()),
            _ => out.push(c),
        }
    }
    out
}

impl<'a> Iterator for Records<'a> {
    type Item = Vec<Cow<'a, str>>;

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.text.as_bytes();
        if self.at >= bytes.len() {
            return None;
        }
        let mut record = Vec::new();
        loop {
            record.push(self.cell());
            match bytes.get(self.at) {
                Some(byte) if *byte == self.dialect.separator => self.at += 1,
                _ => {
                    self.end_line();
                    return Some(record);
                }
            }
        }
    }
}
