//! Steps that give files a new content, and folders that are made or go.

use orangery_domain::{ContentHash, ErrorKind, FilePlace, OperationKind, OperationState, Warning};
use orangery_store::{
    blob::Packed,
    table::{
        journal::{Act, Step},
        operation::OperationRow,
        version,
    },
};

use super::{Conflict, Draft, Drafted, Merged, leaves};
use crate::{
    Error, House, Result,
    diff::between,
    disk::{Found, look_at},
    edits, note,
    operation::{Loaded, accepted, decode_as, is, not_rejected},
    tree::same_place,
};

impl House {
    pub(super) async fn plan_folder(
        &self,
        draft: &mut Draft<'_>,
        loaded: &Loaded,
        disk: Option<FilePlace>,
    ) -> Result<()> {
        let id = loaded.row.id;
        let place = draft.layout.in_turn(id, loaded.place());
        let goes = loaded.kind() == OperationKind::RemoveCreated;
        let (found, mode) = match self.found(draft, disk.as_ref()).await {
            Ok(found) => found,
            Err(error) if goes && error.kind() == ErrorKind::NotFound => (Found::Nothing, None),
            Err(error) => {
                draft.plan.failed.push((id, error.note()));
                return Ok(());
            }
        };
        match (goes, found) {
            // Somebody was first: nothing to do, and nothing to take back later.
            (false, Found::Folder) | (true, Found::Nothing) => {
                draft.plan.decide(loaded);
                draft.plan.idle.push(id);
                return Ok(());
            }
            (false, Found::Nothing) => draft.made.push(place.clone()),
            (true, Found::Folder) => {
                if self.holds_more(disk.as_ref().unwrap_or(&place), draft).await? {
                    draft.plan.conflict(id, note::plain(note::FOLDER_HOLDS));
                    return Ok(());
                }
            }
            (_, Found::File(_)) => {
                draft.plan.conflict(id, note::plain(note::FILE_THERE));
                return Ok(());
            }
        }
        // An empty content stands for a folder that is there.
        let there = Packed::new(&[]);
        draft.plan.decide(loaded);
        let step = Step {
            place,
            folder: true,
            old: goes.then(|| there.hash()),
            new: (!goes).then(|| there.hash()),
            keep_version: false,
            operations: vec![id],
            mode,
            act: Act::Content,
        };
        draft.steps.push(Drafted { step, disk });
        draft.plan.contents.push(there);
        Ok(())
    }

