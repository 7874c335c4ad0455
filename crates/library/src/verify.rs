//! Whether index, database and disk say the same, looked at piece by piece.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use orangery_domain::{FileId, FilePlace, KbId, KbPath};
use orangery_store::root::Root;
use orangery_store::table::file::FileRow;
use orangery_store::table::{chunk, file};

use crate::index::content::{self, Content};
use crate::ingest::with_passages;
use crate::scan::Rules;
use crate::{Error, Inner, Library, Result};

/// What was compared, and where it differs.
#[derive(Debug, Clone, Default)]
pub struct Verified {
    pub files: u64,
    /// Knowledge bases whose folder is not there: of these only index and database were compared.
    pub offline: Vec<String>,
    pub differences: Vec<Difference>,
}

/// One file of which two of them say different things.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Difference {
    pub fault: DiffersBy,
    /// Absent where nobody knows what the file was.
    pub place: Option<FilePlace>,
    pub file: Option<FileId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DiffersBy {
    /// On disk, and the database does not know it.
    Unknown,
    /// In the database, and not on disk.
    Gone,
    /// Its bytes are others than those that the database knows.
    Changed,
    /// The index does not hold it.
    NotIndexed,
    /// The index holds something else than the database has it say.
    IndexedOtherwise,
    /// The index holds what the database does not know.
    Orphan,
    /// What is kept in memory differs from the database.
    Remembered,
}

/// Files whose passages are in memory together.
const BATCH: usize = 256;

impl Library {
    /// Compares all that is known with all that is there, byte for byte and word for word. What changes
    /// meanwhile is looked at twice.
    ///
    /// # Errors
    /// `Unavailable` when the index cannot be read at all.
    pub async fn verify(&self) -> Result<Verified> {
        self.settle().await;
        let mut verified = self.0.compare_all().await?;
        if !verified.differences.is_empty() {
            self.settle().await;
            let again: HashSet<Difference> = self.0.compare_all().await?.differences.into_iter().collect();
            verified.differences.retain(|difference| again.contains(difference));
        }
        verified.differences.sort();
        Ok(verified)
    }
}

impl Inner {
    async fn compare_all(self: &Arc<Self>) -> Result<Verified> {
        let mut verified = Verified::default();
        let open = self.open_index().ok_or_else(|| {
            Error::Index(self.index_trouble().clone().unwrap_or_else(|| "it is not open".into()))
        })?;
        let held = tokio::task::spawn_blocking(move || content::held(&open)).await;
        let mut held = held.map_err(|_| Error::Closed)?.map_err(|error| Error::Index(error.to_string()))?;
        for kb in self.kb_ids() {
            let rows = file::of_kb(self.db.reader(), kb).await?;
            verified.files += rows.len() as u64;
            self.compare_memory(&rows, &mut verified);
            self.compare_index(&rows, &mut held, &mut verified).await?;
            match self.opened_root(kb).await {
                Ok(root) => {
                    let inner = Arc::clone(self);
                    let compared =
                        tokio::task::spawn_blocking(move || inner.compare_disk(kb, &root, rows)).await;
                    verified.differences.extend(compared.map_err(|_| Error::Closed)??);
                }
                Err(_) => {
                    let name = self.state(kb, |state| state.row.name.clone());
                    verified.offline.push(name.unwrap_or_default());
                }
            }
        }
        let orphans = held.into_keys().map(|file| Difference {
            fault: DiffersBy::Orphan,
            place: None,
            file: Some(file),
        });
        verified.differences.extend(orphans);
        Ok(verified)
    }

    fn compare_memory(&self, rows: &[FileRow], verified: &mut Verified) {
        let files = self.catalog.read();
        let other = rows.iter().filter(|row| {
            !files.row(row.id).is_some_and(|known| {
                // How far the index is, is written later than it is known.
                FileRow { indexed_generation: 0, ..FileRow::clone(known) }
                    == FileRow { indexed_generation: 0, ..FileRow::clone(row) }
            })
        });
        verified.differences.extend(other.map(|row| difference(DiffersBy::Remembered, row)));
    }

    async fn compare_index(
        &self,
        rows: &[FileRow],
        held: &mut Content,
        verified: &mut Verified,
    ) -> Result<()> {
        for batch in rows.chunks(BATCH) {
            let ids: Vec<FileId> = batch.iter().map(|row| row.id).collect();
            let chunks = chunk::of_files(self.db.reader(), &ids).await?;
            let none = Vec::new();
            let texts: Vec<_> =
                batch.iter().map(|row| with_passages(row, chunks.get(&row.id).unwrap_or(&none))).collect();
            let expected = tokio::task::spawn_blocking(move || content::expected(&texts)).await;
            let expected =
                expected.map_err(|_| Error::Closed)?.map_err(|error| Error::Index(error.to_string()))?;
            for row in batch {
                let fault = match held.remove(&row.id) {
                    None => DiffersBy::NotIndexed,
                    Some(is) if expected.get(&row.id) != Some(&is) => DiffersBy::IndexedOtherwise,
                    Some(_) => continue,
                };
                verified.differences.push(difference(fault, row));
            }
        }
        Ok(())
    }

    /// Blocks.
    fn compare_disk(&self, kb: KbId, root: &Root, rows: Vec<FileRow>) -> Result<Vec<Difference>> {
        let mut differences = Vec::new();
        let rules = Rules { root, own_data: self.own_data_in(root) };
        let Some(walk) = rules.walk(&KbPath::root(), &|_| self.cancel.is_cancelled())? else {
            return Err(Error::Closed);
        };
        let mut known: BTreeMap<KbPath, FileRow> =
            rows.into_iter().map(|row| (row.path.clone(), row)).collect();
        let unseen: BTreeSet<&KbPath> = walk.unseen.iter().map(|unseen| &unseen.path).collect();
        for found in &walk.files {
            let Some(row) = known.remove(&found.path) else {
                differences.push(Difference {
                    fault: DiffersBy::Unknown,
                    place: Some(FilePlace { kb_id: kb, path: found.path.clone() }),
                    file: None,
                });
                continue;
            };
            let hash = || root.resolve(&found.path).and_then(|checked| checked.hash()).ok();
            let same = row.size == found.meta.size && row.hash.is_none_or(|known| hash() == Some(known));
            // A document that waits is known to be another by now.
            if !same && !row.waits {
                differences.push(difference(DiffersBy::Changed, &row));
            }
        }
        let gone = known.values().filter(|row| unseen.iter().all(|place| !row.path.is_within(place)));
        differences.extend(gone.map(|row| difference(DiffersBy::Gone, row)));
        Ok(differences)
    }
}

fn difference(fault: DiffersBy, row: &FileRow) -> Difference {
    let place = FilePlace { kb_id: row.kb_id, path: row.path.clone() };
    Difference { fault, place: Some(place), file: Some(row.id) }
}
