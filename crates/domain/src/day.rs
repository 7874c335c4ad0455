//! Days of the calendar, as people and models write them.

const DAY_MS: i64 = 86_400_000;

/// `2026`, `2026-11` or `2026-11-30` (or with slashes), a whole day also with a time behind it: the first
/// moment of it in UTC, in milliseconds since 1970. `None` where the calendar has no such day.
pub fn first_moment(text: &str) -> Option<i64> {
    let text = text.trim();
    let (date, timed) = match text.split_once(['T', ' ']) {
        Some((date, _)) => (date, true),
        None => (text, false),
    };
    let mut parts = date.split(['-', '/']);
    let year: i64 = parts.next().filter(|year| year.len() == 4)?.parse().ok()?;
    let month = parts.next();
    let day = parts.next();
    if parts.next().is_some() || (timed && day.is_none()) {
        return None;
    }
    let number = |text: Option<&str>, most: i64| match text {
        None => Some(1),
        Some(text) => text.parse().ok().filter(|value| (1..=most).contains(value)),
    };
    let month = number(month, 12)?;
    let day = number(day, days_of(year, month))?;
    // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    Some(days * DAY_MS)
}

/// `2026-01-31T10:00:00Z` of milliseconds since 1970; what was before reads as its first moment.
pub fn instant(ms: i64) -> String {
    let seconds = ms.div_euclid(1000).max(0);
    let (mut days, second) = (seconds / 86_400, seconds % 86_400);
    let mut year = 1970;
    while days >= if is_leap(year) { 366 } else { 365 } {
        days -= if is_leap(year) { 366 } else { 365 };
        year += 1;
    }
    let mut month = 1;
    while days >= days_of(year, month) {
        days -= days_of(year, month);
        month += 1;
    }
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", days + 1)
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
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
            let day = first_moment(text).unwrap();
            let clock: Vec<i64> = text[11..19].split(':').map(|part| part.parse().unwrap()).collect();
            let seconds = clock[0] * 3600 + clock[1] * 60 + clock[2];
            assert_eq!(instant(day + seconds * 1000 + 999), text);
        }
    }

    #[test]
    fn days_count_from_1970() {
        for (text, days) in [
            ("1970-01-01", 0),
            ("1970", 0),
            ("1969-12-31", -1),
            ("2000-03-01", 11_017),
            ("2024/02/29", 19_782),
            ("2024-02-29T10:00:00Z", 19_782),
            ("2026-11-30 08:15", 20_787),
            ("2026-11", 20_758),
        ] {
            assert_eq!(first_moment(text), Some(days * DAY_MS), "{text}");
        }
        for text in ["26", "2026-13", "2026-00-01", "2026-02-29", "2026-1-1-1", "2026 10:00", "yesterday", ""]
        {
            assert_eq!(first_moment(text), None, "{text}");
        }
    }
}
