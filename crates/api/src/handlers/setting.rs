//! Settings: defaults, and what the user changed.

use orangery_domain::Settings;
use orangery_store::{Db, table};
use serde_json::{Map, Value};

use crate::error::{Result, WireError};
use crate::request::{ChangeSettings, Nothing};
use crate::rooms::Rooms;

pub(crate) async fn get(rooms: &Rooms, _: Nothing) -> Result<Settings> {
    read(&rooms.db).await
}

pub(crate) async fn set(rooms: &Rooms, request: ChangeSettings) -> Result<Settings> {
    let fields = fields(&request.settings)?;
    let defaults = self::fields(&Settings::default())?;
    let changed = fields.into_iter().filter(|(name, value)| defaults.get(name) != Some(value)).collect();
    table::setting::replace(&rooms.db, &changed).await?;
    Ok(request.settings)
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
