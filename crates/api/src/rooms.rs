//! Everything that is open while a process has the data directory. [`Rooms::open`] is the only place
//! where the crates below are wired together.

mod assistant;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use orangery_agent::{Assistant, AssistantConfig, Programs, Web};
use orangery_change::{Changes, Written};
use orangery_domain::{Event, FilePlace, Tag};
use orangery_library::{CHANGES_LOST, Fact, Library, LibraryConfig};
use orangery_net::{Client, Content};
use orangery_store::Db;
use orangery_store::cache::Cache;
use orangery_store::files::DataFolder;
use orangery_store::secret::Secrets;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::app::Config;
use crate::blob::{self, Blob, BlobKey};
use crate::error::{Result, WireError};
use crate::event::Events;
use crate::request::Finding;

pub(crate) use assistant::endpoint;

/// What handlers work with.
pub struct Rooms {
    pub(crate) config: Config,
    pub(crate) events: Arc<Events>,
    pub(crate) secrets: Arc<Secrets>,
    pub(crate) db: Db,
    pub(crate) client: Client,
    pub(crate) library: Library,
    pub(crate) changes: Changes,
    pub(crate) assistant: Assistant,
    /// The first note of the user guide, where this run brought it in.
    pub(crate) sample: OnceLock<FilePlace>,
    /// Calls that write.
    pub(crate) calls: TaskTracker,
    /// Keeps what other programs write over.
    keeper: Option<Mutex<Option<JoinHandle<()>>>>,
    cancel: CancellationToken,
}

/// Bytes of transcripts that are kept.
const TRANSCRIPTS_LIMIT: u64 = 64 << 20;
/// Calls at work when the rooms close may still finish, for this long.
const GRACE: Duration = Duration::from_secs(5);

impl Rooms {
    /// Opens everything in order: what a room tells the others about, it can tell them from the start.
    /// With `reading`, beside an owner, nothing is made, mended or written.
    pub(crate) async fn open(config: &Config, cancel: CancellationToken, reading: bool) -> Result<Self> {
        let data = DataFolder::open(&config.data_dir)?;
        let db =
            if reading { Db::open_reading(&data.database()) } else { Db::open(&data.database()).await? };
        let events = Arc::new(Events::starting_at(first_event()));
        let secrets = Arc::new(Secrets::open(data.path()));
        let noticed = Arc::new(Noticed::default());
        let client = Client::new().map_err(WireError::from)?;
        let library = LibraryConfig {
            db: db.clone(),
            index_folder: data.index(),
            notify: Arc::new({
                let (events, noticed) = (Arc::clone(&events), Arc::clone(&noticed));
                move |fact| {
                    // Beside an owner nobody looks.
                    if let Fact::Changed(place, _) = &fact
                        && !reading
                    {
                        noticed.add(place.clone());
                    }
                    tell(&events, fact);
                }
            }),
            cancel: cancel.child_token(),
            worker: config.worker.clone(),
            secrets: Some(Arc::clone(&secrets)),
            watch: config.watch,
        };
        let library =
            if reading { Library::open_reading(library).await? } else { Library::open(library).await? };
        let roots = Arc::new(library.clone());
        let changes = if reading {
            Changes::reading(db.clone(), roots)
        } else {
            let (events, library) = (Arc::clone(&events), library.clone());
            let notify = Arc::new(move |written| announce(&events, &library, written));
            Changes::open(db.clone(), roots, notify).await?
        };
        let keeper = (!reading).then(|| {
            let work = keep_outside_changes(changes.clone(), Arc::clone(&events), noticed);
            let cancel = cancel.clone();
            Mutex::new(Some(tokio::spawn(async move {
                cancel.run_until_cancelled(work).await;
            })))
        });
        let assistant = AssistantConfig {
            db: db.clone(),
            library: library.clone(),
            proposals: changes.proposals(),
            client: client.clone(),
            emit: Arc::new({
                let events = Arc::clone(&events);
                move |event| events.emit(event)
            }),
            models: Arc::new(assistant::KeyedModels { db: db.clone(), secrets: Arc::clone(&secrets) }),
            at_once: Arc::new(assistant::Applier { changes: changes.clone() }),
            // Beside an owner nothing is run.
            programs: config
                .watchdog
                .clone()
                .filter(|_| !reading)
                .map(|watchdog| Arc::new(Programs::new(watchdog))),
            web: Web::new(Content::new().map_err(WireError::from)?, Arc::clone(&secrets)),
            transcripts: Cache::new(data.path().join("transcripts"), TRANSCRIPTS_LIMIT),
            home: config.home.clone(),
            cancel: cancel.child_token(),
        };
        let assistant =
            if reading { Assistant::reading(assistant) } else { Assistant::open(assistant).await? };
        Ok(Self {
            config: config.clone(),
            events,
            secrets,
            db,
            client,
            library,
            changes,
            assistant,
            sample: OnceLock::new(),
            calls: TaskTracker::new(),
            keeper,
            cancel,
        })
    }

