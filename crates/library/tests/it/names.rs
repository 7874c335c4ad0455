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

#[tokio::test(flavor = "multi_thread")]
async fn what_is_called_so_comes_before_what_lies_there_or_only_has_the_letters() {
    let house = House::with(&[
        ("a/计划.md", "x"),
        ("b/计划书.md", "x"),
        ("c/工作 计划.md", "x"),
        ("d/年度计划表.md", "x"),
        ("计划/e.md", "x"),
        ("notes/plan/alpha.md", "x"),
        ("x/plan.md", "x"),
        ("x/planning.md", "x"),
        ("x/work plan.md", "x"),
        ("x/replant.md", "x"),
        ("x/Public Library And Notes.md", "x"),
        ("x/p-olo-a-in.md", "x"),
        ("pa/lu/an/other.md", "x"),
    ])
    .await;
    let found = |text: &str| {
        let hits = house.library.find_names(text, 0).into_iter();
        hits.map(|hit| hit.place.path.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(found("计划"), ["a/计划.md", "b/计划书.md", "c/工作 计划.md", "d/年度计划表.md", "计划/e.md"]);
    // Letters scattered over folders are no name.
    assert_eq!(
        found("plan"),
        [
            "x/plan.md",
            "x/planning.md",
            "x/work plan.md",
            "x/replant.md",
            "notes/plan/alpha.md",
            "x/Public Library And Notes.md",
            "x/p-olo-a-in.md",
        ]
    );
    // Every word counts, in any order.
    assert_eq!(found("plan work"), ["x/work plan.md"]);
    assert_eq!(found("工作 计划"), ["c/工作 计划.md"]);
    let hit = house.library.find_names("plan", 1).remove(0);
    assert_eq!(under(hit.place.path.as_str(), &hit.marks), ["plan"]);
    let hit = house.library.find_names("年度 表", 1).remove(0);
    assert_eq!(under(hit.place.path.as_str(), &hit.marks), ["年度", "表"]);
}

/// FAULTS J8
#[tokio::test(flavor = "multi_thread")]
async fn long_paths_are_found_like_others() {
    let path = format!("{}/{}/{}.md", "深".repeat(40), "folder ".repeat(20).trim_end(), "n".repeat(252));
    let house = House::with(&[(path.as_str(), "# Orchid\n\nvanilla\n"), ("other.md", "")]).await;
    assert_eq!(house.files(), ["other.md", path.as_str()]);
    assert_eq!(house.search("vanilla").await, [path.as_str()]);
    assert_eq!(house.library.find_names(&"n".repeat(30), 5)[0].place.path.as_str(), path);
}
