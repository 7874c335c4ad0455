//! A session that a turn has for itself.

use std::sync::Arc;

use orangery_domain::{Event, MessageContent, SessionId, Tag, TurnId, Warning};
use orangery_store::now_ms;
use orangery_store::table;
use tokio_util::sync::CancellationToken;

use crate::assistant::{Inner, Running, repair};
use crate::{Error, Result};

/// While it lives, no other turn gets the session. It goes with its turn, however that ends: where
/// nobody released it (a panic, a caller who gave up half way), what the turn wrote is closed first.
pub(super) struct Taken {
    inner: Arc<Inner>,
    session_id: SessionId,
    /// Absent until the turn is written.
    turn_id: Option<TurnId>,
    pub cancel: CancellationToken,
    ended: CancellationToken,
    released: bool,
}

impl Taken {
    /// Of two turns one is refused, before anything is written.
    pub fn take(inner: &Arc<Inner>, session_id: &SessionId) -> Result<Self> {
        let (cancel, ended) = (inner.house.cancel.child_token(), CancellationToken::new());
        let mut running = inner.running();
        if running.contains_key(session_id) {
            return Err(Error::Busy(session_id.clone()));
        }
        let entry = Running { turn_id: TurnId(0), cancel: cancel.clone(), ended: ended.clone() };
        running.insert(session_id.clone(), entry);
        Ok(Self {
            inner: Arc::clone(inner),
            session_id: session_id.clone(),
            turn_id: None,
            cancel,
            ended,
            released: false,
        })
    }

    /// The turn is written and has a number.
    pub fn started(&mut self, turn_id: TurnId) {
        self.turn_id = Some(turn_id);
        if let Some(entry) = self.inner.running().get_mut(&self.session_id) {
            entry.turn_id = turn_id;
        }
        self.inner.emit(Event::TurnStarted { session_id: self.session_id.clone(), turn_id });
    }

    /// All of the turn is written.
    pub fn release(mut self) {
        self.released = true;
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.cancel.cancel();
        let (inner, session_id) = (Arc::clone(&self.inner), self.session_id.clone());
        let (turn_id, ended) = (self.turn_id, self.ended.clone());
        match (turn_id, tokio::runtime::Handle::try_current()) {
            (Some(turn_id), Ok(runtime)) if !self.released => {
                let close = async move {
                    if let Err(error) = abandon(&inner, &session_id, turn_id).await {
                        tracing::error!(%error, "the end of a turn that broke off could not be written");
                    }
                    free(&inner, &session_id, Some(turn_id), &ended);
                    // Its steps and its answer were closed without a word about each.
                    inner.emit(Event::Stale { tags: vec![Tag::Transcript] });
                };
                self.inner.tasks.spawn_on(close, &runtime);
            }
            _ => free(&inner, &session_id, turn_id, &ended),
        }
    }
}

/// Closes the turn in the name of a task that is no more.
async fn abandon(inner: &Inner, session_id: &SessionId, turn_id: TurnId) -> Result<()> {
    let db = &inner.house.db;
    inner.waiting().retain(|_, question| question.session_id != *session_id);
    repair(db, session_id, turn_id).await?;
    let warning = Warning::new("turnFailed", Error::Task("the turn broke off".into()).code());
    let content = MessageContent::Notice { warning };
    let kept = table::message::Kept::default();
    let message = table::message::insert(db, session_id, turn_id, content, &kept, now_ms()).await?;
    inner.emit(Event::Message { session_id: session_id.clone(), message });
    Ok(())
}

fn free(inner: &Inner, session_id: &SessionId, turn_id: Option<TurnId>, ended: &CancellationToken) {
    inner.running().remove(session_id);
    if let Some(turn_id) = turn_id {
        inner.emit(Event::TurnEnded { session_id: session_id.clone(), turn_id });
        inner.emit(Event::Stale { tags: vec![Tag::Sessions] });
    }
    ended.cancel();
}
