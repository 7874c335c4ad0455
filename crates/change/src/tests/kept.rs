//! What history gives back once the trash is empty, and as what.
#![cfg(unix)]

use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;

use orangery_domain::{ChangeSetId, Warning};

use super::support::*;

impl House {
    async fn deleted(&self, name: &str) -> crate::Proposed {
        let proposed = self.proposals.delete(&by("s"), &self.place(name)).await.unwrap();
        assert_eq!(self.apply(&proposed).await.applied.len(), 1);
        proposed
    }

    async fn warnings(&self, set: ChangeSetId) -> Vec<Warning> {
        self.changes.get(set).await.unwrap().operations.swap_remove(0).warnings
    }

    fn link(&self, name: &str) -> String {
        std::fs::read_link(self.path(name)).unwrap().to_str().unwrap().to_owned()
    }

    fn mode(&self, name: &str) -> u32 {
        std::fs::metadata(self.path(name)).unwrap().permissions().mode() & 0o7777
    }

    fn set_mode(&self, name: &str, mode: u32) {
        std::fs::set_permissions(self.path(name), std::fs::Permissions::from_mode(mode)).unwrap();
    }
}

#[test]
fn links_come_back_and_what_cannot_is_named_before_and_after() {
    with_trash("tests::kept::links_come_back_and_what_cannot_is_named_before_and_after", async || {
        let house = House::new().await;
        house.put("p/a.md", "a\n");
        house.put("p/q/b.md", "b\n");
        symlink("../a.md", house.path("p/q/link.md")).unwrap();
        symlink("/nowhere/at/all", house.path("p/out")).unwrap();
        drop(UnixListener::bind(house.path("p/socket")).unwrap());
        let weight = house.changes.weigh(&[house.place("p")]).await.unwrap();
        assert_eq!((weight.kept, weight.unkept), (true, vec!["p/socket".to_owned()]));

        let proposed = house.deleted("p").await;
        assert_eq!(house.warnings(proposed.change_set_id).await, [Warning::new("notAllKept", "socket")]);
        empty_trash();
        let undone = house.changes.undo(proposed.change_set_id).await.unwrap();
        assert_eq!((undone.applied.len(), undone.failed.len()), (1, 0));
        house.holds("p/a.md", "a\n");
        house.holds("p/q/b.md", "b\n");
        assert_eq!(
            (house.link("p/q/link.md"), house.link("p/out")),
            ("../a.md".into(), "/nowhere/at/all".into())
        );
        assert_eq!(house.names("p"), ["a.md", "out", "q"]);
        assert_eq!(house.warnings(undone.change_set_id).await, [Warning::new("leftBehind", "socket")]);
        assert!(house.journal_is_empty().await);
    });
}

/// A folder of the trash.
fn in_trash(name: &str) -> PathBuf {
    PathBuf::from(std::env::var_os("XDG_DATA_HOME").unwrap()).join("Trash/files").join(name)
}

#[test]
fn a_folder_in_the_trash_comes_back_only_as_it_went_there() {
    with_trash("tests::kept::a_folder_in_the_trash_comes_back_only_as_it_went_there", async || {
        let changes: [(&str, &dyn Fn()); 5] = [
            ("another folder has the name", &|| {
                std::fs::remove_dir_all(in_trash("p")).unwrap();
                std::fs::create_dir(in_trash("p")).unwrap();
                std::fs::write(in_trash("p/other.md"), "other\n").unwrap();
            }),
            ("a file is gone", &|| std::fs::remove_file(in_trash("p/q/mine.md")).unwrap()),
            ("a file has other words", &|| std::fs::write(in_trash("p/q/mine.md"), "male\n").unwrap()),
            ("a file came", &|| std::fs::write(in_trash("p/q/new.md"), "new\n").unwrap()),
            ("a link leads elsewhere", &|| {
                std::fs::remove_file(in_trash("p/link")).unwrap();
                symlink("q/other.md", in_trash("p/link")).unwrap();
            }),
        ];
        for (what, change) in changes {
            let house = House::new().await;
            house.put("p/q/mine.md", "mine\n");
            symlink("q/mine.md", house.path("p/link")).unwrap();
            let proposed = house.deleted("p").await;
            change();
            // History has all of it.
            let undone = house.changes.undo(proposed.change_set_id).await.unwrap();
            assert_eq!((undone.applied.len(), undone.failed.len()), (1, 0), "{what}");
            house.holds("p/q/mine.md", "mine\n");
            assert_eq!(
                (house.names("p"), house.names("p/q")),
                (words(&["link", "q"]), words(&["mine.md"])),
                "{what}"
            );
            assert_eq!(house.link("p/link"), "q/mine.md", "{what}");
            assert_eq!(trashed(), ["p"], "{what}");
            empty_trash();
        }
    });
}

