//! Older turns make room: a checkpoint stands for them, and what is recent stays whole.

use std::time::Duration;

use futures::StreamExt;
use orangery_domain::{ContextUse, MessageContent, MessageId, SessionId, TurnId, Warning};
use orangery_model::{ChatMessage, ChatRequest, Endpoint, Piece, estimate, estimate_message};
use orangery_store::table;
use orangery_store::table::message::{Kept, MessageRow};
use tracing::Instrument;

use super::context::Gauge;
use super::{Turn, digest};
use crate::assistant::Assistant;
use crate::{Error, Result};

/// A model that takes longer to write a checkpoint is not waited for.
const PATIENCE: Duration = Duration::from_secs(60);
/// Tokens that the offline assistant's conversation is cut to. Nobody reads it but people.
const OFFLINE_WINDOW: u64 = 32_000;

/// Where a conversation is cut.
pub(super) struct Cut {
    /// The last message that goes.
    covers: MessageId,
    /// What the checkpoint before says, where there is one.
    earlier: Option<String>,
    /// What goes besides.
    said: Vec<ChatMessage>,
    /// Estimated tokens of all that goes, corrected.
    pub tokens: u64,
}

/// What one message adds to the conversation.
struct Unit {
    id: MessageId,
    said: Vec<ChatMessage>,
    tokens: u64,
}

impl Unit {
    /// A tail may begin here: not with a result whose call is gone.
    fn opens(&self) -> bool {
        matches!(self.said.first(), Some(ChatMessage::User { .. } | ChatMessage::Assistant { .. }))
    }

    fn asks(&self) -> bool {
        matches!(self.said.first(), Some(ChatMessage::User { .. }))
    }
}

/// The newest checkpoint of a session, and how far it reaches.
pub(super) fn newest(rows: &[MessageRow]) -> Option<(&str, MessageId)> {
    rows.iter().rev().find_map(|row| match &row.message.content {
        MessageContent::Checkpoint { text, covers, .. } => Some((text.as_str(), *covers)),
        _ => None,
    })
}

/// The first unit of the tail: the earliest question whose tail fits, else the earliest place at which one may
/// begin, else the last such place. `None` when nothing comes before it.
fn first_kept(units: &[Unit], budget: u64) -> Option<usize> {
    let mut tokens = 0;
    let (mut opens, mut asks, mut last) = (None, None, None);
    for (at, unit) in units.iter().enumerate().rev() {
        tokens += unit.tokens;
        if unit.opens() {
            last = last.or(Some(at));
            if tokens <= budget {
                opens = Some(at);
                asks = if unit.asks() { Some(at) } else { asks };
            }
        }
        if tokens > budget && last.is_some() {
            break;
        }
    }
    asks.or(opens).or(last).filter(|at| *at > 0)
}

impl Assistant {
    /// Puts a checkpoint in place of all turns but the last one.
    ///
    /// # Errors
    /// `NothingToShorten` when there is no turn before the last one since the last checkpoint.
    pub async fn compact(&self, id: &SessionId) -> Result<TurnId> {
        self.0.session(id).await?;
        let rows = table::message::list(&self.0.house.db, id).await?;
        let covered = newest(&rows).map(|(_, covers)| covers);
        let turns = rows.iter().filter(|row| Some(row.message.id) > covered);
        let asked = turns.filter(|row| matches!(row.message.content, MessageContent::User { .. })).count();
        if asked < 2 {
            return Err(Error::NothingToShorten);
        }
        let turn = self.0.begin(id, "/compact", vec![]).await?;
        let turn_id = turn.bench.turn_id;
        let span = tracing::info_span!("compact", turn = turn_id.0);
        let work = async move {
            if let Err(error) = turn.compact().await {
                tracing::error!(%error, "the conversation could not be shortened");
                turn.notice(Warning::new("turnFailed", error.code())).await.ok();
            }
            if let Err(error) = turn.end().await {
                tracing::error!(%error, "the turn's end could not be written");
            }
        };
        self.0.tasks.spawn(work.instrument(span));
        Ok(turn_id)
    }

