//! Sessions: made, listed, configured, removed.

use std::sync::atomic::{AtomicU32, Ordering};

use orangery_domain::{ContextUse, KbId, Level, ModelId, Session, SessionHit, SessionId, Transcript};
use orangery_store::now_ms;
use orangery_store::table;

use crate::approval;
use crate::assistant::Assistant;
use crate::{Error, Result};

/// Characters of a title that is taken from the first question.
const TITLE: usize = 60;

/// What a new session starts with.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// Absent: a name is made.
    pub id: Option<SessionId>,
    /// Empty: every registered knowledge base.
    pub kb_ids: Vec<KbId>,
    pub level: Level,
    pub plan: bool,
    pub model_id: Option<ModelId>,
}

/// Absent fields stay.
#[derive(Debug, Clone, Default)]
pub struct Configuration {
    pub kb_ids: Option<Vec<KbId>>,
    pub level: Option<Level>,
    pub plan: Option<bool>,
    /// `Some(None)`: the offline assistant.
    pub model_id: Option<Option<ModelId>>,
}

impl Assistant {
    /// All sessions, the most recently used first.
    pub async fn sessions(&self) -> Result<Vec<Session>> {
        let mut sessions = table::session::list(&self.0.house.db).await?;
        for session in &mut sessions {
            self.mark_running(session);
        }
        Ok(sessions)
    }

    /// The session called `id`.
    pub async fn session(&self, id: &SessionId) -> Result<Session> {
        let mut session = self.0.session(id).await?;
        self.mark_running(&mut session);
        Ok(session)
    }

    pub async fn create_session(&self, new: NewSession) -> Result<Session> {
        let kb_ids = if new.kb_ids.is_empty() {
            self.0.house.library.knowledge_bases().into_iter().map(|kb| kb.id).collect()
        } else {
            self.0.known(&new.kb_ids)?;
            new.kb_ids
        };
        let now = now_ms();
        let id = match new.id {
            Some(id) => named(id)?,
            None => made(now),
        };
        let session = Session {
            id,
            title: String::new(),
            kb_ids,
            level: new.level,
            plan: new.plan,
            model_id: new.model_id,
            created_at: now,
            updated_at: now,
            running: None,
            input_tokens: 0,
            output_tokens: 0,
            context: ContextUse::default(),
            pinned: false,
            archived: false,
        };
        table::session::insert(&self.0.house.db, &session).await?;
        Ok(session)
    }

    /// The session with all that was said and asked.
    pub async fn transcript(&self, id: &SessionId) -> Result<Transcript> {
        let session = self.session(id).await?;
        let db = &self.0.house.db;
        let messages = table::message::list(db, id).await?.into_iter().map(|row| row.message).collect();
        Ok(Transcript { session, messages, approvals: table::approval::list(db, id).await? })
    }

    pub async fn rename_session(&self, id: &SessionId, title: &str) -> Result<()> {
        let title = title.trim();
        if title.is_empty() {
            return Err(Error::BlankTitle);
        }
        self.0.session(id).await?;
        Ok(table::session::rename(&self.0.house.db, id, title).await?)
    }

    /// Takes effect at the next call of a running turn, and closes at once what the new settings deny.
    pub async fn configure_session(&self, id: &SessionId, configuration: Configuration) -> Result<Session> {
        let mut session = self.session(id).await?;
        if let Some(kb_ids) = configuration.kb_ids {
            self.0.known(&kb_ids)?;
            session.kb_ids = kb_ids;
        }
        session.level = configuration.level.unwrap_or(session.level);
        session.plan = configuration.plan.unwrap_or(session.plan);
        session.model_id = configuration.model_id.unwrap_or(session.model_id);
        table::session::configure(&self.0.house.db, &session).await?;
        approval::close_denied(&self.0, &session).await?;
        Ok(session)
    }

    /// Puts a session first in the list, or out of it; absent stays.
    pub async fn arrange_session(
        &self,
        id: &SessionId,
        pinned: Option<bool>,
        archived: Option<bool>,
    ) -> Result<()> {
        self.0.session(id).await?;
        Ok(table::session::arrange(&self.0.house.db, id, pinned, archived).await?)
    }

    /// Sessions in which `text` was asked or answered, or whose title has it, each with an excerpt, the most
    /// recently used first.
    pub async fn search_sessions(&self, text: &str) -> Result<Vec<SessionHit>> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Vec::new());
        }
        let found = table::session::search(&self.0.house.db, text).await?;
        let hit = |(session_id, said): (SessionId, String)| {
            let excerpt = excerpt(&said, text);
            SessionHit { session_id, excerpt }
        };
        Ok(found.into_iter().map(hit).collect())
    }

    /// Stops what runs in it and forgets it. Its change sets stay.
    pub async fn remove_session(&self, id: &SessionId) -> Result<()> {
        let running = self.0.running().get(id).cloned();
        if let Some(running) = running {
            running.cancel.cancel();
            running.ended.cancelled().await;
        }
        if let Some(programs) = &self.0.house.programs {
            programs.jobs.end_session(id).await;
        }
        Ok(table::session::remove(&self.0.house.db, id).await?)
    }

    fn mark_running(&self, session: &mut Session) {
        session.running = self.0.running().get(&session.id).map(|running| running.turn_id);
    }
}

impl crate::assistant::Inner {
    /// # Errors
    /// `NotFound` when one of `kb_ids` is no knowledge base, or is no longer.
    pub(crate) fn known(&self, kb_ids: &[KbId]) -> Result<()> {
        let known = self.house.library.knowledge_bases();
        match kb_ids.iter().find(|id| known.iter().all(|kb| kb.id != **id)) {
            Some(id) => Err(orangery_library::Error::NoKnowledgeBase(*id).into()),
            None => Ok(()),
        }
    }

    pub(crate) async fn session(&self, id: &SessionId) -> Result<Session> {
        table::session::get(&self.house.db, id).await?.ok_or_else(|| Error::NoSession(id.clone()))
    }
}

/// A question as the title of its session.
pub(crate) fn title(question: &str) -> String {
    let line = question.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    match line.char_indices().nth(TITLE) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.to_owned(),
    }
}

/// The words around the first place where `text` is said, on one line; the beginning where it is only in
/// the title.
fn excerpt(said: &str, text: &str) -> String {
    const BEFORE: usize = 30;
    const LONGEST: usize = 120;
    let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let folded = |text: &str| text.chars().map(|c| c.to_ascii_lowercase()).collect::<Vec<_>>();
    let (characters, wanted) = (folded(&line), folded(text));
    let at = characters.windows(wanted.len().max(1)).position(|window| window == wanted).unwrap_or(0);
    let from = at.saturating_sub(BEFORE);
    let shown: String = line.chars().skip(from).take(LONGEST).collect();
    let (before, after) =
        (if from > 0 { "…" } else { "" }, if characters.len() > from + LONGEST { "…" } else { "" });
    format!("{before}{shown}{after}")
}

fn named(id: SessionId) -> Result<SessionId> {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    if id.0.is_empty() || id.0.chars().count() > 128 || !id.0.chars().all(fits) {
        return Err(Error::SessionName);
    }
    Ok(id)
}

/// Unique because one process owns the database.
pub(crate) fn made(now: i64) -> SessionId {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    SessionId(format!("s-{now:x}-{}", COUNT.fetch_add(1, Ordering::Relaxed)))
}
