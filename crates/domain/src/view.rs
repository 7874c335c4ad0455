//! Documents as viewers show them, piece by piece.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    Area, BlockKind, ContentHash, DocumentPage, DocumentPicture, FileInfo, FileKind, FilePlace, OutlineEntry,
    Spot, Warning,
};

/// A document as a viewer opens it: everything but its text, which comes in pieces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DocumentView {
    pub place: FilePlace,
    /// Absent for a file that the scan does not know.
    pub file: Option<FileInfo>,
    pub kind: FileKind,
    /// Of the bytes that all of this was read from.
    pub hash: ContentHash,
    pub title: String,
    /// Why there is no text, when nothing could be read.
    pub trouble: Option<Warning>,
    /// What a reader should know of the text that there is.
    pub warnings: Vec<Warning>,
    pub outline: Vec<OutlineEntry>,
    /// Pages, slides, chapters or sheets, in order; empty where the format has none.
    pub pages: Vec<DocumentPage>,
    pub pictures: Vec<DocumentPicture>,
    /// How many blocks there are.
    pub blocks: u32,
    /// Of a table, in order; else empty.
    pub sheets: Vec<SheetView>,
}

/// A sheet of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SheetView {
    /// Empty where the format has no names for sheets.
    pub name: String,
    /// Number of the last row that holds something.
    pub rows: u32,
    /// Of the widest row.
    pub columns: u32,
}

/// Some blocks of a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct BlockPage {
    pub blocks: Vec<DocumentBlock>,
    /// How many the document has.
    pub total: u32,
}

/// A block of a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DocumentBlock {
    /// Its number, from 1.
    pub block: u32,
    pub kind: BlockKind,
    pub text: String,
    pub spot: Spot,
    pub links: Vec<BlockLink>,
    /// Ids of the pictures that stand in it or follow it.
    pub pictures: Vec<String>,
}

/// A link in a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct BlockLink {
    /// UTF-16 units of the block's text.
    pub start: u32,
    pub end: u32,
    /// An address, a path, or nothing when it leads within the document.
    pub target: String,
    pub fragment: Option<String>,
}

/// Some rows of a sheet, cell by cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RowPage {
    pub rows: Vec<Vec<String>>,
    /// How many rows the sheet has.
    pub total: u32,
    /// Of the widest row.
    pub columns: u32,
}

/// A word on a page of a PDF, in reading order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PageWord {
    pub text: String,
    pub area: Area,
    /// The block it belongs to, from 1; 0 where none was found.
    pub block: u32,
}
