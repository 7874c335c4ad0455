//! Text to bytes: whole texts, and edits into a file whose other bytes stay as they are.

use super::{Decoded, Encoding, encoding::sniff_bom, units};
use crate::TextEdit;

/// Why a text cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpliceError {
    #[error("{encoding} cannot hold the character {character:?} (U+{:04X})", u32::from(*character))]
    Unencodable { character: char, encoding: Encoding },
    /// Out of bounds, inside a character, out of order or overlapping.
    #[error("the edit at bytes {start} to {end} does not fit the text")]
    Range { start: usize, end: usize },
    /// The bytes are not those that the text was decoded from.
    #[error("the bytes do not belong to the text")]
    Base,
    /// The bytes would be right, but whoever opens the file next would read another text: a byte
    /// order mark would appear, or an inserted byte would complete a malformed sequence.
    #[error("the edited file would be read as a different text")]
    Ambiguous,
}

/// `raw` with `edits` of `base.text` made. Every byte outside the edits is copied; only inserted text
/// is encoded. What an edit leaves as it was at its ends counts as outside.
///
/// `base` is what [`super::decode`] made of `raw`.
pub fn splice(raw: &[u8], base: &Decoded, edits: &[TextEdit]) -> Result<Vec<u8>, SpliceError> {
    check_ranges(&base.text, edits)?;
    let mark = if base.bom { base.encoding.bom() } else { b"" };
    if !raw.starts_with(mark) {
        return Err(SpliceError::Base);
    }
    let edits: Vec<_> = edits
        .iter()
        .map(|edit| narrow(&base.text, edit))
        .filter(|(start, end, insert)| start != end || !insert.is_empty())
        .collect();
    let mut out = Vec::with_capacity(raw.len() + edits.iter().map(|edit| edit.2.len()).sum::<usize>());
    out.extend_from_slice(mark);
    let mut walk = Walk::new(raw, mark.len(), base)?;
    let mut next = edits.iter().peekable();
    while let Some(&(start, first_end, first)) = next.next() {
        let from = walk.raw_at;
        walk.advance_to(start);
        out.extend_from_slice(&raw[from..walk.raw_at]);
        // Characters that share a unit with the edited ones must be written anew with them.
        let mut insert = base.text[walk.text_at..start].to_owned();
        insert.push_str(first);
        let mut end = first_end;
        walk.advance_past(end);
        while let Some((start, next_end, more)) = next.next_if(|edit| edit.0 < walk.text_at) {
            insert.push_str(&base.text[end..*start]);
            insert.push_str(more);
            end = *next_end;
            walk.advance_past(end);
        }
        insert.push_str(&base.text[end..walk.text_at]);
        encode_into(&mut out, &insert, base.encoding)?;
    }
    out.extend_from_slice(&raw[walk.raw_at..]);
    check_reading(raw, base, &edits, &out)?;
    Ok(out)
}

/// `text` in `encoding`, with its byte order mark where `bom` is set and the encoding has one.
pub fn encode(text: &str, encoding: Encoding, bom: bool) -> Result<Vec<u8>, SpliceError> {
    let mut out = Vec::with_capacity(text.len());
    if bom {
        out.extend_from_slice(encoding.bom());
    }
    encode_into(&mut out, text, encoding)?;
    Ok(out)
}

/// Edits are in order, apart, in bounds and on character bounds.
fn check_ranges(text: &str, edits: &[TextEdit]) -> Result<(), SpliceError> {
    let mut last = 0;
    for edit in edits {
        let (start, end) = (edit.range.start, edit.range.end);
        if start < last || text.get(start..end).is_none() {
            return Err(SpliceError::Range { start, end });
        }
        last = end;
    }
    Ok(())
}

/// Start, end and insert of an edit without the text that it leaves as it is.
fn narrow<'a>(text: &str, edit: &'a TextEdit) -> (usize, usize, &'a str) {
    let old = &text[edit.range.clone()];
    let new = edit.insert.as_str();
    let prefix = common(old.chars().zip(new.chars()));
    let (old, new) = (&old[prefix..], &new[prefix..]);
    let suffix = common(old.chars().rev().zip(new.chars().rev()));
    (edit.range.start + prefix, edit.range.end - suffix, &new[..new.len() - suffix])
}

