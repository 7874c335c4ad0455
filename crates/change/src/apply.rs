//! Applies what was decided: plan, journal, files, database, in this order.

mod ahead;
mod link;
pub(crate) mod manifest;
pub(crate) mod settle;
mod settle_tree;
mod whole;
pub(crate) mod write;

use std::{collections::BTreeSet, sync::Arc};

use orangery_domain::{
    Applied, ChangeSetId, ChangeSetState, OperationId, OperationKind, OperationState, Provenance,
};
use orangery_store::{
    Db,
    blob::Packed,
    now_ms,
    table::{
        blob, change_set, journal,
        operation::{self, AppliedRow, OperationRow, Proposal},
    },
};

use crate::{
    Changes, Error, House, Result,
    locks::Held,
    note,
    operation::{is_whole, to_json, undecided},
    plan::{Conflict, Plan, select},
    review,
    stop::Point,
};

use write::{Contents, Failure, Outcome, Tools};

impl Changes {
    /// Applies operations of a set: those named, or all that have something accepted; with `all`, every
    /// one that is not rejected. Where the file is not what an operation was proposed on, nothing is
    /// written and the operation is a conflict. When a write fails, all of this call are taken back.
    pub async fn apply(&self, id: ChangeSetId, operations: &[OperationId], all: bool) -> Result<Applied> {
        let operations = operations.to_vec();
        self.uncut(move |house| async move {
            let _held = house.locks.set(id).await;
            house.recover().await?;
            Ok(house.apply(id, &operations, all).await?.0)
        })
        .await
    }
}

impl House {
    /// As [`Changes::apply`], with the set held; says too why writing stopped, if it did.
    pub(crate) async fn apply(
        &self,
        id: ChangeSetId,
        operations: &[OperationId],
        all: bool,
    ) -> Result<(Applied, Option<Failure>)> {
        let applied = self.apply_or_leave(id, operations, all, false).await?;
        applied.ok_or_else(|| Error::Internal("a set that was to be applied was left out".into()))
    }

    /// Applies a set that takes something back and says what became of all of it. What is back already is no part of
    /// it; if all is, the set is dropped. What is offered instead of a conflict is left to people.
    pub(crate) async fn apply_back(&self, id: ChangeSetId) -> Result<Option<Applied>> {
        Ok(self.apply_or_leave(id, &[], true, true).await?.map(|(applied, _)| applied))
    }

    async fn apply_or_leave(
        &self,
        id: ChangeSetId,
        operations: &[OperationId],
        all: bool,
        back: bool,
    ) -> Result<Option<(Applied, Option<Failure>)>> {
        let (set, rows) = self.set(id).await?;
        let known: BTreeSet<OperationId> = rows.iter().map(|row| row.id).collect();
        if let Some(foreign) = operations.iter().find(|named| !known.contains(named)) {
            let what = "operation of this change set";
            return Err(Error::NotFound { what, id: foreign.to_string() });
        }
        if set.state == ChangeSetState::Undone {
            return Err(Error::AlreadyUndone(id));
        }
        for named in rows.iter().filter(|row| operations.contains(&row.id)) {
            review::still_open(&set, named)?;
        }
        let mut selected = select(rows.clone(), operations, all);
        if back {
            selected.retain(|(row, _)| !is_offered(row));
        }
        let asked: BTreeSet<OperationId> = selected.iter().map(|(row, _)| row.id).collect();
        let _held = self.lock_for(selected.iter().map(|(row, _)| row)).await;
        let mut plan = self.plan(selected, &rows).await?;
        if back && !plan.idle.is_empty() {
            let empty = plan.idle.len() == rows.len();
            let mut write = self.db.write().await?;
            for idle in std::mem::take(&mut plan.idle) {
                operation::remove(&mut write, idle).await?;
            }
            if empty {
                change_set::remove_unapplied(&mut write, id).await?;
            }
            write.commit().await.map_err(orangery_store::Error::from)?;
            if empty {
                return Ok(None);
            }
        }
        let outcome = self.carry_out(Some(id), &set.provenance, plan).await?;

        let (set, rows) = self.set(id).await?;
        let of = |state| {
            let own = rows.iter().filter(|row| row.state == state && (back || asked.contains(&row.id)));
            own.map(|row| row.id).collect::<Vec<_>>()
        };
        let applied = Applied {
            change_set_id: id,
            applied: of(OperationState::Applied),
            conflicts: of(OperationState::Conflict),
            failed: of(OperationState::Failed),
            state: set.state,
        };
        Ok(Some((applied, outcome.failure)))
    }

    /// What `rows` name, for this caller alone. Whole files and folders touch places that nobody can list, so
    /// while they change nothing else of their knowledge bases does.
    async fn lock_for(&self, rows: impl Iterator<Item = &OperationRow>) -> Held {
        let (mut places, mut trees) = (Vec::new(), Vec::new());
        for row in rows {
            let own = std::iter::once(&row.proposal.place).chain(&row.proposal.target);
            for place in own {
                places.push(place.clone());
                if is_whole(row.proposal.kind) {
                    trees.push(place.kb_id);
                }
            }
        }
        self.locks.trees(trees, &places).await
    }

