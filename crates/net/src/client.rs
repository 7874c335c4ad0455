//! Requests to a configured origin.

use std::time::Duration;

use reqwest::{
    Method, StatusCode,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use url::Url;

use crate::{Error, Obstacle, Origin, error::reason};

const CONNECT: Duration = Duration::from_secs(15);
/// Redirects that are followed.
const HOPS: usize = 3;

/// Outbound HTTP. Cheap to clone; clones share their connections.
#[derive(Debug, Clone)]
pub struct Client {
    /// Uses the proxies that the environment names.
    outside: reqwest::Client,
    /// Never uses one: what is meant for this machine stays on it.
    loopback: reqwest::Client,
}

/// How long to wait and how much to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest silence: before the answer begins, and between two pieces of it.
    pub silence: Duration,
    /// Bytes of the answer.
    pub body: usize,
}

/// What to ask.
#[derive(Debug)]
pub struct Request {
    method: Method,
    url: Url,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Request {
    pub fn get(url: Url) -> Self {
        Self { method: Method::GET, url, headers: HeaderMap::new(), body: Vec::new() }
    }

    /// Sends `body`, which is JSON.
    pub fn post_json(url: Url, body: Vec<u8>) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert(reqwest::header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Self { method: Method::POST, url, headers, body }
    }

    /// Sends a form of `fields` with one file, as `multipart/form-data` of RFC 7578; `file` is the field's
    /// name, the file's name, and its bytes.
    pub fn post_form(url: Url, fields: &[(&str, &str)], file: (&str, &str, &[u8])) -> Self {
        let (field, name, bytes) = file;
        let boundary = boundary(bytes);
        let mut body = Vec::with_capacity(bytes.len() + 1_024);
        for (field, value) in fields {
            let part = format!(
                "--{boundary}\r\nContent-Disposition: form-data; name=\"{field}\"\r\n\r\n{value}\r\n"
            );
            body.extend_from_slice(part.as_bytes());
        }
        // As browsers write it: quotes and line ends of a name are percent-encoded.
        let name = name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
        let head = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
        let mut headers = HeaderMap::new();
        if let Ok(value) = HeaderValue::from_str(&format!("multipart/form-data; boundary={boundary}")) {
            headers.insert(reqwest::header::CONTENT_TYPE, value);
        }
        Self { method: Method::POST, url, headers, body }
    }

    /// Adds a header; `name` is in lower case.
    pub fn header(mut self, name: &'static str, value: &str) -> Result<Self, Error> {
        let value = HeaderValue::from_str(value).map_err(|_| Error::Header(name.into()))?;
        self.headers.insert(HeaderName::from_static(name), value);
        Ok(self)
    }

    /// Adds `Authorization: Bearer`; the token is kept out of every debug print.
    pub fn bearer(self, token: &str) -> Result<Self, Error> {
        self.secret("authorization", &format!("Bearer {token}"))
    }

    /// Adds a header that is kept out of every debug print; `name` is in lower case.
    pub fn secret(mut self, name: &'static str, value: &str) -> Result<Self, Error> {
        let mut value = HeaderValue::from_str(value).map_err(|_| Error::Header(name.into()))?;
        value.set_sensitive(true);
        self.headers.insert(HeaderName::from_static(name), value);
        Ok(self)
    }
}

/// A line that `bytes` do not hold.
fn boundary(bytes: &[u8]) -> String {
    let mut number = 0_u32;
    loop {
        let boundary = format!("orangery-form-{number:08x}");
        if memchr::memmem::find(bytes, boundary.as_bytes()).is_none() {
            return boundary;
        }
        number += 1;
    }
}

/// What all connections of the app have in common.
pub(crate) fn builder() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .connect_timeout(CONNECT)
        .redirect(reqwest::redirect::Policy::none())
        .user_agent(concat!("orangery/", env!("CARGO_PKG_VERSION")))
}

