//! A knowledge base in a temporary folder with an assistant on it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use orangery_agent::{
    Assistant, AssistantConfig, AtOnce, CommandCall, CommandResult, Models, NO_TRANSCRIBER, NewSession,
    Programs, Web,
};
use orangery_change::Changes;
use orangery_domain::{
    ApprovalCard, ChangeSetId, Event, KbId, Level, Message, MessageContent, ModelId, OperationId, Protocol,
    Session, SessionId, ToolStep, Warning,
};
use orangery_library::{Library, LibraryConfig, WorkerCommand};
use orangery_model::Endpoint;
use orangery_net::{Addresses, Content, is_public};
use orangery_store::Db;
use orangery_store::cache::Cache;
use orangery_store::secret::Secrets;
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

pub struct House {
    pub folder: TempDir,
    pub db: Db,
    pub library: Library,
    pub changes: Changes,
    pub assistant: Assistant,
    pub kb: KbId,
    events: tokio::sync::Mutex<mpsc::UnboundedReceiver<Event>>,
    model: Arc<Mutex<Served>>,
}

/// The model of all sessions.
#[derive(Default)]
struct Served {
    base_url: Option<String>,
    /// Absent: far more than any conversation here needs.
    context_tokens: Option<u32>,
}

struct OneModel(Arc<Mutex<Served>>);

/// The address of a model over which the turn panics.
pub const PANICS: &str = "panic:";

impl Models for OneModel {
    fn endpoint(&self, _: ModelId) -> BoxFuture<'_, Result<(Endpoint, String), Warning>> {
        let (base_url, context_tokens) = {
            let served = self.0.lock().unwrap();
            (served.base_url.clone(), served.context_tokens.unwrap_or(200_000))
        };
        async move {
            let base_url = base_url.ok_or_else(|| Warning::new("modelMissing", "1"))?;
            assert_ne!(base_url, PANICS);
            let endpoint = Endpoint {
                protocol: Protocol::OpenAi,
                base_url,
                model: "scripted".into(),
                key: None,
                context_tokens,
                tools: true,
                vision: true,
            };
            Ok((endpoint, "Scripted".to_owned()))
        }
        .boxed()
    }

    fn transcriber(&self) -> BoxFuture<'_, Result<(Endpoint, String), Warning>> {
        let chosen = self.0.lock().unwrap().base_url.is_some();
        if chosen {
            return self.endpoint(ModelId(1));
        }
        std::future::ready(Err(Warning::new(NO_TRANSCRIBER, ""))).boxed()
    }
}

/// An internet in which every name leads to [`PUBLIC`], but `private.example`.
struct SmallInternet;

/// The address of this machine that counts as public here.
pub const PUBLIC: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

impl Addresses for SmallInternet {
    fn look_up<'a>(&'a self, host: &'a str) -> BoxFuture<'a, std::io::Result<Vec<SocketAddr>>> {
        let address = if host == "private.example" { Ipv4Addr::LOCALHOST } else { PUBLIC };
        std::future::ready(Ok(vec![SocketAddr::from((address, 0))])).boxed()
    }

    fn is_public(&self, address: IpAddr) -> bool {
        address == IpAddr::V4(PUBLIC) || is_public(address)
    }
}

/// This program, which is the watchdog when it is started as one.
fn watchdog() -> orangery_process::Launch {
    orangery_process::Launch::this_binary().unwrap()
}

struct Apply(Changes);

impl AtOnce for Apply {
    fn apply(&self, change_set: ChangeSetId, operation: OperationId) -> BoxFuture<'_, Result<(), String>> {
        async move {
            let applied =
                self.0.apply(change_set, &[operation], true).await.map_err(|error| error.to_string())?;
            if applied.applied.contains(&operation) { Ok(()) } else { Err(format!("{applied:?}")) }
        }
        .boxed()
    }
}

/// Longer than anything here takes, so that a test that waits in vain ends.
const PATIENCE: Duration = Duration::from_secs(60);

#[expect(clippy::disallowed_methods, reason = "plays the user, who writes with other programs")]
pub fn write(path: &Path, content: impl AsRef<[u8]>) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

/// Makes a file of `size` bytes that takes no room.
#[expect(clippy::disallowed_methods, reason = "plays the user, who writes with other programs")]
pub fn write_empty(path: &Path, size: u64) {
    std::fs::File::create(path).unwrap().set_len(size).unwrap();
}

impl House {
    /// With `files` in its knowledge base, all searchable.
    pub async fn new(files: &[(&str, &str)]) -> Self {
        Self::reading(files, None).await
    }

    /// As [`House::new`], with documents read by `worker`.
    pub async fn reading(files: &[(&str, &str)], worker: Option<WorkerCommand>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("kb");
        write(&root.join("README.md"), "# Start here\n");
        for (path, content) in files {
            write(&root.join(path), content);
        }
        let data = folder.path().join("data");
        write(&data.join("logs/empty"), "");
        let db = Db::open(&data.join("orangery.db")).await.unwrap();
        let library = Library::open(LibraryConfig {
            db: db.clone(),
            index_folder: data.join("index"),
            notify: Arc::new(|_| {}),
            cancel: CancellationToken::new(),
            worker,
            secrets: None,
            watch: false,
        })
        .await
        .unwrap();
        let kb = library.add(&root, None).await.unwrap().id;
        library.settle().await;
        let touched = library.clone();
        let changes = Changes::open(
            db.clone(),
            Arc::new(library.clone()),
            Arc::new(move |written: orangery_change::Written| match &written.from {
                Some(from) => touched.moved(from, &written.place),
                None => touched.touched(&written.place),
            }),
        )
        .await
        .unwrap();
        let model = Arc::default();
        let (assistant, events) = assistant(&folder, &db, &library, &changes, &model).await;
        Self { folder, db, library, changes, assistant, kb, events: tokio::sync::Mutex::new(events), model }
    }

