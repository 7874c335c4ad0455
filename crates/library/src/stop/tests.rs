//! A process that dies anywhere leaves a database and an index that the next start makes equal to the disk.

#![expect(clippy::disallowed_methods, reason = "plays the user, who writes with other programs")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use orangery_domain::{KbId, SearchQuery};
use orangery_store::Db;
use tokio_util::sync::CancellationToken;

use super::armed::CUT;
use crate::index::files_in;
use crate::index::writer::Order;
use crate::{FileFilter, Library, LibraryConfig};

const FOLDER: &str = "ORANGERY_CUT_FOLDER";

async fn open(folder: &Path) -> (Library, Db, KbId) {
    let data = folder.join("data");
    let db = Db::open(&data.join("orangery.db")).await.unwrap();
    let library = Library::open(LibraryConfig {
        db: db.clone(),
        index_folder: data.join("index"),
        notify: Arc::new(|_| {}),
        cancel: CancellationToken::new(),
        worker: None,
        secrets: None,
        watch: false,
    })
    .await
    .unwrap();
    let kb = match library.knowledge_bases().first() {
        Some(kb) => kb.id,
        None => library.add(&folder.join("kb"), None).await.unwrap().id,
    };
    library.settle().await;
    (library, db, kb)
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join("kb").join(name), text).unwrap();
}

fn new_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("kb")).unwrap();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    write(folder.path(), "a.md", "alpha 甲");
    write(folder.path(), "b.md", "beta 乙");
    folder
}

/// Not a test of its own: what runs in a process that may die.
#[tokio::test(flavor = "multi_thread")]
async fn child() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let folder = Path::new(&folder);
    let (library, db, kb) = open(folder).await;
    write(folder, "a.md", "delta 丁");
    std::fs::remove_file(folder.join("kb/b.md")).unwrap();
    write(folder, "c.md", "gamma 丙");
    library.rescan(kb).unwrap();
    library.settle().await;
    library.close().await;
    db.close().await;
}

/// Runs the child until it dies at point `cut`; whether it lived to the end.
fn run(folder: &Path, cut: usize) -> bool {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "stop::tests::child", "--nocapture"])
        .env(FOLDER, folder)
        .env(CUT, cut.to_string())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() || !said.contains("panicked"), "{said}");
    output.status.success()
}

/// Disk, database and index hold the same files, and every text is found by its words and no other.
async fn check_equal(folder: &Path, library: &Library) {
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(folder.join("kb")).unwrap() {
        let entry = entry.unwrap();
        texts
            .push((entry.file_name().into_string().unwrap(), std::fs::read_to_string(entry.path()).unwrap()));
    }
    texts.sort();
    let names: Vec<_> = texts.iter().map(|(name, _)| name.clone()).collect();
    let known = library.files(&FileFilter::default()).unwrap();
    assert_eq!(known.iter().map(|file| file.path.to_string()).collect::<Vec<_>>(), names);
    let held: BTreeSet<_> =
        files_in(&library.open_index().unwrap().reader.searcher()).unwrap().into_iter().collect();
    assert_eq!(held, known.iter().map(|file| file.id).collect());
    for word in ["alpha", "beta", "gamma", "delta", "甲", "乙", "丙", "丁"] {
        let query = SearchQuery { text: word.into(), ..SearchQuery::default() };
        let page = library.search(&query).await.unwrap();
        let found: Vec<_> = page.groups.iter().map(|group| group.place.path.to_string()).collect();
        let holding = texts.iter().filter(|(_, text)| text.contains(word)).map(|(name, _)| name.clone());
        assert_eq!((found, page.total_files), (holding.clone().collect(), holding.count() as u64), "{word}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn indexing_survives_a_cut_at_every_point() {
    // FAULTS B1, B9, B16
    let mut reached_the_end = false;
    for cut in 0..60 {
        let folder = new_folder();
        let lived = run(folder.path(), cut);
        let (library, db, _) = open(folder.path()).await;
        check_equal(folder.path(), &library).await;
        library.close().await;
        db.close().await;
        let aside = folder.path().join("data/index.damaged");
        assert!(!aside.exists(), "cut at {cut}: an index that was whole was set aside");
        if lived {
            assert!(cut > 8, "{cut} points are too few");
            reached_the_end = true;
            break;
        }
    }
    assert!(reached_the_end);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_built_anew_holds_the_files_that_are_there_and_no_others() {
    // FAULTS B9
    let folder = new_folder();
    let (library, db, kb) = open(folder.path()).await;
    std::fs::remove_file(folder.path().join("kb/b.md")).unwrap();
    write(folder.path(), "c.md", "gamma 丙");
    library.order_index(Order::Distrust).await;
    library.rescan(kb).unwrap();
    write(folder.path(), "d.md", "delta 丁");
    library.rescan(kb).unwrap();
    library.settle().await;
    check_equal(folder.path(), &library).await;
    assert!(folder.path().join("data/index.damaged").exists());
    library.close().await;
    db.close().await;
}
