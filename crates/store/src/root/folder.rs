//! Folders held open while many files in them are read.

use std::fs::File;
use std::io;

use cap_std::fs::{Dir, OpenOptions};
use orangery_domain::KbPath;

use super::checked::{CheckedPath, EntryKind};
use super::fault;
use crate::Result;

/// A folder below a root, held open: what lies in it is opened by its name alone, in one call. Links are
/// not followed, so that nothing that is put in the way of a walk leads it elsewhere.
#[derive(Debug)]
pub struct OpenFolder {
    dir: Dir,
    checked: CheckedPath,
}

/// An entry as its folder lists it, which costs no look at the entry itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub name: String,
    pub kind: EntryKind,
}

impl CheckedPath {
    /// Holds this folder open.
    pub fn open_folder(&self) -> Result<OpenFolder> {
        let opened = self.answers().and_then(|()| self.root.dir().open_dir(self.relative()));
        Ok(OpenFolder { dir: opened.map_err(self.error("open the folder"))?, checked: self.clone() })
    }
}

impl OpenFolder {
    pub fn place(&self) -> &KbPath {
        self.checked.place()
    }

    /// The entries, unsorted, hidden ones included, and how many more have names that are not Unicode.
    pub fn list(&self) -> Result<(Vec<Listed>, usize)> {
        let (mut entries, mut unnamed) = (Vec::new(), 0);
        let failed = |error| self.checked.error("list")(error);
        for entry in self.dir.entries().map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let Ok(name) = entry.file_name().into_string() else {
                unnamed += 1;
                continue;
            };
            let mut kind = EntryKind::of(entry.file_type().map_err(failed)?);
            // Some file systems do not say it in their lists.
            if kind == EntryKind::Special {
                kind = match entry.metadata() {
                    Ok(meta) => EntryKind::of(meta.file_type()),
                    Err(_) => continue,
                };
            }
            entries.push(Listed { name, kind });
        }
        Ok((entries, unnamed))
    }

    /// Holds the folder of this name open.
    pub fn folder(&self, name: &str) -> Result<Self> {
        let checked = self.child(name)?;
        let opened = checked.answers().and_then(|()| self.dir.open_dir(name));
        let dir = opened.map_err(checked.error("open the folder"))?;
        Ok(Self { dir, checked })
    }

    /// Opens the file of this name for reading, and says how long it is. What is no regular file is not
    /// read from.
    pub fn file(&self, name: &str) -> Result<(File, u64)> {
        let attempt = || -> io::Result<Option<(File, u64)>> {
            fault::check(|| self.checked.root().path().join(self.place().as_str()).join(name))?;
            let file = self.dir.open_with(name, &reading())?.into_std();
            let meta = file.metadata()?;
            Ok(meta.is_file().then_some((file, meta.len())))
        };
        match attempt() {
            Ok(Some(opened)) => Ok(opened),
            Ok(None) => Err(crate::Error::Special(self.child(name)?.place().to_string())),
            Err(error) => Err(self.child(name)?.error("open")(error)),
        }
    }

    fn child(&self, name: &str) -> Result<CheckedPath> {
        let escapes = |error: orangery_domain::PathError| crate::Error::Escapes {
            path: name.into(),
            reason: error.to_string(),
        };
        let place = self.place().join(name).map_err(escapes)?;
        Ok(CheckedPath::new(self.checked.root().clone(), place))
    }
}

/// Neither through a link nor waiting for whoever writes into a pipe.
#[cfg(unix)]
fn reading() -> OpenOptions {
    use rustix::fs::OFlags;
    let mut options = OpenOptions::new();
    options.read(true);
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    cap_std::fs::OpenOptionsExt::custom_flags(&mut options, flags.bits().cast_signed());
    options
}

#[cfg(not(unix))]
fn reading() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    options
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read;

    use crate::root::{EntryKind, Root};
    use orangery_domain::{ErrorKind, KbPath};

    #[test]
    fn files_are_read_by_name_and_links_are_not_followed() {
        let keep = tempfile::tempdir().unwrap();
        fs::create_dir_all(keep.path().join("kb/sub")).unwrap();
        fs::write(keep.path().join("secret"), "outside").unwrap();
        fs::write(keep.path().join("kb/sub/a.md"), "inside").unwrap();
        let root = Root::open(&keep.path().join("kb")).unwrap();
        let top = root.resolve(&KbPath::root()).unwrap().open_folder().unwrap();
        let (entries, unnamed) = top.list().unwrap();
        assert_eq!((entries.len(), entries[0].name.as_str(), unnamed), (1, "sub", 0));
        assert_eq!(entries[0].kind, EntryKind::Folder);
        let sub = top.folder("sub").unwrap();
        let (mut file, size) = sub.file("a.md").unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!((text.as_str(), size), ("inside", 6));
        assert_eq!(sub.file("b.md").unwrap_err().kind(), ErrorKind::NotFound);
        assert!(top.file("sub").is_err());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../../secret", keep.path().join("kb/sub/out")).unwrap();
            std::os::unix::fs::symlink("a.md", keep.path().join("kb/sub/in")).unwrap();
            std::os::unix::fs::symlink("../..", keep.path().join("kb/sub/up")).unwrap();
            assert!(sub.file("out").is_err() && sub.file("in").is_err() && sub.folder("up").is_err());
            let links = sub.list().unwrap().0.iter().filter(|entry| entry.kind == EntryKind::Link).count();
            assert_eq!(links, 3);
        }
    }
}
