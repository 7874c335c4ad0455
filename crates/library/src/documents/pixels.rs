//! Pages and pictures as a model is to see them.

use std::sync::Arc;

use orangery_domain::{ContentHash, FileInfo, FileKind, FilePlace};
use orangery_extract::Document;
use orangery_store::root::CheckedPath;

use super::DocumentSource;
use crate::extractor::wire::Pixels;
use crate::extractor::{Seen, Subject};
use crate::{Library, Result};

/// Pixels of the longer edge, and bytes of one picture: what models take everywhere.
const EDGE: u32 = 2_048;
const MOST: usize = 4 << 20;
/// Bytes of a picture file that is still looked at.
pub const PICTURE_LIMIT: u64 = 20 << 20;

/// A document with its bytes, to draw from.
#[derive(Debug, Clone)]
pub struct Drawable {
    pub document: Arc<Document>,
    pub(super) subject: Subject,
}

/// What of a document is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Look {
    /// From 1.
    Page(u32),
    /// By its id.
    Picture(String),
}

/// A picture file.
#[derive(Debug, Clone)]
pub struct PictureSource {
    pub place: FilePlace,
    pub checked: CheckedPath,
    /// Of the file's bytes.
    pub hash: ContentHash,
    /// Absent for a file that the scan does not know.
    pub file: Option<FileInfo>,
    pub seen: Seen,
}

impl Drawable {
    /// Of the bytes.
    pub fn hash(&self) -> ContentHash {
        self.subject.hash
    }
}

impl DocumentSource {
    /// To draw pages and pictures from.
    pub fn drawable(&self) -> Drawable {
        Drawable { document: Arc::clone(&self.document), subject: self.subject.clone() }
    }
}

impl Library {
    /// Draws a page, or fetches a picture, and makes it fit.
    ///
    /// # Errors
    /// `Document` with the trouble: no such page or picture, or none that can be decoded.
    pub async fn look(&self, from: &Drawable, at: &Look) -> Result<Seen> {
        let of = match at {
            Look::Page(page) => Pixels::Page { page: *page, width: width(&from.document, *page) },
            Look::Picture(id) => Pixels::Picture { id: id.clone() },
        };
        Ok(self.0.extractor()?.pixels(&from.subject, of, EDGE, MOST).await?)
    }

    /// Reads a picture file and makes it fit.
    ///
    /// # Errors
    /// `TooLarge` over [`PICTURE_LIMIT`]; `Document` with the trouble where it cannot be decoded.
    pub async fn look_at_file(&self, place: &FilePlace) -> Result<PictureSource> {
        let is_picture = |kind| kind == FileKind::Image;
        let (subject, checked, row) = self.subject(place, is_picture, PICTURE_LIMIT).await?;
        let seen = self.0.extractor()?.pixels(&subject, Pixels::File, EDGE, MOST).await?;
        let place = FilePlace { kb_id: place.kb_id, path: checked.place().clone() };
        Ok(PictureSource { place, checked, hash: subject.hash, file: row.map(|row| row.info()), seen })
    }
}

/// How wide a page is drawn, so that its longer edge is [`EDGE`].
fn width(document: &Document, page: u32) -> u32 {
    let size = page.checked_sub(1).and_then(|at| document.pages.get(at as usize));
    match size {
        Some(size) if size.width > 0.0 && size.height > size.width => {
            ((EDGE as f32 * size.width / size.height) as u32).max(1)
        }
        _ => EDGE,
    }
}
