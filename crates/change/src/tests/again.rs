use orangery_domain::{ChangeSetState, HunkDecision, MergeChoice, OperationState};

use super::support::*;

const FAR: &str = "a1\na2\na3\na4\na5\na6\na7\na8\na9\nb1\nb2\nb3\nb4\nb5\nb6\nb7\nb8\nb9\n";

#[tokio::test]
async fn rejecting_all_can_be_taken_back() {
    // FAULTS F11
    let house = House::new().await;
    house.put("a.md", FAR);
    let after = FAR.replace("a2", "A2").replace("a9", "A9").replace("b8", "B8");
    let proposed = house.edit("a.md", rewrite(&after)).await.unwrap();
    let (set, id) = (proposed.change_set_id, proposed.operation_id);
    assert_eq!(house.changes.propose_again(id, None).await.unwrap_err().code(), "nothingRejected");
    house.changes.reject(set).await.unwrap();
    let again = house.changes.propose_again(id, Some(1)).await.unwrap();
    assert_eq!((again.summary.id, again.summary.state), (set, ChangeSetState::Pending));
    assert_eq!(again.operations[0].hunks_rejected, 2);
    let again = house.changes.propose_again(id, None).await.unwrap();
    assert_eq!((again.operations.len(), again.operations[0].hunks_rejected), (1, 0));
    house.apply(&proposed).await;
    house.holds("a.md", after);
}

#[tokio::test]
async fn a_rejected_hunk_of_an_applied_operation_comes_again_on_the_file_as_it_is() {
    let house = House::new().await;
    house.put("a.md", FAR);
    let after = FAR.replace("a2", "A2").replace("a9", "A9").replace("b8", "B8");
    let proposed = house.edit("a.md", rewrite(&after)).await.unwrap();
    let (set, id) = (proposed.change_set_id, proposed.operation_id);
    house.changes.review(set, &[decision(id, Some(2), HunkDecision::Rejected)]).await.unwrap();
    house.apply(&proposed).await;
    house.put("a.md", format!("a0\n{}", FAR.replace("a2", "A2").replace("a9", "A9")));
    let again = house.changes.propose_again(id, Some(2)).await.unwrap();
    // The session has no other open set; what was rejected stays where it was.
    assert_ne!(again.summary.id, set);
    assert_eq!(again.operations.len(), 1);
    let kept = house.changes.diff(id).await.unwrap();
    assert_eq!(kept.hunks[2].decision, HunkDecision::Rejected);
    let applied = house.changes.apply(again.summary.id, &[], true).await.unwrap();
    assert_eq!(applied.state, ChangeSetState::Applied);
    house.holds("a.md", format!("a0\n{after}"));
    // Now it is there.
    assert_eq!(house.changes.propose_again(id, Some(2)).await.unwrap_err().code(), "thereAlready");
}

#[tokio::test]
async fn what_meets_later_changes_comes_again_as_a_conflict() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\n");
    let proposed = house.replace("a.md", "two", "2").await.unwrap();
    let (set, id) = (proposed.change_set_id, proposed.operation_id);
    house.changes.reject(set).await.unwrap();
    house.put("a.md", "one\ndos\n");
    let again = house.changes.propose_again(id, None).await.unwrap();
    assert_eq!(again.summary.id, set);
    let states: Vec<_> = again.operations.iter().map(|operation| operation.state).collect();
    assert_eq!(states, [OperationState::Rejected, OperationState::Conflict]);
    let conflict = again.operations[1].id;
    assert!(house.changes.diff(conflict).await.unwrap().conflict.is_some());
    house.changes.resolve(conflict, &[MergeChoice::Proposal], house.hash("a.md")).await.unwrap();
    house.apply(&proposed).await;
    house.holds("a.md", "one\n2\n");
}

#[tokio::test]
async fn a_new_file_that_was_rejected_comes_again() {
    let house = House::new().await;
    let proposed = house.proposals.create_file(&by("s"), &house.place("f/n.md"), "new\n").await.unwrap();
    let set = proposed.change_set_id;
    house.changes.reject(set).await.unwrap();
    house.changes.propose_again(proposed.operation_id, None).await.unwrap();
    house.changes.propose_again(proposed.needs[0], None).await.unwrap();
    house.apply(&proposed).await;
    house.holds("f/n.md", "new\n");
}
