//! How the edits of operations group into hunks.

use std::collections::HashMap;

use orangery_domain::{ChangeSetId, ContentHash, OperationId};
use serde::{Deserialize, Serialize};
use sqlx::{SqliteConnection, SqliteExecutor};

use super::wire::{ROWS, from_json, to_hash, to_json};
use crate::Result;

/// One hunk: which edits it is made of (from 0, the end excluded), and the lines that it adds and
/// removes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u32, u32, u32, u32)", into = "(u32, u32, u32, u32)")]
pub struct HunkShape {
    pub start: u32,
    pub end: u32,
    pub added: u32,
    pub removed: u32,
}

impl From<(u32, u32, u32, u32)> for HunkShape {
    fn from((start, end, added, removed): (u32, u32, u32, u32)) -> Self {
        Self { start, end, added, removed }
    }
}

impl From<HunkShape> for (u32, u32, u32, u32) {
    fn from(hunk: HunkShape) -> Self {
        (hunk.start, hunk.end, hunk.added, hunk.removed)
    }
}

/// The hunks of an operation as long as its base and edits are these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    pub base: Option<ContentHash>,
    pub edits: Option<ContentHash>,
    pub hunks: Vec<HunkShape>,
}

pub async fn put(db: &mut SqliteConnection, operation: OperationId, shape: &Shape) -> Result<()> {
    put_all(db, &[(operation, shape)]).await
}

pub async fn put_all(db: &mut SqliteConnection, shapes: &[(OperationId, &Shape)]) -> Result<()> {
    for some in shapes.chunks(ROWS) {
        let row = |(operation, shape): &(OperationId, &Shape)| {
            Ok((operation.0, shape.base, shape.edits, to_json(&shape.hunks)?))
        };
        let rows = to_json(&some.iter().map(row).collect::<Result<Vec<_>>>()?)?;
        sqlx::query!(
            "insert into operation_shape (operation_id, base_hash, edits_hash, hunks)
             select value ->> 0, unhex(value ->> 1), unhex(value ->> 2), value ->> 3 from json_each(?1) where true
             on conflict do update set base_hash = excluded.base_hash, edits_hash = excluded.edits_hash,
                                       hunks = excluded.hunks",
            rows
        )
        .execute(&mut *db)
        .await?;
    }
    Ok(())
}

/// The shapes that are known of the operations of a set.
pub async fn of_set(db: impl SqliteExecutor<'_>, set: ChangeSetId) -> Result<HashMap<OperationId, Shape>> {
    let rows = sqlx::query!(
        r#"select operation_shape.operation_id as "operation_id!", operation_shape.base_hash,
                  operation_shape.edits_hash, hunks as "hunks!"
           from operation_shape join operation on operation.operation_id = operation_shape.operation_id
           where change_set_id = ?1"#,
        set.0
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| {
            let shape = Shape {
                base: to_hash(row.base_hash)?,
                edits: to_hash(row.edits_hash)?,
                hunks: from_json("the hunks of an operation", &row.hunks)?,
            };
            Ok((OperationId(row.operation_id), shape))
        })
        .collect()
}
