//! Turns of the assistant.

use orangery_domain::Warning;

use crate::error::Result;
use crate::request::{Answer, ListRules, Prompt, SessionRef, Started};
use crate::rooms::Rooms;

pub(crate) async fn prompt(rooms: &Rooms, request: Prompt) -> Result<Started> {
    let Prompt { session_id, text, mentions } = request;
    let turn_id = rooms.assistant.prompt(&session_id, &text, mentions).await?;
    Ok(Started { turn_id })
}

pub(crate) async fn stop(rooms: &Rooms, request: SessionRef) -> Result<()> {
    rooms.assistant.stop(&request.session_id);
    Ok(())
}

pub(crate) async fn answer(rooms: &Rooms, request: Answer) -> Result<()> {
    Ok(rooms.assistant.answer(request.approval_id, request.allow, request.rule).await?)
}

pub(crate) async fn broken_rules(rooms: &Rooms, request: ListRules) -> Result<Vec<Warning>> {
    Ok(rooms.assistant.broken_rules(&request.kb_ids).await?)
}
