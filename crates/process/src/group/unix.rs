use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};

use futures::{SinkExt, StreamExt};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use tokio::net::unix::pipe::Receiver;
use tokio_util::codec::{Framed, LengthDelimitedCodec};

use super::{Event, Order, Pipe};
use crate::Outcome;
use crate::child::Launch;
use crate::environment::is_passed_on;
use crate::wire::{End, Report, STOP};

/// The app's end of the watchdog process. It is started with the first command and again when it has
/// gone; when this is dropped, it ends, and everything with it.
#[derive(Debug)]
pub(crate) struct Watchdog {
    launch: Launch,
    running: Mutex<Option<Running>>,
}

#[derive(Debug)]
struct Running {
    socket: UnixStream,
    /// Tokio takes in its end when it is dropped.
    _process: tokio::process::Child,
}

impl Watchdog {
    pub(crate) fn new(launch: Launch) -> Self {
        Self { launch, running: Mutex::new(None) }
    }

    /// Starts the shell of `order`. What goes wrong from here on is an event of the group.
    pub(crate) async fn start(&self, order: &Order) -> io::Result<Started> {
        let (stdout, stdout_end) = io::pipe()?;
        let (stderr, stderr_end) = io::pipe()?;
        let (control, control_end) = UnixStream::pair()?;
        self.hand_over([control_end.as_fd(), stdout_end.as_fd(), stderr_end.as_fd()])?;
        // From here on only the supervisor holds these, so that their end can be seen.
        drop((stdout_end, stderr_end, control_end));
        control.set_nonblocking(true)?;
        let mut control =
            Framed::new(tokio::net::UnixStream::from_std(control)?, LengthDelimitedCodec::new());
        let order = serde_json::to_vec(order)?;
        // A supervisor that is gone already is told of by the first event.
        let _ = control.send(order.as_slice()).await;
        let pipe = |reader: io::PipeReader| -> io::Result<Pipe> {
            Ok(Box::new(Receiver::from_owned_fd(OwnedFd::from(reader))?))
        };
        Ok(Started { stdout: pipe(stdout)?, stderr: pipe(stderr)?, group: Group { control } })
    }

    fn hand_over(&self, descriptors: [BorrowedFd<'_>; 3]) -> io::Result<()> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(watchdog) = &*running {
            match send(&watchdog.socket, &descriptors) {
                Ok(()) => return Ok(()),
                Err(error) => tracing::warn!(%error, "the watchdog of commands has gone"),
            }
        }
        let watchdog = running.insert(self.launch()?);
        send(&watchdog.socket, &descriptors)
    }

    fn launch(&self) -> io::Result<Running> {
        let (socket, end) = UnixStream::pair()?;
        let process = tokio::process::Command::new(&self.launch.program)
            .args(&self.launch.arguments)
            .env_clear()
            .envs(std::env::vars_os().filter(|(name, value)| is_passed_on(name, value)))
            .stdin(OwnedFd::from(end))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Running { socket, _process: process })
    }
}

fn send(socket: &UnixStream, descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    control.push(SendAncillaryMessage::ScmRights(descriptors));
    // A watchdog that takes nothing any more must not hold the app up.
    sendmsg(socket, &[IoSlice::new(&[0])], &mut control, SendFlags::DONTWAIT)?;
    Ok(())
}

pub(crate) struct Started {
    pub stdout: Pipe,
    pub stderr: Pipe,
    pub group: Group,
}

pub(crate) struct Group {
    control: Framed<tokio::net::UnixStream, LengthDelimitedCodec>,
}

impl Group {
    /// Can be dropped at any point without losing an event.
    pub(crate) async fn next(&mut self) -> Event {
        let Some(Ok(frame)) = self.control.next().await else { return Event::Lost };
        match serde_json::from_slice(&frame) {
            Ok(Report::Taken) => Event::Taken,
            Ok(Report::Failed(obstacle)) => Event::Failed(obstacle),
            Ok(Report::Ended(End::Exited(code))) => Event::Ended(Outcome::Exited(code)),
            Ok(Report::Ended(End::Signalled(signal))) => Event::Ended(Outcome::Signalled(signal)),
            Ok(Report::Gone { survivors }) => Event::Gone { survivors },
            Err(_) => Event::Lost,
        }
    }

    /// Asks for the end of everything, politely first.
    pub(crate) fn stop(&mut self) {
        // Four bytes into a socket that holds none. If it is closed there is nothing left to stop.
        let _ = self.control.get_ref().try_write(&STOP);
    }
}
