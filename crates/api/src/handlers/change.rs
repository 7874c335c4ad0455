//! Change sets.

use orangery_domain::{Applied, ChangeSet, ChangeSetSummary, Comment, OperationDiff};

use crate::error::Result;
use crate::request::{
    AddComment, ApplyChanges, ChangeSetRef, CommentRef, EditProposal, ListChanges, OperationRef,
    ProposeAgain, ResolveConflict, ReviewChanges, Started,
};
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

pub(crate) async fn edit_proposal(_rooms: &Rooms, _request: EditProposal) -> Result<OperationDiff> {
    Err(crate::error::WireError::new(crate::error::Code::Unavailable, "not there yet"))
}

pub(crate) async fn comment(_rooms: &Rooms, _request: AddComment) -> Result<Comment> {
    Err(crate::error::WireError::new(crate::error::Code::Unavailable, "not there yet"))
}

pub(crate) async fn remove_comment(_rooms: &Rooms, _request: CommentRef) -> Result<()> {
    Err(crate::error::WireError::new(crate::error::Code::Unavailable, "not there yet"))
}

pub(crate) async fn send_comments(_rooms: &Rooms, _request: ChangeSetRef) -> Result<Started> {
    Err(crate::error::WireError::new(crate::error::Code::Unavailable, "not there yet"))
}

pub(crate) async fn propose_again(_rooms: &Rooms, _request: ProposeAgain) -> Result<ChangeSet> {
    Err(crate::error::WireError::new(crate::error::Code::Unavailable, "not there yet"))
}

pub(crate) async fn resolve(_rooms: &Rooms, _request: ResolveConflict) -> Result<ChangeSet> {
    Err(crate::error::WireError::new(crate::error::Code::Unavailable, "not there yet"))
}
