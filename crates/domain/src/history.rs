//! Earlier contents of files.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{ChangeSetId, ContentHash, EncodingChange, FilePlace, Hunk, Provenance, Sizes, VersionId};

/// A stored earlier content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    pub id: VersionId,
    /// Where the file was when this was stored.
    pub place: FilePlace,
    /// Of the change that replaced this content.
    pub provenance: Provenance,
    pub hash: ContentHash,
    /// Bytes of the content.
    pub size: u64,
    /// Milliseconds since 1970.
    pub created_at: i64,
    pub change_set_id: Option<ChangeSetId>,
}

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", tag = "at", content = "id")]
pub enum Moment {
    Version(VersionId),
    /// The file as it is on disk.
    Now,
}

/// Two contents of one file, compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct VersionDiff {
    pub sizes: Sizes,
    /// Whether both are text; `hunks` are empty otherwise.
    pub text: bool,
    pub old_lines: u32,
    pub new_lines: u32,
    pub added: u32,
    pub removed: u32,
    pub hunks: Vec<Hunk>,
    pub encoding: Option<EncodingChange>,
}

/// What history takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct HistoryUsage {
    pub versions: u64,
    pub files: u64,
    /// Bytes of the contents, each counted once.
    pub content_bytes: u64,
    /// Bytes that they take, compressed.
    pub stored_bytes: u64,
    /// Bytes that a vacuum would give back, of versions beyond what is kept and of free pages.
    pub reclaimable_bytes: u64,
}
