//! Inserted text written as the file around it is written.

use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::fold::straight;

/// How a stretch of the file writes what models write otherwise.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style {
    single: Quotes,
    double: Quotes,
    decomposed: bool,
    composed: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Quotes {
    /// The stretch has none of this kind.
    #[default]
    Unknown,
    Straight,
    Curly {
        open: char,
        close: char,
    },
}

impl Style {
    /// The style of `sample`, the part of the file that is being replaced.
    pub fn of(sample: &str) -> Self {
        let mut style = Self::default();
        for char in sample.chars() {
            match char {
                '\'' => style.single.see(Quotes::Straight),
                '"' => style.double.see(Quotes::Straight),
                '\u{201a}' => style.single.see(Quotes::Curly { open: char, close: '\u{2018}' }),
                '\u{201e}' => style.double.see(Quotes::Curly { open: char, close: '\u{201c}' }),
                char if straight(char) == '\'' => {
                    style.single.see(Quotes::Curly { open: '\u{2018}', close: '\u{2019}' });
                }
                char if straight(char) == '"' => {
                    style.double.see(Quotes::Curly { open: '\u{201c}', close: '\u{201d}' });
                }
                _ => {}
            }
        }
        style.decomposed = !is_nfc(sample);
        style.composed = !style.decomposed && !sample.is_ascii();
        style
    }

    /// `text` in this style; `before` is what will stand before it.
    pub fn adopt(&self, text: &str, before: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut last = before.chars().next_back();
        let mut rest = text.chars().peekable();
        while let Some(char) = rest.next() {
            let quotes = match straight(char) {
                '\'' => self.single,
                '"' => self.double,
                _ => Quotes::Unknown,
            };
            let adopted = match quotes {
                Quotes::Unknown => char,
                Quotes::Straight => straight(char),
                // The file is curly, the model was curly too: it chose the side itself.
                Quotes::Curly { .. } if straight(char) != char => char,
                Quotes::Curly { open, close } => {
                    let opens = last
                        .is_none_or(|last| last.is_whitespace() || "([{<—–-/“‘„‚「『".contains(last))
                        && rest.peek().is_some_and(|next| !next.is_whitespace());
                    if opens { open } else { close }
                }
            };
            out.push(adopted);
            last = Some(char);
        }
        if self.decomposed {
            out.nfd().collect()
        } else if self.composed {
            out.nfc().collect()
        } else {
            out
        }
    }
}

impl Quotes {
    /// The first seen counts.
    fn see(&mut self, seen: Self) {
        if *self == Self::Unknown {
            *self = seen;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sample: &str, text: &str, before: &str, expected: &str) {
        assert_eq!(Style::of(sample).adopt(text, before), expected);
    }

    #[test]
    fn quotes_and_form_follow_the_sample() {
        check("“a”", "say \"b\" and (\"c\")", "", "say “b” and (“c”)");
        check("don’t", "can't", "", "can’t");
        check("„a“", "\"b\"", " ", "„b“");
        check("\"a\"", "“b”", "", "\"b\"");
        check("plain", "“b” 'c'", "", "“b” 'c'");
        check("cafe\u{301}", "é", "", "e\u{301}");
        check("café", "e\u{301}", "", "é");
    }
}
