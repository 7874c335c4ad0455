//! The search box's operators.

use orangery_domain::{FileKind, Warning};

use super::{FileTest, Filter, Query, Role, Term, phrase, wants};
use crate::index::fold::folded;

/// One piece of a search, blanks apart.
#[derive(Debug)]
struct Piece<'a> {
    not: bool,
    key: Option<&'a str>,
    text: &'a str,
    quoted: bool,
}

pub(super) fn read(text: &str, query: &mut Query) {
    let mut rest = text;
    let mut or = false;
    while let Some(piece) = next(&mut rest, query) {
        if !piece.quoted && piece.key.is_none() && !piece.not && piece.text == "OR" {
            if query.terms.is_empty() || rest.trim().is_empty() {
                query.warnings.push(Warning::new("danglingOr", ""));
            } else {
                or = true;
            }
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
        terms(&piece, std::mem::take(&mut or), query);
    }
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
        && KEYS.contains(&before)
    {
        (key, text) = (Some(before), after);
    }
    if let Some(after) = text.strip_prefix('"') {
        if let Some((inside, after)) = after.split_once('"') {
            *rest = after;
            return Some(Piece { not, key, text: inside, quoted: true });
        }
        query.warnings.push(Warning::new("unclosedQuote", after));
        text = after;
    }
    let end = text.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(text.len());
    let (piece, after) = text.split_at(end);
    *rest = after;
    Some(Piece { not, key, text: piece, quoted: false })
}

const KEYS: &[&str] = &["tag", "path", "file", "type", "in", "after", "before"];

fn filter(key: &str, value: &str) -> Result<FileTest, Warning> {
    if value.is_empty() {
        return Err(Warning::new("emptyOperator", format!("{key}:")));
    }
    let date = || day(value).ok_or_else(|| Warning::new("unreadableDate", value));
    Ok(match key {
        "tag" => FileTest::Tag(folded(value.trim_start_matches('#'))),
        "path" => FileTest::Path(folded(value)),
        "file" => FileTest::File(folded(value)),
        "in" => FileTest::In(folded(value)),
        "type" => FileTest::Type(
            FileKind::from_name(&value.to_lowercase())
                .or_else(|| {
                    Some(FileKind::of_name(&format!("x.{value}"))).filter(|kind| *kind != FileKind::Other)
                })
                .ok_or_else(|| Warning::new("unknownType", value))?,
        ),
        "after" => FileTest::After(date()?),
        _ => FileTest::Before(date()?),
    })
}

/// `2026`, `2026-11` or `2026-11-30`: its first moment in UTC, in milliseconds since 1970.
fn day(text: &str) -> Option<i64> {
    let mut parts = text.split(['-', '/']);
    let year: i64 = parts.next().filter(|year| year.len() == 4)?.parse().ok()?;
    let mut part = |most: i64| match parts.next() {
        None => Some(1),
        Some(text) => text.parse().ok().filter(|value| (1..=most).contains(value)),
    };
    let (month, day) = (part(12)?, part(31)?);
    // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    Some(days * 86_400_000)
}

/// Whether a folded tag is `wanted` or lies below it.
pub fn tag_within(tag: &str, wanted: &str) -> bool {
    tag.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days_are_counted_from_1970() {
        for (text, days) in [
            ("1970-01-01", 0),
            ("1970", 0),
            ("2000-03-01", 11_017),
            ("2024-02-29", 19_782),
            ("2026-11", 20_758),
        ] {
            assert_eq!(day(text), Some(days * 86_400_000), "{text}");
        }
        for text in ["26", "2026-13", "2026-00-01", "soon"] {
            assert_eq!(day(text), None, "{text}");
        }
    }
}
