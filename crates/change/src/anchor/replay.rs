//! Edit calls as models make them: quoted from a file with the slips that models have. Nearly all
//! have to land, and every one that lands has to land where it was meant.

use super::*;
use crate::edits::splice;

/// Files of the kinds that notes hold. Lines that are meant to be edited are unique.
const FILES: [&str; 7] = [
    "---\ntitle: “Plan”\ntags: [a, b]\n---\n# Plan for “Riverside”\n\nThe client’s wishes come first.\nWe don’t build what nobody needs.  \nSecond line of the break.\n\n- first point, it’s small\n- second point: “large”\n    - nested ‘one’\n    - nested two\n",
    "fn main() {\n\tlet a = 1;\n\tif a > 0 {\n\t\tprintln!(\"positive\");\n\t\tfor b in 0..a {\n\t\t\twork(b);\n\t\t}\n\t} else {\n\t\tprintln!(\"other\");\n\t}\n}\n",
    "class A:\n    def one(self):\n        return 'one'\n\n    def two(self):\n        if self.x:\n            return \"two\"\n        return None\n",
    "# 会议纪要\r\n\r\n参加者：陈工、李工。\r\n决定使用“低反射”玻璃，周五前答复。\r\n\r\n| 项目 | 金额 |\r\n|---|---|\r\n| 屋面 | 1.62 |\r\n| 幕墙 | 0.21 |\r\n",
    "cafe\u{301} noir\nre\u{301}sume\u{301} of the day\nplain line of text\nthe “naïve” approach\nlast line without a break",
    "# 报价\n\n幕墙（含安装）：０.21 万元，不含税。\n工期、质量、安全：一切按合同。\n单价 1\u{a0}200 元 – 可议。\n备注：“加急”另计！\n",
    "1. item one\n   continued under one\n2. item two\n\t- tabbed child\n\t- tabbed sibling, don't move\n3. item three\n\n> quoted \"text\" here\n> and more of it\n",
];

/// A slip, and whether an edit with it still says clearly what it means.
type Slip = fn(&str) -> Option<String>;

const SLIPS: [(&str, Slip); 19] = [
    ("none", |text| Some(text.to_owned())),
    ("straight quotes", |text| changed(text, text.chars().map(fold::straight).collect())),
    ("curly quotes", |text| {
        let style = "“”‘’";
        let mut open = false;
        let curl = |char| match char {
            '"' => {
                open = !open;
                style.chars().nth(usize::from(!open)).unwrap_or(char)
            }
            '\'' => '’',
            char => char,
        };
        changed(text, text.chars().map(curl).collect())
    }),
    ("tabs as four blanks", |text| {
        changed(
            text,
            by_lines(text, |line| {
                let body = line.trim_start_matches('\t');
                "    ".repeat(line.len() - body.len()) + body
            }),
        )
    }),
    ("blanks as tabs", |text| {
        changed(
            text,
            by_lines(text, |line| {
                let body = line.trim_start_matches(' ');
                let blanks = line.len() - body.len();
                "\t".repeat(blanks / 4) + &" ".repeat(blanks % 4) + body
            }),
        )
    }),
    ("no indentation", |text| {
        let least = text.split('\n').filter(|line| !line.trim().is_empty());
        let least = least.map(|line| line.len() - line.trim_start_matches([' ', '\t']).len()).min()?;
        changed(text, by_lines(text, |line| line.get(least..).unwrap_or_default().to_owned()))
    }),
    ("no trailing blanks", |text| changed(text, by_lines(text, |line| line.trim_end().to_owned()))),
    ("extra trailing blanks", |text| {
        (text.contains('\n')).then(|| by_lines(text, |line| format!("{line} ")))
    }),
    ("composed", |text| {
        use unicode_normalization::UnicodeNormalization;
        changed(text, text.nfc().collect())
    }),
    ("CRLF", |text| changed(text, text.replace('\n', "\r\n"))),
    ("lone CR", |text| changed(text, text.replace('\n', "\r"))),
    ("decomposed", |text| {
        use unicode_normalization::UnicodeNormalization;
        changed(text, text.nfd().collect())
    }),
    ("half-width punctuation", |text| changed(text, text.chars().map(fold::narrow).collect())),
    ("blanks for no-break blanks", |text| changed(text, text.replace('\u{a0}', " "))),
    ("padded row numbers with arrows", |text| {
        let rows = text.split('\n').enumerate();
        Some(rows.map(|(at, line)| format!("{:>6}→{line}", at + 98)).collect::<Vec<_>>().join("\n"))
    }),
    ("straight quotes and no trailing blanks", |text| {
        let quotes: String = text.chars().map(fold::straight).collect();
        changed(text, by_lines(&quotes, |line| line.trim_end().to_owned()))
    }),
    ("straight quotes and one level less", |text| {
        let quotes: String = text.chars().map(fold::straight).collect();
        let outdented = by_lines(&quotes, |line| {
            line.strip_prefix('\t').or_else(|| line.strip_prefix("    ")).unwrap_or(line).to_owned()
        });
        // Lines of one level more than others would stand beside them.
        let alike = text.split('\n').all(|line| line.starts_with(['\t', ' ']));
        (alike && outdented != text).then_some(outdented)
    }),
    ("half-width punctuation in CRLF", |text| {
        let narrow: String = text.chars().map(fold::narrow).collect();
        changed(text, narrow.replace('\n', "\r\n"))
    }),
    ("row numbers", |text| {
        let rows = text.split('\n').enumerate();
        Some(rows.map(|(at, line)| format!("{}\t{line}", at + 7)).collect::<Vec<_>>().join("\n"))
    }),
];

