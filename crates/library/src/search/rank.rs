//! From terms to ranked files.

use std::collections::{HashMap, HashSet};

use orangery_domain::FileId;
use tantivy::{DocId, Searcher};

use super::near;
use crate::cite::Sought;
use crate::index::OpenIndex;
use crate::index::postings::{Evaluator, Hits, Needle};
use crate::index::{expand, lexicon, token};
use crate::query::{Query, Role, Term, Want};

/// A file that answers, best first in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    pub file: FileId,
    pub score: f32,
    /// Ordinals of its best passages, best first; empty when only its names answer.
    pub passages: Vec<u32>,
    /// Whether it holds every term.
    complete: bool,
    /// Whether its names alone do.
    pub named: bool,
    /// Segment and document of its best passage.
    pub best: Option<(usize, DocId)>,
}

/// Up to this many terms, all of them are asked for where some file has them all.
const SHORT: usize = 4;
/// A run longer than this is more than one word: most of it is enough.
const WORD_UNITS: usize = 4;
const MOST: f32 = 0.6;
/// What the best of other passages adds to the best passage.
const ELSEWHERE: f32 = 0.2;
/// How much of a score what is missing may cost: of searches, and of questions.
const LACK: f32 = 0.75;
const LACK_GRADED: f32 = 0.5;

/// The files that answer, unsorted among equals, and what matched in them. `allowed` says which files
/// may; nothing is found any more once `stop` says so.
pub fn rank(
    open: &OpenIndex,
    query: &Query,
    per_file: usize,
    allowed: &dyn Fn(FileId) -> bool,
    stop: &dyn Fn() -> bool,
) -> tantivy::Result<(Vec<Ranked>, Sought)> {
    if stop() {
        return Ok((Vec::new(), Sought::default()));
    }
    let searcher = open.reader.searcher();
    let evaluator = Evaluator::new(&searcher, &open.fields)?;
    let excluded = excluded(&evaluator, &searcher, query)?;
    let allowed = |file: FileId| !excluded.contains(&file) && !stop() && allowed(file);
    if asked(query).next().is_none() {
        let files = crate::index::files_in(&searcher)?.into_iter().filter(|file| allowed(*file));
        let all = files.map(|file| Ranked {
            file,
            score: 0.0,
            passages: Vec::new(),
            complete: true,
            named: false,
            best: None,
        });
        return Ok((all.collect(), Sought::default()));
    }
    let short = !query.sentence && asked(query).count() <= SHORT;

    let mut found = Vec::new();
    for term in asked(query) {
        if stop() {
            return Ok((Vec::new(), Sought::default()));
        }
        found.push(Found::exactly(&evaluator, &searcher, term)?);
    }
    let graded = query.sentence;
    let mut ranked = combine(&searcher, &found, graded, per_file, &allowed)?;
    let mut complete = short && ranked.iter().any(|file| file.complete);
    if !complete && !stop() {
        let mut looser = false;
        for found in &mut found {
            looser |= found.loosen(&evaluator, &searcher)?;
        }
        if looser {
            ranked = combine(&searcher, &found, graded, per_file, &allowed)?;
            complete = short && ranked.iter().any(|file| file.complete);
        }
    }
    if complete {
        ranked.retain(|file| file.complete);
    }
    near::raise(&evaluator, &searcher, &found, &mut ranked)?;
    let mut sought = Sought::default();
    for (term, found) in found.iter().enumerate() {
        found.needles.iter().for_each(|needle| seek(&mut sought, term, needle));
    }
    Ok((ranked, sought))
}

fn asked(query: &Query) -> impl Iterator<Item = &Term> {
    query.terms.iter().filter(|term| term.role != Role::Not)
}

/// A term and where it was found.
pub(super) struct Found {
    pub(super) needles: Vec<Needle>,
    hits: Hits,
    pub(super) rarity: f32,
    role: Role,
    /// How much of it counts as all.
    enough: f32,
}

impl Found {
    fn exactly(evaluator: &Evaluator, searcher: &Searcher, term: &Term) -> tantivy::Result<Self> {
        let mut needles = Vec::new();
        let mut enough = 1.0_f32;
        for want in &term.wants {
            if let Want::Run(units) = want
                && units.len() > WORD_UNITS
            {
                enough = enough.min(MOST);
            }
            needles.extend(self::needles(evaluator, searcher, want)?);
        }
        let mut found = Self { needles, hits: Vec::new(), rarity: 0.0, role: term.role, enough };
        found.evaluate(evaluator, searcher)?;
        Ok(found)
    }

    /// Looks also for what is nearly the term; `false` when there is nothing of the kind.
    fn loosen(&mut self, evaluator: &Evaluator, searcher: &Searcher) -> tantivy::Result<bool> {
        let mut looser = false;
        if self.role == Role::Should {
            for needle in &mut self.needles {
                looser |= loosen(needle, evaluator, searcher)?;
            }
        }
        if looser {
            self.evaluate(evaluator, searcher)?;
        }
        Ok(looser)
    }