    /// Plans the writing of one file, whose content lies at `disk` now.
    pub(super) async fn plan_file(
        &self,
        draft: &mut Draft<'_>,
        group: &[&Loaded],
        disk: Option<FilePlace>,
        others: &[OperationRow],
    ) -> Result<()> {
        let Some(first) = group.first() else { return Ok(()) };
        let place = draft.layout.in_turn(first.row.id, first.place());
        let comes = draft.comes(disk.as_ref().unwrap_or(&place));
        let (found, mode) = match self.found(draft, disk.as_ref().filter(|_| !comes)).await {
            // What comes back in this very plan is what it was.
            Ok(_) if comes => (first.base.clone().map_or(Found::Nothing, Found::File), None),
            Ok(found) => found,
            Err(error) if error.kind() == ErrorKind::NotFound => (Found::Nothing, None),
            Err(error) => {
                draft.plan.failed.extend(group.iter().map(|loaded| (loaded.row.id, error.note())));
                return Ok(());
            }
        };
        let old = match found {
            Found::Folder => {
                group
                    .iter()
                    .for_each(|loaded| draft.plan.conflict(loaded.row.id, note::plain(note::FOLDER_THERE)));
                return Ok(());
            }
            Found::File(bytes) => Some(bytes),
            Found::Nothing => None,
        };
        if old.is_none() && group.iter().any(|loaded| loaded.kind() == OperationKind::CreateFile) {
            // The folder must be there or be made in this very plan.
            if let Some(parent) = place.path.parent() {
                let parent = FilePlace { kb_id: place.kb_id, path: parent };
                if !self.folder_there(draft, first.row.id, &parent).await? {
                    let note = no_folder(&parent);
                    draft.plan.failed.extend(group.iter().map(|loaded| (loaded.row.id, note.clone())));
                    return Ok(());
                }
            }
        }
        let mut current = old.clone();
        let mut operations = Vec::new();
        for loaded in group {
            match Self::next(loaded, old.as_deref(), current.as_deref(), others)? {
                Next::Bytes(bytes) => {
                    current = bytes;
                    operations.push(loaded.row.id);
                    draft.plan.decide(loaded);
                }
                Next::Done => {
                    draft.plan.decide(loaded);
                    draft.plan.idle.push(loaded.row.id);
                }
                Next::Conflict(conflict) => draft.plan.conflicts.push(conflict),
                Next::Failed(note) => draft.plan.failed.push((loaded.row.id, note)),
            }
        }
        if operations.is_empty() {
            return Ok(());
        }
        // What was there once is made again as it was.
        let mode = match first.row.proposal.exact.filter(|_| old.is_none()) {
            Some(exact) => version::mode(self.db.reader(), first.place(), exact).await?,
            None => mode,
        };
        let pack = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(Packed::new);
        let (old, new) = (pack(&old), pack(&current));
        let step = Step {
            place,
            folder: false,
            old: old.as_ref().map(Packed::hash),
            new: new.as_ref().map(Packed::hash),
            keep_version: true,
            operations,
            mode,
            act: Act::Content,
        };
        draft.steps.push(Drafted { step, disk });
        draft.plan.contents.extend(old);
        draft.plan.contents.extend(new);
        Ok(())
    }

    /// The file after `loaded`, when `disk` is what is there and `current` what earlier operations
    /// make of it.
    fn next(
        loaded: &Loaded,
        disk: Option<&[u8]>,
        current: Option<&[u8]>,
        others: &[OperationRow],
    ) -> Result<Next> {
        let base = loaded.row.proposal.base;
        if is(base, current) {
            return Ok(match loaded.result(accepted) {
                Ok(bytes) => Next::Bytes(bytes),
                Err(error @ Error::Splice { .. }) => Next::Failed(error.note()),
                Err(error) => return Err(error),
            });
        }
        let conflict = |code: &str, merged| {
            Next::Conflict(Conflict { id: loaded.row.id, note: note::plain(code), merged })
        };
        let Some(current) = current else {
            let gone = loaded.kind() == OperationKind::RemoveCreated;
            return Ok(if gone { Next::Done } else { conflict(note::GONE, None) });
        };
        match loaded.kind() {
            OperationKind::CreateFile => return Ok(conflict(note::FILE_THERE, None)),
            OperationKind::RemoveCreated => {
                return Ok(conflict(note::CHANGED_AFTER_MADE, None));
            }
            OperationKind::Edit
            | OperationKind::CreateFolder
            | OperationKind::Move
            | OperationKind::Delete
            | OperationKind::BringBack => {}
        }
        // The file is as the author knew it, and what came between is of this set: an operation before
        // this one, or one that this was built on and that was not taken, or not whole.
        if is(base, disk) || root_base(loaded, others).is_some_and(|root| is(root, disk)) {
            return Ok(match loaded.result_on(current, accepted)? {
                Some(bytes) => Next::Bytes(Some(bytes)),
                None => conflict(note::MEETS_OTHER, None),
            });
        }
        Ok(match merge(loaded, current)? {
            Merge::Done => Next::Done,
            Merge::Clean(merged) => conflict(note::OFFERED_ANEW, Some(merged)),
            Merge::Meets => conflict(note::CHANGED_HERE, None),
        })
    }

