//! Which words of the index a word of a query means besides itself. Looked up when asked, so that the
//! index holds only what is written.

use std::collections::BTreeMap;

use tantivy::Searcher;
use tantivy::schema::Field;
use tantivy::tokenizer::{Language, RawTokenizer, Stemmer, TextAnalyzer};

/// A word of the index and how much it counts beside the word asked for.
pub type Variant = (String, f32);

const STEM_WEIGHT: f32 = 0.75;
const PREFIX_WEIGHT: f32 = 0.7;
const TYPO_WEIGHT: f32 = 0.5;
/// Of many variants only the most frequent are looked at.
const VARIANT_LIMIT: usize = 64;
/// Shorter words have too many neighbours one letter away.
const TYPO_MIN: usize = 5;

/// Other inflections of an English word.
pub fn inflections(searcher: &Searcher, fields: &[Field], word: &str) -> tantivy::Result<Vec<Variant>> {
    if word.len() < 3 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Ok(Vec::new());
    }
    let mut stemmer =
        TextAnalyzer::builder(RawTokenizer::default()).filter(Stemmer::new(Language::English)).build();
    let stem = stem(&mut stemmer, word);
    // The stemmer may write its last letter otherwise than the words do (`happi`, happy).
    let prefix = &stem[..(stem.len() - 1).max(2).min(stem.len())];
    let prefix = if word.starts_with(prefix) { prefix } else { word };
    let found = matching(searcher, fields, prefix, |term| {
        term != word
            && term.bytes().all(|byte| byte.is_ascii_lowercase())
            && self::stem(&mut stemmer, term) == stem
    })?;
    Ok(weighted(found, STEM_WEIGHT))
}

/// Words that begin as `word` does.
pub fn completions(searcher: &Searcher, fields: &[Field], word: &str) -> tantivy::Result<Vec<Variant>> {
    let found = matching(searcher, fields, word, |term| term != word)?;
    Ok(weighted(found, PREFIX_WEIGHT))
}

/// Words one edit away: a letter more, less, another, or two swapped.
pub fn neighbours(searcher: &Searcher, fields: &[Field], word: &str) -> tantivy::Result<Vec<Variant>> {
    if word.chars().count() < TYPO_MIN || !word.chars().all(char::is_alphanumeric) {
        return Ok(Vec::new());
    }
    // A slip on the first letter is rare, but in an alphabet of 26 it costs little to allow.
    let start: String = if word.is_ascii() { String::new() } else { word.chars().take(1).collect() };
    let found = matching(searcher, fields, &start, |term| is_neighbour(word, term))?;
    Ok(weighted(found, TYPO_WEIGHT))
}

fn stem(stemmer: &mut TextAnalyzer, word: &str) -> String {
    let mut stream = stemmer.token_stream(word);
    if stream.advance() { stream.token().text.clone() } else { word.into() }
}

fn weighted(found: BTreeMap<String, u32>, weight: f32) -> Vec<Variant> {
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(_, frequency)| std::cmp::Reverse(*frequency));
    found.truncate(VARIANT_LIMIT);
    found.into_iter().map(|(term, _)| (term, weight)).collect()
}

/// Terms with `prefix` that satisfy `accept`, and in how many documents they occur.
fn matching(
    searcher: &Searcher,
    fields: &[Field],
    prefix: &str,
    mut accept: impl FnMut(&str) -> bool,
) -> tantivy::Result<BTreeMap<String, u32>> {
    let mut found = BTreeMap::new();
    for segment in searcher.segment_readers() {
        for field in fields {
            let index = segment.inverted_index(*field)?;
            // Without a prefix: everything that begins with an ASCII letter or digit.
            let (from, to) = if prefix.is_empty() { (b"0".to_vec(), b"{".to_vec()) } else { bounds(prefix) };
            let mut terms = index.terms().range().ge(from).lt(to).into_stream()?;
            while let Some((term, info)) = terms.next() {
                let Ok(term) = std::str::from_utf8(term) else {
                    continue;
                };
                if let Some(frequency) = found.get_mut(term) {
                    *frequency += info.doc_freq;
                } else if accept(term) {
                    found.insert(term.to_owned(), info.doc_freq);
                }
            }
        }
    }
    Ok(found)
}

/// The half-open range of byte strings that begin with `prefix`.
fn bounds(prefix: &str) -> (Vec<u8>, Vec<u8>) {
    let from = prefix.as_bytes().to_vec();
    let mut to = from.clone();
    // UTF-8 never holds 0xff, so that the last byte can always be raised.
    if let Some(last) = to.last_mut() {
        *last += 1;
    }
    (from, to)
}

/// Whether one insertion, deletion, substitution or swap of neighbours turns `a` into `b`.
fn is_neighbour(a: &str, b: &str) -> bool {
    // The most bytes that one character takes.
    if a.len().abs_diff(b.len()) > 4 {
        return false;
    }
    if a.is_ascii() && b.is_ascii() {
        return one_edit(a.as_bytes(), b.as_bytes());
    }
    let characters = |text: &str| text.chars().collect::<Vec<_>>();
    one_edit(&characters(a), &characters(b))
}

fn one_edit<T: PartialEq>(a: &[T], b: &[T]) -> bool {
    let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    match (&a[common..], &b[common..]) {
        ([], []) => false,
        ([], [_]) | ([_], []) => true,
        ([first, second, a @ ..], [third, fourth, b @ ..]) if first == fourth && second == third => a == b,
        ([_, rest_a @ ..], [_, rest_b @ ..]) if rest_a == rest_b => true,
        ([_, rest_a @ ..], b) if rest_a == b => true,
        (a, [_, rest_b @ ..]) => a == rest_b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_neighbour;

    #[test]
    fn neighbours_are_one_edit_away() {
        for (a, b, expected) in [
            ("rust", "rust", false),
            ("rust", "rusty", true),
            ("rusty", "rust", true),
            ("rust", "rast", true),
            ("rust", "rsut", true),
            ("rust", "crust", true),
            ("rust", "rasd", false),
            ("été", "ete", false),
            ("été", "éte", true),
        ] {
            assert_eq!(is_neighbour(a, b), expected, "{a} {b}");
        }
    }
}
