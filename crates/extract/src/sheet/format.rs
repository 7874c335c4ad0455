//! Numbers as a sheet shows them (ECMA-376 Part 1, 18.8.30 and 18.8.31). Dates whose order depends on
//! the reader's country are written year first, which everybody can read.

mod moment;
mod parse;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::rc::Rc;

use crate::xml::{Element, Ns};
use moment::Moment;

/// Bytes of a code; sheets take 255 characters.
const CODE: usize = 1024;

/// The number formats of a workbook, by cell style.
#[derive(Debug, Default)]
pub(super) struct Formats {
    by_style: Vec<Rc<Format>>,
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
    /// Written as a number without a format: fractions are not made.
    general: bool,
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
        let mut known: HashMap<u32, Rc<Format>> = HashMap::new();
        for found in root.child(Ns::Sheets, "numFmts").into_iter().flat_map(|list| list.children()) {
            if let (Some(id), Some(code)) = (found.number("numFmtId"), found.attribute("formatCode")) {
                known.entry(id).or_insert_with(|| Rc::new(Format::parse(&code)));
            }
        }
        let styles = root.child(Ns::Sheets, "cellXfs").into_iter().flat_map(|list| list.children());
        let by_style = styles
            .map(|style| {
                let id = style.number("numFmtId").unwrap_or(0);
                let built_in = || Rc::new(Format::parse(built_in(id).unwrap_or("General")));
                Rc::clone(known.entry(id).or_insert_with(built_in))
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
        if code.len() > CODE || code.eq_ignore_ascii_case("general") {
            return Self::default();
        }
        Self { sections: parse::split(code).into_iter().take(3).map(Section::parse).collect() }
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

impl Section {
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
        if self.general {
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
