//! Earlier contents of files.

use orangery_domain::{Applied, HistoryUsage, Version, VersionDiff, text};

use crate::error::Result;
use crate::request::{
    CompareVersions, ListHistory, Nothing, ReadVersion, RestoreTurn, RestoreVersion, VersionText,
};
use crate::rooms::Rooms;

pub(crate) async fn list(rooms: &Rooms, request: ListHistory) -> Result<Vec<Version>> {
    Ok(rooms.changes.history(&request.place).await?)
}

pub(crate) async fn read(rooms: &Rooms, request: ReadVersion) -> Result<VersionText> {
    let bytes = rooms.changes.read_version(request.version_id).await?;
    let text = text::decode(&bytes, None, &[]).ok().map(|decoded| decoded.text);
    Ok(VersionText { text, size: bytes.len() as u64 })
}

pub(crate) async fn restore(rooms: &Rooms, request: RestoreVersion) -> Result<Applied> {
    Ok(rooms.changes.restore(request.version_id).await?)
}

pub(crate) async fn compare(_rooms: &Rooms, _request: CompareVersions) -> Result<VersionDiff> {
    Err(crate::error::WireError::new(crate::error::Code::Unavailable, "not there yet"))
}

pub(crate) async fn restore_turn(_rooms: &Rooms, _request: RestoreTurn) -> Result<Applied> {
    Err(crate::error::WireError::new(crate::error::Code::Unavailable, "not there yet"))
}

pub(crate) async fn usage(_rooms: &Rooms, _request: Nothing) -> Result<HistoryUsage> {
    Err(crate::error::WireError::new(crate::error::Code::Unavailable, "not there yet"))
}

pub(crate) async fn vacuum(_rooms: &Rooms, _request: Nothing) -> Result<HistoryUsage> {
    Err(crate::error::WireError::new(crate::error::Code::Unavailable, "not there yet"))
}
