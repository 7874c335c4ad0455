//! Gemini as Google documents it.

use orangery_domain::ModelOffer;
use serde_json::{Value, json};

use super::*;
use crate::{Picture, list_models};

fn gemini(url: &str) -> Endpoint {
    Endpoint { protocol: Protocol::Gemini, ..endpoint(url) }
}

async fn streamed(events: &[Value]) -> Heard {
    let server = Server::start(vec![Reply::events(events)]).await;
    hear_from(gemini(&server.url), question()).await
}

async fn sent(messages: Vec<ChatMessage>) -> (String, Value) {
    let mut server = Server::start(vec![Reply::events(&[parts(json!([]), "STOP")])]).await;
    hear_from(gemini(&server.url), ChatRequest { messages, ..question() }).await;
    server.request().await
}

fn parts(parts: Value, finish: &str) -> Value {
    let mut candidate = json!({ "content": { "role": "model", "parts": parts }, "index": 0 });
    if !finish.is_empty() {
        candidate["finishReason"] = finish.into();
    }
    json!({ "candidates": [candidate] })
}

fn call(id: &str, signature: Option<&str>) -> ToolCall {
    let signature = signature.map(Into::into);
    ToolCall { id: id.into(), name: "search".into(), arguments: "{\"query\":\"x\"}".into(), signature }
}

#[tokio::test]
async fn text_and_thoughts_come_apart() {
    let mut last = parts(json!([{ "text": "。" }]), "STOP");
    last["usageMetadata"] =
        json!({ "promptTokenCount": 7, "candidatesTokenCount": 3, "thoughtsTokenCount": 20 });
    let heard = streamed(&[
        parts(json!([{ "text": "hm", "thought": true }]), ""),
        parts(json!([{ "text": "中文" }]), ""),
        last,
    ])
    .await;
    assert_eq!(heard.reasoning.text, "hm");
    assert_eq!((heard.text.as_str(), heard.usage), ("中文。", Some((7, 23))));
    assert_eq!(heard.finish, Some(Finish::Stop));
}

