//! Files and folders that go from one place to another, never over anything.

use std::ffi::OsStr;
use std::io;
#[cfg(unix)]
use std::path::Path;

use cap_std::fs::Dir;

use super::checked::{CheckedPath, EntryKind, TEMPORARY_PREFIX, sync_folder};
use crate::{Error, Result};

const ON_THE_WAY: &str = ".moving";

impl CheckedPath {
    /// Gives what is here the place `to`, which may be below another root. A name that differs only in case or
    /// Unicode form is a new name too.
    ///
    /// # Errors
    /// `Conflict` when something is at `to`, `Invalid` when it is on another volume. Both leave what was here here;
    /// whatever else fails, it is at one of the two places or, in a new spelling, on the way.
    pub fn move_to(&self, to: &CheckedPath) -> Result<()> {
        let (from_folder, to_folder) = (self.parent()?, to.parent()?);
        let (from, name) = (self.place.name(), to.place.name());
        if self.is_spelled_anew_by(to)? {
            self.respell(&from_folder, from, name)?;
        } else if !self.exists() && from_folder.symlink_metadata(on_the_way(name)).is_ok() {
            // A process died between the two halves of a new spelling.
            rename_new(&from_folder, on_the_way(name), &to_folder, name).map_err(to.error("rename"))?;
        } else {
            rename_new(&from_folder, from, &to_folder, name).map_err(|error| self.unmoved(to, error))?;
        }
        sync_folder(&to_folder).map_err(to.error("write the folder of"))?;
        sync_folder(&from_folder).map_err(self.error("write the folder of"))
    }

    /// The same folder's entry called `name`, whatever this one is called.
    pub fn renamed(&self, name: &str) -> Result<CheckedPath> {
        let parent = self.place.parent().unwrap_or_else(orangery_domain::KbPath::root);
        let place = parent
            .join(name)
            .map_err(|error| Error::Escapes { path: name.to_owned(), reason: error.to_string() })?;
        Ok(CheckedPath { root: self.root.clone(), place })
    }

    /// Whether a new spelling of this name was begun and not ended.
    pub fn is_on_the_way_to(&self, to: &CheckedPath) -> bool {
        let folder = self.parent();
        folder.is_ok_and(|folder| folder.symlink_metadata(on_the_way(to.place.name())).is_ok())
    }

    /// Ends a move that a process died over, where the file system had to do it in two halves and both names are
    /// there.
    pub fn end_move_to(&self, to: &CheckedPath) -> Result<bool> {
        let (Ok(from), Ok(there)) = (self.metadata(), to.metadata()) else { return Ok(false) };
        let linked = from.kind == EntryKind::File
            && from.inode.is_some()
            && (from.inode, from.device) == (there.inode, there.device)
            && !self.is_spelled_anew_by(to)?;
        if linked {
            self.parent()?.remove_file(self.place.name()).map_err(self.error("move"))?;
        }
        Ok(linked)
    }

    /// Takes in what lies at `from`, outside of all roots. Never overwrites.
    ///
    /// # Errors
    /// `Conflict` when something is here. After every error what was at `from` is there.
    #[cfg(unix)]
    pub fn take_in(&self, from: &Path) -> Result<()> {
        let folder = self.parent()?;
        let outside = from.parent().zip(from.file_name()).ok_or_else(|| Error::NotFound(shown(from)))?;
        let outside_folder = Dir::open_ambient_dir(outside.0, cap_std::ambient_authority())
            .map_err(Error::io("open the folder of", from.display()))?;
        rename_new(&outside_folder, outside.1, &folder, self.place.name()).map_err(|error| {
            match error.kind() {
                io::ErrorKind::NotFound => Error::NotFound(shown(from)),
                _ => self.unmoved(self, error),
            }
        })?;
        sync_folder(&folder).map_err(self.error("write the folder of"))
    }

