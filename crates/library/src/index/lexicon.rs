//! The words of scripts that are written without blanks between them.

use std::ops::Range;
use std::sync::LazyLock;

use icu_segmenter::options::WordBreakInvariantOptions;
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};

static SEGMENTER: LazyLock<WordSegmenterBorrowed<'static>> =
    LazyLock::new(|| WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()));

/// The words of a folded run, as byte ranges that follow one another.
pub fn words(run: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    SEGMENTER.segment_str(run).filter(|end| *end > 0).map(move |end| {
        let word = start..end;
        start = end;
        let bare = without_particle(&run[word.clone()]).map_or(word.end, |bare| word.start + bare.len());
        word.start..bare
    })
}

/// What ends Korean nouns in a sentence, longest first.
const PARTICLES: &[&str] = &[
    "에서는",
    "으로는",
    "에게서",
    "이라는",
    "에서",
    "에게",
    "으로",
    "까지",
    "부터",
    "처럼",
    "보다",
    "이나",
    "이다",
    "하고",
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "에",
    "의",
    "로",
    "와",
    "과",
    "도",
    "만",
];

/// A Korean word of at least two syllables before its particle; `None` when it has none.
pub fn without_particle(word: &str) -> Option<&str> {
    if !word.chars().all(|c| matches!(c, '\u{ac00}'..='\u{d7a3}')) {
        return None;
    }
    let bare = PARTICLES.iter().find_map(|particle| word.strip_suffix(particle))?;
    (bare.chars().count() > 1).then_some(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn korean_words_lose_their_particles() {
        assert_eq!(without_particle("데이터베이스에서는"), Some("데이터베이스"));
        assert_eq!(without_particle("한국은"), Some("한국"));
        assert_eq!(without_particle("국가"), None);
        assert_eq!(without_particle("한국"), None);
        assert_eq!(without_particle("知识은"), None);
    }
}