    fn evaluate(&mut self, evaluator: &Evaluator, searcher: &Searcher) -> tantivy::Result<()> {
        self.hits = vec![Vec::new(); searcher.segment_readers().len()];
        for needle in &self.needles {
            merge(&mut self.hits, evaluator.hits(needle)?);
        }
        let whole = self.hits.iter().flatten().filter(|hit| hit.cover >= 1.0).count();
        self.rarity = 0.0;
        for needle in &self.needles {
            self.rarity = self.rarity.max(evaluator.worth(needle, whole.max(1))?);
        }
        Ok(())
    }
}

fn needles(evaluator: &Evaluator, searcher: &Searcher, want: &Want) -> tantivy::Result<Vec<Needle>> {
    Ok(match want {
        Want::Word { word, parts, prefix } => {
            let fields = evaluator.fields();
            let mut variants = vec![(word.clone(), 1.0)];
            variants.extend(expand::inflections(searcher, &fields, word)?);
            if *prefix {
                for variant in expand::completions(searcher, &fields, word)? {
                    if variants.iter().all(|(known, _)| *known != variant.0) {
                        variants.push(variant);
                    }
                }
            }
            let mut needles = vec![Needle::Words(variants)];
            if !parts.is_empty() {
                needles.push(Needle::Phrase((0..).zip(parts.iter().cloned()).collect()));
            }
            needles
        }
        Want::Run(units) => vec![Needle::Run {
            pairs: match units.as_slice() {
                [only] => vec![only.clone()],
                units => units.windows(2).map(<[String]>::concat).collect(),
            },
            words: words(units),
            partial: units.len() > WORD_UNITS,
        }],
        Want::Phrase(words) => vec![Needle::Phrase(words.clone())],
    })
}

