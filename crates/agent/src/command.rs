//! One tool call for the command line, exactly as the assistant would make it.

use std::sync::atomic::{AtomicU32, Ordering};

use orangery_domain::{ApprovalCard, KbId, Level, Session, SessionId};
use orangery_model::ToolCall;
use orangery_store::table;
use serde_json::Value;

use crate::assistant::Assistant;
use crate::call::Outcome;
use crate::session::NewSession;
use crate::tool::Ended;
use crate::{Error, Result, tool};

/// A call and the settings it is judged by.
#[derive(Debug, Clone)]
pub struct CommandCall {
    pub tool: String,
    pub input: Value,
    /// Empty: those of the session, or all for a new one.
    pub kb_ids: Vec<KbId>,
    pub level: Level,
    pub plan: bool,
    /// Answers whatever would be asked with yes.
    pub approve: bool,
    /// Unknown: made under this name. Absent: made under any.
    pub session_id: Option<SessionId>,
    /// A session that was made for this call goes again with it, unless something hangs on it.
    pub passing: bool,
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct CommandResult {
    /// What a model would read.
    pub output: Value,
    pub session_id: SessionId,
    /// The card, when the call had to be asked and was not approved.
    pub asked: Option<ApprovalCard>,
    pub denied: Option<String>,
    pub refused: Option<String>,
    /// Why the call makes no sense.
    pub misused: Option<String>,
}

impl Assistant {
    /// Makes one call.
    pub async fn call_tool(&self, call: CommandCall) -> Result<CommandResult> {
        let (mut session, passing) = self.session_for(&call).await?;
        if !call.kb_ids.is_empty() {
            self.0.known(&call.kb_ids)?;
            session.kb_ids = call.kb_ids;
        }
        (session.level, session.plan) = (call.level, call.plan);
        let id = session.id.clone();
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let tool_call = ToolCall {
            id: format!("command-{}-{}", orangery_store::now_ms(), COUNT.fetch_add(1, Ordering::Relaxed)),
            name: call.tool,
            arguments: call.input.to_string(),
            signature: None,
        };
        let subject =
            tool::find(&tool_call.name).map(|tool| tool.subject(&tool_call.arguments)).unwrap_or_default();
        let goal = format!("{} {subject}", tool_call.name);
        let turn = self.0.begin(&id, goal.trim(), vec![]).await?;
        let outcome = match turn.history().await {
            Ok(_) => turn.step_alone(&tool_call, session, call.approve).await,
            Err(error) => Err(error),
        };
        turn.end().await?;
        let outcome = outcome?;
        let proposed = matches!(outcome, Outcome::Done { change_set: Some(_), .. });
        let runs_on = self.jobs(Some(&id)).iter().any(|job| job.end.is_none());
        if passing && !proposed && !runs_on {
            if let Some(programs) = &self.0.house.programs {
                programs.jobs.end_session(&id).await;
            }
            table::session::remove(&self.0.house.db, &id).await?;
        }
        Ok(CommandResult {
            output: outcome.json(),
            session_id: id,
            denied: match &outcome {
                Outcome::Denied { sentence, .. } => Some(sentence.clone()),
                _ => None,
            },
            refused: match &outcome {
                Outcome::Refused(message) => Some(message.clone()),
                Outcome::Cancelled => Some("stopped".into()),
                Outcome::Done { ended: Ended::Stopped, .. } => Some("stopped".into()),
                Outcome::Done { ended: Ended::Badly(sentence), .. } => Some(sentence.clone()),
                Outcome::Done { unapplied, .. } => unapplied.clone(),
                _ => None,
            },
            misused: match &outcome {
                Outcome::Misused(message) => Some(message.clone()),
                _ => None,
            },
            asked: match outcome {
                Outcome::Asked(card) => Some(card),
                _ => None,
            },
        })
    }

    /// The session of a call, and whether it is to go again when nothing hangs on it.
    async fn session_for(&self, call: &CommandCall) -> Result<(Session, bool)> {
        if let Some(id) = &call.session_id {
            match self.0.session(id).await {
                Err(Error::NoSession(_)) => {}
                other => return other.map(|session| (session, false)),
            }
        }
        let new = NewSession {
            id: call.session_id.clone(),
            kb_ids: call.kb_ids.clone(),
            level: call.level,
            plan: call.plan,
            model_id: None,
        };
        Ok((self.create_session(new).await?, call.passing))
    }
}
