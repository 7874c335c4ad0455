//! What the page in the window is served besides its files: a nonce for styles, and the bytes of pictures.

use std::borrow::Cow;

use orangery_api::blob::{Blob, BlobKey};
use orangery_api::domain::{FilePlace, KbId, KbPath};
use orangery_api::page::with_head;
use percent_encoding::percent_decode_str;
use rand::distr::{Alphanumeric, SampleString};
use tauri::http::{HeaderValue, Request, Response, StatusCode, header};
use tauri::{Manager, UriSchemeContext, UriSchemeResponder, Wry};

use crate::bridge::Bridge;

/// Scheme of the addresses that `serve` answers: `bytes://localhost/` and, percent-encoded as a whole,
/// `file/<kbId>/<path>`, `page/<kbId>/<page>/<width>/<path>` or `picture/<kbId>/<id>/<path>`.
pub const SCHEME: &str = "bytes";

/// For pictures that hold markup (SVG): shown, but nothing in them runs or loads.
const SANDBOX: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// What every page is told, holding the name of the data directory.
pub struct Head(pub String);

impl Head {
    /// Lets the page make style elements, as its editor does, by a nonce that nobody else can know, and
    /// tells it whose memory is whose. The page finds both in `meta` elements, as it does on loopback.
    pub fn put_into(&self, response: &mut Response<Cow<'static, [u8]>>) {
        let headers = response.headers();
        let is_page =
            headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
        let policy = headers.get(header::CONTENT_SECURITY_POLICY).and_then(|policy| policy.to_str().ok());
        let (true, Some(policy)) = (is_page, policy) else { return };
        let nonce = Alphanumeric.sample_string(&mut rand::rng(), 32);
        let Ok(policy) = HeaderValue::from_str(&admit(policy, &nonce)) else { return };
        let html = with_head(&String::from_utf8_lossy(response.body()), &nonce, &self.0);
        *response.body_mut() = Cow::Owned(html.into_bytes());
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
}

/// The policy with `nonce` among what may make style elements.
fn admit(policy: &str, nonce: &str) -> String {
    let directives = policy.split(';').map(|directive| {
        let directive = directive.trim();
        let is_style = directive.split_whitespace().next() == Some("style-src");
        if is_style { format!("{directive} 'nonce-{nonce}'") } else { directive.to_owned() }
    });
    directives.collect::<Vec<_>>().join("; ")
}

/// Answers for the bytes that JSON cannot carry.
pub fn serve(context: UriSchemeContext<'_, Wry>, request: Request<Vec<u8>>, responder: UriSchemeResponder) {
    let app = context.app_handle().clone();
    tauri::async_runtime::spawn(async move {
        let found = match key(request.uri().path()) {
            Some(key) => app.state::<Bridge>().blob(key).await.ok(),
            None => None,
        };
        responder.respond(found.map_or_else(nothing, shown));
    });
}

/// The bytes that a path of the scheme names.
fn key(path: &str) -> Option<BlobKey> {
    let path = percent_decode_str(path).decode_utf8().ok()?;
    let (kind, rest) = path.strip_prefix('/')?.split_once('/')?;
    let (kb, rest) = rest.split_once('/')?;
    let place = |path| Some(FilePlace { kb_id: KbId(kb.parse().ok()?), path: KbPath::parse(path).ok()? });
    match kind {
        "file" => Some(BlobKey::File { place: place(rest)? }),
        "page" => {
            let (page, rest) = rest.split_once('/')?;
            let (width, path) = rest.split_once('/')?;
            let (page, width) = (page.parse().ok()?, width.parse().ok()?);
            Some(BlobKey::Page { place: place(path)?, page, width })
        }
        "picture" => {
            let (id, path) = rest.split_once('/')?;
            // Encoded once more, for it may hold slashes.
            let id = percent_decode_str(id).decode_utf8().ok()?.into_owned();
            Some(BlobKey::Picture { place: place(path)?, id })
        }
        _ => None,
    }
}

fn shown(blob: Blob) -> Response<Vec<u8>> {
    let mut response = Response::new(blob.bytes);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(blob.content_type));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(SANDBOX));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

fn nothing() -> Response<Vec<u8>> {
    let mut response = Response::new(Vec::new());
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_style_elements_are_admitted() {
        let policy = "default-src 'none'; style-src 'self'; style-src-attr 'unsafe-inline'";
        assert_eq!(
            admit(policy, "x"),
            "default-src 'none'; style-src 'self' 'nonce-x'; style-src-attr 'unsafe-inline'"
        );
    }

    #[test]
    fn a_path_names_a_file() {
        let place = |path: &str| match key(path)? {
            BlobKey::File { place } => Some((place.kb_id.0, place.path.to_string())),
            _ => None,
        };
        assert_eq!(place("/file%2F7%2Fa%20b%2F%E6%A9%99.png"), Some((7, "a b/橙.png".to_owned())));
        for wrong in ["/", "/file%2F7", "/file%2Fx%2Fa.png", "/file%2F7%2F..%2Fa.png", "/file%2F7%2F%FF"] {
            assert_eq!(place(wrong), None, "{wrong}");
        }
        let place = FilePlace { kb_id: KbId(7), path: KbPath::parse("a/b.pdf").unwrap() };
        let page = BlobKey::Page { place: place.clone(), page: 3, width: 800 };
        assert_eq!(key("/page%2F7%2F3%2F800%2Fa%2Fb.pdf"), Some(page));
        let picture = BlobKey::Picture { place, id: "word/media/1.png".into() };
        assert_eq!(key("/picture%2F7%2Fword%252Fmedia%252F1.png%2Fa%2Fb.pdf"), Some(picture));
    }
}
