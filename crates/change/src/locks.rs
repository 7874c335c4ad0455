//! One lock for each path, session and change set in use; whoever comes later waits in order.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use orangery_domain::{ChangeSetId, FilePlace, SessionId};
use tokio::sync::OwnedMutexGuard;

#[derive(Debug, Default)]
pub struct Locks(Mutex<HashMap<String, Weak<tokio::sync::Mutex<()>>>>);

/// Held while its keys are ours.
#[derive(Debug)]
pub struct Held {
    _guards: Vec<OwnedMutexGuard<()>>,
}

impl Locks {
    /// All of `places`, in an order that every caller shares.
    pub async fn places<'a>(&self, places: impl IntoIterator<Item = &'a FilePlace>) -> Held {
        let keys = places.into_iter().map(|place| format!("path {} {}", place.kb_id, place.path.key()));
        self.all(keys.collect()).await
    }

    pub async fn session(&self, session: &SessionId) -> Held {
        self.all(vec![format!("session {session}")]).await
    }

    /// Taken before the set's paths, never after.
    pub async fn set(&self, set: ChangeSetId) -> Held {
        self.all(vec![format!("set {set}")]).await
    }

    async fn all(&self, mut keys: Vec<String>) -> Held {
        keys.sort_unstable();
        keys.dedup();
        let mut guards = Vec::with_capacity(keys.len());
        for key in keys {
            let lock = self.lock(key);
            guards.push(lock.lock_owned().await);
        }
        Held { _guards: guards }
    }

    fn lock(&self, key: String) -> Arc<tokio::sync::Mutex<()>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lock) = known.get(&key).and_then(Weak::upgrade) {
            return lock;
        }
        known.retain(|_, lock| lock.strong_count() > 0);
        let lock = Arc::default();
        known.insert(key, Arc::downgrade(&lock));
        lock
    }
}
