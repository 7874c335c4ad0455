//! Documents through real workers: this test's own program, started again.

use orangery_domain::{ContentHash, FileKind, KeyPlace, ScanPhase, SearchQuery, Spot, Warning};
use orangery_extract::document::{VERSION, code};
use orangery_library::{Fact, WorkerCommand};
use orangery_store::secret::Secret;
use orangery_store::table::extraction::{self, Key};
use orangery_store::table::file;

use crate::house::{Folder, House};

const WORKER: &str = "extract-worker";

/// Before the tests of this program run: started as a worker, it is one.
#[ctor::ctor(unsafe)]
fn worker() {
    if std::env::args().nth(1).as_deref() == Some(WORKER) {
        let ended = orangery_library::worker::serve();
        std::process::exit(i32::from(ended.is_err()));
    }
}

pub fn command() -> WorkerCommand {
    WorkerCommand::new(std::env::current_exe().unwrap(), &[WORKER])
}

fn table(rows: usize) -> String {
    let mut text = "name,city,note\n".to_owned();
    for row in 2..=rows {
        let fruit = if row == 321 { "quince" } else { "plum" };
        text.push_str(&format!("person{row},city{},\"line one\nof {row}, {fruit}\"\n", row % 7));
    }
    text
}

async fn house(files: &[(&str, &[u8])]) -> House {
    let folder = Folder::new();
    for (path, content) in files {
        folder.write(path, content);
    }
    let house = folder.open_reading_documents(Some(command())).await;
    house.library.settle().await;
    house
}

const PAGE: &str = "<html><head><title>Greenhouse rules</title></head><body><h1>Rules</h1>\
    <p>Water the <a href='https://example.org/trees'>kumquat trees</a> twice.</p><h2>Locks</h2>\
    <p>The padlock is brass.</p></body></html>";

