//! Recordings are read as what is said in them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::support::{House, write};

/// A server that hears the same in every recording; how often it was asked.
async fn listener() -> (String, Arc<AtomicU32>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let asked = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            count.fetch_add(1, Ordering::Relaxed);
            let mut heard = Vec::new();
            let mut buffer = [0; 4_096];
            while !heard.ends_with(b"--\r\n") {
                let read = stream.read(&mut buffer).await.unwrap();
                assert!(read > 0, "half a request");
                heard.extend_from_slice(&buffer[..read]);
            }
            let body = r#"{"text":"First line.\nWater the kumquats at nine."}"#;
            let head =
                format!("HTTP/1.1 200 X\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
            stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
        }
    });
    (url, asked)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_is_read_as_what_is_said_in_it_and_sent_once() {
    let house = House::new(&[]).await;
    write(&house.root().join("memo.mp3"), b"ID3\x00\xff sound");
    let refusal = house.refusal("read", json!({ "path": "memo.mp3" })).await;
    assert!(refusal.contains("memo.mp3") && refusal.contains("Settings"), "{refusal}");
    let (url, asked) = listener().await;
    house.use_model(&url);
    let read = house.call("read", json!({ "path": "memo.mp3" })).await;
    assert_eq!(read["text"], "First line.\nWater the kumquats at nine.");
    assert_eq!(read["transcribedBy"], "Scripted");
    let line = house.call("read", json!({ "path": "memo.mp3", "around": [2], "context": 0 })).await;
    assert_eq!(line["rows"], "...\n2\tWater the kumquats at nine.\n", "{line}");
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    write(&house.root().join("memo.mp3"), b"another sound");
    house.call("read", json!({ "path": "memo.mp3" })).await;
    assert_eq!(asked.load(Ordering::Relaxed), 2);
}
