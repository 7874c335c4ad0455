//! Carrying out a plan: read in parallel, store in batches, hand on to the index.

use std::collections::HashSet;
use std::sync::Arc;

use orangery_domain::text::Encoding;
use orangery_domain::{FileId, FileKind, FilePlace, KbId, KbPath};
use orangery_store::root::Root;
use orangery_store::table::file::{self, FileRow};
use orangery_store::table::{chunk, link};

use super::matching::{Plan, is_unread, take_by_hash};
use super::prepare::{Job, Outcome, Prepared, prepare};
use crate::index::writer::Order;
use crate::ingest::feed::{names_only, with_passages};
use crate::stop::{self, Point};
use crate::{Error, Fact, Inner, Result};

/// Files of one transaction.
const BATCH: usize = 256;
/// Bytes on disk of one batch, about: what is in memory at once is a small multiple.
const BATCH_BYTES: u64 = 8 << 20;

/// What one transaction stores.
struct Batch<'a> {
    prepared: Vec<Prepared>,
    /// Part of a look at everything.
    whole: bool,
    /// Another batch follows at once.
    more: bool,
    /// Rows on their way to another place.
    leaving: &'a HashSet<FileId>,
}

impl Inner {
    /// Carries out `plan`; `false` when it was paused or closed before the end.
    pub(super) async fn apply(
        self: &Arc<Self>,
        kb: KbId,
        root: &Root,
        plan: Plan,
        prior: Vec<Encoding>,
        whole: bool,
    ) -> Result<bool> {
        let Plan { jobs, mut missing, vacate } = plan;
        if !vacate.is_empty() {
            let mut tx = self.db.write().await?;
            for row in &vacate {
                file::vacate(&mut tx, *row).await?;
            }
            tx.commit().await.map_err(orangery_store::Error::from)?;
        }
        let leaving: HashSet<FileId> = vacate.into_iter().collect();
        let prior: Arc<[Encoding]> = prior.into();
        let mut batches = batches(jobs).into_iter();
        let start = |batch: Vec<Job>| {
            let (root, prior) = (root.clone(), Arc::clone(&prior));
            tokio::task::spawn_blocking(move || prepare_all(&root, batch, &prior))
        };
        let mut ahead = batches.next().map(start);
        while let Some(current) = ahead.take() {
            let prepared = current.await.map_err(|_| Error::Closed)?;
            if self.stopped(kb) {
                return Ok(false);
            }
            // The next batch is read while this one is stored.
            ahead = batches.next().map(start);
            let batch = Batch { prepared, whole, more: ahead.is_some(), leaving: &leaving };
            self.store(kb, batch, &mut missing).await?;
            if whole {
                self.serve_touched(kb, root, &prior, &leaving).await?;
            }
        }
        if !missing.is_empty() {
            self.remove(kb, missing).await?;
        }
        Ok(true)
    }

