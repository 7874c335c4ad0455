//! A data directory with folders beside it.

use std::path::{Path, PathBuf};

use orangery_api::error::WireError;
use orangery_api::request::Capabilities;
use orangery_api::{App, Config};
use serde_json::Value;
use tempfile::TempDir;

pub struct House {
    pub top: TempDir,
}

impl House {
    pub fn new() -> Self {
        Self { top: tempfile::tempdir().unwrap() }
    }

    pub fn folder(&self, name: &str) -> PathBuf {
        let folder = self.top.path().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    pub fn config(&self) -> Config {
        config(self.top.path())
    }

    pub async fn open(&self) -> App {
        App::open(self.config()).await.unwrap()
    }
}

pub fn config(top: &Path) -> Config {
    Config {
        data_dir: top.join("data"),
        home: top.join("home"),
        sample_dir: top.join("documents"),
        capabilities: Capabilities {
            host: "test".into(),
            version: "0".into(),
            platform: "linux".into(),
            native_dialogs: false,
            frameless: false,
            read_only: false,
            sample: None,
            unconfined: None,
        },
        worker: None,
        watchdog: orangery_api::child::watchdog(),
        watch: true,
    }
}

pub async fn call(app: &App, method: &str, params: Value) -> Value {
    try_call(app, method, params).await.unwrap_or_else(|error| panic!("{method}: {error:?}"))
}

pub async fn try_call(app: &App, method: &str, params: Value) -> Result<Value, WireError> {
    app.dispatch(method, params).await
}
