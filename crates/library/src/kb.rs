//! The list of knowledge bases and the state of each.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use orangery_domain::{FileId, KbId, KbPath, KnowledgeBase, ScanHold, ScanPhase, ScanState};
use orangery_store::root::Root;
use orangery_store::table::knowledge_base::{self, KbRow};
use tokio::sync::oneshot;

use crate::index::writer::Order;
use crate::trouble::{self, Trouble};
use crate::{Error, Fact, Inner, Library, Result};

pub struct KbState {
    pub row: KbRow,
    pub order: usize,
    pub scan: ScanState,
    pub scanned_at: Option<i64>,
    pub offline: bool,
    pub polling: bool,
    /// What the user said of its scans.
    pub held: Option<ScanHold>,
    /// What is at work is to end: it was cancelled.
    pub ending: bool,
    /// Rows go as soon as the ingest task gets to it; until then nothing new is done.
    pub forgotten: bool,
    /// Places that gave no answer when they were last looked at; what is known of them stays.
    pub unseen: BTreeMap<KbPath, Trouble>,
    /// What the last look found could not be stored.
    pub lost: bool,
    /// Another look is due already.
    pub looks_again: bool,
    root: Option<Root>,
    told: Option<(Instant, ScanState)>,
}

/// Progress is told at most this often.
const TELL_EVERY: Duration = Duration::from_millis(100);

impl KbState {
    pub fn new(row: KbRow, order: usize) -> Self {
        Self {
            scanned_at: row.scanned_at,
            row,
            order,
            scan: ScanState::default(),
            offline: false,
            polling: false,
            held: None,
            ending: false,
            lost: false,
            forgotten: false,
            unseen: BTreeMap::new(),
            looks_again: false,
            root: None,
            told: None,
        }
    }
}

impl Library {
    /// In the user's order.
    pub fn knowledge_bases(&self) -> Vec<KnowledgeBase> {
        let mut listed: Vec<_> = {
            let kbs = self.0.kbs.read().unwrap_or_else(PoisonError::into_inner);
            let shown = kbs.values().filter(|state| !state.forgotten);
            shown.map(|state| (state.order, state.row.id)).collect()
        };
        listed.sort_unstable();
        listed.into_iter().filter_map(|(_, id)| self.0.describe(id)).collect()
    }

    /// Registers a folder and begins to scan it. Its name defaults to the folder's.
    ///
    /// # Errors
    /// `Conflict` naming the other knowledge base when one lies within the other.
    pub async fn add(&self, root: &Path, name: Option<String>) -> Result<KnowledgeBase> {
        let shown = root.display().to_string();
        let root = std::path::absolute(root).map_err(|_| Error::NotAFolder(shown.clone()))?;
        let (given, data) = (root.clone(), self.0.data_folder.clone());
        let others = self.knowledge_bases();
        let asked = tokio::task::spawn_blocking(move || {
            let canonical = std::fs::canonicalize(given).ok().filter(|place| place.is_dir());
            let others: Vec<_> =
                others.into_iter().map(|other| (canonical_or_same(Path::new(&other.root)), other)).collect();
            (canonical, canonical_or_same(&data), others)
        });
        let (canonical, data, others) = asked.await.map_err(|_| Error::Closed)?;
        let canonical = canonical.ok_or(Error::NotAFolder(shown.clone()))?;
        let text = root.to_str().ok_or(Error::NotAFolder(shown))?.to_owned();
        if canonical.starts_with(&data) {
            return Err(Error::OwnData(text));
        }
        for (place, other) in others {
            let (root, name) = (text.clone(), other.name);
            if canonical == place {
                return Err(Error::AddedAlready(root, name));
            }
            if canonical.starts_with(&place) {
                return Err(Error::LiesWithin { root, other: name, other_root: other.root });
            }
            if place.starts_with(&canonical) {
                return Err(Error::Holds { root, other: name, other_root: other.root });
            }
        }
        let name = name
            .map(|name| name.trim().to_owned())
            .filter(|name| !name.is_empty())
            .or_else(|| root.file_name().map(|name| name.to_string_lossy().into_owned()))
            .unwrap_or_else(|| text.clone());
        let mut tx = self.db().write().await?;
        let id = knowledge_base::insert(&mut tx, &name, &text).await?;
        tx.commit().await.map_err(orangery_store::Error::from)?;
        self.0.kbs_mut(|kbs| {
            let order = kbs.values().map(|state| state.order + 1).max().unwrap_or(0);
            kbs.insert(id, KbState::new(KbRow { id, name, root: text, scanned_at: None }, order))
        });
        (self.0.notify)(Fact::KnowledgeBases);
        self.look_at(id);
        self.0.describe(id).ok_or(Error::NoKnowledgeBase(id))
    }

