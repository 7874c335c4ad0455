//! What a look at the disk means for the rows: which files stayed, changed, moved, came and went.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use orangery_domain::{FileId, KbId};
use orangery_store::table::file::{FileRow, Stamp};

use super::prepare::Job;
use crate::catalog::Files;
use crate::scan::Found;

/// What is to be done about one look.
#[derive(Debug, Default)]
pub struct Plan {
    /// Files to read, or to move without reading.
    pub jobs: Vec<Job>,
    /// Rows whose file is not where it was. One of these may still turn up among the jobs, by its hash.
    pub missing: Vec<Arc<FileRow>>,
}

/// Compares what was `found` with the rows `known` in the same scope. With `doubt`, size and time are
/// not believed. `elsewhere` says whether the file of a row outside the scope is still where it was.
pub fn plan(
    files: &Files,
    kb: KbId,
    found: Vec<Found>,
    known: Vec<Arc<FileRow>>,
    doubt: bool,
    elsewhere: &dyn Fn(&FileRow) -> bool,
) -> Plan {
    let at: HashMap<&str, &Found> = found.iter().map(|found| (found.path.as_str(), found)).collect();
    let mut moved: HashMap<String, Arc<FileRow>> = HashMap::new();
    let mut left: HashSet<FileId> = HashSet::new();
    for new in &found {
        let Some(row) = new.meta.inode.and_then(|inode| files.by_inode(kb, inode)) else {
            continue;
        };
        if row.path == new.path || row.size != new.meta.size || moved.contains_key(new.path.as_str()) {
            continue;
        }
        // A row stays where its path still names a file, unless that file is known to be another row's:
        // programs that save by renaming put a new file in the old place.
        let stays = match at.get(row.path.as_str()) {
            Some(there) => there
                .meta
                .inode
                .and_then(|inode| files.by_inode(kb, inode))
                .is_none_or(|other| other.id == row.id),
            None => !known.iter().any(|known| known.id == row.id) && elsewhere(row),
        };
        if !stays && left.insert(row.id) {
            moved.insert(new.path.as_str().to_owned(), Arc::clone(row));
        }
    }
    let mut plan = Plan::default();
    for row in known {
        if !left.contains(&row.id)
            && (!at.contains_key(row.path.as_str()) || moved.contains_key(row.path.as_str()))
        {
            plan.missing.push(row);
        }
    }
    drop(at);
    for found in found {
        if let Some(row) = moved.remove(found.path.as_str()) {
            let trust = row.modified_ns == found.meta.modified_ns && row.hash.is_some();
            plan.jobs.push(Job { found, row: Some(row), trust });
            continue;
        }
        let row = files.at(kb, &found.path).filter(|row| !left.contains(&row.id)).cloned();
        if row.as_ref().is_some_and(|row| !doubt && row.stamp() == Stamp::from(found.meta)) {
            continue;
        }
        plan.jobs.push(Job { found, row, trust: false });
    }
    plan
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
