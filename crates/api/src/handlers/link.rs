//! Links between notes.

use orangery_domain::NoteLinks;

use crate::error::Result;
use crate::request::{OpenNoteAt, ResolveLink, ResolvedLink};
use crate::rooms::Rooms;

pub(crate) async fn resolve(rooms: &Rooms, request: ResolveLink) -> Result<ResolvedLink> {
    let ResolveLink { from, kind, target, fragment } = request;
    let resolved = rooms.library.resolve_link(&from, kind, &target, fragment.as_deref()).await?;
    Ok(ResolvedLink { place: resolved.place, line: resolved.line, would_be: resolved.would_be })
}

pub(crate) async fn list(rooms: &Rooms, request: OpenNoteAt) -> Result<NoteLinks> {
    Ok(rooms.library.links(&request.place).await?)
}
