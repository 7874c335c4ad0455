//! Scanned files.

mod row;

use orangery_domain::text::Encoding;
use orangery_domain::{ContentHash, FileId, FileKind, FilePlace, KbId, KbPath, Warning};
use sqlx::{SqliteConnection, SqliteExecutor, SqlitePool};

use row::{Columns, Raw};
pub use row::{Content, FileRow, Stamp};

use super::wire::{ROWS, to_json};
use crate::{Error, Result};

/// Files as rows: what follows `from file`, and the values that it names.
macro_rules! files {
    ($tail:tt $(, $value:expr)*) => {
        sqlx::query_as!(
            Raw,
            r#"select file_id as "file_id!", knowledge_base_id, path, kind, size, modified_ns, inode, hash, encoding,
                      encoding_chosen, title, tags, trouble_code, trouble_detail, read_version, waits, warnings,
                      generation, indexed_generation
               from file "# + $tail
            $(, $value)*
        )
    };
}

/// The file at a place: the exact spelling wins, else the one path that is equal under NFC.
///
/// # Errors
/// `Invalid` when an inexact path fits two files.
pub async fn by_place(db: &SqlitePool, place: &FilePlace) -> Result<Option<FileRow>> {
    let (path, key) = (place.path.as_str(), place.path.key());
    let rows = files!(
        "where knowledge_base_id = ?1 and path_key = ?3 order by path = ?2 desc, path limit 2",
        place.kb_id.0,
        path,
        key
    );
    let mut rows = rows.fetch_all(db).await?.into_iter();
    match (rows.next(), rows.next()) {
        (Some(first), Some(second)) if first.path != path => {
            Err(Error::Ambiguous { path: path.into(), first: first.path, second: second.path })
        }
        (first, _) => first.map(FileRow::try_from).transpose(),
    }
}

/// The files of a knowledge base that any of these paths may name, by path.
pub async fn by_paths(db: &SqlitePool, kb: KbId, paths: &[&KbPath]) -> Result<Vec<FileRow>> {
    let mut out = Vec::with_capacity(paths.len());
    for some in paths.chunks(ROWS) {
        let keys = to_json(&some.iter().map(|path| path.key()).collect::<Vec<_>>())?;
        let raw = files!(
            "where knowledge_base_id = ?1 and path_key in (select value from json_each(?2)) order by path",
            kb.0,
            keys
        );
        for raw in raw.fetch_all(db).await? {
            out.push(FileRow::try_from(raw)?);
        }
    }
    Ok(out)
}

pub async fn by_id(db: &SqlitePool, id: FileId) -> Result<Option<FileRow>> {
    let raw = files!("where file_id = ?1", id.0).fetch_optional(db).await?;
    raw.map(FileRow::try_from).transpose()
}

/// Every file of a knowledge base, by path.
pub async fn of_kb(db: &SqlitePool, kb: KbId) -> Result<Vec<FileRow>> {
    let raw = files!("where knowledge_base_id = ?1 order by path", kb.0);
    raw.fetch_all(db).await?.into_iter().map(FileRow::try_from).collect()
}

/// Registers a file with what extraction found. Its generation is 1 and not yet indexed.
pub async fn insert(
    db: &mut SqliteConnection,
    place: &FilePlace,
    kind: FileKind,
    content: &Content,
) -> Result<FileId> {
    let (path, key, kind) = (place.path.as_str(), place.path.key(), kind.as_str());
    let columns = Columns::of(content);
    let id = sqlx::query_scalar!(
        r#"insert into file (knowledge_base_id, path, path_key, kind, size, modified_ns, inode, hash, encoding, title,
                           tags, trouble_code, trouble_detail)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
         returning file_id as "file_id!: i64""#,
        place.kb_id.0,
        path,
        key,
        kind,
        columns.size,
        content.stamp.modified_ns,
        columns.inode,
        columns.hash,
        content.encoding,
        content.title,
        columns.tags,
        columns.trouble_code,
        columns.trouble_detail
    )
    .fetch_one(db)
    .await?;
    Ok(FileId(id))
}

