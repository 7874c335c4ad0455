use std::io::{self, Read, Write};
use std::time::SystemTime;

use cap_std::fs::{Dir, File, FileType, Metadata, OpenOptions};
use orangery_domain::{ContentHash, KbPath};

use super::{Root, fault};
use crate::{Error, Result};

/// A place below a root that was looked up and found to lie inside it. Every call goes through the
/// root's handle again, so that a link put in the way since then leads nowhere either.
#[derive(Debug, Clone)]
pub struct CheckedPath {
    pub(super) root: Root,
    pub(super) place: KbPath,
}

/// What the file system says of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meta {
    pub kind: EntryKind,
    /// Bytes.
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified_ns: i64,
    /// Stays when the file is renamed; absent where the platform has none at hand.
    pub inode: Option<u64>,
    /// Of the volume; absent where the platform has none at hand.
    pub device: Option<u64>,
    pub read_only: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryKind {
    File,
    Folder,
    /// A symbolic link, not followed.
    Link,
    /// A socket, a device, a named pipe: never opened.
    Special,
}

impl EntryKind {
    fn of(kind: FileType) -> Self {
        if kind.is_file() {
            Self::File
        } else if kind.is_dir() {
            Self::Folder
        } else if kind.is_symlink() {
            Self::Link
        } else {
            Self::Special
        }
    }
}

/// One entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// For a name that is not Unicode, what can be shown of it.
    pub name: String,
    /// Whether `name` is the name, and the entry can be resolved.
    pub unicode: bool,
    pub meta: Meta,
}

/// More than any note; what is larger is read by page or not at all.
const READ_LIMIT: u64 = 1 << 30;
pub(super) const TEMPORARY_PREFIX: &str = ".orangery-";
const TEMPORARY_SUFFIX: &str = ".tmp";

/// Whether `name` is what an atomic write calls its unfinished file.
pub fn is_temporary(name: &str) -> bool {
    name.strip_prefix(TEMPORARY_PREFIX)
        .and_then(|rest| rest.strip_suffix(TEMPORARY_SUFFIX))
        .is_some_and(|middle| middle.len() == 8 && middle.bytes().all(|b| b.is_ascii_hexdigit()))
}

impl CheckedPath {
    pub(super) fn new(root: Root, place: KbPath) -> Self {
        Self { root, place }
    }

    /// Where the bytes are, spelled as on disk, with no link on the way. Two paths to one file have one
    /// place.
    pub fn place(&self) -> &KbPath {
        &self.place
    }

    pub fn root(&self) -> &Root {
        &self.root
    }

    /// The path for the platform's handle.
    fn relative(&self) -> &str {
        if self.place.is_root() { "." } else { self.place.as_str() }
    }

    fn answers(&self) -> io::Result<()> {
        fault::check(&self.root.path().join(self.place.as_str()))
    }

    pub fn exists(&self) -> bool {
        self.metadata().is_ok()
    }

    /// # Errors
    /// `NotFound` when nothing is there.
    pub fn metadata(&self) -> Result<Meta> {
        match self.answers().and_then(|()| self.root.dir().symlink_metadata(self.relative())) {
            Ok(meta) => Ok(Meta::of(&meta)),
            Err(error) => Err(self.error("look at")(error)),
        }
    }

    /// The whole content.
    pub fn read(&self) -> Result<Vec<u8>> {
        let meta = self.regular()?;
        if meta.size > READ_LIMIT {
            return Err(Error::TooLarge { path: self.place.to_string(), size: meta.size, limit: READ_LIMIT });
        }
        let mut file = self.root.dir().open(self.relative()).map_err(self.error("open"))?;
        let mut bytes = Vec::with_capacity(usize::try_from(meta.size).unwrap_or(0));
        file.read_to_end(&mut bytes).map_err(self.error("read"))?;
        Ok(bytes)
    }

