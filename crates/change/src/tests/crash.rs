//! A process that dies anywhere leaves files that are old or new, and a database that says which.

use std::{io, path::Path, process::Command, sync::Arc};

use orangery_domain::{ChangeSetId, ChangeSetState, OperationState, Position, PositionEdit, Provenance};

use super::support::*;
use crate::stop::{CUT, Seam};

const FOLDER: &str = "ORANGERY_CRASH_FOLDER";
const SCENE: &str = "ORANGERY_CRASH_SCENE";

/// Not a test of its own: what the others run in a process that may die.
#[tokio::test]
async fn child() {
    let (Ok(folder), Ok(scene)) = (std::env::var(FOLDER), std::env::var(SCENE)) else { return };
    let (_db, kb, changes) = open(Path::new(&folder), Seam::from_env(), Arc::default()).await;
    let newest = || async { changes.list(false, None, 0).await.unwrap()[0].id };
    match scene.as_str() {
        "open" => {}
        "apply" => drop(changes.apply(newest().await, &[], true).await.unwrap()),
        "undo" => drop(changes.undo(newest().await).await.unwrap()),
        "restore" => {
            let path = orangery_domain::KbPath::parse("a.md").unwrap();
            let history = changes.history(&orangery_domain::FilePlace { kb_id: kb, path }).await.unwrap();
            changes.restore(history[0].id).await.unwrap();
        }
        "save" => {
            let place = orangery_domain::FilePlace {
                kb_id: kb,
                path: orangery_domain::KbPath::parse("a.md").unwrap(),
            };
            let base =
                orangery_domain::ContentHash::of(&std::fs::read(Path::new(&folder).join("kb/a.md")).unwrap());
            let end = Position { line: 1, column: 3 };
            let edit =
                PositionEdit { from: Position { line: 1, column: 0 }, to: end, insert: "typed".into() };
            changes.save(&place, base, &[edit]).await.unwrap();
        }
        other => panic!("no scene {other}"),
    }
}

/// Runs `scene` in a process that dies at point `cut`; whether it lived to the end.
pub fn run(folder: &Path, scene: &str, cut: usize) -> bool {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "tests::crash::child", "--nocapture"])
        .env(FOLDER, folder)
        .env(SCENE, scene)
        .env(CUT, cut.to_string())
        .output()
        .unwrap();
    let lived = output.status.success();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(lived || !said.contains("panicked"), "{said}");
    lived
}

/// Three files edited, one made in a new folder.
async fn four_files() -> (House, ChangeSetId) {
    let house = House::new().await;
    for name in ["a.md", "b.md", "c.md"] {
        house.put(name, "one\r\ntwo\n");
        house.replace(name, "one", "1").await.unwrap();
    }
    let proposed = house.proposals.create_file(&by("s"), &house.place("p/d.md"), "new\n").await.unwrap();
    (house, proposed.change_set_id)
}

fn is_new(house: &House, name: &str) -> bool {
    match (name, house.get(name).as_deref()) {
        ("p/d.md", None) => false,
        ("p/d.md", Some(b"new\n")) => true,
        (_, Some(b"one\r\ntwo\n")) => false,
        (_, Some(b"1\r\ntwo\n")) => true,
        (name, other) => panic!("{name} is neither old nor new: {other:?}"),
    }
}

/// Every file is old or new, the journal is empty, and each operation's state is what its file says.
async fn check_truth(house: &House, set: ChangeSetId) -> ChangeSetState {
    assert!(house.journal_is_empty().await);
    let set = house.changes.get(set).await.unwrap();
    for operation in &set.operations {
        let name = operation.place.path.as_str();
        let new = if name == "p" { house.path("p").is_dir() } else { is_new(house, name) };
        assert_eq!(operation.state == OperationState::Applied, new, "{name}: {:?}", operation.state);
    }
    set.summary.state
}

