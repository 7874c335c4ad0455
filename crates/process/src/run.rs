//! One command from its start to the end of all that it started.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use futures::FutureExt;
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio_util::sync::CancellationToken;

use crate::capture::{Capture, Decoder, fit};
use crate::child::Launch;
use crate::confine::recognise;
use crate::group::{Event, Order, Watchdog};
use crate::{AllowedCommand, Blocked, Captured, Error, Finished, Obstacle, Outcome, Shell, Source};

/// The longest from a stop, a time limit or the end of the shell to the answer. Supervisors need a second
/// and a half at most; two seconds are promised.
const REPLY: Duration = Duration::from_millis(1800);

/// How long outputs are read once nothing is left that could write: what the pipes hold is there at
/// once, and a pipe that stays open was given to a process that is none of ours.
const LAST_WORDS: Duration = Duration::from_millis(200);

const PIECE: usize = 64 * 1024;

/// Runs commands. One for the whole app.
#[derive(Debug)]
pub struct Runner {
    watchdog: Watchdog,
    shell: OnceLock<Result<Shell, Error>>,
}

impl Runner {
    /// `launch` is how this app's binary is started as the watchdog.
    pub fn new(launch: Launch) -> Self {
        Self { watchdog: Watchdog::new(launch), shell: OnceLock::new() }
    }

    /// The shell that all commands are for. Looked for once.
    pub fn shell(&self) -> Result<&Shell, Error> {
        self.shell.get_or_init(Shell::find).as_ref().map_err(Clone::clone)
    }

    /// Runs `command` to its end and the end of everything that it started. `live` hears the output as it
    /// comes. The answer is there at most two seconds after the time limit, or after `cancel`; when the
    /// future is dropped, everything is ended all the same.
    pub async fn run(
        &self,
        command: &AllowedCommand,
        cancel: &CancellationToken,
        mut live: impl FnMut(Source, &str) + Send,
    ) -> Finished {
        let mut outputs = Outputs::new();
        let end = self.execute(command, cancel, |source, bytes| {
            let text = outputs.push(source, bytes);
            if !text.is_empty() {
                live(source, &text);
            }
        });
        let end = end.await;
        for (source, text) in outputs.rest() {
            live(source, &text);
        }
        end.finished(&outputs)
    }

    /// The same, with the bytes of the output as they come, and nothing kept.
    pub(crate) async fn execute(
        &self,
        command: &AllowedCommand,
        cancel: &CancellationToken,
        output: impl FnMut(Source, &[u8]) + Send,
    ) -> End {
        let began = Instant::now();
        let mut walls = None;
        let (outcome, survivors) = match self.prepare(command, &mut walls) {
            Ok(order) => self.follow(&order, command.timeout, cancel, output).await,
            Err(obstacle) => (Outcome::CouldNotStart(obstacle), 0),
        };
        End { outcome, survivors, took: began.elapsed(), folder: command.folder.clone(), walls }
    }

    fn prepare(&self, command: &AllowedCommand, walls: &mut Option<Walls>) -> Result<Order, Obstacle> {
        let shell = self.shell().map_err(|error| Obstacle::NoShell(error.to_string()))?;
        let mut environment = command.environment.resolve(std::env::vars_os());
        if let Some(confinement) = &command.confinement {
            let temporary = tempfile::Builder::new().prefix("orangery-command-").tempdir();
            let temporary = temporary.map_err(|error| Obstacle::Temporary(error.to_string()))?;
            for name in ["TMPDIR", "TMP", "TEMP"] {
                environment.retain(|(other, _)| other != name);
                environment.push((name.into(), temporary.path().into()));
            }
            let mut open = confinement.writable.clone();
            open.push(temporary.path().into());
            *walls = Some(Walls { open, _temporary: temporary });
        }
        let writable = walls.as_ref().map(|walls| walls.open.iter().map(OsString::from).collect());
        Ok(Order {
            program: shell.path.clone().into(),
            arguments: shell.arguments(&command.line),
            folder: command.folder.clone().into(),
            environment,
            writable,
        })
    }