    /// Whether the folder at `place` on disk holds anything that the plan does not take away.
    async fn holds_more(&self, place: &FilePlace, draft: &Draft<'_>) -> Result<bool> {
        let disk = look_at(&self.roots, place).await?;
        let listed = tokio::task::spawn_blocking(move || disk.checked.list()).await;
        let goes = |name: &str| {
            let Ok(path) = place.path.join(name) else { return false };
            let entry = FilePlace { kb_id: place.kb_id, path };
            draft.steps.iter().any(|drafted| {
                leaves(&drafted.step) && drafted.disk.as_ref().is_some_and(|disk| same_place(disk, &entry))
            })
        };
        Ok(listed.map_err(Error::task)??.iter().any(|entry| !goes(&entry.name)))
    }

    /// What lies at `disk` and its mode; nothing where nothing lies, or where the plan makes the folder above.
    pub(super) async fn found(
        &self,
        draft: &Draft<'_>,
        disk: Option<&FilePlace>,
    ) -> Result<(Found, Option<u32>)> {
        let Some(disk) = disk else { return Ok((Found::Nothing, None)) };
        let parent = disk.path.parent().map(|path| FilePlace { kb_id: disk.kb_id, path });
        if parent.is_some_and(|parent| draft.makes(&parent)) {
            return Ok((Found::Nothing, None));
        }
        let disk = look_at(&self.roots, disk).await?;
        Ok((disk.found, disk.mode))
    }

    /// Whether a folder is at `place` when the turn of `id` comes.
    pub(super) async fn folder_there(
        &self,
        draft: &Draft<'_>,
        id: orangery_domain::OperationId,
        place: &FilePlace,
    ) -> Result<bool> {
        if place.path.is_root() || draft.makes(place) {
            return Ok(true);
        }
        let Some(disk) = draft.layout.on_disk(id, place) else { return Ok(false) };
        if draft.comes(&disk) {
            return Ok(true);
        }
        Ok(disk.path.is_root()
            || look_at(&self.roots, &disk).await.is_ok_and(|disk| disk.found == Found::Folder))
    }
}

pub(super) fn no_folder(parent: &FilePlace) -> Warning {
    Warning::new(note::NO_FOLDER, parent.path.as_str())
}

enum Next {
    Bytes(Option<Vec<u8>>),
    /// Somebody made the very same change.
    Done,
    Conflict(Conflict),
    Failed(Warning),
}

/// The base of the first in the chain of pending operations that `loaded` was built on; `None` when it
/// was built on the file itself.
fn root_base(loaded: &Loaded, others: &[OperationRow]) -> Option<Option<ContentHash>> {
    let mut root = None;
    let mut next = loaded.row.proposal.built_on;
    while let Some(on) = next {
        let row = others.iter().find(|row| row.id == on)?;
        match row.state {
            OperationState::Conflict => return None,
            OperationState::Applied => break,
            _ => {}
        }
        root = Some(row.proposal.base);
        next = row.proposal.built_on.filter(|before| *before < on);
    }
    root
}

/// How an operation fits a file that somebody else changed.
pub(crate) enum Merge {
    Clean(Merged),
    /// It is in the file already.
    Done,
    /// Both changed the same lines.
    Meets,
}

/// The operation's change on `current`, which somebody else made of its base.
pub(crate) fn merge(loaded: &Loaded, current: &[u8]) -> Result<Merge> {
    let Some(decoded) = &loaded.decoded else { return Ok(Merge::Meets) };
    let now = decode_as(current, decoded.encoding)?;
    if now.malformed && !decoded.malformed {
        return Ok(Merge::Meets);
    }
    let proposal = edits::splice(&decoded.text, &loaded.chosen(not_rejected));
    let Ok(text) = crate::merge::Merge::of(&decoded.text, &now.text, &proposal).text(&[]) else {
        return Ok(Merge::Meets);
    };
    let edits = between(&now.text, &text);
    if edits.is_empty() {
        return Ok(Merge::Done);
    }
    Ok(Merge::Clean(Merged { base: Packed::new(current), edits }))
}
