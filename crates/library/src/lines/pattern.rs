//! Patterns, made ready for the engine that runs over lines.

use std::sync::OnceLock;

use grep_matcher::{LineMatchKind, LineTerminator, Match, Matcher, NoError};
use grep_regex::{RegexCaptures, RegexMatcher, RegexMatcherBuilder};
use regex_syntax::ast::{self, Ast};

use crate::{Error, Result};

/// How patterns are read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reading {
    /// As the very text.
    pub literal: bool,
    pub whole_words: bool,
    pub ignore_case: bool,
    /// Over ends of lines.
    pub multiline: bool,
}

/// Some patterns of which one must fit, for files whose lines end in LF and for others.
#[derive(Clone)]
pub struct Pattern {
    patterns: Vec<String>,
    reading: Reading,
    lf: Lines,
    crlf: OnceLock<Lines>,
}

/// Bytes that a pattern may take once it is made, and bytes that each worker may use to run it quickly.
const SIZE_LIMIT: usize = 10 << 20;
const CACHE_LIMIT: usize = 32 << 20;

impl Pattern {
    /// # Errors
    /// `Invalid` for what is no pattern, or one that is too large.
    pub fn new(patterns: Vec<String>, reading: Reading) -> Result<Self> {
        let lf = Lines::new(&patterns, reading, false)?;
        Ok(Self { patterns, reading, lf, crlf: OnceLock::new() })
    }

    /// What to search lines with that end as `crlf` says: with it, `$` stands before the whole ending.
    pub fn lines(&self, crlf: bool) -> &Lines {
        if !crlf {
            return &self.lf;
        }
        // What was a pattern for one ending is one for the other.
        self.crlf.get_or_init(|| {
            Lines::new(&self.patterns, self.reading, true).unwrap_or_else(|_| self.lf.clone())
        })
    }
}

/// A pattern for the engine. Bounds of words are what makes the engine slow as soon as a text is not ASCII,
/// because it must then take its slowest way. So lines are first looked for without the bounds, which finds
/// all that fit and some more, and only those are asked the whole question.
#[derive(Clone)]
pub struct Lines {
    strict: RegexMatcher,
    /// The pattern without its bounds, where it has some.
    loose: Option<RegexMatcher>,
}

impl Lines {
    fn new(patterns: &[String], reading: Reading, crlf: bool) -> Result<Self> {
        let made = |patterns: &[String], whole_words: bool| {
            let mut builder = RegexMatcherBuilder::new();
            builder
                .multi_line(true)
                .crlf(crlf)
                .case_insensitive(reading.ignore_case)
                .dot_matches_new_line(reading.multiline)
                .fixed_strings(reading.literal)
                .word(whole_words)
                .size_limit(SIZE_LIMIT)
                .dfa_size_limit(CACHE_LIMIT);
            if reading.multiline {
                builder.line_terminator(None);
            } else if !crlf {
                builder.line_terminator(Some(b'\n'));
            }
            builder.build_many(patterns)
        };
        let wrong = |error: grep_regex::Error| Error::Pattern(patterns.join("|"), explained(&error));
        let strict = made(patterns, reading.whole_words).map_err(wrong)?;
        let without: Vec<Option<String>> = if reading.literal {
            vec![None; patterns.len()]
        } else {
            patterns.iter().map(|pattern| without_bounds(pattern)).collect()
        };
        let bounded = reading.whole_words || without.iter().any(Option::is_some);
        let loose = bounded.then(|| {
            let patterns: Vec<String> = without
                .into_iter()
                .zip(patterns)
                .map(|(loose, strict)| loose.unwrap_or_else(|| strict.clone()))
                .collect();
            made(&patterns, false).ok()
        });
        Ok(Self { strict, loose: loose.flatten() })
    }

    /// Whether anything in `text` can fit. Wrong in one direction only.
    pub fn may_fit(&self, text: &[u8]) -> bool {
        let Some(loose) = &self.loose else { return true };
        loose.is_match(text).unwrap_or(true)
    }
}

impl Matcher for Lines {
    type Captures = RegexCaptures;
    type Error = NoError;

    fn find_at(&self, haystack: &[u8], at: usize) -> Result<Option<Match>, NoError> {
        self.strict.find_at(haystack, at)
    }

    fn new_captures(&self) -> Result<RegexCaptures, NoError> {
        self.strict.new_captures()
    }

