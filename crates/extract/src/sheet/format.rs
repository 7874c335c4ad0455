//! Numbers as a sheet shows them (ECMA-376 Part 1, 18.8.30 and 18.8.31). Dates whose order depends on
//! the reader's country are written year first, which everybody can read.

mod moment;

use crate::xml::{Element, Ns};
use moment::Moment;

/// The number formats of a workbook, by cell style.
#[derive(Debug, Default)]
pub(super) struct Formats {
    by_style: Vec<Format>,
    since_1904: bool,
}

/// One format: sections for positive, negative and zero numbers.
#[derive(Debug, Clone, Default)]
struct Format {
    sections: Vec<Section>,
}

#[derive(Debug, Clone, Default)]
struct Section {
    pieces: Vec<Piece>,
    is_date: bool,
    /// A clock of twelve hours.
    has_noon: bool,
    percent: i32,
    /// Thousands left out at the end: a comma behind the digits.
    scale: i32,
    grouped: bool,
    decimals: usize,
    /// Digits behind the point that are written even when they are nothing.
    least_decimals: usize,
    digits: usize,
    exponent: bool,
    fraction: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Text(String),
    /// Where the number goes.
    Number,
    /// `yyyy`, `m`, `ss`: letter and how often it stands.
    Date(char, usize),
    /// `[h]`: hours, minutes or seconds in all.
    Elapsed(char),
    /// Digits of a second behind the point.
    Split(usize),
    Noon(&'static str, &'static str),
}

impl Formats {
    /// A workbook without styles.
    pub(super) fn plain(since_1904: bool) -> Self {
        Self { by_style: Vec::new(), since_1904 }
    }

    pub(super) fn read(root: Element<'_, '_>, since_1904: bool) -> Self {
        let own: Vec<(u32, String)> = root
            .child(Ns::Sheets, "numFmts")
            .into_iter()
            .flat_map(|list| list.children())
            .filter_map(|found| {
                Some((found.number("numFmtId")?, found.attribute("formatCode")?.into_owned()))
            })
            .collect();
        let styles = root.child(Ns::Sheets, "cellXfs").into_iter().flat_map(|list| list.children());
        let by_style = styles
            .map(|style| {
                let id: u32 = style.number("numFmtId").unwrap_or(0);
                let code = own.iter().find(|(known, _)| *known == id).map(|(_, code)| code.as_str());
                Format::parse(code.or_else(|| built_in(id)).unwrap_or("General"))
            })
            .collect();
        Self { by_style, since_1904 }
    }

    /// `value` as a cell of this style shows it.
    pub(super) fn show(&self, style: usize, value: f64) -> String {
        match self.by_style.get(style) {
            Some(format) => format.show(value, self.since_1904),
            None => general(value),
        }
    }
}

/// The codes of formats that files only name by number. Those that depend on the country are written
/// year first; 27 to 58 are those of simplified Chinese.
fn built_in(id: u32) -> Option<&'static str> {
    Some(match id {
        1 => "0",
        2 => "0.00",
        3 | 37 | 38 => "#,##0",
        4 | 39 | 40 => "#,##0.00",
        9 => "0%",
        10 => "0.00%",
        11 | 48 => "0.00E+00",
        12 | 13 => "# ?/?",
        14 => "yyyy-mm-dd",
        15 => "d-mmm-yy",
        16 => "d-mmm",
        17 => "mmm-yy",
        18 => "h:mm AM/PM",
        19 => "h:mm:ss AM/PM",
        20 => "h:mm",
        21 => "h:mm:ss",
        22 => "yyyy-mm-dd h:mm",
        27 | 36 | 50 | 52 | 57 => "yyyy\"年\"m\"月\"",
        28 | 29 | 51 | 53 | 54 | 58 => "m\"月\"d\"日\"",
        30 => "yyyy-mm-dd",
        31 => "yyyy\"年\"m\"月\"d\"日\"",
        32 => "h\"时\"mm\"分\"",
        33 => "h\"时\"mm\"分\"ss\"秒\"",
        34 | 55 => "上午/下午h\"时\"mm\"分\"",
        35 | 56 => "上午/下午h\"时\"mm\"分\"ss\"秒\"",
        41 | 42 => "#,##0",
        43 | 44 => "#,##0.00",
        45 => "mm:ss",
        46 => "[h]:mm:ss",
        47 => "mm:ss.0",
        49 => "@",
        _ => return None,
    })
}

