//! The values in the errors of the crates below that the UI's sentences name.

use orangery_domain::text::SpliceError;

/// Name and value, as `Code` documents them.
pub(super) trait Detail {
    fn detail(&self) -> Vec<(&'static str, String)>;
}

impl Detail for orangery_store::Error {
    fn detail(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Io { path, .. }
            | Self::Escapes { path, .. }
            | Self::Dangling { path, .. }
            | Self::Ambiguous { path, .. }
            | Self::TooLarge { path, .. }
            | Self::NotFound(path)
            | Self::Exists(path)
            | Self::Folder(path)
            | Self::Special(path)
            | Self::ReadOnly(path)
            | Self::OtherVolume(path)
            | Self::Offline(path) => vec![("path", path.clone())],
            Self::ThroughLink { path, real } => vec![("path", path.clone()), ("other", real.clone())],
            Self::NoKnowledgeBase(id) => vec![("kbId", id.to_string())],
            _ => Vec::new(),
        }
    }
}

impl Detail for orangery_library::Error {
    fn detail(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Store(error) => error.detail(),
            Self::NoKnowledgeBase(id) => vec![("kbId", id.to_string())],
            Self::Holds { root, other, .. } | Self::LiesWithin { root, other, .. } => {
                vec![("path", root.clone()), ("other", other.clone())]
            }
            Self::AddedAlready(root, other) => vec![("path", root.clone()), ("other", other.clone())],
            Self::Undecodable { path, .. } => vec![("path", path.clone())],
            Self::Offline(path)
            | Self::NotAFolder(path)
            | Self::OwnData(path)
            | Self::LeftOut(path)
            | Self::NotFound(path)
            | Self::NotADocument(path)
            | Self::WrongPassword(path)
            | Self::Glob(path, _) => vec![("path", path.clone())],
            Self::Pattern(pattern, reason) => {
                vec![("pattern", pattern.clone()), ("reason", reason.clone())]
            }
            Self::NoReader(reason) => vec![("reason", reason.clone())],
            Self::Document(trouble) => vec![("detail", trouble.detail.clone())],
            _ => Vec::new(),
        }
    }
}

impl Detail for orangery_change::Error {
    fn detail(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Store(error) => error.detail(),
            Self::BaseMoved { path }
            | Self::NotText { path, .. }
            | Self::Misfit { path }
            | Self::Extension { path }
            | Self::ThereAlready { path }
            | Self::Trash { path, .. }
            | Self::IntoItself { path }
            | Self::Exists { path } => vec![("path", path.to_string())],
            Self::Splice { path, reason } => {
                let mut detail = vec![("path", path.to_string())];
                if let SpliceError::Unencodable { character, encoding } = reason {
                    detail.push(("character", character.to_string()));
                    detail.push(("encoding", encoding.label().to_owned()));
                }
                detail
            }
            Self::VolumeWithin { path, at } => vec![("path", path.to_string()), ("other", at.to_string())],
            Self::Alike { path, other } => vec![("path", path.to_string()), ("other", other.clone())],
            Self::HalfWritten { left, .. } => vec![("path", left.clone())],
            _ => Vec::new(),
        }
    }
}

impl Detail for orangery_agent::Error {
    fn detail(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Store(error) => error.detail(),
            Self::Library(error) => error.detail(),
            Self::Change(error) => error.detail(),
            Self::RulesNotWritten { file, reason } => {
                vec![("path", file.clone()), ("reason", reason.clone())]
            }
            Self::NoJob(job) => vec![("job", job.to_string())],
            _ => Vec::new(),
        }
    }
}
