//! Passages: what is indexed and cited.

use orangery_domain::{FileId, LineRange};
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
        "insert into chunk (file_id, ordinal, heading_path, range_start, range_end, line_start, line_end, text, line_map)
         select ?1, key, value ->> '$.heading_path', value ->> '$.range.start', value ->> '$.range.end',
                value ->> '$.lines[0]', value ->> '$.lines[1]', value ->> '$.text', value ->> '$.line_map'
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
    sqlx::query!(
        "select heading_path, range_start, range_end, line_start, line_end, text, line_map
         from chunk where file_id = ?1 order by ordinal",
        file.0
    )
    .fetch_all(db)
    .await?
    .into_iter()
    .map(|row| {
        Ok(Chunk {
            heading_path: parse("a heading path", &row.heading_path)?,
            range: number(row.range_start)..number(row.range_end),
            lines: (number(row.line_start), number(row.line_end)),
            text: row.text,
            line_map: parse("a line map", &row.line_map)?,
        })
    })
    .collect()
}

/// One passage.
pub async fn one(db: &SqlitePool, file: FileId, ordinal: u32) -> Result<Option<Chunk>> {
    sqlx::query!(
        "select heading_path, range_start, range_end, line_start, line_end, text, line_map
         from chunk where file_id = ?1 and ordinal = ?2",
        file.0,
        ordinal
    )
    .fetch_optional(db)
    .await?
    .map(|row| {
        Ok(Chunk {
            heading_path: parse("a heading path", &row.heading_path)?,
            range: number(row.range_start)..number(row.range_end),
            lines: (number(row.line_start), number(row.line_end)),
            text: row.text,
            line_map: parse("a line map", &row.line_map)?,
        })
    })
    .transpose()
}

fn number(value: i64) -> u32 {
    u32::try_from(value).unwrap_or(0)
}

fn parse<T: serde::de::DeserializeOwned>(what: &'static str, value: &str) -> Result<T> {
    serde_json::from_str(value).map_err(|_| Error::Stored { what, value: value.into() })
}