impl Format {
    fn parse(code: &str) -> Self {
        if code.eq_ignore_ascii_case("general") {
            return Self::default();
        }
        Self { sections: split(code).into_iter().take(3).map(Section::parse).collect() }
    }

    fn show(&self, value: f64, since_1904: bool) -> String {
        let (section, value, sign) = match self.sections.as_slice() {
            [] => return general(value),
            [only] => (only, value.abs(), value < 0.0),
            [positive, _] if value >= 0.0 => (positive, value, false),
            [_, _, zero, ..] if value == 0.0 => (zero, value, false),
            [positive, ..] if value > 0.0 => (positive, value, false),
            [_, negative, ..] => (negative, -value, false),
        };
        if section.pieces.is_empty() {
            return String::new();
        }
        if section.is_date {
            let value = if sign { -value } else { value };
            return Moment::of(value, since_1904)
                .map_or_else(|| general(value), |moment| section.date(moment));
        }
        let text = section.number(value);
        // A number that rounds to nothing has no sign.
        let nothing = !text.chars().any(|c| c.is_ascii_digit() && c != '0');
        let text = if sign && !nothing { format!("-{text}") } else { text };
        text.trim().to_owned()
    }
}

/// Sections of a code, apart by semicolons outside quotes and brackets.
fn split(code: &str) -> Vec<&str> {
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
    fn parse(code: &str) -> Self {
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
                    section.fraction = true;
                    length = rest.find([';', ' ', '"', '_']).unwrap_or(rest.len());
                }
                '@' => section.mark_number(),
                'G' | 'g'
                    if rest.len() >= 7
                        && rest.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("general")) =>
                {
                    section.decimals = usize::MAX;
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

    fn number(&self, value: f64) -> String {
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Number => out.push_str(&self.digits_of(value)),
                _ => {}
            }
        }
        out
    }

    fn digits_of(&self, value: f64) -> String {
        let value = value * 100_f64.powi(self.percent) / 1000_f64.powi(self.scale);
        if self.fraction || self.decimals == usize::MAX {
            return general(value);
        }
        if self.exponent {
            let text = format!("{value:.*e}", self.decimals.min(15));
            let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
            let power: i32 = power.parse().unwrap_or(0);
            let sign = if power < 0 { '-' } else { '+' };
            return format!("{digits}E{sign}{:02}", power.abs());
        }
        let mut text = format!("{:.*}", self.decimals.min(15), rounded(value, self.decimals.min(15)));
        if self.decimals > self.least_decimals && text.contains('.') {
            let surplus = text.len() - text.trim_end_matches('0').len();
            text.truncate(text.len() - surplus.min(self.decimals - self.least_decimals));
            if text.ends_with('.') {
                text.pop();
            }
        }
        let (whole, rest) = match text.find('.') {
            Some(point) => text.split_at(point),
            None => (text.as_str(), ""),
        };
        let mut whole = whole.to_owned();
        if whole.len() < self.digits {
            whole.insert_str(0, &"0".repeat((self.digits - whole.len()).min(30)));
        }
        if self.digits == 0 && whole == "0" && !rest.is_empty() {
            whole.clear();
        }
        if self.grouped {
            whole = grouped(&whole);
        }
        whole + rest
    }

    fn date(&self, moment: Moment) -> String {
        let mut moment = moment;
        // Seconds are rounded only where no part of them is shown.
        let split =
            self.pieces.iter().find_map(|piece| if let Piece::Split(n) = piece { Some(*n) } else { None });
        moment.round(split.unwrap_or(0).min(3));
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Date(letter, count) => out.push_str(&moment.part(*letter, *count, self.has_noon)),
                Piece::Elapsed(letter) => {
                    let seconds = moment.total_seconds();
                    out.push_str(&match letter {
                        'h' => (seconds / 3600).to_string(),
                        'm' => (seconds / 60).to_string(),
                        _ => seconds.to_string(),
                    });
                }
                Piece::Split(0) => out.push('.'),
                Piece::Split(count) => {
                    let thousandths = format!("{:03}", moment.milliseconds % 1000);
                    out.push('.');
                    out.push_str(&thousandths[..(*count).min(3)]);
                }
                Piece::Noon(before, after) => {
                    out.push_str(if moment.milliseconds < 12 * 3_600_000 { before } else { after });
                }
                Piece::Number => {}
            }
        }
        out.trim().to_owned()
    }
}

