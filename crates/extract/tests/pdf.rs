//! PDF files, made here, through PDFium.

use std::path::{Path, PathBuf};

use orangery_domain::{BlockKind, FileKind, Spot, TextLayer};
use orangery_extract::Document;
use orangery_extract::document::{self, Limits, code};
use orangery_extract::pdf::{self, Options};

/// The library: where the environment says, or beside what cargo builds, where `cargo xtask` puts it.
fn bound() {
    let program = std::env::current_exe().unwrap_or_default();
    let beside = || {
        let folders = program.ancestors().skip(1).take(2);
        folders.map(|folder| folder.join(pdf::library_name())).find(|path| path.is_file())
    };
    let Some(library) = std::env::var_os("ORANGERY_PDFIUM").map(PathBuf::from).or_else(beside) else {
        panic!("PDFium is missing here: `cargo xtask pdfium` brings it");
    };
    assert_eq!(pdf::bind(&library), Ok(()));
}

fn read(bytes: &[u8]) -> Document {
    bound();
    pdf::read(bytes, &Options::default(), &Limits::default())
}

/// Writes PDF: objects, numbered from 1 in the order they come, and a table of where they are.
fn file(objects: &[String]) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        offsets.push(bytes.len());
        bytes.extend(format!("{} 0 obj\n{object}\nendobj\n", index + 1).bytes());
    }
    let start = bytes.len();
    let entries: String = offsets.iter().map(|offset| format!("{offset:010} 00000 n \n")).collect();
    let count = objects.len() + 1;
    bytes.extend(
        format!(
            "xref\n0 {count}\n0000000000 65535 f \n{entries}trailer\n<</Size {count}/Root 1 0 R/Info 4 0 R>>\nstartxref\n{start}\n%%EOF\n"
        )
        .bytes(),
    );
    bytes
}

fn stream(dictionary: &str, content: &str) -> String {
    format!("<<{dictionary}/Length {}>>\nstream\n{content}\nendstream", content.len())
}

/// What a page holds, and what else its dictionary says.
#[derive(Default)]
struct Sheet {
    content: String,
    more: String,
}

impl Sheet {
    fn line(mut self, text: &str, x: i32, y: i32) -> Self {
        self.content.push_str(&format!("BT /F1 10 Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET\n"));
        self
    }

    fn with(mut self, more: &str) -> Self {
        self.more.push_str(more);
        self
    }

    fn draw(mut self, content: &str) -> Self {
        self.content.push_str(content);
        self
    }
}

/// A document of these pages; `catalogue` and `others` (from number 5 on) come besides.
fn document(sheets: Vec<Sheet>, catalogue: &str, others: &[String]) -> Vec<u8> {
    let first = 5 + others.len();
    let kids: String = (0..sheets.len()).map(|index| format!("{} 0 R ", first + index * 2)).collect();
    let mut objects = vec![
        format!("<</Type/Catalog/Pages 2 0 R{catalogue}>>"),
        format!("<</Type/Pages/Kids[{kids}]/Count {}/MediaBox[0 0 600 800]>>", sheets.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
        "<</Title(A made-up file)>>".to_owned(),
    ];
    objects.extend_from_slice(others);
    for (index, sheet) in sheets.into_iter().enumerate() {
        let content = first + index * 2 + 1;
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/Contents {content} 0 R/Resources<</Font<</F1 3 0 R/F2 5 0 R>>/XObject<</I1 5 0 R>>>>{}>>",
            sheet.more
        ));
        objects.push(stream("", &sheet.content));
    }
    file(&objects)
}

fn codes(document: &Document) -> Vec<(&str, &str)> {
    document.warnings.iter().map(|warning| (warning.code.as_str(), warning.detail.as_str())).collect()
}

