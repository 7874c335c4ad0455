use orangery_domain::{
    ChangeSetState, ErrorKind, HunkDecision, Operation, OperationKind, OperationState, SessionId,
};

use super::support::*;
use crate::{EditRequest, Refusal, ReplaceEdit};

#[tokio::test]
async fn a_proposal_touches_no_file_and_applying_does() {
    let house = House::new().await;
    house.put("a.md", "# A\n\none two three\n");
    let proposed = house.replace("a.md", "two", "2").await.unwrap();
    assert_eq!((proposed.added_chars, proposed.removed_chars), (1, 3));
    assert_eq!(proposed.summary, "edit a.md: 1 place, +1 −3 characters");
    house.holds("a.md", "# A\n\none two three\n");
    let applied = house.apply(&proposed).await;
    assert_eq!(applied.applied, [proposed.operation_id]);
    assert_eq!(applied.state, ChangeSetState::Applied);
    house.holds("a.md", "# A\n\none 2 three\n");
    assert!(house.journal_is_empty().await);
    let written = house.written.lock().unwrap().clone();
    assert_eq!(written.len(), 1);
    assert_eq!(written[0].hash, house.hash("a.md"));
    assert_eq!(house.names(""), ["a.md"]);
}

#[tokio::test]
async fn a_file_has_to_be_read_and_unchanged() {
    // FAULTS F1
    let house = House::new().await;
    house.put("a.md", "one\ntwo\nthree\n");
    let place = house.place("a.md");
    let unread = house.proposals.edit(&by("s"), &place, None, replace("two", "2")).await.unwrap_err();
    assert!(matches!(unread, Refusal::NotRead { .. }), "{unread}");
    let read = house.hash("a.md");
    house.put("a.md", "zero\none\ntwo and more\nthree\n");
    let stale = house.proposals.edit(&by("s"), &place, read, replace("two", "2")).await.unwrap_err();
    assert_eq!(stale.kind(), ErrorKind::Conflict);
    let told = stale.to_string();
    assert!(told.contains("changed since you read it") && told.contains("3\ttwo and more"), "{told}");
    // Where nothing of what it quotes is left, the file as it is; at the end, its end.
    let shows = async |request: EditRequest, shown: &str, hidden: &str| {
        let stale = house.proposals.edit(&by("s"), &place, read, request).await.unwrap_err().to_string();
        assert!(stale.contains(shown) && (hidden.is_empty() || !stale.contains(hidden)), "{stale}");
    };
    shows(replace("nothing of this", "2"), "1\tzero\n2\tone\n", "").await;
    shows(append("more"), "4\tthree\n", "").await;
    let lines: String = (1..=60).map(|line| format!("line {line}\n")).collect();
    house.put("a.md", &lines);
    shows(replace("gone", "2"), "20\tline 20\n...", "line 21").await;
    let edits = ["line 30\n", "line 50\n"]
        .map(|original| ReplaceEdit { original: original.into(), ..ReplaceEdit::default() });
    let both = EditRequest::MultiReplace { edits: edits.into() };
    shows(both, "33\tline 33\n...\n47\tline 47\n", "line 40").await;
    // Rewriting a file that was never read is the same.
    assert!(house.proposals.edit(&by("s"), &place, None, rewrite("x\n")).await.is_err());
    assert!(house.changes.list(false, None, 0).await.unwrap().is_empty());
}

#[tokio::test]
async fn the_sessions_own_changes_count_as_read() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\n");
    let place = house.place("a.md");
    let read = house.hash("a.md");
    let first = house.proposals.edit(&by("s"), &place, read, replace("one", "1")).await.unwrap();
    house.apply(&first).await;
    // The hash that was read is that of the file before its own change.
    house.proposals.edit(&by("s"), &place, read, replace("two", "2")).await.unwrap();
    // For another session it is a change like any other.
    let other = house.proposals.edit(&by("t"), &place, read, replace("two", "2")).await.unwrap_err();
    assert!(matches!(other, Refusal::Changed { .. }), "{other}");
}

