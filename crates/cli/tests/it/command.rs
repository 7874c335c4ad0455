//! How commands end, and what they say where nothing is.

use serde_json::json;

use crate::bench::Bench;

#[test]
fn exit_codes() {
    let bench = Bench::with(&[("a.md", b"one\n")]);
    let outside = bench.top().join("outside.md");
    std::fs::write(&outside, "secret").unwrap();
    // 2: wrong usage or parameters.
    bench.ends(2, ["no-such-command"]);
    bench.ends(2, ["tool", "read", "{not json", "--kb", "notes", "--level", "L1"]);
    bench.ends(2, ["tool", "read", "{}", "--kb", "notes", "--level", "L9"]);
    let twice = r#"{"path": "a.md", "path": "b.md"}"#;
    let output = bench.run(["tool", "read", twice, "--kb", "notes", "--level", "L2"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("`path`"), "{output:?}");
    bench.ends(2, ["settings", "get", "noSuchKey"]);
    bench.ends(2, ["settings", "set", "theme", "plaid"]);
    bench.tool(2, "L2", "serach", &json!({ "query": "one" }));
    bench.tool(2, "L2", "read", &json!({ "path": "a.md", "pathe": "b.md" }));
    bench.tool(2, "L2", "read", &json!({ "path": "a.md", "fileId": 1 }));
    bench.tool(2, "L2", "edit", &json!({ "path": "a.md", "operation": "replace", "original": "one" }));
    // 3: denied.
    let write = json!({ "kind": "file", "targetPath": "b.md", "content": "x" });
    bench.tool(3, "L1", "write", &write);
    bench.tool(3, "L2", "read", &json!({ "path": outside }));
    bench.tool(3, "L2", "exec", &json!({ "command": "true" }));
    // 4: would have to be asked.
    let asked = bench.tool(4, "L3", "read", &json!({ "path": outside }));
    let facts = asked["asked"]["facts"].to_string();
    assert!(facts.contains("outside.md"), "{asked}");
    // 5: refused, not found.
    let edit = json!({ "path": "a.md", "operation": "replace", "original": "one", "next": "two" });
    bench.tool(5, "L2", "edit", &edit);
    bench.tool(5, "L2", "read", &json!({ "path": "none.md" }));
    bench.ends(5, ["change", "show", "4711"]);
    bench.ends(5, ["links", "notes/none.md"]);
    bench.ends(5, ["kb", "remove", "nothing-of-that-name"]);
    assert!(!bench.notes().join("b.md").exists());
}

#[test]
fn what_is_wrong_is_said_in_words() {
    let bench = Bench::with(&[("a.md", b"one\n"), ("bad.pdf", b"no pdf")]);
    let says = |code: i32, arguments: &[&str], words: &str| {
        let output = bench.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(words) && !said.contains("os error"), "{arguments:?}: {said}");
    };
    says(2, &["change", "show", "abc"], "it is a number, as the lists show it");
    says(2, &["settings", "set", "theme", "plaid"], "it is system, light, dark");
    says(2, &["settings", "set", "spellcheck", "perhaps"], "it is true or false");
    says(5, &["settings", "set", "defaultModel", "gpt"], "none is set up; that is done in the window");
    says(5, &["list", "a.md", "--kb", "notes"], "Not a directory");
    says(5, &["index", "nowhere"], "is the path right?");
    says(5, &["search", "one", "--kb", "elsewhere"], "`orangery kb list` shows those there are");
    says(2, &["ask", " "], "a question must not be blank");
    says(0, &["ask", "one"], "read a.md: done");
    says(0, &["index", "notes"], "bad.pdf: it is");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    says(5, &["serve", "--port", &port], "is taken; name another, or leave --port out");
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_out_ends_every_command_alike() {
    let bench = Bench::with(&[("a.md", b"one\n")]);
    std::fs::write(bench.top().join("outside.md"), "secret").unwrap();
    std::os::unix::fs::symlink("../outside.md", bench.path("link.md")).unwrap();
    bench.ends(3, ["read", "link.md"]);
    bench.tool(3, "L4", "read", &json!({ "path": "link.md" }));
    bench.ends(3, ["read", "../outside.md", "--kb", "notes"]);
    bench.tool(3, "L4", "read", &json!({ "path": "../outside.md" }));
}

#[test]
fn doctor_names_rules_that_cannot_be_read() {
    let bench = Bench::with(&[("a.md", b"one\n"), (".orange/permissions.yaml", b"deny: [raed]\n")]);
    let report = bench.json(["doctor"]);
    let findings = report["findings"].as_array().unwrap();
    let rules = findings.iter().find(|finding| finding["name"] == "permissions").unwrap();
    let detail = rules["detail"].as_str().unwrap();
    assert!(detail.contains("notes/.orange/permissions.yaml") && detail.contains("raed"), "{detail}");
    assert_eq!(rules["ok"], false);
}

#[test]
fn doctor_verifies_that_index_database_and_disk_agree() {
    let bench = Bench::with(&[("a.md", b"one apple\n"), ("b.md", b"two pears\n")]);
    let verified = |code| {
        let report = bench.ends(code, ["doctor", "--verify"]);
        let findings = report["findings"].as_array().unwrap().clone();
        findings.into_iter().filter(|finding| finding["name"] == "verify").collect::<Vec<_>>()
    };
    // Of long ago: what was written just now is looked at whatever its time says.
    let age = || {
        let file = std::fs::File::options().write(true).open(bench.path("a.md")).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000))
            .unwrap();
    };
    age();
    let equal = verified(0);
    assert_eq!((equal.len(), &equal[0]["ok"]), (1, &json!(true)));
    bench.write("a.md", b"one melon\n");
    age();
    let differ = verified(5);
    assert_eq!(differ.len(), 1);
    assert!(differ[0]["detail"].as_str().unwrap().starts_with("notes: a.md: has other bytes"), "{differ:?}");
    assert!(differ[0]["remedy"].is_string());
}