    pub async fn rename(&self, kb: KbId, name: &str) -> Result<()> {
        let name = name.trim();
        if name.is_empty() {
            return Err(Error::NoName);
        }
        let mut tx = self.db().write().await?;
        knowledge_base::rename(&mut tx, kb, name).await?;
        tx.commit().await.map_err(orangery_store::Error::from)?;
        self.0.change_state(kb, |state| state.row.name = name.to_owned());
        (self.0.notify)(Fact::KnowledgeBases);
        Ok(())
    }

    /// Puts the knowledge bases into this order; those not named follow as they were.
    pub async fn reorder(&self, kb_ids: &[KbId]) -> Result<()> {
        let mut order = kb_ids.to_vec();
        order.extend(self.knowledge_bases().into_iter().map(|kb| kb.id).filter(|id| !kb_ids.contains(id)));
        let mut tx = self.db().write().await?;
        for (at, kb) in (0..).zip(&order) {
            knowledge_base::set_order(&mut tx, *kb, at).await?;
        }
        tx.commit().await.map_err(orangery_store::Error::from)?;
        for (at, kb) in order.into_iter().enumerate() {
            self.0.change_state(kb, |state| state.order = at);
        }
        (self.0.notify)(Fact::KnowledgeBases);
        Ok(())
    }

    /// Forgets a knowledge base and everything known of its files. The files are not touched.
    ///
    /// # Errors
    /// After every error the knowledge base is there as before.
    pub async fn forget(&self, kb: KbId) -> Result<()> {
        if self.0.state(kb, |state| state.forgotten).unwrap_or(true) {
            return Err(Error::NoKnowledgeBase(kb));
        }
        self.0.change_state(kb, |state| state.forgotten = true);
        let (done, forgotten) = oneshot::channel();
        self.0.pending().forget(kb, done);
        self.0.wake.notify_one();
        tokio::select! {
            done = forgotten => done.unwrap_or(Err(Error::Closed)),
            () = self.0.cancel.cancelled() => Err(Error::Closed),
        }
    }

    /// Looks at every file again, also after a pause or a cancelled scan.
    pub fn rescan(&self, kb: KbId) -> Result<()> {
        self.0.state(kb, |_| ()).ok_or(Error::NoKnowledgeBase(kb))?;
        self.0.change_state(kb, |state| (state.held, state.ending) = (None, false));
        self.look_at(kb);
        Ok(())
    }

    /// Stops scanning until the next [`Self::rescan`]. What is known stays searchable.
    pub fn pause(&self, kb: KbId) -> Result<()> {
        self.0.state(kb, |_| ()).ok_or(Error::NoKnowledgeBase(kb))?;
        self.0.change_state(kb, |state| state.held = Some(ScanHold::Paused));
        // Taken up by the next rescan.
        self.look_at(kb);
        self.0.documents.queue.look();
        self.0.tell_scan(kb, true);
        Ok(())
    }

    /// Gives up the scan and the reading that are at work. What was found by then stays, and what is opened,
    /// saved or changed from now on is taken in as ever; the rest is not found until the next
    /// [`Self::rescan`] or start. Nothing happens where nothing is at work.
    pub fn cancel(&self, kb: KbId) -> Result<()> {
        let at_work = self.0.scan_state(kb).ok_or(Error::NoKnowledgeBase(kb))?.phase != ScanPhase::Idle;
        let paused = self.0.state(kb, |state| state.held == Some(ScanHold::Paused)).unwrap_or(false);
        if !self.0.pending().give_up(kb) && !at_work && !paused {
            return Ok(());
        }
        self.0.change_state(kb, |state| (state.held, state.ending) = (Some(ScanHold::Cancelled), true));
        self.0.drop_documents(|at| at == kb);
        self.0.wake.notify_one();
        self.0.tell_scan(kb, true);
        Ok(())
    }

    /// The open root of a knowledge base.
    pub fn root(&self, kb: KbId) -> Result<Root> {
        self.0.open_root(kb, false)
    }

    /// The same without blocking: one that is not open asks the disk.
    pub(crate) async fn reached(&self, kb: KbId) -> Result<Root> {
        if let Some(Some(root)) = self.0.state(kb, |state| state.root.clone()) {
            return Ok(root);
        }
        let inner = Arc::clone(&self.0);
        tokio::task::spawn_blocking(move || inner.open_root(kb, false)).await.map_err(|_| Error::Closed)?
    }

    fn look_at(&self, kb: KbId) {
        self.0.pending().everything(kb);
        self.0.wake.notify_one();
    }

