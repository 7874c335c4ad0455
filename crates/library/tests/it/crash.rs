//! Whatever happens to the process or the index, the next start makes index and files equal.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::house::{Folder, House};

const CHILD: &str = "ORANGERY_TEST_CHILD";

/// Not a test of its own: what the killed process does.
#[tokio::test(flavor = "multi_thread")]
async fn child() {
    let Some(base) = std::env::var_os(CHILD) else {
        return;
    };
    let house = Folder::of(&PathBuf::from(base)).open(false).await;
    for round in 0_u32.. {
        let path = format!("n{}.md", round % 40);
        house.folder.write(&path, format!("note{} round{round} 第{round}次", round % 40));
        house.library.touched(&house.place(&path));
        if round % 7 == 3 {
            let gone = format!("n{}.md", (round + 20) % 40);
            if house.folder.kb().join(&gone).exists() {
                house.folder.remove(&gone);
                house.library.touched(&house.place(&gone));
            }
        }
        println!("round {round}");
    }
}

/// Runs the child until it has said `lines` lines, then kills it.
fn kill_after(folder: &Folder, lines: usize) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["crash::child", "--exact", "--nocapture", "--test-threads=1"])
        .env(CHILD, folder.base())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let said =
        output.lines().map_while(Result::ok).filter(|line| line.contains("round ")).take(lines).count();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(said, lines, "the child ended by itself");
}

/// Every note is found by what it says, and nothing else is.
async fn check_equal(house: &House) {
    let mut on_disk = Vec::new();
    for entry in std::fs::read_dir(house.folder.kb()).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let text = std::fs::read_to_string(entry.path()).unwrap();
        // Killed between making the file and writing it.
        if text.is_empty() {
            on_disk.push(name);
            continue;
        }
        for word in text.split(' ') {
            let found = house.search(word).await;
            let state = (house.library.file(&house.place(&name)), house.library.knowledge_bases());
            assert!(found.contains(&name), "{word} of {name}: {found:?}, {state:?}");
        }
        assert_eq!(house.search(&text).await.first(), Some(&name));
        on_disk.push(name);
    }
    on_disk.sort();
    assert_eq!(house.files(), on_disk);
    let mut all = house.search("note0 OR").await;
    all.retain(|name| !on_disk.contains(name));
    assert_eq!(all, Vec::<String>::new());
}

/// FAULTS B1, B9 and B16.
#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_moment_the_next_start_is_whole() {
    let mut folder = Folder::new();
    for lines in [1, 3, 10, 45, 90, 200] {
        kill_after(&folder, lines);
        let house = folder.open(false).await;
        house.library.settle().await;
        check_equal(&house).await;
        folder = house.close().await;
        assert!(!folder.base().join("data/index.damaged").exists(), "the index was built anew");
    }
}

/// The index's files with an ending, largest first.
fn index_files(folder: &Folder, ending: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder.index())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    files.sort_by_key(|path| std::cmp::Reverse(std::fs::metadata(path).unwrap().len()));
    files
}

fn cut(file: &Path, bytes: usize) {
    let all = std::fs::read(file).unwrap();
    std::fs::write(file, &all[..bytes]).unwrap();
}

