//! Conversations.

use orangery_agent::{Configuration, NewSession};
use orangery_domain::{SentPart, SentRequest, Session, SessionHit, Transcript};

use crate::error::Result;
use crate::handlers::setting;
use crate::request::{
    ArrangeSession, ConfigureSession, CreateSession, EditCheckpoint, ForkSession, Nothing, QuestionRef,
    RenameSession, SearchSessions, SentRef, SessionRef, Started,
};
use crate::rooms::Rooms;

pub(crate) async fn list(rooms: &Rooms, _: Nothing) -> Result<Vec<Session>> {
    Ok(rooms.assistant.sessions().await?)
}

pub(crate) async fn create(rooms: &Rooms, request: CreateSession) -> Result<Session> {
    let settings = setting::read(&rooms.db).await?;
    let new = NewSession {
        id: None,
        kb_ids: request.kb_ids,
        level: settings.default_level,
        plan: false,
        model_id: settings.default_model,
    };
    Ok(rooms.assistant.create_session(new).await?)
}

pub(crate) async fn get(rooms: &Rooms, request: SessionRef) -> Result<Transcript> {
    Ok(rooms.assistant.transcript(&request.session_id).await?)
}

pub(crate) async fn rename(rooms: &Rooms, request: RenameSession) -> Result<()> {
    Ok(rooms.assistant.rename_session(&request.session_id, &request.title).await?)
}

pub(crate) async fn configure(rooms: &Rooms, request: ConfigureSession) -> Result<Session> {
    let ConfigureSession { session_id, kb_ids, level, plan, model } = request;
    let configuration = Configuration { kb_ids, level, plan, model_id: model.map(|model| model.model_id) };
    Ok(rooms.assistant.configure_session(&session_id, configuration).await?)
}

pub(crate) async fn compact(rooms: &Rooms, request: SessionRef) -> Result<Started> {
    Ok(Started { turn_id: rooms.assistant.compact(&request.session_id).await? })
}

pub(crate) async fn edit_checkpoint(rooms: &Rooms, request: EditCheckpoint) -> Result<()> {
    let EditCheckpoint { session_id, message_id, text } = request;
    Ok(rooms.assistant.edit_checkpoint(&session_id, message_id, &text).await?)
}

pub(crate) async fn sent(rooms: &Rooms, request: SessionRef) -> Result<Vec<SentRequest>> {
    Ok(rooms.assistant.sent_requests(&request.session_id).await?)
}

pub(crate) async fn sent_parts(rooms: &Rooms, request: SentRef) -> Result<Vec<SentPart>> {
    Ok(rooms.assistant.sent_parts(request.id).await?)
}

pub(crate) async fn rewind(rooms: &Rooms, request: QuestionRef) -> Result<()> {
    Ok(rooms.assistant.rewind(&request.session_id, request.message_id).await?)
}

pub(crate) async fn fork(rooms: &Rooms, request: ForkSession) -> Result<Session> {
    Ok(rooms.assistant.fork(&request.session_id, request.until).await?)
}

pub(crate) async fn arrange(rooms: &Rooms, request: ArrangeSession) -> Result<()> {
    let ArrangeSession { session_id, pinned, archived } = request;
    Ok(rooms.assistant.arrange_session(&session_id, pinned, archived).await?)
}

pub(crate) async fn search(rooms: &Rooms, request: SearchSessions) -> Result<Vec<SessionHit>> {
    Ok(rooms.assistant.search_sessions(&request.text).await?)
}

pub(crate) async fn remove(rooms: &Rooms, request: SessionRef) -> Result<()> {
    Ok(rooms.assistant.remove_session(&request.session_id).await?)
}
