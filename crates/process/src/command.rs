//! What to run, and the proof that it may run.

use std::ops::{Deref, RangeInclusive};
use std::path::PathBuf;
use std::time::Duration;

use crate::{Confinement, Environment, Error, Support};

/// Seconds that a caller may allow one command.
pub const TIMEOUT_SECONDS: RangeInclusive<u64> = 5..=1800;
pub const DEFAULT_TIMEOUT_SECONDS: u64 = 120;

/// A command line, where and how it is to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// In the language of the [`Shell`](crate::Shell) of this system.
    pub line: String,
    /// Absolute.
    pub folder: PathBuf,
    pub environment: Environment,
    /// `None`: until it ends by itself or is stopped.
    pub timeout: Option<Duration>,
    pub confinement: Option<Confinement>,
}

impl Command {
    pub fn new(line: impl Into<String>, folder: impl Into<PathBuf>) -> Self {
        Self {
            line: line.into(),
            folder: folder.into(),
            environment: Environment::default(),
            timeout: Some(Duration::from_secs(DEFAULT_TIMEOUT_SECONDS)),
            confinement: None,
        }
    }
}

/// A command that may run. Holding one is the permission: only the gate makes it, from exactly what it
/// has judged, and nothing in it can be changed afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedCommand(Command);

impl AllowedCommand {
    /// Takes `command` if it can be run at all. To be called by the one who has decided that it may.
    pub fn check(command: Command) -> Result<Self, Error> {
        if command.line.trim().is_empty() {
            return Err(Error::Empty);
        }
        if command.line.contains('\0') {
            return Err(Error::Nul);
        }
        let path = &command.folder;
        if !path.is_absolute() {
            return Err(Error::RelativeFolder(path.clone()));
        }
        let trouble = match path.metadata() {
            Ok(metadata) if metadata.is_dir() => None,
            Ok(_) => Some("it is a file".to_owned()),
            Err(error) => Some(error.to_string()),
        };
        if let Some(reason) = trouble {
            return Err(Error::Folder { path: path.clone(), reason });
        }
        if command.confinement.is_some()
            && let Support::No(reason) = Confinement::support()
        {
            return Err(Error::NoConfinement(reason));
        }
        Ok(Self(command))
    }
}

impl Deref for AllowedCommand {
    type Target = Command;

    fn deref(&self) -> &Command {
        &self.0
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests decide themselves")]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_run_is_refused_before_it_is_started() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |line: &str, folder: PathBuf| AllowedCommand::check(Command::new(line, folder)).err();
        assert_eq!(refused("true", folder.path().into()), None);
        assert_eq!(refused(" \n", folder.path().into()), Some(Error::Empty));
        assert_eq!(refused("a\0b", folder.path().into()), Some(Error::Nul));
        assert_eq!(refused("true", "notes".into()), Some(Error::RelativeFolder("notes".into())));
        let missing = refused("true", folder.path().join("gone")).unwrap();
        assert_eq!(missing.kind(), orangery_domain::ErrorKind::NotFound);
        assert!(missing.to_string().contains("gone"), "{missing}");
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(refused("true", file.path().into()).unwrap().to_string().contains("it is a file"));
    }
}
