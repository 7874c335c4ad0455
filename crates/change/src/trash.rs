//! The system's trash. It takes a thing whole or not at all; where there is none, nothing is deleted.
//!
//! The trash is reached by absolute paths, as every program does it. So the folder is looked up through the
//! root's handle first, and what is handed over is where that handle says the folder is.

#![expect(clippy::disallowed_methods, reason = "the trash of the system is reached for change::apply alone")]

use std::path::{Path, PathBuf};

use orangery_domain::{ContentHash, KbPath};
use orangery_store::root::{CheckedPath, Meta, Root};

/// Why the trash did not take or give a thing.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    #[error("{0}")]
    Said(String),
    /// A folder on the way is another by now.
    #[error("a folder on the way became a link")]
    Replaced,
}

/// What went to the trash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What the trash calls it.
    pub name: String,
    /// What it was then, as [`crate::tree::Depth::State`] says it; absent where that was not seen.
    pub mark: Option<ContentHash>,
}

/// Whether the trash can give a thing back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// As it went there.
    Same,
    /// Under its name is something else, or it was changed there.
    Other,
    /// It is gone, or cannot come from there without being copied.
    Nothing,
}

/// Puts what is at `checked` into the trash and says what the trash calls it, where that can be known.
/// Blocks.
pub fn put(checked: &CheckedPath) -> Result<Option<String>, Trouble> {
    let path = absolute(checked)?;
    let before = items(&path);
    trash::delete(&path).map_err(told)?;
    // It took the first name that was free; behind it may lie older ones, which were out of sight until now.
    Ok(items(&path).into_iter().find(|item| !before.contains(item)))
}

/// The item that came into the trash from `place` last, if it came at or after `since`, in milliseconds since 1970.
/// For what a dead process could not write down any more; the folder it lay in may be gone too. Blocks.
pub fn find(root: &Root, place: &KbPath, since: i64) -> Option<String> {
    let path = std::fs::canonicalize(root.path()).ok()?.join(place.as_str());
    let age = |item: &String| {
        let modified = std::fs::symlink_metadata(item).ok()?.modified().ok()?;
        i64::try_from(modified.duration_since(std::time::UNIX_EPOCH).ok()?.as_millis()).ok()
    };
    // Clocks of file systems are coarse.
    let young = |item: &String| age(item).is_none_or(|age| age + 2_000 >= since);
    items(&path).into_iter().filter(young).max_by_key(age)
}

fn absolute(checked: &CheckedPath) -> Result<PathBuf, Trouble> {
    let said = |error: std::io::Error| Trouble::Said(error.to_string());
    let root = std::fs::canonicalize(checked.root().path()).map_err(said)?;
    let parent = checked.place().parent().unwrap_or_else(orangery_domain::KbPath::root);
    let folder = root.join(parent.as_str());
    // `checked` has no link on the way; one that was put there since would show here.
    if std::fs::canonicalize(&folder).map_err(said)? != folder {
        return Err(Trouble::Replaced);
    }
    Ok(folder.join(checked.place().name()))
}

fn told(error: trash::Error) -> Trouble {
    Trouble::Said(match error {
        trash::Error::Unknown { description } | trash::Error::Os { description, .. } => description,
        #[cfg(all(unix, not(target_os = "macos"), not(target_os = "ios"), not(target_os = "android")))]
        trash::Error::FileSystem { path, source } => format!("{}: {source}", path.display()),
        trash::Error::CouldNotAccess { target } => format!("{target} cannot be reached"),
        error => error.to_string(),
    })
}

#[cfg(all(unix, not(target_os = "macos"), not(target_os = "ios"), not(target_os = "android")))]
mod system {
    //! freedesktop.org's trash: an item is an info file beside the thing itself.

    use std::os::unix::ffi::OsStrExt;
    use std::path::{Path, PathBuf};

    use orangery_domain::{ContentHash, KbPath};
    use orangery_store::root::{CheckedPath, EntryKind, Meta, Root};

    use super::{Held, Trouble};
    use crate::tree::{self, Depth};

    /// The items that came from `path`, in the order in which names for them are tried.
    pub fn items(path: &Path) -> Vec<String> {
        let (Ok(folders), Some(name)) = (trash::os_limited::trash_folders(), path.file_name()) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for folder in folders {
            for number in 1u32.. {
                let mut file = name.to_owned();
                if number > 1 {
                    file.push(format!(".{number}"));
                }
                file.push(".trashinfo");
                let info = folder.join("info").join(file);
                let Ok(text) = std::fs::read(&info) else { break };
                if came_from(&text, path)
                    && let Some(info) = info.to_str()
                {
                    found.push(info.to_owned());
                }
            }
        }
        found
    }

    fn came_from(info: &[u8], path: &Path) -> bool {
        let text = String::from_utf8_lossy(info);
        let written = text.lines().find_map(|line| line.strip_prefix("Path="));
        written.is_some_and(|written| {
            percent_encoding::percent_decode_str(written.trim()).eq(path
                .as_os_str()
                .as_bytes()
                .iter()
                .copied())
        })
    }

    fn thing(item: &str) -> Option<PathBuf> {
        let info = Path::new(item);
        let folder = info.parent()?.parent()?;
        Some(folder.join("files").join(info.file_stem()?))
    }

