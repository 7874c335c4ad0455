//! Search in notes, and for lines of files.

use orangery_domain::{SearchPage, SearchQuery, TextPage, TextQuery};

use crate::error::Result;
use crate::rooms::Rooms;

pub(crate) async fn run(rooms: &Rooms, request: SearchQuery) -> Result<SearchPage> {
    Ok(rooms.library.search(&request).await?)
}

pub(crate) async fn text(rooms: &Rooms, request: TextQuery) -> Result<TextPage> {
    Ok(rooms.library.text(&request).await?)
}
