//! Events of a streamed message, or a whole one.

use serde_json::Value;

use crate::answer::Answer;
use crate::calls::Fragment;
use crate::{Finish, Reasoning, ReasoningForm, Seal, SealKind};

/// Adds what one event says.
pub(crate) fn read(value: &Value, answer: &mut Answer) {
    match value["type"].as_str() {
        Some("message_start") => count(&value["message"]["usage"], answer),
        Some("content_block_start") => block(&value["content_block"], value["index"].as_u64(), answer),
        Some("content_block_delta") => delta(&value["delta"], value["index"].as_u64(), answer),
        Some("message_delta") => {
            count(&value["usage"], answer);
            stop(&value["delta"], answer);
        }
        // The server ignored `stream`.
        Some("message") => {
            for (index, content) in value["content"].as_array().into_iter().flatten().enumerate() {
                let index = u64::try_from(index).ok();
                block(content, index, answer);
                sign(&content["signature"], answer);
            }
            count(&value["usage"], answer);
            stop(value, answer);
        }
        // `ping`, `content_block_stop`, `message_stop`, and whatever comes to be.
        _ => {}
    }
}

/// The beginning of a block, or a whole one.
fn block(block: &Value, index: Option<u64>, answer: &mut Answer) {
    match block["type"].as_str() {
        Some("text") => answer.text(text(&block["text"])),
        Some("thinking") => answer.thought(text(&block["thinking"]), ReasoningForm::Sealed),
        Some("redacted_thinking") => seal(SealKind::Redacted, &block["data"], answer),
        Some("tool_use") => {
            // Streamed, it begins with an empty object; the pieces that follow are the input.
            let begun = block["input"].as_object().is_none_or(serde_json::Map::is_empty);
            answer.call(Fragment {
                index,
                id: text(&block["id"]),
                name: text(&block["name"]),
                arguments: if begun { &Value::Null } else { &block["input"] },
                signature: None,
            });
        }
        _ => {}
    }
}

/// The next piece of a block.
fn delta(delta: &Value, index: Option<u64>, answer: &mut Answer) {
    match delta["type"].as_str() {
        Some("text_delta") => answer.text(text(&delta["text"])),
        Some("thinking_delta") => answer.thought(text(&delta["thinking"]), ReasoningForm::Sealed),
        Some("signature_delta") => sign(&delta["signature"], answer),
        Some("input_json_delta") => {
            answer.call(Fragment {
                index,
                id: "",
                name: "",
                arguments: &delta["partial_json"],
                signature: None,
            });
        }
        _ => {}
    }
}

fn sign(signature: &Value, answer: &mut Answer) {
    seal(SealKind::Signature, signature, answer);
}

/// Ends the thoughts so far with what the provider wants to see again.
fn seal(kind: SealKind, value: &Value, answer: &mut Answer) {
    if let Some(value) = value.as_str().filter(|value| !value.is_empty()) {
        let seals = vec![Seal { at: 0, kind, value: value.into() }];
        answer.reasoning(Reasoning { text: String::new(), form: ReasoningForm::Sealed, seals });
    }
}

/// What was read from the provider's store is input like the rest.
fn count(usage: &Value, answer: &mut Answer) {
    let parts = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    let input = parts.into_iter().filter_map(|part| usage[part].as_u64()).reduce(|sum, part| sum + part);
    // Later events repeat the count of output only, some with a zero for the input.
    answer.count(input.filter(|tokens| *tokens > 0), usage["output_tokens"].as_u64());
}

fn stop(delta: &Value, answer: &mut Answer) {
    if let Some(reason) = delta["stop_reason"].as_str() {
        answer.finish(match reason {
            "end_turn" | "stop_sequence" | "pause_turn" => Finish::Stop,
            "max_tokens" | "model_context_window_exceeded" => Finish::Length,
            "tool_use" => Finish::Calls,
            "refusal" => Finish::Filtered,
            other => Finish::Other(other.into()),
        });
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