impl Client {
    pub fn new() -> Result<Self, Error> {
        let build =
            |builder: reqwest::ClientBuilder| builder.build().map_err(|error| Error::Setup(reason(error)));
        Ok(Self { outside: build(builder())?, loopback: build(builder().no_proxy())? })
    }

    /// Requests to `origin`, which the user set.
    pub fn configured<'a>(&'a self, origin: &'a Origin) -> Configured<'a> {
        Configured { client: self, origin }
    }
}

/// A client bound to one origin.
#[derive(Debug, Clone, Copy)]
pub struct Configured<'a> {
    client: &'a Client,
    origin: &'a Origin,
}

impl Configured<'_> {
    /// Sends `request` and waits until the answer begins. Dropping the future closes the connection.
    pub async fn send(&self, mut request: Request, limits: Limits) -> Result<Response, Error> {
        let host = || self.origin.name().to_owned();
        for _ in 0..=HOPS {
            if !self.origin.holds(&request.url) {
                return Err(Error::OtherOrigin(host()));
            }
            let client = if self.origin.is_loopback() { &self.client.loopback } else { &self.client.outside };
            let sending = client
                .request(request.method.clone(), request.url.clone())
                .headers(request.headers.clone())
                .body(request.body.clone())
                .send();
            let answer = tokio::time::timeout(limits.silence, sending)
                .await
                .map_err(|_| Error::Silent { host: host(), seconds: limits.silence.as_secs() })?
                .map_err(|error| Error::Unreachable {
                    host: host(),
                    obstacle: Obstacle::of(&error),
                    reason: reason(error),
                })?;
            match next_hop(&answer, &request) {
                Some(to) if !self.origin.holds(&to) => {
                    let to = to.host_str().unwrap_or_default().to_owned();
                    return Err(Error::Redirected { from: host(), to });
                }
                Some(to) => request.url = to,
                None => return Ok(Response::new(answer, host(), limits)),
            }
        }
        Err(Error::RedirectLoop(host()))
    }
}

/// Where `answer` sends on to. Redirects that would turn a POST into a GET are answers like others.
fn next_hop(answer: &reqwest::Response, request: &Request) -> Option<Url> {
    let keeps_method =
        matches!(answer.status(), StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT);
    let follows = keeps_method || (answer.status().is_redirection() && request.method == Method::GET);
    if !follows {
        return None;
    }
    let place = answer.headers().get(reqwest::header::LOCATION)?.to_str().ok()?;
    request.url.join(place).ok()
}

/// An answer that has begun.
#[derive(Debug)]
pub struct Response {
    answer: reqwest::Response,
    host: String,
    limits: Limits,
    taken: usize,
}

impl Response {
    pub(crate) fn new(answer: reqwest::Response, host: String, limits: Limits) -> Self {
        Self { answer, host, limits, taken: 0 }
    }

    pub fn status(&self) -> u16 {
        self.answer.status().as_u16()
    }

    pub fn is_success(&self) -> bool {
        self.answer.status().is_success()
    }

    /// A header, if it is there and is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.answer.headers().get(name)?.to_str().ok()
    }

    /// The next piece of the body; nothing at its end.
    pub async fn piece(&mut self) -> Result<Option<Vec<u8>>, Error> {
        let piece = tokio::time::timeout(self.limits.silence, self.answer.chunk())
            .await
            .map_err(|_| Error::Silent { host: self.host.clone(), seconds: self.limits.silence.as_secs() })?
            .map_err(|error| Error::Broken { host: self.host.clone(), reason: reason(error) })?;
        let Some(piece) = piece else {
            return Ok(None);
        };
        self.taken += piece.len();
        if self.taken > self.limits.body {
            return Err(Error::TooLarge { host: self.host.clone(), limit: self.limits.body });
        }
        Ok(Some(piece.into()))
    }

    /// The whole body.
    pub async fn body(mut self) -> Result<Vec<u8>, Error> {
        let mut body = Vec::new();
        while let Some(piece) = self.piece().await? {
            body.extend_from_slice(&piece);
        }
        Ok(body)
    }
}

#[cfg(test)]
mod tests;
