//! Responses, whole or streamed: each is one more piece of the same shape.

use serde_json::Value;

use crate::answer::Answer;
use crate::calls::Fragment;
use crate::{Error, Finish, ReasoningForm};

/// Adds what one response says.
pub(crate) fn read(value: &Value, answer: &mut Answer) -> Result<(), Error> {
    count(&value["usageMetadata"], answer);
    if value["promptFeedback"]["blockReason"].is_string() {
        answer.finish(Finish::Filtered);
    }
    // One answer was asked for.
    let candidate = &value["candidates"][0];
    for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
        let text = part["text"].as_str().unwrap_or_default();
        if part["thought"].as_bool() == Some(true) {
            answer.thought(text, ReasoningForm::Summary);
        } else {
            answer.text(text);
        }
        let call = &part["functionCall"];
        if call.is_object() {
            answer.call(Fragment {
                index: None,
                id: call["id"].as_str().unwrap_or_default(),
                name: call["name"].as_str().unwrap_or_default(),
                arguments: &call["args"],
                signature: part["thoughtSignature"].as_str(),
            });
        }
    }
    match candidate["finishReason"].as_str() {
        // The model tried to call and wrote nonsense: another try may do better.
        Some("MALFORMED_FUNCTION_CALL") => return Err(Error::BrokenOff),
        Some(reason) => answer.finish(finish(reason)),
        None => {}
    }
    Ok(())
}

/// Thoughts are output that is not shown.
fn count(usage: &Value, answer: &mut Answer) {
    let parts = ["candidatesTokenCount", "thoughtsTokenCount"];
    let output = parts.into_iter().filter_map(|part| usage[part].as_u64()).reduce(|sum, part| sum + part);
    answer.count(usage["promptTokenCount"].as_u64(), output);
}

fn finish(reason: &str) -> Finish {
    match reason {
        "STOP" | "FINISH_REASON_UNSPECIFIED" => Finish::Stop,
        "MAX_TOKENS" => Finish::Length,
        "SAFETY" | "RECITATION" | "LANGUAGE" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII"
        | "IMAGE_SAFETY" => Finish::Filtered,
        other => Finish::Other(other.into()),
    }
}
