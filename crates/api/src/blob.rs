//! The door for bytes: what a view shows but JSON cannot carry.

use orangery_domain::{FileKind, FilePlace};
use serde::{Deserialize, Serialize};

/// Names bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum BlobKey {
    /// A file of a knowledge base, such as a picture in a note.
    File { place: FilePlace },
    /// The picture of a page of a document, from 1, about so many pixels wide.
    Page { place: FilePlace, page: u32, width: u32 },
    /// A picture in a document, by the id that the document's view gives.
    Picture { place: FilePlace, id: String },
}

/// Bytes and what they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    /// Never a type that runs or styles anything in the page that asked for it, except SVG, which a host
    /// must serve so that no script in it runs.
    pub content_type: &'static str,
    pub bytes: Vec<u8>,
}

/// Files above this are not handed out whole, bytes.
pub const LARGEST: u64 = 64 << 20;

/// The content type of a file called `name`. All but pictures are opaque: a page of the user's folder
/// must not become a page of the app.
pub fn content_type(name: &str) -> &'static str {
    if FileKind::of_name(name) != FileKind::Image {
        return OPAQUE;
    }
    let extension = name.rsplit('.').next().unwrap_or_default();
    let known = [
        ("png", "image/png"),
        ("jpg", "image/jpeg"),
        ("jpeg", "image/jpeg"),
        ("webp", "image/webp"),
        ("gif", "image/gif"),
        ("svg", "image/svg+xml"),
    ];
    known
        .into_iter()
        .find(|(known, _)| extension.eq_ignore_ascii_case(known))
        .map_or(OPAQUE, |(_, content_type)| content_type)
}

/// A picture that a document holds, by its own first bytes: its name is the document's to choose. What is
/// no picture that can be shown is opaque.
pub fn picture(bytes: Vec<u8>) -> Blob {
    let starts = |magic: &[u8]| bytes.starts_with(magic);
    let content_type = if starts(b"\x89PNG\r\n\x1a\n") {
        "image/png"
    } else if starts(b"\xff\xd8\xff") {
        "image/jpeg"
    } else if starts(b"GIF8") {
        "image/gif"
    } else if starts(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        "image/webp"
    } else {
        OPAQUE
    };
    Blob { content_type, bytes }
}

/// What is not shown in place.
pub const OPAQUE: &str = "application/octet-stream";

/// `content_type` as one of the fixed types; an unknown one is opaque.
pub(crate) fn known_type(content_type: &str) -> &'static str {
    ["image/png", "image/jpeg", "image/webp", "image/gif", "image/svg+xml"]
        .into_iter()
        .find(|known| *known == content_type)
        .unwrap_or(OPAQUE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pictures_have_a_type() {
        for (name, expected) in [
            ("a.PNG", "image/png"),
            ("x.y.svg", "image/svg+xml"),
            ("page.html", OPAQUE),
            ("note.md", OPAQUE),
            ("png", OPAQUE),
        ] {
            assert_eq!(content_type(name), expected, "{name}");
        }
        for (bytes, expected) in [
            (&b"\x89PNG\r\n\x1a\n"[..], "image/png"),
            (b"\xff\xd8\xff\xe0", "image/jpeg"),
            (b"RIFF1234WEBPVP8 ", "image/webp"),
            (b"RIFF1234WAVE", OPAQUE),
            (b"<svg onload='x()'/>", OPAQUE),
            (b"", OPAQUE),
        ] {
            assert_eq!(picture(bytes.to_vec()).content_type, expected, "{bytes:?}");
        }
    }
}
