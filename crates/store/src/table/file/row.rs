//! What is known of a file.

use orangery_domain::text::Encoding;
use orangery_domain::{ContentHash, FileId, FileInfo, FileKind, KbId, KbPath, Warning};

use crate::root::{EntryKind, Meta};
use crate::{Error, Result};

/// A scanned file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    pub id: FileId,
    pub kb_id: KbId,
    /// Spelled as on disk.
    pub path: KbPath,
    pub kind: FileKind,
    /// Bytes.
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified_ns: i64,
    pub inode: Option<u64>,
    /// Of the bytes; absent while they could not be read.
    pub hash: Option<ContentHash>,
    /// Label of the encoding the text was decoded with.
    pub encoding: Option<String>,
    /// Whether the user chose it.
    pub encoding_chosen: bool,
    pub title: String,
    pub tags: Vec<String>,
    pub trouble: Option<Warning>,
    /// Of a document: the version of the readers that its text comes from; 0 before it was read.
    pub read_version: u32,
    /// Of a document: it may have changed since it was read.
    pub waits: bool,
    /// What is odd about what was read.
    pub warnings: Vec<Warning>,
    /// Raised by every change; the index holds `indexed_generation`.
    pub generation: i64,
    pub indexed_generation: i64,
}

/// What the file system said when the content was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    pub size: u64,
    pub modified_ns: i64,
    pub inode: Option<u64>,
}

/// What extraction found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    pub stamp: Stamp,
    pub hash: Option<ContentHash>,
    pub encoding: Option<String>,
    pub title: String,
    pub tags: Vec<String>,
    pub trouble: Option<Warning>,
}

impl From<Meta> for Stamp {
    fn from(meta: Meta) -> Self {
        Self { size: meta.size, modified_ns: meta.modified_ns, inode: meta.inode }
    }
}

impl FileRow {
    pub fn stamp(&self) -> Stamp {
        Stamp { size: self.size, modified_ns: self.modified_ns, inode: self.inode }
    }

    /// What the file system said of it last.
    pub fn meta(&self) -> Meta {
        Meta {
            kind: EntryKind::File,
            size: self.size,
            modified_ns: self.modified_ns,
            inode: self.inode,
            device: None,
            read_only: false,
            mode: None,
        }
    }

    /// The encoding that the user chose for this file: what its bytes are read with, whatever they look like.
    pub fn chosen_encoding(&self) -> Option<Encoding> {
        self.encoding.as_deref().filter(|_| self.encoding_chosen).and_then(Encoding::from_label)
    }

    pub fn info(&self) -> FileInfo {
        FileInfo {
            id: self.id,
            kb_id: self.kb_id,
            path: self.path.clone(),
            kind: self.kind,
            title: self.title.clone(),
            size: self.size,
            modified_at: self.modified_ns.div_euclid(1_000_000),
            trouble: self.trouble.clone(),
            warnings: self.warnings.clone(),
            waiting: self.kind.is_document() && (self.waits || self.read_version == 0),
        }
    }
}

pub(super) struct Raw {
    pub file_id: i64,
    pub knowledge_base_id: i64,
    pub path: String,
    pub kind: String,
    pub size: i64,
    pub modified_ns: i64,
    pub inode: Option<i64>,
    pub hash: Option<Vec<u8>>,
    pub encoding: Option<String>,
    pub encoding_chosen: i64,
    pub title: String,
    pub tags: String,
    pub trouble_code: Option<String>,
    pub trouble_detail: Option<String>,
    pub read_version: i64,
    pub waits: i64,
    pub warnings: String,
    pub generation: i64,
    pub indexed_generation: i64,
}

impl TryFrom<Raw> for FileRow {
    type Error = Error;

    fn try_from(raw: Raw) -> Result<Self> {
        let stored = |what, value: &str| Error::Stored { what, value: value.into() };
        Ok(Self {
            id: FileId(raw.file_id),
            kb_id: KbId(raw.knowledge_base_id),
            path: KbPath::parse(&raw.path).map_err(|_| stored("a path", &raw.path))?,
            kind: FileKind::from_name(&raw.kind).ok_or_else(|| stored("a file kind", &raw.kind))?,
            size: u64::try_from(raw.size).unwrap_or(0),
            modified_ns: raw.modified_ns,
            inode: raw.inode.map(i64::cast_unsigned),
            hash: raw.hash.and_then(|bytes| bytes.try_into().ok()).map(ContentHash),
            encoding: raw.encoding,
            encoding_chosen: raw.encoding_chosen != 0,
            title: raw.title,
            tags: serde_json::from_str(&raw.tags).map_err(|_| stored("tags", &raw.tags))?,
            trouble: raw.trouble_code.map(|code| Warning::new(&code, raw.trouble_detail.unwrap_or_default())),
            read_version: u32::try_from(raw.read_version).unwrap_or(0),
            waits: raw.waits != 0,
            warnings: serde_json::from_str(&raw.warnings).map_err(|_| stored("warnings", &raw.warnings))?,
            generation: raw.generation,
            indexed_generation: raw.indexed_generation,
        })
    }
}

/// What was found, as columns.
pub(super) struct Columns<'a> {
    pub size: i64,
    pub inode: Option<i64>,
    pub hash: Option<&'a [u8]>,
    pub tags: String,
    pub trouble_code: Option<&'a str>,
    pub trouble_detail: Option<&'a str>,
}

impl<'a> Columns<'a> {
    pub fn of(content: &'a Content) -> Self {
        Self {
            size: content.stamp.size.cast_signed(),
            inode: content.stamp.inode.map(u64::cast_signed),
            hash: content.hash.as_ref().map(|hash| &hash.0[..]),
            tags: serde_json::Value::from(content.tags.clone()).to_string(),
            trouble_code: content.trouble.as_ref().map(|trouble| &*trouble.code),
            trouble_detail: content.trouble.as_ref().map(|trouble| &*trouble.detail),
        }
    }
}
