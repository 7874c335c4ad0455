//! A model server on loopback that says what a test wrote down for it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// One answer to one request.
pub enum Say {
    Text(&'static str),
    /// Text, then calls by name and arguments.
    Calls(&'static str, Vec<(&'static str, Value)>),
    /// Thoughts, then calls.
    Thought(&'static str, Vec<(&'static str, Value)>),
    /// Nothing: it is to be asked again in a millisecond.
    Busy,
    /// The conversation is too long for it.
    TooLong,
    /// Text, and then nothing, with the line kept open.
    Hang(&'static str),
}

pub struct Script {
    pub base_url: String,
    answers: Arc<Mutex<VecDeque<Say>>>,
    requests: Arc<Mutex<Vec<Value>>>,
    /// What it counts for a request.
    pub prompt_tokens: Arc<AtomicU64>,
}

impl Script {
    pub async fn start(answers: Vec<Say>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let answers = Arc::new(Mutex::new(VecDeque::from(answers)));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (to_say, heard) = (Arc::clone(&answers), Arc::clone(&requests));
        let prompt_tokens = Arc::new(AtomicU64::new(10));
        let counts = Arc::clone(&prompt_tokens);
        tokio::spawn(async move {
            let mut number = 0;
            while let Ok((stream, _)) = listener.accept().await {
                number += 1;
                tokio::spawn(serve(
                    stream,
                    number,
                    Arc::clone(&to_say),
                    Arc::clone(&heard),
                    Arc::clone(&counts),
                ));
            }
        });
        Self { base_url, answers, requests, prompt_tokens }
    }

    /// The bodies of all requests so far.
    pub fn requests(&self) -> Vec<Value> {
        self.requests.lock().unwrap().clone()
    }

    /// Answers that nobody asked for.
    pub fn left(&self) -> usize {
        self.answers.lock().unwrap().len()
    }
}

async fn serve(
    mut stream: TcpStream,
    number: u32,
    answers: Arc<Mutex<VecDeque<Say>>>,
    requests: Arc<Mutex<Vec<Value>>>,
    counts: Arc<AtomicU64>,
) {
    let Some(body) = body(&mut stream).await else { return };
    requests.lock().unwrap().push(body);
    let say = answers.lock().unwrap().pop_front();
    if matches!(say, Some(Say::Busy)) {
        let busy = "HTTP/1.1 503 X\r\nretry-after-ms: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
        stream.write_all(busy.as_bytes()).await.ok();
        return;
    }
    if matches!(say, Some(Say::TooLong)) {
        let said = json!({"error": {"message": "too long", "code": "context_length_exceeded"}}).to_string();
        let head = format!("HTTP/1.1 400 X\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", said.len());
        stream.write_all((head + &said).as_bytes()).await.ok();
        return;
    }
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
    stream.write_all(head.as_bytes()).await.ok();
    let (field, text, calls, hang) = match say {
        None | Some(Say::Busy | Say::TooLong) => ("content", "the script has no more answers", vec![], false),
        Some(Say::Text(text)) => ("content", text, vec![], false),
        Some(Say::Calls(text, calls)) => ("content", text, calls, false),
        Some(Say::Thought(text, calls)) => ("reasoning_content", text, calls, false),
        Some(Say::Hang(text)) => ("content", text, vec![], true),
    };
    let characters: Vec<char> = text.chars().collect();
    for piece in characters.chunks(5) {
        let piece: String = piece.iter().collect();
        send(&mut stream, &json!({"choices": [{"index": 0, "delta": {field: piece}}]})).await;
    }
    if hang {
        let mut rest = [0; 64];
        // Until the other side hangs up.
        while stream.read(&mut rest).await.is_ok_and(|read| read > 0) {}
        return;
    }
    let finish = if calls.is_empty() { "stop" } else { "tool_calls" };
    for (index, (name, arguments)) in calls.into_iter().enumerate() {
        let call = json!({
            "index": index,
            "id": format!("call-{number}-{index}"),
            "type": "function",
            "function": {"name": name, "arguments": arguments.to_string()},
        });
        send(&mut stream, &json!({"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]})).await;
    }
    send(&mut stream, &json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})).await;
    send(&mut stream, &json!({"choices": [], "usage": {"prompt_tokens": counts.load(Ordering::Relaxed), "completion_tokens": 3}})).await;
    stream.write_all(b"data: [DONE]\n\n").await.ok();
}

async fn send(stream: &mut TcpStream, event: &Value) {
    stream.write_all(format!("data: {event}\n\n").as_bytes()).await.ok();
    stream.flush().await.ok();
}

/// Reads one request with a Content-Length.
async fn body(stream: &mut TcpStream) -> Option<Value> {
    let mut bytes = Vec::new();
    loop {
        let mut buffer = [0; 4096];
        let read = stream.read(&mut buffer).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&buffer[..read]);
        let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let length: usize = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length:"))
            .and_then(|length| length.trim().parse().ok())
            .unwrap_or(0);
        if bytes.len() >= end + 4 + length {
            return serde_json::from_slice(&bytes[end + 4..end + 4 + length]).ok();
        }
    }
}