fn common(pairs: impl Iterator<Item = (char, char)>) -> usize {
    pairs.take_while(|(old, new)| old == new).map(|(old, _)| old.len_utf8()).sum()
}

/// A place between two units, in the bytes and in the text.
struct Walk<'a> {
    /// Absent where text offsets are byte offsets: well-formed UTF-8.
    units: Option<std::iter::Peekable<units::Units<'a>>>,
    raw_at: usize,
    text_at: usize,
}

impl<'a> Walk<'a> {
    fn new(raw: &'a [u8], mark: usize, base: &Decoded) -> Result<Self, SpliceError> {
        let plain = base.encoding == Encoding::Utf8 && !base.malformed;
        if plain && raw.len() != mark + base.text.len() {
            return Err(SpliceError::Base);
        }
        Ok(Self {
            units: (!plain).then(|| units::Units::new(base.encoding, &raw[mark..]).peekable()),
            raw_at: mark,
            text_at: 0,
        })
    }

    /// Goes to the last unit bound that is not after `offset`.
    fn advance_to(&mut self, offset: usize) {
        self.step_while(|at, length| at + length <= offset, offset);
    }

    /// Goes to the first unit bound that is not before `offset`.
    fn advance_past(&mut self, offset: usize) {
        self.step_while(|at, _| at < offset, offset);
    }

    fn step_while(&mut self, go: impl Fn(usize, usize) -> bool, offset: usize) {
        let Some(units) = &mut self.units else {
            self.raw_at += offset - self.text_at;
            self.text_at = offset;
            return;
        };
        while let Some(unit) = units.next_if(|unit| go(self.text_at, unit.text_len())) {
            self.raw_at += unit.bytes;
            self.text_at += unit.text_len();
        }
    }
}

/// Makes sure that the next reader finds the edited text. Concatenated well-formed units always mean
/// what they mean apart, so only malformed bytes and byte order marks need a look.
fn check_reading(
    raw: &[u8],
    base: &Decoded,
    edits: &[(usize, usize, &str)],
    out: &[u8],
) -> Result<(), SpliceError> {
    let mark = sniff_bom(out);
    if mark.is_some() && mark != sniff_bom(raw) {
        return Err(SpliceError::Ambiguous);
    }
    if !base.malformed {
        return Ok(());
    }
    let mut expected = base.text.clone();
    for (start, end, insert) in edits.iter().rev() {
        expected.replace_range(*start..*end, insert);
    }
    let mark = if base.bom { base.encoding.bom().len() } else { 0 };
    if units::decode_lossy(base.encoding, &out[mark..]) == expected {
        Ok(())
    } else {
        Err(SpliceError::Ambiguous)
    }
}

fn encode_into(out: &mut Vec<u8>, text: &str, encoding: Encoding) -> Result<(), SpliceError> {
    match encoding {
        Encoding::Utf8 => out.extend_from_slice(text.as_bytes()),
        Encoding::Utf16Le => out.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
        Encoding::Utf16Be => out.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
        encoding => return encode_by_table(out, text, encoding),
    }
    Ok(())
}

fn encode_by_table(out: &mut Vec<u8>, text: &str, encoding: Encoding) -> Result<(), SpliceError> {
    let start = out.len();
    let mut encoder = encoding.table().new_encoder();
    let mut rest = text;
    let mut buffer = [0_u8; 1024];
    loop {
        let (result, read, written) = encoder.encode_from_utf8_without_replacement(rest, &mut buffer, true);
        out.extend_from_slice(&buffer[..written]);
        rest = &rest[read..];
        match result {
            encoding_rs::EncoderResult::InputEmpty => break,
            encoding_rs::EncoderResult::OutputFull => {}
            encoding_rs::EncoderResult::Unmappable(character) => {
                return Err(SpliceError::Unencodable { character, encoding });
            }
        }
    }
    // Some encoders fold look-alikes (Shift_JIS writes the yen sign as a backslash); that would be
    // another text.
    let mut written = units::Units::new(encoding, &out[start..])
        .flat_map(|unit| std::iter::once(unit.first).chain(unit.second));
    match text.chars().find(|&character| written.next() != Some(character)) {
        None => Ok(()),
        Some(character) => Err(SpliceError::Unencodable { character, encoding }),
    }
}
