//! States and kinds in a word or two, as the interface calls them.

use orangery_api::domain::{ChangeSetState, HunkDecision, OperationKind, OperationState, ToolState};

pub fn of_set(state: ChangeSetState) -> &'static str {
    match state {
        ChangeSetState::Pending => "waiting",
        ChangeSetState::PartlyApplied => "partly applied",
        ChangeSetState::Applied => "applied",
        ChangeSetState::Rejected => "rejected",
        ChangeSetState::Undone => "undone",
    }
}

pub fn of_operation(state: OperationState) -> &'static str {
    match state {
        OperationState::Undecided => "waiting",
        OperationState::Accepted => "accepted",
        OperationState::Rejected => "rejected",
        OperationState::Applied => "applied",
        OperationState::Conflict => "in conflict",
        OperationState::Failed => "failed",
    }
}

pub fn of_kind(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Edit => "edit",
        OperationKind::CreateFile => "new file",
        OperationKind::CreateFolder => "new folder",
        OperationKind::Move => "move",
        OperationKind::Delete => "to trash",
        OperationKind::BringBack => "bring back what was deleted",
        OperationKind::RemoveCreated => "remove what was created",
    }
}

pub fn of_hunk(decision: HunkDecision) -> &'static str {
    match decision {
        HunkDecision::Undecided => "waiting",
        HunkDecision::Accepted => "accepted",
        HunkDecision::Rejected => "rejected",
    }
}

/// How a call of a tool ended; nothing while it has not.
pub fn of_step(state: ToolState) -> Option<&'static str> {
    match state {
        ToolState::Running | ToolState::Asked => None,
        ToolState::Done => Some("done"),
        ToolState::Denied => Some("denied"),
        ToolState::Failed => Some("failed"),
        ToolState::Cancelled => Some("stopped"),
    }
}
