//! Documents through the built binary, which reads them in a process of its own.

use std::io::Read;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::serve::Served;

/// Its password is `kumquat`.
const LOCKED: &[u8] = include_bytes!("../../../extract/tests/data/locked.pdf");

fn bench() -> Bench {
    let mut csv = "name,fruit\n".to_owned();
    for row in 2..=300 {
        csv.push_str(&format!("person{row},{}\n", if row == 77 { "quince" } else { "plum" }));
    }
    let page =
        "<title>Rules</title><h1>Locks</h1><p>The padlock is brass.</p><h1>Trees</h1><p>Water them.</p>";
    Bench::with(&[
        ("people.csv", csv.as_bytes()),
        ("rules.html", page.as_bytes()),
        ("broken.docx", b"PK\x03\x04 and nothing"),
        ("a.md", b"# Note\n"),
    ])
}

#[test]
fn documents_are_indexed_found_and_printed() {
    let bench = bench();
    let indexed = bench.json(["index", "notes"]);
    assert_eq!((&indexed[0]["files"], &indexed[0]["unreadable"]), (&json!(4), &json!(1)), "{indexed}");
    let hit = bench.json(["search", "quince"])["groups"][0]["hits"][0].clone();
    assert_eq!(hit["spot"], json!({ "kind": "row", "sheet": 1, "row": 77 }), "{hit}");
    let printed = bench.run(["search", "quince"]);
    assert!(String::from_utf8(printed.stdout).unwrap().contains("  row 77"));
    let read = String::from_utf8(bench.run(["read", "people.csv"]).stdout).unwrap();
    assert_eq!(read.lines().nth(76), Some("person77\tquince"), "{read}");
    assert!(
        String::from_utf8(bench.run(["read", "rules.html"]).stdout).unwrap().contains("padlock is brass")
    );
    bench.ends(5, ["read", "broken.docx"]);
}

#[test]
fn the_read_tool_reads_parts_of_documents() {
    let bench = bench();
    let read = |input| bench.tool(0, "L1", "read", &input);
    let rows = read(json!({ "path": "people.csv", "row": 77, "rowEnd": 78 }));
    let text = rows["output"]["text"].as_str().unwrap_or_else(|| panic!("{rows}"));
    assert_eq!(text, "person77\tquince\nperson78\tplum");
    assert_eq!(rows["output"]["begins"], "row 77");
    assert_eq!(rows["output"]["passages"][0]["at"], "row 77", "{rows}");
    let section = read(json!({ "path": "rules.html", "heading": "locks" }));
    let text = section["output"]["text"].as_str().unwrap();
    assert!(text.contains("brass") && !text.contains("Water"), "{section}");
    let block = read(json!({ "path": "rules.html", "block": 2 }));
    assert_eq!(block["output"]["text"], "The padlock is brass.");

    // What the file does not hold ends as a failure; what no file could hold is wrong use.
    for (code, input, said) in [
        (5, json!({ "path": "people.csv", "row": 301 }), "rows are 1 to 300"),
        (2, json!({ "path": "people.csv", "row": 9, "rowEnd": 2 }), "before"),
        (5, json!({ "path": "people.csv", "page": 1 }), "only PDF"),
        (5, json!({ "path": "rules.html", "block": 99 }), "blocks are 1 to"),
        (5, json!({ "path": "rules.html", "slide": 1 }), "only presentations"),
        (2, json!({ "path": "rules.html", "pageEnd": 1 }), "goes with page"),
        (2, json!({ "path": "people.csv", "row": 1, "block": 1 }), "cannot go with"),
        (5, json!({ "path": "rules.html", "heading": "none" }), "\"Locks\""),
        (5, json!({ "path": "broken.docx" }), "damaged"),
        (5, json!({ "path": "a.md", "block": 1 }), "plain text"),
    ] {
        let refused = bench.tool(code, "L1", "read", &input);
        assert!(refused.to_string().replace('\\', "").contains(said), "{input}: {refused}");
    }
}

