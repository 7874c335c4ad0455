use orangery_domain::{ApprovalId, ErrorKind, MessageId, SentId, SessionId};

/// Why something that the user or a host asked of the assistant failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] orangery_store::Error),
    #[error(transparent)]
    Library(#[from] orangery_library::Error),
    #[error(transparent)]
    Change(#[from] orangery_change::Error),
    #[error("there is no session {0}")]
    NoSession(SessionId),
    #[error("session {0} is answering already")]
    Busy(SessionId),
    #[error("question {0} does not wait for an answer")]
    NotWaiting(ApprovalId),
    /// It was of a session that is gone, or ended long ago.
    #[error("there is no job {0}")]
    NoJob(u64),
    /// The question still waits.
    #[error("the rule could not be added to {file}: {reason}")]
    RulesNotWritten { file: String, reason: String },
    /// The user chose what the question does not offer.
    #[error("question {0} does not offer that rule")]
    NoRuleOffered(ApprovalId),
    #[error("a session's name is 1 to 128 letters, digits, `-`, `_`, `.` or `:`")]
    SessionName,
    #[error("a title must not be blank")]
    BlankTitle,
    #[error("a question must not be blank")]
    BlankPrompt,
    #[error("there is no turn before the last one that could be shortened")]
    NothingToShorten,
    /// Or a later one stands in its place.
    #[error("message {0} is not the checkpoint that counts")]
    NoCheckpoint(MessageId),
    /// Only the newest of a session are kept.
    #[error("request {0} is not kept")]
    NoSentRequest(SentId),
    #[error("message {0} is no question of this session")]
    NoQuestion(MessageId),
    #[error("a task of the assistant ended early: {0}")]
    Task(String),
    /// A stored message that no code of this version writes.
    #[error("a stored message cannot be read: {0}")]
    Stored(#[from] serde_json::Error),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// For callers that branch.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Store(error) => error.kind(),
            Self::Library(error) => error.kind(),
            Self::Change(error) => error.kind(),
            Self::NoSession(_)
            | Self::NoJob(_)
            | Self::NoCheckpoint(_)
            | Self::NoSentRequest(_)
            | Self::NoQuestion(_) => ErrorKind::NotFound,
            Self::Busy(_) | Self::NotWaiting(_) | Self::NothingToShorten | Self::RulesNotWritten { .. } => {
                ErrorKind::Conflict
            }
            Self::NoRuleOffered(_) | Self::SessionName | Self::BlankTitle | Self::BlankPrompt => {
                ErrorKind::Invalid
            }
            Self::Task(_) => ErrorKind::Internal,
            Self::Stored(_) => ErrorKind::Corrupt,
        }
    }

    /// Stable name with a sentence in every language of the UI.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Store(error) => error.code(),
            Self::Library(error) => error.code(),
            Self::Change(error) => error.code(),
            Self::NoSession(_) => "noSession",
            Self::NoJob(_) => "noJob",
            Self::Busy(_) => "sessionBusy",
            Self::NotWaiting(_) => "notWaiting",
            Self::RulesNotWritten { .. } => "rulesNotWritten",
            Self::NoRuleOffered(_) => "noRuleOffered",
            Self::SessionName => "sessionName",
            Self::BlankTitle => "blankTitle",
            Self::BlankPrompt => "blankPrompt",
            Self::NothingToShorten => "nothingToShorten",
            Self::NoCheckpoint(_) => "noCheckpoint",
            Self::NoSentRequest(_) => "noSentRequest",
            Self::NoQuestion(_) => "noQuestion",
            Self::Task(_) => "internal",
            Self::Stored(_) => "database",
        }
    }
}
