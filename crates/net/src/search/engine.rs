//! How each engine is asked, and how it answers. One arm an engine, in every function here.

use orangery_domain::WebEngine;
use serde_json::{Value, json};
use url::Url;

use super::{EXCERPT, Engine, Found};
use crate::{Error, Request};

pub(super) const fn name(kind: WebEngine) -> &'static str {
    match kind {
        WebEngine::Exa => "Exa",
        WebEngine::Brave => "Brave Search",
        WebEngine::Tavily => "Tavily",
        WebEngine::SearXng => "SearXNG",
    }
}

/// Where it answers unless the user says otherwise; SearXNG is everywhere.
pub(super) const fn address(kind: WebEngine) -> Option<&'static str> {
    match kind {
        WebEngine::Exa => Some("https://api.exa.ai"),
        WebEngine::Brave => Some("https://api.search.brave.com"),
        WebEngine::Tavily => Some("https://api.tavily.com"),
        WebEngine::SearXng => None,
    }
}

/// The kinds of search it has.
pub(super) const fn types(kind: WebEngine) -> &'static [&'static str] {
    match kind {
        WebEngine::Exa => &["auto", "fast", "neural", "keyword"],
        WebEngine::Brave => &[],
        WebEngine::Tavily => &["general", "news", "finance"],
        WebEngine::SearXng => &["general", "news", "science", "it", "files", "images", "videos", "map"],
    }
}

pub(super) fn request(
    engine: &Engine,
    base: Url,
    query: &str,
    kind: Option<&str>,
    limit: u8,
) -> Result<Request, Error> {
    let key = engine.key.as_deref().unwrap_or_default();
    match engine.kind {
        WebEngine::Exa => {
            let body = json!({
                "query": query,
                "numResults": limit,
                "type": kind.unwrap_or("auto"),
                "contents": { "text": { "maxCharacters": EXCERPT } },
            });
            Request::post_json(below(base, "search"), body.to_string().into()).secret("x-api-key", key)
        }
        WebEngine::Brave => {
            let mut url = below(base, "res/v1/web/search");
            url.query_pairs_mut().append_pair("q", query).append_pair("count", &limit.to_string());
            Request::get(url).header("accept", "application/json")?.secret("x-subscription-token", key)
        }
        WebEngine::Tavily => {
            let body = json!({ "query": query, "max_results": limit, "topic": kind.unwrap_or("general") });
            Request::post_json(below(base, "search"), body.to_string().into()).bearer(key)
        }
        WebEngine::SearXng => {
            let mut url = below(base, "search");
            url.query_pairs_mut().append_pair("q", query).append_pair("format", "json");
            if let Some(kind) = kind {
                url.query_pairs_mut().append_pair("categories", kind);
            }
            let request = Request::get(url).header("accept", "application/json")?;
            // Its own interface has no keys; a server in front of it may want one.
            if key.is_empty() { Ok(request) } else { request.bearer(key) }
        }
    }
}

/// The pages in an answer; nothing where it is no answer of this engine.
pub(super) fn found(kind: WebEngine, answer: &Value) -> Option<Vec<Found>> {
    let (list, excerpt, published) = match kind {
        WebEngine::Exa => (&answer["results"], "text", "publishedDate"),
        // Without a hit there is no list.
        WebEngine::Brave if answer["type"] == "search" && answer["web"].is_null() => return Some(Vec::new()),
        WebEngine::Brave => (&answer["web"]["results"], "description", "age"),
        WebEngine::Tavily => (&answer["results"], "content", "published_date"),
        WebEngine::SearXng => (&answer["results"], "content", "publishedDate"),
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().trim().to_owned();
    let page = |page: &Value| {
        let url = text(&page["url"]);
        let published = Some(text(&page[published])).filter(|published| !published.is_empty());
        let excerpt = text(&page[excerpt]).chars().take(EXCERPT).collect();
        (!url.is_empty()).then(|| Found { url, title: text(&page["title"]), excerpt, published })
    };
    Some(list.as_array()?.iter().filter_map(page).collect())
}

/// `path` below `base`, whether or not that ends with a slash.
fn below(mut base: Url, path: &str) -> Url {
    let above = base.path().trim_end_matches('/').to_owned();
    base.set_path(&format!("{above}/{path}"));
    base
}
