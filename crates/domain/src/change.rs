//! What somebody wants to change in files, and how far it has come.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    ChangeSetId, CommentId, ContentHash, FileId, FilePlace, LineRange, OperationId, Position, SessionId,
    TurnId, VersionId, Warning,
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

/// Links in one note that lead elsewhere once a file or folder moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkUpdate {
    /// Where the note is before the move.
    pub place: FilePlace,
    /// The note's content on disk that the edits are of.
    pub base: ContentHash,
    /// What all moves of the session together ask for.
    pub edits: Vec<TextEdit>,
    /// What those asked for that were proposed before; its proposals may be in place already.
    pub pending: Vec<TextEdit>,
}

/// What a move asks of links.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Relinked {
    pub updates: Vec<LinkUpdate>,
    /// Notes with links that will not lead any more where they lead, and that nothing can be written for: what they
    /// mean leaves the knowledge base, or gets a name that no such link can hold.
    pub left: Vec<FilePlace>,
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
    /// Taking back what a turn did, or what it did at or below one path.
    RestoreTurn {
        session_id: SessionId,
        turn_id: TurnId,
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
    /// Where a move leads; a move within one folder is a rename.
    pub target: Option<FilePlace>,
    pub file_id: Option<FileId>,
    pub state: OperationState,
    /// Lines added and removed by what is not rejected.
    pub added: u32,
    pub removed: u32,
    pub hunks: u32,
    pub hunks_accepted: u32,
    pub hunks_rejected: u32,
    /// Bytes of the file before and after; set where the content is no text.
    pub sizes: Option<Sizes>,
    /// What a folder that is moved or deleted holds, counted when it was proposed.
    pub contents: Option<FolderContents>,
    /// The move whose links this operation updates; it can be rejected by itself.
    pub follows: Option<OperationId>,
    pub comments: Vec<Comment>,
    pub warnings: Vec<Warning>,
    /// The reason of a conflict or failure, or what it stands for.
    pub note: Option<Warning>,
}

/// Bytes; absent where nothing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Sizes {
    pub before: Option<u64>,
    pub after: Option<u64>,
}

/// Everything below a folder, whether indexed or not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FolderContents {
    pub files: u64,
    pub folders: u64,
    /// Files and folders whose name begins with a dot, of those above.
    pub hidden: u64,
    /// Files that no search finds, of those above.
    pub unindexed: u64,
    pub bytes: u64,
}

/// What a person said about a line of a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Comment {
    pub id: CommentId,
    pub line: CommentLine,
    /// The line as it was when the comment was made.
    pub quote: String,
    pub text: String,
    /// Milliseconds since 1970.
    pub created_at: i64,
    /// Set when it went to the assistant.
    pub sent_at: Option<i64>,
}

/// The line that a comment stands at, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", tag = "side", content = "line")]
pub enum CommentLine {
    Old(u32),
    New(u32),
    /// The operation as a whole.
    Operation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum OperationKind {
    /// Text of an existing file.
    Edit,
    CreateFile,
    CreateFolder,
    /// A file or folder goes to `target`, within its knowledge base or to another.
    Move,
    /// A file or folder goes to the system's trash.
    Delete,
    /// Only as the undo of `Delete`: what went comes back, from the trash or from its versions.
    BringBack,
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
    /// Set where the encoding or its byte-order mark changes.
    pub encoding: Option<EncodingChange>,
    /// Set for a conflict: what is on disk now differs from the base.
    pub conflict: Option<ConflictView>,
    /// The file is not as it was when this was proposed: applying meets what it is by then.
    pub outdated: bool,
}

/// Labels of encodings, with ` with BOM` where there is one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct EncodingChange {
    pub before: String,
    pub after: String,
}

/// A conflict: what was proposed on, what is on disk now, and what the proposal makes of its base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ConflictView {
    pub base: Option<String>,
    pub disk: Option<String>,
    /// Of the bytes on disk, to be given back when the conflict is resolved.
    pub disk_hash: Option<ContentHash>,
    pub proposal: Option<String>,
    /// The texts side by side, covering all of them in order; a missing base counts as empty. Empty where
    /// the disk has no text or the proposal takes the file away: one choice then decides the whole.
    pub regions: Vec<MergeRegion>,
}

/// Lines that one or both sides changed, or none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct MergeRegion {
    pub kind: MergeKind,
    /// `end < start` means no line.
    pub base: LineRange,
    pub disk: LineRange,
    pub proposal: LineRange,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum MergeKind {
    Same,
    /// Only the disk changed here.
    Disk,
    /// Only the proposal changes here.
    Proposal,
    /// Both make the same change.
    Both,
    /// Each makes its own.
    Meets,
}

/// What becomes of a region where both sides changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", tag = "take", content = "text")]
pub enum MergeChoice {
    Disk,
    Proposal,
    /// Disk first, then proposal.
    Both,
    /// Lines written by hand, each ending with a line break.
    Text(String),
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
