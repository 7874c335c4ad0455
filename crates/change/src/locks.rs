//! One lock for each path, session, change set and tree in use; whoever comes later waits in order.
//!
//! Who changes the content of a file shares the tree of its knowledge base with others who do; who moves or
//! deletes has it alone.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError, Weak},
};

use orangery_domain::{ChangeSetId, FilePlace, KbId, SessionId};
use tokio::sync::{OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};

#[derive(Debug, Default)]
pub struct Locks(Mutex<HashMap<String, Weak<RwLock<()>>>>);

/// Held while its keys are ours.
#[derive(Debug)]
pub struct Held {
    _guards: Vec<Guard>,
}

#[derive(Debug)]
enum Guard {
    Shared { _guard: OwnedRwLockReadGuard<()> },
    Alone { _guard: OwnedRwLockWriteGuard<()> },
}

impl Locks {
    /// All of `places`, in an order that every caller shares.
    pub async fn places<'a>(&self, places: impl IntoIterator<Item = &'a FilePlace>) -> Held {
        self.trees(Vec::new(), places).await
    }

    /// All of `places`, and the trees of these knowledge bases for us alone.
    pub async fn trees<'a>(&self, alone: Vec<KbId>, places: impl IntoIterator<Item = &'a FilePlace>) -> Held {
        let places: Vec<&FilePlace> = places.into_iter().collect();
        let tree = |kb: KbId| format!("tree {kb}");
        let mut keys: BTreeMap<String, bool> = BTreeMap::new();
        for place in &places {
            keys.insert(tree(place.kb_id), false);
            // Who has the tree alone has all that is in it.
            if !alone.contains(&place.kb_id) {
                keys.insert(format!("path {} {}", place.kb_id, place.path.key()), true);
            }
        }
        keys.extend(alone.into_iter().map(|kb| (tree(kb), true)));
        // Trees before paths, for every caller alike.
        let (trees, paths): (Vec<_>, Vec<_>) =
            keys.into_iter().partition(|(key, _)| key.starts_with("tree "));
        self.all(trees.into_iter().chain(paths)).await
    }

    pub async fn session(&self, session: &SessionId) -> Held {
        self.all([(format!("session {session}"), true)]).await
    }

    /// Taken before the set's paths, never after.
    pub async fn set(&self, set: ChangeSetId) -> Held {
        self.all([(format!("set {set}"), true)]).await
    }

    async fn all(&self, keys: impl IntoIterator<Item = (String, bool)>) -> Held {
        let mut guards = Vec::new();
        for (key, alone) in keys {
            let lock = self.lock(key);
            guards.push(if alone {
                Guard::Alone { _guard: lock.write_owned().await }
            } else {
                Guard::Shared { _guard: lock.read_owned().await }
            });
        }
        Held { _guards: guards }
    }

    fn lock(&self, key: String) -> Arc<RwLock<()>> {
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