    pub(crate) fn kb_name(&self, kb: KbId) -> String {
        self.0.state(kb, |state| state.row.name.clone()).unwrap_or_default()
    }

    pub(crate) fn kb_names(&self) -> Vec<(KbId, String)> {
        let kbs = self.0.kbs.read().unwrap_or_else(PoisonError::into_inner);
        kbs.values().map(|state| (state.row.id, state.row.name.clone())).collect()
    }

    /// The names of knowledge bases of `among`, or of all when it is empty, whose latest changes could not
    /// be stored.
    pub(crate) fn losing(&self, among: &HashSet<KbId>) -> Vec<String> {
        let kbs = self.0.kbs.read().unwrap_or_else(PoisonError::into_inner);
        let asked = kbs.values().filter(|state| among.is_empty() || among.contains(&state.row.id));
        asked.filter(|state| self.0.loses(state)).map(|state| state.row.name.clone()).collect()
    }

    /// Files that running scans have seen beyond those that are stored.
    pub(crate) fn found_beyond(&self) -> u64 {
        let kbs = self.0.kbs.read().unwrap_or_else(PoisonError::into_inner);
        let files = self.catalog().read();
        let scanning =
            kbs.values().filter(|state| state.scan.phase == ScanPhase::Scanning || state.held.is_some());
        scanning.map(|state| state.scan.found.saturating_sub(files.counts(state.row.id).files)).sum()
    }
}

