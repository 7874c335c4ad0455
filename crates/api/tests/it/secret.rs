//! Keys: where they may be, and that they never come out.

use orangery_api::App;
use orangery_api::error::Code;
use serde_json::{Value, json};

use crate::house::{House, call, try_call};

const KEY: &str = "sk-do-not-show-me-4711";

async fn model(app: &App) -> Value {
    let request = json!({
        "id": null, "name": "Local", "baseUrl": "http://127.0.0.1:9/v1", "model": "m",
        "contextTokens": 8000, "tools": true,
    });
    let saved = call(app, "model.save", request).await;
    assert_eq!(saved["key"], "none");
    saved["id"].clone()
}

async fn place(app: &App) -> Value {
    call(app, "model.list", json!({})).await[0]["key"].clone()
}

/// This machine's keyring may be there or not; without one, the choice is told and nothing is kept.
#[tokio::test(flavor = "multi_thread")]
async fn without_a_keyring_nothing_is_kept_silently() {
    let house = House::new();
    let app = house.open().await;
    let id = model(&app).await;
    let status = call(&app, "secret.status", json!({})).await;
    assert_eq!((&status["file"], &status["fileOpen"]), (&json!(false), &json!(false)));
    if status["keyring"] == json!(false) {
        assert!(status["reason"].as_str().is_some_and(|reason| !reason.is_empty()));
        let request = json!({ "of": { "model": id }, "key": KEY, "keep": "keyring" });
        let error = try_call(&app, "secret.set", request).await.unwrap_err();
        assert_eq!(error.code, Code::NoKeyring);
        assert!(!format!("{error:?}").contains(KEY));
        assert_eq!(place(&app).await, "none");
    }
    let request = json!({ "of": { "model": id }, "key": KEY, "keep": "file" });
    let error = try_call(&app, "secret.set", request).await.unwrap_err();
    assert_eq!(error.code, Code::SecretFileClosed);
    app.shutdown().await;
    assert_no_trace(&house);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_for_this_run_ends_with_it() {
    let house = House::new();
    let app = house.open().await;
    let id = model(&app).await;
    call(&app, "secret.set", json!({ "of": { "model": id }, "key": KEY, "keep": "run" })).await;
    assert_eq!(place(&app).await, "run");
    app.shutdown().await;
    assert_no_trace(&house);
    let app = house.open().await;
    assert_eq!(place(&app).await, "none");
    app.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passphrase_file_survives_a_restart_and_wants_its_passphrase() {
    let house = House::new();
    let app = house.open().await;
    let id = model(&app).await;
    let status = call(&app, "secret.open", json!({ "passphrase": "橙园 and rain" })).await;
    assert_eq!((&status["file"], &status["fileOpen"]), (&json!(true), &json!(true)));
    call(&app, "secret.set", json!({ "of": { "model": id }, "key": KEY, "keep": "file" })).await;
    assert_eq!(place(&app).await, "file");
    let error = try_call(&app, "secret.open", json!({ "passphrase": "" })).await.unwrap_err();
    assert_eq!(error.code, Code::EmptyPassphrase);
    app.shutdown().await;
    assert_no_trace(&house);

    let app = house.open().await;
    let status = call(&app, "secret.status", json!({})).await;
    assert_eq!((&status["file"], &status["fileOpen"]), (&json!(true), &json!(false)));
    let error = try_call(&app, "secret.open", json!({ "passphrase": "guess" })).await.unwrap_err();
    assert_eq!(error.code, Code::WrongPassphrase);
    call(&app, "secret.open", json!({ "passphrase": "橙园 and rain" })).await;
    // An empty key removes it.
    call(&app, "secret.set", json!({ "of": { "model": id }, "key": "", "keep": "file" })).await;
    assert_eq!(place(&app).await, "none");
    app.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_key_of_a_search_engine_goes_to_no_other() {
    let house = House::new();
    let app = house.open().await;
    let engine = async |engine: Value| {
        let mut settings = call(&app, "setting.get", json!({})).await;
        settings["webSearch"] = engine;
        try_call(&app, "setting.set", json!({ "settings": settings })).await
    };
    let key = json!({ "of": "webSearch", "key": KEY, "keep": "run" });
    let error = try_call(&app, "secret.set", key.clone()).await.unwrap_err();
    assert_eq!(error.code, Code::BadParameters, "there is no engine yet");

    let exa = json!({ "engine": "exa", "address": null, "key": "keyring" });
    assert_eq!(engine(exa.clone()).await.unwrap()["webSearch"]["key"], "none", "nobody says where a key is");
    call(&app, "secret.set", key.clone()).await;
    assert_eq!(call(&app, "setting.get", json!({})).await["webSearch"]["key"], "run");
    assert_eq!(engine(exa.clone()).await.unwrap()["webSearch"]["key"], "run", "the same engine keeps it");
    let elsewhere = json!({ "engine": "exa", "address": "https://exa.example", "key": "run" });
    assert_eq!(engine(elsewhere).await.unwrap()["webSearch"]["key"], "none");
    call(&app, "secret.set", key).await;
    let tavily = json!({ "engine": "tavily", "address": " ", "key": "run" });
    let changed = engine(tavily).await.unwrap();
    assert_eq!(changed["webSearch"], json!({ "engine": "tavily", "address": null, "key": "none" }));
    assert_eq!(engine(exa).await.unwrap()["webSearch"]["key"], "none", "it is gone, not only out of sight");

    for address in ["http://192.168.1.2:8080", "ftp://a.example", "https://me:secret@a.example"] {
        let error =
            engine(json!({ "engine": "searXng", "address": address, "key": "none" })).await.unwrap_err();
        assert_eq!(error.code, Code::BadAddress, "{address}");
    }
    app.shutdown().await;
    assert_no_trace(&house);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_reply_and_no_event_carries_a_key() {
    use futures::StreamExt;
    let house = House::new();
    let app = house.open().await;
    let mut events = Box::pin(app.events(Some(0)).await);
    assert_eq!(events.next().await.unwrap().event, orangery_api::domain::Event::Resync);
    let id = model(&app).await;
    call(&app, "secret.set", json!({ "of": { "model": id }, "key": KEY, "keep": "run" })).await;
    for command in orangery_api::commands::COMMANDS.iter().filter(|command| !command.writes) {
        let params = json!({ "modelId": id });
        let reply = match try_call(&app, command.method, params).await {
            Ok(reply) => reply.to_string(),
            Err(error) => format!("{error:?}"),
        };
        assert!(!reply.contains(KEY), "{}: {reply}", command.method);
    }
    // Of `model.save` and `secret.set`.
    for _ in 0..2 {
        let event = events.next().await.unwrap();
        assert!(!serde_json::to_string(&event).unwrap().contains(KEY));
    }
    app.shutdown().await;
}

/// No file of the house holds the key.
fn assert_no_trace(house: &House) {
    let mut folders = vec![house.top.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(bytes) = std::fs::read(&path) {
                let key = KEY.as_bytes();
                assert!(!bytes.windows(key.len()).any(|window| window == key), "{}", path.display());
            }
        }
    }
}
