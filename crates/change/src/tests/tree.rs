//! Files and folders moved, renamed, deleted and brought back.

use orangery_domain::{
    ChangeSetState, ContentHash, FilePlace, HunkDecision, KbPath, LinkUpdate, OperationKind, OperationState,
    Provenance, Relinked, TextEdit, TurnId, Warning,
};
use orangery_store::table::{file, read};

use super::support::*;
use crate::Refusal;

impl House {
    async fn relocate(&self, from: &str, to: &str) -> Result<crate::Proposed, Refusal> {
        self.proposals.relocate(&by("s"), &self.place(from), &self.place(to)).await
    }

    async fn delete(&self, name: &str) -> Result<crate::Proposed, Refusal> {
        self.proposals.delete(&by("s"), &self.place(name)).await
    }

    async fn follow(
        &self,
        moved: &crate::Proposed,
        updates: &[LinkUpdate],
    ) -> Vec<(FilePlace, crate::Proposed)> {
        let relinked = Relinked { updates: updates.to_vec(), left: Vec::new() };
        self.proposals.follow(&by("s"), moved.operation_id, &relinked).await.unwrap().updates
    }

    /// As the scan would register it.
    async fn scanned(&self, name: &str) -> orangery_domain::FileId {
        let bytes = self.get(name).unwrap();
        let content = file::Content {
            stamp: file::Stamp { size: bytes.len() as u64, modified_ns: 1, inode: None },
            hash: Some(ContentHash::of(&bytes)),
            encoding: None,
            title: self.place(name).path.stem().to_owned(),
            tags: Vec::new(),
            trouble: None,
        };
        let place = self.place(name);
        let mut write = self.db.write().await.unwrap();
        let id =
            file::insert(&mut write, &place, orangery_domain::FileKind::Markdown, &content).await.unwrap();
        write.commit().await.unwrap();
        id
    }

    async fn has_session(&self, id: &orangery_domain::SessionId) {
        let session = orangery_domain::Session {
            id: id.clone(),
            title: String::new(),
            kb_ids: vec![self.kb],
            level: orangery_domain::Level::L2,
            plan: false,
            model_id: None,
            created_at: 1,
            updated_at: 1,
            running: None,
            input_tokens: 0,
            output_tokens: 0,
            context: Default::default(),
            pinned: false,
            archived: false,
        };
        orangery_store::table::session::insert(&self.db, &session).await.unwrap();
    }

