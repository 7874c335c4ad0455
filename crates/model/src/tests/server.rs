//! A server that says what it is told to say.

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    task::JoinHandle,
};

/// One answer, to one connection.
pub(super) struct Reply {
    head: String,
    pieces: Vec<Vec<u8>>,
    /// Keep the connection open afterwards.
    stay: bool,
}

impl Reply {
    pub(super) fn new(status: u16, headers: &str, body: impl Into<Vec<u8>>) -> Self {
        let head = format!("HTTP/1.1 {status} X\r\nconnection: close\r\n{headers}\r\n");
        Self { head, pieces: vec![body.into()], stay: false }
    }

    /// A stream of events with this data, and `[DONE]`.
    pub(super) fn stream(chunks: &[&str]) -> Self {
        Self::events(&[chunks, &["[DONE]"]].concat())
    }

    /// A stream of events with this data.
    pub(super) fn events(chunks: &[impl std::fmt::Display]) -> Self {
        let all: String = chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
        Self::new(200, "content-type: text/event-stream\r\n", all)
    }

    /// The same body in pieces of `size` bytes, each sent by itself.
    pub(super) fn in_pieces(mut self, size: usize) -> Self {
        self.pieces = self.pieces.concat().chunks(size).map(Into::into).collect();
        self
    }

    pub(super) fn stay(mut self) -> Self {
        self.stay = true;
        self
    }
}

pub(super) struct Server {
    pub(super) url: String,
    requests: mpsc::UnboundedReceiver<(String, Value)>,
    _task: Owned,
}

/// Ends its task when dropped.
struct Owned(JoinHandle<()>);

impl Drop for Owned {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Server {
    /// Gives one reply to each connection, in order.
    pub(super) async fn start(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1/", listener.local_addr().unwrap());
        let (sender, requests) = mpsc::unbounded_channel();
        let task = tokio::spawn(async move {
            let mut open = Vec::new();
            for reply in replies {
                let (mut stream, _) = listener.accept().await.unwrap();
                stream.set_nodelay(true).unwrap();
                let request = read(&mut stream).await;
                stream.write_all(reply.head.as_bytes()).await.unwrap();
                for piece in reply.pieces {
                    // The client may have heard enough.
                    if stream.write_all(&piece).await.is_err() {
                        break;
                    }
                    tokio::task::yield_now().await;
                }
                let _ = sender.send(request);
                if reply.stay {
                    open.push(stream);
                }
            }
            if !open.is_empty() {
                std::future::pending::<()>().await;
            }
        });
        Self { url, requests, _task: Owned(task) }
    }

    /// Head and body of the next request; what is no JSON is one string.
    pub(super) async fn request(&mut self) -> (String, Value) {
        self.requests.recv().await.unwrap()
    }
}

async fn read(stream: &mut TcpStream) -> (String, Value) {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let count = stream.read(&mut buffer).await.unwrap();
        bytes.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            assert!(count > 0, "half a request");
            continue;
        };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
            return (head.into(), serde_json::from_str(body).unwrap_or_else(|_| body.into()));
        }
    }
}
