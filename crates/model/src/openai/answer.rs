//! Completion objects, whole or in chunks.

use serde_json::Value;

use crate::answer::Answer;
use crate::calls::Fragment;
use crate::{Finish, ReasoningForm};

/// Adds what one object says, a chunk or a whole completion.
pub(crate) fn read(value: &Value, answer: &mut Answer) {
    count(&value["usage"], answer);
    let choices = value["choices"].as_array().map(Vec::as_slice).unwrap_or_default();
    // One answer was asked for. Chunks without any carry token counts or filter results.
    let Some(choice) = choices.iter().find(|choice| choice["index"].as_u64().unwrap_or(0) == 0) else {
        return;
    };
    let said = match &choice["delta"] {
        Value::Null => &choice["message"],
        delta => delta,
    };
    think(said, answer);
    speak(&said["content"], answer);
    for call in said["tool_calls"].as_array().into_iter().flatten().filter(|call| call.is_object()) {
        let function = call.get("function").unwrap_or(call);
        answer.call(Fragment {
            index: call["index"].as_u64(),
            id: call["id"].as_str().unwrap_or_default(),
            name: function["name"].as_str().unwrap_or_default(),
            arguments: &function["arguments"],
            signature: None,
        });
    }
    if let Some(reason) = choice["finish_reason"].as_str().filter(|reason| !reason.is_empty()) {
        answer.finish(finish(reason));
    }
    count(&choice["usage"], answer);
}

/// Thoughts beside the content. Some servers say them in both fields.
fn think(said: &Value, answer: &mut Answer) {
    let fields = [("reasoning_content", ReasoningForm::Content), ("reasoning", ReasoningForm::Field)];
    let thought = fields.into_iter().find_map(|(field, form)| {
        said[field].as_str().filter(|text| !text.is_empty()).map(|text| (text, form))
    });
    if let Some((text, form)) = thought {
        answer.thought(text, form);
    }
}

/// Content: text, or a list of parts, thoughts among them.
fn speak(content: &Value, answer: &mut Answer) {
    if let Some(text) = content.as_str() {
        answer.text(text);
    }
    for part in content.as_array().into_iter().flatten() {
        match part["type"].as_str() {
            Some("thinking" | "reasoning") => {
                let thought = ["thinking", "reasoning", "text"]
                    .into_iter()
                    .map(|key| flat(&part[key]))
                    .find(|text| !text.is_empty());
                answer.thought(&thought.unwrap_or_default(), ReasoningForm::Part);
            }
            _ => answer.text(&flat(part)),
        }
    }
}

fn count(usage: &Value, answer: &mut Answer) {
    let number = |keys: [&str; 2]| keys.into_iter().find_map(|key| usage[key].as_u64());
    answer.count(number(["prompt_tokens", "input_tokens"]), number(["completion_tokens", "output_tokens"]));
}

fn finish(reason: &str) -> Finish {
    match reason {
        "stop" | "eos" | "end_turn" => Finish::Stop,
        "length" | "max_tokens" => Finish::Length,
        "tool_calls" | "function_call" => Finish::Calls,
        "content_filter" => Finish::Filtered,
        other => Finish::Other(other.into()),
    }
}

/// Text that may itself be a part or a list of parts.
fn flat(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(flat).collect(),
        Value::Object(part) => part.get("text").map(flat).unwrap_or_default(),
        _ => String::new(),
    }
}
