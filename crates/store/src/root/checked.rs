use std::io::{self, Read};
use std::time::SystemTime;

use cap_std::fs::{Dir, DirBuilder, FileType, Metadata, Permissions};
use orangery_domain::{ContentHash, KbPath};

use super::{Root, fault, staged};
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
    /// Who may read, write and run it, on systems that say it in these bits; of a folder with those for its group and
    /// for removing what lies in it.
    pub mode: Option<u32>,
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
    pub(super) fn of(kind: FileType) -> Self {
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
/// What the owner of a folder needs to put things into it.
const OWNER: u32 = 0o700;
pub(super) const TEMPORARY_PREFIX: &str = ".orangery-";
pub(super) const TEMPORARY_SUFFIX: &str = ".tmp";

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
    pub(super) fn relative(&self) -> &str {
        if self.place.is_root() { "." } else { self.place.as_str() }
    }

    pub(super) fn answers(&self) -> io::Result<()> {
        fault::check(|| self.root.path().join(self.place.as_str()))
    }

    /// What `meta` says of this place, or of the entry of this name in it.
    fn on_its_volume(&self, name: Option<&str>, meta: Meta) -> Meta {
        let path = || {
            let path = self.root.path().join(self.place.as_str());
            name.map_or_else(|| path.clone(), |name| path.join(name))
        };
        Meta { device: fault::device(path, meta.device), ..meta }
    }

    pub fn exists(&self) -> bool {
        self.metadata().is_ok()
    }

    /// # Errors
    /// `NotFound` when nothing is there.
    pub fn metadata(&self) -> Result<Meta> {
        match self.answers().and_then(|()| self.root.dir().symlink_metadata(self.relative())) {
            Ok(meta) => Ok(self.on_its_volume(None, Meta::of(&meta))),
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
            let (unicode, name) = (name.to_str().is_some(), name.to_string_lossy().into_owned());
            let meta = self.on_its_volume(Some(&name), meta);
            entries.push(Entry { name, unicode, meta });
        }
        Ok(entries)
    }

    /// An entry of this folder, as [`CheckedPath::list`] gave it; absent where its name is not Unicode.
    #[must_use]
    pub fn child(&self, entry: &Entry) -> Option<Self> {
        let place = entry.unicode.then(|| self.place.join(&entry.name).ok()).flatten()?;
        Some(Self { root: self.root.clone(), place })
    }

    /// Makes this one folder; its parent must exist. With a `mode` it is open to whom that says, whatever the process
    /// leaves out of what it makes; but its owner can put things into it until [`CheckedPath::set_mode`].
    ///
    /// # Errors
    /// `Conflict` when something is there.
    pub fn create_folder(&self, mode: Option<u32>) -> Result<()> {
        let folder = self.parent()?;
        folder.create_dir_with(self.place.name(), &builder(mode)).map_err(self.error("create the folder"))?;
        if let Some(permissions) = mode.and_then(|mode| folder_permissions(mode | OWNER)) {
            let set = folder.set_permissions(self.place.name(), permissions);
            set.map_err(self.error("set the permissions of"))?;
        }
        sync_folder(&folder).map_err(self.error("write the folder of"))
    }

    /// Opens this file or folder to whom `mode` says and to nobody else, be it its owner.
    pub fn set_mode(&self, mode: u32) -> Result<()> {
        let meta = self.metadata()?;
        let permissions = match meta.kind {
            _ if meta.mode == Some(mode) => None,
            EntryKind::Folder => folder_permissions(mode),
            EntryKind::File => staged::permissions(mode),
            EntryKind::Link | EntryKind::Special => None,
        };
        let Some(permissions) = permissions else { return Ok(()) };
        let set = self.parent()?.set_permissions(self.place.name(), permissions);
        set.map_err(self.error("set the permissions of"))
    }

    /// What the symbolic link here leads to, as it says it itself; absent where that is not Unicode.
    pub fn link_target(&self) -> Result<Option<String>> {
        let target = self.answers().and_then(|()| self.root.dir().read_link_contents(self.relative()));
        Ok(target.map_err(self.error("read the link"))?.to_str().map(str::to_owned))
    }

    /// Makes a symbolic link that says `target`, wherever that leads.
    ///
    /// # Errors
    /// `Conflict` when something is here.
    #[cfg(unix)]
    pub fn create_link(&self, target: &str) -> Result<()> {
        let folder = self.parent()?;
        folder.symlink_contents(target, self.place.name()).map_err(self.error("create the link"))?;
        sync_folder(&folder).map_err(self.error("write the folder of"))
    }

    /// Links are only made again where one kind fits all targets.
    #[cfg(not(unix))]
    pub fn create_link(&self, _: &str) -> Result<()> {
        Err(self.error("create the link")(io::ErrorKind::Unsupported.into()))
    }

    /// Removes the symbolic link here, not what it leads to.
    pub fn remove_link(&self) -> Result<()> {
        if self.metadata()?.kind != EntryKind::Link {
            return Err(Error::Special(self.place.to_string()));
        }
        let folder = self.parent()?;
        folder.remove_file(self.place.name()).map_err(self.error("remove"))?;
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

    /// Sees to it that what was done to names in the folder of this entry is on the disk.
    pub fn sync_parent(&self) -> Result<()> {
        sync_folder(&self.parent()?).map_err(self.error("write the folder of"))
    }

    /// Removes what an atomic write of this file left unfinished before `started`.
    pub fn remove_stale_beside(&self, started: SystemTime) -> Result<()> {
        let Some(folder) = self.place.parent() else { return Ok(()) };
        let folder = Self { root: self.root.clone(), place: folder };
        for entry in folder.list()?.iter().filter(|entry| is_temporary(&entry.name)) {
            if let Some(stale) = folder.child(entry) {
                stale.remove_stale_temporary(started)?;
            }
        }
        Ok(())
    }

    /// Removes the file that an atomic write left unfinished here before `started`, if this is one.
    pub fn remove_stale_temporary(&self, started: SystemTime) -> Result<bool> {
        let started = nanoseconds(started);
        if !is_temporary(self.place.name()) || self.regular()?.modified_ns >= started {
            return Ok(false);
        }
        self.remove_file().map(|()| true)
    }

    pub(super) fn regular(&self) -> Result<Meta> {
        let meta = self.metadata()?;
        match meta.kind {
            EntryKind::File => Ok(meta),
            EntryKind::Folder => Err(Error::Folder(self.named())),
            EntryKind::Link | EntryKind::Special => Err(Error::Special(self.place.to_string())),
        }
    }

    /// For people: the root has no path within itself, and is called by where it lies.
    fn named(&self) -> String {
        if self.place.is_root() { self.root.path().display().to_string() } else { self.place.to_string() }
    }

    pub(super) fn parent(&self) -> Result<Dir> {
        let Some(parent) = self.place.parent() else {
            return Err(Error::Folder(self.named()));
        };
        let opened = if parent.is_root() {
            self.root.dir().try_clone()
        } else {
            self.root.dir().open_dir(parent.as_str())
        };
        opened.map_err(self.error("open the folder of"))
    }

    pub(super) fn error(&self, attempt: &'static str) -> impl FnOnce(io::Error) -> Error {
        let path = self.named();
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
            mode: mode(meta),
        }
    }

    /// Of an entry that cannot be looked at now.
    fn unseen(kind: FileType) -> Self {
        let kind = EntryKind::of(kind);
        Self { kind, size: 0, modified_ns: 0, inode: None, device: None, read_only: false, mode: None }
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

/// What makes a folder; its owner can always put things into it.
#[cfg(unix)]
fn builder(mode: Option<u32>) -> DirBuilder {
    let mut builder = DirBuilder::new();
    if let Some(mode) = mode {
        cap_std::fs::DirBuilderExt::mode(&mut builder, mode & 0o777 | 0o700);
    }
    builder
}

/// Of a folder its group for what is made in it and who may remove that belong to its mode.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other platforms have no such bits")]
fn folder_permissions(mode: u32) -> Option<Permissions> {
    Some(cap_std::fs::PermissionsExt::from_mode(mode & 0o3777))
}

#[cfg(not(unix))]
fn folder_permissions(_: u32) -> Option<Permissions> {
    None
}

#[cfg(not(unix))]
fn builder(_: Option<u32>) -> DirBuilder {
    DirBuilder::new()
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

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other platforms have no such bits")]
fn mode(meta: &Metadata) -> Option<u32> {
    Some(cap_std::fs::MetadataExt::mode(meta) & if meta.is_dir() { 0o3777 } else { 0o777 })
}

#[cfg(not(unix))]
fn mode(_: &Metadata) -> Option<u32> {
    None
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
