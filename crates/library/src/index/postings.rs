//! Where a term of a query occurs, and how strongly.

use tantivy::postings::Postings;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, Searcher, SegmentReader, TERMINATED, Term};

use super::Fields;
use super::expand::Variant;

/// One occurrence list: documents of one segment.
#[derive(Debug, Clone, Copy)]
pub struct Hit {
    pub doc: DocId,
    /// Saturated frequency over all fields, 0 to 1.
    pub value: f32,
    /// How much of the term is there, 1 for all of it.
    pub cover: f32,
}

/// A term's hits, one list for each segment.
pub type Hits = Vec<Vec<Hit>>;

/// What is looked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Needle {
    /// Any of these words.
    Words(Vec<Variant>),
    /// A run of units without blanks, as its pairs; in full, or with `partial` also in part. Its words,
    /// as the index spells them, are preferred to the same units across words.
    Run { pairs: Vec<String>, words: Vec<String>, partial: bool },
    /// Words at these relative positions.
    Phrase(Vec<(u32, String)>),
}

/// BM25F (Robertson and Zaragoza, 2009): frequencies are weighted and length-normalised field by field
/// before they saturate together. Tuned with the weights of fields on the training halves of the collections
/// that `examples/relevance.rs` reads.
const SATURATION: f32 = 1.8;
/// What a run found in part is worth beside one found in full.
const PARTIAL: f32 = 0.6;
/// What a pair of a long run counts beside a word: two of them make one.
const PAIR: f32 = 0.5;
/// What an occurrence of a run counts less for that begins or ends within words.
const ACROSS: f32 = 0.4;

struct FieldWeight {
    field: Field,
    boost: f32,
    /// How much length matters, 0 to 1.
    length: f32,
    average: f32,
}

/// Evaluates needles against one snapshot of the index.
pub struct Evaluator<'a> {
    searcher: &'a Searcher,
    weights: Vec<FieldWeight>,
    body: Field,
    documents: f32,
}

impl<'a> Evaluator<'a> {
    pub fn new(searcher: &'a Searcher, fields: &Fields) -> tantivy::Result<Self> {
        let mut weights = Vec::new();
        for (field, boost, length) in [
            (fields.title, 2.4, 0.4),
            (fields.path, 0.7, 0.4),
            (fields.tags, 1.4, 0.2),
            (fields.headings, 1.4, 0.4),
            (fields.body, 1.0, 0.7),
        ] {
            let (mut tokens, mut documents) = (0, 0);
            for segment in searcher.segment_readers() {
                tokens += segment.inverted_index(field)?.total_num_tokens();
                documents += u64::from(segment.max_doc());
            }
            // A document without the field counts as short; the same shift for every document.
            let average = (tokens as f32 / documents.max(1) as f32).max(1.0);
            weights.push(FieldWeight { field, boost, length, average });
        }
        Ok(Self { searcher, weights, body: fields.body, documents: searcher.num_docs() as f32 })
    }

    pub fn fields(&self) -> Vec<Field> {
        self.weights.iter().map(|weight| weight.field).collect()
    }

    /// How telling a term is that `documents` hold.
    pub fn rarity(&self, documents: usize) -> f32 {
        let held = documents as f32;
        (1.0 + (self.documents - held + 0.5).max(0.0) / (held + 0.5)).ln()
    }

    /// How telling a needle is that `documents` hold. A long run is worth what its pairs are: that hardly
    /// any document holds all of it says nothing about its words.
    pub fn worth(&self, needle: &Needle, documents: usize) -> tantivy::Result<f32> {
        let Needle::Run { pairs, partial: true, .. } = needle else {
            return Ok(self.rarity(documents));
        };
        let mut sum = 0.0;
        for pair in pairs {
            sum += self.rarity(self.frequency(pair)?.max(1));
        }
        Ok(sum * PAIR)
    }

    /// Documents that hold `word` in any field; those in several count more than once.
    pub fn frequency(&self, word: &str) -> tantivy::Result<usize> {
        let mut frequency = 0;
        for segment in self.searcher.segment_readers() {
            for weight in &self.weights {
                if let Some(info) = segment.inverted_index(weight.field)?.terms().get(word)? {
                    frequency += info.doc_freq as usize;
                }
            }
        }
        Ok(frequency)
    }

    pub fn hits(&self, needle: &Needle) -> tantivy::Result<Hits> {
        let shares = match needle {
            Needle::Run { pairs, words, partial: true } => self.shares(pairs, words)?,
            _ => Vec::new(),
        };
        self.searcher.segment_readers().iter().map(|segment| self.hits_in(segment, needle, &shares)).collect()
    }

