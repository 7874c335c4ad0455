//! What the readers of documents gave, by the bytes that they read.

use orangery_domain::{ContentHash, FileKind, KeyPlace};
use sqlx::{SqliteConnection, SqlitePool};

use super::model::{place_name, place_of};
use crate::{Error, Result};

/// What something was read from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key {
    /// Of the bytes.
    pub hash: ContentHash,
    /// What they were taken for.
    pub kind: FileKind,
    /// Label of the encoding that the user chose.
    pub encoding: Option<String>,
}

/// What was read, compressed.
#[derive(Debug, Clone)]
pub struct Packed {
    size: usize,
    content: Vec<u8>,
}

/// zstd's own default: text shrinks to a third.
const LEVEL: i32 = 3;
/// Nothing larger is unpacked, whatever the row says.
const LARGEST: usize = 1 << 30;

impl Packed {
    pub fn new(json: &[u8]) -> Result<Self> {
        let content = zstd::bulk::compress(json, LEVEL)
            .map_err(|error| Error::Stored { what: "an extraction", value: error.to_string() })?;
        Ok(Self { size: json.len(), content })
    }

    pub fn unpack(&self) -> Result<Vec<u8>> {
        let damaged = |value| Error::Stored { what: "an extraction", value };
        if self.size > LARGEST {
            return Err(damaged(self.size.to_string()));
        }
        zstd::bulk::decompress(&self.content, self.size).map_err(|error| damaged(error.to_string()))
    }
}

/// What readers of `version` gave.
pub async fn get(db: &SqlitePool, key: &Key, version: u32) -> Result<Option<Packed>> {
    let (hash, kind) = (&key.hash.0[..], key.kind.as_str());
    let encoding = key.encoding.as_deref().unwrap_or_default();
    let row = sqlx::query!(
        "select size, content from extraction where hash = ?1 and kind = ?2 and encoding = ?3 and version = ?4",
        hash,
        kind,
        encoding,
        version
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| Packed { size: usize::try_from(row.size).unwrap_or(usize::MAX), content: row.content }))
}

/// Keeps what was read, in place of what another version gave.
pub async fn put(db: &mut SqliteConnection, key: &Key, version: u32, packed: &Packed) -> Result<()> {
    let (hash, kind) = (&key.hash.0[..], key.kind.as_str());
    let encoding = key.encoding.as_deref().unwrap_or_default();
    let size = i64::try_from(packed.size).unwrap_or(i64::MAX);
    let content = &packed.content[..];
    sqlx::query!(
        "insert into extraction (hash, kind, encoding, version, size, content) values (?1, ?2, ?3, ?4, ?5, ?6)
         on conflict do update set version = excluded.version, size = excluded.size, content = excluded.content",
        hash,
        kind,
        encoding,
        version,
        size,
        content
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Forgets what was read from these bytes.
pub async fn remove(db: &mut SqliteConnection, hash: ContentHash) -> Result<()> {
    let hash = &hash.0[..];
    sqlx::query!("delete from extraction where hash = ?1", hash).execute(db).await?;
    Ok(())
}

/// Drops what was read from bytes that no known file has any more.
pub async fn sweep(db: &mut SqliteConnection) -> Result<u64> {
    let done = sqlx::query!(
        "delete from extraction where hash not in (select hash from file where hash is not null)"
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}

/// Where the password of a locked document is kept; `KeyPlace::None` when it is not.
pub async fn password_place(db: &SqlitePool, hash: ContentHash) -> Result<KeyPlace> {
    let hash = &hash.0[..];
    let place = sqlx::query_scalar!("select key_place from document_password where hash = ?1", hash)
        .fetch_optional(db)
        .await?;
    Ok(place.as_deref().map_or(KeyPlace::None, place_of))
}

/// Remembers where the password of a locked document is kept.
pub async fn set_password_place(db: &mut SqliteConnection, hash: ContentHash, place: KeyPlace) -> Result<()> {
    let (hash, place) = (&hash.0[..], place_name(place));
    sqlx::query!(
        "insert into document_password (hash, key_place) values (?1, ?2)
         on conflict do update set key_place = excluded.key_place",
        hash,
        place
    )
    .execute(db)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use orangery_domain::{FilePlace, KbPath};

    use super::*;
    use crate::Db;
    use crate::table::{file, knowledge_base};

    #[tokio::test]
    async fn what_was_read_stays_as_long_as_its_bytes_are_in_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open(&folder.path().join("orangery.db")).await.unwrap();
        let mut write = db.write().await.unwrap();
        let kb_id = knowledge_base::insert(&mut write, "a", "/a").await.unwrap();
        let key = |bytes: &[u8]| Key { hash: ContentHash::of(bytes), kind: FileKind::Pdf, encoding: None };
        let (there, gone) = (key(b"there"), key(b"gone"));
        let content = file::Content {
            stamp: file::Stamp { size: 5, modified_ns: 0, inode: None },
            hash: Some(there.hash),
            encoding: None,
            title: "a".into(),
            tags: Vec::new(),
            trouble: None,
        };
        let place = FilePlace { kb_id, path: KbPath::parse("a.pdf").unwrap() };
        file::insert(&mut write, &place, FileKind::Pdf, &content).await.unwrap();
        for key in [&there, &gone] {
            put(&mut write, key, 1, &Packed::new(b"{}").unwrap()).await.unwrap();
        }
        assert_eq!(sweep(&mut write).await.unwrap(), 1);
        write.commit().await.unwrap();
        assert_eq!(get(db.reader(), &there, 1).await.unwrap().unwrap().unpack().unwrap(), b"{}");
        assert!(get(db.reader(), &there, 2).await.unwrap().is_none(), "of other readers");
        assert!(get(db.reader(), &gone, 1).await.unwrap().is_none());
        db.close().await;
    }
}
