//! Settings: defaults, and what the user changed.

use orangery_agent::WEB_SEARCH_KEY;
use orangery_domain::{KeyPlace, Settings, WebSearch};
use orangery_store::{Db, table};
use serde_json::{Map, Value};

use crate::error::{Result, WireError};
use crate::handlers::model;
use crate::request::{ChangeSettings, Nothing};
use crate::rooms::Rooms;

pub(crate) async fn get(rooms: &Rooms, _: Nothing) -> Result<Settings> {
    read(&rooms.db).await
}

pub(crate) async fn set(rooms: &Rooms, request: ChangeSettings) -> Result<Settings> {
    let mut settings = request.settings;
    settings.web_search = web_search(rooms, settings.web_search).await?;
    store(&rooms.db, &settings).await?;
    Ok(settings)
}

/// The search engine as it is to be stored. Its key stays where it is, whatever the request says of that; for
/// another engine or another address it is forgotten, since it would be sent there.
async fn web_search(rooms: &Rooms, wanted: Option<WebSearch>) -> Result<Option<WebSearch>> {
    let before = read(&rooms.db).await?.web_search;
    let wanted = match wanted {
        Some(mut wanted) => {
            wanted.address = wanted.address.map(|address| address.trim().to_owned());
            wanted.address.take_if(|address| address.is_empty());
            if let Some(address) = &wanted.address {
                model::check_address(address)?;
            }
            Some(wanted)
        }
        None => None,
    };
    let stays = |before: &&WebSearch| {
        wanted
            .as_ref()
            .is_some_and(|wanted| wanted.engine == before.engine && wanted.address == before.address)
    };
    let kept = before.as_ref().filter(stays).map_or(KeyPlace::None, |before| before.key);
    if let Some(before) = &before
        && kept != before.key
        && let Err(error) = rooms.secrets.remove(WEB_SEARCH_KEY, before.key).await
    {
        tracing::warn!(%error, "the key of a search engine that is no longer asked stays behind");
    }
    Ok(wanted.map(|wanted| WebSearch { key: kept, ..wanted }))
}

/// Writes what differs from the defaults.
pub(crate) async fn store(db: &Db, settings: &Settings) -> Result<()> {
    let fields = fields(settings)?;
    let defaults = self::fields(&Settings::default())?;
    let changed = fields.into_iter().filter(|(name, value)| defaults.get(name) != Some(value)).collect();
    table::setting::replace(db, &changed).await?;
    Ok(())
}

/// The settings in force. A stored field that this version does not understand counts as unset, alone.
pub(crate) async fn read(db: &Db) -> Result<Settings> {
    let mut settings = self::fields(&Settings::default())?;
    for (name, value) in table::setting::all(db.reader()).await? {
        let mut tried = settings.clone();
        tried.insert(name, value);
        if serde_json::from_value::<Settings>(Value::Object(tried.clone())).is_ok() {
            settings = tried;
        }
    }
    serde_json::from_value(Value::Object(settings)).map_err(WireError::internal)
}

fn fields(settings: &Settings) -> Result<Map<String, Value>> {
    match serde_json::to_value(settings).map_err(WireError::internal)? {
        Value::Object(fields) => Ok(fields),
        _ => Err(WireError::internal("settings are no object")),
    }
}