#[test]
fn a_locked_pdf_is_read_once_its_password_is_given() {
    let mut office = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec();
    office.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    let bench = Bench::with(&[("door.pdf", LOCKED), ("plan.docx", &office), ("sums.xlsx", &office)]);
    let served = Served::start(&bench);
    let cookie = served.cookie();
    let kb = served.rpc(&cookie, "kb.list", &json!({})).json()[0]["id"].clone();
    let call = |method: &str, path: &str, more: &[(&str, Value)]| {
        let mut request = json!({ "place": { "kbId": kb, "path": path } });
        for (name, value) in more {
            request[name] = value.clone();
        }
        served.rpc(&cookie, method, &request).json()
    };
    let unlock = |path: &str, password: &str| {
        call("document.unlock", path, &[("password", json!(password)), ("keep", json!("run"))])
    };
    let found = || {
        let page = served.rpc(&cookie, "search.run", &json!({ "text": "kumquats" })).json();
        page["groups"].as_array().is_some_and(|groups| !groups.is_empty())
    };

    assert_eq!(call("document.open", "door.pdf", &[])["trouble"]["code"], "encrypted");
    assert_eq!(call("document.words", "door.pdf", &[("page", json!(1))])["code"], "encrypted");
    assert_eq!(unlock("door.pdf", "quince")["code"], "wrongPassword");
    assert_eq!(call("document.open", "door.pdf", &[])["trouble"]["code"], "encrypted");
    assert!(!found());
    assert_eq!(unlock("door.pdf", "kumquat")["trouble"], Value::Null);
    let blocks = call("document.blocks", "door.pdf", &[("from", json!(1)), ("limit", json!(9))]);
    assert_eq!(blocks["blocks"][0]["text"], "The kumquats stand behind the brass door", "{blocks}");
    assert_eq!(call("document.words", "door.pdf", &[("page", json!(1))])[0]["text"], "The");
    let started = Instant::now();
    while !found() {
        assert!(started.elapsed() < Duration::from_secs(60), "unlocked, it is searched");
        std::thread::sleep(Duration::from_millis(20));
    }

    // No password opens these here.
    for path in ["plan.docx", "sums.xlsx"] {
        assert_eq!(call("document.open", path, &[])["trouble"]["code"], "sealed", "{path}");
        assert_eq!(unlock(path, "kumquat")["code"], "sealed", "{path}");
    }
    let rows = [("sheet", json!(1)), ("from", json!(1)), ("limit", json!(9))];
    assert_eq!(call("document.rows", "sums.xlsx", &rows)["code"], "sealed");
}

#[test]
fn what_cannot_be_read_is_said_in_a_sentence() {
    let bench = bench();
    bench.write("dot.png", b"\x89PNG\r\n\x1a\n");
    bench.write("locked.pdf", LOCKED);
    bench.json(["index", "notes"]);
    let said = |arguments: &[&str]| String::from_utf8(bench.run(arguments).stderr).unwrap();
    assert!(said(&["read", "broken.docx"]).contains("it is damaged and cannot be read"));
    assert!(said(&["read", "dot.png"]).contains("picture"));
    bench.ends(5, ["read", "dot.png"]);
    assert!(said(&["search", "plum \"open"]).contains("quotation mark"));
    assert_eq!(
        bench.json(["search", "-type:table fruit OR padlock"])["groups"][0]["place"]["path"],
        "rules.html"
    );
    let listed = String::from_utf8(bench.run(["list"]).stdout).unwrap();
    assert!(listed.contains("broken.docx\tit is damaged"), "{listed}");
}

#[test]
fn doctor_says_that_pdf_cannot_be_read_and_how_to_mend_it() {
    let bench = bench();
    // What it said before is forgotten.
    bench.json(["doctor"]);
    let mut command = bench.command();
    let output = command.env("ORANGERY_PDFIUM", "/nonexistent").arg("doctor").output().unwrap();
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(
        report.contains("not ok\tpdf\tPDFium cannot be loaded: /nonexistent: ")
            && report.contains("ORANGERY_PDFIUM"),
        "{report}"
    );
}

/// What a document makes its reader ask for is bounded by the system, not by the reader's own care.
#[cfg(target_os = "linux")]
#[test]
fn the_reader_of_documents_may_have_no_more_than_so_much_memory() {
    let bench = Bench::new();
    let mut reader = bench
        .command()
        .arg("extract-worker")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut hello = [0; 8];
    reader.stdout.take().unwrap().read_exact(&mut hello).unwrap();
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", reader.id())).unwrap();
    let memory = limits.lines().find(|line| line.starts_with("Max address space")).unwrap();
    assert_eq!(memory.split_whitespace().nth(3), Some("3221225472"), "{memory}");
    drop(reader.stdin.take());
    assert!(reader.wait().unwrap().success());
}
