use orangery_domain::{ChangeSetId, Level};
use serde_json::{Value, json};

use crate::support::{House, write, write_empty};

const NOTE: &str = "# Soup\n\nWater and salt.\n\n## Broth\n\nBones, simmered.\n\n### Fish\n\nHeads.\n\n## Miso\n\n味噌汤要小火。\n";

async fn kitchen() -> House {
    House::new(&[
        ("notes/soup.md", NOTE),
        ("notes/茶.md", "# 茶\n\n龙井茶用八十度的水泡。\n"),
        ("plain.txt", "one\r\ntwo\r\nthree\r\n"),
        ("pictures/pot.png", "not really"),
    ])
    .await
}

#[tokio::test]
async fn search_numbers_its_passages() {
    let house = kitchen().await;
    let found = house.call("search", json!({"query": "bones simmered"})).await;
    let passage = &found["passages"][0];
    assert_eq!((&passage["path"], &passage["citation"]), (&json!("notes/soup.md"), &json!(1)), "{found}");
    assert_eq!(passage["headingPath"], json!(["Soup", "Broth"]));
    let chinese = house
        .call("search", json!({"query": "龙井", "target": "notes", "fileTypes": ["markdown", "image"]}))
        .await;
    assert_eq!(chinese["passages"][0]["path"], "notes/茶.md");
    assert!(chinese["passages"][0]["citation"].as_u64().unwrap() > 1, "numbers are the session's");
    assert!(chinese["hints"][0].as_str().unwrap().contains("list"));
    for images in [json!({"query": "龙井", "image": true}), json!({"query": "龙井", "target": "image"})] {
        let found = house.call("search", images).await;
        assert_eq!(found["passages"][0]["path"], "notes/茶.md");
        assert!(found["hints"][0].as_str().unwrap().contains("then read"), "{found}");
    }
    let narrowed = house.call("search", json!({"query": "龙井", "pathPrefix": "pictures"})).await;
    assert_eq!(narrowed["passages"], json!([]));
}

#[tokio::test]
async fn parameters_are_refused_by_name() {
    let house = kitchen().await;
    for (tool, input, expected) in [
        ("search", json!({"query": "a", "colour": 1}), "unknown field `colour`"),
        ("search", json!({"query": " "}), "query: "),
        ("search", json!({"query": "a", "target": "text"}), "query: goes with target notes"),
        ("search", json!({"query": "a", "knowledgeBaseIds": [77]}), "knowledgeBaseIds: 77"),
        ("search", json!({"query": "a", "updatedAfter": "soon"}), "updatedAfter: "),
        ("read", json!({}), "path: "),
        ("read", json!({"path": "a.md", "fileId": 1}), "fileId: "),
        ("read", json!({"path": "a.md", "offset": 1, "around": [1]}), "offset: cannot go with around"),
        ("read", json!({"path": "a.md", "context": 1}), "context: "),
        ("read", json!({"path": "a.md", "lineLimit": 0}), "lineLimit: "),
        ("read", json!({"files": [{"path": "a.md"}], "path": "b.md"}), "files: "),
        ("read", json!({"path": "a.md", "knowledgeBaseId": 9}), "knowledgeBaseId: "),
        ("list", json!({"glob": "**/*"}), "glob: "),
        ("list", json!({"path": ".", "glob": "a*"}), "glob: "),
        ("list", json!({"queries": [{"fileType": "song"}]}), "fileType: "),
        ("list", json!({"queries": [{}], "path": "."}), "queries: "),
        ("edit", json!({"path": "a.md", "operation": "replace", "original": "a"}), "next: is missing"),
        (
            "edit",
            json!({"path": "a.md", "operation": "append", "content": "a", "next": ""}),
            "next: does not belong",
        ),
        ("edit", json!({"path": "a.md", "operation": "shred"}), "operation: unknown variant"),
        (
            "edit",
            json!({"path": "a.md", "operation": "multi_replace", "edits": [{"original": "a", "next": "b", "occurrence": 1, "replaceAll": true}]}),
            "edits[0].occurrence",
        ),
        ("write", json!({"kind": "file", "targetPath": "a.md"}), "content: "),
        ("write", json!({"kind": "file", "targetPath": "a.rs", "content": ""}), "targetPath: "),
        ("write", json!({"kind": "folder", "targetPath": " "}), "targetPath: "),
        ("sing", json!({}), "there is no tool"),
    ] {
        let refusal = house.refusal(tool, input.clone()).await;
        assert!(refusal.contains(expected), "{tool} {input}: {refusal}");
    }
}