/// How often these rows stand in the file, blanks around them aside.
fn lines_alike(lines: &Lines<'_>, rows: &std::ops::Range<usize>) -> usize {
    let own = |from: usize| (from..from + rows.len()).map(|row| lines.body(row).trim());
    (0..=lines.count() - rows.len()).filter(|from| own(*from).eq(own(rows.start))).count()
}

fn changed(from: &str, to: String) -> Option<String> {
    (from != to).then_some(to)
}

fn by_lines(text: &str, each: impl FnMut(&str) -> String) -> String {
    text.split('\n').map(each).collect::<Vec<_>>().join("\n")
}

#[test]
fn slips_of_models_land_where_they_were_meant_or_nowhere() {
    // FAULTS E5
    // Of each slip, how often it was tried and how often it landed.
    let mut counts = vec![(0, 0); SLIPS.len()];
    let mut missed = Vec::new();
    for file in FILES {
        let lines = Lines::of(file);
        for from in 0..lines.count() {
            for length in 1..=3 {
                let rows = from..from + length;
                if rows.end > lines.count() || rows.clone().all(|row| lines.body(row).trim().is_empty()) {
                    continue;
                }
                // A lone brace says nothing of where it stands: it may be refused, never misplaced.
                let clear = lines_alike(&lines, &rows) == 1;
                let region = lines.range(rows.clone());
                let (before, after) = (&file[..region.start], &file[region.end..]);
                // As a read shows it, without the last line break.
                let shown = line_feeds(&file[region.clone()]);
                let shown = shown.strip_suffix('\n').unwrap_or(&shown);
                let first = shown.find(|char: char| !char.is_whitespace()).unwrap_or(0);
                let next = format!("{}NEW {}", &shown[..first], &shown[first..]);
                for ((name, slip), (tried, landed)) in SLIPS.iter().zip(&mut counts) {
                    let (Some(original), Some(next)) = (slip(shown), slip(&next)) else { continue };
                    *tried += usize::from(clear);
                    let edit = ReplaceEdit { original, next, ..ReplaceEdit::default() };
                    match locate(file, std::slice::from_ref(&edit)) {
                        Ok(located) => {
                            *landed += usize::from(clear);
                            let got = splice(file, &located.edits);
                            assert!(
                                got.starts_with(before) && got.ends_with(after),
                                "{name}: {edit:?} changed other lines:\n{got}"
                            );
                            assert_eq!(got.matches("NEW ").count(), 1, "{name}: {edit:?}\n{got}");
                            assert_eq!(
                                got.replacen("NEW ", "", 1),
                                file,
                                "{name}: {edit:?} changed more than it said"
                            );
                        }
                        Err(_) if !clear => {}
                        Err(miss) => missed.push(format!("{name}: {edit:?}: {miss:?}")),
                    }
                }
            }
        }
    }
    let told = missed.join("\n");
    for ((name, _), (tried, landed)) in SLIPS.iter().zip(&counts) {
        // One that is never tried shows nothing.
        assert!(*tried > 0, "{name}");
        assert!(landed * 100 >= tried * 98, "{name}: {landed} of {tried}; missed:\n{told}");
    }
    let (tried, landed) = counts.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert!(tried >= 200, "{tried}");
    assert!(landed * 100 >= tried * 98, "{landed} of {tried}; missed:\n{told}");
}

#[test]
fn stale_and_doubtful_calls_land_nowhere() {
    for file in FILES {
        let lines = Lines::of(file);
        for row in 0..lines.count() {
            let body = lines.body(row);
            if body.trim().chars().count() < 8 {
                continue;
            }
            // Text that was there once, and text that is there twice.
            let stale = ReplaceEdit { original: format!("{body} once"), ..ReplaceEdit::default() };
            assert!(matches!(locate(file, &[stale]), Err(Miss::Missing { .. })), "{body}");
            let twice = format!("{file}\n{body}\n");
            let doubtful = ReplaceEdit { original: body.to_owned(), ..ReplaceEdit::default() };
            assert!(matches!(locate(&twice, &[doubtful]), Err(Miss::Ambiguous { .. })), "{body}");
        }
    }
}
