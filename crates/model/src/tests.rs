//! Answers as servers really give them, from a scripted server on loopback. One test for each row of
//! faults, named for what must come out.

mod anthropic;
mod gemini;
mod request;
mod server;
mod speech;
mod stream;
mod tokens;
mod trouble;

use futures::StreamExt;
use orangery_domain::Protocol;
use orangery_net::Client;
use tokio_util::sync::CancellationToken;

use crate::{
    ChatMessage, ChatRequest, Endpoint, Error, Finish, Key, Piece, Reasoning, ToolCall, ToolSpec, chat,
};
use server::{Reply, Server};

/// All that came of one request.
#[derive(Debug, Default, PartialEq)]
struct Heard {
    text: String,
    reasoning: Reasoning,
    /// Id, name, arguments.
    calls: Vec<(String, String, String)>,
    /// Of the calls that bear one.
    signatures: Vec<String>,
    usage: Option<(u64, u64)>,
    /// Attempts that failed.
    retries: Vec<u32>,
    finish: Option<Finish>,
    error: Option<Error>,
}

fn endpoint(base_url: &str) -> Endpoint {
    Endpoint {
        protocol: Protocol::OpenAi,
        base_url: base_url.into(),
        model: "some-model".into(),
        key: Some(Key::new("sk-secret")),
        context_tokens: 8000,
        tools: true,
        vision: true,
    }
}

fn question() -> ChatRequest {
    ChatRequest {
        system: "Be brief.".into(),
        messages: vec![ChatMessage::User { text: "What is 中文?".into() }],
        tools: vec![ToolSpec {
            name: "search".into(),
            description: "Finds notes.".into(),
            parameters: serde_json::json!({ "type": "object" }),
        }],
    }
}

async fn hear(url: &str, request: ChatRequest) -> Heard {
    hear_from(endpoint(url), request).await
}

async fn hear_from(endpoint: Endpoint, request: ChatRequest) -> Heard {
    let stream = chat(&Client::new().unwrap(), endpoint, request, CancellationToken::new());
    let mut heard = Heard::default();
    for piece in stream.collect::<Vec<_>>().await {
        assert!(heard.finish.is_none() && heard.error.is_none(), "{piece:?} after the end");
        match piece {
            Ok(Piece::Text(text)) => heard.text.push_str(&text),
            Ok(Piece::Reasoning(more)) => heard.reasoning.push(&more),
            Ok(Piece::Call(call)) => {
                heard.signatures.extend(call.signature);
                heard.calls.push((call.id, call.name, call.arguments));
            }
            Ok(Piece::Usage { input, output }) => heard.usage = Some((input, output)),
            Ok(Piece::Retrying { attempt, .. }) => {
                assert!(heard.text.is_empty(), "tried again after text");
                heard.retries.push(attempt);
            }
            Ok(Piece::End { finish }) => heard.finish = Some(finish),
            Err(error) => heard.error = Some(error),
        }
    }
    heard
}

/// What is heard of a server that streams `chunks` and then `[DONE]`.
async fn streamed(chunks: &[&str]) -> Heard {
    let server = Server::start(vec![Reply::stream(chunks)]).await;
    hear(&server.url, question()).await
}

/// A heard answer that ended well.
fn said(text: &str, finish: Finish) -> Heard {
    Heard { text: text.into(), finish: Some(finish), ..Heard::default() }
}

fn called(calls: &[(&str, &str, &str)]) -> Heard {
    let calls = calls.iter().map(|(id, name, arguments)| ((*id).into(), (*name).into(), (*arguments).into()));
    Heard { calls: calls.collect(), finish: Some(Finish::Calls), ..Heard::default() }
}
