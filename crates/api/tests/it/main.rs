//! The API on a real data directory and real folders.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "tests make their own folders")]

mod code;
mod dropped;
mod every;
mod history;
mod house;
mod marked;
mod owner;
mod secret;
mod typescript;
