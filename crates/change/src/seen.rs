//! What is known of the content of notes that are open or were edited lately, so that what another
//! program writes over is not lost.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use orangery_domain::{ContentHash, FilePlace, KbId, Provenance};
use orangery_store::{
    blob::Packed,
    now_ms,
    table::{blob, file, version},
};

use crate::{
    Changes, House, Result, Written,
    disk::{Found, known, look_at},
    save::COALESCE_MS,
};

/// A larger file is not kept in memory.
const LARGEST: usize = 8 << 20;
/// All of them together, packed.
const MOST_BYTES: usize = 32 << 20;
const MOST_NOTES: usize = 512;

/// The last known contents, the longest unused forgotten first.
#[derive(Default)]
pub(crate) struct Seen(Mutex<Notes>);

#[derive(Default)]
struct Notes {
    known: HashMap<(KbId, String), Note>,
    /// Counts uses.
    clock: u64,
    bytes: usize,
}

struct Note {
    hash: ContentHash,
    /// Absent where the database has it.
    content: Option<Packed>,
    used: u64,
}

fn key(place: &FilePlace) -> (KbId, String) {
    (place.kb_id, place.path.key())
}

fn weight(content: Option<&Packed>) -> usize {
    content.map_or(0, Packed::stored_size)
}

impl Seen {
    fn with<T>(&self, work: impl FnOnce(&mut Notes) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The file at `place` has this content.
    pub(crate) fn is(&self, place: &FilePlace, hash: ContentHash, content: Option<Packed>) {
        self.with(|notes| {
            notes.forget(&key(place));
            notes.clock += 1;
            notes.bytes += weight(content.as_ref());
            notes.known.insert(key(place), Note { hash, content, used: notes.clock });
            while notes.known.len() > MOST_NOTES || notes.bytes > MOST_BYTES {
                let oldest = notes.known.iter().min_by_key(|(_, note)| note.used);
                let Some(oldest) = oldest.map(|(key, _)| key.clone()) else { break };
                notes.forget(&oldest);
            }
        });
    }

    pub(crate) fn forget(&self, place: &FilePlace) {
        self.with(|notes| notes.forget(&key(place)));
    }

    fn get(&self, place: &FilePlace) -> Option<(ContentHash, Option<Packed>)> {
        self.with(|notes| {
            let note = notes.known.get(&key(place))?;
            Some((note.hash, note.content.clone()))
        })
    }

    /// What applying wrote is a content of the database; what it moved is known where it is now, and what
    /// it took away is of no concern any more.
    pub(crate) fn wrote(&self, written: &Written) {
        match (written.change_set_id, &written.from, written.hash) {
            (Some(_), Some(from), _) => self.moved(from, &written.place),
            (Some(_), None, Some(hash)) => self.is(&written.place, hash, None),
            (Some(_), None, None) => self.with(|notes| drop(notes.take_within(&written.place))),
            (None, ..) => {}
        }
    }

    fn moved(&self, from: &FilePlace, to: &FilePlace) {
        self.with(|notes| {
            // What was at the target went before.
            drop(notes.take_within(to));
            for (below, note) in notes.take_within(from) {
                notes.bytes += weight(note.content.as_ref());
                notes.known.insert((to.kb_id, to.path.key() + &below), note);
            }
        });
    }
}

impl Notes {
    fn forget(&mut self, key: &(KbId, String)) {
        if let Some(note) = self.known.remove(key) {
            self.bytes -= weight(note.content.as_ref());
        }
    }

    /// Forgets all at or below `place`, and gives it by what follows the place.
    fn take_within(&mut self, place: &FilePlace) -> Vec<(String, Note)> {
        let (kb, above) = key(place);
        let taken: Vec<_> = self
            .known
            .extract_if(|(own, path), _| {
                *own == kb
                    && path
                        .strip_prefix(&above)
                        .is_some_and(|below| below.is_empty() || below.starts_with('/'))
            })
            .map(|((_, path), note)| (path.get(above.len()..).unwrap_or_default().to_owned(), note))
            .collect();
        self.bytes -= taken.iter().map(|(_, note)| weight(note.content.as_ref())).sum::<usize>();
        taken
    }
}

impl Changes {
    /// A note was opened with this content.
    pub async fn opened(&self, place: &FilePlace, bytes: Vec<u8>) -> Result<()> {
        let hash = ContentHash::of(&bytes);
        if bytes.len() > LARGEST || self.house().seen.get(place).is_some_and(|(known, _)| known == hash) {
            return Ok(());
        }
        let packed = tokio::task::spawn_blocking(move || Packed::new(&bytes));
        let packed = packed.await.map_err(crate::Error::task)?;
        self.house().seen.is(place, hash, Some(packed));
        Ok(())
    }

    /// The watcher says that a file changed. Where that was not us, and its last content is at hand, that
    /// becomes a version; true when one was made. Changes that follow each other soon make one. No file is
    /// touched.
    pub async fn noticed(&self, place: &FilePlace) -> Result<bool> {
        let place = place.clone();
        self.uncut(move |house| async move { house.noticed(&place).await }).await
    }
}

impl House {
    async fn noticed(&self, place: &FilePlace) -> Result<bool> {
        if self.seen.get(place).is_none() {
            return Ok(false);
        }
        // Whoever writes here holds the path until what it wrote is known.
        let _held = self.locks.places([place]).await;
        let Some((old, content)) = self.seen.get(place) else { return Ok(false) };
        let (now, mode) = match look_at(&self.roots, place).await {
            Ok(disk) => (disk.found, disk.mode),
            Err(error) if error.kind() == orangery_domain::ErrorKind::NotFound => (Found::Nothing, None),
            Err(error) => return Err(error),
        };
        let now = match now {
            Found::File(bytes) => Some(bytes),
            Found::Nothing | Found::Folder => None,
        };
        if now.as_deref().map(ContentHash::of) == Some(old) {
            return Ok(false);
        }
        match &now {
            Some(bytes) if bytes.len() <= LARGEST => {
                let packed = Packed::new(bytes);
                self.seen.is(place, packed.hash(), Some(packed));
            }
            _ => self.seen.forget(place),
        }
        if now.is_none() && file::has_content(self.db.reader(), place.kb_id, old).await? {
            // It was moved: nothing is lost.
            return Ok(false);
        }
        self.keep_outside(place, (old, mode), content).await
    }

    async fn keep_outside(
        &self,
        place: &FilePlace,
        (old, mode): (ContentHash, Option<u32>),
        content: Option<Packed>,
    ) -> Result<bool> {
        let now = now_ms();
        let file_id = known(&self.db, place).await?.file_id;
        let newest = version::newest(self.db.reader(), place, file_id).await?;
        let soon = newest.is_some_and(|newest| {
            newest.provenance == Provenance::Outside && now - newest.created_at < COALESCE_MS
        });
        if soon {
            return Ok(false);
        }
        let mut write = self.db.write().await?;
        match &content {
            Some(packed) => blob::put(&mut write, packed).await?,
            None if blob::is_known(&mut *write, old).await? => {}
            None => return Ok(false),
        }
        version::insert(&mut write, place, (old, mode), &Provenance::Outside, None, now).await?;
        write.commit().await.map_err(orangery_store::Error::from)?;
        Ok(true)
    }
}
