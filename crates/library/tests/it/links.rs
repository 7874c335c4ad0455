use orangery_domain::{FilePlace, KbPath, LinkKind, WrittenLink};
use orangery_library::Resolved;

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
        let resolved = resolve(&house, &from, kind, target, None).await;
        assert_eq!(resolved.place.map(|place| place.path.to_string()).as_deref(), expected, "{target}");
    }
    let would_be = |target: &'static str| async move {
        resolve(&house, &from, LinkKind::Wiki, target, None)
            .await
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
        let resolved = resolve(&house, &from, LinkKind::Wiki, "n", Some(fragment)).await;
        assert_eq!(resolved.line, line, "{fragment}");
        let own = resolve(&house, &from, LinkKind::Wiki, "", Some(fragment)).await;
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

/// Every note that a move asks to change, with its new text.
async fn relinked(house: &House, from: &str, to: &str) -> Vec<(String, String)> {
    let notes = house.library.relink(&house.place(from), &house.place(to)).await.unwrap().updates;
    let mut out = Vec::new();
    for note in notes {
        let mut text = std::fs::read_to_string(house.folder.kb().join(note.place.path.as_str())).unwrap();
        assert_eq!(orangery_domain::ContentHash::of(text.as_bytes()), note.base);
        for edit in note.edits.iter().rev() {
            text.replace_range(edit.range.clone(), &edit.insert);
        }
        out.push((note.place.path.to_string(), text));
    }
    out.sort();
    out
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renamed_note_takes_its_links_along_in_every_form() {
    // FAULTS J11
    let forms = "---\nup: \"[[old]]\"\n---\n[[old]] [[old|alias]] [[old#Part]] [[Old#^block|b]] ![[old]] [[old.md]]\n\
                 [i](old.md) [t](old.md#part \"Title\") [a](<old.md>) [e](./old.md) [r][ref] ![p](old.md)\n\
                 `[[old]]` [other](older.md) <https://example.org/old.md>\n\n```\n[[old]]\n```\n\n| [[old\\|x]] |\n|---|\n\n\
                 [ref]: old.md 'T'\n";
    let expected = forms
        .replace("\"[[old]]\"", "\"[[new name]]\"")
        .replace("[[old]] [[old|alias]] [[old#Part]] [[Old#^block|b]] ![[old]] [[old.md]]",
            "[[new name]] [[new name|alias]] [[new name#Part]] [[new name#^block|b]] ![[new name]] [[new name.md]]")
        .replace("[i](old.md) [t](old.md#part \"Title\") [a](<old.md>) [e](./old.md)",
            "[i](new%20name.md) [t](new%20name.md#part \"Title\") [a](<new name.md>) [e](./new%20name.md)")
        .replace("![p](old.md)", "![p](new%20name.md)")
        .replace("[[old\\|x]]", "[[new name\\|x]]")
        .replace("[ref]: old.md 'T'", "[ref]: new%20name.md 'T'");
    let house = House::with(&[
        ("old.md", "# Part\n\nself [[old]] and [[#Part]] and [x](old.md#part)\n"),
        ("older.md", ""),
        ("n.md", forms),
    ])
    .await;
    let changed = relinked(&house, "old.md", "new name.md").await;
    let own = "# Part\n\nself [[new name]] and [[#Part]] and [x](new%20name.md#part)\n";
    assert_eq!(changed, pairs(&[("n.md", &expected), ("old.md", own)]));
    assert_eq!(house.library.linking(&house.place("old.md")).await.unwrap(), [house.place("n.md")]);
}

/// FAULTS J11: signs that end a wiki link are ordinary in names.
#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_no_wiki_link_can_hold_is_linked_as_markdown_does() {
    let house = House::with(&[
        ("t.md", "# One two\n"),
        ("p/n.md", "---\nup: \"[[t]]\"\n---\n[[t]] [[t|the [x] one]] [[t#One two]] ![[t]] [m](../t.md)\n"),
    ])
    .await;
    let changed = relinked(&house, "t.md", "C# [1].md").await;
    let links = "[C# \\[1\\]](../C%23%20[1].md) [the \\[x\\] one](../C%23%20[1].md) [C# \\[1\\]](../C%23%20[1].md#One%20two) \
                 ![[t]] [m](../C%23%20[1].md)";
    let expected = format!("---\nup: \"[[t]]\"\n---\n{links}\n");
    assert_eq!(changed, pairs(&[("p/n.md", &expected)]));
    // What is embedded and what is a property has no other form: that is told.
    let left = |to: &str| {
        let (from, to) = (house.place("t.md"), house.place(to));
        let house = &house;
        async move { house.library.relink(&from, &to).await.unwrap().left }
    };
    assert_eq!(left("C# [1].md").await, [house.place("p/n.md")]);
    assert_eq!(left("plain.md").await, []);
}

