//! Search in notes.

use orangery_domain::{SearchPage, SearchQuery};

use crate::error::Result;
use crate::rooms::Rooms;

pub(crate) async fn run(rooms: &Rooms, request: SearchQuery) -> Result<SearchPage> {
    Ok(rooms.library.search(&request).await?)
}