#[tokio::test]
async fn read_by_characters_lines_and_heading() {
    let house = kitchen().await;
    let whole = house.call("read", json!({"path": "notes/soup.md"})).await;
    assert_eq!(whole["text"], NOTE);
    assert_eq!(whole["totalCharacters"], NOTE.chars().count());
    assert!(whole.get("nextOffset").is_none());
    assert_eq!(whole["passages"][1]["heading"], "Soup › Broth");
    assert_eq!(whole["passages"][1]["lines"], json!([5, 7]));

    let window = house.call("read", json!({"path": "notes/soup.md", "around": [7, 15], "context": 0})).await;
    assert_eq!(window["rows"], "...\n7\tBones, simmered.\n...\n15\t味噌汤要小火。\n...\n");
    let merged = house.call("read", json!({"path": "notes/soup.md", "around": [5, 7], "context": 1})).await;
    assert_eq!(merged["rows"], "...\n4\t\n5\t## Broth\n6\t\n7\tBones, simmered.\n8\t\n...\n");
    let lines = house.call("read", json!({"path": "plain.txt", "lineOffset": 2, "lineLimit": 1})).await;
    assert_eq!((&lines["rows"], &lines["nextLineOffset"]), (&json!("...\n2\ttwo\n...\n"), &json!(3)));
    let section = house.call("read", json!({"path": "notes/soup.md", "heading": "Broth"})).await;
    assert_eq!(section["text"], "## Broth\n\nBones, simmered.\n\n### Fish\n\nHeads.\n\n");

    for (input, expected) in [
        (json!({"path": "notes/soup.md", "offset": 5000}), "offsets are 0 to"),
        (json!({"path": "notes/soup.md", "around": [99]}), "lines are 1 to"),
        (json!({"path": "notes/soup.md", "lineOffset": 99}), "lines are 1 to"),
        (json!({"path": "notes/soup.md", "heading": "Tea"}), "\"Miso\""),
        (json!({"path": "pictures/pot.png", "around": [1]}), "picture"),
        (json!({"path": "nowhere.md"}), "nowhere.md"),
    ] {
        let refusal = house.refusal("read", input).await;
        assert!(refusal.contains(expected), "{refusal}");
    }
}

#[tokio::test]
async fn long_texts_go_on_at_next_offset() {
    let text: String = (0..2_000).map(|n| format!("第{n}行\n")).collect();
    let house = House::new(&[("long.md", &text)]).await;
    let (mut joined, mut offset) = (String::new(), Some(0));
    while let Some(at) = offset {
        let part = house.call("read", json!({"path": "long.md", "offset": at})).await;
        let shown = part["text"].as_str().unwrap();
        offset = part["nextOffset"].as_u64();
        let mark = shown.find("\n[… truncated by Orangery: characters ");
        assert_eq!(mark.is_some(), offset.is_some());
        joined.push_str(&shown[..mark.unwrap_or(shown.len())]);
    }
    assert_eq!(joined, text);
    // What was cut does not come back as an edit.
    let part = house.call("read", json!({"path": "long.md"})).await["text"].clone();
    let back = json!({"path": "long.md", "operation": "rewrite", "content": part});
    assert!(house.refusal("edit", back).await.contains("cut-off"));
}