#[tokio::test(flavor = "multi_thread")]
async fn documents_are_found_and_cited_by_place() {
    let csv = table(500);
    let house =
        house(&[("people.csv", csv.as_bytes()), ("rules.html", PAGE.as_bytes()), ("a.md", b"# Note\n")])
            .await;
    let page = house.ask(SearchQuery { text: "quince".into(), ..SearchQuery::default() }).await;
    let [group] = &page.groups[..] else { panic!("{page:?}") };
    assert_eq!((group.place.path.as_str(), group.kind), ("people.csv", FileKind::Table));
    let hit = &group.hits[0];
    assert_eq!(hit.spot, Some(Spot::Row { sheet: 1, row: 321 }), "{hit:?}");
    assert_eq!(hit.blocks, Some((321, 321)));
    let page = house.ask(SearchQuery { text: "padlock".into(), ..SearchQuery::default() }).await;
    let hit = &page.groups[0].hits[0];
    assert_eq!((hit.spot, hit.spot_end), (Some(Spot::Flow), None));
    assert_eq!(hit.heading_path, ["Rules", "Locks"]);
    assert_eq!(page.groups[0].title, "Greenhouse rules");
    let scan = &house.library.knowledge_bases()[0].scan;
    assert_eq!((scan.documents, scan.documents_read, scan.phase), (2, 2, ScanPhase::Idle));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_viewer_gets_blocks_links_and_cells() {
    let csv = table(40);
    let house = house(&[("people.csv", csv.as_bytes()), ("rules.html", PAGE.as_bytes())]).await;
    let rules = house.library.read_document(&house.place("rules.html")).await.unwrap();
    let view = rules.view();
    assert_eq!((view.title.as_str(), view.trouble.clone()), ("Greenhouse rules", None));
    assert!(!view.file.unwrap().waiting);
    let all = rules.blocks(1, 100);
    assert_eq!(all.total as usize, all.blocks.len());
    let linked = all.blocks.iter().find(|block| !block.links.is_empty()).unwrap();
    let link = &linked.links[0];
    let units: Vec<u16> = linked.text.encode_utf16().collect();
    let shown = String::from_utf16(&units[link.start as usize..link.end as usize]).unwrap();
    assert_eq!((shown.as_str(), link.target.as_str()), ("kumquat trees", "https://example.org/trees"));
    let second = rules.blocks(2, 1);
    assert_eq!((second.blocks.len(), &second.blocks[0]), (1, &all.blocks[1]));

    let people = house.library.read_document(&house.place("people.csv")).await.unwrap().view();
    assert_eq!((people.sheets.len(), people.sheets[0].rows, people.sheets[0].columns), (1, 40, 3));
    let rows = house.library.table_rows(&house.place("people.csv"), 1, 40, 10).await.unwrap();
    assert_eq!((rows.total, rows.columns), (40, 3));
    assert_eq!(rows.rows, [["person40", "city5", "line one\nof 40, plum"]]);
    let error = house.library.read_document(&house.place("a.md")).await.unwrap_err();
    assert_eq!(error.kind(), orangery_domain::ErrorKind::NotFound);
    house.close().await;
}

/// What the database keeps is enough: a second start reads nothing again, nor does a copy.
#[tokio::test(flavor = "multi_thread")]
async fn the_same_bytes_are_not_read_twice() {
    let first = house(&[("deep/rules.html", PAGE.as_bytes())]).await;
    assert_eq!(first.search("padlock").await, ["deep/rules.html"]);
    let folder = first.close().await;
    folder.write("copy.html", PAGE);
    // Whatever asks this one for a document learns that there is none.
    let broken = WorkerCommand::new("/nowhere/orangery".into(), &[]);
    let second = folder.open_reading_documents(Some(broken)).await;
    second.library.settle().await;
    let mut found = second.search("padlock").await;
    found.sort();
    assert_eq!(found, ["copy.html", "deep/rules.html"]);
    second.folder.write("new.html", "<p>unread</p>");
    second.rescan().await;
    assert_eq!(second.search("unread").await, [""; 0]);
    assert!(second.library.file(&second.place("new.html")).unwrap().waiting);
    let error = second.library.read_document(&second.place("new.html")).await.unwrap_err();
    assert_eq!(error.code(), "noReader");
    // With a worker it is read, for nothing was wrong with it.
    let third = second.close().await.open_reading_documents(Some(command())).await;
    third.library.settle().await;
    assert_eq!(third.search("unread").await, ["new.html"]);
    third.close().await;
}

/// What was read is kept for as long as some file has those bytes, and no longer.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_read_of_a_file_that_is_gone_is_dropped() {
    let house = house(&[("rules.html", PAGE.as_bytes()), ("other.html", b"<p>other</p>")]).await;
    let read = async |text: &str| {
        let key = Key { hash: ContentHash::of(text.as_bytes()), kind: FileKind::Html, encoding: None };
        let kept = extraction::get(house.db.reader(), &key, VERSION).await;
        kept.unwrap().is_some()
    };
    assert!(read(PAGE).await && read("<p>other</p>").await);
    house.folder.remove("rules.html");
    house.rescan().await;
    assert!(!read(PAGE).await && read("<p>other</p>").await);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_older_reader_read_is_read_again() {
    let house = house(&[("rules.html", PAGE.as_bytes())]).await;
    let key = Key { hash: ContentHash::of(PAGE.as_bytes()), kind: FileKind::Html, encoding: None };
    let mut tx = house.db.write().await.unwrap();
    let packed = extraction::get(house.db.reader(), &key, VERSION).await.unwrap().unwrap();
    extraction::put(&mut tx, &key, VERSION - 1, &packed).await.unwrap();
    file::set_read(&mut tx, house.id("rules.html").unwrap(), VERSION - 1, &[]).await.unwrap();
    tx.commit().await.unwrap();
    assert!(extraction::get(house.db.reader(), &key, VERSION).await.unwrap().is_none());
    let house = house.close().await.open_reading_documents(Some(command())).await;
    house.library.settle().await;
    assert!(extraction::get(house.db.reader(), &key, VERSION).await.unwrap().is_some());
    assert_eq!(house.search("brass").await, ["rules.html"]);
    house.close().await;
}

/// FAULTS K6
#[tokio::test(flavor = "multi_thread")]
async fn scans_are_found_as_such() {
    let house = house(&[("paper.html", b"<p>a word</p>"), ("other.html", b"<p>a word</p>")]).await;
    let scan = [Warning::new(code::IMAGE_ONLY, "2-3")];
    let mut tx = house.db.write().await.unwrap();
    file::set_read(&mut tx, house.id("paper.html").unwrap(), VERSION, &scan).await.unwrap();
    tx.commit().await.unwrap();
    let house = house.close().await.open_reading_documents(Some(command())).await;
    house.library.settle().await;
    assert_eq!(house.operators("type:scan").await, ["paper.html"]);
    assert_eq!(house.operators("word -type:scan").await, ["other.html"]);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_document_says_what_it_says_now() {
    let house = house(&[("rules.html", PAGE.as_bytes())]).await;
    let id = house.id("rules.html");
    house.folder.write("rules.html", "<p>The padlock is made of steel and <b>titanium</b>.</p>");
    house.rescan().await;
    let told = Fact::Changed(house.place("rules.html"), None);
    assert!(house.facts.lock().unwrap().contains(&told));
    assert_eq!(house.search("brass").await, [""; 0]);
    assert_eq!(house.search("titanium").await, ["rules.html"]);
    house.folder.rename("rules.html", "moved.html");
    house.rescan().await;
    assert_eq!((house.search("titanium").await, house.id("moved.html")), (vec!["moved.html".into()], id));
    house.folder.remove("moved.html");
    house.rescan().await;
    assert_eq!(house.search("titanium").await, [""; 0]);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_says_why_and_the_rest_goes_on() {
    let key = "-----BEGIN OPENSSH PRIVATE KEY-----\nabcdef\n-----END OPENSSH PRIVATE KEY-----\n";
    let hidden = format!("<pre>{key}</pre>");
    let files: &[(&str, &[u8])] = &[
        ("broken.docx", b"PK\x03\x04 and then nothing"),
        ("plain.pptx", b"no package at all"),
        ("empty.xlsx", b""),
        ("key.html", hidden.as_bytes()),
        ("good.csv", b"a,b\nkumquat,2\n"),
    ];
    let house = house(files).await;
    for name in ["broken.docx", "plain.pptx", "empty.xlsx", "key.html"] {
        let file = house.library.file(&house.place(name)).unwrap();
        let trouble = file.trouble.unwrap_or_else(|| panic!("{name} has no trouble"));
        assert!(!file.waiting && !trouble.code.is_empty(), "{name}");
        assert_eq!(trouble.code == "sensitive", name == "key.html", "{name}: {trouble:?}");
        let view = house.library.read_document(&house.place(name)).await.unwrap().view();
        assert_eq!(view.trouble.map(|trouble| trouble.code), Some(trouble.code), "{name}");
    }
    assert_eq!(house.search("kumquat").await, ["good.csv"]);
    assert_eq!(house.search("OPENSSH").await, [""; 0]);
    house.close().await;
}

/// A worker that dies of a document costs that document alone; a retry with a better one reads it.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_crash_is_the_document_s_and_can_be_tried_again() {
    let folder = Folder::new();
    folder.write("rules.html", PAGE);
    let dies = "printf orangew1; head -c 12 >/dev/null; exit 1";
    let first =
        folder.open_reading_documents(Some(WorkerCommand::new("/bin/sh".into(), &["-c", dies]))).await;
    first.library.settle().await;
    let place = first.place("rules.html");
    let trouble = first.library.file(&place).unwrap().trouble.unwrap();
    assert_eq!(trouble.code, "crashed");
    let second = first.close().await.open_reading_documents(Some(command())).await;
    second.library.settle().await;
    let place = second.place("rules.html");
    // Not tried again by itself, not even for a viewer.
    let view = second.library.read_document(&place).await.unwrap().view();
    assert_eq!(view.trouble.map(|trouble| trouble.code), Some("crashed".to_owned()));
    second.library.retry_document(&place).await.unwrap();
    assert_eq!(second.library.read_document(&place).await.unwrap().view().trouble, None);
    second.library.settle().await;
    assert_eq!(second.search("padlock").await, ["rules.html"]);
    assert_eq!(second.library.file(&place).unwrap().trouble, None);
    second.close().await;
}

/// A pause ends what is being read, and nothing is lost by it.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn documents_wait_while_a_knowledge_base_is_paused() {
    let folder = Folder::new();
    folder.write("a.md", "# apple");
    folder.write("rules.html", PAGE);
    let sleeps = "printf orangew1; exec sleep 1000";
    let first =
        folder.open_reading_documents(Some(WorkerCommand::new("/bin/sh".into(), &["-c", sleeps]))).await;
    // Notes do not wait for documents.
    first.until("apple", &["a.md"]).await;
    let started = std::time::Instant::now();
    while first.library.knowledge_bases()[0].scan.phase != ScanPhase::Reading {
        assert!(started.elapsed().as_secs() < 60);
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    first.library.pause(first.kb).unwrap();
    // Would wait for the sleeper otherwise.
    first.library.close().await;
    let second = first.close().await.open_reading_documents(Some(command())).await;
    second.library.settle().await;
    assert_eq!(second.search("padlock").await, ["rules.html"]);
    second.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_is_not_locked_needs_no_password() {
    let house = house(&[("rules.html", PAGE.as_bytes())]).await;
    let place = house.place("rules.html");
    house.library.unlock_document(&place, Secret::new("any"), KeyPlace::Run).await.unwrap();
    house.library.settle().await;
    assert_eq!(house.search("padlock").await, ["rules.html"]);
    house.close().await;
}
