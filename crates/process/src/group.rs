//! One command with all that comes from it, as the app holds it.
//!
//! Both systems offer the same: outputs to read, reports in order, a stop that can be asked for at any
//! time, and an end to everything when the group is dropped.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::ffi::OsString;

use serde::{Deserialize, Serialize};
use tokio::io::AsyncRead;

use crate::{Obstacle, Outcome};

#[cfg(unix)]
pub(crate) use unix::Watchdog;
#[cfg(windows)]
pub(crate) use windows::Watchdog;

/// What to start, down to the last argument.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub program: OsString,
    pub arguments: Vec<OsString>,
    pub folder: OsString,
    pub environment: Vec<(OsString, OsString)>,
    /// The only folders that may be written below, if it is confined.
    pub writable: Option<Vec<OsString>>,
}

/// An output of the command.
pub(crate) type Pipe = Box<dyn AsyncRead + Send + Unpin>;

/// What happens to a group, in this order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Event {
    /// From here on the command may have run.
    Taken,
    /// Nothing runs and nothing did.
    #[cfg_attr(windows, expect(dead_code, reason = "there the start itself fails"))]
    Failed(Obstacle),
    /// The shell has ended; what it left behind is being ended.
    Ended(Outcome),
    /// Nothing runs any more but `survivors`.
    Gone { survivors: u32 },
    /// What watched over the command is gone.
    Lost,
}
