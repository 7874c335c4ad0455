//! `search target=text`.

use orangery_domain::Level;
use serde_json::{Value, json};

use crate::support::{House, write};

async fn kitchen() -> House {
    let broth: String = (1..=9).map(|n| format!("bone {n}\nwater\n")).collect();
    House::new(&[
        ("notes/broth.md", &broth),
        ("notes/deep/tea.md", "# Tea\n\nwater, eighty degrees\nbone china\n"),
        ("plain.txt", "WATER\r\nbone\r\n"),
        (".env", "bone=secret\n"),
        (".hidden/x.md", "bone\n"),
    ])
    .await
}

fn text(mut input: Value) -> Value {
    input["target"] = "text".into();
    input
}

#[tokio::test]
async fn files_come_with_their_first_lines() {
    let house = kitchen().await;
    let found = house.call("search", text(json!({"pattern": "^bone"}))).await;
    assert_eq!(
        found["files"],
        json!([
            {"path": "notes/broth.md", "count": 9, "lines": [1, 3, 5, 7, 9]},
            {"path": "notes/deep/tea.md", "count": 1, "lines": [4]},
            {"path": "plain.txt", "count": 1, "lines": [2]},
        ])
    );
    assert_eq!(found["footer"], "files 1-3 of 3, last page");
    assert!(!found.to_string().contains("secret"));
    // They go straight into read.
    let lines = &found["files"][1]["lines"];
    let window =
        house.call("read", json!({"path": "notes/deep/tea.md", "around": lines, "context": 0})).await;
    assert_eq!(window["rows"], "...\n4\tbone china\n...\n");
    let page = house.call("search", text(json!({"pattern": "^bone", "limit": 2}))).await;
    assert_eq!((&page["footer"], &page["nextOffset"]), (&json!("files 1-2 of 3, next offset 2"), &json!(2)));
    let page = house.call("search", text(json!({"pattern": "^bone", "limit": 2, "offset": 2}))).await;
    assert_eq!(page["footer"], "files 3-3 of 3, last page");
    assert_eq!(page["files"][0]["path"], "plain.txt");
}

#[tokio::test]
async fn content_is_numbered_lines_and_context_is_flagged() {
    let house = kitchen().await;
    let input = json!({"pattern": "bone [23]", "output": "content", "context": 1});
    let found = house.call("search", text(input)).await;
    assert_eq!(
        found["files"][0]["rows"],
        json!([
            {"line": 2, "text": "water", "context": true},
            {"line": 3, "text": "bone 2"},
            {"line": 4, "text": "water", "context": true},
            {"line": 5, "text": "bone 3"},
            {"line": 6, "text": "water", "context": true},
        ])
    );
    assert_eq!(found["footer"], "lines 1-2 of 2 in 1 files, last page");
    let input = json!({"pattern": "bone", "output": "content", "limit": 4, "offset": 8});
    let page = house.call("search", text(input)).await;
    assert_eq!(page["footer"], "lines 9-11 of 11 in 3 files, last page");
    let over = json!({"pattern": "Tea.*water", "multiline": true, "output": "content"});
    let over = house.call("search", text(over)).await;
    assert_eq!(over["files"][0]["rows"].as_array().unwrap().len(), 3, "{over}");
    let any = house.call("search", text(json!({"pattern": "water$", "ignoreCase": true}))).await;
    assert_eq!(any["files"].as_array().unwrap().len(), 2, "{any}");
}

