use orangery_domain::{
    ChangeSetState, ConflictView, LineRange, MergeChoice, MergeKind, MergeRegion, OperationKind,
    OperationState,
};

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
            disk_hash: house.hash("a.md"),
            proposal: Some("one\n2\nthree\n".into()),
            regions: [(MergeKind::Same, 1), (MergeKind::Meets, 2), (MergeKind::Same, 3)]
                .map(|(kind, line)| {
                    let lines = LineRange { start: line, end: line };
                    MergeRegion { kind, base: lines, disk: lines, proposal: lines }
                })
                .into(),
        })
    );
    // Once the file is as it was, it can be applied.
    house.put("a.md", "one\ntwo\nthree\n");
    let applied = house.apply(&proposed).await;
    assert_eq!(applied.applied, [proposed.operation_id]);
}

/// FAULTS C7: whatever happens to the file meanwhile, a conflict is in the list until it is settled.
#[tokio::test]
async fn a_conflict_is_listed_until_it_is_settled() {
    let mut house = House::new().await;
    house.put("a.md", "one\ntwo\n");
    let proposed = house.replace("a.md", "two", "2").await.unwrap();
    let changes: [Option<&str>; 4] = [Some("one\ntwo!\n"), None, Some("new\n"), Some("one\nTWO\n")];
    for text in changes {
        match text {
            Some(text) => house.put("a.md", text),
            None => std::fs::remove_file(house.path("a.md")).unwrap(),
        }
        assert_eq!(house.apply(&proposed).await.conflicts, [proposed.operation_id], "{text:?}");
        // Another proposal on the same file and a restart do not hide it.
        if text.is_some() {
            let other = by("other");
            let edit = append("more\n");
            house.proposals.edit(&other, &house.place("a.md"), house.hash("a.md"), edit).await.unwrap();
        }
        house = house.restart().await;
        let waiting = house.changes.list(true, None, 0).await.unwrap();
        assert!(waiting.iter().any(|set| set.id == proposed.change_set_id), "{text:?}");
        assert_eq!(house.state(proposed.operation_id).await, OperationState::Conflict, "{text:?}");
        assert_eq!(house.get("a.md").as_deref(), text.map(str::as_bytes));
    }
    house.changes.reject(proposed.change_set_id).await.unwrap();
    let waiting = house.changes.list(true, None, 0).await.unwrap();
    assert!(waiting.iter().all(|set| set.id != proposed.change_set_id));
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
async fn a_file_that_changed_under_a_proposal_is_told() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\n");
    let edit = house.replace("a.md", "one", "1").await.unwrap();
    assert!(!house.changes.diff(edit.operation_id).await.unwrap().outdated);
    house.put("a.md", "one\ntwo\nthree\n");
    // Until somebody looks at it, it is as it was proposed.
    assert!(house.changes.diff(edit.operation_id).await.unwrap().outdated);
    house.apply(&edit).await;
    assert!(!house.changes.diff(edit.operation_id).await.unwrap().outdated);
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

#[tokio::test]
async fn a_conflict_is_resolved_as_a_proposal_on_the_file_as_it_is() {
    let house = House::new().await;
    house.put("a.md", "one\r\ntwo\r\nthree\r\nfour\r\n");
    let proposed = house.edit("a.md", rewrite("one\n2\nthree\n4\n")).await.unwrap();
    house.put("a.md", "uno\r\ndos\r\nthree\r\nfour\r\n");
    house.apply(&proposed).await;
    let id = proposed.operation_id;
    let view = house.changes.diff(id).await.unwrap().conflict.unwrap();
    let kinds: Vec<_> = view.regions.iter().map(|region| region.kind).collect();
    use MergeKind::{Disk, Meets, Proposal, Same};
    assert_eq!(kinds, [Disk, Meets, Same, Proposal]);

    // Too few choices, and a file that is not what was seen, change nothing.
    let seen = view.disk_hash;
    let refused = house.changes.resolve(id, &[], seen).await.unwrap_err();
    assert_eq!(refused.code(), "choicesMisfit");
    house.put("a.md", "uno\r\nDOS\r\nthree\r\nfour\r\n");
    let refused = house.changes.resolve(id, &[MergeChoice::Both], seen).await.unwrap_err();
    assert_eq!(refused.code(), "baseMoved");
    assert_eq!(house.changes.get(proposed.change_set_id).await.unwrap().operations.len(), 1);

    let resolved =
        house.changes.resolve(id, &[MergeChoice::Text("both\nof them\n".into())], None).await.unwrap();
    house.holds("a.md", "uno\r\nDOS\r\nthree\r\nfour\r\n");
    let states: Vec<_> = resolved.operations.iter().map(|operation| operation.state).collect();
    assert_eq!(states, [OperationState::Rejected, OperationState::Undecided]);
    assert_eq!(house.changes.resolve(id, &[], None).await.unwrap_err().code(), "notAConflict");
    let applied = house.apply(&proposed).await;
    assert_eq!(applied.state, ChangeSetState::Applied);
    house.holds("a.md", "uno\r\nboth\r\nof them\r\nthree\r\n4\r\n");
    house.changes.undo(proposed.change_set_id).await.unwrap();
    house.holds("a.md", "uno\r\nDOS\r\nthree\r\nfour\r\n");
}

#[tokio::test]
async fn keeping_what_is_on_disk_ends_a_conflict() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\n");
    let proposed = house.replace("a.md", "two", "2").await.unwrap();
    house.put("a.md", "one\ndos\n");
    house.apply(&proposed).await;
    let set = house.changes.resolve(proposed.operation_id, &[MergeChoice::Disk], None).await.unwrap();
    assert_eq!((set.operations.len(), set.summary.state), (1, ChangeSetState::Rejected));
    house.holds("a.md", "one\ndos\n");
}

