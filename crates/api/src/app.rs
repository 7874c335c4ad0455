//! What a host opens: the rooms themselves where this process owns the data directory, else a way to
//! the process that does.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use futures::stream::BoxStream;
use futures::{Stream, StreamExt};
use orangery_domain::{ContentHash, Numbered};
use orangery_library::WorkerCommand;
use orangery_store::owner::{self as ownership, Ownership};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::blob::{Blob, BlobKey};
use crate::child;
use crate::commands;
use crate::error::{Code, Result, WireError};
use crate::handlers;
use crate::owner::{CallError, Client, Server};
use crate::request::{Capabilities, DoctorReport};
use crate::rooms::Rooms;

/// How long a process tries to reach an owner that has the lock but does not answer (it may be opening
/// a large index) before it goes on read-only.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a call is asked again when its owner goes away over it, or before it took it: command lines that run side
/// by side own one after the other. One that writes is asked again only where it was not taken.
const TRIES: u32 = 8;
const PAUSE: Duration = Duration::from_millis(40);

/// Everything that differs between hosts and machines.
#[derive(Debug, Clone)]
pub struct Config {
    /// `orangery.db`, `index/` and the rest of the app's own.
    pub data_dir: PathBuf,
    /// `~/.orange`.
    pub home: PathBuf,
    /// Where the sample is written: a folder in it, never over anything.
    pub sample_dir: PathBuf,
    /// The host's own; `read_only` and `sample` are filled in here.
    pub capabilities: Capabilities,
    /// How documents are read in processes of their own; absent: they are known by name alone.
    pub worker: Option<WorkerCommand>,
    /// How commands are watched over; absent: none is run.
    pub watchdog: Option<orangery_process::Launch>,
    /// Whether to watch the folders; a command that soon ends does not.
    pub watch: bool,
}

impl Config {
    /// From the environment and the platform's habits. `data_dir` comes before all of them.
    pub fn from_environment(host: &str, data_dir: Option<PathBuf>) -> Result<Self> {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let missing = || WireError::new(Code::NotFound, "find a home folder: set HOME or ORANGERY_DATA_DIR");
        let user = directories::UserDirs::new();
        let user_home = || user.as_ref().map(|user| user.home_dir().to_owned());
        let data_dir = match data_dir.or_else(|| set("ORANGERY_DATA_DIR")) {
            Some(folder) => folder,
            None => directories::ProjectDirs::from("", "", "orangery")
                .map(|project| project.data_dir().to_owned())
                .ok_or_else(missing)?,
        };
        let home = match set("ORANGERY_HOME") {
            Some(folder) => folder,
            None => user_home().ok_or_else(missing)?.join(".orange"),
        };
        let documents = || user.as_ref().and_then(|user| user.document_dir().map(PathBuf::from));
        let sample_dir = match set("ORANGERY_SAMPLE_DIR").or_else(documents).or_else(user_home) {
            Some(folder) => folder,
            None => data_dir.clone(),
        };
        Ok(Self {
            data_dir: std::path::absolute(data_dir).map_err(WireError::internal)?,
            home,
            sample_dir,
            capabilities: Capabilities {
                host: host.to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                platform: std::env::consts::OS.to_owned(),
                native_dialogs: false,
                frameless: false,
                read_only: false,
                sample: None,
                unconfined: unconfined(),
            },
            worker: child::worker(),
            watchdog: child::watchdog(),
            watch: true,
        })
    }

    /// Names the data directory without telling where it is: what a page remembers of one must not be
    /// taken for something of another. Letters and digits, a letter first.
    pub fn data_name(&self) -> String {
        let hash = ContentHash::of(self.data_dir.as_os_str().as_encoded_bytes()).to_hex();
        format!("d{}", &hash[..16])
    }
}

/// Why commands cannot be confined here, by the code that the UI has words for.
fn unconfined() -> Option<String> {
    use orangery_process::{Confinement, Missing, Support};
    let code = match Confinement::support() {
        Support::Yes => return None,
        Support::No(Missing::Linux) => "linux",
        Support::No(Missing::Landlock) => "landlock",
        Support::No(Missing::CallFilter) => "callFilter",
    };
    Some(code.to_owned())
}

/// The application, as a host holds it. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
    config: Config,
    patience: Duration,
    /// Counts changes of role, so that of many callers who lost the owner one looks for the next.
    role: RwLock<(u64, Role)>,
    joining: tokio::sync::Mutex<()>,
    cancel: CancellationToken,
}

#[derive(Clone)]
enum Role {
    /// This process owns the data directory.
    Owner(Arc<Owned>),
    /// Another does, and answers.
    Forwarding(Client),
    /// Another does, and does not answer.
    ReadOnly(Arc<Rooms>),
    /// Shut down.
    Gone,
}

struct Owned {
    rooms: Arc<Rooms>,
    server: Mutex<Option<Server>>,
    /// Last, so that the lock outlives all else.
    ownership: Mutex<Option<Ownership>>,
}

impl Owned {
    /// Takes no more calls of other processes, and finishes those at work.
    async fn stop_serving(&self) {
        let server = self.server.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(server) = server {
            server.stop().await;
        }
    }
}