    /// Writes the user's own words into the checkpoint that counts.
    pub async fn edit_checkpoint(&self, id: &SessionId, message: MessageId, text: &str) -> Result<()> {
        if text.trim().is_empty() {
            return Err(Error::BlankPrompt);
        }
        self.0.session(id).await?;
        if self.0.running().contains_key(id) {
            return Err(Error::Busy(id.clone()));
        }
        let rows = table::message::list(&self.0.house.db, id).await?;
        let row = rows
            .into_iter()
            .rev()
            .find(|row| matches!(row.message.content, MessageContent::Checkpoint { .. }))
            .filter(|row| row.message.id == message)
            .ok_or(Error::NoCheckpoint(message))?;
        let mut content = row.message.content;
        if let MessageContent::Checkpoint { text: kept, edited, .. } = &mut content {
            *kept = text.trim().to_owned();
            *edited = true;
        }
        Ok(table::message::update(&self.0.house.db, message, &content, &Kept::default()).await?)
    }
}

impl Turn {
    /// What the user asked for: everything but the last turn goes, however long it is.
    async fn compact(&self) -> Result<()> {
        let session = self.inner.session(&self.session_id).await?;
        let endpoint = match session.model_id {
            Some(model) => self.bench.house.models.endpoint(model).await.ok().map(|(endpoint, _)| endpoint),
            None => None,
        };
        let gauge = match &endpoint {
            Some(endpoint) => Gauge::of(self, endpoint).await?,
            None => Gauge::new(OFFLINE_WINDOW, 1_000),
        };
        if let Some(cut) = self.cut(0, &gauge).await? {
            let before = session.context.tokens.max(cut.tokens);
            self.put_checkpoint(cut, endpoint.as_ref(), &gauge, before).await?;
        }
        Ok(())
    }

    /// Where to cut so that a tail of about `budget` tokens stays; 0 keeps the last question and what followed.
    pub(super) async fn cut(&self, budget: u64, gauge: &Gauge) -> Result<Option<Cut>> {
        let rows = table::message::list(&self.bench.house.db, &self.session_id).await?;
        let newest = newest(&rows).map(|(text, covers)| (text.to_owned(), covers));
        let units = units(rows, newest.as_ref().map(|(_, covers)| *covers), gauge)?;
        let first = if budget == 0 {
            units.iter().rposition(Unit::asks).filter(|at| *at > 0)
        } else {
            first_kept(&units, budget)
        };
        let Some(first) = first else { return Ok(None) };
        let (earlier, _) = newest.unzip();
        let gone = &units[..first];
        let tokens = gone.iter().map(|unit| unit.tokens).sum::<u64>()
            + gauge.corrected(earlier.as_deref().map_or(0, estimate));
        Ok(gone.last().map(|unit| unit.id).map(|covers| Cut {
            covers,
            earlier,
            tokens,
            said: gone.iter().flat_map(|unit| unit.said.iter().cloned()).collect(),
        }))
    }

    /// Writes the checkpoint, by the model where there is one that does it. False when the user stopped it.
    pub(super) async fn put_checkpoint(
        &self,
        cut: Cut,
        endpoint: Option<&Endpoint>,
        gauge: &Gauge,
        before: u64,
    ) -> Result<bool> {
        let budget = gauge.checkpoint();
        let written = match endpoint {
            Some(endpoint) => {
                // Half of the window: the rest is for instructions and for what an estimate misses.
                let request =
                    digest::request(cut.earlier.as_deref(), &cut.said, gauge.limit() / 2, budget / 2);
                self.summary(endpoint, request).await?
            }
            None => None,
        };
        if self.stopped() {
            return Ok(false);
        }
        let model = written.as_ref().and(endpoint).map(|endpoint| endpoint.model.clone());
        let text = match written {
            // A model that does not keep to the length would bring on the next checkpoint.
            Some(text) if estimate(&text) <= budget * 2 => text,
            _ => digest::digest(cut.earlier.as_deref(), &cut.said, budget),
        };
        let after = (before + gauge.corrected(estimate(&text))).saturating_sub(cut.tokens);
        let content = MessageContent::Checkpoint {
            text,
            covers: cut.covers,
            model,
            edited: false,
            tokens_before: before,
            tokens_after: after,
        };
        self.add(content, &[]).await?;
        self.takes(ContextUse { tokens: after, counted: false }).await?;
        Ok(true)
    }

