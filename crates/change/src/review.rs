//! What waits for review, shown and decided.

mod again;
mod catch_up;
mod over;
pub(crate) mod resolve;
mod restack;
mod words;

pub(crate) use over::still_open;

use orangery_domain::{
    ChangeSet, ChangeSetId, ChangeSetState, ChangeSetSummary, Decision, EncodingChange, Hunk, HunkDecision,
    OperationDiff, OperationId, OperationKind, OperationState, Provenance, SessionId, text::Decoded,
};
use orangery_store::{
    SqliteConnection, now_ms,
    table::{
        blob,
        change_set::{self, ChangeSetRow},
        comment,
        operation::{self, OperationRow},
        shape,
    },
};

use crate::{
    Changes, Error, House, Result,
    diff::TextHunk,
    disk::known,
    note,
    operation::{Loaded, decisions_to_letters, load, state_of},
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
        let shapes = shape::of_set(house.db.reader(), id).await?;
        let comments = comment::of_set(house.db.reader(), id).await?;
        let summary = summary(set, &rows);
        let mut operations = Vec::with_capacity(rows.len());
        for row in rows {
            let shape = shapes.get(&row.id);
            operations.push(house.describe(row, shape, &comments).await?);
        }
        Ok(ChangeSet { summary, operations })
    }

    /// What one operation does, line by line; for a conflict, with the three texts.
    pub async fn diff(&self, id: OperationId) -> Result<OperationDiff> {
        let house = self.house();
        let row = house.operation(id).await?;
        let loaded = load(&house.db, row).await?;
        let diff = loaded.diff();
        let conflict = if loaded.row.state == OperationState::Conflict {
            Some(house.conflict(&loaded).await?)
        } else {
            None
        };
        let comments = comment::of_operation(house.db.reader(), id).await?;
        let operation = house.describe(loaded.row.clone(), Some(&loaded.shape_of(&diff)), &comments).await?;
        let encoding = house.encoding_change(&loaded).await?;
        let outdated = house.is_outdated(&loaded).await?;
        let (old_lines, new_lines) = (diff.old_lines, diff.new_lines);
        let hunks = to_hunks(diff.hunks, |hunk| loaded.decision(hunk.edits.clone()));
        Ok(OperationDiff { operation, old_lines, new_lines, hunks, encoding, conflict, outdated })
    }

    /// Takes over decisions on operations and hunks. They survive a restart.
    pub async fn review(&self, id: ChangeSetId, decisions: &[Decision]) -> Result<ChangeSet> {
        let house = self.house();
        {
            let _held = house.locks.set(id).await;
            let (set, rows) = house.set(id).await?;
            let mut changed = Vec::new();
            for row in rows {
                let own: Vec<&Decision> =
                    decisions.iter().filter(|decision| decision.operation_id == row.id).collect();
                if own.is_empty() {
                    continue;
                }
                still_open(&set, &row)?;
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
            let unmoved: Vec<OperationId> = changed
                .iter()
                .filter(|one| {
                    one.kind() == OperationKind::Move && state_of(&one.decisions) == OperationState::Rejected
                })
                .map(|one| one.row.id)
                .collect();
            let mut write = house.db.write().await?;
            operation::reject_followers(&mut write, &unmoved).await?;
            for loaded in &changed {
                let letters = decisions_to_letters(&loaded.decisions);
                operation::decide(&mut write, loaded.row.id, decided_state(loaded), &letters).await?;
            }
            settle_set(&mut write, id, None).await?;
            write.commit().await.map_err(orangery_store::Error::from)?;
            house.restack(id).await?;
        }
        self.get(id).await
    }

    /// Rejects everything that waits. The proposals stay readable.
    ///
    /// # Errors
    /// `Conflict` when all of it is applied or taken back.
    pub async fn reject(&self, id: ChangeSetId) -> Result<()> {
        let house = self.house();
        let _held = house.locks.set(id).await;
        let (set, rows) = house.set(id).await?;
        over::still_rejectable(&set, &rows)?;
        let mut write = house.db.write().await?;
        reject_rest(&mut write, &rows).await?;
        settle_set(&mut write, id, None).await?;
        write.commit().await.map_err(orangery_store::Error::from)?;
        Ok(())
    }
}

impl House {
    /// What happens to the encoding, where the operation makes bytes that are known to the last.
    async fn encoding_change(&self, loaded: &Loaded) -> Result<Option<EncodingChange>> {
        let (Some(before), Some(exact), Some(_)) = (&loaded.decoded, loaded.row.proposal.exact, &loaded.base)
        else {
            return Ok(None);
        };
        let bytes = blob::get(self.db.reader(), exact).await?;
        let after = known(&self.db, loaded.place()).await?.decode(loaded.place(), &bytes).ok();
        Ok(after.and_then(|after| encoding_between(before, &after)))
    }

