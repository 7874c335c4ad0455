//! After the files: the database is told what became of each step.

use std::collections::{HashMap, HashSet};

use orangery_domain::{
    ChangeSetId, ChangeSetState, ContentHash, FilePlace, HunkDecision, KbId, OperationId, OperationKind,
    OperationState, Provenance, TextEdit, TurnId,
};
use orangery_store::{
    SqliteConnection,
    blob::Packed,
    now_ms,
    table::{
        blob, change_set,
        journal::{self, Act, Step},
        operation::{self, AppliedRow, OperationRow, Proposal},
        version,
    },
};

use super::settle_tree;
use super::write::{Outcome, Reached};
use crate::{
    House, Result, Written,
    diff::between,
    edits, note,
    operation::{Loaded, decisions_to_letters, decode_as, load, to_json, undecided},
    review,
};

/// The operations of a set as they were before it was applied.
#[derive(Default)]
struct Before<'a> {
    by_id: HashMap<OperationId, &'a OperationRow>,
    /// Edits that wait, by their file.
    waiting: HashMap<(KbId, String), Vec<&'a OperationRow>>,
    /// What those that mean a file as a whole saw of it.
    whole_files: HashSet<ContentHash>,
}

impl<'a> Before<'a> {
    fn of(rows: &'a [OperationRow]) -> Self {
        let mut before = Self::default();
        for row in rows {
            before.by_id.insert(row.id, row);
            let waits = matches!(
                row.state,
                OperationState::Undecided | OperationState::Accepted | OperationState::Failed
            );
            if waits && row.proposal.kind == OperationKind::Edit {
                before.waiting.entry(key(&row.proposal.place)).or_default().push(row);
            }
            let whole = row.proposal.tree.as_ref().filter(|tree| !tree.folder);
            before.whole_files.extend(whole.map(|tree| tree.seen));
        }
        before
    }
}

fn key(place: &FilePlace) -> (KbId, String) {
    (place.kb_id, place.path.key())
}

/// What applied operations leave to do, worked out before the transaction begins.
#[derive(Default)]
struct Aftermath {
    contents: Vec<Packed>,
    /// Operations that keep only the edits that were decided.
    trimmed: Vec<(OperationId, ContentHash, String)>,
    /// Edits that nobody decided on, as operations of their own.
    remaining: Vec<(Proposal, Option<TurnId>, bool)>,
    /// Pending operations that read on from the new content.
    moved: Vec<(OperationId, ContentHash, Option<ContentHash>)>,
}

impl House {
    /// Ends the journal entry with states that are true, and tells who listens.
    pub(crate) async fn settle(
        &self,
        journal: i64,
        set: Option<ChangeSetId>,
        provenance: &Provenance,
        steps: &[Step],
        outcome: &Outcome,
        seen: &[(OperationId, operation::Tree)],
    ) -> Result<()> {
        let rows = match set {
            Some(set) => operation::of_set(self.db.reader(), set).await?,
            None => Vec::new(),
        };
        let before = Before::of(&rows);
        let mut aftermath = Aftermath::default();
        for (step, reached) in steps.iter().zip(&outcome.reached) {
            if *reached == Reached::New && step.act == Act::Content {
                self.look_after(step, &before, &mut aftermath).await?;
            }
        }

        let now = now_ms();
        let mut write = self.db.write().await?;
        blob::put_all(&mut write, &aftermath.contents).await?;
        let mut done = Done::default();
        let mut whole_files = before.whole_files.clone();
        for (at, (step, reached)) in steps.iter().zip(&outcome.reached).enumerate() {
            match reached {
                Reached::New => done.take(&mut write, step, &before).await?,
                _ => settle_step(&mut write, (at, step, *reached), outcome).await?,
            }
            let item = outcome.items.get(at).cloned().flatten();
            if step.act == Act::Content {
                if !step.old.is_some_and(|old| whole_files.contains(&old)) {
                    continue;
                }
                whole_files.extend(step.new);
            }
            // What goes elsewhere takes along what is known of it by now.
            done.store(&mut write, set, provenance, now).await?;
            settle_tree::settle(&mut write, set, provenance, (step, *reached), item, now).await?;
        }
        done.store(&mut write, set, provenance, now).await?;
        for (id, tree) in seen {
            operation::set_tree(&mut write, *id, tree).await?;
        }
        for (id, edits, letters) in &aftermath.trimmed {
            operation::trim(&mut write, *id, *edits, letters).await?;
        }
        for (id, base, edits) in &aftermath.moved {
            operation::set_base(&mut write, *id, Some(*base), *edits, None).await?;
        }
        if let Some(set) = set {
            for (proposal, turn, fits) in &aftermath.remaining {
                let id = operation::insert(&mut write, set, proposal, *turn).await?;
                if !fits {
                    let note = note::plain(note::MEETS_APPLIED);
                    operation::set_state(&mut write, id, OperationState::Conflict, Some(&note)).await?;
                }
            }
        }
        journal::end(&mut write, journal).await?;
        if let Some(set) = set {
            let applied = outcome.reached.contains(&Reached::New).then_some(now);
            let state = review::settle_set(&mut write, set, applied).await?;
            settle_undone(&mut write, set, provenance, state).await?;
        }
        // What an operation made is kept with it; the rest may have been for the journal alone.
        let kept = |(step, reached): &(&Step, &Reached)| {
            **reached == Reached::New && step.act == Act::Content && !step.operations.is_empty()
        };
        for (step, _) in steps.iter().zip(&outcome.reached).filter(|step| !kept(step)) {
            for hash in step.contents() {
                blob::release(&mut write, hash).await?;
            }
        }
        write.commit().await.map_err(orangery_store::Error::from)?;

        for (step, reached) in steps.iter().zip(&outcome.reached) {
            if *reached == Reached::New && step.old != step.new {
                (self.notify)(written(step, set));
            }
        }
        Ok(())
    }

