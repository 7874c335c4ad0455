//! Patterns in files as they are on disk, line by line.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{FileId, FileKind, FilePlace, KbId, KbPath};

/// A search for lines that fit a pattern, in all files that are text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct TextQuery {
    /// A regular expression, or with `literal` the very text.
    pub pattern: String,
    pub literal: bool,
    /// Only where no letter, digit or `_` stands beside it.
    pub whole_words: bool,
    pub ignore_case: bool,
    /// The pattern may go over ends of lines, and `.` does too.
    pub multiline: bool,
    /// Empty means every knowledge base.
    pub kb_ids: Vec<KbId>,
    /// Only below this folder, in each of them.
    pub folder: Option<KbPath>,
    /// Only files whose path or name fits; with `!` before it, only the others.
    pub glob: Option<String>,
    /// Empty means every type.
    pub file_types: Vec<FileKind>,
    /// Lines before and after each that fits, at most 20.
    pub context: u32,
    /// Lines that fit to skip.
    pub offset: u64,
    /// Lines that fit to return, at most 10,000; 0 means 256.
    pub limit: u32,
}

/// One page of lines, file by file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TextPage {
    pub files: Vec<TextFile>,
    /// Files and lines that fit in all.
    pub total_files: u64,
    pub total_lines: u64,
    /// Where the next page begins; absent on the last.
    pub next_offset: Option<u64>,
    /// Files that could not be read.
    pub unread: u64,
    /// Microseconds spent.
    pub took_us: u64,
}

/// The lines of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TextFile {
    pub place: FilePlace,
    pub kb_name: String,
    /// Absent for a file that the scan does not know.
    pub file_id: Option<FileId>,
    pub kind: FileKind,
    /// Lines that fit in the whole file.
    pub count: u64,
    /// Those on this page, with what stands around them.
    pub rows: Vec<TextRow>,
}

/// A line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TextRow {
    /// From 1.
    pub line: u32,
    /// Without its ending; of a line over 512 bytes the part around the first match, with `…` where it is cut.
    pub text: String,
    /// UTF-16 ranges of `text` that fit.
    pub marks: Vec<(u32, u32)>,
    /// It stands beside one that fits, and is not counted.
    pub context: bool,
}
