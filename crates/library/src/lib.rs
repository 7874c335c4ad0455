//! Knowledge bases, opened: which files there are, what they say, where a question is answered, where a
//! link leads.
//!
//! This crate never writes a user's file, knows no level and no session, and judges nothing.
//!
//! One task ([`ingest`]) makes SQLite follow the disk, one thread ([`index::writer`]) makes the index
//! follow SQLite. Everything asked is answered from memory ([`catalog`]), SQLite and the index as they
//! are; what lags behind is said.

mod catalog;
mod chunk;
mod cite;
mod documents;
mod error;
mod extractor;
mod index;
mod ingest;
mod kb;
mod lines;
mod links;
mod mark;
mod names;
mod query;
mod read;
mod scan;
mod search;
mod sensitive;
mod stop;
mod tree;
mod trouble;
mod verify;
mod watch;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::SystemTime;

use orangery_domain::{ContentHash, FileId, FilePlace, KbId, KbPath, ScanState};
use orangery_store::Db;
use orangery_store::root::{Root, Roots};
use orangery_store::secret::Secrets;
use orangery_store::table::{file, knowledge_base};
use tokio::sync::{Notify, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use documents::{DocumentSource, Drawable, Look, PICTURE_LIMIT, PictureSource};
pub use error::{Error, Result};
pub use extractor::{Seen, WorkerCommand, worker};
pub use ingest::NOTE_LIMIT;
pub use lines::{CONTEXT_LIMIT, FIRST_LINES, LINE_QUERIES, LineFile, LinePage, LineQuery, LineSearch, Take};
pub use links::Resolved;
pub use mark::{How, Mark, Touched};
pub use orangery_extract::document::code::ALL as DOCUMENT_CODES;
pub use read::NoteSource;
pub use sensitive::is_sensitive;
pub use tree::FileFilter;
pub use trouble::{CHANGES_LOST, CODES as WARNING_CODES};
pub use verify::{Difference, DiffersBy, Verified};

use catalog::Catalog;
use documents::Documents;
use extractor::Extractor;
use index::OpenIndex;
use index::writer::{News, Order, Shared};
use ingest::Pending;
use kb::KbState;
use stop::Point;

/// What a library needs.
pub struct LibraryConfig {
    pub db: Db,
    /// The index's own folder; its parent holds the app's data and is never indexed.
    pub index_folder: PathBuf,
    /// Called from any thread; must not block for long.
    pub notify: Arc<dyn Fn(Fact) + Send + Sync>,
    pub cancel: CancellationToken,
    /// How documents are read; absent: they are known by name alone.
    pub worker: Option<WorkerCommand>,
    /// Where passwords of documents are kept.
    pub secrets: Option<Arc<Secrets>>,
    /// Whether changes on disk are followed; else only [`Library::rescan`] and [`Library::touched`] look.
    pub watch: bool,
}

/// What may have changed.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    KnowledgeBases,
    Files(KbId),
    Scan(KbId, ScanState),
    /// A known file's bytes changed, or it came or went, outside of a first scan. With the hash of what is
    /// there now, where it is known.
    Changed(FilePlace, Option<ContentHash>),
    /// Search answers otherwise.
    Searchable,
    Links,
}

/// All knowledge bases of one data directory. Cheap to clone.
#[derive(Clone)]
pub struct Library(Arc<Inner>);

struct Inner {
    db: Db,
    catalog: Arc<Catalog>,
    kbs: RwLock<BTreeMap<KbId, KbState>>,
    pending: Mutex<Pending>,
    wake: Notify,
    /// The additions to `pending` that are dealt with.
    ingested: tokio::sync::watch::Sender<u64>,
    /// Held from before a commit that changes rows of files until the catalog knows them: the scan and the
    /// reading of documents both do.
    rows: tokio::sync::Mutex<()>,
    documents: Documents,
    index: Shared,
    /// Why the index, or the database about it, took nothing when it was written last.
    index_trouble: Mutex<Option<String>>,
    orders: SyncSender<Order>,
    /// Files that the index holds and the database does not know.
    unknown: Mutex<Vec<FileId>>,
    notify: Arc<dyn Fn(Fact) + Send + Sync>,
    cancel: CancellationToken,
    watching: bool,
    data_folder: PathBuf,
    started: SystemTime,
    /// All that is at work; each ends with `cancel`.
    tasks: TaskTracker,
}

/// Batches that may wait for the index.
const ORDERS: usize = 4;

impl Library {
    /// Opens all knowledge bases: what is known is there at once, what changed meanwhile follows in the
    /// background.
    pub async fn open(config: LibraryConfig) -> Result<Self> {
        let index_folder = config.index_folder.clone();
        let (inner, received) = Self::known(config).await?;
        inner.start_writer(index_folder, received)?;
        for kb in inner.kb_ids() {
            inner.pending().everything(kb);
        }
        inner.wake.notify_one();
        let watcher = watch::Watch::start(&inner);
        inner.tasks.spawn(ingest::run(Arc::clone(&inner), watcher));
        inner.tasks.spawn(documents::queue::run(Arc::clone(&inner)));
        Ok(Self(inner))
    }

