//! Contents as they are stored: named by their hash, compressed where that helps.

use std::cell::RefCell;
use std::io;

use orangery_domain::ContentHash;
use zstd::bulk::{Compressor, Decompressor};

use crate::{Error, Result};

/// A content ready to be stored. Packing costs time, so it is done before a transaction begins.
#[derive(Debug, Clone)]
pub struct Packed {
    hash: ContentHash,
    size: u64,
    compressed: bool,
    content: Vec<u8>,
}

/// zstd's own default: about 300 MB a second, notes shrink to a third.
const LEVEL: i32 = 3;

impl Packed {
    pub fn new(bytes: &[u8]) -> Self {
        let hash = ContentHash::of(bytes);
        let size = bytes.len() as u64;
        match compressed(bytes) {
            Ok(content) if content.len() < bytes.len() => Self { hash, size, compressed: true, content },
            // What does not shrink is stored as it is.
            _ => Self { hash, size, compressed: false, content: bytes.to_owned() },
        }
    }

    pub fn hash(&self) -> ContentHash {
        self.hash
    }

    /// Bytes before packing.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Bytes as stored.
    pub fn stored_size(&self) -> usize {
        self.content.len()
    }

    pub(crate) fn stored(hash: ContentHash, size: u64, compressed: bool, content: Vec<u8>) -> Self {
        Self { hash, size, compressed, content }
    }

    pub(crate) fn is_compressed(&self) -> bool {
        self.compressed
    }

    pub(crate) fn content(&self) -> &[u8] {
        &self.content
    }

    /// The content itself.
    ///
    /// # Errors
    /// `Corrupt` when what was stored is not what its name says.
    pub fn unpack(self) -> Result<Vec<u8>> {
        let damaged = || Error::Stored { what: "the content", value: self.hash.to_hex() };
        let bytes = if self.compressed {
            let size = usize::try_from(self.size).map_err(|_| damaged())?;
            decompressed(&self.content, size).map_err(|_: io::Error| damaged())?
        } else {
            self.content.clone()
        };
        if ContentHash::of(&bytes) == self.hash { Ok(bytes) } else { Err(damaged()) }
    }
}

/// Making a context costs more than packing a note, so each thread keeps its own.
fn compressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    thread_local! {
        static KEPT: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    }
    KEPT.with_borrow_mut(|kept| match kept {
        Some(compressor) => compressor.compress(bytes),
        None => kept.insert(Compressor::new(LEVEL)?).compress(bytes),
    })
}

fn decompressed(content: &[u8], size: usize) -> io::Result<Vec<u8>> {
    thread_local! {
        static KEPT: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    KEPT.with_borrow_mut(|kept| match kept {
        Some(decompressor) => decompressor.decompress(content, size),
        None => kept.insert(Decompressor::new()?).decompress(content, size),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_come_back_and_damage_is_noticed() {
        for bytes in [&b""[..], b"a", "note ".repeat(1_000).as_bytes()] {
            let packed = Packed::new(bytes);
            assert_eq!(packed.hash(), ContentHash::of(bytes));
            assert_eq!(packed.clone().unpack().unwrap(), bytes);
            let other = Packed { hash: ContentHash::of(b"other"), ..packed };
            assert_eq!(other.unpack().unwrap_err().kind(), orangery_domain::ErrorKind::Corrupt);
        }
    }
}
