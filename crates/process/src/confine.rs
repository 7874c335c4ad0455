//! Walls around a command: writes only below given folders, no network.

mod blocked;
#[cfg(target_os = "linux")]
mod linux;

use std::path::PathBuf;

pub use blocked::Blocked;
pub(crate) use blocked::recognise;
#[cfg(target_os = "linux")]
pub(crate) use linux::enter;

/// A command that is confined makes, changes and removes files only below `writable` and in a temporary
/// folder of its own, and reaches no network and no other program of this machine through a socket.
///
/// It reads what the user may read, and it may change permissions, owners and times of other files: the
/// kernel knows no wall for those.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confinement {
    /// Absolute folders that exist.
    pub writable: Vec<PathBuf>,
}

/// Whether this system can confine commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Support {
    Yes,
    No(Missing),
}

/// What a system lacks that cannot confine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    #[error("only Linux can confine a command")]
    Linux,
    #[error("this kernel has no Landlock as of Linux 6.2, or it is switched off")]
    Landlock,
    #[error("this kernel filters no system calls of this processor")]
    CallFilter,
}

impl Confinement {
    /// Whether this system can confine. Where it cannot, no command that asks for it is run.
    #[cfg(target_os = "linux")]
    pub fn support() -> Support {
        static SUPPORT: std::sync::OnceLock<Support> = std::sync::OnceLock::new();
        SUPPORT.get_or_init(linux::support).clone()
    }

    #[cfg(not(target_os = "linux"))]
    pub fn support() -> Support {
        Support::No(Missing::Linux)
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
pub(crate) fn enter(_writable: &[std::ffi::OsString]) -> Result<(), String> {
    Err(Missing::Linux.to_string())
}
