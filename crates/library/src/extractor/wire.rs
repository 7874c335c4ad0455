//! What a worker is asked and answers: frames of a JSON head and raw bytes, each with its length before it.

use std::io::{self, Read, Write};

use orangery_domain::{ContentHash, FileKind, PageWord, RowPage, Warning};
use orangery_extract::Document;
use serde::{Deserialize, Serialize};

/// The first thing that a worker says: whatever a program prints that is none, it is not this.
pub const HELLO: &[u8; 8] = b"orangew1";
/// A head of more bytes is no head of ours.
const LARGEST_HEAD: usize = 512 << 20;

/// Something to do with a document.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Question {
    /// Of the document's bytes, which come with the question unless the worker was asked of them last.
    pub hash: ContentHash,
    pub kind: FileKind,
    /// The file's name, for what an extension tells.
    pub name: String,
    pub password: Option<String>,
    /// Label of the encoding that the user chose.
    pub encoding: Option<String>,
    /// Whether the bytes come with it.
    pub sent: bool,
    pub work: Work,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Work {
    /// Text, blocks and all else.
    Read,
    /// The picture of a page, so many pixels wide.
    Page {
        page: u32,
        width: u32,
    },
    Words {
        page: u32,
    },
    /// The bytes of a picture in the document.
    Picture {
        id: String,
    },
    /// A picture made to fit.
    Pixels {
        of: Pixels,
        edge: u32,
        most: usize,
    },
    /// Rows of a sheet from one of them on, all counted from 1.
    Rows {
        sheet: u32,
        from: u32,
        limit: u32,
    },
}

/// What there is to look at.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Pixels {
    /// The file is a picture itself.
    File,
    /// A page, drawn so many pixels wide.
    Page { page: u32, width: u32 },
    /// A picture in the document.
    Picture { id: String },
}

/// What came of it.
#[derive(Debug, Serialize, Deserialize)]
pub enum Answer {
    Document(Box<Document>),
    /// The bytes follow the head.
    Bytes,
    /// So do these.
    Pixels {
        media_type: String,
        width: u32,
        height: u32,
    },
    Words(Vec<PageWord>),
    Rows(RowPage),
    /// It cannot be done with this document.
    Trouble(Warning),
    /// The worker does not hold the bytes.
    NoBytes,
}

/// Writes a head and the bytes behind it.
pub fn write(to: &mut impl Write, head: &impl Serialize, bytes: &[u8]) -> io::Result<()> {
    let head = serde_json::to_vec(head).map_err(io::Error::other)?;
    to.write_all(&lengths(&head, bytes)?)?;
    to.write_all(&head)?;
    to.write_all(bytes)?;
    to.flush()
}

/// The lengths that stand before a frame: four bytes for the head, eight for the rest, little endian.
pub fn lengths(head: &[u8], bytes: &[u8]) -> io::Result<[u8; 12]> {
    let mut lengths = [0; 12];
    let head = u32::try_from(head.len()).map_err(io::Error::other)?;
    lengths[..4].copy_from_slice(&head.to_le_bytes());
    lengths[4..].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
    Ok(lengths)
}

/// What [`lengths`] says: bytes of the head, and bytes behind it.
pub fn lengths_of(frame: [u8; 12], limit: u64) -> io::Result<(usize, usize)> {
    let [a, b, c, d, rest @ ..] = frame;
    let head = u32::from_le_bytes([a, b, c, d]) as usize;
    let bytes = u64::from_le_bytes(rest);
    match usize::try_from(bytes) {
        Ok(bytes) if head <= LARGEST_HEAD && bytes as u64 <= limit => Ok((head, bytes)),
        _ => Err(io::Error::other("no frame")),
    }
}

/// Reads a frame; `None` at the end of the stream.
pub fn read<T: serde::de::DeserializeOwned>(
    from: &mut impl Read,
    limit: u64,
) -> io::Result<Option<(T, Vec<u8>)>> {
    let mut frame = [0; 12];
    match from.read_exact(&mut frame) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let (head_length, length) = lengths_of(frame, limit)?;
    let mut head = vec![0; head_length];
    from.read_exact(&mut head)?;
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    Ok(Some((serde_json::from_slice(&head).map_err(io::Error::other)?, bytes)))
}

#[cfg(test)]
mod tests {
    use orangery_extract::document::code;

    use super::*;

    #[test]
    fn frames_come_back_and_rubbish_is_refused() {
        let mut stream = Vec::new();
        write(&mut stream, &Answer::Bytes, b"abc").unwrap();
        write(&mut stream, &Answer::Trouble(Warning::new(code::DAMAGED, "x")), b"").unwrap();
        let mut from = &stream[..];
        let (answer, bytes) = read::<Answer>(&mut from, 3).unwrap().unwrap();
        assert!(matches!(answer, Answer::Bytes) && bytes == b"abc");
        let (answer, _) = read::<Answer>(&mut from, 3).unwrap().unwrap();
        assert!(matches!(answer, Answer::Trouble(warning) if warning.code == "damaged"));
        assert!(read::<Answer>(&mut from, 3).unwrap().is_none());
        assert!(read::<Answer>(&mut &stream[..], 2).is_err());
        assert!(read::<Answer>(&mut &b"running 1 test\n"[..], 1 << 20).is_err());
        assert!(read::<Answer>(&mut &stream[..20], 3).is_err());
    }
}
