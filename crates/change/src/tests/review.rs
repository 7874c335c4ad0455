use orangery_domain::{ChangeSetState, DiffSign, HunkDecision, OperationState};

use super::support::*;
use crate::EditRequest;

const FAR: &str = "a1\na2\na3\na4\na5\na6\na7\na8\na9\nb1\nb2\nb3\nb4\nb5\nb6\nb7\nb8\nb9\n";

fn three_places() -> EditRequest {
    rewrite(&FAR.replace("a2", "A2").replace("a9", "A9").replace("b8", "B8"))
}

#[tokio::test]
async fn hunks_are_decided_one_by_one_and_the_rest_waits() {
    let house = House::new().await;
    house.put("a.md", FAR);
    let proposed = house.edit("a.md", three_places()).await.unwrap();
    let diff = house.changes.diff(proposed.operation_id).await.unwrap();
    assert_eq!(diff.hunks.len(), 3);
    assert_eq!((diff.old_lines, diff.new_lines), (18, 18));
    let removed: Vec<_> =
        diff.hunks.iter().flat_map(|hunk| &hunk.rows).filter(|row| row.sign == DiffSign::Removed).collect();
    assert_eq!(removed.iter().map(|row| row.text.as_str()).collect::<Vec<_>>(), ["a2", "a9", "b8"]);

    let (set, id) = (proposed.change_set_id, proposed.operation_id);
    use HunkDecision::{Accepted, Rejected};
    let reviewed = house
        .changes
        .review(set, &[decision(id, Some(0), Accepted), decision(id, Some(1), Rejected)])
        .await
        .unwrap();
    let operation = &reviewed.operations[0];
    assert_eq!((operation.hunks, operation.hunks_accepted, operation.hunks_rejected), (3, 1, 1));
    assert_eq!((operation.added, operation.removed), (2, 2));
    assert_eq!(operation.state, OperationState::Undecided);

    // Only what is accepted is written; what nobody decided on becomes an operation of its own.
    let applied = house.changes.apply(set, &[], false).await.unwrap();
    assert_eq!(applied.applied, [id]);
    assert_eq!(applied.state, ChangeSetState::PartlyApplied);
    house.holds("a.md", FAR.replace("a2", "A2"));
    let set_now = house.changes.get(set).await.unwrap();
    assert_eq!(set_now.operations.len(), 2);
    let rest = &set_now.operations[1];
    assert_eq!((rest.state, rest.hunks, rest.added), (OperationState::Undecided, 1, 1));
    // The rejected hunk stays to be seen.
    let kept = house.changes.diff(id).await.unwrap();
    assert_eq!(kept.hunks.iter().map(|hunk| hunk.decision).collect::<Vec<_>>(), [Accepted, Rejected]);

    let applied = house.changes.apply(set, &[rest.id], false).await.unwrap();
    assert_eq!(applied.state, ChangeSetState::Applied);
    house.holds("a.md", FAR.replace("a2", "A2").replace("b8", "B8"));
    house.changes.undo(set).await.unwrap();
    house.holds("a.md", FAR);
}

/// FAULTS F10
#[tokio::test]
async fn decisions_and_proposals_survive_a_restart() {
    let house = House::new().await;
    house.put("a.md", FAR);
    let proposed = house.edit("a.md", three_places()).await.unwrap();
    let (set, id) = (proposed.change_set_id, proposed.operation_id);
    house.changes.review(set, &[decision(id, Some(2), HunkDecision::Rejected)]).await.unwrap();
    let before = house.changes.diff(id).await.unwrap();
    let house = house.restart().await;
    assert_eq!(house.changes.diff(id).await.unwrap(), before);
    let applied = house.changes.apply(set, &[], true).await.unwrap();
    assert_eq!(applied.applied, [id]);
    house.holds("a.md", FAR.replace("a2", "A2").replace("a9", "A9"));
}

#[tokio::test]
async fn nothing_accepted_is_nothing_applied() {
    let house = House::new().await;
    house.put("a.md", FAR);
    let proposed = house.edit("a.md", three_places()).await.unwrap();
    let applied = house.changes.apply(proposed.change_set_id, &[], false).await.unwrap();
    assert_eq!((applied.applied.len(), applied.state), (0, ChangeSetState::Pending));
    house.changes.reject(proposed.change_set_id).await.unwrap();
    let applied = house.apply(&proposed).await;
    assert_eq!((applied.applied.len(), applied.state), (0, ChangeSetState::Rejected));
    house.holds("a.md", FAR);
    // A rejected proposal can be taken up again.
    let (set, id) = (proposed.change_set_id, proposed.operation_id);
    let again = house.changes.review(set, &[decision(id, None, HunkDecision::Accepted)]).await.unwrap();
    assert_eq!(again.summary.state, ChangeSetState::Pending);
    let applied = house.changes.apply(set, &[], false).await.unwrap();
    assert_eq!(applied.applied, [id]);
    assert!(house.changes.review(set, &[decision(id, None, HunkDecision::Rejected)]).await.is_err());
}

