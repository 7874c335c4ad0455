//! The one task that makes database and index follow the disk.
//!
//! What may have changed is gathered in [`Pending`], which is bounded by forgetting details: many paths
//! become "look at everything". The task takes all of it at once, looks at the disk, and trusts only
//! what it sees there.

mod apply;
mod feed;
mod matching;
mod prepare;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use orangery_domain::{FileId, FilePlace, KbId, KbPath, ScanHold, ScanPhase};
use orangery_store::now_ms;
use orangery_store::root::{EntryKind, Meta, Root};
use orangery_store::table::{extraction, file, knowledge_base};
use tokio::sync::oneshot;

use crate::kb::KbState;
use crate::scan::{Found, Rules, Unseen, Walk};
use crate::watch::Watch;
use crate::{Error, Fact, Inner, Result};

use matching::Plan;

pub(crate) use feed::with_passages;
pub use prepare::{NOTE_LIMIT, is_settled};

/// What may have changed.
#[derive(Debug, Default)]
pub struct Pending {
    todo: BTreeMap<KbId, Todo>,
    /// What we moved: the database knows it already, and the catalog must before the disk is compared with it.
    moved: Vec<(FilePlace, FilePlace)>,
    /// Knowledge bases to be dropped, and who waits to hear that they are.
    forget: Vec<(KbId, Forgotten)>,
    /// The index lacks files that the database holds.
    pub feed: bool,
    /// Raised with every addition.
    pub requested: u64,
}

/// Hears whether a knowledge base is forgotten.
pub type Forgotten = oneshot::Sender<Result<()>>;

#[derive(Debug, Default, Clone)]
struct Todo {
    everything: bool,
    /// Nobody asked for it: it shows as a scan only when it finds something.
    unasked: bool,
    paths: BTreeSet<KbPath>,
}

/// More paths than this are not remembered one by one.
const PATH_LIMIT: usize = 4_096;
/// How often folders without events are looked at.
const POLL: Duration = Duration::from_secs(10);

impl Pending {
    pub fn everything(&mut self, kb: KbId) {
        self.requested += 1;
        self.todo.insert(kb, Todo { everything: true, ..Todo::default() });
    }

    /// The same, only to see whether anything changed.
    pub fn poll(&mut self, kb: KbId) {
        let unasked = self.todo.get(&kb).is_none_or(|todo| todo.unasked || !todo.everything);
        self.requested += 1;
        self.todo.insert(kb, Todo { everything: true, unasked, ..Todo::default() });
    }

    pub fn path(&mut self, place: FilePlace) {
        self.requested += 1;
        let todo = self.todo.entry(place.kb_id).or_default();
        if !todo.everything {
            todo.paths.insert(place.path);
            if todo.paths.len() > PATH_LIMIT {
                *todo = Todo { everything: true, ..Todo::default() };
            }
        }
    }

    /// Both places are looked at after the rows were taken along.
    pub fn moved(&mut self, from: FilePlace, to: FilePlace) {
        self.moved.push((from.clone(), to.clone()));
        self.path(from);
        self.path(to);
    }

    pub fn feed(&mut self) {
        self.requested += 1;
        self.feed = true;
    }

    /// Leaves out the look at everything that waits, if one does; says whether it did.
    pub fn give_up(&mut self, kb: KbId) -> bool {
        let Some(todo) = self.todo.get_mut(&kb).filter(|todo| todo.everything) else { return false };
        todo.everything = false;
        if todo.paths.is_empty() {
            self.todo.remove(&kb);
        }
        true
    }

    pub fn forget(&mut self, kb: KbId, done: Forgotten) {
        self.requested += 1;
        self.todo.remove(&kb);
        self.forget.push((kb, done));
    }

    /// Single paths of `kb`, leaving a look at everything for later.
    pub fn take_paths(&mut self, kb: KbId) -> BTreeSet<KbPath> {
        self.todo.get_mut(&kb).map(|todo| std::mem::take(&mut todo.paths)).unwrap_or_default()
    }
}

