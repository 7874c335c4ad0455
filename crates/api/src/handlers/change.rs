//! Change sets.

use orangery_domain::{Applied, ChangeSet, ChangeSetSummary, OperationDiff};

use crate::error::Result;
use crate::request::{ApplyChanges, ChangeSetRef, ListChanges, OperationRef, ReviewChanges};
use crate::rooms::Rooms;

pub(crate) async fn list(rooms: &Rooms, request: ListChanges) -> Result<Vec<ChangeSetSummary>> {
    let ListChanges { pending, session_id, limit } = request;
    Ok(rooms.changes.list(pending, session_id.as_ref(), limit).await?)
}

pub(crate) async fn get(rooms: &Rooms, request: ChangeSetRef) -> Result<ChangeSet> {
    Ok(rooms.changes.get(request.change_set_id).await?)
}

pub(crate) async fn diff(rooms: &Rooms, request: OperationRef) -> Result<OperationDiff> {
    Ok(rooms.changes.diff(request.operation_id).await?)
}

pub(crate) async fn review(rooms: &Rooms, request: ReviewChanges) -> Result<ChangeSet> {
    Ok(rooms.changes.review(request.change_set_id, &request.decisions).await?)
}

pub(crate) async fn apply(rooms: &Rooms, request: ApplyChanges) -> Result<Applied> {
    let ApplyChanges { change_set_id, operations, all } = request;
    Ok(rooms.changes.apply(change_set_id, &operations, all).await?)
}

pub(crate) async fn reject(rooms: &Rooms, request: ChangeSetRef) -> Result<()> {
    Ok(rooms.changes.reject(request.change_set_id).await?)
}

pub(crate) async fn undo(rooms: &Rooms, request: ChangeSetRef) -> Result<Applied> {
    Ok(rooms.changes.undo(request.change_set_id).await?)
}
