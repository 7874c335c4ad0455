//! Contents by hash.

use std::collections::HashMap;

use orangery_domain::ContentHash;
use sqlx::{SqliteConnection, SqliteExecutor, SqlitePool};

use super::wire::{ROWS, to_hash, to_json};
use crate::{Error, Result, blob::Packed};

/// A content that takes more than this is stored by itself: in a statement for many it would be written out twice.
const SMALL_BYTES: usize = 16 << 10;

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

/// As `unhex` of SQLite reads it.
fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from(b"0123456789abcdef"[usize::from(half)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Stores many contents.
pub async fn put_all(db: &mut SqliteConnection, contents: &[Packed]) -> Result<()> {
    let (small, large): (Vec<&Packed>, Vec<&Packed>) =
        contents.iter().partition(|packed| packed.stored_size() <= SMALL_BYTES);
    for packed in large {
        put(&mut *db, packed).await?;
    }
    for some in small.chunks(ROWS) {
        let rows: Vec<_> = some
            .iter()
            .map(|packed| {
                let content = hex(packed.content());
                (packed.hash(), packed.size(), u8::from(packed.is_compressed()), content)
            })
            .collect();
        let rows = to_json(&rows)?;
        sqlx::query!(
            "insert into blob (hash, size, compressed, content)
             select unhex(value ->> 0), value ->> 1, value ->> 2, unhex(value ->> 3) from json_each(?1) where true
             on conflict do nothing",
            rows
        )
        .execute(&mut *db)
        .await?;
    }
    Ok(())
}

/// Many contents at once; what is not there is left out.
pub async fn get_all(db: &SqlitePool, hashes: &[ContentHash]) -> Result<HashMap<ContentHash, Vec<u8>>> {
    let mut out = HashMap::with_capacity(hashes.len());
    for some in hashes.chunks(ROWS) {
        let wanted = to_json(&some)?;
        let rows = sqlx::query!(
            "select hash, size, compressed, content from blob
             where hash in (select unhex(value) from json_each(?1))",
            wanted
        )
        .fetch_all(db)
        .await?;
        for row in rows {
            let Some(hash) = to_hash(Some(row.hash))? else { continue };
            let packed = Packed::stored(hash, row.size.cast_unsigned(), row.compressed != 0, row.content);
            out.insert(hash, packed.unpack()?);
        }
    }
    Ok(out)
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