impl App {
    /// Takes the data directory, or finds the process that has it.
    pub async fn open(config: Config) -> Result<Self> {
        Self::open_within(config, PATIENCE).await
    }

    /// The same, with another patience for an owner that has the lock but does not answer.
    pub async fn open_within(config: Config, patience: Duration) -> Result<Self> {
        let cancel = CancellationToken::new();
        let role = join(&config, &cancel, patience).await?;
        Ok(Self(Arc::new(Inner {
            config,
            patience,
            role: RwLock::new((0, role)),
            joining: tokio::sync::Mutex::default(),
            cancel,
        })))
    }

    /// What `doctor` says where [`App::open`] gave `error`.
    pub async fn doctor_outside(config: &Config, error: &WireError) -> Result<DoctorReport> {
        let (folder, error) = (config.data_dir.clone(), error.clone());
        let asked = tokio::task::spawn_blocking(move || handlers::host::doctor_outside(&folder, &error));
        asked.await.map_err(WireError::internal)
    }

    /// Runs the method called `method` of the command list.
    pub async fn dispatch(&self, method: &str, params: Value) -> Result<Value> {
        if method == "host.capabilities" {
            return serde_json::to_value(self.capabilities()).map_err(WireError::internal);
        }
        let mut lost = 0;
        loop {
            let (generation, role) = self.role();
            match role {
                Role::Owner(owned) => return commands::dispatch(&owned.rooms, method, params).await,
                Role::Forwarding(client) => match client.call(method, &params).await {
                    Ok(value) => return Ok(value),
                    Err(CallError::Answer(error)) => return Err(error),
                    Err(error) => {
                        self.rejoin(generation).await?;
                        lost += 1;
                        let perhaps_done = matches!(error, CallError::Lost) && writes(method);
                        if perhaps_done || lost == TRIES {
                            return Err(owner_lost(method));
                        }
                    }
                },
                Role::ReadOnly(rooms) => {
                    if writes(method) {
                        // The owner may have woken up or gone since; only a call that needs it asks.
                        if !self.leave_reading(generation).await? {
                            return Err(read_only(method));
                        }
                        continue;
                    }
                    return commands::dispatch(&rooms, method, params).await;
                }
                Role::Gone => return Err(gone()),
            }
        }
    }

    /// Waits until every change of the files so far is searchable. An owner that watches its folders is
    /// always near that; this is for a process that takes the data directory where nobody watched.
    pub async fn catch_up(&self) {
        if let Role::Owner(owned) = self.role().1 {
            owned.rooms.catch_up().await;
        }
    }

    /// The bytes called `key`.
    pub async fn blob(&self, key: BlobKey) -> Result<Blob> {
        let mut lost = 0;
        loop {
            let (generation, role) = self.role();
            match role {
                Role::Owner(owned) => return owned.rooms.blob(key).await,
                Role::ReadOnly(rooms) => return rooms.blob(key).await,
                Role::Forwarding(client) => match client.blob(&key).await {
                    Ok(blob) => return Ok(blob),
                    Err(CallError::Answer(error)) => return Err(error),
                    Err(CallError::Lost | CallError::Unsent) => {
                        self.rejoin(generation).await?;
                        lost += 1;
                        if lost == TRIES {
                            return Err(owner_lost("blob"));
                        }
                    }
                },
                Role::Gone => return Err(gone()),
            }
        }
    }

    /// Every event after number `since`, or after the moment of this call. The stream outlives an owner
    /// that goes away, and ends when the app is shut down.
    pub async fn events(&self, since: Option<u64>) -> impl Stream<Item = Numbered> + Send + use<> {
        let mut follow = Follow { app: self.clone(), since, opened: false, stream: None };
        // Here already: what happens between this call and the first look at the stream is in it.
        let cancel = self.0.cancel.clone();
        let _ = cancel.run_until_cancelled(follow.open()).await;
        futures::stream::unfold(follow, Follow::step)
    }

    pub fn capabilities(&self) -> Capabilities {
        let mut capabilities = self.0.config.capabilities.clone();
        match self.role().1 {
            Role::ReadOnly(_) => capabilities.read_only = true,
            Role::Owner(owned) => capabilities.sample = owned.rooms.sample.get().cloned(),
            Role::Forwarding(_) | Role::Gone => {}
        }
        capabilities
    }

    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// Ends every task, lets calls at work finish, and gives up the data directory.
    pub async fn shutdown(&self) {
        let _joining = self.0.joining.lock().await;
        let role = self.set_role(Role::Gone);
        // What other processes asked for is finished before anything is told to stop.
        if let Role::Owner(owned) = &role {
            owned.stop_serving().await;
        }
        self.0.cancel.cancel();
        close(role).await;
    }

