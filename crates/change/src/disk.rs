//! What is on disk at a place, and how its bytes read.

use std::{collections::HashMap, sync::Arc};

use orangery_domain::{
    FileId, FilePlace, KbId, KbPath,
    text::{Decoded, Encoding, decode},
};
use orangery_store::{
    Db,
    root::{CheckedPath, EntryKind, Roots},
    table::file::{self, FileRow},
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
    let prior = file::encodings(db.reader(), place.kb_id).await?;
    Ok(Known::of(file::by_place(db.reader(), place).await?.as_ref(), prior))
}

/// What is known of many files of a knowledge base, asked at once.
#[derive(Debug)]
pub struct KnownOf {
    kb: KbId,
    prior: Vec<Encoding>,
    rows: HashMap<String, Vec<FileRow>>,
}

impl KnownOf {
    pub async fn paths(db: &Db, kb: KbId, paths: &[&KbPath]) -> Result<Self> {
        let mut rows: HashMap<String, Vec<FileRow>> = HashMap::with_capacity(paths.len());
        for row in file::by_paths(db.reader(), kb, paths).await? {
            rows.entry(row.path.key()).or_default().push(row);
        }
        Ok(Self { kb, prior: file::encodings(db.reader(), kb).await?, rows })
    }

    /// As [`known`] says it of one.
    pub async fn known(&self, db: &Db, place: &FilePlace) -> Result<Known> {
        let rows = self.rows.get(&place.path.key()).filter(|_| place.kb_id == self.kb);
        match rows.map(Vec::as_slice) {
            Some([row]) => Ok(Known::of(Some(row), self.prior.clone())),
            _ => known(db, place).await,
        }
    }
}

impl Known {
    fn of(row: Option<&FileRow>, prior: Vec<Encoding>) -> Self {
        Self { file_id: row.map(|row| row.id), chosen: row.and_then(FileRow::chosen_encoding), prior }
    }

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
