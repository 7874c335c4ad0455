//! Presentations written by the tests.

use proptest::prelude::*;

use super::read;
use crate::Document;
use crate::document::Limits;
use crate::package::tests::{check_cut_off, check_shape, relationships, shown, zip};

const NS: &str = "xmlns:p='http://schemas.openxmlformats.org/presentationml/2006/main' xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main' xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships' xmlns:dgm='http://schemas.openxmlformats.org/drawingml/2006/diagram' xmlns:dsp='http://schemas.microsoft.com/office/drawing/2008/diagram' xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006'";

/// A presentation whose slides hold these shapes; they are listed last to first.
fn slides(shapes: &[&str], more: &[(&str, &str)]) -> Vec<u8> {
    let order: String =
        (0..shapes.len()).rev().map(|at| format!("<p:sldId id='{at}' r:id='r{at}'/>")).collect();
    let main = format!(
        "<p:presentation {NS}><p:sldIdLst>{order}</p:sldIdLst><p:sldSz cx='9144000' cy='6858000'/></p:presentation>"
    );
    let targets: Vec<(String, String)> =
        (0..shapes.len()).map(|at| (format!("r{at}"), format!("slides/slide{at}.xml"))).collect();
    let mut lines: Vec<(&str, &str, &str)> =
        targets.iter().map(|(id, target)| (id.as_str(), "slide", target.as_str())).collect();
    lines.push(("a", "commentAuthors", "commentAuthors.xml"));
    let relations = relationships(&lines);
    let names: Vec<String> = (0..shapes.len()).map(|at| format!("ppt/slides/slide{at}.xml")).collect();
    let texts: Vec<String> = shapes.iter().map(|shapes| slide("sld", shapes)).collect();
    let mut parts: Vec<(&str, &[u8])> = vec![
        ("ppt/presentation.xml", main.as_bytes()),
        ("ppt/_rels/presentation.xml.rels", relations.as_bytes()),
    ];
    parts.extend(names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_bytes())));
    parts.extend(more.iter().map(|(name, text)| (*name, text.as_bytes())));
    zip(&parts)
}

fn slide(name: &str, shapes: &str) -> String {
    format!("<p:{name} {NS}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:{name}>")
}

fn paragraphs(text: &str) -> String {
    text.split('|').map(|line| format!("<a:p><a:r><a:t>{line}</a:t></a:r></a:p>")).collect()
}

fn frame(place: (i32, i32, i32, i32)) -> String {
    let (x, y, width, height) = place;
    format!("<a:xfrm><a:off x='{x}' y='{y}'/><a:ext cx='{width}' cy='{height}'/></a:xfrm>")
}

fn shape(placeholder: &str, place: Option<(i32, i32, i32, i32)>, text: &str) -> String {
    let place = place.map(frame).unwrap_or_default();
    format!(
        "<p:sp><p:nvSpPr><p:cNvPr id='1' name='x'/><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr><p:spPr>{place}</p:spPr><p:txBody>{}</p:txBody></p:sp>",
        paragraphs(text)
    )
}

fn check(shapes: &[&str], expected: &[&str]) -> Document {
    let document = read(&slides(shapes, &[]), &Limits::default());
    assert_eq!(shown(&document), expected);
    document
}

#[test]
fn slides_come_in_their_order_and_shapes_by_their_place() {
    let title = shape("<p:ph type='title'/>", Some((0, 900, 100, 10)), "The|end");
    let low = shape("", Some((0, 500, 400, 100)), "low");
    let right = shape("", Some((600, 100, 300, 100)), "right");
    let left = shape("", Some((0, 110, 300, 100)), "left");
    let document = check(
        &[&format!("{low}{right}{left}{title}"), &shape("", None, "first")],
        &["p first", "h1 The end", "p left", "p right", "p low"],
    );
    assert_eq!(document.pages[1].label, "The end");
    assert_eq!((document.pages[1].width, document.pages[1].height), (720.0, 540.0));
    assert_eq!(document.outline[0].block, Some(2));
    assert_eq!(format!("{:?}", document.spots[4]), "Slide { slide: 2 }");
}

#[test]
fn groups_move_what_they_hold() {
    // Within the group the shape lies at the top; the group lies at the bottom, and another is in it.
    let inner = shape("", Some((0, 0, 10, 10)), "in");
    let group = |content: &str, at: i32| {
        format!(
            "<p:grpSp><p:grpSpPr><a:xfrm><a:off x='0' y='{at}'/><a:ext cx='100' cy='100'/><a:chOff x='0' y='0'/><a:chExt cx='10' cy='10'/></a:xfrm></p:grpSpPr>{content}</p:grpSp>"
        )
    };
    let body = format!("{}{}", group(&group(&inner, 5), 700), shape("", Some((0, 300, 100, 100)), "above"));
    check(&[&body], &["p above", "p in"]);
}

