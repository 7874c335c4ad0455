//! Pictures: how large they are and which side is up. Of their pixels only what a model is to see is
//! decoded, and they have no text.

mod fit;

use std::io::Cursor;

use orangery_domain::{DocumentPage, DocumentPicture, Spot, TextLayer};

use crate::document::{Document, Limits, code};
use crate::xml::{Ns, Tree, decode};
pub use fit::{Fit, Fitted, fit};

/// Reads a picture as a document of one page without text.
pub fn read(bytes: &[u8], limits: &Limits) -> Document {
    if bytes.is_empty() {
        return Document::refused(code::DAMAGED, "empty");
    }
    let Some((width, height)) = size(bytes, limits) else { return Document::refused(code::DAMAGED, "") };
    let mut document = Document::default();
    document.pages.push(DocumentPage {
        label: String::new(),
        width: width as f32,
        height: height as f32,
        layer: TextLayer::Absent,
    });
    document.pictures.push(DocumentPicture {
        id: String::new(),
        caption: String::new(),
        block: 0,
        spot: Spot::Flow,
        width,
        height,
        size: bytes.len() as u64,
    });
    document
}

/// Width and height of a picture as it is shown; `None` when it is no picture that is known.
fn size(bytes: &[u8], limits: &Limits) -> Option<(u32, u32)> {
    match pixels(bytes) {
        // From 5 on, the picture lies on its side.
        Some((width, height)) if orientation(bytes) >= 5 => Some((height, width)),
        Some(size) => Some(size),
        None => svg(bytes, limits),
    }
}

/// Width and height as stored.
pub(crate) fn pixels(head: &[u8]) -> Option<(u32, u32)> {
    let size = imagesize::blob_size(head).ok()?;
    let size = (u32::try_from(size.width).ok()?, u32::try_from(size.height).ok()?);
    (size.0 > 0 && size.1 > 0).then_some(size)
}

/// As EXIF counts it, 1 to 8; 1 where nothing says.
fn orientation(bytes: &[u8]) -> u8 {
    let found = exif::Reader::new().read_from_container(&mut Cursor::new(bytes)).ok();
    let value =
        found.and_then(|exif| exif.get_field(exif::Tag::Orientation, exif::In::PRIMARY)?.value.get_uint(0));
    value.and_then(|value| u8::try_from(value).ok()).filter(|value| (1..=8).contains(value)).unwrap_or(1)
}

/// A vector picture has the size that it asks for, else that of its view box.
fn svg(bytes: &[u8], limits: &Limits) -> Option<(u32, u32)> {
    let head = bytes.get(..bytes.len().min(64 << 10))?;
    let text = decode(head.to_vec());
    let tree = Tree::parse(&text, limits.depth);
    let root = tree.root();
    if root.name().1 != "svg" || !matches!(root.ns(), Ns::Svg | Ns::None) {
        return None;
    }
    let length = |name: &str| {
        let value = root.attribute(name)?;
        let digits = value.trim().trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let value: f32 = digits.trim().parse().ok()?;
        (1.0..=1e6).contains(&value).then_some(value.round() as u32)
    };
    let view: Vec<f32> = root
        .attribute("viewBox")
        .map(|value| value.split([' ', ',']).filter_map(|part| part.parse().ok()).collect())
        .unwrap_or_default();
    let side = |at: usize| {
        view.get(at).filter(|value| (1.0..=1e6).contains(*value)).map(|value| value.round() as u32)
    };
    let width = length("width").or_else(|| side(2)).unwrap_or(0);
    let height = length("height").or_else(|| side(3)).unwrap_or(0);
    Some((width, height))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A PNG's first bytes: signature and header chunk.
    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes.extend(b"\x08\x02\0\0\0\0\0\0\0");
        bytes
    }

    /// A JPEG whose EXIF says which side is up.
    fn jpeg(width: u16, height: u16, orientation: u8) -> Vec<u8> {
        let mut tiff = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
        tiff.push(orientation);
        tiff.extend(b"\0\0\0\0\0\0");
        let mut bytes = b"\xff\xd8\xff\xe1".to_vec();
        bytes.extend((tiff.len() as u16 + 2).to_be_bytes());
        bytes.extend(tiff);
        bytes.extend(b"\xff\xc0\0\x0b\x08");
        bytes.extend(height.to_be_bytes());
        bytes.extend(width.to_be_bytes());
        bytes.extend(b"\x01\x01\x11\0\xff\xda\0\x08\x01\x01\0\0\x3f\0\0\xff\xd9");
        bytes
    }

    #[test]
    fn pictures_have_the_size_that_they_are_shown_in() {
        for (bytes, expected) in [
            (png(640, 480), Some((640, 480))),
            (jpeg(640, 480, 1), Some((640, 480))),
            (jpeg(640, 480, 6), Some((480, 640))),
            (
                b"<svg xmlns='http://www.w3.org/2000/svg' width='20px' viewBox='0 0 4 3'/>".to_vec(),
                Some((20, 3)),
            ),
            (b"<?xml version='1.0'?><html/>".to_vec(), None),
            (b"no picture".to_vec(), None),
        ] {
            assert_eq!(size(&bytes, &Limits::default()), expected);
        }
    }

    #[test]
    fn what_is_cut_off_is_said_and_never_a_panic() {
        let whole = jpeg(640, 480, 6);
        for length in 0..whole.len() {
            let document = read(&whole[..length], &Limits::default());
            assert!(document.text.is_empty());
            assert!(document.trouble.is_some() || document.pages[0].width > 0.0);
        }
    }
}
