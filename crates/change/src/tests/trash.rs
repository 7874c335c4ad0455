//! What happens to a file on its way to the trash.

use super::support::*;

/// What another program does at a path.
type Other = fn(&std::path::Path);

#[test]
fn what_takes_the_place_of_what_goes_to_the_trash_stays() {
    with_trash("tests::trash::what_takes_the_place_of_what_goes_to_the_trash_stays", async || {
        let mut house = House::new().await;
        // By a file of another program, by its words in the same file, and by a folder.
        let others: [(&str, Other); 3] = [
            ("a.md", |path| {
                std::fs::write(path.with_extension("new"), "theirs, longer\n").unwrap();
                std::fs::rename(path.with_extension("new"), path).unwrap();
            }),
            ("b.md", |path| std::fs::write(path, "theirs, longer\n").unwrap()),
            ("c.md", |path| {
                std::fs::remove_file(path).unwrap();
                std::fs::create_dir(path).unwrap();
                std::fs::write(path.join("x"), "theirs, longer\n").unwrap();
            }),
        ];
        for (name, replace) in others {
            house.put(name, "mine\n");
            let delete = house.proposals.delete(&by("s"), &house.place(name)).await.unwrap();
            let path = house.path(name);
            house.seam.meanwhile(crate::stop::Point::BeforeTrash, move || replace(&path));
            let applied = house.apply(&delete).await;
            assert_eq!(applied.failed, [delete.operation_id], "{name}");
            let note = house.changes.diff(delete.operation_id).await.unwrap().operation.note.unwrap();
            assert_eq!(note.code, "replaced", "{name}");
            let there = if name == "c.md" { "c.md/x" } else { name };
            house.holds(there, "theirs, longer\n");
            assert_eq!(trashed(), [""; 0], "{name}");
            assert!(house.journal_is_empty().await);
            house.changes.reject(delete.change_set_id).await.unwrap();
        }
        house = house.restart().await;
        house.holds("a.md", "theirs, longer\n");
    });
}