#[tokio::test]
async fn queries_are_merged() {
    let house = kitchen().await;
    let queries = json!([
        {"pattern": "bone", "dir": "notes", "recursive": false},
        {"pattern": "bone \\d", "dir": "notes/broth.md"},
        {"pattern": "water", "dir": "notes", "glob": "*.txt"},
        {"pattern": "eighty", "glob": "tea.*"},
    ]);
    let found = house.call("search", text(json!({"queries": queries}))).await;
    let counts: Vec<_> = found["files"].as_array().unwrap().iter().map(|file| &file["count"]).collect();
    assert_eq!(counts, [&json!(9), &json!(1)], "{found}");
    let typed = house.call("search", text(json!({"pattern": "bone", "fileTypes": ["txt"]}))).await;
    assert_eq!(typed["files"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn parameters_are_refused_by_name() {
    let house = kitchen().await;
    let many: Vec<Value> = (0..40).map(|_| json!({"pattern": "a"})).collect();
    for (input, expected) in [
        (json!({}), "pattern: is missing"),
        (json!({"pattern": ""}), "pattern: is missing"),
        (json!({"pattern": "a("}), "pattern: unclosed group"),
        (json!({"pattern": "a\nb"}), "pattern: "),
        (json!({"queries": [{"pattern": "a"}, {"pattern": "[b"}]}), "queries[1].pattern: unclosed"),
        (json!({"queries": [{"pattern": "a", "glob": "[b"}]}), "queries[0].glob: "),
        (json!({"queries": [{"pattern": "a", "colour": 1}]}), "unknown field `colour`"),
        (json!({"queries": [{"dir": "notes"}]}), "queries[0].pattern: is missing"),
        (json!({"queries": []}), "queries: is empty"),
        (json!({"queries": many}), "queries: at most 32"),
        (json!({"queries": [{"pattern": "a"}], "dir": "notes"}), "queries: cannot go with"),
        (json!({"pattern": "a", "query": "b"}), "query: goes with target notes"),
        (json!({"pattern": "a", "tags": ["b"]}), "tags: goes with target notes"),
        (json!({"pattern": "a", "pathPrefix": "b"}), "pathPrefix: goes with target notes"),
        (json!({"pattern": "a", "context": 1}), "context: goes with output content"),
        (json!({"pattern": "a", "output": "content", "context": 21}), "context: give 0 to 20"),
        (json!({"pattern": "a", "limit": 0}), "limit: give 1 to"),
        (json!({"pattern": "a", "output": "count"}), "output: unknown variant `count`"),
        (json!({"pattern": "a", "offset": -1}), "offset: "),
        (json!({"pattern": "a", "dir": "nowhere"}), "nowhere"),
        (json!({"pattern": "a", "dir": " "}), "dir: is blank"),
        (json!({"pattern": "a", "knowledgeBaseIds": [77]}), "knowledgeBaseIds: 77"),
        (json!({"pattern": "a", "fileTypes": ["song"]}), "fileTypes: "),
    ] {
        let refusal = house.refusal("search", text(input.clone())).await;
        assert!(refusal.contains(expected), "{input}: {refusal}");
    }
    let refusal = house.refusal("search", json!({"query": "a", "pattern": "b"})).await;
    assert!(refusal.contains("pattern: goes with target text"), "{refusal}");
    house.denial(Level::L2, "search", text(json!({"pattern": "a", "dir": "../x"}))).await;
}

#[tokio::test]
async fn secrets_and_places_outside_are_the_users_to_give() {
    let house = kitchen().await;
    let outside = house.folder.path().join("elsewhere");
    write(&outside.join("a.txt"), "bone\n");
    write(&outside.join("sub/id_rsa"), "bone\n");
    let ask = text(json!({"pattern": "bone", "dir": outside}));
    house.denial(Level::L2, "search", ask.clone()).await;
    house.card(Level::L3, "search", ask.clone()).await;
    let found = house.call_at(Level::L4, false, false, "search", ask).await.output;
    let path = outside.join("a.txt");
    assert_eq!(found["files"], json!([{"path": path, "count": 1, "lines": [1]}]), "{found}");
    let env = text(json!({"pattern": "bone", "dir": ".env"}));
    let card = house.card(Level::L2, "search", env.clone()).await;
    assert_eq!(card.question, "sensitiveFile");
    let given = house.call_at(Level::L2, false, true, "search", env).await.output;
    assert_eq!(given["files"][0]["path"], ".env", "{given}");
}

#[tokio::test]
async fn rules_hide_lines_too() {
    let house = House::new(&[
        ("private/a.md", "the heron nests here\n"),
        ("open.md", "the heron flies\n"),
        (".orange/permissions.yaml", "deny: ['read(path:private/**)']\n"),
    ])
    .await;
    let found = house.call("search", text(json!({"pattern": "heron"}))).await;
    assert_eq!(found["footer"], "files 1-1 of 1, last page");
    assert_eq!(found["files"][0]["path"], "open.md");
}
