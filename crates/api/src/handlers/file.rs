//! Files by folder and by name.

use std::collections::BTreeSet;

use orangery_change::Weight;
use orangery_domain::{Applied, FileInfo, FilePlace, NameHit, Relinked, TreeEntry};

use crate::error::Result;
use crate::request::{
    FileRef, FilesWeighed, FindNames, ListFiles, MoveFile, Nothing, TrashFiles, WeighFiles,
};
use crate::rooms::Rooms;

pub(crate) async fn list(rooms: &Rooms, request: ListFiles) -> Result<Vec<TreeEntry>> {
    Ok(rooms.library.list(request.kb_id, &request.path).await?)
}

pub(crate) async fn find(rooms: &Rooms, request: FindNames) -> Result<Vec<NameHit>> {
    let limit = usize::try_from(request.limit).unwrap_or(usize::MAX);
    Ok(rooms.library.find_names(&request.text, limit))
}

pub(crate) async fn troubled(rooms: &Rooms, _: Nothing) -> Result<Vec<FileInfo>> {
    Ok(rooms.library.troubled())
}

pub(crate) async fn whereabouts(rooms: &Rooms, request: FileRef) -> Result<Option<FilePlace>> {
    Ok(rooms.library.place_of(request.file_id))
}

pub(crate) async fn weigh(rooms: &Rooms, request: WeighFiles) -> Result<FilesWeighed> {
    let weight = rooms.changes.weigh(&request.places).await?;
    let mut linking = BTreeSet::new();
    for place in &request.places {
        linking.extend(rooms.library.linking(place).await?);
    }
    let within = |note: &FilePlace| {
        request.places.iter().any(|place| place.kb_id == note.kb_id && note.path.is_within(&place.path))
    };
    linking.retain(|note| !within(note));
    let Weight { contents, kept, unkept } = weight;
    Ok(FilesWeighed { contents, linking_notes: linking.len() as u32, kept, unkept })
}

pub(crate) async fn relocate(rooms: &Rooms, request: MoveFile) -> Result<Applied> {
    let MoveFile { from, to, links } = request;
    let relinked = if links { rooms.library.relink(&from, &to).await? } else { Relinked::default() };
    Ok(rooms.changes.relocate(&from, &to, relinked).await?)
}

pub(crate) async fn trash(rooms: &Rooms, request: TrashFiles) -> Result<Applied> {
    Ok(rooms.changes.trash(&request.places).await?)
}
