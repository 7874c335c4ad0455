//! Earlier contents of files.

use orangery_domain::{
    ChangeSetId, ContentHash, FileId, FilePlace, HistoryUsage, KbId, Provenance, TurnId, Version, VersionId,
};
use sqlx::{SqliteConnection, SqliteExecutor, SqlitePool};

use super::wire::{ROWS, from_json, in_order, to_hash, to_json, to_path};
use crate::{Error, Result};

/// Versions with the size of their content: what follows, and the values that it names.
macro_rules! versions {
    ($tail:tt $(, $value:expr)*) => {
        sqlx::query_as!(
            Raw,
            r#"select version_id as "version_id!", knowledge_base_id as "knowledge_base_id!", path as "path!",
                      version.hash as "hash!", size as "size!", created_at as "created_at!",
                      provenance as "provenance!", change_set_id
               from version join blob on blob.hash = version.hash "# + $tail
            $(, $value)*
        )
    };
}

struct Raw {
    version_id: i64,
    knowledge_base_id: i64,
    path: String,
    hash: Vec<u8>,
    size: i64,
    created_at: i64,
    provenance: String,
    change_set_id: Option<i64>,
}

impl TryFrom<Raw> for Version {
    type Error = Error;

    fn try_from(raw: Raw) -> Result<Self> {
        let missing = Error::Stored { what: "no hash", value: raw.version_id.to_string() };
        Ok(Self {
            id: VersionId(raw.version_id),
            place: FilePlace { kb_id: KbId(raw.knowledge_base_id), path: to_path(&raw.path)? },
            provenance: from_json("a provenance", &raw.provenance)?,
            hash: to_hash(Some(raw.hash))?.ok_or(missing)?,
            size: raw.size.cast_unsigned(),
            created_at: raw.created_at,
            change_set_id: raw.change_set_id.map(ChangeSetId),
        })
    }
}

/// What a file held before a change, and who may read, write and run it. The content is stored already.
#[derive(Debug, Clone)]
pub struct Kept<'a> {
    pub place: &'a FilePlace,
    pub hash: ContentHash,
    pub mode: Option<u32>,
}

/// Keeps what files held before a change, in their order.
pub async fn insert_all(
    db: &mut SqliteConnection,
    kept: &[Kept<'_>],
    provenance: &Provenance,
    set: Option<ChangeSetId>,
    now: i64,
) -> Result<Vec<VersionId>> {
    let (provenance, set) = (to_json(provenance)?, set.map(|set| set.0));
    let mut ids = Vec::with_capacity(kept.len());
    for some in kept.chunks(ROWS) {
        let row = |Kept { place, hash, mode }: &Kept<'_>| {
            (place.kb_id.0, place.path.as_str().to_owned(), place.path.key(), *hash, *mode)
        };
        let rows = to_json(&some.iter().map(row).collect::<Vec<_>>())?;
        let made = sqlx::query_scalar!(
            r#"insert into version (knowledge_base_id, path, path_key, file_id, hash, created_at, provenance,
                                  change_set_id, mode)
             select value ->> 0, value ->> 1, value ->> 2,
                    (select file_id from file where knowledge_base_id = value ->> 0 and file.path = value ->> 1),
                    unhex(value ->> 3), ?2, ?3, ?4, value ->> 4
             from json_each(?1) order by key
             returning version_id as "version_id!""#,
            rows,
            now,
            provenance,
            set
        )
        .fetch_all(&mut *db)
        .await?;
        ids.extend(in_order(made).into_iter().map(VersionId));
    }
    Ok(ids)
}

/// As [`insert_all`], for one.
pub async fn insert(
    db: &mut SqliteConnection,
    place: &FilePlace,
    (hash, mode): (ContentHash, Option<u32>),
    provenance: &Provenance,
    set: Option<ChangeSetId>,
    now: i64,
) -> Result<VersionId> {
    let ids = insert_all(db, &[Kept { place, hash, mode }], provenance, set, now).await?;
    ids.first().copied().ok_or_else(|| Error::Stored { what: "no version", value: place.path.to_string() })
}

