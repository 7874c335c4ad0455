//! Files by folder and by name.

use orangery_domain::{Applied, NameHit, TreeEntry};

use crate::error::Result;
use crate::request::{FilesWeighed, FindNames, ListFiles, MoveFile, TrashFiles, WeighFiles};
use crate::rooms::Rooms;

pub(crate) async fn list(rooms: &Rooms, request: ListFiles) -> Result<Vec<TreeEntry>> {
    Ok(rooms.library.list(request.kb_id, &request.path).await?)
}

pub(crate) async fn find(rooms: &Rooms, request: FindNames) -> Result<Vec<NameHit>> {
    let limit = usize::try_from(request.limit).unwrap_or(usize::MAX);
    Ok(rooms.library.find_names(&request.text, limit))
}

pub(crate) async fn weigh(_rooms: &Rooms, _request: WeighFiles) -> Result<FilesWeighed> {
    Err(crate::error::WireError::new(crate::error::Code::Unavailable, "not there yet"))
}

pub(crate) async fn relocate(_rooms: &Rooms, _request: MoveFile) -> Result<Applied> {
    Err(crate::error::WireError::new(crate::error::Code::Unavailable, "not there yet"))
}

pub(crate) async fn trash(_rooms: &Rooms, _request: TrashFiles) -> Result<Applied> {
    Err(crate::error::WireError::new(crate::error::Code::Unavailable, "not there yet"))
}
