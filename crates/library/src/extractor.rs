//! Documents are read in processes of our own binary: whatever a file does to its reader, it does it there.
//!
//! A worker holds one document at a time and is ended when it takes too long, when nobody waits for its
//! answer any more, or when it was idle for a while. One that dies is the file's fault only after it has said
//! hello.

pub mod reader;
pub mod wire;
pub mod worker;

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use orangery_domain::{ContentHash, FileKind, PageWord, RowPage, Warning};
use orangery_extract::Document;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::Semaphore;

use crate::trouble;
use wire::{Answer, HELLO, Pixels, Question, Work};

/// Larger documents are listed and not read.
pub const DOCUMENT_LIMIT: u64 = 256 << 20;
/// More processes than this do not help: the disk and the database are shared.
const MOST_WORKERS: usize = 4;
/// A document may be read for so long, and one answer to a viewer may take so long.
const READ_TIME: Duration = Duration::from_secs(180);
const LOOK_TIME: Duration = Duration::from_secs(60);
/// A loaded machine starts a process within this.
const START_TIME: Duration = Duration::from_secs(30);
const IDLE: Duration = Duration::from_secs(60);
/// Bytes that come back behind an answer: a picture.
const LARGEST_ANSWER: u64 = 256 << 20;

/// How a worker is started.
#[derive(Debug, Clone)]
pub struct WorkerCommand {
    pub program: PathBuf,
    pub arguments: Vec<String>,
    /// How long a document may be read.
    pub patience: Duration,
}

impl WorkerCommand {
    /// A program whose main calls [`worker::serve`] when it is called with these arguments.
    pub fn new(program: PathBuf, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        Self { program, arguments, patience: READ_TIME }
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// No worker can be had; nothing is wrong with the document.
    #[error("no process that reads documents can be started: {0}")]
    NoWorker(String),
    /// The worker died of the document.
    #[error("reading the document ended the process that did it")]
    Crashed,
    #[error("the document took too long to read")]
    TooSlow,
    /// The reader says why.
    #[error("{} {}", .0.code, .0.detail)]
    Trouble(Warning),
    #[error("the app is closing")]
    Closed,
}

impl Fault {
    /// What is wrong with the document, where something is.
    pub fn trouble(&self) -> Option<Warning> {
        match self {
            Self::Crashed => Some(trouble::CRASHED.of("")),
            Self::TooSlow => Some(trouble::TOO_SLOW.of("")),
            Self::Trouble(trouble) => Some(trouble.clone()),
            Self::NoWorker(_) | Self::Closed => None,
        }
    }
}

/// A document to ask about.
#[derive(Debug, Clone)]
pub struct Subject {
    pub bytes: Arc<Vec<u8>>,
    /// Of the bytes.
    pub hash: ContentHash,
    pub kind: FileKind,
    pub name: String,
    pub password: Option<String>,
    pub encoding: Option<String>,
}

/// A picture as a model is to see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// `image/png` and the like.
    pub media_type: String,
    pub width: u32,
    pub height: u32,
    pub bytes: Vec<u8>,
}

/// Who waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// A person, or a model.
    Now,
    /// The index.
    Whenever,
}

/// The pool. Cheap to clone.
#[derive(Clone)]
pub struct Extractor(Arc<Pool>);

struct Pool {
    command: WorkerCommand,
    /// Workers that read for the index at once.
    whenever: Semaphore,
    /// Those that a person waits for come beside them.
    now: Semaphore,
    workers: usize,
    /// The one used last is at the back.
    idle: Mutex<VecDeque<(Worker, Instant)>>,
}

struct Worker {
    // Dropped with the worker, which ends the process.
    _child: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// The document whose bytes it has.
    holds: Option<ContentHash>,
    /// Whom it was started for, which decides what it takes of the processor.
    urgency: Urgency,
}

