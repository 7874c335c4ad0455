//! `edit` of whole files and folders.

use orangery_domain::{ChangeSetId, Level, OperationKind};
use serde_json::{Value, json};

use crate::support::{House, write};

async fn garden() -> House {
    House::new(&[
        ("notes/soup.md", "# Soup\n\nsee [[leek]] and [leek](leek.md)\n"),
        ("notes/leek.md", "# Leek\n"),
        ("notes/.orange/memory.md", "be kind\n"),
        ("plain/one.txt", "one\n"),
    ])
    .await
}

fn set_of(proposed: &Value) -> ChangeSetId {
    ChangeSetId(proposed["changeSetId"].as_i64().unwrap())
}

#[tokio::test]
async fn a_rename_is_proposed_with_its_links_and_applied_as_one_set() {
    let house = garden().await;
    let rename = json!({"path": "notes/leek.md", "operation": "rename", "destination": "allium.md"});
    let proposed = house.call("edit", rename).await;
    assert_eq!(proposed["linkUpdates"], 1, "{proposed}");
    let set = house.changes.get(set_of(&proposed)).await.unwrap();
    let kinds: Vec<_> = set.operations.iter().map(|one| (one.kind, one.follows.is_some())).collect();
    assert_eq!(kinds, [(OperationKind::Move, false), (OperationKind::Edit, true)]);
    // The new name can be read and edited at once, whichever name is used.
    let read = house.call("read", json!({"path": "notes/allium.md"})).await;
    assert_eq!((&read["text"], &read["pending"]), (&json!("# Leek\n"), &json!(true)));
    let append = |path: &str| json!({"path": path, "operation": "append", "content": "tall"});
    house.call("edit", append("notes/allium.md")).await;
    house.call("edit", append("notes/leek.md")).await;
    house.changes.apply(set_of(&proposed), &[], true).await.unwrap();
    let text = |path: &str| std::fs::read_to_string(house.root().join(path)).unwrap();
    assert_eq!(text("notes/allium.md"), "# Leek\ntall\ntall\n");
    assert_eq!(text("notes/soup.md"), "# Soup\n\nsee [[allium]] and [leek](allium.md)\n");
    assert!(!house.root().join("notes/leek.md").exists());
}

#[tokio::test]
async fn links_follow_however_often_something_moves_before_it_is_applied() {
    // FAULTS J11
    let house = garden().await;
    let rename = |from: &str, to: &str| json!({"path": from, "operation": "rename", "destination": to});
    house.call("edit", rename("notes/leek.md", "allium.md")).await;
    let folder = house.call("edit", rename("notes", "kitchen")).await;
    assert_eq!(folder["linksNotUpdated"], Value::Null, "{folder}");
    let away = json!({"path": "kitchen/allium.md", "operation": "move", "destination": "plain/porree.md"});
    let moved = house.call("edit", away).await;
    assert_eq!((&moved["linkUpdates"], &moved["linksNotUpdated"]), (&json!(1), &Value::Null), "{moved}");
    house.changes.apply(set_of(&moved), &[], true).await.unwrap();
    let text = |path: &str| std::fs::read_to_string(house.root().join(path)).unwrap();
    assert_eq!(text("plain/porree.md"), "# Leek\n");
    assert_eq!(text("kitchen/soup.md"), "# Soup\n\nsee [[porree]] and [leek](../plain/porree.md)\n");
}

/// FAULTS J11: a move that leaves links behind says so to whoever reviews it, not to the model alone.
#[tokio::test]
async fn a_move_says_in_its_change_set_which_links_it_leaves() {
    let house =
        House::new(&[("leek.md", "# Leek\n"), ("soup.md", "[[leek]]\n"), ("pot.md", "![[leek]]\n")]).await;
    let rename = json!({"path": "leek.md", "operation": "rename", "destination": "leek #1.md"});
    let moved = house.call("edit", rename).await;
    assert_eq!(moved["linkUpdates"], 1, "{moved}");
    assert!(moved["linksNotUpdated"].as_str().unwrap().ends_with(": pot.md"), "{moved}");
    let set = house.changes.get(set_of(&moved)).await.unwrap();
    let said: Vec<_> = set.operations[0].warnings.iter().map(|one| (&*one.code, &*one.detail)).collect();
    assert_eq!(said, [("linksNotUpdated", "pot.md")]);
}

#[tokio::test]
async fn every_parameter_belongs_to_its_operation() {
    let house = garden().await;
    for (input, says) in [
        (json!({"path": "plain", "operation": "rename"}), "destination: is missing"),
        (json!({"path": "plain", "operation": "rename", "destination": "a/b"}), "use move"),
        (json!({"path": "plain", "operation": "delete", "destination": "x"}), "does not belong to delete"),
        (json!({"path": "plain", "operation": "move", "destination": "p/"}), "name included"),
        (json!({"path": "plain", "operation": "move", "destination": "/p"}), "destination: is absolute"),
        (json!({"path": "plain", "operation": "move", "destination": "plain/x"}), "within itself"),
        (
            json!({"path": "plain", "operation": "rename", "destination": "x", "content": "y"}),
            "content: does not",
        ),
        (json!({"path": "plain/one.txt", "operation": "restore"}), "needs version or turn"),
        (json!({"operation": "restore", "version": 1, "turn": "current"}), "cannot go with version"),
        (json!({"operation": "restore", "turn": "last"}), "turn"),
        (json!({"operation": "restore", "version": 99}), "no version 99"),
        (json!({"operation": "restore", "turn": 99}), "changed nothing"),
        (json!({"path": "gone.md", "operation": "delete"}), "no file gone.md"),
        (json!({"path": ".", "operation": "delete"}), "root of a knowledge base"),
        (
            json!({"path": "plain/one.txt", "operation": "move", "destination": "notes/soup.md"}),
            "exists already",
        ),
    ] {
        let refusal = house.refusal("edit", input.clone()).await;
        assert!(refusal.contains(says), "{input}: {refusal}");
    }
    let out = json!({"path": "plain", "operation": "move", "destination": "../p"});
    let denied = house.denial(Level::L2, "edit", out).await;
    assert!(denied.starts_with("destination:"), "{denied}");
}

