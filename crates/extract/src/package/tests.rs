//! Packages written by the tests themselves, and what hostile ones may cost.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use orangery_domain::{BlockKind, Warning};
use proptest::prelude::*;

use super::Package;
use crate::Document;
use crate::document::{Limits, code};

/// A zip file of these parts, deflated.
pub(crate) fn zip(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let parts: Vec<Part<'_>> = parts.iter().map(|(name, content)| Part::deflated(name, content)).collect();
    write(&parts)
}

struct Part<'a> {
    name: &'a str,
    packed: Vec<u8>,
    size: u32,
    method: u16,
    flags: u16,
    /// Where the directory says that it begins, if not where it does.
    offset: Option<u32>,
}

impl<'a> Part<'a> {
    fn deflated(name: &'a str, content: &[u8]) -> Self {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(content).unwrap();
        let packed = encoder.finish().unwrap();
        Self { name, packed, size: content.len() as u32, method: 8, flags: 0, offset: None }
    }
}

fn write(parts: &[Part<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for part in parts {
        let offset = part.offset.unwrap_or(out.len() as u32);
        let mut common = Vec::new();
        for value in [20, part.flags, part.method, 0, 0x21] {
            common.extend(u16::to_le_bytes(value));
        }
        let later = part.flags & 8 != 0;
        for value in [0, part.packed.len() as u32, part.size] {
            common.extend(u32::to_le_bytes(if later { 0 } else { value }));
        }
        let mut listed = common[..10].to_vec();
        for value in [0, part.packed.len() as u32, part.size] {
            listed.extend(u32::to_le_bytes(value));
        }
        for header in [&mut common, &mut listed] {
            header.extend(u16::to_le_bytes(part.name.len() as u16));
            header.extend(u16::to_le_bytes(0));
        }
        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(part.name.as_bytes());
        out.extend(&part.packed);
        if later {
            out.extend(b"PK\x07\x08");
            for value in [0, part.packed.len() as u32, part.size] {
                out.extend(u32::to_le_bytes(value));
            }
        }
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(listed);
        directory.extend([0; 10]);
        directory.extend(u32::to_le_bytes(offset));
        directory.extend(part.name.as_bytes());
    }
    let start = out.len() as u32;
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([u16::to_le_bytes(parts.len() as u16); 2].concat());
    out.extend(u32::to_le_bytes(directory.len() as u32));
    out.extend(u32::to_le_bytes(start));
    out.extend([0, 0]);
    out
}

/// The part that says where others lie, of these relationships: id, kind, target.
pub(crate) fn relationships(lines: &[(&str, &str, &str)]) -> String {
    let base = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let lines: String = lines
        .iter()
        .map(|(id, kind, target)| {
            let mode = if target.contains("://") { " TargetMode='External'" } else { "" };
            format!("<Relationship Id='{id}' Type='{base}/{kind}' Target='{target}'{mode}/>")
        })
        .collect();
    let open = "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>";
    format!("{open}{lines}</Relationships>")
}

/// Cut off anywhere, a document is read in part or says why not.
pub(crate) fn check_cut_off(whole: &[u8], step: usize, read: impl Fn(&[u8], &Limits) -> Document) {
    for length in (0..whole.len()).step_by(step) {
        let document = read(&whole[..length], &Limits::default());
        check_shape(&document);
        assert!(
            !document.text.is_empty() || document.trouble.is_some() || !document.warnings.is_empty(),
            "{length}"
        );
    }
}

/// One line a block: its kind, then what a reader sees, with signs for line ends and tabs.
pub(crate) fn shown(document: &Document) -> Vec<String> {
    check_shape(document);
    let kind = |kind| match kind {
        BlockKind::Heading { level } => format!("h{level}"),
        BlockKind::Paragraph => "p".into(),
        BlockKind::ListItem => "li".into(),
        other => format!("{other:?}").to_lowercase(),
    };
    let text =
        |range: &std::ops::Range<usize>| document.text[range.clone()].replace('\n', "⏎").replace('\t', "⇥");
    document.blocks.iter().map(|block| format!("{} {}", kind(block.kind), text(&block.range))).collect()
}

/// What holds for every document, whatever it was read from.
pub(crate) fn check_shape(document: &Document) {
    assert_eq!(document.blocks.len(), document.spots.len());
    let mut end = 0;
    for block in &document.blocks {
        assert!(block.range.start >= end && block.range.end <= document.text.len());
        assert!(document.text[end..block.range.start].trim().is_empty());
        assert!(!document.text[block.range.clone()].trim().is_empty());
        end = block.range.end;
    }
    assert!(document.text[end..].trim().is_empty());
    for link in &document.links {
        assert!(!document.text[link.range.clone()].trim().is_empty());
    }
    for warning in document.warnings.iter().chain(&document.trouble) {
        assert!(code::ALL.contains(&warning.code.as_str()), "{}", warning.code);
    }
}

fn open(bytes: &[u8]) -> Result<Package<'_>, Warning> {
    Package::open(bytes, &Limits::default())
}

#[test]
fn parts_are_found_without_case_and_with_strange_slashes() {
    let bytes = zip(&[("Word\\Document.xml", b"one"), ("b.xml", b"two"), ("B.xml", b"three")]);
    let mut package = open(&bytes).unwrap();
    assert_eq!(package.part("/word/document.xml").unwrap(), b"one");
    // The later of two parts that differ in case only.
    assert_eq!(package.part("b.XML").unwrap(), b"three");
    assert!(package.part("c.xml").is_none());
    assert!(package.warnings().is_empty());
}

