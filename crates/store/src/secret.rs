//! API keys: in the keyring of the system, or, by the user's explicit choice, for this run only or in
//! a file encrypted with a passphrase. Never in plain text, and never silently in a lesser place than
//! the one that was asked for.

mod file;
mod keyring;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use orangery_domain::{ErrorKind, KeyPlace, SecretStatus};

use file::PassphraseFile;
use keyring::Keyring;

/// A value that must not be shown. Debug output is a placeholder, and there is no serialization.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The value itself, for the one place that sends it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Why a secret could not be kept or read. No message holds a secret.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("there is no keyring on this machine: {0}")]
    NoKeyring(String),
    #[error("the keyring does not answer; it may be waiting for its password")]
    KeyringSilent,
    #[error("the keyring refused: {0}")]
    Keyring(String),
    #[error("the passphrase file is closed")]
    FileClosed,
    #[error("the passphrase does not open the file")]
    WrongPassphrase,
    #[error("a passphrase cannot be empty")]
    EmptyPassphrase,
    #[error("the passphrase file is damaged: {0}")]
    FileDamaged(String),
    #[error(transparent)]
    Store(#[from] crate::Error),
    #[error("the passphrase file could not be read or written: {0}")]
    Io(#[from] std::io::Error),
    #[error("a secret needs a place to be kept in")]
    NoPlace,
}

impl Error {
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NoKeyring(_) | Self::KeyringSilent | Self::Keyring(_) | Self::FileClosed => {
                ErrorKind::Unavailable
            }
            Self::WrongPassphrase => ErrorKind::Denied,
            Self::EmptyPassphrase | Self::NoPlace => ErrorKind::Invalid,
            Self::FileDamaged(_) => ErrorKind::Corrupt,
            Self::Store(error) => error.kind(),
            Self::Io(_) => ErrorKind::Internal,
        }
    }
}

/// All places where a secret can be.
#[derive(Debug)]
pub struct Secrets {
    keyring: Keyring,
    file: PassphraseFile,
    run: Mutex<BTreeMap<String, Secret>>,
}

impl Secrets {
    /// The secrets of one data directory. Touches neither keyring nor file yet.
    pub fn open(data_dir: &Path) -> Self {
        Self {
            keyring: Keyring::new(data_dir),
            file: PassphraseFile::new(data_dir.join("secrets.age")),
            run: Mutex::default(),
        }
    }

    /// What can keep a secret here and now.
    pub async fn status(&self) -> SecretStatus {
        let reason = self.keyring.probe().await.err();
        SecretStatus {
            keyring: reason.is_none(),
            reason: reason.map(|error| error.to_string()),
            file: self.file.exists(),
            file_open: self.file.is_open(),
        }
    }

    /// Opens the passphrase file for this run, or makes it when there is none.
    pub async fn open_file(&self, passphrase: Secret) -> Result<(), Error> {
        self.file.open(passphrase).await
    }

    /// Keeps `secret` under `name` in `place` and nowhere else.
    pub async fn set(&self, name: &str, secret: Secret, place: KeyPlace) -> Result<(), Error> {
        match place {
            KeyPlace::None => Err(Error::NoPlace),
            KeyPlace::Keyring => self.keyring.set(name, secret).await,
            KeyPlace::File => self.file.set(name, Some(secret)).await,
            KeyPlace::Run => {
                self.run_map().insert(name.to_owned(), secret);
                Ok(())
            }
        }
    }

    /// The secret kept under `name` in `place`. What was kept for this run comes before any place.
    pub async fn get(&self, name: &str, place: KeyPlace) -> Result<Option<Secret>, Error> {
        if let Some(secret) = self.run_map().get(name) {
            return Ok(Some(secret.clone()));
        }
        match place {
            KeyPlace::None | KeyPlace::Run => Ok(None),
            KeyPlace::Keyring => self.keyring.get(name).await,
            KeyPlace::File => self.file.get(name),
        }
    }

    /// Forgets the secret kept under `name` in `place`; nothing there is fine.
    pub async fn remove(&self, name: &str, place: KeyPlace) -> Result<(), Error> {
        match place {
            KeyPlace::None => Ok(()),
            KeyPlace::Run => {
                self.run_map().remove(name);
                Ok(())
            }
            KeyPlace::Keyring => self.keyring.remove(name).await,
            KeyPlace::File => self.file.set(name, None).await,
        }
    }

    /// Whether a secret is kept for this run.
    pub fn kept_for_run(&self, name: &str) -> bool {
        self.run_map().contains_key(name)
    }

    fn run_map(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Secret>> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
