//! Words, as notes and queries are both cut into them.
//!
//! A word of letters and digits is one token; joined names (`camelCase`, `snake_case`, `a.b`, `x86`)
//! are one token whole and one for each part. A run of a script without blanks yields every unit and
//! every pair of neighbours, so that any piece of it can be asked for, and for the index its words, so that
//! what is written as a word comes first. Positions count words, parts and units, so that a phrase is a row
//! of successive positions whatever its scripts.

use std::ops::Range;

use tantivy::tokenizer::{Token as TantivyToken, TokenStream, Tokenizer};

use super::fold::{Class, Unit, fold};
use super::lexicon;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A word that is no joined name, or an emoji.
    Word,
    /// A joined name as a whole.
    Joined,
    /// A part of a joined name.
    Part,
    /// One unit of a dense run.
    Unit,
    /// Two neighbouring units.
    Pair,
    /// Two units or more that are a word.
    Lexeme,
}

/// What lexemes begin with in the index, so that they are told from pairs. It is part of no token.
const LEXEME: char = '|';

/// A word of a run as the index spells it.
pub fn lexeme(word: &str) -> String {
    format!("{LEXEME}{word}")
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    /// Bytes of [`Tokens::folded`].
    pub folded: Range<u32>,
    /// Bytes of the source.
    pub source: Range<u32>,
    pub position: u32,
}

/// The tokens of one text.
#[derive(Debug, Clone, Default)]
pub struct Tokens {
    folded: String,
    pub list: Vec<Token>,
    units: Vec<Unit>,
    /// Whether the words of runs are looked up, which takes as long as all the rest.
    lexemes: bool,
}

/// Longer words are cut: they are data, not language.
const WORD_LIMIT: usize = 64;
const PART_LIMIT: usize = 16;

impl Tokens {
    pub fn of(text: &str) -> Self {
        let mut tokens = Self::default();
        tokens.read(text);
        tokens
    }

    /// Replaces what was here by the tokens of `text`, keeping the memory.
    pub fn read(&mut self, text: &str) {
        self.list.clear();
        let mut units = std::mem::take(&mut self.units);
        fold(text, &mut self.folded, &mut units);
        let (mut at, mut position) = (0, 0);
        while let Some(unit) = units.get(at) {
            match unit.class {
                Class::Blank | Class::Joint | Class::Grouping => at += 1,
                Class::Emoji => {
                    self.push(TokenKind::Word, &units[at..=at], position);
                    (at, position) = (at + 1, position + 1);
                }
                Class::Dense => {
                    let end = run_end(&units, at, |class| class == Class::Dense);
                    let words = if self.lexemes { self.words_of(&units[at..end]) } else { Vec::new() };
                    let mut words = words.into_iter().peekable();
                    for one in at..end {
                        self.push(TokenKind::Unit, &units[one..=one], position);
                        if one + 1 < end {
                            self.push(TokenKind::Pair, &units[one..one + 2], position);
                        }
                        if let Some(word) = words.next_if(|word| at + word.start == one) {
                            self.push(TokenKind::Lexeme, &units[at + word.start..at + word.end], position);
                        }
                        position += 1;
                    }
                    at = end;
                }
                Class::Lower | Class::Upper | Class::Digit => {
                    let end = word_end(&units, at);
                    position += self.word(&units[at..end], position);
                    at = end;
                }
            }
        }
        self.units = units;
    }

    pub fn text(&self, token: &Token) -> &str {
        &self.folded[token.folded.start as usize..token.folded.end as usize]
    }

    fn push(&mut self, kind: TokenKind, units: &[Unit], position: u32) {
        let (Some(first), Some(last)) = (units.first(), units.last()) else {
            return;
        };
        self.list.push(Token {
            kind,
            folded: first.folded.start..last.folded.end,
            source: first.source.start..last.source.end,
            position,
        });
    }

    /// The words of a run, two units long or more, as ranges of its units.
    fn words_of(&self, run: &[Unit]) -> Vec<Range<usize>> {
        let (Some(first), Some(last)) = (run.first(), run.last()) else {
            return Vec::new();
        };
        let text = &self.folded[first.folded.start as usize..last.folded.end as usize];
        let unit_at = |byte: usize| {
            let byte = byte as u32 + first.folded.start;
            run.binary_search_by_key(&byte, |unit| unit.folded.start)
                .ok()
                .or((byte == last.folded.end).then_some(run.len()))
        };
        let words = lexicon::words(text).filter_map(|word| Some(unit_at(word.start)?..unit_at(word.end)?));
        words.filter(|word| word.len() > 1).collect()
    }

