//! The files of the interface. Debug builds read them from disk, release builds carry them.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use orangery_api::page::with_head;
use rust_embed::RustEmbed;

use super::Web;
use super::session::random;

#[derive(RustEmbed)]
#[folder = "../../ui/dist"]
struct Interface;

const INDEX: &str = "index.html";
const NOT_BUILT: &str = "The interface is not built. Run: npm --prefix ui ci && npm --prefix ui run build";

/// Any path that no other route takes. Paths without a file are places inside the interface.
pub async fn serve(State(web): State<Arc<Web>>, uri: Uri, request: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let is_page = path.is_empty() || path == INDEX || !path.contains('.');
    if is_page {
        return page(&web.app.config().data_name());
    }
    let Some(file) = Interface::get(path) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let hash: String = file.metadata.sha256_hash().iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{hash}\"");
    // Vite puts a hash of the content into these names.
    let cache = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut headers = HeaderMap::new();
    set(&mut headers, header::CACHE_CONTROL, cache);
    set(&mut headers, header::ETAG, &tag);
    if request.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let content_type = mime_guess::from_path(path).first_or_octet_stream();
    set(&mut headers, header::CONTENT_TYPE, content_type.as_ref());
    (headers, file.data.into_owned()).into_response()
}

/// The one page, with a nonce of its own and the name of the data directory.
fn page(data: &str) -> Response {
    let Some(file) = Interface::get(INDEX) else {
        return (StatusCode::SERVICE_UNAVAILABLE, NOT_BUILT).into_response();
    };
    let nonce = random();
    let html = with_head(&String::from_utf8_lossy(&file.data), &nonce, data);
    let mut headers = HeaderMap::new();
    set(&mut headers, header::CONTENT_TYPE, "text/html; charset=utf-8");
    set(&mut headers, header::CACHE_CONTROL, "no-store");
    set(&mut headers, header::CONTENT_SECURITY_POLICY, &policy(&nonce));
    (headers, html).into_response()
}

/// What the interface may do. Style elements need the nonce; style attributes (positions, sizes) are
/// free: with images and connections bound to this host they leak nothing.
fn policy(nonce: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; \
         style-src-attr 'unsafe-inline'; img-src 'self' blob: data:; font-src 'self'; \
         connect-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; \
         form-action 'none'"
    )
}

/// A header whose value is known to be one.
pub fn set(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}
