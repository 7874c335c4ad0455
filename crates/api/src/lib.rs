//! The one typed API: the command list, its handlers, events and wiring.
//!
//! This crate knows no transport: no HTTP, no IPC, no window. A host hands it a method name and JSON,
//! and forwards its events and blobs.

pub mod app;
pub mod blob;
pub mod child;
pub mod commands;
pub mod error;
pub mod event;
mod handlers;
pub mod json;
mod owner;
pub mod page;
pub mod request;
mod rooms;
mod sample;
pub mod typescript;

pub use app::{App, Config};
pub use orangery_domain as domain;
pub use orangery_library::{CHANGES_LOST, WorkerCommand};