#[test]
fn tables_lists_and_diagrams_are_text() {
    let cell =
        |more: &str, text: &str| format!("<a:tc {more}><a:txBody>{}</a:txBody></a:tc>", paragraphs(text));
    let table = format!(
        "<p:graphicFrame><p:xfrm><a:off x='0' y='0'/><a:ext cx='9' cy='9'/></p:xfrm><a:graphic><a:graphicData><a:tbl><a:tr>{}{}</a:tr><a:tr>{}{}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>",
        cell("gridSpan='2'", "wide"),
        cell("hMerge='1'", "covered"),
        cell("", "a|b"),
        cell("", "c"),
    );
    let numbered = |text: &str, kind: &str| {
        format!("<a:p><a:pPr><a:buAutoNum type='{kind}'/></a:pPr><a:r><a:t>{text}</a:t></a:r></a:p>")
    };
    let list = format!(
        "<p:sp><p:nvSpPr><p:cNvPr id='1' name='x'/><p:nvPr><p:ph idx='1'/></p:nvPr></p:nvSpPr><p:spPr>{}</p:spPr><p:txBody>{}{}<a:p><a:r><a:t>item</a:t></a:r><a:br/><a:fld type='x'><a:t>field</a:t></a:fld></a:p></p:txBody></p:sp>",
        frame((0, 50, 9, 9)),
        numbered("one", "arabicPeriod"),
        numbered("two", "arabicPeriod")
    );
    check(&[&format!("{list}{table}")], &["table wide⇥⏎a b⇥c", "li 1. one", "li 2. two", "li item⏎field"]);

    let frame = "<p:graphicFrame><a:graphic><a:graphicData><dgm:relIds r:dm='d'/></a:graphicData></a:graphic></p:graphicFrame>";
    let point = |id: &str, kind: &str, text: &str| {
        format!("<dgm:pt modelId='{id}' type='{kind}'><dgm:t>{}</dgm:t></dgm:pt>", paragraphs(text))
    };
    let link = |from: &str, to: &str, order: u32| {
        format!("<dgm:cxn srcId='{from}' destId='{to}' srcOrd='{order}'/>")
    };
    let data = format!(
        "<dgm:dataModel {NS}><dgm:ptLst>{}{}{}{}</dgm:ptLst><dgm:cxnLst>{}{}{}</dgm:cxnLst></dgm:dataModel>",
        point("0", "doc", ""),
        point("2", "node", "second"),
        point("1", "node", "first"),
        point("9", "pres", "not text"),
        link("0", "1", 0),
        link("0", "2", 1),
        link("2", "0", 0),
    );
    let rels = relationships(&[("d", "diagramData", "../diagrams/data1.xml")]);
    let more = [("ppt/slides/_rels/slide0.xml.rels", rels.as_str()), ("ppt/diagrams/data1.xml", &data)];
    let document = read(&slides(&[frame], &more), &Limits::default());
    assert_eq!(shown(&document), ["p first", "p second"]);
}

#[test]
fn placeholders_lie_where_their_layout_puts_them() {
    let layout = slide(
        "sldLayout",
        &format!(
            "{}{}{}",
            shape("<p:ph type='body' idx='7'/>", Some((0, 800, 9, 9)), ""),
            shape("<p:ph type='title'/>", Some((0, 0, 9, 9)), "Click here"),
            shape("", None, "Acme Ltd")
        ),
    );
    let rels = relationships(&[("l", "slideLayout", "../slideLayouts/l.xml")]);
    let more =
        [("ppt/slides/_rels/slide0.xml.rels", rels.as_str()), ("ppt/slideLayouts/l.xml", layout.as_str())];
    let body = format!(
        "{}{}{}",
        shape("<p:ph type='body' idx='7'/>", None, "below"),
        shape("", Some((0, 100, 9, 9)), "above"),
        shape("<p:ph type='sldNum'/>", None, "12")
    );
    let document = read(&slides(&[&body], &more), &Limits::default());
    assert_eq!(shown(&document), ["p above", "li below", "footer Acme Ltd"]);
}

