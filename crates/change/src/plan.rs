//! Compares what was decided with what is on disk, before anything is written.

use std::collections::{BTreeMap, BTreeSet};

use orangery_domain::{ErrorKind, FilePlace, HunkDecision, KbId, OperationId, OperationKind, OperationState};
use orangery_store::{
    blob::Packed,
    table::{journal::Step, operation::OperationRow},
};

use crate::{
    Error, House, Result,
    diff::between,
    disk::{Found, look_at},
    edits,
    operation::{Loaded, accepted, decode_as, is, load, not_rejected},
};

/// What applying will do, and what it cannot.
#[derive(Debug, Default)]
pub struct Plan {
    pub steps: Vec<Step>,
    /// Contents that the steps name.
    pub contents: Vec<Packed>,
    /// Decisions taken by applying, to be stored with the intent.
    pub decided: Vec<(OperationId, String)>,
    /// Operations whose base moved, and what is known of it.
    pub conflicts: Vec<Conflict>,
    /// Operations that cannot be applied for another reason.
    pub failed: Vec<(OperationId, String)>,
    /// Operations that find their work done.
    pub idle: Vec<OperationId>,
}

#[derive(Debug)]
pub struct Conflict {
    pub id: OperationId,
    pub note: String,
    /// The same change on the file as it is now, where nothing of it meets what changed.
    pub merged: Option<Merged>,
}

#[derive(Debug)]
pub struct Merged {
    pub base: Packed,
    pub edits: Vec<orangery_domain::TextEdit>,
}

/// Which operations of a set are to be applied, with the decisions that this amounts to.
pub fn select(
    rows: Vec<OperationRow>,
    named: &[OperationId],
    all: bool,
) -> Vec<(OperationRow, Vec<HunkDecision>)> {
    // A conflict whose change was proposed again on the file as it is waits for that proposal.
    let succeeded: BTreeSet<OperationId> = rows
        .iter()
        .filter(|row| row.state != OperationState::Rejected)
        .filter_map(|row| row.proposal.built_on)
        .filter(|on| rows.iter().any(|row| row.id == *on && row.state == OperationState::Conflict))
        .collect();
    let chosen: BTreeSet<OperationId> = rows
        .iter()
        .filter(|row| named.is_empty() || named.contains(&row.id))
        .filter(|row| match row.state {
            OperationState::Applied | OperationState::Rejected => false,
            OperationState::Conflict => !succeeded.contains(&row.id) && (all || named.contains(&row.id)),
            OperationState::Undecided | OperationState::Accepted | OperationState::Failed => true,
        })
        .filter(|row| !decided(row, named, all).is_empty())
        .map(|row| row.id)
        .collect();
    let needed = folders_needed(&rows, &chosen);
    rows.into_iter()
        .filter_map(|row| {
            if chosen.contains(&row.id) {
                let decisions = decided(&row, named, all);
                Some((row, decisions))
            } else if needed.contains(&row.id) {
                Some((row, vec![HunkDecision::Accepted]))
            } else {
                None
            }
        })
        .collect()
}

/// The decisions on an operation that applying would act on; none when nothing of it is accepted.
fn decided(row: &OperationRow, named: &[OperationId], all: bool) -> Vec<HunkDecision> {
    let mut decisions = crate::operation::letters_to_decisions(&row.proposal.decisions);
    // Naming an operation that nobody has decided on accepts it.
    if all || !named.is_empty() && !decisions.contains(&HunkDecision::Accepted) {
        for decision in &mut decisions {
            if *decision == HunkDecision::Undecided {
                *decision = HunkDecision::Accepted;
            }
        }
    }
    if decisions.contains(&HunkDecision::Accepted) { decisions } else { Vec::new() }
}

/// Proposed folders that hold what is chosen: whoever wants the file wants its folder, unless it was
/// rejected.
fn folders_needed(rows: &[OperationRow], chosen: &BTreeSet<OperationId>) -> BTreeSet<OperationId> {
    let waits = |row: &OperationRow| {
        matches!(row.state, OperationState::Undecided | OperationState::Accepted | OperationState::Failed)
    };
    let made: Vec<&OperationRow> = rows
        .iter()
        .filter(|row| {
            chosen.contains(&row.id)
                && matches!(row.proposal.kind, OperationKind::CreateFile | OperationKind::CreateFolder)
        })
        .collect();
    rows.iter()
        .filter(|row| row.proposal.kind == OperationKind::CreateFolder && waits(row))
        .filter(|row| {
            let folder = &row.proposal.place;
            made.iter().map(|row| &row.proposal.place).any(|place| {
                place.kb_id == folder.kb_id && place.path != folder.path && place.path.is_within(&folder.path)
            })
        })
        .map(|row| row.id)
        .collect()
}

