use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Blocked, Captured};

/// Which of its two outputs a command wrote to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Stdout,
    Stderr,
}

/// How a command came to its end. Only `Exited(0)` is success.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It ended by itself, with this code.
    Exited(i32),
    /// A signal that did not come from here ended it.
    Signalled(i32),
    /// It was ended at its time limit.
    TimedOut,
    /// It was ended because somebody asked for it.
    Cancelled,
    /// Nothing of it ever ran.
    CouldNotStart(Obstacle),
    /// It ran, and how it ended is not known: what watched over it was ended.
    Lost,
}

impl Outcome {
    pub fn is_success(&self) -> bool {
        *self == Self::Exited(0)
    }
}

/// Why nothing of a command ever ran. Each holds what the system said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Obstacle {
    #[error("cannot make a process: {0}")]
    Process(String),
    #[error("{0}")]
    NoShell(String),
    #[error("cannot start the shell: {0}")]
    Shell(String),
    #[error("cannot enter the folder to run in: {0}")]
    Folder(String),
    #[error("cannot make a temporary folder: {0}")]
    Temporary(String),
    #[error("cannot confine the command: {0}")]
    Confinement(String),
    #[error("the watchdog of commands does not run: {0}")]
    Watchdog(String),
}

/// What is known of a command once nothing of it runs any more.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    pub outcome: Outcome,
    /// Both outputs together keep at most [`KEPT`](crate::KEPT) bytes.
    pub stdout: Captured,
    pub stderr: Captured,
    pub took: Duration,
    /// Processes that the system would not end in time; 0 but for a stuck disk or driver.
    pub survivors: u32,
    /// What its confinement seems to have refused it. Empty for a command that was not confined.
    pub blocked: Vec<Blocked>,
}