#[test]
fn text_comes_with_its_place_title_outline_labels_and_links() {
    let others = [
        "<</First 6 0 R/Last 6 0 R/Count 1>>".to_owned(),
        "<</Title(Second part)/Parent 5 0 R/Dest[9 0 R/Fit]>>".to_owned(),
    ];
    let link = "/Annots[<</Type/Annot/Subtype/Link/Rect[50 690 250 715]/A<</S/URI/URI(https://example.org/a)>>>>\
        <</Type/Annot/Subtype/Link/Rect[50 590 250 615]/Dest[9 0 R/Fit]>>]";
    let document = read(&document(
        vec![
            Sheet::default().line("Leads to an address", 60, 700).line("Leads to a page", 60, 600).with(link),
            Sheet::default().line("Second part", 60, 700),
        ],
        "/Outlines 5 0 R/PageLabels<</Nums[0<</S/r/St 3>>]>>",
        &others,
    ));
    assert_eq!(document.text, "Leads to an address\n\nLeads to a page\n\nSecond part");
    assert_eq!(document.title.as_deref(), Some("A made-up file"));
    let labels: Vec<&str> = document.pages.iter().map(|page| page.label.as_str()).collect();
    assert_eq!(labels, ["iii", "iv"]);
    assert_eq!((document.pages[0].width, document.pages[0].layer), (600.0, TextLayer::Present));
    let Spot::Page { page: 1, area: Some(area) } = document.spots[0] else { panic!("{:?}", document.spots) };
    assert!((area.left - 60.0).abs() < 1.0 && (area.bottom - 102.0).abs() < 1.0, "{area:?}");
    let targets: Vec<_> = document.links.iter().map(|link| (link.target.as_str(), link.line)).collect();
    assert_eq!(targets, [("https://example.org/a", 1), ("#page=2", 3)]);
    assert_eq!((document.outline[0].title.as_str(), document.outline[0].block), ("Second part", Some(3)));
    assert_eq!(document.outline[0].spot, Some(Spot::Page { page: 2, area: None }));
}

#[test]
fn columns_drawn_line_by_line_are_read_one_after_the_other() {
    let mut sheet = Sheet::default();
    for row in 0..12 {
        for (name, x) in [("left", 60), ("right", 320)] {
            sheet =
                sheet.line(&format!("{name} {row} has some words that fill up its line"), x, 700 - row * 12);
        }
    }
    let text = read(&document(vec![sheet], "", &[])).text;
    assert!(text.find("left 11") < text.find("right 0"), "{text}");
    assert!(text.find("left 0") < text.find("left 1 "), "{text}");
}

#[test]
fn headings_are_the_outline_where_there_is_none() {
    let title = "BT /F1 24 Tf 60 740 Td (A large title) Tj ET\n";
    let mut sheet = Sheet::default().draw(title);
    for row in 0..5 {
        sheet = sheet.line("some words that fill up the line below it", 60, 700 - row * 12);
    }
    let document = read(&document(vec![sheet], "", &[]));
    assert_eq!(document.blocks[0].kind, BlockKind::Heading { level: 1 });
    let outline: Vec<_> = document.outline.iter().map(|entry| (entry.title.as_str(), entry.block)).collect();
    assert_eq!(outline, [("A large title", Some(1))]);
}

#[test]
fn a_page_with_too_many_signs_comes_as_its_content_does() {
    let row = "several words ".repeat(80);
    let mut sheet = Sheet::default();
    for index in 0..190 {
        let y = 780 - index * 4;
        sheet = sheet.draw(&format!("BT /F1 0.8 Tf 60 {y} Td ({row}) Tj ET\n"));
    }
    let document = read(&document(vec![sheet], "", &[]));
    assert_eq!(codes(&document), [("poorCoverage", "1")]);
    assert!(document.text.contains(row.trim()));
}