impl Extractor {
    /// Starts nothing before it is asked.
    pub fn new(command: WorkerCommand) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let workers = cores.clamp(1, MOST_WORKERS);
        let pool = Arc::new(Pool {
            command,
            whenever: Semaphore::new(workers),
            now: Semaphore::new(workers),
            workers,
            idle: Mutex::default(),
        });
        tokio::spawn(end_idle(Arc::downgrade(&pool)));
        Self(pool)
    }

    /// How many documents are read at once.
    pub fn workers(&self) -> usize {
        self.0.workers
    }

    /// Reads a document; what is wrong with it is in it.
    pub async fn read(&self, subject: &Subject, urgency: Urgency) -> Result<Document, Fault> {
        match self.ask(subject, Work::Read, urgency).await?.0 {
            Answer::Document(document) => Ok(*document),
            answer => Err(unexpected(answer)),
        }
    }

    /// The picture of a page, from 1, `width` pixels wide.
    pub async fn page(&self, subject: &Subject, page: u32, width: u32) -> Result<Vec<u8>, Fault> {
        match self.ask(subject, Work::Page { page, width }, Urgency::Now).await? {
            (Answer::Bytes, bytes) => Ok(bytes),
            (answer, _) => Err(unexpected(answer)),
        }
    }

    /// The words of a page, from 1, with their boxes.
    pub async fn words(&self, subject: &Subject, page: u32) -> Result<Vec<PageWord>, Fault> {
        match self.ask(subject, Work::Words { page }, Urgency::Now).await?.0 {
            Answer::Words(words) => Ok(words),
            answer => Err(unexpected(answer)),
        }
    }

    /// The bytes of a picture in a document.
    pub async fn picture(&self, subject: &Subject, id: &str) -> Result<Vec<u8>, Fault> {
        match self.ask(subject, Work::Picture { id: id.to_owned() }, Urgency::Now).await? {
            (Answer::Bytes, bytes) => Ok(bytes),
            (answer, _) => Err(unexpected(answer)),
        }
    }

    /// A picture made to fit.
    pub async fn pixels(&self, subject: &Subject, of: Pixels, edge: u32, most: usize) -> Result<Seen, Fault> {
        match self.ask(subject, Work::Pixels { of, edge, most }, Urgency::Now).await? {
            (Answer::Pixels { media_type, width, height }, bytes) => {
                Ok(Seen { media_type, width, height, bytes })
            }
            (answer, _) => Err(unexpected(answer)),
        }
    }

    /// Rows of a sheet, cell by cell.
    pub async fn rows(&self, subject: &Subject, sheet: u32, from: u32, limit: u32) -> Result<RowPage, Fault> {
        match self.ask(subject, Work::Rows { sheet, from, limit }, Urgency::Now).await?.0 {
            Answer::Rows(rows) => Ok(rows),
            answer => Err(unexpected(answer)),
        }
    }

    /// Ends every worker; whoever still asks is told so.
    pub fn close(&self) {
        self.0.whenever.close();
        self.0.now.close();
        self.0.idle().clear();
    }

    async fn ask(&self, of: &Subject, work: Work, urgency: Urgency) -> Result<(Answer, Vec<u8>), Fault> {
        let (turns, patience) = match (urgency, &work) {
            (Urgency::Whenever, _) => (&self.0.whenever, self.0.command.patience),
            (Urgency::Now, Work::Read) => (&self.0.now, self.0.command.patience),
            (Urgency::Now, _) => (&self.0.now, LOOK_TIME.min(self.0.command.patience)),
        };
        let _turn = turns.acquire().await.map_err(|_| Fault::Closed)?;
        let question = Question {
            hash: of.hash,
            kind: of.kind,
            name: of.name.clone(),
            password: of.password.clone(),
            encoding: of.encoding.clone(),
            sent: true,
            work,
        };
        if let Some(worker) = self.0.rested(of.hash, urgency) {
            let sent = worker.holds != Some(of.hash);
            let question = Question { sent, ..question.clone() };
            match self.0.put(worker, &question, &of.bytes, patience).await {
                // It may have died in its sleep: only a fresh one tells what the document does.
                Err(Fault::Crashed) => {}
                other => return other,
            }
        }
        let worker = self.0.start(urgency).await?;
        self.0.put(worker, &question, &of.bytes, patience).await
    }
}

