//! What every request passes: it must name this host (a foreign name that was made to lead here is
//! refused), come from this origin, and, for all but the interface's own files, carry the cookie.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use orangery_api::error::{Code, WireError};

use super::Web;
use super::routes::refuse;

/// Checks Host and Origin of every request.
pub async fn origin(State(web): State<Arc<Web>>, request: Request, next: Next) -> Response {
    if let Err(error) = check_origin(request.headers(), request.method(), web.port) {
        return refuse(&error).into_response();
    }
    next.run(request).await
}

/// Lets only known browsers pass.
pub async fn signed_in(State(web): State<Arc<Web>>, request: Request, next: Next) -> Response {
    let known = cookie(request.headers(), &cookie_name(web.port)).is_some_and(|key| web.sessions.knows(key));
    if !known {
        let error = WireError::new(Code::NotSignedIn, "this browser did not come with the link");
        return refuse(&error).into_response();
    }
    next.run(request).await
}

/// Cookies know no ports: two hosts on one machine must not take each other's.
pub fn cookie_name(port: u16) -> String {
    format!("orangery-{port}")
}

fn check_origin(headers: &HeaderMap, method: &Method, port: u16) -> Result<(), WireError> {
    let foreign = |what: &str, value: &str| {
        let message = format!("{what} {value:?} is not this host");
        Err(WireError::new(Code::ForeignOrigin, message).with("origin", value))
    };
    let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let host = text(headers, header::HOST.as_str()).unwrap_or_default();
    if !hosts.iter().any(|known| known == host) {
        return foreign("host", host);
    }
    match text(headers, header::ORIGIN.as_str()) {
        Some(origin) if origin.strip_prefix("http://") != Some(host) => return foreign("origin", origin),
        // Every browser sends it with a call that can change something.
        None if method != Method::GET && method != Method::HEAD => return foreign("origin", ""),
        _ => {}
    }
    match text(headers, "sec-fetch-site") {
        Some(site @ ("cross-site" | "same-site")) => foreign("a page of another site:", site),
        _ => Ok(()),
    }
}

/// `None` when absent; a value that is no text matches nothing.
fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("\u{fffd}"))
}

fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(headers: &[(&'static str, &'static str)], method: Method, allowed: bool) {
        let map = headers
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect::<HeaderMap>();
        assert_eq!(check_origin(&map, &method, 7420).is_ok(), allowed, "{method} {headers:?}");
    }

    #[test]
    fn only_this_host_and_its_own_pages_get_in() {
        let host = ("host", "127.0.0.1:7420");
        check(&[host], Method::GET, true);
        check(&[("host", "localhost:7420")], Method::GET, true);
        check(&[], Method::GET, false);
        check(&[("host", "127.0.0.1")], Method::GET, false);
        check(&[("host", "127.0.0.1:7421")], Method::GET, false);
        check(&[("host", "evil.example:7420")], Method::GET, false);
        check(&[host, ("origin", "http://127.0.0.1:7420")], Method::POST, true);
        check(&[host], Method::POST, false);
        check(&[host, ("origin", "null")], Method::POST, false);
        check(&[host, ("origin", "https://127.0.0.1:7420")], Method::POST, false);
        check(&[host, ("origin", "http://localhost:7420")], Method::POST, false);
        check(&[host, ("origin", "http://evil.example")], Method::GET, false);
        check(&[host, ("sec-fetch-site", "cross-site")], Method::GET, false);
        check(&[host, ("sec-fetch-site", "same-origin")], Method::GET, true);
        check(&[host, ("sec-fetch-site", "none")], Method::GET, true);
    }
}
