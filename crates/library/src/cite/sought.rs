//! What a query looked for, and where it stands in a text.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use regex::Regex;

use crate::index::token::Tokens;
use crate::query::Want;

/// What a query looked for, as the index spells it.
#[derive(Debug, Clone, Default)]
pub struct Sought {
    rows: Vec<Row>,
    /// The rows that a word is in, and its number there.
    places: HashMap<String, Vec<(usize, usize)>>,
    patterns: Vec<Regex>,
}

/// Words that stand one after the other; often just one.
#[derive(Debug, Clone)]
struct Row {
    term: usize,
    /// Relative to the first one's.
    positions: Vec<u32>,
    /// Where the row does not stand, its words are found apart.
    loose: bool,
}

/// Where a word that was looked for stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) range: Range<usize>,
    pub(super) term: usize,
}

/// A word of a row where it stands in a text.
struct Standing {
    word: usize,
    position: u32,
    range: Range<usize>,
}

impl Sought {
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.patterns.is_empty()
    }

    /// Looks also for what fits `pattern`.
    pub fn add_pattern(&mut self, pattern: Regex) {
        self.patterns.push(pattern);
    }

    /// Looks for exactly `want` on behalf of the term of this number.
    pub fn add_want(&mut self, term: usize, want: &Want) {
        match want {
            Want::Word { word, .. } => self.add_word(term, word),
            Want::Run(units) => match units.as_slice() {
                [only] => self.add_word(term, only),
                units => {
                    let pairs: Vec<String> = units.windows(2).map(<[String]>::concat).collect();
                    self.add_row(term, (0..).zip(pairs.iter().map(String::as_str)), false);
                }
            },
            Want::Phrase(words) => {
                let words = words.iter().map(|(position, word)| (*position, word.as_str()));
                self.add_row(term, words, false);
            }
        }
    }

    /// How many terms stand in `text`.
    pub fn terms_in(&self, text: &str) -> usize {
        let terms: HashSet<usize> = self.matches(text).into_iter().map(|found| found.term).collect();
        terms.len()
    }

    /// Looks for `word` on behalf of the term of this number.
    pub fn add_word(&mut self, term: usize, word: &str) {
        self.add_row(term, [(0, word)], false);
    }

    /// Looks for words at these positions; with `loose` for the words apart where no such row is.
    pub fn add_row<'a>(&mut self, term: usize, words: impl IntoIterator<Item = (u32, &'a str)>, loose: bool) {
        let mut positions = Vec::new();
        for (position, word) in words {
            self.places.entry(word.to_owned()).or_default().push((self.rows.len(), positions.len()));
            positions.push(position);
        }
        self.rows.push(Row { term, positions, loose });
    }

    /// Byte ranges of `text` that match, in order; those of neighbouring pairs overlap.
    pub(super) fn matches(&self, text: &str) -> Vec<Match> {
        let tokens = Tokens::of(text);
        let mut found = Vec::new();
        let mut standing: Vec<Vec<Standing>> = self.rows.iter().map(|_| Vec::new()).collect();
        for token in &tokens.list {
            for (row, word) in self.places.get(tokens.text(token)).into_iter().flatten() {
                let range = token.source.start as usize..token.source.end as usize;
                if let [_] = self.rows[*row].positions.as_slice() {
                    found.push(Match { range, term: self.rows[*row].term });
                } else {
                    standing[*row].push(Standing { word: *word, position: token.position, range });
                }
            }
        }
        for (row, standing) in self.rows.iter().zip(&standing) {
            let before = found.len();
            for start in standing.iter().filter(|standing| standing.word == 0) {
                found.extend(row.from(start, standing).unwrap_or_default());
            }
            if row.loose && found.len() == before {
                let apart = standing.iter().map(|word| Match { range: word.range.clone(), term: row.term });
                found.extend(apart);
            }
        }
        for (at, pattern) in self.patterns.iter().enumerate() {
            let fitting = pattern.find_iter(text).filter(|fitting| !fitting.is_empty());
            found.extend(fitting.map(|fitting| Match { range: fitting.range(), term: usize::MAX - at }));
        }
        found.sort_by_key(|found| (found.range.start, found.range.end));
        found
    }
}

