//! Random mixes of all kinds of operations, cut, failed and interrupted at random: whatever happens, every file is
//! there exactly once with an old or a new text, the journal is empty, and what the set says is so.

use std::{collections::BTreeMap, io};

use orangery_domain::{ChangeSetId, ChangeSetState, OperationState};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};

use super::support::*;

const FILES: usize = 7;
/// Two troubles each.
const CASES: u64 = 140;

/// How one run is disturbed.
#[derive(Debug, Clone, Copy)]
enum Trouble {
    Cut(usize),
    Fails { nth: usize, for_good: bool, kind: io::ErrorKind },
}

fn trouble(random: &mut StdRng) -> Trouble {
    if random.random_bool(0.6) {
        return Trouble::Cut(random.random_range(0..40));
    }
    let kinds = [
        io::ErrorKind::StorageFull,
        io::ErrorKind::PermissionDenied,
        io::ErrorKind::Other,
        io::ErrorKind::NotFound,
    ];
    Trouble::Fails {
        nth: random.random_range(0..9),
        for_good: random.random_bool(0.25),
        kind: *kinds.choose(random).unwrap(),
    }
}

fn name(at: usize) -> String {
    format!("{}f{at}.md", ["", "p/", "p/q/", "r/"][at % 4])
}

/// Proposes about a handful of operations; those that make no sense are refused.
async fn propose(house: &House, random: &mut StdRng) -> Option<ChangeSetId> {
    let mut set = None;
    for turn in 0..random.random_range(2..7) {
        let file = name(random.random_range(0..FILES));
        let folder = *["p", "p/q", "r", "s"].choose(random).unwrap();
        let place = house.place(&file);
        let proposed = match random.random_range(0..8) {
            0 | 1 => {
                let edit = replace("line", &format!("LINE {turn}"));
                house.proposals.edit(&by("s"), &place, house.hash(&file), edit).await
            }
            2 => {
                house
                    .proposals
                    .create_file(&by("s"), &house.place(&format!("{folder}/n{turn}.md")), "new\n")
                    .await
            }
            3 => {
                let to = house.place(&format!("{folder}/m{turn}.md"));
                house.proposals.relocate(&by("s"), &place, &to).await
            }
            4 => {
                let to = house.place(&file.replace(".md", " renamed.md"));
                house.proposals.relocate(&by("s"), &place, &to).await
            }
            5 => {
                let to = house.place(&format!("t{turn}"));
                house.proposals.relocate(&by("s"), &house.place(folder), &to).await
            }
            6 => house.proposals.delete(&by("s"), &place).await,
            _ => house.proposals.delete(&by("s"), &house.place(folder)).await,
        };
        if let Ok(proposed) = proposed {
            set = Some(proposed.change_set_id);
        }
    }
    set
}

/// How often each of the first files is in the knowledge base or the trash, whatever its name and text.
fn copies(house: &House) -> BTreeMap<usize, usize> {
    let mut texts: Vec<String> = house.all().into_iter().map(|(_, text)| text).collect();
    let trash = std::path::PathBuf::from(std::env::var_os("XDG_DATA_HOME").unwrap()).join("Trash/files");
    let mut todo = vec![trash];
    while let Some(folder) = todo.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                todo.push(path);
            } else {
                texts.push(std::fs::read_to_string(path).unwrap());
            }
        }
    }
    let mut count = BTreeMap::new();
    for at in 0..FILES {
        let own = format!("file {at}\n");
        for text in texts.iter().filter(|text| text.starts_with(&own)) {
            let line = text[own.len()..].trim_end();
            assert!(
                line == "line" || line.starts_with("LINE "),
                "file {at} is neither old nor new: {text:?}"
            );
            *count.entry(at).or_default() += 1;
        }
    }
    count
}

/// The same on disk as the set says.
async fn check(house: &House, set: ChangeSetId, context: &str) {
    assert!(house.journal_is_empty().await, "{context}");
    for (file, copies) in copies(house) {
        assert_eq!(copies, 1, "file {file} is there {copies} times; {context} {}", told(house).await);
    }
    let leftovers: Vec<_> = house.all().into_iter().filter(|(path, _)| path.contains(".orangery-")).collect();
    assert_eq!(leftovers, [], "{context}");
    let all = house.changes.get(set).await.unwrap();
    let any = |state| all.operations.iter().any(|operation| operation.state == state);
    let waiting = any(OperationState::Undecided)
        || any(OperationState::Accepted)
        || any(OperationState::Conflict)
        || any(OperationState::Failed);
    let expected = match (any(OperationState::Applied), waiting) {
        (true, true) => ChangeSetState::PartlyApplied,
        (true, false) if all.summary.undone_by.is_some() => ChangeSetState::Undone,
        (true, false) => ChangeSetState::Applied,
        (false, true) => ChangeSetState::Pending,
        (false, false) => ChangeSetState::Rejected,
    };
    assert_eq!(all.summary.state, expected, "{context}");
}

fn disturb(house: &House, trouble: Trouble) {
    match trouble {
        Trouble::Cut(at) => house.seam.panic_at(at),
        Trouble::Fails { nth, for_good, kind } => house.seam.fail_write(nth, for_good, kind),
    }
}

