//! A turn: prompt, model, gate, tools, transcript.
//!
//! This crate writes no user file: it holds `Proposals`, never the applier. It knows no window and no
//! transport, and nothing that a model, a note or a page says reaches the gate's verdict.

mod approval;
mod assistant;
mod call;
mod cite;
mod command;
mod error;
pub mod gate;
mod instructions;
mod picture;
mod programs;
mod prompt;
pub mod rules;
mod sent;
mod session;
mod shell;
mod tool;
mod tools;
mod turn;
mod web;

pub use assistant::{Assistant, AssistantConfig, AtOnce, Models};
pub use command::{CommandCall, CommandResult};
pub use error::{Error, Result};
pub use programs::Programs;
pub use session::{Configuration, NewSession};
pub use tool::specs;
pub use tools::NO_TRANSCRIBER;
pub use web::{WEB_SEARCH_KEY, Web};
