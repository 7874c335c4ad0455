use std::path::PathBuf;

use orangery_domain::ErrorKind;

use crate::Missing;

/// Why a command is none. What happens to one that is started is an [`Outcome`](crate::Outcome).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("the command is empty")]
    Empty,
    #[error("the command holds a character that no command line can carry")]
    Nul,
    #[error("the folder {} to run in is not there: {reason}", path.display())]
    Folder { path: PathBuf, reason: String },
    /// The folder has to be absolute: there is no folder that a relative one could start from.
    #[error("the folder {} to run in is relative", .0.display())]
    RelativeFolder(PathBuf),
    /// Which ones were looked for.
    #[error("this system has {0}")]
    NoShell(String),
    #[error("commands cannot be confined here: {0}")]
    NoConfinement(Missing),
    #[error("{0:?} is neither an absolute path nor a URL")]
    Target(String),
    #[error("there is no job {0}")]
    NoJob(u64),
}

impl Error {
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Empty | Self::Nul | Self::RelativeFolder(_) | Self::Target(_) => ErrorKind::Invalid,
            Self::Folder { .. } | Self::NoJob(_) => ErrorKind::NotFound,
            Self::NoShell(_) | Self::NoConfinement(_) => ErrorKind::Unavailable,
        }
    }
}
