//! Earlier contents of files.

use orangery_domain::{ChangeSetId, ContentHash, FileId, FilePlace, KbId, Provenance, Version, VersionId};
use sqlx::{SqliteConnection, SqliteExecutor};

use super::wire::{from_json, to_hash, to_json, to_path};
use crate::{Error, Result};

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

/// Keeps what a file held before a change. The content is stored already.
pub async fn insert(
    db: &mut SqliteConnection,
    place: &FilePlace,
    hash: ContentHash,
    provenance: &Provenance,
    set: Option<ChangeSetId>,
    now: i64,
) -> Result<VersionId> {
    let (path, path_key, hash) = (place.path.as_str(), place.path.key(), &hash.0[..]);
    let (provenance, set) = (to_json(provenance)?, set.map(|set| set.0));
    let id = sqlx::query_scalar!(
        r#"insert into version (knowledge_base_id, path, path_key, file_id, hash, created_at, provenance, change_set_id)
         values (?1, ?2, ?3, (select file_id from file where knowledge_base_id = ?1 and path = ?2), ?4, ?5, ?6, ?7)
         returning version_id as "version_id!""#,
        place.kb_id.0,
        path,
        path_key,
        hash,
        now,
        provenance,
        set
    )
    .fetch_one(db)
    .await?;
    Ok(VersionId(id))
}

/// The newest first: of the file wherever it was, and of whatever was at this place.
pub async fn of_place(
    db: impl SqliteExecutor<'_>,
    place: &FilePlace,
    file_id: Option<FileId>,
) -> Result<Vec<Version>> {
    let (path_key, file_id) = (place.path.key(), file_id.map(|id| id.0));
    sqlx::query_as!(
        Raw,
        r#"select version_id as "version_id!", knowledge_base_id as "knowledge_base_id!", path as "path!",
                  version.hash as "hash!", size as "size!", created_at as "created_at!",
                  provenance as "provenance!", change_set_id
           from version join blob on blob.hash = version.hash
           where file_id = ?3 or (file_id is null or ?3 is null) and knowledge_base_id = ?1 and path_key = ?2
           order by version_id desc"#,
        place.kb_id.0,
        path_key,
        file_id
    )
    .fetch_all(db)
    .await?
    .into_iter()
    .map(Version::try_from)
    .collect()
}

pub async fn by_id(db: impl SqliteExecutor<'_>, id: VersionId) -> Result<Option<Version>> {
    sqlx::query_as!(
        Raw,
        r#"select version_id as "version_id!", knowledge_base_id as "knowledge_base_id!", path as "path!",
                  version.hash as "hash!", size as "size!", created_at as "created_at!",
                  provenance as "provenance!", change_set_id
           from version join blob on blob.hash = version.hash where version_id = ?1"#,
        id.0
    )
    .fetch_optional(db)
    .await?
    .map(Version::try_from)
    .transpose()
}

/// The file that a version belongs to, if the scan knows it.
pub async fn file_of(db: impl SqliteExecutor<'_>, id: VersionId) -> Result<Option<FileId>> {
    let file = sqlx::query_scalar!("select file_id from version where version_id = ?1", id.0)
        .fetch_optional(db)
        .await?;
    Ok(file.flatten().map(FileId))
}