/// Who might read, write and run what was at `place`, when it last had this content.
pub async fn mode(db: impl SqliteExecutor<'_>, place: &FilePlace, hash: ContentHash) -> Result<Option<u32>> {
    let (path_key, hash) = (place.path.key(), &hash.0[..]);
    let mode = sqlx::query_scalar!(
        "select mode from version where knowledge_base_id = ?1 and path_key = ?2 and hash = ?3
         order by version_id desc limit 1",
        place.kb_id.0,
        path_key,
        hash
    )
    .fetch_optional(db)
    .await?;
    Ok(mode.flatten().and_then(|mode| u32::try_from(mode).ok()))
}

/// The newest first: of the file wherever it was, and of whatever was at this place.
pub async fn of_place(
    db: impl SqliteExecutor<'_>,
    place: &FilePlace,
    file_id: Option<FileId>,
) -> Result<Vec<Version>> {
    let (path_key, file_id) = (place.path.key(), file_id.map(|id| id.0));
    let raw = versions!(
        "where file_id = ?3 or (file_id is null or ?3 is null) and knowledge_base_id = ?1 and path_key = ?2
         order by version_id desc",
        place.kb_id.0,
        path_key,
        file_id
    );
    raw.fetch_all(db).await?.into_iter().map(Version::try_from).collect()
}

/// What a turn wrote over, of all files, the newest first.
pub async fn of_turn(db: impl SqliteExecutor<'_>, turn: TurnId) -> Result<Vec<Version>> {
    let raw = versions!(
        "where json_extract(provenance, '$.source') = 'assistant' and json_extract(provenance, '$.turnId') = ?1
         order by version_id desc",
        turn.0
    );
    raw.fetch_all(db).await?.into_iter().map(Version::try_from).collect()
}

pub async fn by_id(db: impl SqliteExecutor<'_>, id: VersionId) -> Result<Option<Version>> {
    let raw = versions!("where version_id = ?1", id.0).fetch_optional(db).await?;
    raw.map(Version::try_from).transpose()
}

/// The file that a version belongs to, if the scan knows it.
pub async fn file_of(db: impl SqliteExecutor<'_>, id: VersionId) -> Result<Option<FileId>> {
    let file = sqlx::query_scalar!("select file_id from version where version_id = ?1", id.0)
        .fetch_optional(db)
        .await?;
    Ok(file.flatten().map(FileId))
}

/// The newest version of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Newest {
    pub id: VersionId,
    pub provenance: Provenance,
    pub created_at: i64,
    /// The next save keeps a version however soon it comes.
    pub closed: bool,
}

pub async fn newest(
    db: impl SqliteExecutor<'_>,
    place: &FilePlace,
    file_id: Option<FileId>,
) -> Result<Option<Newest>> {
    let (path_key, file_id) = (place.path.key(), file_id.map(|id| id.0));
    let row = sqlx::query!(
        r#"select version_id as "version_id!", provenance as "provenance!", created_at as "created_at!",
                  closed as "closed!: bool"
           from version
           where file_id = ?3 or (file_id is null or ?3 is null) and knowledge_base_id = ?1 and path_key = ?2
           order by version_id desc limit 1"#,
        place.kb_id.0,
        path_key,
        file_id
    )
    .fetch_optional(db)
    .await?;
    row.map(|row| {
        Ok(Newest {
            id: VersionId(row.version_id),
            provenance: from_json("a provenance", &row.provenance)?,
            created_at: row.created_at,
            closed: row.closed,
        })
    })
    .transpose()
}

/// What was saved since this version was made is worth one of its own.
pub async fn close(db: &mut SqliteConnection, id: VersionId) -> Result<()> {
    sqlx::query!("update version set closed = 1 where version_id = ?1", id.0).execute(db).await?;
    Ok(())
}