impl House {
    /// Plans `selected`, operations of one set in their order, whose paths are locked by the caller.
    /// `others` are the operations of the set.
    pub(crate) async fn plan(
        &self,
        selected: Vec<(OperationRow, Vec<HunkDecision>)>,
        others: &[OperationRow],
    ) -> Result<Plan> {
        let mut plan = Plan::default();
        // Operations on one place are one writing, at the turn of the first.
        let mut groups: Vec<Vec<Loaded>> = Vec::new();
        let mut known: BTreeMap<(KbId, String), usize> = BTreeMap::new();
        for (row, decisions) in selected {
            let mut loaded = load(&self.db, row).await?;
            loaded.decisions = decisions;
            let place = loaded.place();
            let at = *known.entry((place.kb_id, place.path.key())).or_insert(groups.len());
            match groups.get_mut(at) {
                Some(group) => group.push(loaded),
                None => groups.push(vec![loaded]),
            }
        }
        let mut folders_made: Vec<(KbId, String)> = Vec::new();
        for group in groups {
            let Some(first) = group.first() else { continue };
            if first.is_folder() {
                self.plan_folder(&mut plan, first, &mut folders_made).await?;
            } else {
                self.plan_file(&mut plan, &group, others, &folders_made).await?;
            }
        }
        Ok(plan)
    }

    async fn plan_folder(
        &self,
        plan: &mut Plan,
        loaded: &Loaded,
        made: &mut Vec<(KbId, String)>,
    ) -> Result<()> {
        let (id, place) = (loaded.row.id, loaded.place());
        let goes = loaded.kind() == OperationKind::RemoveCreated;
        let found = match self.found_or_missing_parent(place, made).await {
            Ok(found) => found,
            Err(error) if goes && error.kind() == ErrorKind::NotFound => Found::Nothing,
            Err(error) => {
                plan.failed.push((id, error.to_string()));
                return Ok(());
            }
        };
        match (goes, found) {
            // Somebody was first: nothing to do, and nothing to take back later.
            (false, Found::Folder) | (true, Found::Nothing) => {
                plan.decide(loaded);
                plan.idle.push(id);
                return Ok(());
            }
            (false, Found::Nothing) => made.push((place.kb_id, place.path.key())),
            (true, Found::Folder) => {
                if self.holds_more(place, plan).await? {
                    plan.conflict(id, "the folder holds something else by now; it stays");
                    return Ok(());
                }
            }
            (_, Found::File(_)) => {
                plan.conflict(id, "a file is there now");
                return Ok(());
            }
        }
        // An empty content stands for a folder that is there.
        let there = Packed::new(&[]);
        plan.decide(loaded);
        plan.steps.push(Step {
            place: place.clone(),
            folder: true,
            old: goes.then(|| there.hash()),
            new: (!goes).then(|| there.hash()),
            keep_version: false,
            operations: vec![id],
        });
        plan.contents.push(there);
        Ok(())
    }

    async fn plan_file(
        &self,
        plan: &mut Plan,
        group: &[Loaded],
        others: &[OperationRow],
        made: &[(KbId, String)],
    ) -> Result<()> {
        let Some(place) = group.first().map(|first| first.place().clone()) else { return Ok(()) };
        let found = match self.found_or_missing_parent(&place, made).await {
            Ok(found) => found,
            Err(error) if error.kind() == ErrorKind::NotFound => Found::Nothing,
            Err(error) => {
                plan.failed.extend(group.iter().map(|loaded| (loaded.row.id, error.to_string())));
                return Ok(());
            }
        };
        let old = match found {
            Found::Folder => {
                group.iter().for_each(|loaded| plan.conflict(loaded.row.id, "a folder is there now"));
                return Ok(());
            }
            Found::File(bytes) => Some(bytes),
            Found::Nothing => None,
        };
        if old.is_none() && group.iter().any(|loaded| loaded.kind() == OperationKind::CreateFile) {
            // The folder must be there or be made in this very plan.
            if let Some(parent) = place.path.parent()
                && !parent.is_root()
                && !made.contains(&(place.kb_id, parent.key()))
                && !self.is_folder(&FilePlace { kb_id: place.kb_id, path: parent.clone() }).await
            {
                let note = format!("the folder {parent} is not there; apply the operation that makes it");
                plan.failed.extend(group.iter().map(|loaded| (loaded.row.id, note.clone())));
                return Ok(());
            }
        }
        let mut current = old.clone();
        let mut operations = Vec::new();
        for loaded in group {
            match self.next(loaded, old.as_deref(), current.as_deref(), others).await? {
                Next::Bytes(bytes) => {
                    current = bytes;
                    operations.push(loaded.row.id);
                    plan.decide(loaded);
                }
                Next::Done => {
                    plan.decide(loaded);
                    plan.idle.push(loaded.row.id);
                }
                Next::Conflict(conflict) => plan.conflicts.push(conflict),
                Next::Failed(note) => plan.failed.push((loaded.row.id, note)),
            }
        }
        if operations.is_empty() {
            return Ok(());
        }
        let pack = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(Packed::new);
        let (old, new) = (pack(&old), pack(&current));
        plan.steps.push(Step {
            place,
            folder: false,
            old: old.as_ref().map(Packed::hash),
            new: new.as_ref().map(Packed::hash),
            keep_version: true,
            operations,
        });
        plan.contents.extend(old);
        plan.contents.extend(new);
        Ok(())
    }

