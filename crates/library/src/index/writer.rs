//! The one thread that writes the index. It takes whole files, commits in batches, and tells the
//! database how far the index is only after a commit: whatever was lost is fed again at the next start.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use orangery_domain::FileId;
use tantivy::{IndexWriter, TantivyDocument, Term};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

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
    /// A question made the index fail: build it anew.
    Distrust,
}

/// What the writer tells.
pub enum News {
    /// The index was opened and holds these files (sorted); everything else must be fed.
    Opened(Vec<FileId>),
    /// The index is empty and must be fed all over.
    Emptied,
    /// These files are searchable as of these generations.
    Committed(Vec<(FileId, i64)>),
    /// Nothing can be written now; it will be tried again with the next order.
    Failed,
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
        dirty_since: None,
        more: false,
        retry_at: None,
    };
    thread.open();
    let mut quiet_since = Instant::now();
    while !cancel.is_cancelled() {
        let patience = match thread.dirty_since {
            Some(since) if thread.more => COMMIT_EVERY.saturating_sub(since.elapsed()),
            Some(_) => COMMIT_AFTER.saturating_sub(quiet_since.elapsed()),
            None => LOOK_UP,
        };
        match orders.recv_timeout(patience.min(LOOK_UP)) {
            Ok(order) => {
                thread.obey(order);
                quiet_since = Instant::now();
            }
            Err(RecvTimeoutError::Timeout) if patience <= LOOK_UP => thread.commit(),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    thread.commit();
}

/// What a single save waits for company.
const COMMIT_AFTER: Duration = Duration::from_millis(60);
/// A stream of orders is committed at least this often.
const COMMIT_EVERY: Duration = Duration::from_secs(3);
/// Bytes that tantivy gathers before it writes a segment, over all its threads.
const MEMORY: usize = 96 << 20;
/// How often an idle thread looks whether it should end.
const LOOK_UP: Duration = Duration::from_millis(200);
/// How long a fault is left alone.
pub const RETRY_AFTER: Duration = Duration::from_secs(5);

struct Thread<'a, T> {
    folder: PathBuf,
    shared: &'a Shared,
    tell: T,
    writer: Option<(OpenIndex, IndexWriter)>,
    uncommitted: Vec<(FileId, i64)>,
    dirty_since: Option<Instant>,
    more: bool,
    retry_at: Option<Instant>,
}

impl<T: Fn(News)> Thread<'_, T> {
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
        self.dirty_since = None;
    }

    fn fail(&mut self, reason: String) {
        tracing::warn!(reason, "the index cannot be written");
        // What is readable stays readable.
        self.writer = None;
        self.uncommitted.clear();
        self.dirty_since = None;
        self.retry_at = Some(Instant::now() + RETRY_AFTER);
        (self.tell)(News::Failed);
    }

    fn obey(&mut self, order: Order) {
        if self.writer.is_none() && self.retry_at.is_some_and(|at| at <= Instant::now()) {
            self.open();
        }
        match order {
            Order::Put { files, more } => {
                self.more = more;
                self.put(files);
            }
            Order::Remove(files) => {
                if let Some((opened, writer)) = &self.writer {
                    for file in &files {
                        writer.delete_term(term(opened.fields.file, *file));
                    }
                    self.dirty_since.get_or_insert_with(Instant::now);
                }
            }
            Order::Flush(done) => {
                self.commit();
                // Whoever asked may have gone.
                let _ = done.send(());
            }
            Order::Distrust => self.rebuild("a question made it fail"),
        }
        if self.dirty_since.is_some_and(|since| since.elapsed() >= COMMIT_EVERY) {
            self.commit();
        }
    }

    fn put(&mut self, files: Vec<FileText>) {
        let Some((opened, writer)) = &self.writer else {
            // Not fed now; the rows stay behind and are fed when the index opens.
            return;
        };
        let mut added = Ok(());
        for file in &files {
            added = add(opened, writer, file);
            if added.is_err() {
                break;
            }
        }
        match added {
            Ok(()) => {
                self.uncommitted.extend(files.iter().map(|file| (file.file, file.generation)));
                self.dirty_since.get_or_insert_with(Instant::now);
            }
            Err(error) => self.fail(error.to_string()),
        }
    }

    fn commit(&mut self) {
        if self.dirty_since.take().is_none() {
            return;
        }
        let Some((opened, writer)) = &mut self.writer else {
            return;
        };
        match writer.commit().and_then(|_| opened.reader.reload()) {
            Ok(()) => (self.tell)(News::Committed(std::mem::take(&mut self.uncommitted))),
            Err(error) => self.fail(error.to_string()),
        }
    }
}

fn term(field: tantivy::schema::Field, file: FileId) -> Term {
    Term::from_field_u64(field, file.0.cast_unsigned())
}

fn add(opened: &OpenIndex, writer: &IndexWriter, file: &FileText) -> tantivy::Result<()> {
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