    /// Carries a plan out; the paths of its steps are locked by the caller. Says what became of the
    /// steps.
    ///
    /// # Errors
    /// Only when nothing was written, or when what was written could neither be finished nor put back.
    pub(crate) async fn carry_out(
        &self,
        set: Option<ChangeSetId>,
        provenance: &Provenance,
        plan: Plan,
    ) -> Result<Outcome> {
        let meant = self.still_meant(set, &plan.steps).await?;
        let now = now_ms();
        let mut write = self.db.write().await?;
        blob::put_all(&mut write, &plan.contents).await?;
        operation::set_decisions(&mut write, &plan.decided).await?;
        let idle: Vec<AppliedRow> =
            plan.idle.iter().map(|id| AppliedRow { id: *id, before: None, after: None }).collect();
        operation::set_applied(&mut write, &idle, now).await?;
        for id in &plan.idle {
            review::close_conflicts(&mut write, *id).await?;
        }
        for (id, note) in &plan.failed {
            operation::set_state(&mut write, *id, OperationState::Failed, Some(note)).await?;
        }
        for (id, remark) in &plan.remarks {
            operation::add_warning(&mut write, *id, remark).await?;
        }
        for conflict in &plan.conflicts {
            self.keep_conflict(&mut write, set, conflict).await?;
        }
        if plan.steps.is_empty() {
            if let Some(set) = set {
                let applied = (!plan.idle.is_empty()).then_some(now);
                review::settle_set(&mut write, set, applied).await?;
            }
            write.commit().await.map_err(orangery_store::Error::from)?;
            return Ok(Outcome { reached: Vec::new(), items: Vec::new(), failure: None });
        }
        let journal = journal::begin(&mut write, set, provenance, &plan.steps, &plan.held, now).await?;
        write.commit().await.map_err(orangery_store::Error::from)?;
        self.seam.point(Point::Journaled);

        let contents = unpack(plan.contents)?;
        let (roots, seam, steps) = (Arc::clone(&self.roots), self.seam.clone(), plan.steps.clone());
        let db = self.db.clone();
        let written = tokio::task::spawn_blocking(move || {
            let begun = progress(&db, journal);
            let tools = Tools { roots: &*roots, contents: &contents, seam: &seam, begun: &begun };
            write::write_all(&tools, &steps)
        })
        .await;
        let outcome = written.map_err(Error::task)?;
        self.seam.point(Point::Written);
        let seen = self.seen_again(meant).await;
        self.settle(journal, set, provenance, &plan.steps, &outcome, &seen).await?;
        self.seam.point(Point::Settled);
        match &outcome.failure {
            Some(failure) if !failure.left.is_empty() => {
                Err(Error::HalfWritten { cause: failure.trouble.to_string(), left: failure.left.join("; ") })
            }
            _ => Ok(outcome),
        }
    }

    /// Notes a conflict, and offers the same change on the file as it is now where that is clean.
    pub(crate) async fn keep_conflict(
        &self,
        write: &mut orangery_store::SqliteConnection,
        set: Option<ChangeSetId>,
        conflict: &Conflict,
    ) -> Result<()> {
        operation::set_state(write, conflict.id, OperationState::Conflict, Some(&conflict.note)).await?;
        let (Some(set), Some(merged)) = (set, &conflict.merged) else { return Ok(()) };
        let Some(row) = operation::by_id(&mut *write, conflict.id).await? else { return Ok(()) };
        let edits = Packed::new(&to_json(&merged.edits)?);
        blob::put(write, &merged.base).await?;
        blob::put(write, &edits).await?;
        let proposal = Proposal {
            kind: OperationKind::Edit,
            base: Some(merged.base.hash()),
            edits: Some(edits.hash()),
            decisions: undecided(&merged.edits),
            exact: None,
            built_on: Some(conflict.id),
            note: Some(note::on_current(conflict.id)),
            ..row.proposal
        };
        operation::insert(write, set, &proposal, row.turn_id).await?;
        Ok(())
    }
}

/// Whether it waits as what is proposed instead of a conflict, and nobody decided on it.
fn is_offered(row: &OperationRow) -> bool {
    let instead = row.proposal.built_on.map(note::on_current);
    row.state == OperationState::Undecided && instead.is_some() && row.proposal.note == instead
}

/// Notes in the journal, from a thread that may block, which step begins.
pub(crate) fn progress(db: &Db, journal: i64) -> impl Fn(usize) -> orangery_store::Result<()> {
    let (db, runtime) = (db.clone(), tokio::runtime::Handle::current());
    move |step| {
        runtime.block_on(async {
            let mut write = db.write().await?;
            journal::set_progress(&mut write, journal, step).await?;
            Ok(write.commit().await?)
        })
    }
}

pub(crate) fn unpack(contents: Vec<Packed>) -> Result<Contents> {
    contents.into_iter().map(|packed| Ok((packed.hash(), packed.unpack()?))).collect()
}
