//! Messages as Anthropic documents them, and as servers that speak them too send them.

use serde_json::{Value, json};

use super::*;
use crate::{Picture, ReasoningForm, Seal, SealKind, list_models};

fn anthropic(url: &str) -> Endpoint {
    Endpoint { protocol: Protocol::Anthropic, context_tokens: 200_000, ..endpoint(url) }
}

async fn streamed(events: &[Value]) -> Heard {
    let server = Server::start(vec![Reply::events(events)]).await;
    hear_from(anthropic(&server.url), question()).await
}

/// The request that `messages` make.
async fn sent(messages: Vec<ChatMessage>) -> (String, Value) {
    let mut server = Server::start(vec![Reply::events(&[end("end_turn")])]).await;
    hear_from(anthropic(&server.url), ChatRequest { messages, ..question() }).await;
    server.request().await
}

fn begin() -> Value {
    json!({ "type": "message_start", "message": { "id": "msg_1", "usage": {
        "input_tokens": 25, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 1000, "output_tokens": 1,
    } } })
}

fn text(text: &str) -> Value {
    json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": text } })
}

fn end(reason: &str) -> Value {
    json!({ "type": "message_delta", "delta": { "stop_reason": reason }, "usage": { "output_tokens": 15 } })
}

fn call(id: &str, arguments: &str) -> ToolCall {
    ToolCall { id: id.into(), name: "search".into(), arguments: arguments.into(), signature: None }
}

#[tokio::test]
async fn text_comes_as_it_is_written() {
    let heard = streamed(&[
        begin(),
        json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "" } }),
        json!({ "type": "ping" }),
        text("中文"),
        text(" is Chinese."),
        json!({ "type": "content_block_stop", "index": 0 }),
        end("end_turn"),
        json!({ "type": "message_stop" }),
    ])
    .await;
    assert_eq!(heard, Heard { usage: Some((1_025, 15)), ..said("中文 is Chinese.", Finish::Stop) });
}

#[tokio::test]
async fn calls_are_put_together_from_their_pieces() {
    let start = |index: u32, id: &str| {
        let block = json!({ "type": "tool_use", "id": id, "name": "search", "input": {} });
        json!({ "type": "content_block_start", "index": index, "content_block": block })
    };
    let piece = |index: u32, json: &str| {
        let delta = json!({ "type": "input_json_delta", "partial_json": json });
        json!({ "type": "content_block_delta", "index": index, "delta": delta })
    };
    let heard = streamed(&[
        text("Let me look."),
        start(1, "toolu_1"),
        piece(1, ""),
        piece(1, "{\"query\": \"中"),
        piece(1, "文\"}"),
        start(2, "toolu_2"),
        end("tool_use"),
    ])
    .await;
    let expected = called(&[("toolu_1", "search", "{\"query\": \"中文\"}"), ("toolu_2", "search", "{}")]);
    assert_eq!(heard, Heard { text: "Let me look.".into(), usage: Some((0, 15)), ..expected });
}

