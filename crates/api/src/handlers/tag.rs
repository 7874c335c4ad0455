//! Tags of all knowledge bases.

use crate::error::Result;
use crate::request::{Nothing, TagCount};
use crate::rooms::Rooms;

pub(crate) async fn list(rooms: &Rooms, _: Nothing) -> Result<Vec<TagCount>> {
    Ok(rooms.library.tags().into_iter().map(|(tag, files)| TagCount { tag, files }).collect())
}
