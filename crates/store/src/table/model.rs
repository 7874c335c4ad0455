//! Configured models, without their keys.

use orangery_domain::{KeyPlace, ModelId, ModelProfile, Protocol};
use sqlx::SqliteExecutor;

use crate::{Db, Result};

pub(super) fn place_name(place: KeyPlace) -> &'static str {
    match place {
        KeyPlace::None => "none",
        KeyPlace::Keyring => "keyring",
        KeyPlace::File => "file",
        // What lives for one run is not written down: after it there is no key.
        KeyPlace::Run => "none",
    }
}

pub(super) fn place_of(name: &str) -> KeyPlace {
    match name {
        "keyring" => KeyPlace::Keyring,
        "file" => KeyPlace::File,
        _ => KeyPlace::None,
    }
}

fn protocol_name(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::OpenAi => "openAi",
        Protocol::Anthropic => "anthropic",
        Protocol::Gemini => "gemini",
    }
}

fn protocol_of(name: &str) -> Protocol {
    match name {
        "anthropic" => Protocol::Anthropic,
        "gemini" => Protocol::Gemini,
        _ => Protocol::OpenAi,
    }
}

/// All models, oldest first.
pub async fn list(executor: impl SqliteExecutor<'_>) -> Result<Vec<ModelProfile>> {
    let rows = sqlx::query!(
        r#"select model_id, name, protocol, base_url, model, context_tokens as "context_tokens: u32",
                  tools as "tools: bool", vision as "vision: bool", key_place
           from model order by model_id"#
    )
    .fetch_all(executor)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| ModelProfile {
            id: ModelId(row.model_id),
            name: row.name,
            protocol: protocol_of(&row.protocol),
            base_url: row.base_url,
            model: row.model,
            context_tokens: row.context_tokens,
            tools: row.tools,
            vision: row.vision,
            key: place_of(&row.key_place),
        })
        .collect())
}

/// One model.
pub async fn by_id(executor: impl SqliteExecutor<'_>, id: ModelId) -> Result<Option<ModelProfile>> {
    let row = sqlx::query!(
        r#"select model_id, name, protocol, base_url, model, context_tokens as "context_tokens: u32",
                  tools as "tools: bool", vision as "vision: bool", key_place
           from model where model_id = ?1"#,
        id.0
    )
    .fetch_optional(executor)
    .await?;
    Ok(row.map(|row| ModelProfile {
        id: ModelId(row.model_id),
        name: row.name,
        protocol: protocol_of(&row.protocol),
        base_url: row.base_url,
        model: row.model,
        context_tokens: row.context_tokens,
        tools: row.tools,
        vision: row.vision,
        key: place_of(&row.key_place),
    }))
}

/// Adds a model; the id in `model` is not used.
pub async fn add(db: &Db, model: &ModelProfile, created_at: i64) -> Result<ModelId> {
    let (place, protocol) = (place_name(model.key), protocol_name(model.protocol));
    let mut write = db.write().await?;
    let id = sqlx::query_scalar!(
        "insert into model
             (name, base_url, model, context_tokens, tools, vision, key_place, created_at, protocol)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) returning model_id",
        model.name,
        model.base_url,
        model.model,
        model.context_tokens,
        model.tools,
        model.vision,
        place,
        created_at,
        protocol
    )
    .fetch_one(&mut *write)
    .await?;
    write.commit().await?;
    Ok(ModelId(id))
}

/// Writes all fields of the model `model.id`; false when there is none.
pub async fn update(db: &Db, model: &ModelProfile) -> Result<bool> {
    let (place, protocol) = (place_name(model.key), protocol_name(model.protocol));
    let mut write = db.write().await?;
    let done = sqlx::query!(
        "update model set name = ?2, base_url = ?3, model = ?4, context_tokens = ?5, tools = ?6,
                          vision = ?7, key_place = ?8, protocol = ?9
         where model_id = ?1",
        model.id.0,
        model.name,
        model.base_url,
        model.model,
        model.context_tokens,
        model.tools,
        model.vision,
        place,
        protocol
    )
    .execute(&mut *write)
    .await?;
    write.commit().await?;
    Ok(done.rows_affected() > 0)
}

/// Removes a model; false when there is none.
pub async fn remove(db: &Db, id: ModelId) -> Result<bool> {
    let mut write = db.write().await?;
    let done = sqlx::query!("delete from model where model_id = ?1", id.0).execute(&mut *write).await?;
    write.commit().await?;
    Ok(done.rows_affected() > 0)
}
