//! A tool call as a step of a turn.

use std::time::Instant;

use orangery_domain::{ApprovalCard, Event, Message, MessageContent, Session, Tag, ToolState, ToolStep};
use orangery_model::{ChatMessage, ToolCall};
use orangery_store::table::message::{self, Kept};
use tokio::sync::Mutex;

use super::Turn;
use crate::approval::{self, Reply};
use crate::call::{self, Outcome, Supervisor};
use crate::gate::Pending;
use crate::{Result, tool};

impl Turn {
    /// Runs a call with the user there to be asked, as a step that people can watch. `said` is what the
    /// model said before it and no message holds yet. Gives also what the model is to hear of it.
    pub(super) async fn step(
        &self,
        call: &ToolCall,
        said: Vec<ChatMessage>,
    ) -> Result<(Outcome, Vec<ChatMessage>)> {
        Step::begin(self, call, said, None).await?.run().await
    }

    /// Runs a call that nobody watches, under the settings of `session`: `approve` answers every
    /// question with yes, else what must be asked is not done.
    pub(crate) async fn step_alone(
        &self,
        call: &ToolCall,
        session: Session,
        approve: bool,
    ) -> Result<Outcome> {
        Ok(Step::begin(self, call, vec![], Some(Alone { session, approve })).await?.run().await?.0)
    }
}

struct Alone {
    session: Session,
    approve: bool,
}

struct Step<'a> {
    turn: &'a Turn,
    call: &'a ToolCall,
    said: Vec<ChatMessage>,
    /// Passages that were known before.
    known: usize,
    started: Instant,
    message: Mutex<Message>,
    alone: Option<Alone>,
}

impl<'a> Step<'a> {
    async fn begin(
        turn: &'a Turn,
        call: &'a ToolCall,
        said: Vec<ChatMessage>,
        alone: Option<Alone>,
    ) -> Result<Self> {
        let step = ToolStep {
            call_id: call.id.clone(),
            tool: call.name.clone(),
            subject: tool::find(&call.name).map(|tool| tool.subject(&call.arguments)).unwrap_or_default(),
            state: ToolState::Running,
            arguments: call.arguments.clone(),
            result: String::new(),
            count: None,
            took_ms: None,
            change_set_id: None,
        };
        let message = turn.add(MessageContent::Tool(step), &said).await?;
        Ok(Self {
            turn,
            call,
            said,
            known: turn.passages().len(),
            started: Instant::now(),
            message: Mutex::new(message),
            alone,
        })
    }

    async fn run(self) -> Result<(Outcome, Vec<ChatMessage>)> {
        match call::run(&self.turn.bench, &self, &self.call.id, &self.call.name, &self.call.arguments).await {
            Ok(outcome) => self.end(outcome).await,
            Err(error) => {
                // Whatever ends the turn, its step does not stay at work.
                self.end(Outcome::Refused(error.to_string())).await?;
                Err(error)
            }
        }
    }

    /// Changes the step, writes it and tells everybody.
    async fn change(&self, kept: &Kept, change: impl FnOnce(&mut ToolStep)) -> Result<()> {
        let mut message = self.message.lock().await;
        let MessageContent::Tool(step) = &mut message.content else { return Ok(()) };
        change(step);
        let step = step.clone();
        message::update(&self.turn.bench.house.db, message.id, &message.content, kept).await?;
        let session_id = self.turn.session_id.clone();
        self.turn.inner.emit(Event::Step { session_id, message_id: message.id, step });
        Ok(())
    }

    async fn end(mut self, mut outcome: Outcome) -> Result<(Outcome, Vec<ChatMessage>)> {
        let content = outcome.json().to_string();
        let (heard, pictures) = outcome.said(&self.call.id).await?;
        self.said.extend(heard.iter().cloned());
        let passages = self.turn.passages().since(self.known).to_vec();
        let kept = Kept {
            chat: Some(serde_json::to_string(&self.said)?),
            passages: if passages.is_empty() { None } else { Some(serde_json::to_string(&passages)?) },
            pictures,
        };
        let took = u64::try_from(self.started.elapsed().as_millis()).ok();
        self.change(&kept, |step| {
            step.state = outcome.state();
            step.result = content;
            step.took_ms = took;
            if let Outcome::Done { count, change_set, .. } = &outcome {
                step.count = *count;
                step.change_set_id = *change_set;
            }
        })
        .await?;
        if matches!(outcome, Outcome::Done { change_set: Some(_), .. }) {
            // A proposal writes no file, so that nobody else tells of it; the set may be one that is shown already.
            self.turn.inner.emit(Event::Stale { tags: vec![Tag::Changes] });
        }
        Ok((outcome, heard))
    }
}

impl Supervisor for Step<'_> {
    async fn session(&self) -> Result<Session> {
        match &self.alone {
            Some(alone) => Ok(alone.session.clone()),
            None => self.turn.inner.session(&self.turn.session_id).await,
        }
    }

    async fn ask(&self, card: ApprovalCard, pending: &Pending) -> Result<Reply> {
        if let Some(alone) = &self.alone {
            return Ok(if alone.approve { Reply::Allowed } else { Reply::Unasked });
        }
        let state = |state| move |step: &mut ToolStep| step.state = state;
        self.change(&Kept::default(), state(ToolState::Asked)).await?;
        let turn = self.turn;
        let reply = approval::ask(
            &turn.inner,
            &turn.session_id,
            turn.bench.turn_id,
            &self.call.id,
            card,
            pending,
            &turn.bench.cancel,
        )
        .await?;
        if matches!(reply, Reply::Allowed) {
            self.change(&Kept::default(), state(ToolState::Running)).await?;
        }
        Ok(reply)
    }
}