#[tokio::test]
async fn history_is_listed_and_compared() {
    let house = kitchen().await;
    let path = "notes/soup.md";
    house.call("read", json!({"path": path})).await;
    let edit = json!({"path": path, "operation": "replace", "original": "Water", "next": "Cold water"});
    let proposed = house.call("edit", edit).await;
    house.changes.apply(ChangeSetId(proposed["changeSetId"].as_i64().unwrap()), &[], true).await.unwrap();

    let list = house.call("read", json!({"path": path, "history": {}})).await;
    assert_eq!(list["total"], 1, "{list}");
    let version = &list["versions"][0];
    assert_eq!((&version["path"], &version["replacedBy"]), (&json!(path), &json!("assistant")));
    let turn = version["turn"].as_i64().unwrap();
    let of_turn = house.call("read", json!({"history": {"turn": turn}})).await;
    assert_eq!(of_turn["versions"], list["versions"]);
    for (history, total) in [
        (json!({"turn": turn + 1}), 0),
        (json!({"to": "2020-01-01"}), 0),
        (json!({"from": "2020-01-01", "limit": 1}), 1),
    ] {
        assert_eq!(house.call("read", json!({"path": path, "history": history})).await["total"], total);
    }
    let diff = house.call("read", json!({"path": path, "history": {"version": version["version"]}})).await;
    let rows = diff["diff"].as_str().unwrap();
    assert!(rows.contains("\n-Water") && rows.contains("\n+Cold water"), "{rows}");
    for (input, expected) in [
        (json!({"path": path, "history": {"version": 99}}), "no version 99"),
        (json!({"path": path, "history": {"version": 1, "limit": 2}}), "goes alone"),
        (json!({"path": path, "history": {"limit": 0}}), "1 to 100"),
        (json!({"path": path, "history": {"from": "soon"}}), "history.from"),
        (json!({"path": path, "around": [1], "history": {}}), "history: goes with"),
        (json!({"history": {}}), "path"),
    ] {
        let refusal = house.refusal("read", input).await;
        assert!(refusal.contains(expected), "{refusal}");
    }
}

#[tokio::test]
async fn several_files_at_once_and_one_bad_name_among_them() {
    let house = kitchen().await;
    let read = house
        .call("read", json!({"files": [{"path": "plain.txt"}, {"path": "gone.md"}, {"path": "notes/茶.md"}]}))
        .await;
    assert_eq!(read["files"][0]["text"], "one\r\ntwo\r\nthree\r\n");
    assert!(read["files"][1]["error"].is_string());
    assert_eq!(read["files"][2]["title"], "茶");
}

#[tokio::test]
async fn pictures_of_a_note_are_places_or_reasons() {
    let note = "![a](../pictures/pot.png) ![b](<../pictures/my pot (1).png>) ![c](https://example.org/x.png)\n\
                ![d](/etc/x.png) ![e](../../x.png) ![f](missing.png) ![[pot.png]] ![g](../pictures/my%20pot%20(1).png)\n";
    let house =
        House::new(&[("notes/a.md", note), ("pictures/pot.png", "x"), ("pictures/my pot (1).png", "x")])
            .await;
    let read = house.call("read", json!({"path": "notes/a.md"})).await;
    let shown: Vec<String> = read["imageRefs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|image| match image.get("skipped") {
            Some(reason) => reason.as_str().unwrap().to_owned(),
            None => format!("{} {}", image["path"].as_str().unwrap_or("-"), image["exists"]),
        })
        .collect();
    assert_eq!(
        shown,
        [
            "pictures/pot.png true",
            "pictures/my pot (1).png true",
            "remote",
            "absolute",
            "escapes-knowledge-base",
            "notes/missing.png false",
            "pictures/pot.png true",
            "pictures/my pot (1).png true",
        ]
    );
    assert!(read["imageRefs"][0]["fileId"].is_i64());
}