    /// Stores one batch in one transaction. Rows that turn up elsewhere leave `missing`.
    async fn store(&self, kb: KbId, batch: Batch<'_>, missing: &mut Vec<Arc<FileRow>>) -> Result<()> {
        let Batch { prepared: mut batch, whole, more, leaving } = batch;
        for prepared in &mut batch {
            if prepared.job.row.is_none() {
                // Saved through us while the scan was on its way here.
                prepared.job.row = self.row_at(kb, &prepared.job.found.path, leaving);
            }
            if prepared.job.row.is_none()
                && let Outcome::New(new) = &prepared.outcome
                && let Some(hash) = new.content.hash
            {
                prepared.job.row = take_by_hash(missing, &prepared.job, hash);
                // The same bytes under the same kind of name say the same.
                if prepared
                    .job
                    .row
                    .as_ref()
                    .is_some_and(|row| row.kind == FileKind::of_name(prepared.job.found.path.name()))
                {
                    prepared.outcome = Outcome::Same;
                }
            }
        }
        let _rows = self.rows.lock().await;
        let mut rows = Vec::new();
        let mut texts = Vec::new();
        let mut changed = Vec::new();
        let mut tx = self.db.write().await?;
        for prepared in batch {
            let path = prepared.job.found.path.clone();
            let stamp = prepared.stamp;
            let mut row = match (prepared.job.row.as_deref(), &prepared.outcome) {
                (_, Outcome::Gone) => continue,
                (None, Outcome::Same | Outcome::Waits | Outcome::Unread(_)) => continue,
                (Some(row), Outcome::Unread(trouble))
                    if row.path == path && row.trouble.as_ref() == Some(trouble) =>
                {
                    continue;
                }
                (Some(row), _) => row.clone(),
                (None, Outcome::New(new)) => {
                    let place = FilePlace { kb_id: kb, path: path.clone() };
                    let kind = FileKind::of_name(path.name());
                    let id = file::insert(&mut tx, &place, kind, &new.content).await?;
                    fresh(id, place, kind)
                }
            };
            let new_row = row.generation == 0;
            if row.path != path {
                // Whoever shows it looks where it went.
                changed.push((FilePlace { kb_id: kb, path: row.path.clone() }, None));
                if row.title == row.path.stem() {
                    row.title = path.stem().to_owned();
                }
                row.kind = FileKind::of_name(path.name());
                row.path = path;
                row.generation = file::relocate(&mut tx, row.id, &row.path, &row.title).await?;
                if matches!(prepared.outcome, Outcome::Same | Outcome::Waits | Outcome::Unread(_)) {
                    texts.push(if self.is_indexed(row.id) {
                        names_only(&row)
                    } else {
                        with_passages(&row, &chunk::of_file(self.db.reader(), row.id).await?)
                    });
                }
            }
            match prepared.outcome {
                Outcome::Gone => {}
                Outcome::Same => {
                    // Of a picture nothing is read here; whoever shows it has to look again.
                    if !row.kind.is_note() && !row.kind.is_document() && row.stamp() != stamp {
                        changed.push((FilePlace { kb_id: kb, path: row.path.clone() }, None));
                    }
                    file::restamp(&mut tx, row.id, stamp).await?;
                    if is_unread(&row) {
                        file::set_trouble(&mut tx, row.id, None).await?;
                        row.trouble = None;
                    }
                    (row.size, row.modified_ns, row.inode) = (stamp.size, stamp.modified_ns, stamp.inode);
                }
                Outcome::Unread(trouble) => {
                    file::set_trouble(&mut tx, row.id, Some(&trouble)).await?;
                    row.trouble = Some(trouble);
                }
                Outcome::Waits => {
                    file::restamp(&mut tx, row.id, stamp).await?;
                    file::await_reading(&mut tx, row.id).await?;
                    // Whoever shows it need not wait until it was read.
                    changed.push((FilePlace { kb_id: kb, path: row.path.clone() }, None));
                    (row.size, row.modified_ns, row.inode) = (stamp.size, stamp.modified_ns, stamp.inode);
                    row.waits = true;
                }
                Outcome::New(new) => {
                    if row.read_version > 0 {
                        // It was a document of another kind until now.
                        file::read_again(&mut tx, row.id).await?;
                        (row.read_version, row.warnings) = (0, Vec::new());
                    }
                    row.generation =
                        if new_row { 1 } else { file::update(&mut tx, row.id, &new.content).await? };
                    if !(new_row && new.chunks.is_empty()) {
                        chunk::replace(&mut tx, row.id, &new.chunks).await?;
                    }
                    if !(new_row && new.links.is_empty()) {
                        link::replace(&mut tx, row.id, &new.links).await?;
                    }
                    let content = new.content;
                    if !new_row || !whole {
                        changed.push((FilePlace { kb_id: kb, path: row.path.clone() }, content.hash));
                    }
                    (row.size, row.modified_ns, row.inode) = (stamp.size, stamp.modified_ns, stamp.inode);
                    (row.hash, row.title, row.tags) = (content.hash, content.title, content.tags);
                    (row.encoding, row.trouble) = (content.encoding, content.trouble);
                    texts.push(with_passages(&row, &new.chunks));
                }
            }
            rows.push(row);
        }
        tx.commit().await.map_err(orangery_store::Error::from)?;
        stop::point(Point::Stored);
        self.stored(kb, rows);
        if !texts.is_empty() {
            self.order(Order::Put { files: texts, more }).await?;
        }
        for (place, hash) in changed {
            (self.notify)(Fact::Changed(place, hash));
        }
        Ok(())
    }

