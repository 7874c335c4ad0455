//! The process that makes supervisors, one for each command.
//!
//! It exists so that a fork is cheap and safe whatever the app is, and so that somebody is left when the
//! app is killed. When a supervisor is killed, what it held falls to the watchdog, which ends it.

mod start;
mod supervisor;
mod tree;

use std::collections::HashSet;
use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use rustix::process::{Pid, WaitOptions, WaitStatus, wait};

use crate::sys::{self, Fork};
use tree::Tree;

/// How often a process without anything to do looks for children that have ended.
const TICK: Duration = Duration::from_secs(1);

/// How long supervisors may take to end everything once the app is gone; they need a second and a half.
const FAREWELL: Duration = Duration::from_secs(3);

pub(crate) fn watch() -> io::Result<()> {
    let app = sys::take_stdin()?;
    sys::hear_of_children();
    // Out of reach of Ctrl+C in the terminal of the app. Fails where it leads a session already.
    let _ = rustix::process::setsid();
    // So that no folder stays in use because of it.
    std::env::set_current_dir("/")?;
    #[cfg(target_os = "linux")]
    {
        sys::close_all_on_exec();
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    }
    let mut supervisors = Supervisors::default();
    loop {
        let pause = (!supervisors.running.is_empty()).then_some(TICK);
        if is_readable(app.as_fd(), pause)? {
            match receive(app.as_fd()) {
                Ok(Some(handed)) => match sys::fork() {
                    Ok(Fork::Child) => {
                        // Or the app could not see that the watchdog has gone.
                        drop(app);
                        std::process::exit(supervise(handed));
                    }
                    Ok(Fork::Parent(id)) => {
                        supervisors.running.insert(id);
                    }
                    // The socket closes, which the app takes for a command that could not start.
                    Err(error) => tracing::warn!(%error, "cannot make a supervisor"),
                },
                Ok(None) => break,
                Err(error) => tracing::warn!(%error, "cannot take what the app hands over"),
            }
        }
        supervisors.reap();
    }
    drop(app);
    let end = Instant::now() + FAREWELL;
    while supervisors.reap() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
    Tree::below_this_process().end_all(|_, _| {});
    Ok(())
}

/// The sockets and pipes of one command, in the order in which [`Group`](crate::group) sends them.
struct Handed {
    control: OwnedFd,
    stdout: OwnedFd,
    stderr: OwnedFd,
}

/// `None`: the app has closed its end.
fn receive(app: BorrowedFd<'_>) -> io::Result<Option<Handed>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    let received = match recvmsg(app, &mut [IoSliceMut::new(&mut byte)], &mut control, flags()) {
        Ok(received) => received,
        Err(Errno::CONNRESET) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let handed: Vec<OwnedFd> = control
        .drain()
        .filter_map(|message| match message {
            RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
            _ => None,
        })
        .flatten()
        .collect();
    if received.bytes == 0 {
        return Ok(None);
    }
    #[cfg(not(target_os = "linux"))]
    for descriptor in &handed {
        rustix::io::fcntl_setfd(descriptor, rustix::io::FdFlags::CLOEXEC)?;
    }
    let [control, stdout, stderr] = <[OwnedFd; 3]>::try_from(handed)
        .map_err(|handed| io::Error::other(format!("{} descriptors instead of 3", handed.len())))?;
    Ok(Some(Handed { control, stdout, stderr }))
}

/// Descriptors that arrive must not reach another command. Only Linux can say so while they arrive;
/// elsewhere it is said right after, before the only thread forks.
fn flags() -> RecvFlags {
    #[cfg(target_os = "linux")]
    return RecvFlags::CMSG_CLOEXEC;
    #[cfg(not(target_os = "linux"))]
    RecvFlags::empty()
}

/// The whole life of a supervisor. A bug in it ends it with its command rather than let a second
/// watchdog loose.
fn supervise(handed: Handed) -> i32 {
    let Handed { control, stdout, stderr } = handed;
    let run = || supervisor::run(control.into(), stdout, stderr);
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)) {
        Ok(Ok(())) => 0,
        Ok(Err(error)) => {
            tracing::warn!(%error, "a supervisor stopped");
            1
        }
        Err(_) => 101,
    }
}

#[derive(Default)]
struct Supervisors {
    running: HashSet<Pid>,
}

impl Supervisors {
    /// Takes in who has ended; whether anybody is left. A supervisor that did not end by itself leaves
    /// its command behind: what is ours and no supervisor is ended.
    fn reap(&mut self) -> bool {
        let mut broken = false;
        let mut any_left = reap(|id, status| broken |= self.has_broken(id, status));
        while broken && any_left {
            broken = false;
            let others: Vec<Pid> = self.running.iter().copied().collect();
            Tree::below_this_process()
                .except(others)
                .end_all(|id, status| broken |= self.has_broken(id, status));
            any_left = reap(|id, status| broken |= self.has_broken(id, status));
        }
        any_left
    }

    fn has_broken(&mut self, id: Pid, status: WaitStatus) -> bool {
        self.running.remove(&id) && status.exit_status() != Some(0)
    }
}

/// Takes in all children that have ended; whether there are others.
fn reap(mut ended: impl FnMut(Pid, WaitStatus)) -> bool {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((id, status))) => ended(id, status),
            Ok(None) => return true,
            Err(Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}

fn timespec(duration: Duration) -> Timespec {
    // No pause here is longer than seconds.
    Timespec { tv_sec: duration.as_secs() as i64, tv_nsec: i64::from(duration.subsec_nanos()) as _ }
}

fn is_readable(descriptor: BorrowedFd<'_>, pause: Option<Duration>) -> io::Result<bool> {
    let mut watched = [PollFd::from_borrowed_fd(descriptor, PollFlags::IN)];
    match poll(&mut watched, pause.map(timespec).as_ref()) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
