//! The Gemini protocol of Google (<https://ai.google.dev/api/generate-content>).

mod answer;
mod message;

use serde_json::{Value, json};

pub(crate) use answer::read;

use crate::{ChatRequest, Endpoint, fallback::Fallback};

/// Where `model` is asked for a stream of events. Its name may come as the list of models gives it.
pub(crate) fn path(model: &str) -> String {
    let folder = if model.contains('/') { "" } else { "models/" };
    format!("{folder}{model}:streamGenerateContent?alt=sse")
}

/// The request for an answer as a stream.
pub(crate) fn body(endpoint: &Endpoint, request: &ChatRequest, fallback: Fallback) -> Value {
    let form = message::Form { unsigned: fallback.thoughts, sees: endpoint.vision && !fallback.blind };
    let mut body = json!({ "contents": message::list(&request.messages, form) });
    if !request.system.trim().is_empty() {
        body["systemInstruction"] = json!({ "parts": [{ "text": request.system }] });
    }
    if endpoint.tools && !request.tools.is_empty() {
        let tools: Vec<Value> = request.tools.iter().map(message::tool).collect();
        body["tools"] = json!([{ "functionDeclarations": tools }]);
    }
    body
}
