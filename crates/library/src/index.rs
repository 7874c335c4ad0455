//! The full-text index: what it holds and how it is opened. It can be deleted at any time; SQLite
//! holds all that is needed to build it again.

pub mod content;
pub mod expand;
pub mod fold;
pub mod han;
pub mod lexicon;
pub mod postings;
pub mod token;
pub mod writer;

use std::path::Path;

use orangery_domain::FileId;
use orangery_store::files;
use tantivy::directory::error::{OpenDirectoryError, OpenReadError};
use tantivy::schema::{FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::TextAnalyzer;
use tantivy::{Index, IndexReader, IndexSettings, ReloadPolicy, Searcher, TantivyError};

use crate::stop::{self, Point};
use token::NoteTokenizer;

/// Raised whenever fields or tokens change: an index of another number is built anew.
const SCHEMA: &str = "2";
const TOKENIZER: &str = "note";

/// A file is one document with its names, and one for each of its passages.
#[derive(Debug, Clone, Copy)]
pub struct Fields {
    /// The file a document belongs to.
    pub file: Field,
    /// Set to the file's id on the document that holds its names.
    pub names_of: Field,
    /// 0 for the names, else the passage's ordinal plus one.
    pub part: Field,
    pub title: Field,
    pub path: Field,
    pub tags: Field,
    pub headings: Field,
    pub body: Field,
}

/// An open index, for reading.
#[derive(Clone)]
pub struct OpenIndex {
    pub index: Index,
    pub reader: IndexReader,
    pub fields: Fields,
}

/// Why an index could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Not there, of another schema, or damaged: to be built anew.
    #[error("the index is to be built anew: {0}")]
    Rebuild(String),
    /// Nothing is known to be wrong with it, but it cannot be reached: to be left alone.
    #[error("the index cannot be opened: {0}")]
    Unavailable(String),
}

fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let text = || {
        TextOptions::default().set_indexing_options(
            TextFieldIndexing::default()
                .set_tokenizer(TOKENIZER)
                .set_index_option(IndexRecordOption::WithFreqsAndPositions),
        )
    };
    let fields = Fields {
        file: builder.add_u64_field("file", INDEXED | FAST),
        names_of: builder.add_u64_field("names_of", INDEXED),
        part: builder.add_u64_field("part", FAST),
        title: builder.add_text_field("title", text()),
        path: builder.add_text_field("path", text()),
        tags: builder.add_text_field("tags", text()),
        headings: builder.add_text_field("headings", text()),
        body: builder.add_text_field("body", text()),
    };
    (builder.build(), fields)
}

/// Opens the index in `folder` and reads all of it once. What is torn so that its reader does not expect
/// it makes that panic: a file of fewer bytes than its own footer does.
pub fn open(folder: &Path) -> Result<OpenIndex, OpenError> {
    std::panic::catch_unwind(|| read(folder))
        .unwrap_or_else(|_| Err(OpenError::Rebuild("its reader gave up on it".into())))
}

fn read(folder: &Path) -> Result<OpenIndex, OpenError> {
    let stored = files::read(&folder.join("schema")).map_err(|error| match &error {
        orangery_store::Error::Io { source, .. } if is_damage(source.kind()) => {
            OpenError::Rebuild(error.to_string())
        }
        _ => OpenError::Unavailable(error.to_string()),
    })?;
    match stored.as_deref().map(String::from_utf8_lossy) {
        Some(number) if number == SCHEMA => {}
        Some(number) => return Err(OpenError::Rebuild(format!("its schema is {number}, not {SCHEMA}"))),
        None => return Err(OpenError::Rebuild("there is none".into())),
    }
    // Each system has another error for a folder that is read as a file.
    let entries = folder.read_dir().into_iter().flatten().flatten();
    if let Some(inside) = entries.into_iter().find(|entry| entry.path().is_dir()) {
        return Err(OpenError::Rebuild(format!("{:?} is a folder", inside.file_name())));
    }
    let opened = Index::open_in_dir(folder).map_err(classify)?;
    let damaged = opened.validate_checksum().map_err(classify)?;
    if let Some(file) = damaged.iter().next() {
        return Err(OpenError::Rebuild(format!("{} is damaged", file.display())));
    }
    let open = prepare(opened).map_err(classify)?;
    probe(&open).map_err(classify)?;
    Ok(open)
}

