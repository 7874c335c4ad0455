//! A conversation as the server wants it.

use serde_json::{Map, Value, json};

use crate::picture::{self, Part, Shown};
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
    match picture::parts(pictures, sent) {
        Shown::Words(words) => words.into(),
        Shown::Parts(parts) => parts
            .into_iter()
            .map(|part| match part {
                Part::Label(label) => json!({ "type": "text", "text": label }),
                Part::Pixels { media_type, base64 } => json!({
                    "type": "image_url",
                    "image_url": { "url": format!("data:{media_type};base64,{base64}") },
                }),
            })
            .collect(),
    }
}

/// Gives thoughts back in the form in which they came. Only with calls: a turn that goes on needs
/// them, a turn that is over must not carry them.
fn think(value: &mut Map<String, Value>, text: &str, reasoning: Option<&Reasoning>, force: bool) {
    match own(reasoning) {
        Some((thoughts, ReasoningForm::Field)) => {
            value.insert("reasoning".into(), thoughts.into());
        }
        Some((thoughts, ReasoningForm::Part)) => {
            let thinking = json!({ "type": "thinking", "thinking": [{ "type": "text", "text": thoughts }] });
            let said = (!text.is_empty()).then(|| json!({ "type": "text", "text": text }));
            value.insert("content".into(), std::iter::once(thinking).chain(said).collect());
        }
        Some((thoughts, _)) => {
            value.insert("reasoning_content".into(), thoughts.into());
        }
        None if force => {
            value.insert("reasoning_content".into(), "".into());
        }
        None => {}
    }
}

/// Thoughts that came in a form of this protocol; those of another mean nothing here.
fn own(reasoning: Option<&Reasoning>) -> Option<(&str, ReasoningForm)> {
    let reasoning = reasoning?;
    match reasoning.form {
        ReasoningForm::Content | ReasoningForm::Field | ReasoningForm::Part => {
            Some((&reasoning.text, reasoning.form))
        }
        ReasoningForm::Sealed | ReasoningForm::Summary => None,
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
pub(crate) fn lacks_thoughts(messages: &[ChatMessage]) -> bool {
    messages.iter().any(|message| match message {
        ChatMessage::Assistant { reasoning, calls, .. } => {
            !calls.is_empty() && own(reasoning.as_ref()).is_none()
        }
        ChatMessage::User { .. } | ChatMessage::Tool { .. } | ChatMessage::Pictures { .. } => false,
    })
}
