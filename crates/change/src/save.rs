//! What the user writes directly: the editor's saves, new notes, new folders. Journalled and recorded
//! like any change, without a change set.

use orangery_domain::{
    ContentHash, FileKind, FilePlace, LineEnding, PositionEdit, Provenance, TextEdit,
    position::LineIndex,
    text::{Decoded, endings, splice, to_ending},
};
use orangery_store::{
    blob::Packed,
    now_ms,
    table::{
        journal::{Act, Step},
        version,
    },
};

use crate::{
    Changes, Error, House, Result,
    apply::write::Reached,
    disk::{Disk, Found, known, look_at, spelled},
    edits::fits,
    plan::Plan,
};

/// Saves of one file within this many milliseconds make one version.
pub(crate) const COALESCE_MS: i64 = 10 * 60 * 1000;

/// A note as it is after a save.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Saved {
    /// The base of the next save.
    pub hash: ContentHash,
    pub line_ending: LineEnding,
}

impl Changes {
    /// Saves the editor's changes, made on the content that `base` names.
    ///
    /// # Errors
    /// `Conflict` when the file on disk is another one by now: nothing is written.
    pub async fn save(&self, place: &FilePlace, base: ContentHash, edits: &[PositionEdit]) -> Result<Saved> {
        let (place, edits) = (place.clone(), edits.to_vec());
        self.uncut(move |house| async move { house.save(&place, base, &edits).await }).await
    }

    /// What was saved so far is worth a version of its own: the user asked for one, or left the note. The
    /// next save keeps it, however soon it comes.
    pub async fn keep_saved(&self, place: &FilePlace) -> Result<()> {
        let house = self.house();
        let place = spelled(&house.roots, place).await?;
        let _held = house.locks.places([&place]).await;
        let file_id = known(&house.db, &place).await?.file_id;
        let newest = version::newest(house.db.reader(), &place, file_id).await?;
        if let Some(newest) =
            newest.filter(|newest| newest.provenance == Provenance::Manual && !newest.closed)
        {
            let mut write = house.db.write().await?;
            version::close(&mut write, newest.id).await?;
            write.commit().await.map_err(orangery_store::Error::from)?;
        }
        Ok(())
    }

    /// Makes a new note; never overwrites.
    pub async fn create_note(&self, place: &FilePlace, text: &str) -> Result<ContentHash> {
        if !FileKind::of_name(place.path.name()).is_note() {
            return Err(Error::Extension { path: place.path.clone() });
        }
        let (place, content) = (place.clone(), Packed::new(text.as_bytes()));
        let hash = content.hash();
        self.uncut(move |house| async move {
            let (place, _held) = house.free(&place).await?;
            let step = Step { new: Some(hash), ..empty_step(&place, false) };
            house.write_one(step, vec![content.clone()]).await?;
            house.seen.is(&place, hash, Some(content));
            Ok(())
        })
        .await?;
        Ok(hash)
    }

    /// Makes a new folder; its parent must be there.
    pub async fn make_folder(&self, place: &FilePlace) -> Result<()> {
        let place = place.clone();
        self.uncut(move |house| async move {
            let (place, _held) = house.free(&place).await?;
            let there = Packed::new(&[]);
            house.write_one(Step { new: Some(there.hash()), ..empty_step(&place, true) }, vec![there]).await
        })
        .await
    }
}

impl House {
    async fn save(&self, place: &FilePlace, base: ContentHash, edits: &[PositionEdit]) -> Result<Saved> {
        let place = spelled(&self.roots, place).await?;
        let _held = self.locks.places([&place]).await;
        let moved = || Error::BaseMoved { path: place.path.clone() };
        let disk = look_at(&self.roots, &place).await?;
        let bytes = disk.bytes().ok_or_else(moved)?;
        if ContentHash::of(bytes) != base {
            return Err(moved());
        }
        let known = known(&self.db, &place).await?;
        let decoded = known.decode(&place, bytes)?;
        let edits = to_text_edits(&place, &decoded, edits)?;
        let after = splice(bytes, &decoded, &edits).map_err(Error::splice(&place))?;
        let (line_ending, _) = endings(&crate::edits::splice(&decoded.text, &edits));
        let (old, new) = (Packed::new(bytes), Packed::new(&after));
        let saved = Saved { hash: new.hash(), line_ending };
        if old.hash() == new.hash() {
            return Ok(saved);
        }
        let step = Step {
            keep_version: !self.was_saved_lately(&place, known.file_id).await?,
            old: Some(old.hash()),
            new: Some(new.hash()),
            mode: disk.mode,
            ..empty_step(&place, false)
        };
        self.write_one(step, vec![old, new.clone()]).await?;
        self.seen.is(&place, new.hash(), Some(new));
        Ok(saved)
    }

    /// A place where nothing is, locked.
    async fn free(&self, place: &FilePlace) -> Result<(FilePlace, crate::locks::Held)> {
        if place.path.name().trim().is_empty() {
            return Err(Error::BlankPath);
        }
        let place = spelled(&self.roots, place).await?;
        let held = self.locks.places([&place]).await;
        let Disk { found, .. } = look_at(&self.roots, &place).await?;
        if found != Found::Nothing {
            return Err(Error::Exists { path: place.path });
        }
        Ok((place, held))
    }

    /// Carries out one step of the user's own; the path is locked by the caller.
    async fn write_one(&self, step: Step, contents: Vec<Packed>) -> Result<()> {
        let path = step.place.path.clone();
        let plan = Plan { steps: vec![step], contents, ..Plan::default() };
        let outcome = self.carry_out(None, &Provenance::Manual, plan).await?;
        match outcome.failure {
            None if outcome.reached == [Reached::New] => Ok(()),
            Some(failure) => Err(failure.into_error(path)),
            None => Err(Error::BaseMoved { path }),
        }
    }

    async fn was_saved_lately(
        &self,
        place: &FilePlace,
        file_id: Option<orangery_domain::FileId>,
    ) -> Result<bool> {
        let newest = version::newest(self.db.reader(), place, file_id).await?;
        Ok(newest.is_some_and(|newest| {
            newest.provenance == Provenance::Manual
                && !newest.closed
                && now_ms() - newest.created_at < COALESCE_MS
        }))
    }
}

fn empty_step(place: &FilePlace, folder: bool) -> Step {
    Step {
        place: place.clone(),
        folder,
        old: None,
        new: None,
        keep_version: false,
        operations: Vec::new(),
        mode: None,
        act: Act::Content,
    }
}

/// An editor's edits as bytes of the text; a line break becomes the ending of the place where it lands.
fn to_text_edits(place: &FilePlace, base: &Decoded, edits: &[PositionEdit]) -> Result<Vec<TextEdit>> {
    let misfit = || Error::Misfit { path: place.path.clone() };
    let index = LineIndex::new(&base.text);
    let mut out = Vec::with_capacity(edits.len());
    for edit in edits {
        let start = index.offset(&base.text, edit.from).ok_or_else(misfit)?;
        let end = index.offset(&base.text, edit.to).ok_or_else(misfit)?;
        let ending = (1..=edit.from.line).rev().find_map(|line| index.ending_at(line));
        out.push(TextEdit {
            range: start..end,
            insert: to_ending(&edit.insert, ending.unwrap_or(base.dominant)),
        });
    }
    if fits(&base.text, &out) { Ok(out) } else { Err(misfit()) }
}
