//! Which words of the index a word of a query means besides itself. Looked up when asked, so that the
//! index holds only what is written.

use std::collections::BTreeMap;

use tantivy::query::FuzzyTermQuery;
use tantivy::schema::Field;
use tantivy::tokenizer::{Language, RawTokenizer, Stemmer, TextAnalyzer};
use tantivy::{Searcher, Term};

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
    let Some(any) = fields.first() else {
        return Ok(Vec::new());
    };
    let (from, to) = first_letters(word);
    // It walks only what of a dictionary is still within reach of the word. It is about no field.
    let automaton = FuzzyTermQuery::new(Term::from_field_text(*any, word), 1, true).automaton()?;
    let mut found = BTreeMap::new();
    for segment in searcher.segment_readers() {
        for field in fields {
            let index = segment.inverted_index(*field)?;
            let mut terms = index.terms().search(&automaton).ge(&from).lt(&to).into_stream()?;
            while let Some((term, info)) = terms.next() {
                if let Ok(term) = std::str::from_utf8(term)
                    && term != word
                {
                    *found.entry(term.to_owned()).or_default() += info.doc_freq;
                }
            }
        }
    }
    Ok(weighted(found, TYPO_WEIGHT))
}

/// The range of words that may be meant by `word`. In an alphabet a slip on the first letter costs little
/// to allow; among thousands of characters it would mean to look at everything.
fn first_letters(word: &str) -> (Vec<u8>, Vec<u8>) {
    match word.as_bytes().first() {
        Some(..=0x7f) => (b"0".to_vec(), b"{".to_vec()),
        // Two bytes: the alphabets of Europe and the Near East.
        Some(..=0xdf) => (vec![0xc2], vec![0xe0]),
        _ => bounds(&word[..word.chars().next().map_or(0, char::len_utf8)]),
    }
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
            let (from, to) = bounds(prefix);
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