    /// Every file below the knowledge base with its text.
    pub fn all(&self) -> Vec<(String, String)> {
        let mut out = Vec::new();
        let mut todo = vec![String::new()];
        while let Some(folder) = todo.pop() {
            for name in self.names(&folder) {
                let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
                if self.path(&path).is_dir() {
                    todo.push(path);
                } else {
                    let text = String::from_utf8(self.get(&path).unwrap()).unwrap();
                    out.push((path, text));
                }
            }
        }
        out.sort();
        out
    }
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

#[tokio::test]
async fn a_rename_waits_is_applied_and_taken_back() {
    let house = House::new().await;
    house.put("a.md", "a\n");
    let id = house.scanned("a.md").await;
    let proposed = house.relocate("a.md", "b.md").await.unwrap();
    assert_eq!(proposed.summary, "rename a.md to b.md");
    assert_eq!(house.names(""), ["a.md"]);
    house.apply(&proposed).await;
    assert_eq!(house.all(), pairs(&[("b.md", "a\n")]));
    let row = file::by_id(house.db.reader(), id).await.unwrap().unwrap();
    assert_eq!((row.path.as_str(), row.title.as_str()), ("b.md", "b"));
    let undone = house.changes.undo(proposed.change_set_id).await.unwrap();
    assert_eq!((undone.conflicts.len(), undone.failed.len()), (0, 0));
    assert_eq!(house.all(), pairs(&[("a.md", "a\n")]));
    assert_eq!(file::by_id(house.db.reader(), id).await.unwrap().unwrap().path.as_str(), "a.md");
    house.changes.undo(undone.change_set_id).await.unwrap();
    assert_eq!(house.all(), pairs(&[("b.md", "a\n")]));
    assert!(house.journal_is_empty().await);
}

#[tokio::test]
async fn a_folder_moves_with_all_that_it_holds() {
    // FAULTS J10
    let house = House::new().await;
    house.put("p/a.md", "a\n");
    house.put("p/.hidden", "h\n");
    house.put("p/deep/b.md", "b\n");
    let (a, b) = (house.scanned("p/a.md").await, house.scanned("p/deep/b.md").await);
    let proposed = house.relocate("p", "x/q").await.unwrap();
    assert_eq!(proposed.needs.len(), 1, "the folder x is proposed first");
    let set = house.changes.get(proposed.change_set_id).await.unwrap();
    let moved = &set.operations[1];
    let contents = moved.contents.unwrap();
    assert_eq!((contents.files, contents.folders, contents.hidden, contents.unindexed), (3, 1, 1, 1));
    assert_eq!(moved.target, Some(house.place("x/q")));
    house.apply(&proposed).await;
    assert_eq!(house.all(), pairs(&[("x/q/.hidden", "h\n"), ("x/q/a.md", "a\n"), ("x/q/deep/b.md", "b\n")]));
    for (id, path) in [(a, "x/q/a.md"), (b, "x/q/deep/b.md")] {
        assert_eq!(file::by_id(house.db.reader(), id).await.unwrap().unwrap().path.as_str(), path);
    }
    let written = house.written.lock().unwrap().pop().unwrap();
    assert_eq!((written.from, written.place), (Some(house.place("p")), house.place("x/q")));
    house.changes.undo(proposed.change_set_id).await.unwrap();
    assert_eq!(house.all(), pairs(&[("p/.hidden", "h\n"), ("p/a.md", "a\n"), ("p/deep/b.md", "b\n")]));
    assert_eq!(house.names(""), ["p"]);
}

#[tokio::test]
async fn refusals_say_what_is_wrong() {
    let house = House::new().await;
    house.put("a.md", "a\n");
    house.put("b.md", "b\n");
    house.put("p/c.md", "c\n");
    #[cfg(unix)]
    std::os::unix::fs::symlink("a.md", house.path("link.md")).unwrap();
    let refused = async |from: &str, to: &str, says: &str| {
        let refusal = house.relocate(from, to).await.unwrap_err().to_string();
        assert!(refusal.contains(says), "{from} → {to}: {refusal}");
    };
    refused("a.md", "b.md", "exists already").await;
    refused("a.md", "B.md", "nothing but case").await;
    refused("p", "p/q", "within itself").await;
    refused("", "q", "root of a knowledge base").await;
    refused("gone.md", "x.md", "no file gone.md").await;
    refused("a.md", "b.md/a.md", "b.md is a file").await;
    refused("a.md", "a.md", "so already").await;
    #[cfg(unix)]
    refused("link.md", "x.md", "is a link").await;
    #[cfg(unix)]
    assert!(house.delete("link.md").await.unwrap_err().to_string().contains("is a link"));
    assert!(house.delete("").await.unwrap_err().to_string().contains("root"));
    // A new case of its own name is no other file.
    let proposed = house.relocate("a.md", "A.md").await.unwrap();
    house.apply(&proposed).await;
    assert!(house.names("").contains(&"A.md".to_owned()) && !house.names("").contains(&"a.md".to_owned()));
}

#[cfg(unix)]
#[tokio::test]
async fn nothing_is_moved_through_a_link_that_leads_out() {
    // FAULTS G1
    let house = House::new().await;
    house.put("a.md", "a\n");
    let outside = house.folder().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("secret.md"), "s\n").unwrap();
    std::os::unix::fs::symlink(&outside, house.path("out")).unwrap();
    for (from, to) in [("out/secret.md", "mine.md"), ("a.md", "out/a.md")] {
        assert!(house.relocate(from, to).await.is_err(), "{from} → {to}");
    }
    assert!(house.delete("out/secret.md").await.is_err());
    // Put there between proposal and apply.
    let proposed = house.relocate("a.md", "q/a.md").await.unwrap();
    std::os::unix::fs::symlink(&outside, house.path("q")).unwrap();
    let applied = house.apply(&proposed).await;
    assert_eq!(applied.applied, []);
    house.holds("a.md", "a\n");
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 1);
}

#[tokio::test]
async fn what_changed_since_is_a_conflict_and_nothing_is_overwritten() {
    let house = House::new().await;
    house.put("a.md", "a\n");
    house.put("p/x.md", "x\n");
    let file = house.relocate("a.md", "b.md").await.unwrap();
    house.relocate("p", "q").await.unwrap();
    house.put("a.md", "other\n");
    house.put("p/y.md", "y\n");
    let applied = house.apply(&file).await;
    assert_eq!((applied.applied.len(), applied.conflicts.len()), (0, 2));
    assert_eq!(house.all(), pairs(&[("a.md", "other\n"), ("p/x.md", "x\n"), ("p/y.md", "y\n")]));

    let house = House::new().await;
    house.put("a.md", "a\n");
    let proposed = house.relocate("a.md", "b.md").await.unwrap();
    house.put("b.md", "came first\n");
    let applied = house.apply(&proposed).await;
    assert_eq!(applied.conflicts.len(), 1);
    assert_eq!(house.all(), pairs(&[("a.md", "a\n"), ("b.md", "came first\n")]));
    // Somebody made the very same move.
    let house = House::new().await;
    house.put("a.md", "a\n");
    let proposed = house.relocate("a.md", "b.md").await.unwrap();
    std::fs::rename(house.path("a.md"), house.path("b.md")).unwrap();
    let applied = house.apply(&proposed).await;
    assert_eq!((applied.applied.len(), applied.state), (1, ChangeSetState::Applied));
}

