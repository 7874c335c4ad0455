//! Paths inside a knowledge base.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use unicode_normalization::UnicodeNormalization;

/// A normalised path relative to a knowledge base's root: components joined by `/`, no empty, `.` or
/// `..` component, no NUL. The empty path is the root. The spelling (NFC or NFD) is the disk's own;
/// [`KbPath::key`] is what comparisons use.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(try_from = "String", into = "String")]
#[ts(type = "string")]
pub struct KbPath(String);

/// Why a string is not a [`KbPath`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    #[error("path {0:?} is absolute; give it relative to the knowledge base")]
    Absolute(String),
    #[error("path {0:?} leads out of the knowledge base")]
    Escapes(String),
    #[error("path {0:?} holds a character that no file name can hold")]
    Character(String),
}

impl KbPath {
    /// The root of the knowledge base.
    pub fn root() -> Self {
        Self(String::new())
    }

    /// Parses and normalises. `a//b`, `./a/b` and `a/b/` become `a/b`; `a/../b` becomes `b`; what
    /// would climb above the root is an error. On Windows `\` separates too.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        if text.contains('\0') {
            return Err(PathError::Character(text.into()));
        }
        let windows = cfg!(windows);
        let separator = |c: char| c == '/' || (windows && c == '\\');
        if text.starts_with(separator) || (windows && text.chars().nth(1) == Some(':')) {
            return Err(PathError::Absolute(text.into()));
        }
        let mut parts: Vec<&str> = Vec::new();
        for part in text.split(separator) {
            match part {
                "" | "." => {}
                ".." => {
                    if parts.pop().is_none() {
                        return Err(PathError::Escapes(text.into()));
                    }
                }
                part => parts.push(part),
            }
        }
        Ok(Self(parts.join("/")))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The last component; empty for the root.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// The name without its extension.
    pub fn stem(&self) -> &str {
        match self.name().rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => self.name(),
        }
    }

    /// The folder that holds this; `None` for the root.
    pub fn parent(&self) -> Option<Self> {
        if self.is_root() {
            return None;
        }
        Some(Self(self.0.rsplit_once('/').map(|(parent, _)| parent.into()).unwrap_or_default()))
    }

    /// Components from the root down.
    pub fn components(&self) -> impl Iterator<Item = &str> {
        self.0.split('/').filter(|part| !part.is_empty())
    }

    /// This path with `name` below it; `name` may itself be a relative path.
    pub fn join(&self, name: &str) -> Result<Self, PathError> {
        let joined = Self::parse(name)?;
        Ok(match (self.is_root(), joined.is_root()) {
            (true, _) => joined,
            (_, true) => self.clone(),
            _ => Self(format!("{}/{}", self.0, joined.0)),
        })
    }

    /// Whether this is `folder` or lies below it, by whole components under NFC.
    pub fn is_within(&self, folder: &Self) -> bool {
        let (own, folder) = (self.key(), folder.key());
        folder.is_empty()
            || own == folder
            || own.strip_prefix(&folder).is_some_and(|rest| rest.starts_with('/'))
    }

    /// This path, which is `from` or lies below it, as it is once `from` is `to`; `None` when it lies elsewhere.
    pub fn carried(&self, from: &Self, to: &Self) -> Option<Self> {
        if !self.is_within(from) {
            return None;
        }
        let below: Vec<&str> = self.components().skip(from.components().count()).collect();
        to.join(&below.join("/")).ok()
    }

    /// NFC form: two paths with one key are the same path to a user.
    pub fn key(&self) -> String {
        self.0.nfc().collect()
    }
}

impl std::fmt::Display for KbPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl TryFrom<String> for KbPath {
    type Error = PathError;
    fn try_from(text: String) -> Result<Self, PathError> {
        Self::parse(&text)
    }
}

impl From<KbPath> for String {
    fn from(path: KbPath) -> Self {
        path.0
    }
}

/// A place in the user's files: which knowledge base, which path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FilePlace {
    pub kb_id: KbId,
    pub path: KbPath,
}

use crate::id::KbId;

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, expected: Result<&str, &str>) {
        let got = KbPath::parse(input);
        match (got, expected) {
            (Ok(path), Ok(text)) => assert_eq!(path.as_str(), text, "{input}"),
            (Err(error), Err(text)) => {
                assert!(error.to_string().contains(text), "{input}: {error}")
            }
            (got, expected) => panic!("{input}: {got:?} instead of {expected:?}"),
        }
    }

    #[test]
    fn paths_are_normalised_and_never_leave_the_root() {
        check("a//b/./c/", Ok("a/b/c"));
        check("a/../b", Ok("b"));
        check(".", Ok(""));
        check("-dash #100% 'q' \"d\" 🍊.", Ok("-dash #100% 'q' \"d\" 🍊."));
        check("../a", Err("leads out"));
        check("a/../../b", Err("leads out"));
        check("/etc/passwd", Err("absolute"));
        check("a\0b", Err("character"));
    }

    #[test]
    fn within_compares_whole_components() {
        let path = |text| KbPath::parse(text).expect("path");
        assert!(path("work/a").is_within(&path("work")));
        assert!(!path("work-hack/a").is_within(&path("work")));
        assert!(path("cafe\u{301}/a").is_within(&path("café")));
    }

    #[test]
    fn what_lies_below_a_folder_is_carried_along() {
        let path = |text| KbPath::parse(text).expect("path");
        let carried = |own, from, to| path(own).carried(&path(from), &path(to)).map(String::from);
        assert_eq!(carried("p/deep/a.md", "p", "q/p").as_deref(), Some("q/p/deep/a.md"));
        assert_eq!(carried("p", "p", "q").as_deref(), Some("q"));
        assert_eq!(carried("p/a.md", "p", "").as_deref(), Some("a.md"));
        assert_eq!(carried("cafe\u{301}/a", "café", "b").as_deref(), Some("b/a"));
        assert_eq!(carried("pq/a", "p", "q"), None);
    }
}