/// Takes over what extraction found and raises the generation, which is returned.
pub async fn update(db: &mut SqliteConnection, id: FileId, content: &Content) -> Result<i64> {
    let columns = Columns::of(content);
    let generation = sqlx::query_scalar!(
        "update file set size = ?2, modified_ns = ?3, inode = ?4, hash = ?5, encoding = ?6, title = ?7, tags = ?8,
                         trouble_code = ?9, trouble_detail = ?10, generation = generation + 1
         where file_id = ?1 returning generation",
        id.0,
        columns.size,
        content.stamp.modified_ns,
        columns.inode,
        columns.hash,
        content.encoding,
        content.title,
        columns.tags,
        columns.trouble_code,
        columns.trouble_detail
    )
    .fetch_one(db)
    .await?;
    Ok(generation)
}

/// A document may have changed: it waits to be read. What was read of it stays until then.
pub async fn await_reading(db: &mut SqliteConnection, id: FileId) -> Result<()> {
    sqlx::query!("update file set waits = 1 where file_id = ?1", id.0).execute(db).await?;
    Ok(())
}

/// A document is to be read again although its bytes are the same.
pub async fn read_again(db: &mut SqliteConnection, id: FileId) -> Result<()> {
    sqlx::query!("update file set read_version = 0 where file_id = ?1", id.0).execute(db).await?;
    Ok(())
}

