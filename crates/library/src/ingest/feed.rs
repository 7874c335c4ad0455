//! Feeding the index from the database: after a crash what it lacks, after damage everything.

use orangery_domain::FileId;
use orangery_store::table::chunk::{self, Chunk};
use orangery_store::table::file::FileRow;

use crate::index::writer::{FileText, Order, PassageText};
use crate::{Inner, Result};

const BATCH: usize = 128;

/// The names of a file; its passages in the index stay.
pub(super) fn names_only(row: &FileRow) -> FileText {
    FileText {
        file: row.id,
        generation: row.generation,
        title: row.title.clone(),
        path: row.path.to_string(),
        tags: row.tags.clone(),
        passages: None,
    }
}

pub(crate) fn with_passages(row: &FileRow, chunks: &[Chunk]) -> FileText {
    let passages = chunks
        .iter()
        .map(|chunk| PassageText { headings: chunk.heading_path.join("\n"), body: chunk.text.clone() });
    FileText { passages: Some(passages.collect()), ..names_only(row) }
}

impl Inner {
    /// Gives the index every file that it does not hold as it is, and takes what is unknown from it.
    pub(super) async fn feed_behind(&self) -> Result<()> {
        let unknown = std::mem::take(&mut *self.unknown());
        if !unknown.is_empty() {
            self.order(Order::Remove(unknown)).await?;
        }
        let behind: Vec<FileId> = self.catalog.read().behind().iter().copied().collect();
        for batch in behind.chunks(BATCH) {
            if self.cancel.is_cancelled() {
                return Ok(());
            }
            let mut files = Vec::with_capacity(batch.len());
            for id in batch {
                let Some(row) = self.catalog.read().row(*id).cloned() else {
                    continue;
                };
                files.push(with_passages(&row, &chunk::of_file(self.db.reader(), *id).await?));
            }
            self.order(Order::Put { files, more: true }).await?;
        }
        // Ends the row of batches.
        self.order(Order::Put { files: Vec::new(), more: false }).await
    }
}
