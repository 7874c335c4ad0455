//! The process that one command and all that comes from it hang on.

use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{Pid, WaitStatus};

use super::{TICK, reap, start, timespec, tree::Tree};
use crate::group::Order;
use crate::wire::{self, End, Report};

/// Runs the command that the app orders and returns when nothing of it is left, or nothing that the
/// system would end.
pub(super) fn run(mut app: UnixStream, stdout: OwnedFd, stderr: OwnedFd) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    wire::send(&mut app, &Report::Taken)?;
    let mut order: Order = wire::receive(&mut app)?;
    let tree = Tree::below_this_process().marked(&mut order.environment);
    let shell = match start::start(&order, stdout, stderr) {
        Ok(shell) => shell,
        Err(obstacle) => return wire::send(&mut app, &Report::Failed(obstacle)),
    };
    // The app may be gone at any moment, which ends the command and not the supervisor: what cannot be
    // told is not told.
    let tell = |app: &mut UnixStream, report| drop(wire::send(app, &report));
    let mut tree = tree.of_shell(shell);
    let mut end = wait_for_end(&mut app, shell, &mut tree)?;
    let told = end.is_some();
    if let Some(end) = end {
        tell(&mut app, Report::Ended(end));
    }
    let survivors = tree.end_all(|id, status| {
        if id == shell {
            end = Some(end_of(status));
        }
    });
    if let (false, Some(end)) = (told, end) {
        tell(&mut app, Report::Ended(end));
    }
    tell(&mut app, Report::Gone { survivors });
    Ok(())
}

/// How the shell ended by itself; `None` when the app wants it to end, or is gone.
fn wait_for_end(app: &mut UnixStream, shell: Pid, tree: &mut Tree) -> io::Result<Option<End>> {
    #[cfg(target_os = "linux")]
    let shell_end = rustix::process::pidfd_open(shell, rustix::process::PidfdFlags::empty()).ok();
    #[cfg(not(target_os = "linux"))]
    let shell_end: Option<OwnedFd> = None;
    // Without a descriptor that tells of the end it is looked for often.
    let pause = if shell_end.is_some() { TICK } else { TICK / 50 };
    loop {
        let mut watched = vec![PollFd::from_borrowed_fd(app.as_fd(), PollFlags::IN)];
        if let Some(shell_end) = &shell_end {
            watched.push(PollFd::from_borrowed_fd(shell_end.as_fd(), PollFlags::IN));
        }
        match poll(&mut watched, Some(&timespec(pause))) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let app_speaks = !watched[0].revents().is_empty();
        let mut end = None;
        reap(|id, status| {
            if id == shell {
                end = Some(end_of(status));
            }
        });
        if end.is_some() {
            return Ok(end);
        }
        if app_speaks {
            // The stop frame, or the end of the stream: the same.
            let _ = app.read(&mut [0; 4]);
            return Ok(None);
        }
        tree.note();
    }
}

fn end_of(status: WaitStatus) -> End {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => End::Exited(code),
        (None, signal) => End::Signalled(signal.unwrap_or_default()),
    }
}
