//! Which models there are at an endpoint.

use std::time::Duration;

use orangery_domain::{ModelOffer, Protocol};
use orangery_net::{Client, Limits, Request};
use serde_json::Value;

use crate::protocol::{address, with_key};
use crate::refusal::refusal;
use crate::{Endpoint, Error};

const LIMITS: Limits = Limits { silence: Duration::from_secs(20), body: 8 << 20 };

/// The models that `endpoint` offers.
pub async fn list_models(client: &Client, endpoint: &Endpoint) -> Result<Vec<ModelOffer>, Error> {
    let path = match endpoint.protocol {
        Protocol::OpenAi => "models",
        // The longest page, which holds them all.
        Protocol::Anthropic => "models?limit=1000",
        Protocol::Gemini => "models?pageSize=1000",
    };
    let (origin, url) = address(endpoint, path)?;
    let response = client.configured(&origin).send(with_key(Request::get(url), endpoint)?, LIMITS).await?;
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
    Ok(list.iter().filter(|model| chats(model)).filter_map(offer).collect())
}

/// Whether it can hold a conversation, as far as the provider says.
fn chats(model: &Value) -> bool {
    let methods = model["supportedGenerationMethods"].as_array();
    methods.is_none_or(|methods| methods.iter().any(|method| method == "generateContent"))
}

/// What providers say is in no standard; these are the fields in which they say it: OpenRouter
/// (`context_length`, `supported_parameters`, `architecture`), vLLM (`max_model_len`), llama.cpp
/// (`meta.n_ctx`, `meta.n_ctx_train`), Gemini (`inputTokenLimit`), Anthropic (`max_input_tokens`).
fn offer(model: &Value) -> Option<ModelOffer> {
    let name = model.as_str().or_else(|| model["id"].as_str()).or_else(|| model["name"].as_str())?;
    let tokens = [
        &model["context_length"],
        &model["max_model_len"],
        &model["meta"]["n_ctx"],
        &model["meta"]["n_ctx_train"],
        &model["inputTokenLimit"],
        &model["max_input_tokens"],
    ];
    let holds = |list: &Value, word: &str| list.as_array().map(|list| list.iter().any(|it| it == word));
    Some(ModelOffer {
        model: name.strip_prefix("models/").unwrap_or(name).into(),
        context_tokens: tokens
            .into_iter()
            .find_map(Value::as_u64)
            .and_then(|tokens| u32::try_from(tokens).ok()),
        tools: holds(&model["supported_parameters"], "tools"),
        vision: holds(&model["architecture"]["input_modalities"], "image"),
    })
}
