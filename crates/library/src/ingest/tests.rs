#![expect(clippy::disallowed_methods, reason = "plays the user, who writes with other programs")]

use std::sync::{Arc, Mutex};

use orangery_domain::ScanPhase;
use orangery_store::Db;
use tokio_util::sync::CancellationToken;

use crate::{Fact, Library, LibraryConfig};

#[tokio::test(flavor = "multi_thread")]
async fn a_poll_shows_only_when_it_finds_something() {
    let keep = tempfile::tempdir().unwrap();
    let (notes, data) = (keep.path().join("kb"), keep.path().join("data"));
    std::fs::create_dir(&notes).unwrap();
    std::fs::create_dir(&data).unwrap();
    // Old enough for its time to be believed.
    std::fs::write(notes.join("a.md"), "alpha").unwrap();
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3_600);
    std::fs::File::options().write(true).open(notes.join("a.md")).unwrap().set_modified(old).unwrap();
    let facts = Arc::new(Mutex::new(Vec::new()));
    let library = Library::open(LibraryConfig {
        db: Db::open(&data.join("orangery.db")).await.unwrap(),
        index_folder: data.join("index"),
        notify: Arc::new({
            let facts = Arc::clone(&facts);
            move |fact| facts.lock().unwrap().push(fact)
        }),
        cancel: CancellationToken::new(),
        worker: None,
        secrets: None,
        watch: false,
    })
    .await
    .unwrap();
    let kb = library.add(&notes, None).await.unwrap().id;
    library.settle().await;
    let poll = async || {
        facts.lock().unwrap().clear();
        library.0.pending().poll(kb);
        library.0.wake.notify_one();
        library.settle().await;
        std::mem::take(&mut *facts.lock().unwrap())
    };
    let scanning = |fact: &Fact| matches!(fact, Fact::Scan(_, scan) if scan.phase == ScanPhase::Scanning);
    assert_eq!(poll().await, []);
    std::fs::write(notes.join("b.md"), "beta").unwrap();
    let seen = poll().await;
    assert!(seen.iter().any(scanning) && seen.contains(&Fact::Files(kb)), "{seen:?}");
    assert_eq!(library.knowledge_bases()[0].scan.phase, ScanPhase::Idle);
    // What the user asks for shows also when it finds nothing.
    library.rescan(kb).unwrap();
    library.0.pending().poll(kb);
    facts.lock().unwrap().clear();
    library.settle().await;
    assert!(facts.lock().unwrap().iter().any(scanning));
}
