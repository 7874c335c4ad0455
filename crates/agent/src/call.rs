//! One tool call, from the name and JSON that a model wrote to what it reads back. A turn, the offline
//! assistant and the command line all come through here.

use std::sync::{Arc, Mutex, OnceLock};

use orangery_change::Proposed;
use orangery_domain::{ApprovalCard, ChangeSetId, Provenance, Session, ToolState, TurnId};
use orangery_model::ChatMessage;
use orangery_store::blob::Packed;
use orangery_store::{now_ms, table};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::Result;
use crate::approval::Reply;
use crate::assistant::AssistantConfig;
use crate::cite::Passages;
use crate::gate::{self, Action, Decision, Landing, Pending, Permit, Reason, Verdict};
use crate::picture::{self, Shown, Vision};
use crate::rules;
use crate::tool::{self, Call, Ended, Output, ToolError};

/// Who answers for the session while a call runs. Its settings are looked up anew at every decision,
/// so that a lowered level counts at once.
pub(crate) trait Supervisor: Sync {
    fn session(&self) -> impl Future<Output = Result<Session>> + Send;
    fn ask(&self, card: ApprovalCard, pending: &Pending) -> impl Future<Output = Result<Reply>> + Send;
}

/// What stays the same for all calls of a turn.
pub(crate) struct Bench {
    pub house: Arc<AssistantConfig>,
    pub turn_id: TurnId,
    pub goal: String,
    pub passages: Arc<Mutex<Passages>>,
    pub cancel: CancellationToken,
    /// Set once a model answers.
    pub vision: OnceLock<Vision>,
}

/// How a call ended.
#[derive(Debug)]
pub(crate) enum Outcome {
    Done {
        output: Value,
        count: Option<u32>,
        change_set: Option<ChangeSetId>,
        /// Why what should have been applied at once was not.
        unapplied: Option<String>,
        pictures: Vec<Shown>,
        ended: Ended,
    },
    /// The gate, or the user, said no.
    Denied {
        code: &'static str,
        sentence: String,
    },
    /// The tool could not do it.
    Refused(String),
    /// The call made no sense: no such tool, or wrong parameters.
    Misused(String),
    /// It must be asked and nobody is there.
    Asked(ApprovalCard),
    Cancelled,
}

/// Runs the call. Errors are those that end the turn.
pub(crate) async fn run(
    bench: &Bench,
    supervisor: &impl Supervisor,
    call_id: &str,
    name: &str,
    arguments: &str,
) -> Result<Outcome> {
    let session = supervisor.session().await?;
    let rules = rules::of_session(&bench.house, &session).await?;
    if let Some(action) = tool::absent(name, arguments) {
        return Ok(match gate::decide(session.level, session.plan, &action, &rules) {
            Decision::Deny(reason) => denied(&reason),
            Decision::Allow | Decision::Ask(_) => {
                Outcome::Refused(format!("{name}: this is not available in this version of the app"))
            }
        });
    }
    let Some(tool) = tool::find(name) else {
        let names: Vec<_> = tool::TOOLS.iter().map(|tool| tool.name()).collect();
        return Ok(Outcome::Misused(format!("there is no tool {name:?}; there are {}", names.join(", "))));
    };
    if let Some(reason) = tool::forbidden(tool, session.level, session.plan, &rules) {
        return Ok(denied(&reason));
    }
    let call = bench.call(session, rules, call_id);
    let resolved = match until_stopped(bench, tool.resolve(arguments, &call)).await {
        None => return Ok(Outcome::Cancelled),
        Some(Err(error)) => return told(error),
        Some(Ok(resolved)) => resolved,
    };
    // A proposal, and what applies it, is short and whole: a stop must not cut it in two. A command hears of
    // the stop itself and tells what it had written until then.
    let whole = matches!(resolved.action, Action::Edit(_) | Action::Write(_) | Action::Exec(_));
    let permit = match gate::judge(call.level, call.plan, resolved.action, &call.rules) {
        Verdict::Run(permit) => permit,
        Verdict::Deny(reason) => return Ok(denied(&reason)),
        Verdict::Ask(card, pending) => match ask(bench, supervisor, card, pending).await? {
            Ok(permit) => permit,
            Err(outcome) => return Ok(outcome),
        },
    };
    let landing = permit.landing();
    let work = (resolved.run)(permit);
    let output = if whole { Some(work.await) } else { until_stopped(bench, work).await };
    match output {
        None => Ok(Outcome::Cancelled),
        Some(Err(error)) => told(error),
        Some(Ok(output)) => land(&call, output, landing).await,
    }
}

async fn until_stopped<T>(bench: &Bench, work: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        biased;
        () = bench.cancel.cancelled() => None,
        result = work => Some(result),
    }
}

/// Puts the question, and judges a yes by the settings of the moment it came.
async fn ask(
    bench: &Bench,
    supervisor: &impl Supervisor,
    card: ApprovalCard,
    pending: Pending,
) -> Result<Result<Permit, Outcome>> {
    let shown = card.clone();
    Ok(match supervisor.ask(card, &pending).await? {
        Reply::Allowed => {
            let session = supervisor.session().await?;
            let rules = rules::of_session(&bench.house, &session).await?;
            pending.approved(session.level, session.plan, &rules).map_err(|reason| denied(&reason))
        }
        Reply::Denied => {
            Err(Outcome::Denied { code: "deniedByUser", sentence: "the user said no to this call".into() })
        }
        Reply::Closed(reason) => Err(denied(&reason)),
        Reply::Expired => Err(Outcome::Cancelled),
        Reply::Unasked => Err(Outcome::Asked(shown)),
    })
}

