//! Places of which a test says that the disk gives no answer. Without the feature `stop-points` there are
//! none.

use std::io;
use std::path::Path;

#[cfg(any(test, feature = "stop-points"))]
mod armed {
    use std::io;
    use std::path::{Path, PathBuf};
    use std::sync::{Mutex, MutexGuard, PoisonError};

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

    pub(super) fn check(path: &Path) -> io::Result<()> {
        match faults().iter().find(|(fault, _)| path.starts_with(fault)) {
            Some((_, kind)) => Err((*kind).into()),
            None => Ok(()),
        }
    }
}

#[cfg(any(test, feature = "stop-points"))]
pub use armed::{Fault, at};

/// Whether `path` answers.
#[cfg(any(test, feature = "stop-points"))]
pub(super) fn check(path: &Path) -> io::Result<()> {
    armed::check(path)
}

#[cfg(not(any(test, feature = "stop-points")))]
#[expect(clippy::unnecessary_wraps, reason = "stands where a test makes a disk give no answer")]
pub(super) fn check(_: &Path) -> io::Result<()> {
    Ok(())
}
