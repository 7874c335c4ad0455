//! One process owns the data directory; others go through it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use futures::StreamExt;
use orangery_api::App;
use orangery_api::domain::Event;
use orangery_api::error::Code;
use serde_json::json;

use crate::house::{House, call, config, try_call};

/// Whether any process has the data directory.
fn owned(house: &House) -> bool {
    orangery_store::owner::claim(&house.config().data_dir).unwrap().is_none()
}

/// What keeps the address from being written, such as a full disk, is said as what it is.
#[tokio::test(flavor = "multi_thread")]
async fn an_owner_that_cannot_be_announced_says_why() {
    let house = House::new();
    house.folder("data/owner.address/taken");
    let error = App::open(house.config()).await.err().unwrap();
    assert_eq!(error.code, Code::Io, "{error}");
    assert!(error.detail["path"].ends_with("owner.address"), "{error:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_forwards_calls_and_events() {
    let house = House::new();
    let owner = house.open().await;
    let second = house.open().await;
    let mut events = Box::pin(second.events(Some(0)).await);
    assert_eq!(events.next().await.unwrap().event, Event::Resync);

    let mut settings = call(&second, "setting.get", json!({})).await;
    settings["theme"] = json!("dark");
    call(&second, "setting.set", json!({ "settings": settings })).await;
    assert_eq!(call(&owner, "setting.get", json!({})).await["theme"], "dark");
    assert!(matches!(events.next().await.unwrap().event, Event::Stale { .. }));

    // Errors arrive as they were, and what a host can do is its own.
    let error = try_call(&second, "no.such", json!({})).await.unwrap_err();
    assert_eq!(error.code, Code::UnknownMethod);
    assert_eq!(call(&second, "host.capabilities", json!({})).await["readOnly"], false);

    // The owner goes: the second takes over, and its stream says that something may have been missed.
    owner.shutdown().await;
    assert!(!owned(&house));
    assert_eq!(call(&second, "setting.get", json!({})).await["theme"], "dark");
    assert!(owned(&house));
    assert_eq!(events.next().await.unwrap().event, Event::Resync);
    second.shutdown().await;
    assert_eq!(events.next().await, None);
    let error = try_call(&second, "setting.get", json!({})).await.unwrap_err();
    assert_eq!(error.code, Code::Cancelled);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_that_does_not_answer_leaves_the_other_reading() {
    let house = House::new();
    let notes = house.folder("notes");
    std::fs::write(notes.join("a.md"), "# 玻璃\n").unwrap();
    let owner = house.open().await;
    call(&owner, "kb.add", json!({ "root": notes, "name": null })).await;
    owner.catch_up().await;
    owner.shutdown().await;
    // Has the lock, but nobody listens.
    let silent = orangery_store::owner::claim(&house.config().data_dir).unwrap().unwrap();
    let app = App::open_within(house.config(), std::time::Duration::from_millis(200)).await.unwrap();
    assert_eq!(call(&app, "host.capabilities", json!({})).await["readOnly"], true);
    let page = call(&app, "search.run", json!({ "text": "玻璃" })).await;
    assert_eq!(page["groups"][0]["place"]["path"], "a.md");
    let note = call(&app, "note.open", json!({ "place": page["groups"][0]["place"] })).await;
    assert_eq!(note["text"], "# 玻璃\n");
    call(&app, "change.list", json!({})).await;
    let settings = call(&app, "setting.get", json!({})).await;
    let error = try_call(&app, "setting.set", json!({ "settings": settings })).await.unwrap_err();
    assert_eq!(error.code, Code::ReadOnlyProcess);
    // It is not read-only for ever.
    drop(silent);
    call(&app, "setting.set", json!({ "settings": settings })).await;
    assert_eq!(call(&app, "host.capabilities", json!({})).await["readOnly"], false);
    app.shutdown().await;
}

/// Not a test of its own: with the variable set, this process owns the directory until it is killed.
#[tokio::test(flavor = "multi_thread")]
async fn own_until_killed() {
    let Some(top) = std::env::var_os("ORANGERY_TEST_OWN") else { return };
    let app = App::open(config(top.as_ref())).await.unwrap();
    call(&app, "setting.get", json!({})).await;
    println!("owning");
    std::future::pending::<()>().await;
}

fn owning_process(house: &House) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "owner::own_until_killed", "--nocapture"])
        .env("ORANGERY_TEST_OWN", house.top.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line.contains("owning")));
    child
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_owner_leaves_no_lock() {
    let house = House::new();
    let mut child = owning_process(&house);
    let second = house.open().await;
    call(&second, "setting.get", json!({})).await;
    // SIGKILL.
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!owned(&house));
    call(&second, "setting.get", json!({})).await;
    assert!(owned(&house));
    second.shutdown().await;
    assert!(!owned(&house));
}

/// FAULTS B8: as command lines that run side by side do.
#[tokio::test(flavor = "multi_thread")]
async fn owners_that_come_and_go_finish_what_others_asked_of_them() {
    let house = House::new();
    let notes = house.folder("notes");
    std::fs::write(notes.join("a.md"), "# Glass\n").unwrap();
    let first = house.open().await;
    call(&first, "kb.add", json!({ "root": notes, "name": null })).await;
    first.catch_up().await;
    first.shutdown().await;
    let lines = (0..6).map(|_| {
        let config = house.config();
        tokio::spawn(async move {
            for _ in 0..6 {
                let app = App::open(config.clone()).await.unwrap();
                let request = json!({
                    "tool": "read", "input": { "path": "a.md" }, "kbIds": [], "level": "L2", "plan": false,
                    "approve": false, "sessionId": null,
                });
                let called = call(&app, "tool.call", request).await;
                assert_eq!(called["output"]["text"], "# Glass\n", "{called}");
                app.shutdown().await;
            }
        })
    });
    for line in lines.collect::<Vec<_>>() {
        line.await.unwrap();
    }
}
