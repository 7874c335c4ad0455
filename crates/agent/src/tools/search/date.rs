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
