//! What became of the files while something happened.

use std::collections::HashMap;
use std::time::Duration;

use orangery_domain::{ContentHash, FileId, FilePlace, KbId, KbPath};

use crate::Library;

/// The files of some knowledge bases at one moment, as they were known then.
#[derive(Debug)]
pub struct Mark {
    kb_ids: Vec<KbId>,
    files: HashMap<FileId, (FilePlace, Look)>,
}

/// What tells one content of a file from another.
#[derive(Debug, Clone, Copy)]
struct Look {
    hash: Option<ContentHash>,
    size: u64,
    modified_ns: i64,
}

impl Look {
    fn differs(self, other: Self) -> bool {
        match (self.hash, other.hash) {
            // A file that was only touched is as it was.
            (Some(one), Some(other)) => one != other,
            _ => (self.size, self.modified_ns) != (other.size, other.modified_ns),
        }
    }
}

/// A file that is not as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    pub place: FilePlace,
    pub how: How,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum How {
    New,
    Changed,
    Gone,
}

impl Library {
    /// Remembers the files of `kb_ids`, to be asked later what became of them.
    pub fn mark(&self, kb_ids: &[KbId]) -> Mark {
        Mark { kb_ids: kb_ids.to_vec(), files: self.files_of(kb_ids) }
    }

    /// Looks at every file again and says what is not as it was, by its path; `None` where that takes longer
    /// than `patience`, or scanning is paused. Who did it is not known.
    pub async fn since(&self, mark: &Mark, patience: Duration) -> Option<Vec<Touched>> {
        let requested = {
            let mut pending = self.0.pending();
            mark.kb_ids.iter().for_each(|kb| pending.poll(*kb));
            pending.requested
        };
        self.0.wake.notify_one();
        let mut ingested = self.0.ingested.subscribe();
        let seen = tokio::time::timeout(patience, ingested.wait_for(|done| *done >= requested));
        if !matches!(seen.await, Ok(Ok(_))) || mark.kb_ids.iter().any(|kb| self.0.stopped(*kb)) {
            return None;
        }
        let mut touched = Vec::new();
        let now = self.files_of(&mark.kb_ids);
        for (id, (place, look)) in &now {
            match mark.files.get(id) {
                None => touched.push(Touched { place: place.clone(), how: How::New }),
                Some((before, _)) if before != place => {
                    touched.push(Touched { place: before.clone(), how: How::Gone });
                    touched.push(Touched { place: place.clone(), how: How::New });
                }
                Some((_, before)) if before.differs(*look) => {
                    touched.push(Touched { place: place.clone(), how: How::Changed });
                }
                Some(_) => {}
            }
        }
        let gone = mark.files.iter().filter(|(id, _)| !now.contains_key(id));
        touched.extend(gone.map(|(_, (place, _))| Touched { place: place.clone(), how: How::Gone }));
        touched.sort_by(|one, other| one.place.cmp(&other.place));
        Some(touched)
    }

    fn files_of(&self, kb_ids: &[KbId]) -> HashMap<FileId, (FilePlace, Look)> {
        let files = self.catalog().read();
        let mut known = HashMap::new();
        for kb in kb_ids {
            known.extend(files.within(*kb, &KbPath::root()).map(|row| {
                let look = Look { hash: row.hash, size: row.size, modified_ns: row.modified_ns };
                (row.id, (FilePlace { kb_id: *kb, path: row.path.clone() }, look))
            }));
        }
        known
    }
}
