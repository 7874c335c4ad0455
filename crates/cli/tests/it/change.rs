//! From a tool call to a change that is applied and taken back; bytes are compared whole.

use serde_json::{Value, json};

use crate::bench::Bench;

fn only_pending(bench: &Bench) -> String {
    let sets = bench.json(["change", "list", "--pending"]);
    assert_eq!(sets.as_array().unwrap().len(), 1, "{sets}");
    sets[0]["id"].to_string()
}

fn edit(bench: &Bench, name: &str, original: &str, next: &str) -> Value {
    bench.tool(0, "L2", "read", &json!({ "path": name }));
    let input = json!({ "path": name, "operation": "replace", "original": original, "next": next });
    bench.tool(0, "L2", "edit", &input)
}

#[track_caller]
fn check(name: &str, before: &[u8], (original, next): (&str, &str), after: &[u8]) {
    let bench = Bench::with(&[(name, before)]);
    edit(&bench, name, original, next);
    assert_eq!(bench.read(name), before, "a proposal writes nothing");
    let id = only_pending(&bench);
    let applied = bench.json(["change", "apply", &id]);
    assert_eq!(bench.read(name), after, "{applied}");
    bench.json(["change", "undo", &id]);
    assert_eq!(bench.read(name), before, "taken back");
    bench.ends(5, ["change", "undo", &id]);
}

#[test]
fn crlf_and_a_byte_order_mark_stay() {
    check(
        "win.md",
        b"\xef\xbb\xbf# A\r\n\r\none\r\ntwo\r\nlone\rend",
        ("one\ntwo", "eins\nzwei\ndrei"),
        b"\xef\xbb\xbf# A\r\n\r\neins\r\nzwei\r\ndrei\r\nlone\rend",
    );
}

#[test]
fn gb18030_stays() {
    // 橙园的冬天\n柑橘树\n and, for 夏, what GB18030 says.
    let before = b"\xb3\xc8\xd4\xb0\xb5\xc4\xb6\xac\xcc\xec\n\xb8\xcc\xe9\xd9\xca\xf7\n\xce\xc2\xca\xd2\xc0\xef\xba\xdc\xc5\xaf\xba\xcd\n";
    let after = b"\xb3\xc8\xd4\xb0\xb5\xc4\xcf\xc4\xcc\xec\n\xb8\xcc\xe9\xd9\xca\xf7\n\xce\xc2\xca\xd2\xc0\xef\xba\xdc\xc5\xaf\xba\xcd\n";
    check("gb.txt", before, ("冬天", "夏天"), after);
}

#[test]
fn hunks_are_chosen_one_by_one() {
    let lines: Vec<String> = (1..=40).map(|number| format!("line {number}\n")).collect();
    let text = lines.concat();
    let bench = Bench::with(&[("a.md", text.as_bytes())]);
    bench.tool(0, "L2", "read", &json!({ "path": "a.md" }));
    let edits = json!({ "path": "a.md", "operation": "multi_replace", "edits": [
        { "original": "line 2\n", "next": "LINE 2\n" }, { "original": "line 39\n", "next": "LINE 39\n" },
    ] });
    bench.tool(0, "L2", "edit", &edits);
    let id = only_pending(&bench);
    let shown = bench.json(["change", "show", &id]);
    assert_eq!(shown["diffs"][0]["hunks"].as_array().unwrap().len(), 2);
    bench.ends(2, ["change", "apply", &id, "--hunk", "7"]);
    bench.json(["change", "apply", &id, "--hunk", "1"]);
    assert_eq!(String::from_utf8(bench.read("a.md")).unwrap(), text.replace("line 39", "LINE 39"));
}

#[test]
fn what_happens_to_whole_files_and_folders_is_said_before_it_is_applied() {
    let bench = Bench::with(&[
        ("a.md", b"one\n"),
        ("b.md", b"[[a]]\n"),
        ("p/c.md", b"three\n"),
        ("p/q/.hidden", b"four\n"),
    ]);
    let other = bench.top().join("other");
    std::fs::create_dir(&other).unwrap();
    bench.json(["index", other.to_str().unwrap()]);
    let known = bench.json(["kb", "list"]);
    let id = known.as_array().unwrap().iter().find(|kb| kb["name"] == "other").unwrap()["id"].clone();
    let said = |input: Value| {
        let (notes, input) = (bench.path(""), input.to_string());
        let folders = ["--kb", &notes, "--kb", other.to_str().unwrap()];
        bench.json(["tool", "edit", &input, "--level", "L2", "--session", "s"].iter().chain(&folders));
        let id = only_pending(&bench);
        let output = bench.run(["change", "show", &id]);
        bench.json(["change", "reject", &id]);
        String::from_utf8(output.stdout).unwrap()
    };
    let renamed = said(json!({ "path": "p", "operation": "rename", "destination": "r" }));
    let holds = "2 files in 1 folder, 1 hidden, 1 that no search finds, 11 B";
    assert!(renamed.contains(&format!("\twaiting\tp → r\n  {holds}\n")), "{renamed}");
    let away = json!({
        "path": "a.md", "operation": "move", "destination": "z.md", "destinationKnowledgeBaseId": id,
    });
    let moved = said(away);
    let left = "some links will not lead any more where they lead now, in b.md";
    assert!(moved.contains(&format!("\ta.md → z.md in other\n  {left}\n")), "{moved}");
    let deleted = said(json!({ "path": "a.md", "operation": "delete" }));
    assert!(deleted.contains("\tto trash\twaiting\ta.md\n  4 B\n"), "{deleted}");
}

