//! What waits for review, shown and decided.

use orangery_domain::{
    ChangeSet, ChangeSetId, ChangeSetState, ChangeSetSummary, ConflictView, Decision, Hunk, HunkDecision,
    Operation, OperationDiff, OperationId, OperationKind, OperationState, SessionId, text::Encoding,
};
use orangery_store::{
    SqliteConnection,
    table::{
        change_set::{self, ChangeSetRow},
        operation::{self, OperationRow},
    },
};

use crate::{
    Changes, Error, House, Result,
    diff::TextDiff,
    disk::{known, look_at},
    edits,
    operation::{Loaded, decisions_to_letters, load, not_rejected, state_of},
};

/// File names shown of a set in a list.
const NAMES: usize = 3;

impl Changes {
    /// Change sets, the newest first.
    pub async fn list(
        &self,
        pending: bool,
        session: Option<&SessionId>,
        limit: u32,
    ) -> Result<Vec<ChangeSetSummary>> {
        let db = self.house().db.reader();
        let rows = change_set::list(db, pending, session, if limit == 0 { 100 } else { limit }).await?;
        let mut out = Vec::with_capacity(rows.len());
        for row in rows {
            let operations = operation::of_set(db, row.id).await?;
            out.push(summary(row, &operations));
        }
        Ok(out)
    }

    /// A change set with its operations.
    pub async fn get(&self, id: ChangeSetId) -> Result<ChangeSet> {
        let house = self.house();
        let (set, rows) = house.set(id).await?;
        let summary = summary(set, &rows);
        let mut operations = Vec::with_capacity(rows.len());
        for row in rows {
            let loaded = load(&house.db, row).await?;
            let diff = loaded.diff();
            operations.push(describe(&loaded, &diff));
        }
        Ok(ChangeSet { summary, operations })
    }

    /// What one operation does, line by line; for a conflict, with the three texts.
    pub async fn diff(&self, id: OperationId) -> Result<OperationDiff> {
        let house = self.house();
        let row = operation::by_id(house.db.reader(), id).await?.ok_or_else(|| missing("operation", id))?;
        let loaded = load(&house.db, row).await?;
        let diff = loaded.diff();
        let conflict = if loaded.row.state == OperationState::Conflict {
            Some(house.conflict(&loaded).await?)
        } else {
            None
        };
        let operation = describe(&loaded, &diff);
        let (old_lines, new_lines) = (diff.old_lines, diff.new_lines);
        let hunks = (0u32..)
            .zip(diff.hunks)
            .map(|(index, hunk)| Hunk {
                index,
                decision: loaded.decision(hunk.edits),
                old: hunk.old,
                new: hunk.new,
                heading_path: hunk.heading_path,
                rows: hunk.rows,
            })
            .collect();
        Ok(OperationDiff { operation, old_lines, new_lines, hunks, encoding: None, conflict })
    }

    /// Takes over decisions on operations and hunks. They survive a restart.
    pub async fn review(&self, id: ChangeSetId, decisions: &[Decision]) -> Result<ChangeSet> {
        let house = self.house();
        {
            let _held = house.locks.set(id).await;
            let (_, rows) = house.set(id).await?;
            let mut changed = Vec::new();
            for row in rows {
                let own: Vec<&Decision> =
                    decisions.iter().filter(|decision| decision.operation_id == row.id).collect();
                if own.is_empty() {
                    continue;
                }
                if row.state == OperationState::Applied {
                    return Err(Error::AlreadyApplied(row.id));
                }
                let mut loaded = load(&house.db, row).await?;
                for decision in own {
                    decide(&mut loaded, decision)?;
                }
                changed.push(loaded);
            }
            let foreign = decisions
                .iter()
                .find(|decision| !changed.iter().any(|own| own.row.id == decision.operation_id));
            if let Some(decision) = foreign {
                return Err(missing("operation of this change set", decision.operation_id));
            }
            let mut write = house.db.write().await?;
            for loaded in &changed {
                let letters = decisions_to_letters(&loaded.decisions);
                operation::decide(&mut write, loaded.row.id, state_of(&loaded.decisions), &letters).await?;
            }
            settle_set(&mut write, id, None).await?;
            write.commit().await.map_err(orangery_store::Error::from)?;
        }
        self.get(id).await
    }

    /// Rejects everything that is not applied. The proposals stay readable.
    pub async fn reject(&self, id: ChangeSetId) -> Result<()> {
        let house = self.house();
        let _held = house.locks.set(id).await;
        let (_, rows) = house.set(id).await?;
        let mut write = house.db.write().await?;
        for row in rows.iter().filter(|row| row.state != OperationState::Applied) {
            let letters = "r".repeat(row.proposal.decisions.len());
            operation::decide(&mut write, row.id, OperationState::Rejected, &letters).await?;
        }
        settle_set(&mut write, id, None).await?;
        write.commit().await.map_err(orangery_store::Error::from)?;
        Ok(())
    }
}

