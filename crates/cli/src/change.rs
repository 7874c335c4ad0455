//! `change`, `history` and `restore`.

use orangery_api::domain::{
    Applied, ChangeSet, ChangeSetId, ChangeSetSummary, Decision, DiffSign, FolderContents, HunkDecision,
    KbPath, KnowledgeBase, Operation, OperationDiff, OperationId, OperationKind, OperationState, Sizes,
    Version, VersionId, Warning,
};
use orangery_api::error::{Code, WireError};
use orangery_api::request::{
    ApplyChanges, ChangeSetRef, ListChanges, ListHistory, OperationRef, RestoreVersion, ReviewChanges,
};
use serde::Serialize;

use crate::Result;
use crate::args::{self, Change, Selection};
use crate::call::{Caller, usage};
use crate::human;
use crate::out::{Exit, Out};
use crate::place;
use crate::sentence::Said;
use crate::word;

pub async fn run(caller: &Caller, command: Change, out: Out) -> Result {
    match command {
        Change::List { pending } => list(caller, pending, out).await,
        Change::Show { id } => show(caller, id, out).await,
        Change::Apply { id, selection } => apply(caller, id, selection, out).await,
        Change::Reject { id, selection } => reject(caller, id, selection, out).await,
        Change::Undo { id } => {
            let applied: Applied = caller.call("change.undo", ChangeSetRef { change_set_id: id }).await?;
            report(caller, applied, out).await
        }
    }
}

async fn list(caller: &Caller, pending: bool, out: Out) -> Result {
    let request = ListChanges { pending, session_id: None, limit: 0 };
    let sets: Vec<ChangeSetSummary> = caller.call("change.list", request).await?;
    out.value(&sets, |out| {
        for set in &sets {
            let names = set.names.join(", ");
            out.line(format_args!(
                "{}\t{}\t{} of {} waiting\t{names}",
                set.id,
                word::of_set(set.state),
                set.pending,
                set.operations
            ));
        }
    });
    Ok(Exit::Done)
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    #[serde(flatten)]
    set: ChangeSet,
    diffs: Vec<OperationDiff>,
}

async fn show(caller: &Caller, id: ChangeSetId, out: Out) -> Result {
    let mut set: ChangeSet = caller.call("change.get", ChangeSetRef { change_set_id: id }).await?;
    let mut diffs: Vec<OperationDiff> = Vec::new();
    // Looking at an operation can make it another, or offer one more, where its file changed.
    while let Some(operation) = set.operations.get(diffs.len()) {
        let request = OperationRef { operation_id: operation.id };
        diffs.push(caller.call("change.diff", request).await?);
        if diffs.len() == set.operations.len() {
            set = caller.call("change.get", ChangeSetRef { change_set_id: id }).await?;
        }
    }
    let shown = Shown { set, diffs };
    let known =
        if shown.set.operations.iter().any(leaves) { caller.knowledge_bases().await? } else { Vec::new() };
    out.value(&shown, |out| {
        for diff in &shown.diffs {
            let operation = &diff.operation;
            let to = target(operation, &known);
            out.line(format_args!(
                "operation {}\t{}\t{}\t{}{to}",
                operation.id,
                word::of_kind(operation.kind),
                word::of_operation(operation.state),
                operation.place.path
            ));
            for fact in facts(operation) {
                out.line(format_args!("  {fact}"));
            }
            if diff.outdated {
                out.line("  the file changed after this was proposed, and this is the text as it was then");
            }
            for hunk in &diff.hunks {
                out.line(format_args!("@@ hunk {} {}", hunk.index, word::of_hunk(hunk.decision)));
                for row in &hunk.rows {
                    let sign = match row.sign {
                        DiffSign::Same => ' ',
                        DiffSign::Removed => '-',
                        DiffSign::Added => '+',
                    };
                    out.line(format_args!("{sign}{}", row.text));
                }
            }
        }
    });
    Ok(Exit::Done)
}

/// Whether it goes to another knowledge base.
fn leaves(operation: &Operation) -> bool {
    operation.target.as_ref().is_some_and(|target| target.kb_id != operation.place.kb_id)
}

/// Where a move leads, to be said behind where it comes from.
fn target(operation: &Operation, known: &[KnowledgeBase]) -> String {
    let Some(target) = &operation.target else { return String::new() };
    let kb = known.iter().find(|kb| leaves(operation) && kb.id == target.kb_id);
    let of = kb.map_or_else(String::new, |kb| format!(" in {}", kb.name));
    format!(" → {}{of}", target.path)
}