#[tokio::test]
async fn edits_and_moves_of_one_file_build_on_each_other() {
    let house = House::new().await;
    house.put("a.md", "one\ntwo\nthree\n");
    house.replace("a.md", "one", "1").await.unwrap();
    let moved = house.relocate("a.md", "p/b.md").await.unwrap();
    // By the new path and by the old one.
    let read = Some(house.hash("a.md").unwrap());
    for (path, old, new) in [("p/b.md", "two", "2"), ("a.md", "three", "3")] {
        house.proposals.edit(&by("s"), &house.place(path), read, replace(old, new)).await.unwrap();
    }
    let set = house.changes.get(moved.change_set_id).await.unwrap();
    let places: Vec<&str> = set.operations.iter().map(|one| one.place.path.as_str()).collect();
    assert_eq!(places, ["a.md", "p", "a.md", "p/b.md", "p/b.md"]);
    let session = orangery_domain::SessionId("s".into());
    let pending = house.proposals.pending_text(&session, &house.place("p/b.md")).await.unwrap();
    assert_eq!(pending.unwrap().text, "1\n2\n3\n");
    house.apply(&moved).await;
    assert_eq!(house.all(), pairs(&[("p/b.md", "1\n2\n3\n")]));
    let undone = house.changes.undo(moved.change_set_id).await.unwrap();
    assert_eq!((undone.conflicts.len(), undone.failed.len()), (0, 0));
    assert_eq!(house.all(), pairs(&[("a.md", "one\ntwo\nthree\n")]));
    assert_eq!(house.names(""), ["a.md"]);
}

#[tokio::test]
async fn what_is_left_out_does_not_take_the_rest_along() {
    // The move is rejected, the edits on both sides of it are not.
    let house = House::new().await;
    house.put("a.md", "one\ntwo\n");
    house.replace("a.md", "one", "1").await.unwrap();
    let moved = house.relocate("a.md", "b.md").await.unwrap();
    let read = house.hash("a.md");
    house.proposals.edit(&by("s"), &house.place("b.md"), read, replace("two", "2")).await.unwrap();
    let reject = decision(moved.operation_id, None, HunkDecision::Rejected);
    house.changes.review(moved.change_set_id, &[reject]).await.unwrap();
    house.apply(&moved).await;
    assert_eq!(house.all(), pairs(&[("a.md", "1\n2\n")]));

    // The move alone, then the rest.
    let house = House::new().await;
    house.put("a.md", "one\ntwo\n");
    house.replace("a.md", "one", "1").await.unwrap();
    let moved = house.relocate("a.md", "b.md").await.unwrap();
    house.changes.apply(moved.change_set_id, &[moved.operation_id], false).await.unwrap();
    assert_eq!(house.all(), pairs(&[("b.md", "one\ntwo\n")]));
    house.apply(&moved).await;
    assert_eq!(house.all(), pairs(&[("b.md", "1\ntwo\n")]));
    house.changes.undo(moved.change_set_id).await.unwrap();
    assert_eq!(house.all(), pairs(&[("a.md", "one\ntwo\n")]));
}

#[tokio::test]
async fn names_are_free_once_their_file_is_to_go_and_folders_hold_what_comes() {
    let house = House::new().await;
    house.put("p/a.md", "a\n");
    house.put("z.md", "z\n");
    let moved = house.relocate("p", "q").await.unwrap();
    let away = house.proposals.create_file(&by("s"), &house.place("p/new.md"), "n\n").await.unwrap_err();
    assert!(away.to_string().contains("Put it below q"), "{away}");
    house.proposals.create_file(&by("s"), &house.place("q/new.md"), "n\n").await.unwrap();
    let inner = house.relocate("p/a.md", "q/b.md").await.unwrap();
    assert_eq!(inner.summary, "rename q/a.md to b.md");
    house.relocate("z.md", "q/z.md").await.unwrap();
    // What is only proposed cannot be moved; what is moved away leaves its name.
    let not_yet = house.relocate("q/new.md", "q/newer.md").await.unwrap_err();
    assert!(not_yet.to_string().contains("not on disk yet"), "{not_yet}");
    house.proposals.create_file(&by("s"), &house.place("z.md"), "new z\n").await.unwrap();
    let all = [("q/b.md", "a\n"), ("q/new.md", "n\n"), ("q/z.md", "z\n"), ("z.md", "new z\n")];
    house.apply(&moved).await;
    assert_eq!(house.all(), pairs(&all));
    let undone = house.changes.undo(moved.change_set_id).await.unwrap();
    assert_eq!((undone.conflicts.len(), undone.failed.len()), (0, 0));
    assert_eq!(house.all(), pairs(&[("p/a.md", "a\n"), ("z.md", "z\n")]));
}

#[tokio::test]
async fn a_file_made_in_a_folder_that_moves_goes_along() {
    let house = House::new().await;
    house.put("p/a.md", "a\n");
    house.proposals.create_file(&by("s"), &house.place("p/new.md"), "n\n").await.unwrap();
    let moved = house.relocate("p", "q").await.unwrap();
    house.apply(&moved).await;
    assert_eq!(house.all(), pairs(&[("q/a.md", "a\n"), ("q/new.md", "n\n")]));
    house.changes.undo(moved.change_set_id).await.unwrap();
    assert_eq!(house.all(), pairs(&[("p/a.md", "a\n")]));
}