/// Runs until the library is closed.
pub async fn run(inner: Arc<Inner>, mut watch: Watch) {
    let mut poll = tokio::time::interval(POLL);
    poll.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = inner.cancel.cancelled() => break,
            () = inner.wake.notified() => {}
            _ = poll.tick() => inner.poll(),
        }
        inner.nothing_ends();
        while let Some(Taken { todo, moved, forget, feed, requested }) = inner.take_pending() {
            for (from, to) in moved {
                if let Err(error) = inner.follow(&from, &to).await {
                    tracing::warn!(%error, "follow a move");
                }
            }
            for (kb, done) in forget {
                let dropped = inner.drop_knowledge_base(kb).await;
                if dropped.is_ok() {
                    watch.unfollow(kb);
                }
                // Whoever asked may have gone.
                let _ = done.send(dropped);
            }
            for (kb, todo) in todo {
                if inner.cancel.is_cancelled() {
                    return;
                }
                let Some(todo) = inner.still_wanted(kb, todo) else { continue };
                let before = inner.describe(kb);
                let phase = match inner.reconcile(kb, &todo, &mut watch).await {
                    Ok(()) => ScanPhase::Idle,
                    Err(error) => {
                        tracing::warn!(%error, %kb, "reconcile");
                        inner.look_again(kb, false);
                        ScanPhase::Failed
                    }
                };
                inner.scan_ended(kb, phase);
                inner.take_back(kb, &todo);
                if inner.describe(kb) != before {
                    (inner.notify)(Fact::KnowledgeBases);
                }
            }
            if feed && let Err(error) = inner.feed_behind().await {
                tracing::warn!(%error, "feed the index");
            }
            inner.documents.queue.look();
            inner.ingested.send_replace(requested);
        }
    }
}

struct Taken {
    todo: Vec<(KbId, Todo)>,
    moved: Vec<(FilePlace, FilePlace)>,
    forget: Vec<(KbId, Forgotten)>,
    feed: bool,
    requested: u64,
}

impl Inner {
    fn take_pending(&self) -> Option<Taken> {
        let mut pending = self.pending();
        let paused = |kb: KbId| self.state(kb, |state| state.held == Some(ScanHold::Paused)).unwrap_or(false);
        let ready: Vec<KbId> = pending.todo.keys().copied().filter(|kb| !paused(*kb)).collect();
        if ready.is_empty()
            && pending.forget.is_empty()
            && pending.moved.is_empty()
            && !pending.feed
            && *self.ingested.borrow() == pending.requested
        {
            return None;
        }
        let todo =
            ready.into_iter().filter_map(|kb| pending.todo.remove(&kb).map(|todo| (kb, todo))).collect();
        Some(Taken {
            todo,
            moved: std::mem::take(&mut pending.moved),
            forget: std::mem::take(&mut pending.forget),
            feed: std::mem::take(&mut pending.feed),
            requested: pending.requested,
        })
    }

    /// Nothing is at work that a cancel could end.
    fn nothing_ends(&self) {
        self.kb_ids().into_iter().for_each(|kb| self.change_state(kb, |state| state.ending = false));
    }

    /// What is left to do of `todo` after a cancel: single files. That is no end of what comes after it.
    fn still_wanted(&self, kb: KbId, mut todo: Todo) -> Option<Todo> {
        self.change_state(kb, |state| {
            state.ending = false;
            todo.everything &= state.held != Some(ScanHold::Cancelled);
        });
        (todo.everything || !todo.paths.is_empty()).then_some(todo)
    }

    /// Single files that a cancel kept from being looked at are looked at after all.
    fn take_back(&self, kb: KbId, todo: &Todo) {
        let mut cut_off = false;
        self.change_state(kb, |state| cut_off = std::mem::take(&mut state.ending));
        if cut_off {
            let mut pending = self.pending();
            todo.paths.iter().for_each(|path| pending.path(FilePlace { kb_id: kb, path: path.clone() }));
        }
    }

    /// Folders that send no events are looked at now and then.
    fn poll(&self) {
        let silent: Vec<KbId> = self
            .kb_ids()
            .into_iter()
            .filter(|kb| {
                let silent = |state: &KbState| (self.watching && state.polling) || state.offline;
                !self.is_held(*kb) && self.state(*kb, silent).unwrap_or(false)
            })
            .collect();
        for kb in silent {
            self.pending().poll(kb);
            self.wake.notify_one();
        }
    }

    /// After a fault, such as a full disk or a share that gives no answer, everything is looked at again a
    /// little later.
    fn look_again(self: &Arc<Self>, kb: KbId, unasked: bool) {
        let mut waits = true;
        self.change_state(kb, |state| waits = std::mem::replace(&mut state.looks_again, true));
        if waits {
            return;
        }
        let inner = Arc::clone(self);
        self.tasks.spawn(async move {
            tokio::select! {
                () = inner.cancel.cancelled() => {}
                () = tokio::time::sleep(POLL) => {
                    inner.change_state(kb, |state| state.looks_again = false);
                    if inner.state(kb, |state| state.held) == Some(Some(ScanHold::Cancelled)) {
                        return;
                    }
                    if unasked {
                        inner.pending().poll(kb);
                    } else {
                        inner.pending().everything(kb);
                    }
                    inner.wake.notify_one();
                }
            }
        });
    }

