use orangery_net::Client;

use super::*;
use crate::{Error, transcribe};

async fn hear(server: &Server) -> Result<String, Error> {
    transcribe(&Client::new().unwrap(), &endpoint(&server.url), "a \"memo\".mp3", b"ID3\x00\xff").await
}

#[tokio::test]
async fn a_recording_goes_as_a_form_and_comes_back_as_text() {
    let mut server = Server::start(vec![Reply::new(200, "", r#"{"text":"Water the 树."}"#)]).await;
    assert_eq!(hear(&server).await.unwrap(), "Water the 树.");
    let (head, body) = server.request().await;
    assert!(head.starts_with("POST /v1/audio/transcriptions HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("authorization: Bearer sk-secret\r\n"), "{head}");
    let boundary = head.lines().find_map(|line| line.split_once("boundary=")).unwrap().1;
    let body = body.as_str().unwrap();
    let parts: Vec<_> = body.split(&format!("--{boundary}")).map(str::trim).collect();
    assert_eq!(parts.len(), 5, "{body}");
    assert_eq!(parts[1], "Content-Disposition: form-data; name=\"model\"\r\n\r\nsome-model");
    assert!(
        parts[3].starts_with("Content-Disposition: form-data; name=\"file\"; filename=\"a %22memo%22.mp3\"")
    );
    assert!(parts[3].ends_with("ID3\0\u{fffd}") && parts[4] == "--", "{body}");
}

#[tokio::test]
async fn a_busy_server_is_asked_again_and_a_refusal_is_told() {
    let busy = Reply::new(503, "retry-after-ms: 1\r\n", "");
    let server = Server::start(vec![busy, Reply::new(200, "", r#"{"text":"Yes."}"#)]).await;
    assert_eq!(hear(&server).await.unwrap(), "Yes.");
    let refusal = r#"{"error":{"message":"Invalid file format for sk-secret"}}"#;
    let server = Server::start(vec![Reply::new(400, "", refusal)]).await;
    let error = hear(&server).await.unwrap_err();
    assert!(matches!(&error, Error::Refused(_)), "{error:?}");
    assert!(error.to_string().contains("Invalid file format") && !error.to_string().contains("sk-secret"));
    let server = Server::start(vec![Reply::new(200, "", "<html>")]).await;
    assert!(matches!(hear(&server).await, Err(Error::Malformed(_))));
}
