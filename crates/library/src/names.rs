//! Files by what they are called: the quick switcher.

use std::cmp::Reverse;

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use orangery_domain::position::utf16_len;
use orangery_domain::{FileId, FileKind, FilePlace, NameHit};
use orangery_store::table::file::FileRow;
use unicode_segmentation::UnicodeSegmentation;

use crate::Library;
use crate::index::fold::{Class, Unit, fold, folded};

const NAMES: usize = 50;

/// How a file answers to a word, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    Title,
    TitleStarts,
    WordStarts,
    InTitle,
    InPath,
    Initials,
    /// Its letters in their order, here and there in the file's name.
    Scattered,
}

impl Library {
    /// Where a file is by now.
    pub fn place_of(&self, id: FileId) -> Option<FilePlace> {
        let row = self.catalog().read().row(id).cloned()?;
        Some(FilePlace { kb_id: row.kb_id, path: row.path.clone() })
    }

    /// By titles, file names and paths, see [`Likeness`]; every word of `text` must fit. An empty text gives
    /// the files changed last.
    pub fn find_names(&self, text: &str, limit: usize) -> Vec<NameHit> {
        let limit = if limit == 0 { NAMES } else { limit };
        let files: Vec<_> = self.catalog().read().rows().cloned().collect();
        let Some(mut sought) = Sought::of(text) else {
            let mut rows: Vec<_> = files.iter().filter(|row| row.kind != FileKind::Other).collect();
            rows.sort_by_key(|row| (Reverse(row.modified_ns), row.id));
            rows.truncate(limit);
            return rows.into_iter().map(|row| self.name_hit(row, Vec::new())).collect();
        };
        let mut found: Vec<_> = files.iter().filter_map(|row| Some((sought.fit(row)?, row))).collect();
        found.sort_by_key(|(fit, row)| (*fit, Reverse(row.modified_ns), row.id));
        found.truncate(limit);
        found.into_iter().map(|(_, row)| self.name_hit(row, sought.marks(row))).collect()
    }

    fn name_hit(&self, row: &FileRow, marks: Vec<(u32, u32)>) -> NameHit {
        NameHit {
            file_id: row.id,
            place: FilePlace { kb_id: row.kb_id, path: row.path.clone() },
            kb_name: self.kb_name(row.kb_id),
            title: row.title.clone(),
            kind: row.kind,
            marks,
        }
    }
}

/// Smaller is better: the worst likeness of the words, how much else there is or how scattered it is.
type Fit = (Likeness, Reverse<u32>, usize);

struct Sought {
    whole: String,
    words: Vec<(String, Pattern)>,
    matcher: Matcher,
    title: Name,
    stem: Name,
    buffer: Vec<char>,
}

/// A name as it is compared.
#[derive(Default)]
struct Name {
    folded: String,
    units: Vec<Unit>,
}

impl Sought {
    fn of(text: &str) -> Option<Self> {
        let whole = folded(text.trim());
        let words: Vec<_> = whole
            .split_whitespace()
            .map(|word| {
                let pattern = Pattern::new(word, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy);
                (word.to_owned(), pattern)
            })
            .collect();
        (!words.is_empty()).then(|| Self {
            whole,
            words,
            matcher: Matcher::new(Config::DEFAULT),
            title: Name::default(),
            stem: Name::default(),
            buffer: Vec::new(),
        })
    }

    fn fit(&mut self, row: &FileRow) -> Option<Fit> {
        self.title.set(&row.title);
        self.stem.set(row.path.stem());
        let length = row.title.chars().count();
        // Words that stand together as they were typed say more than each of them does.
        let names = [&self.title, &self.stem];
        let whole = names.iter().filter_map(|name| name.likeness(&self.whole)).min();
        if let Some(whole) = whole.filter(|likeness| *likeness < Likeness::InPath) {
            return Some((whole, Reverse(0), length));
        }
        let path = folded(row.path.as_str());
        let (mut worst, mut scattered) = (Likeness::WordStarts, 0);
        for (word, pattern) in &self.words {
            let named = names.iter().filter_map(|name| name.likeness(word)).min();
            let placed = path.contains(word.as_str()).then_some(Likeness::InPath);
            let likeness = match named.into_iter().chain(placed).min() {
                Some(likeness) => likeness,
                None => {
                    let name = Utf32Str::new(row.path.name(), &mut self.buffer);
                    scattered += pattern.score(name, &mut self.matcher)?;
                    Likeness::Scattered
                }
            };
            worst = worst.max(likeness);
        }
        Some((worst, Reverse(scattered), length))
    }

    /// What of the path the words are, in UTF-16.
    fn marks(&mut self, row: &FileRow) -> Vec<(u32, u32)> {
        let (text, mut path) = (row.path.as_str(), Name::default());
        path.set(text);
        let name_at = text.len() - row.path.name().len();
        let mut marked = vec![false; text.len()];
        for (word, pattern) in &self.words {
            if let Some(range) = path.last(word) {
                marked[range].fill(true);
            } else if let Some(letters) = path.letters(word, name_at) {
                letters.into_iter().for_each(|range| marked[range].fill(true));
            } else {
                let mut at = Vec::new();
                let name = Utf32Str::new(row.path.name(), &mut self.buffer);
                if pattern.indices(name, &mut self.matcher, &mut at).is_none() {
                    continue;
                }
                // The matcher counts graphemes where text has any beyond ASCII.
                let graphemes = row.path.name().grapheme_indices(true);
                for (position, (start, grapheme)) in (0..).zip(graphemes) {
                    if at.contains(&position) {
                        marked[name_at + start..name_at + start + grapheme.len()].fill(true);
                    }
                }
            }
        }
        runs(text, &marked)
    }
}

