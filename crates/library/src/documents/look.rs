//! Parts of documents for those who look at them: page pictures, words with their boxes, rows, pictures.

use std::sync::Arc;

use orangery_domain::position::utf16_len;
use orangery_domain::{
    Area, BlockLink, BlockPage, DocumentBlock, DocumentView, FilePlace, Link, PageWord, RowPage, SheetView,
    Spot,
};
use orangery_extract::Document;

use super::DocumentSource;
use crate::{Library, Result};

/// Pixels that a page picture may be wide.
const WIDTH: std::ops::RangeInclusive<u32> = 16..=4_096;
/// Blocks or rows of one answer.
const MOST: u32 = 2_000;

impl DocumentSource {
    /// Everything but the text.
    pub fn view(&self) -> DocumentView {
        let document = &self.document;
        DocumentView {
            place: self.place.clone(),
            file: self.file.clone(),
            kind: self.kind(),
            hash: self.hash(),
            title: self.title(),
            trouble: document.trouble.clone(),
            warnings: document.warnings.clone(),
            outline: document.outline.clone(),
            pages: document.pages.clone(),
            pictures: document.pictures.clone(),
            blocks: document.blocks.len() as u32,
            sheets: sheets(document),
        }
    }

    /// Blocks from number `from` on, from 1.
    pub fn blocks(&self, from: u32, limit: u32) -> BlockPage {
        let document = &self.document;
        let skip = from.saturating_sub(1) as usize;
        let blocks = document.blocks.iter().zip(&document.spots).enumerate().skip(skip);
        let mut links = document.links.iter().peekable();
        let shown = blocks.take(limit.clamp(1, MOST) as usize).map(|(at, (block, spot))| {
            let number = at as u32 + 1;
            while links.next_if(|link| link.range.start < block.range.start).is_some() {}
            let mut own = Vec::new();
            while let Some(link) = links.next_if(|link| link.range.start < block.range.end) {
                own.extend(block_link(&document.text, block.range.clone(), link));
            }
            let pictures = document.pictures.iter().filter(|picture| picture.block == number);
            DocumentBlock {
                block: number,
                kind: block.kind,
                text: document.text[block.range.clone()].to_owned(),
                spot: *spot,
                links: own,
                pictures: pictures.map(|picture| picture.id.clone()).collect(),
            }
        });
        BlockPage { blocks: shown.collect(), total: document.blocks.len() as u32 }
    }
}

fn block_link(text: &str, block: std::ops::Range<usize>, link: &Link) -> Option<BlockLink> {
    let end = link.range.end.min(block.end);
    let before = text.get(block.start..link.range.start)?;
    let start = utf16_len(before);
    let target = link.target.clone();
    Some(BlockLink {
        start,
        end: start + utf16_len(text.get(link.range.start..end)?),
        target,
        fragment: link.fragment.clone(),
    })
}

/// The sheets of a table; none of what is no table.
fn sheets(document: &Document) -> Vec<SheetView> {
    let mut sheets: Vec<SheetView> = Vec::new();
    for (block, spot) in document.blocks.iter().zip(&document.spots) {
        let Spot::Row { sheet, row } = *spot else { continue };
        let at = sheet.saturating_sub(1) as usize;
        // What the document says it has, and no more than a table can have.
        let known = document.pages.len().max(1);
        if at >= known {
            continue;
        }
        while sheets.len() < known {
            let name = document.pages.get(sheets.len()).map(|page| page.label.clone()).unwrap_or_default();
            sheets.push(SheetView { name, rows: 0, columns: 0 });
        }
        if let Some(sheet) = sheets.get_mut(at) {
            sheet.rows = sheet.rows.max(row);
            sheet.columns = sheet.columns.max(block.text.matches('\t').count() as u32 + 1);
        }
    }
    sheets
}

/// The blocks of a page, by their numbers, and their boxes.
fn areas(document: &Document, page: u32) -> Vec<(u32, Area)> {
    (1..)
        .zip(&document.spots)
        .filter_map(|(block, spot)| match *spot {
            Spot::Page { page: of, area: Some(area) } if of == page => Some((block, area)),
            _ => None,
        })
        .collect()
}