    /// What the model makes of it; `None` where it fails, takes too long or says nothing.
    async fn summary(&self, endpoint: &Endpoint, request: ChatRequest) -> Result<Option<String>> {
        let house = &self.bench.house;
        let pieces =
            orangery_model::chat(&house.client, endpoint.clone(), request, self.bench.cancel.clone());
        let heard = async {
            let (mut text, mut ended, mut usage) = (String::new(), false, None);
            let mut pieces = std::pin::pin!(pieces);
            while let Some(piece) = pieces.next().await {
                match piece {
                    Ok(Piece::Text(more)) => text.push_str(&more),
                    Ok(Piece::Usage { input, output }) => usage = Some((input, output)),
                    Ok(Piece::End { .. }) => {
                        ended = true;
                        break;
                    }
                    Ok(Piece::Reasoning(_) | Piece::Call(_) | Piece::Retrying { .. }) => {}
                    Err(error) => {
                        tracing::warn!(%error, "the model wrote no checkpoint");
                        break;
                    }
                }
            }
            (text, ended, usage)
        };
        let Ok((text, ended, usage)) = tokio::time::timeout(PATIENCE, heard).await else { return Ok(None) };
        if let Some((input, output)) = usage {
            table::session::add_usage(&house.db, &self.session_id, input, output).await?;
        }
        Ok((ended && !text.trim().is_empty()).then(|| text.trim().to_owned()))
    }

    /// The question of this turn as the model reads it, where `covers` stands for it too.
    pub(super) fn covered_question(&self, rows: &[MessageRow], covers: MessageId) -> Result<Option<String>> {
        let asked = rows.iter().find(|row| {
            row.message.turn_id == self.bench.turn_id
                && row.message.id <= covers
                && matches!(row.message.content, MessageContent::User { .. })
        });
        let Some(chat) = asked.and_then(|row| row.kept.chat.as_deref()) else { return Ok(None) };
        Ok(serde_json::from_str::<Vec<ChatMessage>>(chat)?.into_iter().find_map(|message| match message {
            ChatMessage::User { text } => Some(text),
            _ => None,
        }))
    }
}

fn units(rows: Vec<MessageRow>, covered: Option<MessageId>, gauge: &Gauge) -> Result<Vec<Unit>> {
    let mut units = Vec::new();
    for row in rows.into_iter().filter(|row| Some(row.message.id) > covered) {
        let Some(chat) = row.kept.chat else { continue };
        let said: Vec<ChatMessage> = serde_json::from_str(&chat)?;
        let tokens = gauge.corrected(said.iter().map(estimate_message).sum());
        units.push(Unit { id: row.message.id, said, tokens });
    }
    Ok(units)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `q` a question, `a` an answer with its call, `t` a result; each of ten tokens.
    fn kept(line: &str, budget: u64) -> Option<usize> {
        let unit = |(at, sign): (usize, char)| {
            let said = match sign {
                'q' => ChatMessage::User { text: String::new() },
                'a' => ChatMessage::Assistant { text: String::new(), reasoning: None, calls: vec![] },
                _ => ChatMessage::Tool { call_id: String::new(), content: String::new() },
            };
            let id = MessageId(i64::try_from(at).unwrap_or_default());
            Unit { id, said: vec![said], tokens: 10 }
        };
        first_kept(&line.chars().enumerate().map(unit).collect::<Vec<_>>(), budget)
    }

    #[test]
    fn a_tail_begins_with_a_question_or_with_an_answer_and_never_with_a_result() {
        assert_eq!(kept("qaqaqa", 25), Some(4));
        assert_eq!(kept("qaqaqa", 45), Some(2));
        // Nothing comes before it.
        assert_eq!(kept("qaqaqa", 60), None);
        // Within a turn: the call goes with its results.
        assert_eq!(kept("qattattatt", 35), Some(7));
        assert_eq!(kept("qattattatt", 55), Some(7));
        assert_eq!(kept("qattattatt", 65), Some(4));
        // What is recent stays whole, even where it does not fit.
        assert_eq!(kept("qatttt", 20), Some(1));
        assert_eq!(kept("q", 5), None);
        assert_eq!(kept("", 5), None);
    }
}
