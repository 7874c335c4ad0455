//! Days and times as sheets count them: days since the end of 1899, or since 1904, and parts of a day.

/// A day and a time of day.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    /// Days as the workbook counts them.
    serial: i64,
    /// Of the day.
    pub milliseconds: i64,
    since_1904: bool,
}

impl Moment {
    /// `None` for what no sheet shows as a date.
    pub(super) fn of(value: f64, since_1904: bool) -> Option<Self> {
        if !(0.0..2_958_466.0).contains(&value) {
            return None;
        }
        let serial = value.floor();
        let milliseconds = ((value - serial) * 86_400_000.0).round() as i64;
        Some(Self { serial: serial as i64, milliseconds, since_1904 })
    }

    pub(super) fn round(&mut self, digits: usize) {
        let step = 10_i64.pow(3 - digits.min(3) as u32);
        self.milliseconds = (self.milliseconds + step / 2) / step * step;
        self.serial += self.milliseconds / 86_400_000;
        self.milliseconds %= 86_400_000;
    }

    pub(super) fn total_seconds(&self) -> i64 {
        self.serial * 86_400 + self.milliseconds / 1000
    }

    /// Year, month, day and weekday from Sunday. Sheets hold 1900 for a leap year: their day 60 is the
    /// 29th of February that never was.
    fn date(&self) -> (i64, u32, u32, usize) {
        let serial = if self.since_1904 { self.serial + 1462 } else { self.serial };
        let weekday = ((serial + 6) % 7) as usize;
        match serial {
            0 => return (1900, 1, 0, weekday),
            60 => return (1900, 2, 29, weekday),
            _ => {}
        }
        // Days since 1970-01-01, then the civil calendar (H. Hinnant, chrono-compatible algorithms).
        let days = serial - 25_569 + i64::from(serial < 60);
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        (year, month as u32, day as u32, weekday)
    }

    pub(super) fn part(&self, letter: char, count: usize, has_noon: bool) -> String {
        const MONTHS: [&str; 12] = [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ];
        const DAYS: [&str; 7] =
            ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
        let padded = |value: i64| if count >= 2 { format!("{value:02}") } else { value.to_string() };
        let seconds = self.milliseconds / 1000;
        let (year, month, day, weekday) = self.date();
        match (letter, count) {
            ('y', 1 | 2) => format!("{:02}", year % 100),
            ('y' | 'e', _) => year.to_string(),
            ('m', 3) => MONTHS[month as usize - 1][..3].into(),
            ('m', 4) => MONTHS[month as usize - 1].into(),
            ('m', 5..) => MONTHS[month as usize - 1][..1].into(),
            ('m', _) => padded(i64::from(month)),
            ('d', 3) => DAYS[weekday][..3].into(),
            ('d', 4..) => DAYS[weekday].into(),
            ('d', _) => padded(i64::from(day)),
            ('a', 3) => ["日", "一", "二", "三", "四", "五", "六"][weekday].into(),
            ('a', 4..) => format!("星期{}", ["日", "一", "二", "三", "四", "五", "六"][weekday]),
            ('h', _) => {
                let hour = seconds / 3600;
                padded(if has_noon { (hour + 11) % 12 + 1 } else { hour })
            }
            ('n', _) => padded(seconds / 60 % 60),
            ('s', _) => padded(seconds % 60),
            _ => String::new(),
        }
    }
}
