//! What somebody wants to change in files, and how far it has come.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    ChangeSetId, ContentHash, FileId, FilePlace, LineRange, OperationId, Position, SessionId, TurnId,
    VersionId, Warning,
};

/// Replace `range` of a decoded text with `insert`. In a list, ranges are of the base text, in order
/// and apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEdit {
    /// Bytes of the decoded UTF-8 text, on character bounds.
    pub range: Range<usize>,
    pub insert: String,
}

/// The same as an editor says it: lines and UTF-16 columns of the base. A line break in `insert` is
/// `\n` and becomes the line ending of the place where it lands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PositionEdit {
    pub from: Position,
    pub to: Position,
    pub insert: String,
}

/// Where a change comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "source")]
pub enum Provenance {
    /// The user, in the editor, the tree or the command line.
    Manual,
    Assistant {
        session_id: SessionId,
        turn_id: Option<TurnId>,
        goal: String,
    },
    /// Taking back an earlier change.
    Undo {
        of: ChangeSetId,
    },
    Restore {
        version: VersionId,
    },
    /// Noticed by the watcher.
    Outside,
}

/// A change set in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ChangeSetSummary {
    pub id: ChangeSetId,
    pub provenance: Provenance,
    pub state: ChangeSetState,
    /// Milliseconds since 1970.
    pub created_at: i64,
    pub applied_at: Option<i64>,
    pub operations: u32,
    /// Operations that wait for a decision or for being applied.
    pub pending: u32,
    /// First few file names, for people.
    pub names: Vec<String>,
    /// Set when another set took this one back.
    pub undone_by: Option<ChangeSetId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum ChangeSetState {
    Pending,
    PartlyApplied,
    Applied,
    Rejected,
    Undone,
}

/// A change set with its operations, for review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ChangeSet {
    pub summary: ChangeSetSummary,
    pub operations: Vec<Operation>,
}

/// One change in a change set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Operation {
    pub id: OperationId,
    pub change_set_id: ChangeSetId,
    pub kind: OperationKind,
    pub place: FilePlace,
    pub file_id: Option<FileId>,
    pub state: OperationState,
    /// Lines added and removed by what is not rejected.
    pub added: u32,
    pub removed: u32,
    pub hunks: u32,
    pub hunks_accepted: u32,
    pub hunks_rejected: u32,
    pub warnings: Vec<Warning>,
    /// What the assistant said about it, or the reason of a conflict or failure.
    pub note: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum OperationKind {
    /// Text of an existing file.
    Edit,
    CreateFile,
    CreateFolder,
    /// Only as the undo of `CreateFile` and `CreateFolder`: the file, if still as it was made, goes.
    RemoveCreated,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum OperationState {
    /// Nobody has decided (hunks may be decided one by one).
    Undecided,
    Accepted,
    Rejected,
    Applied,
    /// The base moved; nothing was written.
    Conflict,
    /// Applying failed; the file is as it was.
    Failed,
}

/// What one operation does, line by line, computed from real bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OperationDiff {
    pub operation: Operation,
    /// Total lines before and after.
    pub old_lines: u32,
    pub new_lines: u32,
    pub hunks: Vec<Hunk>,
    /// Set for a conflict: what is on disk now differs from the base.
    pub conflict: Option<ConflictView>,
}

/// The three texts of a conflict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ConflictView {
    pub base: Option<String>,
    pub disk: Option<String>,
    pub proposal: Option<String>,
}

/// A run of changed lines with context. `index` counts from 0 within its operation and stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Hunk {
    pub index: u32,
    pub decision: HunkDecision,
    /// Lines before and after, context included; `end < start` means none.
    pub old: LineRange,
    pub new: LineRange,
    /// Headings above the hunk.
    pub heading_path: Vec<String>,
    pub rows: Vec<DiffRow>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, Default)]
#[serde(rename_all = "camelCase")]
pub enum HunkDecision {
    #[default]
    Undecided,
    Accepted,
    Rejected,
}

/// One line of a diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DiffRow {
    pub sign: DiffSign,
    /// From 1; absent on the side where the line does not exist.
    pub old_line: Option<u32>,
    pub new_line: Option<u32>,
    /// Without its line ending.
    pub text: String,
    /// UTF-16 ranges of `text` that differ from the paired line.
    pub marks: Vec<(u32, u32)>,
    /// `LF`, `CRLF`, `CR` or `none`, set where the two sides differ in it.
    pub ending: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum DiffSign {
    Same,
    Removed,
    Added,
}

/// A decision on an operation, or on one of its hunks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    pub operation_id: OperationId,
    /// Absent: the whole operation.
    pub hunk: Option<u32>,
    pub decision: HunkDecision,
}

/// What applying did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Applied {
    pub change_set_id: ChangeSetId,
    pub applied: Vec<OperationId>,
    pub conflicts: Vec<OperationId>,
    pub failed: Vec<OperationId>,
    pub state: ChangeSetState,
}

/// A stored earlier content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    pub id: VersionId,
    pub place: FilePlace,
    pub provenance: Provenance,
    pub hash: ContentHash,
    /// Bytes of the content.
    pub size: u64,
    /// Milliseconds since 1970.
    pub created_at: i64,
    pub change_set_id: Option<ChangeSetId>,
}
