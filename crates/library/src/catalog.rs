//! All scanned files in memory: what search, the tree and links look at for every keystroke. SQLite is
//! the truth; this follows every commit.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use orangery_domain::{FileId, FilePlace, KbId, KbPath};
use orangery_extract::document;
use orangery_store::table::file::FileRow;

use crate::links::name_key;

#[derive(Debug, Default)]
pub struct Catalog(RwLock<Files>);

#[derive(Debug, Default, Clone)]
pub struct Files {
    rows: HashMap<FileId, Arc<FileRow>>,
    places: BTreeMap<(KbId, String), FileId>,
    /// Other spellings of a path: only those whose NFC form is not the path itself.
    keys: HashMap<(KbId, String), BTreeSet<FileId>>,
    inodes: HashMap<(KbId, u64), FileId>,
    /// By what a link may call them.
    names: HashMap<(KbId, String), BTreeSet<FileId>>,
    /// Files that the index does not hold as they are.
    behind: BTreeSet<FileId>,
    /// Documents that are to be read, and are not given up.
    waiting: BTreeSet<FileId>,
    counts: HashMap<KbId, Counts>,
}

/// Of one knowledge base.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    pub files: u64,
    /// Files with a trouble.
    pub unreadable: u64,
    /// Files that the index does not hold as they are.
    pub behind: u64,
    /// Files that a reader of documents is there for.
    pub documents: u64,
    /// Of these, those that are to be read.
    pub waiting: u64,
}

/// Whether a document is to be read.
fn waits(row: &FileRow) -> bool {
    row.kind.is_document() && (row.waits || row.read_version < document::VERSION)
}

impl Catalog {
    pub fn read(&self) -> RwLockReadGuard<'_, Files> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn write(&self) -> RwLockWriteGuard<'_, Files> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Files {
    /// The files of one knowledge base alone.
    pub fn of_kb(&self, kb: KbId) -> Self {
        let mut own = Self::default();
        for row in self.within(kb, &KbPath::root()) {
            own.place_row(Arc::clone(row));
        }
        own
    }

    /// Takes over a row as it is, without counting it.
    fn place_row(&mut self, row: Arc<FileRow>) {
        let (kb, id) = (row.kb_id, row.id);
        self.places.insert((kb, row.path.as_str().to_owned()), id);
        self.keys.entry((kb, row.path.key())).or_default().insert(id);
        self.names.entry((kb, name_key(row.path.name()))).or_default().insert(id);
        self.rows.insert(id, row);
    }

    pub fn row(&self, id: FileId) -> Option<&Arc<FileRow>> {
        self.rows.get(&id)
    }

    pub fn rows(&self) -> impl Iterator<Item = &Arc<FileRow>> {
        self.rows.values()
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Exactly this spelling.
    pub fn at(&self, kb: KbId, path: &KbPath) -> Option<&Arc<FileRow>> {
        self.rows.get(self.places.get(&(kb, path.as_str().to_owned()))?)
    }

    /// This path, or the one that is equal under NFC.
    pub fn by_place(&self, place: &FilePlace) -> Option<&Arc<FileRow>> {
        if let Some(row) = self.at(place.kb_id, &place.path) {
            return Some(row);
        }
        let mut fitting = self.keys.get(&(place.kb_id, place.path.key()))?.iter();
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => self.rows.get(only),
            _ => None,
        }
    }

    pub fn by_inode(&self, kb: KbId, inode: u64) -> Option<&Arc<FileRow>> {
        self.rows.get(self.inodes.get(&(kb, inode))?)
    }

    /// Files that a link may call `key`, see [`name_key`].
    pub fn named(&self, kb: KbId, key: &str) -> impl Iterator<Item = &Arc<FileRow>> {
        let ids = self.names.get(&(kb, key.to_owned()));
        ids.into_iter().flatten().filter_map(|id| self.rows.get(id))
    }

    /// The file at `path` and all below it, by path.
    pub fn within<'a>(&'a self, kb: KbId, path: &KbPath) -> impl Iterator<Item = &'a Arc<FileRow>> + use<'a> {
        let root = path.as_str().to_owned();
        let below = if root.is_empty() { String::new() } else { format!("{root}/") };
        let own = self.places.get(&(kb, root));
        self.places
            .range((kb, below.clone())..)
            .take_while(move |((of, path), _)| *of == kb && path.starts_with(&below))
            .map(|(_, id)| id)
            .chain(own)
            .filter_map(|id| self.rows.get(id))
    }

