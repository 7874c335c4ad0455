//! Change sets: propose, diff, review, plan, apply, history; the only writer of user files.
//!
//! This crate does not search, index or judge who may do what, and it removes nothing but what it made
//! itself: what is deleted goes to the system's trash. What an assistant wants is kept as edits of exact
//! bytes; a person decides; applying compares again, writes its intent down, writes the files, and only then
//! says so.

pub mod anchor;
mod apply;
mod comment;
pub mod diff;
mod disk;
pub mod edits;
mod error;
mod history;
mod journal;
mod locks;
mod manual;
mod merge;
mod note;
mod operation;
mod plan;
mod propose;
mod retention;
mod review;
mod save;
mod seen;
mod shape;
pub mod stop;
mod trash;
mod tree;
mod unchanged;
mod undo;
mod withdraw;

#[cfg(test)]
mod tests;

use std::{sync::Arc, time::SystemTime};

use orangery_domain::{ChangeSetId, ContentHash, FilePlace};
use orangery_store::{Db, root::Roots};

pub use anchor::ReplaceEdit;
pub use comment::Letter;
pub use error::{Error, Result};
pub use manual::Weight;
pub use propose::{
    EditRequest, Followed, PendingText, Proposals, Proposed, REDACTION_MARK, Refusal, TRUNCATION_MARK,
    is_review_always,
};
pub use save::Saved;

/// A file or folder that was written, made, moved or removed here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    pub place: FilePlace,
    /// Where it was before, when it was moved.
    pub from: Option<FilePlace>,
    /// Absent for folders and for what is gone.
    pub hash: Option<ContentHash>,
    /// Absent for the user's own saves.
    pub change_set_id: Option<ChangeSetId>,
}

/// Told of every write, after it is recorded.
pub type Notify = Arc<dyn Fn(Written) + Send + Sync>;

/// Reviews, applies and takes back.
#[derive(Clone)]
pub struct Changes(Arc<House>);

/// What all of this crate works with.
pub(crate) struct House {
    db: Db,
    roots: Arc<dyn Roots>,
    notify: Notify,
    locks: locks::Locks,
    seam: stop::Seam,
    seen: Arc<seen::Seen>,
    /// What was being written before is of a process that is dead.
    opened: SystemTime,
    /// Beside the owner of the data directory: nothing is written.
    looks_only: bool,
}

impl Changes {
    /// Finishes or takes back what a dead process left half written, and drops versions and contents that
    /// are not kept any longer.
    pub async fn open(db: Db, roots: Arc<dyn Roots>, notify: Notify) -> Result<Self> {
        Self::open_with(db, roots, notify, stop::Seam::from_env()).await
    }

    /// As [`Changes::open`], with a say in where it stops.
    pub async fn open_with(db: Db, roots: Arc<dyn Roots>, notify: Notify, seam: stop::Seam) -> Result<Self> {
        let seen = Arc::<seen::Seen>::default();
        let notify: Notify = {
            let seen = Arc::clone(&seen);
            Arc::new(move |written| {
                seen.wrote(&written);
                notify(written);
            })
        };
        let (locks, opened) = (locks::Locks::default(), SystemTime::now());
        let house = House { db, roots, notify, locks, seam, seen, opened, looks_only: false };
        house.recover().await?;
        house.prune().await?;
        Ok(Self(Arc::new(house)))
    }

    /// Opens beside the process that owns the data directory, for looking only: what a dead process left
    /// is the owner's to settle.
    pub fn reading(db: Db, roots: Arc<dyn Roots>) -> Self {
        let (locks, seam) = (locks::Locks::default(), stop::Seam::from_env());
        let (notify, seen, opened) = (Arc::new(|_| {}), Arc::default(), SystemTime::now());
        Self(Arc::new(House { db, roots, notify, locks, seam, seen, opened, looks_only: true }))
    }

    /// The part that an assistant is given.
    pub fn proposals(&self) -> Proposals {
        Proposals(Arc::clone(&self.0))
    }

    fn house(&self) -> &House {
        &self.0
    }

    /// Does `work` to its end even when the caller stops waiting: files and database must not part.
    async fn uncut<T, F>(&self, work: impl FnOnce(Arc<House>) -> F) -> Result<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T>> + Send + 'static,
    {
        tokio::spawn(work(Arc::clone(&self.0))).await.map_err(Error::task)?
    }
}