    async fn reconcile(self: &Arc<Self>, kb: KbId, todo: &Todo, watch: &mut Watch) -> Result<()> {
        // Opened anew each time: below a root that went away everything looks deleted.
        let root = match self.opened_root(kb).await {
            Ok(root) => root,
            // Its rows and index stay: it may come back.
            Err(error @ Error::Offline(_)) => {
                tracing::info!(%error, "offline");
                return Ok(());
            }
            // Forgotten meanwhile.
            Err(Error::NoKnowledgeBase(_)) => return Ok(()),
            Err(error) => return Err(error),
        };
        if todo.everything && !todo.unasked {
            self.scan_started(kb);
        }
        let Some(mut look) = self.look(kb, &root, todo).await? else {
            return Ok(());
        };
        if let Some(polling) = watch.follow(kb, &root, std::mem::take(&mut look.folders)).await {
            self.set_polling(kb, polling);
        }
        self.unseen(kb, &look);
        let (inner, at, todo_now) = (Arc::clone(self), root.clone(), todo.clone());
        let planned = tokio::task::spawn_blocking(move || inner.plan(kb, &at, &todo_now, look));
        let plan = planned.await.map_err(|_| Error::Closed)?;
        if todo.unasked {
            if plan.is_empty() {
                return Ok(());
            }
            if !plan.only_tries_again() {
                self.scan_started(kb);
            }
        }
        let prior = file::encodings(self.db.reader(), kb).await?;
        if !self.apply(kb, &root, plan, prior, todo.everything).await? {
            return Ok(());
        }
        if todo.everything {
            let at = now_ms();
            let mut tx = self.db.write().await?;
            knowledge_base::set_scanned(&mut tx, kb, at).await?;
            extraction::sweep(&mut tx).await?;
            tx.commit().await.map_err(orangery_store::Error::from)?;
            self.change_state(kb, |state| state.scanned_at = Some(at));
        }
        Ok(())
    }

    /// What a look means for the rows. Blocks.
    fn plan(&self, kb: KbId, root: &Root, todo: &Todo, look: Look) -> Plan {
        self.clear_temporaries(root, look.temporaries);
        let known: Vec<_> = {
            let files = self.catalog.read();
            let rows: BTreeMap<_, _> = look
                .scope
                .iter()
                .flat_map(|path| files.within(kb, path))
                // What gave no answer is not gone.
                .filter(|row| look.unseen.iter().all(|unseen| !row.path.is_within(&unseen.path)))
                .map(|row| (row.id, Arc::clone(row)))
                .collect();
            rows.into_values().collect()
        };
        let elsewhere = self.elsewhere(kb, root, &look.found, &known);
        let doubt = todo.paths.iter().cloned().collect();
        let elsewhere = |row: &file::FileRow| elsewhere.get(&row.id).copied().flatten();
        matching::plan(&self.catalog.read(), kb, look.found, known, &doubt, &elsewhere)
    }

    /// What is now at the places of rows outside the scope whose files may be among those that were found.
    fn elsewhere(
        &self,
        kb: KbId,
        root: &Root,
        found: &[Found],
        known: &[Arc<file::FileRow>],
    ) -> HashMap<FileId, Option<Meta>> {
        let in_scope: HashSet<FileId> = known.iter().map(|row| row.id).collect();
        let rows: Vec<_> = {
            let files = self.catalog.read();
            let inodes = found.iter().filter_map(|found| found.meta.inode);
            let rows = inodes.filter_map(|inode| files.by_inode(kb, inode));
            rows.filter(|row| !in_scope.contains(&row.id)).cloned().collect()
        };
        // The disk is asked with no lock held.
        let look = |row: &file::FileRow| match root.resolve(&row.path).and_then(|at| at.metadata()) {
            Ok(meta) => Some(meta),
            // Believed to be as it was.
            Err(error) if error.is_no_answer() => Some(row.meta()),
            Err(_) => None,
        };
        rows.into_iter().map(|row| (row.id, look(&row))).collect()
    }

    /// Takes over what could not be looked at, in the scope of a look.
    fn unseen(self: &Arc<Self>, kb: KbId, look: &Look) {
        self.change_state(kb, |state| {
            state.unseen.retain(|path, _| !look.scope.iter().any(|start| path.is_within(start)));
            state.unseen.extend(look.unseen.iter().map(|unseen| (unseen.path.clone(), unseen.trouble)));
        });
        if look.unseen.iter().any(|unseen| unseen.passing) {
            self.look_again(kb, true);
        }
    }

