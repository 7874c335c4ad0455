//! Moments, sizes and counts as people read them.

use chrono::{DateTime, Local};

/// The moment `ms` milliseconds after 1970 began, as the clock on the wall shows it: `2026-01-31 10:00:00`.
pub fn moment(ms: i64) -> String {
    match DateTime::from_timestamp_millis(ms) {
        Some(moment) => moment.with_timezone(&Local).format("%Y-%m-%d %H:%M:%S").to_string(),
        None => ms.to_string(),
    }
}

/// `512 B`, `1.2 KB`, `34 MB`.
pub fn bytes(size: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if size < 1000 {
        return format!("{size} B");
    }
    let (mut value, mut unit) = (size as f64 / 1000.0, 0);
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    let digits = usize::from(value < 9.95);
    format!("{value:.digits$} {}", UNITS[unit])
}

/// `1 file`, `2 files`.
pub fn count(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_the_unit_that_keeps_them_short() {
        let sizes = [0, 999, 1000, 1234, 34_567, 999_900, 5_000_000_000, u64::MAX].map(bytes);
        assert_eq!(sizes, ["0 B", "999 B", "1.0 KB", "1.2 KB", "35 KB", "1.0 MB", "5.0 GB", "18446744 TB"]);
    }

    #[test]
    fn moments_are_of_the_calendar() {
        // Whatever the time zone, noon is the same day almost everywhere, and a day has that form.
        let said = moment(1_769_860_800_000);
        assert!(said.starts_with("2026-01-31 ") || said.starts_with("2026-02-01 "), "{said}");
        assert_eq!(said.len(), "2026-01-31 12:00:00".len());
    }
}