/// How much an operation on something whole takes along, and what to know before it is applied.
fn facts(operation: &Operation) -> Vec<String> {
    let mut facts = Vec::new();
    let sizes = operation.sizes.as_ref().filter(|_| operation.kind != OperationKind::Move);
    facts.extend(operation.contents.as_ref().map(contents).or_else(|| sizes.and_then(size)));
    facts.extend(operation.note.as_ref().map(|note| Said(note).to_string()));
    // A mark of a conflict says what its note says.
    let noted = |warning: &&Warning| operation.note.as_ref().is_none_or(|note| note.code != warning.code);
    facts.extend(operation.warnings.iter().filter(noted).map(|warning| Said(warning).to_string()));
    facts
}

fn contents(contents: &FolderContents) -> String {
    let FolderContents { files, folders, hidden, unindexed, bytes } = *contents;
    let mut said = human::count(files, "file");
    if folders > 0 {
        said.push_str(&format!(" in {}", human::count(folders, "folder")));
    }
    if hidden > 0 {
        said.push_str(&format!(", {hidden} hidden"));
    }
    if unindexed > 0 {
        said.push_str(&format!(", {unindexed} that no search finds"));
    }
    format!("{said}, {}", human::bytes(bytes))
}

fn size(sizes: &Sizes) -> Option<String> {
    match (sizes.before, sizes.after) {
        (Some(before), Some(after)) => Some(format!("{} → {}", human::bytes(before), human::bytes(after))),
        (before, after) => before.or(after).map(human::bytes),
    }
}

async fn apply(caller: &Caller, id: ChangeSetId, selection: Selection, out: Out) -> Result {
    let mut request = ApplyChanges { change_set_id: id, operations: selection.operation.clone(), all: false };
    if selection.hunk.is_empty() {
        request.all = request.operations.is_empty();
        decide(caller, id, &selection.operation, HunkDecision::Accepted).await?;
    } else {
        let operation = only_operation(caller, id, &selection).await?;
        accept_hunks(caller, id, operation, &selection.hunk).await?;
        request.operations = vec![operation];
    }
    let applied: Applied = caller.call("change.apply", request).await?;
    if applied.applied.is_empty() && applied.conflicts.is_empty() && applied.failed.is_empty() {
        let state = word::of_set(applied.state);
        let message = format!("apply change set {id}: nothing in it waits; it is {state}");
        return Err(WireError::new(Code::NothingWaits, message).with("changeSetId", id));
    }
    report(caller, applied, out).await
}

async fn reject(caller: &Caller, id: ChangeSetId, selection: Selection, out: Out) -> Result {
    if !selection.hunk.is_empty() {
        let operation = only_operation(caller, id, &selection).await?;
        let decisions = selection.hunk.iter().map(|hunk| Decision {
            operation_id: operation,
            hunk: Some(*hunk),
            decision: HunkDecision::Rejected,
        });
        review(caller, id, decisions.collect()).await?;
    } else if !selection.operation.is_empty() {
        decide(caller, id, &selection.operation, HunkDecision::Rejected).await?;
    } else {
        caller.call::<()>("change.reject", ChangeSetRef { change_set_id: id }).await?;
    }
    let set: ChangeSet = caller.call("change.get", ChangeSetRef { change_set_id: id }).await?;
    out.value(&set, |out| out.line(format_args!("{}\t{}", set.summary.id, word::of_set(set.summary.state))));
    Ok(Exit::Done)
}

async fn decide(
    caller: &Caller,
    id: ChangeSetId,
    operations: &[OperationId],
    decision: HunkDecision,
) -> Result<()> {
    if operations.is_empty() {
        return Ok(());
    }
    let decisions =
        operations.iter().map(|operation| Decision { operation_id: *operation, hunk: None, decision });
    review(caller, id, decisions.collect()).await
}