#[tokio::test]
async fn operations_on_one_file_build_on_each_other() {
    // FAULTS E8
    let house = House::new().await;
    house.put("a.md", "one\ntwo\nthree\n");
    let first = house.replace("a.md", "two", "two\ntwo and a half").await.unwrap();
    let second = house.replace("a.md", "two and a half", "2.5").await.unwrap();
    assert_eq!(first.change_set_id, second.change_set_id);
    let pending =
        house.proposals.pending_text(&SessionId("s".into()), &house.place("a.md")).await.unwrap().unwrap();
    assert_eq!(pending.text, "one\ntwo\n2.5\nthree\n");
    assert_eq!(pending.base, house.hash("a.md"));
    assert_eq!(
        house.proposals.pending_text(&SessionId("t".into()), &house.place("a.md")).await.unwrap(),
        None
    );
    let applied = house.apply(&second).await;
    assert_eq!(applied.applied, [first.operation_id, second.operation_id]);
    house.holds("a.md", "one\ntwo\n2.5\nthree\n");
    // One writing of the file makes one version.
    assert_eq!(house.changes.history(&house.place("a.md")).await.unwrap().len(), 1);
}

#[tokio::test]
async fn every_refusal_proposes_nothing_and_says_what_to_do() {
    let house = House::new().await;
    let text = "alpha\nbeta\nalpha\n";
    house.put("a.md", text);
    let multi = |edits: &[(&str, &str)]| EditRequest::MultiReplace {
        edits: edits
            .iter()
            .map(|(original, next)| ReplaceEdit {
                original: (*original).into(),
                next: (*next).into(),
                ..ReplaceEdit::default()
            })
            .collect(),
    };
    for (request, said) in [
        (replace("gamma", "x"), "was not found"),
        (replace("betta", "x"), "not found"),
        (replace("alpha", "x"), "at lines 1, 3"),
        (
            EditRequest::Replace { original: "alpha".into(), next: "x".into(), occurrence: Some(3) },
            "occurrence 3",
        ),
        (replace("", "x"), "is empty"),
        (multi(&[("alpha\nbeta", "x"), ("beta\nalpha", "y")]), "Edit 2 of 2"),
        (multi(&[("beta", "x alpha y"), ("alpha\nx", "z")]), "not found"),
        (multi(&[("beta\n", "gamma delta\n"), ("gamma", "z")]), "what edit 1 puts in"),
        (replace("beta", "beta"), "changes nothing"),
        (rewrite(""), "empty"),
        (rewrite(text), "changes nothing"),
        (append(""), "changes nothing"),
        (rewrite(&"x".repeat((1 << 20) + 1)), "1 MiB"),
        (append("rest [… truncated by Orangery: 5 of 9]"), "cut-off"),
        (replace("beta", "key [redacted by Orangery]"), "secret"),
        (multi(&[("beta", "key [redacted by Orangery]")]), "secret"),
        (multi(&[("beta", "rest [… truncated by Orangery: 5 of 9]")]), "cut-off"),
    ] {
        let refusal = house.edit("a.md", request.clone()).await.unwrap_err();
        assert!(refusal.to_string().contains(said), "{request:?}: {refusal}");
    }
    // Each is short enough, and all together are not.
    house.put("many.md", "x\n".repeat(1 << 11));
    let everywhere = ReplaceEdit {
        original: "x\n".into(),
        next: "y".repeat(1 << 10),
        occurrence: None,
        replace_all: true,
    };
    let request = EditRequest::MultiReplace { edits: vec![everywhere] };
    let refusal = house.edit("many.md", request).await.unwrap_err();
    assert!(refusal.to_string().contains("1 MiB"), "{refusal}");
    for (name, said) in [("b.md", "no file b.md"), ("x/b.md", "no file x/b.md")] {
        let refusal = house.replace(name, "a", "b").await.unwrap_err();
        assert!(refusal.to_string().contains(said), "{refusal}");
    }
    // FAULTS F3
    for (text, said) in
        [("key: [redacted by Orangery]\n", "secret"), ("rest [… truncated by Orangery: 5 of 9]", "cut-off")]
    {
        let refusal = house.proposals.create_file(&by("s"), &house.place("new.md"), text).await.unwrap_err();
        assert!(refusal.to_string().contains(said), "{refusal}");
    }
    std::fs::create_dir(house.path("f")).unwrap();
    assert!(house.replace("f", "a", "b").await.unwrap_err().to_string().contains("is a folder"));
    let place = house.place("a.md");
    let same = house.proposals.relocate(&by("s"), &place, &place).await.unwrap_err();
    assert!(same.to_string().contains("called so already"), "{same}");
    let none = house.proposals.place_of_version(orangery_domain::VersionId(99)).await.unwrap_err();
    assert!(none.to_string().starts_with("There is no version 99."), "{none}");
    assert!(house.changes.list(false, None, 0).await.unwrap().is_empty());
    house.holds("a.md", text);
}