/// Creates an empty index in `folder`, setting aside what is there.
pub fn create(folder: &Path) -> Result<OpenIndex, OpenError> {
    let unavailable = |error: orangery_store::Error| OpenError::Unavailable(error.to_string());
    if folder.join("schema").exists() || folder.is_file() {
        files::set_aside(folder).map_err(unavailable)?;
    } else {
        // Never finished: nothing in it is worth a look.
        files::remove_folder(folder).map_err(unavailable)?;
    }
    files::create_private(folder).map_err(unavailable)?;
    let (schema, _) = schema();
    let index = Index::builder()
        .schema(schema)
        .settings(IndexSettings::default())
        .create_in_dir(folder)
        .map_err(|error| OpenError::Unavailable(error.to_string()))?;
    stop::point(Point::BeforeWhole);
    // Written last: a folder without it was never finished.
    files::write(&folder.join("schema"), SCHEMA.as_bytes()).map_err(unavailable)?;
    stop::point(Point::Whole);
    prepare(index).map_err(|error| OpenError::Unavailable(error.to_string()))
}

fn prepare(index: Index) -> tantivy::Result<OpenIndex> {
    let (wanted, fields) = schema();
    if index.schema() != wanted {
        return Err(TantivyError::SchemaError("other fields".into()));
    }
    index.tokenizers().register(TOKENIZER, TextAnalyzer::from(NoteTokenizer::default()));
    let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
    Ok(OpenIndex { index, reader, fields })
}

/// Asks a first question: what answers it will answer the next ones.
fn probe(open: &OpenIndex) -> tantivy::Result<()> {
    let searcher = open.reader.searcher();
    files_in(&searcher)?;
    for segment in searcher.segment_readers() {
        let terms = segment.inverted_index(open.fields.body)?;
        let mut stream = terms.terms().stream()?;
        if let Some((_, info)) = stream.next() {
            terms.read_postings_from_terminfo(info, IndexRecordOption::WithFreqsAndPositions)?;
        }
    }
    Ok(())
}

/// The files that the index holds, sorted.
pub fn files_in(searcher: &Searcher) -> tantivy::Result<Vec<FileId>> {
    let mut ids = Vec::new();
    for segment in searcher.segment_readers() {
        let column = segment.fast_fields().u64("file")?;
        ids.extend(
            segment.doc_ids_alive().filter_map(|doc| column.first(doc)).map(|id| FileId(id.cast_signed())),
        );
    }
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
}

/// Whether an error says that the index itself is at fault.
pub fn is_damaged(error: &TantivyError) -> bool {
    match error {
        TantivyError::DataCorruption(_)
        | TantivyError::SchemaError(_)
        | TantivyError::IncompatibleIndex(_)
        | TantivyError::FieldNotFound(_)
        | TantivyError::DeserializeError(_)
        | TantivyError::OpenReadError(
            OpenReadError::FileDoesNotExist(_) | OpenReadError::IncompatibleIndex(_),
        )
        | TantivyError::OpenDirectoryError(
            OpenDirectoryError::DoesNotExist(_) | OpenDirectoryError::NotADirectory(_),
        ) => true,
        TantivyError::IoError(error) => is_damage(error.kind()),
        TantivyError::OpenReadError(OpenReadError::IoError { io_error, .. }) => is_damage(io_error.kind()),
        _ => false,
    }
}

/// Only what is known to be damage leads to building anew; a lock, missing rights or a failing disk
/// must not cost the index.
fn classify(error: TantivyError) -> OpenError {
    let rebuild = is_damaged(&error);
    if rebuild { OpenError::Rebuild(error.to_string()) } else { OpenError::Unavailable(error.to_string()) }
}

/// A file that is too short, does not say what it should, or is none.
fn is_damage(kind: std::io::ErrorKind) -> bool {
    matches!(
        kind,
        std::io::ErrorKind::UnexpectedEof
            | std::io::ErrorKind::InvalidData
            | std::io::ErrorKind::NotFound
            | std::io::ErrorKind::IsADirectory
            | std::io::ErrorKind::NotADirectory
    )
}