#[tokio::test]
async fn links_follow_a_move_and_stay_when_it_is_rejected() {
    let update = |house: &House, name: &str| LinkUpdate {
        place: house.place(name),
        base: house.hash(name).unwrap(),
        edits: vec![TextEdit { range: 2..3, insert: "b".into() }],
        pending: Vec::new(),
    };
    let house = House::new().await;
    for name in ["a.md", "c.md", "d.md"] {
        house.put(name, "[[a]]\nend\n");
    }
    house.replace("c.md", "end", "END").await.unwrap();
    let moved = house.relocate("a.md", "b.md").await.unwrap();
    let updates = [update(&house, "a.md"), update(&house, "c.md"), update(&house, "d.md")];
    let ids = house.follow(&moved, &updates).await;
    assert_eq!(ids.len(), 3);
    let set = house.changes.get(moved.change_set_id).await.unwrap();
    assert!(set.operations.iter().filter(|one| one.follows == Some(moved.operation_id)).count() == 3);
    // One of them is not wanted.
    let reject = decision(ids[2].1.operation_id, None, HunkDecision::Rejected);
    house.changes.review(moved.change_set_id, &[reject]).await.unwrap();
    house.apply(&moved).await;
    let expected = [("b.md", "[[b]]\nend\n"), ("c.md", "[[b]]\nEND\n"), ("d.md", "[[a]]\nend\n")];
    assert_eq!(house.all(), pairs(&expected));
    house.changes.undo(moved.change_set_id).await.unwrap();
    let before = [("a.md", "[[a]]\nend\n"), ("c.md", "[[a]]\nend\n"), ("d.md", "[[a]]\nend\n")];
    assert_eq!(house.all(), pairs(&before));

    let house = House::new().await;
    for name in ["a.md", "c.md"] {
        house.put(name, "[[a]]\nend\n");
    }
    let moved = house.relocate("a.md", "b.md").await.unwrap();
    house.follow(&moved, &[update(&house, "c.md")]).await;
    let reject = decision(moved.operation_id, None, HunkDecision::Rejected);
    house.changes.review(moved.change_set_id, &[reject]).await.unwrap();
    house.apply(&moved).await;
    assert_eq!(house.all(), pairs(&[("a.md", "[[a]]\nend\n"), ("c.md", "[[a]]\nend\n")]));
}

#[tokio::test]
async fn links_follow_a_second_move_from_where_the_first_would_leave_them() {
    let to = |name: &str| vec![TextEdit { range: 2..3, insert: name.into() }];
    let update = |house: &House, name: &str, edits, pending| LinkUpdate {
        place: house.place(name),
        base: house.hash(name).unwrap(),
        edits,
        pending,
    };
    for (rejected, texts) in
        [(false, ["[[c]] a\nend\n", "[[c]] b\nEND\n"]), (true, ["[[c]] a\nend\n", "[[a]] b\nEND\n"])]
    {
        let house = House::new().await;
        for name in ["a", "d", "e"] {
            house.put(&format!("{name}.md"), format!("[[a]] {}\nend\n", if name == "e" { "b" } else { "a" }));
        }
        house.replace("e.md", "end", "END").await.unwrap();
        let first = house.relocate("a.md", "b.md").await.unwrap();
        let updates = ["a.md", "d.md", "e.md"].map(|name| update(&house, name, to("b"), Vec::new()));
        let pending = house.follow(&first, &updates).await;
        assert_eq!(pending.len(), 3);
        if rejected {
            let no = decision(pending[2].1.operation_id, None, HunkDecision::Rejected);
            house.changes.review(first.change_set_id, &[no]).await.unwrap();
        }
        let second = house.relocate("b.md", "c.md").await.unwrap();
        let session = orangery_domain::SessionId("s".into());
        let moves = house.proposals.moves_until(&session, second.operation_id).await.unwrap();
        let place = |name: &str| house.place(name);
        assert_eq!(moves, [(place("a.md"), place("b.md")), (place("b.md"), place("c.md"))]);
        let updates = ["a.md", "d.md", "e.md"].map(|name| update(&house, name, to("c"), to("b")));
        let followed = house.follow(&second, &updates).await;
        // Whose update was not wanted is left alone.
        assert_eq!(followed.len(), if rejected { 2 } else { 3 });
        let before = house.all();
        house.apply(&second).await;
        let expected = [("c.md", texts[0]), ("d.md", texts[0]), ("e.md", texts[1])];
        assert_eq!(house.all(), pairs(&expected));
        house.changes.undo(second.change_set_id).await.unwrap();
        assert_eq!(house.all(), before);
    }
}

