//! The Messages protocol of Anthropic (<https://docs.anthropic.com/en/api/messages>), which others
//! speak too.

mod answer;
mod message;

use serde_json::{Value, json};

pub(crate) use answer::read;

use crate::{ChatRequest, Endpoint, fallback::Fallback};

/// Of the protocol; every request names it.
pub(crate) const VERSION: &str = "2023-06-01";
/// Tokens of one answer. The protocol wants a limit; this one is above what a long note needs, and
/// models whose own limit is lower say so.
const ANSWER_TOKENS: u64 = 32_000;

/// The request for an answer as a stream.
pub(crate) fn body(endpoint: &Endpoint, request: &ChatRequest, fallback: Fallback) -> Value {
    // What is asked for has to fit into the model beside the conversation.
    let room = u64::from(endpoint.context_tokens / 2).max(1);
    let answer_tokens = fallback.answer_tokens.unwrap_or(ANSWER_TOKENS).min(room);
    let mut body = json!({
        "model": endpoint.model,
        "max_tokens": answer_tokens,
        "messages": message::list(&request.messages, endpoint.vision && !fallback.blind),
        "stream": true,
    });
    if !request.system.trim().is_empty() {
        // Tools and system are the same in every round: kept by the provider, they cost a tenth.
        body["system"] = json!([{ "type": "text", "text": request.system, "cache_control": kept() }]);
    }
    if endpoint.tools && !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(message::tool).collect();
    }
    body
}

/// Marks the end of what the provider may keep for the next request.
fn kept() -> Value {
    json!({ "type": "ephemeral" })
}
