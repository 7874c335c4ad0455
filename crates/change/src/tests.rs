//! The crate as a whole, on real folders and a real database.

#![expect(clippy::disallowed_methods, reason = "tests play the user, another program and a damaged disk")]

mod again;
mod bytes;
mod catch_up;
mod conflict;
mod crash;
mod cuts;
mod history;
mod kept;
mod mixes;
mod over;
mod propose;
mod review;
mod save;
mod support;
mod trash;
mod tree;
mod undo;
mod volume;
mod words;