    /// Another assistant on the same data, as after a restart. The one before lives on with whoever keeps
    /// it, and nobody hears it any more.
    pub async fn restart(&mut self) -> Assistant {
        let (assistant, events) =
            assistant(&self.folder, &self.db, &self.library, &self.changes, &self.model).await;
        self.events = tokio::sync::Mutex::new(events);
        std::mem::replace(&mut self.assistant, assistant)
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().join("kb")
    }

    pub fn use_model(&self, base_url: &str) {
        self.model.lock().unwrap().base_url = Some(base_url.to_owned());
    }

    /// Lets the model read no more than this at once.
    pub fn use_window(&self, context_tokens: u32) {
        self.model.lock().unwrap().context_tokens = Some(context_tokens);
    }

    pub async fn session(&self, level: Level, model: bool) -> Session {
        let new = NewSession {
            id: None,
            kb_ids: vec![self.kb],
            level,
            plan: false,
            model_id: model.then_some(ModelId(1)),
        };
        self.assistant.create_session(new).await.unwrap()
    }

    /// The first event from now on of which `pick` makes something.
    pub async fn wait<T>(&self, mut pick: impl FnMut(Event) -> Option<T>) -> T {
        let mut events = self.events.lock().await;
        let found = async {
            loop {
                if let Some(found) = pick(events.recv().await.unwrap()) {
                    return found;
                }
            }
        };
        tokio::time::timeout(PATIENCE, found).await.expect("the event comes")
    }

    pub async fn ended(&self) {
        self.wait(|event| matches!(event, Event::TurnEnded { .. }).then_some(())).await;
    }

    pub async fn messages(&self, id: &SessionId) -> Vec<Message> {
        self.assistant.transcript(id).await.unwrap().messages
    }

    pub async fn steps(&self, id: &SessionId) -> Vec<ToolStep> {
        let messages = self.messages(id).await.into_iter();
        messages
            .filter_map(|message| match message.content {
                MessageContent::Tool(step) => Some(step),
                _ => None,
            })
            .collect()
    }

    /// One call in the session called `test`.
    pub async fn call_at(
        &self,
        level: Level,
        plan: bool,
        approve: bool,
        tool: &str,
        input: Value,
    ) -> CommandResult {
        let call = CommandCall {
            tool: tool.into(),
            input,
            kb_ids: vec![self.kb],
            level,
            plan,
            approve,
            session_id: Some(SessionId("test".into())),
            passing: false,
        };
        self.assistant.call_tool(call).await.unwrap()
    }

    /// What a call at L2 gives.
    pub async fn call(&self, tool: &str, input: Value) -> Value {
        let result = self.call_at(Level::L2, false, false, tool, input).await;
        assert_eq!(
            (&result.denied, &result.refused, &result.misused, &result.asked),
            (&None, &None, &None, &None)
        );
        result.output
    }

    /// Why a call at L2 is refused.
    pub async fn refusal(&self, tool: &str, input: Value) -> String {
        let result = self.call_at(Level::L2, false, false, tool, input).await;
        result.refused.or(result.misused).unwrap_or_else(|| panic!("not refused: {:?}", result.output))
    }

    pub async fn denial(&self, level: Level, tool: &str, input: Value) -> String {
        let result = self.call_at(level, false, false, tool, input).await;
        result.denied.unwrap_or_else(|| panic!("not denied: {:?}", result.output))
    }

    pub async fn card(&self, level: Level, tool: &str, input: Value) -> ApprovalCard {
        let result = self.call_at(level, false, false, tool, input).await;
        result.asked.unwrap_or_else(|| panic!("not asked: {:?}", result.output))
    }
}

async fn assistant(
    folder: &TempDir,
    db: &Db,
    library: &Library,
    changes: &Changes,
    model: &Arc<Mutex<Served>>,
) -> (Assistant, mpsc::UnboundedReceiver<Event>) {
    let (send, receive) = mpsc::unbounded_channel();
    let config = AssistantConfig {
        db: db.clone(),
        library: library.clone(),
        proposals: changes.proposals(),
        client: orangery_net::Client::new().unwrap(),
        emit: Arc::new(move |event| {
            send.send(event).ok();
        }),
        models: Arc::new(OneModel(Arc::clone(model))),
        at_once: Arc::new(Apply(changes.clone())),
        programs: Some(Arc::new(Programs::new(watchdog()))),
        web: Web::new(
            Content::over(Arc::new(SmallInternet)).unwrap(),
            Arc::new(Secrets::open(&folder.path().join("data"))),
        ),
        transcripts: Cache::new(folder.path().join("data/transcripts"), 1 << 20),
        home: folder.path().join("home"),
        cancel: CancellationToken::new(),
    };
    (Assistant::open(config).await.unwrap(), receive)
}
