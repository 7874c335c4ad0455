//! Links between notes.

use orangery_domain::NoteLinks;
use orangery_library::Resolved;

use crate::error::Result;
use crate::request::{OpenNoteAt, ResolveLinks, ResolvedLink};
use crate::rooms::Rooms;

pub(crate) async fn resolve(rooms: &Rooms, request: ResolveLinks) -> Result<Vec<ResolvedLink>> {
    let resolved = rooms.library.resolve_links(&request.from, &request.links).await;
    let wire = |Resolved { place, line, would_be }| ResolvedLink { place, line, would_be };
    Ok(resolved.into_iter().map(wire).collect())
}

pub(crate) async fn list(rooms: &Rooms, request: OpenNoteAt) -> Result<NoteLinks> {
    Ok(rooms.library.links(&request.place).await?)
}