/// Half away from zero, as sheets round, of what the decimal digits say and not the binary ones.
fn rounded(value: f64, decimals: usize) -> f64 {
    let factor = 10_f64.powi(decimals as i32);
    let scaled = value * factor;
    if !scaled.is_finite() || scaled.abs() > 1e15 {
        return value;
    }
    let near: f64 = format!("{scaled:.6}").parse().unwrap_or(scaled);
    near.round() / factor
}

fn grouped(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, c) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// A number without a format: fifteen digits at most, as sheets count.
pub(super) fn general(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let size = value.abs();
    if (1e-9..1e15).contains(&size) {
        let whole = size.log10().floor() as i32 + 1;
        let decimals = (15 - whole).clamp(0, 17) as usize;
        let text = format!("{value:.decimals$}");
        if text.contains('.') {
            return text.trim_end_matches('0').trim_end_matches('.').to_owned();
        }
        return text;
    }
    let text = format!("{value:.14e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    let power: i32 = power.parse().unwrap_or(0);
    format!("{digits}E{}{:02}", if power < 0 { '-' } else { '+' }, power.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_by_their_formats() {
        for (code, value, expected) in [
            ("General", 0.1 + 0.2, "0.3"),
            ("General", 1234567.0, "1234567"),
            ("General", 1.5e20, "1.5E+20"),
            ("0", 2.5, "3"),
            ("0.00", 1.005, "1.01"),
            ("0.0#", 1.5, "1.5"),
            ("#,##0.00", -1234567.891, "-1,234,567.89"),
            ("0%", 0.256, "26%"),
            ("0.00%", 0.0525, "5.25%"),
            ("0.00E+00", 12345.0, "1.23E+04"),
            ("\"¥\"#,##0", 1000.0, "¥1,000"),
            ("[$€-407] #,##0.00", 9.5, "€ 9.50"),
            ("#,##0;[Red](#,##0)", -42.0, "(42)"),
            ("0;-0;\"–\"", 0.0, "–"),
            ("0.0,,\" M\"", 2_500_000.0, "2.5 M"),
            ("000000", 42.0, "000042"),
            ("0_);(0)", 7.0, "7"),
            ("#.##", 0.5, ".5"),
            ("0", -0.2, "0"),
            ("yyyy-mm-dd", 45292.0, "2024-01-01"),
            ("d mmm yyyy", 60.0, "29 Feb 1900"),
            ("yyyy-mm-dd", 1.0, "1900-01-01"),
            ("yyyy\"年\"m\"月\"d\"日\" aaaa", 45352.0, "2024年3月1日 星期五"),
            ("h:mm AM/PM", 0.5625, "1:30 PM"),
            ("yyyy-mm-dd hh:mm:ss", 45292.999999, "2024-01-02 00:00:00"),
            ("[h]:mm", 1.5, "36:00"),
            ("mm:ss.0", 0.000_701_388_9, "01:00.6"),
            ("dddd", 45292.0, "Monday"),
            ("yyyy", -1.0, "-1"),
            ("0[中", 7.0, "7"),
            ("0\"中", 7.0, "7中"),
            ("0\\", 7.0, "7"),
        ] {
            let got = Format::parse(code).show(value, false);
            assert_eq!(got, expected, "{code} of {value}");
        }
        assert_eq!(Format::parse("yyyy-mm-dd").show(0.0, true), "1904-01-01");
    }
}
