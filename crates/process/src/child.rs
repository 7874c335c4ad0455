//! The part of this crate that runs in a process of its own: the app's binary, started once more.
//!
//! The `main` of every host asks [`requested`] before anything else and hands the process over.

use std::ffi::OsString;
use std::path::PathBuf;

/// The only argument of the binary when it is to be the watchdog.
pub const ARGUMENT: &str = "process-watchdog";

/// What to start so that it ends up in [`watchdog_main`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
}

impl Launch {
    /// This binary, even when an update has replaced its file meanwhile.
    pub fn this_binary() -> std::io::Result<Self> {
        let program =
            if cfg!(target_os = "linux") { "/proc/self/exe".into() } else { std::env::current_exe()? };
        Ok(Self { program, arguments: vec![ARGUMENT.into()] })
    }
}

/// Whether this process was started to be the watchdog.
pub fn requested() -> bool {
    let mut arguments = std::env::args_os().skip(1);
    arguments.next().is_some_and(|first| first == ARGUMENT) && arguments.next().is_none()
}

/// Makes supervisors for the app at the other end of standard input until the app is gone, and then ends
/// everything that is left. The exit code of the process.
///
/// To be called before any thread is started: a supervisor is a fork.
#[cfg(unix)]
pub fn watchdog_main() -> i32 {
    match crate::watchdog::watch() {
        Ok(()) => 0,
        Err(error) => {
            tracing::error!(%error, "the watchdog of commands stopped");
            1
        }
    }
}

/// Windows needs no watchdog: it closes a job object with the last process that holds it.
#[cfg(not(unix))]
pub fn watchdog_main() -> i32 {
    0
}
