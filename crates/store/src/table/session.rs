//! Conversations, the knowledge bases they look at, and their turns.

use orangery_domain::{ContextUse, KbId, Level, ModelId, Session, SessionId, TurnId};

use crate::{Db, Error, Result};

/// Adds a session with its knowledge bases.
pub async fn insert(db: &Db, session: &Session) -> Result<()> {
    let level = session.level.to_string();
    let model_id = session.model_id.map(|id| id.0);
    let mut write = db.write().await?;
    sqlx::query!(
        "insert into session (session_id, title, level, plan, model_id, created_at, updated_at)
         values (?, ?, ?, ?, ?, ?, ?)",
        session.id.0,
        session.title,
        level,
        session.plan,
        model_id,
        session.created_at,
        session.updated_at
    )
    .execute(&mut *write)
    .await?;
    insert_knowledge_bases(&mut write, &session.id, &session.kb_ids).await?;
    write.commit().await?;
    Ok(())
}

/// All sessions, pinned ones before others, the most recently used first.
pub async fn list(db: &Db) -> Result<Vec<Session>> {
    let rows = sqlx::query_as!(
        Row,
        r#"select session_id, title, level, plan as "plan: bool", model_id, created_at, updated_at,
                  input_tokens, output_tokens, context_tokens, context_counted as "context_counted: bool",
                  pinned as "pinned: bool", archived as "archived: bool"
           from session order by pinned desc, updated_at desc, session_id"#
    )
    .fetch_all(db.reader())
    .await?;
    let mut sessions = Vec::with_capacity(rows.len());
    for row in rows {
        sessions.push(with_knowledge_bases(db, row).await?);
    }
    Ok(sessions)
}

/// The session called `id`.
pub async fn get(db: &Db, id: &SessionId) -> Result<Option<Session>> {
    let row = sqlx::query_as!(
        Row,
        r#"select session_id, title, level, plan as "plan: bool", model_id, created_at, updated_at,
                  input_tokens, output_tokens, context_tokens, context_counted as "context_counted: bool",
                  pinned as "pinned: bool", archived as "archived: bool"
           from session where session_id = ?"#,
        id.0
    )
    .fetch_optional(db.reader())
    .await?;
    match row {
        Some(row) => Ok(Some(with_knowledge_bases(db, row).await?)),
        None => Ok(None),
    }
}

/// Writes level, Plan, model and knowledge bases.
pub async fn configure(db: &Db, session: &Session) -> Result<()> {
    let level = session.level.to_string();
    let model_id = session.model_id.map(|id| id.0);
    let mut write = db.write().await?;
    sqlx::query!(
        "update session set level = ?, plan = ?, model_id = ? where session_id = ?",
        level,
        session.plan,
        model_id,
        session.id.0
    )
    .execute(&mut *write)
    .await?;
    sqlx::query!("delete from session_knowledge_base where session_id = ?", session.id.0)
        .execute(&mut *write)
        .await?;
    insert_knowledge_bases(&mut write, &session.id, &session.kb_ids).await?;
    write.commit().await?;
    Ok(())
}

/// The user's own title; the first question no longer gives one.
pub async fn rename(db: &Db, id: &SessionId, title: &str) -> Result<()> {
    let mut write = db.write().await?;
    sqlx::query!("update session set title = ?, named = 1 where session_id = ?", title, id.0)
        .execute(&mut *write)
        .await?;
    write.commit().await?;
    Ok(())
}

/// Gone with all that was said. Change sets stay.
pub async fn remove(db: &Db, id: &SessionId) -> Result<()> {
    let mut write = db.write().await?;
    sqlx::query!("delete from session where session_id = ?", id.0).execute(&mut *write).await?;
    write.commit().await?;
    Ok(())
}

/// Adds what a provider counted.
pub async fn add_usage(db: &Db, id: &SessionId, input: u64, output: u64) -> Result<()> {
    let (input, output) =
        (i64::try_from(input).unwrap_or(i64::MAX), i64::try_from(output).unwrap_or(i64::MAX));
    let mut write = db.write().await?;
    sqlx::query!(
        "update session set input_tokens = input_tokens + ?, output_tokens = output_tokens + ?
         where session_id = ?",
        input,
        output,
        id.0
    )
    .execute(&mut *write)
    .await?;
    write.commit().await?;
    Ok(())
}

/// Writes what the last request took.
pub async fn set_context(db: &Db, id: &SessionId, context: ContextUse) -> Result<()> {
    let tokens = i64::try_from(context.tokens).unwrap_or(i64::MAX);
    let mut write = db.write().await?;
    sqlx::query!(
        "update session set context_tokens = ?, context_counted = ? where session_id = ?",
        tokens,
        context.counted,
        id.0
    )
    .execute(&mut *write)
    .await?;
    write.commit().await?;
    Ok(())
}

/// What a model's provider counted for 1000 estimated tokens, as far as that is known.
pub async fn token_ratio(db: &Db, id: &SessionId, model: ModelId) -> Result<Option<u64>> {
    let ratio = sqlx::query_scalar!(
        r#"select token_ratio as "token_ratio!" from session
           where session_id = ? and token_ratio_model = ? and token_ratio is not null"#,
        id.0,
        model.0
    )
    .fetch_optional(db.reader())
    .await?;
    Ok(ratio.map(i64::unsigned_abs))
}

/// Writes what `model`'s provider counts for 1000 estimated tokens of this session.
pub async fn set_token_ratio(db: &Db, id: &SessionId, model: ModelId, ratio: u64) -> Result<()> {
    let ratio = i64::try_from(ratio).unwrap_or(i64::MAX);
    let mut write = db.write().await?;
    sqlx::query!(
        "update session set token_ratio = ?, token_ratio_model = ? where session_id = ?",
        ratio,
        model.0,
        id.0
    )
    .execute(&mut *write)
    .await?;
    write.commit().await?;
    Ok(())
}

