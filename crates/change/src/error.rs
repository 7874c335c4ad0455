//! Why a change cannot be made.

use orangery_domain::{ErrorKind, FilePlace, KbPath, text::SpliceError};

/// Messages say what was attempted and name the path.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] orangery_store::Error),
    #[error("no {what} {id}")]
    NotFound { what: &'static str, id: String },
    /// Nothing was written.
    #[error("{path}: the file on disk is not the one that was opened; nothing was saved")]
    BaseMoved { path: KbPath },
    #[error("{path}: the text cannot be decoded ({reason}); it is read-only until an encoding is chosen")]
    NotText { path: KbPath, reason: String },
    #[error("{path}: {reason}")]
    Splice { path: KbPath, reason: SpliceError },
    #[error("{path}: the edits do not fit the text")]
    Misfit { path: KbPath },
    #[error("{path}: a note ends in .md or .txt")]
    Extension { path: KbPath },
    #[error("a path is needed")]
    BlankPath,
    #[error("{path} exists already")]
    Exists { path: KbPath },
    #[error("change set {0} holds nothing that was applied")]
    NothingApplied(orangery_domain::ChangeSetId),
    #[error("turn {turn} changed nothing here that could be taken back")]
    NothingDone { turn: orangery_domain::TurnId },
    #[error("change set {0} was undone already")]
    AlreadyUndone(orangery_domain::ChangeSetId),
    #[error("part of change set {id} was taken back already; the rest waits in change set {undo}")]
    UndoWaits { id: orangery_domain::ChangeSetId, undo: orangery_domain::ChangeSetId },
    #[error("operation {0} is applied already")]
    AlreadyApplied(orangery_domain::OperationId),
    #[error("operation {0} is settled: another proposal stands for it")]
    Superseded(orangery_domain::OperationId),
    #[error("nothing of change set {0} waits any more")]
    NothingWaits(orangery_domain::ChangeSetId),
    #[error("operation {0} is no conflict that can be resolved")]
    NotAConflict(orangery_domain::OperationId),
    #[error("operation {id} wants {regions} choices, not {given}; look at the conflict again")]
    ChoicesMisfit { id: orangery_domain::OperationId, regions: usize, given: usize },
    #[error("operation {0} is in conflict; resolve it first")]
    InConflict(orangery_domain::OperationId),
    #[error("a comment needs words")]
    BlankComment,
    #[error("change set {0} was not made by an assistant: nobody can be told")]
    NoSessionOfSet(orangery_domain::ChangeSetId),
    #[error("change set {0} has no comment that was not sent")]
    NothingToSend(orangery_domain::ChangeSetId),
    #[error("nothing of operation {0} was rejected")]
    NothingRejected(orangery_domain::OperationId),
    #[error("{path} says so already")]
    ThereAlready { path: KbPath },
    /// Nothing was deleted.
    #[error("{path}: the system's trash cannot be used ({reason}); nothing is deleted without it")]
    Trash { path: KbPath, reason: String },
    #[error("{path} cannot be moved into itself")]
    IntoItself { path: KbPath },
    #[error("{path} cannot be made: {other} is there, whose name differs in nothing but case")]
    Alike { path: KbPath, other: String },
    #[error(
        "{path} cannot be deleted: {at} lies on another volume, and the trash takes nothing across volumes; nothing \
         was changed"
    )]
    VolumeWithin { path: KbPath, at: KbPath },
    #[error("the root of a knowledge base can be neither moved nor deleted")]
    KbRoot,
    /// A write failed and so did taking back what was written before it.
    #[error("writing failed ({cause}), and these files could not be put back: {left}")]
    HalfWritten { cause: String, left: String },
    #[error("internal: {0}")]
    Internal(String),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// For callers that branch.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Store(error) => error.kind(),
            Self::NotFound { .. } => ErrorKind::NotFound,
            Self::BaseMoved { .. }
            | Self::Exists { .. }
            | Self::Alike { .. }
            | Self::AlreadyUndone(_)
            | Self::UndoWaits { .. }
            | Self::AlreadyApplied(_)
            | Self::Superseded(_)
            | Self::NothingWaits(_)
            | Self::NotAConflict(_)
            | Self::InConflict(_)
            | Self::ThereAlready { .. }
            | Self::ChoicesMisfit { .. } => ErrorKind::Conflict,
            Self::NotText { .. } | Self::KbRoot => ErrorKind::Denied,
            Self::Trash { .. } => ErrorKind::Unavailable,
            Self::Splice { .. }
            | Self::Misfit { .. }
            | Self::Extension { .. }
            | Self::BlankPath
            | Self::BlankComment
            | Self::NoSessionOfSet(_)
            | Self::NothingToSend(_)
            | Self::NothingRejected(_)
            | Self::IntoItself { .. }
            | Self::VolumeWithin { .. }
            | Self::NothingDone { .. }
            | Self::NothingApplied(_) => ErrorKind::Invalid,
            Self::HalfWritten { .. } | Self::Internal(_) => ErrorKind::Internal,
        }
    }

    /// Stable name with a sentence in every language of the UI.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Store(error) => error.code(),
            Self::NotFound { .. } => "notFound",
            Self::BaseMoved { .. } => "baseMoved",
            Self::NotText { .. } => "notText",
            Self::Splice { reason: SpliceError::Unencodable { .. }, .. } => "unencodable",
            Self::Splice { .. } | Self::Misfit { .. } => "editsMisfit",
            Self::Extension { .. } => "noteExtension",
            Self::BlankPath => "blankPath",
            Self::Exists { .. } => "exists",
            Self::NothingApplied(_) | Self::NothingDone { .. } => "nothingApplied",
            Self::AlreadyUndone(_) => "alreadyUndone",
            Self::UndoWaits { .. } => "undoWaits",
            Self::AlreadyApplied(_) => "alreadyApplied",
            Self::Superseded(_) => "superseded",
            Self::NothingWaits(_) => "nothingWaits",
            Self::NotAConflict(_) => "notAConflict",
            Self::ChoicesMisfit { .. } => "choicesMisfit",
            Self::InConflict(_) => "inConflict",
            Self::BlankComment => "blankComment",
            Self::NoSessionOfSet(_) => "noSessionOfSet",
            Self::NothingToSend(_) => "nothingToSend",
            Self::NothingRejected(_) => "nothingRejected",
            Self::ThereAlready { .. } => "thereAlready",
            Self::Trash { .. } => "trash",
            Self::IntoItself { .. } => "intoItself",
            Self::Alike { .. } => "nameAlike",
            Self::VolumeWithin { .. } => "volumeWithin",
            Self::KbRoot => "kbRoot",
            Self::HalfWritten { .. } => "halfWritten",
            Self::Internal(_) => "internal",
        }
    }

    /// As what an operation is told to have failed for.
    pub(crate) fn note(&self) -> orangery_domain::Warning {
        orangery_domain::Warning::new(self.code(), self.to_string())
    }

    pub(crate) fn splice(place: &FilePlace) -> impl FnOnce(SpliceError) -> Self {
        let path = place.path.clone();
        move |reason| Self::Splice { path, reason }
    }

    /// A blocking task that panicked or was dropped with the runtime.
    pub(crate) fn task(error: tokio::task::JoinError) -> Self {
        Self::Internal(format!("a file task ended early: {error}"))
    }
}
