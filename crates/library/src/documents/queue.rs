//! The documents that the index waits for, read one after the other beside everything else. Notes come
//! first: while a folder is being scanned no document is begun.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use orangery_domain::{FileId, KbId, ScanPhase, Warning};
use orangery_extract::{Document, document};
use orangery_store::table::file::{self, Content, FileRow};
use orangery_store::table::{chunk, link};
use tokio::sync::{Notify, watch};
use tokio::task::{AbortHandle, JoinSet};

use super::{chosen, is_last_word, may_pass, title};
use crate::chunk::document_chunks;
use crate::extractor::{DOCUMENT_LIMIT, Urgency};
use crate::index::writer::Order;
use crate::ingest::with_passages;
use crate::{Error, Fact, Inner, Result, trouble};

/// What is read and what is next.
#[derive(Debug)]
pub struct Queue {
    wake: Notify,
    state: Mutex<State>,
    /// Raised whenever a document was dealt with.
    done: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct State {
    /// Somebody waits for these.
    asked: VecDeque<FileId>,
    at_work: HashMap<FileId, (KbId, AbortHandle)>,
    told: Option<Instant>,
}

/// Lists of files are looked at again at most this often while documents are read.
const TELL_EVERY: Duration = Duration::from_millis(500);

impl Default for Queue {
    fn default() -> Self {
        Self { wake: Notify::new(), state: Mutex::default(), done: watch::Sender::new(0) }
    }
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// There may be something to do, or something not to be done any more.
    pub fn look(&self) {
        self.wake.notify_one();
    }

    /// This one before the others.
    pub fn ask_for(&self, id: FileId) {
        let mut state = self.state();
        if !state.asked.contains(&id) {
            state.asked.push_back(id);
        }
        drop(state);
        self.look();
    }
}

/// Runs until the library is closed.
pub async fn run(inner: Arc<Inner>) {
    let Some(extractor) = inner.documents.extractor.clone() else { return };
    let queue = &inner.documents.queue;
    let mut jobs = JoinSet::new();
    loop {
        inner.drop_stopped();
        while jobs.len() < extractor.workers()
            && let Some(row) = inner.next_document()
        {
            let (id, kb) = (row.id, row.kb_id);
            let reading = Arc::clone(&inner);
            let handle = jobs.spawn(async move { (Arc::clone(&row), reading.read_waiting(&row).await) });
            queue.state().at_work.insert(id, (kb, handle));
        }
        tokio::select! {
            () = inner.cancel.cancelled() => break,
            () = queue.wake.notified() => {}
            Some(ended) = jobs.join_next_with_id(), if !jobs.is_empty() => {
                let (task, result) = match ended {
                    Ok((task, result)) => (task, Some(result)),
                    Err(error) => (error.id(), None),
                };
                queue.state().at_work.retain(|_, (_, handle)| handle.id() != task);
                if let Some((row, result)) = result {
                    inner.document_done(&row, result);
                }
                queue.done.send_modify(|done| *done += 1);
            }
        }
    }
    extractor.close();
    jobs.shutdown().await;
}

impl Inner {
    /// Waits until no document waits that could be read now.
    pub(crate) async fn documents_settled(&self) {
        let mut done = self.documents.queue.done.subscribe();
        while self.documents.extractor.is_some() && self.documents_wait() {
            tokio::select! {
                changed = done.changed() => if changed.is_err() { return },
                () = self.cancel.cancelled() => return,
                // Scans and pauses end without a document.
                () = tokio::time::sleep(TELL_EVERY) => {}
            }
        }
    }

    fn documents_wait(&self) -> bool {
        let mut ready = self.ready();
        ready.retain(|kb| !self.is_held(*kb));
        let files = self.catalog.read();
        files.waiting().iter().any(|id| files.row(*id).is_some_and(|row| ready.contains(&row.kb_id)))
    }

    /// Knowledge bases whose documents may be read. Asked before the catalog is held, never while.
    fn ready(&self) -> HashSet<KbId> {
        let reachable = |kb: &KbId| self.state(*kb, |state| !state.offline).unwrap_or(false);
        self.kb_ids().into_iter().filter(|kb| !self.stopped(*kb) && reachable(kb)).collect()
    }

    /// The next document to read.
    fn next_document(&self) -> Option<Arc<FileRow>> {
        let (ready, scanning) = (self.ready(), self.is_scanning());
        let held: HashSet<KbId> = ready.iter().copied().filter(|kb| self.is_held(*kb)).collect();
        let mut state = self.documents.queue.state();
        let files = self.catalog.read();
        let waiting = |id: FileId| {
            let row = files.waiting().contains(&id).then(|| files.row(id)).flatten();
            row.filter(|row| ready.contains(&row.kb_id))
        };
        while let Some(id) = state.asked.pop_front() {
            if let Some(row) = waiting(id)
                && !state.at_work.contains_key(&id)
            {
                return Some(Arc::clone(row));
            }
        }
        if scanning {
            return None;
        }
        let next = files.waiting().iter().filter(|id| !state.at_work.contains_key(id));
        next.filter_map(|id| waiting(*id)).find(|row| !held.contains(&row.kb_id)).cloned()
    }

    fn is_scanning(&self) -> bool {
        self.kb_ids()
            .into_iter()
            .any(|kb| self.state(kb, |state| state.scan.phase == ScanPhase::Scanning).unwrap_or(false))
    }

    /// Ends what is read of knowledge bases that were paused or forgotten.
    fn drop_stopped(&self) {
        self.drop_documents(|kb| self.stopped(kb));
    }

