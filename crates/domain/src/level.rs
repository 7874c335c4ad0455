//! How far the assistant may go.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The four permission levels, in rising order of reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
pub enum Level {
    /// Workspace, read-only.
    L1,
    /// Workspace, edits become pending change sets.
    L2,
    /// Full access, asked each time.
    L3,
    /// Full access; this turn's new changes are applied at once.
    L4,
}

impl Level {
    pub const ALL: [Self; 4] = [Self::L1, Self::L2, Self::L3, Self::L4];
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::str::FromStr for Level {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|level| level.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| format!("no level {text}: use L1, L2, L3 or L4"))
    }
}