/// A worker that answers something else than it was asked is as good as dead.
fn unexpected(answer: Answer) -> Fault {
    match answer {
        Answer::Trouble(trouble) => Fault::Trouble(trouble),
        _ => Fault::Crashed,
    }
}

impl Pool {
    fn idle(&self) -> MutexGuard<'_, VecDeque<(Worker, Instant)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An idle worker of this urgency, by preference the one that has the document.
    fn rested(&self, hash: ContentHash, urgency: Urgency) -> Option<Worker> {
        let mut idle = self.idle();
        let has = |(worker, _): &(Worker, Instant)| worker.urgency == urgency && worker.holds == Some(hash);
        let at = idle.iter().position(has);
        let at = at.or_else(|| idle.iter().rposition(|(worker, _)| worker.urgency == urgency))?;
        idle.remove(at).map(|(worker, _)| worker)
    }

    async fn start(&self, urgency: Urgency) -> Result<Worker, Fault> {
        let failed = |error: io::Error| Fault::NoWorker(error.to_string());
        let mut command = Command::new(&self.command.program);
        if urgency == Urgency::Whenever {
            command.env(worker::YIELDS, "1");
        }
        let mut child = command
            .args(&self.command.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // What a library prints about a damaged file is nobody's business.
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(failed)?;
        let (Some(input), Some(mut output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Fault::NoWorker("it has no pipes".into()));
        };
        let mut hello = [0; HELLO.len()];
        match tokio::time::timeout(START_TIME, output.read_exact(&mut hello)).await {
            Ok(Ok(_)) if hello == *HELLO => Ok(Worker { _child: child, input, output, holds: None, urgency }),
            Ok(Ok(_)) => Err(Fault::NoWorker("another program answers".into())),
            Ok(Err(error)) => Err(failed(error)),
            Err(_) => Err(Fault::NoWorker("it does not answer".into())),
        }
    }

    /// Puts a question to a worker, and the worker back when it has answered. Dropped on the way, or late,
    /// it ends with the question.
    async fn put(
        &self,
        mut worker: Worker,
        question: &Question,
        bytes: &[u8],
        patience: Duration,
    ) -> Result<(Answer, Vec<u8>), Fault> {
        let answered = tokio::time::timeout(patience, worker.answer(question, bytes)).await;
        match answered {
            Ok(Ok(answer)) => {
                if !self.now.is_closed() {
                    self.idle().push_back((worker, Instant::now()));
                }
                Ok(answer)
            }
            Ok(Err(error)) => {
                tracing::debug!(%error, name = question.name, "a worker died");
                Err(Fault::Crashed)
            }
            Err(_) => Err(Fault::TooSlow),
        }
    }
}

impl Worker {
    async fn answer(&mut self, question: &Question, bytes: &[u8]) -> io::Result<(Answer, Vec<u8>)> {
        let bytes = if question.sent { bytes } else { &[] };
        self.holds = Some(question.hash);
        let head = serde_json::to_vec(question).map_err(io::Error::other)?;
        self.input.write_all(&wire::lengths(&head, bytes)?).await?;
        self.input.write_all(&head).await?;
        self.input.write_all(bytes).await?;
        self.input.flush().await?;
        let mut frame = [0; 12];
        self.output.read_exact(&mut frame).await?;
        let (head_length, length) = wire::lengths_of(frame, LARGEST_ANSWER)?;
        let mut head = vec![0; head_length];
        self.output.read_exact(&mut head).await?;
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).await?;
        // A whole book takes a while to parse.
        let answer = tokio::task::spawn_blocking(move || serde_json::from_slice(&head)).await?;
        Ok((answer.map_err(io::Error::other)?, body))
    }
}

/// Ends workers that nobody needed for a while.
async fn end_idle(pool: Weak<Pool>) {
    let mut tick = tokio::time::interval(IDLE / 4);
    loop {
        tick.tick().await;
        let Some(pool) = pool.upgrade() else { return };
        pool.idle().retain(|(_, since)| since.elapsed() < IDLE);
    }
}

#[cfg(test)]
mod tests;
