//! The search box's operators.

use orangery_domain::{FileKind, Warning, day};

use super::{FileTest, Filter, Query, Role, Term, TextTest, Want, Within, phrase, wants};
use regex::RegexBuilder;

use crate::index::fold::folded;
use crate::trouble;

/// One piece of a search, blanks apart.
#[derive(Debug)]
struct Piece<'a> {
    not: bool,
    key: Option<&'a str>,
    text: &'a str,
    quoted: bool,
    /// Written between slashes.
    pattern: Option<Pattern>,
}

#[derive(Debug, Clone, Copy)]
struct Pattern {
    any_case: bool,
}

/// Bytes that a pattern may take once it is made.
const PATTERN_LIMIT: usize = 1 << 20;

pub(super) fn read(text: &str, query: &mut Query) {
    let mut rest = text;
    let mut or = false;
    while let Some(piece) = next(&mut rest, query) {
        if !piece.quoted && piece.key.is_none() && !piece.not && piece.text == "OR" {
            if query.terms.is_empty() || rest.trim().is_empty() {
                query.warnings.push(trouble::DANGLING_OR.of(""));
            } else {
                or = true;
            }
            continue;
        }
        if let Some(pattern) = piece.pattern {
            // Linear in time, whatever is asked, and of a size that is soon made.
            let made = RegexBuilder::new(piece.text)
                .multi_line(true)
                .case_insensitive(pattern.any_case)
                .size_limit(PATTERN_LIMIT)
                .build();
            match made {
                Ok(made) => query.texts.push(TextTest { within: Within::Pattern(made), not: piece.not }),
                Err(_) => {
                    query.warnings.push(trouble::UNREADABLE_PATTERN.of(piece.text));
                    query.words(piece.text);
                }
            }
            or = false;
            continue;
        }
        if let Some(key @ ("line" | "heading")) = piece.key {
            within(key, &piece, query);
            or = false;
            continue;
        }
        if let Some(key) = piece.key {
            match filter(key, piece.text) {
                Ok(test) => query.filters.push(Filter { test, not: piece.not }),
                Err(warning) => {
                    query.warnings.push(warning);
                    query.words(piece.text);
                }
            }
            or = false;
            continue;
        }
        if let Some(key) = unknown(&piece) {
            query.warnings.push(trouble::UNKNOWN_OPERATOR.of(key));
        }
        terms(&piece, std::mem::take(&mut or), query);
    }
}

/// `has:` of `has:x`, which looks like an operator and is none. Addresses, paths, ports and times do not look
/// like one.
fn unknown<'a>(piece: &Piece<'a>) -> Option<&'a str> {
    let (word, value) = piece.text.split_once(':').filter(|_| !piece.quoted)?;
    let is_word = word.len() > 1 && word.bytes().all(|b| b.is_ascii_lowercase());
    let is_other = value.starts_with([':', '/', '\\'])
        || (!value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()));
    (is_word && !is_other).then(|| &piece.text[..=word.len()])
}

/// Words that must stand on one line, or in one heading. The index narrows where to look.
fn within(key: &str, piece: &Piece, query: &mut Query) {
    let wants: Vec<Want> =
        if piece.quoted { phrase(piece.text).into_iter().collect() } else { wants(piece.text) };
    if wants.is_empty() {
        query.warnings.push(trouble::EMPTY_OPERATOR.of(format!("{key}:")));
        return;
    }
    if !piece.not {
        let terms = wants.iter().map(|want| Term { wants: vec![want.clone()], role: Role::Must });
        query.terms.extend(terms);
    }
    let within = if key == "line" { Within::Line(wants) } else { Within::Heading(wants) };
    query.texts.push(TextTest { within, not: piece.not });
}

fn terms(piece: &Piece, or: bool, query: &mut Query) {
    let role = match (piece.not, piece.quoted) {
        (true, _) => Role::Not,
        (false, true) => Role::Must,
        (false, false) => Role::Should,
    };
    let mut found = wants(piece.text);
    // What must be one thing is a row of words when it is several.
    if (piece.quoted || piece.not || or) && (found.len() > 1 || piece.quoted) {
        found = phrase(piece.text).into_iter().collect();
    }
    if or
        && role != Role::Not
        && let Some(last) = query.terms.last_mut()
        && last.role != Role::Not
    {
        // Either is enough: neither is needed for itself.
        last.role = if last.role == Role::Must && role == Role::Must { Role::Must } else { Role::Should };
        last.wants.extend(found);
        return;
    }
    for want in found {
        query.terms.push(Term { wants: vec![want], role });
    }
}

