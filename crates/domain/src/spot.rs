//! Where a block stands in a document that is not text itself, as its reader would say it.

use std::fmt;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The place of one block. All numbers count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum Spot {
    /// In the flow of a document that has no fixed pages: Word, web pages, notes.
    Flow,
    /// On a page of a PDF.
    Page {
        page: u32,
        /// Absent where the text came without boxes.
        area: Option<Area>,
    },
    /// On a slide.
    Slide { slide: u32 },
    /// In a chapter of a book, in reading order.
    Chapter { chapter: u32 },
    /// In a row of a table, counted as a spreadsheet shows it; `sheet` is 1 where there is only one.
    Row { sheet: u32, row: u32 },
}

/// A box on a page as it is shown, its rotation applied: points (1/72 inch) from the top left corner.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Area {
    pub left: f32,
    pub top: f32,
    pub right: f32,
    pub bottom: f32,
}

/// Boxes are made from finite numbers, and so is what holds them.
impl Eq for Area {}
impl Eq for Spot {}

impl Spot {
    /// Whether there is more to say than that it is in the document.
    pub fn is_numbered(self) -> bool {
        self != Self::Flow
    }

    /// The page, slide, chapter or sheet, from 1; `None` in what flows.
    pub fn part(self) -> Option<u32> {
        match self {
            Self::Flow => None,
            Self::Page { page, .. } => Some(page),
            Self::Slide { slide } => Some(slide),
            Self::Chapter { chapter } => Some(chapter),
            Self::Row { sheet, .. } => Some(sheet),
        }
    }
}

/// In the words of the `read` tool and the command line; empty in what flows.
impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flow => Ok(()),
            Self::Page { page, .. } => write!(f, "page {page}"),
            Self::Slide { slide } => write!(f, "slide {slide}"),
            Self::Chapter { chapter } => write!(f, "chapter {chapter}"),
            Self::Row { sheet: 1, row } => write!(f, "row {row}"),
            Self::Row { sheet, row } => write!(f, "sheet {sheet}, row {row}"),
        }
    }
}

impl Area {
    /// The smallest box around both.
    pub fn around(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

/// An entry of a document's own table of contents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OutlineEntry {
    /// 1 is outermost.
    pub level: u8,
    pub title: String,
    /// Where it leads; absent when it leads nowhere in the document.
    pub spot: Option<Spot>,
    /// The block it leads to, from 1, where that is known.
    pub block: Option<u32>,
}

/// A page, slide, chapter or sheet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DocumentPage {
    /// As the document itself calls it: `iv`, a slide's title, a sheet's name; empty where it does not.
    pub label: String,
    /// Points, as shown; 0 where it has no fixed size.
    pub width: f32,
    pub height: f32,
    pub layer: TextLayer,
}

/// Whether the text of a page can be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, Default)]
#[serde(rename_all = "camelCase")]
pub enum TextLayer {
    #[default]
    Present,
    /// Nothing is on it.
    Empty,
    /// A picture only, such as a scan.
    Absent,
    /// Its fonts map to signs that make no sense.
    Garbled,
}

/// A picture in a document. The pixels are read when somebody asks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DocumentPicture {
    /// Names it within the document: the part of the package, or page and number.
    pub id: String,
    pub caption: String,
    /// The block it stands in or follows, from 1; 0 before all blocks.
    pub block: u32,
    pub spot: Spot,
    /// Pixels, 0 where unknown.
    pub width: u32,
    pub height: u32,
    /// Bytes as stored, 0 where unknown.
    pub size: u64,
}
