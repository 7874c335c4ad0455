//! What a look at the disk means for the rows: which files stayed, changed, moved, came and went.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use orangery_domain::{FileId, KbId, KbPath};
use orangery_store::root::Meta;
use orangery_store::table::file::{FileRow, Stamp};

use super::prepare::Job;
use crate::catalog::Files;
use crate::scan::Found;
use crate::trouble;

/// What is to be done about one look.
#[derive(Debug, Default)]
pub struct Plan {
    /// Files to read, or to move without reading.
    pub jobs: Vec<Job>,
    /// Rows whose file is not where it was. One of these may still turn up among the jobs, by its hash.
    pub missing: Vec<Arc<FileRow>>,
    /// Rows that must leave their place before another file takes it.
    pub vacate: Vec<FileId>,
}

impl Plan {
    /// Whether everything is as the rows say.
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty() && self.missing.is_empty()
    }

    /// Whether nothing changed, and only what could not be read is read again.
    pub fn only_tries_again(&self) -> bool {
        let tries_again = |job: &Job| {
            job.row.as_ref().is_some_and(|row| is_unread(row) && row.stamp() == Stamp::from(job.found.meta))
        };
        self.missing.is_empty() && self.jobs.iter().all(tries_again)
    }
}

/// Compares what was `found` with the rows `known` in the same scope. Of the paths in `doubt`,
/// size and time are not believed. `elsewhere` says what is now at the place of a row outside the scope.
pub fn plan(
    files: &Files,
    kb: KbId,
    found: Vec<Found>,
    known: Vec<Arc<FileRow>>,
    doubt: &HashSet<KbPath>,
    elsewhere: &dyn Fn(&FileRow) -> Option<Meta>,
) -> Plan {
    let mut moves = moves(files, kb, &found, &known, elsewhere);
    let left: HashSet<FileId> = moves.values().map(|row| row.id).collect();
    let there: HashSet<&str> = found.iter().map(|found| found.path.as_str()).collect();
    let leaves = |row: &&Arc<FileRow>| there.contains(row.path.as_str());
    let mut plan =
        Plan { vacate: moves.values().filter(leaves).map(|row| row.id).collect(), ..Plan::default() };
    plan.missing = known
        .into_iter()
        .filter(|row| !left.contains(&row.id) && !there.contains(row.path.as_str()))
        .collect();
    drop(there);
    for found in found {
        if let Some(row) = moves.remove(found.path.as_str()) {
            let trust = row.modified_ns == found.meta.modified_ns && row.hash.is_some() && !is_unread(&row);
            plan.jobs.push(Job { found, row: Some(row), trust });
            continue;
        }
        let row = files.at(kb, &found.path).filter(|row| !left.contains(&row.id)).cloned();
        if row.as_ref().is_some_and(|row| {
            !doubt.contains(&found.path) && !is_unread(row) && row.stamp() == Stamp::from(found.meta)
        }) {
            continue;
        }
        plan.jobs.push(Job { found, row, trust: false });
    }
    plan
}

/// Whether the file could not be read the last time.
pub fn is_unread(row: &FileRow) -> bool {
    row.trouble.as_ref().is_some_and(|trouble| trouble::UNREADABLE.is(trouble))
}

/// Rows that moved, by where they are now: the same inode and size under another path. An inode is used
/// again for the next new file, and programs that save by renaming put a new file in an old place; so a
/// row whose path still names a file stays there, unless that is known to be another one and the row's
/// file lies elsewhere untouched. Its time tells: a rename keeps it, and a new file that was given the old
/// inode has another.
fn moves(
    files: &Files,
    kb: KbId,
    found: &[Found],
    known: &[Arc<FileRow>],
    elsewhere: &dyn Fn(&FileRow) -> Option<Meta>,
) -> HashMap<String, Arc<FileRow>> {
    let there: HashMap<&str, &Found> = found.iter().map(|found| (found.path.as_str(), found)).collect();
    let in_scope: HashSet<FileId> = known.iter().map(|row| row.id).collect();
    let mut moves: HashMap<String, Arc<FileRow>> = HashMap::new();
    let mut left = HashSet::new();
    for new in found {
        let Some(row) = new.meta.inode.and_then(|inode| files.by_inode(kb, inode)) else {
            continue;
        };
        if row.path == new.path || row.size != new.meta.size {
            continue;
        }
        let in_place = match there.get(row.path.as_str()) {
            Some(found) => Some(found.meta),
            None if in_scope.contains(&row.id) => None,
            None => elsewhere(row),
        };
        let stays = in_place.is_some_and(|meta| {
            let occupant = meta.inode.and_then(|inode| files.by_inode(kb, inode));
            let taken = occupant.is_some_and(|occupant| occupant.id != row.id);
            !(taken && is_untouched(row, new.meta))
        });
        if !stays && left.insert(row.id) {
            moves.insert(new.path.as_str().to_owned(), Arc::clone(row));
        }
    }
    // A place is free only when the row that has it moves too.
    loop {
        let movers: HashSet<FileId> = moves.values().map(|row| row.id).collect();
        let before = moves.len();
        moves.retain(|path, row| {
            let path = KbPath::parse(path).ok();
            let occupant = path.and_then(|path| files.at(kb, &path));
            occupant.is_none_or(|occupant| occupant.id == row.id || movers.contains(&occupant.id))
        });
        if moves.len() == before {
            return moves;
        }
    }
}

/// Whether the file has the time that the row remembers, which may be a nanosecond early (see
/// [`super::prepare`]).
fn is_untouched(row: &FileRow, meta: Meta) -> bool {
    (0..=1).contains(&meta.modified_ns.saturating_sub(row.modified_ns))
}

/// Of the rows whose file is missing, the one with these bytes: by preference one of the same name.
pub fn take_by_hash(
    missing: &mut Vec<Arc<FileRow>>,
    job: &Job,
    hash: orangery_domain::ContentHash,
) -> Option<Arc<FileRow>> {
    // Empty files are all alike.
    if job.found.meta.size == 0 {
        return None;
    }
    let fits = |row: &Arc<FileRow>| row.hash == Some(hash);
    let at = missing
        .iter()
        .position(|row| fits(row) && row.path.name() == job.found.path.name())
        .or_else(|| missing.iter().position(fits))?;
    Some(missing.swap_remove(at))
}
