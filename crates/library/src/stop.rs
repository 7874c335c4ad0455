//! Named points where a test cuts the process. Without tests they are nothing.

/// Where a run can be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// The database knows what the index does not.
    Stored,
    Removed,
    /// A file is in the writer's memory, or marked as gone there.
    Added,
    Dropped,
    /// Around what makes it searchable.
    BeforeCommit,
    Committed,
    /// The database knows that it is searchable.
    Told,
    /// In making a new index, before and after what says that it is whole.
    BeforeWhole,
    Whole,
}

#[cfg(test)]
mod armed {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::Point;

    /// The variable that tells a child process at which point to die, from 0.
    pub const CUT: &str = "ORANGERY_STOP_AT";

    pub fn point(point: Point) {
        static PASSED: AtomicUsize = AtomicUsize::new(0);
        static CUT_AT: OnceLock<Option<usize>> = OnceLock::new();
        let cut = CUT_AT.get_or_init(|| std::env::var(CUT).ok().and_then(|text| text.parse().ok()));
        if *cut == Some(PASSED.fetch_add(1, Ordering::SeqCst)) {
            tracing::debug!(?point, "cut here");
            std::process::abort();
        }
    }
}

#[cfg(test)]
pub use armed::point;

#[cfg(not(test))]
pub fn point(_: Point) {}

#[cfg(test)]
mod tests;