#[tokio::test]
async fn a_miss_shows_the_lines_that_come_nearest() {
    // FAULTS E6
    let house = House::new().await;
    house.put("a.md", "one\n\ttwo of them\nthree\nfour\n");
    let refusal = house.replace("a.md", "one\n    two of those\nthree", "x").await.unwrap_err();
    insta(
        &refusal.to_string(),
        &format!(
            "a.md: the original text was not found.\nNearest at line 1: line 2 differs in the words.\n  yours:     two of those\n  file:  \ttwo of them\nThe text there now:\n1\tone\n2\t\ttwo of them\n3\tthree\n4\tfour\nLooked for in content {}: the file has not changed since you read it.",
            &house.hash("a.md").unwrap().to_hex()[..12]
        ),
    );
}

#[track_caller]
fn insta(got: &str, expected: &str) {
    assert_eq!(got, expected);
}

#[tokio::test]
async fn appending_keeps_the_last_lines_habit() {
    let house = House::new().await;
    for (text, content, expected) in
        [("a\n", "b", "a\nb\n"), ("a", "b\n", "a\nb"), ("a\r\n", "b\nc\n", "a\r\nb\r\nc\r\n"), ("", "b", "b")]
    {
        house.put("a.md", text);
        let proposed = house.edit("a.md", append(content)).await.unwrap();
        house.apply(&proposed).await;
        house.holds("a.md", expected);
    }
    // FAULTS E7: nothing but append ever adds to the end.
    assert!(house.replace("a.md", "not there", "not there\nmore").await.is_err());
}

#[tokio::test]
async fn new_notes_never_overwrite_and_bring_their_folders() {
    let house = House::new().await;
    house.put("a.md", "x");
    let create = |name: &'static str| {
        let (house, place) = (&house, house.place(name));
        async move { house.proposals.create_file(&by("s"), &place, "new\n").await }
    };
    assert!(matches!(create("a.md").await, Err(Refusal::Exists { .. })));
    assert!(matches!(create("").await, Err(Refusal::BlankPath)));
    assert!(matches!(create("b.docx").await, Err(Refusal::Extension { .. })));
    assert!(matches!(create("b").await, Err(Refusal::Extension { .. })));
    assert!(matches!(create("a.md/b.md").await, Err(Refusal::InTheWay { .. })));
    let proposed = create("p/q/b.md").await.unwrap();
    assert_eq!(proposed.summary, "new file p/q/b.md: 4 characters, with 2 folders");
    assert!(matches!(create("p/q/b.md").await, Err(Refusal::ProposedAlready { .. })));
    let sibling = create("p/q/c.txt").await.unwrap();
    assert_eq!(sibling.change_set_id, proposed.change_set_id);
    let set = house.changes.get(proposed.change_set_id).await.unwrap();
    let shown: Vec<_> = set
        .operations
        .iter()
        .map(|operation| (operation.kind, operation.place.path.to_string(), operation.added))
        .collect();
    use OperationKind::{CreateFile, CreateFolder};
    assert_eq!(
        shown,
        [
            (CreateFolder, "p".into(), 0),
            (CreateFolder, "p/q".into(), 0),
            (CreateFile, "p/q/b.md".into(), 1),
            (CreateFile, "p/q/c.txt".into(), 1)
        ]
    );
    // A file that is only proposed can be edited.
    house.replace("p/q/b.md", "new", "newer").await.unwrap();
    house.apply(&proposed).await;
    house.holds("p/q/b.md", "newer\n");
    house.holds("p/q/c.txt", "new\n");
    assert_eq!(house.changes.list(true, None, 0).await.unwrap(), []);
}