/// The smallest block that the middle of a box lies in; 0 where it lies in none.
fn block_at(blocks: &[(u32, Area)], word: Area) -> u32 {
    let (x, y) = ((word.left + word.right) / 2.0, (word.top + word.bottom) / 2.0);
    let size = |area: &Area| (area.right - area.left) * (area.bottom - area.top);
    blocks
        .iter()
        .filter(|(_, area)| (area.left..=area.right).contains(&x) && (area.top..=area.bottom).contains(&y))
        .min_by(|(_, a), (_, b)| size(a).total_cmp(&size(b)))
        .map_or(0, |(block, _)| *block)
}

impl Library {
    /// The picture of a page, from 1, about `width` pixels wide: PNG or JPEG.
    ///
    /// # Errors
    /// `NotFound` when there is no such page.
    pub async fn page_picture(&self, place: &FilePlace, page: u32, width: u32) -> Result<Vec<u8>> {
        // In steps, so that a window that is drawn wider by a hair shows the same picture.
        let width = width.clamp(*WIDTH.start(), *WIDTH.end()).next_multiple_of(16);
        let (subject, _, _) = self.document_subject(place).await?;
        let name = format!("{}-{page}-{width}", subject.hash.to_hex());
        let (inner, known) = (Arc::clone(&self.0), name.clone());
        let kept = tokio::task::spawn_blocking(move || inner.documents.pictures.get(&known));
        if let Ok(Some(bytes)) = kept.await {
            return Ok(bytes);
        }
        let bytes = self.0.extractor()?.page(&subject, page, width).await?;
        // A page of a locked document is not left lying about.
        if subject.password.is_none() {
            let (inner, copy) = (Arc::clone(&self.0), bytes.clone());
            tokio::task::spawn_blocking(move || {
                if let Err(error) = inner.documents.pictures.put(&name, &copy) {
                    tracing::debug!(%error, "a page picture is not kept");
                }
            });
        }
        Ok(bytes)
    }

    /// The words of a page of a PDF, from 1, with their boxes, in reading order.
    pub async fn page_words(&self, place: &FilePlace, page: u32) -> Result<Vec<PageWord>> {
        let (subject, _, _) = self.document_subject(place).await?;
        let mut words = self.0.extractor()?.words(&subject, page).await?;
        let source = self.read_document(place).await?;
        let blocks = areas(&source.document, page);
        for word in &mut words {
            word.block = block_at(&blocks, word.area);
        }
        Ok(words)
    }

    /// The bytes of a picture in a document, as they are stored there.
    pub async fn document_picture(&self, place: &FilePlace, id: &str) -> Result<Vec<u8>> {
        let (subject, _, _) = self.document_subject(place).await?;
        Ok(self.0.extractor()?.picture(&subject, id).await?)
    }

    /// Rows of a sheet from one of them on, cell by cell; all counted from 1.
    pub async fn table_rows(&self, place: &FilePlace, sheet: u32, from: u32, limit: u32) -> Result<RowPage> {
        let (subject, _, _) = self.document_subject(place).await?;
        Ok(self.0.extractor()?.rows(&subject, sheet.max(1), from.max(1), limit.clamp(1, MOST)).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_belongs_to_the_smallest_block_around_it() {
        let area = |left: f32, top: f32, right: f32, bottom: f32| Area { left, top, right, bottom };
        let blocks = [(1, area(0.0, 0.0, 100.0, 100.0)), (2, area(10.0, 10.0, 50.0, 20.0))];
        assert_eq!(block_at(&blocks, area(12.0, 11.0, 20.0, 19.0)), 2);
        assert_eq!(block_at(&blocks, area(60.0, 11.0, 70.0, 19.0)), 1);
        assert_eq!(block_at(&blocks, area(90.0, 90.0, 120.0, 120.0)), 0);
    }
}
