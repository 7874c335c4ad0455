//! Settings: one row per field that differs from its default.

use serde_json::{Map, Value};
use sqlx::SqliteExecutor;

use crate::{Db, Result};

/// Every stored field, as JSON.
pub async fn all(executor: impl SqliteExecutor<'_>) -> Result<Map<String, Value>> {
    let rows = sqlx::query!("select name, value from setting order by name").fetch_all(executor).await?;
    Ok(rows
        .into_iter()
        // A value that is no JSON counts as unset: a setting is never worth a refusal to start.
        .filter_map(|row| Some((row.name, serde_json::from_str(&row.value).ok()?)))
        .collect())
}

/// Replaces every stored field by `fields`.
pub async fn replace(db: &Db, fields: &Map<String, Value>) -> Result<()> {
    let mut write = db.write().await?;
    sqlx::query!("delete from setting").execute(&mut *write).await?;
    for (name, value) in fields {
        let value = value.to_string();
        sqlx::query!("insert into setting (name, value) values (?1, ?2)", name, value)
            .execute(&mut *write)
            .await?;
    }
    write.commit().await?;
    Ok(())
}
