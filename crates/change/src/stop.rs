//! Named points where a test cuts the process or makes a write fail. Without the feature `stop-points`
//! they are nothing.

/// Where a run can be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// The intent is in the journal, no file is touched.
    Journaled,
    /// A new content lies beside its file, first somewhere in memory, then on the disk.
    Staged,
    Synced,
    /// Before and after each file.
    BeforeWrite,
    AfterWrite,
    /// Right before and after a content gets the name of its file.
    BeforePut,
    AfterPut,
    /// Around what moves a file or folder, puts it into the trash, or brings it back.
    BeforeMove,
    AfterMove,
    BeforeTrash,
    AfterTrash,
    BeforeFetch,
    AfterFetch,
    /// All files are written, the database does not know.
    Written,
    /// The database knows, the journal is empty.
    Settled,
    /// In taking back, before and after each file.
    BeforeUnwrite,
    AfterUnwrite,
    /// In recovery, before the journal is emptied.
    Recovered,
}

#[cfg(any(test, feature = "stop-points"))]
mod armed {
    use std::{
        io,
        sync::{Arc, Mutex, PoisonError},
    };

    use super::Point;

    /// What a test has in store for the next writes.
    #[derive(Debug, Clone, Default)]
    pub struct Seam(Arc<Mutex<Armed>>);

    #[derive(Debug, Default)]
    struct Armed {
        /// Abort at the n-th point passed, from 0.
        cut: Option<usize>,
        /// Panic there instead, which a process with other tests survives.
        panics: bool,
        /// Fail the n-th file write, from 0, and all after it if so said.
        fail: Option<(usize, bool, io::ErrorKind)>,
        passed: usize,
        writes: usize,
        meanwhile: Option<Meanwhile>,
    }

    /// What somebody else does the next time that a point is passed.
    struct Meanwhile(Point, Box<dyn FnOnce() + Send>);

    impl std::fmt::Debug for Meanwhile {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.debug_tuple("Meanwhile").field(&self.0).finish_non_exhaustive()
        }
    }

    /// The variable that tells a child process at which point to die.
    pub const CUT: &str = "ORANGERY_STOP_AT";

    impl Seam {
        /// Takes the cut from the environment.
        pub fn from_env() -> Self {
            let seam = Self::default();
            seam.lock().cut = std::env::var(CUT).ok().and_then(|text| text.parse().ok());
            seam
        }

        /// Lets the `nth` write from now on fail, and with `from_then_on` all after it.
        pub fn fail_write(&self, nth: usize, from_then_on: bool, kind: io::ErrorKind) {
            let mut armed = self.lock();
            armed.writes = 0;
            armed.fail = Some((nth, from_then_on, kind));
        }

        /// Lets what runs panic at the `nth` point from now on: nothing after it is done.
        pub fn panic_at(&self, nth: usize) {
            *self.lock() = Armed { cut: Some(nth), panics: true, ..Armed::default() };
        }

        /// Lets `work` happen where `point` is passed next.
        pub fn meanwhile(&self, point: Point, work: impl FnOnce() + Send + 'static) {
            self.lock().meanwhile = Some(Meanwhile(point, Box::new(work)));
        }

        pub fn disarm(&self) {
            *self.lock() = Armed::default();
        }

        /// Points passed so far.
        pub fn passed(&self) -> usize {
            self.lock().passed
        }

        pub(crate) fn point(&self, point: Point) {
            let (here, panics, meanwhile) = {
                let mut armed = self.lock();
                armed.passed += 1;
                let meanwhile = armed.meanwhile.take_if(|Meanwhile(at, _)| *at == point);
                (armed.cut == Some(armed.passed - 1), armed.panics, meanwhile)
            };
            if let Some(Meanwhile(_, work)) = meanwhile {
                work();
            }
            if here && panics {
                std::panic::panic_any("cut here");
            }
            if here {
                std::process::abort();
            }
        }

        pub(crate) fn write(&self) -> io::Result<()> {
            let mut armed = self.lock();
            let at = armed.writes;
            armed.writes += 1;
            match armed.fail {
                Some((nth, false, kind)) if at == nth => Err(kind.into()),
                Some((nth, true, kind)) if at >= nth => Err(kind.into()),
                _ => Ok(()),
            }
        }

        fn lock(&self) -> std::sync::MutexGuard<'_, Armed> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }
}

#[cfg(any(test, feature = "stop-points"))]
pub use armed::{CUT, Seam};

#[cfg(not(any(test, feature = "stop-points")))]
mod absent {
    use std::io;

    use super::Point;

    #[derive(Debug, Clone, Default)]
    pub struct Seam;

    impl Seam {
        pub fn from_env() -> Self {
            Self
        }

        pub(crate) fn point(&self, _: Point) {}

        #[expect(clippy::unnecessary_wraps, reason = "stands where a test makes a write fail")]
        pub(crate) fn write(&self) -> io::Result<()> {
            Ok(())
        }
    }
}

#[cfg(not(any(test, feature = "stop-points")))]
pub use absent::Seam;