/// Puts a session first in the list, or out of it; absent stays.
pub async fn arrange(db: &Db, id: &SessionId, pinned: Option<bool>, archived: Option<bool>) -> Result<()> {
    let mut write = db.write().await?;
    sqlx::query!(
        "update session set pinned = coalesce(?, pinned), archived = coalesce(?, archived) where session_id = ?",
        pinned,
        archived,
        id.0
    )
    .execute(&mut *write)
    .await?;
    write.commit().await?;
    Ok(())
}

/// Sessions of which `text` is in the title or in what was asked and answered, with the newest text that has
/// it. Letters of the ASCII alphabet are equal in both cases.
pub async fn search(db: &Db, text: &str) -> Result<Vec<(SessionId, String)>> {
    let pattern = format!("%{}%", text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"));
    let rows = sqlx::query!(
        r#"select session_id, title, said as "said: String" from (
               select session_id, title, pinned, updated_at, (
                   select json_extract(content, '$.text') from message
                   where message.session_id = session.session_id
                   and json_extract(content, '$.role') in ('user', 'assistant')
                   and json_extract(content, '$.text') like ?1 escape '\'
                   order by message_id desc limit 1) as said
               from session)
           where title like ?1 escape '\' or said is not null
           order by pinned desc, updated_at desc limit 100"#,
        pattern
    )
    .fetch_all(db.reader())
    .await?;
    Ok(rows.into_iter().map(|row| (SessionId(row.session_id), row.said.unwrap_or(row.title))).collect())
}

/// Forgets a session's turns from `first` on, with all that was said in them.
pub async fn drop_turns(db: &Db, id: &SessionId, first: TurnId) -> Result<()> {
    let mut write = db.write().await?;
    sqlx::query!("delete from turn where session_id = ? and turn_id >= ?", id.0, first.0)
        .execute(&mut *write)
        .await?;
    sqlx::query!("update session set context_tokens = 0, context_counted = 0 where session_id = ?", id.0)
        .execute(&mut *write)
        .await?;
    write.commit().await?;
    Ok(())
}

/// Begins a turn; the first one gives the session its `title` unless the user did.
pub async fn start_turn(db: &Db, id: &SessionId, goal: &str, title: &str, now: i64) -> Result<TurnId> {
    let mut write = db.write().await?;
    sqlx::query!(
        "update session set updated_at = ?,
             title = case when named = 0 and not exists (select 1 from turn where session_id = ?)
                     then ? else title end
         where session_id = ?",
        now,
        id.0,
        title,
        id.0
    )
    .execute(&mut *write)
    .await?;
    let turn_id =
        sqlx::query!("insert into turn (session_id, goal, started_at) values (?, ?, ?)", id.0, goal, now)
            .execute(&mut *write)
            .await?
            .last_insert_rowid();
    write.commit().await?;
    Ok(TurnId(turn_id))
}

/// The turn is over, however it went.
pub async fn end_turn(db: &Db, turn: TurnId, now: i64) -> Result<()> {
    let mut write = db.write().await?;
    sqlx::query!("update turn set ended_at = ? where turn_id = ?", now, turn.0).execute(&mut *write).await?;
    write.commit().await?;
    Ok(())
}

/// Turns that nothing ended: they run, or the process died under them.
pub async fn open_turns(db: &Db) -> Result<Vec<(TurnId, SessionId)>> {
    let rows = sqlx::query!(r#"select turn_id as "turn_id!", session_id from turn where ended_at is null"#)
        .fetch_all(db.reader())
        .await?;
    Ok(rows.into_iter().map(|row| (TurnId(row.turn_id), SessionId(row.session_id))).collect())
}

struct Row {
    session_id: String,
    title: String,
    level: String,
    plan: bool,
    model_id: Option<i64>,
    created_at: i64,
    updated_at: i64,
    input_tokens: i64,
    output_tokens: i64,
    context_tokens: i64,
    context_counted: bool,
    pinned: bool,
    archived: bool,
}

async fn with_knowledge_bases(db: &Db, row: Row) -> Result<Session> {
    let kb_ids = sqlx::query_scalar!(
        "select knowledge_base_id from session_knowledge_base where session_id = ? order by sort_order",
        row.session_id
    )
    .fetch_all(db.reader())
    .await?;
    Ok(Session {
        level: row
            .level
            .parse::<Level>()
            .map_err(|reason| Error::Stored { what: "session.level", value: reason })?,
        id: SessionId(row.session_id),
        title: row.title,
        kb_ids: kb_ids.into_iter().map(KbId).collect(),
        plan: row.plan,
        model_id: row.model_id.map(ModelId),
        created_at: row.created_at,
        updated_at: row.updated_at,
        running: None,
        input_tokens: row.input_tokens.unsigned_abs(),
        output_tokens: row.output_tokens.unsigned_abs(),
        context: ContextUse { tokens: row.context_tokens.unsigned_abs(), counted: row.context_counted },
        pinned: row.pinned,
        archived: row.archived,
    })
}

async fn insert_knowledge_bases(
    write: &mut sqlx::Transaction<'static, sqlx::Sqlite>,
    id: &SessionId,
    kb_ids: &[KbId],
) -> Result<()> {
    for (order, kb) in (0_i64..).zip(kb_ids) {
        sqlx::query!(
            "insert or ignore into session_knowledge_base (session_id, knowledge_base_id, sort_order)
             values (?, ?, ?)",
            id.0,
            kb.0,
            order
        )
        .execute(&mut **write)
        .await?;
    }
    Ok(())
}