    /// The row at a place, unless it is known to leave.
    fn row_at(&self, kb: KbId, path: &KbPath, leaving: &HashSet<FileId>) -> Option<Arc<FileRow>> {
        self.catalog.read().at(kb, path).filter(|row| !leaving.contains(&row.id)).cloned()
    }

    fn is_indexed(&self, id: FileId) -> bool {
        self.catalog.read().row(id).is_some_and(|row| row.generation == row.indexed_generation)
    }

    fn stored(&self, kb: KbId, rows: Vec<FileRow>) {
        if rows.is_empty() {
            return;
        }
        let current = rows.last().map(|row| row.path.to_string());
        {
            let mut files = self.catalog.write();
            for row in rows {
                files.put(row);
            }
        }
        self.change_state(kb, |state| state.scan.current = current);
        self.tell_scan(kb, false);
        (self.notify)(Fact::Files(kb));
        (self.notify)(Fact::Links);
    }

    /// Takes over what the database says of files that we moved. Their passages in the index stay.
    pub(super) async fn follow(self: &Arc<Self>, from: &FilePlace, to: &FilePlace) -> Result<()> {
        let _rows = self.rows.lock().await;
        let rows = file::within(self.db.reader(), to).await?;
        let mut texts = Vec::with_capacity(rows.len());
        for row in &rows {
            texts.push(if self.is_indexed(row.id) {
                names_only(row)
            } else {
                with_passages(row, &chunk::of_file(self.db.reader(), row.id).await?)
            });
        }
        {
            let mut files = self.catalog.write();
            // Rows of the database that took the place of others.
            let taken: Vec<FileId> = rows
                .iter()
                .filter_map(|row| files.at(row.kb_id, &row.path).map(|known| known.id))
                .filter(|known| rows.iter().all(|row| row.id != *known))
                .collect();
            for id in taken {
                files.remove(id);
            }
            for row in rows {
                files.put(row);
            }
        }
        for kb in [from.kb_id, to.kb_id] {
            (self.notify)(Fact::Files(kb));
        }
        (self.notify)(Fact::Links);
        if !texts.is_empty() {
            self.order(Order::Put { files: texts, more: false }).await?;
        }
        Ok(())
    }

    /// Forgets rows whose files are gone.
    pub(super) async fn remove(&self, kb: KbId, rows: Vec<Arc<FileRow>>) -> Result<()> {
        let _rows = self.rows.lock().await;
        for batch in rows.chunks(BATCH * 8) {
            let mut tx = self.db.write().await?;
            for row in batch {
                let place = FilePlace { kb_id: row.kb_id, path: row.path.clone() };
                file::delete(&mut tx, row.id, &place).await?;
            }
            tx.commit().await.map_err(orangery_store::Error::from)?;
            stop::point(Point::Removed);
            let ids: Vec<FileId> = batch.iter().map(|row| row.id).collect();
            {
                let mut files = self.catalog.write();
                for id in &ids {
                    files.remove(*id);
                }
            }
            self.order(Order::Remove(ids)).await?;
        }
        for row in rows {
            (self.notify)(Fact::Changed(FilePlace { kb_id: kb, path: row.path.clone() }, None));
        }
        (self.notify)(Fact::Files(kb));
        (self.notify)(Fact::Links);
        Ok(())
    }

