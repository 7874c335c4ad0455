//! Whatever the text, blocks and links fit it.

use proptest::prelude::*;

use super::*;

const PIECES: &[&str] = &[
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    " ",
    "\t",
    "    ",
    "a",
    "字",
    "🍊",
    "\u{301}",
    "#",
    "# ",
    "## ",
    "- ",
    "* ",
    "+ ",
    "1. ",
    "> ",
    "```",
    "~~~",
    "`",
    "$",
    "$$",
    "---",
    "===",
    "***",
    "| a | b |\n|---|---|\n",
    "|",
    "[",
    "]",
    "[[",
    "]]",
    "![",
    "![[",
    "(",
    ")",
    "<",
    ">",
    "<b>",
    "<!--",
    "-->",
    "[^1]",
    "[^1]: ",
    "[a]: b\n",
    "[a]",
    "\\",
    "&amp;",
    "*",
    "_",
    "~~",
    "^id",
    "[ ] ",
    "[x] ",
    "[!note]",
    "+++\n",
    "---\n",
    "title: t\n",
    "tags: [a]\n",
    "#tag",
    "http://x/#y",
    ":",
    "!",
];

fn markup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..60).prop_map(|pieces| pieces.concat())
}

fn fits(text: &str) -> Result<(), TestCaseError> {
    for kind in [FileKind::Markdown, FileKind::Text] {
        let got = crate::note(kind, text);
        let mut done = 0;
        for block in &got.blocks {
            prop_assert!(block.range.start >= done && !block.range.is_empty(), "order of {:?}", block);
            prop_assert!(text.get(block.range.clone()).is_some(), "bounds of {:?}", block);
            prop_assert!(text[done..block.range.start].trim().is_empty(), "text before {:?}", block);
            prop_assert!(block.lines.start <= block.lines.end);
            done = block.range.end;
        }
        prop_assert!(text[done..].trim().is_empty(), "text after the last block: {:?}", &text[done..]);
        for link in &got.links {
            prop_assert!(text.get(link.range.clone()).is_some(), "bounds of {:?}", link);
        }
        prop_assert!(got.links.is_sorted_by_key(|link| link.range.start));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn blocks_hold_all_of_any_markup(text in markup()) {
        fits(&text)?;
    }

    #[test]
    fn blocks_hold_all_of_any_text(text in "\\PC*") {
        fits(&text)?;
    }

    #[test]
    fn parts_are_bounded(text in markup(), heading in markup()) {
        if let Some(range) = heading_range(&text, &heading) {
            prop_assert!(text.get(range).is_some());
        }
        heading_path(&text, text.len() / 2);
    }
}

/// Texts that make careless readers quadratic, long enough that such a reader would not come back.
#[test]
fn hostile_repetition_ends() {
    for piece in [
        "[", "![", "[[", "![[", "[[a|", "[a](", "*a_", "`", "`` ", "$", "<", "<!--", "> ", "- ", "#a",
        "[a]: b\n", "[^a]", "|", "|a", "\\", "&", "![a", "]]", "[[a]]", "~~", "#", "a:// ", "a:", "(#",
    ] {
        let text = piece.repeat(100_000 / piece.len());
        assert!(fits(&text).is_ok(), "{piece:?}");
    }
}
