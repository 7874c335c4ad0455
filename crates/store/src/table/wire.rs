//! Values as text columns.

use orangery_domain::{ContentHash, KbPath};
use serde::{Serialize, de::DeserializeOwned};

use crate::{Error, Result};

pub(super) fn to_json<T: Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|error| Error::Stored { what: "a value without JSON", value: error.to_string() })
}

pub(super) fn from_json<T: DeserializeOwned>(what: &'static str, text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|_| Error::Stored { what, value: text.into() })
}

/// Rows that go into one statement: what crosses to the thread of the database crosses once.
pub(super) const ROWS: usize = 1_000;

/// Ids of rows that one statement put in, as the rows came in: they grow in that order, and nobody promises that they
/// are returned in it.
pub(super) fn in_order(mut ids: Vec<i64>) -> Vec<i64> {
    ids.sort_unstable();
    ids
}

/// The wire name of a variant without fields.
pub(super) fn to_name<T: Serialize>(value: &T) -> Result<String> {
    Ok(to_json(value)?.trim_matches('"').to_owned())
}

pub(super) fn from_name<T: DeserializeOwned>(what: &'static str, name: &str) -> Result<T> {
    serde_json::from_value(name.into()).map_err(|_| Error::Stored { what, value: name.into() })
}

pub(super) fn to_hash(bytes: Option<Vec<u8>>) -> Result<Option<ContentHash>> {
    bytes
        .map(|bytes| {
            let sized = bytes.try_into();
            sized
                .map(ContentHash)
                .map_err(|bytes| Error::Stored { what: "a hash", value: format!("{bytes:?}") })
        })
        .transpose()
}

pub(super) fn to_path(text: &str) -> Result<KbPath> {
    KbPath::parse(text).map_err(|_| Error::Stored { what: "a path", value: text.into() })
}
