//! Bytes to text and back, without touching what nobody changed.
//!
//! Nothing here normalises: line endings, a byte order mark, Unicode forms and byte sequences that
//! their encoding would write differently stay as they are. Nothing is decoded lossily unless the
//! user chose the encoding, and even then the bytes behind a U+FFFD survive every edit beside them.

mod detect;
mod encoding;
mod splice;
mod units;

pub use encoding::Encoding;
pub use splice::{SpliceError, encode, splice};

use crate::{LineEnding, Warning};

/// A file's text and how its bytes say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// Without the byte order mark, with the file's own line endings.
    pub text: String,
    pub encoding: Encoding,
    /// Whether the bytes begin with the encoding's byte order mark.
    pub bom: bool,
    pub line_ending: LineEnding,
    /// What a new line should end with: the most frequent ending, LF where there is none.
    pub dominant: Ending,
    /// Some bytes are not of the encoding; each such sequence is one U+FFFD of `text`. Only where the
    /// user chose the encoding.
    pub malformed: bool,
}

/// One way to end a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    Lf,
    CrLf,
    Cr,
}

impl Ending {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::Cr => "\r",
        }
    }
}

/// Why bytes are not shown as text. Codes of `reason`:
/// - `binary`: NUL bytes, and not UTF-16;
/// - `encodingUnclear`: no encoding is plausible enough; `detail` lists the likeliest, best first,
///   separated by `, `, and may be empty.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the text cannot be decoded: {} {}", reason.code, reason.detail)]
pub struct Undecodable {
    pub reason: Warning,
}

impl Undecodable {
    pub(crate) fn new(code: &str, detail: impl Into<String>) -> Self {
        Self { reason: Warning::new(code, detail) }
    }
}

/// Decodes a file: by byte order mark, then as strict UTF-8, then by the most plausible legacy
/// encoding.
///
/// `chosen` is the user's word and is obeyed even where bytes are malformed or binary. `prior` holds
/// the encodings of neighbouring files, most frequent first; it only ever tips a close decision.
pub fn decode(bytes: &[u8], chosen: Option<Encoding>, prior: &[Encoding]) -> Result<Decoded, Undecodable> {
    if let Some(encoding) = chosen {
        return Ok(decode_as(bytes, encoding));
    }
    if let Some((encoding, length)) = encoding::sniff_bom(bytes) {
        let text = units::decode_strict(encoding, &bytes[length..])
            .ok_or_else(|| Undecodable::new("encodingUnclear", encoding.label()))?;
        if text.contains('\0') {
            return Err(Undecodable::new("binary", ""));
        }
        return Ok(describe(text, encoding, true, false));
    }
    if bytes.contains(&0) {
        let (encoding, text) = detect::utf16(bytes)?;
        return Ok(describe(text, encoding, false, false));
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(describe(text.into(), Encoding::Utf8, false, false));
    }
    let (encoding, text) = detect::legacy(bytes, prior)?;
    Ok(describe(text, encoding, false, false))
}

fn decode_as(bytes: &[u8], encoding: Encoding) -> Decoded {
    let bom = encoding.bom();
    let (bom, body) = match bytes.strip_prefix(bom) {
        Some(body) if !bom.is_empty() => (true, body),
        _ => (false, bytes),
    };
    match units::decode_strict(encoding, body) {
        Some(text) => describe(text, encoding, bom, false),
        None => describe(units::decode_lossy(encoding, body), encoding, bom, true),
    }
}

fn describe(text: String, encoding: Encoding, bom: bool, malformed: bool) -> Decoded {
    let (line_ending, dominant) = endings(&text);
    Decoded { text, encoding, bom, line_ending, dominant, malformed }
}

/// How the lines of `text` end, and what most of them end with.
pub fn endings(text: &str) -> (LineEnding, Ending) {
    let bytes = text.as_bytes();
    let (mut lf, mut crlf, mut cr) = (0_usize, 0_usize, 0_usize);
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'\n' if at > 0 && bytes[at - 1] == b'\r' => crlf += 1,
            b'\n' => lf += 1,
            b'\r' if bytes.get(at + 1) != Some(&b'\n') => cr += 1,
            _ => {}
        }
    }
    let dominant = if lf >= crlf && lf >= cr {
        Ending::Lf
    } else if crlf >= cr {
        Ending::CrLf
    } else {
        Ending::Cr
    };
    let all = match (lf > 0, crlf > 0, cr > 0) {
        (_, false, false) => LineEnding::Lf,
        (false, true, false) => LineEnding::CrLf,
        (false, false, true) => LineEnding::Cr,
        _ => LineEnding::Mixed,
    };
    (all, dominant)
}

/// `insert` with every line ending in it (LF, CRLF or a lone CR) replaced by `ending`.
pub fn to_ending(insert: &str, ending: Ending) -> String {
    let mut out = String::with_capacity(insert.len());
    let mut rest = insert;
    while let Some(at) = rest.find(['\r', '\n']) {
        out.push_str(&rest[..at]);
        out.push_str(ending.as_str());
        let length = if rest[at..].starts_with("\r\n") { 2 } else { 1 };
        rest = &rest[at + length..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests;
