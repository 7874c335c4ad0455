//! The house in order: arrows, sizes, docs, links.

mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tree::{SourceFile, files, root};

/// A file this long holds more than one idea.
const LONGEST: usize = 800;

#[test]
fn arrows_are_those_of_the_map() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let map = map();
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for package in metadata["packages"].as_array().unwrap() {
        let name = room(package["name"].as_str().unwrap()).unwrap();
        seen.insert(name.to_owned());
        let Some(allowed) = map.get(name) else {
            wrong.push(format!("{name} is not on the map"));
            continue;
        };
        for dependency in package["dependencies"].as_array().unwrap() {
            let Some(used) = room(dependency["name"].as_str().unwrap()) else { continue };
            // Tests of a room may look into rooms below only, too.
            if !allowed.contains(used) {
                wrong.push(format!("{name} → {used}"));
            }
        }
    }
    wrong.extend(
        map.keys().filter(|name| !seen.contains(*name)).map(|name| format!("{name} is only on the map")),
    );
    assert!(wrong.is_empty(), "against crates/README.md: {wrong:#?}");
}

fn room(package: &str) -> Option<&str> {
    package.strip_prefix("orangery-")
}

/// The rows of the table in crates/README.md: a crate, and those that it may use.
fn map() -> BTreeMap<String, BTreeSet<String>> {
    let text = std::fs::read_to_string(root().join("crates/README.md")).unwrap();
    let in_ticks =
        |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    text.lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let name = in_ticks(cells.get(2)?).pop()?;
            Some((name, in_ticks(cells.get(3)?).into_iter().collect()))
        })
        .collect()
}

#[test]
fn the_map_knows_floors() {
    let map = map();
    assert!(map["agent"].contains("library") && !map["library"].contains("change"), "{map:?}");
    // Down only: what may use each other would be one room.
    for (name, used) in &map {
        for other in used {
            assert!(!map[other].contains(name), "{name} and {other} use each other");
        }
    }
}

#[test]
fn no_file_holds_too_much() {
    let long = found(|file| {
        let lines = file.text.lines().count();
        (file.is_code() && !file.is_test() && lines > LONGEST).then(|| format!("{lines} lines"))
    });
    assert!(long.is_empty(), "over {LONGEST} lines: {long:#?}");
}

#[test]
fn crates_say_what_they_are() {
    let silent = found(|file| {
        let is_root = ["/src/lib.rs", "/src/main.rs"].iter().any(|end| file.name.ends_with(end));
        (is_root && !file.text.starts_with("//! ")).then(|| "no crate docs".to_owned())
    });
    assert!(silent.is_empty(), "{silent:#?}");
}

#[test]
fn code_keeps_the_conventions() {
    // In pieces, or this file would break them.
    let banned = [
        (concat!("#[", "allow("), "expect, with a reason"),
        (concat!("#![", "allow("), "expect, with a reason"),
        (concat!("#[", "ignore"), "tests are on"),
        (concat!("test.", "fixme("), "tests are on"),
        (concat!("test.", "skip("), "tests are on"),
        (concat!("test.", "only("), "tests are on"),
    ];
    let broken = found(|file| {
        if file.name.ends_with("/mod.rs") {
            return Some("foo.rs stands beside foo/".to_owned());
        }
        let (call, instead) = banned.iter().find(|(call, _)| file.is_code() && file.text.contains(call))?;
        Some(format!("{call}: {instead}"))
    });
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn no_file_knows_this_machine() {
    let here = root();
    // A checkout right below the root of the disk has a parent that is in every path.
    let parent = here.parent().filter(|parent| parent.components().count() > 2).unwrap_or(&here);
    let here = format!("{}/", parent.display());
    let knows = found(|file| file.text.contains(&here).then(|| here.clone()));
    assert!(knows.is_empty(), "{knows:#?}");
}

#[test]
fn links_of_documents_lead_somewhere() {
    let root = root();
    let dead = found(|file| {
        if !file.name.ends_with(".md") || file.is_sample() {
            return None;
        }
        let folder = root.join(&file.name).parent()?.to_owned();
        let dead: Vec<&str> =
            targets(&file.text).filter(|target| !folder.join(target.replace("%20", " ")).exists()).collect();
        (!dead.is_empty()).then(|| format!("{dead:?}"))
    });
    assert!(dead.is_empty(), "{dead:#?}");
}

/// Targets of inline links and pictures that are files.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', '#']).next())
        .filter(|target| !target.is_empty() && !target.contains("://"))
}

#[test]
fn links_of_the_guide_lead_somewhere() {
    let notes: Vec<SourceFile> = files().into_iter().filter(SourceFile::is_sample).collect();
    assert!(notes.len() >= 10, "the guide is missing");
    let names: BTreeSet<&str> =
        notes.iter().filter_map(|note| Path::new(&note.name).file_stem()?.to_str()).collect();
    let mut dead = Vec::new();
    for note in &notes {
        let prose = without_code(&note.text);
        for link in prose.split("[[").skip(1).filter_map(|rest| rest.split("]]").next()) {
            let target = link.split(['|', '#']).next().unwrap_or_default();
            let name = target.rsplit('/').next().unwrap_or_default();
            if !name.is_empty() && !names.contains(name) && !note.beside(target) {
                dead.push(format!("{}: [[{link}]]", note.name));
            }
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
}

/// Drops fenced blocks and code spans: links in them are examples.
fn without_code(text: &str) -> String {
    let outside = text.split("```").step_by(2).collect::<String>();
    outside.split('`').step_by(2).collect()
}

/// What `complain` says, with the file it says it of.
fn found(complain: impl Fn(&SourceFile) -> Option<String>) -> Vec<String> {
    files().iter().filter_map(|file| Some(format!("{}: {}", file.name, complain(file)?))).collect()
}
