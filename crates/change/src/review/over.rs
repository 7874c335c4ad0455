//! What nobody can decide on any more.

use orangery_domain::{ChangeSetState, OperationState};
use orangery_store::table::{change_set::ChangeSetRow, operation::OperationRow};

use crate::{Error, Result, note, review::waits};

/// Whether decisions on the operation still count. A rejection can be thought over for as long as nothing else
/// stands for what was rejected.
///
/// # Errors
/// `Conflict` when it is applied, was taken back with its set, or another proposal took its place.
pub(crate) fn still_open(set: &ChangeSetRow, row: &OperationRow) -> Result<()> {
    match row.state {
        OperationState::Applied if set.state == ChangeSetState::Undone => Err(Error::AlreadyUndone(set.id)),
        OperationState::Applied => Err(Error::AlreadyApplied(row.id)),
        _ if set.state == ChangeSetState::Undone => Err(Error::AlreadyUndone(set.id)),
        OperationState::Rejected if is_superseded(row) => Err(Error::Superseded(row.id)),
        OperationState::Rejected
        | OperationState::Undecided
        | OperationState::Accepted
        | OperationState::Conflict
        | OperationState::Failed => Ok(()),
    }
}

/// Whether another proposal stands for it since its conflict was resolved.
pub(super) fn is_superseded(row: &OperationRow) -> bool {
    let settled = row.proposal.note.as_ref().is_some_and(|note| note.code == note::SETTLED);
    settled && row.state == OperationState::Rejected
}

/// Whether there is anything to reject, or all of it was rejected already.
pub(super) fn still_rejectable(set: &ChangeSetRow, rows: &[OperationRow]) -> Result<()> {
    match set.state {
        ChangeSetState::Undone => Err(Error::AlreadyUndone(set.id)),
        ChangeSetState::Applied if !rows.iter().any(|row| waits(row.state)) => {
            Err(Error::NothingWaits(set.id))
        }
        ChangeSetState::Applied
        | ChangeSetState::Pending
        | ChangeSetState::PartlyApplied
        | ChangeSetState::Rejected => Ok(()),
    }
}
