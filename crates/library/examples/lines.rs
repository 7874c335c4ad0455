//! Searches a folder for patterns and, where `rg` is installed, has it search for the same: the files and
//! the numbers of lines must be equal, and the times are told side by side.
//!
//! `cargo run --release --example lines -p orangery-library -- FOLDER PATTERN…`

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a measurement")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use orangery_domain::KbPath;
use orangery_library::{Library, LibraryConfig, LineQuery, LineSearch, Take};
use orangery_store::Db;
use orangery_store::root::Root;
use tokio_util::sync::CancellationToken;

const RUNS: usize = 7;

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap();
    let data = tempfile::tempdir().unwrap();
    let library = Library::open(LibraryConfig {
        db: Db::open(&data.path().join("orangery.db")).await.unwrap(),
        index_folder: data.path().join("index"),
        notify: std::sync::Arc::new(|_| {}),
        cancel: CancellationToken::new(),
        worker: None,
        secrets: None,
        watch: false,
    })
    .await
    .unwrap();
    println!("pattern\tfiles\tlines\tours ms\trg ms\tratio");
    for pattern in arguments {
        let (mut own, mut found) = (Duration::MAX, BTreeMap::new());
        let (mut theirs, mut expected) = (Duration::MAX, None);
        // In turns, so that what else the machine does is shared by both.
        for _ in 0..RUNS {
            let (took, counts) = ours(&library, &folder, &pattern).await;
            (own, found) = (own.min(took), counts);
            if let Some((took, counts)) = rg(&folder, &pattern) {
                (theirs, expected) = (theirs.min(took), Some(counts));
            }
        }
        let lines: u64 = found.values().sum();
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        print!("{pattern}\t{}\t{lines}\t{:.0}", found.len(), milliseconds(own));
        match expected {
            None => println!("\t-\t-"),
            Some(expected) => {
                println!("\t{:.0}\t{:.2}", milliseconds(theirs), own.as_secs_f64() / theirs.as_secs_f64());
                for (path, count) in &expected {
                    assert_eq!(found.get(path), Some(count), "{pattern}: {path}");
                }
                assert_eq!(found.len(), expected.len(), "{pattern}");
            }
        }
    }
    library.close().await;
}

async fn ours(library: &Library, folder: &str, pattern: &str) -> (Duration, BTreeMap<String, u64>) {
    let started = Instant::now();
    let at = Root::open(Path::new(folder)).unwrap().resolve(&KbPath::root()).unwrap();
    let page = library.lines(LineSearch {
        queries: vec![LineQuery { kb: None, at, pattern: pattern.into(), glob: None, recursive: true }],
        literal: false,
        whole_words: false,
        ignore_case: false,
        multiline: false,
        kinds: Vec::new(),
        take: Take::Files,
        offset: 0,
        limit: u64::MAX,
        hidden: Box::new(|_, _, _| false),
    });
    let page = page.await.unwrap();
    let took = started.elapsed();
    (took, page.files.into_iter().map(|file| (file.path.to_string(), file.count)).collect())
}

/// Nothing where there is no `rg`.
fn rg(folder: &str, pattern: &str) -> Option<(Duration, BTreeMap<String, u64>)> {
    let started = Instant::now();
    let output = Command::new("rg")
        .args(["--count", "--no-config", "--no-require-git", "--no-messages", "--crlf", "-e", pattern, "."])
        .current_dir(folder)
        .output()
        .ok()?;
    let took = started.elapsed();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let counts = text.lines().filter_map(|line| {
        let (path, count) = line.rsplit_once(':')?;
        Some((path.trim_start_matches("./").to_owned(), count.parse().ok()?))
    });
    Some((took, counts.collect()))
}
