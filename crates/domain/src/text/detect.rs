//! Guessing the encoding of bytes that declare none.
//!
//! Every candidate encoding is judged by how many bits the characters that it yields would cost in
//! the languages written in it: letters that the language uses often are cheap, rare ones, mixed
//! scripts and odd neighbours are dear. The cheapest candidate wins if its text is more plausible
//! than chance and clearly more plausible than any other text. This is a guess by design; what it
//! cannot tell it says.

mod cost;
mod language;

use super::{Encoding, Undecodable, units};
use cost::Judge;

/// Bytes that are looked at, from the first that is not ASCII.
const SAMPLE: usize = 16 * 1024;
/// Bits by which the best text must beat the next different one.
const MARGIN: f32 = 3.0;
/// Bits by which a text may be less plausible than chance: a single capital or a rare sign is.
const SLACK: f32 = 2.0;
/// Bits a character by which UTF-16 without a byte order mark must beat chance where NUL bytes make
/// binary the other explanation: pairs of ASCII letters read as ideographs, but as rare ones.
const BEYOND_CHANCE: f32 = 2.5;

struct Candidate {
    encoding: Encoding,
    /// Bits that the sample costs; less is better.
    cost: f32,
    /// Bits by which it beats chance.
    gain: f32,
    text: String,
}

/// The legacy encoding of `bytes`, which hold no NUL and are not UTF-8.
pub(super) fn legacy(bytes: &[u8], prior: &[Encoding]) -> Result<(Encoding, String), Undecodable> {
    let sample = sample(bytes);
    let hint = hint(sample);
    let mut candidates: Vec<_> = language::CANDIDATES
        .iter()
        .filter_map(|&(encoding, handicap)| {
            let mut candidate = judge(encoding, sample, bytes.len())?;
            candidate.cost += handicap;
            if hint == Some(encoding) {
                candidate.cost -= 6.0;
            }
            candidate.cost -= match prior.iter().position(|&other| other == encoding) {
                Some(0) => 8.0,
                Some(_) => 5.0,
                None => 0.0,
            };
            Some(candidate)
        })
        .collect();
    pick(&mut candidates, bytes)
}

/// UTF-16 without a byte order mark, or binary.
pub(super) fn utf16(bytes: &[u8]) -> Result<(Encoding, String), Undecodable> {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let mut candidates: Vec<_> = [Encoding::Utf16Le, Encoding::Utf16Be]
        .into_iter()
        .filter_map(|encoding| judge(encoding, sample, bytes.len()))
        .filter(|candidate| candidate.gain >= BEYOND_CHANCE * scalars(&candidate.text))
        .collect();
    pick(&mut candidates, bytes)
        .ok()
        .filter(|(_, text)| !text.contains(is_control))
        .ok_or_else(|| Undecodable::new("binary", ""))
}

#[expect(clippy::cast_precision_loss, reason = "a sample has few characters")]
fn scalars(text: &str) -> f32 {
    text.chars().count() as f32
}

/// Whether no text holds `character`.
fn is_control(character: char) -> bool {
    character.is_control() && !"\t\n\r\u{C}".contains(character)
}

/// The start of the bytes that tell encodings apart, with a little of what stands before. All before
/// the first byte that is not ASCII is ASCII, so the sample begins on a character.
fn sample(bytes: &[u8]) -> &[u8] {
    let first = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let start = first.saturating_sub(32);
    &bytes[start..bytes.len().min(first + SAMPLE)]
}

/// What Firefox's detector would say.
fn hint(sample: &[u8]) -> Option<Encoding> {
    let mut detector = chardetng::EncodingDetector::new();
    detector.feed(sample, true);
    Encoding::from_table(detector.guess(None, false))
}

/// The cost of `sample` in the likeliest language of `encoding`; nothing if it is not of the encoding.
fn judge(encoding: Encoding, sample: &[u8], total: usize) -> Option<Candidate> {
    let mut judges: Vec<_> = language::of(encoding).map(Judge::new).collect();
    let mut text = String::with_capacity(sample.len() * 2);
    let mut at = 0;
    for unit in units::Units::new(encoding, sample) {
        if unit.malformed {
            // A character may be cut by the end of the sample, not by the end of the file.
            if sample.len() < total && at + 4 > sample.len() {
                break;
            }
            return None;
        }
        let bytes = &sample[at..at + unit.bytes];
        at += unit.bytes;
        text.push(unit.first);
        text.extend(unit.second);
        for judge in &mut judges {
            judge.add(encoding, bytes, unit.first);
        }
    }
    let best = judges.into_iter().min_by(|one, other| one.cost.total_cmp(&other.cost))?;
    Some(Candidate { encoding, cost: best.cost, gain: best.gain, text })
}

/// The best candidate that decodes all of `bytes`, if it is good enough.
fn pick(candidates: &mut Vec<Candidate>, bytes: &[u8]) -> Result<(Encoding, String), Undecodable> {
    candidates.sort_by(|one, other| one.cost.total_cmp(&other.cost));
    while let Some(best) = candidates.first() {
        let Some(text) = units::decode_strict(best.encoding, bytes) else {
            candidates.remove(0);
            continue;
        };
        let rival = candidates.iter().find(|other| other.text != best.text);
        let clear = rival.is_none_or(|other| other.cost - best.cost >= MARGIN);
        if best.gain > -SLACK && clear {
            return Ok((best.encoding, text));
        }
        break;
    }
    let likely: Vec<_> = candidates.iter().take(3).map(|candidate| candidate.encoding.label()).collect();
    Err(Undecodable::new("encodingUnclear", likely.join(", ")))
}