#[test]
fn what_comes_back_is_open_to_whom_it_was() {
    with_trash("tests::kept::what_comes_back_is_open_to_whom_it_was", async || {
        let house = House::new().await;
        house.put("p/q/mine.md", "mine\n");
        house.put("run.sh", "run\n");
        let modes = [("p", 0o750), ("p/q", 0o2700), ("p/q/mine.md", 0o600), ("run.sh", 0o755)];
        for (name, mode) in modes {
            house.set_mode(name, mode);
        }
        for name in ["p", "run.sh"] {
            let proposed = house.deleted(name).await;
            for (name, _) in modes.iter().filter(|(changed, _)| changed.starts_with(name)) {
                let open = std::fs::Permissions::from_mode(0o777);
                std::fs::set_permissions(in_trash(name), open).unwrap();
            }
            assert_eq!(house.changes.undo(proposed.change_set_id).await.unwrap().applied.len(), 1);
            assert_eq!(trashed(), Vec::<String>::new());
        }
        assert_eq!(modes.map(|(name, _)| (name, house.mode(name))), modes);
    });
}

fn words(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn what_went_to_the_trash_after_its_set_changed_it_comes_back_from_there() {
    with_trash(
        "tests::kept::what_went_to_the_trash_after_its_set_changed_it_comes_back_from_there",
        async || {
            let house = House::new().await;
            for name in ["p/a.md", "p/b.md", "c.md", "p/d.md"] {
                house.put(name, "one\n");
            }
            house.replace("p/a.md", "one", "two").await.unwrap();
            for (from, to) in [("p/b.md", "b.md"), ("c.md", "p/c.md")] {
                house.proposals.relocate(&by("s"), &house.place(from), &house.place(to)).await.unwrap();
            }
            let proposed = house.proposals.delete(&by("s"), &house.place("p")).await.unwrap();
            let applied = house.apply(&proposed).await;
            assert_eq!((applied.failed.len(), applied.conflicts.len()), (0, 0));
            assert_eq!((house.names(""), trashed()), (words(&["b.md"]), words(&["p"])));
            let undone = house.changes.undo(proposed.change_set_id).await.unwrap();
            assert_eq!((undone.failed.len(), undone.conflicts.len()), (0, 0));
            assert_eq!(
                (house.names(""), house.names("p")),
                (words(&["c.md", "p"]), words(&["a.md", "b.md", "d.md"]))
            );
            house.holds("p/a.md", "one\n");
            assert_eq!(trashed(), words(&[]));
        },
    );
}

#[test]
fn what_only_the_trash_had_and_has_no_more_is_said_so_and_nothing_is_touched() {
    with_trash(
        "tests::kept::what_only_the_trash_had_and_has_no_more_is_said_so_and_nothing_is_touched",
        async || {
            let house = House::new().await;
            house.put("p/a.md", "a\n");
            let large = std::fs::File::create(house.path("p/large.bin")).unwrap();
            large.set_len(crate::tree::KEPT_BYTES + 1).unwrap();
            drop(large);
            let proposed = house.deleted("p").await;
            std::fs::rename(in_trash("p/large.bin"), in_trash("p/mine.bin")).unwrap();
            let undone = house.changes.undo(proposed.change_set_id).await.unwrap();
            assert_eq!((undone.applied.len(), undone.failed.len()), (0, 1));
            let operation = house.changes.get(undone.change_set_id).await.unwrap().operations.swap_remove(0);
            assert_eq!(operation.note.unwrap().code, "notWhatWent");
            assert_eq!((house.names(""), trashed()), (words(&[]), words(&["p"])));
            assert!(house.journal_is_empty().await);
            // Put right, it comes back.
            std::fs::rename(in_trash("p/mine.bin"), in_trash("p/large.bin")).unwrap();
            let again = house.changes.apply(undone.change_set_id, &[], true).await.unwrap();
            assert_eq!(again.applied.len(), 1);
            assert_eq!((house.names("p"), trashed()), (words(&["a.md", "large.bin"]), words(&[])));
        },
    );
}

#[test]
fn what_is_made_again_is_open_to_nobody_else_than_before() {
    with_trash("tests::kept::what_is_made_again_is_open_to_nobody_else_than_before", async || {
        let house = House::new().await;
        house.put("a.md", "a\n");
        house.set_mode("a.md", 0o600);
        house.put("p/b.md", "b\n");
        house.put("p/c.md", "c\n");
        house.set_mode("p/b.md", 0o640);
        house.set_mode("p/c.md", 0o444);
        house.set_mode("p", 0o700);
        for name in ["a.md", "p"] {
            let proposed = house.deleted(name).await;
            empty_trash();
            assert_eq!(house.changes.undo(proposed.change_set_id).await.unwrap().applied.len(), 1, "{name}");
        }
        let modes = ["a.md", "p", "p/b.md", "p/c.md"].map(|name| house.mode(name));
        assert_eq!(modes, [0o600, 0o700, 0o640, 0o444]);
    });
}

#[test]
fn folders_are_open_again_to_whom_they_were() {
    with_trash("tests::kept::folders_are_open_again_to_whom_they_were", async || {
        let house = House::new().await;
        let modes =
            [("p", 0o777), ("p/group", 0o2770), ("p/shared", 0o1777), ("p/own", 0o700), ("p/closed", 0o500)];
        for (name, mode) in modes {
            std::fs::create_dir(house.path(name)).unwrap();
            house.set_mode(name, mode);
        }
        house.set_mode("p/closed", 0o700);
        house.put("p/closed/in.md", "in\n");
        house.set_mode("p/closed", 0o500);
        house.put("p/run.sh", "run\n");
        house.set_mode("p/run.sh", 0o4755);
        let proposed = house.deleted("p").await;
        empty_trash();
        assert_eq!(house.changes.undo(proposed.change_set_id).await.unwrap().applied.len(), 1);
        assert_eq!(modes.map(|(name, _)| (name, house.mode(name))), modes);
        house.holds("p/closed/in.md", "in\n");
        assert_eq!(house.mode("p/run.sh"), 0o755);
    });
}

#[tokio::test]
async fn a_version_of_a_file_that_is_gone_comes_back_with_its_permissions() {
    let house = House::new().await;
    house.put("a.md", "one\n");
    house.set_mode("a.md", 0o600);
    let edited = house.replace("a.md", "one", "two").await.unwrap();
    house.apply(&edited).await;
    assert_eq!(house.mode("a.md"), 0o600);
    std::fs::remove_file(house.path("a.md")).unwrap();
    let version = house.changes.history(&house.place("a.md")).await.unwrap()[0].id;
    house.changes.restore(version).await.unwrap();
    house.holds("a.md", "one\n");
    assert_eq!(house.mode("a.md"), 0o600);
}
