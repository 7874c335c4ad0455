//! A turn: one user message and all that follows until the assistant stops.

mod compact;
mod context;
mod digest;
mod history;
mod model;
mod offline;
mod rewind;
mod step;
mod taken;
mod transcript;

use std::sync::{Arc, Mutex, OnceLock};

use orangery_domain::{Event, FilePlace, MessageContent, SessionId, Tag, TurnId, Warning};
use orangery_model::ChatMessage;
use orangery_store::{now_ms, table};
use tracing::Instrument;

use crate::assistant::{Assistant, Inner, close};
use crate::call::Bench;
use crate::cite::Passages;
use crate::session::title;
use crate::{Error, Result, prompt};
use taken::Taken;

/// A turn at work.
pub(crate) struct Turn {
    inner: Arc<Inner>,
    pub(crate) session_id: SessionId,
    pub(crate) bench: Bench,
    /// Files the user pointed at.
    mentions: Vec<FilePlace>,
    taken: Taken,
}

impl Assistant {
    /// Starts a turn; what it says and does comes as events.
    pub async fn prompt(&self, id: &SessionId, text: &str, mentions: Vec<FilePlace>) -> Result<TurnId> {
        if text.trim().is_empty() {
            return Err(Error::BlankPrompt);
        }
        let inner = &self.0;
        inner.session(id).await?;
        let turn = inner.begin(id, text, mentions).await?;
        let turn_id = turn.bench.turn_id;
        if let Err(error) = turn.open(text).await {
            turn.end().await?;
            return Err(error);
        }
        let span = tracing::info_span!("turn", turn = turn_id.0);
        inner.tasks.spawn(async move { turn.run().await }.instrument(span));
        Ok(turn_id)
    }

    /// Stops the session's turn. What it has said and proposed stays.
    pub fn stop(&self, id: &SessionId) {
        if let Some(running) = self.0.running().get(id) {
            running.cancel.cancel();
        }
    }
}

impl Inner {
    /// Takes the session for a turn; there is one at a time.
    pub(crate) async fn begin(
        self: &Arc<Self>,
        id: &SessionId,
        goal: &str,
        mentions: Vec<FilePlace>,
    ) -> Result<Turn> {
        let mut taken = Taken::take(self, id)?;
        let turn_id = table::session::start_turn(&self.house.db, id, goal, &title(goal), now_ms()).await?;
        taken.started(turn_id);
        Ok(Turn {
            inner: Arc::clone(self),
            session_id: id.clone(),
            bench: Bench {
                house: Arc::clone(&self.house),
                turn_id,
                goal: goal.to_owned(),
                passages: Arc::new(Mutex::new(Passages::default())),
                cancel: taken.cancel.clone(),
                vision: OnceLock::new(),
            },
            mentions,
            taken,
        })
    }
}

impl Turn {
    /// Writes the user's message.
    async fn open(&self, text: &str) -> Result<()> {
        let said = ChatMessage::User { text: prompt::question(text, &self.mentions) };
        self.add(MessageContent::User { text: text.to_owned() }, &[said]).await?;
        self.inner.emit(Event::Stale { tags: vec![Tag::Sessions] });
        Ok(())
    }

    async fn run(self) {
        let result = self.answer().await;
        if let Err(error) = result {
            tracing::error!(%error, "the turn failed");
            self.notice(Warning::new("turnFailed", error.code())).await.ok();
        }
        if let Err(error) = self.end().await {
            tracing::error!(%error, "the turn's end could not be written");
        }
    }

    async fn answer(&self) -> Result<()> {
        let session = self.inner.session(&self.session_id).await?;
        match session.model_id {
            None => offline::answer(self).await,
            Some(model) => match self.bench.house.models.endpoint(model).await {
                Ok((endpoint, name)) => model::answer(self, endpoint, &name).await,
                Err(warning) => self.notice(warning).await,
            },
        }
    }

    pub(crate) async fn end(self) -> Result<()> {
        let closed = close(&self.bench.house.db, self.bench.turn_id).await;
        self.taken.release();
        closed
    }

    fn stopped(&self) -> bool {
        self.bench.cancel.is_cancelled()
    }
}
