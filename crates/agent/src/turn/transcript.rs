//! What a turn writes into its session, for people and for the next round.

use std::time::{Duration, Instant};

use orangery_domain::{Event, Message, MessageContent, MessageId, Warning};
use orangery_model::ChatMessage;
use orangery_store::now_ms;
use orangery_store::table::message::{self, Kept};

use super::Turn;
use crate::Result;
use crate::cite::Citer;

/// A streamed text is written at least this often while it grows, so that a crash loses little.
const WRITE_EVERY: Duration = Duration::from_millis(400);

impl Turn {
    /// Adds a message and tells everybody.
    pub(super) async fn add(&self, content: MessageContent, chat: &[ChatMessage]) -> Result<Message> {
        let chat = if chat.is_empty() { None } else { Some(serde_json::to_string(chat)?) };
        let kept = Kept { chat, ..Kept::default() };
        let message = message::insert(
            &self.bench.house.db,
            &self.session_id,
            self.bench.turn_id,
            content,
            &kept,
            now_ms(),
        )
        .await?;
        self.inner.emit(Event::Message { session_id: self.session_id.clone(), message: message.clone() });
        Ok(message)
    }

    /// A line of the app's own.
    pub(super) async fn notice(&self, warning: Warning) -> Result<()> {
        self.add(MessageContent::Notice { warning }, &[]).await.map(|_| ())
    }
}

/// An assistant message that grows.
pub(super) struct Answer<'a> {
    turn: &'a Turn,
    /// Who writes; absent for the offline assistant.
    model: Option<String>,
    message: Option<Message>,
    /// As the model wrote it, with the session's numbers.
    raw: String,
    /// As people read it.
    shown: String,
    citer: Citer,
    written: Instant,
}

impl<'a> Answer<'a> {
    pub(super) fn new(turn: &'a Turn, model: Option<String>) -> Self {
        Self {
            turn,
            model,
            message: None,
            raw: String::new(),
            shown: String::new(),
            citer: Citer::default(),
            written: Instant::now(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.raw.is_empty()
    }

    pub(super) fn raw(&self) -> &str {
        &self.raw
    }

    /// Takes the next piece of text.
    pub(super) async fn push(&mut self, piece: &str) -> Result<()> {
        if piece.is_empty() {
            return Ok(());
        }
        self.raw.push_str(piece);
        let delta = {
            let passages = self.turn.passages();
            self.citer.push(piece, &passages)
        };
        self.show(delta).await?;
        if self.written.elapsed() >= WRITE_EVERY {
            self.write(false, None).await?;
        }
        Ok(())
    }

    /// Takes a piece that quotes a note: no number in it is a citation.
    pub(super) async fn quote(&mut self, piece: &str) -> Result<()> {
        self.raw.push_str(piece);
        let held = self.citer.finish();
        self.show(held + piece).await
    }

    async fn show(&mut self, delta: String) -> Result<()> {
        let id = self.id().await?;
        if delta.is_empty() {
            return Ok(());
        }
        self.shown.push_str(&delta);
        let session_id = self.turn.session_id.clone();
        self.turn.inner.emit(Event::Text { session_id, message_id: id, delta });
        Ok(())
    }

    /// Ends the message. `said` is the whole of what the model said in this round, for the next one.
    pub(super) async fn finish(mut self, interrupted: bool, said: &[ChatMessage]) -> Result<()> {
        let rest = self.citer.finish();
        self.show(rest).await?;
        self.write(interrupted, Some(said)).await?;
        if let Some(mut message) = self.message.take() {
            message.content = self.content(interrupted);
            self.turn.inner.emit(Event::Message { session_id: self.turn.session_id.clone(), message });
        }
        Ok(())
    }

    async fn id(&mut self) -> Result<MessageId> {
        if let Some(message) = &self.message {
            return Ok(message.id);
        }
        let message = self.turn.add(self.content(false), &[]).await?;
        Ok(self.message.insert(message).id)
    }

    async fn write(&mut self, interrupted: bool, said: Option<&[ChatMessage]>) -> Result<()> {
        let id = self.id().await?;
        let so_far;
        let chat = match said {
            Some(said) => said,
            None => {
                so_far = [ChatMessage::Assistant { text: self.raw.clone(), reasoning: None, calls: vec![] }];
                &so_far
            }
        };
        let kept = Kept { chat: Some(serde_json::to_string(chat)?), ..Kept::default() };
        message::update(&self.turn.bench.house.db, id, &self.content(interrupted), &kept).await?;
        self.written = Instant::now();
        Ok(())
    }

    fn content(&self, interrupted: bool) -> MessageContent {
        MessageContent::Assistant {
            text: self.shown.clone(),
            citations: self.citer.citations(&self.turn.passages()),
            model: self.model.clone(),
            interrupted,
        }
    }
}

impl Turn {
    pub(super) fn passages(&self) -> std::sync::MutexGuard<'_, crate::cite::Passages> {
        self.bench.passages.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