/// Applies what the level wants applied at once, and tells the model which way each proposal went.
async fn land(call: &Call, output: Output, landing: Landing) -> Result<Outcome> {
    let Output { mut json, count, proposed, pictures, ended } = output;
    let change_set = proposed.first().map(|proposal| proposal.proposed.change_set_id);
    let mut failures = Vec::new();
    if landing == Landing::AtOnce {
        for proposal in &proposed {
            match apply(call, &proposal.proposed).await {
                Ok(()) => see(call, &proposal.place).await?,
                Err(sentence) => failures.push(sentence),
            }
        }
    }
    let unapplied = (!failures.is_empty()).then(|| failures.join("; "));
    if !proposed.is_empty() {
        let state = match landing {
            Landing::Pending => "pending: the user reviews it before anything is written",
            Landing::AtOnce if unapplied.is_none() => "applied",
            Landing::AtOnce => "not applied",
        };
        json["state"] = state.into();
        if let Some(problem) = &unapplied {
            json["problem"] = problem.clone().into();
        }
    }
    Ok(Outcome::Done { output: json, count, change_set, unapplied, pictures, ended })
}

/// Folders that a new file needs go before it.
async fn apply(call: &Call, proposed: &Proposed) -> Result<(), String> {
    for operation in proposed.needs.iter().chain([&proposed.operation_id]) {
        call.house.at_once.apply(proposed.change_set_id, *operation).await?;
    }
    Ok(())
}

/// The session's own change counts as read.
async fn see(call: &Call, place: &orangery_domain::FilePlace) -> Result<()> {
    // A new folder has no content to have seen.
    if let Ok(note) = call.house.library.read_note(place).await {
        table::read::record(&call.house.db, &call.session_id, place, note.hash, now_ms()).await?;
    }
    Ok(())
}

fn told(error: ToolError) -> Result<Outcome> {
    match error {
        ToolError::Tell(message) => Ok(Outcome::Refused(message)),
        ToolError::Wrong(message) => Ok(Outcome::Misused(message)),
        ToolError::Barred { code, message } => Ok(Outcome::Denied { code, sentence: message }),
        ToolError::Stop(error) => Err(error),
    }
}

fn denied(reason: &Reason) -> Outcome {
    Outcome::Denied { code: reason.code(), sentence: reason.to_string() }
}

impl Outcome {
    /// What the model reads.
    pub fn json(&self) -> Value {
        match self {
            Self::Done { output, .. } => output.clone(),
            Self::Denied { code, sentence } => json!({ "denied": code, "reason": sentence }),
            Self::Refused(message) | Self::Misused(message) => json!({ "error": message }),
            Self::Asked(card) => json!({ "asked": card }),
            Self::Cancelled => json!({ "error": "this call was stopped" }),
        }
    }

    /// What the model is to hear of it, and the pictures that are to be kept with that.
    pub async fn said(&mut self, call_id: &str) -> Result<(Vec<ChatMessage>, Vec<Packed>)> {
        let mut said =
            vec![ChatMessage::Tool { call_id: call_id.to_owned(), content: self.json().to_string() }];
        let Self::Done { pictures, .. } = self else { return Ok((said, vec![])) };
        if pictures.is_empty() {
            return Ok((said, vec![]));
        }
        let (id, shown) = (call_id.to_owned(), std::mem::take(pictures));
        let packed = tokio::task::spawn_blocking(move || picture::message(&id, shown)).await;
        let (message, kept) = packed.map_err(|error| crate::Error::Task(error.to_string()))?;
        said.push(message);
        Ok((said, kept))
    }

    pub fn state(&self) -> ToolState {
        match self {
            Self::Done { ended: Ended::Well, .. } => ToolState::Done,
            Self::Done { ended: Ended::Badly(_), .. } => ToolState::Failed,
            Self::Done { ended: Ended::Stopped, .. } => ToolState::Cancelled,
            Self::Denied { .. } => ToolState::Denied,
            Self::Refused(_) | Self::Misused(_) => ToolState::Failed,
            Self::Asked(_) | Self::Cancelled => ToolState::Cancelled,
        }
    }
}

impl Bench {
    fn call(&self, session: Session, rules: rules::Rules, call_id: &str) -> Call {
        let registered = self.house.library.knowledge_bases();
        let selected = session
            .kb_ids
            .iter()
            .filter_map(|id| registered.iter().find(|kb| kb.id == *id).cloned())
            .collect();
        Call {
            house: Arc::clone(&self.house),
            session_id: session.id,
            turn_id: self.turn_id,
            goal: self.goal.clone(),
            selected,
            registered,
            level: session.level,
            plan: session.plan,
            rules,
            passages: Arc::clone(&self.passages),
            vision: self.vision.get().cloned().unwrap_or(Vision::NoModel),
            call_id: call_id.to_owned(),
            cancel: self.cancel.clone(),
        }
    }
}

impl Call {
    /// Where the changes of this call come from.
    pub(crate) fn provenance(&self) -> Provenance {
        Provenance::Assistant {
            session_id: self.session_id.clone(),
            turn_id: Some(self.turn_id),
            goal: self.goal.clone(),
        }
    }
}