#[tokio::test]
async fn rejecting_a_part_moves_what_was_built_on_it() {
    // FAULTS E8
    let house = House::new().await;
    house.put("a.md", FAR);
    let first = house.edit("a.md", three_places()).await.unwrap();
    let second = house.replace("a.md", "b1", "B1\nnew").await.unwrap();
    let third = house.replace("a.md", "A9", "A nine").await.unwrap();
    let set = first.change_set_id;
    house
        .changes
        .review(set, &[decision(first.operation_id, Some(1), HunkDecision::Rejected)])
        .await
        .unwrap();
    // The third edits what the rejected hunk would have put in: it cannot be applied.
    let applied = house.changes.apply(set, &[], true).await.unwrap();
    assert_eq!(applied.applied, [first.operation_id, second.operation_id]);
    assert_eq!(applied.conflicts, [third.operation_id]);
    house.holds("a.md", FAR.replace("a2", "A2").replace("b8", "B8").replace("b1", "B1\nnew"));
}

#[tokio::test]
async fn applying_one_of_two_moves_the_other() {
    let house = House::new().await;
    house.put("a.md", FAR);
    let first = house.replace("a.md", "a2", "A2\nmore").await.unwrap();
    let second = house.replace("a.md", "b8", "B8").await.unwrap();
    let set = first.change_set_id;
    let applied = house.changes.apply(set, &[second.operation_id], false).await.unwrap();
    assert_eq!(applied.applied, [second.operation_id]);
    house.holds("a.md", FAR.replace("b8", "B8"));
    let applied = house.changes.apply(set, &[], true).await.unwrap();
    assert_eq!(applied.applied, [first.operation_id]);
    house.holds("a.md", FAR.replace("a2", "A2\nmore").replace("b8", "B8"));
    house.changes.undo(set).await.unwrap();
    house.holds("a.md", FAR);
}

#[tokio::test]
async fn the_list_says_what_waits() {
    let house = House::new().await;
    house.put("a.md", FAR);
    house.put("b.md", "one\n");
    let first = house.edit("a.md", three_places()).await.unwrap();
    house.replace("b.md", "one", "1").await.unwrap();
    let list = house.changes.list(true, None, 0).await.unwrap();
    assert_eq!(list.len(), 1);
    assert_eq!((list[0].operations, list[0].pending), (2, 2));
    assert_eq!(list[0].names, ["a.md", "b.md"]);
    house.apply(&first).await;
    assert_eq!(house.changes.list(true, None, 0).await.unwrap(), []);
    let all = house.changes.list(false, Some(&orangery_domain::SessionId("s".into())), 5).await.unwrap();
    assert_eq!((all.len(), all[0].pending, all[0].state), (1, 0, ChangeSetState::Applied));
    assert!(all[0].applied_at.is_some());
}

#[tokio::test]
async fn a_forgotten_knowledge_base_takes_its_proposals_along() {
    let house = House::new().await;
    house.put("a.md", "one\n");
    house.replace("a.md", "one", "1").await.unwrap();
    let mut write = house.db.write().await.unwrap();
    orangery_store::table::knowledge_base::delete(&mut write, house.kb).await.unwrap();
    write.commit().await.unwrap();
    assert_eq!(house.changes.list(false, None, 0).await.unwrap(), []);
    house.holds("a.md", "one\n");
}

#[tokio::test]
async fn lines_that_no_hunk_shows_can_be_had() {
    let house = House::new().await;
    house.put("a.md", "one\r\ntwo\r\nthree");
    let proposed = house.replace("a.md", "three", "3").await.unwrap();
    let lines = |start, end| orangery_domain::LineRange { start, end };
    let id = proposed.operation_id;
    assert_eq!(house.changes.unchanged(id, lines(1, 2)).await.unwrap(), ["one", "two"]);
    assert_eq!(house.changes.unchanged(id, lines(3, 99)).await.unwrap(), ["three"]);
    assert!(house.changes.unchanged(id, lines(50, 60)).await.unwrap().is_empty());
    assert!(house.changes.unchanged(id, lines(0, 0)).await.unwrap().is_empty());
}