    /// What became of `order`, and how many processes outlived it.
    async fn follow(
        &self,
        order: &Order,
        limit: Option<Duration>,
        cancel: &CancellationToken,
        mut output: impl FnMut(Source, &[u8]) + Send,
    ) -> (Outcome, u32) {
        if cancel.is_cancelled() {
            return (Outcome::Cancelled, 0);
        }
        let started = match self.watchdog.start(order).await {
            Ok(started) => started,
            Err(error) => return not_started(&error),
        };
        let mut group = started.group;
        let (mut stdout, mut stderr) = (Reader::new(started.stdout), Reader::new(started.stderr));
        let mut interruption = pin!(interruption(limit, cancel));
        let after = |pause| Some(tokio::time::Instant::now() + pause);
        let (mut may_run, mut is_retry) = (false, false);
        let (mut outcome, mut survivors, mut last_call) = (None, None, None);
        while survivors.is_none() || stdout.is_open() || stderr.is_open() {
            let call_ends = last_call.unwrap_or_else(tokio::time::Instant::now);
            tokio::select! {
                piece = stdout.next(), if stdout.is_open() => output(Source::Stdout, piece),
                piece = stderr.next(), if stderr.is_open() => output(Source::Stderr, piece),
                event = group.next(), if survivors.is_none() => match event {
                    Event::Taken => may_run = true,
                    Event::Failed(obstacle) => return (Outcome::CouldNotStart(obstacle), 0),
                    // Of a command that was stopped this only says that it obeyed.
                    Event::Ended(_) if outcome.is_some() => {}
                    Event::Ended(end) => {
                        outcome = Some(end);
                        last_call = after(REPLY);
                    }
                    Event::Gone { survivors: left } => {
                        survivors = Some(left);
                        last_call = after(LAST_WORDS);
                    }
                    // The watchdog was ending while it was asked. Nothing ran yet, so it is safe.
                    Event::Lost if !may_run && !is_retry && outcome.is_none() => {
                        is_retry = true;
                        match self.watchdog.start(order).await {
                            Ok(started) => {
                                group = started.group;
                                (stdout, stderr) = (Reader::new(started.stdout), Reader::new(started.stderr));
                            }
                            Err(error) => return not_started(&error),
                        }
                    }
                    Event::Lost => {
                        outcome.get_or_insert_with(|| lost(may_run));
                        survivors = Some(0);
                        last_call = after(LAST_WORDS);
                    }
                },
                unwanted = &mut interruption, if outcome.is_none() => {
                    outcome = Some(unwanted);
                    group.stop();
                    last_call = after(REPLY);
                }
                () = tokio::time::sleep_until(call_ends), if last_call.is_some() => break,
            }
        }
        // What came while this task had no turn.
        drain(&mut stdout, |piece| output(Source::Stdout, piece));
        drain(&mut stderr, |piece| output(Source::Stderr, piece));
        // No word of an end: something does not end.
        (outcome.unwrap_or_else(|| lost(may_run)), survivors.unwrap_or(1))
    }
}

