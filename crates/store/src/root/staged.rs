//! Contents on their way to the place of a file: written beside it, brought to the disk, then given its
//! name. At every moment the file is what it was or what it will be.

use std::io::{self, Write};

use cap_std::fs::{Dir, File, Metadata, OpenOptions, Permissions};

use super::checked::{CheckedPath, TEMPORARY_PREFIX, TEMPORARY_SUFFIX};
use crate::{Error, Result};

/// A content that lies beside the file that it is to be; removed unless it was put in its place. Holds
/// nothing open, so that many can wait.
#[derive(Debug)]
pub struct Staged {
    target: CheckedPath,
    name: String,
    /// Whether it takes the place of a file that is there.
    over: bool,
    put: bool,
}

impl CheckedPath {
    /// Writes `bytes` beside this file, with its permissions. It is not touched yet.
    ///
    /// # Errors
    /// `Denied` for a file that is marked read-only.
    pub fn stage_over(&self, bytes: &[u8]) -> Result<Staged> {
        self.stage_over_with(|file| file.write_all(bytes))
    }

    fn stage_over_with(&self, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<Staged> {
        if self.regular()?.read_only {
            return Err(Error::ReadOnly(self.place.to_string()));
        }
        let folder = self.parent()?;
        let there = folder.symlink_metadata(self.place.name()).map_err(self.error("look at"))?;
        self.stage(&folder, true, Some(kept_permissions(&there)), write)
    }

    /// Writes `bytes` beside where this new file will be, whose permissions are `mode` if that is given.
    ///
    /// # Errors
    /// `Conflict` when something is there.
    pub fn stage_new(&self, bytes: &[u8], mode: Option<u32>) -> Result<Staged> {
        let folder = self.parent()?;
        if folder.symlink_metadata(self.place.name()).is_ok() {
            return Err(Error::Exists(self.place.to_string()));
        }
        self.stage(&folder, false, mode.and_then(permissions), |file| file.write_all(bytes))
    }

    /// The name is short, so that it fits wherever the file's own name fits.
    fn stage(
        &self,
        folder: &Dir,
        over: bool,
        permissions: Option<Permissions>,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<Staged> {
        let name = format!("{TEMPORARY_PREFIX}{:08x}{TEMPORARY_SUFFIX}", rand::random::<u32>());
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        // Nobody else reads what only some may read, not for a moment.
        #[cfg(unix)]
        if permissions.is_some() {
            cap_std::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        let mut file = folder.open_with(&name, &options).map_err(self.error("write"))?;
        let staged = Staged { target: self.clone(), name, over, put: false };
        let written = write(&mut file).and_then(|()| match permissions {
            Some(permissions) => file.set_permissions(permissions),
            None => Ok(()),
        });
        written.map_err(self.error("write"))?;
        Ok(staged)
    }
}

/// Who may read, write and run it. What ran with the rights of its owner or group does so no more with another content,
/// as when a system writes into the file itself.
#[cfg(unix)]
fn kept_permissions(there: &Metadata) -> Permissions {
    cap_std::fs::PermissionsExt::from_mode(cap_std::fs::MetadataExt::mode(there) & 0o777)
}

#[cfg(not(unix))]
fn kept_permissions(there: &Metadata) -> Permissions {
    there.permissions()
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other platforms have no such bits")]
pub(super) fn permissions(mode: u32) -> Option<Permissions> {
    Some(cap_std::fs::PermissionsExt::from_mode(mode & 0o777))
}

#[cfg(not(unix))]
pub(super) fn permissions(_: u32) -> Option<Permissions> {
    None
}

impl Staged {
    /// The file that it is to be.
    pub fn target(&self) -> &CheckedPath {
        &self.target
    }

    /// Brings the content to the disk. Several can be brought there at once.
    pub fn sync(&self) -> Result<()> {
        let folder = self.target.parent()?;
        // What may not be written may still be synced, where a handle for reading is enough.
        let file = folder.open_with(&self.name, OpenOptions::new().read(cfg!(unix)).write(!cfg!(unix)));
        file.and_then(|file| file.sync_all()).map_err(self.target.error("write"))
    }

    /// Gives it its name. That is only on the disk after [`CheckedPath::sync_parent`].
    ///
    /// # Errors
    /// `Conflict` when something is in the place of a new file.
    pub fn put(mut self) -> Result<()> {
        let folder = self.target.parent()?;
        let name = self.target.place.name();
        if self.over {
            folder.rename(&self.name, &folder, name).map_err(self.target.error("replace"))?;
            self.put = true;
            return Ok(());
        }
        // A hard link fails where a rename would overwrite. The first name goes with `self`.
        match folder.hard_link(&self.name, &folder, name) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(Error::Exists(self.target.place.to_string()))
            }
            // File systems without hard links: claim the name, then put the content in its place.
            Err(_) => {
                folder
                    .open_with(name, OpenOptions::new().write(true).create_new(true))
                    .map_err(self.target.error("create"))?;
                folder.rename(&self.name, &folder, name).map_err(self.target.error("create"))?;
                self.put = true;
                Ok(())
            }
        }
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if !self.put
            && let Ok(folder) = self.target.parent()
        {
            // What cannot be removed now is removed by the next start or scan.
            let _ = folder.remove_file(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use orangery_domain::{ErrorKind, KbPath};

    use super::super::Root;
    use super::*;

    fn folder_with(name: &str) -> (tempfile::TempDir, CheckedPath) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), "old").unwrap();
        let root = Root::open(folder.path()).unwrap();
        let path = root.resolve(&KbPath::parse(name).unwrap()).unwrap();
        (folder, path)
    }

    fn names(folder: &tempfile::TempDir) -> usize {
        std::fs::read_dir(folder.path()).unwrap().count()
    }

    #[test]
    fn a_full_disk_leaves_the_old_file_and_nothing_else() {
        let (folder, path) = folder_with("a.md");
        let error = path
            .stage_over_with(|file| {
                file.write_all(b"ne")?;
                Err(io::ErrorKind::StorageFull.into())
            })
            .unwrap_err();
        assert_eq!((error.kind(), error.code()), (ErrorKind::Unavailable, "diskFull"));
        assert_eq!(std::fs::read(folder.path().join("a.md")).unwrap(), b"old");
        assert_eq!(names(&folder), 1);
    }

    #[test]
    fn what_is_staged_touches_nothing_until_it_is_put() {
        let (folder, path) = folder_with("a.md");
        let staged = path.stage_over(b"new").unwrap();
        staged.sync().unwrap();
        assert_eq!(std::fs::read(folder.path().join("a.md")).unwrap(), b"old");
        drop(staged);
        assert_eq!(names(&folder), 1);
        path.stage_over(b"new").unwrap().put().unwrap();
        assert_eq!(std::fs::read(folder.path().join("a.md")).unwrap(), b"new");
        let place = path.renamed("b.md").unwrap();
        let staged = place.stage_new(b"mine", None).unwrap();
        std::fs::write(folder.path().join("b.md"), "theirs").unwrap();
        assert_eq!(staged.put().unwrap_err().kind(), ErrorKind::Conflict);
        assert_eq!(std::fs::read(folder.path().join("b.md")).unwrap(), b"theirs");
        assert_eq!(names(&folder), 2);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_stay_but_not_the_right_to_run_as_another() {
        use std::os::unix::fs::PermissionsExt;
        let (folder, path) = folder_with("run.md");
        let file = folder.path().join("run.md");
        for (before, after) in [(0o6755, 0o755), (0o640, 0o640)] {
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(before)).unwrap();
            path.stage_over(b"new").unwrap().put().unwrap();
            assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o7777, after);
        }
    }

    #[test]
    fn what_a_dead_process_left_beside_a_file_goes_and_what_is_being_written_stays() {
        let (folder, path) = folder_with("a.md");
        let staged = path.stage_over(b"new").unwrap();
        path.remove_stale_beside(SystemTime::UNIX_EPOCH).unwrap();
        assert_eq!(names(&folder), 2);
        path.remove_stale_beside(SystemTime::now() + Duration::from_secs(60)).unwrap();
        assert_eq!(names(&folder), 1);
        drop(staged);
        assert_eq!(std::fs::read(folder.path().join("a.md")).unwrap(), b"old");
    }
}
