//! Which encoding a table is in: byte order mark, strict UTF-8, then what is most plausible. Excel writes
//! tables in the encoding of the country without saying so, and many tables are numbers but for a word or
//! two.

use std::borrow::Cow;

use orangery_domain::Warning;
use orangery_domain::text::{Encoding, decode};

use crate::document::{Builder, code};

/// The table's text: borrowed where it is UTF-8, so that a large file is not there twice.
pub(super) fn text<'b>(
    bytes: &'b [u8],
    chosen: Option<Encoding>,
    builder: &mut Builder,
) -> Result<Cow<'b, str>, Warning> {
    let bare = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if matches!(chosen, None | Some(Encoding::Utf8))
        && !bare.contains(&0)
        && !bare.starts_with(b"\xFF\xFE")
        && let Ok(text) = std::str::from_utf8(bare)
        && (chosen.is_some()
            || bare.len() < bytes.len()
            || !(has_orphaned_mark(text) && is_chinese_pairs(bytes)))
    {
        return Ok(Cow::Borrowed(text));
    }
    let guessed = decode(bytes, chosen, &[]);
    let western = guessed.as_ref().map_or_else(
        |error| error.reason.code == "encodingUnclear",
        |decoded| !decoded.bom && (is_western(decoded.encoding) || decoded.encoding == Encoding::Utf8),
    );
    let guessed = match western && chosen.is_none() && is_chinese_pairs(bytes) {
        true => decode(bytes, Some(Encoding::Gb18030), &[]),
        false => guessed,
    };
    let decoded = guessed.map_err(|error| match error.reason.code.as_str() {
        "binary" => Warning::new(code::NOT_THIS_KIND, "binary"),
        _ => Warning::new(code::ENCODING_UNCLEAR, error.reason.detail),
    })?;
    if decoded.malformed {
        builder.warn(code::MALFORMED_TEXT, "");
    }
    if chosen.is_none() && !decoded.bom {
        builder.warn(code::ENCODING_GUESSED, decoded.encoding.label());
    }
    Ok(Cow::Owned(decoded.text))
}

fn is_western(encoding: Encoding) -> bool {
    use Encoding::*;
    matches!(
        encoding,
        Windows1252
            | Windows1250
            | Windows1254
            | Windows1257
            | Windows1258
            | Iso8859_2
            | Iso8859_15
            | Macintosh
    )
}

/// Whether all that is not ASCII is pairs of bytes that are everyday Chinese characters in GBK. In
/// tables, a column of numbers with one Chinese heading is common, and western letters never stand in
/// such pairs only: small letters with accents are not among the first bytes.
fn is_chinese_pairs(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    let mut pairs = 0;
    while let Some(at) = rest.iter().position(|byte| !byte.is_ascii()) {
        match rest[at..] {
            [0xB0..=0xD7, 0xA1..=0xFE, ..] => pairs += 1,
            // Punctuation and full-width forms.
            [0xA1..=0xA3, 0xA1..=0xFE, ..] => {}
            _ => return false,
        }
        rest = &rest[at + 2..];
    }
    pairs > 0
}

/// Whether a mark stands on no letter: bytes of another encoding that happen to be UTF-8.
fn has_orphaned_mark(text: &str) -> bool {
    let is_mark = |c: char| matches!(c, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5bd}' | '\u{5bf}'..='\u{5c7}' | '\u{64b}'..='\u{65f}');
    let mut before = ' ';
    text.chars().any(|c| {
        let on = std::mem::replace(&mut before, c);
        is_mark(c) && !on.is_alphabetic() && !is_mark(on)
    })
}