    fn shortest_match_at(&self, haystack: &[u8], at: usize) -> Result<Option<usize>, NoError> {
        self.strict.shortest_match_at(haystack, at)
    }

    fn non_matching_bytes(&self) -> Option<&grep_matcher::ByteSet> {
        self.strict.non_matching_bytes()
    }

    fn line_terminator(&self) -> Option<LineTerminator> {
        self.strict.line_terminator()
    }

    fn find_candidate_line(&self, haystack: &[u8]) -> Result<Option<LineMatchKind>, NoError> {
        let Some(loose) = &self.loose else { return self.strict.find_candidate_line(haystack) };
        let candidate = loose.find_candidate_line(haystack)?.map(|found| match found {
            LineMatchKind::Confirmed(at) | LineMatchKind::Candidate(at) => at,
        });
        // Nothing is a line behind the last ending.
        let ended = haystack.ends_with(b"\n");
        Ok(candidate.filter(|at| !ended || *at < haystack.len()).map(LineMatchKind::Candidate))
    }
}

/// `pattern` with nothing where it asks for bounds of words; absent where it does not.
fn without_bounds(pattern: &str) -> Option<String> {
    let parsed = ast::parse::Parser::new().parse(pattern).ok()?;
    let bounds = ast::visit(&parsed, Bounds::default()).ok()?;
    if bounds.0.is_empty() {
        return None;
    }
    let (mut loose, mut at) = (String::with_capacity(pattern.len()), 0);
    for (start, end) in bounds.0 {
        loose.push_str(pattern.get(at..start)?);
        // Something must stand there: it may be repeated.
        loose.push_str("(?:)");
        at = end;
    }
    loose.push_str(pattern.get(at..)?);
    Some(loose)
}

/// Where bounds of words stand in a pattern, in order.
#[derive(Default)]
struct Bounds(Vec<(usize, usize)>);

impl ast::Visitor for Bounds {
    type Output = Self;
    type Err = std::convert::Infallible;

    fn finish(self) -> Result<Self, Self::Err> {
        Ok(self)
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Self::Err> {
        use ast::AssertionKind as Kind;
        if let Ast::Assertion(assertion) = ast
            && !matches!(assertion.kind, Kind::StartLine | Kind::EndLine | Kind::StartText | Kind::EndText)
        {
            self.0.push((assertion.span.start.offset, assertion.span.end.offset));
        }
        Ok(())
    }
}

/// What is wrong with a pattern, in one line.
fn explained(error: &grep_regex::Error) -> String {
    let text = error.to_string();
    // The parser shows the pattern and points at the place; its last line says what is wrong there.
    let last = text.lines().last().unwrap_or_default().trim();
    let last = last.strip_prefix("error: ").unwrap_or(last);
    match error.kind() {
        grep_regex::ErrorKind::NotAllowed(_) => {
            format!("{last}; a match within a line cannot hold its ending, search with multiline")
        }
        _ => last.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_words_are_cut_out_where_they_stand() {
        for (pattern, expected) in [
            (r"\bfoo\b", Some("(?:)foo(?:)")),
            (r"foo|\Bx", Some("foo|(?:)x")),
            (r"(\b)+a", Some("((?:))+a")),
            (r"\b{start}知\b{end-half}", Some("(?:)知(?:)")),
            (r"a\\b", None),
            (r"[\\b]x", None),
            ("^a$", None),
        ] {
            assert_eq!(without_bounds(pattern).as_deref(), expected, "{pattern}");
        }
    }

    #[test]
    fn what_is_no_pattern_is_explained() {
        let wrong = |pattern: &str| match Pattern::new(vec![pattern.into()], Reading::default()) {
            Err(Error::Pattern(_, reason)) => reason,
            Err(other) => panic!("{other}"),
            Ok(_) => panic!("{pattern} is one"),
        };
        assert_eq!(wrong("a(b"), "unclosed group");
        assert!(wrong(r"a\nb").contains("multiline"), "{}", wrong(r"a\nb"));
        assert!(wrong(r"(\w{200}){200}").contains("size"), "{}", wrong(r"(\w{200}){200}"));
        let over = Reading { multiline: true, ..Reading::default() };
        assert!(Pattern::new(vec![r"a\nb".into()], over).is_ok());
    }
}
