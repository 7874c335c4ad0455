//! Calls of the API, typed.

use futures::StreamExt;
use futures::stream::BoxStream;
use orangery_api::App;
use orangery_api::domain::{KnowledgeBase, Numbered};
use orangery_api::error::{Code, WireError};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Result;

/// A way to the app.
#[derive(Clone)]
pub struct Caller(App);

impl Caller {
    pub fn new(app: &App) -> Self {
        Self(app.clone())
    }

    /// Calls `method`, whose request and reply the caller knows.
    pub async fn call<T: DeserializeOwned>(&self, method: &str, request: impl Serialize) -> Result<T> {
        let params = serde_json::to_value(request).map_err(|error| unreadable(method, &error))?;
        let reply = self.0.dispatch(method, params).await?;
        serde_json::from_value(reply).map_err(|error| unreadable(method, &error))
    }

    pub async fn knowledge_bases(&self) -> Result<Vec<KnowledgeBase>> {
        self.call("kb.list", ()).await
    }

    /// Events from now on.
    pub async fn events(&self) -> BoxStream<'static, Numbered> {
        self.0.events(None).await.boxed()
    }
}

fn unreadable(method: &str, error: &serde_json::Error) -> WireError {
    WireError::new(Code::Internal, format!("{method}: {error}"))
}

/// Wrong words on the command line that only the app could notice.
pub fn usage(message: impl Into<String>) -> WireError {
    let message = message.into();
    WireError::new(Code::BadParameters, message.clone()).with("reason", message)
}