fn canonical_or_same(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

impl Inner {
    pub fn kb_ids(&self) -> Vec<KbId> {
        let kbs = self.kbs.read().unwrap_or_else(PoisonError::into_inner);
        kbs.values().filter(|state| !state.forgotten).map(|state| state.row.id).collect()
    }

    pub fn state<T>(&self, kb: KbId, get: impl FnOnce(&KbState) -> T) -> Option<T> {
        self.kbs.read().unwrap_or_else(PoisonError::into_inner).get(&kb).map(get)
    }

    pub fn change_state(&self, kb: KbId, change: impl FnOnce(&mut KbState)) {
        self.kbs_mut(|kbs| kbs.get_mut(&kb).map(change));
    }

    fn kbs_mut<T>(&self, change: impl FnOnce(&mut std::collections::BTreeMap<KbId, KbState>) -> T) -> T {
        change(&mut self.kbs.write().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether work on `kb` should end now.
    pub fn stopped(&self, kb: KbId) -> bool {
        let ends = |state: &KbState| state.held == Some(ScanHold::Paused) || state.ending || state.forgotten;
        self.cancel.is_cancelled() || self.state(kb, ends).unwrap_or(true)
    }

    /// Whether only what somebody asks for is done for `kb`.
    pub fn is_held(&self, kb: KbId) -> bool {
        self.state(kb, |state| state.held.is_some()).unwrap_or(false)
    }

    pub fn set_polling(&self, kb: KbId, polling: bool) {
        if self.state(kb, |state| state.polling) == Some(!polling) {
            self.change_state(kb, |state| state.polling = polling);
            (self.notify)(Fact::KnowledgeBases);
        }
    }

    /// The open root; `fresh` opens it again, to notice that it went away or came back.
    pub fn open_root(&self, kb: KbId, fresh: bool) -> Result<Root> {
        let (path, open) = self
            .state(kb, |state| (state.row.root.clone(), state.root.clone()))
            .ok_or(Error::NoKnowledgeBase(kb))?;
        if let Some(root) = open.filter(|_| !fresh) {
            return Ok(root);
        }
        let opened = Root::open(Path::new(&path));
        let was_offline = self.state(kb, |state| state.offline).unwrap_or(false);
        self.change_state(kb, |state| {
            state.offline = opened.is_err();
            state.root = opened.as_ref().ok().cloned();
        });
        if was_offline != opened.is_err() {
            (self.notify)(Fact::KnowledgeBases);
        }
        opened.map_err(|_| Error::Offline(path))
    }

    /// As [`Inner::open_root`], freshly, without blocking.
    pub async fn opened_root(self: &Arc<Self>, kb: KbId) -> Result<Root> {
        let inner = Arc::clone(self);
        tokio::task::spawn_blocking(move || inner.open_root(kb, true)).await.map_err(|_| Error::Closed)?
    }

    /// Roots as hints name them: as given and with links resolved.
    pub fn root_paths(&self) -> Vec<(KbId, PathBuf)> {
        let kbs = self.kbs.read().unwrap_or_else(PoisonError::into_inner);
        let roots = kbs.values().flat_map(|state| {
            let given = PathBuf::from(&state.row.root);
            let canonical = canonical_or_same(&given);
            [(state.row.id, given), (state.row.id, canonical)]
        });
        roots.collect()
    }

    /// Where the app's own data lies inside a root, if it does.
    pub fn own_data_in(&self, root: &Root) -> Option<KbPath> {
        let data = canonical_or_same(&self.data_folder);
        let inside = data.strip_prefix(canonical_or_same(root.path())).ok()?;
        KbPath::parse(inside.to_str()?).ok().filter(|path| !path.is_root())
    }

    pub fn describe(&self, kb: KbId) -> Option<KnowledgeBase> {
        let counts = self.catalog.read().counts(kb);
        let scan = self.scan_state(kb)?;
        self.state(kb, |state| KnowledgeBase {
            id: kb,
            name: state.row.name.clone(),
            root: state.row.root.clone(),
            offline: state.offline,
            files: counts.files,
            unreadable: counts.unreadable,
            scan,
            scanned_at: state.scanned_at,
            polling: state.polling,
            troubles: {
                let lost = self.loses(state).then(|| trouble::CHANGES_LOST.of(&state.row.name));
                let unseen = state.unseen.iter().map(|(path, trouble)| trouble.of(path.as_str()));
                lost.into_iter().chain(unseen).collect()
            },
        })
    }

    /// Whether its latest changes could not be stored, or not be indexed.
    fn loses(&self, state: &KbState) -> bool {
        let behind = || self.catalog.read().counts(state.row.id).behind > 0 || self.open_index().is_none();
        state.lost || self.index_trouble().is_some() && behind()
    }

    fn scan_state(&self, kb: KbId) -> Option<ScanState> {
        let counts = self.catalog.read().counts(kb);
        self.state(kb, |state| ScanState {
            phase: match state.scan.phase {
                ScanPhase::Idle
                    if counts.waiting > 0 && self.documents.extractor.is_some() && state.held.is_none() =>
                {
                    ScanPhase::Reading
                }
                ScanPhase::Idle if counts.behind > 0 && state.held != Some(ScanHold::Paused) => {
                    ScanPhase::Indexing
                }
                phase => phase,
            },
            found: state.scan.found.max(counts.files),
            extracted: counts.files,
            searchable: counts.files - counts.behind,
            documents: counts.documents,
            documents_read: counts.documents - counts.waiting,
            pages: state.scan.pages,
            current: state.scan.current.clone(),
            held: state.held,
        })
    }

    /// Tells progress: always when `now`, else if the last time is a while ago.
    pub fn tell_scan(&self, kb: KbId, now: bool) {
        let Some(scan) = self.scan_state(kb) else {
            return;
        };
        let mut due = false;
        self.change_state(kb, |state| {
            let (at, last) = match &state.told {
                Some((at, last)) => (Some(*at), Some(last)),
                None => (None, None),
            };
            due = last != Some(&scan) && (now || at.is_none_or(|at| at.elapsed() >= TELL_EVERY));
            if due {
                state.told = Some((Instant::now(), scan.clone()));
            }
        });
        if due {
            (self.notify)(Fact::Scan(kb, scan));
        }
    }

    /// On the ingest task, so that nothing of `kb` is on its way any more.
    pub async fn drop_knowledge_base(self: &Arc<Self>, kb: KbId) -> Result<()> {
        if let Err(error) = self.delete_knowledge_base(kb).await {
            // All of it is still there, and what was not looked at meanwhile is.
            self.change_state(kb, |state| state.forgotten = false);
            self.pending().poll(kb);
            (self.notify)(Fact::KnowledgeBases);
            return Err(error);
        }
        self.kbs_mut(|kbs| kbs.remove(&kb));
        let ids: Vec<FileId> = {
            let mut files = self.catalog.write();
            let ids: Vec<FileId> = files.within(kb, &KbPath::root()).map(|row| row.id).collect();
            for id in &ids {
                files.remove(*id);
            }
            ids
        };
        if let Err(error) = self.order(Order::Remove(ids)).await {
            // Closing: the next start takes from the index what the database does not know.
            tracing::debug!(%error, "forgotten files stay in the index for now");
        }
        (self.notify)(Fact::KnowledgeBases);
        (self.notify)(Fact::Files(kb));
        (self.notify)(Fact::Links);
        Ok(())
    }

    async fn delete_knowledge_base(&self, kb: KbId) -> Result<()> {
        let mut tx = self.db.write().await?;
        knowledge_base::delete(&mut tx, kb).await?;
        tx.commit().await.map_err(orangery_store::Error::from)?;
        Ok(())
    }
}