/// Takes the next piece off `rest`.
fn next<'a>(rest: &mut &'a str, query: &mut Query) -> Option<Piece<'a>> {
    let mut text = rest.trim_start();
    if text.is_empty() {
        return None;
    }
    let mut not = false;
    if let Some(after) = text.strip_prefix('-')
        && after.starts_with(|c: char| !c.is_whitespace() && c != '-')
    {
        (not, text) = (true, after);
    }
    let mut key = None;
    if let Some((before, after)) = text.split_once(':')
        && let Some(known) = KEYS.iter().find(|known| known.eq_ignore_ascii_case(before))
    {
        (key, text) = (Some(*known), after);
    }
    if let Some(after) = text.strip_prefix('"') {
        if let Some((inside, after)) = after.split_once('"') {
            *rest = after;
            return Some(Piece { not, key, text: inside, quoted: true, pattern: None });
        }
        query.warnings.push(trouble::UNCLOSED_QUOTE.of(after));
        text = after;
    }
    if key.is_none()
        && let Some((inside, after, any_case)) = between_slashes(text)
    {
        *rest = after;
        return Some(Piece { not, key, text: inside, quoted: false, pattern: Some(Pattern { any_case }) });
    }
    // Several words that one operator is about.
    if matches!(key, Some("line" | "heading"))
        && let Some((inside, after)) = text.strip_prefix('(').and_then(|after| after.split_once(')'))
    {
        *rest = after;
        return Some(Piece { not, key, text: inside, quoted: false, pattern: None });
    }
    let end = text.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(text.len());
    let (piece, after) = text.split_at(end);
    *rest = after;
    Some(Piece { not, key, text: piece, quoted: false, pattern: None })
}

/// `/pattern/` or `/pattern/i`, then a blank or the end: what is inside, what comes after, and whether case
/// is ignored. A path has its slashes elsewhere.
fn between_slashes(text: &str) -> Option<(&str, &str, bool)> {
    let inner = text.strip_prefix('/')?;
    let mut escaped = false;
    let end = inner.find(|c: char| {
        let ends = c == '/' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    })?;
    let (inside, after) = (&inner[..end], &inner[end + 1..]);
    let any_case = after.starts_with('i');
    let after = if any_case { &after[1..] } else { after };
    let ends = after.is_empty() || after.starts_with(char::is_whitespace);
    (ends && !inside.is_empty()).then_some((inside, after, any_case))
}

const KEYS: &[&str] = &["tag", "path", "file", "type", "in", "after", "before", "heading", "line"];

fn filter(key: &str, value: &str) -> Result<FileTest, Warning> {
    if value.is_empty() {
        return Err(trouble::EMPTY_OPERATOR.of(format!("{key}:")));
    }
    let date = || day::first_moment(value).ok_or_else(|| trouble::UNREADABLE_DATE.of(value));
    Ok(match key {
        "tag" => FileTest::Tag(folded(value.trim_start_matches('#'))),
        "path" => FileTest::Path(folded(value)),
        "file" => FileTest::File(folded(value)),
        "in" => FileTest::In(folded(value)),
        "type" if value.eq_ignore_ascii_case("scan") => FileTest::Scan,
        "type" => FileTest::Type(kind(&value.to_lowercase()).ok_or_else(|| trouble::UNKNOWN_TYPE.of(value))?),
        "after" => FileTest::After(date()?),
        _ => FileTest::Before(date()?),
    })
}

/// By its own name, the one that people have for it, or an extension.
fn kind(name: &str) -> Option<FileKind> {
    let by_extension =
        || Some(FileKind::of_name(&format!("x.{name}"))).filter(|kind| *kind != FileKind::Other);
    let spoken = match name {
        "word" => Some(FileKind::Docx),
        "powerpoint" | "slides" => Some(FileKind::Pptx),
        "excel" | "sheet" => Some(FileKind::Table),
        "picture" => Some(FileKind::Image),
        _ => None,
    };
    FileKind::from_name(name).or(spoken).or_else(by_extension)
}

/// Whether a folded tag is `wanted` or lies below it.
pub fn tag_within(tag: &str, wanted: &str) -> bool {
    tag.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