/// FAULTS J8: what is written beside a file while it is saved has a short name, however long that of the file is.
#[test]
fn long_paths_are_saved_moved_deleted_and_had_back() {
    with_trash("tests::tree::long_paths_are_saved_moved_deleted_and_had_back", async || {
        let house = House::new().await;
        let folder = format!("{}/{}", "深".repeat(40), "folder ".repeat(20).trim_end());
        let name = format!("{}.md", "n".repeat(252));
        let (path, moved) = (format!("{folder}/{name}"), format!("{folder}/m{}", &name[1..]));
        assert!(path.len() > 500 && name.len() == 255);
        house.put(&path, "one\n");
        let edited = house.replace(&path, "one", "two").await.unwrap();
        assert_eq!(house.apply(&edited).await.applied.len(), 1);
        house.holds(&path, "two\n");
        let place = house.place(&path);
        let version = house.changes.history(&place).await.unwrap()[0].id;
        house.changes.restore(version).await.unwrap();
        house.holds(&path, "one\n");
        let renamed = house.relocate(&path, &moved).await.unwrap();
        assert_eq!(house.apply(&renamed).await.applied.len(), 1);
        house.changes.undo(renamed.change_set_id).await.unwrap();
        // The folder's trash entry has a name of its own, which is short enough.
        let gone = house.delete(&folder).await.unwrap();
        assert_eq!(house.apply(&gone).await.applied.len(), 1);
        house.changes.undo(gone.change_set_id).await.unwrap();
        assert_eq!(house.all(), pairs(&[(&path, "one\n")]));
        assert!(house.journal_is_empty().await);
    });
}

#[tokio::test]
async fn links_go_back_when_a_second_move_does() {
    let house = House::new().await;
    house.put("a.md", "a\n");
    house.put("d.md", "[[a]]\n");
    let update = |edits: &str, pending: &str| LinkUpdate {
        place: house.place("d.md"),
        base: house.hash("d.md").unwrap(),
        edits: edits.chars().map(|name| TextEdit { range: 2..3, insert: name.into() }).collect(),
        pending: pending.chars().map(|name| TextEdit { range: 2..3, insert: name.into() }).collect(),
    };
    let first = house.relocate("a.md", "b.md").await.unwrap();
    house.follow(&first, &[update("b", "")]).await;
    let second = house.relocate("b.md", "a.md").await.unwrap();
    let followed = house.follow(&second, &[update("", "b")]).await;
    assert_eq!(followed.len(), 1);
    house.apply(&second).await;
    assert_eq!(house.all(), pairs(&[("a.md", "a\n"), ("d.md", "[[a]]\n")]));
}

#[tokio::test]
async fn what_waits_in_a_folder_that_another_set_moves_goes_along() {
    let house = House::new().await;
    house.put("p/a.md", "a\n");
    house.put("e.md", "e\n");
    let (s, t) = (by("s"), by("t"));
    let place = |name: &str| house.place(name);
    let renamed = house.proposals.relocate(&s, &place("p/a.md"), &place("p/b.md")).await.unwrap();
    house.proposals.relocate(&s, &place("e.md"), &place("p/e.md")).await.unwrap();
    let folder = house.proposals.relocate(&t, &place("p"), &place("q")).await.unwrap();
    house.apply(&folder).await;
    let applied = house.apply(&renamed).await;
    assert_eq!((applied.applied.len(), applied.conflicts.len(), applied.failed.len()), (2, 0, 0));
    assert_eq!(house.all(), pairs(&[("q/b.md", "a\n"), ("q/e.md", "e\n")]));
}

#[tokio::test]
async fn an_edit_in_a_folder_that_cannot_be_looked_at_whole_is_applied_and_recorded() {
    let house = House::new().await;
    house.put("p/a.md", "a\n");
    house.put("p/deep/b.md", "b\n");
    let edited = house.replace("p/a.md", "a", "A").await.unwrap();
    let moved = house.relocate("p", "q").await.unwrap();
    assert_eq!(moved.change_set_id, edited.change_set_id);
    {
        let _fault =
            orangery_store::root::fault::at(&house.path("p/deep"), std::io::ErrorKind::PermissionDenied);
        let applied = house.changes.apply(edited.change_set_id, &[edited.operation_id], false).await.unwrap();
        assert_eq!(applied.applied, [edited.operation_id]);
        house.holds("p/a.md", "A\n");
        assert!(house.journal_is_empty().await);
    }
    house.apply(&moved).await;
    assert_eq!(house.all(), pairs(&[("q/a.md", "A\n"), ("q/deep/b.md", "b\n")]));
}

#[tokio::test]
async fn what_was_read_and_kept_of_a_file_goes_along() {
    let house = House::new().await;
    house.put("a.md", "one\n");
    let edited = house.replace("a.md", "one", "1").await.unwrap();
    house.apply(&edited).await;
    let session = orangery_domain::SessionId("s".into());
    let hash = house.hash("a.md").unwrap();
    house.has_session(&session).await;
    read::record(&house.db, &session, &house.place("a.md"), hash, 1).await.unwrap();
    let moved = house.relocate("a.md", "p/b.md").await.unwrap();
    house.apply(&moved).await;
    assert_eq!(read::hash(&house.db, &session, &house.place("p/b.md")).await.unwrap(), Some(hash));
    let history = house.changes.history(&house.place("p/b.md")).await.unwrap();
    assert_eq!(history.len(), 1);
    house.changes.restore(history[0].id).await.unwrap();
    house.holds("p/b.md", "one\n");
}

