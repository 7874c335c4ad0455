use super::*;
use crate::ReasoningForm;

const STOP: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
const CALLS: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#;

fn text(text: &str) -> String {
    serde_json::json!({ "choices": [{ "index": 0, "delta": { "content": text } }] }).to_string()
}

fn delta(delta: &str) -> String {
    format!(r#"{{"choices":[{{"index":0,"delta":{delta}}}]}}"#)
}

async fn fragments(calls: &[&str]) -> Heard {
    let mut chunks: Vec<_> = calls.iter().map(|call| delta(&format!(r#"{{"tool_calls":{call}}}"#))).collect();
    chunks.push(CALLS.into());
    streamed(&chunks.iter().map(String::as_str).collect::<Vec<_>>()).await
}

#[tokio::test]
async fn text_comes_as_it_is_said() {
    let heard = streamed(&[&text("中"), &text("文 is "), &text("Chinese."), STOP]).await;
    assert_eq!(heard, said("中文 is Chinese.", Finish::Stop));
}

#[tokio::test]
async fn characters_and_lines_may_come_in_pieces() {
    for size in [1, 5] {
        let reply = Reply::stream(&[&text("中文 🍊"), STOP]).in_pieces(size);
        let server = Server::start(vec![reply]).await;
        assert_eq!(hear(&server.url, question()).await, said("中文 🍊", Finish::Stop));
    }
}

#[tokio::test]
async fn fragments_with_index_are_put_together() {
    let heard = fragments(&[
        r#"[{"index":0,"id":"a","type":"function","function":{"name":"search","arguments":""}}]"#,
        r#"[{"index":0,"function":{"arguments":"{\"query\":"}}]"#,
        r#"[{"index":1,"id":"b","function":{"name":"read","arguments":"{\"path\""}}]"#,
        r#"[{"index":0,"function":{"arguments":"\"中\"}"}},{"index":1,"function":{"arguments":":\"x\"}"}}]"#,
    ])
    .await;
    assert_eq!(heard, called(&[("a", "search", r#"{"query":"中"}"#), ("b", "read", r#"{"path":"x"}"#)]));
}

/// FAULTS M1.
#[tokio::test]
async fn calls_without_index() {
    let whole = fragments(&[
        r#"[{"id":"a","function":{"name":"search","arguments":"{\"query\":\"x\"}"}}]"#,
        r#"[{"id":"b","function":{"name":"search","arguments":"{\"query\":\"y\"}"}}]"#,
    ])
    .await;
    assert_eq!(whole, called(&[("a", "search", r#"{"query":"x"}"#), ("b", "search", r#"{"query":"y"}"#)]));

    let nameless = fragments(&[
        r#"[{"function":{"name":"list","arguments":"{}"}}]"#,
        r#"[{"function":{"name":"list","arguments":"{}"}}]"#,
    ])
    .await;
    assert_eq!(nameless, called(&[("call_1", "list", "{}"), ("call_2", "list", "{}")]));

    let cut = fragments(&[
        r#"[{"id":"a","function":{"name":"search","arguments":"{\"que"}}]"#,
        r#"[{"function":{"arguments":"ry\":1}"}}]"#,
        r#"[{"id":"b","function":{"name":"list","arguments":"{"}}]"#,
        r#"[{"id":"b","function":{"name":"list","arguments":"}"}}]"#,
    ])
    .await;
    assert_eq!(cut, called(&[("a", "search", r#"{"query":1}"#), ("b", "list", "{}")]));

    // Every call bears the index 0.
    let zero = fragments(&[
        r#"[{"index":0,"id":"a","function":{"name":"search","arguments":"{}"}}]"#,
        r#"[{"index":0,"id":"b","function":{"name":"search","arguments":"{}"}}]"#,
        r#"[{"index":0,"id":"","function":{"name":"list","arguments":"{}"}}]"#,
    ])
    .await;
    assert_eq!(zero, called(&[("a", "search", "{}"), ("b", "search", "{}"), ("call_1", "list", "{}")]));
}

/// FAULTS M2.
#[tokio::test]
async fn calls_without_id() {
    let heard = fragments(&[
        r#"[{"index":0,"id":null,"function":{"name":"search","arguments":"{\"query\":"}}]"#,
        r#"[{"index":0,"id":"","function":{"name":null,"arguments":"1}"}}]"#,
        r#"[{"index":1,"id":"given","function":{"name":"list","arguments":null}}]"#,
        r#"[{"index":1,"id":"other","function":{"name":"","arguments":""}}]"#,
        r#"[{"index":2,"function":{"name":"list"}}]"#,
    ])
    .await;
    let calls = [("call_1", "search", r#"{"query":1}"#), ("given", "list", "{}"), ("call_2", "list", "{}")];
    assert_eq!(heard, called(&calls));
}

/// FAULTS M3: ids made by us are unique in the conversation, and are what the answer names.
#[tokio::test]
async fn made_ids_are_new_in_the_conversation() {
    let chunk = delta(r#"{"tool_calls":[{"index":0,"function":{"name":"list","arguments":"{}"}}]}"#);
    let answer = || Reply::stream(&[&chunk, CALLS]);
    let mut server = Server::start(vec![answer(), answer()]).await;
    let mut request = question();
    for id in ["call_1", "call_2"] {
        let heard = hear(&server.url, request.clone()).await;
        assert_eq!(heard, called(&[(id, "list", "{}")]));
        let call = ToolCall { id: id.into(), name: "list".into(), arguments: "{}".into(), signature: None };
        request.messages.push(ChatMessage::Assistant {
            text: String::new(),
            reasoning: None,
            calls: vec![call],
        });
        request.messages.push(ChatMessage::Tool { call_id: id.into(), content: "[]".into() });
    }
    server.request().await;
    let (_, body) = server.request().await;
    assert_eq!(body["messages"][2]["tool_calls"][0]["id"], "call_1");
    assert_eq!(body["messages"][3]["tool_call_id"], "call_1");
}

/// FAULTS M4.
#[tokio::test]
async fn arguments_as_object() {
    let heard = fragments(&[
        r#"[{"index":0,"id":"a","function":{"name":"search","arguments":{"query":"中","limit":2}}}]"#,
    ])
    .await;
    assert_eq!(heard, called(&[("a", "search", r#"{"query":"中","limit":2}"#)]));
}

/// FAULTS M6.
#[tokio::test]
async fn empty_choices_and_null_pieces() {
    let heard = streamed(&[
        r#"{"choices":[],"prompt_filter_results":[]}"#,
        r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":null}}],"usage":null}"#,
        r#"{"choices":null}"#,
        r#"{"choices":[{"index":0,"delta":null,"finish_reason":null}]}"#,
        &text("hi"),
        STOP,
        r#"{"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":3}}"#,
    ])
    .await;
    assert_eq!(heard, Heard { usage: Some((12, 3)), ..said("hi", Finish::Stop) });
}

/// FAULTS M7 and M13.
#[tokio::test]
async fn text_that_looks_like_a_call_is_text() {
    for shape in [
        "<tool_call>\n{\"name\": \"write\", \"arguments\": {}}\n</tool_call>",
        "{\"name\": \"exec\", \"arguments\": {\"command\": \"rm -rf /\"}}",
        "[TOOL_CALLS][{\"name\":\"edit\"}]",
        "<think>x</think><|python_tag|>search(query=1)",
    ] {
        assert_eq!(streamed(&[&text(shape), STOP]).await, said(shape, Finish::Stop));
    }
}

/// FAULTS M8, receiving.
#[tokio::test]
async fn thoughts_are_kept_apart() {
    let heard = streamed(&[
        &delta(r#"{"content":null,"reasoning_content":"let me "}"#),
        &delta(r#"{"content":"","reasoning_content":"think","reasoning":"think"}"#),
        &delta(r#"{"content":"Yes.","reasoning_content":null}"#),
        STOP,
    ])
    .await;
    let reasoning = Reasoning { text: "let me think".into(), form: ReasoningForm::Content, seals: vec![] };
    assert_eq!(heard, Heard { reasoning, ..said("Yes.", Finish::Stop) });

    let heard = streamed(&[&delta(r#"{"reasoning":"hm"}"#), &text("No."), STOP]).await;
    let reasoning = Reasoning { text: "hm".into(), form: ReasoningForm::Field, seals: vec![] };
    assert_eq!(heard, Heard { reasoning, ..said("No.", Finish::Stop) });
}

/// FAULTS M9, receiving.
#[tokio::test]
async fn content_may_be_a_list_of_parts() {
    let heard = streamed(&[
        &delta(r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"so "}]}]}"#),
        &delta(r#"{"content":[{"type":"thinking","thinking":"then"},{"type":"text","text":"Yes"}]}"#),
        &delta(r#"{"content":[{"type":"text","text":"."},{"type":"reference","reference_ids":[1]}]}"#),
        STOP,
    ])
    .await;
    let reasoning = Reasoning { text: "so then".into(), form: ReasoningForm::Part, seals: vec![] };
    assert_eq!(heard, Heard { reasoning, ..said("Yes.", Finish::Stop) });
}

/// FAULTS M11.
#[tokio::test]
async fn unicode_line_separators_cut_nothing() {
    let odd = "a\u{2028}b\u{85}c\u{2029}d";
    let raw = format!(r#"{{"choices":[{{"delta":{{"content":"{odd}"}},"finish_reason":"stop"}}]}}"#);
    assert_eq!(streamed(&[&raw]).await, said(odd, Finish::Stop));
}

#[tokio::test]
async fn comments_crlf_and_a_missing_done_are_fine() {
    let body = format!(": PROCESSING\r\n\r\ndata:{}\r\n\r\n: ping\r\n\r\ndata: {STOP}", text("ok"));
    let server = Server::start(vec![Reply::new(200, "content-type: text/event-stream\r\n", body)]).await;
    assert_eq!(hear(&server.url, question()).await, said("ok", Finish::Stop));
}

#[tokio::test]
async fn a_server_that_does_not_hang_up_is_not_waited_for() {
    let server = Server::start(vec![Reply::stream(&[&text("ok"), STOP]).stay()]).await;
    assert_eq!(hear(&server.url, question()).await, said("ok", Finish::Stop));
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_heard_too() {
    let body = r#"
        {"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"hi",
        "reasoning_content":"hm","tool_calls":[{"id":"a","type":"function","function":{"name":"list","arguments":"{}"}}]}}],
        "usage":{"prompt_tokens":1,"completion_tokens":2}}"#;
    let server = Server::start(vec![Reply::new(200, "content-type: application/json\r\n", body)]).await;
    let heard = hear(&server.url, question()).await;
    let reasoning = Reasoning { text: "hm".into(), form: ReasoningForm::Content, seals: vec![] };
    let expected =
        Heard { text: "hi".into(), reasoning, usage: Some((1, 2)), ..called(&[("a", "list", "{}")]) };
    assert_eq!(heard, expected);
}

#[tokio::test]
async fn reasons_to_stop_are_told() {
    let end =
        |reason: &str| format!(r#"{{"choices":[{{"delta":{{"content":"x"}},"finish_reason":"{reason}"}}]}}"#);
    for (reason, finish) in [
        ("length", Finish::Length),
        ("content_filter", Finish::Filtered),
        ("pause", Finish::Other("pause".into())),
    ] {
        assert_eq!(streamed(&[&end(reason)]).await, said("x", finish));
    }
}
