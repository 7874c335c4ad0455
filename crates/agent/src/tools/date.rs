//! Days as models write them.

use crate::tool::ToolError;

const DAY_MS: i64 = 86_400_000;

/// `2026-01-31`, with or without a time behind it, as milliseconds since 1970 at the start of that day
/// (UTC).
pub(super) fn day(field: &str, text: Option<&str>) -> Result<Option<i64>, ToolError> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    match parse(text) {
        Some(days) => Ok(Some(days * DAY_MS)),
        None => Err(ToolError::tell(format!("{field}: {text:?} is not a day like 2026-01-31"))),
    }
}

fn parse(text: &str) -> Option<i64> {
    let date = text.split(['T', ' ']).next()?;
    let mut parts = date.split('-');
    let (year, month, day) =
        (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    if parts.next().is_some() || !(1970..=9999).contains(&year) || !(1..=length(year, month)?).contains(&day)
    {
        return None;
    }
    let years: i64 = (1970..year).map(|year| if is_leap(year) { 366 } else { 365 }).sum();
    let months: i64 = (1..month).filter_map(|month| length(year, month)).sum();
    Some(years + months + day - 1)
}

/// `2026-01-31T10:00:00Z` of milliseconds since 1970.
pub(super) fn instant(ms: i64) -> String {
    let seconds = ms.div_euclid(1000).max(0);
    let (mut days, second) = (seconds / 86_400, seconds % 86_400);
    let mut year = 1970;
    while days >= if is_leap(year) { 366 } else { 365 } {
        days -= if is_leap(year) { 366 } else { 365 };
        year += 1;
    }
    let mut month = 1;
    while let Some(length) = length(year, month).filter(|length| days >= *length) {
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", days + 1)
}

fn length(year: i64, month: i64) -> Option<i64> {
    match month {
        2 if is_leap(year) => Some(29),
        2 => Some(28),
        4 | 6 | 9 | 11 => Some(30),
        1..=12 => Some(31),
        _ => None,
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_reads_as_it_is_written() {
        for text in ["1970-01-01T00:00:00Z", "2024-02-29T23:59:59Z", "2026-12-31T12:30:05Z"] {
            let days = parse(text).unwrap();
            let clock: Vec<i64> = text[11..19].split(':').map(|part| part.parse().unwrap()).collect();
            let seconds = days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2];
            assert_eq!(instant(seconds * 1000 + 999), text);
        }
    }

    #[test]
    fn days_count_from_1970() {
        for (text, expected) in [
            ("1970-01-01", Some(0)),
            ("2000-03-01", Some(11_017)),
            ("2024-02-29T10:00:00Z", Some(19_782)),
            ("2026-11-30", Some(20_787)),
            ("2026-02-29", None),
            ("2026-13-01", None),
            ("yesterday", None),
            ("2026-1", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }
}
