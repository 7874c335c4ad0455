//! The assistant on a real folder, a real database and a real index, with a scripted model.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on says where")]

mod always;
mod context;
mod exec;
mod hidden;
mod lines;
mod recording;
mod script;
mod sessions;
mod sight;
mod support;
mod tools;
mod tree;
mod turns;
mod web;