    /// Opens beside the process that owns the data directory: what is known and indexed now can be asked,
    /// and nothing is looked after, neither index nor database.
    pub async fn open_reading(config: LibraryConfig) -> Result<Self> {
        let index_folder = config.index_folder.clone();
        let (inner, _) = Self::known(config).await?;
        // Opening reads all of it.
        let opened = tokio::task::spawn_blocking(move || index::open(&index_folder));
        match opened.await.map_err(|_| Error::Closed)? {
            Ok(opened) => *inner.index.write().unwrap_or_else(PoisonError::into_inner) = Some(opened),
            // Search says that it is not there; it is the owner's to mend.
            Err(error) => tracing::warn!(%error, "the index is not read"),
        }
        Ok(Self(inner))
    }

    /// What the database knows, with nothing at work.
    async fn known(config: LibraryConfig) -> Result<(Arc<Inner>, Receiver<Order>)> {
        let LibraryConfig { db, index_folder, notify, cancel, worker, secrets, watch } = config;
        let catalog = Arc::new(Catalog::default());
        let mut kbs = BTreeMap::new();
        for row in knowledge_base::all(db.reader()).await? {
            let rows = file::of_kb(db.reader(), row.id).await?;
            {
                let mut files = catalog.write();
                rows.into_iter().for_each(|row| files.put(row));
            }
            kbs.insert(row.id, KbState::new(row, kbs.len()));
        }
        let (orders, received) = sync_channel(ORDERS);
        let data_folder = index_folder.parent().map(PathBuf::from).unwrap_or_default();
        let inner = Arc::new(Inner {
            db,
            catalog,
            kbs: RwLock::new(kbs),
            pending: Mutex::default(),
            wake: Notify::new(),
            ingested: tokio::sync::watch::Sender::new(0),
            rows: tokio::sync::Mutex::default(),
            documents: Documents::new(worker.map(Extractor::new), secrets, data_folder.join("pages")),
            index: Shared::default(),
            index_trouble: Mutex::default(),
            orders,
            unknown: Mutex::default(),
            notify,
            cancel,
            watching: watch,
            data_folder,
            started: SystemTime::now(),
            tasks: TaskTracker::new(),
        });
        Ok((inner, received))
    }

    /// Ends all work and waits for it. What was not indexed is indexed after the next start.
    pub async fn close(&self) {
        self.0.cancel.cancel();
        self.0.tasks.close();
        self.0.tasks.wait().await;
    }

    /// Why the index cannot be opened or written now; nothing where it can.
    pub fn index_trouble(&self) -> Option<String> {
        self.0.index_trouble().clone()
    }

    /// Waits until all known changes are searchable.
    pub async fn settle(&self) {
        let mut ingested = self.0.ingested.subscribe();
        loop {
            let requested = self.0.pending().requested;
            let closed = tokio::select! {
                done = ingested.wait_for(|done| *done >= requested) => done.is_err(),
                () = self.0.cancel.cancelled() => true,
            };
            if closed {
                return;
            }
            self.0.documents_settled().await;
            let (done, answer) = oneshot::channel();
            if self.0.order(Order::Flush(done)).await.is_err() || answer.await.is_err() {
                return;
            }
            // The index may have opened meanwhile and asked for more.
            if self.0.pending().requested == requested {
                return;
            }
        }
    }

    /// Somebody of ours wrote the file at `place`, or changed how it is to be read: it is looked at now.
    pub fn touched(&self, place: &FilePlace) {
        self.look_into(place);
    }

    /// The number to wait for in `ingested`.
    fn look_into(&self, place: &FilePlace) -> u64 {
        let requested = {
            let mut pending = self.0.pending();
            pending.path(place.clone());
            pending.requested
        };
        self.0.wake.notify_one();
        requested
    }

    /// Something of ours moved from one place to the other, and its rows with it.
    pub fn moved(&self, from: &FilePlace, to: &FilePlace) {
        self.0.pending().moved(from.clone(), to.clone());
        self.0.wake.notify_one();
    }

    fn catalog(&self) -> &Arc<Catalog> {
        &self.0.catalog
    }

    fn db(&self) -> &Db {
        &self.0.db
    }

    fn open_index(&self) -> Option<OpenIndex> {
        self.0.open_index()
    }

    async fn order_index(&self, order: Order) {
        if let Err(error) = self.0.order(order).await {
            // A closed library has no index to repair.
            tracing::debug!(%error, "the index is not looked after");
        }
    }
}

impl Roots for Library {
    fn root(&self, kb: KbId) -> Result<Root, orangery_store::Error> {
        self.0.open_root(kb, false).map_err(|error| match error {
            Error::Store(error) => error,
            Error::Offline(path) => orangery_store::Error::Offline(path),
            _ => orangery_store::Error::NoKnowledgeBase(kb),
        })
    }
}

