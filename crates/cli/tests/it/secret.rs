//! A machine without a keyring: no bus, nobody on it.

use std::path::Path;

use serde_json::json;

use crate::bench::Bench;
use crate::serve::Served;

const KEY: &str = "sk-nowhere-on-disk-4711";

#[test]
fn without_a_keyring_the_choice_is_the_users() {
    let bench = Bench::new();
    let served = Served::start(&bench);
    let cookie = served.cookie();
    let rpc = |method: &str, params| served.rpc(&cookie, method, &params);
    let model = json!({
        "name": "m", "baseUrl": "http://127.0.0.1:9/v1", "model": "m", "contextTokens": 8000, "tools": true,
    });
    let id = rpc("model.save", model).json()["id"].clone();

    let status = rpc("secret.status", json!({})).json();
    assert_eq!((&status["keyring"], &status["file"]), (&json!(false), &json!(false)), "{status}");
    assert!(status["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{status}");
    let refused = rpc("secret.set", json!({ "of": { "model": id }, "key": KEY, "keep": "keyring" }));
    assert_eq!(refused.json()["code"], "noKeyring", "{}", refused.body);
    assert_eq!(rpc("model.list", json!({})).json()[0]["key"], "none", "nothing took its place");

    // For this run only: it is kept, and still no file has it.
    let kept = rpc("secret.set", json!({ "of": { "model": id }, "key": KEY, "keep": "run" }));
    assert_eq!(kept.status, 200, "{}", kept.body);
    assert_eq!(rpc("model.list", json!({})).json()[0]["key"], "run");
    drop(served);
    assert_no_file_holds(&bench.top(), KEY.as_bytes());
}

fn assert_no_file_holds(folder: &Path, key: &[u8]) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            assert_no_file_holds(&path, key);
        } else if let Ok(bytes) = std::fs::read(&path) {
            assert!(!bytes.windows(key.len()).any(|window| window == key), "{}", path.display());
        }
    }
}
