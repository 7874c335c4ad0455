//! One process owns a data directory: a lock that the system releases when the process ends, however
//! it ends, and the address where the owner listens for the others.
//!
//! What is said over that socket is not known here.

#![expect(clippy::disallowed_methods, reason = "the lock and the socket are the app's own")]

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

const LOCK: &str = "owner.lock";
const ADDRESS: &str = "owner.address";
const SOCKET: &str = "owner.sock";
/// Bytes that a socket path may have on every Unix, its end included.
const SOCKET_PATH: usize = 104;

/// The lock on a data directory. Dropping it, or the death of the process, gives it up.
#[derive(Debug)]
pub struct Ownership {
    lock: File,
    data_dir: PathBuf,
    address: Address,
}

/// Where the owner of a data directory listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A socket in the file system.
    Path(PathBuf),
    /// A named pipe.
    Name(String),
}

/// Takes the data directory if nobody has it; `None` when another process does. The directory is
/// made, for the user alone, when it is not there.
pub fn claim(data_dir: &Path) -> io::Result<Option<Ownership>> {
    if !data_dir.is_dir() {
        make_private_folder(data_dir)?;
    }
    let lock =
        OpenOptions::new().create(true).truncate(false).write(true).read(true).open(data_dir.join(LOCK))?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(std::fs::TryLockError::WouldBlock) => return Ok(None),
        Err(std::fs::TryLockError::Error(error)) => return Err(error),
    }
    let address = choose_address(data_dir)?;
    // A socket that a killed owner left behind would refuse the new one.
    if let Address::Path(path) = &address {
        remove_if_there(path)?;
    }
    let ownership = Ownership { lock, data_dir: data_dir.to_owned(), address };
    Ok(Some(ownership))
}

/// The address that the owner of `data_dir` announced, if there is one.
pub fn announced(data_dir: &Path) -> Option<Address> {
    let text = std::fs::read_to_string(data_dir.join(ADDRESS)).ok()?;
    match text.trim_end().split_once(' ')? {
        ("path", path) => Some(Address::Path(path.into())),
        ("name", name) => Some(Address::Name(name.into())),
        _ => None,
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Path(path) => path.display().fmt(f),
            Self::Name(name) => f.write_str(name),
        }
    }
}

impl Ownership {
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Tells other processes where to call, once somebody listens there.
    pub fn announce(&self) -> crate::Result<()> {
        let text = match &self.address {
            Address::Path(path) => format!("path {}\n", path.display()),
            Address::Name(name) => format!("name {name}\n"),
        };
        // Whole or not at all: another process may be reading it.
        crate::files::write(&self.data_dir.join(ADDRESS), text.as_bytes())
    }
}

impl Drop for Ownership {
    fn drop(&mut self) {
        // Both files go before the lock does, so a successor's are never touched.
        let _ = remove_if_there(&self.data_dir.join(ADDRESS));
        if let Address::Path(path) = &self.address {
            let _ = remove_if_there(path);
        }
        let _ = self.lock.unlock();
    }
}

#[cfg(unix)]
fn choose_address(data_dir: &Path) -> io::Result<Address> {
    use std::os::unix::ffi::OsStrExt;
    let data_dir = data_dir.canonicalize()?;
    let here = data_dir.join(SOCKET);
    if here.as_os_str().as_bytes().len() < SOCKET_PATH {
        return Ok(Address::Path(here));
    }
    // Too deep for a socket: a short folder of the user alone, named after the directory.
    let name = blake3::hash(data_dir.as_os_str().as_bytes()).to_hex();
    let base = std::env::var_os("XDG_RUNTIME_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = base.join(format!("orangery-{}", &name[..16]));
    if folder.is_dir() {
        // Fails for a folder of somebody else, who could otherwise pose as the owner.
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o700))?;
    } else {
        make_private_folder(&folder)?;
    }
    Ok(Address::Path(folder.join(SOCKET)))
}

#[cfg(not(unix))]
fn choose_address(data_dir: &Path) -> io::Result<Address> {
    let data_dir = data_dir.canonicalize()?;
    let name = blake3::hash(data_dir.to_string_lossy().as_bytes()).to_hex();
    Ok(Address::Name(format!("orangery-{}", &name[..32])))
}

/// Makes `folder` for the user alone. A folder that is there keeps its permissions: it may be anything.
#[cfg(unix)]
fn make_private_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make_private_folder(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("orangery-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn one_owner_at_a_time() {
        let folder = folder("owner");
        let first = claim(&folder).unwrap().unwrap();
        assert!(claim(&folder).unwrap().is_none());
        assert_eq!(announced(&folder), None);
        first.announce().unwrap();
        assert_eq!(announced(&folder).as_ref(), Some(first.address()));
        drop(first);
        assert_eq!(announced(&folder), None);
        assert!(claim(&folder).unwrap().is_some());
    }

    #[cfg(unix)]
    #[test]
    fn a_deep_directory_gets_a_short_address() {
        use std::os::unix::fs::PermissionsExt;
        let deep = folder("deep").join("d".repeat(120));
        let owner = claim(&deep).unwrap().unwrap();
        let Address::Path(path) = owner.address() else { panic!("a path on Unix") };
        assert!(path.as_os_str().len() < SOCKET_PATH);
        let mode = path.parent().unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0);
    }
}
