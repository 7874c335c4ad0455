//! What a folder held when it went to the trash, as history keeps it.

use orangery_domain::{ContentHash, FilePlace};
use serde::{Deserialize, Serialize};

#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// Below the folder, parents before what they hold.
    pub folders: Vec<String>,
    pub files: Vec<(String, ContentHash)>,
    /// Whether the folder can be made again from this: nothing was too large, and all was files and
    /// folders.
    pub whole: bool,
}

impl Manifest {
    pub fn from_json(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// All that belongs below `folder`: folders without a content, then files.
    pub fn places(&self, folder: &FilePlace) -> impl Iterator<Item = (FilePlace, Option<ContentHash>)> {
        let folders = self.folders.iter().map(|path| (path, None));
        let files = self.files.iter().map(|(path, hash)| (path, Some(*hash)));
        folders.chain(files).filter_map(|(path, hash)| {
            let path = folder.path.join(path).ok()?;
            Some((FilePlace { kb_id: folder.kb_id, path }, hash))
        })
    }
}
