//! Compares what was decided with what is on disk, before anything is written.

mod content;
mod select;
mod whole;

use std::collections::{BTreeMap, BTreeSet};

use orangery_domain::{
    ContentHash, FilePlace, HunkDecision, KbId, OperationId, OperationKind, OperationState, Warning,
};
use orangery_store::{
    blob::Packed,
    table::{
        journal::{Act, Step},
        operation::OperationRow,
    },
};

use crate::{
    House, Result, note,
    operation::{Loaded, decisions_to_letters, load_all},
    tree::{is_within, layout::Layout, same_place},
};

pub(crate) use content::{Merge, merge};
pub use select::select;

/// What applying will do, and what it cannot.
#[derive(Debug, Default)]
pub struct Plan {
    pub steps: Vec<Step>,
    /// Contents that the steps name, and those that are kept.
    pub contents: Vec<Packed>,
    /// Contents that no step names and that become versions.
    pub held: Vec<ContentHash>,
    /// Decisions taken by applying, to be stored with the intent.
    pub decided: Vec<(OperationId, String)>,
    /// Operations whose base moved, and what is known of it.
    pub conflicts: Vec<Conflict>,
    /// Operations that cannot be applied for another reason.
    pub failed: Vec<(OperationId, Warning)>,
    /// Operations that find their work done.
    pub idle: Vec<OperationId>,
    /// What people are told of operations that are applied.
    pub remarks: Vec<(OperationId, Warning)>,
}

#[derive(Debug)]
pub struct Conflict {
    pub id: OperationId,
    pub note: Warning,
    /// The same change on the file as it is now, where nothing of it meets what changed.
    pub merged: Option<Merged>,
}

#[derive(Debug)]
pub struct Merged {
    pub base: Packed,
    pub edits: Vec<orangery_domain::TextEdit>,
}

/// A plan on the way.
struct Draft<'a> {
    plan: Plan,
    layout: &'a Layout,
    steps: Vec<Drafted>,
    /// Trash operations run last.
    trash: Vec<Drafted>,
    /// Folders that the plan makes, by where they are at their turn.
    made: Vec<FilePlace>,
    /// What the plan brings back, by where it would lie before any step is made.
    coming: Vec<FilePlace>,
}

/// A step, and where its file or folder lies on disk before any step is made.
struct Drafted {
    step: Step,
    disk: Option<FilePlace>,
}

/// What comes at one turn.
enum Turn<'a> {
    /// Operations on the content of one file are one writing, at the turn of the first.
    Content(Vec<&'a Loaded>, Option<FilePlace>),
    Whole(&'a Loaded),
}

impl House {
    /// Plans `selected`, operations of one set in their order, whose paths are locked by the caller.
    /// `others` are the operations of the set.
    pub(crate) async fn plan(
        &self,
        selected: Vec<(OperationRow, Vec<HunkDecision>)>,
        others: &[OperationRow],
    ) -> Result<Plan> {
        let (rows, decisions): (Vec<_>, Vec<_>) = selected.into_iter().unzip();
        let mut all = load_all(&self.db, rows).await?;
        for (loaded, decisions) in all.iter_mut().zip(decisions) {
            loaded.decisions = decisions;
        }
        // Where a file is depends on which moves are made. One that cannot be made, or that somebody made already, is
        // taken out, and the rest is looked at again.
        let mut taken: BTreeMap<OperationId, bool> = BTreeMap::new();
        for one in all.iter().filter(|one| one.kind() == OperationKind::Move) {
            taken.insert(one.row.id, true);
        }
        let mut settled = Plan::default();
        loop {
            let layout = Layout::of(others, |id| match taken.get(&id) {
                Some(true) => Some(true),
                // Made by somebody else: the disk is as if it had been applied.
                Some(false) => None,
                None => Some(false),
            });
            let mut draft = Draft::new(&layout);
            for turn in turns(&layout, &all) {
                match turn {
                    Turn::Content(group, disk) => {
                        let group = self.with_their_moves(&mut draft, group, others, &taken);
                        match group.first() {
                            Some(first) if first.is_folder() => {
                                self.plan_folder(&mut draft, first, disk).await?;
                            }
                            Some(_) => self.plan_file(&mut draft, &group, disk, others).await?,
                            None => {}
                        }
                    }
                    Turn::Whole(loaded) => self.plan_whole(&mut draft, loaded).await?,
                }
            }
            let lost = draft.plan.take_verdicts(&mut taken, &mut settled);
            if lost.is_empty() {
                return Ok(draft.finish(settled));
            }
            all.retain(|one| !lost.contains(&one.row.id));
        }
    }

    /// Of `group` what does not wait for a move that is not made.
    fn with_their_moves<'a>(
        &self,
        draft: &mut Draft<'_>,
        group: Vec<&'a Loaded>,
        others: &[OperationRow],
        taken: &BTreeMap<OperationId, bool>,
    ) -> Vec<&'a Loaded> {
        let made = |on: OperationId| {
            taken.contains_key(&on)
                || others.iter().any(|row| row.id == on && row.state == OperationState::Applied)
        };
        let (ready, waiting): (Vec<&Loaded>, Vec<&Loaded>) =
            group.into_iter().partition(|one| one.row.proposal.follows.is_none_or(made));
        for one in waiting {
            draft.plan.failed.push((one.row.id, note::plain(note::MOVE_FIRST)));
        }
        ready
    }
}

