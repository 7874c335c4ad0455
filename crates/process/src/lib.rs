//! Runs a command and everything it starts, and ends all of it.
//!
//! Nothing here decides whether a command may run: an [`AllowedCommand`] is made by the one who has
//! decided, and is all that the engine accepts. No terminal is ever given, no profile is read and no
//! state is kept between commands. What a command changes in files is not looked at.
//!
//! On Unix the app starts its own binary once more, as the watchdog ([`child`]), which makes one
//! supervisor for each command. A supervisor adopts whatever its command leaves behind, however it was
//! detached, and ends it at a stop, at the time limit and at the normal end. It holds a socket to the app:
//! when the app dies, however suddenly, the socket closes and everything is ended too. On Windows a job
//! object does the same: the system closes it with the app.
//!
//! What a command has another program do is out of reach: a service manager, a container engine, another
//! machine. So is what it leaves behind after killing its supervisor and the watchdog, both. From Linux
//! 6.12 on a confined command can do neither.

mod capture;
pub mod child;
mod command;
mod confine;
mod environment;
mod error;
mod group;
mod jobs;
mod open;
mod outcome;
mod run;
mod shell;
#[cfg(unix)]
mod sys;
#[cfg(unix)]
mod watchdog;
#[cfg(unix)]
mod wire;

pub use capture::{Captured, KEPT};
pub use child::Launch;
pub use command::{AllowedCommand, Command, DEFAULT_TIMEOUT_SECONDS, TIMEOUT_SECONDS};
pub use confine::{Blocked, Confinement, Missing, Support};
pub use environment::Environment;
pub use error::Error;
pub use jobs::{Job, JobId, Jobs, Snapshot};
pub use open::{AllowedTarget, Opened, open};
pub use outcome::{Finished, Obstacle, Outcome, Source};
pub use run::Runner;
pub use shell::{Shell, ShellKind};
