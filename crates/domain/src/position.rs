//! Line arithmetic. A line ends at LF, CRLF or a lone CR; nothing else ends one.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A place as an editor counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Position {
    /// From 1.
    pub line: u32,
    /// UTF-16 code units from the start of the line, from 0.
    pub column: u32,
}

/// A run of whole lines, both ends included, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LineRange {
    pub start: u32,
    pub end: u32,
}
