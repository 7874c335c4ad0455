//! What each session last saw of a file. An edit is refused when the file is something else by now.

use orangery_domain::{ContentHash, FilePlace, SessionId};
use sqlx::SqliteConnection;

use crate::{Db, Error, Result};

/// The session has seen this content.
pub async fn record(
    db: &Db,
    session: &SessionId,
    place: &FilePlace,
    hash: ContentHash,
    now: i64,
) -> Result<()> {
    let (path, hash) = (place.path.key(), hash.to_hex());
    let mut write = db.write().await?;
    sqlx::query!(
        "insert into session_read (session_id, knowledge_base_id, path_key, hash, read_at)
         values (?, ?, ?, ?, ?)
         on conflict do update set hash = excluded.hash, read_at = excluded.read_at",
        session.0,
        place.kb_id.0,
        path,
        hash,
        now
    )
    .execute(&mut *write)
    .await?;
    write.commit().await?;
    Ok(())
}

/// The content that the session last saw.
pub async fn hash(db: &Db, session: &SessionId, place: &FilePlace) -> Result<Option<ContentHash>> {
    let path = place.path.key();
    let hash = sqlx::query_scalar!(
        "select hash from session_read where session_id = ? and knowledge_base_id = ? and path_key = ?",
        session.0,
        place.kb_id.0,
        path
    )
    .fetch_optional(db.reader())
    .await?;
    hash.map(|hash| {
        ContentHash::from_hex(&hash).ok_or_else(|| Error::Stored { what: "session_read.hash", value: hash })
    })
    .transpose()
}

/// What was seen of a file, or of the files below a folder, was seen of them where they are now.
pub async fn follow(db: &mut SqliteConnection, from: &FilePlace, to: &FilePlace) -> Result<()> {
    let (from_key, to_key) = (from.path.key(), to.path.key());
    sqlx::query!(
        "update or replace session_read
         set knowledge_base_id = ?3, path_key = ?4 || substr(path_key, length(?2) + 1)
         where knowledge_base_id = ?1
         and (path_key = ?2 or substr(path_key, 1, length(?2) + 1) = ?2 || '/')",
        from.kb_id.0,
        from_key,
        to.kb_id.0,
        to_key
    )
    .execute(db)
    .await?;
    Ok(())
}
