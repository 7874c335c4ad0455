#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]
#![expect(clippy::disallowed_methods, reason = "tests make their own folders and decide what may run")]

mod confine;
mod ends;
mod jobs;
mod killed;
mod outcome;
mod support;
