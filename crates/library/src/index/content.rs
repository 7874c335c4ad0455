//! What an index holds, so that it can be compared with what it should hold.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use orangery_domain::FileId;
use tantivy::postings::Postings;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, Index, IndexWriter, TERMINATED};

use super::writer::{self, FileText};
use super::{OpenIndex, prepare, schema};

/// Of every file each part, with how many documents say so and a sum over all words at all their positions:
/// equal sums, equal documents.
pub type Content = HashMap<FileId, HashMap<u64, (u32, u64)>>;

/// Bytes for an index that is made to be compared.
const MEMORY: usize = 15 << 20;

/// What the index holds now.
pub fn held(open: &OpenIndex) -> tantivy::Result<Content> {
    let fields = &open.fields;
    let searcher = open.reader.searcher();
    let mut content = Content::new();
    for segment in searcher.segment_readers() {
        let (file, part) = (segment.fast_fields().u64("file")?, segment.fast_fields().u64("part")?);
        let mut sums = vec![0_u64; segment.max_doc() as usize];
        let mut positions = Vec::new();
        for field in [fields.title, fields.path, fields.tags, fields.headings, fields.body] {
            let words = segment.inverted_index(field)?;
            let mut terms = words.terms().stream()?;
            while let Some((word, info)) = terms.next() {
                let info = info.clone();
                let mut postings =
                    words.read_postings_from_terminfo(&info, IndexRecordOption::WithFreqsAndPositions)?;
                while postings.doc() != TERMINATED {
                    postings.positions(&mut positions);
                    let sum = &mut sums[postings.doc() as usize];
                    for position in &positions {
                        *sum = sum.wrapping_add(mixed(field.field_id(), word, *position));
                    }
                    postings.advance();
                }
            }
        }
        for doc in segment.doc_ids_alive() {
            let file = FileId(file.first(doc).unwrap_or_default().cast_signed());
            let part = part.first(doc).unwrap_or_default();
            let (count, sum) = content.entry(file).or_default().entry(part).or_default();
            *count += 1;
            *sum = sum.wrapping_add(sums[doc as usize]);
        }
    }
    Ok(content)
}

/// What an index of these files would hold.
pub fn expected(files: &[FileText]) -> tantivy::Result<Content> {
    let open = prepare(Index::create_in_ram(schema().0))?;
    let mut writer: IndexWriter = open.index.writer_with_num_threads(1, MEMORY)?;
    for file in files {
        writer::add(&open, &writer, file)?;
    }
    writer.commit()?;
    open.reader.reload()?;
    held(&open)
}

fn mixed(field: u32, word: &[u8], position: u32) -> u64 {
    let mut hasher = DefaultHasher::new();
    (field, word, position).hash(&mut hasher);
    hasher.finish()
}