/// All sets with what became of their operations, for whoever has to find out.
async fn told(house: &House) -> String {
    let mut out = String::new();
    for set in house.changes.list(false, None, 0).await.unwrap() {
        out += &format!("\n{:?} {:?}", set.provenance, set.state);
        for one in house.changes.get(set.id).await.unwrap().operations {
            let target = one.target.map(|target| target.path.to_string());
            out +=
                &format!("\n  {:?} {} {target:?} {:?} {:?}", one.kind, one.place.path, one.state, one.note);
        }
    }
    out + &format!("\n{:?}", house.all())
}

async fn case(seed: u64) {
    let mut random = StdRng::seed_from_u64(seed);
    let mut house = House::new().await;
    for at in 0..FILES {
        house.put(&name(at), format!("file {at}\nline\n"));
    }
    let before = house.all();
    let Some(set) = propose(&house, &mut random).await else { return };
    let (first, second) = (trouble(&mut random), trouble(&mut random));
    let context = format!("seed {seed}: {first:?}, {second:?}");

    disturb(&house, first);
    // Whatever comes of it: the process is as good as dead.
    let _ = house.changes.apply(set, &[], true).await;
    house = house.restart().await;
    check(&house, set, &format!("{context}, after applying")).await;
    // The rest, without any trouble.
    house.changes.apply(set, &[], true).await.unwrap();
    check(&house, set, &format!("{context}, after applying the rest")).await;
    let all = house.changes.get(set).await.unwrap();
    if !all.operations.iter().all(|operation| operation.state == OperationState::Applied) {
        panic!("{context}: {}", told(&house).await);
    }
    let after = house.all();
    if after == before {
        return;
    }

    disturb(&house, second);
    let _ = house.changes.undo(set).await;
    house = house.restart().await;
    check(&house, set, &format!("{context}, after undoing")).await;
    // A failed undo is tried again; one that was cut is finished.
    if house.changes.get(set).await.unwrap().summary.state != ChangeSetState::Undone {
        let failed = house.changes.list(true, None, 0).await.unwrap();
        match failed.first() {
            Some(undo) => drop(house.changes.apply(undo.id, &[], true).await.unwrap()),
            None => drop(house.changes.undo(set).await.unwrap()),
        }
    }
    let state = house.changes.get(set).await.unwrap().summary.state;
    assert_eq!(state, ChangeSetState::Undone, "{context}: {}", told(&house).await);
    assert_eq!(house.all(), before, "{context}: not what there was; {}", told(&house).await);
}

#[test]
fn whatever_happens_nothing_is_lost_and_nothing_is_there_twice() {
    with_trash("tests::cuts::whatever_happens_nothing_is_lost_and_nothing_is_there_twice", async || {
        for seed in 0..CASES {
            case(seed).await;
            if std::path::PathBuf::from(std::env::var_os("XDG_DATA_HOME").unwrap()).join("Trash").exists() {
                empty_trash();
            }
        }
    });
}

/// A set of every kind on files and folders.
async fn every_kind(house: &House) -> ChangeSetId {
    for (name, text) in [
        ("a.md", "file 0\nline\n"),
        ("p/b.md", "file 1\nline\n"),
        ("p/deep/c.md", "file 2\nline\n"),
        ("gone.md", "file 3\nline\n"),
        ("old/d.md", "file 4\nline\n"),
    ] {
        house.put(name, text);
    }
    let edit = replace("line", "LINE 1");
    let (place, read) = (house.place("a.md"), house.hash("a.md"));
    house.proposals.edit(&by("s"), &place, read, edit).await.unwrap();
    house.proposals.relocate(&by("s"), &place, &house.place("new/a.md")).await.unwrap();
    house.proposals.relocate(&by("s"), &house.place("p"), &house.place("q")).await.unwrap();
    house.proposals.delete(&by("s"), &house.place("gone.md")).await.unwrap();
    house.proposals.delete(&by("s"), &house.place("old")).await.unwrap().change_set_id
}

#[test]
fn a_process_may_die_at_every_point_of_every_kind() {
    with_trash("tests::cuts::a_process_may_die_at_every_point_of_every_kind", async || {
        for scene in ["apply", "undo"] {
            let mut reached_the_end = false;
            for cut in 0..80 {
                let house = House::new().await;
                let set = every_kind(&house).await;
                let before = house.all();
                if scene == "undo" {
                    house.changes.apply(set, &[], true).await.unwrap();
                }
                house.db.close().await;
                let lived = super::crash::run(house.folder(), scene, cut);
                let house = house.restart().await;
                check(&house, set, &format!("{scene} cut at {cut}")).await;
                let names: Vec<String> = house.all().into_iter().map(|(path, _)| path).collect();
                if scene == "apply" {
                    assert_eq!(names, ["new/a.md", "q/b.md", "q/deep/c.md"], "cut at {cut}");
                    house.changes.undo(set).await.unwrap();
                }
                assert_eq!(house.all(), before, "{scene} cut at {cut}");
                empty_trash();
                if lived {
                    reached_the_end = true;
                    break;
                }
            }
            assert!(reached_the_end);
        }
    });
}