#[test]
fn approving_reads_what_would_be_asked() {
    let bench = Bench::with(&[("a.md", b"one\n")]);
    let outside = bench.top().join("outside.md");
    std::fs::write(&outside, "words outside\n").unwrap();
    let input = json!({ "path": outside }).to_string();
    let read =
        bench.json(["tool", "read", &input, "--kb", "notes", "--level", "L3", "--approve", "--session", "s"]);
    assert!(read["output"].to_string().contains("words outside"), "{read}");
}

#[test]
fn settings_are_kept() {
    let bench = Bench::new();
    assert_eq!(bench.json(["settings", "get", "theme"]), "system");
    bench.json(["settings", "set", "theme", "dark"]);
    bench.json(["settings", "set", "spellcheck", "false"]);
    assert_eq!(bench.json(["settings", "get", "theme"]), "dark");
    let all = bench.json(["settings", "get"]);
    assert_eq!((&all["spellcheck"], &all["defaultLevel"]), (&json!(false), &json!("L2")));
}

#[test]
fn knowledge_bases_come_and_go_and_files_stay() {
    let bench = Bench::with(&[("a.md", b"one\n")]);
    let kb = bench.json(["kb", "list"]);
    assert_eq!(kb[0]["name"], "notes");
    bench.ends(5, ["kb", "add", "notes"]);
    bench.write("sub/b.md", "two\n");
    bench.ends(5, ["kb", "add", "notes/sub"]);
    assert_eq!(bench.json(["kb", "rescan", "notes"])["files"], 2);
    bench.json(["kb", "remove", "notes"]);
    assert_eq!(bench.json(["kb", "list"]), json!([]));
    assert_eq!(bench.read("a.md"), b"one\n");
}

#[test]
fn alone_it_prints_help_and_doctor_knows_the_keyring_is_missing() {
    let bench = Bench::new();
    // A copy, so that no desktop program stands beside it and is started.
    let alone = bench.top().join("alone");
    std::fs::copy(env!("CARGO_BIN_EXE_orangery"), &alone).unwrap();
    let mut command = std::process::Command::new(alone);
    bench.surround(&mut command);
    let output = command.output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("Usage: orangery"));
    let report = bench.json(["doctor"]);
    let findings = report["findings"].as_array().unwrap();
    let keyring = findings.iter().find(|finding| finding["name"] == "keyring").unwrap();
    assert_eq!(keyring["ok"], false);
    assert!(keyring["remedy"].is_string());
}

/// Only where a window needs a display that the environment names.
#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn without_a_display_it_says_what_serves_instead() {
    let bench = Bench::new();
    let (alone, desktop) = (bench.top().join("alone"), bench.top().join("orangery-desktop"));
    std::fs::copy(env!("CARGO_BIN_EXE_orangery"), &alone).unwrap();
    std::fs::write(&desktop, "never started").unwrap();
    let mut command = std::process::Command::new(alone);
    bench.surround(&mut command);
    let output = command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").output().unwrap();
    assert_eq!(output.status.code(), Some(5));
    assert!(String::from_utf8(output.stderr).unwrap().contains("`orangery serve` prints a link"));
}

#[test]
fn doctor_speaks_where_the_database_cannot_be_opened() {
    let bench = Bench::with(&[("a.md", b"one\n")]);
    let database = bench.top().join("data/orangery.db");
    assert!(database.exists());
    std::fs::write(&database, "no database, and longer than the header of one".repeat(100)).unwrap();
    let report = bench.ends(5, ["doctor"]);
    let findings = report["findings"].as_array().unwrap();
    let database = findings.iter().find(|finding| finding["name"] == "database").unwrap();
    assert_eq!(database["ok"], false);
    assert!(database["remedy"].as_str().unwrap().contains("move"), "{database}");
}

/// A limit on the size of a file stands in for a full disk: no database can grow beyond it.
#[cfg(unix)]
#[test]
fn a_data_directory_that_is_full_ends_the_scan_with_a_reason() {
    let bench = Bench::new();
    for n in 0..300 {
        bench.write(&format!("{n}.md"), format!("# {n}\n\n{}\n", "words that take room ".repeat(400)));
    }
    // `sh` counts in blocks of 512 bytes. The signal is ignored, so that writing fails as on a full disk.
    let limited = "trap '' XFSZ; ulimit -f 2000; exec \"$@\"";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", limited, "sh", env!("CARGO_BIN_EXE_orangery"), "--json", "index"]).arg(bench.notes());
    bench.surround(&mut command);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(5), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("full"), "{said}");
}
