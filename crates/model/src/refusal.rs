//! What a server means when it refuses, whatever the protocol.

use serde_json::Value;

use crate::Error;

/// What a refusal with this status and body means.
pub(crate) fn refusal(status: u16, body: &[u8], model: &str) -> Error {
    let body = String::from_utf8_lossy(body);
    let (code, message) = match serde_json::from_str::<Value>(&body) {
        Ok(value) => described(value.get(0).unwrap_or(&value)),
        Err(_) => (String::new(), String::new()),
    };
    let message = if message.is_empty() { shortened(&body) } else { message };
    classify(Some(status), &code, message, model)
}

/// The error that a body or a stream carries, if it carries one.
pub(crate) fn carried(value: &Value, model: &str) -> Option<Error> {
    // Some wrap it in a list.
    let value = value.get(0).unwrap_or(value);
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
    let bad_key = says(&["api key not valid", "api_key_invalid", "api key expired"]);
    let described = if code.contains("quota") { format!("{code}: {message}") } else { message };
    match status {
        _ if bad_key => Error::Unauthorised(described),
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
