//! A turn: prompt, model, gate, tools, transcript.
//!
//! This crate writes no user file: it holds `Proposals`, never the applier. It knows no window and no
//! transport, and nothing that a model, a note or a page says reaches the gate's verdict.

pub mod gate;
pub mod rules;