#[tokio::test]
async fn list_by_name_folder_and_glob() {
    let house = kitchen().await;
    let paths = |list: &Value| -> Vec<String> {
        list["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["path"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(paths(&house.call("list", json!({})).await).len(), 5);
    assert_eq!(paths(&house.call("list", json!({"query": "茶"})).await), ["notes/茶.md"]);
    assert_eq!(paths(&house.call("list", json!({"fileType": "image"})).await), ["pictures/pot.png"]);
    assert_eq!(paths(&house.call("list", json!({"glob": "*.txt"})).await), ["plain.txt"]);
    assert_eq!(
        paths(&house.call("list", json!({"path": "."})).await),
        ["README.md", "notes/", "pictures/", "plain.txt"]
    );
    let both = house.call("list", json!({"queries": [{"prefix": "notes"}, {"query": "soup"}]})).await;
    assert_eq!(paths(&both), ["notes/soup.md", "notes/茶.md"]);
    let image = house.call("list", json!({"fileType": "image"})).await;
    assert_eq!(image["items"][0]["requiresVision"], true);
}

/// A turn must not end because a model guessed a name.
#[tokio::test]
async fn what_cannot_be_listed_is_told() {
    let house = kitchen().await;
    assert!(house.refusal("list", json!({"path": "nowhere"})).await.contains("nowhere"));
    assert!(house.refusal("list", json!({"path": "plain.txt"})).await.contains("plain.txt"));
    assert!(house.refusal("list", json!({"glob": "[a"})).await.contains("[a"));
}

#[tokio::test]
async fn long_lists_say_what_they_dropped() {
    let names: Vec<String> = (0..130).map(|n| format!("n{n:03}.md")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "x")).collect();
    let house = House::new(&files).await;
    let list = house.call("list", json!({})).await;
    assert_eq!(
        (list["items"].as_array().unwrap().len(), &list["total"], &list["dropped"]),
        (120, &json!(131), &json!(11))
    );
}

#[tokio::test]
async fn an_edit_needs_a_read_and_becomes_a_proposal() {
    let house = kitchen().await;
    let edit =
        json!({"path": "notes/soup.md", "operation": "replace", "original": "Water", "next": "Cold water"});
    assert!(house.refusal("edit", edit.clone()).await.contains("read"));
    house.call("read", json!({"path": "notes/soup.md"})).await;
    let proposed = house.call("edit", edit).await;
    assert_eq!(
        (&proposed["addedCharacters"], &proposed["removedCharacters"]),
        (&json!(6), &json!(1)),
        "{proposed}"
    );
    assert!(!proposed.to_string().contains("Cold water"), "the text does not come back");
    assert_eq!(
        std::fs::read_to_string(house.root().join("notes/soup.md")).unwrap(),
        NOTE,
        "nothing is written"
    );

    let pending = house.call("read", json!({"path": "notes/soup.md"})).await;
    assert_eq!(pending["pending"], true);
    assert!(pending["text"].as_str().unwrap().contains("Cold water"));
    let disk = house.call("read", json!({"path": "notes/soup.md", "base": "disk"})).await;
    assert_eq!(disk["text"], NOTE);

    let set = ChangeSetId(proposed["changeSetId"].as_i64().unwrap());
    house.changes.apply(set, &[], true).await.unwrap();
    assert!(std::fs::read_to_string(house.root().join("notes/soup.md")).unwrap().contains("Cold water"));
}

#[tokio::test]
async fn a_file_that_changed_since_is_not_edited() {
    let house = kitchen().await;
    house.call("read", json!({"path": "plain.txt"})).await;
    write(&house.root().join("plain.txt"), "one\r\n2\r\nthree\r\n");
    let edit = json!({"path": "plain.txt", "operation": "replace", "original": "one", "next": "1"});
    assert!(house.refusal("edit", edit).await.contains("changed"));
}

#[tokio::test]
async fn write_proposes_files_and_folders() {
    let house = kitchen().await;
    let new = json!({"kind": "file", "targetPath": "new/deep/a.md", "content": "# A\n"});
    let proposed = house.call("write", new).await;
    assert!(!house.root().join("new").exists());
    house.changes.apply(ChangeSetId(proposed["changeSetId"].as_i64().unwrap()), &[], true).await.unwrap();
    assert_eq!(std::fs::read_to_string(house.root().join("new/deep/a.md")).unwrap(), "# A\n");
    let refusal =
        house.refusal("write", json!({"kind": "file", "targetPath": "plain.txt", "content": "x"})).await;
    assert!(refusal.contains("exists"), "{refusal}");
}

#[tokio::test]
async fn at_l4_changes_are_written_at_once_but_not_what_steers_assistants() {
    let house = House::new(&[("a.md", "one\n"), ("AGENTS.md", "be kind\n")]).await;
    let at_l4 = |tool, input| house.call_at(Level::L4, false, false, tool, input);
    at_l4("read", json!({"files": [{"path": "a.md"}, {"path": "AGENTS.md"}]})).await;
    let edit = |path: &str, original: &str| json!({"path": path, "operation": "replace", "original": original, "next": "two"});
    let edited = at_l4("edit", edit("a.md", "one")).await;
    assert_eq!(edited.output["state"], "applied", "{:?}", edited.output);
    assert_eq!(std::fs::read_to_string(house.root().join("a.md")).unwrap(), "two\n");
    // Its own change counts as read.
    let again = at_l4("edit", json!({"path": "a.md", "operation": "append", "content": "three"})).await;
    assert_eq!(again.output["state"], "applied", "{:?}", again.output);
    let written = at_l4("write", json!({"kind": "file", "targetPath": "x/y/z.md", "content": "z"})).await;
    assert_eq!(written.output["state"], "applied", "{:?}", written.output);
    assert!(house.root().join("x/y/z.md").exists());
    let steering = at_l4("edit", edit("AGENTS.md", "be kind")).await;
    assert!(steering.output["state"].as_str().unwrap().starts_with("pending"), "{:?}", steering.output);
    assert_eq!(std::fs::read_to_string(house.root().join("AGENTS.md")).unwrap(), "be kind\n");
    let steering =
        at_l4("write", json!({"kind": "file", "targetPath": ".orange/memory.md", "content": "z"})).await;
    assert!(steering.output["state"].as_str().unwrap().starts_with("pending"), "{:?}", steering.output);
}

#[tokio::test]
async fn levels_deny_before_anything_is_looked_at() {
    let house = kitchen().await;
    for (level, tool, input) in [
        (Level::L1, "edit", json!({"nonsense": 1})),
        (Level::L1, "write", json!({})),
        (Level::L1, "exec", json!({"command": "ls"})),
        (Level::L2, "exec", json!({"command": "ls"})),
        (Level::L2, "browser", json!({"operation": "browser.get_state"})),
        (Level::L2, "search", json!({"target": "web", "query": "x"})),
        (Level::L2, "read", json!({"url": "https://example.org"})),
        (Level::L2, "mcp__notes__add", json!({})),
        (Level::L1, "task", json!({"operation": "run", "agent": "writer"})),
        (Level::L2, "read", json!({"path": "/etc/hostname"})),
        (Level::L2, "list", json!({"path": "/etc"})),
        (Level::L4, "read", json!({"path": "/etc/picture.png"})),
        (Level::L4, "write", json!({"kind": "file", "targetPath": "/tmp/new.md", "content": ""})),
    ] {
        house.denial(level, tool, input).await;
    }
    let planned = house.call_at(Level::L4, true, true, "write", json!({})).await;
    assert!(planned.denied.unwrap().contains("Plan"));
    // What the level would permit is only missing.
    let state = json!({"operation": "browser.get_state"});
    let missing = house.call_at(Level::L4, false, true, "browser", state).await;
    assert!(missing.refused.unwrap().contains("not available"));
}

#[tokio::test]
async fn outside_files_are_asked_for_each_time() {
    let house = kitchen().await;
    let outside = house.folder.path().join("elsewhere/a.md");
    write(&outside, "# Far away\n");
    let input = json!({"path": outside});
    let card = house.card(Level::L3, "read", input.clone()).await;
    assert_eq!(card.question, "outsideRead");
    assert_eq!(card.facts[0].value, outside.canonicalize().unwrap().to_str().unwrap());
    for _ in 0..2 {
        let read = house.call_at(Level::L3, false, true, "read", input.clone()).await;
        assert_eq!(read.output["text"], "# Far away\n");
        assert!(read.output.get("imageRefs").is_none() && read.output.get("passages").is_none());
        house.card(Level::L3, "read", input.clone()).await;
    }
    let free = house.call_at(Level::L4, false, false, "read", input).await;
    assert_eq!(free.output["text"], "# Far away\n");
    let huge = house.folder.path().join("huge.md");
    write_empty(&huge, orangery_library::NOTE_LIMIT + 1);
    let refused =
        house.call_at(Level::L4, false, false, "read", json!({"path": huge})).await.refused.unwrap();
    assert!(refused.contains("huge.md") && refused.contains("more than"), "{refused}");
    let list =
        house.call_at(Level::L4, false, false, "list", json!({"path": outside.parent().unwrap()})).await;
    assert!(
        list.output["items"][0]["path"].as_str().unwrap().ends_with("elsewhere/a.md"),
        "{:?}",
        list.output
    );
    // An absolute path that leads into a selected knowledge base is inside.
    let inside = house.call("read", json!({"path": house.root().join("plain.txt")})).await;
    assert_eq!(inside["path"], "plain.txt");
}

#[tokio::test]
async fn an_unselected_knowledge_base_is_outside() {
    let house = kitchen().await;
    let other = house.folder.path().join("other");
    write(&other.join("secret.md"), "# Other\n");
    let other = house.library.add(&other, None).await.unwrap().id.0;
    house.library.settle().await;
    let input = json!({"path": "secret.md", "knowledgeBaseId": other});
    house.denial(Level::L2, "read", input.clone()).await;
    assert_eq!(house.card(Level::L3, "read", input.clone()).await.question, "outsideRead");
    let found = house.call("search", json!({"query": "Other"})).await;
    assert_eq!(found["passages"], json!([]), "search stays in the session's scope");
    // A name that begins like the selected one's is another folder, registered or not.
    let beside = house.folder.path().join("kb-2");
    write(&beside.join("secret.md"), "# Beside\n");
    let beside = beside.join("secret.md");
    for registered in [false, true] {
        house.denial(Level::L2, "read", json!({"path": beside})).await;
        assert_eq!(house.card(Level::L3, "read", json!({"path": beside})).await.question, "outsideRead");
        house.denial(Level::L2, "list", json!({"path": beside.parent().unwrap()})).await;
        if !registered {
            house.library.add(beside.parent().unwrap(), None).await.unwrap();
            house.library.settle().await;
        }
    }
    let write = json!({"kind": "file", "targetPath": "new.md", "content": "x", "knowledgeBaseId": other});
    house.denial(Level::L4, "write", write).await;
}

#[tokio::test]
async fn sensitive_files_are_asked_for_at_every_level() {
    let house = House::new(&[(".env", "KEY=1"), ("notes.md", "x")]).await;
    #[cfg(unix)]
    std::os::unix::fs::symlink(".env", house.root().join("harmless.txt")).unwrap();
    for level in [Level::L1, Level::L2, Level::L3, Level::L4] {
        assert_eq!(house.card(level, "read", json!({"path": ".env"})).await.question, "sensitiveFile");
        #[cfg(unix)]
        assert_eq!(
            house.card(level, "read", json!({"path": "harmless.txt"})).await.question,
            "sensitiveFile"
        );
    }
}

#[cfg(unix)]
#[tokio::test]
async fn no_link_leads_out() {
    use std::os::unix::fs::symlink;
    let house = kitchen().await;
    let outside = house.folder.path().join("outside");
    write(&outside.join("secret.md"), "# Secret\n");
    let root = house.root();
    symlink(outside.join("secret.md"), root.join("file.md")).unwrap();
    symlink(&outside, root.join("folder")).unwrap();
    symlink("..", root.join("parent")).unwrap();
    symlink(outside.join("not-yet.md"), root.join("dangling.md")).unwrap();
    symlink("notes/soup.md", root.join("inside.md")).unwrap();
    for path in
        ["file.md", "folder/secret.md", "parent/outside/secret.md", "dangling.md", "../outside/secret.md"]
    {
        for level in [Level::L2, Level::L4] {
            for (tool, input) in [
                ("read", json!({"path": path})),
                ("edit", json!({"path": path, "operation": "rewrite", "content": "x"})),
                ("write", json!({"kind": "file", "targetPath": path, "content": "x"})),
            ] {
                let result = house.call_at(level, false, true, tool, input).await;
                assert!(result.denied.is_some(), "{tool} {path}: {:?}", result.output);
                assert!(!result.output.to_string().contains("# Secret"));
            }
        }
    }
    for path in ["folder", "parent", "parent/outside", "folder/secret.md"] {
        for (tool, input) in
            [("list", json!({"path": path})), ("search", json!({"query": "Secret", "pathPrefix": path}))]
        {
            let result = house.call_at(Level::L4, false, true, tool, input).await;
            assert!(result.denied.is_some(), "{tool} {path}: {:?}", result.output);
            assert!(!result.output.to_string().contains("# Secret"));
        }
    }
    // Absolute spellings of the same places are outside, whatever the link's own place.
    house.denial(Level::L2, "read", json!({"path": root.join("folder/secret.md")})).await;
    assert_eq!(std::fs::read_to_string(outside.join("secret.md")).unwrap(), "# Secret\n");
    assert!(!outside.join("not-yet.md").exists());
    let inside = house.call("read", json!({"path": "inside.md"})).await;
    assert_eq!(inside["path"], "notes/soup.md", "a link that stays inside is followed to its target");
}

#[tokio::test]
async fn rules_deny_and_hide() {
    let house = House::new(&[
        ("private/a.md", "the heron nests here"),
        ("open.md", "the heron flies"),
        (".orange/permissions.yaml", "allow: ['*']\ndeny: ['read(path:private/**)', 'list(path:private)']\n"),
    ])
    .await;
    let denied = house.denial(Level::L4, "read", json!({"path": "private/a.md"})).await;
    assert!(denied.contains("read(path:private/**)"), "{denied}");
    let found = house.call("search", json!({"query": "heron"})).await;
    assert!(!found.to_string().contains("private"), "{found}");
    assert_eq!(found["totalFiles"], 1, "what is hidden is not counted");
    let list = house.call("list", json!({})).await;
    assert!(!list.to_string().contains("private"), "{list}");
    let outside = house.folder.path().join("x.md");
    write(&outside, "x");
    house.card(Level::L3, "read", json!({"path": outside})).await;

    assert_eq!(house.assistant.broken_rules(&[]).await.unwrap(), []);
    write(&house.folder.path().join("home/permissions.yaml"), "deny: [exce]\n");
    let broken = house.assistant.broken_rules(&[house.kb]).await.unwrap();
    assert_eq!((broken.len(), broken[0].code.as_str()), (1, "rulesBroken"));
    assert!(broken[0].detail.contains("home/permissions.yaml: line 1"), "{broken:?}");
    house.card(Level::L4, "read", json!({"path": "open.md"})).await;
    house.denial(Level::L4, "exec", json!({"command": "ls"})).await;
}
