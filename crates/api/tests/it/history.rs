//! What other programs write over.

use std::time::{Duration, Instant};

use orangery_api::App;
use serde_json::{Value, json};

use crate::house::{House, call};

async fn versions(app: &App, place: &Value) -> Vec<Value> {
    call(app, "history.list", json!({ "place": place })).await.as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_note_that_another_program_writes_over_is_kept() {
    let house = House::new();
    let notes = house.folder("notes");
    std::fs::write(notes.join("a.md"), "mine\n").unwrap();
    std::fs::write(notes.join("b.md"), "nobody looks\n").unwrap();
    let app = house.open().await;
    let kb = call(&app, "kb.add", json!({ "root": notes, "name": null })).await["id"].clone();
    app.catch_up().await;
    let place = |name: &str| json!({ "kbId": kb, "path": name });
    call(&app, "note.open", json!({ "place": place("a.md") })).await;
    std::fs::write(notes.join("b.md"), "theirs as well\n").unwrap();
    std::fs::write(notes.join("a.md"), "theirs\n").unwrap();

    let start = Instant::now();
    let kept = loop {
        let kept = versions(&app, &place("a.md")).await;
        if !kept.is_empty() {
            break kept;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "the watcher said nothing");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!(kept[0]["provenance"]["source"], "outside");
    let text = call(&app, "history.read", json!({ "versionId": kept[0]["id"] })).await;
    assert_eq!(text["text"], "mine\n");
    assert!(versions(&app, &place("b.md")).await.is_empty());
    app.shutdown().await;
}
