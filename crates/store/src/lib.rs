//! What persists: all SQL, blobs, secrets, the guarded root of a knowledge base and the app's own files.
//!
//! This crate decides nothing: it does not diff, index, or judge.

pub mod table;