    async fn look_after(&self, step: &Step, before: &Before<'_>, aftermath: &mut Aftermath) -> Result<()> {
        let Some(new) = step.new.filter(|_| !step.folder) else { return Ok(()) };
        let own = step.operations.iter().filter_map(|id| before.by_id.get(id));
        let open: Vec<_> = own.filter(|row| row.proposal.decisions.contains('u')).collect();
        let stands_on_old = |row: &&&OperationRow| {
            !step.operations.contains(&row.id)
                && (row.proposal.base == step.old
                    || row.proposal.built_on.is_some_and(|on| step.operations.contains(&on)))
        };
        let waiting = before.waiting.get(&key(&step.place)).into_iter().flatten();
        let waiting: Vec<_> = waiting.filter(stands_on_old).collect();
        if open.is_empty() && waiting.is_empty() {
            return Ok(());
        }
        let bytes = blob::get(self.db.reader(), new).await?;
        for row in open {
            split(&load(&self.db, (*row).clone()).await?, new, &bytes, aftermath)?;
        }
        for row in waiting {
            let loaded = load(&self.db, (*row).clone()).await?;
            if let Some(moved) = moved(&loaded, &loaded.edits, &bytes)? {
                let packed = Packed::new(&to_json(&moved)?);
                aftermath.moved.push((row.id, new, Some(packed.hash())));
                aftermath.contents.push(packed);
            }
        }
        Ok(())
    }
}

fn written(step: &Step, change_set_id: Option<ChangeSetId>) -> Written {
    match &step.act {
        Act::Move { to, .. } => {
            Written { place: to.clone(), from: Some(step.place.clone()), hash: None, change_set_id }
        }
        Act::Content | Act::Trash { .. } | Act::Fetch { .. } => Written {
            place: step.place.clone(),
            from: None,
            hash: step.new.filter(|_| !step.folder),
            change_set_id,
        },
        Act::Link { .. } => Written { place: step.place.clone(), from: None, hash: None, change_set_id },
    }
}

/// The edits of `loaded` on `bytes`, which were made of its base by others.
fn moved(loaded: &Loaded, edits: &[TextEdit], bytes: &[u8]) -> Result<Option<Vec<TextEdit>>> {
    let Some(decoded) = &loaded.decoded else { return Ok(None) };
    let now = decode_as(bytes, decoded.encoding)?;
    Ok(edits::rebase_by_lines(&decoded.text, edits, &between(&decoded.text, &now.text)))
}

