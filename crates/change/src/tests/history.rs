use orangery_domain::{
    DiffSign, EncodingChange, FileKind, Moment, Position, PositionEdit, Provenance, Sizes, TurnId,
    text::{Encoding, encode},
};
use orangery_store::{
    blob::Packed,
    now_ms,
    table::{blob, file, version},
};

use super::support::*;

const DAY: i64 = 24 * 60 * 60 * 1000;

/// A version of `name` with the content `text`, made `days` ago.
async fn keep(house: &House, name: &str, text: &str, days: i64) {
    let packed = Packed::new(text.as_bytes());
    let mut write = house.db.write().await.unwrap();
    blob::put(&mut write, &packed).await.unwrap();
    let at = now_ms() - days * DAY;
    version::insert(&mut write, &house.place(name), (packed.hash(), None), &Provenance::Manual, None, at)
        .await
        .unwrap();
    write.commit().await.unwrap();
}

async fn contents(house: &House, name: &str) -> Vec<String> {
    let mut out = Vec::new();
    for version in house.changes.history(&house.place(name)).await.unwrap() {
        out.push(String::from_utf8(house.changes.read_version(version.id).await.unwrap()).unwrap());
    }
    out
}

async fn type_into(house: &House, name: &str, text: &str) {
    let end = Position { line: 1, column: 1 };
    let edit = PositionEdit { from: Position { line: 1, column: 0 }, to: end, insert: text.into() };
    house.changes.save(&house.place(name), house.hash(name).unwrap(), &[edit]).await.unwrap();
}

/// FAULTS F6: what history takes is said, and has a bound.
#[tokio::test]
async fn old_versions_go_in_the_order_that_was_promised() {
    let house = House::new().await;
    house.put("a.md", "now\n");
    // The oldest first: 20 of 95 days, 90 of 30 days, 40 of today.
    for at in 0..150 {
        let days = if at < 20 {
            95
        } else if at < 110 {
            30
        } else {
            0
        };
        keep(&house, "a.md", &format!("content {at}\n"), days).await;
    }
    // Few and old ones stay.
    for at in 0..5 {
        keep(&house, "b.md", &format!("other {at}\n"), 400).await;
    }
    let before = house.changes.usage().await.unwrap();
    assert_eq!((before.versions, before.files), (155, 2));
    assert!(before.reclaimable_bytes > 0 && before.stored_bytes >= before.reclaimable_bytes);
    let after = house.changes.vacuum().await.unwrap();
    // 40 of this week, then up to 100 that are not older than 90 days.
    assert_eq!((after.versions, after.reclaimable_bytes), (105, 0));
    assert!(after.content_bytes < before.content_bytes);
    let kept = contents(&house, "a.md").await;
    assert_eq!((kept.len(), kept[0].as_str(), kept[99].as_str()), (100, "content 149\n", "content 50\n"));
    assert_eq!(contents(&house, "b.md").await.len(), 5);
    // A start does the same.
    for at in 0..40 {
        keep(&house, "c.md", &format!("c {at}\n"), 120).await;
    }
    let house = house.restart().await;
    assert_eq!(contents(&house, "c.md").await.len(), 32);
}

#[tokio::test]
async fn what_waits_for_review_survives_a_vacuum() {
    let house = House::new().await;
    house.put("a.md", "one\n");
    let proposed = house.replace("a.md", "one", "1").await.unwrap();
    house.changes.reject(proposed.change_set_id).await.unwrap();
    for at in 0..40 {
        keep(&house, "a.md", if at == 0 { "one\n" } else { "x\n" }, 100).await;
    }
    house.changes.vacuum().await.unwrap();
    house.changes.propose_again(proposed.operation_id, None).await.unwrap();
    house.apply(&proposed).await;
    house.holds("a.md", "1\n");
    house.changes.vacuum().await.unwrap();
    house.changes.undo(proposed.change_set_id).await.unwrap();
    house.holds("a.md", "one\n");
}

