use orangery_domain::{ErrorKind, KbId, PathError, Warning};

/// Why the library could not do something.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] orangery_store::Error),
    #[error("no knowledge base {0}")]
    NoKnowledgeBase(KbId),
    #[error("the folder {0:?} of the knowledge base cannot be reached")]
    Offline(String),
    #[error("{0:?} is not a folder")]
    NotAFolder(String),
    #[error("{root:?} cannot be added: the knowledge base {other:?} ({other_root:?}) lies inside it")]
    Holds { root: String, other: String, other_root: String },
    #[error("{root:?} cannot be added: it lies inside the knowledge base {other:?} ({other_root:?})")]
    LiesWithin { root: String, other: String, other_root: String },
    #[error("{0:?} is already the knowledge base {1:?}")]
    AddedAlready(String, String),
    #[error("{0:?} holds the app's own data and cannot be a knowledge base")]
    OwnData(String),
    #[error("a knowledge base needs a name")]
    NoName,
    #[error("{0:?} is not there")]
    NotFound(String),
    #[error("{0:?} is left out of the knowledge base by its ignore rules or as a secret")]
    LeftOut(String),
    #[error("{path:?} cannot be read as text: {} {}", reason.code, reason.detail)]
    Undecodable { path: String, reason: Warning },
    #[error(transparent)]
    Path(#[from] PathError),
    #[error("{0:?} is no glob: {1}")]
    Glob(String, String),
    #[error("the index cannot be searched: {0}")]
    Index(String),
    #[error("the library is closed")]
    Closed,
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// For callers that branch.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Store(error) => error.kind(),
            Self::NoKnowledgeBase(_) | Self::NotFound(_) => ErrorKind::NotFound,
            Self::Offline(_) | Self::Index(_) => ErrorKind::Unavailable,
            Self::Holds { .. } | Self::LiesWithin { .. } | Self::AddedAlready(..) => ErrorKind::Conflict,
            Self::NotAFolder(_)
            | Self::OwnData(_)
            | Self::NoName
            | Self::LeftOut(_)
            | Self::Undecodable { .. }
            | Self::Path(_)
            | Self::Glob(..) => ErrorKind::Invalid,
            Self::Closed => ErrorKind::Cancelled,
        }
    }

    /// Stable name with a sentence in every language of the UI.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Store(error) => error.code(),
            Self::NoKnowledgeBase(_) => "noKnowledgeBase",
            Self::Offline(_) => "offline",
            Self::NotAFolder(_) => "notAFolder",
            Self::Holds { .. } => "rootHolds",
            Self::LiesWithin { .. } => "rootLiesWithin",
            Self::AddedAlready(..) => "rootAddedAlready",
            Self::OwnData(_) => "rootIsOwnData",
            Self::NoName => "noName",
            Self::NotFound(_) => "notFound",
            Self::LeftOut(_) => "leftOut",
            Self::Undecodable { .. } => "undecodable",
            Self::Path(_) => "badPath",
            Self::Glob(..) => "badGlob",
            Self::Index(_) => "indexUnavailable",
            Self::Closed => "closed",
        }
    }
}
