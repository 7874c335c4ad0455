//! Earlier contents of files.

use orangery_domain::{Applied, Version, text};

use crate::error::Result;
use crate::request::{ListHistory, ReadVersion, RestoreVersion, VersionText};
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
