//! How many tokens a text is, as far as that can be told without the model's own table.
//!
//! The weights are fitted to the tables of `o200k_base`, Qwen 3 and DeepSeek V3 over notes and guides in
//! English and Chinese, source text and JSON: less than 15 % off each of them on texts of a page and more.
//! Where a table differs more, as `cl100k_base` does in Chinese, what the provider counts corrects it.

use crate::{ChatMessage, ChatRequest};

/// Thousandths of a token.
const WORD: u64 = 1_040;
/// Of each letter of a word beyond [`FREE`].
const LETTER: u64 = 140;
const FREE: u64 = 7;
const HAN: u64 = 725;
/// Of full-width punctuation.
const WIDE: u64 = 850;
const SIGN: u64 = 690;
const BREAK: u64 = 720;
const SPACES: u64 = 1_000;
const OTHER: u64 = 900;
/// Digits that share a token.
const DIGITS: u64 = 3;

/// What a message costs besides its text.
const MESSAGE: u64 = 4;
/// A picture of ordinary size; providers count from some hundred to some thousand.
const PICTURE: u64 = 1_200;

/// Tokens of a text.
pub fn estimate(text: &str) -> u64 {
    let mut thousandths = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let kind = Kind::of(first);
        let end = rest
            .find(|c| Kind::of(c) != kind && !(kind == Kind::Break && Kind::of(c) == Kind::Space))
            .unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        thousandths += kind.weight(run);
        rest = after;
    }
    thousandths.div_ceil(1_000)
}

/// Tokens of a message; a picture counts whether or not its bytes are there.
pub fn estimate_message(message: &ChatMessage) -> u64 {
    MESSAGE
        + match message {
            ChatMessage::User { text } => estimate(text),
            ChatMessage::Assistant { text, reasoning, calls } => {
                let thoughts = reasoning.as_ref().map_or(0, |reasoning| estimate(&reasoning.text));
                // Thoughts go back with calls only.
                let thoughts = if calls.is_empty() { 0 } else { thoughts };
                let calls =
                    calls.iter().map(|call| MESSAGE + estimate(&call.name) + estimate(&call.arguments));
                estimate(text) + thoughts + calls.sum::<u64>()
            }
            ChatMessage::Tool { content, .. } => estimate(content),
            ChatMessage::Pictures { pictures, .. } => {
                pictures.iter().map(|picture| PICTURE + estimate(&picture.label)).sum()
            }
        }
}

/// Tokens of all that a request sends.
pub fn estimate_request(request: &ChatRequest) -> u64 {
    let tools = request.tools.iter().map(|tool| {
        MESSAGE + estimate(&tool.name) + estimate(&tool.description) + estimate(&tool.parameters.to_string())
    });
    estimate(&request.system)
        + tools.sum::<u64>()
        + request.messages.iter().map(estimate_message).sum::<u64>()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Letter,
    Digit,
    Han,
    Wide,
    Break,
    Space,
    Sign,
    Other,
}

impl Kind {
    fn of(c: char) -> Self {
        match c {
            'a'..='z' | 'A'..='Z' => Self::Letter,
            '0'..='9' => Self::Digit,
            '\n' | '\r' => Self::Break,
            ' ' | '\t' => Self::Space,
            '\u{21}'..='\u{7e}' => Self::Sign,
            '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' => Self::Han,
            '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' => Self::Han,
            '\u{2010}'..='\u{203f}' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}' => Self::Wide,
            _ => Self::Other,
        }
    }

    /// Thousandths of a token of a run of this kind.
    fn weight(self, run: &str) -> u64 {
        let length = u64::try_from(run.chars().count()).unwrap_or(u64::MAX);
        match self {
            Self::Letter => WORD + LETTER * length.saturating_sub(FREE),
            Self::Digit => 1_000 * length.div_ceil(DIGITS),
            Self::Han => HAN * length,
            Self::Wide => WIDE * length,
            Self::Break => BREAK,
            // One space belongs to the word behind it.
            Self::Space => {
                if length > 1 {
                    SPACES
                } else {
                    0
                }
            }
            Self::Sign => SIGN * length,
            Self::Other => OTHER * length,
        }
    }
}