#[test]
fn a_file_goes_to_the_trash_and_comes_back() {
    with_trash("tests::tree::a_file_goes_to_the_trash_and_comes_back", async || {
        let house = House::new().await;
        house.put("a.md", "a\n");
        let proposed = house.delete("a.md").await.unwrap();
        let pending =
            house.proposals.edit(&by("s"), &house.place("a.md"), house.hash("a.md"), append("x")).await;
        assert!(pending.unwrap_err().to_string().contains("is to be deleted"));
        house.apply(&proposed).await;
        assert_eq!((house.all(), trashed()), (pairs(&[]), vec!["a.md".to_owned()]));
        // A copy is kept besides.
        let history = house.changes.history(&house.place("a.md")).await.unwrap();
        assert_eq!(house.changes.read_version(history[0].id).await.unwrap(), b"a\n");
        let undone = house.changes.undo(proposed.change_set_id).await.unwrap();
        assert_eq!(undone.state, ChangeSetState::Applied);
        let kinds: Vec<_> = house.changes.get(undone.change_set_id).await.unwrap().operations;
        assert_eq!(kinds[0].kind, OperationKind::BringBack);
        assert_eq!((house.all(), trashed()), (pairs(&[("a.md", "a\n")]), vec![]));
        // And away again.
        let again = house.changes.undo(undone.change_set_id).await.unwrap();
        assert_eq!((house.all(), trashed()), (pairs(&[]), vec!["a.md".to_owned()]));
        // With the trash emptied, history gives it back.
        empty_trash();
        house.changes.undo(again.change_set_id).await.unwrap();
        assert_eq!(house.all(), pairs(&[("a.md", "a\n")]));
        assert!(house.journal_is_empty().await);
    });
}

#[test]
fn a_folder_comes_back_whole() {
    with_trash("tests::tree::a_folder_comes_back_whole", async || {
        let house = House::new().await;
        house.put("p/a.md", "a\n");
        house.put("p/.git/config", "c\n");
        house.put("p/q/b.bin", [0u8, 1, 2]);
        std::fs::create_dir(house.path("p/empty")).unwrap();
        let proposed = house.delete("p").await.unwrap();
        house.apply(&proposed).await;
        assert_eq!((house.names(""), trashed()), (vec![], vec!["p".to_owned()]));
        assert_eq!(house.changes.history(&house.place("p/q/b.bin")).await.unwrap().len(), 1);
        let undone = house.changes.undo(proposed.change_set_id).await.unwrap();
        let whole = [("p/.git/config", "c\n"), ("p/a.md", "a\n"), ("p/q/b.bin", "\0\u{1}\u{2}")];
        assert_eq!(house.all(), pairs(&whole));
        assert!(house.path("p/empty").is_dir());
        let again = house.changes.undo(undone.change_set_id).await.unwrap();
        empty_trash();
        let back = house.changes.undo(again.change_set_id).await.unwrap();
        assert_eq!((back.applied.len(), house.all()), (1, pairs(&whole)));
        assert!(house.path("p/empty").is_dir());
    });
}

#[test]
fn each_thing_in_the_trash_comes_back_as_itself() {
    with_trash("tests::tree::each_thing_in_the_trash_comes_back_as_itself", async || {
        let house = House::new().await;
        let delete = async |text: &str| {
            house.put("a.md", text);
            // A set of its own for each.
            let proposed = house.proposals.delete(&by(text.trim()), &house.place("a.md")).await.unwrap();
            house.apply(&proposed).await;
            proposed.change_set_id
        };
        let back = async |set| {
            house.changes.undo(set).await.unwrap();
            let text = house.get("a.md").map(|bytes| String::from_utf8(bytes).unwrap());
            std::fs::remove_file(house.path("a.md")).unwrap();
            text.unwrap()
        };
        let (first, second) = (delete("one\n").await, delete("two\n").await);
        assert_eq!(back(first).await, "one\n");
        // The name of the first is free again, that of the second is not.
        let third = delete("three\n").await;
        assert_eq!(back(third).await, "three\n");
        assert_eq!(back(second).await, "two\n");
        // Another thing has the name by now.
        let fourth = delete("four\n").await;
        empty_trash();
        let fifth = delete("five\n").await;
        assert_eq!(back(fourth).await, "four\n");
        assert_eq!(back(fifth).await, "five\n");
    });
}

