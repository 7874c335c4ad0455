//! Notes as the editor and the assistant read them.

use std::sync::Arc;
use std::time::Duration;

use orangery_domain::text::{self, Decoded, Encoding};
use orangery_domain::{ContentHash, FileInfo, FilePlace, KbPath};
use orangery_store::root::CheckedPath;
use orangery_store::table::file::{self, FileRow};

use crate::ingest::NOTE_LIMIT;
use crate::{Error, Library, Result};

/// A note's bytes and what they say.
#[derive(Debug, Clone)]
pub struct NoteSource {
    pub raw: Vec<u8>,
    pub decoded: Decoded,
    /// Of `raw`.
    pub hash: ContentHash,
    pub checked: CheckedPath,
    /// The disk lets nobody write it.
    pub read_only: bool,
    /// Absent for a file that the scan does not know.
    pub file: Option<FileInfo>,
}

/// How often a file that is being scanned is looked for.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

impl Library {
    /// Reads and decodes a note as it is on disk now.
    ///
    /// # Errors
    /// `Invalid` when it cannot be decoded: it is then read-only until the user chooses an encoding.
    pub async fn read_note(&self, place: &FilePlace) -> Result<NoteSource> {
        let root = self.reached(place.kb_id).await?;
        let path = place.path.clone();
        let read = tokio::task::spawn_blocking(move || {
            let checked = root.resolve(&path)?;
            let meta = checked.metadata()?;
            if meta.size > NOTE_LIMIT {
                let (path, size) = (path.to_string(), meta.size);
                return Err(orangery_store::Error::TooLarge { path, size, limit: NOTE_LIMIT });
            }
            let raw = checked.read()?;
            Ok((checked, meta.read_only, raw))
        });
        let (checked, read_only, raw) = read.await.map_err(|_| Error::Closed)??;
        let found = FilePlace { kb_id: place.kb_id, path: checked.place().clone() };
        let row = self.catalog().read().by_place(&found).cloned();
        let chosen = row.as_ref().and_then(|row| row.chosen_encoding());
        let prior = match std::str::from_utf8(&raw) {
            Ok(_) => Vec::new(),
            Err(_) => file::encodings(self.db().reader(), place.kb_id).await?,
        };
        let decoded = tokio::task::spawn_blocking(move || {
            let decoded = text::decode(&raw, chosen, &prior);
            (ContentHash::of(&raw), raw, decoded)
        });
        let (hash, raw, decoded) = decoded.await.map_err(|_| Error::Closed)?;
        let decoded = decoded
            .map_err(|error| Error::Undecodable { path: found.path.to_string(), reason: error.reason })?;
        Ok(NoteSource { raw, decoded, hash, checked, read_only, file: row.map(|row| row.info()) })
    }

    /// Remembers how the user wants a file read, and reads it so from now on.
    ///
    /// # Errors
    /// `NotFound` when nothing is there; `Invalid` when the knowledge base leaves the file out.
    pub async fn choose_encoding(&self, place: &FilePlace, encoding: Encoding) -> Result<()> {
        let row = self.scanned(place).await?;
        let mut tx = self.db().write().await?;
        file::choose_encoding(&mut tx, row.id, Some(encoding.label())).await?;
        tx.commit().await.map_err(orangery_store::Error::from)?;
        self.catalog().write().choose_encoding(row.id, encoding.label());
        self.touched(&FilePlace { kb_id: row.kb_id, path: row.path.clone() });
        Ok(())
    }

    /// The row of a file, which is looked at now when no scan has come by yet.
    async fn scanned(&self, place: &FilePlace) -> Result<Arc<FileRow>> {
        let known = |place: &FilePlace| self.catalog().read().by_place(place).cloned();
        if let Some(row) = known(place) {
            return Ok(row);
        }
        let checked = self.resolve(place).await?;
        let place = FilePlace { kb_id: place.kb_id, path: checked.place().clone() };
        tokio::task::spawn_blocking(move || checked.metadata()).await.map_err(|_| Error::Closed)??;
        let mut ingested = self.0.ingested.subscribe();
        let requested = self.look_into(&place);
        loop {
            let done = tokio::select! {
                done = ingested.wait_for(|done| *done >= requested) => {
                    done.map_err(|_| Error::Closed)?;
                    true
                }
                () = self.0.cancel.cancelled() => return Err(Error::Closed),
                // A long scan serves single files on its way.
                () = tokio::time::sleep(LOOK_AGAIN) => false,
            };
            match known(&place) {
                Some(row) => return Ok(row),
                None if done => return Err(Error::LeftOut(place.path.to_string())),
                None => {}
            }
        }
    }

    /// The guarded path of a place, for callers that read something else than a note.
    pub async fn resolve(&self, place: &FilePlace) -> Result<CheckedPath> {
        let (root, path): (_, KbPath) = (self.reached(place.kb_id).await?, place.path.clone());
        Ok(tokio::task::spawn_blocking(move || root.resolve(&path)).await.map_err(|_| Error::Closed)??)
    }
}