#[tokio::test]
async fn applying_survives_a_cut_at_every_point() {
    // FAULTS C9
    let mut reached_the_end = false;
    for cut in 0..40 {
        let (house, set) = four_files().await;
        house.db.close().await;
        let lived = run(house.folder(), "apply", cut);
        let house = house.restart().await;
        let state = check_truth(&house, set).await;
        // Once it is in the journal, it is finished.
        assert_eq!(state, ChangeSetState::Applied, "cut at {cut}");
        let leftovers = house.names("").into_iter().filter(|name| name.starts_with('.')).count();
        assert_eq!(leftovers, 0);
        if lived {
            reached_the_end = true;
            break;
        }
    }
    assert!(reached_the_end);
}

#[tokio::test]
async fn recovery_survives_cuts_of_its_own() {
    for (first, second) in [(0, 0), (0, 3), (2, 1), (4, 5), (7, 2), (9, 0), (3, 8), (1, 10)] {
        let (house, set) = four_files().await;
        house.db.close().await;
        run(house.folder(), "apply", first);
        run(house.folder(), "open", second);
        let house = house.restart().await;
        assert_eq!(check_truth(&house, set).await, ChangeSetState::Applied);
    }
}

#[tokio::test]
async fn undoing_survives_a_cut_at_every_point() {
    let mut reached_the_end = false;
    for cut in 0..40 {
        let (house, set) = four_files().await;
        house.changes.apply(set, &[], true).await.unwrap();
        house.db.close().await;
        let lived = run(house.folder(), "undo", cut);
        let house = house.restart().await;
        assert!(house.journal_is_empty().await);
        let state = house.changes.get(set).await.unwrap().summary.state;
        assert_eq!(state, ChangeSetState::Undone, "cut at {cut}");
        for name in ["a.md", "b.md", "c.md", "p/d.md"] {
            assert!(!is_new(&house, name), "{name}");
        }
        assert!(!house.path("p").exists());
        if lived {
            reached_the_end = true;
            break;
        }
    }
    assert!(reached_the_end);
}

/// FAULTS F13: what was restored is restored after a restart too, and history says so.
#[tokio::test]
async fn restoring_survives_a_cut_at_every_point() {
    let mut reached_the_end = false;
    for cut in 0..20 {
        let house = House::new().await;
        house.put("a.md", "one\r\ntwo\n");
        let edited = house.replace("a.md", "one", "1").await.unwrap();
        house.apply(&edited).await;
        house.db.close().await;
        let lived = run(house.folder(), "restore", cut);
        let house = house.restart().await;
        assert!(house.journal_is_empty().await);
        house.holds("a.md", "one\r\ntwo\n");
        let sets = house.changes.list(false, None, 0).await.unwrap();
        assert!(matches!(sets[0].provenance, Provenance::Restore { .. }), "cut at {cut}");
        assert_eq!(sets[0].state, ChangeSetState::Applied, "cut at {cut}");
        assert_eq!(house.changes.history(&house.place("a.md")).await.unwrap().len(), 2, "cut at {cut}");
        if lived {
            reached_the_end = true;
            break;
        }
    }
    assert!(reached_the_end);
}

#[tokio::test]
async fn saving_survives_a_cut_at_every_point() {
    let mut reached_the_end = false;
    for cut in 0..20 {
        let house = House::new().await;
        house.put("a.md", "one\r\ntwo\n");
        house.db.close().await;
        let lived = run(house.folder(), "save", cut);
        let house = house.restart().await;
        assert!(house.journal_is_empty().await);
        house.holds("a.md", "typed\r\ntwo\n");
        let history = house.changes.history(&house.place("a.md")).await.unwrap();
        assert_eq!(history.len(), 1);
        if lived {
            reached_the_end = true;
            break;
        }
    }
    assert!(reached_the_end);
}

