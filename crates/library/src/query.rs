//! What somebody types, as terms and filters.

mod operators;

pub use operators::tag_within;

use orangery_domain::{FileKind, Warning};
use regex::Regex;

use crate::index::lexicon;
use crate::index::token::{TokenKind, Tokens};

/// A question to the index. Made from any text: what cannot be read as an operator is read as words.
#[derive(Debug, Clone, Default)]
pub struct Query {
    pub terms: Vec<Term>,
    pub filters: Vec<Filter>,
    pub texts: Vec<TextTest>,
    pub warnings: Vec<Warning>,
    /// All words as they were typed, folded: a file may be called just so.
    pub spelled: Vec<String>,
    /// Function words were left out: it is a sentence, and holding all its words is not asked for.
    pub sentence: bool,
}

/// One thing that a file should hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// Any of these.
    pub wants: Vec<Want>,
    pub role: Role,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The more of these the better.
    Should,
    /// Nothing without it.
    Must,
    /// Nothing with it.
    Not,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Want {
    /// A folded word; the parts of a joined name, else none.
    Word { word: String, parts: Vec<String>, prefix: bool },
    /// Neighbouring units of scripts without blanks.
    Run(Vec<String>),
    /// Folded words at relative positions.
    Phrase(Vec<(u32, String)>),
}

/// Narrows which files are looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    pub test: FileTest,
    pub not: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum FileTest {
    /// The tag or one below it, folded.
    Tag(String),
    /// Occurs in the path, folded.
    Path(String),
    /// Occurs in the name, folded.
    File(String),
    Type(FileKind),
    /// Some of its pages are pictures without text.
    Scan,
    /// The knowledge base's name, folded.
    In(String),
    /// Milliseconds since 1970, inclusive.
    After(i64),
    /// Milliseconds since 1970, exclusive.
    Before(i64),
}

/// Asked of the passages of a file: one of them must pass, or with `not` none may.
#[derive(Debug, Clone)]
pub struct TextTest {
    pub within: Within,
    pub not: bool,
}

#[derive(Debug, Clone)]
pub enum Within {
    /// All of these on one line.
    Line(Vec<Want>),
    /// All of these in one of the headings above.
    Heading(Vec<Want>),
    Pattern(Regex),
}

/// More terms than this are not told apart; the rest is ignored.
pub const TERM_LIMIT: usize = 24;

impl Query {
    /// Reads `text` as plain words, or with `operators` as people write searches. With `prefix` the last
    /// word is the beginning of one.
    pub fn parse(text: &str, operators: bool, prefix: bool) -> Self {
        let mut query = Self::default();
        if operators {
            operators::read(text, &mut query);
        } else {
            query.words(text);
        }
        if prefix
            && !text.ends_with(|c: char| c.is_whitespace() || c == '"')
            && let Some(Term { wants, role: Role::Should | Role::Must }) = query.terms.last_mut()
            && let Some(Want::Word { prefix, .. }) = wants.last_mut()
        {
            *prefix = true;
        }
        let typed = query.terms.iter().filter(|term| term.role != Role::Not);
        query.spelled = spelled(typed.flat_map(|term| &term.wants));
        query.drop_function_words();
        query.allow_particles();
        query.terms.truncate(TERM_LIMIT);
        query
    }

    fn words(&mut self, text: &str) {
        for want in wants(text) {
            let term = Term { wants: vec![want], role: Role::Should };
            if !self.terms.contains(&term) {
                self.terms.push(term);
            }
        }
    }

    /// A Korean word is also meant without its particle, or with another one.
    fn allow_particles(&mut self) {
        for term in self.terms.iter_mut().filter(|term| term.role != Role::Not) {
            let bare = |want: &Want| match want {
                Want::Run(units) => lexicon::without_particle(&units.concat())
                    .map(|bare| Want::Run(bare.chars().map(String::from).collect())),
                _ => None,
            };
            let bare: Vec<_> = term.wants.iter().filter_map(bare).collect();
            term.wants.extend(bare);
        }
    }

    /// Function words say nothing beside others.
    fn drop_function_words(&mut self) {
        let mut split = false;
        let mut kept = Vec::new();
        for term in &self.terms {
            match (term.role, term.wants.as_slice()) {
                (Role::Should, [Want::Word { word, prefix: false, .. }]) if is_function_word(word) => {
                    split = true
                }
                (Role::Should, [Want::Run(units)]) => {
                    let pieces = content(units);
                    split |= pieces.iter().map(Vec::len).sum::<usize>() < units.len();
                    kept.extend(
                        pieces
                            .into_iter()
                            .map(|piece| Term { wants: vec![Want::Run(piece)], role: term.role }),
                    );
                }
                _ => kept.push(term.clone()),
            }
        }
        if kept.iter().any(|term| term.role != Role::Not) {
            self.terms = kept;
            self.sentence = split;
        }
    }
}