    pub(crate) async fn set(&self, id: ChangeSetId) -> Result<(ChangeSetRow, Vec<OperationRow>)> {
        let set = change_set::get(self.db.reader(), id).await?.ok_or_else(|| missing("change set", id))?;
        Ok((set, operation::of_set(self.db.reader(), id).await?))
    }

    pub(crate) async fn operation(&self, id: OperationId) -> Result<OperationRow> {
        operation::by_id(self.db.reader(), id).await?.ok_or_else(|| missing("operation", id))
    }
}

pub(crate) fn missing(what: &'static str, id: impl ToString) -> Error {
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

/// What decisions make of an operation: they end no conflict but by giving the operation up.
fn decided_state(loaded: &Loaded) -> OperationState {
    match (state_of(&loaded.decisions), loaded.row.state) {
        (OperationState::Undecided | OperationState::Accepted, OperationState::Conflict) => {
            OperationState::Conflict
        }
        (decided, _) => decided,
    }
}

/// The change of encoding or of its byte order mark, if there is one.
pub(crate) fn encoding_between(before: &Decoded, after: &Decoded) -> Option<EncodingChange> {
    let label = |text: &Decoded| {
        let mark = if text.bom { " with BOM" } else { "" };
        format!("{}{mark}", text.encoding.label())
    };
    let change = EncodingChange { before: label(before), after: label(after) };
    (change.before != change.after).then_some(change)
}

/// Hunks as people see them.
pub(crate) fn to_hunks(hunks: Vec<TextHunk>, decision: impl Fn(&TextHunk) -> HunkDecision) -> Vec<Hunk> {
    let hunk = |(index, hunk): (u32, TextHunk)| Hunk {
        index,
        decision: decision(&hunk),
        old: hunk.old,
        new: hunk.new,
        heading_path: hunk.heading_path,
        rows: hunk.rows,
    };
    (0u32..).zip(hunks).map(hunk).collect()
}

/// The set that takes what comes next from `provenance`: the one of its session that is open, else a
/// new one.
pub(crate) async fn open_set(write: &mut SqliteConnection, provenance: &Provenance) -> Result<ChangeSetId> {
    let open = match provenance {
        Provenance::Assistant { session_id, turn_id, .. } => {
            change_set::open_of_session(&mut *write, session_id, turn_id.map(|turn| turn.0)).await?
        }
        _ => None,
    };
    match open {
        Some(set) => Ok(set),
        None => Ok(change_set::insert(write, provenance, now_ms()).await?),
    }
}

/// The conflict that this operation was proposed instead of is over, and so are those that it was
/// itself instead of.
pub(crate) async fn close_conflicts(write: &mut SqliteConnection, id: OperationId) -> Result<()> {
    let mut successor = operation::by_id(&mut *write, id).await?;
    while let Some(row) = successor {
        let Some(on) = row.proposal.built_on.filter(|on| *on < row.id) else { break };
        let Some(before) = operation::by_id(&mut *write, on).await? else { break };
        if before.state != OperationState::Conflict {
            break;
        }
        operation::close_conflict(write, row.id, &note::plain(note::SETTLED)).await?;
        successor = Some(before);
    }
    Ok(())
}

/// Something more waits in a set; its operations need not be looked at for that.
pub(crate) async fn reopen(write: &mut SqliteConnection, id: ChangeSetId) -> Result<()> {
    let set = change_set::get(&mut *write, id).await?.ok_or_else(|| missing("change set", id))?;
    let state = match set.state {
        ChangeSetState::Applied | ChangeSetState::PartlyApplied | ChangeSetState::Undone => {
            ChangeSetState::PartlyApplied
        }
        ChangeSetState::Pending | ChangeSetState::Rejected => ChangeSetState::Pending,
    };
    if state != set.state {
        change_set::set_state(write, id, state, None).await?;
    }
    Ok(())
}

/// Rejects those of `rows` that are not applied.
pub(crate) async fn reject_rest(write: &mut SqliteConnection, rows: &[OperationRow]) -> Result<()> {
    for row in rows.iter().filter(|row| row.state != OperationState::Applied) {
        let letters = "r".repeat(row.proposal.decisions.len());
        operation::decide(&mut *write, row.id, OperationState::Rejected, &letters).await?;
    }
    Ok(())
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