    /// Takes over a new state of a row. What the index holds of it is known here already.
    pub fn put(&mut self, mut row: FileRow) {
        if let Some(known) = self.remove(row.id) {
            row.indexed_generation = known.indexed_generation;
        }
        let (kb, id) = (row.kb_id, row.id);
        self.places.insert((kb, row.path.as_str().to_owned()), id);
        self.keys.entry((kb, row.path.key())).or_default().insert(id);
        if let Some(inode) = row.inode {
            self.inodes.insert((kb, inode), id);
        }
        self.names.entry((kb, name_key(row.path.name()))).or_default().insert(id);
        let counts = self.counts.entry(kb).or_default();
        counts.files += 1;
        counts.unreadable += u64::from(row.trouble.is_some());
        counts.documents += u64::from(row.kind.is_document());
        if waits(&row) {
            counts.waiting += 1;
            self.waiting.insert(id);
        }
        let generations = (row.generation, row.indexed_generation);
        self.rows.insert(id, Arc::new(row));
        if generations.0 != generations.1 {
            self.fall_behind(kb, id);
        }
    }

    pub fn remove(&mut self, id: FileId) -> Option<Arc<FileRow>> {
        let row = self.rows.remove(&id)?;
        let kb = row.kb_id;
        // Another file may have taken its place meanwhile.
        let place = (kb, row.path.as_str().to_owned());
        if self.places.get(&place) == Some(&id) {
            self.places.remove(&place);
        }
        take(&mut self.keys, (kb, row.path.key()), id);
        take(&mut self.names, (kb, name_key(row.path.name())), id);
        if let Some(inode) = row.inode
            && self.inodes.get(&(kb, inode)) == Some(&id)
        {
            self.inodes.remove(&(kb, inode));
        }
        self.catch_up(kb, id);
        self.give_up(id, kb);
        if let Some(counts) = self.counts.get_mut(&kb) {
            counts.documents -= u64::from(row.kind.is_document());
            counts.files -= 1;
            counts.unreadable -= u64::from(row.trouble.is_some());
        }
        Some(row)
    }

    /// Takes over which encoding the user chose: the next look reads the file anew.
    pub fn choose_encoding(&mut self, id: FileId, label: &str) {
        if let Some(row) = self.rows.get_mut(&id) {
            let row = Arc::make_mut(row);
            row.encoding = Some(label.to_owned());
            row.encoding_chosen = true;
            row.hash = None;
        }
    }

    /// The index holds these generations now.
    pub fn indexed(&mut self, files: &[(FileId, i64)]) {
        for (id, generation) in files {
            let Some(row) = self.rows.get_mut(id) else {
                continue;
            };
            let row = Arc::make_mut(row);
            row.indexed_generation = *generation;
            if row.generation == *generation {
                let kb = row.kb_id;
                self.catch_up(kb, *id);
            }
        }
    }

    /// The index holds none of `files` any more.
    pub fn forget_indexed(&mut self, files: &[FileId]) {
        for id in files {
            if let Some(row) = self.rows.get_mut(id) {
                let row = Arc::make_mut(row);
                row.indexed_generation = 0;
                let kb = row.kb_id;
                self.fall_behind(kb, *id);
            }
        }
    }

    pub fn ids(&self) -> Vec<FileId> {
        self.rows.keys().copied().collect()
    }

    pub fn behind(&self) -> &BTreeSet<FileId> {
        &self.behind
    }

    pub fn counts(&self, kb: KbId) -> Counts {
        self.counts.get(&kb).copied().unwrap_or_default()
    }

    /// Documents that are to be read, in the order in which they were found.
    pub fn waiting(&self) -> &BTreeSet<FileId> {
        &self.waiting
    }

    /// A document is to be read again although it has not changed.
    pub fn read_again(&mut self, id: FileId) {
        if let Some(row) = self.rows.get(&id) {
            self.put(FileRow { read_version: 0, ..FileRow::clone(row) });
        }
    }

    /// A document cannot be read in this run, for no fault of its own.
    pub fn give_up(&mut self, id: FileId, kb: KbId) {
        if self.waiting.remove(&id)
            && let Some(counts) = self.counts.get_mut(&kb)
        {
            counts.waiting -= 1;
        }
    }

    fn fall_behind(&mut self, kb: KbId, id: FileId) {
        if self.behind.insert(id) {
            self.counts.entry(kb).or_default().behind += 1;
        }
    }

    fn catch_up(&mut self, kb: KbId, id: FileId) {
        if self.behind.remove(&id)
            && let Some(counts) = self.counts.get_mut(&kb)
        {
            counts.behind -= 1;
        }
    }
}

fn take(map: &mut HashMap<(KbId, String), BTreeSet<FileId>>, key: (KbId, String), id: FileId) {
    if let Some(ids) = map.get_mut(&key) {
        ids.remove(&id);
        if ids.is_empty() {
            map.remove(&key);
        }
    }
}
