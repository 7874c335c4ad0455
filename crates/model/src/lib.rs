//! Language models: one request, one stream of pieces, whatever the provider.
//!
//! This crate keeps no conversation, runs no tool, counts no cost and never picks a model: it sends
//! what it is given to the endpoint that it is given. It never reads a call out of text: text that
//! looks like one is text. It speaks the chat completions that OpenAI made and many servers speak, each
//! in its own way, the Messages of Anthropic, and Gemini; what they do differently is dealt with here
//! and nowhere else.
//!
//! The adapters are our own because what servers really send has to be survived, and libraries do not
//! bend there: `genai` 0.4 and `async-openai` 0.43 were read for it. The first takes a call only with an
//! index and with its arguments as a string, one call of a chunk, keeps no finish reason and no
//! thoughts to send back, and knows no `Retry-After`; the second refuses a chunk without an index and
//! speaks one protocol.

mod answer;
mod anthropic;
mod calls;
mod error;
mod fallback;
mod gemini;
mod offer;
mod openai;
mod picture;
mod protocol;
mod refusal;
mod request;
mod retry;
mod sse;
mod stream;
mod tokens;

pub use error::Error;
pub use offer::list_models;
pub use openai::{RECORDING_LIMIT, transcribe};
pub use request::{
    ChatMessage, ChatRequest, Endpoint, Key, Picture, Reasoning, ReasoningForm, Seal, SealKind, ToolCall,
    ToolSpec,
};
pub use stream::{Finish, Piece, chat};
pub use tokens::{estimate, estimate_message, estimate_request};

#[cfg(test)]
mod tests;