/// The words of a run of several units, as the index spells them.
fn words(units: &[String]) -> Vec<String> {
    let run = units.concat();
    let mut words: Vec<_> = lexicon::words(&run)
        .map(|word| &run[word])
        .filter(|word| units.iter().all(|unit| unit != word))
        .map(token::lexeme)
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// A word that nothing holds may be misspelt, and a part of a run is better than none of it.
fn loosen(needle: &mut Needle, evaluator: &Evaluator, searcher: &Searcher) -> tantivy::Result<bool> {
    Ok(match needle {
        Needle::Words(variants) => match variants.as_slice() {
            [(word, _)] if evaluator.frequency(word)? == 0 => {
                let neighbours = expand::neighbours(searcher, &evaluator.fields(), word)?;
                let any = !neighbours.is_empty();
                variants.extend(neighbours);
                any
            }
            _ => false,
        },
        Needle::Run { partial, .. } => !std::mem::replace(partial, true),
        Needle::Phrase(_) => false,
    })
}

fn seek(sought: &mut Sought, term: usize, needle: &Needle) {
    match needle {
        Needle::Words(variants) => variants.iter().for_each(|(word, _)| sought.add_word(term, word)),
        Needle::Run { pairs, partial, .. } => {
            sought.add_row(term, (0..).zip(pairs.iter().map(String::as_str)), *partial);
        }
        Needle::Phrase(words) => {
            sought.add_row(term, words.iter().map(|(position, word)| (*position, word.as_str())), false);
        }
    }
}

/// The better of both for each document.
fn merge(hits: &mut Hits, more: Hits) {
    for (hits, more) in hits.iter_mut().zip(more) {
        if hits.is_empty() {
            *hits = more;
            continue;
        }
        hits.extend(more);
        hits.sort_by(|a, b| a.doc.cmp(&b.doc).then(b.value.total_cmp(&a.value)));
        hits.dedup_by(|later, first| {
            let same = later.doc == first.doc;
            if same {
                first.cover = first.cover.max(later.cover);
            }
            same
        });
    }
}

/// Files that hold what the query excludes.
fn excluded(evaluator: &Evaluator, searcher: &Searcher, query: &Query) -> tantivy::Result<HashSet<FileId>> {
    let mut excluded = HashSet::new();
    for term in query.terms.iter().filter(|term| term.role == Role::Not) {
        for want in &term.wants {
            let exactly = match want {
                Want::Word { word, .. } => Needle::Words(vec![(word.clone(), 1.0)]),
                other => match needles(evaluator, searcher, other)?.pop() {
                    Some(Needle::Run { pairs, .. }) => {
                        Needle::Run { pairs, words: Vec::new(), partial: false }
                    }
                    Some(needle) => needle,
                    None => continue,
                },
            };
            for (segment, hits) in searcher.segment_readers().iter().zip(evaluator.hits(&exactly)?) {
                let file = segment.fast_fields().u64("file")?;
                excluded.extend(
                    hits.iter().filter_map(|hit| file.first(hit.doc)).map(|id| FileId(id.cast_signed())),
                );
            }
        }
    }
    Ok(excluded)
}

const UNSEEN: u32 = u32::MAX;
const SKIPPED: u32 = u32::MAX - 1;

/// One file while it is scored.
struct Slot {
    file: FileId,
    /// Score, segment and document of the best passage.
    best: (f32, usize, DocId),
    /// Score and ordinal of the best passages.
    passages: Vec<(f32, u32)>,
}

/// What one file has of one term.
#[derive(Clone, Copy, Default)]
struct Share {
    names: f32,
    /// In the best passage.
    best: f32,
    /// In any passage.
    peak: f32,
    cover: f32,
}

fn combine(
    searcher: &Searcher,
    found: &[Found],
    graded: bool,
    per_file: usize,
    allowed: &dyn Fn(FileId) -> bool,
) -> tantivy::Result<Vec<Ranked>> {
    let mut by_file: HashMap<FileId, u32> = HashMap::new();
    let mut slots: Vec<Slot> = Vec::new();
    let mut slot_of: Vec<Vec<u32>> = Vec::new();
    let mut parts = Vec::new();
    for (at, segment) in searcher.segment_readers().iter().enumerate() {
        let (file, part) = (segment.fast_fields().u64("file")?, segment.fast_fields().u64("part")?);
        let mut slot_by_doc = vec![UNSEEN; segment.max_doc() as usize];
        let mut totals = vec![0.0_f32; segment.max_doc() as usize];
        let mut touched = Vec::new();
        for term in found {
            for hit in &term.hits[at] {
                let slot = &mut slot_by_doc[hit.doc as usize];
                if *slot == UNSEEN {
                    let id = FileId(file.first(hit.doc).unwrap_or_default().cast_signed());
                    *slot = *by_file.entry(id).or_insert_with(|| {
                        if !allowed(id) {
                            return SKIPPED;
                        }
                        slots.push(Slot { file: id, best: (0.0, 0, 0), passages: Vec::new() });
                        slots.len() as u32 - 1
                    });
                    if *slot != SKIPPED {
                        touched.push(hit.doc);
                    }
                }
                totals[hit.doc as usize] += term.rarity * hit.value;
            }
        }
        for doc in touched {
            let part = part.first(doc).unwrap_or_default() as u32;
            let total = totals[doc as usize];
            if let Some(ordinal) = part.checked_sub(1) {
                let slot = &mut slots[slot_by_doc[doc as usize] as usize];
                if total > slot.best.0 {
                    slot.best = (total, at, doc);
                }
                keep_best(&mut slot.passages, (total, ordinal), per_file);
            }
        }
        slot_of.push(slot_by_doc);
        parts.push(part);
    }

    let terms = found.len();
    let mut shares = vec![Share::default(); slots.len() * terms];
    for (term, found) in found.iter().enumerate() {
        for (at, hits) in found.hits.iter().enumerate() {
            for hit in hits {
                let slot = slot_of[at][hit.doc as usize];
                if slot >= SKIPPED {
                    continue;
                }
                let share = &mut shares[slot as usize * terms + term];
                share.cover = share.cover.max(hit.cover);
                if parts[at].first(hit.doc) == Some(0) {
                    share.names = hit.value;
                } else {
                    share.peak = share.peak.max(hit.value);
                    let (_, segment, doc) = slots[slot as usize].best;
                    if (segment, doc) == (at, hit.doc) {
                        share.best = hit.value;
                    }
                }
            }
        }
    }
    let ranked = slots.into_iter().enumerate().filter_map(|(slot, Slot { file, best, passages })| {
        let shares = &shares[slot * terms..(slot + 1) * terms];
        let lacks =
            found.iter().zip(shares).any(|(term, share)| term.role == Role::Must && share.cover < 1.0);
        (!lacks).then(|| {
            let (score, complete) = score(found, shares, graded);
            Ranked {
                file,
                score,
                complete,
                best: (!passages.is_empty()).then_some((best.1, best.2)),
                named: shares.iter().all(|share| share.names > 0.0),
                passages: passages.into_iter().map(|(_, ordinal)| ordinal).collect(),
            }
        })
    });
    Ok(ranked.collect())
}

fn keep_best(passages: &mut Vec<(f32, u32)>, new: (f32, u32), limit: usize) {
    let at = passages.partition_point(|(score, _)| *score >= new.0);
    if at < limit {
        passages.insert(at, new);
        passages.truncate(limit);
    }
}

/// Every term counts by its rarity, and what is missing counts against the rest. Files that hold all
/// rank above those that do not; of a `graded` question nobody writes down every word, and there the more
/// is only the better.
fn score(found: &[Found], shares: &[Share], graded: bool) -> (f32, bool) {
    let (mut score, mut held, mut all, mut complete) = (0.0, 0.0, 0.0, true);
    for (term, share) in found.iter().zip(shares) {
        // Names and text speak for a file independently.
        let value =
            1.0 - (1.0 - share.names) * (1.0 - share.best) + ELSEWHERE * (share.peak - share.best).max(0.0);
        score += term.rarity * value;
        held += term.rarity * share.cover;
        all += term.rarity;
        complete &= share.cover >= term.enough;
    }
    let coverage = held / all.max(f32::MIN_POSITIVE);
    let lack = if graded { LACK_GRADED } else { LACK };
    let score = score * (1.0 - lack * (1.0 - coverage * coverage));
    // A score is below the sum of rarities times a constant, so that this lifts above all others.
    (if complete && !graded { score + 2.0 * all } else { score }, complete)
}
