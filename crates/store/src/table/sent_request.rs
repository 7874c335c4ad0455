//! What models were sent.

use orangery_domain::{ContentHash, SentId, SentRequest, SessionId, TurnId};

use crate::blob::Packed;
use crate::{Db, Error, Result};

/// Requests of one session that are kept.
const KEPT: i64 = 20;

/// Keeps a request, whose JSON is `body`, and drops the oldest beyond what is kept.
pub async fn insert(
    db: &Db,
    session: &SessionId,
    turn: TurnId,
    model: &str,
    tokens: u64,
    body: &Packed,
    now: i64,
) -> Result<()> {
    let hash = body.hash();
    let hash = &hash.0[..];
    let (size, tokens) = (body.size().cast_signed(), tokens.cast_signed());
    let (compressed, content) = (body.is_compressed(), body.content());
    let mut write = db.write().await?;
    sqlx::query!(
        "insert into sent_request (session_id, turn_id, sent_at, model, tokens, hash, size, compressed, content)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        session.0,
        turn.0,
        now,
        model,
        tokens,
        hash,
        size,
        compressed,
        content
    )
    .execute(&mut *write)
    .await?;
    sqlx::query!(
        "delete from sent_request where session_id = ?1 and sent_request_id not in
             (select sent_request_id from sent_request where session_id = ?1
              order by sent_request_id desc limit ?2)",
        session.0,
        KEPT
    )
    .execute(&mut *write)
    .await?;
    write.commit().await?;
    Ok(())
}

/// Those of a session, newest first, without what they hold.
pub async fn list(db: &Db, session: &SessionId) -> Result<Vec<SentRequest>> {
    let rows = sqlx::query!(
        r#"select sent_request_id as "sent_request_id!", turn_id, sent_at, model, tokens
           from sent_request where session_id = ? order by sent_request_id desc"#,
        session.0
    )
    .fetch_all(db.reader())
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| SentRequest {
            id: SentId(row.sent_request_id),
            turn_id: TurnId(row.turn_id),
            sent_at: row.sent_at,
            model: row.model,
            tokens: row.tokens.cast_unsigned(),
        })
        .collect())
}

/// The JSON of one request.
pub async fn body(db: &Db, id: SentId) -> Result<Option<Vec<u8>>> {
    let row = sqlx::query!(
        "select hash, size, compressed, content from sent_request where sent_request_id = ?",
        id.0
    )
    .fetch_optional(db.reader())
    .await?;
    let Some(row) = row else { return Ok(None) };
    let hash = row
        .hash
        .try_into()
        .map(ContentHash)
        .map_err(|_| Error::Stored { what: "the hash of a request", value: id.to_string() })?;
    Packed::stored(hash, row.size.cast_unsigned(), row.compressed != 0, row.content).unpack().map(Some)
}
