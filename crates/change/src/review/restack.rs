//! Operations of one file that were built on each other, when one of them changes.

use orangery_domain::{ChangeSetId, FilePlace, OperationKind, OperationState, TextEdit, Warning};
use orangery_store::{
    blob::Packed,
    table::{
        blob, comment,
        operation::{self, OperationRow},
        shape,
    },
};

use super::settle_set;
use crate::{
    House, Result,
    comment::{Texts, anchor},
    diff::between,
    edits::rebase_by_lines,
    note::{self, ON_REJECTED},
    operation::{Loaded, decode_as, is, load, not_rejected, state_of, to_json},
};

impl House {
    /// Lets the waiting operations of a set read on from what those before them make by now. One that
    /// changes what is not put in any more is a conflict until it is.
    pub(crate) async fn restack(&self, set: ChangeSetId) -> Result<()> {
        let rows = operation::of_set(self.db.reader(), set).await?;
        let mut changed = false;
        for stack in stacks(rows) {
            changed |= self.restack_one(stack).await?;
        }
        if changed {
            let mut write = self.db.write().await?;
            settle_set(&mut write, set, None).await?;
            write.commit().await.map_err(orangery_store::Error::from)?;
        }
        Ok(())
    }

    /// Walks the operations of one file, in their order.
    async fn restack_one(&self, stack: Vec<OperationRow>) -> Result<bool> {
        let mut current: Option<Vec<u8>> = None;
        let mut changed = false;
        let mut before = Vec::with_capacity(stack.len());
        for row in stack {
            let loaded = load(&self.db, row).await?;
            let begins = loaded.row.proposal.built_on.is_none_or(|on| !before.contains(&on));
            before.push(loaded.row.id);
            if begins || is(loaded.row.proposal.base, current.as_deref()) {
                changed |= self.set_meets(&loaded, false).await?;
                current = loaded.result(not_rejected)?;
                continue;
            }
            let Some(under) = &current else { continue };
            let Some(next) = loaded.result_on(under, not_rejected)? else {
                changed |= self.set_meets(&loaded, true).await?;
                continue;
            };
            changed |= self.set_meets(&loaded, false).await?;
            if let Some(moved) = moved(&loaded, under)? {
                self.move_onto(loaded, under, moved).await?;
                changed = true;
            }
            current = Some(next);
        }
        Ok(changed)
    }

    pub(super) async fn move_onto(
        &self,
        mut loaded: Loaded,
        under: &[u8],
        edits: Vec<TextEdit>,
    ) -> Result<()> {
        let id = loaded.row.id;
        let (base, stored) = (Packed::new(under), Packed::new(&to_json(&edits)?));
        let comments = comment::of_operation(self.db.reader(), id).await?;
        if let Some(decoded) = &loaded.decoded {
            loaded.decoded = Some(decode_as(under, decoded.encoding)?);
        }
        loaded.edits = edits;
        loaded.row.proposal.base = Some(base.hash());
        loaded.row.proposal.edits = Some(stored.hash());
        let built_on = loaded.row.proposal.built_on;

        let mut write = self.db.write().await?;
        blob::put(&mut write, &base).await?;
        blob::put(&mut write, &stored).await?;
        operation::set_base(&mut write, id, Some(base.hash()), Some(stored.hash()), built_on).await?;
        shape::put(&mut write, id, &loaded.shape()).await?;
        anchor(&mut write, &comments, id, &Texts::of(&loaded)).await?;
        write.commit().await.map_err(orangery_store::Error::from)?;
        Ok(())
    }

    /// Notes that an operation meets what is not there any more, or that it does not now.
    async fn set_meets(&self, loaded: &Loaded, meets: bool) -> Result<bool> {
        let (id, proposal) = (loaded.row.id, &loaded.row.proposal);
        let marked = proposal.warnings.iter().any(|warning| warning.code == ON_REJECTED);
        let decided = state_of(&loaded.decisions);
        let told = meets == marked && (!meets || loaded.row.state == OperationState::Conflict);
        if told || meets && decided == OperationState::Rejected {
            return Ok(false);
        }
        let mut warnings = proposal.warnings.clone();
        warnings.retain(|warning| warning.code != ON_REJECTED);
        let (state, note) = if meets {
            warnings.push(Warning::new(ON_REJECTED, ""));
            (OperationState::Conflict, Some(note::plain(ON_REJECTED)))
        } else {
            (decided, None)
        };
        let mut write = self.db.write().await?;
        operation::set_state(&mut write, id, state, None).await?;
        operation::set_remarks(&mut write, id, &warnings, note.as_ref()).await?;
        write.commit().await.map_err(orangery_store::Error::from)?;
        Ok(true)
    }
}

/// The operations of each file with several of them, where at least one waits.
fn stacks(rows: Vec<OperationRow>) -> Vec<Vec<OperationRow>> {
    let mut stacks: Vec<(FilePlace, Vec<OperationRow>)> = Vec::new();
    let textual = |row: &OperationRow| {
        matches!(row.proposal.kind, OperationKind::Edit | OperationKind::CreateFile)
            && row.proposal.encoding.is_some()
            && row.state != OperationState::Applied
    };
    // What is in conflict with the disk is no ground to build on, and is settled by itself.
    let stands = |row: &OperationRow| {
        row.state != OperationState::Conflict
            || row.proposal.warnings.iter().any(|warning| warning.code == ON_REJECTED)
    };
    for row in rows.into_iter().filter(|row| textual(row) && stands(row)) {
        let place = &row.proposal.place;
        let same = |other: &FilePlace| other.kb_id == place.kb_id && other.path.key() == place.path.key();
        match stacks.iter_mut().find(|(place, _)| same(place)) {
            Some((_, stack)) => stack.push(row),
            None => stacks.push((place.clone(), vec![row])),
        }
    }
    stacks.retain(|(_, stack)| stack.len() > 1);
    stacks.into_iter().map(|(_, stack)| stack).collect()
}

/// All edits of an operation on `under`, also those that are rejected; `None` where they do not fit.
fn moved(loaded: &Loaded, under: &[u8]) -> Result<Option<Vec<TextEdit>>> {
    let Some(decoded) = &loaded.decoded else { return Ok(None) };
    let now = decode_as(under, decoded.encoding)?;
    Ok(rebase_by_lines(&decoded.text, &loaded.edits, &between(&decoded.text, &now.text)))
}
