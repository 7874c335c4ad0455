//! The main job, from a folder to a change that was applied and taken back, through the API alone.

use orangery_tests::House;
use serde_json::{Value, json};

/// Reads, proposes, applies and undoes one replacement; the bytes must be `before`, `after`, `before`.
async fn walk(name: &str, before: &[u8], original: &str, next: &str, after: &[u8]) {
    let house = House::open().await;
    house.write(name, before);
    let kb = house.add().await;
    assert_eq!(house.found(original, 1).await, [name]);

    // What was read is the basis of an edit only within one session, so it has a name.
    let session = Some("walk");
    house.tool(kb, "L2", session, "read", json!({ "path": name })).await;
    let edit = json!({ "path": name, "operation": "replace", "original": original, "next": next });
    let proposed = house.tool(kb, "L2", session, "edit", edit).await;
    assert_eq!(house.read(name), before, "a proposal must not write: {proposed}");

    let pending = house.call("change.list", json!({ "pending": true })).await;
    let id = pending[0]["id"].clone();
    let applied = house.call("change.apply", json!({ "changeSetId": id, "all": true })).await;
    assert_eq!(house.read(name), after, "{name}: {applied}");
    assert_eq!(house.found(next, 1).await, [name]);

    // What was applied is still undone by a process that did not apply it.
    let house = house.reopen().await;
    house.call("change.undo", json!({ "changeSetId": id })).await;
    assert_eq!(house.read(name), before, "{name} after undo");
    assert_eq!(house.found(original, 1).await, [name]);
}

#[tokio::test(flavor = "multi_thread")]
async fn plain_utf8() {
    walk(
        "玻璃.md",
        "# 玻璃\n\n冬天的橙园\n".as_bytes(),
        "冬天的橙园",
        "夏天的花园",
        "# 玻璃\n\n夏天的花园\n".as_bytes(),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn crlf_with_a_mark_and_no_last_newline() {
    walk(
        "glass.md",
        b"\xEF\xBB\xBF# Glass\r\n\r\nCast iron frames\r\nthe end",
        "Cast iron frames",
        "Timber\nframes",
        b"\xEF\xBB\xBF# Glass\r\n\r\nTimber\r\nframes\r\nthe end",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mixed_line_endings_stay_where_they_are() {
    walk(
        "mixed.txt",
        b"one\r\ntwo\nthree winter\rfour\n",
        "winter",
        "summer",
        b"one\r\ntwo\nthree summer\rfour\n",
    )
    .await;
}

/// Fails on what is not reachable, and on what was denied or refused.
fn denial(called: &Value) -> &str {
    called["denied"].as_str().unwrap_or_else(|| panic!("was not denied: {called}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn level_one_reads_and_no_more() {
    let house = House::open().await;
    house.write("a.md", "winter\n");
    let kb = house.add().await;
    house.found("winter", 1).await;
    let edit = json!({ "path": "a.md", "operation": "append", "content": "x" });
    assert!(!denial(&house.tool(kb, "L1", None, "edit", edit).await).is_empty());
    assert!(
        !denial(&house.tool(kb, "L1", None, "read", json!({ "path": "/etc/hostname" })).await).is_empty()
    );
    assert_eq!(house.call("change.list", json!({})).await, json!([]));
    assert_eq!(house.read("a.md"), b"winter\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_a_file_that_moved_on_is_a_conflict() {
    let house = House::open().await;
    house.write("a.md", "winter\n");
    let kb = house.add().await;
    house.found("winter", 1).await;
    let session = Some("walk");
    house.tool(kb, "L2", session, "read", json!({ "path": "a.md" })).await;
    let edit = json!({ "path": "a.md", "operation": "replace", "original": "winter", "next": "summer" });
    house.tool(kb, "L2", session, "edit", edit).await;
    house.write("a.md", "winter, and more\n");
    let id = house.call("change.list", json!({ "pending": true })).await[0]["id"].clone();
    let _ = house.try_call("change.apply", json!({ "changeSetId": id, "all": true })).await;
    assert_eq!(house.read("a.md"), b"winter, and more\n");
    let set = house.call("change.get", json!({ "changeSetId": id })).await;
    assert_eq!(set["operations"][0]["state"], "conflict", "{set}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_others_write_and_remove_is_found_and_lost() {
    let house = House::open().await;
    house.write("a.md", "winter\n");
    house.add().await;
    assert_eq!(house.found("winter", 1).await, ["a.md"]);
    house.write("folder/b.md", "使用Rust写的橙园\n");
    assert_eq!(house.found("橙园", 1).await, ["folder/b.md"]);
    std::fs::remove_file(house.notes().join("a.md")).unwrap();
    house.found("winter", 0).await;
}
