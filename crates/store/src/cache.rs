//! Bytes that can be made again: a folder of the app's own with a bound, the longest unused go first.
//! Nothing here is worth a flush to the disk.

#![expect(clippy::disallowed_methods, reason = "a folder of the app's own, of things that can be made again")]

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;

use crate::{Result, files};

/// A bounded folder of files by name.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    /// Bytes.
    limit: u64,
    /// Bytes there, once they were counted.
    held: Mutex<Option<u64>>,
}

/// What is left when the limit is reached, in tenths.
const KEPT: u64 = 8;

impl Cache {
    /// Touches nothing yet.
    pub fn new(folder: PathBuf, limit: u64) -> Self {
        Self { folder, limit, held: Mutex::new(None) }
    }

    /// The bytes called `name`. What cannot be read is not there.
    pub fn get(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.path(name)?;
        let bytes = std::fs::read(&path).ok()?;
        // Last used now; a cache that cannot be written is still read.
        let _ = std::fs::File::options()
            .write(true)
            .open(&path)
            .and_then(|file| file.set_modified(SystemTime::now()));
        Some(bytes)
    }

    /// Keeps `bytes` as `name`, whole or not at all.
    pub fn put(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let Some(path) = self.path(name) else { return Ok(()) };
        if bytes.len() as u64 > self.limit / 4 {
            return Ok(());
        }
        files::create_private(&self.folder)?;
        let temporary = self.folder.join(format!("{:016x}.tmp", rand::random::<u64>()));
        let written = std::fs::write(&temporary, bytes).and_then(|()| std::fs::rename(&temporary, &path));
        if let Err(error) = written {
            // The first error is the one to tell.
            let _ = std::fs::remove_file(&temporary);
            return Err(crate::Error::io("write", path.display())(error));
        }
        let mut held = self.held.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let total = match *held {
            Some(held) => held + bytes.len() as u64,
            None => listed(&self.folder).iter().map(|file| file.size).sum(),
        };
        *held = Some(if total > self.limit { self.shrink() } else { total });
        Ok(())
    }

    /// Removes what was not used for the longest time; gives the bytes that are left.
    fn shrink(&self) -> u64 {
        let mut files = listed(&self.folder);
        files.sort_by_key(|file| file.used);
        let mut total: u64 = files.iter().map(|file| file.size).sum();
        for file in files {
            if total <= self.limit / 10 * KEPT {
                break;
            }
            if std::fs::remove_file(&file.path).is_ok() {
                total -= file.size;
            }
        }
        total
    }

    /// Names are ours: letters, digits, dots and dashes.
    fn path(&self, name: &str) -> Option<PathBuf> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
        (!name.is_empty() && !name.starts_with('.') && name.chars().all(plain))
            .then(|| self.folder.join(name))
    }
}

struct Listed {
    path: PathBuf,
    size: u64,
    used: SystemTime,
}

fn listed(folder: &Path) -> Vec<Listed> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let listed = entries.filter_map(|entry| {
        let entry = entry.ok()?;
        let meta = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let used = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        Some(Listed { path: entry.path(), size: meta.len(), used })
    });
    listed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_unused_goes_when_the_limit_is_reached() {
        let keep = tempfile::tempdir().unwrap();
        let cache = Cache::new(keep.path().join("pages"), 1_000);
        let old = SystemTime::now() - std::time::Duration::from_secs(1_000);
        for at in 0..4 {
            let name = format!("{at}.png");
            cache.put(&name, &[at; 240]).unwrap();
            let age = old + std::time::Duration::from_secs(u64::from(at));
            let file = std::fs::File::options().write(true).open(keep.path().join("pages").join(&name));
            file.unwrap().set_modified(age).unwrap();
        }
        // Used again, so it is not the oldest any more.
        assert_eq!(cache.get("0.png"), Some(vec![0; 240]));
        cache.put("4.png", &[4; 240]).unwrap();
        let there: Vec<_> = (0..5).filter(|at| cache.get(&format!("{at}.png")).is_some()).collect();
        assert_eq!(there, [0, 3, 4]);
        assert_eq!(cache.get("../secret"), None);
        cache.put("large", &[0; 500]).unwrap();
        assert_eq!(cache.get("large"), None);
    }
}