    /// What each pair and word of a run is worth: rare ones more, and all pairs 1.
    fn shares(&self, pairs: &[String], words: &[String]) -> tantivy::Result<Vec<f32>> {
        let mut shares = Vec::new();
        for pair in pairs.iter().chain(words) {
            shares.push(self.rarity(self.frequency(pair)?));
        }
        let sum: f32 = shares[..pairs.len()].iter().sum();
        Ok(shares.into_iter().map(|share| share / sum.max(f32::MIN_POSITIVE)).collect())
    }

    fn hits_in(&self, segment: &SegmentReader, needle: &Needle, shares: &[f32]) -> tantivy::Result<Vec<Hit>> {
        let mut scratch = Scratch::new(segment);
        match needle {
            Needle::Words(variants) => {
                for weight in &self.weights {
                    for (word, count) in variants {
                        self.word(segment, weight, word, *count, &mut scratch)?;
                    }
                }
            }
            Needle::Phrase(words) => {
                for weight in &self.weights {
                    self.phrase(segment, weight, words, &mut scratch)?;
                }
            }
            Needle::Run { pairs, words, partial } => {
                if let [pair] = pairs.as_slice() {
                    for weight in &self.weights {
                        self.word(segment, weight, pair, 1.0, &mut scratch)?;
                    }
                } else {
                    let row: Vec<_> = (0..).zip(pairs.iter().cloned()).collect();
                    for weight in &self.weights {
                        self.phrase(segment, weight, &row, &mut scratch)?;
                    }
                }
                self.prefer(segment, words, &mut scratch)?;
                if *partial && pairs.len() > 1 {
                    return self.in_part(segment, pairs, words, shares, scratch);
                }
            }
        }
        Ok(scratch.into_hits(segment))
    }

    /// Lowers what is found of a run where it is not made of whole words.
    fn prefer(&self, segment: &SegmentReader, words: &[String], run: &mut Scratch) -> tantivy::Result<()> {
        if words.is_empty() || run.touched.is_empty() {
            return Ok(());
        }
        // The rarest of the words says how often all of them can stand there.
        let mut least: Vec<f32> = run.touched.iter().map(|doc| run.frequency[*doc as usize]).collect();
        let mut one = Scratch::new(segment);
        for word in words {
            for weight in &self.weights {
                self.word(segment, weight, word, 1.0, &mut one)?;
            }
            for (least, doc) in least.iter_mut().zip(&run.touched) {
                *least = least.min(one.frequency[*doc as usize]);
            }
            one.clear();
        }
        for (least, doc) in least.into_iter().zip(&run.touched) {
            let frequency = &mut run.frequency[*doc as usize];
            *frequency = (1.0 - ACROSS) * *frequency + ACROSS * least;
        }
        Ok(())
    }

    /// Adds documents that hold only some of the pairs, or all of them apart.
    fn in_part(
        &self,
        segment: &SegmentReader,
        pairs: &[String],
        words: &[String],
        shares: &[f32],
        full: Scratch,
    ) -> tantivy::Result<Vec<Hit>> {
        let mut parts = Scratch::new(segment);
        let mut one = Scratch::new(segment);
        for (at, (part, share)) in pairs.iter().chain(words).zip(shares).enumerate() {
            for weight in &self.weights {
                self.word(segment, weight, part, 1.0, &mut one)?;
            }
            let covers = if at < pairs.len() { *share } else { 0.0 };
            for doc in &one.touched {
                let frequency = one.frequency[*doc as usize];
                parts.add(*doc, share * frequency / (frequency + SATURATION));
                parts.cover[*doc as usize] += covers;
            }
            one.clear();
        }
        let mut hits = Vec::with_capacity(parts.touched.len());
        for doc in parts.touched {
            if segment.is_deleted(doc) {
                continue;
            }
            let frequency = full.frequency[doc as usize];
            let part = PARTIAL * parts.frequency[doc as usize];
            hits.push(if frequency > 0.0 {
                // In its place it says more than all its parts do.
                let whole = frequency / (frequency + SATURATION);
                Hit { doc, value: 1.0 - (1.0 - whole) * (1.0 - part.min(1.0)), cover: 1.0 }
            } else {
                // Never quite all of it: the pairs stand apart.
                Hit { doc, value: part, cover: (parts.cover[doc as usize]).min(0.95) }
            });
        }
        Ok(hits)
    }

