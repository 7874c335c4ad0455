//! What only the text itself can answer: patterns, words on one line, words of a heading.

use std::collections::HashSet;
use std::sync::Arc;

use orangery_domain::FileId;
use orangery_store::table::chunk::{self, Chunk};

use crate::cite::Sought;
use crate::query::{TextTest, Within};
use crate::{Error, Library, Result};

/// Files whose passages are in memory together. Between two such lots, whoever went away is noticed.
const AT_ONCE: usize = 256;

/// A test, ready to be asked of passages.
struct Asked<'a> {
    test: &'a TextTest,
    /// The words that must all be there.
    words: Sought,
}

impl Library {
    /// Keeps the files that pass every test, each with the passages that do, best first.
    pub(super) async fn tested(
        &self,
        files: Vec<(FileId, Vec<u32>)>,
        tests: &Arc<[TextTest]>,
        per_file: usize,
    ) -> Result<Vec<(FileId, Vec<u32>)>> {
        let mut kept = Vec::new();
        let mut files = files.into_iter().peekable();
        while files.peek().is_some() {
            let some: Vec<_> = files.by_ref().take(AT_ONCE).collect();
            let ids: Vec<FileId> = some.iter().map(|(file, _)| *file).collect();
            let chunks = chunk::of_files(self.db().reader(), &ids).await?;
            let tests = Arc::clone(tests);
            let passing = tokio::task::spawn_blocking(move || {
                let asked: Vec<Asked> = tests.iter().map(Asked::new).collect();
                let of = |file| chunks.get(&file).map(Vec::as_slice).unwrap_or_default();
                let pass = |(file, ranked)| {
                    passing(of(file), &asked).map(|found| (file, first(ranked, found, per_file)))
                };
                some.into_iter().filter_map(pass).collect::<Vec<_>>()
            });
            kept.extend(passing.await.map_err(|_| Error::Closed)?);
        }
        Ok(kept)
    }
}

/// The passages that pass, empty when only what is not there was asked for; `None` when a test fails.
fn passing(chunks: &[Chunk], asked: &[Asked]) -> Option<Vec<u32>> {
    let mut passages: Option<HashSet<u32>> = None;
    for asked in asked {
        let here: HashSet<u32> =
            (0..).zip(chunks).filter(|(_, chunk)| asked.holds(chunk)).map(|(ordinal, _)| ordinal).collect();
        if here.is_empty() != asked.test.not {
            return None;
        }
        if !asked.test.not {
            passages = Some(match passages {
                // Best where all are; else where any is.
                Some(before) if before.intersection(&here).next().is_some() => {
                    before.intersection(&here).copied().collect()
                }
                Some(before) => before.union(&here).copied().collect(),
                None => here,
            });
        }
    }
    let mut passages: Vec<u32> = passages.unwrap_or_default().into_iter().collect();
    passages.sort_unstable();
    Some(passages)
}

/// Those that were ranked and pass, in their order, then others that pass.
fn first(ranked: Vec<u32>, passing: Vec<u32>, per_file: usize) -> Vec<u32> {
    if passing.is_empty() {
        return ranked;
    }
    let mut kept: Vec<u32> = ranked.into_iter().filter(|ordinal| passing.contains(ordinal)).collect();
    for ordinal in passing {
        if !kept.contains(&ordinal) {
            kept.push(ordinal);
        }
    }
    kept.truncate(per_file);
    kept
}

impl<'a> Asked<'a> {
    fn new(test: &'a TextTest) -> Self {
        let mut words = Sought::default();
        if let Within::Line(wants) | Within::Heading(wants) = &test.within {
            for (term, want) in wants.iter().enumerate() {
                words.add_want(term, want);
            }
        }
        Self { test, words }
    }

    fn holds(&self, chunk: &Chunk) -> bool {
        match &self.test.within {
            Within::Pattern(pattern) => pattern.is_match(&chunk.text),
            Within::Line(wants) => chunk.text.lines().any(|line| self.words.terms_in(line) == wants.len()),
            Within::Heading(wants) => {
                chunk.heading_path.iter().any(|heading| self.words.terms_in(heading) == wants.len())
            }
        }
    }
}
