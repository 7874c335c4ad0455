use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use super::*;

const LIMITS: Limits = Limits { silence: Duration::from_secs(30), body: 1000 };

/// Answers the first connections with `answers`, one each, and yields the requests.
async fn serve(answers: Vec<String>) -> (Url, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}/v1", listener.local_addr().unwrap())).unwrap();
    let task = tokio::spawn(async move {
        let mut requests = Vec::new();
        for answer in answers {
            let (mut stream, _) = listener.accept().await.unwrap();
            requests.push(read(&mut stream).await);
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
        requests
    });
    (url, task)
}

/// A request, as far as its headers and announced body go.
async fn read(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    let mut buffer = [0; 4096];
    loop {
        let count = stream.read(&mut buffer).await.unwrap();
        text.push_str(std::str::from_utf8(&buffer[..count]).unwrap());
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if count == 0 || body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return text;
            }
        }
    }
}

fn answer(status: &str, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
}

async fn send(url: &Url, request: Request, limits: Limits) -> Result<Response, Error> {
    let client = Client::new().unwrap();
    client.configured(&Origin::of(url).unwrap()).send(request, limits).await
}

#[tokio::test]
async fn a_request_carries_what_it_was_given() {
    let (url, server) = serve(vec![answer("200 OK", "x-kind: a\r\n", "hello")]).await;
    let request = Request::post_json(url.clone(), b"{}".into()).bearer("sk-1").unwrap();
    assert!(!format!("{request:?}").contains("sk-1"));
    let response = send(&url, request, LIMITS).await.unwrap();
    assert_eq!((response.status(), response.header("x-kind")), (200, Some("a")));
    assert_eq!(response.body().await.unwrap(), b"hello");
    let request = server.await.unwrap().remove(0);
    assert!(request.starts_with("POST /v1 HTTP/1.1\r\n") && request.ends_with("\r\n\r\n{}"), "{request}");
    assert!(request.contains("authorization: Bearer sk-1\r\n"), "{request}");
    assert!(request.contains("content-type: application/json\r\n"), "{request}");
}

#[tokio::test]
async fn redirects_stay_at_the_origin() {
    let moved = answer("307 Moved", "location: /v2\r\n", "");
    let (url, server) = serve(vec![moved, answer("200 OK", "", "there")]).await;
    let request = Request::post_json(url.clone(), b"{}".into());
    let response = send(&url, request, LIMITS).await.unwrap();
    assert_eq!(response.body().await.unwrap(), b"there");
    let requests = server.await.unwrap();
    assert!(requests[1].starts_with("POST /v2 ") && requests[1].ends_with("{}"), "{}", requests[1]);

    let (url, _server) = serve(vec![answer("302 Found", "location: https://evil.example/\r\n", "")]).await;
    let error = send(&url, Request::get(url.clone()), LIMITS).await.unwrap_err();
    assert!(matches!(&error, Error::Redirected { to, .. } if to == "evil.example"), "{error}");

    // The same host on another port is another origin.
    let (url, _server) = serve(vec![answer("308 Moved", "location: http://127.0.0.1:1/\r\n", "")]).await;
    let error = send(&url, Request::get(url.clone()), LIMITS).await.unwrap_err();
    assert!(matches!(error, Error::Redirected { .. }), "{error}");

    let hop = || answer("302 Found", "location: /again\r\n", "");
    let (url, _server) = serve(vec![hop(), hop(), hop(), hop()]).await;
    let error = send(&url, Request::get(url.clone()), LIMITS).await.unwrap_err();
    assert!(matches!(error, Error::RedirectLoop(_)), "{error}");
}

#[tokio::test]
async fn another_address_is_refused_before_it_is_asked() {
    let (url, _server) = serve(vec![]).await;
    let other = Url::parse("https://example.org/").unwrap();
    let error = send(&url, Request::get(other), LIMITS).await.unwrap_err();
    assert!(matches!(error, Error::OtherOrigin(_)), "{error}");
}

#[tokio::test]
async fn a_body_over_the_limit_is_cut_off() {
    let (url, _server) = serve(vec![answer("200 OK", "", &"x".repeat(1001))]).await;
    let response = send(&url, Request::get(url.clone()), LIMITS).await.unwrap();
    let error = response.body().await.unwrap_err();
    assert!(matches!(error, Error::TooLarge { limit: 1000, .. }), "{error}");
}

#[tokio::test]
async fn silence_and_breaks_are_told() {
    let limits = Limits { silence: Duration::from_millis(50), ..LIMITS };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
    let error = send(&url, Request::get(url.clone()), limits).await.unwrap_err();
    assert!(matches!(error, Error::Silent { .. }), "{error}");

    let cut = "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nhalf";
    let (url, _server) = serve(vec![cut.into()]).await;
    let response = send(&url, Request::get(url.clone()), LIMITS).await.unwrap();
    let error = response.body().await.unwrap_err();
    assert!(matches!(error, Error::Broken { .. }), "{error}");

    drop(listener);
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let closed = Url::parse(&format!("http://{nobody}/")).unwrap();
    let error = send(&closed, Request::get(closed.clone()), LIMITS).await.unwrap_err();
    assert!(matches!(error, Error::Unreachable { obstacle: Obstacle::Refused, .. }), "{error}");
    assert_eq!(error.kind(), orangery_domain::ErrorKind::Unavailable);
}