#[tokio::test]
async fn a_file_brings_its_folders_unless_they_were_rejected() {
    let house = House::new().await;
    let proposed = house.proposals.create_file(&by("s"), &house.place("o/p/a.md"), "x").await.unwrap();
    let applied = house.changes.apply(proposed.change_set_id, &[proposed.operation_id], false).await.unwrap();
    assert_eq!((applied.applied.len(), applied.state), (3, ChangeSetState::Applied));
    house.holds("o/p/a.md", "x");

    let proposed = house.proposals.create_file(&by_turn("s", 2), &house.place("p/b.md"), "x").await.unwrap();
    let folder = house.changes.get(proposed.change_set_id).await.unwrap().operations[0].id;
    let review = |verdict| {
        let (house, set) = (&house, proposed.change_set_id);
        async move { house.changes.review(set, &[decision(folder, None, verdict)]).await.unwrap() }
    };
    review(HunkDecision::Rejected).await;
    let applied = house.changes.apply(proposed.change_set_id, &[proposed.operation_id], false).await.unwrap();
    assert_eq!(applied.failed, [proposed.operation_id]);
    assert_eq!(house.state(proposed.operation_id).await, OperationState::Failed);
    review(HunkDecision::Undecided).await;
    let applied = house.apply(&proposed).await;
    assert_eq!(applied.state, ChangeSetState::Applied);
    house.holds("p/b.md", "x");
}

#[tokio::test]
async fn files_that_steer_assistants_are_flagged() {
    let house = House::new().await;
    house.put("AGENTS.md", "be kind\n");
    house.put(".orange/permissions.yaml", "allow: []\n");
    house.put("a.md", "kind\n");
    let proposed = house.replace("AGENTS.md", "kind", "quick").await.unwrap();
    house.replace(".orange/permissions.yaml", "[]", "[exec]").await.unwrap();
    house.replace("a.md", "kind", "quick").await.unwrap();
    let flagged = async |set| {
        let set = house.changes.get(set).await.unwrap();
        let flag = |one: &Operation| one.warnings.iter().any(|warning| warning.code == "reviewAlways");
        set.operations.iter().map(flag).collect::<Vec<_>>()
    };
    assert_eq!(flagged(proposed.change_set_id).await, [true, true, false]);
    house.apply(&proposed).await;
    // An earlier text of such a file steers as well.
    let version = house.changes.history(&house.place("AGENTS.md")).await.unwrap()[0].id;
    let (_, back) = house.proposals.restore_version(&by("t"), version).await.unwrap();
    assert_eq!(flagged(back.change_set_id).await, [true]);
}

#[tokio::test]
async fn links_that_lead_out_are_refused() {
    let house = House::new().await;
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("x.md"), "secret\n").unwrap();
    std::os::unix::fs::symlink(outside.path(), house.path("out")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("x.md"), house.path("x.md")).unwrap();
    for name in ["out/x.md", "x.md"] {
        let place = house.place(name);
        let refusal = house.proposals.edit(&by("s"), &place, None, replace("secret", "x")).await.unwrap_err();
        assert_eq!(refusal.kind(), ErrorKind::Denied, "{refusal}");
    }
    let refusal = house.proposals.create_file(&by("s"), &house.place("out/y.md"), "x").await.unwrap_err();
    assert_eq!(refusal.kind(), ErrorKind::Denied, "{refusal}");
    // A link put in the way after the proposal leads nowhere either.
    house.put("d/a.md", "one\n");
    let proposed = house.replace("d/a.md", "one", "1").await.unwrap();
    std::fs::rename(house.path("d"), house.path("e")).unwrap();
    std::os::unix::fs::symlink(outside.path(), house.path("d")).unwrap();
    std::fs::write(outside.path().join("a.md"), "one\n").unwrap();
    let applied = house.apply(&proposed).await;
    assert_eq!(applied.failed, [proposed.operation_id]);
    assert_eq!(std::fs::read(outside.path().join("a.md")).unwrap(), b"one\n");
}

#[tokio::test]
async fn a_turn_that_applies_as_it_goes_keeps_one_set() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\n");
    let place = house.place("a.md");
    let mut read = house.hash("a.md");
    let first = house.proposals.edit(&by_turn("s", 7), &place, read, replace("one", "1")).await.unwrap();
    house.changes.apply(first.change_set_id, &[first.operation_id], true).await.unwrap();
    let second = house.proposals.edit(&by_turn("s", 7), &place, read, replace("two", "2")).await.unwrap();
    assert_eq!(first.change_set_id, second.change_set_id);
    house.changes.apply(second.change_set_id, &[second.operation_id], true).await.unwrap();
    read = house.hash("a.md");
    let third = house.proposals.edit(&by_turn("s", 8), &place, read, replace("2", "3")).await.unwrap();
    assert_ne!(third.change_set_id, first.change_set_id);
    let set = house.changes.get(first.change_set_id).await.unwrap();
    assert_eq!(set.summary.state, ChangeSetState::Applied);
}