#[tokio::test]
async fn a_clean_offer_gives_way_to_what_the_user_resolved() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\nthree\n");
    let proposed = house.replace("a.md", "three", "3").await.unwrap();
    house.put("a.md", "zero\none\ntwo\nthree\n");
    house.apply(&proposed).await;
    let set = house.changes.resolve(proposed.operation_id, &[], None).await.unwrap();
    let states: Vec<_> = set.operations.iter().map(|operation| operation.state).collect();
    use OperationState::{Rejected, Undecided};
    assert_eq!(states, [Rejected, Rejected, Undecided]);
    // What it stands for is over, and says so.
    let notes: Vec<_> = set.operations.iter().map(|operation| operation.note.clone().unwrap().code).collect();
    assert_eq!(notes, ["settled", "settled", "resolved"]);
    house.apply(&proposed).await;
    house.holds("a.md", "zero\none\ntwo\n3\n");
}

#[tokio::test]
async fn a_file_that_is_gone_or_there_already_can_be_settled_too() {
    let house = House::new().await;
    house.put("a.md", b"\xff\xfeo\0n\0e\0\n\0");
    let edit = house.replace("a.md", "one", "two").await.unwrap();
    let create = house.proposals.create_file(&by("s"), &house.place("b.md"), "mine\n").await.unwrap();
    std::fs::remove_file(house.path("a.md")).unwrap();
    house.put("b.md", "theirs\n");
    house.apply(&edit).await;
    assert_eq!(
        house.changes.resolve(edit.operation_id, &[], None).await.unwrap_err().code(),
        "choicesMisfit"
    );
    house.changes.resolve(edit.operation_id, &[MergeChoice::Proposal], None).await.unwrap();
    let set = house.changes.resolve(create.operation_id, &[MergeChoice::Both], None).await.unwrap();
    let kinds: Vec<_> = set.operations.iter().map(|operation| operation.kind).collect();
    use OperationKind::{CreateFile, Edit};
    assert_eq!(kinds, [Edit, CreateFile, CreateFile, Edit]);
    house.apply(&edit).await;
    house.holds("a.md", b"\xff\xfet\0w\0o\0\n\0");
    house.holds("b.md", "theirs\nmine\n");
}

#[tokio::test]
async fn an_undo_that_meets_later_edits_is_resolved_the_same_way() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\n");
    let proposed = house.replace("a.md", "two", "2").await.unwrap();
    house.apply(&proposed).await;
    house.put("a.md", "one\n2!\n");
    let undone = house.changes.undo(proposed.change_set_id).await.unwrap();
    let conflict = undone.conflicts[0];
    house.changes.resolve(conflict, &[MergeChoice::Text("two!\n".into())], None).await.unwrap();
    let applied = house.changes.apply(undone.change_set_id, &[], true).await.unwrap();
    assert_eq!(applied.state, ChangeSetState::Applied);
    house.holds("a.md", "one\ntwo!\n");
    let first = house.changes.get(proposed.change_set_id).await.unwrap().summary;
    assert_eq!(first.state, ChangeSetState::Undone);
    // What was made and changed since is taken away only if the user says so.
    house.proposals.create_file(&by("s"), &house.place("c.md"), "c\n").await.unwrap();
    let set = house.changes.list(true, None, 0).await.unwrap()[0].id;
    house.changes.apply(set, &[], true).await.unwrap();
    house.put("c.md", "c, kept\n");
    let undone = house.changes.undo(set).await.unwrap();
    house.changes.resolve(undone.conflicts[0], &[MergeChoice::Proposal], None).await.unwrap();
    house.changes.apply(undone.change_set_id, &[], true).await.unwrap();
    assert_eq!(house.get("c.md"), None);
    let history = house.changes.history(&house.place("c.md")).await.unwrap();
    assert_eq!(house.changes.read_version(history[0].id).await.unwrap(), b"c, kept\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_sessions_at_once_lose_nothing() {
    // FAULTS F2
    const SESSIONS: usize = 8;
    let house = House::new().await;
    let text: String = (0..SESSIONS).map(|at| format!("line {at}\nbetween\n")).collect();
    house.put("a.md", &text);
    let place = house.place("a.md");
    let read = house.hash("a.md");
    let mut proposed = Vec::new();
    for at in 0..SESSIONS {
        let request = replace(&format!("line {at}"), &format!("line {at} of session {at}"));
        let session = by(&format!("s{at}"));
        proposed.push(house.proposals.edit(&session, &place, read, request).await.unwrap());
    }
    let work = proposed.into_iter().enumerate().map(|(at, mine)| {
        let changes = house.changes.clone();
        tokio::spawn(async move {
            // Whoever comes later is offered its change on what the others made of the file.
            for _ in 0..=SESSIONS {
                let applied = changes.apply(mine.change_set_id, &[], true).await.unwrap();
                if applied.state == ChangeSetState::Applied {
                    return applied.applied.len();
                }
                assert_eq!(applied.applied, []);
            }
            panic!("session {at} never came through");
        })
    });
    let work: Vec<_> = work.collect();
    for one in work {
        assert_eq!(one.await.unwrap(), 1);
    }
    let all: String = (0..SESSIONS).map(|at| format!("line {at} of session {at}\nbetween\n")).collect();
    house.holds("a.md", all);
    assert!(house.journal_is_empty().await);
}
