//! The text of a file, as the rest of the product reads it: by its mark, as UTF-8, by the user's choice, or
//! by the likeliest encoding.

use std::fs::File;
use std::io::{self, Read, Seek};

use orangery_domain::text::{self, Encoding};

use crate::sensitive::is_private_key;

/// Read at once; what is larger is read as it is searched.
const WHOLE: u64 = 32 << 20;
/// Enough to see what a file is.
const SAMPLE: usize = 64 << 10;
/// Where a private key says that it is one.
const HEAD: usize = 256;
/// A buffer that grew beyond this is given back.
const KEPT: usize = 4 << 20;

/// What is to be searched.
pub enum Source<'a> {
    Text {
        bytes: &'a [u8],
        crlf: bool,
    },
    Stream {
        file: File,
        /// Absent for UTF-8, and where a mark says it.
        encoding: Option<&'static str>,
        crlf: bool,
    },
    /// No text.
    Binary,
}

/// What is known of a file before it is read.
pub struct Hints<'a> {
    /// The user's choice.
    pub chosen: Option<Encoding>,
    /// The encodings of its neighbours, most frequent first.
    pub prior: &'a dyn Fn() -> &'a [Encoding],
}

/// A worker's memory.
#[derive(Default)]
pub struct Buffer(Vec<u8>);

impl Buffer {
    /// Reads what `file` of `size` bytes says.
    pub fn load(&mut self, mut file: File, size: u64, hints: &Hints) -> io::Result<Source<'_>> {
        self.0.clear();
        if self.0.capacity() > KEPT {
            self.0 = Vec::new();
        }
        let sample = SAMPLE as u64;
        if size > sample {
            (&mut file).take(sample).read_to_end(&mut self.0)?;
            if hints.chosen.is_none() && self.is_binary() {
                return Ok(Source::Binary);
            }
            if size > WHOLE {
                return self.stream(file, hints);
            }
        }
        self.0.reserve(usize::try_from(size).unwrap_or(0).saturating_sub(self.0.len()) + 1);
        // A file that grows meanwhile is cut where it would be too large.
        (&mut file).take(WHOLE).read_to_end(&mut self.0)?;
        Ok(self.text(hints))
    }

    /// Whether what was loaded last is itself a private key.
    pub fn holds_private_key(&self) -> bool {
        let head = self.0.get(..self.0.len().min(HEAD)).unwrap_or_default();
        is_private_key(&String::from_utf8_lossy(head))
    }

    fn is_binary(&self) -> bool {
        let marked = self.0.starts_with(b"\xFF\xFE") || self.0.starts_with(b"\xFE\xFF");
        let even = self.0.get(..self.0.len() & !1).unwrap_or_default();
        !marked && memchr::memchr(0, &self.0).is_some() && text::decode(even, None, &[]).is_err()
    }

    fn text(&mut self, hints: &Hints) -> Source<'_> {
        let plain = |bytes: &[u8]| memchr::memchr(0, bytes).is_none() && std::str::from_utf8(bytes).is_ok();
        if hints.chosen.is_some() || !plain(&self.0) {
            let prior = if hints.chosen.is_some() { &[] } else { (hints.prior)() };
            match text::decode(&self.0, hints.chosen, prior) {
                Ok(decoded) => self.0 = decoded.text.into_bytes(),
                Err(unclear) if unclear.reason.code == "binary" => return Source::Binary,
                // Its ASCII at least is what it is in nearly every encoding.
                Err(_) => {}
            }
        }
        let crlf = settle_endings(&mut self.0);
        let bytes = self.0.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&self.0);
        Source::Text { bytes, crlf }
    }

    fn stream(&mut self, mut file: File, hints: &Hints) -> io::Result<Source<'_>> {
        file.rewind()?;
        // Cut between two characters, where there is such a place.
        let end = match memchr::memrchr(b'\n', &self.0) {
            Some(at) if !self.0.contains(&0) => at + 1,
            _ => self.0.len() & !1,
        };
        let sample = self.0.get(..end).unwrap_or_default();
        let encoding = match hints.chosen {
            Some(chosen) => Some(chosen),
            None => text::decode(sample, None, (hints.prior)()).ok().map(|decoded| decoded.encoding),
        };
        Ok(Source::Stream {
            file,
            encoding: encoding.filter(|encoding| *encoding != Encoding::Utf8).map(Encoding::label),
            crlf: memchr::memmem::find(sample, b"\r\n").is_some(),
        })
    }
}

/// Makes every lone CR an LF, which ends a line as well and moves nothing; says whether CRLFs are left.
fn settle_endings(bytes: &mut [u8]) -> bool {
    let (mut at, mut crlf) = (0, false);
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr(b'\r', rest)) {
        let here = at + found;
        at = here + 1;
        if bytes.get(at) == Some(&b'\n') {
            crlf = true;
        } else if let Some(byte) = bytes.get_mut(here) {
            *byte = b'\n';
        }
    }
    crlf
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_cr_ends_a_line_and_nothing_moves() {
        for (before, after, left) in [
            ("a\rb\r\nc\r", "a\nb\r\nc\n", true),
            ("a\r\rb", "a\n\nb", false),
            ("a\n\rb", "a\n\nb", false),
            ("知\r", "知\n", false),
            ("", "", false),
        ] {
            let mut bytes = before.as_bytes().to_vec();
            assert_eq!(settle_endings(&mut bytes), left, "{before:?}");
            assert_eq!(bytes, after.as_bytes());
        }
    }
}
