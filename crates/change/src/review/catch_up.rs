//! A proposal follows its file: it is shown, and applied, on the text that is there now.

use orangery_domain::{FilePlace, OperationId, OperationKind, OperationState, Warning};
use orangery_store::table::operation::{self, OperationRow};

use super::{resolve::Now, settle_set};
use crate::{
    Changes, House, Result,
    diff::between,
    edits::rebase_by_lines,
    note,
    operation::{Loaded, load, state_of},
    plan::{self, Conflict, Merge},
    tree::{is_within, layout::Layout, same_place},
};

impl Changes {
    /// Lets an edit that waits, and those it was built on, read on from the file as it is now, with all that was
    /// decided: what is shown is what applying makes. Where it meets what changed it is a conflict at once, and
    /// none any more when the file is back. Nothing is written to files. Says whether anything is different.
    pub async fn catch_up(&self, id: OperationId) -> Result<bool> {
        if self.house().looks_only || !self.house().is_behind(id).await? {
            return Ok(false);
        }
        self.uncut(move |house| async move { house.catch_up(id).await }).await
    }
}

impl House {
    /// Whether something of the file of `id` has to be looked at; without waiting for whoever has the set.
    async fn is_behind(&self, id: OperationId) -> Result<bool> {
        let row = self.operation(id).await?;
        let rows = operation::of_set(self.db.reader(), row.change_set_id).await?;
        for row in grounds(&rows, &row.proposal.place) {
            let loaded = load(&self.db, row.clone()).await?;
            let Some(disk) = lies_at(&rows, &loaded) else { continue };
            // What cannot be looked at now stays as it is.
            let Ok(now) = self.now_at(&disk).await else { continue };
            let told = row.proposal.warnings.iter().any(|warning| warning.code == note::SAID_ALREADY);
            if now.hash() != row.proposal.base || row.state == OperationState::Conflict || told {
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn catch_up(&self, id: OperationId) -> Result<bool> {
        let set = self.operation(id).await?.change_set_id;
        let _held = self.locks.set(set).await;
        let rows = operation::of_set(self.db.reader(), set).await?;
        let Some(place) = rows.iter().find(|row| row.id == id).map(|row| &row.proposal.place) else {
            return Ok(false);
        };
        let mut changed = false;
        for row in grounds(&rows, place) {
            let loaded = load(&self.db, row.clone()).await?;
            let Some(disk) = lies_at(&rows, &loaded) else { continue };
            let Ok(now) = self.now_at(&disk).await else { continue };
            changed |= self.catch_up_one(loaded, now).await?;
        }
        if changed {
            self.restack(set).await?;
        }
        Ok(changed)
    }

    async fn catch_up_one(&self, loaded: Loaded, now: Now) -> Result<bool> {
        let (base, kind) = (loaded.row.proposal.base, loaded.kind());
        if now.hash() == base {
            return self.goes_on(&loaded, None).await;
        }
        let Some(bytes) = &now.bytes else { return self.meets(&loaded, note::GONE).await };
        if kind == OperationKind::CreateFile {
            return self.meets(&loaded, note::FILE_THERE).await;
        }
        let (Some(was), Some(text)) = (&loaded.decoded, &now.decoded) else {
            return self.meets(&loaded, note::CHANGED_HERE).await;
        };
        if was.encoding != text.encoding {
            return self.meets(&loaded, note::CHANGED_HERE).await;
        }
        if let Some(moved) = rebase_by_lines(&was.text, &loaded.edits, &between(&was.text, &text.text)) {
            self.goes_on(&loaded, Some(note::CAUGHT_UP)).await?;
            self.move_onto(loaded, bytes, moved).await?;
            return Ok(true);
        }
        match plan::merge(&loaded, bytes)? {
            Merge::Done => self.goes_on(&loaded, Some(note::SAID_ALREADY)).await,
            Merge::Meets => self.meets(&loaded, note::CHANGED_HERE).await,
            // Only without what was rejected of it, or without what is there already.
            Merge::Clean(merged) => {
                let (id, set) = (loaded.row.id, loaded.row.change_set_id);
                let conflict = Conflict { id, note: note::plain(note::OFFERED_ANEW), merged: Some(merged) };
                let mut write = self.db.write().await?;
                self.keep_conflict(&mut write, Some(set), &conflict).await?;
                settle_set(&mut write, set, None).await?;
                write.commit().await.map_err(orangery_store::Error::from)?;
                Ok(true)
            }
        }
    }

    /// The operation is no conflict, with `remark` on how it stands to its file.
    async fn goes_on(&self, loaded: &Loaded, remark: Option<&str>) -> Result<bool> {
        let (row, proposal) = (&loaded.row, &loaded.row.proposal);
        let mut warnings = proposal.warnings.clone();
        // That it follows stays worth knowing; that its work was done may be over.
        warnings.retain(|warning| warning.code != note::SAID_ALREADY);
        if let Some(code) = remark
            && !warnings.iter().any(|warning| warning.code == code)
        {
            warnings.push(Warning::new(code, ""));
        }
        let (state, note) = match row.state {
            OperationState::Conflict => (state_of(&loaded.decisions), None),
            state => (state, proposal.note.as_ref()),
        };
        if state == row.state && warnings == proposal.warnings {
            return Ok(false);
        }
        self.put(row, state, &warnings, note).await
    }

    async fn meets(&self, loaded: &Loaded, code: &str) -> Result<bool> {
        let (row, proposal) = (&loaded.row, &loaded.row.proposal);
        let note = note::plain(code);
        if row.state == OperationState::Conflict && proposal.note.as_ref() == Some(&note) {
            return Ok(false);
        }
        self.put(row, OperationState::Conflict, &proposal.warnings, Some(&note)).await
    }

    async fn put(
        &self,
        row: &OperationRow,
        state: OperationState,
        warnings: &[Warning],
        note: Option<&Warning>,
    ) -> Result<bool> {
        let mut write = self.db.write().await?;
        operation::set_state(&mut write, row.id, state, None).await?;
        operation::set_remarks(&mut write, row.id, warnings, note).await?;
        settle_set(&mut write, row.change_set_id, None).await?;
        write.commit().await.map_err(orangery_store::Error::from)?;
        Ok(true)
    }
}

/// Where on disk the file of an operation lies, for as long as the moves of its set wait; `None` where it is yet to
/// come.
pub(super) fn lies_at(rows: &[OperationRow], loaded: &Loaded) -> Option<FilePlace> {
    let (id, place) = (loaded.row.id, loaded.place());
    let comes = |row: &OperationRow| {
        row.proposal.kind == OperationKind::BringBack
            && row.state != OperationState::Applied
            && is_within(place, &row.proposal.place)
    };
    if rows.iter().any(comes) {
        return None;
    }
    let rejected = |id| rows.iter().any(|row| row.id == id && row.state == OperationState::Rejected);
    Layout::of(rows, |id| Some(!rejected(id))).on_disk(id, place)
}

/// What waits for the text of the file at `place` and reads it from the disk, not from an operation before it.
fn grounds<'a>(rows: &'a [OperationRow], place: &'a FilePlace) -> impl Iterator<Item = &'a OperationRow> {
    let textual = |row: &&OperationRow| {
        matches!(row.proposal.kind, OperationKind::Edit | OperationKind::CreateFile)
            && row.proposal.encoding.is_some()
            && row.proposal.edits.is_some()
            && same_place(&row.proposal.place, place)
    };
    let waits = |row: &&OperationRow| match row.state {
        OperationState::Undecided | OperationState::Accepted | OperationState::Failed => true,
        // Those that this very look can make and end.
        OperationState::Conflict => row.proposal.note.as_ref().is_some_and(|note| {
            matches!(note.code.as_str(), note::CHANGED_HERE | note::GONE | note::FILE_THERE)
        }),
        OperationState::Applied | OperationState::Rejected => false,
    };
    let from_disk = |row: &&OperationRow| {
        let under = row.proposal.built_on.filter(|on| *on < row.id);
        let under = under.and_then(|on| rows.iter().find(|row| row.id == on));
        let stands =
            |row: &OperationRow| row.proposal.warnings.iter().any(|one| one.code == note::ON_REJECTED);
        under.is_none_or(|under| match under.state {
            OperationState::Applied => true,
            OperationState::Conflict => !stands(under),
            _ => false,
        })
    };
    rows.iter().filter(textual).filter(waits).filter(from_disk)
}
