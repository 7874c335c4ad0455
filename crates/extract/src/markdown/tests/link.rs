use super::*;

/// Kind, target, fragment, alias, source.
type Found<'a> = (LinkKind, &'a str, Option<&'a str>, Option<&'a str>, &'a str);

#[track_caller]
fn check(text: &str, expected: &[Found<'_>]) {
    let links = note(text).links;
    let got: Vec<_> = links
        .iter()
        .map(|link| {
            (
                link.kind,
                link.target.as_str(),
                link.fragment.as_deref(),
                link.alias.as_deref(),
                &text[link.range.clone()],
            )
        })
        .collect();
    assert_eq!(got, expected, "{text:?}");
}

#[test]
fn wiki_links_and_embeds() {
    use LinkKind::{Embed, Wiki};
    check(
        "[[a]] [[b#h|x *y*]] ![[p q.png|200]] [[#h1#h2]] [[c#^id]] [[目录/笔记]]",
        &[
            (Wiki, "a", None, None, "[[a]]"),
            (Wiki, "b", Some("h"), Some("x y"), "[[b#h|x *y*]]"),
            (Embed, "p q.png", None, Some("200"), "![[p q.png|200]]"),
            (Wiki, "", Some("h1#h2"), None, "[[#h1#h2]]"),
            (Wiki, "c", Some("^id"), None, "[[c#^id]]"),
            (Wiki, "目录/笔记", None, None, "[[目录/笔记]]"),
        ],
    );
    check("| [[a\\|b]] |\n|---|\n", &[(Wiki, "a", None, Some("b"), "[[a\\|b]]")]);
    check("`[[a]]` \\[[b]] [[]] [[ ]\n\n    [[c]]\n", &[]);
}

#[test]
fn inline_and_reference_links() {
    use LinkKind::{Image, Inline};
    check(
        "[a](b.md#h) [x](<with space.md>) [p](a_(b).md \"T\") ![alt *t*](i.png) [r][ref] [ref] <https://x.org/#y>\n\n\
         [ref]: https://r.org/a#b\n",
        &[
            (Inline, "b.md", Some("h"), Some("a"), "[a](b.md#h)"),
            (Inline, "with space.md", None, Some("x"), "[x](<with space.md>)"),
            (Inline, "a_(b).md", None, Some("p"), "[p](a_(b).md \"T\")"),
            (Image, "i.png", None, Some("alt t"), "![alt *t*](i.png)"),
            (Inline, "https://r.org/a#b", None, Some("r"), "[r][ref]"),
            (Inline, "https://r.org/a#b", None, Some("ref"), "[ref]"),
            (Inline, "https://x.org/#y", None, None, "<https://x.org/#y>"),
        ],
    );
    check(
        "[![badge](b.svg)](https://x.org)",
        &[
            (Inline, "https://x.org", None, Some("badge"), "[![badge](b.svg)](https://x.org)"),
            (Image, "b.svg", None, Some("badge"), "![badge](b.svg)"),
        ],
    );
}

#[test]
fn links_know_their_lines() {
    let lines: Vec<_> =
        note("---\nup: \"[[u]]\"\n---\r\n[[a]]\r\rx [[b]]\n").links.iter().map(|link| link.line).collect();
    assert_eq!(lines, [2, 4, 6]);
}

#[test]
fn pictures() {
    let text = "![a](<my pic.png>) ![b](p(1).png) ![c](a\\)b.png) ![[e.JPG]] ![[note]] [[f.png]] [g](g.png)\n`![n](n.png)`";
    let targets: Vec<_> = image_refs(text).into_iter().map(|link| link.target).collect();
    assert_eq!(targets, ["my pic.png", "p(1).png", "a)b.png", "e.JPG"]);
}
