//! Pages as people save them, and pages made to do harm.

use orangery_domain::text::Encoding;
use proptest::prelude::*;

use super::{close_empty, read};
use crate::Document;
use crate::document::Limits;
use crate::package::tests::{check_shape, shown};

fn page(text: &str) -> Document {
    read(text.as_bytes(), None, &Limits::default())
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(shown(&page(text)), expected, "{text}");
}

#[test]
fn elements_become_blocks() {
    check(
        "<h2>A <b>bold</b>\n title</h2><p>one\n two<br>three</p>four<div>five</div>",
        &["h2 A bold title", "p one two⏎three", "p four", "p five"],
    );
    check("<p>un</p><p> closed <p>tags", &["p un", "p closed", "p tags"]);
    check("<pre>  a\n   b</pre><blockquote><p>said</p></blockquote>", &["code a⏎   b", "quote said"]);
    check("<figure><img src=x.png alt=y><figcaption>Fig. 1</figcaption></figure>", &["caption Fig. 1"]);
    check("<p>a<i>b</i> <i>c</i>&nbsp;d &lt; &#x4e2d;</p>", &["p ab c d < 中"]);
    check("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>", &["p 漢(かん)"]);
    check("", &[]);
}

#[test]
fn lists_have_their_numbers() {
    check("<ul><li>a<li><p>b</p><p>c</p></ul>", &["li • a", "li • b", "li c"]);
    check("<ol start=3><li>a<ol type=a><li>x</ol><li value=9>b</ol>", &["li 3. a", "li a. x", "li 9. b"]);
    check("<ol reversed><li>a<li>b</ol>", &["li 2. a", "li 1. b"]);
    assert_eq!(page("<ol><li>a</ol>").blocks[0].text, "a");
}

#[test]
fn tables_are_rows_of_cells() {
    check(
        "<table><caption>T</caption><tr><th colspan=2>wide<th>c<tr><td rowspan=2>tall<td>b<td><p>x</p><p>y</p><tr><td>b2<td>z</table>after",
        &["caption T", "table wide⇥⇥c⏎tall⇥b⇥x y⏎⇥b2⇥z", "p after"],
    );
    check("<table><tr><td><h1>Title</h1><p>text</p></table>", &["h1 Title", "p text"]);
    check("<table><tr><td>a<td><table><tr><td>b<td>c</table></table>", &["p a", "table b⇥c"]);
    check(
        "<table><tr><td colspan=99999999 rowspan=9999999>a<td>b</table>",
        &[&format!("table a{}", "⇥".repeat(255))],
    );
}

#[test]
fn what_no_reader_sees_is_left_out() {
    check(
        "<head><title>t</title><style>x</style></head><script>y</script><p hidden>z</p><p style='display : none'>z</p><p aria-hidden=true>z</p><noscript>n</noscript><template>t</template><!-- c --><svg><text>s</text></svg><select><option>o</select><p>seen</p>",
        &["p seen"],
    );
    check("<nav>menu</nav><p>text</p><aside>ad</aside><footer>legal</footer>", &["p text"]);
    check("<nav>menu <a href=x>only</a></nav>", &["p menu only"]);
    let long = "word ".repeat(200);
    check(&format!("<div>around</div><main><p>{long}</p></main>"), &[&format!("p {}", long.trim())]);
}

#[test]
fn links_lead_where_they_say() {
    let document = page(
        "<p>see <a href='https://example.org/a#b'> this</a>, <a href='#x'>not</a> <a href='javascript:1'>this</a></p>",
    );
    assert_eq!(shown(&document), ["p see this, not this"]);
    let links: Vec<_> = document
        .links
        .iter()
        .map(|link| (&document.text[link.range.clone()], link.target.as_str()))
        .collect();
    assert_eq!(links, [("this", "https://example.org/a")]);
}

#[test]
fn titles_and_outlines_are_the_page_s_own() {
    let document = page("<title> A\n page </title><h1>Top</h1><p>x</p><h3>Low</h3>");
    assert_eq!(document.title.as_deref(), Some("A page"));
    let outline: Vec<_> =
        document.outline.iter().map(|entry| (entry.level, entry.title.as_str(), entry.block)).collect();
    assert_eq!(outline, [(1, "Top", Some(1)), (3, "Low", Some(3))]);
}

