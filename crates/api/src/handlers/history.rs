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

pub(crate) async fn compare(rooms: &Rooms, request: CompareVersions) -> Result<VersionDiff> {
    Ok(rooms.changes.compare(&request.place, &request.old, &request.new).await?)
}

pub(crate) async fn restore_turn(rooms: &Rooms, request: RestoreTurn) -> Result<Applied> {
    let RestoreTurn { session_id, turn_id, within } = request;
    Ok(rooms.changes.restore_turn(&session_id, turn_id, within.as_ref()).await?)
}

pub(crate) async fn usage(rooms: &Rooms, _: Nothing) -> Result<HistoryUsage> {
    Ok(rooms.changes.usage().await?)
}

pub(crate) async fn vacuum(rooms: &Rooms, _: Nothing) -> Result<HistoryUsage> {
    Ok(rooms.changes.vacuum().await?)
}