/// FAULTS J11: links end at the knowledge base, and who moves something out of it hears which ones.
#[tokio::test(flavor = "multi_thread")]
async fn what_leaves_the_knowledge_base_tells_which_links_it_parts() {
    let house = House::with(&[
        ("p/a.md", "[b](b.md) [[b]]\n"),
        ("p/b.md", "[[stays]] [nowhere](none.md)\n"),
        ("p/c.md", "[[p/b]]\n"),
        ("q/d.md", "![[b#part]]\n"),
        ("q/e.md", "[[stays]] [[none]]\n"),
        ("stays.md", "[[a|first]]\n"),
    ])
    .await;
    let other = house.folder.base().join("other");
    std::fs::create_dir(&other).unwrap();
    let other = house.library.add(&other, None).await.unwrap().id;
    let left = async |from: &str, to: &str| {
        let to = FilePlace { kb_id: other, path: KbPath::parse(to).unwrap() };
        let relinked = house.library.relink(&house.place(from), &to).await.unwrap();
        assert_eq!(relinked.updates, []);
        relinked.left.iter().map(|place| place.path.to_string()).collect::<Vec<_>>()
    };
    // Within the folder links go on, but for those that count from the root.
    assert_eq!(left("p", "r").await, ["p/b.md", "p/c.md", "q/d.md", "stays.md"]);
    assert_eq!(left("p", "p").await, ["p/b.md", "q/d.md", "stays.md"]);
    assert_eq!(left("q/e.md", "e.md").await, ["q/e.md"]);
    assert_eq!(left("stays.md", "stays.md").await, ["p/b.md", "q/e.md", "stays.md"]);
    // As the moves leave it that were proposed before.
    let moves = [(house.place("q/e.md"), house.place("q/f.md"))];
    let to = FilePlace { kb_id: other, path: KbPath::parse("f.md").unwrap() };
    let relinked = house.library.relink_after(&moves, &house.place("q/f.md"), &to).await.unwrap();
    assert_eq!(relinked.left, [house.place("q/e.md")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_changes_in_case_only_is_spelled_so_in_links() {
    let house = House::with(&[
        ("Docs/Note.md", "[x](Note.md)\n"),
        ("n.md", "[[Note]] [[note]] [[NOTE|x]] [[Docs/Note#a]] [t](Docs/Note.md) [u](docs/note.md)\n"),
    ])
    .await;
    let links = "[[note]] [[note]] [[NOTE|x]] [[Docs/note#a]] [t](Docs/note.md) [u](docs/note.md)\n";
    let changed = relinked(&house, "Docs/Note.md", "Docs/note.md").await;
    assert_eq!(changed, pairs(&[("Docs/Note.md", "[x](note.md)\n"), ("n.md", links)]));
    let links = "[[Note]] [[note]] [[NOTE|x]] [[docs/Note#a]] [t](docs/Note.md) [u](docs/note.md)\n";
    assert_eq!(relinked(&house, "Docs", "docs").await, pairs(&[("n.md", links)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_moved_note_keeps_where_its_own_links_lead() {
    let house = House::with(&[
        (
            "a/n.md",
            "[[Note]] [up](../top.md) ![p](pic.png) [s](<../b/with space.md>) [w](https://example.org/)\n",
        ),
        ("a/Note.md", ""),
        ("a/pic.png", ""),
        ("b/with space.md", "[back](../a/n.md) [[n]] [[a/n]]\n"),
        ("top.md", "[n](a/n) [abs](/a/n.md)\n"),
    ])
    .await;
    let changed = relinked(&house, "a/n.md", "c/d/n.md").await;
    let expected = [
        (
            "a/n.md",
            "[[Note]] [up](../../top.md) ![p](../../a/pic.png) [s](<../../b/with space.md>) [w](https://example.org/)\n",
        ),
        ("b/with space.md", "[back](../c/d/n.md) [[n]] [[c/d/n]]\n"),
        ("top.md", "[n](c/d/n) [abs](/c/d/n.md)\n"),
    ];
    assert_eq!(changed, pairs(&expected));
}

#[tokio::test(flavor = "multi_thread")]
async fn links_to_another_note_of_that_name_stay_with_it() {
    // FAULTS J12
    let house = House::with(&[
        ("a/Note.md", "[[Note]]\n"),
        ("b/Note.md", "[[Note]]\n"),
        ("a/x.md", "[[Note]]\n"),
        ("b/x.md", "[[Note]]\n"),
    ])
    .await;
    // Only those that led to a/Note.md follow it.
    let changed = relinked(&house, "a/Note.md", "a/Other.md").await;
    assert_eq!(changed, pairs(&[("a/Note.md", "[[Other]]\n"), ("a/x.md", "[[Other]]\n")]));
    // A move into the way of others: they keep what they mean.
    let changed = relinked(&house, "a/Note.md", "b/Note 2.md").await;
    assert_eq!(changed, pairs(&[("a/Note.md", "[[Note 2]]\n"), ("a/x.md", "[[Note 2]]\n")]));
    let house = House::with(&[("x.md", "[[Note]]\n"), ("far/Note.md", ""), ("far/deep/Moved.md", "")]).await;
    let changed = relinked(&house, "far/deep/Moved.md", "Note.md").await;
    assert_eq!(changed, pairs(&[("x.md", "[[far/Note]]\n")]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_moves_changes_only_paths_across_its_edge() {
    let house = House::with(&[
        ("p/a.md", "[in](q/b.md) [out](../top.md) [[b]] [[top]]\n"),
        ("p/q/b.md", "[in](../a.md)\n"),
        ("top.md", "[a](p/a.md) [[p/q/b#h]] [[a]]\n"),
    ])
    .await;
    let changed = relinked(&house, "p", "x/y").await;
    let expected = [
        ("p/a.md", "[in](q/b.md) [out](../../top.md) [[b]] [[top]]\n"),
        ("top.md", "[a](x/y/a.md) [[x/y/q/b#h]] [[a]]\n"),
    ];
    assert_eq!(changed, pairs(&expected));
}

async fn resolve(
    house: &House,
    from: &FilePlace,
    kind: LinkKind,
    target: &str,
    fragment: Option<&str>,
) -> Resolved {
    let link = WrittenLink { kind, target: target.into(), fragment: fragment.map(str::to_owned) };
    house.library.resolve_links(from, &[link]).await.remove(0)
}
