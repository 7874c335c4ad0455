//! What becomes of markup, sound and hostile.

use proptest::prelude::*;

use super::{Element, Item, Ns, Tree, decode};

/// A tree in short: `name[attribute=value](children)`, text in quotes.
fn outline(element: Element<'_, '_>) -> String {
    let items: Vec<String> = element
        .items()
        .map(|item| match item {
            Item::Element(element) => outline(element),
            Item::Text(text) => format!("'{text}'"),
        })
        .collect();
    let (ns, name) = element.name();
    let prefix = if ns == Ns::None { String::new() } else { format!("{ns:?}:") };
    format!("{prefix}{name}({})", items.join(" "))
}

fn check(text: &str, expected: &str) {
    assert_eq!(outline(Tree::parse(text, 64).root()), expected, "{text}");
}

#[test]
fn markup_becomes_a_tree() {
    check("<a><b/>x<c>y</c></a>", "a(b() 'x' c('y'))");
    check("<a><![CDATA[<b>]]>&lt;&#x4e2d;&#32;</a>", "a('<b>' '<' '中' ' ')");
    check("<?xml version='1.0'?><!-- n --><a><?p x?></a>", "a()");
    check("", "()");
    check("no markup", "()");
}

#[test]
fn vocabularies_are_known_by_their_address() {
    let transitional = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    let strict = "http://purl.oclc.org/ooxml/wordprocessingml/main";
    for address in [transitional, strict] {
        check(&format!("<x:p xmlns:x='{address}'><x:r/><r/></x:p>"), "Word:p(Word:r() r())");
        check(&format!("<p xmlns='{address}'><r xmlns=''/><r/></p>"), "Word:p(r() Word:r())");
    }
    // A part that lost its beginning.
    check("<w:p><w:t>x</w:t></w:p>", "Word:p(Word:t('x'))");
}

#[test]
fn attributes_have_their_values() {
    let tree = Tree::parse("<a w:val = 'x&amp;y' b=\"1 > 0\" c='&#65;&nope;' d/>", 8);
    let root = tree.root();
    assert_eq!(root.attribute("val").unwrap(), "x&y");
    assert_eq!(root.attribute_of(Ns::Word, "val").unwrap(), "x&y");
    assert_eq!(root.attribute("b").unwrap(), "1 > 0");
    assert_eq!(root.attribute("c").unwrap(), "A&nope;");
    assert_eq!(root.attribute("d"), None);
}

#[test]
fn entities_that_a_document_type_declares_are_never_expanded() {
    let mut text = String::from("<!DOCTYPE a [<!ENTITY x0 \"ha\">");
    for level in 1..30 {
        text.push_str(&format!("<!ENTITY x{level} \"&x{};&x{};\">", level - 1, level - 1));
    }
    text.push_str("<!ENTITY file SYSTEM \"file:///etc/passwd\">]><a>b&x29;c&file;d</a>");
    check(&text, "a('b' 'c' 'd')");
}

#[test]
fn what_breaks_off_or_nests_too_deep_is_read_up_to_there() {
    let tree = Tree::parse("<a><b>text</b><c>more", 8);
    assert_eq!(outline(tree.root()), "a(b('text') c('more'))");
    assert!(tree.is_broken());

    let deep = format!("{}x{}<y/>", "<a>".repeat(100_000), "</a>".repeat(100_000));
    let tree = Tree::parse(&deep, 3);
    assert!(tree.is_broken());
    assert_eq!(outline(tree.root()), "a(a(a()))");
    let endless = "<a>".repeat(100);
    assert_eq!(outline(Tree::parse(&endless, 3).root()), "a(a(a()))");
    // Ends that began nowhere.
    check("<a></b></b><c/></a>", "a()");
}

#[test]
fn parts_are_decoded_by_what_they_begin_with() {
    let text = "<?xml version='1.0' encoding='UTF-16'?><a>中</a>";
    let wide = |to: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(to).collect::<Vec<u8>>();
    let marked = [b"\xFF\xFE".to_vec(), wide(u16::to_le_bytes)].concat();
    for bytes in [
        text.as_bytes().to_vec(),
        [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
        wide(u16::to_le_bytes),
        wide(u16::to_be_bytes),
        marked,
        "<?xml version='1.0' encoding=中?><a>中</a>".as_bytes().to_vec(),
        b"<?xml version='1.0' encoding='GBK'?><a>\xD6\xD0</a>".to_vec(),
    ] {
        let decoded = decode(bytes);
        check(decoded.trim_start_matches('\u{feff}'), "a('中')");
    }
}

proptest! {
    #[test]
    fn any_text_gives_a_tree(text in "[<>/a-c\"'= &;!\\[\\]?:x-]{0,200}") {
        let tree = Tree::parse(&text, 16);
        let _ = outline(tree.root());
        let _ = tree.root().descendants().count();
    }
}