    /// One word, possibly joined; returns how many positions it takes.
    fn word(&mut self, units: &[Unit], position: u32) -> u32 {
        let units = without_possessive(units, &self.folded);
        let units = &units[..units.len().min(WORD_LIMIT)];
        let parts = parts(units, &self.folded);
        if let [only] = parts.as_slice() {
            self.push(TokenKind::Word, &units[only.clone()], position);
            return 1;
        }
        self.push(TokenKind::Joined, units, position);
        let mut taken = 0;
        for part in parts.into_iter().take(PART_LIMIT) {
            self.push(TokenKind::Part, &units[part], position + taken);
            taken += 1;
        }
        taken.max(1)
    }
}

fn run_end(units: &[Unit], start: usize, inside: impl Fn(Class) -> bool) -> usize {
    units[start..].iter().position(|unit| !inside(unit.class)).map_or(units.len(), |length| start + length)
}

fn is_word(class: Class) -> bool {
    matches!(class, Class::Lower | Class::Upper | Class::Digit)
}

/// A joint counts only between two word units; `_` may be repeated.
fn word_end(units: &[Unit], start: usize) -> usize {
    let mut end = start;
    loop {
        end = run_end(units, end, is_word);
        let joint = run_end(units, end, |class| matches!(class, Class::Joint | Class::Grouping));
        let joins =
            joint > end && joint <= end + 2 && units.get(joint).is_some_and(|unit| is_word(unit.class));
        if !joins {
            return end;
        }
        end = joint;
    }
}

/// `Anna's` is a form of `Anna`.
fn without_possessive<'a>(units: &'a [Unit], folded: &str) -> &'a [Unit] {
    match units {
        [rest @ .., joint, s]
            if joint.class == Class::Joint
                && matches!(slice(folded, joint), "'" | "\u{2019}")
                && slice(folded, s) == "s" =>
        {
            rest
        }
        _ => units,
    }
}

fn slice<'a>(folded: &'a str, unit: &Unit) -> &'a str {
    &folded[unit.folded.start as usize..unit.folded.end as usize]
}

/// Where a joined name falls apart: at joints, from a small to a capital letter, before the last of
/// several capitals (`HTTPServer`), and between letters and digits.
fn parts(units: &[Unit], folded: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for at in 0..units.len() {
        let class = units[at].class;
        if matches!(class, Class::Joint | Class::Grouping) {
            // An apostrophe is within its word: don't.
            if slice(folded, &units[at]) == "'" || slice(folded, &units[at]) == "\u{2019}" {
                continue;
            }
            if start < at {
                parts.push(start..at);
            }
            start = at + 1;
            continue;
        }
        let before = at.checked_sub(1).and_then(|before| units.get(before)).map(|unit| unit.class);
        let after = units.get(at + 1).map(|unit| unit.class);
        let splits = match (before, class) {
            (Some(Class::Lower), Class::Upper) => true,
            (Some(Class::Upper), Class::Upper) => after == Some(Class::Lower),
            (Some(Class::Lower | Class::Upper), Class::Digit)
            | (Some(Class::Digit), Class::Lower | Class::Upper) => true,
            _ => false,
        };
        if splits && start < at {
            parts.push(start..at);
            start = at;
        }
    }
    if start < units.len() {
        parts.push(start..units.len());
    }
    parts
}

/// The same for tantivy.
#[derive(Debug, Clone)]
pub struct NoteTokenizer(Tokens);

impl Default for NoteTokenizer {
    fn default() -> Self {
        Self(Tokens { lexemes: true, ..Tokens::default() })
    }
}

pub struct NoteTokenStream<'a> {
    tokens: &'a Tokens,
    next: usize,
    token: TantivyToken,
}

impl Tokenizer for NoteTokenizer {
    type TokenStream<'a> = NoteTokenStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> NoteTokenStream<'a> {
        self.0.read(text);
        NoteTokenStream { tokens: &self.0, next: 0, token: TantivyToken::default() }
    }
}

