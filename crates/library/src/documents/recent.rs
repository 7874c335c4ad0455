//! The documents that somebody looks at now, so that the next page of one costs nothing.

use std::collections::VecDeque;
use std::sync::Arc;

use orangery_domain::{ContentHash, FilePlace};
use orangery_extract::Document;
use orangery_store::table::extraction::Key;
use orangery_store::table::file::Stamp;

/// Documents whose text is held.
const DOCUMENTS: usize = 6;
/// Bytes of text of a document that is held.
const TEXT_LIMIT: usize = 16 << 20;
/// Files whose bytes are held.
const FILES: usize = 2;
/// Bytes of a file that is held.
const BYTES_LIMIT: usize = 64 << 20;

/// The one used last is at the back.
#[derive(Debug, Default)]
pub struct Recent {
    documents: VecDeque<(Key, Arc<Document>)>,
    files: VecDeque<File>,
}

#[derive(Debug)]
struct File {
    place: FilePlace,
    stamp: Stamp,
    hash: ContentHash,
    bytes: Arc<Vec<u8>>,
}

impl Recent {
    pub fn document(&mut self, key: &Key) -> Option<Arc<Document>> {
        let at = self.documents.iter().position(|(known, _)| known == key)?;
        let found = self.documents.remove(at)?;
        let document = Arc::clone(&found.1);
        self.documents.push_back(found);
        Some(document)
    }

    /// What is locked is not held: the next one may have the key.
    pub fn keep(&mut self, key: Key, document: &Arc<Document>) {
        self.documents.retain(|(known, _)| *known != key);
        if document.text.len() > TEXT_LIMIT || super::is_locked(document) {
            return;
        }
        self.documents.push_back((key, Arc::clone(document)));
        if self.documents.len() > DOCUMENTS {
            self.documents.pop_front();
        }
    }

    /// The bytes of a file that has not changed since.
    pub fn bytes(&mut self, place: &FilePlace, stamp: Stamp) -> Option<(ContentHash, Arc<Vec<u8>>)> {
        let found = self.files.iter().find(|file| file.place == *place && file.stamp == stamp)?;
        Some((found.hash, Arc::clone(&found.bytes)))
    }

    pub fn keep_bytes(&mut self, place: FilePlace, stamp: Stamp, hash: ContentHash, bytes: Arc<Vec<u8>>) {
        self.files.retain(|file| file.place != place);
        if bytes.len() > BYTES_LIMIT {
            return;
        }
        self.files.push_back(File { place, stamp, hash, bytes });
        if self.files.len() > FILES {
            self.files.pop_front();
        }
    }

    pub fn forget(&mut self, hash: ContentHash) {
        self.documents.retain(|(key, _)| key.hash != hash);
        self.files.retain(|file| file.hash != hash);
    }
}
