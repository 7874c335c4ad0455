//! What the core tells the hosts. Events say what is stale; only streams carry content.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    Approval, ContentHash, FilePlace, KbId, Message, MessageId, OutputPiece, ScanState, SessionId, ToolStep,
    TurnId,
};

/// A kind of answer that may have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Tag {
    KnowledgeBases,
    Files,
    Search,
    Links,
    Sessions,
    Transcript,
    Changes,
    History,
    Settings,
    Models,
    Jobs,
}

/// An event with its place in the stream. A client that sees a gap asks for everything since its last
/// number, and refetches all when it is told to resync.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Numbered {
    pub seq: u64,
    pub event: Event,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", tag = "type")]
pub enum Event {
    /// Answers that carry one of `tags` are stale.
    Stale { tags: Vec<Tag> },
    /// The events asked for are gone: everything is stale.
    Resync,
    #[serde(rename_all = "camelCase")]
    Scan { kb_id: KbId, scan: ScanState },
    /// A file's bytes changed, by whom ever. Open editors look, unless `hash` is of what they show; it is
    /// absent where the file is gone or its bytes are not known.
    FileChanged { place: FilePlace, hash: Option<ContentHash> },
    #[serde(rename_all = "camelCase")]
    TurnStarted { session_id: SessionId, turn_id: TurnId },
    /// A message was added or finished.
    #[serde(rename_all = "camelCase")]
    Message { session_id: SessionId, message: Message },
    /// A piece of an assistant message that is being written.
    #[serde(rename_all = "camelCase")]
    Text { session_id: SessionId, message_id: MessageId, delta: String },
    /// The model did not answer and is asked again after `wait_ms`; this was try `attempt`, from 1.
    #[serde(rename_all = "camelCase")]
    Retrying { session_id: SessionId, turn_id: TurnId, attempt: u32, wait_ms: u64 },
    /// A tool call changed its state.
    #[serde(rename_all = "camelCase")]
    Step { session_id: SessionId, message_id: MessageId, step: ToolStep },
    /// A piece of what a command writes, which the call `call_id` of this turn started.
    #[serde(rename_all = "camelCase")]
    Output {
        session_id: SessionId,
        turn_id: TurnId,
        call_id: String,
        /// Of a command in the background.
        job: Option<u64>,
        /// Bytes before these pieces that came too fast to be sent.
        skipped: u64,
        pieces: Vec<OutputPiece>,
    },
    /// A question was asked, answered or closed.
    Approval { approval: Approval },
    #[serde(rename_all = "camelCase")]
    TurnEnded { session_id: SessionId, turn_id: TurnId },
}
