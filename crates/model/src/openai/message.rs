//! A conversation as the server wants it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value, json};

use crate::{ChatMessage, ChatRequest, Picture, Reasoning, ReasoningForm, ToolCall, ToolSpec};

/// What a conversation is sent with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    /// Thoughts go with every call, empty ones where there are none.
    pub thoughts: bool,
    /// Pictures go as pictures; else only what they are of is said.
    pub pictures: bool,
}

pub(super) fn list(request: &ChatRequest, form: Form) -> Value {
    let system =
        (!request.system.trim().is_empty()).then(|| json!({ "role": "system", "content": request.system }));
    system.into_iter().chain(request.messages.iter().map(|message| one(message, form))).collect()
}

fn one(message: &ChatMessage, form: Form) -> Value {
    match message {
        ChatMessage::User { text } => json!({ "role": "user", "content": text }),
        ChatMessage::Tool { call_id, content } => {
            json!({ "role": "tool", "tool_call_id": call_id, "content": content })
        }
        ChatMessage::Pictures { pictures, .. } => {
            json!({ "role": "user", "content": shown(pictures, form.pictures) })
        }
        ChatMessage::Assistant { text, reasoning, calls } => {
            let mut value = Map::new();
            value.insert("role".into(), "assistant".into());
            value.insert("content".into(), text.as_str().into());
            if !calls.is_empty() {
                value.insert("tool_calls".into(), calls.iter().map(call).collect());
                think(&mut value, text, reasoning.as_ref(), form.thoughts);
            }
            value.into()
        }
    }
}

/// Every picture behind what it is of; words alone where there is no picture to send.
fn shown(pictures: &[Picture], sent: bool) -> Value {
    let is_sent = |picture: &Picture| sent && !picture.bytes.is_empty();
    if !pictures.iter().any(is_sent) {
        // Too much for this request, or not for this model.
        let why = if sent { "not shown any more" } else { "cannot be shown to this model" };
        let labels = pictures.iter().map(|picture| format!("[{}: {why}]", picture.label));
        return labels.collect::<Vec<_>>().join("\n").into();
    }
    let parts = pictures.iter().flat_map(|picture| {
        let label = if is_sent(picture) { "" } else { ": not shown any more" };
        let label = json!({ "type": "text", "text": format!("[{}{label}]", picture.label) });
        let pixels = is_sent(picture).then(|| {
            let url = format!("data:{};base64,{}", picture.media_type, BASE64.encode(&*picture.bytes));
            json!({ "type": "image_url", "image_url": { "url": url } })
        });
        std::iter::once(label).chain(pixels)
    });
    parts.collect()
}

/// Whether a picture is sent.
pub(super) fn shows(messages: &[ChatMessage]) -> bool {
    messages.iter().any(|message| match message {
        ChatMessage::Pictures { pictures, .. } => pictures.iter().any(|picture| !picture.bytes.is_empty()),
        _ => false,
    })
}

/// Gives thoughts back in the form in which they came. Only with calls: a turn that goes on needs
/// them, a turn that is over must not carry them.
fn think(value: &mut Map<String, Value>, text: &str, reasoning: Option<&Reasoning>, force: bool) {
    match reasoning {
        Some(reasoning) => match reasoning.form {
            ReasoningForm::Content => {
                value.insert("reasoning_content".into(), reasoning.text.as_str().into());
            }
            ReasoningForm::Field => {
                value.insert("reasoning".into(), reasoning.text.as_str().into());
            }
            ReasoningForm::Part => {
                let thinking =
                    json!({ "type": "thinking", "thinking": [{ "type": "text", "text": reasoning.text }] });
                let said = (!text.is_empty()).then(|| json!({ "type": "text", "text": text }));
                value.insert("content".into(), std::iter::once(thinking).chain(said).collect());
            }
        },
        None if force => {
            value.insert("reasoning_content".into(), "".into());
        }
        None => {}
    }
}

fn call(call: &ToolCall) -> Value {
    json!({
        "id": call.id,
        "type": "function",
        "function": { "name": call.name, "arguments": call.arguments },
    })
}

pub(super) fn tool(tool: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters,
        },
    })
}

/// Whether a call stands without the thoughts behind it.
pub(super) fn lacks_thoughts(messages: &[ChatMessage]) -> bool {
    messages.iter().any(|message| match message {
        ChatMessage::Assistant { reasoning, calls, .. } => !calls.is_empty() && reasoning.is_none(),
        ChatMessage::User { .. } | ChatMessage::Tool { .. } | ChatMessage::Pictures { .. } => false,
    })
}
