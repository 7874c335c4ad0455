//! Asking a search engine for pages, in the interfaces of four of them.
//!
//! The formats are the published ones: [Exa](https://docs.exa.ai/reference/search),
//! [Brave](https://api-dashboard.search.brave.com/app/documentation/web-search),
//! [Tavily](https://docs.tavily.com/documentation/api-reference/endpoint/search) and
//! [SearXNG](https://docs.searxng.org/dev/search_api.html).

mod engine;

use std::time::Duration;

use orangery_domain::WebEngine;
use serde_json::Value;
use url::Url;

use crate::{Client, Limits, Origin};

const LIMITS: Limits = Limits { silence: Duration::from_secs(20), body: 2 << 20 };
/// Pages of one answer.
pub const MOST: u8 = 8;
/// Characters of what is shown of a page.
const EXCERPT: usize = 600;

/// A search engine that the user chose.
#[derive(Clone)]
pub struct Engine {
    pub kind: WebEngine,
    /// Where it answers; absent where it is the engine's own place.
    pub address: Option<String>,
    pub key: Option<String>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("kind", &self.kind)
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

/// A page that an engine found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub url: String,
    pub title: String,
    /// What it says about the question, as the engine wrote it: it may hold tags and entities of HTML.
    pub excerpt: String,
    /// As the engine writes it: a day, a time, or words like "2 days ago".
    pub published: Option<String>,
}

/// Why a search came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    #[error("{0} needs the address of a server; the user can give it in Settings, Web")]
    NoAddress(&'static str),
    #[error("{0} has no searchType {1:?}; it has {2}")]
    NoSuchType(&'static str, String, String),
    #[error("{0} takes no searchType")]
    NoTypes(&'static str),
    #[error("{0} refused the key, or lacks one; the user can give it in Settings, Web")]
    Key(&'static str),
    #[error("{0} takes no more searches for now; go on without, or ask the user")]
    Limited(&'static str),
    #[error(
        "{0} does not give results as JSON; who runs the server must list json among the formats in its settings"
    )]
    NoJson(&'static str),
    #[error("{0} answered with status {1}")]
    Refused(&'static str, u16),
    #[error("{0} answered with something else than results")]
    Unreadable(&'static str),
    #[error(transparent)]
    Network(#[from] crate::Error),
}

impl Engine {
    pub fn name(&self) -> &'static str {
        engine::name(self.kind)
    }

    /// The pages for `query`, best first, at most `limit` of them (1 to [`MOST`]); `kind` is one of the
    /// engine's own kinds of search.
    pub async fn find(
        &self,
        client: &Client,
        query: &str,
        kind: Option<&str>,
        limit: u8,
    ) -> Result<Vec<Found>, SearchError> {
        let name = self.name();
        let types = engine::types(self.kind);
        if let Some(kind) = kind.filter(|kind| !types.contains(kind)) {
            return Err(match types {
                [] => SearchError::NoTypes(name),
                types => SearchError::NoSuchType(name, kind.into(), types.join(", ")),
            });
        }
        let address = self.address.as_deref().filter(|address| !address.trim().is_empty());
        let address = address.or(engine::address(self.kind)).ok_or(SearchError::NoAddress(name))?;
        let base = Url::parse(address.trim())
            .map_err(|error| crate::Error::Address(address.into(), error.to_string()))?;
        let origin = Origin::of(&base)?;
        let limit = limit.clamp(1, MOST);
        let request = engine::request(self, base, query, kind, limit)?;
        let response = client.configured(&origin).send(request, LIMITS).await?;
        let status = response.status();
        match status {
            200..=299 => {}
            403 if self.kind == WebEngine::SearXng => return Err(SearchError::NoJson(name)),
            401 | 403 => return Err(SearchError::Key(name)),
            402 | 429 | 432 | 433 => return Err(SearchError::Limited(name)),
            status => return Err(SearchError::Refused(name, status)),
        }
        let body = response.body().await?;
        let answer: Value = serde_json::from_slice(&body).map_err(|_| SearchError::Unreadable(name))?;
        let mut found = engine::found(self.kind, &answer).ok_or(SearchError::Unreadable(name))?;
        found.truncate(limit.into());
        Ok(found)
    }
}

#[cfg(test)]
mod tests;
