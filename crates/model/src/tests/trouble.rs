use super::*;

const OK: &str = r#"{"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}"#;
const HALF: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n";
const NOW: &str = "retry-after: 0\r\n";

async fn refused(status: u16, body: &str) -> Error {
    let server = Server::start(vec![Reply::new(status, "", body)]).await;
    let heard = hear(&server.url, question()).await;
    assert_eq!(heard.retries, [0_u32; 0]);
    heard.error.unwrap()
}

#[tokio::test]
async fn refusals_are_told_apart() {
    assert_eq!(
        refused(401, r#"{"error":{"message":"Incorrect API key: sk-secret"}}"#).await,
        Error::Unauthorised("Incorrect API key: …".into())
    );
    assert_eq!(
        refused(404, r#"{"error":"model 'some-model' not found"}"#).await,
        Error::NotFound { model: "some-model".into(), message: "model 'some-model' not found".into() }
    );
    let missing = r#"{"error":{"code":"model_not_found","message":"no access"}}"#;
    assert!(matches!(refused(400, missing).await, Error::NotFound { .. }));
    let long = r#"{"error":{"code":"context_length_exceeded","message":"too many"}}"#;
    assert_eq!(refused(400, long).await, Error::TooLong("too many".into()));
    assert_eq!(refused(400, "<html>no</html>").await, Error::Refused("<html>no</html> (400)".into()));
    let quota = r#"{"error":{"code":"insufficient_quota","message":"pay first"}}"#;
    assert_eq!(refused(429, quota).await, Error::RateLimited("insufficient_quota: pay first".into()));
    assert!(matches!(refused(200, "<html>welcome").await, Error::Malformed(_)));
    assert!(matches!(refused(200, "{\"choices\":[{\"delta\":{}}]}").await, Error::Malformed(_)));
    assert!(matches!(refused(200, "{\"choices\":").await, Error::Malformed(_)));
    assert!(matches!(refused(200, "").await, Error::Malformed(_)));
}

#[tokio::test]
async fn passing_trouble_is_tried_again_and_told() {
    for status in [429, 500, 503, 529] {
        let busy = || Reply::new(status, NOW, r#"{"error":{"message":"busy"}}"#);
        let server = Server::start(vec![busy(), busy(), Reply::stream(&[OK])]).await;
        let heard = hear(&server.url, question()).await;
        assert_eq!(heard, Heard { retries: vec![1, 2], ..said("ok", Finish::Stop) });

        let server = Server::start(vec![busy(), busy(), busy()]).await;
        let heard = hear(&server.url, question()).await;
        assert_eq!(heard.retries, [1, 2]);
        assert!(matches!(heard.error, Some(Error::RateLimited(_) | Error::Overloaded { .. })), "{heard:?}");
    }
}

#[tokio::test]
async fn a_long_wait_is_left_to_the_user() {
    let server = Server::start(vec![Reply::new(429, "retry-after: 3600\r\n", "later")]).await;
    let heard = hear(&server.url, question()).await;
    assert_eq!(heard, Heard { error: Some(Error::RateLimited("later".into())), ..Heard::default() });
}

#[tokio::test]
async fn after_content_there_is_no_other_try() {
    let error = "data: {\"error\":{\"code\":503,\"message\":\"overloaded\"}}\n\n";
    let server =
        Server::start(vec![Reply::new(200, "", format!("{HALF}{error}")), Reply::stream(&[OK])]).await;
    let heard = hear(&server.url, question()).await;
    let error = Error::Overloaded { status: 503, message: "overloaded".into() };
    assert_eq!(heard, Heard { text: "half".into(), error: Some(error), ..Heard::default() });

    let server = Server::start(vec![Reply::new(200, "", HALF), Reply::stream(&[OK])]).await;
    let heard = hear(&server.url, question()).await;
    assert_eq!(heard, Heard { text: "half".into(), error: Some(Error::BrokenOff), ..Heard::default() });
}

#[tokio::test]
async fn what_came_before_garbage_is_kept() {
    let server = Server::start(vec![Reply::new(200, "", format!("{HALF}data: oops\n\n"))]).await;
    let heard = hear(&server.url, question()).await;
    assert_eq!(heard.text, "half");
    assert!(matches!(heard.error, Some(Error::Malformed(_))), "{heard:?}");
}

#[tokio::test]
async fn a_stop_ends_the_stream_at_once() {
    let server = Server::start(vec![Reply::new(200, "", HALF).stay()]).await;
    let cancel = CancellationToken::new();
    let stream = chat(&Client::new().unwrap(), endpoint(&server.url), question(), cancel.clone());
    let mut stream = std::pin::pin!(stream);
    assert_eq!(stream.next().await, Some(Ok(Piece::Text("half".into()))));
    cancel.cancel();
    assert_eq!(stream.next().await, Some(Err(Error::Cancelled)));
    assert_eq!(stream.next().await, None);
    // Also before anything was asked.
    let stream = chat(&Client::new().unwrap(), endpoint(&server.url), question(), cancel);
    assert_eq!(stream.collect::<Vec<_>>().await, [Err(Error::Cancelled)]);
}

#[tokio::test]
async fn plain_http_is_for_this_machine() {
    let heard = hear("http://example.org/v1", question()).await;
    assert!(matches!(heard.error, Some(Error::Network(orangery_net::Error::Insecure(_)))), "{heard:?}");
}