impl Name {
    fn set(&mut self, text: &str) {
        fold(text, &mut self.folded, &mut self.units);
    }

    fn likeness(&self, word: &str) -> Option<Likeness> {
        if self.folded == word {
            return Some(Likeness::Title);
        }
        let mut found = None;
        for (at, _) in self.folded.match_indices(word) {
            if at == 0 {
                return Some(Likeness::TitleStarts);
            }
            if self.starts_word(at) {
                return Some(Likeness::WordStarts);
            }
            found = Some(Likeness::InTitle);
        }
        found.or_else(|| (self.initials_at(word).is_some()).then_some(Likeness::Initials))
    }

    /// The unit that begins at a byte of the folded text.
    fn unit_at(&self, at: usize) -> Option<usize> {
        self.units.binary_search_by_key(&(at as u32), |unit| unit.folded.start).ok()
    }

    fn starts_word(&self, at: usize) -> bool {
        self.unit_at(at).is_some_and(|unit| self.begins_word(unit))
    }

    /// Where a reader sees a word begin: after a blank, at another script, at a capital in the midst of small
    /// letters. In scripts without blanks only a dictionary could tell.
    fn begins_word(&self, at: usize) -> bool {
        let class = |at: usize| self.units.get(at).map(|unit| unit.class);
        let (Some(own), Some(before)) = (class(at), at.checked_sub(1).and_then(class)) else {
            return at == 0;
        };
        let letter = |class: Class| matches!(class, Class::Lower | Class::Upper);
        match (before, own) {
            (_, Class::Blank | Class::Joint) => false,
            (Class::Lower, Class::Upper) => true,
            (before, own) if letter(before) && letter(own) => false,
            (before, own) => before != own,
        }
    }

    /// Where the letters of `word` are those that words begin with, one after the other.
    fn initials_at(&self, word: &str) -> Option<Vec<usize>> {
        let count = word.chars().count();
        if count < 2 {
            return None;
        }
        let starts: Vec<usize> = (0..self.units.len()).filter(|at| self.begins_word(*at)).collect();
        let initial = |at: &usize| {
            let unit = self.units.get(*at)?;
            self.folded.get(unit.folded.start as usize..)?.chars().next()
        };
        let fits = |run: &&[usize]| run.iter().map(initial).eq(word.chars().map(Some));
        starts.windows(count).find(fits).map(<[usize]>::to_vec)
    }

    /// The source of the last `word` there is.
    fn last(&self, word: &str) -> Option<std::ops::Range<usize>> {
        let at = self.folded.rfind(word)?;
        let end = (at + word.len()) as u32;
        let within = |unit: &&Unit| unit.folded.start < end && unit.folded.end > at as u32;
        let mut units = self.units.iter().filter(within);
        let first = units.next()?;
        let last = units.next_back().unwrap_or(first);
        Some(first.source.start as usize..last.source.end as usize)
    }

    /// The sources of the initials that `word` is made of, from byte `from` of the source on.
    fn letters(&self, word: &str, from: usize) -> Option<Vec<std::ops::Range<usize>>> {
        let at = self.initials_at(word)?;
        let units = at.into_iter().filter_map(|at| self.units.get(at));
        let sources: Vec<_> =
            units.map(|unit| unit.source.start as usize..unit.source.end as usize).collect();
        sources.iter().all(|source| source.start >= from).then_some(sources)
    }
}

/// Runs of marked bytes, in UTF-16.
fn runs(text: &str, marked: &[bool]) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    let mut units = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        let end = units + utf16_len(grapheme);
        if marked.get(at) == Some(&true) {
            match runs.last_mut() {
                Some(last) if last.1 == units => last.1 = end,
                _ => runs.push((units, end)),
            }
        }
        units = end;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likeness(word: &str, title: &str) -> Option<Likeness> {
        let mut name = Name::default();
        name.set(title);
        name.likeness(&folded(word))
    }

    #[test]
    fn names_are_like_words_in_steps() {
        for (word, title, expected) in [
            ("三体", "三体", Some(Likeness::Title)),
            ("notes", "Notes", Some(Likeness::Title)),
            ("三", "三体", Some(Likeness::TitleStarts)),
            ("体", "三体", Some(Likeness::InTitle)),
            ("命令", "GO命令", Some(Likeness::WordStarts)),
            ("notes", "Meeting notes", Some(Likeness::WordStarts)),
            ("base", "KnowledgeBase", Some(Likeness::WordStarts)),
            ("otes", "Meeting notes", Some(Likeness::InTitle)),
            ("ｎｏｔｅｓ", "notes", Some(Likeness::Title)),
            ("gtd", "Getting Things Done", Some(Likeness::Initials)),
            ("td", "Getting Things Done", Some(Likeness::Initials)),
            ("gd", "Getting Things Done", None),
            ("mtng", "Meeting notes", None),
        ] {
            assert_eq!(likeness(word, title), expected, "{word} in {title}");
        }
    }

    #[test]
    fn marks_are_runs_in_utf16() {
        let text = "🍊ab知.md";
        let marked: Vec<bool> = (0..text.len()).map(|at| [0, 5, 6, 10].contains(&at)).collect();
        assert_eq!(runs(text, &marked), [(0, 2), (3, 5), (6, 7)]);
    }
}