/// The named hunks are accepted and the others of the operation are rejected: hunks that nobody
/// decided on would not be written either, but would leave the operation waiting.
async fn accept_hunks(
    caller: &Caller,
    id: ChangeSetId,
    operation: OperationId,
    accepted: &[u32],
) -> Result<()> {
    let diff: OperationDiff = caller.call("change.diff", OperationRef { operation_id: operation }).await?;
    if let Some(missing) = accepted.iter().find(|index| !diff.hunks.iter().any(|hunk| hunk.index == **index))
    {
        return Err(usage(format!("operation {operation} has no hunk {missing}")));
    }
    let decisions = diff.hunks.iter().map(|hunk| Decision {
        operation_id: operation,
        hunk: Some(hunk.index),
        decision: if accepted.contains(&hunk.index) {
            HunkDecision::Accepted
        } else {
            HunkDecision::Rejected
        },
    });
    review(caller, id, decisions.collect()).await
}

async fn review(caller: &Caller, id: ChangeSetId, decisions: Vec<Decision>) -> Result<()> {
    let request = ReviewChanges { change_set_id: id, decisions };
    caller.call::<ChangeSet>("change.review", request).await.map(drop)
}

async fn only_operation(caller: &Caller, id: ChangeSetId, selection: &Selection) -> Result<OperationId> {
    if let [operation] = selection.operation.as_slice() {
        return Ok(*operation);
    }
    let set: ChangeSet = caller.call("change.get", ChangeSetRef { change_set_id: id }).await?;
    let open = |state| !matches!(state, OperationState::Applied | OperationState::Rejected);
    let mut waiting = set.operations.iter().filter(|operation| open(operation.state));
    match (selection.operation.is_empty(), waiting.next(), waiting.next()) {
        (true, Some(operation), None) => Ok(operation.id),
        _ => Err(usage("--hunk counts the hunks of one operation: name it with --operation")),
    }
}

/// What came of it, and for whatever was not written, why.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    #[serde(flatten)]
    applied: Applied,
    reasons: Vec<Reason>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Reason {
    operation_id: OperationId,
    path: KbPath,
    state: OperationState,
    note: Option<Warning>,
}

async fn report(caller: &Caller, applied: Applied, out: Out) -> Result {
    let open: Vec<OperationId> = applied.conflicts.iter().chain(&applied.failed).copied().collect();
    let mut reasons = Vec::new();
    if !open.is_empty() {
        let request = ChangeSetRef { change_set_id: applied.change_set_id };
        let set: ChangeSet = caller.call("change.get", request).await?;
        let unwritten = set.operations.into_iter().filter(|operation| open.contains(&operation.id));
        reasons.extend(unwritten.map(|operation| Reason {
            operation_id: operation.id,
            path: operation.place.path,
            state: operation.state,
            note: operation.note,
        }));
    }
    let report = Report { applied, reasons };
    out.value(&report, |out| {
        let applied = &report.applied;
        out.line(format_args!(
            "{}\t{}\t{} applied, {} in conflict, {} failed",
            applied.change_set_id,
            word::of_set(applied.state),
            applied.applied.len(),
            applied.conflicts.len(),
            applied.failed.len()
        ));
        for Reason { operation_id, path, state, note } in &report.reasons {
            let state = word::of_operation(*state);
            let note = note.as_ref().map(|note| format!("\t{}", Said(note))).unwrap_or_default();
            out.line(format_args!("operation {operation_id}\t{state}\t{path}{note}"));
        }
    });
    Ok(if open.is_empty() { Exit::Done } else { Exit::Failed })
}

pub async fn history(caller: &Caller, place: args::Place, out: Out) -> Result {
    let place = place::file(caller, &place.path, place.kb.as_deref()).await?;
    let versions: Vec<Version> = caller.call("history.list", ListHistory { place }).await?;
    out.value(&versions, |out| {
        for version in &versions {
            let (at, size) = (human::moment(version.created_at), human::bytes(version.size));
            out.line(format_args!("{}\t{at}\t{size}", version.id));
        }
    });
    Ok(Exit::Done)
}

pub async fn restore(caller: &Caller, place: args::Place, version: VersionId, out: Out) -> Result {
    let place = place::file(caller, &place.path, place.kb.as_deref()).await?;
    let versions: Vec<Version> = caller.call("history.list", ListHistory { place: place.clone() }).await?;
    if !versions.iter().any(|known| known.id == version) {
        let message = format!("{} has no version {version}", place.path);
        return Err(WireError::new(Code::NotFound, message).with("path", place.path));
    }
    let applied: Applied = caller.call("history.restore", RestoreVersion { version_id: version }).await?;
    report(caller, applied, out).await
}
