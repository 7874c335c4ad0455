use orangery_domain::{
    ChangeSetState, HunkDecision, OperationKind, OperationState, Position, PositionEdit, Provenance,
    SessionId, TurnId,
};

use super::support::*;

/// FAULTS F9: undo takes back what a change set wrote, and does not pretend to more.
#[tokio::test]
async fn what_others_wrote_meanwhile_is_outside_of_undo() {
    let house = House::new().await;
    for name in ["a.md", "b.md", "c.md"] {
        house.put(name, "one\n");
    }
    house.changes.opened(&house.place("b.md"), b"one\n".to_vec()).await.unwrap();
    let proposed = house.replace("a.md", "one", "two").await.unwrap();
    house.apply(&proposed).await;
    // A command, or any other program, and the user.
    house.put("b.md", "by a command\n");
    house.put("new.md", "by a command\n");
    assert!(house.changes.noticed(&house.place("b.md")).await.unwrap());
    let typed = PositionEdit {
        from: Position { line: 1, column: 0 },
        to: Position { line: 1, column: 3 },
        insert: "typed".into(),
    };
    house.changes.save(&house.place("c.md"), house.hash("c.md").unwrap(), &[typed]).await.unwrap();

    let undone = house.changes.undo(proposed.change_set_id).await.unwrap();
    assert_eq!(undone.applied.len(), 1);
    house.holds("a.md", "one\n");
    house.holds("b.md", "by a command\n");
    house.holds("new.md", "by a command\n");
    house.holds("c.md", "typed\n");
    // Nothing of it is listed as a change that could be taken back, and history says whose it was.
    let sets = house.changes.list(false, None, 0).await.unwrap();
    assert!(sets.iter().all(|set| set.names == ["a.md"]), "{sets:?}");
    let kept = house.changes.history(&house.place("b.md")).await.unwrap();
    assert_eq!(kept[0].provenance, Provenance::Outside);
    assert_eq!(house.changes.history(&house.place("new.md")).await.unwrap(), []);
    let turn = house.changes.restore_turn(&SessionId("s".into()), TurnId(1), None).await.unwrap_err();
    assert_eq!(turn.code(), "nothingApplied");
    house.holds("b.md", "by a command\n");
}

#[tokio::test]
async fn undoing_is_a_change_set_that_can_be_undone() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\n");
    let proposed = house.replace("a.md", "two", "2").await.unwrap();
    house.apply(&proposed).await;
    let undone = house.changes.undo(proposed.change_set_id).await.unwrap();
    assert_eq!((undone.applied.len(), undone.state), (1, ChangeSetState::Applied));
    house.holds("a.md", "one\ntwo\n");
    let first = house.changes.get(proposed.change_set_id).await.unwrap().summary;
    assert_eq!((first.state, first.undone_by), (ChangeSetState::Undone, Some(undone.change_set_id)));
    let undo = house.changes.get(undone.change_set_id).await.unwrap().summary;
    assert_eq!(undo.provenance, Provenance::Undo { of: proposed.change_set_id });
    assert!(house.changes.undo(proposed.change_set_id).await.is_err());
    // And back again.
    house.changes.undo(undone.change_set_id).await.unwrap();
    house.holds("a.md", "one\n2\n");
    let first = house.changes.get(proposed.change_set_id).await.unwrap().summary;
    assert_eq!((first.state, first.undone_by), (ChangeSetState::Applied, None));
    assert!(house.journal_is_empty().await);
}

#[tokio::test]
async fn what_waits_in_a_set_is_over_when_the_rest_of_it_is_taken_back() {
    // FAULTS F12
    let house = House::new().await;
    house.put("a.md", "one\n");
    house.put("b.md", "two\n");
    let first = house.replace("a.md", "one", "1").await.unwrap();
    let second = house.replace("b.md", "two", "2").await.unwrap();
    let set = first.change_set_id;
    assert_eq!(second.change_set_id, set);
    house.changes.apply(set, &[first.operation_id], false).await.unwrap();
    house.changes.undo(set).await.unwrap();
    assert_eq!(house.state(second.operation_id).await, OperationState::Rejected);
    let _ = house.changes.apply(set, &[], true).await;
    house.holds("a.md", "one\n");
    house.holds("b.md", "two\n");
    assert_eq!(house.changes.get(set).await.unwrap().summary.state, ChangeSetState::Undone);
    let decision = decision(second.operation_id, None, HunkDecision::Accepted);
    assert!(house.changes.review(set, &[decision]).await.is_err());
    // It is not lost.
    let again = house.changes.propose_again(second.operation_id, None).await.unwrap();
    house.changes.apply(again.summary.id, &[], true).await.unwrap();
    house.holds("b.md", "2\n");
    assert_eq!(house.changes.get(again.summary.id).await.unwrap().summary.state, ChangeSetState::Applied);
}