#[tokio::test]
async fn any_two_contents_are_compared() {
    let house = House::new().await;
    house.put("a.md", "# A\none\n");
    let first = house.replace("a.md", "one", "two").await.unwrap();
    house.apply(&first).await;
    let second = house.edit("a.md", append("three")).await.unwrap();
    house.apply(&second).await;
    let place = house.place("a.md");
    let history = house.changes.history(&place).await.unwrap();
    let [newer, older] = [&history[0], &history[1]].map(|version| Moment::Version(version.id));
    let rows = |diff: orangery_domain::VersionDiff| -> Vec<(DiffSign, String)> {
        let rows = diff.hunks.into_iter().flat_map(|hunk| hunk.rows);
        rows.filter(|row| row.sign != DiffSign::Same).map(|row| (row.sign, row.text)).collect()
    };
    use DiffSign::{Added, Removed};
    let diff = house.changes.compare(&place, &older, &newer).await.unwrap();
    assert_eq!((diff.added, diff.removed, diff.text), (1, 1, true));
    assert_eq!(rows(diff), [(Removed, "one".into()), (Added, "two".into())]);
    let diff = house.changes.compare(&place, &newer, &Moment::Now).await.unwrap();
    assert_eq!(diff.sizes, Sizes { before: Some(8), after: Some(14) });
    assert_eq!(rows(diff), [(Added, "three".into())]);
    // A file that is gone, and one that is no text by now.
    std::fs::remove_file(house.path("a.md")).unwrap();
    let diff = house.changes.compare(&place, &newer, &Moment::Now).await.unwrap();
    assert_eq!((diff.sizes.after, diff.removed), (None, 2));
    house.put("a.md", b"\0\x01\x02binary");
    let diff = house.changes.compare(&place, &newer, &Moment::Now).await.unwrap();
    assert_eq!((diff.text, diff.hunks.len(), diff.sizes.after), (false, 0, Some(9)));
}

#[tokio::test]
async fn a_change_of_encoding_is_said() {
    // FAULTS D2
    let house = House::new().await;
    house.put("a.md", "naïve text\n");
    keep(&house, "a.md", "\u{feff}naïve text\n", 0).await;
    let place = house.place("a.md");
    let version = house.changes.history(&place).await.unwrap()[0].id;
    let change = Some(EncodingChange { before: "UTF-8 with BOM".into(), after: "UTF-8".into() });
    let diff = house.changes.compare(&place, &Moment::Version(version), &Moment::Now).await.unwrap();
    assert_eq!((diff.encoding, diff.hunks.len()), (change, 0));
    let utf16 = encode("naïve text, too\n", Encoding::Utf16Le, true).unwrap();
    house.put("a.md", utf16);
    let restored = house.changes.restore(version).await.unwrap();
    let diff = house.changes.diff(restored.applied[0]).await.unwrap();
    let change = EncodingChange { before: "UTF-16LE with BOM".into(), after: "UTF-8 with BOM".into() };
    assert_eq!(diff.encoding, Some(change));
}

#[tokio::test]
async fn what_is_no_text_is_told_by_its_size() {
    let house = House::new().await;
    house.put("a.png", b"\0new picture");
    let packed = Packed::new(b"\0old");
    let mut write = house.db.write().await.unwrap();
    blob::put(&mut write, &packed).await.unwrap();
    let place = house.place("a.png");
    let id = version::insert(&mut write, &place, (packed.hash(), None), &Provenance::Manual, None, 1)
        .await
        .unwrap();
    write.commit().await.unwrap();
    let restored = house.changes.restore(id).await.unwrap();
    house.holds("a.png", b"\0old");
    let set = house.changes.get(restored.change_set_id).await.unwrap();
    assert_eq!(set.operations[0].sizes, Some(Sizes { before: Some(12), after: Some(4) }));
}

#[tokio::test]
async fn a_version_is_kept_when_asked_for() {
    let house = House::new().await;
    house.put("a.md", "0\n");
    type_into(&house, "a.md", "1").await;
    type_into(&house, "a.md", "2").await;
    house.changes.keep_saved(&house.place("a.md")).await.unwrap();
    type_into(&house, "a.md", "3").await;
    type_into(&house, "a.md", "4").await;
    assert_eq!(contents(&house, "a.md").await, ["2\n", "0\n"]);
    house.changes.keep_saved(&house.place("a.md")).await.unwrap();
    // It survives a restart.
    let house = house.restart().await;
    type_into(&house, "a.md", "5").await;
    assert_eq!(contents(&house, "a.md").await, ["4\n", "2\n", "0\n"]);
}

