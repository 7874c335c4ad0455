//! The keyring of the system, behind one thread and a time limit: a locked keyring waits for its
//! prompt as long as nobody answers it, and the app must not.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use tokio::sync::oneshot;

use super::{Error, Secret};

const SERVICE: &str = "orangery";
/// Long enough to type the keyring's password, short enough not to seem dead.
const LIMIT: Duration = Duration::from_secs(30);
const PROBE_LIMIT: Duration = Duration::from_secs(4);

type Job = Box<dyn FnOnce() + Send>;

pub(super) struct Keyring {
    /// Sets names of one data directory apart from those of another.
    prefix: String,
    jobs: Mutex<Option<mpsc::Sender<Job>>>,
    /// A call ran out of time and has not come back yet.
    stuck: Arc<AtomicBool>,
}

impl std::fmt::Debug for Keyring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keyring").finish_non_exhaustive()
    }
}

impl Keyring {
    pub(super) fn new(data_dir: &Path) -> Self {
        let data_dir = std::path::absolute(data_dir).unwrap_or_else(|_| data_dir.to_owned());
        let hash = blake3::hash(data_dir.to_string_lossy().as_bytes()).to_hex();
        Self { prefix: hash[..16].to_owned(), jobs: Mutex::default(), stuck: Arc::default() }
    }

    /// Whether the keyring is there and answers. Asks for an entry that nobody made, which no keyring
    /// prompts for.
    pub(super) async fn probe(&self) -> Result<(), Error> {
        let user = self.user("probe");
        self.call(PROBE_LIMIT, move || match entry(&user)?.get_password().map_err(refusal) {
            Ok(_) => Ok(()),
            Err(Found::Nothing) => Ok(()),
            Err(Found::Error(error)) => Err(error),
        })
        .await
    }

    pub(super) async fn set(&self, name: &str, secret: Secret) -> Result<(), Error> {
        let user = self.user(name);
        self.call(LIMIT, move || {
            let entry = entry(&user)?;
            let written = entry.set_password(secret.expose());
            written.map_err(|error| refusal(error).into_error())
        })
        .await
    }

    pub(super) async fn get(&self, name: &str) -> Result<Option<Secret>, Error> {
        let user = self.user(name);
        self.call(LIMIT, move || match entry(&user)?.get_password().map_err(refusal) {
            Ok(value) => Ok(Some(Secret::new(value))),
            Err(Found::Nothing) => Ok(None),
            Err(Found::Error(error)) => Err(error),
        })
        .await
    }

    pub(super) async fn remove(&self, name: &str) -> Result<(), Error> {
        let user = self.user(name);
        self.call(LIMIT, move || match entry(&user)?.delete_credential().map_err(refusal) {
            Ok(()) | Err(Found::Nothing) => Ok(()),
            Err(Found::Error(error)) => Err(error),
        })
        .await
    }

    fn user(&self, name: &str) -> String {
        format!("{}/{name}", self.prefix)
    }

    async fn call<T: Send + 'static>(
        &self,
        limit: Duration,
        work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        if self.stuck.load(Ordering::Acquire) {
            return Err(Error::KeyringSilent);
        }
        let (reply, answer) = oneshot::channel();
        let stuck = Arc::clone(&self.stuck);
        self.send(Box::new(move || {
            let result = work();
            stuck.store(false, Ordering::Release);
            // Nobody waits any more after a timeout.
            let _ = reply.send(result);
        }))?;
        match tokio::time::timeout(limit, answer).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(Error::Keyring("its thread ended".into())),
            Err(_) => {
                self.stuck.store(true, Ordering::Release);
                Err(Error::KeyringSilent)
            }
        }
    }

    /// Hands a job to the thread, which is not one of the runtime's: those are waited for at the end.
    fn send(&self, job: Job) -> Result<(), Error> {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        let job = match &*jobs {
            Some(sender) => match sender.send(job) {
                Ok(()) => return Ok(()),
                Err(mpsc::SendError(job)) => job,
            },
            None => job,
        };
        let (sender, receiver) = mpsc::channel::<Job>();
        std::thread::Builder::new()
            .name("keyring".into())
            .spawn(move || receiver.into_iter().for_each(|job| job()))?;
        sender.send(job).map_err(|_| Error::Keyring("its thread ended".into()))?;
        *jobs = Some(sender);
        Ok(())
    }
}

enum Found {
    Nothing,
    Error(Error),
}

impl Found {
    fn into_error(self) -> Error {
        match self {
            Self::Nothing => Error::Keyring("no such entry".into()),
            Self::Error(error) => error,
        }
    }
}

fn entry(user: &str) -> Result<keyring::Entry, Error> {
    keyring::Entry::new(SERVICE, user).map_err(|error| match error {
        keyring::Error::NoDefaultStore => match keyring::Entry::store_status() {
            Ok(()) => Error::NoKeyring("it did not start".into()),
            Err(cause) => Error::NoKeyring(cause.to_string()),
        },
        other => refusal(other).into_error(),
    })
}

fn refusal(error: keyring::Error) -> Found {
    match error {
        keyring::Error::NoEntry => Found::Nothing,
        // No bus, or a bus on which nobody keeps secrets.
        keyring::Error::PlatformFailure(cause) | keyring::Error::NoStorageAccess(cause) => {
            Found::Error(Error::NoKeyring(cause.to_string()))
        }
        // These carry the stored bytes.
        keyring::Error::BadEncoding(_) | keyring::Error::BadDataFormat(..) => {
            Found::Error(Error::Keyring("what is stored is not text".into()))
        }
        other => Found::Error(Error::Keyring(other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_hanging_keyring_is_given_up_and_comes_back() {
        let keyring = Keyring::new(Path::new("/nowhere"));
        let (release, held) = mpsc::channel::<()>();
        let hanging = keyring.call(Duration::from_millis(10), move || {
            let _ = held.recv();
            Ok(())
        });
        assert!(matches!(hanging.await, Err(Error::KeyringSilent)));
        // While it hangs, the next call fails at once.
        let next = keyring.call(LIMIT, || Ok(())).await;
        assert!(matches!(next, Err(Error::KeyringSilent)));
        release.send(()).unwrap();
        while keyring.stuck.load(Ordering::Acquire) {
            tokio::task::yield_now().await;
        }
        keyring.call(LIMIT, || Ok(())).await.unwrap();
    }
}
