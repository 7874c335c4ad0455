use std::io;
use std::process::Stdio;

use process_wrap::tokio::{ChildWrapper, CommandWrap, CreationFlags, JobObject, KillOnDrop};
use windows::Win32::System::Threading::CREATE_NO_WINDOW;

use super::{Event, Order, Pipe};
use crate::Outcome;
use crate::child::Launch;

/// Windows watches itself: the job object of a command is closed with the app, and ends all in it.
#[derive(Debug)]
pub(crate) struct Watchdog;

impl Watchdog {
    pub(crate) fn new(_launch: Launch) -> Self {
        Self
    }

    /// Starts the shell of `order`, suspended until it is in its job object.
    pub(crate) async fn start(&self, order: &Order) -> io::Result<Started> {
        if order.writable.is_some() {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "only Linux can confine a command"));
        }
        let mut command = CommandWrap::with_new(&order.program, |command| {
            command
                .args(&order.arguments)
                .current_dir(&order.folder)
                .env_clear()
                .envs(order.environment.iter().map(|(name, value)| (name, value)))
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
        });
        // No console to ask at. With KillOnDrop the job ends when its last handle closes.
        command.wrap(CreationFlags(CREATE_NO_WINDOW)).wrap(KillOnDrop).wrap(JobObject);
        let mut child = command.spawn()?;
        let missing = || io::Error::other("the command has no output");
        let stdout: Pipe = Box::new(child.stdout().take().ok_or_else(missing)?);
        let stderr: Pipe = Box::new(child.stderr().take().ok_or_else(missing)?);
        Ok(Started { stdout, stderr, group: Group { child, next: Next::Start } })
    }
}

pub(crate) struct Started {
    pub stdout: Pipe,
    pub stderr: Pipe,
    pub group: Group,
}

pub(crate) struct Group {
    child: Box<dyn ChildWrapper>,
    next: Next,
}

#[derive(Clone, Copy)]
enum Next {
    Start,
    End,
    Gone,
    Nothing,
}

impl Group {
    /// Can be dropped at any point without losing an event.
    pub(crate) async fn next(&mut self) -> Event {
        match self.next {
            Next::Start => {
                self.next = Next::End;
                Event::Taken
            }
            Next::End => {
                // Of the shell alone: the wrapper would wait for the whole job.
                let status = self.child.inner_mut().wait().await;
                self.next = Next::Gone;
                match status {
                    Ok(status) => Event::Ended(Outcome::Exited(status.code().unwrap_or(1))),
                    Err(_) => Event::Lost,
                }
            }
            Next::Gone => {
                // Ends every process of the job at once.
                let ended = self.child.start_kill();
                self.next = Next::Nothing;
                Event::Gone { survivors: u32::from(ended.is_err()) }
            }
            Next::Nothing => std::future::pending().await,
        }
    }

    /// Ends everything. Windows knows no polite way to a program without a window.
    pub(crate) fn stop(&mut self) {
        let _ = self.child.start_kill();
    }
}
