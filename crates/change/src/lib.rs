//! Change sets: propose, diff, review, plan, apply, history; the only writer of user files.
//!
//! This crate does not search, index or judge who may do what, and it never deletes what it did not
//! create itself.

pub mod anchor;
pub mod diff;
pub mod edits;