#[tokio::test]
async fn a_whole_message_is_taken_too() {
    let body = json!({
        "type": "message",
        "content": [
            { "type": "thinking", "thinking": "hm", "signature": "s" },
            { "type": "text", "text": "ok" },
            { "type": "tool_use", "id": "a", "name": "search", "input": { "query": "x" } },
        ],
        "stop_reason": "tool_use",
        "usage": { "input_tokens": 3, "output_tokens": 4 },
    });
    let server = Server::start(vec![Reply::new(200, "", body.to_string())]).await;
    let heard = hear_from(anthropic(&server.url), question()).await;
    assert_eq!(heard.text, "ok");
    assert_eq!(heard.calls, [("a".into(), "search".into(), r#"{"query":"x"}"#.into())]);
    assert_eq!(heard.reasoning.seals.len(), 1);
    assert_eq!((heard.usage, heard.finish), (Some((3, 4)), Some(Finish::Calls)));
}

/// FAULTS M9 for signed thoughts: what comes goes back as it came, also after it has been stored.
#[tokio::test]
async fn signed_thoughts_go_back_with_their_calls() {
    let delta = |delta: Value| json!({ "type": "content_block_delta", "index": 0, "delta": delta });
    let redacted = json!({ "type": "redacted_thinking", "data": "xyz" });
    let heard = streamed(&[
        delta(json!({ "type": "thinking_delta", "thinking": "Let me " })),
        delta(json!({ "type": "thinking_delta", "thinking": "看看" })),
        delta(json!({ "type": "signature_delta", "signature": "sig-1" })),
        json!({ "type": "content_block_start", "index": 1, "content_block": redacted }),
        json!({ "type": "content_block_start", "index": 2, "content_block": {
            "type": "thinking", "thinking": "More.", "signature": "" } }),
        delta(json!({ "type": "signature_delta", "signature": "sig-2" })),
        end("tool_use"),
    ])
    .await;
    let stored = ChatMessage::Assistant {
        text: String::new(),
        reasoning: Some(heard.reasoning),
        calls: vec![call("toolu_1", "{}")],
    };
    let stored = serde_json::from_str(&serde_json::to_string(&stored).unwrap()).unwrap();
    let (_, body) = sent(vec![
        ChatMessage::User { text: "?".into() },
        stored,
        ChatMessage::Tool { call_id: "toolu_1".into(), content: "found".into() },
    ])
    .await;
    assert_eq!(
        body["messages"][1]["content"],
        json!([
            { "type": "thinking", "thinking": "Let me 看看", "signature": "sig-1" },
            { "type": "redacted_thinking", "data": "xyz" },
            { "type": "thinking", "thinking": "More.", "signature": "sig-2" },
            { "type": "tool_use", "id": "toolu_1", "name": "search", "input": {} },
        ])
    );
}

#[tokio::test]
async fn a_request_says_all_it_has() {
    let (head, body) = sent(question().messages).await;
    assert!(head.starts_with("POST /v1/messages HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("x-api-key: sk-secret\r\n"), "{head}");
    assert!(head.contains("anthropic-version: 2023-06-01\r\n"), "{head}");
    assert!(!head.contains("authorization"), "{head}");
    let kept = json!({ "type": "ephemeral" });
    assert_eq!(
        body,
        json!({
            "model": "some-model",
            "max_tokens": 32_000,
            "system": [{ "type": "text", "text": "Be brief.", "cache_control": kept }],
            "messages": [{ "role": "user", "content": [
                { "type": "text", "text": "What is 中文?", "cache_control": kept },
            ] }],
            "tools": [{ "name": "search", "description": "Finds notes.", "input_schema": { "type": "object" } }],
            "stream": true,
        })
    );
}

#[tokio::test]
async fn sides_take_turns_and_results_come_first() {
    let picture = Picture {
        label: "page 1".into(),
        media_type: "image/png".into(),
        key: "k".into(),
        bytes: std::sync::Arc::new(vec![1, 2, 3]),
    };
    let (_, body) = sent(vec![
        ChatMessage::User { text: "?".into() },
        ChatMessage::Assistant {
            text: " \n".into(),
            // Of another provider: its thoughts, its kind of id, and arguments that are no object.
            reasoning: Some(Reasoning { text: "hm".into(), form: ReasoningForm::Content, seals: vec![] }),
            calls: vec![call("functions.search:0", "{\"query\": \"x\"}"), call("b", "[")],
        },
        ChatMessage::Tool { call_id: "functions.search:0".into(), content: "one".into() },
        ChatMessage::Tool { call_id: "b".into(), content: "two".into() },
        ChatMessage::Pictures { call_id: "b".into(), pictures: vec![picture] },
        ChatMessage::User { text: "go on".into() },
    ])
    .await;
    let content = |at: usize| body["messages"][at]["content"].clone();
    assert_eq!(
        content(1),
        json!([
            { "type": "tool_use", "id": "functions_search_0", "name": "search", "input": { "query": "x" } },
            { "type": "tool_use", "id": "b", "name": "search", "input": { "malformed": "[" } },
        ])
    );
    assert_eq!(
        content(2),
        json!([
            { "type": "tool_result", "tool_use_id": "functions_search_0", "content": "one" },
            { "type": "tool_result", "tool_use_id": "b", "content": "two" },
            { "type": "text", "text": "[page 1]" },
            { "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "AQID" } },
            { "type": "text", "text": "go on", "cache_control": { "type": "ephemeral" } },
        ])
    );
    assert_eq!(body["messages"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn a_model_with_a_lower_limit_is_asked_for_less() {
    let limit = "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for claude-3";
    let refusal = json!({ "type": "error", "error": { "type": "invalid_request_error", "message": limit } });
    let replies = vec![
        Reply::new(400, "", refusal.to_string()),
        Reply::events(&[text("ok"), end("end_turn")]),
        Reply::new(400, "", refusal.to_string()),
        Reply::new(400, "", refusal.to_string()),
    ];
    let mut server = Server::start(replies).await;
    let heard = hear_from(anthropic(&server.url), question()).await;
    assert_eq!((heard.text.as_str(), heard.retries.len()), ("ok", 0));
    server.request().await;
    assert_eq!(server.request().await.1["max_tokens"], 8_192);
    // A server that says the same again is not asked for ever.
    let heard = hear_from(anthropic(&server.url), question()).await;
    assert!(matches!(heard.error, Some(Error::Refused(_))), "{heard:?}");
}

#[tokio::test]
async fn refusals_are_told_apart() {
    for (status, kind, message, expected) in [
        (401, "authentication_error", "invalid x-api-key", Error::Unauthorised("invalid x-api-key".into())),
        (
            404,
            "not_found_error",
            "model: some-model",
            Error::NotFound { model: "some-model".into(), message: "model: some-model".into() },
        ),
        (
            400,
            "invalid_request_error",
            "prompt is too long: 205000 tokens > 200000 maximum",
            Error::TooLong("prompt is too long: 205000 tokens > 200000 maximum".into()),
        ),
    ] {
        let body = json!({ "type": "error", "error": { "type": kind, "message": message } });
        let server = Server::start(vec![Reply::new(status, "", body.to_string())]).await;
        assert_eq!(hear_from(anthropic(&server.url), question()).await.error, Some(expected));
    }
    let overloaded =
        json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    let heard = streamed(&[begin(), text("half"), overloaded]).await;
    assert_eq!(heard.text, "half");
    assert!(matches!(heard.error, Some(Error::Overloaded { .. })), "{heard:?}");
    assert_eq!(streamed(&[text("half")]).await.error, Some(Error::BrokenOff));
    assert_eq!(streamed(&[end("refusal")]).await.finish, Some(Finish::Filtered));
}

#[tokio::test]
async fn the_address_is_taken_with_and_without_its_version() {
    for path in ["", "v1", "v1/"] {
        let body =
            r#"{"data":[{"type":"model","id":"claude-x","display_name":"Claude X"}],"has_more":false}"#;
        let mut server = Server::start(vec![Reply::new(200, "", body)]).await;
        let root = server.url.strip_suffix("v1/").unwrap();
        let models =
            list_models(&Client::new().unwrap(), &anthropic(&format!("{root}{path}"))).await.unwrap();
        assert_eq!(models[0].model, "claude-x");
        assert!(server.request().await.0.starts_with("GET /v1/models?limit=1000 "));
    }
}

#[test]
fn seals_stay_where_their_thoughts_end() {
    let piece = |text: &str, seals: &[(usize, &str)]| Reasoning {
        text: text.into(),
        form: ReasoningForm::Sealed,
        seals: seals
            .iter()
            .map(|(at, value)| Seal { at: *at, kind: SealKind::Signature, value: (*value).into() })
            .collect(),
    };
    let mut whole = Reasoning::default();
    for more in [piece("ab", &[]), piece("", &[(0, "x")]), piece("cd", &[(1, "y")])] {
        whole.push(&more);
    }
    assert_eq!(whole, piece("abcd", &[(2, "x"), (3, "y")]));
}
