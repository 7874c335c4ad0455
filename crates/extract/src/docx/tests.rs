//! Word documents written by the tests, feature by feature.

mod hostile;
mod list;

use orangery_domain::Warning;

use super::{picture, read};
use crate::Document;
use crate::document::{Limits, code};
use crate::package::tests::{relationships, shown, zip};

const HEAD: &str = r#"<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"
 xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"
 xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"
 xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"
 xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"
 xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
 xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"
 xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
 xmlns:v="urn:schemas-microsoft-com:vml">"#;

/// A part of the vocabulary of `HEAD`, called `name`.
fn part(name: &str, content: &str) -> String {
    format!("{}{content}</w:{name}>", HEAD.replacen("w:document", &format!("w:{name}"), 1))
}

/// A document with this body, these relationships (id, kind, target) and these other parts.
fn word(body: &str, relations: &[(&str, &str, &str)], parts: &[(&str, &str)]) -> Vec<u8> {
    let document = part("document", &format!("<w:body>{body}</w:body>"));
    let relations = relationships(relations);
    let mut all = vec![
        ("word/document.xml", document.as_bytes()),
        ("word/_rels/document.xml.rels", relations.as_bytes()),
    ];
    all.extend(parts.iter().map(|(name, content)| (*name, content.as_bytes())));
    zip(&all)
}

fn read_body(body: &str) -> Document {
    read(&word(body, &[], &[]), &Limits::default())
}

fn check(body: &str, expected: &[&str]) {
    assert_eq!(shown(&read_body(body)), expected, "{body}");
}

fn p(text: &str) -> String {
    format!("<w:p><w:r><w:t xml:space='preserve'>{text}</w:t></w:r></w:p>")
}

#[test]
fn runs_make_paragraphs() {
    check(
        "<w:p><w:r><w:t>on</w:t></w:r><w:r><w:t xml:space='preserve'>e two</w:t></w:r></w:p><w:p/>",
        &["p one two"],
    );
    check("<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:cr/></w:r></w:p>", &["p a⇥b⏎c"]);
    check(
        "<w:p><w:r><w:t>co</w:t><w:noBreakHyphen/><w:t>op</w:t><w:softHyphen/><w:t>er\u{ad}ate</w:t></w:r></w:p>",
        &["p co-operate"],
    );
    check(
        "<w:p><w:r><w:sym w:font='Wingdings' w:char='F0FC'/><w:sym w:font='Symbol' w:char='F061'/></w:r></w:p>",
        &["p ✓α"],
    );
    check("<w:p><w:r><w:rPr><w:rFonts w:ascii='Symbol'/></w:rPr><w:t>D</w:t></w:r></w:p>", &["p Δ"]);
    check("<w:p><w:smartTag><w:r><w:t>Paris</w:t></w:r></w:smartTag></w:p>", &["p Paris"]);
}

#[test]
fn headings_are_known_by_style_level_and_name() {
    let styles = part(
        "styles",
        r#"<w:style w:type="paragraph" w:default="1" w:styleId="a"><w:name w:val="Normal"/></w:style>
        <w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
        <w:style w:type="paragraph" w:styleId="own"><w:name w:val="Chapter"/><w:basedOn w:val="1"/></w:style>
        <w:style w:type="paragraph" w:styleId="zh"><w:name w:val="标题 3"/></w:style>
        <w:style w:type="paragraph" w:styleId="toc"><w:name w:val="TOC Heading"/><w:basedOn w:val="1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
        <w:style w:type="paragraph" w:styleId="t"><w:name w:val="Title"/></w:style>
        <w:style w:type="paragraph" w:styleId="loop"><w:name w:val="x"/><w:basedOn w:val="loop"/></w:style>"#,
    );
    let body: String = ["t", "1", "own", "zh", "toc", "loop", "missing"]
        .iter()
        .map(|style| {
            format!("<w:p><w:pPr><w:pStyle w:val='{style}'/></w:pPr><w:r><w:t>{style}</w:t></w:r></w:p>")
        })
        .collect();
    let direct = "<w:p><w:pPr><w:outlineLvl w:val='7'/></w:pPr><w:r><w:t>deep</w:t></w:r></w:p>";
    let document =
        read(&word(&format!("{body}{direct}"), &[], &[("word/styles.xml", &styles)]), &Limits::default());
    assert_eq!(
        shown(&document),
        ["h1 t", "h1 1", "h1 own", "h3 zh", "p toc", "p loop", "p missing", "h6 deep"]
    );
    assert_eq!(document.title.as_deref(), Some("t"));
    let outline: Vec<_> = document.outline.iter().map(|entry| (entry.level, entry.block)).collect();
    assert_eq!(outline, [(1, Some(1)), (1, Some(2)), (1, Some(3)), (3, Some(4)), (6, Some(8))]);
}

