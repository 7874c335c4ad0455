use orangery_domain::{ErrorKind, KbId, PathError, Warning};
use orangery_extract::document::code;
use orangery_store::secret;

use crate::extractor::Fault;
use crate::trouble;

/// Why the library could not do something.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] orangery_store::Error),
    #[error("no knowledge base {0}")]
    NoKnowledgeBase(KbId),
    #[error("the folder {0:?} of the knowledge base cannot be reached")]
    Offline(String),
    #[error("{0:?} is not a folder that can be read; is the path right?")]
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
    #[error("{0:?} is no pattern: {1}")]
    Pattern(String, String),
    #[error("the index cannot be searched: {0}")]
    Index(String),
    #[error("the library is closed")]
    Closed,
    #[error("{0:?} is no document that can be read here")]
    NotADocument(String),
    #[error("no process that reads documents can be started: {0}")]
    NoReader(String),
    /// What is wrong with a document, by the code of its trouble.
    #[error("the document cannot be read: {} {}", .0.code, .0.detail)]
    Document(Warning),
    #[error("the password does not open {0:?}")]
    WrongPassword(String),
    #[error(transparent)]
    Secret(#[from] secret::Error),
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
            | Self::Glob(..)
            | Self::Pattern(..)
            | Self::NotADocument(_) => ErrorKind::Invalid,
            Self::NoReader(_) => ErrorKind::Unavailable,
            Self::Document(trouble) => document_kind(trouble),
            Self::WrongPassword(_) => ErrorKind::Denied,
            Self::Secret(error) => error.kind(),
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
            Self::Pattern(..) => "badPattern",
            Self::Index(_) => "indexUnavailable",
            Self::Closed => "closed",
            Self::NotADocument(_) => "notADocument",
            Self::NoReader(_) => "noReader",
            Self::Document(trouble) => {
                let known = DOCUMENT_ERRORS.iter().copied().find(|code| *code == trouble.code);
                known.unwrap_or("documentUnreadable")
            }
            Self::WrongPassword(_) => "wrongPassword",
            Self::Secret(error) => secret_code(error),
        }
    }
}

/// Troubles of documents that are errors where somebody asks for a part of one.
const DOCUMENT_ERRORS: &[&str] = &[
    code::DAMAGED,
    code::ENCRYPTED,
    code::SEALED,
    code::WRONG_PASSWORD,
    code::TOO_LARGE,
    code::NOT_THIS_KIND,
    code::PDFIUM_MISSING,
    code::NO_PAGE,
    trouble::NO_PICTURE.code(),
    trouble::CRASHED.code(),
    trouble::TOO_SLOW.code(),
];

fn document_kind(said: &Warning) -> ErrorKind {
    match &*said.code {
        code::NO_PAGE => ErrorKind::NotFound,
        code::ENCRYPTED | code::SEALED => ErrorKind::Denied,
        code::PDFIUM_MISSING => ErrorKind::Unavailable,
        code::DAMAGED => ErrorKind::Corrupt,
        _ if trouble::NO_PICTURE.is(said) => ErrorKind::NotFound,
        _ if trouble::TOO_SLOW.is(said) => ErrorKind::Unavailable,
        _ if trouble::CRASHED.is(said) => ErrorKind::Corrupt,
        _ => ErrorKind::Invalid,
    }
}

fn secret_code(error: &secret::Error) -> &'static str {
    match error {
        secret::Error::NoKeyring(_) | secret::Error::Keyring(_) => "noKeyring",
        secret::Error::KeyringSilent => "keyringSilent",
        secret::Error::FileClosed => "secretFileClosed",
        secret::Error::WrongPassphrase => "wrongPassphrase",
        secret::Error::EmptyPassphrase => "emptyPassphrase",
        secret::Error::FileDamaged(_) => "secretFileDamaged",
        secret::Error::Store(error) => error.code(),
        secret::Error::Io(_) | secret::Error::NoPlace => "io",
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        match (fault.trouble(), fault) {
            (Some(trouble), _) => Self::Document(trouble),
            (None, Fault::NoWorker(reason)) => Self::NoReader(reason),
            (None, _) => Self::Closed,
        }
    }
}