#[tokio::test]
async fn what_was_being_written_is_cleared_away_and_what_is_another_programs_is_not() {
    // A new file with both its names, and a content that waits beside a file.
    let (house, set) = four_files().await;
    house.db.close().await;
    assert!(!run(house.folder(), "apply", 0));
    std::fs::create_dir(house.path("p")).unwrap();
    house.put("p/.orangery-0badc0de.tmp", "new\n");
    std::fs::hard_link(house.path("p/.orangery-0badc0de.tmp"), house.path("p/d.md")).unwrap();
    house.put(".orangery-00c0ffee.tmp", "1\r");
    house.put(".orangery-notes.tmp", "mine\n");
    let house = house.restart().await;
    assert_eq!(check_truth(&house, set).await, ChangeSetState::Applied);
    assert_eq!(house.names("p"), ["d.md"]);
    assert_eq!(house.names(""), [".orangery-notes.tmp", "a.md", "b.md", "c.md", "p"]);
}

#[tokio::test]
async fn a_file_changed_between_death_and_restart_is_left_alone() {
    let (house, set) = four_files().await;
    house.db.close().await;
    assert!(!run(house.folder(), "apply", 1));
    house.put("b.md", "somebody else\n");
    let house = house.restart().await;
    house.holds("b.md", "somebody else\n");
    assert!(house.journal_is_empty().await);
    let set = house.changes.get(set).await.unwrap();
    assert_eq!(set.summary.state, ChangeSetState::PartlyApplied);
    for operation in set.operations {
        let expected = if operation.place.path.as_str() == "b.md" {
            OperationState::Conflict
        } else {
            OperationState::Applied
        };
        assert_eq!(operation.state, expected, "{}", operation.place.path);
    }
}

#[tokio::test]
async fn a_failing_write_takes_the_others_back() {
    // FAULTS C8, F8
    for kind in [io::ErrorKind::StorageFull, io::ErrorKind::PermissionDenied] {
        for nth in 0..5 {
            let (house, set) = four_files().await;
            house.seam.fail_write(nth, false, kind);
            let applied = house.changes.apply(set, &[], true).await.unwrap();
            assert_eq!(applied.applied, []);
            assert_eq!(applied.failed.len(), 1);
            assert_eq!(check_truth(&house, set).await, ChangeSetState::Pending);
            assert_eq!(house.changes.history(&house.place("a.md")).await.unwrap(), []);
            house.seam.disarm();
            house.changes.apply(set, &[], true).await.unwrap();
            assert_eq!(check_truth(&house, set).await, ChangeSetState::Applied);
        }
    }
}

#[tokio::test]
async fn what_cannot_be_put_back_is_told_as_it_is() {
    let (house, set) = four_files().await;
    house.seam.fail_write(2, true, io::ErrorKind::StorageFull);
    let error = house.changes.apply(set, &[], true).await.unwrap_err();
    assert_eq!(error.code(), "halfWritten");
    let told = error.to_string();
    let left = told.split("put back").nth(1).unwrap();
    assert!(left.contains("a.md") && left.contains("b.md") && !left.contains("c.md"), "{told}");
    assert_eq!(check_truth(&house, set).await, ChangeSetState::PartlyApplied);
    house.seam.disarm();
    house.changes.undo(set).await.unwrap();
    assert!(!is_new(&house, "a.md") && !is_new(&house, "b.md"));
}

#[tokio::test]
async fn a_caller_that_stops_waiting_cuts_nothing() {
    let (house, set) = four_files().await;
    {
        let applying = house.changes.apply(set, &[], true);
        tokio::select! {
            biased;
            applied = applying => panic!("applied within one step: {applied:?}"),
            () = std::future::ready(()) => {}
        }
    }
    // The second call waits for the first and finds nothing left to do.
    let again = house.changes.apply(set, &[], true).await.unwrap();
    assert_eq!((again.applied, again.state), (Vec::new(), ChangeSetState::Applied));
    assert_eq!(check_truth(&house, set).await, ChangeSetState::Applied);
}
