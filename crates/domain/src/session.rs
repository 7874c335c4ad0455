//! Conversations.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    ApprovalId, ChangeSetId, Citation, KbId, Level, MessageId, ModelId, SentId, SessionId, TurnId, Warning,
};

/// A conversation and its settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    pub id: SessionId,
    /// The first question, shortened, until the user renames it.
    pub title: String,
    pub kb_ids: Vec<KbId>,
    pub level: Level,
    pub plan: bool,
    /// Absent: the offline assistant answers.
    pub model_id: Option<ModelId>,
    /// Milliseconds since 1970.
    pub created_at: i64,
    pub updated_at: i64,
    /// The turn that runs now.
    pub running: Option<TurnId>,
    /// Tokens as the provider counted them, summed.
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub context: ContextUse,
    /// First in the list.
    pub pinned: bool,
    /// Out of the list unless asked for.
    pub archived: bool,
}

/// A session in which something was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SessionHit {
    pub session_id: SessionId,
    /// What was said there, on one line.
    pub excerpt: String,
}

/// What a conversation takes of what its model can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ContextUse {
    /// Tokens of the last request and its answer; 0 before the first.
    pub tokens: u64,
    /// Whether the provider counted them; else they are estimated.
    pub counted: bool,
}

/// A request that a model was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SentRequest {
    pub id: SentId,
    pub turn_id: TurnId,
    /// Milliseconds since 1970.
    pub sent_at: i64,
    /// Its name at its provider.
    pub model: String,
    /// Estimated.
    pub tokens: u64,
}

/// One part of a request, as the model read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SentPart {
    pub role: SentRole,
    pub text: String,
    /// Estimated.
    pub tokens: u64,
}

/// Who speaks in a part of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum SentRole {
    System,
    /// The tools that it could call, with their parameters.
    Tools,
    User,
    Assistant,
    /// Of a call.
    Result,
    /// What they are of; the pictures themselves are not kept here.
    Pictures,
}

/// A session with all that was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Transcript {
    pub session: Session,
    pub messages: Vec<Message>,
    pub approvals: Vec<Approval>,
}

/// One entry of a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    pub id: MessageId,
    pub turn_id: TurnId,
    /// Milliseconds since 1970.
    pub created_at: i64,
    pub content: MessageContent,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", tag = "role")]
pub enum MessageContent {
    User {
        text: String,
    },
    #[serde(rename_all = "camelCase")]
    Assistant {
        text: String,
        /// Numbered from 1 in the order of the list; `[n]` in `text` refers to them.
        citations: Vec<Citation>,
        /// The model's name, or absent for the offline assistant.
        model: Option<String>,
        /// Cut short by the user or by an error.
        interrupted: bool,
    },
    Tool(ToolStep),
    /// Stands for all that was said up to and with `covers`, which the model no longer reads.
    #[serde(rename_all = "camelCase")]
    Checkpoint {
        /// What the model reads instead.
        text: String,
        covers: MessageId,
        /// The model that wrote it; absent where it was put together without one.
        model: Option<String>,
        /// Whether the user changed it.
        edited: bool,
        /// Estimated tokens of the conversation before and after.
        tokens_before: u64,
        tokens_after: u64,
    },
    /// A line of the app: turn failed, level changed.
    Notice {
        warning: Warning,
    },
}

/// One tool call as the user sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ToolStep {
    /// As the model named it, or made by us.
    pub call_id: String,
    pub tool: String,
    /// What it is about, in one line: the query, the path, the command.
    pub subject: String,
    pub state: ToolState,
    /// JSON as the model wrote it.
    pub arguments: String,
    /// JSON as the model reads it; empty while it runs.
    pub result: String,
    /// How many things came back, where that can be counted.
    pub count: Option<u32>,
    /// Milliseconds.
    pub took_ms: Option<u64>,
    pub change_set_id: Option<ChangeSetId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum ToolState {
    Running,
    Asked,
    Done,
    Denied,
    Failed,
    Cancelled,
}

/// A question that blocks one tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    pub id: ApprovalId,
    pub session_id: SessionId,
    pub turn_id: TurnId,
    pub call_id: String,
    pub card: ApprovalCard,
    pub state: ApprovalState,
}

/// Exactly what will happen if the user says yes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalCard {
    pub tool: String,
    /// A stable code with a sentence in every language: `outsideRead`, `sensitiveFile`…
    pub question: String,
    /// Shown in full, wrapped, never cut: paths, hosts, commands with their working folder.
    pub facts: Vec<CardFact>,
    /// Rules that would answer it from now on, the narrowest first; none where no rule can.
    #[serde(default)]
    pub rules: Vec<RuleOffer>,
}

/// What "always allow" would write, exactly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RuleOffer {
    pub reach: RuleReach,
    /// The user's own file of rules.
    pub file: String,
    /// Lines of its list `allow`, as they will stand there.
    pub lines: Vec<String>,
}

/// How much a rule that is offered allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum RuleReach {
    /// This very command, below its folder.
    Exact,
    /// It with any other arguments, below its folder.
    AnyArguments,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct CardFact {
    /// A stable code: `path`, `size`, `command`, `cwd`, `url`.
    pub label: String,
    pub value: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum ApprovalState {
    Waiting,
    Allowed,
    Denied,
    /// The level or Plan changed so that it would be denied now.
    ClosedByLevel,
    /// The turn ended first.
    Expired,
}