    pub fn holds(item: &str, to: &CheckedPath, seen: Option<ContentHash>) -> Held {
        use std::os::unix::fs::MetadataExt;
        let Some(thing) = thing(item) else { return Held::Nothing };
        let Ok(meta) = std::fs::symlink_metadata(&thing) else { return Held::Nothing };
        let volume = std::fs::metadata(to.root().path()).map(|meta| meta.dev());
        // From another volume it would have to be copied; what history holds is as good.
        if !volume.is_ok_and(|volume| volume == meta.dev()) {
            return Held::Nothing;
        }
        // Names are given again: another thing may have this one since the trash was emptied. And what lies there can be
        // changed like anything else.
        if seen.is_some() && mark(item) == seen { Held::Same } else { Held::Other }
    }

    /// What the item is now.
    pub fn mark(item: &str) -> Option<ContentHash> {
        let thing = thing(item)?;
        let name = KbPath::parse(thing.file_name()?.to_str()?).ok()?;
        let entry = tree::look_in(&Root::open(thing.parent()?).ok()?, &name).ok()?;
        Some(entry.seen(Depth::State).ok()?.mark)
    }

    pub fn is_another(item: &str, was: &Meta) -> bool {
        use std::os::unix::fs::MetadataExt;
        let Some(meta) = thing(item).and_then(|thing| std::fs::symlink_metadata(thing).ok()) else {
            return false;
        };
        // On another volume it is a copy, and only looks alike.
        if was.device != Some(meta.dev()) {
            return false;
        }
        let modified = meta.mtime() * 1_000_000_000 + meta.mtime_nsec();
        let rewritten = was.kind == EntryKind::File && (modified, meta.len()) != (was.modified_ns, was.size);
        rewritten || was.inode.is_some_and(|inode| inode != meta.ino())
    }

    pub fn fetch(item: &str, to: &CheckedPath) -> Result<(), Trouble> {
        let thing = thing(item).ok_or_else(|| Trouble::Said(format!("{item} is no item of the trash")))?;
        to.take_in(&thing).map_err(|error| Trouble::Said(error.to_string()))?;
        // What stays behind of the item points to nothing and harms nothing.
        let _ = std::fs::remove_file(item);
        Ok(())
    }
}

#[cfg(windows)]
mod system {
    use std::path::Path;

    use orangery_domain::ContentHash;
    use orangery_store::root::{CheckedPath, Meta};

    use super::{Held, Trouble};

    fn all() -> Vec<trash::TrashItem> {
        trash::os_limited::list().unwrap_or_default()
    }

    pub fn items(path: &Path) -> Vec<String> {
        let mut items: Vec<_> = all().into_iter().filter(|item| item.original_path() == path).collect();
        items.sort_by_key(|item| item.time_deleted);
        items.into_iter().filter_map(|item| item.id.into_string().ok()).collect()
    }

    fn find(item: &str, to: &CheckedPath) -> Option<trash::TrashItem> {
        let path = super::absolute(to).ok()?;
        // The system brings a thing back to where it came from only.
        all().into_iter().find(|known| known.id == *item && known.original_path() == path)
    }

    // The system's names are never given again.
    pub fn holds(item: &str, to: &CheckedPath, _: Option<ContentHash>) -> Held {
        if find(item, to).is_some() { Held::Same } else { Held::Nothing }
    }

    pub fn mark(_: &str) -> Option<ContentHash> {
        None
    }

    pub fn is_another(_: &str, _: &Meta) -> bool {
        false
    }

    pub fn fetch(item: &str, to: &CheckedPath) -> Result<(), Trouble> {
        let item =
            find(item, to).ok_or_else(|| Trouble::Said("the item is not in the trash any more".into()))?;
        trash::os_limited::restore_all([item]).map_err(super::told)
    }
}

#[cfg(not(any(
    windows,
    all(unix, not(target_os = "macos"), not(target_os = "ios"), not(target_os = "android"))
)))]
mod system {
    //! This system's trash tells nobody what it holds: what comes back comes from history.

    use std::path::Path;

    use orangery_domain::ContentHash;
    use orangery_store::root::{CheckedPath, Meta};

    use super::{Held, Trouble};

    pub fn items(_: &Path) -> Vec<String> {
        Vec::new()
    }

    pub fn holds(_: &str, _: &CheckedPath, _: Option<ContentHash>) -> Held {
        Held::Nothing
    }

    pub fn mark(_: &str) -> Option<ContentHash> {
        None
    }

    pub fn is_another(_: &str, _: &Meta) -> bool {
        false
    }

    pub fn fetch(_: &str, _: &CheckedPath) -> Result<(), Trouble> {
        Err(Trouble::Said("this system's trash gives nothing back".into()))
    }
}

fn items(path: &Path) -> Vec<String> {
    system::items(path)
}

/// Whether the trash still has `item` as it was `seen`, and can give it back to `to`. Blocks.
pub fn holds(item: &str, to: &CheckedPath, seen: Option<ContentHash>) -> Held {
    system::holds(item, to, seen)
}

/// What `item` is now, where the trash shows it. Blocks.
pub fn mark(item: &str) -> Option<ContentHash> {
    system::mark(item)
}

/// Whether `item` is not the thing that `was`, where the trash shows it. Blocks.
pub fn is_another(item: &str, was: &Meta) -> bool {
    system::is_another(item, was)
}

/// Takes `item` out of the trash to `to`, never over anything. Blocks.
pub fn fetch(item: &str, to: &CheckedPath) -> Result<(), Trouble> {
    system::fetch(item, to)
}
