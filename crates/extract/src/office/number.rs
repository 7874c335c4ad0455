//! Numbers as lists write them (ECMA-376 Part 1, 17.18.59, `ST_NumberFormat`).

const DIGITS: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// `value` in a list's number format; one that is not known is written in plain digits.
pub(crate) fn format(kind: &str, value: i64) -> String {
    let number = u32::try_from(value).unwrap_or(0);
    let of = |signs: &str| pick(signs, number);
    let written = match kind {
        "none" | "bullet" => Some(String::new()),
        "decimalZero" => Some(format!("{value:02}")),
        "upperRoman" => roman(number),
        "lowerRoman" => roman(number).map(|text| text.to_lowercase()),
        "upperLetter" => letters(number),
        "lowerLetter" => letters(number).map(|text| text.to_lowercase()),
        "ordinal" => Some(format!("{value}{}", ordinal_ending(number))),
        "cardinalText" => english(number).map(capital),
        "ordinalText" => english_ordinal(number).map(capital),
        "hex" => Some(format!("{value:X}")),
        "decimalFullWidth" | "decimalFullWidth2" => Some(wide(value)),
        "decimalEnclosedCircle" | "decimalEnclosedCircleChinese" => enclosed(number, '①', 20),
        "decimalEnclosedParen" => enclosed(number, '⑴', 20),
        "decimalEnclosedFullstop" => enclosed(number, '⒈', 20),
        "ideographEnclosedCircle" => enclosed(number, '㊀', 10),
        "chineseCounting"
        | "chineseCountingThousand"
        | "japaneseCounting"
        | "taiwaneseCounting"
        | "taiwaneseCountingThousand" => Some(chinese(number)),
        "ideographDigital" | "japaneseDigitalTenThousand" | "taiwaneseDigital" => {
            Some(digits(number, &DIGITS))
        }
        "chineseLegalSimplified" => Some(legal(number, "零壹贰叁肆伍陆柒捌玖", ["", "拾", "佰", "仟"])),
        "ideographLegalTraditional" | "japaneseLegal" => {
            Some(legal(number, "零壹貳參肆伍陸柒捌玖", ["", "拾", "佰", "仟"]))
        }
        "ideographTraditional" => of("甲乙丙丁戊己庚辛壬癸"),
        "ideographZodiac" => of("子丑寅卯辰巳午未申酉戌亥"),
        "aiueo" | "aiueoFullWidth" => {
            of("アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン")
        }
        "iroha" | "irohaFullWidth" => of(
            "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン",
        ),
        "ganada" => of("가나다라마바사아자차카타파하"),
        "chosung" => of("ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"),
        "koreanDigital" | "koreanDigital2" => {
            Some(digits(number, &['영', '일', '이', '삼', '사', '오', '육', '칠', '팔', '구']))
        }
        "russianLower" => of("абвгдежзиклмнопрстуфхцчшщыэюя"),
        "russianUpper" => of("АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ"),
        "hebrew2" => of("אבגדהוזחטיכלמנסעפצקרשת"),
        "arabicAlpha" => of("أبتثجحخدذرزسشصضطظعغفقكلمنهوي"),
        _ => None,
    };
    written.unwrap_or_else(|| value.to_string())
}

fn pick(signs: &str, number: u32) -> Option<String> {
    signs.chars().nth(number.checked_sub(1)? as usize).map(String::from)
}