    /// The hash of the content, however large it is.
    pub fn hash(&self) -> Result<ContentHash> {
        self.regular()?;
        let mut file = self.root.dir().open(self.relative()).map_err(self.error("open"))?;
        let mut hasher = blake3::Hasher::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match file.read(&mut buffer) {
                Ok(0) => return Ok(ContentHash(*hasher.finalize().as_bytes())),
                Ok(read) => drop(hasher.update(buffer.get(..read).unwrap_or_default())),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.error("read")(error)),
            }
        }
    }

    /// The entries of this folder, unsorted, hidden ones included.
    pub fn list(&self) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        self.answers().map_err(self.error("list"))?;
        for entry in self.root.dir().read_dir(self.relative()).map_err(self.error("list"))? {
            let entry = entry.map_err(self.error("list"))?;
            let meta = match entry.metadata() {
                Ok(meta) => Meta::of(&meta),
                // What vanishes while the folder is listed is not in it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                // It is there, and the folder knows as what.
                Err(_) => Meta::unseen(entry.file_type().map_err(self.error("list"))?),
            };
            let name = entry.file_name();
            entries.push(Entry {
                unicode: name.to_str().is_some(),
                name: name.to_string_lossy().into_owned(),
                meta,
            });
        }
        Ok(entries)
    }

    /// An entry of this folder, as [`CheckedPath::list`] gave it; absent where its name is not Unicode.
    #[must_use]
    pub fn child(&self, entry: &Entry) -> Option<Self> {
        let place = entry.unicode.then(|| self.place.join(&entry.name).ok()).flatten()?;
        Some(Self { root: self.root.clone(), place })
    }

    /// Puts `bytes` in the place of an existing file: at every moment the file has its old content or
    /// its new one. Permissions stay.
    ///
    /// # Errors
    /// The old content is intact after every error. `Denied` for a file that is marked read-only.
    pub fn replace(&self, bytes: &[u8]) -> Result<()> {
        self.replace_with(|file| file.write_all(bytes))
    }

    fn replace_with(&self, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<()> {
        let meta = self.regular()?;
        if meta.read_only {
            return Err(Error::ReadOnly(self.place.to_string()));
        }
        let folder = self.parent()?;
        let permissions =
            folder.symlink_metadata(self.place.name()).map_err(self.error("look at"))?.permissions();
        let temporary = Temporary::write(&folder, |file| {
            write(file)?;
            file.set_permissions(permissions)
        })
        .map_err(self.error("write"))?;
        folder.rename(&temporary.name, &folder, self.place.name()).map_err(self.error("replace"))?;
        temporary.keep();
        sync_folder(&folder).map_err(self.error("write the folder of"))
    }

    /// Makes a new file with this content, whole or not at all; never overwrites.
    ///
    /// # Errors
    /// `Conflict` when something is there.
    pub fn create_new(&self, bytes: &[u8]) -> Result<()> {
        let folder = self.parent()?;
        let name = self.place.name();
        if folder.symlink_metadata(name).is_ok() {
            return Err(Error::Exists(self.place.to_string()));
        }
        let temporary =
            Temporary::write(&folder, |file| file.write_all(bytes)).map_err(self.error("write"))?;
        // A hard link fails where a rename would overwrite.
        match folder.hard_link(&temporary.name, &folder, name) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(Error::Exists(self.place.to_string()));
            }
            // File systems without hard links: claim the name, then put the content in its place.
            Err(_) => {
                folder
                    .open_with(name, OpenOptions::new().write(true).create_new(true))
                    .map_err(self.error("create"))?;
                folder.rename(&temporary.name, &folder, name).map_err(self.error("create"))?;
            }
        }
        drop(temporary);
        sync_folder(&folder).map_err(self.error("write the folder of"))
    }

    /// Makes this one folder; its parent must exist.
    ///
    /// # Errors
    /// `Conflict` when something is there.
    pub fn create_folder(&self) -> Result<()> {
        let folder = self.parent()?;
        folder.create_dir(self.place.name()).map_err(self.error("create the folder"))?;
        sync_folder(&folder).map_err(self.error("write the folder of"))
    }

    pub fn remove_file(&self) -> Result<()> {
        self.regular()?;
        let folder = self.parent()?;
        folder.remove_file(self.place.name()).map_err(self.error("remove"))?;
        sync_folder(&folder).map_err(self.error("write the folder of"))
    }

    /// # Errors
    /// `Conflict` when the folder holds something.
    pub fn remove_empty_folder(&self) -> Result<()> {
        let folder = self.parent()?;
        folder.remove_dir(self.place.name()).map_err(self.error("remove the folder"))?;
        sync_folder(&folder).map_err(self.error("write the folder of"))
    }

    /// Removes the file that an atomic write left unfinished here before `started`, if this is one.
    pub fn remove_stale_temporary(&self, started: SystemTime) -> Result<bool> {
        let started = nanoseconds(started);
        if !is_temporary(self.place.name()) || self.regular()?.modified_ns >= started {
            return Ok(false);
        }
        self.remove_file().map(|()| true)
    }

    fn regular(&self) -> Result<Meta> {
        let meta = self.metadata()?;
        match meta.kind {
            EntryKind::File => Ok(meta),
            EntryKind::Folder => Err(Error::Folder(self.place.to_string())),
            EntryKind::Link | EntryKind::Special => Err(Error::Special(self.place.to_string())),
        }
    }

    pub(super) fn parent(&self) -> Result<Dir> {
        let Some(parent) = self.place.parent() else {
            return Err(Error::Folder(self.root.path().display().to_string()));
        };
        let opened = if parent.is_root() {
            self.root.dir().try_clone()
        } else {
            self.root.dir().open_dir(parent.as_str())
        };
        opened.map_err(self.error("open the folder of"))
    }

    pub(super) fn error(&self, attempt: &'static str) -> impl FnOnce(io::Error) -> Error {
        let path = self.place.to_string();
        move |source| match source.kind() {
            io::ErrorKind::NotFound => Error::NotFound(path),
            io::ErrorKind::AlreadyExists => Error::Exists(path),
            _ => Error::Io { attempt, path, source },
        }
    }
}

