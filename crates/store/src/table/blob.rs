//! Contents by hash.

use orangery_domain::ContentHash;
use sqlx::{SqliteConnection, SqliteExecutor, SqlitePool};

use crate::{Error, Result, blob::Packed};

/// Stores a content; a second time costs nothing.
pub async fn put(db: &mut SqliteConnection, packed: &Packed) -> Result<()> {
    let hash = packed.hash();
    let (hash, size, content) = (&hash.0[..], packed.size().cast_signed(), packed.content());
    let compressed = i64::from(packed.is_compressed());
    sqlx::query!(
        "insert into blob (hash, size, compressed, content) values (?1, ?2, ?3, ?4) on conflict do nothing",
        hash,
        size,
        compressed,
        content
    )
    .execute(db)
    .await?;
    Ok(())
}

/// # Errors
/// `Corrupt` when it is not there: whoever holds a hash refers to it.
pub async fn get(db: &SqlitePool, hash: ContentHash) -> Result<Vec<u8>> {
    get_in(db, hash).await
}

/// As [`get`], within a transaction.
pub async fn get_in(db: impl SqliteExecutor<'_>, hash: ContentHash) -> Result<Vec<u8>> {
    let key = &hash.0[..];
    let row = sqlx::query!("select size, compressed, content from blob where hash = ?1", key)
        .fetch_optional(db)
        .await?
        .ok_or_else(|| Error::Stored { what: "no content", value: hash.to_hex() })?;
    Packed::stored(hash, row.size.cast_unsigned(), row.compressed != 0, row.content).unpack()
}

/// Bytes of a content, unpacked.
pub async fn size(db: &SqlitePool, hash: ContentHash) -> Result<u64> {
    let key = &hash.0[..];
    let size = sqlx::query_scalar!("select size from blob where hash = ?1", key)
        .fetch_optional(db)
        .await?
        .ok_or_else(|| Error::Stored { what: "no content", value: hash.to_hex() })?;
    Ok(size.cast_unsigned())
}

/// Whether a content is there.
pub async fn is_known(db: impl SqliteExecutor<'_>, hash: ContentHash) -> Result<bool> {
    let key = &hash.0[..];
    let found =
        sqlx::query_scalar!(r#"select exists (select 1 from blob where hash = ?1) as "found!: bool""#, key)
            .fetch_one(db)
            .await?;
    Ok(found)
}

/// Drops the contents that nothing refers to any more.
pub async fn sweep(db: &mut SqliteConnection) -> Result<u64> {
    let done = sqlx::query!(
        "delete from blob where not exists (select 1 from version where version.hash = blob.hash)
         and not exists (select 1 from operation where operation.base_hash = blob.hash)
         and not exists (select 1 from operation where operation.edits_hash = blob.hash)
         and not exists (select 1 from operation where operation.exact_hash = blob.hash)
         and not exists (select 1 from operation where operation.before_hash = blob.hash)
         and not exists (select 1 from operation where operation.after_hash = blob.hash)
         and not exists (select 1 from journal_step where journal_step.old_hash = blob.hash)
         and not exists (select 1 from journal_step where journal_step.new_hash = blob.hash)
         and not exists (select 1 from journal_content where journal_content.hash = blob.hash)
         and not exists (select 1 from message_picture where message_picture.hash = blob.hash)"
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}

/// Drops one content if nothing refers to it.
pub async fn release(db: &mut SqliteConnection, hash: ContentHash) -> Result<()> {
    let key = &hash.0[..];
    sqlx::query!(
        "delete from blob where hash = ?1
         and not exists (select 1 from version where version.hash = ?1)
         and not exists (select 1 from operation where operation.base_hash = ?1)
         and not exists (select 1 from operation where operation.edits_hash = ?1)
         and not exists (select 1 from operation where operation.exact_hash = ?1)
         and not exists (select 1 from operation where operation.before_hash = ?1)
         and not exists (select 1 from operation where operation.after_hash = ?1)
         and not exists (select 1 from journal_step where journal_step.old_hash = ?1)
         and not exists (select 1 from journal_step where journal_step.new_hash = ?1)
         and not exists (select 1 from journal_content where journal_content.hash = ?1)
         and not exists (select 1 from message_picture where message_picture.hash = ?1)",
        key
    )
    .execute(db)
    .await?;
    Ok(())
}