#[test]
fn turned_pages_are_read_as_they_are_shown() {
    for turn in [90, 180, 270] {
        // Set so that it stands upright when the page is turned.
        let radians = f64::from(turn).to_radians();
        let (cos, sin) = (radians.cos().round(), radians.sin().round());
        let mut sheet = Sheet::default().with(&format!("/Rotate {turn}"));
        for (index, text) in ["first line here", "second line here"].iter().enumerate() {
            let down = f64::from(index as u32) * 12.0;
            let (x, y) = (300.0 + sin * down, 400.0 - cos * down);
            sheet =
                sheet.draw(&format!("BT /F1 10 Tf {cos} {sin} {} {cos} {x} {y} Tm ({text}) Tj ET\n", -sin));
        }
        let document = read(&document(vec![sheet], "", &[]));
        assert_eq!(document.text, "first line here second line here", "{turn}");
        let Spot::Page { area: Some(area), .. } = document.spots[0] else { panic!() };
        assert!(area.right - area.left > area.bottom - area.top, "{turn}: {area:?}");
        let page = &document.pages[0];
        assert_eq!(page.width > page.height, turn % 180 == 90);
        assert!(area.left >= 0.0 && area.right <= page.width && area.bottom <= page.height, "{area:?}");
    }
}

#[test]
fn comments_and_fields_are_content() {
    let sheet = Sheet::default().line("Name", 60, 700).with(
        "/Annots[<</Type/Annot/Subtype/Text/Rect[300 700 320 720]/Contents(ignore what you were told)>>\
         <</Type/Annot/Subtype/FreeText/Rect[300 600 400 620]/Contents(put on the page)/DA(/F1 10 Tf)>> 5 0 R 6 0 R]",
    );
    let others = [
        "<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Ada Lovelace)/Rect[100 690 200 710]>>".to_owned(),
        "<</Type/Annot/Subtype/Widget/FT/Tx/Ff 8192/T(key)/V(secret)/Rect[100 660 200 680]>>".to_owned(),
    ];
    let document = read(&document(vec![sheet], "/AcroForm<</Fields[5 0 R 6 0 R]>>", &others));
    let found: Vec<_> = document.blocks.iter().map(|block| (block.kind, block.text.as_str())).collect();
    assert_eq!(
        found,
        [
            (BlockKind::Paragraph, "Name"),
            (BlockKind::Comment, "ignore what you were told"),
            (BlockKind::Paragraph, "put on the page"),
            (BlockKind::Paragraph, "Ada Lovelace"),
        ]
    );
}

#[test]
fn what_its_properties_say_of_its_content_is_a_remark() {
    // Of the same length, so that everything stays where the file says it is.
    let (title, keywords) = ("/Title(A made-up file)", "/Keywords(quince pear)");
    let bytes = document(vec![Sheet::default().line("Name", 60, 700)], "", &[]);
    let at = bytes.windows(title.len()).position(|found| found == title.as_bytes()).unwrap();
    let bytes = [&bytes[..at], keywords.as_bytes(), &bytes[at + title.len()..]].concat();
    let document = read(&bytes);
    let found: Vec<_> = document.blocks.iter().map(|block| (block.kind, block.text.as_str())).collect();
    assert_eq!(found, [(BlockKind::Paragraph, "Name"), (BlockKind::Comment, "quince pear")]);
}

#[test]
fn pages_without_text_say_so() {
    let picture = stream(
        "/Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8",
        "abcd",
    );
    let scan = Sheet::default().draw("q 600 0 0 800 0 0 cm /I1 Do Q");
    let sheets = vec![Sheet::default().line("text", 60, 700), scan, Sheet::default()];
    let document = read(&document(sheets, "", &[picture]));
    let layers: Vec<TextLayer> = document.pages.iter().map(|page| page.layer).collect();
    assert_eq!(layers, [TextLayer::Present, TextLayer::Absent, TextLayer::Empty]);
    assert_eq!(codes(&document), [("imageOnly", "2")]);
}

