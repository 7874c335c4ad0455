//! From a fork of the supervisor to the shell.

use std::fs::File;
use std::io::{PipeReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use rustix::process::{Pid, WaitOptions, waitpid};

use crate::Obstacle;
use crate::confine;
use crate::group::Order;
use crate::sys::{self, Fork};

/// The shell, once it runs. Its session and process group exist before it does.
pub(super) fn start(order: &Order, stdout: OwnedFd, stderr: OwnedFd) -> Result<Pid, Obstacle> {
    let fork = |error: std::io::Error| Obstacle::Process(error.to_string());
    // Closes when the fork becomes the shell; what comes through before is why it could not.
    let (told, mut tell) = std::io::pipe().map_err(fork)?;
    let supervisor = rustix::process::getpid();
    match sys::fork().map_err(fork)? {
        Fork::Child => {
            drop(told);
            let obstacle = become_shell(order, supervisor, stdout, stderr);
            let words = serde_json::to_vec(&obstacle).unwrap_or_default();
            let _ = tell.write_all(&words);
            std::process::exit(127);
        }
        Fork::Parent(shell) => {
            drop((tell, stdout, stderr));
            obstacle(told).map_or(Ok(shell), |obstacle| {
                let _ = waitpid(Some(shell), WaitOptions::empty());
                Err(obstacle)
            })
        }
    }
}

fn obstacle(mut told: PipeReader) -> Option<Obstacle> {
    let mut words = Vec::new();
    told.read_to_end(&mut words).ok()?;
    if words.is_empty() {
        return None;
    }
    Some(serde_json::from_slice(&words).unwrap_or_else(|error| Obstacle::Process(error.to_string())))
}

/// Returns only if it fails.
fn become_shell(order: &Order, supervisor: Pid, stdout: OwnedFd, stderr: OwnedFd) -> Obstacle {
    if let Err(error) = rustix::process::setsid() {
        return Obstacle::Process(error.to_string());
    }
    #[cfg(target_os = "linux")]
    {
        // Should the supervisor be killed, the shell at least goes with it at once; the rest falls to the
        // watchdog. No elevation: also because a process of another user could not be ended.
        let bound = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))
            .map_err(std::io::Error::from)
            .and_then(|()| sys::no_new_privileges());
        if let Err(error) = bound {
            return Obstacle::Process(error.to_string());
        }
    }
    if rustix::process::getppid() != Some(supervisor) {
        return Obstacle::Process("the supervisor has gone".into());
    }
    if let Err(error) = std::env::set_current_dir(&order.folder) {
        return Obstacle::Folder(error.to_string());
    }
    let nothing = match File::open("/dev/null") {
        Ok(nothing) => nothing,
        Err(error) => return Obstacle::Process(error.to_string()),
    };
    if let Some(writable) = &order.writable
        && let Err(reason) = confine::enter(writable)
    {
        return Obstacle::Confinement(reason);
    }
    let error = Command::new(&order.program)
        .args(&order.arguments)
        .env_clear()
        .envs(order.environment.iter().map(|(name, value)| (name, value)))
        .stdin(nothing)
        .stdout(Stdio::from(stdout))
        .stderr(Stdio::from(stderr))
        .exec();
    Obstacle::Shell(error.to_string())
}
