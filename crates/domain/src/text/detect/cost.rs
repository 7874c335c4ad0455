//! What a character costs in a language, in bits. Costs are rough logarithms of how often the class
//! of the character stands in running text, spread over the members of the class. What matters is
//! their order: frequent, allowed, rare, alien.

use std::collections::HashMap;

use super::language::{Language, Script};
use crate::text::Encoding;

/// Marks and quotes of Chinese, Japanese and Korean text.
const WIDE_MARKS: &str = "，。、；：？！“”‘’（）《》〈〉「」『』【】〔〕—…·・～　ー〜－．";
/// Marks and signs of European text.
const MARKS: &str = "’“”‘„‚–—…«»‹›°§€£¥©®™·•×÷±½¼¾²³¿¡´µ¶№†\u{A0}\u{AD}";
/// Of these, signs that do not stand right behind a letter; where they do, they are letters of another
/// encoding.
const APART: &str = "‚£¥§©®•×÷±½¼¾¿¡´µ¶†";

/// What a character is, for what may stand beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Start of the text, blanks, marks.
    Other,
    Letter {
        ascii: bool,
        upper: bool,
    },
    Wide,
}

/// Adds up what a text costs in one language.
pub(super) struct Judge {
    language: &'static Language,
    letters: HashMap<char, f32>,
    before: Class,
    /// Whether the last letter, however far back, was a plain Latin one.
    plain: Option<bool>,
    pub(super) cost: f32,
    /// Bits below the cost of random bytes, over all but ASCII bytes that stand for themselves.
    pub(super) gain: f32,
}

impl Judge {
    pub(super) fn new(language: &'static Language) -> Self {
        let cost = |rank: u16| match language.script {
            Script::Latin => 5.0 + 0.35 * f32::from(rank),
            Script::Alphabet => 3.4 + 0.14 * f32::from(rank),
            Script::Hangul if rank < 80 => 7.0,
            Script::Hangul => 9.0,
            Script::Han | Script::Kana if rank < 120 => 8.5,
            Script::Han | Script::Kana => 10.0,
        };
        let mut letters = HashMap::new();
        for (letter, rank) in language.frequent.chars().zip(0..) {
            letters.entry(letter).or_insert(cost(rank));
        }
        Self { language, letters, before: Class::Other, plain: None, cost: 0.0, gain: 0.0 }
    }

    /// Adds the next character and the bytes that it was made of.
    pub(super) fn add(&mut self, encoding: Encoding, bytes: &[u8], character: char) {
        let class = class(character);
        let cost =
            if character.is_ascii() { ascii(character) } else { self.character(encoding, bytes, character) }
                + self.beside(class);
        self.cost += cost;
        if bytes.len() > 1 || !character.is_ascii() || super::is_control(character) {
            // Eight bits a byte is what chance costs.
            self.gain += bytes.iter().map(|_| 8.0).sum::<f32>() - cost;
        }
        self.before = class;
        if let Class::Letter { ascii, .. } = class {
            self.plain = Some(ascii);
        }
    }

    fn character(&self, encoding: Encoding, bytes: &[u8], character: char) -> f32 {
        if character.is_control() || ('\u{E000}'..='\u{F8FF}').contains(&character) {
            return 30.0;
        }
        match self.language.script {
            Script::Latin | Script::Alphabet => self.narrow(character),
            Script::Han | Script::Kana | Script::Hangul => self.wide(encoding, bytes, character),
        }
    }

    fn narrow(&self, character: char) -> f32 {
        if let Some(cost) = self.letters.get(&character) {
            return *cost;
        }
        let mut lower = character.to_lowercase();
        if let (Some(one), None) = (lower.next(), lower.next())
            && one != character
            && let Some(cost) = self.letters.get(&one)
        {
            // Among capitals another capital is no surprise.
            let among = matches!(self.before, Class::Letter { upper: true, .. });
            return cost + if among { 1.5 } else { 3.0 };
        }
        if class(character) == Class::Wide {
            return 24.0;
        }
        let misplaced = matches!(self.before, Class::Letter { .. }) && APART.contains(character);
        match MARKS.contains(character) {
            true if misplaced => 13.0,
            true if "’“”«»–—".contains(character) => 5.5,
            true => 7.0,
            false => 15.0,
        }
    }

