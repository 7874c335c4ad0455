//! Hints from the operating system that something changed. A hint is never believed: it only says where
//! to look, and any number of them may be lost.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use notify::event::{ModifyKind, RenameMode};
use notify::{ErrorKind, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use orangery_domain::{FilePlace, KbId, KbPath};
use orangery_store::root::{Root, is_temporary};
use tokio::sync::mpsc::{self, error::TrySendError};

use crate::Inner;

/// How long it must be quiet before hints are passed on.
const QUIET: Duration = Duration::from_millis(80);
/// The same for a file that is written after a time without hints: a save is a few of them at once.
const BRIEF: Duration = Duration::from_millis(15);
/// However noisy it is, they wait no longer.
const PATIENCE: Duration = Duration::from_millis(400);
/// More than this at once are not told apart.
const HINT_LIMIT: usize = 4_096;

#[derive(Debug)]
enum Hint {
    At(PathBuf),
    /// Something left this place: more often than not something else is about to take it.
    Left(PathBuf),
    /// Hints were lost.
    Lost,
}

/// The watcher and what it watches. Where the system watches whole trees one watch is enough; on Linux
/// every folder that the scan enters has its own, so that ignored trees cost nothing.
pub struct Watch {
    watcher: Option<RecommendedWatcher>,
    followed: HashMap<KbId, HashSet<PathBuf>>,
    wanted: bool,
}

const WHOLE_TREES: bool = cfg!(any(windows, target_os = "macos"));

impl Watch {
    /// Starts passing hints on to `inner`, if watching is wanted.
    pub fn start(inner: &Arc<Inner>) -> Self {
        let wanted = inner.watching;
        let (hints, receive) = queue(HINT_LIMIT);
        let watcher =
            wanted.then(|| notify::recommended_watcher(move |event| pass_on(event, &hints))).transpose();
        let watcher = watcher.unwrap_or_else(|error| {
            tracing::warn!(%error, "no watcher; folders are polled");
            None
        });
        if watcher.is_some() {
            inner.tasks.spawn(gather(Arc::clone(inner), receive));
        }
        Self { watcher, followed: HashMap::new(), wanted }
    }

    /// Watches `folders`. Returns whether the knowledge base must be polled instead, if that is known
    /// newly.
    pub async fn follow(&mut self, kb: KbId, root: &Root, folders: Vec<KbPath>) -> Option<bool> {
        if !self.wanted {
            return None;
        }
        let Some(mut watcher) = self.watcher.take() else {
            return Some(true);
        };
        let mut followed = self.followed.remove(&kb).unwrap_or_default();
        let root = root.clone();
        let watched = tokio::task::spawn_blocking(move || {
            let polling = watch_folders(&mut watcher, &root, &folders, &mut followed);
            (polling, watcher, followed)
        });
        // Without its watcher it is polled.
        let (polling, watcher, followed) = watched.await.ok()?;
        self.watcher = Some(watcher);
        self.followed.insert(kb, followed);
        polling
    }

    pub fn unfollow(&mut self, kb: KbId) {
        let followed = self.followed.remove(&kb).unwrap_or_default();
        if let Some(watcher) = &mut self.watcher {
            for path in followed {
                // A folder that is gone took its watch along.
                let _ = watcher.unwatch(&path);
            }
        }
    }
}

/// Whether polling is needed, if that is known newly. Blocks.
fn watch_folders(
    watcher: &mut RecommendedWatcher,
    root: &Root,
    folders: &[KbPath],
    followed: &mut HashSet<PathBuf>,
) -> Option<bool> {
    let mode = if WHOLE_TREES { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
    let whole = folders.iter().any(KbPath::is_root);
    for folder in folders {
        if WHOLE_TREES && !folder.is_root() {
            continue;
        }
        let path = root.path().join(folder.as_str());
        match watcher.watch(&path, mode) {
            Ok(()) => {
                followed.insert(path);
            }
            Err(error) if is_exhausted(&error) => {
                tracing::warn!(%error, "watch limit reached; the folder is polled");
                return Some(true);
            }
            // It went away meanwhile; the look that finds it gone needs no watch.
            Err(error) => tracing::debug!(%error, "not watched"),
        }
    }
    // Only a look at everything shows that all of it can be watched.
    whole.then_some(false)
}

/// Whether the system has no more watches to give.
fn is_exhausted(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::MaxFilesWatch => true,
        ErrorKind::Io(error) => {
            matches!(error.kind(), std::io::ErrorKind::StorageFull) || error.raw_os_error() == Some(24)
        }
        _ => false,
    }
}

/// Hints on their way: as many as can be told apart anyway, and whether there were more.
struct Hints {
    queue: mpsc::Sender<Hint>,
    lost: Arc<AtomicBool>,
}

struct Hinted {
    queue: mpsc::Receiver<Hint>,
    lost: Arc<AtomicBool>,
}

fn queue(limit: usize) -> (Hints, Hinted) {
    let (send, receive) = mpsc::channel(limit);
    let lost = Arc::new(AtomicBool::new(false));
    (Hints { queue: send, lost: Arc::clone(&lost) }, Hinted { queue: receive, lost })
}

impl Hints {
    fn send(&self, hint: Hint) {
        // Nobody listens any more when the library is closing.
        if let Err(TrySendError::Full(hint)) = self.queue.try_send(hint) {
            self.lost.store(true, Ordering::Release);
            // If there is room by now the queue may have been emptied before the loss was known.
            drop(self.queue.try_send(hint));
        }
    }
}

fn pass_on(event: notify::Result<notify::Event>, hints: &Hints) {
    let hint = |hint| hints.send(hint);
    match event {
        Ok(event) if event.need_rescan() => hint(Hint::Lost),
        Ok(event) if matches!(event.kind, EventKind::Access(_)) => {}
        Ok(event) => {
            let left = matches!(
                event.kind,
                EventKind::Remove(_)
                    | EventKind::Modify(ModifyKind::Name(RenameMode::From | RenameMode::Any))
            );
            for path in event.paths {
                if !path.file_name().and_then(|name| name.to_str()).is_some_and(is_temporary) {
                    hint(if left { Hint::Left(path) } else { Hint::At(path) });
                }
            }
        }
        Err(error) => {
            tracing::debug!(%error, "watcher");
            hint(Hint::Lost);
        }
    }
}

/// Collects hints until it is quiet, then says where to look.
async fn gather(inner: Arc<Inner>, mut hints: Hinted) {
    let mut told: Option<Instant> = None;
    loop {
        let first = tokio::select! {
            () = inner.cancel.cancelled() => return,
            hint = hints.queue.recv() => match hint {
                Some(hint) => hint,
                None => return,
            },
        };
        let rested = told.is_none_or(|at| at.elapsed() > PATIENCE);
        let batch = collect(first, &mut hints, rested).await;
        let teller = Arc::clone(&inner);
        // Finding the roots asks the disk.
        let told_of = tokio::task::spawn_blocking(move || tell(&teller, batch.paths, batch.lost));
        if told_of.await.is_err() {
            return;
        }
        told = Some(Instant::now());
    }
}

#[derive(Debug, Default, PartialEq)]
struct Batch {
    paths: BTreeSet<PathBuf>,
    lost: bool,
    /// Something went away.
    left: bool,
}

impl Batch {
    fn take(&mut self, hint: Hint) {
        self.left |= matches!(hint, Hint::Left(_));
        match hint {
            Hint::At(path) | Hint::Left(path) if self.paths.len() < HINT_LIMIT => {
                self.paths.insert(path);
            }
            Hint::At(_) | Hint::Left(_) | Hint::Lost => self.lost = true,
        }
    }

    /// How long to wait for more. A look in the middle of a save would only have to be repeated, and one in
    /// the middle of a rename would take the file for another.
    fn quiet(&self, rested: bool) -> Duration {
        if rested && !self.left { BRIEF } else { QUIET }
    }
}

/// All hints up to the next quiet.
async fn collect(first: Hint, hints: &mut Hinted, rested: bool) -> Batch {
    let mut batch = Batch::default();
    batch.take(first);
    let patience = tokio::time::sleep(PATIENCE);
    tokio::pin!(patience);
    loop {
        tokio::select! {
            () = &mut patience => break,
            hint = tokio::time::timeout(batch.quiet(rested), hints.queue.recv()) => match hint {
                Ok(Some(hint)) => batch.take(hint),
                Ok(None) | Err(_) => break,
            },
        }
    }
    batch.lost |= hints.lost.swap(false, Ordering::AcqRel);
    batch
}

fn tell(inner: &Inner, paths: BTreeSet<PathBuf>, lost: bool) {
    let roots = inner.root_paths();
    if lost {
        for (kb, _) in &roots {
            inner.pending().everything(*kb);
        }
    }
    for path in paths {
        if let Some(place) = place_of(&roots, &path) {
            if place.path.is_root() || is_rules(&place.path) {
                inner.pending().everything(place.kb_id);
            } else {
                inner.pending().path(place);
            }
        }
    }
    inner.wake.notify_one();
}

/// A changed ignore file changes what is known of everything below it.
fn is_rules(path: &KbPath) -> bool {
    matches!(path.name(), ".gitignore" | ".ignore" | ".orangeignore")
}

fn place_of(roots: &[(KbId, PathBuf)], path: &Path) -> Option<FilePlace> {
    roots.iter().find_map(|(kb_id, root)| {
        let below = path.strip_prefix(root).ok()?.to_str()?;
        Some(FilePlace { kb_id: *kb_id, path: KbPath::parse(below).ok()? })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_used_up_limit_means_polling_and_a_vanished_folder_does_not() {
        let io = |code| notify::Error::io(std::io::Error::from_raw_os_error(code));
        assert!(is_exhausted(&notify::Error::new(ErrorKind::MaxFilesWatch)));
        assert!(!is_exhausted(&notify::Error::path_not_found()));
        // ENOSPC and EMFILE, as inotify reports its limits.
        #[cfg(target_os = "linux")]
        assert!(is_exhausted(&io(28)) && is_exhausted(&io(24)) && !is_exhausted(&io(2)));
    }

    #[test]
    fn a_single_save_is_told_soon_and_what_goes_away_is_waited_for() {
        let batch = |hints: Vec<Hint>| {
            let mut batch = Batch::default();
            hints.into_iter().for_each(|hint| batch.take(hint));
            batch
        };
        let (at, left) = (|| Hint::At("/kb/a.md".into()), || Hint::Left("/kb/b.md".into()));
        assert_eq!(batch(vec![at(), at()]).quiet(true), BRIEF);
        assert_eq!(batch(vec![at()]).quiet(false), QUIET);
        assert_eq!(batch(vec![at(), left(), at()]).quiet(true), QUIET);
        assert_eq!(batch(vec![at(), left(), at()]).paths.len(), 2);
    }

    #[tokio::test]
    async fn more_hints_than_can_be_kept_are_a_loss_that_is_told_once() {
        let (hints, mut hinted) = queue(3);
        let event = |path: &str| Ok(notify::Event::new(EventKind::Any).add_path(PathBuf::from(path)));
        for at in 0..10 {
            pass_on(event(&format!("/kb/{at}.md")), &hints);
        }
        let first = hinted.queue.recv().await.unwrap();
        let batch = collect(first, &mut hinted, true).await;
        assert_eq!((batch.paths.len(), batch.lost), (3, true));
        pass_on(event("/kb/later.md"), &hints);
        let first = hinted.queue.recv().await.unwrap();
        let batch = collect(first, &mut hinted, true).await;
        assert_eq!((batch.paths.len(), batch.lost), (1, false));
    }

    #[test]
    fn hints_are_placed_below_the_root_they_lie_in() {
        let roots = [(KbId(1), PathBuf::from("/a/kb")), (KbId(2), PathBuf::from("/a/kb-2"))];
        let place = |path: &str| {
            place_of(&roots, Path::new(path)).map(|place| (place.kb_id.0, place.path.to_string()))
        };
        assert_eq!(place("/a/kb/x/y.md"), Some((1, "x/y.md".into())));
        assert_eq!(place("/a/kb-2/y.md"), Some((2, "y.md".into())));
        assert_eq!(place("/a/kb"), Some((1, String::new())));
        assert_eq!(place("/a/other"), None);
    }
}