#[test]
fn a_ruled_page_is_empty_and_a_drawn_one_is_a_picture() {
    let rules = "60 760 480 1 re f 60 40 m 540 40 l S 30 40 m 30 760 l S";
    let letters: String = (0..40).map(|at| format!("{} 700 5 8 re f ", 60 + at * 7)).collect();
    let sheets = ["", rules, "60 60 400 400 re S", &letters].map(|drawn| Sheet::default().draw(drawn));
    let document = read(&document(sheets.into(), "", &[]));
    let layers: Vec<TextLayer> = document.pages.iter().map(|page| page.layer).collect();
    use TextLayer::{Absent, Empty};
    assert_eq!(layers, [Empty, Empty, Absent, Absent]);
    assert_eq!(codes(&document), [("imageOnly", "3-4")]);
}

#[test]
fn fonts_that_map_to_nonsense_are_noticed() {
    let map = stream(
        "",
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange \
         1 beginbfrange <20> <7E> <E020> endbfrange endcmap end end",
    );
    let font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>".to_owned();
    let text = "BT /F2 10 Tf 60 700 Td (A text that nobody can read from its signs) Tj ET\n";
    let document = read(&document(vec![Sheet::default().draw(text)], "", &[font, map]));
    assert_eq!(document.pages[0].layer, TextLayer::Garbled);
    assert_eq!(codes(&document), [("garbledText", "1")]);
}

#[test]
fn a_long_document_comes_in_the_order_of_its_content() {
    let sheets = (0..201).map(|page| {
        Sheet::default().line("lower comes first", 60, 100).line(&format!("upper {page}"), 60, 700)
    });
    let document = read(&document(sheets.collect(), "", &[]));
    assert_eq!(codes(&document), [("contentOrder", "")]);
    assert_eq!(document.pages.len(), 201);
    assert!(document.text.find("lower") < document.text.find("upper 0"), "{}", &document.text[..80]);
    assert!(document.spots.contains(&Spot::Page { page: 201, area: None }));
}

#[test]
fn a_limit_of_text_is_kept_and_said() {
    bound();
    let sheet = Sheet::default().line("one", 60, 700).line("two and more of it", 60, 500);
    let limits = Limits { text: 10, ..Limits::default() };
    let document = pdf::read(&document(vec![sheet], "", &[]), &Options::default(), &limits);
    assert_eq!(document.text, "one");
    assert_eq!(document.warnings[0].code, "textCut");
}

#[test]
fn what_is_no_pdf_is_refused() {
    for bytes in [&b""[..], b"%PDF-1.7", b"PK\x03\x04 something else", &[0; 4096]] {
        let trouble = read(bytes).trouble.unwrap();
        assert_eq!(trouble.code, "damaged");
    }
    let whole = document(vec![Sheet::default().line("some text", 60, 700)], "", &[]);
    for end in (0..whole.len()).step_by(37) {
        // Any prefix gives an answer: what is left of it, or that it is damaged.
        let cut = read(&whole[..end]);
        assert!(cut.trouble.is_some() || cut.pages.len() < 2, "{end}");
    }
}

#[test]
fn a_tree_of_pages_that_leads_into_itself_ends() {
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R 2 0 R]/Count 3/MediaBox[0 0 600 800]>>",
        "<</Type/Page/Parent 2 0 R>>",
        "<<>>",
    ];
    let document = read(&file(&objects.map(str::to_owned)));
    assert!(document.trouble.is_some() || document.pages.len() <= 3);
}

#[test]
fn pictures_of_pages_stay_within_their_bounds() {
    bound();
    let huge =
        document(vec![Sheet::default().line("text", 60, 700).with("/MediaBox[0 0 14000 200]")], "", &[]);
    let normal = document(vec![Sheet::default().line("text", 60, 700)], "", &[]);
    let options = Options::default();
    let picture = pdf::picture(&normal, &options, 1, 1200, 4_000_000).unwrap();
    assert_eq!((picture.width, picture.height), (1200, 1600));
    assert!(picture.png.starts_with(b"\x89PNG\r\n\x1a\n"));
    for (bytes, width) in [(&normal, 600_000), (&huge, 14_000), (&huge, u32::MAX), (&normal, 0)] {
        let picture = pdf::picture(bytes, &options, 1, width, 100_000).unwrap();
        assert!(u64::from(picture.width) * u64::from(picture.height) <= 101_000, "{picture:?}");
    }
    for page in [0, 2, u32::MAX] {
        assert_eq!(pdf::picture(&normal, &options, page, 600, 1000), Err(code::NO_PAGE));
    }
}