#[tokio::test]
async fn undoing_an_edit_never_removes_a_file_and_touches_no_other() {
    // FAULTS F4, F5
    let house = House::new().await;
    house.put("a.md", "one\n");
    house.put("b.md", "other\n");
    let proposed = house.edit("a.md", append("two")).await.unwrap();
    house.apply(&proposed).await;
    house.put("b.md", "other, later\n");
    house.changes.undo(proposed.change_set_id).await.unwrap();
    house.holds("a.md", "one\n");
    house.holds("b.md", "other, later\n");
}

#[tokio::test]
async fn a_later_edit_apart_is_kept_and_the_undo_is_proposed() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\nthree\nfour\n");
    let proposed = house.replace("a.md", "two", "2").await.unwrap();
    house.apply(&proposed).await;
    house.put("a.md", "one\n2\nthree\nfour and more\n");
    let undone = house.changes.undo(proposed.change_set_id).await.unwrap();
    assert_eq!((undone.applied.len(), undone.conflicts.len()), (0, 1));
    house.holds("a.md", "one\n2\nthree\nfour and more\n");
    assert_eq!(
        house.changes.get(proposed.change_set_id).await.unwrap().summary.state,
        ChangeSetState::Applied
    );
    house.changes.apply(undone.change_set_id, &[], true).await.unwrap();
    house.holds("a.md", "one\ntwo\nthree\nfour and more\n");
    assert_eq!(
        house.changes.get(proposed.change_set_id).await.unwrap().summary.state,
        ChangeSetState::Undone
    );
}

#[tokio::test]
async fn a_later_edit_of_the_same_line_is_a_conflict() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\n");
    let proposed = house.replace("a.md", "two", "2").await.unwrap();
    house.apply(&proposed).await;
    house.put("a.md", "one\n2!\n");
    let undone = house.changes.undo(proposed.change_set_id).await.unwrap();
    assert_eq!((undone.applied.len(), undone.conflicts.len()), (0, 1));
    house.holds("a.md", "one\n2!\n");
    let set = house.changes.get(undone.change_set_id).await.unwrap();
    assert_eq!(set.operations.len(), 1);
    let conflict = house.changes.diff(set.operations[0].id).await.unwrap().conflict.unwrap();
    assert_eq!(conflict.proposal.as_deref(), Some("one\ntwo\n"));
    assert_eq!(conflict.disk.as_deref(), Some("one\n2!\n"));
}

#[tokio::test]
async fn what_was_made_goes_only_if_still_as_it_was_made() {
    let house = House::new().await;
    for (name, text) in [("p/a.md", "a\n"), ("p/b.md", "b\n"), ("q/c.md", "c\n")] {
        house.proposals.create_file(&by("s"), &house.place(name), text).await.unwrap();
    }
    let set = house.changes.list(true, None, 0).await.unwrap()[0].id;
    house.changes.apply(set, &[], true).await.unwrap();
    house.put("p/b.md", "b, kept\n");
    let undone = house.changes.undo(set).await.unwrap();
    let states: Vec<_> = house
        .changes
        .get(undone.change_set_id)
        .await
        .unwrap()
        .operations
        .iter()
        .map(|operation| (operation.kind, operation.place.path.to_string(), operation.state))
        .collect();
    use OperationState::{Applied, Conflict};
    let removed = OperationKind::RemoveCreated;
    assert_eq!(
        states,
        [
            (removed, "q/c.md".into(), Applied),
            (removed, "q".into(), Applied),
            (removed, "p/b.md".into(), Conflict),
            (removed, "p/a.md".into(), Applied),
            (removed, "p".into(), Conflict),
        ]
    );
    assert_eq!(house.names(""), ["p"]);
    assert_eq!(house.names("p"), ["b.md"]);
    // The content of what went is kept.
    let history = house.changes.history(&house.place("p/a.md")).await.unwrap();
    house.changes.restore(history[0].id).await.unwrap();
    house.holds("p/a.md", "a\n");
    // And the undo can be undone.
    house.changes.undo(undone.change_set_id).await.unwrap();
    house.holds("q/c.md", "c\n");
    house.holds("p/b.md", "b, kept\n");
}

