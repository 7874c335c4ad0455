//! Which encoding a page is in, and pages that are written as XML.

use std::borrow::Cow;

use orangery_domain::text::{Encoding, decode as decode_text};

/// Bytes in which a page must declare its encoding; browsers look at fewer.
const HEAD: usize = 4096;

/// A page's text, and whether some bytes made no sense: by byte order mark, by the user's choice, as
/// strict UTF-8 (many pages that declare something else are), by what the page declares, by guess.
pub(super) fn decode(bytes: &[u8], chosen: Option<Encoding>) -> (String, bool) {
    let marked = bytes.starts_with(b"\xEF\xBB\xBF")
        || bytes.starts_with(b"\xFF\xFE")
        || bytes.starts_with(b"\xFE\xFF");
    if chosen.is_none() && !marked && !bytes.contains(&0) {
        match std::str::from_utf8(bytes) {
            Ok(text) => return (text.to_owned(), false),
            // Cut in the middle of a character.
            Err(error) if error.error_len().is_none() => {
                return (String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned(), false);
            }
            Err(_) => {}
        }
    }
    let chosen = chosen.or_else(|| if marked { None } else { declared(bytes) });
    let decoded = decode_text(bytes, chosen, &[]).or_else(|_| {
        let fallback = if marked { Encoding::Utf8 } else { Encoding::Windows1252 };
        decode_text(bytes, Some(fallback), &[])
    });
    decoded.map(|decoded| (decoded.text, decoded.malformed)).unwrap_or_default()
}

/// The text of what a server calls `charset`, which may be no page at all.
pub fn decoded(bytes: &[u8], charset: Option<&str>) -> String {
    decode(bytes, charset.and_then(Encoding::from_label)).0
}

/// `<meta charset=…>`, `<meta http-equiv … content="text/html; charset=…">` or an XML declaration.
fn declared(bytes: &[u8]) -> Option<Encoding> {
    let head: String = bytes.iter().take(HEAD).map(|&byte| char::from(byte).to_ascii_lowercase()).collect();
    let mut rest = head.as_str();
    while let Some(at) = rest.find("charset").or_else(|| rest.find("encoding")) {
        let word = if rest[at..].starts_with("charset") { 7 } else { 8 };
        rest = &rest[at + word..];
        let Some(value) = rest.trim_start().strip_prefix('=') else { continue };
        let value = value.trim_start().trim_start_matches(['"', '\'']);
        let end =
            value.find(|c: char| !(c.is_ascii_alphanumeric() || "-_:.".contains(c))).unwrap_or(value.len());
        if let Some(encoding) = Encoding::from_label(&value[..end]) {
            // A declaration that could be read as ASCII is not in UTF-16.
            let wide = matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be);
            return Some(if wide { Encoding::Utf8 } else { encoding });
        }
    }
    None
}

const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr", "image",
];

/// XHTML as a reader of HTML understands it: there `<script/>` has an end, and text may stand in CDATA.
pub(crate) fn close_empty(text: &str) -> Cow<'_, str> {
    if !text.contains("/>") && !text.contains("<![CDATA[") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 64);
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let skip = [("<!--", "-->"), ("<?", "?>")].into_iter().find(|(start, _)| rest.starts_with(start));
        if let Some((_, end)) = skip {
            let length = rest.find(end).map_or(rest.len(), |at| at + end.len());
            if rest.starts_with("<!--") {
                out.push_str(&rest[..length]);
            }
            rest = &rest[length..];
        } else if let Some(data) = rest.strip_prefix("<![CDATA[") {
            let end = data.find("]]>").unwrap_or(data.len());
            out.push_str(&data[..end].replace('&', "&amp;").replace('<', "&lt;"));
            rest = data.get(end + 3..).unwrap_or("");
        } else {
            let length = tag_length(rest);
            let tag = &rest[..length];
            rest = &rest[length..];
            let name: &str =
                tag[1..].split(|c: char| c.is_whitespace() || c == '/' || c == '>').next().unwrap_or("");
            match tag.strip_suffix("/>") {
                Some(open) if !name.is_empty() && !VOID.contains(&name.to_ascii_lowercase().as_str()) => {
                    out.push_str(open);
                    out.push_str("></");
                    out.push_str(name);
                    out.push('>');
                }
                _ => out.push_str(tag),
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Bytes of the tag that `text` begins with, its quoted values included.
fn tag_length(text: &str) -> usize {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match (quote, byte) {
            (Some(open), byte) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'>') => return at + 1,
            // A bracket that opens nothing.
            (None, b'<') => return at,
            _ => {}
        }
    }
    text.len()
}
