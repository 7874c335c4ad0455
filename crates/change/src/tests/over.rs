//! Decisions on what is decided for good change nothing and say why.

use orangery_domain::{ChangeSetState, HunkDecision, MergeChoice, OperationId, OperationState};

use super::support::*;

/// What accepting, rejecting, rewording and applying an operation say, and that none of it changed anything.
async fn refused(house: &House, set: orangery_domain::ChangeSetId, id: OperationId) -> Vec<&'static str> {
    let before = house.changes.get(set).await.unwrap();
    let mut said = Vec::new();
    for one in [HunkDecision::Accepted, HunkDecision::Rejected, HunkDecision::Undecided] {
        for hunk in [None, Some(0)] {
            said.push(house.changes.review(set, &[decision(id, hunk, one)]).await.unwrap_err().code());
        }
    }
    said.push(house.changes.edit_proposal(id, 0, "mine\n").await.unwrap_err().code());
    said.push(house.changes.apply(set, &[id], false).await.unwrap_err().code());
    assert_eq!(house.changes.get(set).await.unwrap(), before);
    said.dedup();
    said
}

#[tokio::test]
async fn what_is_applied_or_taken_back_cannot_be_decided_any_more() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\n");
    house.put("b.md", "one\n");
    let first = house.replace("a.md", "one", "1").await.unwrap();
    let second = house.replace("b.md", "one", "1").await.unwrap();
    let set = first.change_set_id;
    house.changes.review(set, &[decision(second.operation_id, None, HunkDecision::Rejected)]).await.unwrap();
    house.apply(&first).await;
    assert_eq!(refused(&house, set, first.operation_id).await, ["alreadyApplied"]);
    // A rejection can still be thought over.
    let again = [decision(second.operation_id, None, HunkDecision::Undecided)];
    let reviewed = house.changes.review(set, &again).await.unwrap();
    assert_eq!(reviewed.summary.state, ChangeSetState::PartlyApplied);
    house.changes.reject(set).await.unwrap();
    assert_eq!(house.changes.reject(set).await.unwrap_err().code(), "nothingWaits");

    house.changes.undo(set).await.unwrap();
    assert_eq!(refused(&house, set, first.operation_id).await, ["alreadyUndone"]);
    assert_eq!(refused(&house, set, second.operation_id).await, ["alreadyUndone"]);
    assert_eq!(house.changes.reject(set).await.unwrap_err().code(), "alreadyUndone");
    assert_eq!(house.changes.apply(set, &[], true).await.unwrap_err().code(), "alreadyUndone");
    house.holds("a.md", "one\ntwo\n");
}

#[tokio::test]
async fn what_another_proposal_stands_for_cannot_be_decided_any_more() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\nthree\n");
    let proposed = house.replace("a.md", "two", "2").await.unwrap();
    let (set, id) = (proposed.change_set_id, proposed.operation_id);
    house.put("a.md", "one\ndos\nthree\n");
    house.apply(&proposed).await;
    // Accepting a conflict does not end it.
    let reviewed = house.changes.review(set, &[decision(id, None, HunkDecision::Accepted)]).await.unwrap();
    assert_eq!(reviewed.operations[0].state, OperationState::Conflict);
    house.changes.resolve(id, &[MergeChoice::Proposal], house.hash("a.md")).await.unwrap();
    assert_eq!(refused(&house, set, id).await, ["superseded"]);
    assert_eq!(house.changes.propose_again(id, None).await.unwrap_err().code(), "superseded");
}

#[tokio::test]
async fn a_conflict_whose_offer_was_applied_is_over_too() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\n");
    let proposed = house.replace("a.md", "two", "2").await.unwrap();
    let (set, id) = (proposed.change_set_id, proposed.operation_id);
    house.put("a.md", "zero\none\ntwo\n");
    house.apply(&proposed).await;
    house.apply(&proposed).await;
    house.holds("a.md", "zero\none\n2\n");
    assert_eq!(refused(&house, set, id).await, ["superseded"]);
    assert_eq!(house.changes.get(set).await.unwrap().summary.state, ChangeSetState::Applied);
}