#[tokio::test]
async fn what_is_undone_in_part_is_undone_again_only_as_far_as_it_is_not() {
    let house = House::new().await;
    house.put("a.md", "one\n");
    house.put("b.md", "two\n");
    house.replace("a.md", "one", "1").await.unwrap();
    let set = house.replace("b.md", "two", "2").await.unwrap().change_set_id;
    house.changes.apply(set, &[], true).await.unwrap();
    house.put("b.md", "2!\n");
    let undone = house.changes.undo(set).await.unwrap();
    assert_eq!((undone.applied.len(), undone.conflicts.len()), (1, 1));
    // What is left of it waits there.
    let error = house.changes.undo(set).await.unwrap_err();
    assert_eq!(error.code(), "undoWaits");
    house.changes.reject(undone.change_set_id).await.unwrap();
    house.put("b.md", "2\n");
    let again = house.changes.undo(set).await.unwrap();
    let operations = house.changes.get(again.change_set_id).await.unwrap().operations;
    let places: Vec<_> = operations.iter().map(|operation| operation.place.path.as_str()).collect();
    assert_eq!((places, again.applied.len()), (vec!["b.md"], 1));
    assert_eq!(house.changes.get(set).await.unwrap().summary.state, ChangeSetState::Undone);
    house.holds("a.md", "one\n");
    house.holds("b.md", "two\n");
}

#[tokio::test]
async fn what_could_not_be_undone_is_undone_when_it_is_asked_for_again() {
    let house = House::new().await;
    house.put("a.md", "one\n");
    house.put("b.md", "two\n");
    house.replace("a.md", "one", "1").await.unwrap();
    let set = house.replace("b.md", "two", "2").await.unwrap().change_set_id;
    house.changes.apply(set, &[], true).await.unwrap();
    house.seam.fail_write(1, false, std::io::ErrorKind::PermissionDenied);
    let failed = house.changes.undo(set).await.unwrap();
    assert_eq!((failed.applied.len(), failed.state), (0, ChangeSetState::Pending));
    house.seam.disarm();
    let undone = house.changes.undo(set).await.unwrap();
    assert_eq!((undone.change_set_id, undone.applied.len()), (failed.change_set_id, 2));
    house.holds("a.md", "one\n");
    house.holds("b.md", "two\n");
    assert_eq!(house.changes.get(set).await.unwrap().summary.state, ChangeSetState::Undone);
}

#[tokio::test]
async fn an_undo_that_was_cut_off_before_it_began_is_gone_on_with() {
    let house = House::new().await;
    house.put("a.md", "one\n");
    let set = house.replace("a.md", "one", "1").await.unwrap().change_set_id;
    house.changes.apply(set, &[], true).await.unwrap();
    let inner = house.changes.house();
    let (_, rows) = inner.set(set).await.unwrap();
    let (contents, proposals) = inner.take_back(&rows, None).await.unwrap();
    let (undo, _) = inner.store(&Provenance::Undo { of: set }, &contents, &proposals).await.unwrap();
    let house = house.restart().await;
    let undone = house.changes.undo(set).await.unwrap();
    assert_eq!((undone.change_set_id, undone.applied.len()), (undo, 1));
    house.holds("a.md", "one\n");
}

#[test]
fn what_lacked_its_folder_comes_back_once_the_folder_did() {
    with_trash("tests::undo::what_lacked_its_folder_comes_back_once_the_folder_did", async || {
        let house = House::new().await;
        house.put("d/a.md", "a\n");
        let mut gone = Vec::new();
        for (session, name) in [("s", "d/a.md"), ("t", "d")] {
            let proposed = house.proposals.delete(&by(session), &house.place(name)).await.unwrap();
            house.apply(&proposed).await;
            gone.push(proposed.change_set_id);
        }
        assert_eq!(house.changes.undo(gone[0]).await.unwrap().failed.len(), 1);
        assert_eq!(house.changes.undo(gone[0]).await.unwrap().failed.len(), 1);
        assert_eq!(house.changes.undo(gone[1]).await.unwrap().applied.len(), 1);
        assert_eq!(house.changes.undo(gone[0]).await.unwrap().applied.len(), 1);
        house.holds("d/a.md", "a\n");
        assert_eq!(house.changes.list(true, None, 0).await.unwrap(), []);
    });
}

