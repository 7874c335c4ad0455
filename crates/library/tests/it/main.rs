//! A real folder, a real database, a real index.

#![expect(clippy::unwrap_used, reason = "a test may fail")]
#![expect(
    clippy::disallowed_methods,
    reason = "tests play the user and other programs, who write files as they like"
)]

mod crash;
mod disk;
mod documents;
mod house;
mod lines;
mod links;
mod names;
mod scripts;
mod search;
mod verify;
