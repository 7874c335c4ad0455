use std::io::ErrorKind as Io;

use rand::{Rng, SeedableRng, rngs::StdRng};

use orangery_domain::{ErrorKind, LineEnding, Position, PositionEdit, Provenance};

use super::support::*;

fn at(line: u32, from: u32, to: u32, insert: &str) -> PositionEdit {
    PositionEdit {
        from: Position { line, column: from },
        to: Position { line, column: to },
        insert: insert.into(),
    }
}

#[tokio::test]
async fn a_save_changes_only_what_was_typed() {
    // FAULTS D1, D3, D7
    let house = House::new().await;
    house.put("a.md", "\u{feff}---\r\ntitle:  'a' # x\r\n---\r\none\ntwo🍊\rthree");
    let saved = house
        .changes
        .save(
            &house.place("a.md"),
            house.hash("a.md").unwrap(),
            &[at(2, 9, 10, "b"), at(4, 3, 3, "\nmore"), at(5, 5, 5, "!\n"), at(6, 0, 0, ">")],
        )
        .await
        .unwrap();
    house.holds("a.md", "\u{feff}---\r\ntitle:  'b' # x\r\n---\r\none\nmore\ntwo🍊!\r\r>three");
    assert_eq!(saved.hash, house.hash("a.md").unwrap());
    assert_eq!(saved.line_ending, LineEnding::Mixed);
    // Nothing typed: nothing written, no version.
    let again = house.changes.save(&house.place("a.md"), saved.hash, &[]).await.unwrap();
    assert_eq!(again.hash, saved.hash);
    assert_eq!(house.changes.history(&house.place("a.md")).await.unwrap().len(), 1);
}

/// FAULTS D10: a thousand edits of blocks, beside a plain text to which the same is done.
#[tokio::test]
async fn many_edits_leave_what_a_plain_text_would_hold() {
    let mut random = StdRng::seed_from_u64(10);
    let house = House::new().await;
    let mut lines: Vec<String> =
        ["---", "tags: [a]", "---", "- 一", "- two", "  - deep 🍊"].map(str::to_owned).to_vec();
    house.put("a.md", lines.join("\n"));
    let mut base = house.hash("a.md").unwrap();
    let column = |line: &str| line.encode_utf16().count() as u32;
    for turn in 0..1_000 {
        let row = random.random_range(0..lines.len());
        let number = row as u32 + 1;
        let end = column(&lines[row]);
        let new = format!("{}- 第 {turn} {}", "  ".repeat(turn % 3), ["é", "🍊", ""][turn % 3]);
        let edits = match random.random_range(0..4) {
            // A line comes after another.
            0 if lines.len() < 60 => {
                lines.insert(row + 1, new.clone());
                vec![at(number, end, end, &format!("\n{new}"))]
            }
            // One goes, with the break before it.
            1 if row > 0 => {
                lines.remove(row);
                let from = Position { line: number - 1, column: column(&lines[row - 1]) };
                vec![PositionEdit { from, to: Position { line: number, column: end }, insert: String::new() }]
            }
            // Two change places.
            2 if row + 1 < lines.len() => {
                lines.swap(row, row + 1);
                let to = column(&lines[row]);
                vec![at(number, 0, end, &lines[row]), at(number + 1, 0, to, &lines[row + 1])]
            }
            _ => {
                lines[row] = new.clone();
                vec![at(number, 0, end, &new)]
            }
        };
        base = house.changes.save(&house.place("a.md"), base, &edits).await.unwrap().hash;
    }
    house.holds("a.md", lines.join("\n"));
}

#[tokio::test]
async fn a_save_on_another_file_than_was_opened_is_refused() {
    // FAULTS C4
    let house = House::new().await;
    house.put("a.md", "one\n");
    let base = house.hash("a.md").unwrap();
    house.put("a.md", "newer\n");
    let refused = house.changes.save(&house.place("a.md"), base, &[at(1, 0, 3, "mine")]).await.unwrap_err();
    assert_eq!((refused.kind(), refused.code()), (ErrorKind::Conflict, "baseMoved"));
    house.holds("a.md", "newer\n");
    std::fs::remove_file(house.path("a.md")).unwrap();
    let refused = house.changes.save(&house.place("a.md"), base, &[at(1, 0, 3, "mine")]).await.unwrap_err();
    assert_eq!(refused.code(), "baseMoved");
    assert_eq!(house.get("a.md"), None);
}

#[tokio::test]
async fn edits_outside_the_text_are_refused() {
    let house = House::new().await;
    house.put("a.md", "one 🍊\n");
    let base = house.hash("a.md").unwrap();
    for edits in [
        vec![at(3, 0, 0, "x")],
        vec![at(1, 9, 9, "x")],
        vec![at(1, 5, 5, "x")],
        vec![at(1, 2, 3, "x"), at(1, 0, 1, "y")],
    ] {
        let refused = house.changes.save(&house.place("a.md"), base, &edits).await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Invalid, "{edits:?}");
    }
    house.holds("a.md", "one 🍊\n");
}

