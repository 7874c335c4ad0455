//! What a folder held when it went to the trash, as history keeps it.

use std::collections::BTreeMap;

use orangery_domain::{ContentHash, FilePlace};
use serde::{Deserialize, Serialize};

#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// Below the folder, parents before what they hold.
    pub folders: Vec<String>,
    pub files: Vec<(String, ContentHash)>,
    /// Symbolic links, and what they say.
    #[serde(default)]
    pub links: Vec<(String, String)>,
    /// Who may read, write and run what is here, on systems that say it in bits; of the folder itself by an empty name.
    #[serde(default)]
    pub modes: BTreeMap<String, u32>,
    /// What only the trash has.
    #[serde(default)]
    pub left: Vec<String>,
    /// Whether the folder can be made again from this, but for what is `left`: nothing was too large.
    pub whole: bool,
}

/// One thing that belongs below a folder.
#[derive(Debug)]
pub struct Part<'a> {
    pub place: FilePlace,
    pub mode: Option<u32>,
    pub what: What<'a>,
}

#[derive(Debug, Clone, Copy)]
pub enum What<'a> {
    Folder,
    File(ContentHash),
    Link(&'a str),
}

impl Manifest {
    pub fn from_json(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Who may read, write and run the folder itself.
    pub fn mode(&self) -> Option<u32> {
        self.modes.get("").copied()
    }

    /// All that belongs below `folder`, in the order in which it is made.
    pub fn parts(&self, folder: &FilePlace) -> impl Iterator<Item = Part<'_>> {
        let folders = self.folders.iter().map(|path| (path, What::Folder));
        let files = self.files.iter().map(|(path, hash)| (path, What::File(*hash)));
        let links = self.links.iter().map(|(path, target)| (path, What::Link(target)));
        folders.chain(files).chain(links).filter_map(|(path, what)| {
            let place = FilePlace { kb_id: folder.kb_id, path: folder.path.join(path).ok()? };
            Some(Part { place, mode: self.modes.get(path).copied(), what })
        })
    }
}
