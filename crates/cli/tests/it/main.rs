//! The built binary on real folders: what it prints, what it writes, how it ends.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "tests make their own folders")]

#[cfg(unix)]
mod ask;
mod bench;
mod change;
mod command;
mod documents;
#[cfg(target_os = "linux")]
mod exec;
mod find;
mod secret;
mod serve;