    fn wide(&self, encoding: Encoding, bytes: &[u8], character: char) -> f32 {
        if let Some(cost) = self.letters.get(&character) {
            return *cost;
        }
        if WIDE_MARKS.contains(character) {
            return 6.5;
        }
        let kana = self.language.script == Script::Kana;
        match character {
            'ぁ'..='ゖ' if kana => 6.5,
            'ァ'..='ヺ' if kana => 8.5,
            'ぁ'..='ヺ' => 16.0,
            '\u{FF61}'..='\u{FF9F}' => 10.0,
            '\u{FF01}'..='\u{FF5E}' => 11.0,
            '가'..='힣' if self.language.script == Script::Hangul => {
                // The 2,350 syllables of KS X 1001 are those in use; the rest came later.
                if encoding == Encoding::EucKr && bytes.iter().any(|&byte| byte < 0xA1) { 20.0 } else { 12.5 }
            }
            '\u{3400}'..='\u{9FFF}' => han(encoding, bytes),
            '\u{2000}'..='\u{33FF}' | '\u{80}'..='\u{45F}' => 14.0,
            _ => 24.0,
        }
    }

    /// What it costs that a character of `class` follows what stands before it.
    fn beside(&self, class: Class) -> f32 {
        let Class::Letter { ascii, upper } = class else {
            return 0.0;
        };
        let Class::Letter { ascii: before, upper: before_upper } = self.before else {
            // Words of two alphabets stand in one text, but not in turn.
            let turns =
                self.language.script == Script::Alphabet && self.plain.is_some_and(|plain| plain != ascii);
            return if turns { 3.0 } else { 0.0 };
        };
        if before && ascii {
            return 0.0;
        }
        let turn = if upper && !before_upper { 5.0 } else { 0.0 };
        let mix = match self.language.script {
            // Two accented letters in a row are rare, an accented one among plain ones is not.
            Script::Latin if !before && !ascii => 3.0,
            Script::Alphabet if before != ascii => 8.0,
            _ => 0.0,
        };
        turn + mix
    }
}

fn class(character: char) -> Class {
    match character {
        '\u{1100}'..='\u{11FF}' | '\u{2E80}'.. => Class::Wide,
        _ if character.is_alphabetic() => {
            Class::Letter { ascii: character.is_ascii(), upper: character.is_uppercase() }
        }
        _ => Class::Other,
    }
}

fn ascii(character: char) -> f32 {
    match character {
        'a'..='z' | ' ' | '\n' => 4.7,
        'A'..='Z' | '0'..='9' | '.' | ',' | '-' | '\r' | '\t' | '#' | '*' => 6.5,
        ' '..='~' | '\u{C}' => 8.5,
        _ => 24.0,
    }
}

/// Ideographs by where their character set puts them: first the common ones, then the rare, then
/// what later extensions brought.
fn han(encoding: Encoding, bytes: &[u8]) -> f32 {
    let (common, rare, extension) = (13.5, 17.5, 21.0);
    let &[lead, trail] = bytes else {
        return extension;
    };
    match (encoding, lead) {
        (Encoding::Gb18030, _) if trail < 0xA1 => extension,
        (Encoding::Gb18030 | Encoding::EucJp, 0xB0..=0xCF) => common,
        (Encoding::Gb18030, 0xD0..=0xD7) => common,
        (Encoding::Gb18030, 0xD8..=0xF7) | (Encoding::EucJp, 0xD0..=0xF4) => rare,
        (Encoding::Big5, 0xA4..=0xC6) => common,
        (Encoding::Big5, 0xC9..=0xF9) => rare,
        (Encoding::ShiftJis, 0x88..=0x97) => common,
        (Encoding::ShiftJis, 0x98..=0x9F | 0xE0..=0xEA) => rare,
        (Encoding::EucKr, 0xCA..=0xFD) if trail >= 0xA1 => rare,
        // Unicode does not order them by use; what is not among the frequent ones is as good as rare.
        (Encoding::Utf16Le | Encoding::Utf16Be, _) => rare,
        _ => extension,
    }
}
