//! What tests across rooms share: a house of one's own, with a real folder, a real database and a real index.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "tests make their own folders")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use orangery_api::App;
use orangery_api::app::Config;
use orangery_api::error::WireError;
use serde_json::{Value, json};
use tempfile::TempDir;

/// No machine is so slow that what should happen has not happened by then.
const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(20);

/// An open app with one folder of notes beside its data.
pub struct House {
    top: TempDir,
    app: App,
}

impl House {
    pub async fn open() -> Self {
        let top = tempfile::tempdir().unwrap();
        for folder in ["data", "home", "notes", "sample"] {
            std::fs::create_dir(top.path().join(folder)).unwrap();
        }
        let app = App::open(config(&top)).await.unwrap();
        Self { top, app }
    }

    /// Ends the app and starts it again on the same data.
    pub async fn reopen(self) -> Self {
        self.app.shutdown().await;
        let app = App::open(config(&self.top)).await.unwrap();
        Self { top: self.top, app }
    }

    pub fn notes(&self) -> PathBuf {
        self.top.path().join("notes")
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.notes().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.notes().join(name)).unwrap()
    }

    pub async fn try_call(&self, method: &str, params: Value) -> Result<Value, WireError> {
        self.app.dispatch(method, params).await
    }

    pub async fn call(&self, method: &str, params: Value) -> Value {
        self.try_call(method, params).await.unwrap_or_else(|error| panic!("{method}: {error:?}"))
    }

    /// Registers the folder of notes and gives its id.
    pub async fn add(&self) -> i64 {
        let kb = self.call("kb.add", json!({ "root": self.notes(), "name": null })).await;
        kb["id"].as_i64().unwrap()
    }

    /// Paths of the files that a search finds, once it finds as many as `count`.
    pub async fn found(&self, text: &str, count: usize) -> Vec<String> {
        let query = json!({
            "text": text, "kbIds": [], "operators": true, "prefix": false, "pathPrefix": null, "tags": [],
            "fileTypes": [], "updatedAfter": null, "updatedBefore": null, "offset": 0, "limit": 0, "perFile": 0,
        });
        let started = Instant::now();
        loop {
            let page = self.call("search.run", query.clone()).await;
            let groups = page["groups"].as_array().unwrap();
            let paths: Vec<String> =
                groups.iter().map(|group| group["place"]["path"].as_str().unwrap().to_owned()).collect();
            if paths.len() == count {
                return paths;
            }
            assert!(started.elapsed() < PATIENCE, "{text}: found {paths:?}, not {count}");
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// One tool call as the assistant makes it, in `session` or in a new one.
    pub async fn tool(&self, kb: i64, level: &str, session: Option<&str>, tool: &str, input: Value) -> Value {
        let call = json!({
            "tool": tool, "input": input, "kbIds": [kb], "level": level, "plan": false, "approve": false,
            "sessionId": session,
        });
        self.call("tool.call", call).await
    }
}

fn config(top: &TempDir) -> Config {
    let base = Config::from_environment("web", Some(top.path().join("data"))).unwrap();
    Config {
        home: top.path().join("home"),
        sample_dir: top.path().join("sample"),
        worker: None,
        watchdog: None,
        ..base
    }
}
