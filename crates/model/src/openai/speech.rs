//! Speech to text, as OpenAI made it and others make it too.

use std::time::Duration;

use orangery_net::{Client, Limits, Request};
use serde_json::Value;

use crate::protocol::{address, with_key};
use crate::refusal::refusal;
use crate::retry::{self, may_help};
use crate::{Endpoint, Error};

/// Bytes of a recording that servers take.
pub const RECORDING_LIMIT: u64 = 25 << 20;
/// A long recording takes its time before the first word comes back.
const LIMITS: Limits = Limits { silence: Duration::from_secs(600), body: 8 << 20 };

/// What is said in a recording called `name`. Dropping the future closes the connection.
///
/// The request is `POST audio/transcriptions` of
/// <https://platform.openai.com/docs/api-reference/audio/createTranscription>.
pub async fn transcribe(
    client: &Client,
    endpoint: &Endpoint,
    name: &str,
    recording: &[u8],
) -> Result<String, Error> {
    let mut attempt = 1;
    loop {
        let (error, asked) = match once(client, endpoint, name, recording).await {
            Ok(text) => return Ok(text),
            Err(failed) => failed,
        };
        match retry::wait(attempt, asked).filter(|_| may_help(&error, asked)) {
            Some(wait) => tokio::time::sleep(wait).await,
            None => return Err(error.without(endpoint.key.as_ref())),
        }
        attempt += 1;
    }
}

/// One try; of a failure also how long the server wants to be left alone.
async fn once(
    client: &Client,
    endpoint: &Endpoint,
    name: &str,
    recording: &[u8],
) -> Result<String, (Error, Option<Duration>)> {
    let plain = |error: Error| (error, None);
    let (origin, url) = address(endpoint, "audio/transcriptions").map_err(plain)?;
    let fields = [("model", endpoint.model.as_str()), ("response_format", "json")];
    let post = Request::post_form(url, &fields, ("file", name, recording));
    let post = with_key(post, endpoint).map_err(plain)?;
    let response =
        client.configured(&origin).send(post, LIMITS).await.map_err(|error| plain(error.into()))?;
    let (status, asked) = (response.status(), retry::asked(&response));
    let body = response.body().await.map_err(|error| plain(error.into()))?;
    if !(200..300).contains(&status) {
        return Err((refusal(status, &body, &endpoint.model), asked));
    }
    let text = serde_json::from_slice::<Value>(&body)
        .map_err(|error| error.to_string())
        .and_then(|value| value["text"].as_str().map(str::to_owned).ok_or_else(|| "no text".into()));
    text.map_err(|reason| plain(Error::Malformed(reason)))
}
