use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;
use crate::public::is_public;

const LIMITS: Limits = Limits { silence: Duration::from_secs(30), body: 1000 };
const PUBLIC: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// An internet in which 127.0.0.2 is public. `turning.example` is public when it is looked up first and
/// private ever after; `both.example` is both at once.
#[derive(Default)]
struct Small(AtomicU32);

impl Addresses for Small {
    fn look_up<'a>(&'a self, host: &'a str) -> BoxFuture<'a, std::io::Result<Vec<SocketAddr>>> {
        let turned = host == "turning.example" && self.0.fetch_add(1, Ordering::Relaxed) > 0;
        let found: &[Ipv4Addr] = match host {
            "both.example" => &[PUBLIC, Ipv4Addr::LOCALHOST],
            "private.example" | "localhost" => &[Ipv4Addr::LOCALHOST],
            _ if turned => &[Ipv4Addr::LOCALHOST],
            _ => &[PUBLIC],
        };
        let found = found.iter().map(|address| SocketAddr::from((*address, 0))).collect();
        async move { Ok(found) }.boxed()
    }

    fn is_public(&self, address: IpAddr) -> bool {
        address == IpAddr::V4(PUBLIC) || is_public(address)
    }
}

/// Answers every connection at `PUBLIC` with `answer`; the port, and the requests as they come.
async fn serve(answer: &'static str) -> (u16, tokio::sync::mpsc::UnboundedReceiver<String>) {
    let listener = TcpListener::bind((PUBLIC, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (asked, requests) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut buffer = vec![0; 4096];
            let count = stream.read(&mut buffer).await.unwrap();
            asked.send(String::from_utf8_lossy(&buffer[..count]).into_owned()).ok();
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
    });
    (port, requests)
}

async fn open(content: &Content, url: &str) -> Result<Arrived, Error> {
    content.open(&PageUrl::parse(url).unwrap(), &[], LIMITS).await
}

fn content() -> Content {
    Content::over(Arc::new(Small::default())).unwrap()
}

const HELLO: &str = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello";

#[tokio::test]
async fn a_public_page_is_fetched_from_the_address_that_was_judged() {
    let (port, mut requests) = serve(HELLO).await;
    let page = PageUrl::parse(&format!("http://page.example:{port}/a#b")).unwrap();
    let headers = [("X-Version".to_owned(), "1".to_owned())];
    let Arrived::Here(response) = content().open(&page, &headers, LIMITS).await.unwrap() else { panic!() };
    assert_eq!(response.body().await.unwrap(), b"hello");
    let request = requests.recv().await.unwrap();
    assert!(request.starts_with("GET /a HTTP/1.1\r\n"), "{request}");
    assert!(request.contains(&format!("host: page.example:{port}\r\n")), "{request}");
    assert!(request.contains("x-version: 1\r\n") && !request.to_lowercase().contains("cookie"), "{request}");
}

#[tokio::test]
async fn what_is_private_is_refused_before_anything_is_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let content = content();
    for host in [
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "private.example",
        "both.example",
        "localhost",
        "10.0.0.1",
        "169.254.169.254",
    ] {
        let error = open(&content, &format!("http://{host}:{port}/")).await.unwrap_err();
        assert!(matches!(error, Error::Private(_)), "{host}: {error}");
    }
    let nobody = tokio::time::timeout(Duration::from_millis(50), listener.accept()).await;
    assert!(nobody.is_err(), "a private address was asked");
}

#[tokio::test]
async fn a_name_that_turns_private_is_judged_each_time() {
    let (port, _requests) = serve(HELLO).await;
    let content = content();
    let url = format!("http://turning.example:{port}/");
    assert!(matches!(open(&content, &url).await, Ok(Arrived::Here(_))));
    let error = open(&content, &url).await.unwrap_err();
    assert!(matches!(error, Error::Private(_)), "{error}");
}

#[tokio::test]
async fn a_redirect_is_told_and_not_followed() {
    let moved = "HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/meta\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    let (port, _requests) = serve(moved).await;
    let content = content();
    let Arrived::Moved(to) = open(&content, &format!("http://page.example:{port}/")).await.unwrap() else {
        panic!()
    };
    assert_eq!(to.as_str(), "http://169.254.169.254/meta");
    assert!(matches!(content.open(&to, &[], LIMITS).await, Err(Error::Private(_))));

    let file = "HTTP/1.1 301 Moved\r\nlocation: file:///etc/passwd\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    let (port, _requests) = serve(file).await;
    let error = open(&content, &format!("http://page.example:{port}/")).await.unwrap_err();
    assert!(matches!(error, Error::Address(..)), "{error}");
}

#[tokio::test]
async fn how_a_request_travels_is_not_for_a_caller_to_say() {
    for name in ["Host", "content-length", "Transfer-Encoding", "proxy-authorization", "no such name"] {
        let page = PageUrl::parse("http://page.example/").unwrap();
        let error = content().open(&page, &[(name.into(), "1".into())], LIMITS).await.unwrap_err();
        assert!(matches!(error, Error::Header(_)), "{name}: {error}");
    }
}
