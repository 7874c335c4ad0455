//! Chat completions as OpenAI made them, and as others make them too.

mod answer;
mod calls;
mod message;
mod speech;

use orangery_net::{Client, Limits, Origin, Request};
use serde_json::{Value, json};
use url::Url;

pub(crate) use answer::Answer;
pub use speech::{RECORDING_LIMIT, transcribe};

use crate::{ChatMessage, ChatRequest, Endpoint, Error};
use message::Form;

/// What a server was found not to take, learned from its refusals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Fallback {
    /// Do not ask for token counts.
    plain_stream: bool,
    /// Send thoughts with every call, empty ones where there are none: the conversation began with
    /// another model.
    thoughts: bool,
    /// Say what pictures are of instead of sending them: the model cannot see after all.
    blind: bool,
}

impl Fallback {
    /// Whether a refusal taught something new, so that asking once more makes sense.
    pub(crate) fn learn(&mut self, status: u16, body: &[u8], messages: &[ChatMessage]) -> bool {
        if status != 400 && status != 422 {
            return false;
        }
        let body = String::from_utf8_lossy(body);
        if body.contains("stream_options") && !self.plain_stream {
            self.plain_stream = true;
            return true;
        }
        if body.contains("reasoning_content") && !self.thoughts && message::lacks_thoughts(messages) {
            self.thoughts = true;
            return true;
        }
        if body.contains("image") && !self.blind && message::shows(messages) {
            self.blind = true;
            return true;
        }
        false
    }
}

/// The request for an answer as a stream.
pub(crate) fn request(
    endpoint: &Endpoint,
    request: &ChatRequest,
    fallback: Fallback,
) -> Result<(Origin, Request), Error> {
    let (origin, url) = address(endpoint, "chat/completions")?;
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
    let post =
        Request::post_json(url, body.to_string().into_bytes()).header("accept", "text/event-stream")?;
    Ok((origin, with_key(post, endpoint)?))
}

/// The models that `endpoint` offers, by the names under which it is asked for them.
pub async fn list_models(client: &Client, endpoint: &Endpoint) -> Result<Vec<String>, Error> {
    let limits = Limits { silence: std::time::Duration::from_secs(20), body: 8 * 1024 * 1024 };
    let (origin, url) = address(endpoint, "models")?;
    let response = client.configured(&origin).send(with_key(Request::get(url), endpoint)?, limits).await?;
    let status = response.status();
    let body = response.body().await?;
    if !(200..300).contains(&status) {
        return Err(refusal(status, &body, &endpoint.model).without(endpoint.key.as_ref()));
    }
    let value: Value = serde_json::from_slice(&body).map_err(|error| Error::Malformed(error.to_string()))?;
    let list = ["data", "models"]
        .into_iter()
        .find_map(|key| value.get(key)?.as_array())
        .or_else(|| value.as_array())
        .ok_or_else(|| Error::Malformed("no list of models".into()))?;
    Ok(list
        .iter()
        .filter_map(|model| {
            model.as_str().or_else(|| model["id"].as_str()).or_else(|| model["name"].as_str())
        })
        .map(Into::into)
        .collect())
}

fn address(endpoint: &Endpoint, path: &str) -> Result<(Origin, Url), Error> {
    let base = endpoint.base_url.trim().trim_end_matches('/');
    let origin = Origin::parse(base)?;
    let url = Url::parse(&format!("{base}/{path}"))
        .map_err(|error| orangery_net::Error::Address(base.into(), error.to_string()))?;
    Ok((origin, url))
}

fn with_key(request: Request, endpoint: &Endpoint) -> Result<Request, Error> {
    match &endpoint.key {
        Some(key) => Ok(request.bearer(key.expose())?),
        None => Ok(request),
    }
}

/// What a refusal with this status and body means.
pub(crate) fn refusal(status: u16, body: &[u8], model: &str) -> Error {
    let body = String::from_utf8_lossy(body);
    let (code, message) = match serde_json::from_str::<Value>(&body) {
        Ok(value) => described(&value),
        Err(_) => (String::new(), String::new()),
    };
    let message = if message.is_empty() { shortened(&body) } else { message };
    classify(Some(status), &code, message, model)
}

/// The error that a body or a stream carries, if it carries one.
pub(crate) fn carried(value: &Value, model: &str) -> Option<Error> {
    let error = value.get("error").filter(|error| !error.is_null())?;
    let number = |value: &Value| {
        let number = value.as_u64().or_else(|| value.as_str()?.parse().ok())?;
        u16::try_from(number).ok().filter(|status| (400..600).contains(status))
    };
    let status = ["status", "code", "http_status"].into_iter().find_map(|key| number(&error[key]));
    let (code, message) = described(value);
    Some(classify(status, &code, message, model))
}

/// Code and message of an error in one of the shapes in which servers put it.
fn described(value: &Value) -> (String, String) {
    let error = value.get("error").unwrap_or(value);
    let text = |value: &Value| value.as_str().map(shortened);
    let code = ["code", "type", "status"].into_iter().filter_map(|key| text(&error[key]));
    let message = text(error)
        .or_else(|| text(&error["message"]))
        .or_else(|| text(&value["message"]))
        .or_else(|| text(&value["detail"]))
        .or_else(|| (!error.is_null()).then(|| shortened(&error.to_string())));
    (code.collect::<Vec<_>>().join(" "), message.unwrap_or_default())
}

/// `status` is unknown for an error inside a stream that began well, unless the error says it.
fn classify(status: Option<u16>, code: &str, message: String, model: &str) -> Error {
    let all = format!("{code} {message}").to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| all.contains(word));
    let missing = says(&["model_not_found", "model not found", "does not exist", "no such model"]);
    let too_long = says(&[
        "context_length",
        "context length",
        "context window",
        "context size",
        "maximum context",
        "prompt is too long",
        "too many tokens",
    ]);
    let described = if code.contains("quota") { format!("{code}: {message}") } else { message };
    match status {
        Some(401 | 403) => Error::Unauthorised(described),
        Some(429) => Error::RateLimited(described),
        _ if too_long || status == Some(413) => Error::TooLong(described),
        Some(404) => Error::NotFound { model: model.into(), message: described },
        Some(400..500) | None if missing => Error::NotFound { model: model.into(), message: described },
        Some(status @ (408 | 500..)) => Error::Overloaded { status, message: described },
        _ if says(&["rate_limit", "rate limit", "too many requests"]) => Error::RateLimited(described),
        _ if says(&["overloaded", "unavailable", "server_error", "internal error"]) => {
            Error::Overloaded { status: status.unwrap_or(503), message: described }
        }
        Some(status) => Error::Refused(format!("{described} ({status})")),
        None => Error::Refused(described),
    }
}

/// The first characters of what may be a whole page.
fn shortened(text: &str) -> String {
    text.trim().chars().take(500).collect()
}
