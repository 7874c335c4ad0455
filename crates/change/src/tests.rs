//! The crate as a whole, on real folders and a real database.

#![expect(clippy::disallowed_methods, reason = "tests play the user, another program and a damaged disk")]

mod propose;
mod support;