    /// Adds where `needle` stands in the text of these documents of a segment, which are sorted.
    pub fn positions(
        &self,
        segment: usize,
        needle: &Needle,
        docs: &[DocId],
        found: &mut [Vec<u32>],
    ) -> tantivy::Result<()> {
        let index = self.searcher.segment_reader(segment as u32).inverted_index(self.body)?;
        let (words, all): (Vec<&str>, bool) = match needle {
            Needle::Words(variants) => (variants.iter().map(|(word, _)| word.as_str()).collect(), false),
            Needle::Run { pairs, partial, .. } => (pairs.iter().map(String::as_str).collect(), !partial),
            Needle::Phrase(words) => (words.iter().map(|(_, word)| word.as_str()).collect(), true),
        };
        // Where all are needed the first one says where they begin.
        for word in words.iter().take(if all { 1 } else { words.len() }) {
            let Some(mut postings) = index.read_postings(
                &Term::from_field_text(self.body, word),
                IndexRecordOption::WithFreqsAndPositions,
            )?
            else {
                continue;
            };
            let mut here = Vec::new();
            for (doc, found) in docs.iter().zip(found.iter_mut()) {
                if postings.doc() < *doc {
                    postings.seek(*doc);
                }
                if postings.doc() == *doc {
                    postings.positions(&mut here);
                    found.extend_from_slice(&here);
                }
            }
        }
        Ok(())
    }

    fn word(
        &self,
        segment: &SegmentReader,
        weight: &FieldWeight,
        word: &str,
        count: f32,
        scratch: &mut Scratch,
    ) -> tantivy::Result<()> {
        let index = segment.inverted_index(weight.field)?;
        let Some(info) = index.terms().get(word)? else {
            return Ok(());
        };
        let norms = segment.get_fieldnorms_reader(weight.field)?;
        let mut postings = index.read_postings_from_terminfo(&info, IndexRecordOption::WithFreqs)?;
        let mut doc = postings.doc();
        while doc != TERMINATED {
            let frequency = count * postings.term_freq() as f32;
            scratch.add(doc, weight.normalised(frequency, norms.fieldnorm(doc)));
            doc = postings.advance();
        }
        Ok(())
    }

    fn phrase(
        &self,
        segment: &SegmentReader,
        weight: &FieldWeight,
        words: &[(u32, String)],
        scratch: &mut Scratch,
    ) -> tantivy::Result<()> {
        let index = segment.inverted_index(weight.field)?;
        let mut lists = Vec::with_capacity(words.len());
        for (position, word) in words {
            let Some(info) = index.terms().get(word)? else {
                return Ok(());
            };
            let postings =
                index.read_postings_from_terminfo(&info, IndexRecordOption::WithFreqsAndPositions)?;
            lists.push((info.doc_freq, *position, postings));
        }
        lists.sort_by_key(|(frequency, ..)| *frequency);
        let Some(((_, first, lead), others)) = lists.split_first_mut() else {
            return Ok(());
        };
        let norms = segment.get_fieldnorms_reader(weight.field)?;
        let (mut starts, mut positions) = (Vec::new(), Vec::new());
        let mut doc = lead.doc();
        while doc != TERMINATED {
            let all = others.iter_mut().all(|(_, _, postings)| {
                // Seeking backwards is not allowed; what is beyond is not here.
                (if postings.doc() < doc { postings.seek(doc) } else { postings.doc() }) == doc
            });
            if all {
                lead.positions(&mut starts);
                for (_, position, postings) in others.iter_mut() {
                    postings.positions(&mut positions);
                    starts.retain(|start| {
                        (start + *position)
                            .checked_sub(*first)
                            .is_some_and(|wanted| positions.binary_search(&wanted).is_ok())
                    });
                }
                if !starts.is_empty() {
                    scratch.add(doc, weight.normalised(starts.len() as f32, norms.fieldnorm(doc)));
                }
            }
            doc = lead.advance();
        }
        Ok(())
    }
}

impl FieldWeight {
    fn normalised(&self, frequency: f32, length: u32) -> f32 {
        self.boost * frequency / (1.0 - self.length + self.length * length as f32 / self.average)
    }
}

/// Frequencies by document of one segment.
struct Scratch {
    frequency: Vec<f32>,
    cover: Vec<f32>,
    touched: Vec<DocId>,
}

impl Scratch {
    fn new(segment: &SegmentReader) -> Self {
        let documents = segment.max_doc() as usize;
        Self { frequency: vec![0.0; documents], cover: vec![0.0; documents], touched: Vec::new() }
    }

    fn add(&mut self, doc: DocId, frequency: f32) {
        let sum = &mut self.frequency[doc as usize];
        if *sum == 0.0 {
            self.touched.push(doc);
        }
        *sum += frequency;
    }

    /// Empties it for another use.
    fn clear(&mut self) {
        for doc in self.touched.drain(..) {
            self.frequency[doc as usize] = 0.0;
        }
    }

    fn into_hits(self, segment: &SegmentReader) -> Vec<Hit> {
        self.touched
            .into_iter()
            .filter(|doc| !segment.is_deleted(*doc))
            .map(|doc| {
                let frequency = self.frequency[doc as usize];
                Hit { doc, value: frequency / (frequency + SATURATION), cover: 1.0 }
            })
            .collect()
    }
}