#[test]
fn what_is_in_the_way_of_a_coming_back_stays() {
    with_trash("tests::tree::what_is_in_the_way_of_a_coming_back_stays", async || {
        let house = House::new().await;
        house.put("a.md", "a\n");
        let proposed = house.delete("a.md").await.unwrap();
        house.apply(&proposed).await;
        house.put("a.md", "another\n");
        let undone = house.changes.undo(proposed.change_set_id).await.unwrap();
        assert_eq!((undone.applied.len(), undone.conflicts.len()), (0, 1));
        house.holds("a.md", "another\n");
        assert_eq!(trashed(), ["a.md"]);
        // The same of a move.
        house.put("m.md", "m\n");
        let moved =
            house.proposals.relocate(&by("t"), &house.place("m.md"), &house.place("n.md")).await.unwrap();
        house.apply(&moved).await;
        house.put("m.md", "in the way\n");
        let undone = house.changes.undo(moved.change_set_id).await.unwrap();
        assert_eq!(undone.conflicts.len(), 1);
        house.holds("m.md", "in the way\n");
        house.holds("n.md", "m\n");
    });
}

#[test]
fn what_changed_is_not_deleted() {
    with_trash("tests::tree::what_changed_is_not_deleted", async || {
        let house = House::new().await;
        house.put("a.md", "a\n");
        house.put("p/x.md", "x\n");
        let proposed = house.delete("a.md").await.unwrap();
        house.delete("p").await.unwrap();
        house.put("a.md", "a, and more\n");
        house.put("p/x.md", "x, and more\n");
        let applied = house.apply(&proposed).await;
        assert_eq!((applied.applied.len(), applied.conflicts.len()), (0, 2));
        assert_eq!(house.all().len(), 2);
        assert_eq!(trashed(), Vec::<String>::new());
    });
}

#[test]
fn without_a_trash_nothing_is_deleted() {
    with_trash("tests::tree::without_a_trash_nothing_is_deleted", async || {
        let house = House::new().await;
        house.put("a.md", "a\n");
        house.put("b.md", "b\n");
        // A file where the trash has to be.
        let home = std::path::PathBuf::from(std::env::var_os("XDG_DATA_HOME").unwrap());
        std::fs::write(home.join("Trash"), "").unwrap();
        house.replace("b.md", "b", "B").await.unwrap();
        let proposed = house.delete("a.md").await.unwrap();
        let applied = house.apply(&proposed).await;
        assert_eq!((applied.applied.len(), applied.failed.len()), (0, 1));
        assert_eq!(house.all(), pairs(&[("a.md", "a\n"), ("b.md", "b\n")]));
        let set = house.changes.get(proposed.change_set_id).await.unwrap();
        let note = set.operations[1].note.clone().unwrap();
        assert_eq!(note.code, "trash");
        let error = house.changes.trash(&[house.place("a.md")]).await.unwrap_err();
        assert_eq!(error.code(), "trash");
        house.holds("a.md", "a\n");
        assert_eq!(house.changes.list(false, None, 0).await.unwrap().len(), 1, "nothing is left to review");
    });
}

#[test]
fn edits_then_a_delete_go_in_order_and_the_edited_text_is_kept() {
    with_trash("tests::tree::edits_then_a_delete_go_in_order_and_the_edited_text_is_kept", async || {
        let house = House::new().await;
        house.put("a.md", "one\n");
        house.replace("a.md", "one", "1").await.unwrap();
        let proposed = house.delete("a.md").await.unwrap();
        let applied = house.apply(&proposed).await;
        assert_eq!((applied.applied.len(), house.all()), (2, pairs(&[])));
        let kept = house.changes.history(&house.place("a.md")).await.unwrap();
        assert_eq!(house.changes.read_version(kept[0].id).await.unwrap(), b"1\n");
        let undone = house.changes.undo(proposed.change_set_id).await.unwrap();
        assert_eq!((undone.conflicts.len(), undone.failed.len()), (0, 0));
        assert_eq!(house.all(), pairs(&[("a.md", "one\n")]));
    });
}

