//! Notes as the editor and the assistant read them.

use orangery_domain::text::{self, Decoded, Encoding};
use orangery_domain::{ContentHash, FileInfo, FilePlace, KbPath};
use orangery_store::root::CheckedPath;
use orangery_store::table::file;

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
    /// Absent for a file that the scan does not know.
    pub file: Option<FileInfo>,
}

impl Library {
    /// Reads and decodes a note as it is on disk now.
    ///
    /// # Errors
    /// `Invalid` when it cannot be decoded: it is then read-only until the user chooses an encoding.
    pub async fn read_note(&self, place: &FilePlace) -> Result<NoteSource> {
        let root = self.root(place.kb_id)?;
        let path = place.path.clone();
        let read = tokio::task::spawn_blocking(move || {
            let checked = root.resolve(&path)?;
            let size = checked.metadata()?.size;
            if size > NOTE_LIMIT {
                let path = path.to_string();
                return Err(orangery_store::Error::TooLarge { path, size, limit: NOTE_LIMIT });
            }
            let raw = checked.read()?;
            Ok((checked, raw))
        });
        let (checked, raw) = read.await.map_err(|_| Error::Closed)??;
        let found = FilePlace { kb_id: place.kb_id, path: checked.place().clone() };
        let row = self.catalog().read().by_place(&found).cloned();
        let chosen = row
            .as_ref()
            .filter(|row| row.encoding_chosen)
            .and_then(|row| row.encoding.as_deref())
            .and_then(Encoding::from_label);
        let prior = if std::str::from_utf8(&raw).is_ok() { Vec::new() } else { self.prior(place).await? };
        let decoded = tokio::task::spawn_blocking(move || {
            let decoded = text::decode(&raw, chosen, &prior);
            (ContentHash::of(&raw), raw, decoded)
        });
        let (hash, raw, decoded) = decoded.await.map_err(|_| Error::Closed)?;
        let decoded = decoded
            .map_err(|error| Error::Undecodable { path: found.path.to_string(), reason: error.reason })?;
        Ok(NoteSource { raw, decoded, hash, checked, file: row.map(|row| row.info()) })
    }

    async fn prior(&self, place: &FilePlace) -> Result<Vec<Encoding>> {
        let labels = file::encodings(self.db().reader(), place.kb_id).await?;
        Ok(labels.iter().filter_map(|label| Encoding::from_label(label)).collect())
    }

    /// Remembers how the user wants a file read, and reads it so from now on.
    pub async fn choose_encoding(&self, place: &FilePlace, encoding: Encoding) -> Result<()> {
        let row = self.catalog().read().by_place(place).cloned();
        let row = row.ok_or_else(|| Error::NotFound(place.path.to_string()))?;
        let mut tx = self.db().write().await?;
        file::choose_encoding(&mut tx, row.id, Some(encoding.label())).await?;
        tx.commit().await.map_err(orangery_store::Error::from)?;
        self.catalog().write().choose_encoding(row.id, encoding.label());
        self.touched(&FilePlace { kb_id: row.kb_id, path: row.path.clone() });
        Ok(())
    }

    /// The guarded path of a place, for callers that read something else than a note.
    pub async fn resolve(&self, place: &FilePlace) -> Result<CheckedPath> {
        let (root, path): (_, KbPath) = (self.root(place.kb_id)?, place.path.clone());
        Ok(tokio::task::spawn_blocking(move || root.resolve(&path)).await.map_err(|_| Error::Closed)??)
    }
}
