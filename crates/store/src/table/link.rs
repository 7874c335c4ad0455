//! Links as written in notes. Where they lead is worked out when asked, so that a rename elsewhere
//! makes nothing here stale.

use orangery_domain::{FileId, KbId, LinkKind};
use serde::Serialize;
use sqlx::{SqliteConnection, SqlitePool};

use super::wire::to_json;
use crate::{Error, Result};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LinkRow {
    pub kind: LinkKind,
    /// As written.
    pub target: String,
    /// What a file must be called to be meant; see the migration.
    pub target_key: String,
    pub fragment: Option<String>,
    /// From 1.
    pub line: u32,
    /// The text of the line.
    pub context: String,
}

/// A link and the note that holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkFrom {
    pub file_id: FileId,
    pub path: String,
    pub title: String,
    pub link: LinkRow,
}

/// Replaces the links of a file.
pub async fn replace(db: &mut SqliteConnection, file: FileId, links: &[LinkRow]) -> Result<()> {
    sqlx::query!("delete from link where file_id = ?1", file.0).execute(&mut *db).await?;
    if links.is_empty() {
        return Ok(());
    }
    let json = serde_json::to_string(links)
        .map_err(|error| Error::Stored { what: "a link", value: error.to_string() })?;
    sqlx::query!(
        "insert into link (file_id, ordinal, kind, target, target_key, fragment, line, context)
         select ?1, key, value ->> '$.kind', value ->> '$.target', value ->> '$.target_key',
                value ->> '$.fragment', value ->> '$.line', value ->> '$.context'
         from json_each(?2)",
        file.0,
        json
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The links of files, those of one in order.
pub async fn of_files(db: &SqlitePool, files: &[FileId]) -> Result<Vec<(FileId, LinkRow)>> {
    let files = to_json(&files)?;
    sqlx::query!(
        "select file_id, kind, target, target_key, fragment, line, context from link
         where file_id in (select value from json_each(?1)) order by file_id, ordinal",
        files
    )
    .fetch_all(db)
    .await?
    .into_iter()
    .map(|row| {
        let link = LinkRow {
            kind: kind(&row.kind)?,
            target: row.target,
            target_key: row.target_key,
            fragment: row.fragment,
            line: u32::try_from(row.line).unwrap_or(1),
            context: row.context,
        };
        Ok((FileId(row.file_id), link))
    })
    .collect()
}

/// Links of one knowledge base that may mean files called one of `keys`.
pub async fn to_keys(db: &SqlitePool, kb: KbId, keys: &[String]) -> Result<Vec<LinkFrom>> {
    let keys = to_json(&keys)?;
    sqlx::query!(
        "select file.file_id, file.path, file.title, link.kind, link.target, link.target_key, link.fragment,
                link.line, link.context
         from link join file using (file_id)
         where link.target_key in (select value from json_each(?2)) and file.knowledge_base_id = ?1
         order by file.path, link.ordinal",
        kb.0,
        keys
    )
    .fetch_all(db)
    .await?
    .into_iter()
    .map(|row| {
        Ok(LinkFrom {
            file_id: FileId(row.file_id),
            path: row.path,
            title: row.title,
            link: LinkRow {
                kind: kind(&row.kind)?,
                target: row.target,
                target_key: row.target_key,
                fragment: row.fragment,
                line: u32::try_from(row.line).unwrap_or(1),
                context: row.context,
            },
        })
    })
    .collect()
}

fn kind(text: &str) -> Result<LinkKind> {
    serde_json::from_value(serde_json::Value::String(text.into()))
        .map_err(|_| Error::Stored { what: "a kind of link", value: text.into() })
}
