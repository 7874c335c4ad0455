//! Registered folders.

use orangery_domain::KbId;
use sqlx::{SqliteConnection, SqlitePool};

use crate::{Error, Result, now_ms};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KbRow {
    pub id: KbId,
    pub name: String,
    /// Absolute path, as the platform writes it.
    pub root: String,
    /// Milliseconds since 1970 of the last finished scan.
    pub scanned_at: Option<i64>,
}

/// All, in the user's order.
pub async fn all(db: &SqlitePool) -> Result<Vec<KbRow>> {
    let rows = sqlx::query!(
        "select knowledge_base_id, name, root, scanned_at from knowledge_base order by sort_order, knowledge_base_id"
    )
    .map(|row| KbRow {
        id: KbId(row.knowledge_base_id),
        name: row.name,
        root: row.root,
        scanned_at: row.scanned_at,
    })
    .fetch_all(db)
    .await?;
    Ok(rows)
}

/// Registers a folder at the end of the list.
pub async fn insert(db: &mut SqliteConnection, name: &str, root: &str) -> Result<KbId> {
    let now = now_ms();
    let id = sqlx::query_scalar!(
        r#"insert into knowledge_base (name, root, sort_order, created_at)
         values (?1, ?2, (select coalesce(max(sort_order), 0) + 1 from knowledge_base), ?3)
         returning knowledge_base_id as "knowledge_base_id!: i64""#,
        name,
        root,
        now
    )
    .fetch_one(db)
    .await?;
    Ok(KbId(id))
}

pub async fn rename(db: &mut SqliteConnection, kb: KbId, name: &str) -> Result<()> {
    let done = sqlx::query!("update knowledge_base set name = ?2 where knowledge_base_id = ?1", kb.0, name)
        .execute(db)
        .await?;
    found(done.rows_affected(), kb)
}

pub async fn set_order(db: &mut SqliteConnection, kb: KbId, order: i64) -> Result<()> {
    let done =
        sqlx::query!("update knowledge_base set sort_order = ?2 where knowledge_base_id = ?1", kb.0, order)
            .execute(db)
            .await?;
    found(done.rows_affected(), kb)
}

pub async fn set_scanned(db: &mut SqliteConnection, kb: KbId, at: i64) -> Result<()> {
    let done =
        sqlx::query!("update knowledge_base set scanned_at = ?2 where knowledge_base_id = ?1", kb.0, at)
            .execute(db)
            .await?;
    found(done.rows_affected(), kb)
}

/// Forgets a knowledge base and every row about its files.
pub async fn delete(db: &mut SqliteConnection, kb: KbId) -> Result<()> {
    let done =
        sqlx::query!("delete from knowledge_base where knowledge_base_id = ?1", kb.0).execute(db).await?;
    found(done.rows_affected(), kb)
}

fn found(rows: u64, kb: KbId) -> Result<()> {
    if rows == 0 {
        return Err(Error::NoKnowledgeBase(kb));
    }
    Ok(())
}