type Damage = (&'static str, fn(&Folder));

/// FAULTS B5 and B6.
#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_index_is_set_aside_and_built_anew() {
    let texts: Vec<_> = (0..60).map(|at| (format!("n{at}.md"), format!("note{at} 第{at}篇"))).collect();
    let notes: Vec<_> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let mut folder = House::with(&notes).await.close().await;
    let damages: [Damage; 11] = [
        ("torn postings", |folder| {
            let file = &index_files(folder, ".idx")[0];
            let bytes = std::fs::read(file).unwrap();
            std::fs::write(file, &bytes[..bytes.len() / 2]).unwrap();
        }),
        ("flipped bit", |folder| {
            let file = &index_files(folder, ".term")[0];
            let mut bytes = std::fs::read(file).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 0x10;
            std::fs::write(file, bytes).unwrap();
        }),
        // Fewer bytes than what tells where the footer begins, and than the footer.
        ("a stump of terms", |folder| cut(&index_files(folder, ".term")[0], 5)),
        ("a stump of postings", |folder| cut(&index_files(folder, ".idx")[0], 11)),
        ("missing file", |folder| std::fs::remove_file(&index_files(folder, ".fast")[0]).unwrap()),
        ("empty list", |folder| std::fs::write(folder.index().join("meta.json"), "").unwrap()),
        ("other schema", |folder| std::fs::write(folder.index().join("schema"), "0").unwrap()),
        ("a folder for a file", |folder| {
            let file = &index_files(folder, ".term")[0];
            std::fs::remove_file(file).unwrap();
            std::fs::create_dir(file).unwrap();
        }),
        ("a file for the index", |folder| {
            std::fs::remove_dir_all(folder.index()).unwrap();
            std::fs::write(folder.index(), "no folder").unwrap();
        }),
        ("a file where damage goes", |folder| {
            // The one before left it there.
            assert!(folder.base().join("data/index.damaged").is_file());
            cut(&index_files(folder, ".term")[0], 5);
        }),
        ("gone", |folder| std::fs::remove_dir_all(folder.index()).unwrap()),
    ];
    for (name, damage) in damages {
        damage(&folder);
        let house = folder.open(false).await;
        house.library.settle().await;
        check_equal(&house).await;
        folder = house.close().await;
        assert!(!index_files(&folder, ".idx").is_empty(), "{name}");
    }
    assert!(folder.base().join("data/index.damaged").exists());
}

/// FAULTS B9.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_deleted_while_closed_is_not_found() {
    let folder = House::with(&[("a.md", "alpha"), ("b.md", "beta")]).await.close().await;
    folder.remove("a.md");
    folder.write("c.md", "gamma");
    let house = folder.open(false).await;
    house.library.settle().await;
    assert_eq!(house.search("alpha").await, Vec::<String>::new());
    assert_eq!(house.search("gamma").await, ["c.md"]);
    check_equal(&house).await;
}

/// FAULTS B4 and B5: a lock is no damage, and is said while it lasts.
#[tokio::test(flavor = "multi_thread")]
async fn a_locked_index_is_left_alone_and_used_when_it_is_free() {
    let folder = House::with(&[("a.md", "alpha")]).await.close().await;
    let index = tantivy::Index::open_in_dir(folder.index()).unwrap();
    let lock: tantivy::IndexWriter = index.writer(20_000_000).unwrap();
    folder.write("b.md", "beta");
    let house = folder.open(false).await;
    house.library.settle().await;
    assert!(!house.folder.base().join("data/index.damaged").exists());
    let page = house.ask(orangery_domain::SearchQuery { text: "beta".into(), ..Default::default() }).await;
    assert!(page.incomplete.is_some());
    house.until_warned("changesLost", true).await;
    assert!(house.library.index_trouble().is_some());
    drop(lock);
    house.until("beta", &["b.md"]).await;
    house.until_warned("changesLost", false).await;
    assert_eq!(house.library.index_trouble(), None);
    assert!(!house.folder.base().join("data/index.damaged").exists());
}

/// FAULTS B3 and B4: a commit that fails is said, and the next one works.
#[tokio::test(flavor = "multi_thread")]
async fn an_index_that_cannot_be_written_is_repaired_while_running() {
    let house = House::with(&[("a.md", "alpha")]).await;
    std::fs::remove_dir_all(house.folder.index()).unwrap();
    house.folder.write("b.md", "beta");
    house.library.touched(&house.place("b.md"));
    house.until("beta", &["b.md"]).await;
    house.until("alpha", &["a.md"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_that_cannot_be_opened_is_not_said_to_hold_everything() {
    let folder = House::with(&[("a.md", "alpha")]).await.close().await;
    std::fs::remove_dir_all(folder.index()).unwrap();
    std::fs::write(folder.index(), "in the way").unwrap();
    let house = folder.open(false).await;
    let page = house.ask(orangery_domain::SearchQuery { text: "alpha".into(), ..Default::default() }).await;
    assert!(page.groups.is_empty());
    assert_eq!(page.incomplete, Some(orangery_domain::Incomplete { done: 0, total: 1 }));
}