#[tokio::test]
async fn what_another_program_writes_over_is_kept() {
    let house = House::new().await;
    let place = house.place("a.md");
    house.put("a.md", "opened\n");
    // Not known: nothing to keep.
    assert!(!house.changes.noticed(&place).await.unwrap());
    house.changes.opened(&place, b"opened\n".to_vec()).await.unwrap();
    assert!(!house.changes.noticed(&place).await.unwrap());
    house.put("a.md", "outside\n");
    assert!(house.changes.noticed(&place).await.unwrap());
    let history = house.changes.history(&place).await.unwrap();
    assert_eq!((history.len(), &history[0].provenance), (1, &Provenance::Outside));
    assert_eq!(contents(&house, "a.md").await, ["opened\n"]);
    // What follows soon is the same change.
    house.put("a.md", "outside, more\n");
    assert!(!house.changes.noticed(&place).await.unwrap());
    // Our own writes are no news, and what they wrote is known.
    let proposed = house.replace("a.md", "more", "and ours").await.unwrap();
    house.apply(&proposed).await;
    assert!(!house.changes.noticed(&place).await.unwrap());
    house.put("a.md", "over ours\n");
    assert!(house.changes.noticed(&place).await.unwrap());
    type_into(&house, "a.md", "O").await;
    assert!(!house.changes.noticed(&place).await.unwrap());
    std::fs::remove_file(house.path("a.md")).unwrap();
    assert!(house.changes.noticed(&place).await.unwrap());
    assert_eq!(
        contents(&house, "a.md").await,
        ["Over ours\n", "over ours\n", "outside, and ours\n", "outside, more\n", "opened\n"]
    );
    assert_eq!(house.get("a.md"), None);
}

/// FAULTS C10: watchers of network drives say that things went which are there, and that they came which are not.
#[tokio::test]
async fn no_event_alone_changes_a_file_or_a_proposal() {
    let house = House::new().await;
    let names = ["a.md", "p/b.md", "p/c.md"];
    for name in names {
        house.put(name, name);
        house.changes.opened(&house.place(name), name.into()).await.unwrap();
    }
    let proposed = house.replace("a.md", "a", "A").await.unwrap();
    let sets = house.changes.list(false, None, 0).await.unwrap();
    for _ in 0..20 {
        for name in ["p/c.md", "p", "never.md", "a.md", "p/b.md", "a.md"] {
            assert!(!house.changes.noticed(&house.place(name)).await.unwrap(), "{name}");
        }
    }
    // The drive was away for a moment: what it held is kept, and nothing is made or deleted for that.
    std::fs::rename(house.path("p"), house.path("away")).unwrap();
    for name in ["p/b.md", "p", "p/c.md", "p/b.md"] {
        house.changes.noticed(&house.place(name)).await.unwrap();
    }
    assert_eq!(
        (house.names(""), house.names("away")),
        (vec!["a.md".into(), "away".into()], vec!["b.md".into(), "c.md".into()])
    );
    std::fs::rename(house.path("away"), house.path("p")).unwrap();
    for name in names {
        house.changes.noticed(&house.place(name)).await.unwrap();
        house.holds(name, name);
    }
    assert_eq!(house.changes.list(false, None, 0).await.unwrap(), sets);
    assert!(house.journal_is_empty().await);
    assert_eq!(house.apply(&proposed).await.applied.len(), 1);
}

#[tokio::test]
async fn a_file_that_was_moved_lost_nothing() {
    let house = House::new().await;
    house.put("a.md", "text\n");
    house.changes.opened(&house.place("a.md"), b"text\n".to_vec()).await.unwrap();
    std::fs::rename(house.path("a.md"), house.path("b.md")).unwrap();
    scanned(&house, "b.md").await;
    assert!(!house.changes.noticed(&house.place("a.md")).await.unwrap());
    let nowhere = house.changes.history(&house.place("a.md")).await.unwrap_err();
    assert_eq!(nowhere.code(), "notFound");
}

#[test]
fn what_we_move_and_trash_ourselves_is_no_news() {
    with_trash("tests::history::what_we_move_and_trash_ourselves_is_no_news", async || {
        let house = House::new().await;
        for name in ["a.md", "p/b.md", "p/deep/c.md"] {
            house.put(name, name);
            house.changes.opened(&house.place(name), name.into()).await.unwrap();
        }
        let place = |name: &str| house.place(name);
        let quiet = async |names: &[&str]| {
            for name in names {
                assert!(!house.changes.noticed(&house.place(name)).await.unwrap(), "{name}");
                // Where nothing is and nothing was kept, there is no history.
                let kept = house.changes.history(&house.place(name)).await.unwrap_or_default();
                assert!(kept.iter().all(|kept| kept.provenance != Provenance::Outside), "{name}");
            }
        };
        let proposed = house.proposals.relocate(&by("s"), &place("a.md"), &place("z.md")).await.unwrap();
        house.apply(&proposed).await;
        house.changes.relocate(&place("p"), &place("q"), orangery_domain::Relinked::default()).await.unwrap();
        quiet(&["a.md", "z.md", "p/b.md", "q/b.md", "p/deep/c.md", "q/deep/c.md"]).await;
        // Where they went they are known still.
        house.put("z.md", "outside\n");
        assert!(house.changes.noticed(&place("z.md")).await.unwrap());
        assert_eq!(contents(&house, "z.md").await, ["a.md"]);
        let gone = house.changes.trash(&[place("q")]).await.unwrap();
        quiet(&["q/b.md", "q/deep/c.md"]).await;
        house.changes.undo(gone.change_set_id).await.unwrap();
        quiet(&["q/b.md", "q/deep/c.md"]).await;
    });
}

