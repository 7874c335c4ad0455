//! Passages: what is indexed and cited.

use std::collections::HashMap;

use orangery_domain::{FileId, LineRange, Spot};
use serde::{Deserialize, Serialize};
use sqlx::{SqliteConnection, SqlitePool};

use crate::{Error, Result};

/// One passage of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// Outermost first.
    pub heading_path: Vec<String>,
    /// Bytes of the decoded text.
    pub range: std::ops::Range<u32>,
    pub lines: (u32, u32),
    /// Readable text.
    pub text: String,
    /// `(byte in text, line of the source)`, ascending.
    pub line_map: Vec<(u32, u32)>,
    /// Where the blocks of a document begin and stand; absent in notes, which have lines.
    #[serde(default)]
    pub spots: Option<Spots>,
}

/// The blocks of a passage of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spots {
    /// Number of the first one, from 1.
    pub first: u32,
    /// `(byte in text, spot)`, ascending, one for each block.
    pub list: Vec<(u32, Spot)>,
}

impl Chunk {
    pub fn lines(&self) -> LineRange {
        LineRange { start: self.lines.0, end: self.lines.1 }
    }
}

/// Replaces the passages of a file.
pub async fn replace(db: &mut SqliteConnection, file: FileId, chunks: &[Chunk]) -> Result<()> {
    sqlx::query!("delete from chunk where file_id = ?1", file.0).execute(&mut *db).await?;
    if chunks.is_empty() {
        return Ok(());
    }
    let json = serde_json::to_string(chunks)
        .map_err(|error| Error::Stored { what: "a passage", value: error.to_string() })?;
    sqlx::query!(
        "insert into chunk (file_id, ordinal, heading_path, range_start, range_end, line_start, line_end, text, line_map,
                            block_start, spots)
         select ?1, key, value ->> '$.heading_path', value ->> '$.range.start', value ->> '$.range.end',
                value ->> '$.lines[0]', value ->> '$.lines[1]', value ->> '$.text', value ->> '$.line_map',
                value ->> '$.spots.first', value ->> '$.spots.list'
         from json_each(?2)",
        file.0,
        json
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The passages of a file, in order.
pub async fn of_file(db: &SqlitePool, file: FileId) -> Result<Vec<Chunk>> {
    Ok(of_files(db, &[file]).await?.remove(&file).unwrap_or_default())
}

/// The passages of these files, in order: all of them for one query.
pub async fn of_files(db: &SqlitePool, files: &[FileId]) -> Result<HashMap<FileId, Vec<Chunk>>> {
    let json = list(&files.iter().map(|file| file.0).collect::<Vec<_>>())?;
    // The cross join keeps the list outermost, so that each file is one lookup.
    let rows = sqlx::query!(
        r#"select chunk.file_id as "file_id!", heading_path, range_start, range_end, line_start, line_end, text, line_map,
                  block_start, spots
         from json_each(?1) as asked
         cross join chunk on chunk.file_id = asked.value
         order by asked.key, chunk.ordinal"#,
        json
    )
    .fetch_all(db)
    .await?;
    let mut chunks: HashMap<FileId, Vec<Chunk>> = HashMap::new();
    for row in rows {
        chunks.entry(FileId(row.file_id)).or_default().push(Chunk {
            heading_path: parse("a heading path", &row.heading_path)?,
            range: number(row.range_start)..number(row.range_end),
            lines: (number(row.line_start), number(row.line_end)),
            text: row.text,
            line_map: parse("a line map", &row.line_map)?,
            spots: spots(row.block_start, row.spots.as_deref())?,
        });
    }
    Ok(chunks)
}

/// These passages, as far as they are there: all of them for one query.
pub async fn some(db: &SqlitePool, asked: &[(FileId, u32)]) -> Result<HashMap<(FileId, u32), Chunk>> {
    if asked.is_empty() {
        return Ok(HashMap::new());
    }
    let json = list(&asked.iter().map(|(file, ordinal)| (file.0, ordinal)).collect::<Vec<_>>())?;
    // The cross join keeps the list outermost, so that each passage is one lookup.
    sqlx::query!(
        r#"select chunk.file_id as "file_id!", chunk.ordinal as "ordinal!", heading_path, range_start, range_end, line_start, line_end, text, line_map,
                  block_start, spots
         from json_each(?1) as asked
         cross join chunk on chunk.file_id = asked.value ->> 0 and chunk.ordinal = asked.value ->> 1"#,
        json
    )
    .fetch_all(db)
    .await?
    .into_iter()
    .map(|row| {
        let chunk = Chunk {
            heading_path: parse("a heading path", &row.heading_path)?,
            range: number(row.range_start)..number(row.range_end),
            lines: (number(row.line_start), number(row.line_end)),
            text: row.text,
            line_map: parse("a line map", &row.line_map)?,
            spots: spots(row.block_start, row.spots.as_deref())?,
        };
        Ok(((FileId(row.file_id), number(row.ordinal)), chunk))
    })
    .collect()
}

fn list(asked: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(asked)
        .map_err(|error| Error::Stored { what: "a list of passages", value: error.to_string() })
}

fn spots(first: Option<i64>, list: Option<&str>) -> Result<Option<Spots>> {
    let (Some(first), Some(list)) = (first, list) else { return Ok(None) };
    Ok(Some(Spots { first: number(first), list: parse("places of blocks", list)? }))
}

fn number(value: i64) -> u32 {
    u32::try_from(value).unwrap_or(0)
}

fn parse<T: serde::de::DeserializeOwned>(what: &'static str, value: &str) -> Result<T> {
    serde_json::from_str(value).map_err(|_| Error::Stored { what, value: value.into() })
}