#[test]
fn notes_and_comments_follow_their_slide() {
    let notes = slide(
        "notes",
        &format!(
            "{}{}",
            shape("<p:ph type='sldImg'/>", None, "x"),
            shape("<p:ph type='body'/>", None, "say this|and that")
        ),
    );
    let comments = format!("<p:cmLst {NS}><p:cm authorId='4'><p:text>really?</p:text></p:cm></p:cmLst>");
    let authors = format!("<p:cmAuthorLst {NS}><p:cmAuthor id='4' name='Ann'/></p:cmAuthorLst>");
    let rels = relationships(&[
        ("n", "notesSlide", "../n.xml"),
        ("c", "comments", "../c.xml"),
        ("h", "hyperlink", "https://example.org"),
    ]);
    let more = [
        ("ppt/slides/_rels/slide0.xml.rels", rels.as_str()),
        ("ppt/n.xml", &notes),
        ("ppt/c.xml", &comments),
        ("ppt/commentAuthors.xml", &authors),
    ];
    let linked = "<p:sp><p:txBody><a:p><a:r><a:rPr><a:hlinkClick r:id='h'/></a:rPr><a:t>go</a:t></a:r></a:p></p:txBody></p:sp>";
    let document = read(&slides(&[linked], &more), &Limits::default());
    assert_eq!(shown(&document), ["p go", "speakernotes say this⏎and that", "comment Ann: really?"]);
    assert_eq!(document.links[0].target, "https://example.org");
}

#[test]
fn hidden_slides_and_shapes_are_said() {
    let hidden = "<p:sp><p:nvSpPr><p:cNvPr id='1' name='x' hidden='1'/></p:nvSpPr><p:txBody><a:p><a:r><a:t>no</a:t></a:r></a:p></p:txBody></p:sp>";
    let document = read(&slides(&[hidden], &[]), &Limits::default());
    assert!(document.text.is_empty());
    assert_eq!(document.warnings[0].code, "hiddenLeftOut");
    let text = slide("sld", &shape("", None, "off")).replace("<p:sld ", "<p:sld show='0' ");
    let main = format!("<p:presentation {NS}><p:sldIdLst><p:sldId r:id='r0'/></p:sldIdLst></p:presentation>");
    let relations = relationships(&[("r0", "slide", "slides/slide0.xml")]);
    let bytes = zip(&[
        ("ppt/presentation.xml", main.as_bytes()),
        ("ppt/_rels/presentation.xml.rels", relations.as_bytes()),
        ("ppt/slides/slide0.xml", text.as_bytes()),
    ]);
    let document = read(&bytes, &Limits::default());
    assert_eq!(shown(&document), ["p off"]);
    assert_eq!(
        (document.warnings[0].code.as_str(), document.warnings[0].detail.as_str()),
        ("hiddenParts", "1")
    );
}

#[test]
fn deep_groups_and_cut_off_files_do_no_harm() {
    let deep =
        format!("{}{}{}", "<p:grpSp>".repeat(20_000), shape("", None, "deep"), "</p:grpSp>".repeat(20_000));
    check_shape(&read(&slides(&[&deep], &[]), &Limits::default()));
    let whole = slides(&[&shape("", None, "one"), &shape("<p:ph type='title'/>", None, "two")], &[]);
    check_cut_off(&whole, 7, read);
}

proptest! {
    #[test]
    fn any_shapes_are_read(words in prop::collection::vec(0..WORDS.len(), 0..80)) {
        let text: String = words.iter().map(|at| WORDS[*at]).collect();
        check_shape(&read(&slides(&[&text], &[]), &Limits::default()));
    }
}

const WORDS: &[&str] = &[
    "<p:sp>",
    "</p:sp>",
    "<p:grpSp>",
    "</p:grpSp>",
    "<p:txBody>",
    "</p:txBody>",
    "<a:p>",
    "</a:p>",
    "<a:r>",
    "</a:r>",
    "<a:t>x</a:t>",
    "<p:spPr><a:xfrm><a:off x='1e308' y='nan'/><a:ext cx='-1' cy='9'/></a:xfrm></p:spPr>",
    "<p:graphicFrame>",
    "</p:graphicFrame>",
    "<a:tbl>",
    "<a:tr>",
    "<a:tc>",
    "</a:tc>",
    "</a:tr>",
    "</a:tbl>",
    "<dgm:relIds r:dm='x'/>",
    "<mc:AlternateContent>",
    "<mc:Choice>",
    "</mc:Choice>",
    "</mc:AlternateContent>",
    "<p:pic>",
    "</p:pic>",
    "<a:pPr lvl='99'><a:buAutoNum type='x' startAt='-9223372036854775808'/></a:pPr>",
];
