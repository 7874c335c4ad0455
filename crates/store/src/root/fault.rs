//! Places of which a test says that the disk gives no answer, or that they lie on another volume or in another mount.
//! Without the feature `stop-points` there are none, and nobody makes paths to ask about.

use std::io;
use std::path::PathBuf;

#[cfg(any(test, feature = "stop-points"))]
mod armed {
    use std::io;
    use std::path::{Path, PathBuf};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    type Places = Mutex<Vec<PathBuf>>;

    static VOLUMES: Places = Mutex::new(Vec::new());
    static MOUNTS: Places = Mutex::new(Vec::new());
    static FAULTS: Mutex<Vec<(PathBuf, io::ErrorKind)>> = Mutex::new(Vec::new());

    fn faults() -> MutexGuard<'static, Vec<(PathBuf, io::ErrorKind)>> {
        FAULTS.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends with this.
    #[derive(Debug)]
    pub struct Fault(PathBuf);

    /// Whatever is asked about `path`, or about something below it, fails so.
    pub fn at(path: &Path, kind: io::ErrorKind) -> Fault {
        faults().push((path.to_owned(), kind));
        Fault(path.to_owned())
    }

    impl Drop for Fault {
        fn drop(&mut self) {
            faults().retain(|(path, _)| *path != self.0);
        }
    }

    /// Ends with this.
    #[derive(Debug)]
    pub struct Elsewhere {
        places: &'static Places,
        path: PathBuf,
    }

    impl Elsewhere {
        fn begin(places: &'static Places, path: &Path) -> Self {
            places.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
            Self { places, path: path.to_owned() }
        }
    }

    impl Drop for Elsewhere {
        fn drop(&mut self) {
            let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
            places.retain(|path| *path != self.path);
        }
    }

    /// `path` and what is below it say that they lie on another volume.
    pub fn volume(path: &Path) -> Elsewhere {
        Elsewhere::begin(&VOLUMES, path)
    }

    /// `path` and what is below it say that they are mounted there, from the same volume.
    pub fn bind(path: &Path) -> Elsewhere {
        Elsewhere::begin(&MOUNTS, path)
    }

    pub(super) fn device(path: &Path, own: Option<u64>) -> Option<u64> {
        told(&VOLUMES, path, own)
    }

    pub(super) fn mount(path: &Path, own: Option<u64>) -> Option<u64> {
        told(&MOUNTS, path, own)
    }

    /// What `path` says instead of its `own` number.
    fn told(places: &Places, path: &Path, own: Option<u64>) -> Option<u64> {
        let places = places.lock().unwrap_or_else(PoisonError::into_inner);
        let other = places.iter().any(|place| path.starts_with(place));
        own.map(|own| if other { !own } else { own })
    }

    pub(super) fn check(path: &Path) -> io::Result<()> {
        match faults().iter().find(|(fault, _)| path.starts_with(fault)) {
            Some((_, kind)) => Err((*kind).into()),
            None => Ok(()),
        }
    }
}

#[cfg(any(test, feature = "stop-points"))]
pub use armed::{Elsewhere, Fault, at, bind, volume};

/// Whether a place answers.
#[cfg(any(test, feature = "stop-points"))]
pub(super) fn check(path: impl FnOnce() -> PathBuf) -> io::Result<()> {
    armed::check(&path())
}

#[cfg(not(any(test, feature = "stop-points")))]
pub(super) fn check(_: impl FnOnce() -> PathBuf) -> io::Result<()> {
    Ok(())
}

/// The volume that a place says it lies on.
#[cfg(any(test, feature = "stop-points"))]
pub(super) fn device(path: impl FnOnce() -> PathBuf, own: Option<u64>) -> Option<u64> {
    armed::device(&path(), own)
}

#[cfg(not(any(test, feature = "stop-points")))]
pub(super) fn device(_: impl FnOnce() -> PathBuf, own: Option<u64>) -> Option<u64> {
    own
}

/// The mount that a place says it lies in.
#[cfg(any(test, feature = "stop-points"))]
pub(super) fn mount(path: impl FnOnce() -> PathBuf, own: Option<u64>) -> Option<u64> {
    armed::mount(&path(), own)
}

#[cfg(not(any(test, feature = "stop-points")))]
pub(super) fn mount(_: impl FnOnce() -> PathBuf, own: Option<u64>) -> Option<u64> {
    own
}
