//! What persists: all SQL, blobs, secrets, the guarded root of a knowledge base and the app's own files.
//!
//! This crate decides nothing: it does not diff, index, or judge.

pub mod blob;
pub mod cache;
pub mod db;
mod error;
pub mod files;
pub mod owner;
pub mod root;
pub mod secret;
pub mod table;

pub use db::{Db, now_ms};
pub use error::{Error, Result};
/// What the writing functions of [`table`] take; a transaction of [`Db::write`] lends one.
pub use sqlx::SqliteConnection;
