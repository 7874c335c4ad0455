mod fuzz;
mod link;

use super::*;

#[track_caller]
fn check(text: &str, expected: &[(BlockKind, (u32, u32), &str)]) {
    let got: Vec<_> = note(text)
        .blocks
        .into_iter()
        .map(|block| (block.kind, (block.lines.start, block.lines.end), block.text))
        .collect();
    let got: Vec<_> = got.iter().map(|(kind, lines, text)| (*kind, *lines, text.as_str())).collect();
    assert_eq!(got, expected, "{text:?}");
}

const H1: BlockKind = BlockKind::Heading { level: 1 };
const H2: BlockKind = BlockKind::Heading { level: 2 };

#[test]
fn headings_and_paragraphs() {
    check(
        "# One #\n\nTwo *words* and `code`\nmore ~~gone~~\n\nSet\next\n---\n##\n",
        &[
            (H1, (1, 1), "One"),
            (BlockKind::Paragraph, (3, 4), "Two words and code\nmore gone"),
            (H2, (6, 8), "Set\next"),
            (H2, (9, 9), ""),
        ],
    );
}

#[test]
fn every_line_ending_is_understood() {
    for ending in ["\n", "\r\n", "\r"] {
        check(
            &["# 标题", "", "- 一", "- 二", "", "段落"].join(ending),
            &[
                (H1, (1, 1), "标题"),
                (BlockKind::ListItem, (3, 3), "一"),
                (BlockKind::ListItem, (4, 4), "二"),
                (BlockKind::Paragraph, (6, 6), "段落"),
            ],
        );
    }
}

#[test]
fn items_are_blocks_and_so_are_their_paragraphs() {
    check(
        "- [ ] open **task**\n- [x] done\n  1. inner\n\n     second\n- last\n-\n\n\nend",
        &[
            (BlockKind::ListItem, (1, 1), "open task"),
            (BlockKind::ListItem, (2, 2), "done"),
            (BlockKind::ListItem, (3, 3), "inner"),
            (BlockKind::ListItem, (5, 5), "second"),
            (BlockKind::ListItem, (6, 6), "last"),
            (BlockKind::ListItem, (7, 7), ""),
            (BlockKind::Paragraph, (10, 10), "end"),
        ],
    );
}

#[test]
fn quotes_and_callouts() {
    check(
        "> [!note]- Title\n> body\n>\n> # not an outline heading\n\n> plain\n",
        &[
            (BlockKind::Quote, (1, 2), "Title\nbody"),
            (BlockKind::Quote, (3, 3), ""),
            (BlockKind::Quote, (4, 4), "not an outline heading"),
            (BlockKind::Quote, (6, 6), "plain"),
        ],
    );
}

#[test]
fn tables_code_math_html_rules_and_footnotes() {
    check(
        "| a | b |\n|---|---|\n| 1 | `2` |\n\n```rust\nfn main() {}\n```\n\n    indented\n\n$$\nx^2\n$$\n\n\
         <div>shown <!-- not --><b>too</b></div>\n\n***\n\ntext[^1] and $y$\n\n[^1]: note\n",
        &[
            (BlockKind::Table, (1, 3), "a\tb\n1\t2"),
            (BlockKind::Code, (5, 7), "fn main() {}"),
            (BlockKind::Code, (9, 9), "indented"),
            (BlockKind::Math, (11, 13), "x^2"),
            (BlockKind::Html, (15, 15), "shown too"),
            (BlockKind::Rule, (17, 17), ""),
            (BlockKind::Paragraph, (19, 19), "text and y"),
            (BlockKind::Footnote, (21, 21), "note"),
        ],
    );
}

#[test]
fn link_definitions_and_block_ids() {
    check(
        "text [a] ^block-1\n\n[a]: https://a.org \"A\"\n[b]: b.md\n\nx^2 stays\n",
        &[
            (BlockKind::Paragraph, (1, 1), "text a"),
            (BlockKind::Paragraph, (3, 4), "[a]: https://a.org \"A\"\n[b]: b.md"),
            (BlockKind::Paragraph, (6, 6), "x^2 stays"),
        ],
    );
}

#[test]
fn front_matter_is_one_verbatim_block() {
    let text = "---\n# comment\ntitle:   \"My note\"\ntags: [x/y, 读]\nrelated: \"[[Other#h|o]]\"\n---\n# Head #tag\n";
    let got = note(text);
    assert_eq!(got.blocks[0].kind, BlockKind::FrontMatter);
    assert_eq!(&text[got.blocks[0].range.clone()], text.split_once("# Head").unwrap().0.trim_end());
    assert_eq!((got.blocks[0].lines.start, got.blocks[0].lines.end), (1, 6));
    assert_eq!((got.blocks[1].kind, got.blocks[1].lines.start), (H1, 7));
    assert_eq!(got.title.as_deref(), Some("My note"));
    assert_eq!(got.tags, ["x/y", "读", "tag"]);
    assert_eq!((got.links[0].target.as_str(), got.links[0].line), ("Other", 5));
    // Not front matter: a rule and a heading.
    check("---\ntitle\n===\n", &[(BlockKind::Rule, (1, 1), ""), (H1, (2, 3), "title")]);
}

#[test]
fn titles() {
    let title = |text| note(text).title;
    assert_eq!(title("## a\n# b *c*\n"), Some("b c".into()));
    assert_eq!(title("text\n\n### a\n"), Some("a".into()));
    assert_eq!(title("text"), None);
    assert_eq!(title("```\n# code\n```"), None);
}

#[test]
fn tags_stand_in_text_only() {
    let got = note(
        "# 读书 #笔记\n\n#a `#code` [#link](x#y) \\#escaped <b id=\"#html\"> https://x.org/#frag #A #b_c_d/e\n\n\
         ```\n#fence\n```\n\n| #cell |\n|---|\n\n- #item\n\n> #quote #123 #٣ &#35;entity\n",
    );
    assert_eq!(got.tags, ["笔记", "a", "b_c_d/e", "cell", "item", "quote"]);
}

#[test]
fn parts_by_heading() {
    let text = "intro\n# A\na\n## B\nb\n# C\nc\n## b\nlast";
    let part = |heading| heading_range(text, heading).map(|range| &text[range]);
    assert_eq!(part("A"), Some("# A\na\n## B\nb\n"));
    assert_eq!(part("B"), Some("## B\nb\n"));
    assert_eq!(part("b"), Some("## b\nlast"));
    assert_eq!(part("## B "), Some("## B\nb\n"));
    assert_eq!(part("# b"), None);
    assert_eq!(part("c"), Some("# C\nc\n## b\nlast"));
    let path = |needle: &str| heading_path(text, text.find(needle).unwrap());
    assert_eq!(path("intro"), [""; 0]);
    assert_eq!(path("b\n# C"), ["A", "B"]);
    assert_eq!(path("last"), ["C", "b"]);
    assert_eq!(path("# C"), ["C"]);
}