/// Waits for what ends a command before it ends by itself.
async fn interruption(limit: Option<Duration>, cancel: &CancellationToken) -> Outcome {
    let limit = async {
        match limit {
            Some(limit) => tokio::time::sleep(limit).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        () = limit => Outcome::TimedOut,
        () = cancel.cancelled() => Outcome::Cancelled,
    }
}

fn not_started(error: &std::io::Error) -> (Outcome, u32) {
    (Outcome::CouldNotStart(Obstacle::Process(error.to_string())), 0)
}

fn lost(may_have_run: bool) -> Outcome {
    if may_have_run {
        Outcome::Lost
    } else {
        Outcome::CouldNotStart(Obstacle::Watchdog("it ended at once".into()))
    }
}

/// An output, piece by piece.
struct Reader<R> {
    pipe: Option<R>,
    piece: Vec<u8>,
}

impl<R: AsyncRead + Unpin> Reader<R> {
    fn new(pipe: R) -> Self {
        Self { pipe: Some(pipe), piece: vec![0; PIECE] }
    }

    fn is_open(&self) -> bool {
        self.pipe.is_some()
    }

    /// Can be dropped at any point without losing a byte. Empty at the end.
    async fn next(&mut self) -> &[u8] {
        let Some(pipe) = &mut self.pipe else { return &[] };
        // A pipe that cannot be read any more has ended for us.
        let length = pipe.read(&mut self.piece).await.unwrap_or(0);
        if length == 0 {
            self.pipe = None;
        }
        &self.piece[..length]
    }
}

/// Takes what lies in the pipe, which holds a few pieces at most; more is of a process that was given up.
fn drain(reader: &mut Reader<impl AsyncRead + Unpin>, mut output: impl FnMut(&[u8])) {
    for _ in 0..16 {
        match reader.next().now_or_never() {
            Some(piece) if !piece.is_empty() => output(piece),
            _ => return,
        }
    }
}

/// Both outputs of a command while it runs.
#[derive(Debug)]
pub(crate) struct Outputs {
    stdout: (Capture, Decoder),
    stderr: (Capture, Decoder),
}

impl Outputs {
    pub(crate) fn new() -> Self {
        let fresh = || (Capture::new(), Decoder::default());
        Self { stdout: fresh(), stderr: fresh() }
    }

    /// Keeps `bytes`; what of them can be shown by now.
    pub(crate) fn push(&mut self, source: Source, bytes: &[u8]) -> String {
        let (capture, decoder) = match source {
            Source::Stdout => &mut self.stdout,
            Source::Stderr => &mut self.stderr,
        };
        capture.push(bytes);
        decoder.push(bytes)
    }

    /// Beginnings of characters that never were completed.
    pub(crate) fn rest(&mut self) -> impl Iterator<Item = (Source, String)> {
        let rest = [
            (Source::Stdout, std::mem::take(&mut self.stdout.1).end()),
            (Source::Stderr, std::mem::take(&mut self.stderr.1).end()),
        ];
        rest.into_iter().filter(|(_, text)| !text.is_empty())
    }

    pub(crate) fn captured(&self) -> (Captured, Captured) {
        fit(self.stdout.0.captured(), self.stderr.0.captured())
    }
}

/// The end of a command, and what is needed to understand its output.
pub(crate) struct End {
    outcome: Outcome,
    survivors: u32,
    took: Duration,
    folder: PathBuf,
    walls: Option<Walls>,
}

struct Walls {
    /// Where the command could write.
    open: Vec<PathBuf>,
    /// Goes with this value, when nothing runs any more.
    _temporary: TempDir,
}

impl End {
    pub(crate) fn finished(self, outputs: &Outputs) -> Finished {
        let (stdout, stderr) = outputs.captured();
        let blocked = self.blocked(&stdout, &stderr);
        Finished {
            outcome: self.outcome,
            stdout,
            stderr,
            took: self.took,
            survivors: self.survivors,
            blocked,
        }
    }

    fn blocked(&self, stdout: &Captured, stderr: &Captured) -> Vec<Blocked> {
        let Some(walls) = &self.walls else { return Vec::new() };
        let is_open = |path: &Path| walls.open.iter().any(|folder| path.starts_with(folder));
        let mut blocked = recognise(&stderr.text(), &self.folder, is_open, could_write);
        // Programs that say their errors on the wrong output count when they failed.
        if blocked.is_empty() && !self.outcome.is_success() {
            blocked = recognise(&stdout.text(), &self.folder, is_open, could_write);
        }
        blocked
    }
}

/// Whether the user may write `path`, or make it in the nearest folder that is there.
#[cfg(unix)]
fn could_write(path: &Path) -> bool {
    path.ancestors()
        .find(|path| path.symlink_metadata().is_ok())
        .is_some_and(|path| rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok())
}

#[cfg(not(unix))]
fn could_write(_path: &Path) -> bool {
    false
}