/// As the scan would have it.
async fn scanned(house: &House, name: &str) {
    let content = file::Content {
        stamp: file::Stamp { size: 0, modified_ns: 0, inode: None },
        hash: house.hash(name),
        encoding: None,
        title: name.into(),
        tags: Vec::new(),
        trouble: None,
    };
    let mut write = house.db.write().await.unwrap();
    file::insert(&mut write, &house.place(name), FileKind::Markdown, &content).await.unwrap();
    write.commit().await.unwrap();
}

#[tokio::test]
async fn versions_of_a_file_that_was_not_scanned_yet_follow_it() {
    let house = House::new().await;
    house.put("a.md", "0\n");
    type_into(&house, "a.md", "1").await;
    scanned(&house, "a.md").await;
    let row = file::by_place(house.db.reader(), &house.place("a.md")).await.unwrap().unwrap();
    let mut write = house.db.write().await.unwrap();
    file::relocate(&mut write, row.id, &house.place("b.md").path, "b").await.unwrap();
    write.commit().await.unwrap();
    std::fs::rename(house.path("a.md"), house.path("b.md")).unwrap();
    assert_eq!(contents(&house, "b.md").await, ["0\n"]);
}

#[tokio::test]
async fn a_turn_is_listed_by_what_it_wrote_over() {
    let house = House::new().await;
    house.put("a.md", "one\n");
    house.put("b.md", "one\n");
    for (name, turn) in [("a.md", 3), ("b.md", 3), ("a.md", 4)] {
        let read = house.hash(name);
        let by = by_turn("s", turn);
        let proposed = house.proposals.edit(&by, &house.place(name), read, append("more")).await.unwrap();
        house.apply(&proposed).await;
    }
    let of = |turn| {
        let house = &house;
        async move { house.proposals.history_of_turn(TurnId(turn)).await.unwrap().len() }
    };
    assert_eq!((of(3).await, of(4).await, of(5).await), (2, 1, 0));
}

#[tokio::test]
async fn without_its_version_nothing_is_written_over() {
    let house = House::new().await;
    house.put("a.md", "one\n");
    let proposed = house.replace("a.md", "one", "1").await.unwrap();
    // Nothing can be stored any more.
    house.db.close().await;
    assert!(house.changes.apply(proposed.change_set_id, &[], true).await.is_err());
    let end = Position { line: 1, column: 3 };
    let edit = PositionEdit { from: Position { line: 1, column: 0 }, to: end, insert: "1".into() };
    assert!(house.changes.save(&house.place("a.md"), house.hash("a.md").unwrap(), &[edit]).await.is_err());
    house.holds("a.md", "one\n");
}

#[tokio::test]
async fn a_version_comes_back_with_the_folders_that_are_gone() {
    let house = House::new().await;
    house.put("d/e/x.md", "one\n");
    let proposed = house.replace("d/e/x.md", "one", "1").await.unwrap();
    house.apply(&proposed).await;
    std::fs::remove_dir_all(house.path("d")).unwrap();
    let version = house.changes.history(&house.place("d/e/x.md")).await.unwrap()[0].id;
    let (_, offered) = house.proposals.restore_version(&by("s"), version).await.unwrap();
    assert_eq!(offered.needs.len(), 2);
    house.changes.restore(version).await.unwrap();
    house.holds("d/e/x.md", "one\n");
}

#[tokio::test]
async fn what_never_was_has_no_history_and_says_so() {
    let house = House::new().await;
    let history = async |name: &str| house.changes.history(&house.place(name)).await.map(|all| all.len());
    for name in ["no.md", "no/such.md"] {
        assert_eq!(history(name).await.unwrap_err().code(), "notFound", "{name}");
    }
    house.put("d/new.md", "new\n");
    assert_eq!(history("d/new.md").await.unwrap(), 0);
    assert_eq!(history("d").await.unwrap_err().code(), "folder");
    // What is gone has the history that it had.
    house.put("a.md", "one\n");
    let proposed = house.replace("a.md", "one", "two").await.unwrap();
    house.apply(&proposed).await;
    std::fs::remove_file(house.path("a.md")).unwrap();
    assert_eq!(history("a.md").await.unwrap(), 1);
}
