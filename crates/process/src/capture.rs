//! Output of any length and any bytes, kept within bounds.

use std::collections::VecDeque;
use std::fmt::Write;

/// Bytes kept of the two outputs of a command together.
pub const KEPT: usize = 1024 * 1024;

/// One output while it grows: the first half of the bound, and the last half.
#[derive(Debug)]
pub(crate) struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    dropped: u64,
}

impl Capture {
    pub(crate) fn new() -> Self {
        Self { head: Vec::new(), tail: VecDeque::new(), dropped: 0 }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let free = (KEPT / 2).saturating_sub(self.head.len()).min(bytes.len());
        let (head, rest) = bytes.split_at(free);
        self.head.extend_from_slice(head);
        // Of a piece longer than the tail only its end can stay.
        let skipped = rest.len().saturating_sub(KEPT / 2);
        let rest = &rest[skipped..];
        let over = (self.tail.len() + rest.len()).saturating_sub(KEPT / 2);
        self.tail.drain(..over);
        self.tail.extend(rest);
        self.dropped += (skipped + over) as u64;
    }

    pub(crate) fn captured(&self) -> Captured {
        Captured { head: self.head.clone(), tail: self.tail.iter().copied().collect(), dropped: self.dropped }
            .at_characters()
    }
}

/// What was kept of one output, byte for byte.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    /// From the beginning.
    pub head: Vec<u8>,
    /// Up to the end; what was left out lies between it and `head`.
    pub tail: Vec<u8>,
    /// Number of bytes left out.
    pub dropped: u64,
}

impl Captured {
    /// Bytes that the command wrote.
    pub fn total(&self) -> u64 {
        self.kept() as u64 + self.dropped
    }

    pub fn is_empty(&self) -> bool {
        self.total() == 0
    }

    /// What was kept, for people and models: bytes that are no UTF-8 as `\xE9`, a gap as a line of its
    /// own that tells its length.
    pub fn text(&self) -> String {
        self.after(0)
    }

    /// As [`text`](Self::text), from byte `start` of the whole output on.
    pub fn after(&self, start: u64) -> String {
        let from = |bytes: &[u8], skip: u64| readable(&bytes[(skip as usize).min(bytes.len())..]);
        let head = from(&self.head, start);
        if self.dropped == 0 {
            // Head and tail touch: a character may lie across.
            let whole = [self.head.as_slice(), self.tail.as_slice()].concat();
            return from(&whole, start);
        }
        let gap_ends = self.head.len() as u64 + self.dropped;
        let tail = from(&self.tail, start.saturating_sub(gap_ends));
        let gone = gap_ends.saturating_sub(start.max(self.head.len() as u64));
        if gone == 0 { tail } else { format!("{head}\n[… {gone} bytes left out …]\n{tail}") }
    }

    fn kept(&self) -> usize {
        self.head.len() + self.tail.len()
    }

    /// Moves the edges of a gap to whole characters.
    fn at_characters(mut self) -> Self {
        if self.dropped == 0 {
            return self;
        }
        let cut = incomplete(&self.head);
        self.head.truncate(self.head.len() - cut);
        let loose = self.tail.iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count();
        self.tail.drain(..loose);
        self.dropped += (cut + loose) as u64;
        self
    }

    /// The first and last half of `limit` bytes.
    fn limited(mut self, limit: usize) -> Self {
        if self.kept() <= limit {
            return self;
        }
        let before = self.kept();
        if self.dropped == 0 {
            self.head.append(&mut self.tail);
            self.tail = self.head.split_off(self.head.len() - limit / 2);
        }
        self.head.truncate(limit - limit / 2);
        self.tail.drain(..self.tail.len().saturating_sub(limit / 2));
        self.dropped += (before - self.kept()) as u64;
        self.at_characters()
    }
}

/// Cuts two outputs so that both fit the bound: each gets what the other leaves, and half at least.
pub(crate) fn fit(stdout: Captured, stderr: Captured) -> (Captured, Captured) {
    let share = |other: &Captured| (KEPT - other.kept().min(KEPT)).max(KEPT / 2);
    let (of_stdout, of_stderr) = (share(&stderr), share(&stdout));
    (stdout.limited(of_stdout), stderr.limited(of_stderr))
}

/// Pieces of an output as text while they arrive; a character cut in two waits for its rest.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    waiting: Vec<u8>,
}

