//! Documents: files that are not text themselves. Each reader gives one [`Document`], built with a
//! [`Builder`], so that all formats keep the same rules of text, blocks and lines.

mod builder;
pub mod code;
mod inline;
mod read;
mod rows;

use orangery_domain::{Block, DocumentPage, DocumentPicture, Link, OutlineEntry, Spot, Warning};
use serde::{Deserialize, Serialize};

pub use builder::Builder;
pub use inline::Inline;
pub use read::{Options, picture, read, rows};
pub(crate) use rows::Paging;
pub use rows::{Grid, Rows, RowsWanted};

/// Raised whenever a reader gives other text, blocks or places than before: what an older one gave is
/// then extracted again.
pub const VERSION: u32 = 4;

/// What a document holds.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Document {
    /// In reading order. Lines end with LF; blocks are apart by LF or by a blank line.
    pub text: String,
    /// In order, apart; every byte of `text` that is not blank lies in exactly one.
    pub blocks: Vec<Block>,
    /// One for each block.
    pub spots: Vec<Spot>,
    /// In order of where they begin; ranges lie in `text`. Only links that the document shows.
    pub links: Vec<Link>,
    /// As the document names itself; absent where only its file name does.
    pub title: Option<String>,
    /// Its own table of contents; headings where it has none.
    pub outline: Vec<OutlineEntry>,
    /// Pages, slides, chapters or sheets, in order; empty where the format has none.
    pub pages: Vec<DocumentPage>,
    pub pictures: Vec<DocumentPicture>,
    /// Why there is no text, when nothing could be read: damaged, locked, too large.
    pub trouble: Option<Warning>,
    pub warnings: Vec<Warning>,
}

impl Document {
    /// A document that could not be read, and why.
    pub fn refused(code: &str, detail: impl Into<String>) -> Self {
        Self { trouble: Some(Warning::new(code, detail)), ..Self::default() }
    }
}

/// Bounds that keep a hostile file from taking the machine: what lies beyond is left out, and a warning
/// says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of extracted text.
    pub text: usize,
    /// Bytes that the parts of a package may unfold to, all together.
    pub unfolded: u64,
    /// How many times its packed size one part may unfold to, beyond the first mebibyte.
    pub ratio: u64,
    /// How deep elements, groups and tables may nest.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { text: 32 << 20, unfolded: 512 << 20, ratio: 200, depth: 256 }
    }
}
