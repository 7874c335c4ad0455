//! The app's own files: the data directory and what is written in it. Never a user's file.

#![expect(clippy::disallowed_methods, reason = "the one writer of the app's own files")]

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// The directory that holds everything the app keeps for itself, with one owning process.
#[derive(Debug, Clone)]
pub struct DataFolder(PathBuf);

impl DataFolder {
    /// Opens or creates `path`, readable by its owner alone.
    pub fn open(path: &Path) -> Result<Self> {
        create_private(path)?;
        Ok(Self(path.to_owned()))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn database(&self) -> PathBuf {
        self.0.join("orangery.db")
    }

    pub fn index(&self) -> PathBuf {
        self.0.join("index")
    }
}

/// Bytes that are left for the owner of `path` on its volume; `None` where that cannot be known.
pub fn room(path: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        let volume = rustix::fs::statvfs(path).ok()?;
        Some(volume.f_bavail.saturating_mul(volume.f_frsize))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

/// Creates a folder of the app's own and its parents, readable by its owner alone.
pub fn create_private(path: &Path) -> Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(Error::io("create the folder", path.display()))
}

/// Writes a file of the app's own, whole or not at all, readable by its owner alone.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let attempt = || -> std::io::Result<()> {
        let temporary = path.with_extension(format!("{:08x}.tmp", rand::random::<u32>()));
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&temporary)?;
        let written = file
            .write_all(bytes)
            .and_then(|()| file.sync_all())
            .and_then(|()| std::fs::rename(&temporary, path));
        if written.is_err() {
            // The first error is the one to tell.
            let _ = std::fs::remove_file(&temporary);
        }
        written
    };
    attempt().map_err(Error::io("write", path.display()))
}

/// Writes a folder of files, whole or not at all, for the user to keep: with the permissions that new
/// files of the user have. Names are relative, with `/`.
///
/// # Errors
/// `Exists` when something is at `folder`.
pub fn unpack<B: AsRef<[u8]>>(folder: &Path, files: impl IntoIterator<Item = (String, B)>) -> Result<()> {
    if folder.symlink_metadata().is_ok() {
        return Err(Error::Exists(folder.display().to_string()));
    }
    let mut name = folder.as_os_str().to_owned();
    name.push(format!(".{:08x}.tmp", rand::random::<u32>()));
    let aside = PathBuf::from(name);
    let attempt = || -> std::io::Result<()> {
        for (name, bytes) in files {
            let path = aside.join(&name);
            std::fs::create_dir_all(path.parent().unwrap_or(&aside))?;
            std::fs::write(path, bytes)?;
        }
        std::fs::rename(&aside, folder)
    };
    attempt().map_err(|error| {
        // The first error is the one to tell.
        let _ = remove_folder(&aside);
        Error::io("write", folder.display())(error)
    })
}

/// The content of a file of the app's own; `None` when it is not there.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("read", path.display())(error)),
    }
}

/// Renames a folder of the app's own out of the way, so that it can be looked at later, and drops what
/// an earlier call had set aside. Returns where it is now.
pub fn set_aside(path: &Path) -> Result<PathBuf> {
    let mut name = path.as_os_str().to_owned();
    name.push(".damaged");
    let aside = PathBuf::from(name);
    remove_folder(&aside)?;
    std::fs::rename(path, &aside).map_err(Error::io("set aside", path.display()))?;
    Ok(aside)
}

/// Removes a folder of the app's own with all it holds, or the file in its place; fine when nothing is there.
pub fn remove_folder(path: &Path) -> Result<()> {
    let removed = if path.is_file() { std::fs::remove_file(path) } else { std::fs::remove_dir_all(path) };
    match removed {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::io("remove", path.display())(error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_files_are_private_and_whole() {
        let keep = tempfile::tempdir().unwrap();
        let data = DataFolder::open(&keep.path().join("deep/data")).unwrap();
        let file = data.path().join("schema");
        assert_eq!(read(&file).unwrap(), None);
        write(&file, b"1").unwrap();
        write(&file, b"2").unwrap();
        assert_eq!(read(&file).unwrap().as_deref(), Some(&b"2"[..]));
        assert_eq!(std::fs::read_dir(data.path()).unwrap().count(), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(data.path()), mode(&file)), (0o700, 0o600));
        }
        let guide = keep.path().join("guide");
        unpack(&guide, [("a/b.md".to_owned(), "x")]).unwrap();
        assert_eq!(std::fs::read(guide.join("a/b.md")).unwrap(), b"x");
        assert!(matches!(unpack(&guide, [("c.md".to_owned(), "x")]), Err(Error::Exists(_))));
        assert!(!guide.join("c.md").exists());
        let aside = set_aside(data.path()).unwrap();
        assert!(aside.join("schema").exists() && !data.path().exists());
    }
}