impl Row {
    /// The whole row where its first word is `start`. What stands is sorted by position.
    fn from(&self, start: &Standing, standing: &[Standing]) -> Option<Vec<Match>> {
        let first = self.positions.first()?;
        let words = self.positions.iter().enumerate().map(|(word, position)| {
            let wanted = start.position + position - first;
            let at = standing.partition_point(|standing| standing.position < wanted);
            let here = standing[at..].iter().take_while(|standing| standing.position == wanted);
            let found = here.into_iter().find(|standing| standing.word == word)?;
            Some(Match { range: found.range.clone(), term: self.term })
        });
        words.collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::index::fold::folded;
    use crate::index::token::TokenKind;
    use crate::query::{Want, phrase};

    fn under<'a>(text: &'a str, sought: &Sought) -> Vec<&'a str> {
        sought.matches(text).into_iter().map(|found| &text[found.range]).collect()
    }

    fn row(words: &[&str], loose: bool) -> Sought {
        let mut sought = Sought::default();
        sought.add_row(0, (0..).zip(words.iter().copied()), loose);
        sought
    }

    #[test]
    fn a_row_is_marked_only_where_it_stands() {
        assert_eq!(under("red green, red blue", &row(&["red", "green"], false)), ["red", "green"]);
        assert_eq!(under("green red", &row(&["red", "green"], false)), Vec::<&str>::new());
        assert_eq!(
            under("备份，数据，数据库", &row(&["数据", "据库"], true)),
            ["数据", "据库"],
            "whole here"
        );
        assert_eq!(under("数据", &row(&["数据", "据库"], true)), ["数据"]);
    }

    /// Pieces of all scripts, composed and decomposed, none of which stands for several characters.
    const PIECES: &[&str] = &[
        "使用",
        "Rust",
        "写的",
        "資料庫",
        "資",
        "警戒水位",
        "（",
        "）",
        "，",
        "。",
        " ",
        " ",
        "\n",
        "cafe\u{301}",
        "Café",
        "e\u{301}",
        "ＲＵＳＴ",
        "getUserName",
        "snake_case",
        "a.b",
        "1,234",
        "3.14",
        "🍊",
        "👍🏽",
        "한국에서",
        "\u{1112}\u{1161}\u{11ab}",
        "ｶﾞｽ",
        "か\u{3099}",
        "สวัสดี",
        "हिन्दी",
        "don't",
        "Straße",
        "羽毛球",
        "和",
        "-",
        "x86",
    ];

    proptest! {
        /// FAULTS A8, A9 and A11: any piece of a text is found in it, and what is marked is what was asked
        /// for, whatever stands before it.
        #[test]
        fn any_piece_is_found_and_what_is_marked_folds_to_it(
            picks in prop::collection::vec(0..PIECES.len(), 1..24),
            from: prop::sample::Index,
            to: prop::sample::Index,
        ) {
            let text: String = picks.iter().map(|at| PIECES[*at]).collect();
            let tokens = Tokens::of(&text);
            let words: Vec<_> = tokens
                .list
                .iter()
                .filter(|token| matches!(token.kind, TokenKind::Word | TokenKind::Part | TokenKind::Unit))
                .collect();
            prop_assume!(!words.is_empty());
            let (from, to) = (from.index(words.len()), to.index(words.len()));
            let (from, to) = (from.min(to), from.max(to));
            let piece = &text[words[from].source.start as usize..words[to].source.end as usize];
            let Some(Want::Phrase(wanted)) = phrase(piece) else { panic!("{piece}") };
            let mut sought = Sought::default();
            sought.add_row(0, wanted.iter().map(|(position, word)| (*position, word.as_str())), false);
            let found = sought.matches(&text);
            prop_assert!(found.len() >= wanted.len(), "{piece} in {text}");
            for one in found {
                let marked = folded(&text[one.range]);
                prop_assert!(wanted.iter().any(|(_, word)| *word == marked), "{marked} for {piece} in {text}");
            }
        }
    }
}