    fn unmoved(&self, to: &CheckedPath, error: io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty => {
                Error::Exists(to.place.to_string())
            }
            io::ErrorKind::CrossesDevices => Error::OtherVolume(to.place.to_string()),
            _ => self.error("move")(error),
        }
    }

    /// Whether `to` is this very entry under a name that only this disk takes for the same.
    fn is_spelled_anew_by(&self, to: &CheckedPath) -> Result<bool> {
        if self.place.parent() != to.place.parent() || self.place.name() == to.place.name() {
            return Ok(false);
        }
        let (Ok(own), Ok(other)) = (self.metadata(), to.metadata()) else { return Ok(false) };
        if own.inode != other.inode || own.kind != other.kind {
            return Ok(false);
        }
        // A hard link has an entry of its own.
        let folder = self.parent()?;
        for entry in folder.entries().map_err(self.error("list the folder of"))? {
            if entry.map_err(self.error("list the folder of"))?.file_name() == OsStr::new(to.place.name()) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// In two halves: a rename onto what the disk takes for the same name may do nothing.
    fn respell(&self, folder: &Dir, from: &str, name: &str) -> Result<()> {
        let between = on_the_way(name);
        rename_new(folder, from, folder, &between).map_err(self.error("rename"))?;
        rename_new(folder, &between, folder, name).map_err(|error| {
            // If this fails too, the next start finishes it.
            let _ = rename_new(folder, &between, folder, from);
            self.error("rename")(error)
        })
    }
}

#[cfg(unix)]
fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Hidden, so that nobody indexes it, and not what the scan takes for an unfinished file.
fn on_the_way(name: &str) -> String {
    let hash = blake3::hash(name.as_bytes());
    format!("{TEMPORARY_PREFIX}{}{ON_THE_WAY}", &hash.to_hex()[..8])
}

/// Renames without replacing, in one step where the system can.
fn rename_new(
    from_folder: &Dir,
    from: impl AsRef<OsStr>,
    to_folder: &Dir,
    to: impl AsRef<OsStr>,
) -> io::Result<()> {
    let (from, to) = (from.as_ref(), to.as_ref());
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    {
        use rustix::fs::{RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(from_folder, from, to_folder, to, RenameFlags::NOREPLACE) {
            // The file system cannot.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
            done => return done.map_err(io::Error::from),
        }
    }
    rename_checked(from_folder, from, to_folder, to)
}

/// A second name, then the first one goes: that fails where a rename would replace. Folders have no second names,
/// nor do files on some file systems; they are looked at first, and whoever comes in between loses an empty folder
/// at most, or on those file systems a file of the very same moment.
fn rename_checked(from_folder: &Dir, from: &OsStr, to_folder: &Dir, to: &OsStr) -> io::Result<()> {
    if from_folder.symlink_metadata(from)?.is_file() {
        match from_folder.hard_link(from, to_folder, to) {
            Ok(()) => return from_folder.remove_file(from),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::AlreadyExists | io::ErrorKind::CrossesDevices | io::ErrorKind::StorageFull
                ) =>
            {
                return Err(error);
            }
            Err(_) => {}
        }
    }
    if to_folder.symlink_metadata(to).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    from_folder.rename(from, to_folder, to)
}

#[cfg(test)]
mod tests {
    use orangery_domain::{ErrorKind, KbPath};

    use super::super::Root;
    use super::*;

    struct Folder {
        keep: tempfile::TempDir,
        root: Root,
    }

    impl Folder {
        fn new(names: &[&str]) -> Self {
            let keep = tempfile::tempdir().unwrap();
            for name in names {
                let path = keep.path().join(name);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, name).unwrap();
            }
            Self { root: Root::open(keep.path()).unwrap(), keep }
        }

        fn at(&self, path: &str) -> CheckedPath {
            self.root.resolve_entry(&KbPath::parse(path).unwrap()).unwrap()
        }

        fn read(&self, path: &str) -> Option<String> {
            std::fs::read_to_string(self.keep.path().join(path)).ok()
        }
    }

    #[test]
    fn files_and_folders_move_and_replace_nothing() {
        let f = Folder::new(&["a.md", "b.md", "p/c.md", "q/d.md"]);
        f.at("a.md").move_to(&f.at("p/a.md")).unwrap();
        assert_eq!((f.read("a.md"), f.read("p/a.md").as_deref()), (None, Some("a.md")));
        let error = f.at("b.md").move_to(&f.at("p/c.md")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Conflict);
        assert_eq!((f.read("b.md").as_deref(), f.read("p/c.md").as_deref()), (Some("b.md"), Some("p/c.md")));
        assert_eq!(f.at("p").move_to(&f.at("q")).unwrap_err().kind(), ErrorKind::Conflict);
        f.at("p").move_to(&f.at("q/p")).unwrap();
        assert_eq!(f.read("q/p/c.md").as_deref(), Some("p/c.md"));
        assert_eq!(f.at("gone.md").move_to(&f.at("x.md")).unwrap_err().kind(), ErrorKind::NotFound);
        // Into itself.
        assert!(f.at("q").move_to(&f.at("q/p/q")).is_err());
        assert_eq!(f.read("q/d.md").as_deref(), Some("q/d.md"));
    }

    #[test]
    fn without_the_flag_nothing_is_replaced_either() {
        let f = Folder::new(&["a.md", "b.md", "p/c.md"]);
        let dir = f.root.dir();
        let name = OsStr::new;
        let error = rename_checked(dir, name("a.md"), dir, name("b.md")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        let error = rename_checked(dir, name("p"), dir, name("b.md")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        rename_checked(dir, name("a.md"), dir, name("c.md")).unwrap();
        rename_checked(dir, name("p"), dir, name("q")).unwrap();
        assert_eq!((f.read("c.md").as_deref(), f.read("q/c.md").as_deref()), (Some("a.md"), Some("p/c.md")));
        assert_eq!(f.read("a.md"), None);
    }

    #[test]
    fn a_new_spelling_survives_a_death_half_way() {
        let f = Folder::new(&["a.md"]);
        f.at("a.md").respell(f.root.dir(), "a.md", "A.md").unwrap();
        assert_eq!(f.read("A.md").as_deref(), Some("a.md"));
        std::fs::rename(f.keep.path().join("A.md"), f.keep.path().join(on_the_way("a.md"))).unwrap();
        assert!(f.at("A.md").is_on_the_way_to(&f.at("a.md")));
        f.at("A.md").move_to(&f.at("a.md")).unwrap();
        assert_eq!(f.read("a.md").as_deref(), Some("a.md"));
        assert!(!crate::root::is_temporary(&on_the_way("a.md")), "a scan would clear it away");
    }

    #[cfg(unix)]
    #[test]
    fn a_move_in_two_halves_is_ended_and_a_second_link_is_left_alone() {
        let f = Folder::new(&["a.md"]);
        std::fs::hard_link(f.keep.path().join("a.md"), f.keep.path().join("b.md")).unwrap();
        assert!(f.at("a.md").end_move_to(&f.at("b.md")).unwrap());
        assert_eq!((f.read("a.md"), f.read("b.md").as_deref()), (None, Some("a.md")));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_moves_as_a_link_and_what_comes_from_outside_replaces_nothing() {
        let f = Folder::new(&["a.md", "p/b.md"]);
        std::os::unix::fs::symlink("a.md", f.keep.path().join("link.md")).unwrap();
        assert_eq!(f.at("link.md").place().as_str(), "link.md");
        f.at("link.md").move_to(&f.at("p/link.md")).unwrap();
        assert_eq!(f.at("p/link.md").metadata().unwrap().kind, EntryKind::Link);
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("x.md"), "x").unwrap();
        let error = f.at("a.md").take_in(&outside.path().join("x.md")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Conflict);
        f.at("x.md").take_in(&outside.path().join("x.md")).unwrap();
        assert_eq!(f.read("x.md").as_deref(), Some("x"));
    }
}