#[test]
fn the_users_own_work_is_done_at_once_and_undone() {
    with_trash("tests::tree::the_users_own_work_is_done_at_once_and_undone", async || {
        let house = House::new().await;
        house.put("a.md", "[[x]]\n");
        house.put("p/x.md", "x\n");
        house.put("p/y.md", "y\n");
        let weight = house
            .changes
            .weigh(&[house.place("p"), house.place("p/x.md"), house.place("a.md")])
            .await
            .unwrap();
        let contents = weight.contents;
        assert_eq!((contents.files, contents.folders, contents.bytes, weight.kept), (3, 1, 10, true));
        let update = LinkUpdate {
            place: house.place("a.md"),
            base: house.hash("a.md").unwrap(),
            edits: vec![TextEdit { range: 2..3, insert: "z".into() }],
            pending: Vec::new(),
        };
        let relinked = Relinked { updates: vec![update], left: vec![house.place("p/y.md")] };
        let moved =
            house.changes.relocate(&house.place("p/x.md"), &house.place("z.md"), relinked).await.unwrap();
        assert_eq!((moved.applied.len(), moved.state), (2, ChangeSetState::Applied));
        assert_eq!(house.all(), pairs(&[("a.md", "[[z]]\n"), ("p/y.md", "y\n"), ("z.md", "x\n")]));
        let set = house.changes.get(moved.change_set_id).await.unwrap();
        assert_eq!(set.operations[0].warnings, [Warning::new("linksNotUpdated", "p/y.md")]);
        assert_eq!(set.summary.provenance, Provenance::Manual);
        let places = [house.place("p"), house.place("p/y.md"), house.place("z.md")];
        let gone = house.changes.trash(&places).await.unwrap();
        assert_eq!((gone.applied.len(), trashed().len()), (2, 2));
        house.changes.undo(gone.change_set_id).await.unwrap();
        house.changes.undo(moved.change_set_id).await.unwrap();
        assert_eq!(house.all(), pairs(&[("a.md", "[[x]]\n"), ("p/x.md", "x\n"), ("p/y.md", "y\n")]));
        let error = house
            .changes
            .relocate(&house.place("p"), &house.place("p/q"), Relinked::default())
            .await
            .unwrap_err();
        assert_eq!(error.code(), "intoItself");
        let error = house
            .changes
            .relocate(&house.place("p/x.md"), &house.place("a.md"), Relinked::default())
            .await
            .unwrap_err();
        assert_eq!(error.code(), "exists");
    });
}

#[test]
fn a_turn_is_taken_back_whole_or_in_part() {
    with_trash("tests::tree::a_turn_is_taken_back_whole_or_in_part", async || {
        let house = House::new().await;
        for name in ["p/a.md", "p/b.md", "c.md", "d.md"] {
            house.put(name, "one\n");
        }
        let before = house.all();
        let (first, second) = (by_turn("s", 1), by_turn("s", 2));
        house
            .proposals
            .edit(&first, &house.place("c.md"), house.hash("c.md"), replace("one", "1"))
            .await
            .unwrap();
        house.proposals.relocate(&second, &house.place("p/a.md"), &house.place("a.md")).await.unwrap();
        house.proposals.delete(&second, &house.place("p/b.md")).await.unwrap();
        house.proposals.create_file(&second, &house.place("new.md"), "n\n").await.unwrap();
        let last = house
            .proposals
            .edit(&second, &house.place("d.md"), house.hash("d.md"), replace("one", "2"))
            .await;
        house.apply(&last.unwrap()).await;
        assert_eq!(house.all().len(), 4);
        let session = orangery_domain::SessionId("s".into());
        let within = house.place("p");
        house.changes.restore_turn(&session, TurnId(2), Some(&within)).await.unwrap();
        house.holds("p/a.md", "one\n");
        house.holds("p/b.md", "one\n");
        house.holds("d.md", "2\n");
        house.changes.restore_turn(&session, TurnId(2), None).await.unwrap();
        let after = house.all();
        let own: Vec<_> = after.iter().filter(|(name, _)| name != "c.md").cloned().collect();
        let expected: Vec<_> = before.iter().filter(|(name, _)| name != "c.md").cloned().collect();
        assert_eq!(own, expected);
        house.holds("c.md", "1\n");
        assert_eq!(
            house.changes.restore_turn(&session, TurnId(9), None).await.unwrap_err().code(),
            "nothingApplied"
        );
        // As the assistant does it, step by step.
        let made = house.proposals.restore_turn(&by_turn("s", 3), &session, TurnId(1), None).await.unwrap();
        assert_eq!(made.len(), 1);
        house.apply(&made[0].1).await;
        assert_eq!(house.all(), before);
    });
}

#[tokio::test]
async fn a_version_is_proposed_again() {
    let house = House::new().await;
    house.put("a.md", "one\n");
    let edited = house.replace("a.md", "one", "1").await.unwrap();
    house.apply(&edited).await;
    let history = house.changes.history(&house.place("a.md")).await.unwrap();
    let (place, proposed) = house.proposals.restore_version(&by("s"), history[0].id).await.unwrap();
    assert_eq!(place, house.place("a.md"));
    house.holds("a.md", "1\n");
    assert_eq!(house.state(proposed.operation_id).await, OperationState::Undecided);
    house.apply(&proposed).await;
    house.holds("a.md", "one\n");
    let again = house.proposals.restore_version(&by("s"), history[0].id).await.unwrap_err();
    assert!(again.to_string().contains("so already"), "{again}");
}

#[tokio::test]
async fn names_in_another_unicode_form_are_found_and_kept() {
    // FAULTS J9
    let house = House::new().await;
    house.put("cafe\u{301}.md", "c\n");
    let place = FilePlace { kb_id: house.kb, path: KbPath::parse("café.md").unwrap() };
    let proposed = house.proposals.relocate(&by("s"), &place, &house.place("p/café.md")).await.unwrap();
    house.apply(&proposed).await;
    assert_eq!(house.all(), pairs(&[("p/café.md", "c\n")]));
    house.changes.undo(proposed.change_set_id).await.unwrap();
    assert_eq!(house.names(""), ["cafe\u{301}.md"]);
}
