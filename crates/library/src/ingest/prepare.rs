//! From a file on disk to what the database and the index hold of it.

use std::time::{Duration, SystemTime};

use orangery_domain::text::{self, Encoding};
use orangery_domain::{ContentHash, FileKind, KbPath, Warning};
use orangery_extract::Extracted;
use orangery_store::root::{Meta, Root};
use orangery_store::table::chunk::Chunk;
use orangery_store::table::file::{Content, FileRow, Stamp};
use orangery_store::table::link::LinkRow;

use crate::chunk::chunks;
use crate::links::target_key;
use crate::scan::Found;
use crate::sensitive::is_private_key;
use crate::trouble;

/// Larger notes are listed and not indexed.
pub const NOTE_LIMIT: u64 = 32 << 20;
/// Characters of a line shown with a link.
const CONTEXT: usize = 240;

/// What is to be looked at.
#[derive(Debug, Clone)]
pub struct Job {
    pub found: Found,
    /// The row that is about this file now.
    pub row: Option<std::sync::Arc<FileRow>>,
    /// The row's hash is believed although size or time moved: only its place changed.
    pub trust: bool,
}

/// What was found out.
#[derive(Debug)]
pub struct Prepared {
    pub job: Job,
    /// What the row shall say of the file's time and size.
    pub stamp: Stamp,
    pub outcome: Outcome,
}

#[derive(Debug)]
pub enum Outcome {
    /// The bytes are those of the row.
    Same,
    /// A document may have changed; it is read later.
    Waits,
    New(Box<New>),
    /// The bytes cannot be had now: what is known of them stays.
    Unread(Warning),
    /// The file went away meanwhile.
    Gone,
}

#[derive(Debug)]
pub struct New {
    pub content: Content,
    pub chunks: Vec<Chunk>,
    pub links: Vec<LinkRow>,
}

/// Reads and extracts. Never fails: what is wrong with a file is its trouble.
pub fn prepare(root: &Root, job: Job, prior: &[Encoding]) -> Prepared {
    let stamp = stamp(job.found.meta, SystemTime::now());
    let outcome = outcome(root, &job, stamp, prior);
    Prepared { job, stamp, outcome }
}

/// The coarsest clock among file systems still in use, FAT's.
const CLOCK: Duration = Duration::from_secs(2);

/// A file that changed just before it was read may change again with the same size and time. Its stamp
/// is a nanosecond off, so that the next scan reads it again instead of believing it.
fn stamp(meta: Meta, now: SystemTime) -> Stamp {
    let mut stamp = Stamp::from(meta);
    let settled = now.checked_sub(CLOCK).and_then(|then| then.duration_since(SystemTime::UNIX_EPOCH).ok());
    let settled = settled.map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX));
    if stamp.modified_ns > settled {
        stamp.modified_ns -= 1;
    }
    stamp
}

/// Whether a file that changes now gets another size or time.
pub fn is_settled(meta: Meta) -> bool {
    stamp(meta, SystemTime::now()) == Stamp::from(meta)
}

fn outcome(root: &Root, job: &Job, stamp: Stamp, prior: &[Encoding]) -> Outcome {
    let Found { path, meta } = &job.found;
    let kind = FileKind::of_name(path.name());
    if let Some(row) = &job.row
        && row.kind == kind
        && (job.trust || !kind.is_note())
    {
        return if kind.is_document() && !job.trust { Outcome::Waits } else { Outcome::Same };
    }
    if !kind.is_note() {
        return bare(path, stamp, None, None);
    }
    if meta.size > NOTE_LIMIT {
        let limit = trouble::TOO_LARGE.of((NOTE_LIMIT >> 20).to_string());
        return bare(path, stamp, None, Some(limit));
    }
    let bytes = match root.resolve(path).and_then(|checked| checked.read()) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == orangery_domain::ErrorKind::NotFound => return Outcome::Gone,
        Err(error) => {
            let unreadable = trouble::UNREADABLE.of(error.code());
            return match &job.row {
                Some(row) if row.kind == kind => Outcome::Unread(unreadable),
                _ => bare(path, stamp, None, Some(unreadable)),
            };
        }
    };
    let hash = ContentHash::of(&bytes);
    let chosen = job.row.as_ref().and_then(|row| row.chosen_encoding());
    if let Some(row) = &job.row
        && row.hash == Some(hash)
        && row.kind == kind
        && !is_redecoded(row)
    {
        return Outcome::Same;
    }
    match text::decode(&bytes, chosen, prior) {
        Err(undecodable) => bare(path, stamp, Some(hash), Some(undecodable.reason)),
        Ok(decoded) if is_private_key(&decoded.text) => {
            bare(path, stamp, Some(hash), Some(trouble::SENSITIVE.of("")))
        }
        Ok(decoded) => {
            let extracted = orangery_extract::note(kind, &decoded.text);
            let label = decoded.encoding.label().to_owned();
            Outcome::New(Box::new(of_text(path, stamp, hash, label, &decoded.text, extracted)))
        }
    }
}

/// Choosing an encoding clears the hash, so that the same bytes are read anew.
fn is_redecoded(row: &FileRow) -> bool {
    row.hash.is_none()
}

fn of_text(
    path: &KbPath,
    stamp: Stamp,
    hash: ContentHash,
    encoding: String,
    text: &str,
    extracted: Extracted,
) -> New {
    let links = extracted.links.iter().filter_map(|link| {
        let key = target_key(link.kind, &link.target)?;
        Some(LinkRow {
            kind: link.kind,
            target: link.target.clone(),
            target_key: key,
            fragment: link.fragment.clone(),
            line: link.line,
            context: context(text, link.range.start),
        })
    });
    New {
        links: links.collect(),
        chunks: chunks(text, &extracted.blocks),
        content: Content {
            stamp,
            hash: Some(hash),
            encoding: Some(encoding),
            title: title(extracted.title, path),
            tags: extracted.tags,
            trouble: None,
        },
    }
}

fn title(own: Option<String>, path: &KbPath) -> String {
    own.filter(|title| !title.trim().is_empty()).unwrap_or_else(|| path.stem().to_owned())
}

/// A file of which only the name is known.
fn bare(path: &KbPath, stamp: Stamp, hash: Option<ContentHash>, trouble: Option<Warning>) -> Outcome {
    Outcome::New(Box::new(New {
        content: Content { stamp, hash, encoding: None, title: title(None, path), tags: Vec::new(), trouble },
        chunks: Vec::new(),
        links: Vec::new(),
    }))
}

/// The line around a link, cut to a readable length.
fn context(text: &str, at: usize) -> String {
    let start = text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let end = text[at..].find(['\n', '\r']).map_or(text.len(), |end| at + end);
    let line = text[start..end].trim();
    match line.char_indices().nth(CONTEXT) {
        None => line.to_owned(),
        Some(_) => {
            // Keep the link itself in sight.
            let from = text[start..at]
                .char_indices()
                .rev()
                .nth(CONTEXT / 3)
                .map_or(start, |(offset, _)| start + offset);
            text[from..end].chars().take(CONTEXT).collect()
        }
    }
}
