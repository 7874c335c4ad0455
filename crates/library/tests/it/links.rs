use orangery_domain::LinkKind;

use crate::house::House;

#[tokio::test(flavor = "multi_thread")]
async fn links_lead_to_the_nearest_note_of_that_name() {
    let house = House::with(&[
        ("a/from.md", "[[Note]]"),
        ("a/Note.md", "# One\n\ntext\n\n## Two\n\npara ^block\n"),
        ("b/note.md", ""),
        ("b/deep/only.md", ""),
        ("b/deep/with space.md", ""),
        ("pic.png", ""),
        ("Cafe\u{301}.md", ""),
    ])
    .await;
    let from = house.place("a/from.md");
    for (kind, target, expected) in [
        (LinkKind::Wiki, "Note", Some("a/Note.md")),
        (LinkKind::Wiki, "note.md", Some("a/Note.md")),
        (LinkKind::Wiki, "b/Note", Some("b/note.md")),
        (LinkKind::Wiki, "deep/only", Some("b/deep/only.md")),
        (LinkKind::Wiki, "Only", Some("b/deep/only.md")),
        (LinkKind::Wiki, "caf\u{e9}", Some("Cafe\u{301}.md")),
        (LinkKind::Embed, "pic.png", Some("pic.png")),
        (LinkKind::Inline, "../b/deep/with%20space.md", Some("b/deep/with space.md")),
        (LinkKind::Inline, "/b/note", Some("b/note.md")),
        (LinkKind::Inline, "Note.md", Some("a/Note.md")),
        (LinkKind::Inline, "https://example.org/note.md", None),
        (LinkKind::Inline, "../../outside.md", None),
        (LinkKind::Wiki, "None", None),
    ] {
        let resolved = house.library.resolve_link(&from, kind, target, None).await.unwrap();
        assert_eq!(resolved.place.map(|place| place.path.to_string()).as_deref(), expected, "{target}");
    }
    let would_be = |target: &'static str| async move {
        house
            .library
            .resolve_link(&from, LinkKind::Wiki, target, None)
            .await
            .unwrap()
            .would_be
            .map(|place| place.path.to_string())
    };
    assert_eq!(would_be("New idea").await.as_deref(), Some("a/New idea.md"));
}

#[tokio::test(flavor = "multi_thread")]
async fn fragments_name_lines() {
    let house = House::with(&[("n.md", "# One\n\ntext\n\n## Two words\n\npara ^block\n")]).await;
    let from = house.place("n.md");
    for (fragment, line) in [
        ("One", Some(1)),
        ("two words", Some(5)),
        ("One#Two words", Some(5)),
        ("two-words", Some(5)),
        ("^block", Some(7)),
        ("None", None),
    ] {
        let resolved = house.library.resolve_link(&from, LinkKind::Wiki, "n", Some(fragment)).await.unwrap();
        assert_eq!(resolved.line, line, "{fragment}");
        let own = house.library.resolve_link(&from, LinkKind::Wiki, "", Some(fragment)).await.unwrap();
        assert_eq!(own.line, line, "{fragment}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn backlinks_follow_renames_elsewhere() {
    let house = House::with(&[
        ("a.md", "first\n\nsee [[b|the other]] and [[missing]]"),
        ("c/d.md", "[back](../b.md#part)"),
        ("b.md", "[[a]] ![x](https://example.org/x.png)"),
    ])
    .await;
    let links = house.library.links(&house.place("b.md")).await.unwrap();
    let from: Vec<_> = links.backlinks.iter().map(|link| (link.from.path.as_str(), link.line)).collect();
    assert_eq!(from, [("a.md", 3), ("c/d.md", 1)]);
    assert_eq!(links.backlinks[0].context, "see [[b|the other]] and [[missing]]");
    assert_eq!(links.outgoing.len(), 1);
    let links = house.library.links(&house.place("a.md")).await.unwrap();
    let to: Vec<_> =
        links.outgoing.iter().map(|link| link.to.as_ref().map(|to| to.path.to_string())).collect();
    assert_eq!(to, [Some("b.md".to_owned()), None]);

    house.folder.rename("b.md", "c/b.md");
    house.rescan().await;
    let links = house.library.links(&house.place("c/b.md")).await.unwrap();
    // By name it is still meant; by path it is not there any more.
    let from: Vec<_> = links.backlinks.iter().map(|link| link.from.path.as_str()).collect();
    assert_eq!(from, ["a.md"]);
}