impl Meta {
    fn of(meta: &Metadata) -> Self {
        Self {
            kind: EntryKind::of(meta.file_type()),
            size: meta.len(),
            modified_ns: meta.modified().map_or(0, |time| nanoseconds(time.into_std())),
            inode: inode(meta),
            device: device(meta),
            read_only: meta.permissions().readonly(),
        }
    }

    /// Of an entry that cannot be looked at now.
    fn unseen(kind: FileType) -> Self {
        let kind = EntryKind::of(kind);
        Self { kind, size: 0, modified_ns: 0, inode: None, device: None, read_only: false }
    }

    /// Milliseconds since 1970.
    pub fn modified_ms(&self) -> i64 {
        self.modified_ns.div_euclid(1_000_000)
    }
}

fn nanoseconds(time: SystemTime) -> i64 {
    let bounded = |duration: std::time::Duration| i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX);
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => bounded(after),
        Err(error) => -bounded(error.duration()),
    }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other platforms have no inode here")]
fn inode(meta: &Metadata) -> Option<u64> {
    Some(cap_std::fs::MetadataExt::ino(meta))
}

#[cfg(not(unix))]
fn inode(_: &Metadata) -> Option<u64> {
    None
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other platforms have no device number here")]
fn device(meta: &Metadata) -> Option<u64> {
    Some(cap_std::fs::MetadataExt::dev(meta))
}

#[cfg(not(unix))]
fn device(_: &Metadata) -> Option<u64> {
    None
}

/// A file that is being written beside the one it will become; removed unless kept.
struct Temporary<'a> {
    folder: &'a Dir,
    name: String,
    kept: bool,
}

impl<'a> Temporary<'a> {
    /// Writes and syncs. The name is short, so that it fits wherever the file's own name fits.
    fn write(folder: &'a Dir, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<Self> {
        let name = format!("{TEMPORARY_PREFIX}{:08x}{TEMPORARY_SUFFIX}", rand::random::<u32>());
        let mut file = folder.open_with(&name, OpenOptions::new().write(true).create_new(true))?;
        let temporary = Self { folder, name, kept: false };
        write(&mut file)?;
        file.sync_all()?;
        Ok(temporary)
    }

    fn keep(mut self) {
        self.kept = true;
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.kept {
            // What cannot be removed now is removed by the next scan.
            let _ = self.folder.remove_file(&self.name);
        }
    }
}

#[cfg(unix)]
pub(super) fn sync_folder(folder: &Dir) -> io::Result<()> {
    // The handle itself is for lookups only; "." opened for reading can be synced.
    match folder.open(".")?.sync_all() {
        // Some network file systems cannot sync a folder; the rename itself succeeded.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        other => other,
    }
}

#[cfg(not(unix))]
pub(super) fn sync_folder(_: &Dir) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use orangery_domain::{ErrorKind, KbPath};

    use super::*;

    #[test]
    fn a_full_disk_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.md"), "old").unwrap();
        let root = Root::open(folder.path()).unwrap();
        let path = root.resolve(&KbPath::parse("a.md").unwrap()).unwrap();
        let error = path
            .replace_with(|file| {
                file.write_all(b"ne")?;
                Err(io::ErrorKind::StorageFull.into())
            })
            .unwrap_err();
        assert_eq!((error.kind(), error.code()), (ErrorKind::Unavailable, "diskFull"));
        assert_eq!(std::fs::read(folder.path().join("a.md")).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
