//! Every format by one door, and real files where they are at hand.

use std::path::{Path, PathBuf};

use orangery_domain::FileKind;

use super::*;
use crate::package::Package;
use crate::package::tests::{check_shape, zip};
use crate::xml::{Ns, Tree};

fn read_named(name: &str, bytes: &[u8]) -> Document {
    read(FileKind::of_name(name), name, bytes, &Options::default())
}

#[test]
fn each_kind_has_its_reader() {
    let word = "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:body><w:p><w:r><w:t>x</w:t></w:r></w:p></w:body></w:document>";
    assert_eq!(read_named("a.DOCX", &zip(&[("word/document.xml", word.as_bytes())])).text, "x");
    assert_eq!(read_named("a.tsv", b"x\ty\n").text, "x\ty");
    assert_eq!(read_named("a.htm", b"<p>x").text, "x");
    assert_eq!(read_named("a.svg", b"<svg width='9' height='9'/>").pages.len(), 1);
    for (name, bytes) in
        [("a.xlsx", &b"x,y"[..]), ("a.pptx", b""), ("a.epub", b"x"), ("a.png", b"x"), ("a.zzz", b"x")]
    {
        let document = read_named(name, bytes);
        assert!(document.text.is_empty() && document.trouble.is_some(), "{name}");
    }
    assert_eq!(read_named("a.csv", b"\n\n").warnings[0].code, "noText");
    let wanted = RowsWanted { sheet: 1, first: 1, count: 9, bytes: 99 };
    assert_eq!(rows("a.csv", b"x,y", &Options::default(), wanted).unwrap().0.rows, [["x", "y"]]);
    assert_eq!(rows("a.xlsx", b"x,y", &Options::default(), wanted).unwrap_err().code, "notThisKind");
    let options = Options::default();
    assert_eq!(picture(FileKind::Image, b"pixels", &options, "").as_deref(), Some(&b"pixels"[..]));
    assert_eq!(picture(FileKind::Docx, b"pixels", &options, "word/media/a.png"), None);
}

/// Real files of one kind, where the folder beside the project is there.
fn real(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(kind);
    let entries = folder.read_dir().into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|found| found == kind))
        .collect()
}

#[test]
fn real_files_give_text_or_a_reason() {
    for kind in ["docx", "pptx", "csv"] {
        for path in real(kind) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let document = read_named(&name, &std::fs::read(&path).unwrap());
            check_shape(&document);
            let reason = document.trouble.iter().chain(&document.warnings).next();
            assert!(!document.text.is_empty() || reason.is_some(), "{name}");
            assert!(document.trouble.is_none() || document.text.is_empty(), "{name}");
        }
    }
}

#[test]
fn real_files_never_show_what_was_deleted_in_them() {
    for path in real("docx") {
        let bytes = std::fs::read(&path).unwrap();
        let document = read_named("x.docx", &bytes);
        let Ok(mut package) = Package::open(&bytes, &Limits::default()) else { continue };
        let Some(text) = package.text("word/document.xml") else { continue };
        let tree = Tree::parse(&text, 256);
        let all = |name: &str| -> Vec<String> {
            let found = tree.root().descendants().filter(|element| element.is(Ns::Word, name));
            found.map(|element| element.text().trim().to_owned()).collect()
        };
        let kept = all("t").concat();
        // A word that also stands undeleted proves nothing.
        for deleted in all("delText").iter().filter(|text| text.len() > 3 && !kept.contains(text.as_str())) {
            assert!(!document.text.contains(deleted), "{} in {}", deleted, path.display());
        }
    }
}
