//! What is shown of a proposal is true, whatever became of its file.

use orangery_domain::{
    ChangeSetState, HunkDecision, MergeChoice, OperationDiff, OperationId, OperationState,
};

use super::support::*;

async fn looked_at(house: &House, id: OperationId) -> OperationDiff {
    house.changes.catch_up(id).await.unwrap();
    house.changes.diff(id).await.unwrap()
}

fn rows(diff: &OperationDiff) -> Vec<&str> {
    diff.hunks.iter().flat_map(|hunk| &hunk.rows).map(|row| row.text.as_str()).collect()
}

fn codes(diff: &OperationDiff) -> Vec<&str> {
    diff.operation.warnings.iter().map(|warning| warning.code.as_str()).collect()
}

#[tokio::test]
async fn a_proposal_is_shown_on_the_file_as_it_is_now_and_applied_as_shown() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\nthree\n");
    let proposed = house.replace("a.md", "three", "3").await.unwrap();
    let id = proposed.operation_id;
    assert!(!house.changes.catch_up(id).await.unwrap());
    house
        .changes
        .review(proposed.change_set_id, &[decision(id, Some(0), HunkDecision::Accepted)])
        .await
        .unwrap();
    house.put("a.md", "zero\none!\ntwo\nthree\n");

    assert!(house.changes.catch_up(id).await.unwrap());
    let diff = looked_at(&house, id).await;
    assert!(!diff.outdated);
    assert_eq!(rows(&diff), ["zero", "one!", "two", "three", "3"]);
    assert_eq!(codes(&diff), ["caughtUp"]);
    // What was decided on it holds, and a second look finds nothing new.
    assert_eq!(diff.hunks[0].decision, HunkDecision::Accepted);
    assert!(!house.changes.catch_up(id).await.unwrap());
    let house = house.restart().await;
    assert_eq!(house.changes.diff(id).await.unwrap(), diff);

    let applied = house.changes.apply(proposed.change_set_id, &[], false).await.unwrap();
    assert_eq!(applied.applied, [id]);
    house.holds("a.md", "zero\none!\ntwo\n3\n");
    house.changes.undo(proposed.change_set_id).await.unwrap();
    house.holds("a.md", "zero\none!\ntwo\nthree\n");
}

#[tokio::test]
async fn a_change_after_the_last_look_is_still_asked_about() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\nthree\n");
    let proposed = house.replace("a.md", "three", "3").await.unwrap();
    house.put("a.md", "zero\none\ntwo\nthree\n");
    house.changes.catch_up(proposed.operation_id).await.unwrap();
    house.put("a.md", "00\nzero\none\ntwo\nthree\n");
    let applied = house.apply(&proposed).await;
    assert_eq!(applied.conflicts, [proposed.operation_id]);
    house.holds("a.md", "00\nzero\none\ntwo\nthree\n");
}

#[tokio::test]
async fn a_proposal_that_meets_what_changed_is_a_conflict_at_once_and_for_as_long_as_it_does() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\nthree\n");
    let proposed = house.replace("a.md", "two", "2").await.unwrap();
    let id = proposed.operation_id;
    house
        .changes
        .review(proposed.change_set_id, &[decision(id, None, HunkDecision::Accepted)])
        .await
        .unwrap();
    house.put("a.md", "one\ndos\nthree\n");
    let diff = looked_at(&house, id).await;
    assert_eq!(diff.operation.state, OperationState::Conflict);
    assert_eq!(diff.operation.note.unwrap().code, "changedHere");
    assert_eq!(diff.conflict.unwrap().disk.as_deref(), Some("one\ndos\nthree\n"));
    let listed = house.changes.list(true, None, 0).await.unwrap();
    assert_eq!((listed[0].state, listed[0].pending), (ChangeSetState::Pending, 1));

    // Gone, and back as it was.
    std::fs::remove_file(house.path("a.md")).unwrap();
    let diff = looked_at(&house, id).await;
    assert_eq!(diff.operation.note.unwrap().code, "gone");
    house.put("a.md", "one\ntwo\nthree\n");
    let diff = looked_at(&house, id).await;
    assert_eq!((diff.operation.state, diff.operation.note), (OperationState::Accepted, None));
    // Or changed so that it fits again.
    house.put("a.md", "one\ndos\nthree\n");
    assert_eq!(looked_at(&house, id).await.operation.state, OperationState::Conflict);
    house.put("a.md", "one!\ntwo\nthree\n");
    assert_eq!(looked_at(&house, id).await.operation.state, OperationState::Accepted);
    house.apply(&proposed).await;
    house.holds("a.md", "one!\n2\nthree\n");
}

