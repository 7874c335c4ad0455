//! Chat completions as OpenAI made them, and as others make them too
//! (<https://platform.openai.com/docs/api-reference/chat>).

mod answer;
mod message;
mod speech;

use serde_json::{Value, json};

pub(crate) use answer::read;
pub(crate) use message::lacks_thoughts;
pub use speech::{RECORDING_LIMIT, transcribe};

use crate::{ChatRequest, Endpoint, fallback::Fallback};
use message::Form;

/// The request for an answer as a stream.
pub(crate) fn body(endpoint: &Endpoint, request: &ChatRequest, fallback: Fallback) -> Value {
    let form = Form { thoughts: fallback.thoughts, pictures: endpoint.vision && !fallback.blind };
    let mut body = json!({
        "model": endpoint.model,
        "messages": message::list(request, form),
        "stream": true,
    });
    if !fallback.plain_stream {
        body["stream_options"] = json!({ "include_usage": true });
    }
    if endpoint.tools && !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(message::tool).collect();
    }
    body
}