impl TokenStream for NoteTokenStream<'_> {
    fn advance(&mut self) -> bool {
        let Some(token) = self.tokens.list.get(self.next) else {
            return false;
        };
        self.next += 1;
        self.token.text.clear();
        if token.kind == TokenKind::Lexeme {
            self.token.text.push(LEXEME);
        }
        self.token.text.push_str(self.tokens.text(token));
        self.token.position = token.position as usize;
        self.token.offset_from = token.source.start as usize;
        self.token.offset_to = token.source.end as usize;
        true
    }

    fn token(&self) -> &TantivyToken {
        &self.token
    }

    fn token_mut(&mut self) -> &mut TantivyToken {
        &mut self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tokens as `text@position`, blank-separated; the text under each is checked to be what it folds to.
    fn check(text: &str, expected: &str) {
        let tokens = Tokens::of(text);
        let shown: Vec<String> =
            tokens.list.iter().map(|token| format!("{}@{}", tokens.text(token), token.position)).collect();
        assert_eq!(shown.join(" "), expected, "{text}");
    }

    #[test]
    fn words_of_alphabets_are_folded() {
        check("The Café, ÉCOLE naïve ﬁne Ｗｉｄｅ", "the@0 cafe@1 ecole@2 naive@3 fine@4 wide@5");
        check("cafe\u{301} e\u{301}t", "cafe@0 et@1");
        check("Anna's don't", "anna@0 don't@1");
        check("Straße İstanbul Ωμέγας Łódź Ærø", "strasse@0 istanbul@1 ωμεγασ@2 lodz@3 aero@4");
        check("हिन्दी ज़रूरत", "हिन्दी@0 जरूरत@1");
        check("שָׁלוֹם مُحَمَّد", "שלום@0 محمد@1");
    }

    #[test]
    fn joined_names_are_found_whole_and_in_parts() {
        check("parse_http_header", "parse_http_header@0 parse@0 http@1 header@2");
        check("getUserName HTTPServer", "getusername@0 get@0 user@1 name@2 httpserver@3 http@3 server@4");
        check("std.io gpt4 3.14", "std.io@0 std@0 io@1 gpt4@2 gpt@2 4@3 3.14@4 3@4 14@5");
        check("end. next_ __init__", "end@0 next@1 init@2");
    }

    #[test]
    fn numbers_are_found_with_and_without_their_commas() {
        check("1,234,567", "1234567@0 1@0 234@1 567@2");
        check("1,000.5 1,2 10,0000", "1000.5@0 1@0 000@1 5@2 1@3 2@4 10@5 0000@6");
        check("１２℃ ½", "12@0 c@1 1@2 2@3");
    }

    #[test]
    fn runs_without_blanks_give_units_and_pairs() {
        check("知识管理", "知@0 知识@0 识@1 识管@1 管@2 管理@2 理@3");
        check("使用Rust写", "使@0 使用@0 用@1 rust@2 写@3");
        check("GO常用，命令", "go@0 常@1 常用@1 用@2 命@3 命令@3 令@4");
        check("한국", "한@0 한국@0 국@1");
        check("\u{1112}\u{1161}\u{11ab}", "한@0");
        check("ｶﾞス", "ガ@0 ガス@0 ス@1");
        check("か\u{3099}", "が@0");
    }

    #[test]
    fn traditional_characters_and_full_width_are_the_same_as_simplified_and_half_width() {
        check("資料庫", "资@0 资料@0 料@1 料库@1 库@2");
        check("（ＲＵＳＴ）後臺", "rust@0 后@1 后台@1 台@2");
    }

    #[test]
    fn every_emoji_is_a_word() {
        check("🍊👍🏽 ⏰⭐ ❤\u{fe0f}", "🍊@0 👍@1 🏽@2 ⏰@3 ⭐@4 ❤@5");
    }

    /// The words of runs as the index holds them, `word@position`.
    fn lexemes(text: &str) -> String {
        let mut tokenizer = NoteTokenizer::default();
        let mut stream = tokenizer.token_stream(text);
        let mut shown = Vec::new();
        while stream.advance() {
            let token = stream.token();
            if let Some(word) = token.text.strip_prefix(LEXEME) {
                shown.push(format!("{word}@{}", token.position));
                assert_eq!(crate::index::fold::folded(&text[token.offset_from..token.offset_to]), word);
            }
        }
        shown.join(" ")
    }

    #[test]
    fn the_index_knows_the_words_of_runs() {
        let shown = [
            "发展中国家",
            "我們備份資料",
            "用Rust写操作系统",
            "데이터베이스에서 한국은",
            "東京は",
            "สวัสดีชาวโลก",
        ];
        let expected = [
            "发展@0 中国@2",
            "我们@0 备份@2 资料@4",
            "操作@3 系统@5",
            "데이터베이스@0 한국@8",
            "东京@0",
            "สวัสดี@0 ชาว@4 โลก@7",
        ];
        assert_eq!(shown.map(lexemes), expected);
    }
    #[test]
    fn the_source_of_a_token_folds_to_it() {
        let text = "  A cafe\u{301}，使用Rust写的 getUser 🍊 ﬁ １２ 後臺 1,000";
        let tokens = Tokens::of(text);
        assert!(tokens.list.len() > 10);
        for token in &tokens.list {
            let source = &text[token.source.start as usize..token.source.end as usize];
            assert_eq!(crate::index::fold::folded(source), tokens.text(token));
        }
    }
}