#[tokio::test]
async fn a_conflict_in_undoing_stays_one_until_the_file_or_somebody_settles_it() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\nthree\nfour\n");
    let set = house.replace("a.md", "two", "2").await.unwrap().change_set_id;
    house.changes.apply(set, &[], true).await.unwrap();
    // What is offered instead is for people to decide on, however often this is asked for.
    house.put("a.md", "one\n2\nthree\nfour and more\n");
    let first = house.changes.undo(set).await.unwrap();
    let again = house.changes.undo(set).await.unwrap();
    assert_eq!(again, first);
    assert_eq!((first.applied.len(), first.conflicts.len()), (0, 1));
    assert_eq!(house.changes.get(first.change_set_id).await.unwrap().operations.len(), 2);
    house.holds("a.md", "one\n2\nthree\nfour and more\n");
    let offered = house.changes.get(first.change_set_id).await.unwrap().operations[1].id;
    let accept = decision(offered, None, HunkDecision::Accepted);
    house.changes.review(first.change_set_id, &[accept]).await.unwrap();
    let undone = house.changes.undo(set).await.unwrap();
    assert_eq!((undone.applied, undone.conflicts), (vec![offered], Vec::new()));
    house.holds("a.md", "one\ntwo\nthree\nfour and more\n");

    let set = house.replace("a.md", "one", "1").await.unwrap().change_set_id;
    house.changes.apply(set, &[], true).await.unwrap();
    house.put("a.md", "1!\n");
    assert_eq!(house.changes.undo(set).await.unwrap().conflicts.len(), 1);
    house.put("a.md", "1\ntwo\nthree\nfour and more\n");
    assert_eq!(house.changes.undo(set).await.unwrap().applied.len(), 1);
    house.holds("a.md", "one\ntwo\nthree\nfour and more\n");
}

#[tokio::test]
async fn a_folder_that_waits_to_go_back_goes_with_what_came_into_it_since() {
    let house = House::new().await;
    house.put("p/a.md", "a\n");
    let moved = house.proposals.relocate(&by("s"), &house.place("p"), &house.place("q")).await.unwrap();
    house.apply(&moved).await;
    house.put("p", "in the way\n");
    assert_eq!(house.changes.undo(moved.change_set_id).await.unwrap().conflicts.len(), 1);
    std::fs::remove_file(house.path("p")).unwrap();
    house.put("q/b.md", "b\n");
    assert_eq!(house.changes.undo(moved.change_set_id).await.unwrap().applied.len(), 1);
    assert_eq!(house.names("p"), ["a.md", "b.md"]);
}

#[tokio::test]
async fn what_was_taken_back_by_hand_is_not_taken_back_again() {
    let house = House::new().await;
    house.put("a.md", "one\n");
    let proposed = house.replace("a.md", "one", "1").await.unwrap();
    house.apply(&proposed).await;
    house.put("a.md", "one\n");
    let error = house.changes.undo(proposed.change_set_id).await.unwrap_err();
    assert_eq!(error.code(), "alreadyUndone");
    let sets = house.changes.list(false, None, 0).await.unwrap();
    assert_eq!(sets.iter().map(|set| set.state).collect::<Vec<_>>(), [ChangeSetState::Undone]);
}

#[tokio::test]
async fn an_earlier_version_comes_back_and_so_does_a_lost_file() {
    let house = House::new().await;
    let first = b"\xef\xbb\xbfone\r\n";
    house.put("a.md", first);
    let proposed = house.edit("a.md", rewrite("something else\n")).await.unwrap();
    house.apply(&proposed).await;
    let history = house.changes.history(&house.place("a.md")).await.unwrap();
    let restored = house.changes.restore(history[0].id).await.unwrap();
    assert_eq!(restored.state, ChangeSetState::Applied);
    house.holds("a.md", first);
    // Restoring was recorded too: what it wrote over can be had again.
    let history = house.changes.history(&house.place("a.md")).await.unwrap();
    assert_eq!(history[0].provenance, Provenance::Restore { version: history[1].id });
    assert_eq!(house.changes.read_version(history[0].id).await.unwrap(), b"\xef\xbb\xbfsomething else\r\n");
    std::fs::remove_file(house.path("a.md")).unwrap();
    house.changes.restore(history[1].id).await.unwrap();
    house.holds("a.md", first);
    house.changes.undo(restored.change_set_id).await.unwrap();
    house.holds("a.md", b"\xef\xbb\xbfsomething else\r\n");
}

#[tokio::test]
async fn nothing_applied_is_nothing_to_undo() {
    let house = House::new().await;
    house.put("a.md", "one\n");
    let proposed = house.replace("a.md", "one", "1").await.unwrap();
    assert!(house.changes.undo(proposed.change_set_id).await.is_err());
    house.holds("a.md", "one\n");
}
