use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;

/// A server that answers once; what it was asked comes with what was made of its answer.
async fn ask(
    kind: WebEngine,
    search_type: Option<&str>,
    status: &str,
    answer: &str,
) -> (String, Result<Vec<Found>, SearchError>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/api/", listener.local_addr().unwrap());
    let reply =
        format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{answer}", answer.len());
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = Vec::new();
        let mut buffer = [0; 4096];
        loop {
            let count = stream.read(&mut buffer).await.unwrap();
            request.extend_from_slice(&buffer[..count]);
            let text = String::from_utf8_lossy(&request).into_owned();
            // All bodies here are JSON objects.
            if text.starts_with("GET") && text.contains("\r\n\r\n") || text.ends_with('}') || count == 0 {
                stream.write_all(reply.as_bytes()).await.unwrap();
                return text;
            }
        }
    });
    let engine = Engine { kind, address: Some(address), key: Some("k-1".into()) };
    let found = engine.find(&Client::new().unwrap(), "rust 异步", search_type, 2).await;
    (server.await.unwrap(), found)
}

fn page(url: &str, title: &str, excerpt: &str, published: Option<&str>) -> Found {
    Found {
        url: url.into(),
        title: title.into(),
        excerpt: excerpt.into(),
        published: published.map(Into::into),
    }
}

#[tokio::test]
async fn each_engine_is_asked_in_its_own_words() {
    let answer = r#"{"results":[{"url":"https://a.example/","title":"A","text":"about a","publishedDate":"2026-01-02"},
        {"title":"no address"},{"url":"https://b.example/","title":"B"},{"url":"https://c.example/"}]}"#;
    let (request, found) = ask(WebEngine::Exa, Some("fast"), "200 OK", answer).await;
    assert!(request.starts_with("POST /api/search ") && request.contains("x-api-key: k-1\r\n"), "{request}");
    assert!(request.contains(r#""type":"fast""#) && request.contains(r#""numResults":2"#), "{request}");
    let expected = [
        page("https://a.example/", "A", "about a", Some("2026-01-02")),
        page("https://b.example/", "B", "", None),
    ];
    assert_eq!(found.unwrap(), expected);

    let answer = r#"{"web":{"results":[{"url":"https://a.example/","title":"A","description":"<strong>a</strong>","age":"2 days ago"}]}}"#;
    let (request, found) = ask(WebEngine::Brave, None, "200 OK", answer).await;
    assert!(
        request.starts_with("GET /api/res/v1/web/search?q=rust+%E5%BC%82%E6%AD%A5&count=2 "),
        "{request}"
    );
    assert!(request.contains("x-subscription-token: k-1\r\n"), "{request}");
    assert_eq!(found.unwrap(), [page("https://a.example/", "A", "<strong>a</strong>", Some("2 days ago"))]);
    let (_, found) = ask(WebEngine::Brave, None, "200 OK", r#"{"type":"search"}"#).await;
    assert_eq!(found.unwrap(), []);

    let answer = r#"{"results":[{"url":"https://a.example/","title":"A","content":"about a"}]}"#;
    let (request, found) = ask(WebEngine::Tavily, Some("news"), "200 OK", answer).await;
    assert!(
        request.starts_with("POST /api/search ") && request.contains("authorization: Bearer k-1\r\n"),
        "{request}"
    );
    assert!(request.contains(r#""topic":"news""#) && request.contains(r#""max_results":2"#), "{request}");
    assert_eq!(found.unwrap(), [page("https://a.example/", "A", "about a", None)]);

    let (request, found) = ask(WebEngine::SearXng, Some("it"), "200 OK", answer).await;
    let line = "GET /api/search?q=rust+%E5%BC%82%E6%AD%A5&format=json&categories=it ";
    assert!(request.starts_with(line), "{request}");
    assert_eq!(found.unwrap().len(), 1);
}

#[tokio::test]
async fn a_refusal_says_what_to_do() {
    for (kind, status, said) in [
        (WebEngine::Exa, "401 Unauthorized", "refused the key"),
        (WebEngine::Brave, "403 Forbidden", "refused the key"),
        (WebEngine::SearXng, "403 Forbidden", "list json among the formats"),
        (WebEngine::Tavily, "429 Too Many Requests", "no more searches"),
        (WebEngine::Tavily, "432 Plan", "no more searches"),
        (WebEngine::Exa, "500 Oops", "status 500"),
    ] {
        let error = ask(kind, None, status, "{}").await.1.unwrap_err();
        assert!(error.to_string().contains(said), "{kind:?} {status}: {error}");
        assert!(!error.to_string().contains("k-1"), "{error}");
    }
    for answer in ["<html>", "{}", r#"{"results":3}"#] {
        let error = ask(WebEngine::Tavily, None, "200 OK", answer).await.1.unwrap_err();
        assert!(matches!(error, SearchError::Unreadable(_)), "{error}");
    }
}

#[tokio::test]
async fn what_an_engine_cannot_do_is_said_before_it_is_asked() {
    let client = Client::new().unwrap();
    let engine = |kind| Engine { kind, address: None, key: None };
    let find = async |kind, search_type| {
        engine(kind).find(&client, "a", search_type, 5).await.unwrap_err().to_string()
    };
    assert_eq!(find(WebEngine::Brave, Some("news")).await, "Brave Search takes no searchType");
    assert!(find(WebEngine::Tavily, Some("neural")).await.contains("it has general, news, finance"));
    assert!(find(WebEngine::SearXng, None).await.contains("needs the address of a server"));
}
