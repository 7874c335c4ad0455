//! The one thread that writes the index. It takes whole files, commits in batches, and tells the
//! database how far the index is only after a commit: whatever was lost is fed again at the next start.

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use orangery_domain::FileId;
use tantivy::{IndexWriter, TantivyDocument, Term};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::stop::{self, Point};

use super::{OpenError, OpenIndex, create, files_in, open};

/// What search reads: `None` until the index is open, and after it failed.
pub type Shared = Arc<RwLock<Option<OpenIndex>>>;

/// The searchable text of one file.
#[derive(Debug, Clone)]
pub struct FileText {
    pub file: FileId,
    /// What the row will say is indexed.
    pub generation: i64,
    pub title: String,
    pub path: String,
    pub tags: Vec<String>,
    /// Absent: the passages stay as they are.
    pub passages: Option<Vec<PassageText>>,
}

#[derive(Debug, Clone)]
pub struct PassageText {
    pub headings: String,
    pub body: String,
}

pub enum Order {
    /// `more` is coming at once: a commit can wait for it.
    Put {
        files: Vec<FileText>,
        more: bool,
    },
    Remove(Vec<FileId>),
    /// Commit now and answer.
    Flush(oneshot::Sender<()>),
    /// A question found the index damaged: build it anew.
    Distrust,
    /// A question broke off, which may be the index's fault: look at all of it.
    Doubt,
}

/// What the writer tells.
pub enum News {
    /// The index was opened and holds these files (sorted); everything else must be fed.
    Opened(Vec<FileId>),
    /// The index is empty and must be fed all over.
    Emptied,
    /// These files are searchable as of these generations.
    Committed(Vec<(FileId, i64)>),
    /// Nothing can be written now, for this reason; it will be tried again with the next order.
    Failed(String),
}

