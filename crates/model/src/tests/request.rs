use super::*;
use crate::{ReasoningForm, list_models};
use orangery_domain::ModelOffer;
use serde_json::json;

const OK: &str = r#"{"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}"#;

async fn sent(request: ChatRequest) -> (String, serde_json::Value) {
    let mut server = Server::start(vec![Reply::stream(&[OK])]).await;
    hear(&server.url, request).await;
    server.request().await
}

fn assistant(text: &str, thought: Option<(&str, ReasoningForm)>, calls: &[&str]) -> ChatMessage {
    let call = |id: &&str| ToolCall {
        id: (*id).into(),
        name: "list".into(),
        arguments: "{}".into(),
        signature: None,
    };
    ChatMessage::Assistant {
        text: text.into(),
        reasoning: thought.map(|(text, form)| Reasoning { text: text.into(), form, ..Reasoning::default() }),
        calls: calls.iter().map(call).collect(),
    }
}

fn with(messages: Vec<ChatMessage>) -> ChatRequest {
    ChatRequest { messages, ..question() }
}

#[tokio::test]
async fn a_request_says_all_it_has() {
    let (head, body) = sent(question()).await;
    assert!(head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("authorization: Bearer sk-secret\r\n"), "{head}");
    assert_eq!(
        body,
        json!({
            "model": "some-model",
            "messages": [
                { "role": "system", "content": "Be brief." },
                { "role": "user", "content": "What is 中文?" },
            ],
            "stream": true,
            "stream_options": { "include_usage": true },
            "tools": [{
                "type": "function",
                "function": { "name": "search", "description": "Finds notes.", "parameters": { "type": "object" } },
            }],
        })
    );
}

#[tokio::test]
async fn no_tools_for_a_model_that_calls_none() {
    let mut server = Server::start(vec![Reply::stream(&[OK])]).await;
    let endpoint = Endpoint { tools: false, key: None, ..endpoint(&server.url) };
    let stream = chat(&Client::new().unwrap(), endpoint, question(), CancellationToken::new());
    stream.collect::<Vec<_>>().await;
    let (head, body) = server.request().await;
    assert!(body.get("tools").is_none());
    assert!(!head.contains("authorization"), "{head}");
}

/// FAULTS M8, sending: thoughts go back with the calls that came of them, and only with those; also
/// after the message has been stored and read again.
#[tokio::test]
async fn thoughts_go_back_with_their_calls() {
    let stored = serde_json::to_string(&assistant("", Some(("hm", ReasoningForm::Content)), &["a"])).unwrap();
    let (_, body) = sent(with(vec![
        assistant("old answer", Some(("old", ReasoningForm::Content)), &[]),
        serde_json::from_str(&stored).unwrap(),
        assistant("", Some(("oh", ReasoningForm::Field)), &["b"]),
        assistant("", None, &["c"]),
    ]))
    .await;
    let call =
        |id| json!([{ "id": id, "type": "function", "function": { "name": "list", "arguments": "{}" } }]);
    assert_eq!(
        body["messages"].as_array().unwrap()[1..],
        [
            json!({ "role": "assistant", "content": "old answer" }),
            json!({ "role": "assistant", "content": "", "tool_calls": call("a"), "reasoning_content": "hm" }),
            json!({ "role": "assistant", "content": "", "tool_calls": call("b"), "reasoning": "oh" }),
            json!({ "role": "assistant", "content": "", "tool_calls": call("c") }),
        ]
    );
}

/// FAULTS M8: the calls of another model have no thoughts, and the server wants some.
#[tokio::test]
async fn a_server_that_misses_thoughts_gets_empty_ones() {
    let refusal = r#"{"error":{"message":"Missing `reasoning_content` field in the assistant message"}}"#;
    let mut server =
        Server::start(vec![Reply::new(400, "", refusal), Reply::stream(&[OK]), Reply::new(400, "", refusal)])
            .await;
    let request = with(vec![assistant("", None, &["a"])]);
    assert_eq!(hear(&server.url, request.clone()).await, said("ok", Finish::Stop));
    server.request().await;
    let (_, body) = server.request().await;
    assert_eq!(body["messages"][1]["reasoning_content"], "");
    // Where there is nothing to add, the refusal stands.
    let heard = hear(&server.url, question()).await;
    assert!(matches!(heard.error, Some(Error::Refused(_))), "{heard:?}");
}

/// FAULTS M9, sending.
#[tokio::test]
async fn thoughts_that_were_parts_go_back_as_parts() {
    let (_, body) = sent(with(vec![assistant("text", Some(("hm", ReasoningForm::Part)), &["a"])])).await;
    assert_eq!(
        body["messages"][1]["content"],
        json!([
            { "type": "thinking", "thinking": [{ "type": "text", "text": "hm" }] },
            { "type": "text", "text": "text" },
        ])
    );
}

#[tokio::test]
async fn a_server_that_knows_no_stream_options_is_asked_without() {
    let refusal = r#"{"detail":"Extra inputs are not permitted: stream_options"}"#;
    let mut server = Server::start(vec![Reply::new(422, "", refusal), Reply::stream(&[OK])]).await;
    let heard = hear(&server.url, question()).await;
    assert_eq!(heard, said("ok", Finish::Stop));
    server.request().await;
    assert!(server.request().await.1.get("stream_options").is_none());
}

#[tokio::test]
async fn models_are_listed_whatever_the_list_is_called() {
    for body in [
        r#"{"object":"list","data":[{"id":"a"},{"id":"b"}]}"#,
        r#"{"models":[{"name":"a"},{"name":"b"}]}"#,
        r#"[{"id":"a"},"b"]"#,
    ] {
        let mut server = Server::start(vec![Reply::new(200, "", body)]).await;
        let models = list_models(&Client::new().unwrap(), &endpoint(&server.url)).await.unwrap();
        assert_eq!(models.into_iter().map(|offer| offer.model).collect::<Vec<_>>(), ["a", "b"]);
        assert!(server.request().await.0.starts_with("GET /v1/models "));
    }
    let server = Server::start(vec![Reply::new(401, "", r#"{"error":{"message":"bad key"}}"#)]).await;
    let error = list_models(&Client::new().unwrap(), &endpoint(&server.url)).await.unwrap_err();
    assert_eq!(error, Error::Unauthorised("bad key".into()));
}

#[tokio::test]
async fn what_a_provider_says_of_its_models_is_taken() {
    let body = json!({ "data": [
        { "id": "a", "context_length": 131_072, "supported_parameters": ["tools", "seed"],
          "architecture": { "input_modalities": ["text"] } },
        { "id": "b", "max_model_len": 8_192 },
        { "id": "c", "meta": { "n_ctx_train": 4_096 } },
    ] });
    let server = Server::start(vec![Reply::new(200, "", body.to_string())]).await;
    let models = list_models(&Client::new().unwrap(), &endpoint(&server.url)).await.unwrap();
    let offer = |model: &str, context| ModelOffer {
        model: model.into(),
        context_tokens: Some(context),
        ..ModelOffer::default()
    };
    assert_eq!(
        models,
        [
            ModelOffer { tools: Some(true), vision: Some(false), ..offer("a", 131_072) },
            offer("b", 8_192),
            offer("c", 4_096),
        ]
    );
}

#[test]
fn a_key_never_prints_itself() {
    let endpoint = endpoint("https://example.org/v1");
    assert!(!format!("{endpoint:?}").contains("sk-secret"));
}