#[test]
fn a_file_that_moved_on_is_a_conflict() {
    let bench = Bench::with(&[("a.md", b"one\n")]);
    edit(&bench, "a.md", "one", "two");
    bench.write("a.md", "somebody else\n");
    let applied = bench.ends(5, ["change", "apply", &only_pending(&bench)]);
    assert_eq!(applied["conflicts"].as_array().unwrap().len(), 1, "{applied}");
    let reason = &applied["reasons"][0];
    assert_eq!(
        (&reason["operationId"], &reason["path"]),
        (&applied["conflicts"][0], &json!("a.md")),
        "{reason}"
    );
    assert_eq!(reason["note"]["code"], "changedHere");
    let output = bench.run(["change", "apply", &applied["changeSetId"].to_string()]);
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("\ta.md\tchanged on disk at the same place"),
        "{output:?}"
    );
    assert_eq!(bench.read("a.md"), b"somebody else\n");
}

#[test]
fn what_is_applied_already_is_not_applied_again() {
    let bench = Bench::with(&[("a.md", b"one\n")]);
    edit(&bench, "a.md", "one", "two");
    let id = only_pending(&bench);
    bench.json(["change", "apply", &id]);
    let again = bench.run(["change", "apply", &id]);
    assert_eq!(again.status.code(), Some(5), "{again:?}");
    assert!(
        String::from_utf8_lossy(&again.stderr).contains("nothing in it waits; it is applied"),
        "{again:?}"
    );
}

#[test]
fn rejected_changes_are_not_applied_and_history_brings_back() {
    let bench = Bench::with(&[("a.md", b"one\n")]);
    edit(&bench, "a.md", "one", "two");
    let id = only_pending(&bench);
    bench.json(["change", "reject", &id]);
    assert_eq!(bench.json(["change", "list", "--pending"]), json!([]));

    edit(&bench, "a.md", "one", "three");
    bench.json(["change", "apply", &only_pending(&bench)]);
    assert_eq!(bench.read("a.md"), b"three\n");
    let versions = bench.json(["history", "notes/a.md"]);
    let version = versions[0]["id"].to_string();
    bench.ends(5, ["restore", "notes/a.md", "--version", "4711"]);
    bench.json(["restore", "notes/a.md", "--version", &version]);
    assert_eq!(bench.read("a.md"), b"one\n");
}

#[test]
fn level_four_applies_at_once_and_can_be_undone() {
    let bench = Bench::with(&[("a.md", b"one\n")]);
    bench.tool(0, "L4", "read", &json!({ "path": "a.md" }));
    let input = json!({ "path": "a.md", "operation": "replace", "original": "one", "next": "two" });
    bench.tool(0, "L4", "edit", &input);
    assert_eq!(bench.read("a.md"), b"two\n");
    let sets = bench.json(["change", "list"]);
    bench.json(["change", "undo", &sets[0]["id"].to_string()]);
    assert_eq!(bench.read("a.md"), b"one\n");
}

#[test]
fn what_level_four_cannot_write_is_a_failure() {
    let bench = Bench::with(&[("a.md", b"one\n")]);
    bench.tool(0, "L4", "read", &json!({ "path": "a.md" }));
    let mut permissions = std::fs::metadata(bench.path("a.md")).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(bench.path("a.md"), permissions).unwrap();
    let input = json!({ "path": "a.md", "operation": "replace", "original": "one", "next": "two" });
    let called = bench.tool(5, "L4", "edit", &input);
    assert_eq!(called["output"]["state"], "not applied");
    assert_eq!(called["refused"], called["output"]["problem"]);
    assert_eq!(bench.read("a.md"), b"one\n");
}