/// Runs until the orders end or `cancel` says so, on a thread of its own. `tell` may block: the next order
/// waits for it.
pub fn run(
    folder: PathBuf,
    shared: &Shared,
    orders: &Receiver<Order>,
    cancel: &CancellationToken,
    tell: impl Fn(News),
) {
    let mut thread = Thread {
        folder,
        shared,
        tell,
        writer: None,
        uncommitted: Vec::new(),
        pace: Pace::default(),
        retry_at: None,
    };
    thread.unless_it_panics(Thread::open);
    while !cancel.is_cancelled() {
        let patience = thread.pace.left(Instant::now()).map_or(LOOK_UP, |left| left.min(LOOK_UP));
        match orders.recv_timeout(patience) {
            Ok(order) => thread.unless_it_panics(|thread| thread.obey(order)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if thread.pace.left(Instant::now()) == Some(Duration::ZERO) {
            thread.unless_it_panics(Thread::commit);
        }
    }
    thread.unless_it_panics(Thread::commit);
}

/// What a save waits for company, when it is not the first for a while.
const COMMIT_AFTER: Duration = Duration::from_millis(60);
/// After this long without a commit, a save waits for nobody.
const REST: Duration = Duration::from_millis(500);
/// A stream of orders is committed at least this often.
const COMMIT_EVERY: Duration = Duration::from_secs(3);
/// Bytes that tantivy gathers before it writes a segment, over all its threads.
const MEMORY: usize = 96 << 20;
/// How often an idle thread looks whether it should end.
const LOOK_UP: Duration = Duration::from_millis(200);
/// How long a fault is left alone.
pub const RETRY_AFTER: Duration = Duration::from_secs(5);

/// When to commit. A commit costs the same for one file as for a hundred: a file that was saved alone is
/// searchable at once, and of a stream no more than half of the time goes to commits.
#[derive(Debug, Default)]
struct Pace {
    due: Option<Instant>,
    /// When the last commit ended, and what it took.
    last: Option<(Instant, Duration)>,
}

impl Pace {
    /// Something is to be committed; with `more` the rest of it is on its way.
    fn ordered(&mut self, now: Instant, more: bool) {
        let wait = match self.last {
            _ if more => COMMIT_EVERY,
            Some((ended, took)) if now.saturating_duration_since(ended) < REST => COMMIT_AFTER.max(took),
            _ => Duration::ZERO,
        };
        let at = now + wait;
        self.due = Some(self.due.map_or(at, |due| due.min(at)));
    }

    /// How long to wait; `None` when there is nothing to commit.
    fn left(&self, now: Instant) -> Option<Duration> {
        self.due.map(|due| due.saturating_duration_since(now))
    }

    fn committed(&mut self, began: Instant, now: Instant) {
        self.due = None;
        self.last = Some((now, now.saturating_duration_since(began)));
    }
}

struct Thread<'a, T> {
    folder: PathBuf,
    shared: &'a Shared,
    tell: T,
    writer: Option<(OpenIndex, IndexWriter)>,
    uncommitted: Vec<(FileId, i64)>,
    pace: Pace,
    retry_at: Option<Instant>,
}

impl<T: Fn(News)> Thread<'_, T> {
    /// Damage that appears while the index is in use may make it panic: it is opened again later, which
    /// looks at all of it, and the orders go on being taken.
    fn unless_it_panics(&mut self, act: impl FnOnce(&mut Self)) {
        if std::panic::catch_unwind(AssertUnwindSafe(|| act(self))).is_err() {
            self.fail("the index panicked".into());
        }
    }

    fn open(&mut self) {
        match open(&self.folder) {
            Ok(opened) => match files_in(&opened.reader.searcher()) {
                Ok(files) => {
                    if self.take(opened) {
                        (self.tell)(News::Opened(files));
                    }
                }
                Err(error) => self.rebuild(&error.to_string()),
            },
            Err(OpenError::Rebuild(reason)) => self.rebuild(&reason),
            Err(OpenError::Unavailable(reason)) => self.fail(reason),
        }
    }

    /// Opens the index again, which reads all of it; only what is damaged is built anew. Questions are
    /// answered meanwhile.
    fn check(&mut self) {
        self.commit();
        if self.writer.take().is_some() {
            self.open();
        }
    }

    fn rebuild(&mut self, reason: &str) {
        tracing::info!(reason, "building the index anew");
        self.close();
        match create(&self.folder) {
            Ok(opened) => {
                if self.take(opened) {
                    (self.tell)(News::Emptied);
                }
            }
            Err(error) => self.fail(error.to_string()),
        }
    }

    fn take(&mut self, opened: OpenIndex) -> bool {
        let threads = std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).clamp(1, 4));
        match opened.index.writer_with_num_threads(threads, MEMORY) {
            Ok(writer) => {
                self.publish(Some(opened.clone()));
                self.writer = Some((opened, writer));
                self.retry_at = None;
                true
            }
            Err(error) => {
                self.fail(error.to_string());
                false
            }
        }
    }

    fn publish(&self, opened: Option<OpenIndex>) {
        if let Ok(mut shared) = self.shared.write() {
            *shared = opened;
        }
    }

    fn close(&mut self) {
        self.publish(None);
        // Dropped, never rolled back: after an I/O error the writer is in no state to do anything.
        self.writer = None;
        self.uncommitted.clear();
        self.pace.due = None;
    }

    fn fail(&mut self, reason: String) {
        // What is readable stays readable.
        self.writer = None;
        self.uncommitted.clear();
        self.pace.due = None;
        self.retry_at = Some(Instant::now() + RETRY_AFTER);
        (self.tell)(News::Failed(reason));
    }

    fn obey(&mut self, order: Order) {
        if self.writer.is_none() && self.retry_at.is_some_and(|at| at <= Instant::now()) {
            self.open();
        }
        match order {
            Order::Put { files, more } => self.put(files, more),
            Order::Remove(files) => {
                if let Some((opened, writer)) = &self.writer {
                    for file in &files {
                        writer.delete_term(term(opened.fields.file, *file));
                    }
                    stop::point(Point::Dropped);
                    self.pace.ordered(Instant::now(), false);
                }
            }
            Order::Flush(done) => {
                self.commit();
                // Whoever asked may have gone.
                let _ = done.send(());
            }
            Order::Distrust => self.rebuild("a question found it damaged"),
            Order::Doubt => self.check(),
        }
    }

    fn put(&mut self, files: Vec<FileText>, more: bool) {
        let Some((opened, writer)) = &self.writer else {
            // Not fed now; the rows stay behind and are fed when the index opens.
            return;
        };
        let mut added = Ok(());
        for file in &files {
            added = add(opened, writer, file);
            stop::point(Point::Added);
            if added.is_err() {
                break;
            }
        }
        match added {
            Ok(()) => {
                self.uncommitted.extend(files.iter().map(|file| (file.file, file.generation)));
                // No files: those before were the last.
                if !files.is_empty() || self.pace.due.is_some() {
                    self.pace.ordered(Instant::now(), more);
                }
            }
            Err(error) => self.fail(error.to_string()),
        }
    }

    fn commit(&mut self) {
        if self.pace.due.take().is_none() {
            return;
        }
        let Some((opened, writer)) = &mut self.writer else {
            return;
        };
        let began = Instant::now();
        stop::point(Point::BeforeCommit);
        match writer.commit().and_then(|_| opened.reader.reload()) {
            Ok(()) => {
                stop::point(Point::Committed);
                self.pace.committed(began, Instant::now());
                (self.tell)(News::Committed(std::mem::take(&mut self.uncommitted)));
            }
            Err(error) => self.fail(error.to_string()),
        }
    }
}

