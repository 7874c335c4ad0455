//! What a session has, copied into another.

use std::collections::HashMap;

use orangery_domain::{MessageContent, MessageId, SessionId, TurnId};

use crate::{Db, Error, Result};

/// Copies the turns of `from` up to and with `until`, or all, with their messages and what was read of files.
pub async fn turns(db: &Db, from: &SessionId, to: &SessionId, until: Option<TurnId>) -> Result<()> {
    let until = until.map_or(i64::MAX, |turn| turn.0);
    let mut write = db.write().await?;
    let turns = sqlx::query!(
        r#"select turn_id as "turn_id!" from turn where session_id = ? and turn_id <= ? order by turn_id"#,
        from.0,
        until
    )
    .fetch_all(&mut *write)
    .await?;
    let mut copies: HashMap<MessageId, MessageId> = HashMap::new();
    for turn in turns {
        let copy = sqlx::query!(
            "insert into turn (session_id, goal, started_at, ended_at)
             select ?1, goal, started_at, coalesce(ended_at, started_at) from turn where turn_id = ?2",
            to.0,
            turn.turn_id
        )
        .execute(&mut *write)
        .await?
        .last_insert_rowid();
        let messages = sqlx::query!(
            r#"select message_id as "message_id!", content from message where turn_id = ? order by message_id"#,
            turn.turn_id
        )
        .fetch_all(&mut *write)
        .await?;
        for message in messages {
            let content = moved(message.content, &copies)?;
            let id = sqlx::query!(
                "insert into message (session_id, turn_id, created_at, content, chat, passages)
                 select ?1, ?2, created_at, ?3, chat, passages from message where message_id = ?4",
                to.0,
                copy,
                content,
                message.message_id
            )
            .execute(&mut *write)
            .await?
            .last_insert_rowid();
            sqlx::query!(
                "insert into message_picture (message_id, hash)
                 select ?1, hash from message_picture where message_id = ?2",
                id,
                message.message_id
            )
            .execute(&mut *write)
            .await?;
            copies.insert(MessageId(message.message_id), MessageId(id));
        }
    }
    sqlx::query!(
        "insert into session_read (session_id, knowledge_base_id, path_key, hash, read_at)
         select ?1, knowledge_base_id, path_key, hash, read_at from session_read where session_id = ?2",
        to.0,
        from.0
    )
    .execute(&mut *write)
    .await?;
    write.commit().await?;
    Ok(())
}

/// A checkpoint speaks of another message, which has another number in the copy.
fn moved(content: String, copies: &HashMap<MessageId, MessageId>) -> Result<String> {
    let stored =
        |error: serde_json::Error| Error::Stored { what: "message.content", value: error.to_string() };
    let mut parsed: MessageContent = serde_json::from_str(&content).map_err(stored)?;
    let MessageContent::Checkpoint { covers, .. } = &mut parsed else { return Ok(content) };
    *covers = copies.get(covers).copied().unwrap_or(MessageId(0));
    serde_json::to_string(&parsed).map_err(stored)
}