    /// Ends turns and calls, then what they worked with.
    pub(crate) async fn close(&self) {
        self.cancel.cancel();
        self.calls.close();
        if tokio::time::timeout(GRACE, self.calls.wait()).await.is_err() {
            tracing::warn!("calls at work were cut off");
        }
        self.assistant.close().await;
        let keeper = self
            .keeper
            .as_ref()
            .and_then(|keeper| keeper.lock().unwrap_or_else(PoisonError::into_inner).take());
        if let Some(keeper) = keeper {
            // It ends with the token; if it panicked there is nothing to wait for.
            let _ = keeper.await;
        }
        self.library.close().await;
        self.db.close().await;
    }

    /// Waits until every change of the files so far is searchable.
    pub(crate) async fn catch_up(&self) {
        self.library.settle().await;
    }

    pub(crate) async fn blob(&self, key: BlobKey) -> Result<Blob> {
        let place = match key {
            BlobKey::File { place } => place,
            BlobKey::Page { place, page, width } => {
                return Ok(blob::picture(self.library.page_picture(&place, page, width).await?));
            }
            BlobKey::Picture { place, id } => {
                return Ok(blob::picture(self.library.document_picture(&place, &id).await?));
            }
        };
        let content_type = blob::content_type(place.path.name());
        let checked = self.library.resolve(&place).await?;
        let read = tokio::task::spawn_blocking(move || {
            let size = checked.metadata()?.size;
            if size > blob::LARGEST {
                let path = place.path.to_string();
                return Err(orangery_store::Error::TooLarge { path, size, limit: blob::LARGEST });
            }
            checked.read()
        });
        let bytes = read.await.map_err(WireError::internal)??;
        Ok(Blob { content_type, bytes })
    }

    /// What `doctor` says about the rooms.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        let known = self.library.knowledge_bases();
        let finding = |kb: &orangery_domain::KnowledgeBase| Finding {
            name: "knowledgeBase".into(),
            ok: !kb.offline && kb.troubles.is_empty(),
            detail: format!("{}: {}, {} files, {} unreadable", kb.name, kb.root, kb.files, kb.unreadable),
            remedy: match kb.troubles.first() {
                _ if kb.offline => Some("connect the disk, or forget the knowledge base".into()),
                Some(lost) if CHANGES_LOST.is(lost) => Some(
                    "make room on the disk of the data directory; what changed is looked at again then"
                        .into(),
                ),
                Some(folder) => Some(format!(
                    "the folder {:?} cannot be read: look at its rights and its disk",
                    folder.detail
                )),
                None => None,
            },
        };
        known.iter().map(finding).collect()
    }
}

/// Files that changed and that history has not looked at: each once, however often it changes.
#[derive(Default)]
struct Noticed {
    places: Mutex<BTreeSet<FilePlace>>,
    more: Notify,
}

impl Noticed {
    fn add(&self, place: FilePlace) {
        self.places.lock().unwrap_or_else(PoisonError::into_inner).insert(place);
        self.more.notify_one();
    }

    async fn next(&self) -> FilePlace {
        loop {
            let next = self.places.lock().unwrap_or_else(PoisonError::into_inner).pop_first();
            match next {
                Some(place) => return place,
                None => self.more.notified().await,
            }
        }
    }
}

/// Lets history look at every file that the watcher saw change.
async fn keep_outside_changes(changes: Changes, events: Arc<Events>, noticed: Arc<Noticed>) {
    loop {
        let place = noticed.next().await;
        match changes.noticed(&place).await {
            Ok(true) => events.stale(&[Tag::History]),
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "what another program wrote over could not be kept"),
        }
    }
}

/// What the library found, as the hosts hear it.
fn tell(events: &Events, fact: Fact) {
    match fact {
        Fact::KnowledgeBases => events.stale(&[Tag::KnowledgeBases]),
        Fact::Files(_) => events.stale(&[Tag::Files]),
        Fact::Scan(kb_id, scan) => events.emit(Event::Scan { kb_id, scan }),
        Fact::Changed(place, hash) => events.emit(Event::FileChanged { place, hash }),
        Fact::Searchable => events.stale(&[Tag::Search]),
        Fact::Links => events.stale(&[Tag::Links]),
    }
}

/// Something of ours was written: the index looks at it now, and whoever shows it looks again.
fn announce(events: &Events, library: &Library, written: Written) {
    match &written.from {
        Some(from) => library.moved(from, &written.place),
        None => library.touched(&written.place),
    }
    if written.change_set_id.is_some() {
        events.stale(&[Tag::Changes, Tag::History, Tag::Files]);
    }
    if let Some(place) = written.from {
        events.emit(Event::FileChanged { place, hash: None });
    }
    events.emit(Event::FileChanged { place: written.place, hash: written.hash });
}

/// Above every number of an earlier run: no run makes a thousand events a millisecond.
fn first_event() -> u64 {
    u64::try_from(orangery_store::now_ms()).unwrap_or_default() * 1000
}