/// `all` in order, with the operations on one content together.
fn turns<'a>(layout: &Layout, all: &'a [Loaded]) -> Vec<Turn<'a>> {
    let mut turns: Vec<Turn<'a>> = Vec::new();
    let mut known: BTreeMap<(bool, KbId, String), usize> = BTreeMap::new();
    for loaded in all {
        if loaded.is_whole() {
            turns.push(Turn::Whole(loaded));
            continue;
        }
        let disk = layout.on_disk(loaded.row.id, loaded.place());
        let named = disk.clone().unwrap_or_else(|| layout.in_turn(loaded.row.id, loaded.place()));
        let key = (disk.is_some(), named.kb_id, named.path.key());
        let at = *known.entry(key).or_insert(turns.len());
        match turns.get_mut(at) {
            Some(Turn::Content(group, _)) => group.push(loaded),
            _ => turns.push(Turn::Content(vec![loaded], disk)),
        }
    }
    turns
}

/// Whether nothing lies where it was after this step; what goes to the trash goes last.
fn leaves(step: &Step) -> bool {
    match step.act {
        Act::Content => step.new.is_none(),
        Act::Move { .. } => true,
        Act::Trash { .. } | Act::Fetch { .. } | Act::Link { .. } => false,
    }
}

impl<'a> Draft<'a> {
    fn new(layout: &'a Layout) -> Self {
        Self {
            plan: Plan::default(),
            layout,
            steps: Vec::new(),
            trash: Vec::new(),
            made: Vec::new(),
            coming: Vec::new(),
        }
    }

    /// Whether the plan makes this very folder.
    fn makes(&self, place: &FilePlace) -> bool {
        self.made.iter().any(|made| same_place(made, place))
    }

    /// Whether the plan brings this back, or what it lies in.
    fn comes(&self, place: &FilePlace) -> bool {
        self.coming.iter().any(|coming| is_within(place, coming))
    }

    /// Whether an earlier step takes away what lies at `disk` now.
    fn clears(&self, disk: &FilePlace) -> bool {
        self.steps.iter().any(|drafted| {
            drafted.step.act == Act::Content
                && drafted.step.new.is_none()
                && drafted.disk.as_ref().is_some_and(|gone| same_place(gone, disk))
        })
    }

    fn finish(self, settled: Plan) -> Plan {
        let Draft { mut plan, steps, trash, .. } = self;
        let mut all: Vec<Drafted> = steps.into_iter().chain(trash).collect();
        let places: Vec<Option<FilePlace>> = all.iter().map(|drafted| drafted.disk.clone()).collect();
        let targets: Vec<Option<FilePlace>> =
            all.iter().map(|drafted| drafted.step.act.target().cloned()).collect();
        for (at, drafted) in all.iter_mut().enumerate() {
            let (Act::Move { seen, .. } | Act::Trash { seen }) = &mut drafted.step.act else { continue };
            // What other steps change in it cannot look as it did; it was compared just now.
            let own = drafted.disk.as_ref();
            let touched = |place: &Option<FilePlace>| {
                own.zip(place.as_ref()).is_some_and(|(own, place)| is_within(place, own))
            };
            let mut others = places.iter().zip(&targets).enumerate().filter(|(other, _)| *other != at);
            if others.any(|(_, (place, target))| touched(place) || touched(target)) {
                *seen = None;
            }
        }
        plan.steps = all.into_iter().map(|drafted| drafted.step).collect();
        plan.conflicts.extend(settled.conflicts);
        plan.failed.extend(settled.failed);
        plan.idle.extend(settled.idle);
        plan.decided.extend(settled.decided);
        plan
    }
}

impl Plan {
    fn conflict(&mut self, id: OperationId, note: Warning) {
        self.conflicts.push(Conflict { id, note, merged: None });
    }

    fn decide(&mut self, loaded: &Loaded) {
        let letters = decisions_to_letters(&loaded.decisions);
        self.decided.push((loaded.row.id, letters));
    }

    /// The moves among `taken` that are not made here; what was found out about them goes to `settled`.
    fn take_verdicts(
        &mut self,
        taken: &mut BTreeMap<OperationId, bool>,
        settled: &mut Self,
    ) -> BTreeSet<OperationId> {
        let is_move = |id: &OperationId| taken.contains_key(id);
        let mut lost = BTreeSet::new();
        for conflict in self.conflicts.extract_if(.., |conflict| is_move(&conflict.id)) {
            lost.insert(conflict.id);
            settled.conflicts.push(conflict);
        }
        for failed in self.failed.extract_if(.., |(id, _)| is_move(id)) {
            lost.insert(failed.0);
            settled.failed.push(failed);
        }
        let done: Vec<OperationId> = self.idle.extract_if(.., |id| is_move(id)).collect();
        settled.decided.extend(self.decided.iter().filter(|(id, _)| done.contains(id)).cloned());
        settled.idle.extend(&done);
        for id in &lost {
            taken.remove(id);
        }
        for id in done {
            taken.insert(id, false);
            lost.insert(id);
        }
        lost
    }
}
