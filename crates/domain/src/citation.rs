//! Asking and citing.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{FileId, FileKind, FilePlace, KbId, LineRange, Spot, Warning};

/// A search in notes. Filters only ever narrow `kb_ids`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct SearchQuery {
    pub text: String,
    /// Empty means every knowledge base.
    pub kb_ids: Vec<KbId>,
    /// Whether operators (`"…"`, `-x`, `OR`, `tag:`…) are read; off for the assistant's plain language.
    pub operators: bool,
    /// Whether the last word is a prefix, as it is while somebody types.
    pub prefix: bool,
    pub path_prefix: Option<String>,
    pub tags: Vec<String>,
    pub file_types: Vec<FileKind>,
    /// Milliseconds since 1970, inclusive.
    pub updated_after: Option<i64>,
    /// Milliseconds since 1970, exclusive.
    pub updated_before: Option<i64>,
    /// Files to skip.
    pub offset: u32,
    /// Files to return; 0 means 20.
    pub limit: u32,
    /// Passages per file; 0 means 3.
    pub per_file: u32,
}

/// One page of results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SearchPage {
    pub groups: Vec<SearchGroup>,
    /// Files that match in all; a lower bound when `more` is set.
    pub total_files: u64,
    pub more: bool,
    /// Soft trouble: a malformed operator was read as words, and the like.
    pub warnings: Vec<Warning>,
    /// Set while the index is behind the files: results are honest but not complete.
    pub incomplete: Option<Incomplete>,
    /// Microseconds spent.
    pub took_us: u64,
}

/// `done` of `total` files are searchable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Incomplete {
    pub done: u64,
    pub total: u64,
}

/// The hits of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SearchGroup {
    pub file_id: FileId,
    pub place: FilePlace,
    pub kb_name: String,
    pub kind: FileKind,
    pub title: String,
    /// UTF-16 ranges of `title` that matched.
    pub title_marks: Vec<(u32, u32)>,
    pub modified_at: i64,
    pub hits: Vec<Citation>,
}

/// A passage and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Citation {
    pub file_id: FileId,
    pub place: FilePlace,
    pub title: String,
    /// Headings above the passage, outermost first.
    pub heading_path: Vec<String>,
    pub lines: LineRange,
    /// First and last block of the match, from 1; absent in notes, which have lines.
    #[serde(default)]
    pub blocks: Option<(u32, u32)>,
    /// Where the match begins in a document.
    #[serde(default)]
    pub spot: Option<Spot>,
    /// Where it ends, when that is elsewhere.
    #[serde(default)]
    pub spot_end: Option<Spot>,
    /// Readable text around the match, at most about 240 characters.
    pub snippet: String,
    /// UTF-16 ranges of `snippet` that matched.
    pub marks: Vec<(u32, u32)>,
}

/// A name for the quick switcher.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NameHit {
    pub file_id: FileId,
    pub place: FilePlace,
    pub kb_name: String,
    pub title: String,
    pub kind: FileKind,
    /// UTF-16 ranges of the path that matched.
    pub marks: Vec<(u32, u32)>,
}