impl Inner {
    fn open_index(&self) -> Option<OpenIndex> {
        self.index.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unknown(&self) -> MutexGuard<'_, Vec<FileId>> {
        self.unknown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_touched(&self, kb: KbId) -> BTreeSet<KbPath> {
        self.pending().take_paths(kb)
    }

    /// Waits while the index is busy with what it was given before.
    async fn order(&self, order: Order) -> Result<()> {
        let order = match self.orders.try_send(order) {
            Ok(()) => return Ok(()),
            Err(TrySendError::Disconnected(_)) => return Err(Error::Closed),
            Err(TrySendError::Full(order)) => order,
        };
        let orders = self.orders.clone();
        let sent = tokio::task::spawn_blocking(move || orders.send(order).is_ok());
        if sent.await.unwrap_or(false) { Ok(()) } else { Err(Error::Closed) }
    }

    /// The index's own thread; the task ends with it.
    fn start_writer(self: &Arc<Self>, folder: PathBuf, orders: Receiver<Order>) -> Result<()> {
        // Not kept alive by its own thread: when nobody else holds it, the orders end.
        let (inner, runtime) = (Arc::downgrade(self), tokio::runtime::Handle::current());
        let (shared, cancel) = (Arc::clone(&self.index), self.cancel.clone());
        let (ended, end) = oneshot::channel();
        std::thread::Builder::new()
            .name("index writer".into())
            .spawn(move || {
                let tell = |news| {
                    if let Some(inner) = inner.upgrade() {
                        runtime.block_on(inner.heard(news));
                    }
                };
                index::writer::run(folder, &shared, &orders, &cancel, tell);
                // Whoever waits may have gone.
                let _ = ended.send(());
            })
            .map_err(|error| Error::Index(error.to_string()))?;
        self.tasks.spawn(async move {
            let _ = end.await;
        });
        Ok(())
    }

    /// On the index's thread.
    async fn heard(self: &Arc<Self>, news: News) {
        let told = match news {
            News::Opened(held) => self.compare(held).await,
            News::Emptied => {
                let all = self.catalog.read().ids();
                self.forget_indexed(&all).await
            }
            News::Committed(files) => self.committed(files).await,
            News::Failed(reason) => Err(Error::Index(reason)),
        };
        let trouble = told.err().map(|error| error.to_string());
        if let Some(reason) = &trouble {
            tracing::warn!(reason, "the index is not up to date");
            self.feed_later();
        }
        let before = std::mem::replace(&mut *self.index_trouble(), trouble.clone());
        if before.is_some() != trouble.is_some() {
            (self.notify)(Fact::KnowledgeBases);
        }
    }

    fn index_trouble(&self) -> MutexGuard<'_, Option<String>> {
        self.index_trouble.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// After a fault, such as a full disk, what the index lacks is fed again.
    fn feed_later(self: &Arc<Self>) {
        let inner = Arc::clone(self);
        self.tasks.spawn(async move {
            tokio::select! {
                () = inner.cancel.cancelled() => {}
                () = tokio::time::sleep(index::writer::RETRY_AFTER) => {
                    inner.pending().feed();
                    inner.wake.notify_one();
                }
            }
        });
    }

    /// The index was opened: what it lacks is fed, what it should not have goes.
    async fn compare(&self, held: Vec<FileId>) -> Result<()> {
        let held: BTreeSet<FileId> = held.into_iter().collect();
        let known: BTreeSet<FileId> = self.catalog.read().ids().into_iter().collect();
        self.unknown().extend(held.difference(&known));
        let lacking: Vec<FileId> = known.difference(&held).copied().collect();
        self.forget_indexed(&lacking).await
    }

    async fn forget_indexed(&self, files: &[FileId]) -> Result<()> {
        // First here: what the database cannot take now, the next start finds out by itself.
        self.catalog.write().forget_indexed(files);
        self.pending().feed();
        self.wake.notify_one();
        let none: Vec<_> = files.iter().map(|file| (*file, 0)).collect();
        let mut tx = self.db.write().await?;
        file::set_indexed(&mut tx, &none).await?;
        tx.commit().await.map_err(orangery_store::Error::from)?;
        Ok(())
    }

    async fn committed(&self, files: Vec<(FileId, i64)>) -> Result<()> {
        if !files.is_empty() {
            let mut tx = self.db.write().await?;
            file::set_indexed(&mut tx, &files).await?;
            tx.commit().await.map_err(orangery_store::Error::from)?;
            stop::point(Point::Told);
            self.catalog.write().indexed(&files);
        }
        (self.notify)(Fact::Searchable);
        for kb in self.kb_ids() {
            self.tell_scan(kb, self.catalog.read().counts(kb).behind == 0);
        }
        Ok(())
    }
}
