use orangery_library::FileFilter;

use crate::house::{House, under};

#[tokio::test(flavor = "multi_thread")]
async fn names_are_found_roughly_and_marked() {
    let house = House::with(&[
        ("work/Meeting notes.md", "# 会议纪要\n"),
        ("读书笔记/三体.md", "x"),
        ("work/other.md", "x"),
    ])
    .await;
    let first = |text: &str| house.library.find_names(text, 5).into_iter().next().unwrap();
    let hit = first("mtng");
    assert_eq!(hit.place.path.as_str(), "work/Meeting notes.md");
    assert_eq!(under(hit.place.path.as_str(), &hit.marks).concat(), "Mtng");
    assert_eq!(first("会议").place.path.as_str(), "work/Meeting notes.md");
    let hit = first("三体");
    assert_eq!(under(hit.place.path.as_str(), &hit.marks), ["三体"]);
    assert_eq!(house.library.find_names("", 2).len(), 2);
    assert!(house.library.find_names("zzzz", 5).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_listed_by_folder_kind_and_glob() {
    let house =
        House::with(&[("a/x2.md", ""), ("a/x10.md", ""), ("a/b/y.txt", ""), ("ab/z.md", ""), ("p.png", "")])
            .await;
    let list = |filter: FileFilter| {
        let files = house.library.files(&filter).unwrap();
        files.into_iter().map(|file| file.path.to_string()).collect::<Vec<_>>()
    };
    let prefix = Some(house.place("a").path);
    assert_eq!(list(FileFilter { prefix, ..FileFilter::default() }), ["a/b/y.txt", "a/x2.md", "a/x10.md"]);
    assert_eq!(list(FileFilter { query: Some("X1".into()), ..FileFilter::default() }), ["a/x10.md"]);
    assert_eq!(list(FileFilter { glob: Some("a/**/*.txt".into()), ..FileFilter::default() }), ["a/b/y.txt"]);
    let kinds = vec![orangery_domain::FileKind::Image];
    assert_eq!(list(FileFilter { kinds, ..FileFilter::default() }), ["p.png"]);
    assert!(house.library.files(&FileFilter { glob: Some("[".into()), ..FileFilter::default() }).is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_is_listed_as_it_is() {
    let house =
        House::with(&[("b.md", "# B"), ("a10.md", ""), ("a9.md", ""), ("z/x.md", ""), (".hidden.md", "")])
            .await;
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::ffi::OsStrExt;
        let name = std::ffi::OsStr::from_bytes(b"bad\xff.md");
        std::fs::write(house.folder.kb().join(name), "x").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", house.folder.kb().join("out.md")).unwrap();
        std::os::unix::fs::symlink("b.md", house.folder.kb().join("same.md")).unwrap();
    }
    let listed = house.library.list(house.kb, &orangery_domain::KbPath::root()).await.unwrap();
    let shown: Vec<_> = listed
        .iter()
        .map(|entry| {
            let trouble = entry.trouble.as_ref().map_or("", |trouble| &trouble.code);
            (entry.name.as_str(), entry.file_id.is_some(), trouble)
        })
        .collect();
    let expected = [
        ("z", false, ""),
        ("a9.md", true, ""),
        ("a10.md", true, ""),
        ("b.md", true, ""),
        ("bad\u{fffd}.md", false, "nameNotUnicode"),
        ("out.md", false, "link"),
        ("same.md", true, ""),
    ];
    assert_eq!(shown, expected);
}
