//! The protocols' addresses, keys and requests: the one place that tells them apart on the way out.

use orangery_domain::Protocol;
use orangery_net::{Origin, Request};
use serde_json::Value;
use url::Url;

use crate::fallback::Fallback;
use crate::{ChatRequest, Endpoint, Error, anthropic, gemini, openai};

/// The request for an answer as a stream of events.
pub(crate) fn request(
    endpoint: &Endpoint,
    request: &ChatRequest,
    fallback: Fallback,
) -> Result<(Origin, Request), Error> {
    let (path, body): (_, Value) = match endpoint.protocol {
        Protocol::OpenAi => ("chat/completions".into(), openai::body(endpoint, request, fallback)),
        Protocol::Anthropic => ("messages".into(), anthropic::body(endpoint, request, fallback)),
        Protocol::Gemini => (gemini::path(&endpoint.model), gemini::body(endpoint, request, fallback)),
    };
    let (origin, url) = address(endpoint, &path)?;
    let post =
        Request::post_json(url, body.to_string().into_bytes()).header("accept", "text/event-stream")?;
    Ok((origin, with_key(post, endpoint)?))
}

/// `path` at `endpoint`. Addresses are given with the version or, as the makers' own libraries take
/// them, without.
pub(crate) fn address(endpoint: &Endpoint, path: &str) -> Result<(Origin, Url), Error> {
    let base = endpoint.base_url.trim().trim_end_matches('/');
    let origin = Origin::parse(base)?;
    let version = match endpoint.protocol {
        Protocol::Anthropic if !base.ends_with("/v1") => "/v1",
        Protocol::Gemini if !base.rsplit('/').next().is_some_and(|last| last.starts_with("v1")) => "/v1beta",
        Protocol::OpenAi | Protocol::Anthropic | Protocol::Gemini => "",
    };
    let url = Url::parse(&format!("{base}{version}/{path}"))
        .map_err(|error| orangery_net::Error::Address(base.into(), error.to_string()))?;
    Ok((origin, url))
}

/// `request` with the endpoint's key, where there is one, and with what the protocol wants besides.
pub(crate) fn with_key(request: Request, endpoint: &Endpoint) -> Result<Request, Error> {
    let request = match endpoint.protocol {
        Protocol::Anthropic => request.header("anthropic-version", anthropic::VERSION)?,
        Protocol::OpenAi | Protocol::Gemini => request,
    };
    let Some(key) = &endpoint.key else {
        return Ok(request);
    };
    Ok(match endpoint.protocol {
        Protocol::OpenAi => request.bearer(key.expose())?,
        Protocol::Anthropic => request.secret("x-api-key", key.expose())?,
        Protocol::Gemini => request.secret("x-goog-api-key", key.expose())?,
    })
}