    /// The file after `loaded`, when `disk` is what is there and `current` what earlier operations
    /// make of it.
    async fn next(
        &self,
        loaded: &Loaded,
        disk: Option<&[u8]>,
        current: Option<&[u8]>,
        others: &[OperationRow],
    ) -> Result<Next> {
        let base = loaded.row.proposal.base;
        if is(base, current) {
            return Ok(match loaded.result(&self.db, accepted).await {
                Ok(bytes) => Next::Bytes(bytes),
                Err(error @ Error::Splice { .. }) => Next::Failed(error.to_string()),
                Err(error) => return Err(error),
            });
        }
        let conflict = |note: &str, merged| {
            Next::Conflict(Conflict { id: loaded.row.id, note: note.to_owned(), merged })
        };
        let Some(current) = current else {
            let gone = loaded.kind() == OperationKind::RemoveCreated;
            return Ok(if gone { Next::Done } else { conflict("the file is gone", None) });
        };
        match loaded.kind() {
            OperationKind::CreateFile => return Ok(conflict("something is there already", None)),
            OperationKind::RemoveCreated => {
                return Ok(conflict("the file was changed after it was made; it stays", None));
            }
            OperationKind::Edit
            | OperationKind::CreateFolder
            | OperationKind::Move
            | OperationKind::Delete => {}
        }
        // The file is as the author knew it, and what came between is of this set: an operation before
        // this one, or one that this was built on and that was not taken, or not whole.
        if is(base, disk) || root_base(loaded, others).is_some_and(|root| is(root, disk)) {
            return Ok(match loaded.result_on(current, accepted)? {
                Some(bytes) => Next::Bytes(Some(bytes)),
                None => conflict("it changes what another operation of this set changes", None),
            });
        }
        Ok(match merge(loaded, current)? {
            Merge::Done => Next::Done,
            Merge::Clean(merged) => conflict(
                "the file changed on disk; the same change is proposed again on the text as it is now",
                Some(merged),
            ),
            Merge::Meets => conflict("the file changed on disk where this operation changes it", None),
        })
    }

    /// Whether the folder at `place` holds anything that the plan does not take away.
    async fn holds_more(&self, place: &FilePlace, plan: &Plan) -> Result<bool> {
        let disk = look_at(&self.roots, place).await?;
        let listed = tokio::task::spawn_blocking(move || disk.checked.list()).await;
        let goes = |name: &str| {
            plan.steps.iter().any(|step| {
                step.new.is_none()
                    && step.place.kb_id == place.kb_id
                    && step.place.path.name() == name
                    && step.place.path.parent().is_some_and(|parent| parent.key() == place.path.key())
            })
        };
        Ok(listed.map_err(Error::task)??.iter().any(|entry| !goes(&entry.name)))
    }

    async fn is_folder(&self, place: &FilePlace) -> bool {
        look_at(&self.roots, place).await.is_ok_and(|disk| disk.found == Found::Folder)
    }

    /// What is at `place`, where a parent that this plan makes counts as there.
    async fn found_or_missing_parent(&self, place: &FilePlace, made: &[(KbId, String)]) -> Result<Found> {
        let parent = place.path.parent().map(|parent| (place.kb_id, parent.key()));
        if parent.is_some_and(|parent| made.contains(&parent)) {
            return Ok(Found::Nothing);
        }
        Ok(look_at(&self.roots, place).await?.found)
    }
}

enum Next {
    Bytes(Option<Vec<u8>>),
    /// Somebody made the very same change.
    Done,
    Conflict(Conflict),
    Failed(String),
}

impl Plan {
    fn conflict(&mut self, id: OperationId, note: &str) {
        self.conflicts.push(Conflict { id, note: note.to_owned(), merged: None });
    }

    fn decide(&mut self, loaded: &Loaded) {
        let letters = crate::operation::decisions_to_letters(&loaded.decisions);
        self.decided.push((loaded.row.id, letters));
    }
}

/// The base of the first in the chain of pending operations that `loaded` was built on; `None` when it
/// was built on the file itself.
fn root_base(loaded: &Loaded, others: &[OperationRow]) -> Option<Option<orangery_domain::ContentHash>> {
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
enum Merge {
    Clean(Merged),
    /// It is in the file already.
    Done,
    /// Both changed the same lines.
    Meets,
}

/// The operation's change on `current`, which somebody else made of its base.
fn merge(loaded: &Loaded, current: &[u8]) -> Result<Merge> {
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
