//! A conversation as the protocol wants it: user and assistant in turn, each with blocks.

use serde_json::{Value, json};

use super::kept;
use crate::picture::{self, Part, Shown};
use crate::{ChatMessage, Picture, Reasoning, ReasoningForm, SealKind, ToolCall, ToolSpec};

/// `sees` says whether pictures go as pictures.
pub(super) fn list(messages: &[ChatMessage], sees: bool) -> Value {
    let mut list: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in messages {
        let (role, blocks) = one(message, sees);
        // What one side says in a row is one message. Results come before whatever else is said, as
        // the protocol wants, because they do so in the conversation.
        match list.last_mut() {
            Some((last, all)) if *last == role => all.extend(blocks),
            _ if blocks.is_empty() => {}
            _ => list.push((role, blocks)),
        }
    }
    if let Some(last) = list.last_mut().and_then(|(_, blocks)| blocks.last_mut()) {
        last["cache_control"] = kept();
    }
    list.into_iter().map(|(role, content)| json!({ "role": role, "content": content })).collect()
}

fn one(message: &ChatMessage, sees: bool) -> (&'static str, Vec<Value>) {
    match message {
        ChatMessage::User { text } => ("user", said(text).into_iter().collect()),
        ChatMessage::Tool { call_id, content } => {
            let result = json!({ "type": "tool_result", "tool_use_id": id(call_id), "content": content });
            ("user", vec![result])
        }
        ChatMessage::Pictures { pictures, .. } => ("user", shown(pictures, sees)),
        ChatMessage::Assistant { text, reasoning, calls } => {
            // Thoughts of a turn that is over need not go back.
            let thoughts = reasoning.as_ref().filter(|_| !calls.is_empty()).map(thoughts);
            let blocks = thoughts.into_iter().flatten().chain(said(text)).chain(calls.iter().map(call));
            ("assistant", blocks.collect())
        }
    }
}

/// Text as a block. Blank ones are refused.
fn said(text: &str) -> Option<Value> {
    (!text.trim().is_empty()).then(|| json!({ "type": "text", "text": text }))
}

fn shown(pictures: &[Picture], sees: bool) -> Vec<Value> {
    match picture::parts(pictures, sees) {
        Shown::Words(words) => said(&words).into_iter().collect(),
        Shown::Parts(parts) => parts
            .into_iter()
            .map(|part| match part {
                Part::Label(label) => json!({ "type": "text", "text": label }),
                Part::Pixels { media_type, base64 } => json!({
                    "type": "image",
                    "source": { "type": "base64", "media_type": media_type, "data": base64 },
                }),
            })
            .collect(),
    }
}

/// Blocks of thoughts as they came; nothing of thoughts that bear no signature of this provider.
fn thoughts(reasoning: &Reasoning) -> Vec<Value> {
    if reasoning.form != ReasoningForm::Sealed {
        return Vec::new();
    }
    let mut from = 0;
    let blocks = reasoning.seals.iter().map(|seal| match seal.kind {
        SealKind::Signature => {
            let text = reasoning.text.get(from..seal.at).unwrap_or_default();
            from = seal.at;
            json!({ "type": "thinking", "thinking": text, "signature": seal.value })
        }
        SealKind::Redacted => json!({ "type": "redacted_thinking", "data": seal.value }),
    });
    blocks.collect()
}

fn call(call: &ToolCall) -> Value {
    // The protocol takes objects only; the result says what was wrong with anything else.
    let input = serde_json::from_str::<Value>(&call.arguments).ok().filter(Value::is_object);
    let input = input.unwrap_or_else(|| json!({ "malformed": call.arguments }));
    json!({ "type": "tool_use", "id": id(&call.id), "name": call.name, "input": input })
}

/// An id of the letters that the protocol allows: other providers take more.
fn id(id: &str) -> String {
    id.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
}

pub(super) fn tool(tool: &ToolSpec) -> Value {
    json!({ "name": tool.name, "description": tool.description, "input_schema": tool.parameters })
}