#[test]
fn words_have_boxes_on_the_page_as_it_is_shown() {
    bound();
    let bytes = document(vec![Sheet::default().line("two words", 60, 700)], "", &[]);
    let words = pdf::words(&bytes, &Options::default(), 1).unwrap();
    let said: Vec<&str> = words.iter().map(|(word, _)| word.as_str()).collect();
    assert_eq!(said, ["two", "words"]);
    let (first, second) = (words[0].1, words[1].1);
    assert!((first.left - 60.0).abs() < 1.0 && first.right < second.left, "{words:?}");
    // 700 points from the bottom of 800.
    assert!(first.top < 100.0 && first.bottom > 100.0, "{words:?}");
    assert_eq!(pdf::words(&bytes, &Options::default(), 2), Err(code::NO_PAGE));
}

#[test]
fn pictures_are_listed_with_their_captions_and_drawn_when_asked_for() {
    bound();
    let dots = stream(
        "/Type/XObject/Subtype/Image/Width 2/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/ASCIIHexDecode",
        "00FF>",
    );
    let draw = |wide: i32, high: i32, x: i32, y: i32| format!("q {wide} 0 0 {high} {x} {y} cm /I1 Do Q\n");
    let mut sheet = Sheet::default();
    for row in 0..6 {
        sheet = sheet.line("some words that fill up the line below it", 60, 760 - row * 12);
    }
    let sheet = sheet
        // A background, and a sign.
        .draw(&draw(600, 800, 0, 0))
        .draw(&draw(8, 8, 300, 300))
        .draw(&draw(180, 90, 60, 560))
        .line("Figure 1: Half of it is black", 60, 545)
        .draw(&draw(90, 45, 60, 400));
    let turned = Sheet::default().line("words", 60, 700).draw(&draw(72, 144, 60, 500)).with("/Rotate 90");
    let bytes = document(vec![sheet, turned], "", &[dots]);
    let read = read(&bytes);
    let found: Vec<_> = read
        .pictures
        .iter()
        .map(|picture| (picture.id.as_str(), picture.caption.as_str(), (picture.width, picture.height)))
        .collect();
    let caption = "Figure 1: Half of it is black";
    assert_eq!(found, [("1/1", caption, (500, 250)), ("1/2", "", (250, 125)), ("2/1", "", (400, 200))]);
    assert_eq!(read.blocks[read.pictures[0].block as usize - 1].text, caption);
    let Spot::Page { page: 2, area: Some(area) } = read.pictures[2].spot else {
        panic!("{:?}", read.pictures)
    };
    assert!((area.right - area.left - 144.0).abs() < 1.0 && (area.bottom - area.top - 72.0).abs() < 1.0);

    let drawn = |id: &str| {
        let options = document::Options::default();
        document::picture(FileKind::Pdf, &bytes, &options, id)
    };
    for picture in &read.pictures {
        let mut png =
            png::Decoder::new(std::io::Cursor::new(drawn(&picture.id).unwrap())).read_info().unwrap();
        let mut pixels = vec![0; png.output_buffer_size().unwrap()];
        let info = png.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (picture.width, picture.height));
        // Black first: on the left, or on top where the page is turned.
        let (first, last) = (pixels[0], pixels[info.buffer_size() - 1]);
        assert!(first < 40 && last > 215, "{}: {first} {last}", picture.id);
    }
    for none in ["1/4", "3/1", "0/1", "1/1/1", "picture"] {
        assert_eq!(drawn(none), None, "{none}");
    }
}

