//! What is on disk at a place, and how its bytes read.

use std::sync::Arc;

use orangery_domain::{
    FileId, FilePlace,
    text::{Decoded, Encoding, decode},
};
use orangery_store::{
    Db,
    root::{CheckedPath, EntryKind, Roots},
    table::file,
};

use crate::{Error, Result};

/// A place looked at once.
#[derive(Debug)]
pub struct Disk {
    pub checked: CheckedPath,
    pub found: Found,
    /// Who may read, write and run what is there, on systems that say it in bits.
    pub mode: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    Nothing,
    Folder,
    File(Vec<u8>),
}

impl Disk {
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.found {
            Found::File(bytes) => Some(bytes),
            Found::Nothing | Found::Folder => None,
        }
    }
}

/// Looks at `place`. Blocks.
///
/// # Errors
/// `NotFound` when its parent is missing, `Denied` when a link leads out of the knowledge base.
pub fn look(roots: &dyn Roots, place: &FilePlace) -> orangery_store::Result<Disk> {
    let checked = roots.root(place.kb_id)?.resolve(&place.path)?;
    let (found, mode) = match checked.metadata() {
        Ok(meta) if meta.kind == EntryKind::Folder => (Found::Folder, meta.mode),
        Ok(meta) => (Found::File(checked.read()?), meta.mode),
        Err(orangery_store::Error::NotFound(_)) => (Found::Nothing, None),
        Err(error) => return Err(error),
    };
    Ok(Disk { checked, found, mode })
}

/// As [`look`], without blocking.
pub async fn look_at(roots: &Arc<dyn Roots>, place: &FilePlace) -> Result<Disk> {
    let (roots, place) = (Arc::clone(roots), place.clone());
    let looked = tokio::task::spawn_blocking(move || look(&*roots, &place)).await;
    Ok(looked.map_err(Error::task)??)
}

/// The place as the disk spells it; nothing is read.
pub async fn spelled(roots: &Arc<dyn Roots>, place: &FilePlace) -> Result<FilePlace> {
    let (roots, asked) = (Arc::clone(roots), place.clone());
    let resolved = tokio::task::spawn_blocking(move || roots.root(asked.kb_id)?.resolve(&asked.path)).await;
    Ok(FilePlace { kb_id: place.kb_id, path: resolved.map_err(Error::task)??.place().clone() })
}

/// What the scan knows of a file.
#[derive(Debug, Default)]
pub struct Known {
    pub file_id: Option<FileId>,
    pub chosen: Option<Encoding>,
    pub prior: Vec<Encoding>,
}

pub async fn known(db: &Db, place: &FilePlace) -> Result<Known> {
    known_beside(db, place, &file::encodings(db.reader(), place.kb_id).await?).await
}

/// As [`known`], where what other notes are encoded in was asked already.
pub async fn known_beside(db: &Db, place: &FilePlace, prior: &[Encoding]) -> Result<Known> {
    let row = file::by_place(db.reader(), place).await?;
    Ok(Known {
        file_id: row.as_ref().map(|row| row.id),
        chosen: row.as_ref().and_then(|row| row.chosen_encoding()),
        prior: prior.to_vec(),
    })
}

impl Known {
    /// The text of `bytes`.
    ///
    /// # Errors
    /// `Denied` when no encoding is plausible: the file is read-only until one is chosen.
    pub fn decode(&self, place: &FilePlace, bytes: &[u8]) -> Result<Decoded> {
        decode(bytes, self.chosen, &self.prior).map_err(|error| Error::NotText {
            path: place.path.clone(),
            reason: format!("{} {}", error.reason.code, error.reason.detail).trim_end().to_owned(),
        })
    }
}
