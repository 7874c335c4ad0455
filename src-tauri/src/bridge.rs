//! Between the page and the API: one command for all calls, one for the stream of events.

use std::sync::{Mutex, PoisonError};

use futures::future::{BoxFuture, Shared};
use futures::{FutureExt, StreamExt};
use orangery_api::app::{App, Config};
use orangery_api::blob::{Blob, BlobKey};
use orangery_api::domain::Numbered;
use orangery_api::error::{Code, WireError};
use serde_json::{Value, json};
use tauri::State;
use tauri::ipc::Channel;
use tokio_util::sync::CancellationToken;

/// The app, from the moment it begins to open.
pub struct Bridge {
    app: Shared<BoxFuture<'static, Result<App, WireError>>>,
    /// The stream that the page reads now; a page that was loaded again has a new one.
    stream: Mutex<CancellationToken>,
}

impl Bridge {
    pub fn open(config: Config, with_sample: bool) -> Self {
        let opening = tauri::async_runtime::spawn(async move {
            let app = App::open(config).await?;
            if with_sample {
                add_sample(&app).await?;
            }
            Ok(app)
        });
        let app = async {
            opening.await.unwrap_or_else(|error| Err(WireError::new(Code::Internal, error.to_string())))
        };
        Self { app: app.boxed().shared(), stream: Mutex::default() }
    }

    async fn app(&self) -> Result<App, WireError> {
        self.app.clone().await
    }

    pub async fn blob(&self, key: BlobKey) -> Result<Blob, WireError> {
        self.app().await?.blob(key).await
    }

    /// Gives up the data directory.
    pub async fn close(&self) {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner).cancel();
        if let Ok(app) = self.app().await {
            app.shutdown().await;
        }
    }

    /// Ends the stream before this one.
    fn next_stream(&self) -> CancellationToken {
        let next = CancellationToken::new();
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *stream, next.clone()).cancel();
        next
    }
}

/// Opens the user guide where there is nothing else to open.
async fn add_sample(app: &App) -> Result<(), WireError> {
    if app.dispatch("kb.list", json!({})).await? == json!([]) {
        app.dispatch("kb.addSample", json!({})).await?;
    }
    Ok(())
}

#[tauri::command]
pub async fn rpc(method: String, params: Value, bridge: State<'_, Bridge>) -> Result<Value, WireError> {
    bridge.app().await?.dispatch(&method, params).await
}

/// Sends every event after `since` until the page asks anew, or the app ends. 0 is a page that has seen none.
#[tauri::command]
pub async fn events(
    since: u64,
    channel: Channel<Numbered>,
    bridge: State<'_, Bridge>,
) -> Result<(), WireError> {
    let ended = bridge.next_stream();
    let app = bridge.app().await?;
    let mut events = Box::pin(app.events((since > 0).then_some(since)).await);
    while let Some(Some(event)) = ended.run_until_cancelled(events.next()).await {
        if channel.send(event).is_err() {
            break;
        }
    }
    Ok(())
}
