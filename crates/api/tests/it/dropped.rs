//! A host drops a call when its client goes away. A call that writes is done all the same.

use futures::StreamExt;
use orangery_api::App;
use orangery_api::domain::{Event, Tag};
use serde_json::{Value, json};

use crate::house::{House, call};

/// Begins a call and goes away.
async fn drop_call(app: &App, method: &str, params: Value) {
    let mut call = std::pin::pin!(app.dispatch(method, params));
    let _ = futures::poll!(call.as_mut());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_it_wrote_is_whole() {
    let house = House::new();
    let app = house.open().await;
    let mut events = Box::pin(app.events(None).await);
    drop_call(&app, "kb.add", json!({ "root": house.folder("notes") })).await;
    // The last thing that the call does.
    let told = Event::Stale { tags: vec![Tag::KnowledgeBases, Tag::Files] };
    let come = async { while events.next().await.unwrap().event != told {} };
    tokio::time::timeout(std::time::Duration::from_secs(60), come).await.unwrap();
    assert_eq!(call(&app, "kb.list", json!({})).await[0]["name"], "notes");
    app.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_the_app_waits_for_it() {
    let house = House::new();
    let app = house.open().await;
    drop_call(&app, "kb.add", json!({ "root": house.folder("notes") })).await;
    app.shutdown().await;
    let app = house.open().await;
    assert_eq!(call(&app, "kb.list", json!({})).await[0]["name"], "notes");
    app.shutdown().await;
}
