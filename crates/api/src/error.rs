//! Errors as a user meets them: a kind to branch on, a code with a sentence in every language of the
//! UI, and the values for that sentence.

mod detail;

use orangery_domain::ErrorKind;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use detail::Detail;

pub use crate::request::WireError;

/// What a handler gives.
pub type Result<T, E = WireError> = std::result::Result<T, E>;

macro_rules! codes {
    ($( $(#[$doc:meta])* $code:ident => $kind:ident, )*) => {
        /// Every code that an error can carry. The UI has a sentence for each.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
        #[serde(rename_all = "camelCase")]
        pub enum Code { $( $(#[$doc])* $code, )* }

        impl Code {
            pub const ALL: &[Self] = &[$(Self::$code),*];

            /// The code that a crate below calls `name`.
            pub fn named(name: &str) -> Option<Self> {
                serde_json::from_value(name.into()).ok()
            }

            /// What it is called on the wire.
            pub fn name(self) -> String {
                let name = serde_json::to_value(self).ok();
                name.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default().to_owned()
            }

            /// What a caller branches on, where the error itself says no more.
            pub fn kind(self) -> ErrorKind {
                match self { $(Self::$code => ErrorKind::$kind),* }
            }
        }
    };
}

codes! {
    // What a kind says when nothing more is known.
    NotFound => NotFound,
    Invalid => Invalid,
    Conflict => Conflict,
    Denied => Denied,
    Cancelled => Cancelled,
    Unavailable => Unavailable,
    Corrupt => Corrupt,
    Internal => Internal,

    /// `method`
    UnknownMethod => Invalid,
    /// `method`, `reason`
    BadParameters => Invalid,

    /// The web host does not know this browser: its link was used or is of another run.
    NotSignedIn => Denied,
    /// `origin`
    ForeignOrigin => Denied,
    /// Another process owns the data directory and does not answer; this one only reads.
    ReadOnlyProcess => Unavailable,
    /// The owner went away while it worked on the call; whether it was done is not known.
    OwnerLost => Unavailable,

    // Of the store; most have `path`.
    DiskFull => Unavailable,
    AccessDenied => Denied,
    ReadOnly => Denied,
    Io => Unavailable,
    Escapes => Denied,
    DanglingLink => Denied,
    /// `path`, `other`
    ThroughLink => Invalid,
    AmbiguousName => Invalid,
    Exists => Conflict,
    Folder => Invalid,
    NotAFolder => Invalid,
    SpecialFile => Invalid,
    TooLarge => Invalid,
    OtherVolume => Invalid,
    NoKnowledgeBase => NotFound,
    Offline => Unavailable,
    Database => Internal,
    /// A newer version of this program wrote it.
    NewerDatabase => Unavailable,

    // Of the library; most have `path`, roots `other` too.
    RootHolds => Conflict,
    RootLiesWithin => Conflict,
    RootAddedAlready => Conflict,
    RootIsOwnData => Invalid,
    NoName => Invalid,
    LeftOut => Invalid,
    Undecodable => Invalid,
    /// `encoding`
    UnknownEncoding => Invalid,
    BadPath => Invalid,
    BadGlob => Invalid,
    /// `pattern`, `reason`
    BadPattern => Invalid,
    IndexUnavailable => Unavailable,
    Closed => Cancelled,

    // Of documents; some have `detail`.
    NotADocument => Invalid,
    /// `reason`
    NoReader => Unavailable,
    DocumentUnreadable => Invalid,
    Damaged => Corrupt,
    Encrypted => Denied,
    Sealed => Denied,
    WrongPassword => Denied,
    NotThisKind => Invalid,
    Crashed => Corrupt,
    TooSlow => Unavailable,
    PdfiumMissing => Unavailable,
    NoPage => NotFound,
    NoPicture => NotFound,

    // Of change sets; most have `path`.
    BaseMoved => Conflict,
    NotText => Denied,
    /// `character`, `encoding`
    Unencodable => Invalid,
    EditsMisfit => Invalid,
    NoteExtension => Invalid,
    BlankPath => Invalid,
    NothingApplied => Invalid,
    AlreadyUndone => Conflict,
    UndoWaits => Conflict,
    AlreadyApplied => Conflict,
    Superseded => Conflict,
    NothingWaits => Conflict,
    NotAConflict => Conflict,
    ChoicesMisfit => Conflict,
    InConflict => Conflict,
    BlankComment => Invalid,
    NoSessionOfSet => Invalid,
    NothingToSend => Invalid,
    NothingRejected => Invalid,
    ThereAlready => Conflict,
    HalfWritten => Internal,
    /// The system's trash did not take it, and nothing is deleted without it.
    Trash => Unavailable,
    IntoItself => Invalid,
    /// `path`, `other`
    VolumeWithin => Invalid,
    KbRoot => Denied,
    /// `path`, `other`
    NameAlike => Conflict,

    // Of the assistant.
    NoSession => NotFound,
    /// `job`
    NoJob => NotFound,
    SessionBusy => Conflict,
    NotWaiting => Conflict,
    NothingToShorten => Conflict,
    NoCheckpoint => NotFound,
    NoSentRequest => NotFound,
    NoQuestion => NotFound,
    /// `path`, `reason`
    RulesNotWritten => Conflict,
    NoRuleOffered => Invalid,
    SessionName => Invalid,
    BlankTitle => Invalid,
    BlankPrompt => Invalid,

    /// A model's address must be https, or http to this machine. `url`
    BadAddress => Invalid,
    /// `modelId`
    ModelNotFound => NotFound,

    /// `reason`
    NoKeyring => Unavailable,
    KeyringSilent => Unavailable,
    SecretFileClosed => Unavailable,
    WrongPassphrase => Denied,
    EmptyPassphrase => Invalid,
    SecretFileDamaged => Corrupt,
}

impl WireError {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { kind: code.kind(), code, message: message.into(), detail: Default::default() }
    }

    /// Adds a value for the sentence.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl std::fmt::Display) -> Self {
        self.detail.insert(name.into(), value.to_string());
        self
    }

    /// The code that says no more than a kind does.
    pub fn of_kind(kind: ErrorKind, message: impl Into<String>) -> Self {
        let code = match kind {
            ErrorKind::NotFound => Code::NotFound,
            ErrorKind::Invalid => Code::Invalid,
            ErrorKind::Conflict => Code::Conflict,
            ErrorKind::Denied => Code::Denied,
            ErrorKind::Cancelled => Code::Cancelled,
            ErrorKind::Unavailable => Code::Unavailable,
            ErrorKind::Corrupt => Code::Corrupt,
            ErrorKind::Internal => Code::Internal,
        };
        Self::new(code, message)
    }

    /// An error of a crate below, by its own kind and code.
    fn below(kind: ErrorKind, code: &str, message: String) -> Self {
        let fallback = Self::of_kind(kind, message);
        Self { code: Code::named(code).unwrap_or(fallback.code), ..fallback }
    }

    pub fn internal(error: impl std::fmt::Display) -> Self {
        Self::new(Code::Internal, error.to_string())
    }
}

impl std::fmt::Display for WireError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for WireError {}

/// Errors of the crates below say their own kind and code.
macro_rules! below {
    ($($crate_name:ident),*) => {$(
        impl From<$crate_name::Error> for WireError {
            fn from(error: $crate_name::Error) -> Self {
                let wire = Self::below(error.kind(), error.code(), error.to_string());
                error.detail().into_iter().fold(wire, |wire, (name, value)| wire.with(name, value))
            }
        }
    )*};
}

below!(orangery_store, orangery_library, orangery_change, orangery_agent);

impl From<orangery_net::Error> for WireError {
    fn from(error: orangery_net::Error) -> Self {
        Self::of_kind(error.kind(), error.to_string())
    }
}

impl From<orangery_store::secret::Error> for WireError {
    fn from(error: orangery_store::secret::Error) -> Self {
        use orangery_store::secret::Error;
        let error = match error {
            Error::Store(error) => return error.into(),
            error => error,
        };
        let code = match &error {
            Error::NoKeyring(_) | Error::Keyring(_) => Code::NoKeyring,
            Error::KeyringSilent => Code::KeyringSilent,
            Error::FileClosed => Code::SecretFileClosed,
            Error::WrongPassphrase => Code::WrongPassphrase,
            Error::EmptyPassphrase => Code::EmptyPassphrase,
            Error::FileDamaged(_) => Code::SecretFileDamaged,
            Error::Store(_) | Error::Io(_) | Error::NoPlace => {
                return Self::of_kind(error.kind(), error.to_string());
            }
        };
        let wire = Self::new(code, error.to_string());
        match error {
            Error::NoKeyring(reason) | Error::Keyring(reason) => wire.with("reason", reason),
            _ => wire,
        }
    }
}
