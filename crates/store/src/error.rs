use orangery_domain::ErrorKind;

/// Why storing or reading failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// `attempt` says what was tried: "read", "create the folder".
    #[error("cannot {attempt} {path:?}: {}", said(source))]
    Io { attempt: &'static str, path: String, source: std::io::Error },
    #[error("{path:?} leads out of the knowledge base: {reason}")]
    Escapes { path: String, reason: String },
    #[error("{path:?} is a link to {target:?}, where nothing is")]
    Dangling { path: String, target: String },
    #[error(
        "{path:?} leads through a link, and nothing new is made there; use {real:?}, which is where the link leads"
    )]
    ThroughLink { path: String, real: String },
    #[error(
        "{path:?} could be {first:?} or {second:?}, which differ only in their Unicode form; give one of these exactly"
    )]
    Ambiguous { path: String, first: String, second: String },
    #[error("{0:?} is not there")]
    NotFound(String),
    #[error("{0:?} exists already")]
    Exists(String),
    #[error("{0:?} is a folder")]
    Folder(String),
    #[error("{0:?} is not a regular file")]
    Special(String),
    #[error("{0:?} is marked read-only")]
    ReadOnly(String),
    #[error("{path:?} has {size} bytes, more than the {limit} that can be read at once")]
    TooLarge { path: String, size: u64, limit: u64 },
    #[error(
        "{0:?} is on another volume; what is moved there would have to be copied, so it stays where it is"
    )]
    OtherVolume(String),
    #[error("no knowledge base {0}")]
    NoKnowledgeBase(orangery_domain::KbId),
    #[error("the folder {0:?} of the knowledge base cannot be reached")]
    Offline(String),
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    #[error("cannot bring the database up to date: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// A stored value that no code of this version writes.
    #[error("the database holds {value:?} as {what}")]
    Stored { what: &'static str, value: String },
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// For callers that branch.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Io { source, .. } => io_kind(source),
            Self::Escapes { .. } | Self::Dangling { .. } | Self::ReadOnly(_) => ErrorKind::Denied,
            Self::OtherVolume(_) | Self::ThroughLink { .. } => ErrorKind::Invalid,
            Self::Ambiguous { .. } | Self::Folder(_) | Self::Special(_) | Self::TooLarge { .. } => {
                ErrorKind::Invalid
            }
            Self::NotFound(_) | Self::NoKnowledgeBase(_) => ErrorKind::NotFound,
            Self::Exists(_) => ErrorKind::Conflict,
            Self::Offline(_) => ErrorKind::Unavailable,
            Self::Database(error) => database_kind(error),
            Self::Migrate(_) => ErrorKind::Unavailable,
            Self::Stored { .. } => ErrorKind::Corrupt,
        }
    }

    /// Whether the disk gave no answer, so that what was looked for may well be there.
    pub fn is_no_answer(&self) -> bool {
        match self {
            Self::Io { source, .. } => {
                !matches!(io_kind(source), ErrorKind::NotFound | ErrorKind::Invalid | ErrorKind::Conflict)
            }
            Self::Offline(_) => true,
            _ => false,
        }
    }

    /// Stable name with a sentence in every language of the UI.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io { source, .. } => match source.kind() {
                std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => "diskFull",
                std::io::ErrorKind::PermissionDenied => "accessDenied",
                std::io::ErrorKind::ReadOnlyFilesystem => "readOnly",
                std::io::ErrorKind::NotFound => "notFound",
                _ => "io",
            },
            Self::Escapes { .. } => "escapes",
            Self::Dangling { .. } => "danglingLink",
            Self::ThroughLink { .. } => "throughLink",
            Self::Ambiguous { .. } => "ambiguousName",
            Self::NotFound(_) => "notFound",
            Self::Exists(_) => "exists",
            Self::Folder(_) => "folder",
            Self::Special(_) => "specialFile",
            Self::ReadOnly(_) => "readOnly",
            Self::TooLarge { .. } => "tooLarge",
            Self::OtherVolume(_) => "otherVolume",
            Self::NoKnowledgeBase(_) => "noKnowledgeBase",
            Self::Offline(_) => "offline",
            Self::Database(error) if primary_code(error) == Some(FULL) => "diskFull",
            Self::Database(error) if primary_code(error) == Some(READ_ONLY) => "readOnly",
            Self::Database(error) if primary_code(error) == Some(CANNOT_OPEN) => "accessDenied",
            Self::Migrate(sqlx::migrate::MigrateError::VersionMissing(_)) => "newerDatabase",
            Self::Database(_) | Self::Migrate(_) | Self::Stored { .. } => "database",
        }
    }

    /// An I/O error with what was tried on which path.
    pub fn io(attempt: &'static str, path: impl ToString) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io { attempt, path: path.to_string(), source }
    }
}