#[test]
fn tracked_changes_are_read_as_accepted() {
    check(
        "<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText><w:t>old</w:t></w:r></w:del></w:p>",
        &["p new"],
    );
    check(
        "<w:p><w:moveFrom><w:r><w:t>away</w:t></w:r></w:moveFrom></w:p><w:p><w:moveTo><w:r><w:t>here</w:t></w:r></w:moveTo></w:p>",
        &["p here"],
    );
    let lost = |text: &str, mark: &str| {
        format!(
            "<w:p><w:pPr><w:rPr><{mark}/></w:rPr></w:pPr><w:r><w:t xml:space='preserve'>{text}</w:t></w:r></w:p>"
        )
    };
    check(
        &format!("{}{}{}", lost("one ", "w:del"), lost("two ", "w:moveFrom"), p("three")),
        &["p one two three"],
    );
    check(&lost("last", "w:del"), &["p last"]);
    check(&format!("{}{}", lost("kept", "w:ins"), p("next")), &["p kept", "p next"]);
    let row = |change: &str, text: &str| {
        format!("<w:tr><w:trPr>{change}</w:trPr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr>", p(text), p("x"))
    };
    check(
        &format!("<w:tbl>{}{}{}</w:tbl>", row("", "a"), row("<w:del/>", "gone"), row("<w:ins/>", "b")),
        &["table a⇥x⏎b⇥x"],
    );
    // A note whose only mark is deleted is deleted with it.
    let notes = part("footnotes", &format!("<w:footnote w:id='1'>{}</w:footnote>", p("secret")));
    let body = "<w:p><w:r><w:t>a</w:t></w:r><w:del><w:r><w:footnoteReference w:id='1'/></w:r></w:del></w:p>";
    let document = read(&word(body, &[], &[("word/footnotes.xml", &notes)]), &Limits::default());
    assert_eq!(shown(&document), ["p a"]);
}

#[test]
fn cells_of_merges_appear_once() {
    let cell = |properties: &str, text: &str| {
        format!(
            "<w:tc><w:tcPr>{properties}</w:tcPr>{}</w:tc>",
            if text.is_empty() { "<w:p/>".into() } else { p(text) }
        )
    };
    check(
        &format!(
            "<w:tbl><w:tr>{}{}</w:tr><w:tr>{}{}{}</w:tr><w:tr>{}{}{}</w:tr></w:tbl>{}",
            cell("<w:gridSpan w:val='2'/>", "wide"),
            cell("", "c"),
            cell("<w:vMerge w:val='restart'/>", "tall"),
            cell("", "b"),
            cell("", "c"),
            cell("<w:vMerge/>", "never shown"),
            cell("", "b2"),
            format_args!("<w:tc>{}{}</w:tc>", p("two"), p("lines")),
            p("after"),
        ),
        &["table wide⇥⇥c⏎tall⇥b⇥c⏎⇥b2⇥two lines", "p after"],
    );
    let inner = format!("<w:tbl><w:tr>{}{}</w:tr></w:tbl>", cell("", "in"), cell("", "ner"));
    check(
        &format!("<w:tbl><w:tr>{}<w:tc>{inner}{}</w:tc></w:tr></w:tbl>", cell("", "a"), p("b")),
        &["table a⇥in ner b"],
    );
    // A frame of one cell only places what it holds.
    check(&format!("<w:tbl><w:tr><w:tc>{}{}</w:tc></w:tr></w:tbl>", p("one"), p("two")), &["p one", "p two"]);
    // Rows and cells in content controls.
    check(
        &format!(
            "<w:tbl><w:sdt><w:sdtContent><w:tr>{}<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt></w:tr></w:sdtContent></w:sdt></w:tbl>",
            cell("", "a"),
            cell("", "b")
        ),
        &["table a⇥b"],
    );
}