#[tokio::test]
async fn what_the_file_says_already_is_told() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\n");
    let proposed = house.replace("a.md", "two", "2").await.unwrap();
    let id = proposed.operation_id;
    house.put("a.md", "one\n2\n");
    assert_eq!(codes(&looked_at(&house, id).await), ["saidAlready"]);
    house.put("a.md", "one\ntwo\n");
    assert_eq!(codes(&looked_at(&house, id).await), [""; 0]);
    house.put("a.md", "one\n2\n");
    looked_at(&house, id).await;
    let applied = house.apply(&proposed).await;
    assert_eq!((applied.applied, applied.state), (vec![id], ChangeSetState::Applied));
    house.holds("a.md", "one\n2\n");
}

#[tokio::test]
async fn operations_on_one_file_follow_it_together() {
    let house = House::new().await;
    house.put("a.md", "one\r\ntwo\r\nthree\r\nfour\r\nfive\r\n");
    let first = house.replace("a.md", "two", "2").await.unwrap();
    let second = house.replace("a.md", "four", "4").await.unwrap();
    house.put("a.md", "zero\r\none\r\ntwo\r\nthree\r\nfour\r\nfive\r\n");
    // Looking at the later one is enough.
    let diff = looked_at(&house, second.operation_id).await;
    assert_eq!(rows(&diff), ["one", "2", "three", "four", "4", "five"]);
    let applied = house.apply(&first).await;
    assert_eq!(applied.applied, [first.operation_id, second.operation_id]);
    house.holds("a.md", "zero\r\none\r\n2\r\nthree\r\n4\r\nfive\r\n");
}

#[tokio::test]
async fn a_rejected_hunk_that_meets_what_changed_does_not_hold_up_the_rest() {
    let house = House::new().await;
    let lines: String = (1..=20).map(|line| format!("l{line}\n")).collect();
    house.put("a.md", &lines);
    let proposed =
        house.edit("a.md", rewrite(&lines.replace("l2\n", "L2\n").replace("l18", "L18"))).await.unwrap();
    let (set, id) = (proposed.change_set_id, proposed.operation_id);
    house.changes.review(set, &[decision(id, Some(0), HunkDecision::Rejected)]).await.unwrap();
    let now = lines.replace("l2\n", "mine\n");
    house.put("a.md", &now);
    // It is offered anew without what was rejected, which stays to be read.
    let diff = looked_at(&house, id).await;
    assert_eq!(diff.operation.note.unwrap().code, "offeredAnew");
    let operations = house.changes.get(set).await.unwrap().operations;
    assert_eq!(operations.len(), 2);
    looked_at(&house, operations[1].id).await;
    let applied = house.changes.apply(set, &[], true).await.unwrap();
    assert_eq!(applied.applied, [operations[1].id]);
    house.holds("a.md", now.replace("l18", "L18"));
}

#[tokio::test]
async fn an_edit_of_what_is_to_be_moved_looks_where_the_file_lies_now() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\n");
    let (from, to) = (house.place("a.md"), house.place("b.md"));
    house.proposals.relocate(&by("s"), &from, &to).await.unwrap();
    let read = house.hash("a.md");
    let edit = house.proposals.edit(&by("s"), &to, read, replace("two", "2")).await.unwrap();
    let diff = looked_at(&house, edit.operation_id).await;
    assert_eq!((diff.operation.state, diff.outdated), (OperationState::Undecided, false));
    house.put("a.md", "zero\none\ntwo\n");
    assert_eq!(rows(&looked_at(&house, edit.operation_id).await), ["zero", "one", "two", "2"]);
    // The move is of a file that is another by now; the edit is what was shown, wherever the file is.
    let applied = house.apply(&edit).await;
    assert_eq!((applied.applied, applied.conflicts.len()), (vec![edit.operation_id], 1));
    house.holds("a.md", "zero\none\n2\n");
}

#[tokio::test]
async fn a_conflict_of_an_offer_ends_all_that_it_stands_for() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\nthree\n");
    let proposed = house.replace("a.md", "three", "3").await.unwrap();
    let set = proposed.change_set_id;
    house.put("a.md", "zero\none\ntwo\nthree\n");
    house.apply(&proposed).await;
    let offered = house.changes.get(set).await.unwrap().operations[1].id;
    house.put("a.md", "zero\none\ntwo\ndrei\n");
    assert_eq!(looked_at(&house, offered).await.operation.state, OperationState::Conflict);
    house.changes.resolve(offered, &[MergeChoice::Proposal], house.hash("a.md")).await.unwrap();
    let applied = house.apply(&proposed).await;
    assert_eq!(applied.state, ChangeSetState::Applied);
    house.holds("a.md", "zero\none\ntwo\n3\n");
}

#[tokio::test]
async fn who_only_looks_writes_nothing() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\n");
    let proposed = house.replace("a.md", "two", "2").await.unwrap();
    house.put("a.md", "zero\none\ntwo\n");
    let beside = house.beside();
    assert!(!beside.catch_up(proposed.operation_id).await.unwrap());
    assert!(beside.diff(proposed.operation_id).await.unwrap().outdated);
}