/// The words and runs of a text.
pub fn wants(text: &str) -> Vec<Want> {
    let tokens = Tokens::of(text);
    let mut wants = Vec::new();
    let mut run: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.list.get(at) {
        let word = tokens.text(token).to_owned();
        at += 1;
        match token.kind {
            TokenKind::Word => wants.push(Want::Word { word, parts: Vec::new(), prefix: false }),
            TokenKind::Joined => {
                let mut parts = Vec::new();
                while let Some(part) = tokens.list.get(at).filter(|token| token.kind == TokenKind::Part) {
                    parts.push(tokens.text(part).to_owned());
                    at += 1;
                    // The next joined name begins with its whole.
                }
                wants.push(Want::Word { word, parts, prefix: false });
            }
            TokenKind::Part | TokenKind::Pair | TokenKind::Lexeme => {}
            TokenKind::Unit => {
                run.push(word);
                // A unit with a neighbour is followed by the pair.
                if tokens.list.get(at).is_none_or(|next| next.kind != TokenKind::Pair) {
                    wants.push(Want::Run(std::mem::take(&mut run)));
                }
            }
        }
    }
    wants
}

/// The words of a text, one after the other.
pub fn spelled_out(text: &str) -> Vec<String> {
    spelled(&wants(text))
}

fn spelled<'a>(wants: impl IntoIterator<Item = &'a Want>) -> Vec<String> {
    let mut spelled = Vec::new();
    for want in wants {
        match want {
            Want::Word { word, .. } => spelled.push(word.clone()),
            Want::Run(units) => spelled.push(units.concat()),
            Want::Phrase(words) => spelled.extend(words.iter().map(|(_, word)| word.clone())),
        }
    }
    spelled
}

/// The words of a text as a row.
pub fn phrase(text: &str) -> Option<Want> {
    let tokens = Tokens::of(text);
    let mut words: Vec<(u32, String)> = Vec::new();
    for (at, token) in tokens.list.iter().enumerate() {
        let covered = match token.kind {
            // Its parts, or pairs, stand at the same positions.
            TokenKind::Joined | TokenKind::Lexeme => true,
            // The pairs around it cover it.
            TokenKind::Unit => {
                let pair = |at: Option<usize>| {
                    at.and_then(|at| tokens.list.get(at)).is_some_and(|token| token.kind == TokenKind::Pair)
                };
                pair(at.checked_add(1)) || pair(at.checked_sub(1))
            }
            TokenKind::Word | TokenKind::Part | TokenKind::Pair => false,
        };
        if !covered {
            words.push((token.position, tokens.text(token).to_owned()));
        }
    }
    (!words.is_empty()).then_some(Want::Phrase(words))
}

fn is_function_word(word: &str) -> bool {
    FUNCTION_WORDS.binary_search(&word).is_ok()
}

/// Sorted.
const FUNCTION_WORDS: &[&str] = &[
    "a", "about", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did",
    "do", "does", "for", "from", "had", "has", "have", "how", "i", "if", "in", "into", "is", "it", "its",
    "me", "my", "of", "on", "or", "our", "should", "so", "than", "that", "the", "their", "them", "then",
    "there", "these", "they", "this", "those", "to", "was", "we", "were", "what", "when", "where", "which",
    "who", "whom", "whose", "why", "will", "with", "would", "you", "your",
];

/// What questions are made of in Chinese, folded, longest first. Single characters that are also common parts of
/// words are left out, all but one.
const FUNCTION_RUNS: &[&str] = &[
    "为什么",
    "是什么",
    "什么是",
    "怎么样",
    "是多少",
    "有哪些",
    "有什么",
    "是哪些",
    "是哪个",
    "在哪里",
    "请告诉我",
    "告诉我",
    "如何",
    "怎么",
    "怎样",
    "什么",
    "哪些",
    "哪个",
    "哪里",
    "多少",
    "是否",
    "能否",
    "请问",
    "关于",
    "以及",
    "是谁",
    "了吗",
];
/// Between two pieces of at least two units each, this one only joins them.
const JOINING_UNIT: &str = "的";
const ENDING_UNITS: &[&str] = &["吗", "呢", "吧", "了"];

/// The pieces of a run that say something; the whole run when nothing would be left.
fn content(units: &[String]) -> Vec<Vec<String>> {
    let mut pieces: Vec<Vec<String>> = vec![Vec::new()];
    let mut at = 0;
    while at < units.len() {
        let function = FUNCTION_RUNS.iter().find_map(|function| {
            let length = function.chars().count();
            let window = units.get(at..at + length)?;
            (window.concat() == **function).then_some(length)
        });
        let open = pieces.last().map_or(0, Vec::len);
        let joins = units[at] == JOINING_UNIT && open >= 2 && units.len() - at > 2;
        let ends = at + 1 == units.len() && open >= 2 && ENDING_UNITS.contains(&units[at].as_str());
        if let Some(length) = function {
            pieces.push(Vec::new());
            at += length;
        } else if joins || ends {
            pieces.push(Vec::new());
            at += 1;
        } else {
            if let Some(piece) = pieces.last_mut() {
                piece.push(units[at].clone());
            }
            at += 1;
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    if pieces.is_empty() { vec![units.to_vec()] } else { pieces }
}

#[cfg(test)]
mod tests;