    /// Ends what is read of some knowledge bases; it waits again.
    pub(crate) fn drop_documents(&self, of: impl Fn(KbId) -> bool) {
        for (kb, handle) in self.documents.queue.state().at_work.values() {
            if of(*kb) {
                handle.abort();
            }
        }
    }

    fn document_done(&self, row: &FileRow, result: Result<()>) {
        if let Err(error) = result {
            // Tried again after the next change, or at the next start.
            tracing::warn!(%error, path = %row.path, "a document is not read");
            self.catalog.write().give_up(row.id, row.kb_id);
        }
        let last = self.catalog.read().counts(row.kb_id).waiting == 0;
        {
            let mut state = self.documents.queue.state();
            if !last && state.told.is_some_and(|at| at.elapsed() < TELL_EVERY) {
                return;
            }
            state.told = Some(Instant::now());
        }
        (self.notify)(Fact::Files(row.kb_id));
        self.tell_scan(row.kb_id, last);
    }

    /// Reads one document and stores what came of it.
    async fn read_waiting(self: &Arc<Self>, row: &Arc<FileRow>) -> Result<()> {
        self.change_state(row.kb_id, |state| state.scan.current = Some(row.path.to_string()));
        let root = self.open_root(row.kb_id, false)?;
        let path = row.path.clone();
        let looked = tokio::task::spawn_blocking(move || {
            let checked = root.resolve(&path)?;
            let meta = checked.metadata()?;
            let bytes = if meta.size > DOCUMENT_LIMIT { None } else { Some(checked.read()?) };
            Ok::<_, orangery_store::Error>(bytes)
        });
        let bytes = match looked.await.map_err(|_| Error::Closed)? {
            Ok(looked) => looked,
            // What is gone, or gave no answer, is the scan's to tell.
            Err(error) if error.is_no_answer() || error.kind() == orangery_domain::ErrorKind::NotFound => {
                return Err(error.into());
            }
            Err(error) => {
                let trouble = trouble::UNREADABLE.of(error.code());
                return self.store_document(row, None, &refused(trouble)).await;
            }
        };
        let Some(bytes) = bytes else {
            let trouble = trouble::TOO_LARGE.of((DOCUMENT_LIMIT >> 20).to_string());
            return self.store_document(row, None, &refused(trouble)).await;
        };
        let mut subject = self.subject(bytes, row.kind, row.path.name(), chosen(row)).await?;
        let hash = Some(subject.hash);
        if row.hash == hash && row.read_version == document::VERSION {
            return self.unchanged_document(row).await;
        }
        subject.password = self.password(subject.hash).await;
        let read = self.extracted(&subject, Urgency::Whenever).await;
        let document = match read {
            Ok(document) if may_pass(&document) => {
                return Err(Error::NoReader(format!("{:?}", document.trouble)));
            }
            Ok(document) => document,
            Err(fault) => match fault.trouble().filter(is_last_word) {
                Some(trouble) => Arc::new(refused(trouble)),
                None => return Err(fault.into()),
            },
        };
        self.store_document(row, hash, &document).await
    }

    /// The bytes are those that were read before.
    async fn unchanged_document(&self, row: &FileRow) -> Result<()> {
        let _rows = self.rows.lock().await;
        let Some(current) = self.current(row) else { return Ok(()) };
        let mut tx = self.db.write().await?;
        file::set_read(&mut tx, row.id, current.read_version, &current.warnings).await?;
        tx.commit().await.map_err(orangery_store::Error::from)?;
        self.catalog.write().put(FileRow { waits: false, ..current });
        Ok(())
    }

    /// The row as it is now, unless its file changed meanwhile: then it waits again, or is gone.
    fn current(&self, row: &FileRow) -> Option<FileRow> {
        let files = self.catalog.read();
        let current = files.row(row.id)?;
        (current.kind == row.kind && current.stamp() == row.stamp()).then(|| FileRow::clone(current))
    }

    async fn store_document(
        self: &Arc<Self>,
        row: &FileRow,
        hash: Option<orangery_domain::ContentHash>,
        document: &Document,
    ) -> Result<()> {
        // Cut before anything is locked: a book takes a while.
        let chunks = document_chunks(document);
        let _rows = self.rows.lock().await;
        let Some(mut current) = self.current(row) else { return Ok(()) };
        let content = Content {
            stamp: current.stamp(),
            hash,
            encoding: chosen(&current),
            title: title(document, current.path.stem()),
            tags: Vec::new(),
            trouble: document.trouble.clone(),
        };
        let mut tx = self.db.write().await?;
        current.generation = file::update(&mut tx, row.id, &content).await?;
        file::set_read(&mut tx, row.id, document::VERSION, &document.warnings).await?;
        chunk::replace(&mut tx, row.id, &chunks).await?;
        // What a document links to is shown with it; links between notes are kept, and no document is
        // written anew when a note moves.
        link::replace(&mut tx, row.id, &[]).await?;
        tx.commit().await.map_err(orangery_store::Error::from)?;
        (current.hash, current.title, current.trouble) = (content.hash, content.title, content.trouble);
        (current.read_version, current.warnings) = (document::VERSION, document.warnings.clone());
        // If it was changed on the way, the next look at the disk finds that its time is another one.
        current.waits = false;
        let text = with_passages(&current, &chunks);
        let more = self.catalog.read().counts(row.kb_id).waiting > 1;
        self.change_state(row.kb_id, |state| state.scan.pages += document.pages.len() as u64);
        self.catalog.write().put(current);
        self.order(Order::Put { files: vec![text], more }).await
    }
}

fn refused(trouble: Warning) -> Document {
    Document { trouble: Some(trouble), ..Document::default() }
}
