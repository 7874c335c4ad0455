//! `index`, `search`, `read`, `list`, `links`, `ask`.

use serde_json::json;

use crate::bench::Bench;

fn bench() -> Bench {
    Bench::with(&[
        ("植物/橙园.md", "# 橙园\n\n冬天的温室里有三十棵柑橘树。\n\n见 [[Greenhouse]]。\n".as_bytes()),
        ("Greenhouse.md", "# Greenhouse\n\nThirty citrus trees spend the winter here.\n".as_bytes()),
        ("混写.md", "用 Rust 写 parser，再用Python画图。\n".as_bytes()),
        ("log.txt", b"plain words\n"),
    ])
}

fn paths(page: &serde_json::Value) -> Vec<String> {
    let groups = page["groups"].as_array().unwrap();
    groups.iter().map(|group| group["place"]["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn index_reports_counts_and_search_finds_both_scripts() {
    let bench = bench();
    let again = bench.json(["index", "notes"]);
    assert_eq!((&again[0]["files"], &again[0]["searchable"]), (&json!(4), &json!(4)));
    assert!(again[0]["tookMs"].is_u64());
    for (query, expected) in
        [("温室", "植物/橙园.md"), ("citrus winter", "Greenhouse.md"), ("Rust parser", "混写.md")]
    {
        let found = paths(&bench.json(["search", query]));
        assert_eq!(found.first().map(String::as_str), Some(expected), "{query}: {found:?}");
    }
    let page = bench.json(["search", "柑橘树"]);
    let hit = &page["groups"][0]["hits"][0];
    assert_eq!(hit["headingPath"], json!(["橙园"]));
    assert!(hit["snippet"].as_str().unwrap().contains("柑橘树"));
    assert_eq!(bench.json(["search", "nowhereatall"])["groups"], json!([]));
}

#[test]
fn what_changed_while_nobody_watched_is_found() {
    let bench = bench();
    bench.write("新.md", "银杏\n");
    std::fs::remove_file(bench.path("Greenhouse.md")).unwrap();
    assert_eq!(paths(&bench.json(["search", "银杏"])), ["新.md"]);
    assert_eq!(paths(&bench.json(["search", "citrus"])), [""; 0]);
}

#[test]
fn places_are_named_as_a_shell_or_a_note_would() {
    let bench = bench();
    for place in ["notes/Greenhouse.md", "Greenhouse.md", &bench.path("Greenhouse.md")] {
        let output = bench.run(["read", place]);
        assert_eq!(output.stdout, bench.read("Greenhouse.md"), "{place}");
    }
    let output = bench.run(["read", "Greenhouse.md", "--kb", "notes"]);
    assert!(output.status.success());
    bench.ends(5, ["read", "notes/none.md"]);
    bench.ends(3, ["read", "../../etc/passwd", "--kb", "notes"]);
    let listed = bench.json(["list"]);
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|entry| entry["path"].as_str().unwrap()).collect();
    assert_eq!(names.first(), Some(&"植物"));
    assert_eq!(names.len(), 4);
}

#[test]
fn links_go_both_ways() {
    let bench = bench();
    let links = bench.json(["links", "Greenhouse.md"]);
    assert_eq!(links["backlinks"][0]["from"]["path"], "植物/橙园.md");
    let links = bench.json(["links", "植物/橙园.md"]);
    assert_eq!(links["outgoing"][0]["to"]["path"], "Greenhouse.md");
}

#[test]
fn without_a_model_ask_cites_passages() {
    let bench = bench();
    let answer = bench.json(["ask", "温室里有多少棵柑橘树？"]);
    assert_eq!(answer["model"], json!(null));
    assert_eq!(answer["citations"][0]["place"]["path"], "植物/橙园.md", "{answer}");
}

#[test]
fn lines_are_found_as_they_are_on_disk() {
    let bench = bench();
    let text = |arguments: &[&str]| {
        let output = bench.run(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(
        text(&["search", "--text", r"\bRust\b|温室"]),
        "植物/橙园.md:3:冬天的温室里有三十棵柑橘树。\n混写.md:1:用 Rust 写 parser，再用Python画图。\n"
    );
    assert_eq!(
        text(&["search", "--text", "-i", "THIRTY", "-C", "1"]),
        "Greenhouse.md-2-\nGreenhouse.md:3:Thirty citrus trees spend the winter here.\n"
    );
    assert_eq!(text(&["search", "--text", "w", "--glob", "*.txt"]), "log.txt:1:plain words\n");
    // Nobody has to have indexed it.
    bench.write("new.txt", "fresh words\n");
    let files = bench.json(["search", "--text", "fresh"]);
    assert_eq!(files[0]["rows"][0]["line"], 1);
    bench.ends(5, ["search", "--text", "a("]);
    bench.ends(2, ["search", "--glob", "*.md", "x"]);
}