#[test]
fn a_text_box_is_read_once_behind_its_paragraph() {
    let content = format!("<w:txbxContent>{}</w:txbxContent>", p("box"));
    let choice = format!(
        "<mc:Choice Requires='wps'><w:drawing><wp:inline><wps:txbx>{content}</wps:txbx></wp:inline></w:drawing></mc:Choice>"
    );
    let fallback = format!(
        "<mc:Fallback><w:pict><v:shape><v:textbox>{content}</v:textbox></v:shape></w:pict></mc:Fallback>"
    );
    let run = |inner: &str| {
        format!(
            "<w:p><w:r><w:t>text</w:t></w:r><w:r><mc:AlternateContent>{inner}</mc:AlternateContent></w:r></w:p>"
        )
    };
    check(&run(&format!("{choice}{fallback}")), &["p text", "p box"]);
    check(&run(&format!("<mc:Choice Requires='new'><w:new/></mc:Choice>{fallback}")), &["p text", "p box"]);
    check(
        &format!("<w:tbl><w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr></w:tbl>", run(&choice), p("b")),
        &["table text box⇥b"],
    );
}

#[test]
fn notes_comments_headers_and_footers_follow_the_body_once_each() {
    let note = |kind: &str, id: u32, text: &str| {
        format!(
            "<w:{kind} w:id='{id}'><w:p><w:r><w:{kind}Ref/></w:r><w:r><w:t xml:space='preserve'> {text}</w:t></w:r></w:p></w:{kind}>"
        )
    };
    let mark = |kind: &str, id: u32| format!("<w:r><w:{kind}Reference w:id='{id}'/></w:r>");
    let footnotes = part(
        "footnotes",
        &format!(
            "{}{}{}",
            note("footnote", 0, "separator"),
            note("footnote", 7, "seven"),
            note("footnote", 3, "three")
        ),
    );
    let endnotes = part("endnotes", &note("endnote", 2, "end"));
    let comments =
        part("comments", &format!("<w:comment w:id='0' w:author='Ann'>{}{}</w:comment>", p("why"), p("so")));
    let header = part("hdr", &p("running head"));
    let footer =
        part("ftr", "<w:p><w:fldSimple w:instr=' PAGE '><w:r><w:t>3</w:t></w:r></w:fldSimple></w:p>");
    let section = "<w:sectPr><w:headerReference w:type='first' r:id='h1'/><w:headerReference r:id='h2'/><w:footerReference r:id='f1'/></w:sectPr>";
    let body = format!(
        "<w:p><w:r><w:t>a</w:t></w:r>{}<w:r><w:t>b</w:t></w:r>{}{}</w:p><w:p><w:pPr>{section}</w:pPr></w:p>{section}",
        mark("footnote", 7),
        mark("footnote", 3),
        mark("endnote", 2)
    );
    let relations =
        [("h1", "header", "header1.xml"), ("h2", "header", "header2.xml"), ("f1", "footer", "footer1.xml")];
    let parts = [
        ("word/footnotes.xml", footnotes.as_str()),
        ("word/endnotes.xml", &endnotes),
        ("word/comments.xml", &comments),
        ("word/header1.xml", &header),
        ("word/header2.xml", &header),
        ("word/footer1.xml", &footer),
    ];
    let document = read(&word(&body, &relations, &parts), &Limits::default());
    assert_eq!(
        shown(&document),
        [
            "p a[1]b[2][i]",
            "footnote [1] seven",
            "footnote [2] three",
            "endnote [i] end",
            "comment Ann: why⏎so",
            "header running head",
            "footer 3"
        ]
    );
    // Marks guide the eye; search sees the words alone.
    assert_eq!(document.blocks[0].text, "ab");
    assert_eq!(document.blocks[1].text, "seven");
}

