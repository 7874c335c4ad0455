//! Whole files and folders: what they hold, and where they are while moves wait.

pub mod layout;
pub mod listing;

use std::sync::Arc;

use orangery_domain::{ContentHash, FilePlace, FolderContents, KbPath};
use orangery_store::root::{CheckedPath, EntryKind, Root, Roots};

use crate::{Error, Result};
use listing::Listing;

/// Contents are kept as versions up to this many bytes of one operation; beyond, only the trash has a copy.
pub const KEPT_BYTES: u64 = 64 << 20;

/// An entry looked at as a whole. A link is a link here and never followed.
#[derive(Debug)]
pub struct Entry {
    pub checked: CheckedPath,
    pub found: Found,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    Nothing,
    File {
        size: u64,
    },
    Folder,
    /// Neither: a link, a socket, a device.
    Other,
}

/// What an entry is, to notice later that it is another.
#[derive(Debug, Clone)]
pub struct Seen {
    pub folder: bool,
    /// Of a file its content; of a folder what [`Depth`] says.
    pub mark: ContentHash,
    /// Bytes of all files.
    pub size: u64,
    /// Of a folder.
    pub contents: Option<FolderContents>,
    /// Below a folder: what history cannot keep.
    pub unkept: Vec<String>,
    /// Below a folder: what lies on another volume, if something does.
    pub elsewhere: Option<String>,
}

/// What of a folder must stay as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Names and kinds of all that it holds: who moves it takes along what is written meanwhile.
    Shape,
    /// The contents too, and what links say: who deletes it saw what it held.
    State,
}

/// Looks at `place`. Blocks.
///
/// # Errors
/// `NotFound` when its parent is missing, `Denied` when a link above it leads out of the knowledge base.
pub fn look(roots: &dyn Roots, place: &FilePlace) -> orangery_store::Result<Entry> {
    look_in(&roots.root(place.kb_id)?, &place.path)
}

/// As [`look`], below any root. Blocks.
pub fn look_in(root: &Root, path: &KbPath) -> orangery_store::Result<Entry> {
    let checked = root.resolve_entry(path)?;
    let found = match checked.metadata() {
        Ok(meta) => match meta.kind {
            EntryKind::File => Found::File { size: meta.size },
            EntryKind::Folder => Found::Folder,
            EntryKind::Link | EntryKind::Special => Found::Other,
        },
        Err(orangery_store::Error::NotFound(_)) => Found::Nothing,
        Err(error) => return Err(error),
    };
    Ok(Entry { checked, found })
}

/// As [`look`]; nothing is there when its parent is missing.
pub async fn look_at(roots: &Arc<dyn Roots>, place: &FilePlace) -> Result<Option<Entry>> {
    let (roots, place) = (Arc::clone(roots), place.clone());
    match tokio::task::spawn_blocking(move || look(&*roots, &place)).await.map_err(Error::task)? {
        Ok(entry) => Ok(Some(entry)),
        Err(orangery_store::Error::NotFound(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

impl Entry {
    /// What is there, whole. Blocks.
    ///
    /// # Errors
    /// `Invalid` for what is neither file nor folder, `NotFound` for nothing.
    pub fn seen(&self, depth: Depth) -> orangery_store::Result<Seen> {
        match self.found {
            Found::Nothing => Err(orangery_store::Error::NotFound(self.checked.place().to_string())),
            Found::Other => Err(orangery_store::Error::Special(self.checked.place().to_string())),
            Found::File { size } => {
                let mark = self.checked.hash()?;
                Ok(Seen { folder: false, mark, size, contents: None, unkept: Vec::new(), elsewhere: None })
            }
            Found::Folder => {
                let listing = Listing::of(&self.checked)?;
                let contents = listing.contents();
                let (mark, unkept) = (listing.mark(depth)?, listing.unkept()?);
                let elsewhere = listing.elsewhere(self.checked.volume()?).map(str::to_owned);
                let (size, contents) = (contents.bytes, Some(contents));
                Ok(Seen { folder: true, mark, size, contents, unkept, elsewhere })
            }
        }
    }

    /// As [`Entry::seen`], without blocking.
    pub async fn seen_whole(self, depth: Depth) -> Result<Seen> {
        let looked = tokio::task::spawn_blocking(move || self.seen(depth)).await;
        Ok(looked.map_err(Error::task)??)
    }
}

/// What of the entry at `path` lies on another volume: itself where it is `mounted`, or what is `below` it.
pub fn elsewhere(path: &KbPath, mounted: bool, below: Option<&str>) -> Option<KbPath> {
    if mounted { Some(path.clone()) } else { path.join(below?).ok() }
}

/// `place`, which is `from` or lies below it, as it is once `from` is `to`; `None` when it lies elsewhere.
pub fn carried(place: &FilePlace, from: &FilePlace, to: &FilePlace) -> Option<FilePlace> {
    if place.kb_id != from.kb_id {
        return None;
    }
    Some(FilePlace { kb_id: to.kb_id, path: place.path.carried(&from.path, &to.path)? })
}

pub fn same_place(a: &FilePlace, b: &FilePlace) -> bool {
    a.kb_id == b.kb_id && a.path.key() == b.path.key()
}

pub fn is_within(place: &FilePlace, folder: &FilePlace) -> bool {
    place.kb_id == folder.kb_id && place.path.is_within(&folder.path)
}