#[tokio::test]
async fn saves_make_one_version_in_a_while() {
    let house = House::new().await;
    house.put("a.md", "0\n");
    let place = house.place("a.md");
    for n in 1..5 {
        let base = house.hash("a.md").unwrap();
        house.changes.save(&place, base, &[at(1, 0, 1, &n.to_string())]).await.unwrap();
    }
    let history = house.changes.history(&place).await.unwrap();
    assert_eq!(history.len(), 1);
    assert_eq!(history[0].provenance, Provenance::Manual);
    assert_eq!(house.changes.read_version(history[0].id).await.unwrap(), b"0\n");
    // What an assistant writes over is kept, and so is what the user then saves over.
    let proposed = house.replace("a.md", "4", "5").await.unwrap();
    house.apply(&proposed).await;
    house.changes.save(&place, house.hash("a.md").unwrap(), &[at(1, 0, 1, "6")]).await.unwrap();
    let mut contents = Vec::new();
    for version in house.changes.history(&place).await.unwrap() {
        contents.push(String::from_utf8(house.changes.read_version(version.id).await.unwrap()).unwrap());
    }
    assert_eq!(contents, ["5\n", "4\n", "0\n"]);
}

#[tokio::test]
async fn a_full_disk_keeps_the_old_note() {
    // FAULTS C8
    let house = House::new().await;
    house.put("a.md", "one\n");
    let (place, base) = (house.place("a.md"), house.hash("a.md").unwrap());
    for (kind, code) in [(Io::StorageFull, "diskFull"), (Io::PermissionDenied, "accessDenied")] {
        house.seam.fail_write(0, true, kind);
        let failed = house.changes.save(&place, base, &[at(1, 0, 3, "1")]).await.unwrap_err();
        assert_eq!(failed.code(), code);
        house.holds("a.md", "one\n");
        assert!(house.journal_is_empty().await);
        assert_eq!(house.changes.history(&place).await.unwrap(), []);
        assert!(house.changes.create_note(&house.place("b.md"), "x").await.is_err());
        assert_eq!(house.names(""), ["a.md"]);
    }
    house.seam.disarm();
    house.changes.save(&place, base, &[at(1, 0, 3, "1")]).await.unwrap();
    house.holds("a.md", "1\n");
}

#[tokio::test]
async fn notes_and_folders_are_made_and_never_overwritten() {
    let house = House::new().await;
    let hash = house.changes.create_note(&house.place("a.md"), "# A\n").await.unwrap();
    assert_eq!(Some(hash), house.hash("a.md"));
    house.changes.make_folder(&house.place("f")).await.unwrap();
    house.changes.create_note(&house.place("f/b.txt"), "").await.unwrap();
    for (name, code) in
        [("a.md", "exists"), ("f", "noteExtension"), ("x/c.md", "notFound"), ("", "noteExtension")]
    {
        let refused = house.changes.create_note(&house.place(name), "no").await.unwrap_err();
        assert_eq!(refused.code(), code, "{name}");
    }
    assert_eq!(house.changes.make_folder(&house.place("a.md")).await.unwrap_err().code(), "exists");
    assert_eq!(house.changes.make_folder(&house.place("")).await.unwrap_err().code(), "blankPath");
    house.holds("a.md", "# A\n");
    let written: Vec<_> =
        house.written.lock().unwrap().iter().map(|one| one.place.path.to_string()).collect();
    assert_eq!(written, ["a.md", "f", "f/b.txt"]);
}

#[tokio::test]
async fn what_cannot_be_decoded_is_read_only() {
    let house = House::new().await;
    house.put("a.md", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\xff\0");
    let refused = house
        .changes
        .save(&house.place("a.md"), house.hash("a.md").unwrap(), &[at(1, 0, 0, "x")])
        .await
        .unwrap_err();
    assert_eq!((refused.kind(), refused.code()), (ErrorKind::Denied, "notText"));
    assert_eq!(house.replace("a.md", "b", "c").await.unwrap_err().kind(), ErrorKind::Denied);
}

#[tokio::test]
async fn permissions_stay() {
    use std::os::unix::fs::PermissionsExt;
    let house = House::new().await;
    house.put("a.md", "one\n");
    std::fs::set_permissions(house.path("a.md"), std::fs::Permissions::from_mode(0o640)).unwrap();
    let proposed = house.replace("a.md", "one", "1").await.unwrap();
    house.apply(&proposed).await;
    house.changes.undo(proposed.change_set_id).await.unwrap();
    let mode = std::fs::metadata(house.path("a.md")).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o640);
}

#[tokio::test]
async fn a_database_without_room_keeps_the_old_note_and_says_so() {
    // FAULTS C8
    let house = House::new().await;
    let long: String = (0..40_000).map(|at| format!("{:x}", at * 7_919)).collect();
    house.put("a.md", &long);
    let (place, base) = (house.place("a.md"), house.hash("a.md").unwrap());
    house.db.leave_room(0).await.unwrap();
    let failed = house.changes.save(&place, base, &[at(1, 0, 3, "new")]).await.unwrap_err();
    assert_eq!((failed.kind(), failed.code()), (ErrorKind::Unavailable, "diskFull"), "{failed}");
    house.holds("a.md", &long);
    assert!(house.journal_is_empty().await);
    // With room again the same save goes through.
    house.db.leave_room(10_000).await.unwrap();
    house.changes.save(&place, base, &[at(1, 0, 3, "new")]).await.unwrap();
    assert!(house.get("a.md").unwrap().starts_with(b"new"));
    assert_eq!(house.changes.history(&place).await.unwrap().len(), 1);
}