#[test]
fn links_lead_where_they_say() {
    let field = |instruction: &str, text: &str| {
        let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType='{kind}'/></w:r>");
        format!(
            "{}<w:r><w:instrText>{instruction}</w:instrText></w:r>{}<w:r><w:t>{text}</w:t></w:r>{}",
            mark("begin"),
            mark("separate"),
            mark("end")
        )
    };
    let body = format!(
        "<w:p><w:r><w:t xml:space='preserve'> See </w:t></w:r><w:hyperlink r:id='l'><w:r><w:t>this</w:t></w:r></w:hyperlink><w:r><w:t xml:space='preserve'> or </w:t></w:r>{}</w:p><w:p>{}</w:p><w:p><w:hyperlink w:anchor='x'><w:r><w:t>below</w:t></w:r></w:hyperlink></w:p>",
        field("HYPERLINK &quot;https://example.org/b&quot; \\l &quot;c&quot;", "that"),
        field("PAGEREF _Toc1", "12")
    );
    let document =
        read(&word(&body, &[("l", "hyperlink", "https://example.org/a")], &[]), &Limits::default());
    assert_eq!(shown(&document), ["p See this or that", "p 12", "p below"]);
    let links: Vec<_> = document
        .links
        .iter()
        .map(|link| {
            (&document.text[link.range.clone()], link.target.as_str(), link.fragment.as_deref(), link.line)
        })
        .collect();
    assert_eq!(
        links,
        [("this", "https://example.org/a", None, 1), ("that", "https://example.org/b", Some("c"), 1)]
    );
}

#[test]
fn a_field_without_an_end_hides_only_its_own_instruction() {
    check(
        &format!(
            "<w:p><w:r><w:fldChar w:fldCharType='begin'/><w:instrText>TOC</w:instrText><w:t>lost</w:t></w:r></w:p>{}",
            p("kept")
        ),
        &["p kept"],
    );
}

#[test]
fn hidden_text_is_left_out_and_said() {
    let document = read_body(
        "<w:p><w:r><w:t>seen</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>obey me</w:t></w:r><w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t>!</w:t></w:r></w:p>",
    );
    assert_eq!(shown(&document), ["p seen!"]);
    assert_eq!(document.warnings, [Warning::new(code::HIDDEN_LEFT_OUT, "")]);
}

#[test]
fn readings_stand_in_brackets_behind_their_base() {
    check(
        "<w:p><w:r><w:ruby><w:rt><w:r><w:t>かんじ</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢字</w:t></w:r></w:rubyBase></w:ruby></w:r><w:r><w:t>を</w:t></w:r></w:p>",
        &["p 漢字(かんじ)を"],
    );
}

#[test]
fn formulas_read_as_a_line() {
    let r = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let fraction = format!("<m:f><m:num>{}</m:num><m:den>{}</m:den></m:f>", r("a+b"), r("2"));
    let power = format!("<m:sSup><m:e>{}</m:e><m:sup>{}</m:sup></m:sSup>", r("x"), r("2"));
    let root = format!("<m:rad><m:radPr><m:degHide/></m:radPr><m:deg/><m:e>{power}</m:e></m:rad>");
    let sum = format!(
        "<m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr><m:sub>{}</m:sub><m:sup>{}</m:sup><m:e>{}</m:e></m:nary>",
        r("i=1"),
        r("n"),
        r("i")
    );
    check(
        &format!(
            "<w:p><m:oMathPara><m:oMath>{}{fraction}{}{root}</m:oMath></m:oMathPara></w:p>",
            r("y="),
            r("+")
        ),
        &["math y=(a+b)/2+√(x^2)"],
    );
    check(
        &format!("<w:p><w:r><w:t xml:space='preserve'>so </w:t></w:r><m:oMath>{sum}</m:oMath></w:p>"),
        &["p so ∑_(i=1)^n i"],
    );
}

