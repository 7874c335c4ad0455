//! The routes; the wire is described in [`super`].

use std::convert::Infallible;
use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware;
use axum::response::sse::{self, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures::{Stream, StreamExt};
use orangery_api::blob::{Blob, BlobKey};
use orangery_api::domain::{ErrorKind, FilePlace, KbId, KbPath};
use orangery_api::error::{Code, WireError};
use orangery_api::json;
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use super::assets::{self, set};
use super::{Web, guard};

/// A note of some megabytes may be saved whole.
const LARGEST_CALL: usize = 32 << 20;

/// For answers that are not the interface: they run and load nothing.
const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'";
/// For pictures that hold markup (SVG): shown, but nothing in them runs or loads.
const SANDBOX: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

pub fn router(web: Arc<Web>) -> axum::Router {
    let signed_in = middleware::from_fn_with_state(Arc::clone(&web), guard::signed_in);
    let origin = middleware::from_fn_with_state(Arc::clone(&web), guard::origin);
    let fixed =
        |name, value| SetResponseHeaderLayer::if_not_present(name, header::HeaderValue::from_static(value));
    axum::Router::new()
        .route("/rpc/{method}", post(rpc))
        .route("/events", get(events))
        .route("/blob/file/{kb}/{*path}", get(file))
        .route("/blob/page/{kb}/{page}/{width}/{*path}", get(page))
        .route("/blob/picture/{kb}/{id}/{*path}", get(picture))
        .layer(signed_in)
        .route("/session", post(session))
        .layer(DefaultBodyLimit::max(LARGEST_CALL))
        .fallback_service(get(assets::serve).layer(CompressionLayer::new()).with_state(Arc::clone(&web)))
        .with_state(web)
        .layer(origin)
        .layer(fixed(header::CONTENT_SECURITY_POLICY, NOTHING))
        .layer(fixed(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(fixed(header::REFERRER_POLICY, "no-referrer"))
        .layer(fixed(header::CACHE_CONTROL, "no-store"))
        .layer(fixed(header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"))
        .layer(fixed(header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"))
}

#[derive(Deserialize)]
struct SignIn {
    token: String,
}

async fn session(State(web): State<Arc<Web>>, Json(request): Json<SignIn>) -> Response {
    let Some(key) = web.sessions.exchange(&request.token) else {
        let error = WireError::new(Code::NotSignedIn, "the link was used before, or is of another run");
        return refuse(&error).into_response();
    };
    let cookie = format!("{}={key}; HttpOnly; SameSite=Strict; Path=/", guard::cookie_name(web.port));
    let mut headers = HeaderMap::new();
    set(&mut headers, header::SET_COOKIE, &cookie);
    (StatusCode::NO_CONTENT, headers).into_response()
}

async fn rpc(State(web): State<Arc<Web>>, Path(method): Path<String>, body: Bytes) -> Response {
    let params = if body.is_empty() { Ok(serde_json::Value::Null) } else { json::parse(&body) };
    let result = match params {
        Ok(params) => web.app.dispatch(&method, params).await,
        Err(error) => Err(WireError::new(Code::BadParameters, format!("{method}: {error}"))
            .with("method", &method)
            .with("reason", error)),
    };
    match result {
        Ok(reply) => Json(reply).into_response(),
        Err(error) => refuse(&error).into_response(),
    }
}

#[derive(Deserialize)]
struct Since {
    since: Option<u64>,
}

async fn events(
    State(web): State<Arc<Web>>,
    Query(query): Query<Since>,
    headers: HeaderMap,
) -> Sse<impl Stream<Item = Result<sse::Event, Infallible>>> {
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok()?.parse().ok());
    let events = web
        .app
        .events(last.or(query.since))
        .await
        .filter_map(|event| async move {
            let text = serde_json::to_string(&event).ok()?;
            Some(Ok(sse::Event::default().id(event.seq.to_string()).data(text)))
        })
        .take_until(web.cancel.clone().cancelled_owned());
    Sse::new(events).keep_alive(sse::KeepAlive::default())
}

async fn file(State(web): State<Arc<Web>>, Path((kb, path)): Path<(i64, String)>) -> Response {
    shown(&web, kb, path, |place| BlobKey::File { place }).await
}

/// The picture of a page of a document.
async fn page(
    State(web): State<Arc<Web>>,
    Path((kb, page, width, path)): Path<(i64, u32, u32, String)>,
) -> Response {
    shown(&web, kb, path, |place| BlobKey::Page { place, page, width }).await
}

/// A picture in a document. Its id is encoded once more, for it may hold slashes.
async fn picture(State(web): State<Arc<Web>>, Path((kb, id, path)): Path<(i64, String, String)>) -> Response {
    let id = percent_decode_str(&id).decode_utf8_lossy().into_owned();
    shown(&web, kb, path, |place| BlobKey::Picture { place, id }).await
}

async fn shown(web: &Web, kb: i64, path: String, key: impl FnOnce(FilePlace) -> BlobKey) -> Response {
    let result = match KbPath::parse(&path) {
        Ok(path) => web.app.blob(key(FilePlace { kb_id: KbId(kb), path })).await,
        Err(error) => Err(WireError::new(Code::Escapes, error.to_string()).with("path", path)),
    };
    match result {
        Ok(blob) => bytes(blob),
        Err(error) => refuse(&error).into_response(),
    }
}

fn bytes(blob: Blob) -> Response {
    let mut headers = HeaderMap::new();
    set(&mut headers, header::CONTENT_TYPE, blob.content_type);
    set(&mut headers, header::CACHE_CONTROL, "private, no-cache");
    set(&mut headers, header::CONTENT_SECURITY_POLICY, SANDBOX);
    if blob.content_type == orangery_api::blob::OPAQUE {
        set(&mut headers, header::CONTENT_DISPOSITION, "attachment");
    }
    (headers, blob.bytes).into_response()
}

/// An error as the wire carries it.
pub fn refuse(error: &WireError) -> impl IntoResponse + use<> {
    let status = match (error.code, error.kind) {
        (Code::NotSignedIn, _) => StatusCode::UNAUTHORIZED,
        (_, ErrorKind::NotFound) => StatusCode::NOT_FOUND,
        (_, ErrorKind::Invalid) => StatusCode::BAD_REQUEST,
        (_, ErrorKind::Conflict) => StatusCode::CONFLICT,
        (_, ErrorKind::Denied) => StatusCode::FORBIDDEN,
        (_, ErrorKind::Cancelled | ErrorKind::Unavailable) => StatusCode::SERVICE_UNAVAILABLE,
        (_, ErrorKind::Corrupt | ErrorKind::Internal) => StatusCode::INTERNAL_SERVER_ERROR,
    };
    (status, Json(error.clone()))
}