    fn role(&self) -> (u64, Role) {
        self.0.role.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_role(&self, next: Role) -> Role {
        let mut role = self.0.role.write().unwrap_or_else(PoisonError::into_inner);
        role.0 += 1;
        std::mem::replace(&mut role.1, next)
    }

    /// Looks for an owner again, or becomes it, unless somebody has since `generation`.
    async fn rejoin(&self, generation: u64) -> Result<()> {
        let _joining = self.0.joining.lock().await;
        if self.0.cancel.is_cancelled() {
            return Err(gone());
        }
        if self.role().0 == generation {
            tracing::info!("the owner of the data directory is gone");
            let next = join(&self.0.config, &self.0.cancel, self.0.patience).await?;
            close(self.set_role(next)).await;
        }
        Ok(())
    }

    /// Tries once for more than reading; whether anything changed since `generation`.
    async fn leave_reading(&self, generation: u64) -> Result<bool> {
        let _joining = self.0.joining.lock().await;
        if self.role().0 != generation {
            return Ok(true);
        }
        let Some(next) = own_or_forward(&self.0.config, &self.0.cancel).await? else { return Ok(false) };
        close(self.set_role(next)).await;
        Ok(true)
    }
}

async fn join(config: &Config, cancel: &CancellationToken, patience: Duration) -> Result<Role> {
    let started = Instant::now();
    loop {
        if let Some(role) = own_or_forward(config, cancel).await? {
            return Ok(role);
        }
        if started.elapsed() >= patience {
            tracing::warn!("the owner of the data directory does not answer; reading only");
            let rooms = Rooms::open(config, cancel.child_token(), true).await?;
            return Ok(Role::ReadOnly(Arc::new(rooms)));
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// `None` when another process has the data directory and does not answer.
async fn own_or_forward(config: &Config, cancel: &CancellationToken) -> Result<Option<Role>> {
    let taken = orangery_store::Error::io("take the data directory", config.data_dir.display());
    let claimed = ownership::claim(&config.data_dir).map_err(taken)?;
    if let Some(ownership) = claimed {
        let rooms = Arc::new(Rooms::open(config, cancel.child_token(), false).await?);
        let server = Server::start(&ownership, Arc::clone(&rooms))?;
        return Ok(Some(Role::Owner(Arc::new(Owned {
            rooms,
            server: Mutex::new(Some(server)),
            ownership: Mutex::new(Some(ownership)),
        }))));
    }
    let Some(address) = ownership::announced(&config.data_dir) else { return Ok(None) };
    Ok(Client::connect(address).await.ok().map(Role::Forwarding))
}

async fn close(role: Role) {
    match role {
        Role::Owner(owned) => {
            owned.stop_serving().await;
            owned.rooms.close().await;
            drop(owned.ownership.lock().unwrap_or_else(PoisonError::into_inner).take());
        }
        Role::ReadOnly(rooms) => rooms.close().await,
        Role::Forwarding(_) | Role::Gone => {}
    }
}

fn writes(method: &str) -> bool {
    commands::find(method).is_some_and(|command| command.writes)
}

fn read_only(method: &str) -> WireError {
    let message = format!("{method}: another process has the data directory and does not answer");
    WireError::new(Code::ReadOnlyProcess, message)
}

fn owner_lost(method: &str) -> WireError {
    let message = format!("{method}: the process that has the data directory ended meanwhile");
    WireError::new(Code::OwnerLost, message)
}

fn gone() -> WireError {
    WireError::new(Code::Cancelled, "the app is shutting down")
}

/// A stream of events across owners.
struct Follow {
    app: App,
    since: Option<u64>,
    /// From the second owner on nothing may be missed, not even by a client that saw no event yet.
    opened: bool,
    stream: Option<(u64, BoxStream<'static, Numbered>)>,
}

impl Follow {
    async fn step(mut self) -> Option<(Numbered, Self)> {
        let cancel = self.app.0.cancel.clone();
        let event = cancel.run_until_cancelled(self.next()).await??;
        self.since = Some(event.seq);
        Some((event, self))
    }

    async fn next(&mut self) -> Option<Numbered> {
        loop {
            self.open().await?;
            let (generation, stream) = self.stream.as_mut()?;
            let generation = *generation;
            if let Some(event) = stream.next().await {
                return Some(event);
            }
            self.stream = None;
            find(self.app.clone(), generation).await?;
        }
    }

    /// Finds whoever has the events now; `None` when there will be no more.
    async fn open(&mut self) -> Option<()> {
        while self.stream.is_none() {
            let since = if self.opened { Some(self.since.unwrap_or_default()) } else { self.since };
            let (generation, role) = self.app.role();
            let stream = match role {
                Role::Owner(owned) => owned.rooms.events.since(since).boxed(),
                Role::ReadOnly(rooms) => rooms.events.since(since).boxed(),
                Role::Forwarding(client) => match client.events(since).await {
                    Ok(events) => events.boxed(),
                    Err(_) => {
                        find(self.app.clone(), generation).await?;
                        continue;
                    }
                },
                Role::Gone => return None,
            };
            self.opened = true;
            self.stream = Some((generation, stream));
        }
        Some(())
    }
}

async fn find(app: App, generation: u64) -> Option<()> {
    if let Err(error) = app.rejoin(generation).await {
        tracing::warn!(%error, "no owner of the data directory, and it cannot be taken");
        return None;
    }
    Some(())
}