/// Takes what nobody decided on out of an applied operation, into one that waits.
fn split(loaded: &Loaded, new: ContentHash, bytes: &[u8], aftermath: &mut Aftermath) -> Result<()> {
    let pairs = || loaded.edits.iter().cloned().zip(loaded.decisions.iter().copied());
    let (kept, decisions): (Vec<TextEdit>, Vec<HunkDecision>) =
        pairs().filter(|(_, decision)| *decision != HunkDecision::Undecided).unzip();
    let open: Vec<TextEdit> =
        pairs().filter(|(_, decision)| *decision == HunkDecision::Undecided).map(|(edit, _)| edit).collect();
    let kept = Packed::new(&to_json(&kept)?);
    aftermath.trimmed.push((loaded.row.id, kept.hash(), decisions_to_letters(&decisions)));
    aftermath.contents.push(kept);

    let moved = moved(loaded, &open, bytes)?;
    let fits = moved.is_some();
    let base = if fits { Some(new) } else { loaded.row.proposal.base };
    let open = moved.unwrap_or(open);
    let packed = Packed::new(&to_json(&open)?);
    aftermath.remaining.push((
        Proposal {
            base,
            edits: Some(packed.hash()),
            decisions: undecided(&open),
            exact: None,
            built_on: None,
            ..loaded.row.proposal.clone()
        },
        loaded.row.turn_id,
        fits,
    ));
    aftermath.contents.push(packed);
    Ok(())
}

/// What was written, on its way into the database with one statement for many.
#[derive(Default)]
struct Done<'a> {
    kept: Vec<version::Kept<'a>>,
    applied: Vec<AppliedRow>,
}

impl<'a> Done<'a> {
    async fn take(
        &mut self,
        write: &mut SqliteConnection,
        step: &'a Step,
        before: &Before<'_>,
    ) -> Result<()> {
        if let Some(hash) = step.old.filter(|_| step.keep_version && step.old != step.new) {
            self.kept.push(version::Kept { place: &step.place, hash, mode: step.mode });
        }
        for id in step.operations.iter().copied() {
            self.applied.push(AppliedRow { id, before: step.old, after: step.new });
            if before.by_id.get(&id).is_none_or(|row| row.proposal.built_on.is_some()) {
                review::close_conflicts(write, id).await?;
            }
        }
        Ok(())
    }

    async fn store(
        &mut self,
        write: &mut SqliteConnection,
        set: Option<ChangeSetId>,
        provenance: &Provenance,
        now: i64,
    ) -> Result<()> {
        version::insert_all(write, &std::mem::take(&mut self.kept), provenance, set, now).await?;
        operation::set_applied(write, &std::mem::take(&mut self.applied), now).await?;
        Ok(())
    }
}

/// A step that was not written says why.
async fn settle_step(
    write: &mut SqliteConnection,
    (at, step, reached): (usize, &Step, Reached),
    outcome: &Outcome,
) -> Result<()> {
    let note = match reached {
        Reached::New => return Ok(()),
        Reached::Old => {
            let own = outcome.failure.as_ref().filter(|failure| failure.step == at);
            own.map(|failure| (OperationState::Failed, failure.trouble.note()))
        }
        Reached::Other => Some((OperationState::Conflict, note::plain(note::CHANGED_MEANWHILE))),
    };
    let Some((state, note)) = note else { return Ok(()) };
    for id in &step.operations {
        operation::set_state(write, *id, state, Some(&note)).await?;
    }
    Ok(())
}

/// A set that takes another back makes that one undone, with all of it, once all of it is applied; and taking back a
/// taking back restores the first.
async fn settle_undone(
    write: &mut SqliteConnection,
    set: ChangeSetId,
    provenance: &Provenance,
    state: ChangeSetState,
) -> Result<()> {
    let Provenance::Undo { of } = provenance else { return Ok(()) };
    if state != ChangeSetState::Applied {
        return Ok(());
    }
    let Some(undone) = change_set::get(&mut *write, *of).await? else { return Ok(()) };
    // What still waits in it was made for what is gone now. It can be proposed again.
    let rows = operation::of_set(&mut *write, *of).await?;
    review::reject_rest(write, &rows).await?;
    change_set::set_state(write, *of, ChangeSetState::Undone, None).await?;
    change_set::set_undone_by(write, *of, Some(set)).await?;
    if let Provenance::Undo { of: first } = undone.provenance {
        change_set::set_undone_by(write, first, None).await?;
        change_set::set_state(write, first, ChangeSetState::Applied, None).await?;
    }
    Ok(())
}
