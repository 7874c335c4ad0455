//! Parts of a package whose directory is missing, as where a download broke off: each part carries
//! its own header, so they are found one behind the other.

use flate2::bufread::DeflateDecoder;
use std::io::Read;
use zip::CompressionMethod;

const LOCAL: &[u8] = b"PK\x03\x04";

/// Where a part's packed bytes lie.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub start: usize,
    pub end: usize,
    pub method: CompressionMethod,
}

/// The parts that begin in `bytes`, at most `most` of them. To find where parts end that do not say it,
/// `budget` bytes are unfolded in all; what is longer ends there.
pub(super) fn entries(bytes: &[u8], most: usize, budget: u64) -> impl Iterator<Item = (String, Found)> {
    let (mut at, mut budget) = (0, budget);
    std::iter::from_fn(move || {
        loop {
            at += find(bytes.get(at..)?, LOCAL)?;
            let Some((name, found)) = header(bytes, at, &mut budget) else {
                at += LOCAL.len();
                continue;
            };
            at = found.end;
            return Some((name, found));
        }
    })
    .take(most)
}

/// Reads a local header (APPNOTE.TXT 4.3.7).
fn header(bytes: &[u8], at: usize, budget: &mut u64) -> Option<(String, Found)> {
    let short = |offset: usize| {
        let pair = bytes.get(at + offset..at + offset + 2)?;
        Some(u16::from_le_bytes([pair[0], pair[1]]))
    };
    let flags = short(6)?;
    let (locked, sized_later) = (flags & 1 != 0, flags & 8 != 0);
    if locked {
        return None;
    }
    let method = match short(8)? {
        0 => CompressionMethod::Stored,
        8 => CompressionMethod::Deflated,
        _ => return None,
    };
    let packed = usize::from(short(18)?) | usize::from(short(20)?) << 16;
    let (name_length, extra_length) = (usize::from(short(26)?), usize::from(short(28)?));
    let name = bytes.get(at + 30..at + 30 + name_length)?;
    let start = at + 30 + name_length + extra_length;
    let rest = bytes.get(start..)?;
    let length = match (sized_later, packed) {
        // A deflated part says itself where it ends.
        (true, _) if method == CompressionMethod::Deflated => deflated_length(rest, budget),
        (true, _) | (false, 0xffff_ffff) => find(rest, LOCAL).unwrap_or(rest.len()),
        (false, packed) => packed.min(rest.len()),
    };
    let found = Found { start, end: start + length, method };
    Some((String::from_utf8_lossy(name).into_owned(), found))
}

fn deflated_length(rest: &[u8], budget: &mut u64) -> usize {
    let mut decoder = DeflateDecoder::new(rest);
    let mut sink = [0; 16 * 1024];
    while *budget > 0
        && let Ok(count @ 1..) = decoder.read(&mut sink)
    {
        *budget = budget.saturating_sub(count as u64);
    }
    usize::try_from(decoder.total_in()).unwrap_or(rest.len()).clamp(1.min(rest.len()), rest.len())
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}