#[test]
fn what_cannot_be_opened_says_why() {
    let mut locked = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec();
    let old = locked.clone();
    locked.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    for (bytes, expected) in [
        (&b""[..], "damaged"),
        (&locked, "sealed"),
        (&old, "notThisKind"),
        (b"<html></html>", "notThisKind"),
        (b"PK\x03\x04", "damaged"),
    ] {
        assert_eq!(open(bytes).err().map(|trouble| trouble.code), Some(expected.into()));
    }
}

#[test]
fn a_part_unfolds_only_so_far() {
    let bytes = zip(&[("bomb", &vec![0; 40 << 20]), ("small", b"text")]);
    let limits = Limits { ratio: 20, ..Limits::default() };
    let mut package = Package::open(&bytes, &limits).unwrap();
    assert!(package.part("bomb").unwrap().len() < 8 << 20);
    assert_eq!(package.part("small").unwrap(), b"text");
    assert_eq!(package.warnings(), [Warning::new(code::PARTS_LEFT_OUT, "")]);

    let limits = Limits { unfolded: 1000, ..Limits::default() };
    let mut package = Package::open(&bytes, &limits).unwrap();
    assert_eq!(package.part("bomb").unwrap().len(), 1000);
    assert!(package.part("small").unwrap().is_empty());
}

#[test]
fn parts_that_overlap_or_lie_about_their_place_cost_no_more() {
    let content = vec![b'a'; 4 << 20];
    let mut parts: Vec<Part<'_>> = Vec::new();
    let names: Vec<String> = (0..200).map(|at| format!("part{at}")).collect();
    parts.push(Part::deflated("whole", &content));
    for name in &names {
        parts.push(Part { offset: Some(0), packed: Vec::new(), ..Part::deflated(name, &content) });
    }
    parts.push(Part { offset: Some(u32::MAX - 3), ..Part::deflated("nowhere", b"x") });
    let bytes = write(&parts);
    let limits = Limits { unfolded: 8 << 20, ..Limits::default() };
    let mut package = Package::open(&bytes, &limits).unwrap();
    let total: usize = names.iter().filter_map(|name| package.part(name)).map(|part| part.len()).sum();
    assert!(total <= 8 << 20);
    assert!(package.part("nowhere").is_none_or(|part| part.len() <= 1));
}

#[test]
fn locked_parts_are_noticed() {
    let bytes = write(&[Part { flags: 1, ..Part::deflated("a", b"secret") }]);
    let mut package = open(&bytes).unwrap();
    assert!(package.part("a").is_none() && package.is_encrypted());
}

#[test]
fn without_its_directory_a_package_gives_the_parts_that_are_there() {
    let parts = [("one.xml", &b"first part"[..]), ("two.xml", b"second part")];
    let whole = zip(&parts);
    let directory = whole.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    let mut package = open(&whole[..directory]).unwrap();
    assert_eq!(package.part("one.xml").unwrap(), b"first part");
    assert_eq!(package.part("two.xml").unwrap(), b"second part");
    assert_eq!(package.warnings(), [Warning::new(code::PARTS_DAMAGED, "")]);

    // Sizes that are only written behind the parts.
    let streamed: Vec<Part<'_>> =
        parts.iter().map(|(name, content)| Part { flags: 8, ..Part::deflated(name, content) }).collect();
    let whole = write(&streamed);
    let directory = whole.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    let mut package = open(&whole[..directory]).unwrap();
    assert_eq!(package.part("one.xml").unwrap(), b"first part");
    assert_eq!(package.part("two.xml").unwrap(), b"second part");
}

#[test]
fn finding_parts_without_a_directory_unfolds_no_more_than_may_be() {
    let packed = Part::deflated("a", &vec![0; 4 << 20]);
    let parts: Vec<Part<'_>> = (0..50)
        .map(|_| Part { name: "a", packed: packed.packed.clone(), flags: 8, ..Part::deflated("", b"") })
        .collect();
    let whole = write(&parts);
    let directory = whole.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    let found = |budget| {
        super::salvage::entries(&whole[..directory], 1000, budget).map(|(_, found)| found.end - found.start)
    };
    assert!(found(1 << 30).all(|length| length == packed.packed.len()));
    // What is left when nothing may be unfolded any more has no length.
    assert!(found(4 << 20).skip(2).all(|length| length == 1));
}

proptest! {
    #[test]
    fn whatever_happens_to_its_bytes_a_package_is_read_within_bounds(
        cut in 0..400_usize,
        flips in prop::collection::vec((0..400_usize, any::<u8>()), 0..8),
    ) {
        let mut bytes = zip(&[("a.xml", b"<a>some text</a>"), ("b/c.xml", &[b'x'; 5000])]);
        for (at, value) in flips {
            let length = bytes.len();
            bytes[at % length] = value;
        }
        bytes.truncate(bytes.len().saturating_sub(cut));
        let limits = Limits { unfolded: 1 << 20, ..Limits::default() };
        if let Ok(mut package) = Package::open(&bytes, &limits) {
            let names: Vec<String> = package.names().map(str::to_owned).collect();
            let total: usize = names.iter().filter_map(|name| package.part(name)).map(|part| part.len()).sum();
            prop_assert!(total <= 1 << 20);
        }
    }
}