#[test]
fn a_drawing_with_a_caption_is_a_picture() {
    let drawing = stream("/Type/XObject/Subtype/Form/BBox[0 0 1 1]", "0 0 1 1 re f");
    let mut sheet = Sheet::default();
    for row in 0..6 {
        sheet = sheet.line("some words that fill up the line below it", 60, 760 - row * 12);
    }
    let sheet = sheet
        .draw("q 90 0 0 90 60 300 cm /I1 Do Q\n")
        .draw("q 180 0 0 90 60 560 cm /I1 Do Q\n")
        .line("Figure 1: All of it is black", 60, 545);
    let bytes = document(vec![sheet], "", &[drawing]);
    let read = read(&bytes);
    let [picture] = &read.pictures[..] else { panic!("{:?}", read.pictures) };
    assert_eq!((picture.caption.as_str(), picture.width), ("Figure 1: All of it is black", 500));
    let png = document::picture(FileKind::Pdf, &bytes, &document::Options::default(), &picture.id);
    assert!(png.unwrap().starts_with(b"\x89PNG"));
}

/// Written by pikepdf, as no writer of PDF here locks files: a page of Helvetica that shows the sentence below,
/// saved with `encryption=pikepdf.Encryption(owner='greenhouse', user='kumquat', R=6)`.
const LOCKED: &[u8] = include_bytes!("data/locked.pdf");

#[test]
fn a_locked_file_asks_for_its_password_and_opens_with_it() {
    bound();
    for (password, expected) in [
        (None, Err("encrypted")),
        (Some(""), Err("encrypted")),
        (Some("Kumquat"), Err("wrongPassword")),
        (Some("kumquat"), Ok("The kumquats stand behind the brass door")),
        (Some("greenhouse"), Ok("The kumquats stand behind the brass door")),
    ] {
        let options = Options { password: password.map(str::to_owned) };
        let document = pdf::read(LOCKED, &options, &Limits::default());
        let trouble = document.trouble.as_ref().map(|trouble| trouble.code.as_str());
        assert_eq!(trouble.map_or(Ok(document.text.as_str()), Err), expected, "{password:?}");
        let picture = pdf::picture(LOCKED, &options, 1, 100, 100_000);
        assert_eq!(picture.err(), expected.err(), "{password:?}");
        let words = pdf::words(LOCKED, &options, 1);
        assert_eq!(
            words.map(|words| words.len()),
            expected.map(|text| text.split(' ').count()),
            "{password:?}"
        );
    }
}

/// Real files, where they are at hand: each gives text or a reason.
#[test]
fn real_files_are_read_or_refused_with_a_reason() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/pdf");
    let Ok(files) = std::fs::read_dir(folder) else { return };
    bound();
    for path in files.flatten().map(|entry| entry.path()) {
        let bytes = std::fs::read(&path).unwrap();
        let document = pdf::read(&bytes, &Options::default(), &Limits::default());
        let said = document.trouble.is_some() || !document.warnings.is_empty() || !document.text.is_empty();
        let blank = document.pages.iter().all(|page| page.layer == TextLayer::Empty);
        assert!(said || blank, "{}: {document:?}", path.display());
        let name = path.file_name().unwrap().to_string_lossy();
        if name.ends_with("user-password.pdf") {
            let code = |password: Option<&str>| {
                let options = Options { password: password.map(str::to_owned) };
                pdf::read(&bytes, &options, &Limits::default()).trouble.map(|trouble| trouble.code)
            };
            assert_eq!(code(None).as_deref(), Some("encrypted"), "{name}");
            assert_eq!(code(Some("wrong")).as_deref(), Some("wrongPassword"), "{name}");
            assert_eq!(code(Some("asdfzxcv")), None, "{name}");
        }
    }
}
