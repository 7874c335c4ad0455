//! The guarded root of a knowledge base: the only way to the user's files.
//!
//! A [`Root`] is a handle on a directory. Everything below it is reached through that handle, never by
//! joining strings, so that what a link, a rename or a race makes of a path cannot lead out of it.

#![expect(clippy::disallowed_methods, reason = "this is the guard that the ban sends callers to")]

mod checked;
pub mod fault;
mod folder;
mod relocate;
mod staged;
mod volume;

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path};
use std::sync::Arc;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use orangery_domain::{KbId, KbPath};

pub use checked::{CheckedPath, Entry, EntryKind, Meta, is_temporary};
pub use folder::{Listed, OpenFolder};
pub use staged::Staged;
pub use volume::Volume;

use crate::{Error, Result};

/// A directory handle on the root of a knowledge base. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Root(Arc<Opened>);

#[derive(Debug)]
struct Opened {
    dir: Dir,
    /// As given; absolute.
    path: Box<Path>,
    /// With all links resolved: what absolute links inside the knowledge base are compared with.
    canonical: Box<Path>,
}

/// Where the roots of knowledge bases come from.
pub trait Roots: Send + Sync {
    /// The open root of `kb`.
    ///
    /// # Errors
    /// `NotFound` for an unknown knowledge base, `Unavailable` for one whose folder is not there.
    fn root(&self, kb: KbId) -> Result<Root>;
}

/// Links followed for one path, as Linux does.
const LINK_LIMIT: u32 = 40;

impl Root {
    /// Opens the folder at `path`.
    pub fn open(path: &Path) -> Result<Self> {
        let attempt = || -> io::Result<Opened> {
            let path = std::path::absolute(path)?;
            fault::check(|| path.clone())?;
            Ok(Opened {
                dir: Dir::open_ambient_dir(&path, ambient_authority())?,
                canonical: std::fs::canonicalize(&path)?.into(),
                path: path.into(),
            })
        };
        let opened = attempt().map_err(Error::io("open the folder", path.display()))?;
        Ok(Self(Arc::new(opened)))
    }

    /// As it was given to [`Root::open`], absolute.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    pub(crate) fn dir(&self) -> &Dir {
        &self.0.dir
    }

    /// Finds what `path` names: links inside the knowledge base are followed, a name in another Unicode
    /// form is found, and the result holds the place where the bytes are, spelled as on disk. What does
    /// not exist resolves if its parent does. Touches no file.
    ///
    /// # Errors
    /// `Denied` for a link that leads out or to nothing, `Invalid` for a name that fits two entries, or for a new one
    /// below a link, `NotFound` when the parent is missing.
    pub fn resolve(&self, path: &KbPath) -> Result<CheckedPath> {
        let mut todo: VecDeque<OsString> = path.components().map(OsString::from).collect();
        let mut done: Vec<String> = Vec::new();
        let mut links = 0;
        // How many of `todo` links brought in; those come first.
        let mut linked = 0usize;
        while let Some(part) = todo.pop_front() {
            let own = linked == 0;
            linked = linked.saturating_sub(1);
            if part == ".." {
                // Only links bring this in; `done` holds no links, so that popping is what the kernel does.
                if done.pop().is_none() {
                    return Err(escapes(path, "it goes above the root"));
                }
                continue;
            }
            let folder = self.folder(&done, path)?;
            let Some(name) = spelling(&folder, &part, path)? else {
                let name = part.to_str().filter(|_| own && todo.is_empty());
                let Some(name) = name else {
                    return Err(missing(path, &part, !own));
                };
                done.push(name.into());
                if links > 0 {
                    let real = done.join("/");
                    return Err(Error::ThroughLink { path: path.to_string(), real });
                }
                return self.checked(&done, path);
            };
            let meta = folder.symlink_metadata(&name).map_err(Error::io("look at", path))?;
            if !meta.is_symlink() {
                done.push(name);
                continue;
            }
            links += 1;
            if links > LINK_LIMIT {
                return Err(escapes(path, "its links go round in a circle"));
            }
            let target = folder.read_link_contents(&name).map_err(Error::io("read the link", path))?;
            let (from_root, parts) = self.link_parts(&target, path)?;
            if from_root {
                done.clear();
            }
            linked += parts.len();
            for part in parts.into_iter().rev() {
                todo.push_front(part);
            }
        }
        self.checked(&done, path)
    }

    /// As [`Root::resolve`], but a link that `path` itself names is found as a link and not followed.
    ///
    /// # Errors
    /// As [`Root::resolve`], for the folders above.
    pub fn resolve_entry(&self, path: &KbPath) -> Result<CheckedPath> {
        let Some(parent) = path.parent() else { return self.resolve(path) };
        let above = self.resolve(&parent)?;
        let parts: Vec<String> = above.place().components().map(str::to_owned).collect();
        let folder = self.folder(&parts, path)?;
        let name = spelling(&folder, OsStr::new(path.name()), path)?;
        let name = name.as_deref().unwrap_or(path.name());
        let place = above.place().join(name).map_err(|error| escapes(path, &error.to_string()))?;
        Ok(CheckedPath::new(self.clone(), place))
    }

    fn checked(&self, done: &[String], asked: &KbPath) -> Result<CheckedPath> {
        let place = KbPath::parse(&done.join("/")).map_err(|error| escapes(asked, &error.to_string()))?;
        Ok(CheckedPath::new(self.clone(), place))
    }

    /// The handle of a folder whose components are no links.
    fn folder(&self, parts: &[String], asked: &KbPath) -> Result<Dir> {
        let opened = fault::check(|| self.path().join(parts.join("/"))).and_then(|()| {
            if parts.is_empty() { self.dir().try_clone() } else { self.dir().open_dir(parts.join("/")) }
        });
        opened.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Error::NotFound(asked.to_string()),
            _ => Error::io("open the folder of", asked)(error),
        })
    }

    /// The components of a link's target, and whether they count from the root.
    fn link_parts(&self, target: &Path, asked: &KbPath) -> Result<(bool, Vec<OsString>)> {
        let (from_root, relative) = if target.is_absolute() {
            let inside = target
                .strip_prefix(&self.0.path)
                .or_else(|_| target.strip_prefix(&self.0.canonical))
                .map_err(|_| escapes(asked, &format!("it is a link to {}", target.display())))?;
            (true, inside)
        } else {
            (false, target)
        };
        let parts = relative
            .components()
            .filter_map(|component| match component {
                Component::Normal(name) => Some(Ok(name.to_owned())),
                Component::ParentDir => Some(Ok("..".into())),
                Component::CurDir => None,
                Component::RootDir | Component::Prefix(_) => {
                    Some(Err(escapes(asked, &format!("it is a link to {}", target.display()))))
                }
            })
            .collect::<Result<_>>()?;
        Ok((from_root, parts))
    }
}