#[tokio::test]
async fn the_gate_sees_what_lies_inside() {
    let house = garden().await;
    write(&house.root().join("keys/server.pem"), "x");
    let to = |path: &str| json!({"path": path, "operation": "move", "destination": "elsewhere"});
    for level in [Level::L2, Level::L4] {
        let card = house.card(level, "edit", to("keys")).await;
        assert_eq!(card.question, "sensitiveFile");
    }
    house.denial(Level::L1, "edit", to("plain")).await;
    // What steers assistants is never moved at once.
    let steering = house.call_at(Level::L4, false, false, "edit", to("notes")).await;
    assert!(steering.output["state"].as_str().unwrap().starts_with("pending"), "{:?}", steering.output);
    let other = house.folder.path().join("other");
    write(&other.join("a.md"), "a\n");
    let other = house.library.add(&other, None).await.unwrap().id.0;
    let away = json!({
        "path": "plain/one.txt", "operation": "move", "destination": "one.txt", "destinationKnowledgeBaseId": other,
    });
    house.denial(Level::L4, "edit", away).await;
}

#[tokio::test]
async fn at_l4_a_move_and_its_links_are_applied_at_once_and_the_turn_is_taken_back() {
    let house = garden().await;
    let rename = json!({"path": "notes/leek.md", "operation": "rename", "destination": "allium.md"});
    let moved = house.call_at(Level::L4, false, false, "edit", rename).await;
    assert_eq!(moved.output["state"], "applied", "{:?}", moved.output);
    let text = |path: &str| std::fs::read_to_string(house.root().join(path)).unwrap();
    assert_eq!(text("notes/soup.md"), "# Soup\n\nsee [[allium]] and [leek](allium.md)\n");
    house.library.settle().await;
    assert!(house.library.file(&place(&house, "notes/allium.md")).is_some());
    let set = house.changes.list(false, None, 1).await.unwrap().remove(0);
    let orangery_domain::Provenance::Assistant { turn_id: Some(turn), .. } = set.provenance else { panic!() };
    let back = json!({"operation": "restore", "turn": turn.0});
    let back = house.call_at(Level::L4, false, false, "edit", back).await;
    assert_eq!(back.output["state"], "applied", "{:?}", back.output);
    assert_eq!(text("notes/soup.md"), "# Soup\n\nsee [[leek]] and [leek](leek.md)\n");
    assert!(house.root().join("notes/leek.md").exists() && !house.root().join("notes/allium.md").exists());
}

#[tokio::test]
async fn a_version_is_restored_and_a_delete_is_proposed() {
    let house = garden().await;
    house.call("read", json!({"path": "plain/one.txt"})).await;
    let edit = json!({"path": "plain/one.txt", "operation": "replace", "original": "one", "next": "1"});
    let proposed = house.call("edit", edit).await;
    house.changes.apply(set_of(&proposed), &[], true).await.unwrap();
    let version = house.changes.history(&place(&house, "plain/one.txt")).await.unwrap()[0].id.0;
    let wrong = json!({"path": "notes/soup.md", "operation": "restore", "version": version});
    assert!(house.refusal("edit", wrong).await.contains("not of the file"));
    let proposed = house.call("edit", json!({"operation": "restore", "version": version})).await;
    house.changes.apply(set_of(&proposed), &[], true).await.unwrap();
    assert_eq!(std::fs::read_to_string(house.root().join("plain/one.txt")).unwrap(), "one\n");
    let proposed = house.call("edit", json!({"path": "plain", "operation": "delete"})).await;
    assert!(proposed["summary"].as_str().unwrap().contains("system's trash"), "{proposed}");
    let read = house.call("read", json!({"path": "plain/one.txt"})).await;
    assert_eq!(read["text"], "one\n", "it is there until the user says so");
    let append = json!({"path": "plain/one.txt", "operation": "append", "content": "x"});
    assert!(house.refusal("edit", append).await.contains("is to be deleted"));
}

#[tokio::test]
async fn ids_stay_through_a_move_between_knowledge_bases() {
    let house = garden().await;
    let other = house.folder.path().join("other");
    write(&other.join("a.md"), "a\n");
    let other = house.library.add(&other, None).await.unwrap().id;
    house.library.settle().await;
    let id = house.library.file(&place(&house, "notes/leek.md")).unwrap().id;
    let to =
        orangery_domain::FilePlace { kb_id: other, path: orangery_domain::KbPath::parse("leek.md").unwrap() };
    house.changes.relocate(&place(&house, "notes/leek.md"), &to, Default::default()).await.unwrap();
    house.library.settle().await;
    assert_eq!(house.library.file(&to).map(|file| file.id), Some(id));
    assert!(house.library.file(&place(&house, "notes/leek.md")).is_none());
    house.library.rescan(other).unwrap();
    house.library.rescan(house.kb).unwrap();
    house.library.settle().await;
    assert_eq!(house.library.file_by_id(id).map(|file| file.kb_id), Some(other));
}

fn place(house: &House, path: &str) -> orangery_domain::FilePlace {
    orangery_domain::FilePlace { kb_id: house.kb, path: orangery_domain::KbPath::parse(path).unwrap() }
}
