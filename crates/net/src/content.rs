//! Requests to the public internet, for what somebody else wrote.

use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::client::{Limits, Response, builder};
use crate::public::{Addresses, Internet, PageUrl};
use crate::{Error, Obstacle, error::reason};

/// What pages are asked for; what is easiest to read comes first.
const ACCEPT: &str = "text/markdown, text/html, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5";
/// Headers that say how a request travels, which is not for a caller to say.
const OURS: &[&str] =
    &["connection", "content-length", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"];

/// Fetches pages from public addresses and from no others: each name is looked up once, all that it stands
/// for is judged, and the connection goes to what was judged, so that a name cannot change its meaning in
/// between. No proxy is used, since that would look up names anew. Cheap to clone.
#[derive(Clone)]
pub struct Content {
    client: reqwest::Client,
    addresses: Arc<dyn Addresses>,
}

impl std::fmt::Debug for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Content")
    }
}

/// What one request came to.
#[derive(Debug)]
pub enum Arrived {
    Here(Response),
    /// The page is elsewhere; whether to go there is for the caller to judge.
    Moved(PageUrl),
}

impl Content {
    pub fn new() -> Result<Self, Error> {
        Self::over(Arc::new(Internet))
    }

    /// Over another internet.
    pub fn over(addresses: Arc<dyn Addresses>) -> Result<Self, Error> {
        let judged = Judged(Arc::clone(&addresses));
        let client = builder().no_proxy().dns_resolver(Arc::new(judged)).build();
        Ok(Self { client: client.map_err(|error| Error::Setup(reason(error)))?, addresses })
    }

    /// Asks for `page` and follows no redirect. `headers` are sent too. Errors: [`Error::Private`] where the
    /// host is no public one, else what stood in the way.
    pub async fn open(
        &self,
        page: &PageUrl,
        headers: &[(String, String)],
        limits: Limits,
    ) -> Result<Arrived, Error> {
        let host = || page.host().to_owned();
        // A name is judged when it is looked up; an address is never looked up.
        if page.literal().is_some_and(|address| !self.addresses.is_public(address)) {
            return Err(Error::Private(host()));
        }
        let sending = self.client.get(page.url().clone()).headers(self::headers(headers)?).send();
        let answer = tokio::time::timeout(limits.silence, sending)
            .await
            .map_err(|_| Error::Silent { host: host(), seconds: limits.silence.as_secs() })?
            .map_err(|error| match is_private(&error) {
                true => Error::Private(host()),
                false => {
                    Error::Unreachable { host: host(), obstacle: Obstacle::of(&error), reason: reason(error) }
                }
            })?;
        let moved = answer.status().is_redirection().then(|| answer.headers().get(reqwest::header::LOCATION));
        if let Some(place) = moved.flatten() {
            // Servers write what is not ASCII as it is.
            return Ok(Arrived::Moved(page.join(&String::from_utf8_lossy(place.as_bytes()))?));
        }
        Ok(Arrived::Here(Response::new(answer, host(), limits)))
    }
}

fn headers(given: &[(String, String)]) -> Result<HeaderMap, Error> {
    let mut headers = HeaderMap::new();
    headers.insert(reqwest::header::ACCEPT, HeaderValue::from_static(ACCEPT));
    for (name, value) in given {
        let wrong = || Error::Header(name.clone());
        let parsed = HeaderName::from_bytes(name.as_bytes()).map_err(|_| wrong())?;
        if OURS.contains(&parsed.as_str()) || parsed.as_str().starts_with("proxy-") {
            return Err(wrong());
        }
        headers.insert(parsed, HeaderValue::from_str(value).map_err(|_| wrong())?);
    }
    Ok(headers)
}

/// A resolver that gives nothing for a name that leads to any address which is not public.
struct Judged(Arc<dyn Addresses>);

#[derive(Debug, thiserror::Error)]
#[error("the name leads to a private address")]
struct NotPublic;

impl Resolve for Judged {
    fn resolve(&self, name: Name) -> Resolving {
        let addresses = Arc::clone(&self.0);
        Box::pin(async move {
            let found = addresses.look_up(name.as_str()).await?;
            if found.iter().any(|address| !addresses.is_public(address.ip())) {
                return Err(NotPublic.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

fn is_private(error: &reqwest::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        if error.is::<NotPublic>() {
            return true;
        }
        cause = error.source();
    }
    false
}

#[cfg(test)]
mod tests;