fn escapes(path: &KbPath, reason: &str) -> Error {
    Error::Escapes { path: path.to_string(), reason: reason.into() }
}

fn missing(path: &KbPath, part: &OsStr, linked: bool) -> Error {
    if linked {
        Error::Dangling { path: path.to_string(), target: part.to_string_lossy().into_owned() }
    } else {
        Error::NotFound(path.to_string())
    }
}

/// How the disk spells `part` in `folder`: the exact name wins, else the one entry that is equal under
/// NFC; `None` when there is none.
fn spelling(folder: &Dir, part: &OsStr, asked: &KbPath) -> Result<Option<String>> {
    let exact = match folder.symlink_metadata(part) {
        Ok(_) => true,
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) if error.kind() == io::ErrorKind::InvalidFilename => return Ok(None),
        Err(error) => return Err(Error::io("look at", asked)(error)),
    };
    let Some(part) = part.to_str() else {
        return Ok(None);
    };
    if !names_tell(part, exact, FOLDS_CASE) {
        return Ok(exact.then(|| part.into()));
    }
    let mut names = Vec::new();
    for entry in folder.entries().map_err(Error::io("list the folder of", asked))? {
        let name = entry.map_err(Error::io("list the folder of", asked))?.file_name();
        names.extend(name.into_string());
    }
    match spelled_among(part, exact, names) {
        Spelled::None => Ok(exact.then(|| part.into())),
        Spelled::As(name) => Ok(Some(name)),
        Spelled::Either(first, second) => Err(Error::Ambiguous { path: asked.to_string(), first, second }),
    }
}

/// Whether the volumes of this platform commonly take names that differ in case only for the same.
const FOLDS_CASE: bool = cfg!(any(windows, target_os = "macos"));

/// Whether only the names in the folder tell how `part` is spelled. Something answers to it if `exact`: where
/// names compare without case, the disk's spelling may still be another one.
fn names_tell(part: &str, exact: bool, folds_case: bool) -> bool {
    if exact { folds_case } else { !part.is_ascii() }
}

#[derive(Debug, PartialEq, Eq)]
enum Spelled {
    None,
    As(String),
    Either(String, String),
}

/// Of the `names` in a folder the one that `part` means: the same, else the only one that is equal under NFC or, where
/// something answers to `part` (`exact`), in all but case.
fn spelled_among(part: &str, exact: bool, names: Vec<String>) -> Spelled {
    let key = |name: &str| KbPath::parse(name).map(|path| path.key()).ok();
    let wanted = key(part);
    let mut fitting = Vec::new();
    for name in names {
        if name == part {
            return Spelled::As(name);
        }
        if key(&name) == wanted || (exact && name.to_lowercase() == part.to_lowercase()) {
            fitting.push(name);
        }
    }
    fitting.sort();
    let mut fitting = fitting.into_iter();
    match (fitting.next(), fitting.next()) {
        (None, _) => Spelled::None,
        (Some(only), None) => Spelled::As(only),
        (Some(first), Some(second)) => Spelled::Either(first, second),
    }
}

#[cfg(test)]
mod tests;
