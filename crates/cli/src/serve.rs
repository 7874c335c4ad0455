//! `orangery serve`: the interface and the API on loopback.
//!
//! The wire, as the UI uses it (same origin, with the cookie):
//! - `POST /session` with `{"token": "…"}` from the link's fragment (`/#token=…`) → 204 and the cookie.
//!   A token works once.
//! - `POST /rpc/<method>`, body: the parameters as JSON → 200 with the reply as JSON, or 4xx/5xx with
//!   `{kind, code, message, detail}`. Without the cookie 401 and the code `notSignedIn`.
//! - `GET /events?since=N` → server-sent events, each with `id: seq` and `data: {seq, event}`. Without
//!   `since` from now on. `Last-Event-ID` comes before `since`, so that a browser's own reconnect goes
//!   on where it was.
//! - `GET /blob/file/<kbId>/<path>`, the path percent-encoded part by part → the bytes.
//! - Everything else is a file of the interface. `index.html` gets `<meta property="csp-nonce" nonce>`:
//!   what makes style elements (CodeMirror) takes the nonce from there; and `<meta name="data">`, under
//!   whose content the page remembers tabs and drafts.

mod assets;
mod guard;
mod routes;
mod session;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use orangery_api::App;
use orangery_api::error::{Code, WireError};
use orangery_api::request::{Nothing, SampleAdded};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::Result;
use crate::call::Caller;
use crate::knowledge_base;
use crate::out::{Exit, Out};

const USUAL_PORT: u16 = 7420;

/// What every route sees.
pub(crate) struct Web {
    app: App,
    port: u16,
    sessions: session::Sessions,
    cancel: CancellationToken,
}

/// Serves until the user interrupts it.
pub async fn run(app: &App, port: Option<u16>, folders: Vec<PathBuf>, sample: bool, out: Out) -> Result {
    let caller = Caller::new(app);
    for folder in folders {
        knowledge_base::find_or_add(&caller, &folder).await?;
    }
    if sample && caller.knowledge_bases().await?.is_empty() {
        caller.call::<SampleAdded>("kb.addSample", Nothing {}).await?;
    }
    let listener = listen(port).await?;
    let port = listener.local_addr().map_err(unavailable)?.port();
    let cancel = CancellationToken::new();
    let (sessions, token) = session::Sessions::new();
    let web = Arc::new(Web { app: app.clone(), port, sessions, cancel: cancel.clone() });
    let link = format!("http://127.0.0.1:{port}/#token={token}");
    out.value(&serde_json::json!({ "link": link, "port": port }), |out| out.line(&link));
    let served = axum::serve(listener, routes::router(web)).with_graceful_shutdown({
        let cancel = cancel.clone();
        async move { cancel.cancelled().await }
    });
    let stop = async {
        crate::interrupted().await;
        // Ends the event streams too, which would otherwise keep the server open.
        cancel.cancel();
        std::future::pending::<()>().await;
    };
    tokio::select! {
        result = async { served.await } => result.map_err(unavailable)?,
        () = stop => {}
    }
    Ok(Exit::Interrupted)
}

async fn listen(port: Option<u16>) -> Result<TcpListener> {
    let bind = |port| TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let listener = match port {
        Some(port) => bind(port).await,
        None => match bind(USUAL_PORT).await {
            Ok(listener) => Ok(listener),
            Err(_) => bind(0).await,
        },
    };
    listener.map_err(|error| match (port, error.kind()) {
        (Some(port), std::io::ErrorKind::AddrInUse) => WireError::new(
            Code::Unavailable,
            format!("serve on 127.0.0.1: port {port} is taken; name another, or leave --port out"),
        ),
        (Some(port), std::io::ErrorKind::PermissionDenied) => WireError::new(
            Code::Unavailable,
            format!("serve on 127.0.0.1: port {port} is not for your user; take one from 1024 on"),
        ),
        _ => unavailable(error),
    })
}

fn unavailable(error: std::io::Error) -> WireError {
    WireError::new(Code::Unavailable, format!("serve on 127.0.0.1: {error}"))
}
