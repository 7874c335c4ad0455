//! The assistant as the floor above sees it, and what it needs from there.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::future::BoxFuture;
use orangery_change::Proposals;
use orangery_domain::{
    ApprovalId, ChangeSetId, Event, MessageContent, ModelId, OperationId, RuleOffer, SessionId, Tag,
    ToolState, TurnId, Warning,
};
use orangery_library::Library;
use orangery_model::Endpoint;
use orangery_store::cache::Cache;
use orangery_store::table;
use orangery_store::{Db, now_ms};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::Result;
use crate::approval::Reply;
use crate::gate::Pending;
use crate::programs::Programs;
use crate::web::Web;

/// What the assistant is made of.
pub struct AssistantConfig {
    pub db: Db,
    pub library: Library,
    pub proposals: Proposals,
    pub client: orangery_net::Client,
    pub emit: Arc<dyn Fn(Event) + Send + Sync>,
    pub models: Arc<dyn Models>,
    pub at_once: Arc<dyn AtOnce>,
    /// What runs commands; absent where none can be run.
    pub programs: Option<Arc<Programs>>,
    /// The way to the web.
    pub web: Web,
    /// What was said in recordings, by their hash.
    pub transcripts: Cache,
    /// `~/.orange`, where the user's own `permissions.yaml` is.
    pub home: PathBuf,
    /// Ends every turn when the app ends.
    pub cancel: CancellationToken,
}

/// Where configured models and their keys come from.
pub trait Models: Send + Sync {
    /// The endpoint of a model and the name that answers go under. The warning says why there is none,
    /// with a code for the UI: removed, or its key cannot be had.
    fn endpoint(&self, id: ModelId) -> BoxFuture<'_, Result<(Endpoint, String), Warning>>;

    /// The same of the model that writes down what is said in recordings;
    /// [`NO_TRANSCRIBER`](crate::NO_TRANSCRIBER) when none is chosen.
    fn transcriber(&self) -> BoxFuture<'_, Result<(Endpoint, String), Warning>>;
}

/// Accepts and applies what was proposed at the level that wants no review.
pub trait AtOnce: Send + Sync {
    /// Applies one operation through plan, journal and history. The error is a sentence for the model.
    fn apply(&self, change_set: ChangeSetId, operation: OperationId) -> BoxFuture<'_, Result<(), String>>;
}

/// Sessions and their turns. Cheap to clone.
#[derive(Clone)]
pub struct Assistant(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub house: Arc<AssistantConfig>,
    running: Mutex<HashMap<SessionId, Running>>,
    waiting: Mutex<HashMap<ApprovalId, Waiting>>,
    pub tasks: TaskTracker,
}

/// A turn at work.
#[derive(Clone)]
pub(crate) struct Running {
    pub turn_id: TurnId,
    pub cancel: CancellationToken,
    /// Cancelled when all of it is written.
    pub ended: CancellationToken,
}

/// A question whose answer a tool call waits for.
pub(crate) struct Waiting {
    pub session_id: SessionId,
    pub pending: Pending,
    /// What the card offers to write.
    pub rules: Vec<RuleOffer>,
    pub reply: oneshot::Sender<Reply>,
}

impl Assistant {
    /// Opens the assistant and repairs what a turn left behind that the process did not outlive.
    pub async fn open(config: AssistantConfig) -> Result<Self> {
        for (turn, session) in table::session::open_turns(&config.db).await? {
            repair(&config.db, &session, turn).await?;
        }
        let assistant = Self::reading(config);
        assistant.tell_of_jobs();
        Ok(assistant)
    }

    /// The list of jobs is news whenever one starts or ends.
    fn tell_of_jobs(&self) {
        let Some(programs) = &self.0.house.programs else { return };
        let (mut changed, house) = (programs.jobs.changed(), Arc::clone(&self.0.house));
        self.0.tasks.spawn(async move {
            let tell = async {
                while changed.changed().await.is_ok() {
                    (house.emit)(Event::Stale { tags: vec![Tag::Jobs] });
                }
            };
            house.cancel.run_until_cancelled(tell).await;
        });
    }

    /// Opens without repairing anything, beside the process that owns the data directory and may be in the
    /// middle of a turn.
    pub fn reading(config: AssistantConfig) -> Self {
        Self(Arc::new(Inner {
            house: Arc::new(config),
            running: Mutex::default(),
            waiting: Mutex::default(),
            tasks: TaskTracker::new(),
        }))
    }

    /// Stops every turn and waits until what they were writing is written.
    pub async fn close(&self) {
        self.0.house.cancel.cancel();
        self.0.tasks.close();
        self.0.tasks.wait().await;
        if let Some(programs) = &self.0.house.programs {
            programs.close().await;
        }
    }
}

/// Closes what a turn wrote that did not come to its end.
pub(crate) async fn repair(db: &Db, session: &SessionId, turn: TurnId) -> Result<()> {
    let mut rows = table::message::list(db, session).await?;
    rows.retain(|row| row.message.turn_id == turn);
    let last = rows.last().map(|row| row.message.id);
    for row in rows {
        if let Some(content) = cut_off(row.message.content, Some(row.message.id) == last) {
            let kept = table::message::Kept::default();
            table::message::update(db, row.message.id, &content, &kept).await?;
        }
    }
    close(db, turn).await
}

/// Writes that a turn is over, and that its questions are.
pub(crate) async fn close(db: &Db, turn: TurnId) -> Result<()> {
    table::approval::expire(db, turn, now_ms()).await?;
    Ok(table::session::end_turn(db, turn, now_ms()).await?)
}

/// A message as it stands after its turn was cut off; `None` when it was whole.
fn cut_off(content: MessageContent, last: bool) -> Option<MessageContent> {
    match content {
        MessageContent::Tool(mut step) if matches!(step.state, ToolState::Running | ToolState::Asked) => {
            step.state = ToolState::Cancelled;
            Some(MessageContent::Tool(step))
        }
        MessageContent::Assistant { text, citations, model, .. } if last => {
            Some(MessageContent::Assistant { text, citations, model, interrupted: true })
        }
        _ => None,
    }
}

impl Inner {
    pub fn emit(&self, event: Event) {
        (self.house.emit)(event);
    }

    pub fn running(&self) -> MutexGuard<'_, HashMap<SessionId, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn waiting(&self) -> MutexGuard<'_, HashMap<ApprovalId, Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
