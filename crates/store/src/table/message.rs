//! What was said in a session.

use orangery_domain::{Message, MessageContent, MessageId, SessionId, TurnId};

use crate::blob::Packed;
use crate::table::blob;
use crate::{Db, Error, Result};

/// A message with what belongs to it and nobody sees.
#[derive(Debug, Clone)]
pub struct MessageRow {
    pub message: Message,
    pub kept: Kept,
}

/// What the next turn needs of a message, as JSON that this crate does not read. Pictures are written and
/// not read back with it.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    /// As the model said or read it; absent for what it never sees.
    pub chat: Option<String>,
    /// The passages that this step numbered.
    pub passages: Option<String>,
    /// Contents that `chat` speaks of, to be kept as long as the message.
    pub pictures: Vec<Packed>,
}

/// Adds a message to the end of a session.
pub async fn insert(
    db: &Db,
    session: &SessionId,
    turn: TurnId,
    content: MessageContent,
    kept: &Kept,
    now: i64,
) -> Result<Message> {
    let json = to_json(&content)?;
    let mut write = db.write().await?;
    let id = sqlx::query!(
        "insert into message (session_id, turn_id, created_at, content, chat, passages)
         values (?, ?, ?, ?, ?, ?)",
        session.0,
        turn.0,
        now,
        json,
        kept.chat,
        kept.passages
    )
    .execute(&mut *write)
    .await?
    .last_insert_rowid();
    write.commit().await?;
    Ok(Message { id: MessageId(id), turn_id: turn, created_at: now, content })
}

/// Writes a message anew; what `kept` lacks stays.
pub async fn update(db: &Db, id: MessageId, content: &MessageContent, kept: &Kept) -> Result<()> {
    let json = to_json(content)?;
    let mut write = db.write().await?;
    sqlx::query!(
        "update message set content = ?, chat = coalesce(?, chat), passages = coalesce(?, passages)
         where message_id = ?",
        json,
        kept.chat,
        kept.passages,
        id.0
    )
    .execute(&mut *write)
    .await?;
    for picture in &kept.pictures {
        blob::put(&mut write, picture).await?;
        let hash = picture.hash();
        let hash = &hash.0[..];
        sqlx::query!(
            "insert into message_picture (message_id, hash) values (?, ?) on conflict do nothing",
            id.0,
            hash
        )
        .execute(&mut *write)
        .await?;
    }
    write.commit().await?;
    Ok(())
}

/// Takes a message back, as long as nothing was said in it.
pub async fn remove(db: &Db, id: MessageId) -> Result<()> {
    let mut write = db.write().await?;
    sqlx::query!("delete from message where message_id = ?", id.0).execute(&mut *write).await?;
    write.commit().await?;
    Ok(())
}

/// A session's messages in order.
pub async fn list(db: &Db, session: &SessionId) -> Result<Vec<MessageRow>> {
    let rows = sqlx::query!(
        r#"select message_id as "message_id!", turn_id, created_at, content, chat, passages
           from message where session_id = ? order by message_id"#,
        session.0
    )
    .fetch_all(db.reader())
    .await?;
    rows.into_iter()
        .map(|row| {
            let content = serde_json::from_str(&row.content)
                .map_err(|error| Error::Stored { what: "message.content", value: error.to_string() })?;
            Ok(MessageRow {
                message: Message {
                    id: MessageId(row.message_id),
                    turn_id: TurnId(row.turn_id),
                    created_at: row.created_at,
                    content,
                },
                kept: Kept { chat: row.chat, passages: row.passages, pictures: vec![] },
            })
        })
        .collect()
}

fn to_json(content: &MessageContent) -> Result<String> {
    serde_json::to_string(content)
        .map_err(|error| Error::Stored { what: "message.content", value: error.to_string() })
}
