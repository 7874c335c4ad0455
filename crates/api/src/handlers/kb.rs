//! Knowledge bases.

use std::path::Path;

use orangery_domain::KnowledgeBase;

use crate::error::Result;
use crate::handlers::setting;
use crate::request::{
    AddKnowledgeBase, KbRef, Nothing, RenameKnowledgeBase, ReorderKnowledgeBases, SampleAdded,
};
use crate::rooms::Rooms;
use crate::sample;

pub(crate) async fn list(rooms: &Rooms, _: Nothing) -> Result<Vec<KnowledgeBase>> {
    Ok(rooms.library.knowledge_bases())
}

pub(crate) async fn add(rooms: &Rooms, request: AddKnowledgeBase) -> Result<KnowledgeBase> {
    let name = request.name.filter(|name| !name.trim().is_empty());
    Ok(rooms.library.add(Path::new(&request.root), name).await?)
}

pub(crate) async fn add_sample(rooms: &Rooms, _: Nothing) -> Result<SampleAdded> {
    let language = setting::read(&rooms.db).await?.language;
    sample::add(rooms, language).await
}

pub(crate) async fn rename(rooms: &Rooms, request: RenameKnowledgeBase) -> Result<()> {
    Ok(rooms.library.rename(request.kb_id, &request.name).await?)
}

pub(crate) async fn reorder(rooms: &Rooms, request: ReorderKnowledgeBases) -> Result<()> {
    Ok(rooms.library.reorder(&request.kb_ids).await?)
}

pub(crate) async fn forget(rooms: &Rooms, request: KbRef) -> Result<()> {
    Ok(rooms.library.forget(request.kb_id).await?)
}

pub(crate) async fn rescan(rooms: &Rooms, request: KbRef) -> Result<()> {
    Ok(rooms.library.rescan(request.kb_id)?)
}

pub(crate) async fn pause(rooms: &Rooms, request: KbRef) -> Result<()> {
    Ok(rooms.library.pause(request.kb_id)?)
}

pub(crate) async fn cancel(rooms: &Rooms, request: KbRef) -> Result<()> {
    Ok(rooms.library.cancel(request.kb_id)?)
}