impl Decoder {
    pub(crate) fn push(&mut self, bytes: &[u8]) -> String {
        let mut all = std::mem::take(&mut self.waiting);
        all.extend_from_slice(bytes);
        self.waiting = all.split_off(all.len() - incomplete(&all));
        readable(&all)
    }

    /// What never was completed.
    pub(crate) fn end(self) -> String {
        readable(&self.waiting)
    }
}

/// Length of the beginning of a character at the end of `bytes`.
fn incomplete(bytes: &[u8]) -> usize {
    (1..=bytes.len().min(3))
        .find(|length| {
            let end = &bytes[bytes.len() - length..];
            std::str::from_utf8(end)
                .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
        })
        .unwrap_or(0)
}

fn readable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(text, "\\x{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capture(pieces: &[&[u8]]) -> Captured {
        let mut capture = Capture::new();
        pieces.iter().for_each(|piece| capture.push(piece));
        capture.captured()
    }

    #[test]
    fn short_output_is_kept_whole() {
        let captured = capture(&[b"one ", "两".as_bytes(), b"\n"]);
        assert_eq!((captured.text().as_str(), captured.dropped), ("one 两\n", 0));
        assert_eq!(captured.after(4), "两\n");
    }

    #[test]
    fn head_and_tail_of_long_output_stay() {
        let line = [b'x'; 1000];
        let mut pieces: Vec<&[u8]> = vec![b"begins"];
        pieces.extend(std::iter::repeat_n(line.as_slice(), 5000));
        pieces.push(b"ends");
        let captured = capture(&pieces);
        assert_eq!((captured.head.len(), captured.tail.len()), (KEPT / 2, KEPT / 2));
        assert_eq!(captured.total(), 5_000_010);
        assert!(captured.head.starts_with(b"begins") && captured.tail.ends_with(b"ends"));
        let left_out = 5_000_010 - KEPT;
        assert!(captured.text().contains(&format!("\n[… {left_out} bytes left out …]\n")));
        // From within the gap on, and from behind it.
        assert!(captured.after(5_000_009).ends_with('s') && captured.after(5_000_009).len() == 1);
        assert!(captured.after(KEPT as u64).starts_with("\n[… "));
    }

    #[test]
    fn one_piece_longer_than_the_bound() {
        let piece = vec![b'y'; 3 * KEPT];
        let captured = capture(&[&piece]);
        assert_eq!((captured.kept(), captured.total()), (KEPT, 3 * KEPT as u64));
    }

    #[test]
    fn a_gap_begins_and_ends_at_characters() {
        // Three bytes each: neither half of the bound is a multiple.
        let text = "字".repeat(KEPT);
        let captured = capture(&[b"ab", text.as_bytes()]);
        assert!(!captured.text().contains("\\x"), "cut characters show");
        assert_eq!(captured.total(), 2 + text.len() as u64);
    }

    #[test]
    fn two_outputs_share_the_bound() {
        let big = || capture(&[&vec![b'a'; 2 * KEPT]]);
        let small = || capture(&[b"oops"]);
        let (stdout, stderr) = fit(big(), small());
        assert_eq!((stdout.kept(), stderr.kept()), (KEPT - 4, 4));
        assert_eq!(stdout.total(), 2 * KEPT as u64);
        let (stdout, stderr) = fit(big(), big());
        assert_eq!((stdout.kept(), stderr.kept()), (KEPT / 2, KEPT / 2));
        let just_over = || capture(&[&vec![b'a'; KEPT / 2 + 100]]);
        let (stdout, _) = fit(just_over(), just_over());
        assert_eq!((stdout.kept(), stdout.dropped), (KEPT / 2, 100));
    }

    #[test]
    fn bytes_that_are_no_text_can_be_read_and_are_kept() {
        let captured = capture(&[b"caf\xE9 \xFF\xC3\x28"]);
        assert_eq!(captured.text(), "caf\\xE9 \\xFF\\xC3(");
        assert_eq!(captured.head, b"caf\xE9 \xFF\xC3\x28");
    }

    #[test]
    fn characters_cut_by_the_pipe_arrive_whole() {
        let text = "é两🙂é";
        for cut in 1..text.len() {
            let mut decoder = Decoder::default();
            let (before, after) = text.as_bytes().split_at(cut);
            let joined = decoder.push(before) + &decoder.push(after) + &decoder.end();
            assert_eq!(joined, text);
        }
        let mut decoder = Decoder::default();
        assert_eq!(decoder.push(b"a\xE4\xB8") + &decoder.end(), "a\\xE4\\xB8");
    }
}