/// What the system says, without its number for it, which is of use to nobody who reads this.
fn said(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" (os error ") {
        Some((words, _)) => words.to_owned(),
        None => text,
    }
}

/// Bytes without which SQLite cannot even open: its log and the index of that.
const LEAST_ROOM: u64 = 128 << 10;

impl Error {
    /// SQLite calls a disk that is full by many names while it opens `path`: the volume is asked.
    pub(crate) fn or_full(self, path: &std::path::Path) -> Self {
        let unavailable =
            matches!(&self, Self::Database(_) | Self::Migrate(_)) && self.kind() == ErrorKind::Unavailable;
        let room = path.parent().and_then(crate::files::room);
        match room {
            Some(room) if unavailable && room < LEAST_ROOM => {
                Self::io("open the database", path.display())(std::io::ErrorKind::StorageFull.into())
            }
            _ => self,
        }
    }
}

fn io_kind(error: &std::io::Error) -> ErrorKind {
    match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => ErrorKind::NotFound,
        std::io::ErrorKind::AlreadyExists | std::io::ErrorKind::DirectoryNotEmpty => ErrorKind::Conflict,
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => ErrorKind::Denied,
        std::io::ErrorKind::InvalidFilename | std::io::ErrorKind::InvalidInput => ErrorKind::Invalid,
        _ => ErrorKind::Unavailable,
    }
}

/// SQLite's primary result codes: 11 corrupt, 26 not a database, 13 full, 5 busy, 6 locked.
fn database_kind(error: &sqlx::Error) -> ErrorKind {
    let sqlx::Error::Database(_) = error else {
        return match error {
            sqlx::Error::RowNotFound => ErrorKind::NotFound,
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_) => {
                ErrorKind::Unavailable
            }
            _ => ErrorKind::Internal,
        };
    };
    match primary_code(error) {
        Some(11 | 26) => ErrorKind::Corrupt,
        Some(5 | 6 | READ_ONLY | 10 | FULL | CANNOT_OPEN) => ErrorKind::Unavailable,
        Some(19) => ErrorKind::Conflict,
        _ => ErrorKind::Internal,
    }
}

const READ_ONLY: u32 = 8;
const FULL: u32 = 13;
const CANNOT_OPEN: u32 = 14;

fn primary_code(error: &sqlx::Error) -> Option<u32> {
    let sqlx::Error::Database(error) = error else { return None };
    error.code()?.parse::<u32>().ok().map(|code| code & 0xff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_not_there_is_gone() {
        let io = |kind: std::io::ErrorKind| Error::io("look at", "a.md")(kind.into());
        for (kind, no_answer) in [
            (std::io::ErrorKind::NotFound, false),
            (std::io::ErrorKind::NotADirectory, false),
            (std::io::ErrorKind::InvalidFilename, false),
            (std::io::ErrorKind::PermissionDenied, true),
            (std::io::ErrorKind::TimedOut, true),
            (std::io::ErrorKind::StaleNetworkFileHandle, true),
            (std::io::ErrorKind::Other, true),
        ] {
            assert_eq!(io(kind).is_no_answer(), no_answer, "{kind}");
        }
        assert!(!Error::Escapes { path: "a".into(), reason: String::new() }.is_no_answer());
    }

    #[test]
    fn a_database_of_a_newer_version_is_called_so() {
        let error = Error::from(sqlx::migrate::MigrateError::VersionMissing(99));
        assert_eq!((error.code(), error.kind()), ("newerDatabase", ErrorKind::Unavailable));
    }

    #[tokio::test]
    async fn a_database_without_room_is_a_full_disk() {
        let folder = tempfile::tempdir().unwrap();
        let db = crate::Db::open(&folder.path().join("db")).await.unwrap();
        let mut tx = db.write().await.unwrap();
        sqlx::query("pragma max_page_count = 1").execute(&mut *tx).await.unwrap();
        let full = async {
            for at in 0..10_000 {
                let root = format!("/{at}/{}", "long ".repeat(100));
                crate::table::knowledge_base::insert(&mut tx, "kb", &root).await?;
            }
            Ok::<_, Error>(())
        };
        let error = full.await.unwrap_err();
        assert_eq!((error.kind(), error.code()), (ErrorKind::Unavailable, "diskFull"), "{error}");
    }
}