impl House {
    pub(crate) async fn set(&self, id: ChangeSetId) -> Result<(ChangeSetRow, Vec<OperationRow>)> {
        let set = change_set::get(self.db.reader(), id).await?.ok_or_else(|| missing("change set", id))?;
        Ok((set, operation::of_set(self.db.reader(), id).await?))
    }

    async fn conflict(&self, loaded: &Loaded) -> Result<ConflictView> {
        let place = loaded.place();
        let disk = match look_at(&self.roots, place).await {
            Ok(disk) => disk.bytes().map(<[u8]>::to_vec),
            Err(error) if error.kind() == orangery_domain::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let known = known(&self.db, place).await?;
        let base = loaded.base_text();
        let proposal = edits::splice(base, &loaded.chosen(not_rejected));
        Ok(ConflictView {
            base: loaded.base.as_ref().map(|_| base.to_owned()),
            disk: disk.and_then(|bytes| known.decode(place, &bytes).ok()).map(|decoded| decoded.text),
            proposal: (loaded.kind() != OperationKind::RemoveCreated).then_some(proposal),
            regions: Vec::new(),
        })
    }
}

fn missing(what: &'static str, id: impl ToString) -> Error {
    Error::NotFound { what, id: id.to_string() }
}

fn decide(loaded: &mut Loaded, decision: &Decision) -> Result<()> {
    let Some(index) = decision.hunk else {
        loaded.decisions.fill(decision.decision);
        return Ok(());
    };
    let hunks = loaded.diff().hunks;
    let hunk = hunks.get(index as usize).ok_or_else(|| missing("hunk", index))?;
    if let Some(own) = loaded.decisions.get_mut(hunk.edits.clone()) {
        own.fill(decision.decision);
    }
    Ok(())
}

fn summary(row: ChangeSetRow, operations: &[OperationRow]) -> ChangeSetSummary {
    let mut names: Vec<String> = Vec::new();
    for operation in operations {
        let name = operation.proposal.place.path.name();
        if names.len() < NAMES && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    ChangeSetSummary {
        id: row.id,
        provenance: row.provenance,
        state: row.state,
        created_at: row.created_at,
        applied_at: row.applied_at,
        operations: operations.len() as u32,
        pending: operations.iter().filter(|operation| waits(operation.state)).count() as u32,
        names,
        undone_by: row.undone_by,
    }
}

/// Whether somebody still has to decide on it or apply it.
pub fn waits(state: OperationState) -> bool {
    match state {
        OperationState::Undecided
        | OperationState::Accepted
        | OperationState::Conflict
        | OperationState::Failed => true,
        OperationState::Rejected | OperationState::Applied => false,
    }
}

fn describe(loaded: &Loaded, diff: &TextDiff) -> Operation {
    let row = &loaded.row;
    let decisions: Vec<HunkDecision> =
        diff.hunks.iter().map(|hunk| loaded.decision(hunk.edits.clone())).collect();
    let counted = diff.hunks.iter().zip(&decisions);
    let counted: Vec<_> =
        counted.filter(|(_, decision)| not_rejected(**decision)).map(|(hunk, _)| hunk).collect();
    let count = |wanted| decisions.iter().filter(|decision| **decision == wanted).count() as u32;
    let mut warnings = row.proposal.warnings.clone();
    if let Some(decoded) = loaded.decoded.as_ref().filter(|decoded| decoded.encoding != Encoding::Utf8) {
        warnings.push(orangery_domain::Warning::new("encodingKept", decoded.encoding.label()));
    }
    Operation {
        id: row.id,
        change_set_id: row.change_set_id,
        kind: row.proposal.kind,
        place: row.proposal.place.clone(),
        target: None,
        file_id: row.proposal.file_id,
        state: row.state,
        added: counted.iter().map(|hunk| hunk.added).sum(),
        removed: counted.iter().map(|hunk| hunk.removed).sum(),
        hunks: decisions.len() as u32,
        hunks_accepted: count(HunkDecision::Accepted),
        hunks_rejected: count(HunkDecision::Rejected),
        sizes: None,
        contents: None,
        follows: None,
        comments: Vec::new(),
        warnings,
        note: row.proposal.note.clone(),
    }
}

/// Brings the state of a set in line with its operations; `applied_at` when some were applied now.
/// A set that was taken back stays so.
pub(crate) async fn settle_set(
    write: &mut SqliteConnection,
    id: ChangeSetId,
    applied_at: Option<i64>,
) -> Result<ChangeSetState> {
    let rows = operation::of_set(&mut *write, id).await?;
    let set = change_set::get(&mut *write, id).await?.ok_or_else(|| missing("change set", id))?;
    let applied = rows.iter().any(|row| row.state == OperationState::Applied);
    let waiting = rows.iter().any(|row| waits(row.state));
    let state = match (applied, waiting) {
        (true, true) => ChangeSetState::PartlyApplied,
        (true, false) if set.state == ChangeSetState::Undone => ChangeSetState::Undone,
        (true, false) => ChangeSetState::Applied,
        (false, true) => ChangeSetState::Pending,
        (false, false) => ChangeSetState::Rejected,
    };
    change_set::set_state(write, id, state, applied_at).await?;
    Ok(state)
}