    /// What was saved during a long scan is not made to wait for its end.
    async fn serve_touched(
        self: &Arc<Self>,
        kb: KbId,
        root: &Root,
        prior: &[Encoding],
        leaving: &HashSet<FileId>,
    ) -> Result<()> {
        let touched = self.take_touched(kb);
        if touched.is_empty() {
            return Ok(());
        }
        let (inner, root, prior, leaving_now) =
            (Arc::clone(self), root.clone(), prior.to_vec(), leaving.clone());
        let prepared = tokio::task::spawn_blocking(move || {
            let rules = crate::scan::Rules { root: &root, own_data: inner.own_data_in(&root) };
            let mut jobs: Vec<Job> = Vec::new();
            for path in touched {
                let looked = root.resolve(&path).and_then(|checked| Ok((checked.metadata()?, checked)));
                let Ok((meta, checked)) = looked else {
                    // What is gone, or gives no answer, is for a look of its own.
                    inner.pending().path(FilePlace { kb_id: kb, path });
                    continue;
                };
                let found = crate::scan::Found { path: checked.place().clone(), meta };
                if rules.admits(&found.path) {
                    let row = inner.row_at(kb, &found.path, &leaving_now);
                    jobs.push(Job { found, row, trust: false });
                }
            }
            prepare_all(&root, jobs, &prior)
        });
        let prepared = prepared.await.map_err(|_| Error::Closed)?;
        if prepared.is_empty() {
            return Ok(());
        }
        let batch = Batch { prepared, whole: false, more: false, leaving };
        self.store(kb, batch, &mut Vec::new()).await
    }
}

fn fresh(id: FileId, place: FilePlace, kind: FileKind) -> FileRow {
    FileRow {
        id,
        kb_id: place.kb_id,
        path: place.path,
        kind,
        size: 0,
        modified_ns: 0,
        inode: None,
        hash: None,
        encoding: None,
        encoding_chosen: false,
        title: String::new(),
        tags: Vec::new(),
        trouble: None,
        read_version: 0,
        waits: false,
        warnings: Vec::new(),
        generation: 0,
        indexed_generation: 0,
    }
}

fn batches(jobs: Vec<Job>) -> Vec<Vec<Job>> {
    let mut batches = Vec::new();
    let (mut batch, mut bytes) = (Vec::new(), 0);
    for job in jobs {
        bytes += job.found.meta.size.min(super::NOTE_LIMIT);
        batch.push(job);
        if batch.len() == BATCH || bytes >= BATCH_BYTES {
            batches.push(std::mem::take(&mut batch));
            bytes = 0;
        }
    }
    if !batch.is_empty() {
        batches.push(batch);
    }
    batches
}

/// On all cores, in order.
fn prepare_all(root: &Root, jobs: Vec<Job>, prior: &[Encoding]) -> Vec<Prepared> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    if jobs.len() < 2 * cores {
        return jobs.into_iter().map(|job| prepare(root, job, prior)).collect();
    }
    let share = jobs.len().div_ceil(cores);
    let mut jobs = jobs.into_iter();
    let shares: Vec<Vec<Job>> = std::iter::repeat_with(|| jobs.by_ref().take(share).collect::<Vec<_>>())
        .take_while(|share| !share.is_empty())
        .collect();
    std::thread::scope(|scope| {
        let workers: Vec<_> = shares
            .into_iter()
            .map(|share| {
                let names: Vec<_> = share.iter().map(|job| job.found.path.clone()).collect();
                let work = move || share.into_iter().map(|job| prepare(root, job, prior)).collect::<Vec<_>>();
                (names, scope.spawn(work))
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|(names, worker)| {
                worker.join().unwrap_or_else(|_| {
                    // A fault in extraction must not end the scan; the next look tries again.
                    tracing::error!(first = %names.first().map(ToString::to_string).unwrap_or_default(), "extraction panicked");
                    Vec::new()
                })
            })
            .collect()
    })
}
