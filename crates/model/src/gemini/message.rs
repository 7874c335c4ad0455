//! A conversation as the protocol wants it: contents of user and model, each with parts.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::picture::{self, Part, Shown};
use crate::{ChatMessage, Picture, ToolCall, ToolSpec};

/// What the provider takes for the signature of a call that its model did not make
/// (<https://ai.google.dev/gemini-api/docs/thought-signatures>).
const NOT_OURS: &str = "skip_thought_signature_validator";

/// What a conversation is sent with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    /// Calls without a signature say that they have none.
    pub unsigned: bool,
    /// Pictures go as pictures; else only what they are of is said.
    pub sees: bool,
}

pub(super) fn list(messages: &[ChatMessage], form: Form) -> Value {
    let mut names = HashMap::new();
    let mut contents: Vec<Value> = Vec::new();
    // All results of one round are one content, as many as there were calls.
    let mut results: Vec<Value> = Vec::new();
    for message in messages {
        if !matches!(message, ChatMessage::Tool { .. }) && !results.is_empty() {
            contents.push(content("user", std::mem::take(&mut results)));
        }
        let (role, parts) = match message {
            ChatMessage::Tool { call_id, content } => {
                let name = names.get(call_id.as_str()).copied().unwrap_or_default();
                results.push(result(call_id, name, content));
                continue;
            }
            ChatMessage::User { text } => ("user", said(text).into_iter().collect()),
            ChatMessage::Pictures { pictures, .. } => ("user", shown(pictures, form.sees)),
            ChatMessage::Assistant { text, calls, .. } => {
                names.extend(calls.iter().map(|call| (call.id.as_str(), call.name.as_str())));
                // The first call of a round is the one that must be signed.
                let calls = calls.iter().enumerate().map(|(at, it)| call(it, form.unsigned && at == 0));
                ("model", said(text).into_iter().chain(calls).collect::<Vec<_>>())
            }
        };
        if !parts.is_empty() {
            contents.push(content(role, parts));
        }
    }
    if !results.is_empty() {
        contents.push(content("user", results));
    }
    contents.into()
}

fn content(role: &str, parts: Vec<Value>) -> Value {
    json!({ "role": role, "parts": parts })
}

fn said(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| json!({ "text": text }))
}

fn shown(pictures: &[Picture], sees: bool) -> Vec<Value> {
    match picture::parts(pictures, sees) {
        Shown::Words(words) => said(&words).into_iter().collect(),
        Shown::Parts(parts) => parts
            .into_iter()
            .map(|part| match part {
                Part::Label(label) => json!({ "text": label }),
                Part::Pixels { media_type, base64 } => {
                    json!({ "inlineData": { "mimeType": media_type, "data": base64 } })
                }
            })
            .collect(),
    }
}

fn call(call: &ToolCall, must_be_signed: bool) -> Value {
    let arguments = serde_json::from_str::<Value>(&call.arguments).ok().filter(Value::is_object);
    // The protocol takes objects only; the result says what was wrong with anything else.
    let arguments = arguments.unwrap_or_else(|| json!({ "malformed": call.arguments }));
    let mut part = json!({ "functionCall": { "id": call.id, "name": call.name, "args": arguments } });
    if let Some(signature) = call.signature.as_deref().or(must_be_signed.then_some(NOT_OURS)) {
        part["thoughtSignature"] = signature.into();
    }
    part
}

fn result(call_id: &str, name: &str, content: &str) -> Value {
    json!({ "functionResponse": { "id": call_id, "name": name, "response": { "output": content } } })
}

pub(super) fn tool(tool: &ToolSpec) -> Value {
    json!({
        "name": tool.name,
        "description": tool.description,
        "parametersJsonSchema": tool.parameters,
    })
}
