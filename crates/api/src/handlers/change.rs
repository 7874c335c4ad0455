//! Change sets.

use orangery_domain::{Applied, ChangeSet, ChangeSetSummary, Comment, OperationDiff, Tag};

use crate::error::Result;
use crate::request::{
    AddComment, ApplyChanges, ChangeSetRef, CommentRef, EditProposal, ListChanges, OperationRef,
    ProposeAgain, ResolveConflict, ReviewChanges, Started, UnchangedLines,
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
    // What is looked at is true: whoever shows the set hears what became of it.
    if rooms.changes.catch_up(request.operation_id).await? {
        rooms.events.stale(&[Tag::Changes]);
    }
    Ok(rooms.changes.diff(request.operation_id).await?)
}

pub(crate) async fn unchanged(rooms: &Rooms, request: UnchangedLines) -> Result<Vec<String>> {
    Ok(rooms.changes.unchanged(request.operation_id, request.lines).await?)
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

pub(crate) async fn edit_proposal(rooms: &Rooms, request: EditProposal) -> Result<OperationDiff> {
    let EditProposal { operation_id, hunk, text } = request;
    Ok(rooms.changes.edit_proposal(operation_id, hunk, &text).await?)
}

pub(crate) async fn comment(rooms: &Rooms, request: AddComment) -> Result<Comment> {
    let AddComment { operation_id, line, text } = request;
    Ok(rooms.changes.comment(operation_id, line, &text).await?)
}

pub(crate) async fn remove_comment(rooms: &Rooms, request: CommentRef) -> Result<()> {
    Ok(rooms.changes.remove_comment(request.comment_id).await?)
}

pub(crate) async fn send_comments(rooms: &Rooms, request: ChangeSetRef) -> Result<Started> {
    let letter = rooms.changes.letter(request.change_set_id).await?;
    let turn_id = rooms.assistant.prompt(&letter.session_id, &letter.text, letter.places).await?;
    // Only now: a session that is busy has not heard of them.
    rooms.changes.comments_sent(&letter.comments).await?;
    Ok(Started { turn_id })
}

pub(crate) async fn propose_again(rooms: &Rooms, request: ProposeAgain) -> Result<ChangeSet> {
    let ProposeAgain { operation_id, hunk } = request;
    Ok(rooms.changes.propose_again(operation_id, hunk).await?)
}

pub(crate) async fn resolve(rooms: &Rooms, request: ResolveConflict) -> Result<ChangeSet> {
    let ResolveConflict { operation_id, choices, disk } = request;
    Ok(rooms.changes.resolve(operation_id, &choices, disk).await?)
}
