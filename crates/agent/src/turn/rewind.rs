//! A question taken back with all that came of it, and a conversation that goes on twice.

use orangery_domain::{Event, MessageContent, MessageId, Session, SessionId, Tag};
use orangery_store::{now_ms, table};

use super::taken::Taken;
use crate::assistant::Assistant;
use crate::session::made;
use crate::{Error, Result};

impl Assistant {
    /// Drops a question and all that came after it, and withdraws what that proposed and still waits. What
    /// was applied stays applied.
    ///
    /// # Errors
    /// `NotFound` when the message is no question of this session, `Conflict` while it answers.
    pub async fn rewind(&self, id: &SessionId, message: MessageId) -> Result<()> {
        let inner = &self.0;
        inner.session(id).await?;
        let taken = Taken::take(inner, id)?;
        let db = &inner.house.db;
        let rows = table::message::list(db, id).await?;
        let turn = rows
            .iter()
            .find(|row| row.message.id == message)
            .filter(|row| matches!(row.message.content, MessageContent::User { .. }))
            .map(|row| row.message.turn_id)
            .ok_or(Error::NoQuestion(message))?;
        inner.house.proposals.withdraw(id, turn).await?;
        table::session::drop_turns(db, id, turn).await?;
        taken.release();
        inner.emit(Event::Stale { tags: vec![Tag::Transcript, Tag::Sessions, Tag::Changes] });
        Ok(())
    }

    /// A new session that begins with all that was said in this one, up to and with the turn of `until`, or
    /// whole. What was proposed stays with the session that proposed it.
    ///
    /// # Errors
    /// `Conflict` while it answers.
    pub async fn fork(&self, id: &SessionId, until: Option<MessageId>) -> Result<Session> {
        let inner = &self.0;
        let session = inner.session(id).await?;
        let taken = Taken::take(inner, id)?;
        let db = &inner.house.db;
        let rows = table::message::list(db, id).await?;
        let turn = match until {
            None => None,
            Some(until) => {
                let row = rows.iter().find(|row| row.message.id == until);
                Some(row.map(|row| row.message.turn_id).ok_or(Error::NoQuestion(until))?)
            }
        };
        let now = now_ms();
        let copy = Session {
            id: made(now),
            created_at: now,
            updated_at: now,
            running: None,
            input_tokens: 0,
            output_tokens: 0,
            pinned: false,
            archived: false,
            ..session
        };
        table::session::insert(db, &copy).await?;
        table::fork::turns(db, id, &copy.id, turn).await?;
        taken.release();
        inner.session(&copy.id).await
    }
}