/// A document was read by readers of this version.
pub async fn set_read(
    db: &mut SqliteConnection,
    id: FileId,
    version: u32,
    warnings: &[Warning],
) -> Result<()> {
    let warnings = serde_json::to_string(warnings)
        .map_err(|error| Error::Stored { what: "warnings", value: error.to_string() })?;
    sqlx::query!(
        "update file set read_version = ?2, waits = 0, warnings = ?3 where file_id = ?1",
        id.0,
        version,
        warnings
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The bytes are the same; only what the file system says of them moved.
pub async fn restamp(db: &mut SqliteConnection, id: FileId, stamp: Stamp) -> Result<()> {
    let size = stamp.size.cast_signed();
    let inode = stamp.inode.map(u64::cast_signed);
    sqlx::query!(
        "update file set size = ?2, modified_ns = ?3, inode = ?4 where file_id = ?1",
        id.0,
        size,
        stamp.modified_ns,
        inode
    )
    .execute(db)
    .await?;
    Ok(())
}

/// What is wrong with the file now; all else that is known of it stays.
pub async fn set_trouble(db: &mut SqliteConnection, id: FileId, trouble: Option<&Warning>) -> Result<()> {
    let code = trouble.map(|trouble| &*trouble.code);
    let detail = trouble.map(|trouble| &*trouble.detail);
    sqlx::query!(
        "update file set trouble_code = ?2, trouble_detail = ?3 where file_id = ?1",
        id.0,
        code,
        detail
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The file is elsewhere now: its id, links and history stay. Raises the generation, which is
/// returned, since search looks at paths too.
pub async fn relocate(db: &mut SqliteConnection, id: FileId, path: &KbPath, title: &str) -> Result<i64> {
    let (text, key, kind) = (path.as_str(), path.key(), FileKind::of_name(path.name()).as_str());
    let generation = sqlx::query_scalar!(
        "update file set path = ?2, path_key = ?3, kind = ?4, title = ?5, generation = generation + 1
         where file_id = ?1 returning generation",
        id.0,
        text,
        key,
        kind,
        title
    )
    .fetch_one(db)
    .await?;
    Ok(generation)
}

/// The rows of the file at a place, or of the files below it.
pub async fn within(db: impl SqliteExecutor<'_>, place: &FilePlace) -> Result<Vec<FileRow>> {
    let key = place.path.key();
    let raw = files!(
        "where knowledge_base_id = ?1
         and (?2 = '' or path_key = ?2 or substr(path_key, 1, length(?2) + 1) = ?2 || '/') order by path",
        place.kb_id.0,
        key
    );
    raw.fetch_all(db).await?.into_iter().map(FileRow::try_from).collect()
}

/// A file that we moved is at `place` now, perhaps in another knowledge base. Whatever row still claims
/// the place is of a file that is gone from it.
pub async fn move_to(db: &mut SqliteConnection, id: FileId, place: &FilePlace, title: &str) -> Result<()> {
    let (path, key) = (place.path.as_str(), place.path.key());
    let kind = FileKind::of_name(place.path.name()).as_str();
    sqlx::query!(
        "delete from file where knowledge_base_id = ?2 and path = ?3 and file_id <> ?1",
        id.0,
        place.kb_id.0,
        path
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!(
        "update file set knowledge_base_id = ?2, path = ?3, path_key = ?4, kind = ?5, title = ?6,
                         generation = generation + 1
         where file_id = ?1",
        id.0,
        place.kb_id.0,
        path,
        key,
        kind,
        title
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Takes a file off its place before another takes it. Until it is relocated it is where no scan finds
/// it, so that an end in between is repaired by the next look.
pub async fn vacate(db: &mut SqliteConnection, id: FileId) -> Result<()> {
    sqlx::query!(
        "update file set path = '.orangery-moving/' || file_id, path_key = '.orangery-moving/' || file_id
         where file_id = ?1",
        id.0
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Whether a file with this content is known in a knowledge base.
pub async fn has_content(db: &SqlitePool, kb: KbId, hash: ContentHash) -> Result<bool> {
    let hash = &hash.0[..];
    let found = sqlx::query_scalar!(
        r#"select exists (select 1 from file where knowledge_base_id = ?1 and hash = ?2) as "found!: bool""#,
        kb.0,
        hash
    )
    .fetch_one(db)
    .await?;
    Ok(found)
}

/// Remembers the user's choice. The hash goes, so that the next look reads the same bytes anew.
pub async fn choose_encoding(db: &mut SqliteConnection, id: FileId, encoding: Option<&str>) -> Result<()> {
    let chosen = i64::from(encoding.is_some());
    sqlx::query!(
        "update file set encoding = ?2, encoding_chosen = ?3, hash = null where file_id = ?1",
        id.0,
        encoding,
        chosen
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Forgets a file that is gone from `place`, unless it was moved from there meanwhile.
pub async fn delete(db: &mut SqliteConnection, id: FileId, place: &FilePlace) -> Result<()> {
    let path = place.path.as_str();
    sqlx::query!(
        "delete from file where file_id = ?1
         and (knowledge_base_id = ?2 and path = ?3 or path like '.orangery-moving/%')",
        id.0,
        place.kb_id.0,
        path
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The index now holds `generation` of each file.
pub async fn set_indexed(db: &mut SqliteConnection, files: &[(FileId, i64)]) -> Result<()> {
    let json = serde_json::to_string(files)
        .map_err(|error| Error::Stored { what: "generations", value: error.to_string() })?;
    sqlx::query!(
        "update file set indexed_generation = given.generation
         from (select value ->> 0 as file_id, value ->> 1 as generation from json_each(?1)) as given
         where file.file_id = given.file_id",
        json
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The index holds nothing any more.
pub async fn forget_indexed(db: &mut SqliteConnection) -> Result<()> {
    sqlx::query!("update file set indexed_generation = 0 where indexed_generation <> 0").execute(db).await?;
    Ok(())
}

/// Files that the index does not hold as they are.
pub async fn behind(db: &SqlitePool) -> Result<Vec<FileId>> {
    let ids = sqlx::query_scalar!(
        "select file_id from file where generation <> indexed_generation order by file_id"
    )
    .fetch_all(db)
    .await?;
    Ok(ids.into_iter().map(FileId).collect())
}

/// Every file id there is.
pub async fn ids(db: &SqlitePool) -> Result<Vec<FileId>> {
    let ids = sqlx::query_scalar!("select file_id from file order by file_id").fetch_all(db).await?;
    Ok(ids.into_iter().map(FileId).collect())
}

/// The encodings of a knowledge base's files other than UTF-8, the most frequent first: what an unclear
/// file is likeliest to be in.
pub async fn encodings(db: &SqlitePool, kb: KbId) -> Result<Vec<Encoding>> {
    let labels = sqlx::query_scalar!(
        r#"select encoding as "encoding!: String" from file
           where knowledge_base_id = ?1 and encoding is not null and encoding <> 'UTF-8'
           group by encoding order by count(*) desc limit 4"#,
        kb.0
    )
    .fetch_all(db)
    .await?;
    Ok(labels.iter().filter_map(|label| Encoding::from_label(label)).collect())
}

#[cfg(test)]
mod tests;
