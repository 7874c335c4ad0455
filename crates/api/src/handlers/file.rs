//! Files by folder and by name.

use orangery_domain::{NameHit, TreeEntry};

use crate::error::Result;
use crate::request::{FindNames, ListFiles};
use crate::rooms::Rooms;

pub(crate) async fn list(rooms: &Rooms, request: ListFiles) -> Result<Vec<TreeEntry>> {
    Ok(rooms.library.list(request.kb_id, &request.path).await?)
}

pub(crate) async fn find(rooms: &Rooms, request: FindNames) -> Result<Vec<NameHit>> {
    let limit = usize::try_from(request.limit).unwrap_or(usize::MAX);
    Ok(rooms.library.find_names(&request.text, limit))
}
