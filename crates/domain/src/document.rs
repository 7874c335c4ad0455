//! Files as the user meets them, and the blocks that extraction yields.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{ContentHash, FileId, FileKind, FilePlace, KbId, KbPath, LineRange, Warning};

/// A link as it is written in a note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WrittenLink {
    pub kind: LinkKind,
    pub target: String,
    /// Heading or block, without `#`.
    #[serde(default)]
    pub fragment: Option<String>,
}

/// A registered folder and how far its index is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct KnowledgeBase {
    pub id: KbId,
    pub name: String,
    /// Absolute path, as the platform writes it.
    pub root: String,
    /// The root cannot be reached now; the index is kept.
    pub offline: bool,
    /// Files known, all kinds.
    pub files: u64,
    /// Of these, files that could not be read or decoded.
    pub unreadable: u64,
    pub scan: ScanState,
    /// Milliseconds since 1970 of the last finished scan.
    pub scanned_at: Option<i64>,
    /// Watched by polling because the system's watch limit is reached.
    pub polling: bool,
    /// What is wrong with it now, such as a folder that cannot be read.
    #[serde(default)]
    pub troubles: Vec<Warning>,
}

/// Progress of scan and indexing. Counts never go backwards while `phase` stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, Default)]
#[serde(rename_all = "camelCase")]
pub struct ScanState {
    pub phase: ScanPhase,
    /// Files found on disk so far.
    pub found: u64,
    /// Files whose text is in the database.
    pub extracted: u64,
    /// Files that search finds.
    pub searchable: u64,
    /// Documents among them.
    #[serde(default)]
    pub documents: u64,
    /// Documents that are read, or were found to be unreadable.
    #[serde(default)]
    pub documents_read: u64,
    /// Pages, slides, chapters and sheets read since the app was started.
    #[serde(default)]
    pub pages: u64,
    /// The file at work, for people.
    pub current: Option<String>,
    /// Set while the user keeps it from going on; what was not looked at yet is not found then.
    #[serde(default)]
    pub held: Option<ScanHold>,
}

/// How a scan was stopped by the user. Either way nothing is lost, and a rescan goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum ScanHold {
    /// Everything waits, also what changes meanwhile.
    Paused,
    /// The scan is given up: what changes from now on is taken in, what was left over is not.
    Cancelled,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, Default)]
#[serde(rename_all = "camelCase")]
pub enum ScanPhase {
    #[default]
    Idle,
    Scanning,
    Indexing,
    /// Notes are done; documents are being read.
    Reading,
    Failed,
}

/// One row of the tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TreeEntry {
    pub kb_id: KbId,
    pub path: KbPath,
    pub name: String,
    pub folder: bool,
    /// Absent for folders and for files the scan does not know (links, strange names).
    pub file_id: Option<FileId>,
    pub kind: FileKind,
    /// Bytes.
    pub size: u64,
    /// Milliseconds since 1970.
    pub modified_at: i64,
    /// Why it cannot be read or written, when it cannot.
    pub trouble: Option<Warning>,
}

/// What is known of one scanned file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FileInfo {
    pub id: FileId,
    pub kb_id: KbId,
    pub path: KbPath,
    pub kind: FileKind,
    /// First heading or front matter title, else the stem.
    pub title: String,
    /// Bytes.
    pub size: u64,
    /// Milliseconds since 1970.
    pub modified_at: i64,
    pub trouble: Option<Warning>,
    /// What was left out of a document's text, or is odd about it.
    #[serde(default)]
    pub warnings: Vec<Warning>,
    /// A document that has not been read yet.
    #[serde(default)]
    pub waiting: bool,
}

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum BlockKind {
    FrontMatter,
    /// `level` 1 to 6.
    Heading {
        level: u8,
    },
    Paragraph,
    ListItem,
    Quote,
    /// As written in a note; of a document one line a row, its cells apart by tabs.
    Table,
    Code,
    Math,
    Html,
    Footnote,
    Rule,
    /// A line of plain text.
    Line,
    /// A row of a sheet, its cells apart by tabs.
    Row,
    Caption,
    /// What a page repeats above or below its text: running heads, page numbers.
    Header,
    Footer,
    Endnote,
    Comment,
    /// What a speaker sees beside a slide.
    SpeakerNotes,
}

/// The smallest structural unit that extraction yields, with its place in the decoded text.
/// Blocks are in order and do not overlap; every byte that is not blank lies in exactly one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    pub kind: BlockKind,
    /// Bytes of the decoded UTF-8 text, markup included.
    pub range: Range<usize>,
    /// From 1.
    pub lines: LineRange,
    /// Readable text, markup removed; what search indexes.
    pub text: String,
}

/// A link, embed or picture as written in a note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    pub kind: LinkKind,
    /// As written: `a`, `folder/a.md`, `https://…`.
    pub target: String,
    /// Heading or `^block`, without `#`.
    pub fragment: Option<String>,
    /// What is shown, when the note says.
    pub alias: Option<String>,
    /// Bytes of the decoded text, from the opening bracket to the closing one.
    pub range: Range<usize>,
    /// From 1.
    pub line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum LinkKind {
    /// `[[target]]`
    Wiki,
    /// `![[target]]`
    Embed,
    /// `[text](target)` or a reference link
    Inline,
    /// `![alt](target)`
    Image,
}

/// A note opened in the editor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OpenNote {
    pub file: Option<FileInfo>,
    pub place: FilePlace,
    /// Decoded text with its own line endings. The editor splits lines at LF, CRLF and CR.
    pub text: String,
    /// What a save must name as its base.
    pub base: ContentHash,
    /// For people: `UTF-8`, `GB18030`…
    pub encoding: String,
    pub bom: bool,
    pub line_ending: LineEnding,
    /// Set when the note cannot be written, and why.
    pub read_only: Option<Warning>,
}

/// How the lines of a text end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, Default)]
#[serde(rename_all = "camelCase")]
pub enum LineEnding {
    #[default]
    Lf,
    CrLf,
    Cr,
    Mixed,
}

/// A link between two notes, or from a note to nowhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NoteLink {
    pub from: FilePlace,
    pub from_title: String,
    /// From 1.
    pub line: u32,
    /// The line's text.
    pub context: String,
    pub kind: LinkKind,
    pub target: String,
    /// Where it leads; absent when nothing is there.
    pub to: Option<FilePlace>,
}

/// Links out of and into one note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NoteLinks {
    pub outgoing: Vec<NoteLink>,
    pub backlinks: Vec<NoteLink>,
}