/// FAULTS M3: no ids come, ids are wanted in the answer.
#[tokio::test]
async fn calls_without_ids_get_some() {
    let call = |query: &str| json!({ "functionCall": { "name": "search", "args": { "query": query } } });
    let mut signed = call("a");
    signed["thoughtSignature"] = "sig".into();
    let heard = streamed(&[
        parts(json!([signed, call("b")]), ""),
        parts(json!([{ "functionCall": { "id": "own", "name": "list" } }]), "STOP"),
    ])
    .await;
    let expected = called(&[
        ("call_1", "search", r#"{"query":"a"}"#),
        ("call_2", "search", r#"{"query":"b"}"#),
        ("own", "list", "{}"),
    ]);
    assert_eq!(heard, Heard { signatures: vec!["sig".into()], ..expected });
}

#[tokio::test]
async fn a_request_says_all_it_has() {
    let (head, body) = sent(question().messages).await;
    assert!(
        head.starts_with("POST /v1/models/some-model:streamGenerateContent?alt=sse HTTP/1.1\r\n"),
        "{head}"
    );
    assert!(head.contains("x-goog-api-key: sk-secret\r\n"), "{head}");
    assert_eq!(
        body,
        json!({
            "systemInstruction": { "parts": [{ "text": "Be brief." }] },
            "contents": [{ "role": "user", "parts": [{ "text": "What is 中文?" }] }],
            "tools": [{ "functionDeclarations": [{
                "name": "search",
                "description": "Finds notes.",
                "parametersJsonSchema": { "type": "object" },
            }] }],
        })
    );
}

#[tokio::test]
async fn results_of_a_round_are_one_content_with_names_and_ids() {
    let picture = Picture {
        label: "page 1".into(),
        media_type: "image/png".into(),
        key: "k".into(),
        bytes: std::sync::Arc::new(vec![1, 2, 3]),
    };
    let stored = ChatMessage::Assistant {
        text: String::new(),
        reasoning: None,
        calls: vec![call("a", Some("sig")), call("b", None)],
    };
    let (_, body) = sent(vec![
        ChatMessage::User { text: "?".into() },
        serde_json::from_str(&serde_json::to_string(&stored).unwrap()).unwrap(),
        ChatMessage::Tool { call_id: "a".into(), content: "one".into() },
        ChatMessage::Tool { call_id: "b".into(), content: "two".into() },
        ChatMessage::Pictures { call_id: "b".into(), pictures: vec![picture] },
    ])
    .await;
    let call = |id: &str| json!({ "id": id, "name": "search", "args": { "query": "x" } });
    let result = |id: &str, output: &str| json!({ "functionResponse": { "id": id, "name": "search", "response": { "output": output } } });
    assert_eq!(
        body["contents"].as_array().unwrap()[1..],
        [
            json!({ "role": "model", "parts": [
                { "functionCall": call("a"), "thoughtSignature": "sig" },
                { "functionCall": call("b") },
            ] }),
            json!({ "role": "user", "parts": [result("a", "one"), result("b", "two")] }),
            json!({ "role": "user", "parts": [
                { "text": "[page 1]" },
                { "inlineData": { "mimeType": "image/png", "data": "AQID" } },
            ] }),
        ]
    );
}

/// FAULTS M8: a conversation that began with another model.
#[tokio::test]
async fn a_server_that_misses_signatures_is_told_that_there_are_none() {
    let refusal = r#"{"error":{"code":400,"message":"Function call is missing a thought_signature","status":"INVALID_ARGUMENT"}}"#;
    let replies =
        vec![Reply::new(400, "", refusal), Reply::events(&[parts(json!([{ "text": "ok" }]), "STOP")])];
    let mut server = Server::start(replies).await;
    let messages = vec![ChatMessage::Assistant {
        text: String::new(),
        reasoning: None,
        calls: vec![call("a", None), call("b", None)],
    }];
    let heard = hear_from(gemini(&server.url), ChatRequest { messages, ..question() }).await;
    assert_eq!(heard, said("ok", Finish::Stop));
    server.request().await;
    let parts = &server.request().await.1["contents"][0]["parts"];
    assert_eq!(parts[0]["thoughtSignature"], "skip_thought_signature_validator");
    assert!(parts[1].get("thoughtSignature").is_none());
}

#[tokio::test]
async fn what_is_held_back_is_said_to_be() {
    let blocked = json!({ "promptFeedback": { "blockReason": "SAFETY" } });
    assert_eq!(streamed(&[blocked]).await, said("", Finish::Filtered));
    let heard = streamed(&[parts(json!([{ "text": "half" }]), "RECITATION")]).await;
    assert_eq!(heard, said("half", Finish::Filtered));
    assert_eq!(
        streamed(&[parts(json!([{ "text": "long" }]), "MAX_TOKENS")]).await.finish,
        Some(Finish::Length)
    );
    assert_eq!(streamed(&[parts(json!([{ "text": "half" }]), "")]).await.error, Some(Error::BrokenOff));
}

#[tokio::test]
async fn a_call_that_the_model_spoiled_is_tried_again() {
    let spoiled = || Reply::events(&[parts(json!([]), "MALFORMED_FUNCTION_CALL")]);
    let server =
        Server::start(vec![spoiled(), Reply::events(&[parts(json!([{ "text": "ok" }]), "STOP")])]).await;
    let heard = hear_from(gemini(&server.url), question()).await;
    assert_eq!(heard, Heard { retries: vec![1], ..said("ok", Finish::Stop) });
}

#[tokio::test]
async fn refusals_are_told_apart_and_waits_are_kept() {
    let refusal = |status: u16, code: &str, message: &str, details: Value| {
        let error = json!({ "code": status, "status": code, "message": message, "details": details });
        Reply::new(status, "", json!({ "error": error }).to_string())
    };
    let bad_key =
        refusal(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", json!([]));
    let server = Server::start(vec![bad_key]).await;
    let heard = hear_from(gemini(&server.url), question()).await;
    assert!(matches!(heard.error, Some(Error::Unauthorised(_))), "{heard:?}");

    let quota = "You exceeded your current quota";
    let soon = json!([{ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.01s" }]);
    let server = Server::start(vec![
        refusal(429, "RESOURCE_EXHAUSTED", quota, soon),
        Reply::events(&[parts(json!([{ "text": "ok" }]), "STOP")]),
        refusal(429, "RESOURCE_EXHAUSTED", quota, json!([])),
    ])
    .await;
    let heard = hear_from(gemini(&server.url), question()).await;
    assert_eq!(heard, Heard { retries: vec![1], ..said("ok", Finish::Stop) });
    // Nobody says when the quota is back.
    let heard = hear_from(gemini(&server.url), question()).await;
    assert_eq!((heard.retries.len(), heard.error), (0, Some(Error::RateLimited(quota.into()))));
}

#[tokio::test]
async fn only_models_that_converse_are_listed() {
    let body = json!({ "models": [
        { "name": "models/gemini-x", "inputTokenLimit": 1_048_576, "supportedGenerationMethods": ["generateContent"] },
        { "name": "models/embedding-x", "supportedGenerationMethods": ["embedContent"] },
    ] });
    for path in ["", "v1beta"] {
        let mut server = Server::start(vec![Reply::new(200, "", body.to_string())]).await;
        let root = server.url.strip_suffix("v1/").unwrap();
        let models = list_models(&Client::new().unwrap(), &gemini(&format!("{root}{path}"))).await.unwrap();
        let offer =
            ModelOffer { model: "gemini-x".into(), context_tokens: Some(1_048_576), ..ModelOffer::default() };
        assert_eq!(models, [offer]);
        assert!(server.request().await.0.starts_with("GET /v1beta/models?pageSize=1000 "));
    }
}
