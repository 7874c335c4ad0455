use std::io::ErrorKind as IoKind;

use orangery_domain::text::Encoding;
use orangery_domain::{ContentHash, ErrorKind, LineEnding, ScanHold};
use orangery_library::Fact;
use orangery_store::root::fault;

use crate::house::{Folder, House};

/// FAULTS B11.
#[tokio::test(flavor = "multi_thread")]
async fn what_other_programs_do_is_followed() {
    let house = Folder::new().open(true).await;
    house.library.settle().await;
    house.folder.write("a.md", "alpha");
    house.until("alpha", &["a.md"]).await;
    house.folder.write("a.md", "beta now");
    house.until("beta", &["a.md"]).await;
    assert_eq!(house.search("alpha").await, Vec::<String>::new());
    house.folder.write("new/deep/b.md", "gamma");
    house.until("gamma", &["new/deep/b.md"]).await;
    house.folder.write("new/deep/c.md", "delta");
    house.until("delta", &["new/deep/c.md"]).await;
    let id = house.id("new/deep/b.md");
    house.folder.rename("new/deep", "new/moved");
    house.until("gamma", &["new/moved/b.md"]).await;
    assert_eq!(house.id("new/moved/b.md"), id);
    assert_eq!(house.id("new/deep/b.md"), None);
    house.folder.write("new/moved/e.md", "epsilon");
    house.until("epsilon", &["new/moved/e.md"]).await;
    house.folder.remove("a.md");
    house.until("beta", &[]).await;
    house.folder.write(".gitignore", "moved/\n");
    house.until("gamma", &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_keeps_the_file_and_reads_nothing_again() {
    let folder = Folder::new();
    for at in 0..300 {
        folder.write(&format!("old/{at}.md"), format!("note{at} text"));
    }
    let house = folder.open(false).await;
    house.library.settle().await;
    let ids: Vec<_> = (0..300).map(|at| house.id(&format!("old/{at}.md")).unwrap()).collect();
    house.facts.lock().unwrap().clear();
    house.folder.rename("old", "new");
    house.rescan().await;
    let moved: Vec<_> = (0..300).map(|at| house.id(&format!("new/{at}.md")).unwrap()).collect();
    assert_eq!(moved, ids);
    assert_eq!(house.files().len(), 300);
    assert_eq!(house.search("note7").await, ["new/7.md"]);
    assert_eq!(house.operators("path:old text").await, Vec::<String>::new());
    let facts = house.facts.lock().unwrap();
    let read = facts.iter().any(|fact| matches!(fact, Fact::Changed(_, Some(_))));
    assert!(!read, "contents were read again");
    // Whoever shows one of them is told that it is not there any more.
    assert!(facts.contains(&Fact::Changed(house.place("old/7.md"), None)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rename_in_case_only_and_a_copy_over_keep_one_row() {
    let house = House::with(&[("a.md", "alpha"), ("b.md", "beta"), ("c.md", "")]).await;
    let (a, b) = (house.id("a.md"), house.id("b.md"));
    house.folder.rename("a.md", "A.md");
    house.rescan().await;
    assert_eq!((house.id("A.md"), house.files()), (a, vec!["A.md".into(), "b.md".into(), "c.md".into()]));
    assert_eq!(house.search("alpha").await, ["A.md"]);

    // A program that saves by renaming: the file stays who it is.
    house.folder.write("b.tmp", "beta two");
    house.folder.rename("b.tmp", "b.md");
    house.rescan().await;
    assert_eq!(house.id("b.md"), b);
    // One that keeps the old file under another name, too.
    house.folder.rename("b.md", "b.md~");
    house.folder.write("b.md", "beta three");
    house.rescan().await;
    assert_eq!(house.id("b.md"), b);
    assert_eq!(house.search("three").await, ["b.md"]);

    // Two files swap names through a third.
    house.folder.rename("A.md", "t.md");
    house.folder.rename("b.md", "A.md");
    house.folder.rename("t.md", "b.md");
    house.rescan().await;
    assert_eq!((house.id("b.md"), house.id("A.md")), (a, b));
    assert_eq!(house.search("alpha").await, ["b.md"]);
    assert_eq!(house.search("three").await, ["A.md"]);

    // One makes room for another, which is changed as well.
    house.folder.rename("A.md", "z.md");
    house.folder.rename("b.md", "A.md");
    house.folder.write("A.md", "alpha and more");
    house.rescan().await;
    assert_eq!(house.id("z.md"), b);
    assert_eq!(house.files().len(), 4);
    assert_eq!(house.search("three").await, ["z.md"]);
    assert_eq!(house.search("more").await, ["A.md"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_with_the_same_bytes_is_another_file_and_a_move_across_is_known_by_its_bytes() {
    let house = House::with(&[("a.md", "alpha text")]).await;
    let a = house.id("a.md");
    house.folder.write("copy.md", "alpha text");
    house.rescan().await;
    assert_eq!(house.id("a.md"), a);
    assert_ne!(house.id("copy.md"), a);
    house.folder.remove("copy.md");
    house.folder.write("sub/a.md", "alpha text");
    house.folder.remove("a.md");
    house.library.touched(&house.place("copy.md"));
    house.library.settle().await;
    house.rescan().await;
    assert_eq!(house.id("sub/a.md"), a);
}

/// FAULTS B12.
#[tokio::test(flavor = "multi_thread")]
async fn old_text_is_never_cited() {
    let house = House::with(&[("a.md", "alpha secret"), ("b.md", "beta")]).await;
    house.facts.lock().unwrap().clear();
    house.folder.write("a.md", "changed");
    house.library.touched(&house.place("a.md"));
    house.folder.remove("b.md");
    house.library.touched(&house.place("b.md"));
    // From when the change is told, long before the index has it.
    let told = |path: &str| {
        let hash = std::fs::read(house.folder.kb().join(path)).ok().map(|bytes| ContentHash::of(&bytes));
        house.facts.lock().unwrap().contains(&Fact::Changed(house.place(path), hash))
    };
    house.eventually(|| told("a.md") && told("b.md")).await;
    loop {
        let page =
            house.ask(orangery_domain::SearchQuery { text: "alpha beta".into(), ..Default::default() }).await;
        let hits: Vec<_> = page.groups.iter().flat_map(|group| &group.hits).collect();
        assert!(hits.is_empty(), "{hits:?}");
        if page.total_files == 0 {
            break;
        }
        tokio::task::yield_now().await;
    }
    house.library.settle().await;
    assert_eq!(house.search("changed").await, ["a.md"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn encodings_are_read_and_a_choice_is_remembered() {
    let folder = Folder::new();
    let gb = b"\xd6\xaa\xca\xb6\xb9\xdc\xc0\xed\xa3\xac\xca\xfd\xbe\xdd\xbf\xe2\xb5\xc4\xb1\xb8\xb7\xdd\xb7\xbd\xb0\xb8\xa1\xa3";
    folder.write("gb.txt", gb);
    folder.write("bom.md", b"\xef\xbb\xbf# Title\r\ntext");
    let utf16: Vec<u8> = "\u{feff}wide words".encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder.write("wide.txt", utf16);
    folder.write("binary.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\xff\xfe\0\0\0\x01");
    let house = folder.open(false).await;
    house.library.settle().await;
    assert_eq!(house.search("数据库的备份").await, ["gb.txt"]);
    assert_eq!(house.search("wide words").await, ["wide.txt"]);
    let note = house.library.read_note(&house.place("gb.txt")).await.unwrap();
    assert_eq!((note.decoded.encoding, note.raw.as_slice()), (Encoding::Gb18030, &gb[..]));
    let note = house.library.read_note(&house.place("bom.md")).await.unwrap();
    assert_eq!((note.decoded.bom, note.decoded.line_ending), (true, LineEnding::CrLf));
    assert_eq!(note.file.unwrap().title, "Title");

    let trouble = house.library.file(&house.place("binary.txt")).unwrap().trouble.unwrap();
    assert_eq!(trouble.code, "binary");
    let error = house.library.read_note(&house.place("binary.txt")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    house.library.choose_encoding(&house.place("binary.txt"), Encoding::Windows1252).await.unwrap();
    house.library.settle().await;
    assert_eq!(house.library.file(&house.place("binary.txt")).unwrap().trouble, None);
    let house = house.close().await.open(false).await;
    house.library.settle().await;
    let note = house.library.read_note(&house.place("binary.txt")).await.unwrap();
    assert_eq!(note.decoded.encoding, Encoding::Windows1252);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_encoding_is_chosen_also_before_the_scan_comes_by() {
    let house = House::with(&[(".gitignore", "drafts/\n"), ("a.md", "alpha")]).await;
    house.folder.write("new.txt", b"\xd6\xaa\xca\xb6");
    house.library.choose_encoding(&house.place("new.txt"), Encoding::Gb18030).await.unwrap();
    house.library.settle().await;
    assert_eq!(house.search("知识").await, ["new.txt"]);
    house.folder.write("drafts/b.txt", b"\xd6\xaa");
    house.folder.write("server.pem", b"\xd6\xaa");
    for (path, code) in [("drafts/b.txt", "leftOut"), ("server.pem", "leftOut"), ("none.txt", "notFound")] {
        let error = house.library.choose_encoding(&house.place(path), Encoding::Gb18030).await.unwrap_err();
        assert_eq!(error.code(), code, "{path}");
    }
}

/// The next new file gets the inode of one that is gone. Two files that are saved by renaming again and
/// again can come to stand on each other's.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn inodes_that_are_used_again_crosswise_do_not_swap_files() {
    let house = House::with(&[("a.md", "alpha one"), ("b.md", "gamma one")]).await;
    let (a, b) = (house.id("a.md"), house.id("b.md"));
    house.folder.rename("a.md", "t.md");
    house.folder.rename("b.md", "a.md");
    house.folder.rename("t.md", "b.md");
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
    for (path, text) in [("a.md", "alpha two"), ("b.md", "gamma two")] {
        house.folder.write(path, text);
        let file = std::fs::File::options().write(true).open(house.folder.kb().join(path)).unwrap();
        file.set_modified(later).unwrap();
    }
    house.rescan().await;
    assert_eq!((house.id("a.md"), house.id("b.md")), (a, b));
    assert_eq!(house.search("alpha two").await, ["a.md"]);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn nothing_outside_is_read_and_secrets_are_not_indexed() {
    let folder = Folder::new();
    let outside = folder.base().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("secret.md"), "outsideword").unwrap();
    let link =
        |from: &std::path::Path, to: &str| std::os::unix::fs::symlink(from, folder.kb().join(to)).unwrap();
    link(&outside, "folder");
    link(&outside.join("secret.md"), "file.md");
    link(std::path::Path::new(".."), "parent");
    folder.write("inside.md", "insideword");
    link(std::path::Path::new("inside.md"), "same.md");
    folder.write("key.pem", "pemword");
    folder.write("pasted.md", "-----BEGIN RSA PRIVATE KEY-----\nkeyword\n");
    folder.write(".env", "envword");
    folder.write(".orangery-0123abcd.tmp", "half");
    let house = folder.open(false).await;
    house.library.settle().await;
    assert_eq!(house.files(), ["inside.md", "pasted.md"]);
    for word in ["outsideword", "pemword", "keyword", "envword"] {
        assert_eq!(house.search(word).await, Vec::<String>::new(), "{word}");
    }
    assert_eq!(house.search("insideword").await, ["inside.md"]);
    for path in ["folder/secret.md", "file.md", "parent/outside/secret.md"] {
        let error = house.library.read_note(&house.place(path)).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Denied, "{path}: {error}");
    }
    let note = house.library.read_note(&house.place("same.md")).await.unwrap();
    assert_eq!((note.checked.place().as_str(), note.file.unwrap().path.as_str()), ("inside.md", "inside.md"));
    assert!(!house.folder.kb().join(".orangery-0123abcd.tmp").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn hints_alone_change_nothing_on_disk() {
    let house = House::with(&[("a.md", "alpha"), ("sub/b.md", "beta")]).await;
    let ids = (house.id("a.md"), house.id("sub/b.md"));
    for _ in 0..50 {
        for path in ["a.md", "sub", "sub/b.md", "gone.md", "sub/gone"] {
            house.library.touched(&house.place(path));
        }
    }
    house.library.settle().await;
    assert_eq!(std::fs::read(house.folder.kb().join("a.md")).unwrap(), b"alpha");
    assert_eq!((house.id("a.md"), house.id("sub/b.md")), ids);
    assert_eq!(house.files(), ["a.md", "sub/b.md"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn roots_do_not_nest_and_a_missing_one_keeps_its_index() {
    let house = House::with(&[("a.md", "alpha"), ("sub/b.md", "beta")]).await;
    let add = |path: std::path::PathBuf| house_add(&house.library, path);
    let base = house.folder.base().to_owned();
    for (path, code) in [
        (base.join("kb"), "rootAddedAlready"),
        (base.join("kb/sub"), "rootLiesWithin"),
        (base.clone(), "rootHolds"),
        (base.join("data"), "rootIsOwnData"),
        (base.join("none"), "notAFolder"),
    ] {
        assert_eq!(add(path.clone()).await, Err(code), "{}", path.display());
    }
    std::fs::create_dir(base.join("kb-2")).unwrap();
    assert_eq!(add(base.join("kb-2")).await, Ok(()));

    let folder = house.close().await;
    std::fs::rename(folder.kb(), folder.base().join("away")).unwrap();
    let house = folder.open(false).await;
    house.library.settle().await;
    assert!(house.library.knowledge_bases()[0].offline);
    assert_eq!(house.search("alpha").await, ["a.md"]);
    std::fs::rename(house.folder.base().join("away"), house.folder.kb()).unwrap();
    house.rescan().await;
    assert!(!house.library.knowledge_bases()[0].offline);

    let second = house.library.knowledge_bases()[1].id;
    house.library.reorder(&[second]).await.unwrap();
    house.library.rename(second, " Second ").await.unwrap();
    assert_eq!(house.library.knowledge_bases()[0].name, "Second");
    house.library.forget(house.kb).await.unwrap();
    assert_eq!(house.library.forget(house.kb).await.unwrap_err().kind(), ErrorKind::NotFound);
    house.library.settle().await;
    assert_eq!(house.search("alpha").await, Vec::<String>::new());
    assert_eq!(house.library.knowledge_bases().len(), 1);
    assert!(house.folder.kb().join("a.md").exists());
}

async fn house_add(
    library: &orangery_library::Library,
    path: std::path::PathBuf,
) -> Result<(), &'static str> {
    library.add(&path, None).await.map(|_| ()).map_err(|error| error.code())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_holds_until_the_next_rescan() {
    let house = House::with(&[("a.md", "alpha")]).await;
    house.library.pause(house.kb).unwrap();
    house.folder.write("b.md", "beta");
    house.library.touched(&house.place("b.md"));
    house.library.settle().await;
    assert_eq!(house.files(), ["a.md"]);
    house.rescan().await;
    assert_eq!(house.search("beta").await, ["b.md"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_scan_says_so_and_the_rest_goes_on_working() {
    let house = House::with(&[("a.md", "alpha")]).await;
    let held = || house.library.knowledge_bases()[0].scan.held;
    // Nothing is at work: there is nothing to cancel.
    house.library.cancel(house.kb).unwrap();
    assert_eq!(held(), None);
    house.library.pause(house.kb).unwrap();
    house.folder.write("b.md", "beta");
    house.folder.write("c.md", "gamma");
    assert_eq!(held(), Some(ScanHold::Paused));
    // What waited is given up; what is found is found, and what is saved from now on is too.
    house.library.cancel(house.kb).unwrap();
    house.library.settle().await;
    assert_eq!((held(), house.files()), (Some(ScanHold::Cancelled), vec!["a.md".to_owned()]));
    house.folder.write("d.md", "delta");
    house.library.touched(&house.place("d.md"));
    house.library.settle().await;
    assert_eq!(house.files(), ["a.md", "d.md"]);
    assert_eq!(house.search("delta").await, ["d.md"]);
    assert_eq!(held(), Some(ScanHold::Cancelled));
    house.rescan().await;
    assert_eq!((held(), house.files().len()), (None, 4));
    assert_eq!(house.search("gamma").await, ["c.md"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scan_can_be_cancelled_at_any_moment_and_started_again() {
    let house = House::with(&[("a.md", "alpha")]).await;
    let names: Vec<String> = (0..300).map(|at| format!("f{}/n{at}.md", at % 7)).collect();
    names.iter().for_each(|name| house.folder.write(name, name));
    // With a file that was saved while the scan ran: that is no part of what is given up.
    for _ in 0..3 {
        house.library.rescan(house.kb).unwrap();
        house.library.cancel(house.kb).unwrap();
        house.library.touched(&house.place("f1/n1.md"));
        house.library.settle().await;
        assert!(house.files().contains(&"f1/n1.md".to_owned()));
    }
    house.rescan().await;
    assert_eq!(house.files().len(), 301);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_gives_no_answer_is_not_gone() {
    let house = House::with(&[("a.md", "alpha"), ("sub/b.md", "beta"), ("sub/deep/c.md", "gamma")]).await;
    let ids = || ["a.md", "sub/b.md", "sub/deep/c.md"].map(|path| house.id(path));
    let (known, troubles) = (ids(), || house.library.knowledge_bases()[0].troubles.clone());
    for kind in [IoKind::PermissionDenied, IoKind::TimedOut, IoKind::Other] {
        let fault = fault::at(&house.folder.kb().join("sub"), kind);
        // By a look at everything, and by a hint about the folder and about one file in it.
        house.rescan().await;
        for path in ["sub", "sub/b.md"] {
            house.library.touched(&house.place(path));
        }
        house.library.settle().await;
        assert_eq!(ids(), known, "{kind}");
        assert_eq!(house.search("gamma").await, ["sub/deep/c.md"]);
        let said: Vec<_> = troubles().into_iter().map(|trouble| (trouble.code, trouble.detail)).collect();
        let why = if kind == IoKind::PermissionDenied { "noPermission" } else { "noAnswer" };
        assert!(said.contains(&(why.into(), "sub".into())), "{said:?}");
        drop(fault);
        house.rescan().await;
        assert_eq!((ids(), troubles()), (known, Vec::new()));
    }
    // What is gone is gone all the same.
    let fault = fault::at(&house.folder.kb().join("sub/deep"), IoKind::PermissionDenied);
    house.folder.remove("sub/b.md");
    house.rescan().await;
    assert_eq!(house.files(), ["a.md", "sub/deep/c.md"]);
    drop(fault);
    house.folder.remove("sub/deep/c.md");
    house.rescan().await;
    assert_eq!((house.files(), troubles()), (vec!["a.md".to_owned()], Vec::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_cannot_be_read_keeps_its_text_and_says_so() {
    let house = House::with(&[("a.md", "alpha"), ("b.md", "beta")]).await;
    let id = house.id("a.md");
    let trouble = || {
        let trouble = house.library.file(&house.place("a.md")).unwrap().trouble;
        trouble.map(|trouble| (trouble.code, trouble.detail))
    };
    let troubled =
        || house.library.troubled().into_iter().map(|file| file.path.to_string()).collect::<Vec<_>>();
    let fault = fault::at(&house.folder.kb().join("a.md"), IoKind::TimedOut);
    house.folder.write("a.md", "changed meanwhile");
    house.rescan().await;
    assert_eq!((house.id("a.md"), house.search("alpha").await), (id, vec!["a.md".to_owned()]));
    assert_eq!(house.library.knowledge_bases()[0].unreadable, 1);
    assert_eq!(trouble(), Some(("unreadable".into(), "io".into())));
    assert_eq!(troubled(), ["a.md"]);
    drop(fault);
    house.rescan().await;
    assert_eq!((house.id("a.md"), trouble(), troubled()), (id, None, vec![]));
    assert_eq!(house.search("changed").await, ["a.md"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_root_that_went_away_is_offline_whatever_the_hints_say() {
    let house = House::with(&[("a.md", "alpha"), ("sub/b.md", "beta")]).await;
    let away = house.folder.base().join("away");
    std::fs::rename(house.folder.kb(), &away).unwrap();
    for path in ["a.md", "sub", "sub/b.md"] {
        house.library.touched(&house.place(path));
    }
    house.library.settle().await;
    assert!(house.library.knowledge_bases()[0].offline);
    assert_eq!(house.files(), ["a.md", "sub/b.md"]);
    assert_eq!(house.search("beta").await, ["sub/b.md"]);
    std::fs::rename(&away, house.folder.kb()).unwrap();
    house.rescan().await;
    assert!(!house.library.knowledge_bases()[0].offline);
    let fault = fault::at(&house.folder.kb(), IoKind::TimedOut);
    house.library.touched(&house.place("a.md"));
    house.library.settle().await;
    assert!(house.library.knowledge_bases()[0].offline);
    assert_eq!(house.files(), ["a.md", "sub/b.md"]);
    drop(fault);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_knowledge_base_that_cannot_be_forgotten_is_there_as_before() {
    let house = House::with(&[("a.md", "alpha")]).await;
    house.db.close().await;
    let error = house.library.forget(house.kb).await.unwrap_err();
    assert_eq!(error.code(), "database", "{error}");
    assert_eq!(house.library.knowledge_bases()[0].id, house.kb);
    assert_eq!(house.files(), ["a.md"]);
    let (kb, folder) = (house.kb, house.close().await);
    let house = folder.open(false).await;
    house.library.settle().await;
    assert_eq!((house.kb, house.search("alpha").await), (kb, vec!["a.md".to_owned()]));
}

/// FAULTS C8: another writer that does not let go stands in for a disk that takes nothing.
#[tokio::test(flavor = "multi_thread")]
async fn while_changes_cannot_be_stored_search_says_so() {
    let house = House::with(&[("a.md", "alpha")]).await;
    let other = orangery_store::Db::open(&house.folder.base().join("data/orangery.db")).await.unwrap();
    let holding = other.write().await.unwrap();
    house.folder.write("a.md", "beta");
    house.library.rescan(house.kb).unwrap();
    house.until_warned("changesLost", true).await;
    drop(holding);
    house.until("beta", &["a.md"]).await;
    house.until_warned("changesLost", false).await;
}

/// Nothing of a picture is read, and still whoever shows it is told.
#[tokio::test(flavor = "multi_thread")]
async fn a_picture_that_changes_is_told() {
    let house = House::with(&[("a.png", "one picture")]).await;
    house.folder.write("a.png", "another picture");
    house.rescan().await;
    let told = Fact::Changed(house.place("a.png"), None);
    assert!(house.facts.lock().unwrap().contains(&told));
}
