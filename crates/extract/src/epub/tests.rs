//! Books written by the tests.

use super::read;
use crate::document::Limits;
use crate::package::tests::{check_cut_off, shown, zip};

const CONTAINER: &str = "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles><rootfile full-path='OEBPS/book.opf'/></rootfiles></container>";
const CHAPTER: &str = "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><head><title/></head><body><h1>One</h1><p id='x'>first&nbsp;text <img src='../img/a%20b.png' alt='a cat'/></p></body></html>";
const NAV: &str = "<html xmlns='http://www.w3.org/1999/xhtml' xmlns:epub='http://www.idpf.org/2007/ops'><body><nav epub:type='toc'><ol><li><a href='text/c2.xhtml'>Second</a><ol><li><a href='text/c%201.xhtml#x'>Deep</a></li></ol></li></ol></nav></body></html>";
const NCX: &str = "<ncx xmlns='http://www.daisy.org/z3986/2005/ncx/'><navMap><navPoint><navLabel><text>Old one</text></navLabel><content src='text/c2.xhtml'/><navPoint><navLabel><text>Inner</text></navLabel><content src='text/c%201.xhtml'/></navPoint></navPoint></navMap></ncx>";

fn book(manifest: &str, more: &[(&str, &str)]) -> Vec<u8> {
    let opf = format!(
        "<package xmlns='http://www.idpf.org/2007/opf'><metadata xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:title>A Book</dc:title></metadata><manifest><item id='c1' href='text/c%201.xhtml' media-type='application/xhtml+xml'/><item id='c2' href='text/c2.xhtml' media-type='application/xhtml+xml'/>{manifest}</manifest><spine toc='ncx'><itemref idref='c2'/><itemref idref='c1'/><itemref idref='gone'/></spine></package>"
    );
    let mut parts: Vec<(&str, &[u8])> = vec![
        ("mimetype", b"application/epub+zip"),
        ("META-INF/container.xml", CONTAINER.as_bytes()),
        ("OEBPS/book.opf", opf.as_bytes()),
        ("OEBPS/text/c 1.xhtml", CHAPTER.as_bytes()),
        ("OEBPS/text/c2.xhtml", b"<html><body><p>second text</p></body></html>"),
        ("OEBPS/img/a b.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03\x08\x02\0\0\0\0\0\0\0"),
    ];
    parts.extend(more.iter().map(|(name, text)| (*name, text.as_bytes())));
    zip(&parts)
}

#[test]
fn chapters_come_in_the_order_of_the_spine() {
    let item = "<item id='nav' href='nav.xhtml' properties='nav' media-type='application/xhtml+xml'/>";
    let bytes = book(item, &[("OEBPS/nav.xhtml", NAV)]);
    let document = read(&bytes, &Limits::default());
    assert_eq!(shown(&document), ["p second text", "h1 One", "p first text"]);
    assert_eq!(document.title.as_deref(), Some("A Book"));
    assert_eq!(format!("{:?}", document.spots[1]), "Chapter { chapter: 2 }");
    let outline: Vec<_> =
        document.outline.iter().map(|entry| (entry.level, entry.title.as_str(), entry.block)).collect();
    assert_eq!(outline, [(1, "Second", Some(1)), (2, "Deep", Some(3))]);
    assert_eq!(document.pages.iter().map(|page| page.label.as_str()).collect::<Vec<_>>(), ["Second", "Deep"]);
    let picture = &document.pictures[0];
    assert_eq!(
        (picture.id.as_str(), picture.caption.as_str(), picture.block, picture.width),
        ("OEBPS/img/a b.png", "a cat", 3, 2)
    );
    assert!(super::picture(&bytes, &picture.id).is_some());
}

#[test]
fn older_books_have_another_table_of_contents_and_some_have_none() {
    let item = "<item id='ncx' href='toc.ncx' media-type='application/x-dtbncx+xml'/>";
    let document = read(&book(item, &[("OEBPS/toc.ncx", NCX)]), &Limits::default());
    let outline: Vec<_> = document.outline.iter().map(|entry| (entry.level, entry.title.as_str())).collect();
    assert_eq!(outline, [(1, "Old one"), (2, "Inner")]);
    let document = read(&book("", &[]), &Limits::default());
    assert_eq!(document.outline[0].title, "One");
}

#[test]
fn a_book_under_rights_management_is_locked_and_scrambled_fonts_are_not() {
    let encryption = |method: &str, part: &str| {
        format!(
            "<encryption xmlns:e='http://www.w3.org/2001/04/xmlenc#'><e:EncryptedData><e:EncryptionMethod Algorithm='{method}'/><e:CipherData><e:CipherReference URI='{part}'/></e:CipherData></e:EncryptedData></encryption>"
        )
    };
    let aes = "http://www.w3.org/2001/04/xmlenc#aes128-cbc";
    let both = format!(
        "<x>{}{}</x>",
        encryption(aes, "OEBPS/text/c%201.xhtml"),
        encryption(aes, "OEBPS/text/c2.xhtml")
    );
    let trouble = |text: &str| read(&book("", &[("META-INF/encryption.xml", text)]), &Limits::default());
    assert_eq!(trouble(&both).trouble.unwrap().code, "sealed");
    let one = trouble(&encryption(aes, "OEBPS/text/c2.xhtml"));
    assert_eq!(shown(&one), ["h1 One", "p first text"]);
    assert_eq!(one.warnings[0].code, "partsLeftOut");
    let fonts = trouble(&encryption("http://www.idpf.org/2008/embedding", "OEBPS/text/c2.xhtml"));
    assert!(fonts.warnings.is_empty());
}

#[test]
fn cut_off_at_any_length_a_book_is_read_or_says_why() {
    let whole = book("", &[]);
    check_cut_off(&whole, 5, read);
}

#[test]
fn what_a_book_says_of_itself_is_a_remark() {
    let about = "<dc:creator>A. Grower</dc:creator><dc:creator>B. Grafter</dc:creator><dc:subject>Citrus</dc:subject><dc:subject>Gardens</dc:subject><dc:description>&lt;p&gt;How to &lt;b&gt;graft&lt;/b&gt;.&lt;/p&gt;</dc:description><dc:publisher>P</dc:publisher>";
    let opf = format!(
        "<package xmlns='http://www.idpf.org/2007/opf'><metadata xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:title>A Book</dc:title>{about}</metadata><manifest><item id='c1' href='c1.xhtml' media-type='application/xhtml+xml'/></manifest><spine><itemref idref='c1'/></spine></package>"
    );
    let chapter = "<html><head><meta name='description' content='of the chapter'/></head><body><p>text</p></body></html>";
    let bytes = zip(&[
        ("META-INF/container.xml", CONTAINER.as_bytes()),
        ("OEBPS/book.opf", opf.as_bytes()),
        ("OEBPS/c1.xhtml", chapter.as_bytes()),
    ]);
    let document = read(&bytes, &Limits::default());
    assert_eq!(
        shown(&document),
        ["p text", "comment A. Grower, B. Grafter", "comment Citrus, Gardens", "comment How to graft."]
    );
    assert_eq!(document.title.as_deref(), Some("A Book"));
}