    /// What is on disk in the scope of `todo`. `None` when it was paused or closed.
    async fn look(self: &Arc<Self>, kb: KbId, root: &Root, todo: &Todo) -> Result<Option<Look>> {
        let (inner, root, todo) = (Arc::clone(self), root.clone(), todo.clone());
        let looked = tokio::task::spawn_blocking(move || {
            let rules = Rules { root: &root, own_data: inner.own_data_in(&root) };
            let stop = |found: usize| {
                if todo.everything && !todo.unasked {
                    inner.scan_found(kb, found as u64);
                }
                inner.stopped(kb)
            };
            let starts =
                if todo.everything { vec![KbPath::root()] } else { todo.paths.into_iter().collect() };
            let mut look = Look { scope: starts, ..Look::default() };
            for start in &look.scope {
                match look_at(&rules, start, &stop)? {
                    Looked::Stopped => return Ok(None),
                    Looked::Nothing => {}
                    Looked::Unseen(unseen) => look.unseen.push(unseen),
                    Looked::File(file) => look.found.push(file),
                    Looked::Folder(walk) => {
                        look.found.extend(walk.files);
                        look.folders.extend(walk.folders);
                        look.temporaries.extend(walk.temporaries);
                        look.unseen.extend(walk.unseen);
                    }
                }
            }
            // Paths within one another see the same files.
            look.found.sort_by(|a: &Found, b| a.path.cmp(&b.path));
            look.found.dedup_by(|a, b| a.path == b.path);
            Ok::<_, orangery_store::Error>(Some(look))
        });
        Ok(looked.await.map_err(|_| Error::Closed)??)
    }

    fn clear_temporaries(&self, root: &Root, temporaries: Vec<KbPath>) {
        for path in temporaries {
            let cleared =
                root.resolve(&path).and_then(|checked| checked.remove_stale_temporary(self.started));
            if let Err(error) = cleared {
                tracing::debug!(%error, "unfinished file kept");
            }
        }
    }
}

/// What is on disk, as far as it was looked at.
#[derive(Debug, Default)]
struct Look {
    /// These places and all below them.
    scope: Vec<KbPath>,
    found: Vec<Found>,
    folders: Vec<KbPath>,
    temporaries: Vec<KbPath>,
    unseen: Vec<Unseen>,
}

enum Looked {
    Nothing,
    Unseen(Unseen),
    File(Found),
    Folder(Walk),
    Stopped,
}

fn look_at(
    rules: &Rules<'_>,
    path: &KbPath,
    stop: &dyn Fn(usize) -> bool,
) -> Result<Looked, orangery_store::Error> {
    if stop(0) {
        return Ok(Looked::Stopped);
    }
    if !path.is_root() {
        let looked = rules.root.resolve(path).and_then(|checked| Ok((checked.metadata()?, checked)));
        let (meta, checked) = match looked {
            Ok(looked) => looked,
            Err(error) if error.is_no_answer() => return Ok(Looked::Unseen(Unseen::new(path, &error))),
            Err(_) => return Ok(Looked::Nothing),
        };
        let place = checked.place().clone();
        match meta.kind {
            EntryKind::File if rules.admits(&place) => return Ok(Looked::File(Found { path: place, meta })),
            EntryKind::Folder if place == *path => {}
            _ => return Ok(Looked::Nothing),
        }
    }
    match rules.walk(path, stop) {
        Ok(Some(walk)) => Ok(Looked::Folder(walk)),
        Ok(None) => Ok(Looked::Stopped),
        Err(error) if path.is_root() => Err(error),
        Err(error) if error.is_no_answer() => Ok(Looked::Unseen(Unseen::new(path, &error))),
        // It went away meanwhile.
        Err(_) => Ok(Looked::Nothing),
    }
}

impl Inner {
    fn scan_started(&self, kb: KbId) {
        self.change_state(kb, |state| {
            state.scan.phase = ScanPhase::Scanning;
            state.scan.found = 0;
            state.scan.current = None;
        });
        self.tell_scan(kb, true);
    }

    fn scan_found(&self, kb: KbId, found: u64) {
        self.change_state(kb, |state| state.scan.found = state.scan.found.max(found));
        self.tell_scan(kb, false);
    }

    fn scan_ended(&self, kb: KbId, phase: ScanPhase) {
        self.change_state(kb, |state| {
            state.scan.phase = phase;
            state.scan.current = None;
            state.lost = phase == ScanPhase::Failed;
        });
        self.tell_scan(kb, true);
    }
}

#[cfg(test)]
mod tests;