#[test]
fn encodings_are_declared_guessed_or_chosen() {
    for (bytes, chosen) in [
        (b"<meta charset=gbk><p>\xD6\xD0\xCE\xC4".to_vec(), None),
        (
            b"<meta http-equiv=Content-Type content='text/html; charset=GB2312'><p>\xD6\xD0\xCE\xC4".to_vec(),
            None,
        ),
        ("<meta charset=iso-8859-1><p>中文".as_bytes().to_vec(), None),
        ([b"\xEF\xBB\xBF", "<p>中文".as_bytes()].concat(), None),
        (b"<p>\xA4\xA4\xA4\xE5".to_vec(), Some(Encoding::Big5)),
    ] {
        assert_eq!(shown(&read(&bytes, chosen, &Limits::default())), ["p 中文"]);
    }
}

#[test]
fn xhtml_is_understood() {
    check(
        "<?xml version='1.0'?><html><head><title/><script src='x'/></head><body><p>a<br/>b</p><![CDATA[1 < 2]]></body></html>",
        &["p a⏎b", "p 1 < 2"],
    );
    assert_eq!(close_empty("<a b='/>'/><br/><p>x<"), "<a b='/>'></a><br/><p>x<");
}

#[test]
fn deep_and_endless_pages_stay_within_bounds() {
    let limits = Limits { text: 1 << 16, depth: 64, ..Limits::default() };
    for text in [
        format!("<p>before</p>{}deep", "<div>".repeat(200_000)),
        format!("<p>before</p>{}", "<b><i>".repeat(100_000)),
        format!("<p>before</p>{}", "<table><tr><td>".repeat(50_000)),
        format!("<p>before</p>{}", "<span>x</nothing>".repeat(50_000)),
        format!("<p>before</p>{}", "<ul><li>".repeat(50_000)),
    ] {
        let document = read(text.as_bytes(), None, &limits);
        check_shape(&document);
        assert!(document.text.starts_with("before") && document.text.len() <= 1 << 16);
        assert!(!document.warnings.is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_page_is_read(words in prop::collection::vec(0..WORDS.len(), 0..80)) {
        let text: String = words.iter().map(|at| WORDS[*at]).collect();
        check_shape(&page(&text));
        check_shape(&page(&close_empty(&text)));
    }
}

const WORDS: &[&str] = &[
    "<p>",
    "</p>",
    "<table>",
    "</table>",
    "<tr>",
    "<td rowspan=3>",
    "<td colspan=2>",
    "<caption>",
    "<ul>",
    "<ol>",
    "<li>",
    "</li>",
    "</ol>",
    "<a href=x>",
    "</a>",
    "<h1>",
    "</h1>",
    "<pre>",
    "</pre>",
    "<b>",
    "</b>",
    "<br/>",
    "text",
    " ",
    "\n",
    "&amp;",
    "&nope;",
    "<select>",
    "<template>",
    "</template>",
    "<svg>",
    "</svg>",
    "<math>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<frameset>",
    "<script>",
    "</script>",
    "<body id=1>",
    "\u{0}",
    "<ruby>",
    "<rt>",
    "</ruby>",
    "<figcaption>",
    "<main>",
    "</main>",
    "<form>",
    "</form>",
    "<plaintext>",
    "中",
];

#[test]
fn what_a_page_says_of_itself_is_a_remark() {
    let head = "<meta name=Description content='All about\n oranges'><meta name=keywords content='peel, pith'><meta name=author content='A. Grower'><meta name=viewport content='width=1'><meta name=description content=' '><meta name=generator content=x>";
    let document = page(&format!("<head><title>T</title>{head}</head><h1>Oranges</h1><p>text</p>"));
    assert_eq!(
        shown(&document),
        ["h1 Oranges", "p text", "comment All about oranges", "comment peel, pith", "comment A. Grower"]
    );
    assert_eq!((document.title.as_deref(), document.outline.len()), (Some("T"), 1));
    // It says nothing where it says what programs write unasked.
    check("<meta name=description content='Generated by a tool'><p>x</p>", &["p x"]);
}