/// How many versions a file keeps and how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// The newest this many are kept, however old.
    pub always: i64,
    /// All that were made since then are kept.
    pub since: i64,
    /// At most this many are kept.
    pub most: i64,
    /// None that was made before this is kept, beyond `always`.
    pub oldest: i64,
}

/// Drops versions beyond what is kept, and says how many. Their contents are left to a sweep.
pub async fn drop_beyond(db: &mut SqliteConnection, keep: &Retention) -> Result<u64> {
    let done = sqlx::query!(
        "delete from version where version_id in (
           select version_id from (
             select version_id, created_at, row_number() over (
               partition by knowledge_base_id, coalesce(file_id, path_key) order by version_id desc
             ) as place from version
           ) where place > ?1 and created_at < ?2 and (place > ?3 or created_at < ?4)
         )",
        keep.always,
        keep.since,
        keep.most,
        keep.oldest
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}

/// What versions take, and what dropping those beyond `keep` would free. Free pages of the database
/// are not counted.
pub async fn usage(db: &SqlitePool, keep: &Retention) -> Result<HistoryUsage> {
    let counts = sqlx::query!(
        r#"select count(*) as "versions!: i64",
                  count(distinct knowledge_base_id || ' ' || coalesce(file_id, path_key)) as "files!: i64"
           from version"#
    )
    .fetch_one(db)
    .await?;
    let bytes = sqlx::query!(
        r#"select coalesce(sum(size), 0) as "content!: i64", coalesce(sum(length(content)), 0) as "stored!: i64"
           from blob where exists (select 1 from version where version.hash = blob.hash)"#
    )
    .fetch_one(db)
    .await?;
    let reclaimable = sqlx::query_scalar!(
        r#"with beyond as (
             select version_id, hash from (
               select version_id, hash, created_at, row_number() over (
                 partition by knowledge_base_id, coalesce(file_id, path_key) order by version_id desc
               ) as place from version
             ) where place > ?1 and created_at < ?2 and (place > ?3 or created_at < ?4)
           )
           select coalesce(sum(length(content)), 0) as "bytes!: i64" from blob
           where hash in (select hash from beyond)
           and not exists (select 1 from version where version.hash = blob.hash
                           and version_id not in (select version_id from beyond))
           and not exists (select 1 from operation where operation.base_hash = blob.hash)
           and not exists (select 1 from operation where operation.exact_hash = blob.hash)
           and not exists (select 1 from operation where operation.before_hash = blob.hash)
           and not exists (select 1 from operation where operation.after_hash = blob.hash)
           and not exists (select 1 from journal_step where journal_step.old_hash = blob.hash)
           and not exists (select 1 from journal_step where journal_step.new_hash = blob.hash)"#,
        keep.always,
        keep.since,
        keep.most,
        keep.oldest
    )
    .fetch_one(db)
    .await?;
    Ok(HistoryUsage {
        versions: counts.versions.cast_unsigned(),
        files: counts.files.cast_unsigned(),
        content_bytes: bytes.content.cast_unsigned(),
        stored_bytes: bytes.stored.cast_unsigned(),
        reclaimable_bytes: reclaimable.cast_unsigned(),
    })
}

/// Versions of files that no scan knows follow their files by place.
pub async fn follow(db: &mut SqliteConnection, from: &FilePlace, to: &FilePlace) -> Result<()> {
    let (from_key, to_key) = (from.path.key(), to.path.key());
    let (from_path, to_path) = (from.path.as_str(), to.path.as_str());
    sqlx::query!(
        "update version set knowledge_base_id = ?4, path = ?5 || substr(path, length(?2) + 1),
                            path_key = ?6 || substr(path_key, length(?3) + 1)
         where file_id is null and knowledge_base_id = ?1
         and (path_key = ?3 or substr(path_key, 1, length(?3) + 1) = ?3 || '/')",
        from.kb_id.0,
        from_path,
        from_key,
        to.kb_id.0,
        to_path,
        to_key
    )
    .execute(db)
    .await?;
    Ok(())
}
