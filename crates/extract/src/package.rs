//! Packages: the zip files that Office documents and books are. Everything that a part may cost is
//! bounded before it is read, and a package whose end is missing still gives the parts that are there.

mod relationship;
mod salvage;
#[cfg(test)]
pub(crate) mod tests;

use std::cell::Cell;
use std::collections::HashMap;
use std::io::{Cursor, Read};
use std::rc::Rc;

use flate2::bufread::DeflateDecoder;
use orangery_domain::Warning;
use zip::{CompressionMethod, ZipArchive};

use crate::document::{Limits, code};

pub(crate) use relationship::{Relationships, resolve};

/// Parts that one package may have; real ones have a few thousand at most.
const PARTS: usize = 50_000;
/// What a part may unfold to whatever its packed size.
const FREE: u64 = 1 << 20;
/// What a part that is read as a tree may unfold to: the tree is several times as large.
const TREE: u64 = 96 << 20;
const OLE: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
/// `EncryptedPackage` in UTF-16: the stream that a locked Office file keeps its package in.
const LOCKED: &[u8] = b"E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0";

pub(crate) struct Package<'a> {
    bytes: &'a [u8],
    archive: Option<ZipArchive<Cursor<&'a [u8]>>>,
    entries: Vec<Entry>,
    /// By name in lower case; part names compare without case.
    by_name: HashMap<String, usize>,
    limits: Limits,
    spent: Rc<Spent>,
}

struct Entry {
    name: String,
    place: Place,
}

#[derive(Clone, Copy)]
enum Place {
    /// In the package's directory, by number.
    Listed(usize),
    /// Found without a directory.
    Found(salvage::Found),
}

/// What reading has cost so far, and what it met.
#[derive(Debug)]
struct Spent {
    left: Cell<u64>,
    cut: Cell<bool>,
    damaged: Cell<bool>,
    encrypted: Cell<bool>,
}

impl<'a> Package<'a> {
    /// Opens a package; the error says why there is none.
    pub(crate) fn open(bytes: &'a [u8], limits: &Limits) -> Result<Self, Warning> {
        if bytes.is_empty() {
            return Err(Warning::new(code::DAMAGED, "empty"));
        }
        if bytes.starts_with(OLE) {
            let locked = bytes.windows(LOCKED.len()).any(|window| window == LOCKED);
            return Err(match locked {
                true => Warning::new(code::SEALED, ""),
                false => Warning::new(code::NOT_THIS_KIND, "ole"),
            });
        }
        let archive = ZipArchive::new(Cursor::new(bytes)).ok().filter(|archive| !archive.is_empty());
        let mut damaged = false;
        let entries: Vec<Entry> = match &archive {
            Some(archive) if archive.len() > PARTS => {
                return Err(Warning::new(code::TOO_LARGE, archive.len().to_string()));
            }
            Some(archive) => (0..archive.len())
                .filter_map(|index| {
                    let name = archive.name_for_index(index)?;
                    Some(Entry { name: tidy(name), place: Place::Listed(index) })
                })
                .collect(),
            None => {
                damaged = true;
                salvage::entries(bytes, PARTS, limits.unfolded)
                    .map(|(name, found)| Entry { name: tidy(&name), place: Place::Found(found) })
                    .collect()
            }
        };
        if entries.is_empty() {
            let zip = bytes.starts_with(b"PK");
            return Err(Warning::new(if zip { code::DAMAGED } else { code::NOT_THIS_KIND }, ""));
        }
        // The last of two parts with one name counts, as where a package was appended to.
        let by_name =
            entries.iter().enumerate().map(|(index, entry)| (entry.name.to_lowercase(), index)).collect();
        let spent = Spent {
            left: Cell::new(limits.unfolded),
            cut: Cell::new(false),
            damaged: Cell::new(damaged),
            encrypted: Cell::new(false),
        };
        Ok(Self { bytes, archive, entries, by_name, limits: *limits, spent: Rc::new(spent) })
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Names of all parts, as the package has them.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    fn find(&self, name: &str) -> Option<usize> {
        let name = name.strip_prefix('/').unwrap_or(name);
        self.by_name.get(name).or_else(|| self.by_name.get(&name.to_lowercase())).copied()
    }

    /// A part as a stream that ends where the limits do.
    pub(crate) fn stream(&mut self, name: &str) -> Option<Part<'a>> {
        let index = self.find(name)?;
        let (data, method, size) = match self.entries[index].place {
            Place::Found(found) => (self.bytes.get(found.start..found.end)?, found.method, None),
            Place::Listed(number) => {
                let file = self.archive.as_mut()?.by_index_raw(number).ok()?;
                if file.encrypted() {
                    self.spent.encrypted.set(true);
                    return None;
                }
                let start = usize::try_from(file.data_start()?).ok()?;
                let length = usize::try_from(file.compressed_size()).ok()?;
                let end = start.saturating_add(length).min(self.bytes.len());
                (self.bytes.get(start..end)?, file.compression(), Some(file.size()))
            }
        };
        let allowed = FREE.saturating_add((data.len() as u64).saturating_mul(self.limits.ratio));
        let source = match method {
            CompressionMethod::Stored => Source::Stored(data),
            CompressionMethod::Deflated => Source::Deflated(Box::new(DeflateDecoder::new(data))),
            _ => {
                self.spent.damaged.set(true);
                return None;
            }
        };
        Some(Part { source, allowed, size, spent: Rc::clone(&self.spent) })
    }

