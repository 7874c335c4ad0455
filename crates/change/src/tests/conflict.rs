use orangery_domain::{ChangeSetState, ConflictView, OperationState};

use super::support::*;

#[tokio::test]
async fn a_moved_base_is_a_conflict_and_nothing_is_written() {
    // FAULTS F1
    let house = House::new().await;
    house.put("a.md", "one\ntwo\nthree\n");
    let proposed = house.replace("a.md", "two", "2").await.unwrap();
    house.put("a.md", "one\ntwo!\nthree\n");
    let applied = house.apply(&proposed).await;
    assert_eq!(applied.conflicts, [proposed.operation_id]);
    assert_eq!(applied.state, ChangeSetState::Pending);
    house.holds("a.md", "one\ntwo!\nthree\n");
    let diff = house.changes.diff(proposed.operation_id).await.unwrap();
    assert_eq!(
        diff.conflict,
        Some(ConflictView {
            base: Some("one\ntwo\nthree\n".into()),
            disk: Some("one\ntwo!\nthree\n".into()),
            proposal: Some("one\n2\nthree\n".into()),
            regions: Vec::new(),
        })
    );
    // Once the file is as it was, it can be applied.
    house.put("a.md", "one\ntwo\nthree\n");
    let applied = house.apply(&proposed).await;
    assert_eq!(applied.applied, [proposed.operation_id]);
}

#[tokio::test]
async fn a_clean_merge_is_proposed_and_never_applied_unseen() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\nthree\n");
    let proposed = house.replace("a.md", "three", "3").await.unwrap();
    house.put("a.md", "zero\none\ntwo\nthree\n");
    let applied = house.apply(&proposed).await;
    assert_eq!(applied.conflicts, [proposed.operation_id]);
    house.holds("a.md", "zero\none\ntwo\nthree\n");
    let set = house.changes.get(proposed.change_set_id).await.unwrap();
    assert_eq!(set.operations.len(), 2);
    let offered = &set.operations[1];
    assert_eq!(offered.state, OperationState::Undecided);
    // Applying all again takes the offer, once, and the conflict is over.
    let applied = house.apply(&proposed).await;
    assert_eq!(applied.applied, [offered.id]);
    assert_eq!(applied.state, ChangeSetState::Applied);
    house.holds("a.md", "zero\none\ntwo\n3\n");
    assert_eq!(house.state(proposed.operation_id).await, OperationState::Rejected);
}

#[tokio::test]
async fn conflicts_do_not_hold_up_the_others() {
    let house = House::new().await;
    house.put("a.md", "one\n");
    house.put("b.md", "one\n");
    let a = house.replace("a.md", "one", "1").await.unwrap();
    let b = house.replace("b.md", "one", "1").await.unwrap();
    house.put("a.md", "uno\n");
    let applied = house.apply(&a).await;
    assert_eq!((applied.applied, applied.conflicts), (vec![b.operation_id], vec![a.operation_id]));
    assert_eq!(applied.state, ChangeSetState::PartlyApplied);
    house.holds("a.md", "uno\n");
    house.holds("b.md", "1\n");
}

#[tokio::test]
async fn a_file_that_came_or_went_is_a_conflict() {
    let house = House::new().await;
    house.put("a.md", "one\n");
    let edit = house.replace("a.md", "one", "1").await.unwrap();
    let create = house.proposals.create_file(&by("s"), &house.place("b.md"), "mine\n").await.unwrap();
    std::fs::remove_file(house.path("a.md")).unwrap();
    house.put("b.md", "theirs\n");
    let applied = house.apply(&edit).await;
    assert_eq!(applied.conflicts, [edit.operation_id, create.operation_id]);
    assert_eq!(house.get("a.md"), None);
    house.holds("b.md", "theirs\n");
    let diff = house.changes.diff(create.operation_id).await.unwrap();
    let conflict = diff.conflict.unwrap();
    assert_eq!((conflict.base, conflict.disk), (None, Some("theirs\n".into())));
}

#[tokio::test]
async fn two_sessions_on_one_file_never_overwrite_each_other() {
    // FAULTS F2
    let house = House::new().await;
    house.put("a.md", "one\ntwo\n");
    let place = house.place("a.md");
    let read = house.hash("a.md");
    let mine = house.proposals.edit(&by("s"), &place, read, replace("two", "2")).await.unwrap();
    let theirs = house.proposals.edit(&by("t"), &place, read, replace("two", "deux")).await.unwrap();
    assert_ne!(mine.change_set_id, theirs.change_set_id);
    let (first, second) = tokio::join!(house.apply(&mine), house.apply(&theirs));
    let won = usize::from(first.conflicts.is_empty()) + usize::from(second.conflicts.is_empty());
    assert_eq!(won, 1, "{first:?} {second:?}");
    let text = String::from_utf8(house.get("a.md").unwrap()).unwrap();
    assert_eq!(text, if first.conflicts.is_empty() { "one\n2\n" } else { "one\ndeux\n" });
}

#[tokio::test]
async fn one_set_applied_twice_at_once_is_applied_once() {
    let house = House::new().await;
    house.put("a.md", "one\n");
    let proposed = house.edit("a.md", append("two")).await.unwrap();
    let (first, second) = tokio::join!(house.apply(&proposed), house.apply(&proposed));
    assert_eq!(first.applied.len() + second.applied.len(), 1);
    house.holds("a.md", "one\ntwo\n");
}

#[tokio::test]
async fn what_somebody_did_alike_is_done() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\n");
    let proposed = house.replace("a.md", "two", "2").await.unwrap();
    house.put("a.md", "one and more\n2\n");
    let applied = house.apply(&proposed).await;
    assert_eq!(applied.applied, [proposed.operation_id]);
    house.holds("a.md", "one and more\n2\n");
    // It was not this change that wrote the file, so there is nothing to take back.
    assert!(house.changes.undo(proposed.change_set_id).await.is_err());
}

#[tokio::test]
async fn two_merged_operations_of_one_file_are_applied_together() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\nthree\nfour\nfive\n");
    let first = house.replace("a.md", "two", "2").await.unwrap();
    let second = house.replace("a.md", "four", "4").await.unwrap();
    house.put("a.md", "zero\none\ntwo\nthree\nfour\nfive\n");
    let applied = house.apply(&first).await;
    assert_eq!(applied.conflicts, [first.operation_id, second.operation_id]);
    let applied = house.apply(&first).await;
    assert_eq!((applied.applied.len(), applied.state), (2, ChangeSetState::Applied));
    house.holds("a.md", "zero\none\n2\nthree\n4\nfive\n");
    house.changes.undo(first.change_set_id).await.unwrap();
    house.holds("a.md", "zero\none\ntwo\nthree\nfour\nfive\n");
}
