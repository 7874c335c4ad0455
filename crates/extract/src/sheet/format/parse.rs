//! What a format code says.

use super::{Piece, Section};

/// Sections of a code, apart by semicolons outside quotes and brackets.
pub(super) fn split(code: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut quoted, mut bracket, mut escaped) = (0, false, false, false);
    for (at, c) in code.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '\\' | '_' | '*' => escaped = true,
            '[' => bracket = true,
            ']' => bracket = false,
            ';' if !bracket => {
                parts.push(&code[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&code[start..]);
    parts
}

impl Section {
    pub(super) fn parse(code: &str) -> Self {
        let mut section = Self::default();
        let mut rest = code;
        let mut after_point = false;
        while let Some(c) = rest.chars().next() {
            let mut length = c.len_utf8();
            let second = rest[length..].chars().next();
            match c {
                '"' => {
                    let end = rest[1..].find('"').map_or(rest.len(), |end| end + 1);
                    section.text(&rest[1..end]);
                    length = (end + 1).min(rest.len());
                }
                '\\' => {
                    if let Some(second) = second {
                        section.text(second.encode_utf8(&mut [0; 4]));
                        length += second.len_utf8();
                    }
                }
                // A blank as wide as a sign; a sign that fills the cell.
                '_' | '*' => {
                    if c == '_' {
                        section.text(" ");
                    }
                    length += second.map_or(0, char::len_utf8);
                }
                '[' => {
                    let end = rest.find(']').unwrap_or(rest.len());
                    section.bracket(&rest[1..end]);
                    length = (end + 1).min(rest.len());
                }
                '0' | '#' | '?' => {
                    if section.exponent {
                        // Digits of the exponent are written as many as there are.
                    } else if after_point {
                        section.decimals += 1;
                        section.least_decimals += usize::from(c == '0');
                    } else {
                        section.digits += usize::from(c == '0');
                    }
                    section.mark_number();
                }
                '.' => match section.pieces.last() {
                    Some(Piece::Date('s', _) | Piece::Elapsed('s')) => {
                        let zeros = rest[1..].bytes().take_while(|byte| *byte == b'0').count();
                        section.pieces.push(Piece::Split(zeros));
                        length += zeros;
                    }
                    _ if section.is_date => section.text("."),
                    _ => {
                        after_point = true;
                        section.mark_number();
                    }
                },
                ',' if section.pieces.contains(&Piece::Number) => {
                    let digits_follow = rest[1..].starts_with(['0', '#', '?']);
                    if digits_follow { section.grouped = true } else { section.scale += 1 }
                }
                '%' => {
                    section.percent += 1;
                    section.text("%");
                }
                'E' | 'e' if matches!(second, Some('+' | '-')) => {
                    section.exponent = true;
                    length += 1;
                }
                '/' if !section.is_date && section.pieces.contains(&Piece::Number) => {
                    section.general = true;
                    length = rest.find([';', ' ', '"', '_']).unwrap_or(rest.len());
                }
                '@' => section.mark_number(),
                'G' | 'g'
                    if rest.len() >= 7
                        && rest.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("general")) =>
                {
                    section.general = true;
                    section.mark_number();
                    length = 7;
                }
                'A' | 'a' if rest.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("am/pm")) => {
                    section.noon("AM", "PM");
                    length = 5;
                }
                'A' | 'a' if rest.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("a/p")) => {
                    section.noon("A", "P");
                    length = 3;
                }
                '上' if rest.starts_with("上午/下午") => {
                    section.noon("上午", "下午");
                    length = "上午/下午".len();
                }
                'y' | 'Y' | 'm' | 'M' | 'd' | 'D' | 'h' | 'H' | 's' | 'S' | 'a' | 'A' | 'e' | 'g' => {
                    let letter = c.to_ascii_lowercase();
                    let count = rest.chars().take_while(|next| next.to_ascii_lowercase() == letter).count();
                    section.is_date = true;
                    section.pieces.push(Piece::Date(letter, count));
                    length = count;
                }
                _ => section.text(&rest[..length]),
            }
            rest = &rest[length..];
        }
        section.tell_minutes();
        section
    }

    fn text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Text(before)) => before.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
    }

    fn mark_number(&mut self) {
        if !self.pieces.contains(&Piece::Number) {
            self.pieces.push(Piece::Number);
        }
    }

    fn noon(&mut self, before: &'static str, after: &'static str) {
        (self.is_date, self.has_noon) = (true, true);
        self.pieces.push(Piece::Noon(before, after));
    }

    /// `[Red]`, `[$€-407]`, `[h]`, `[>100]`.
    fn bracket(&mut self, inner: &str) {
        if let Some(currency) = inner.strip_prefix('$') {
            let sign = currency.split('-').next().unwrap_or_default();
            if !sign.is_empty() {
                self.text(sign);
            }
            return;
        }
        let lower = inner.to_ascii_lowercase();
        let first = lower.chars().next().filter(|first| matches!(first, 'h' | 'm' | 's'));
        if let Some(first) = first.filter(|first| lower.chars().all(|c| c == *first)) {
            self.is_date = true;
            self.pieces.push(Piece::Elapsed(first));
        }
    }

    /// `m` is minutes behind hours and in front of seconds, months everywhere else.
    fn tell_minutes(&mut self) {
        let letters: Vec<(usize, char)> = self
            .pieces
            .iter()
            .enumerate()
            .filter_map(|(at, piece)| match piece {
                Piece::Date(letter, _) | Piece::Elapsed(letter) => Some((at, *letter)),
                _ => None,
            })
            .collect();
        for (place, (at, letter)) in letters.iter().enumerate() {
            let before = place.checked_sub(1).map(|before| letters[before].1);
            let after = letters.get(place + 1).map(|after| after.1);
            if *letter == 'm'
                && (before == Some('h') || after == Some('s'))
                && let Piece::Date(letter, _) = &mut self.pieces[*at]
            {
                *letter = 'n';
            }
        }
    }
}
