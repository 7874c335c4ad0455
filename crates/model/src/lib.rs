//! Language models: one request, one stream of pieces, whatever the provider.
//!
//! This crate keeps no conversation, runs no tool, counts no cost and never picks a model: it sends
//! what it is given to the endpoint that it is given. It never reads a call out of text: text that
//! looks like one is text. Today it speaks the chat completions that OpenAI made and many servers
//! speak, each in its own way; what they do differently is dealt with here and nowhere else.

mod error;
mod openai;
mod request;
mod retry;
mod sse;
mod stream;

pub use error::Error;
pub use openai::{RECORDING_LIMIT, list_models, transcribe};
pub use request::{
    ChatMessage, ChatRequest, Endpoint, Key, Picture, Reasoning, ReasoningForm, ToolCall, ToolSpec,
};
pub use stream::{Finish, Piece, chat};

#[cfg(test)]
mod tests;