    /// A whole part, or as much of it as the limits and its damage leave.
    pub(crate) fn part(&mut self, name: &str) -> Option<Vec<u8>> {
        Some(self.stream(name)?.whole())
    }

    /// A part's text, whatever its encoding.
    pub(crate) fn text(&mut self, name: &str) -> Option<String> {
        let mut part = self.stream(name)?;
        part.allowed = part.allowed.min(TREE);
        Some(crate::xml::decode(part.whole()))
    }

    /// The first bytes of a part, and how many it has by the directory.
    pub(crate) fn head(&mut self, name: &str, length: u64) -> Option<(Vec<u8>, u64)> {
        let part = self.stream(name)?;
        let size = part.size.unwrap_or(0);
        let mut bytes = Vec::new();
        let _ = part.take(length).read_to_end(&mut bytes);
        Some((bytes, size))
    }

    /// Whether a part, or the directory, could not be read to its end.
    pub(crate) fn is_damaged(&self) -> bool {
        self.spent.damaged.get()
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.spent.encrypted.get()
    }

    /// What a reader of the document should know of how its parts were read.
    pub(crate) fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if self.spent.damaged.get() {
            warnings.push(Warning::new(code::PARTS_DAMAGED, ""));
        }
        if self.spent.cut.get() {
            warnings.push(Warning::new(code::PARTS_LEFT_OUT, ""));
        }
        warnings
    }
}

/// A part's name as other parts write it.
fn tidy(name: &str) -> String {
    name.replace('\\', "/").trim_start_matches('/').to_owned()
}

/// A part that is being read.
pub(crate) struct Part<'a> {
    source: Source<'a>,
    /// Bytes that the part may still unfold to.
    allowed: u64,
    /// As the directory says; not to be trusted.
    size: Option<u64>,
    spent: Rc<Spent>,
}

enum Source<'a> {
    Stored(&'a [u8]),
    Deflated(Box<DeflateDecoder<&'a [u8]>>),
}

impl Part<'_> {
    fn whole(mut self) -> Vec<u8> {
        let expected = self.size.unwrap_or(0).min(self.allowed).min(16 << 20);
        let mut bytes = Vec::with_capacity(expected as usize);
        // What came before the damage is in `bytes`, and the damage is noted.
        let _ = self.read_to_end(&mut bytes);
        bytes
    }
}

impl Read for Part<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let room = self.allowed.min(self.spent.left.get()).min(buffer.len() as u64) as usize;
        if room == 0 && !buffer.is_empty() {
            // Only what would have gone on was cut.
            let mut one = [0];
            if matches!(self.source.read(&mut one), Ok(1)) {
                self.spent.cut.set(true);
            }
            self.allowed = 0;
            return Ok(0);
        }
        match self.source.read(&mut buffer[..room]) {
            Ok(count) => {
                self.allowed -= count as u64;
                self.spent.left.set(self.spent.left.get() - count as u64);
                Ok(count)
            }
            Err(_) => {
                self.spent.damaged.set(true);
                Ok(0)
            }
        }
    }
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Self::Stored(data) => data.read(buffer),
            Self::Deflated(decoder) => decoder.read(buffer),
        }
    }
}
