//! Bytes of one encoding as a sequence of units: the shortest runs of bytes that mean characters by
//! themselves. No unit depends on the one before it, so a byte range between unit bounds can be
//! copied or replaced without a thought for the rest.

use super::Encoding;

/// Some bytes and the characters that they mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit {
    /// At least 1.
    pub(super) bytes: usize,
    pub(super) first: char,
    /// Big5 has four byte pairs that mean a letter and a combining mark.
    pub(super) second: Option<char>,
    /// The bytes are not of the encoding; `first` is U+FFFD.
    pub(super) malformed: bool,
}

impl Unit {
    fn of(bytes: usize, first: char) -> Self {
        Self { bytes, first, second: None, malformed: false }
    }

    fn malformed(bytes: usize) -> Self {
        Self { bytes, first: char::REPLACEMENT_CHARACTER, second: None, malformed: true }
    }

    /// Bytes of the characters in UTF-8.
    pub(super) fn text_len(&self) -> usize {
        self.first.len_utf8() + self.second.map_or(0, char::len_utf8)
    }
}

/// Walks `bytes` unit by unit.
#[derive(Debug, Clone)]
pub(super) struct Units<'a> {
    encoding: Encoding,
    rest: &'a [u8],
}

impl<'a> Units<'a> {
    pub(super) fn new(encoding: Encoding, bytes: &'a [u8]) -> Self {
        Self { encoding, rest: bytes }
    }
}

impl Iterator for Units<'_> {
    type Item = Unit;

    fn next(&mut self) -> Option<Unit> {
        let unit = match self.encoding {
            Encoding::Utf8 => utf8(self.rest)?,
            Encoding::Utf16Le => utf16(self.rest, u16::from_le_bytes)?,
            Encoding::Utf16Be => utf16(self.rest, u16::from_be_bytes)?,
            encoding => table(encoding, self.rest)?,
        };
        self.rest = &self.rest[unit.bytes..];
        Some(unit)
    }
}

fn utf8(bytes: &[u8]) -> Option<Unit> {
    let chunk = bytes[..bytes.len().min(4)].utf8_chunks().next()?;
    Some(match chunk.valid().chars().next() {
        Some(character) => Unit::of(character.len_utf8(), character),
        None => Unit::malformed(chunk.invalid().len()),
    })
}

fn utf16(bytes: &[u8], read: fn([u8; 2]) -> u16) -> Option<Unit> {
    if bytes.is_empty() {
        return None;
    }
    let word = |at: usize| match bytes.get(at..at + 2) {
        Some(&[one, two]) => Some(read([one, two])),
        _ => None,
    };
    let Some(first) = word(0) else {
        return Some(Unit::malformed(1));
    };
    let pair = std::iter::once(first).chain(word(2));
    Some(match char::decode_utf16(pair).next() {
        Some(Ok(character)) => Unit::of(character.len_utf16() * 2, character),
        _ => Unit::malformed(2),
    })
}

fn table(encoding: Encoding, bytes: &[u8]) -> Option<Unit> {
    let lead = *bytes.first()?;
    if lead.is_ascii() {
        return Some(Unit::of(1, char::from(lead)));
    }
    let length = length(encoding, lead, bytes.get(1).copied());
    let decoded = bytes
        .get(..length)
        .and_then(|unit| encoding.table().decode_without_bom_handling_and_without_replacement(unit));
    let Some(text) = decoded else {
        return Some(Unit::malformed(1));
    };
    let mut characters = text.chars();
    Some(match characters.next() {
        Some(first) => Unit { bytes: length, first, second: characters.next(), malformed: false },
        None => Unit::malformed(1),
    })
}

/// How many bytes a unit with this lead has, if it is well formed.
fn length(encoding: Encoding, lead: u8, next: Option<u8>) -> usize {
    match encoding {
        Encoding::Gb18030 => match next {
            _ if lead == 0x80 => 1,
            Some(b'0'..=b'9') => 4,
            _ => 2,
        },
        Encoding::Big5 | Encoding::EucKr => 2,
        Encoding::ShiftJis => match lead {
            0x81..=0x9F | 0xE0..=0xFC => 2,
            _ => 1,
        },
        Encoding::EucJp => match lead {
            0x8F => 3,
            _ => 2,
        },
        _ => 1,
    }
}

/// The text of `bytes`, or nothing where a byte is not of the encoding.
pub(super) fn decode_strict(encoding: Encoding, bytes: &[u8]) -> Option<String> {
    match encoding {
        Encoding::Utf8 => std::str::from_utf8(bytes).ok().map(Into::into),
        Encoding::Utf16Le | Encoding::Utf16Be => {
            let mut text = String::with_capacity(bytes.len());
            for unit in Units::new(encoding, bytes) {
                if unit.malformed {
                    return None;
                }
                text.push(unit.first);
            }
            Some(text)
        }
        encoding => {
            encoding.table().decode_without_bom_handling_and_without_replacement(bytes).map(Into::into)
        }
    }
}

/// The text of `bytes` with one U+FFFD for each malformed unit.
pub(super) fn decode_lossy(encoding: Encoding, bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for unit in Units::new(encoding, bytes) {
        text.push(unit.first);
        text.extend(unit.second);
    }
    text
}
