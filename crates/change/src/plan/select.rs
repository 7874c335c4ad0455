//! Which operations of a set are to be applied.

use std::collections::BTreeSet;

use orangery_domain::{FilePlace, HunkDecision, OperationId, OperationKind, OperationState};
use orangery_store::table::operation::OperationRow;

/// The operations that applying acts on, with the decisions that this amounts to.
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
    let chosen: BTreeSet<OperationId> = rows
        .iter()
        .filter(|row| {
            chosen.contains(&row.id) && (named.contains(&row.id) || has_its_move(row, &rows, &chosen))
        })
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

/// Whether the move whose links it updates is made, now or before.
fn has_its_move(row: &OperationRow, rows: &[OperationRow], chosen: &BTreeSet<OperationId>) -> bool {
    row.proposal.follows.is_none_or(|on| {
        chosen.contains(&on) || rows.iter().any(|row| row.id == on && row.state == OperationState::Applied)
    })
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
    let made: Vec<&FilePlace> = rows
        .iter()
        .filter(|row| chosen.contains(&row.id))
        .filter_map(|row| match row.proposal.kind {
            OperationKind::CreateFile | OperationKind::CreateFolder => Some(&row.proposal.place),
            OperationKind::Move => row.proposal.target.as_ref(),
            OperationKind::Edit
            | OperationKind::Delete
            | OperationKind::BringBack
            | OperationKind::RemoveCreated => None,
        })
        .collect();
    rows.iter()
        .filter(|row| row.proposal.kind == OperationKind::CreateFolder && waits(row))
        .filter(|row| {
            let folder = &row.proposal.place;
            made.iter().any(|place| {
                place.kb_id == folder.kb_id && place.path != folder.path && place.path.is_within(&folder.path)
            })
        })
        .map(|row| row.id)
        .collect()
}