/// Additive; beyond a few thousand nobody writes them.
fn roman(number: u32) -> Option<String> {
    const SIGNS: [(u32, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut rest = Some(number).filter(|number| (1..5000).contains(number))?;
    let mut out = String::new();
    for (value, sign) in SIGNS {
        while rest >= value {
            out.push_str(sign);
            rest -= value;
        }
    }
    Some(out)
}

/// A to Z, then AA, BB: Word repeats the letter.
fn letters(number: u32) -> Option<String> {
    let index = number.checked_sub(1)?;
    let letter = char::from(b'A' + (index % 26) as u8);
    Some(letter.to_string().repeat((index / 26 + 1).min(30) as usize))
}

fn ordinal_ending(number: u32) -> &'static str {
    match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

const ONES: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

fn english(number: u32) -> Option<String> {
    match number {
        0..20 => Some(ONES[number as usize].into()),
        20..100 if number.is_multiple_of(10) => Some(TENS[number as usize / 10].into()),
        20..100 => Some(format!("{}-{}", TENS[number as usize / 10], ONES[number as usize % 10])),
        _ => None,
    }
}

fn english_ordinal(number: u32) -> Option<String> {
    let text = english(number)?;
    let at = text.rfind('-').map_or(0, |at| at + 1);
    let (head, last) = text.split_at(at);
    let last = match last {
        "one" => "first".into(),
        "two" => "second".into(),
        "three" => "third".into(),
        "five" => "fifth".into(),
        "eight" => "eighth".into(),
        "nine" => "ninth".into(),
        "twelve" => "twelfth".into(),
        other => match other.strip_suffix('y') {
            Some(stem) => format!("{stem}ieth"),
            None => format!("{other}th"),
        },
    };
    Some(format!("{head}{last}"))
}

fn capital(text: String) -> String {
    let mut rest = text.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}

fn wide(value: i64) -> String {
    let widen = |c: char| if c.is_ascii_digit() { char::from_u32(c as u32 + 0xfee0).unwrap_or(c) } else { c };
    value.to_string().chars().map(widen).collect()
}

fn enclosed(number: u32, first: char, most: u32) -> Option<String> {
    if !(1..=most).contains(&number) {
        return None;
    }
    char::from_u32(first as u32 + number - 1).map(String::from)
}

fn digits(number: u32, signs: &[char; 10]) -> String {
    number.to_string().bytes().map(|digit| signs[usize::from(digit - b'0')]).collect()
}

/// 十, 十一, 二十, 一百零五.
fn chinese(number: u32) -> String {
    let text = legal(number, "〇一二三四五六七八九", ["", "十", "百", "千"]).replace('〇', "零");
    match text.strip_prefix("一十") {
        Some(rest) => format!("十{rest}"),
        None if number == 0 => "〇".into(),
        None => text,
    }
}

fn legal(number: u32, signs: &str, units: [&str; 4]) -> String {
    let signs: Vec<char> = signs.chars().collect();
    if number == 0 || number > 9999 {
        return match number {
            0 => signs[0].into(),
            _ => number.to_string(),
        };
    }
    let mut out = String::new();
    let mut gap = false;
    for power in (0..4).rev() {
        let digit = number / 10_u32.pow(power) % 10;
        if digit == 0 {
            gap = !out.is_empty();
            continue;
        }
        if gap {
            out.push(signs[0]);
            gap = false;
        }
        out.push(signs[digit as usize]);
        out.push_str(units[power as usize]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::format;

    #[test]
    fn numbers_are_written_as_lists_write_them() {
        for (kind, value, expected) in [
            ("decimal", 12, "12"),
            ("decimalZero", 7, "07"),
            ("upperRoman", 1994, "MCMXCIV"),
            ("lowerRoman", 4, "iv"),
            ("upperLetter", 28, "BB"),
            ("lowerLetter", 3, "c"),
            ("ordinal", 112, "112th"),
            ("ordinal", 22, "22nd"),
            ("cardinalText", 42, "Forty-two"),
            ("ordinalText", 21, "Twenty-first"),
            ("ordinalText", 30, "Thirtieth"),
            ("chineseCounting", 10, "十"),
            ("chineseCounting", 15, "十五"),
            ("chineseCountingThousand", 105, "一百零五"),
            ("japaneseCounting", 20, "二十"),
            ("ideographDigital", 102, "一〇二"),
            ("chineseLegalSimplified", 12, "壹拾贰"),
            ("ideographTraditional", 3, "丙"),
            ("decimalEnclosedCircle", 20, "⑳"),
            ("decimalEnclosedCircle", 21, "21"),
            ("decimalFullWidth", 30, "３０"),
            ("ganada", 2, "나"),
            ("upperRoman", -3, "-3"),
            ("somethingNew", 5, "5"),
        ] {
            assert_eq!(format(kind, value), expected, "{kind} {value}");
        }
    }
}
