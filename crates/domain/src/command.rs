//! Commands that the assistant runs, as people see them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::SessionId;

/// A piece of what a command wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OutputPiece {
    pub source: OutputSource,
    pub text: String,
}

/// Which of its two outputs a command wrote to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum OutputSource {
    Stdout,
    Stderr,
}

/// How a command came to its end. Only `exited` with code 0 is success.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", tag = "outcome")]
pub enum CommandEnd {
    Exited {
        code: i32,
    },
    /// A signal that did not come from the app ended it.
    Signalled {
        signal: i32,
    },
    /// It was ended at its time limit.
    TimedOut,
    /// It was ended because somebody asked for it.
    Cancelled,
    /// Nothing of it ever ran.
    CouldNotStart {
        reason: String,
    },
    /// It ran, and how it ended is not known.
    Lost,
}

/// A command in the background.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// Unique while the app runs.
    pub id: u64,
    pub session_id: SessionId,
    pub command: String,
    /// Where it runs; absolute.
    pub cwd: String,
    /// Absent while it runs.
    pub end: Option<CommandEnd>,
    /// Milliseconds since the start, or from start to end.
    pub took_ms: u64,
}

/// What a command in the background has written so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct JobOutput {
    pub job: Job,
    /// Of long output the beginning and the end, with a line that says how much is left out between.
    pub stdout: String,
    pub stderr: String,
}
