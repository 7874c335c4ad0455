//! A file of secrets, encrypted with a passphrase (age, scrypt).

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use age::secrecy::{ExposeSecret, SecretString};

use super::{Error, Secret};

/// scrypt's N is 2^16: a good part of a second and 64 MiB, on every machine the same, so that a file
/// made on a fast one opens on a slow one.
const WORK: u8 = 16;

#[derive(Debug)]
pub(super) struct PassphraseFile {
    path: PathBuf,
    open: Mutex<Option<Open>>,
    /// Held while the file is written, so that no two writers start from the same content.
    writing: tokio::sync::Mutex<()>,
}

#[derive(Clone)]
struct Open {
    passphrase: Arc<SecretString>,
    secrets: BTreeMap<String, String>,
}

impl std::fmt::Debug for Open {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Open").finish_non_exhaustive()
    }
}

impl PassphraseFile {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, open: Mutex::default(), writing: tokio::sync::Mutex::default() }
    }

    pub(super) fn exists(&self) -> bool {
        self.path.exists()
    }

    pub(super) fn is_open(&self) -> bool {
        self.state().is_some()
    }

    /// Reads the file, or makes an empty one, so that the next run notices a wrong passphrase.
    pub(super) async fn open(&self, passphrase: Secret) -> Result<(), Error> {
        if passphrase.expose().is_empty() {
            return Err(Error::EmptyPassphrase);
        }
        let _writing = self.writing.lock().await;
        let passphrase = Arc::new(SecretString::from(passphrase.expose().to_owned()));
        let open = match std::fs::read(&self.path) {
            Ok(bytes) => {
                let with = Arc::clone(&passphrase);
                let secrets = blocking(move || decrypt(&bytes, &with)).await?;
                Open { passphrase, secrets }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let open = Open { passphrase, secrets: BTreeMap::new() };
                self.write(open.clone()).await?;
                open
            }
            Err(error) => return Err(error.into()),
        };
        *self.state() = Some(open);
        Ok(())
    }

    pub(super) fn get(&self, name: &str) -> Result<Option<Secret>, Error> {
        let state = self.state();
        let open = state.as_ref().ok_or(Error::FileClosed)?;
        Ok(open.secrets.get(name).map(Secret::new))
    }

    /// Keeps or, with `None`, forgets a secret.
    pub(super) async fn set(&self, name: &str, secret: Option<Secret>) -> Result<(), Error> {
        let _writing = self.writing.lock().await;
        let mut open = self.state().clone().ok_or(Error::FileClosed)?;
        match secret {
            Some(secret) => {
                open.secrets.insert(name.to_owned(), secret.expose().to_owned());
            }
            None if open.secrets.remove(name).is_none() => return Ok(()),
            None => {}
        }
        self.write(open.clone()).await?;
        *self.state() = Some(open);
        Ok(())
    }

    async fn write(&self, open: Open) -> Result<(), Error> {
        let path = self.path.clone();
        blocking(move || {
            let bytes = encrypt(&open.secrets, &open.passphrase)?;
            Ok(crate::files::write(&path, &bytes)?)
        })
        .await
    }

    fn state(&self) -> std::sync::MutexGuard<'_, Option<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    tokio::task::spawn_blocking(work).await.map_err(|error| io::Error::other(error.to_string()))?
}

fn encrypt(secrets: &BTreeMap<String, String>, with: &SecretString) -> Result<Vec<u8>, Error> {
    let text = serde_json::to_vec(secrets).map_err(io::Error::other)?;
    let mut recipient = age::scrypt::Recipient::new(SecretString::from(with.expose_secret()));
    recipient.set_work_factor(WORK);
    age::encrypt(&recipient, &text).map_err(|error| io::Error::other(error.to_string()).into())
}

fn decrypt(bytes: &[u8], with: &SecretString) -> Result<BTreeMap<String, String>, Error> {
    let mut identity = age::scrypt::Identity::new(SecretString::from(with.expose_secret()));
    // A damaged header must not ask for hours of work.
    identity.set_max_work_factor(WORK);
    let text = age::decrypt(&identity, bytes).map_err(|error| match error {
        age::DecryptError::KeyDecryptionFailed
        | age::DecryptError::DecryptionFailed
        | age::DecryptError::NoMatchingKeys => Error::WrongPassphrase,
        other => Error::FileDamaged(other.to_string()),
    })?;
    // The message of a JSON error can quote what it read, and that is secret.
    serde_json::from_slice(&text).map_err(|_| Error::FileDamaged("its content is no list".into()))
}
