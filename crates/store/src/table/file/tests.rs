use orangery_domain::{ErrorKind, Spot};

use super::*;
use crate::Db;
use crate::table::chunk::{self, Chunk, Spots};
use crate::table::knowledge_base;
use crate::table::link::{self, LinkRow};

fn content(title: &str) -> Content {
    Content {
        stamp: Stamp { size: 3, modified_ns: -1, inode: Some(u64::MAX) },
        hash: Some(ContentHash::of(b"abc")),
        encoding: Some("GB18030".into()),
        title: title.into(),
        tags: vec!["a/b".into()],
        trouble: Some(Warning::new("undecodable", "x")),
    }
}

fn place(kb_id: KbId, path: &str) -> FilePlace {
    FilePlace { kb_id, path: KbPath::parse(path).unwrap() }
}

#[tokio::test]
async fn a_file_comes_back_as_it_was_stored_and_goes_with_its_knowledge_base() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open(&folder.path().join("db")).await.unwrap();
    let mut tx = db.write().await.unwrap();
    let kb = knowledge_base::insert(&mut tx, "kb", "/kb").await.unwrap();
    let id = insert(&mut tx, &place(kb, "a.md"), FileKind::Markdown, &content("A")).await.unwrap();
    let chunks = vec![Chunk {
        heading_path: vec!["一".into(), "\"2\"".into()],
        range: 0..10,
        lines: (1, 4),
        text: "text\n'…'".into(),
        line_map: vec![(0, 1), (5, 4)],
        spots: Some(Spots {
            first: 3,
            list: vec![(0, Spot::Slide { slide: 2 }), (5, Spot::Row { sheet: 1, row: 9 })],
        }),
    }];
    let links = vec![LinkRow {
        kind: orangery_domain::LinkKind::Wiki,
        target: "B".into(),
        target_key: "b".into(),
        fragment: None,
        line: 4,
        context: "see [[B]]".into(),
    }];
    for _ in 0..2 {
        chunk::replace(&mut tx, id, &chunks).await.unwrap();
        link::replace(&mut tx, id, &links).await.unwrap();
    }
    tx.commit().await.unwrap();

    let row = by_id(db.reader(), id).await.unwrap().unwrap();
    assert_eq!(by_place(db.reader(), &place(kb, "a.md")).await.unwrap().as_ref(), Some(&row));
    assert_eq!((row.stamp(), row.hash, row.tags), (content("").stamp, content("").hash, content("").tags));
    assert_eq!(row.trouble, content("").trouble);
    assert_eq!(chunk::of_file(db.reader(), id).await.unwrap(), chunks);
    let asked = [(id, 0), (id, 1), (FileId(id.0 + 1), 0)];
    let found = chunk::some(db.reader(), &asked).await.unwrap();
    assert_eq!((found.len(), found.get(&(id, 0))), (1, chunks.first()));
    assert!(chunk::some(db.reader(), &[]).await.unwrap().is_empty());
    let own = link::of_files(db.reader(), &[id]).await.unwrap();
    assert_eq!(own, links.iter().map(|link| (id, link.clone())).collect::<Vec<_>>());
    assert_eq!(link::to_keys(db.reader(), kb, &["b".into()]).await.unwrap()[0].link, links[0]);
    assert_eq!(encodings(db.reader(), kb).await.unwrap(), [orangery_domain::text::Encoding::Gb18030]);

    let mut tx = db.write().await.unwrap();
    knowledge_base::delete(&mut tx, kb).await.unwrap();
    assert_eq!(knowledge_base::delete(&mut tx, kb).await.unwrap_err().kind(), ErrorKind::NotFound);
    tx.commit().await.unwrap();
    assert_eq!(by_id(db.reader(), id).await.unwrap(), None);
    assert_eq!(chunk::of_file(db.reader(), id).await.unwrap(), []);
}

#[tokio::test]
async fn generations_say_what_the_index_lacks() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open(&folder.path().join("db")).await.unwrap();
    let mut tx = db.write().await.unwrap();
    let kb = knowledge_base::insert(&mut tx, "kb", "/kb").await.unwrap();
    let a = insert(&mut tx, &place(kb, "a.md"), FileKind::Markdown, &content("A")).await.unwrap();
    let b = insert(&mut tx, &place(kb, "b.md"), FileKind::Markdown, &content("B")).await.unwrap();
    set_indexed(&mut tx, &[(a, 1), (b, 1)]).await.unwrap();
    assert_eq!(update(&mut tx, a, &content("A2")).await.unwrap(), 2);
    // The two swap names.
    vacate(&mut tx, a).await.unwrap();
    let path = |text| KbPath::parse(text).unwrap();
    assert_eq!(relocate(&mut tx, b, &path("a.md"), "B").await.unwrap(), 2);
    assert_eq!(relocate(&mut tx, a, &path("b.md"), "A").await.unwrap(), 3);
    tx.commit().await.unwrap();
    assert_eq!(behind(db.reader()).await.unwrap(), [a, b]);
    let mut tx = db.write().await.unwrap();
    set_indexed(&mut tx, &[(a, 3), (b, 1)]).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(behind(db.reader()).await.unwrap(), [b]);
}

#[tokio::test]
async fn an_inexact_path_that_fits_two_files_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open(&folder.path().join("db")).await.unwrap();
    let mut tx = db.write().await.unwrap();
    let kb = knowledge_base::insert(&mut tx, "kb", "/kb").await.unwrap();
    for path in ["\u{212b}.md", "A\u{30a}.md", "cafe\u{301}.md"] {
        insert(&mut tx, &place(kb, path), FileKind::Markdown, &content(path)).await.unwrap();
    }
    tx.commit().await.unwrap();
    let find = async |path| by_place(db.reader(), &place(kb, path)).await;
    assert_eq!(find("caf\u{e9}.md").await.unwrap().unwrap().title, "cafe\u{301}.md");
    assert_eq!(find("\u{212b}.md").await.unwrap().unwrap().title, "\u{212b}.md");
    assert_eq!(find("\u{c5}.md").await.unwrap_err().kind(), ErrorKind::Invalid);
    assert_eq!(find("none.md").await.unwrap(), None);
}

#[tokio::test]
async fn notes_whose_lines_were_not_kept_are_looked_at_again_and_nothing_else_is() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open(&folder.path().join("db")).await.unwrap();
    let mut tx = db.write().await.unwrap();
    let kb = knowledge_base::insert(&mut tx, "kb", "/kb").await.unwrap();
    let note = insert(&mut tx, &place(kb, "a.md"), FileKind::Markdown, &content("A")).await.unwrap();
    let text = insert(&mut tx, &place(kb, "b.txt"), FileKind::Text, &content("B")).await.unwrap();
    sqlx::raw_sql(include_str!("../../../../../migrations/0016_line.sql")).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let (note, text) = (by_id(db.reader(), note).await.unwrap(), by_id(db.reader(), text).await.unwrap());
    assert_eq!(note.map(|row| (row.hash, row.modified_ns)), Some((None, -2)));
    assert_eq!(text.map(|row| (row.hash, row.modified_ns)), Some((content("").hash, -1)));
}