fn term(field: tantivy::schema::Field, file: FileId) -> Term {
    Term::from_field_u64(field, file.0.cast_unsigned())
}

/// Adds a file in place of what is there of it.
pub fn add(opened: &OpenIndex, writer: &IndexWriter, file: &FileText) -> tantivy::Result<()> {
    let fields = &opened.fields;
    let id = file.file.0.cast_unsigned();
    writer.delete_term(match file.passages {
        Some(_) => term(fields.file, file.file),
        None => term(fields.names_of, file.file),
    });
    let mut names = TantivyDocument::default();
    names.add_u64(fields.file, id);
    names.add_u64(fields.names_of, id);
    names.add_u64(fields.part, 0);
    names.add_text(fields.title, &file.title);
    names.add_text(fields.path, &file.path);
    for tag in &file.tags {
        names.add_text(fields.tags, tag);
    }
    writer.add_document(names)?;
    for (ordinal, passage) in file.passages.iter().flatten().enumerate() {
        let mut document = TantivyDocument::default();
        document.add_u64(fields.file, id);
        document.add_u64(fields.part, ordinal as u64 + 1);
        if !passage.headings.is_empty() {
            document.add_text(fields.headings, &passage.headings);
        }
        document.add_text(fields.body, &passage.body);
        writer.add_document(document)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_save_after_a_rest_is_committed_at_once_and_a_stream_at_intervals() {
        let start = Instant::now();
        let after = |millis| start + Duration::from_millis(millis);
        let mut pace = Pace::default();
        assert_eq!(pace.left(start), None);
        pace.ordered(start, false);
        assert_eq!(pace.left(start), Some(Duration::ZERO));
        pace.committed(start, after(10));
        assert_eq!(pace.left(after(10)), None);
        // The next ones of a stream wait for each other, counted from the first.
        pace.ordered(after(20), false);
        pace.ordered(after(70), false);
        assert_eq!(pace.left(after(70)), Some(Duration::from_millis(10)));
        // On a slow disk as long as a commit takes.
        pace.committed(after(80), after(280));
        pace.ordered(after(290), false);
        assert_eq!(pace.left(after(290)), Some(Duration::from_millis(200)));
    }

    #[test]
    fn a_save_does_not_wait_for_the_end_of_a_scan() {
        let start = Instant::now();
        let mut pace = Pace::default();
        pace.ordered(start, true);
        assert_eq!(pace.left(start), Some(COMMIT_EVERY));
        pace.ordered(start, false);
        pace.ordered(start, true);
        assert_eq!(pace.left(start), Some(Duration::ZERO));
    }
}