#[test]
fn pictures_have_captions_or_what_is_said_instead_of_them() {
    let drawing = |id: &str, said: &str| {
        format!(
            "<w:p><w:r><w:drawing><wp:inline><wp:docPr id='1' name='x' descr='{said}'/><a:graphic><pic:pic><pic:blipFill><a:blip r:embed='{id}'/></pic:blipFill></pic:pic></a:graphic></wp:inline></w:drawing></w:r></w:p>"
        )
    };
    let styles =
        part("styles", "<w:style w:type='paragraph' w:styleId='C'><w:name w:val='caption'/></w:style>");
    let caption = "<w:p><w:pPr><w:pStyle w:val='C'/></w:pPr><w:r><w:t>Figure 1: a cat</w:t></w:r></w:p>";
    let body = format!("{}{}{caption}{}", p("text"), drawing("p1", "alt"), drawing("p2", "a dog"));
    let relations = [("p1", "image", "media/cat.png"), ("p2", "image", "media/dog.gif")];
    let parts = [
        ("word/styles.xml", styles.as_str()),
        ("word/media/cat.png", "pixels"),
        ("word/media/dog.gif", "GIF89a\u{1}\u{0}\u{2}\u{0}\u{0}\u{0}\u{0};"),
    ];
    let bytes = word(&body, &relations, &parts);
    let document = read(&bytes, &Limits::default());
    assert_eq!(shown(&document), ["p text", "caption Figure 1: a cat"]);
    let pictures: Vec<_> = document
        .pictures
        .iter()
        .map(|picture| {
            (picture.id.as_str(), picture.caption.as_str(), picture.block, picture.width, picture.height)
        })
        .collect();
    assert_eq!(
        pictures,
        [("word/media/cat.png", "Figure 1: a cat", 1, 0, 0), ("word/media/dog.gif", "a dog", 2, 1, 2)]
    );
    assert_eq!(picture(&bytes, "word/media/cat.png").as_deref(), Some(&b"pixels"[..]));
    assert_eq!(picture(&bytes, "word/document.xml"), None);
    assert_eq!(picture(&bytes, "word/media/none.png"), None);
}

#[test]
fn strict_documents_and_other_encodings_are_read_alike() {
    let strict = part("document", &format!("<w:body>{}</w:body>", p("严格"))).replace(
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "http://purl.oclc.org/ooxml/wordprocessingml/main",
    );
    let wide: Vec<u8> =
        [0xFEFF].into_iter().chain(strict.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for bytes in [strict.as_bytes().to_vec(), [b"\xEF\xBB\xBF", strict.as_bytes()].concat(), wide] {
        let document = read(&zip(&[("word/document.xml", &bytes)]), &Limits::default());
        assert_eq!(shown(&document), ["p 严格"]);
    }
}

#[test]
fn another_format_is_named() {
    let trouble =
        |bytes: &[u8]| read(bytes, &Limits::default()).trouble.map(|found| (found.code, found.detail));
    let is = |code: &str, detail: &str| Some((code.to_owned(), detail.to_owned()));
    assert_eq!(trouble(&zip(&[("ppt/presentation.xml", b"<p/>")])), is("notThisKind", "pptx"));
    assert_eq!(trouble(&zip(&[("readme.txt", b"hello")])), is("notThisKind", "zip"));
    assert_eq!(trouble(b"{\\rtf1}"), is("notThisKind", ""));
    assert_eq!(trouble(b""), is("damaged", "empty"));
}
