//! `search target=web`: pages that the user's search engine finds.

use std::sync::Arc;

use orangery_extract::html::plain;
use orangery_net::search::MOST;
use serde_json::{Value, json};

use super::SearchInput;
use crate::gate::{Action, Permit};
use crate::tool::{Call, Output, ToolError, unavailable};
use crate::tools::{UNTRUSTED_WEB, WEB_OFF};
use crate::web::Errand;

const LIMIT: u32 = 5;
/// Elements within each other in what an engine says of a page.
const DEPTH: usize = 20;

pub(super) async fn resolve(input: &SearchInput, call: &Call) -> Result<Action, ToolError> {
    input.only_web()?;
    let query = input.query.as_deref().unwrap_or_default().trim();
    if query.is_empty() {
        return Err(ToolError::wrong("query: is blank"));
    }
    if input.limit.is_some_and(|limit| limit == 0 || limit > MOST.into()) {
        return Err(ToolError::wrong(format!("limit: give 1 to {MOST}")));
    }
    let action = Action::WebSearch { query: query.to_owned() };
    if !call.house.web.is_on(&call.house.db).await? {
        return unavailable(call, action, WEB_OFF);
    }
    Ok(action)
}

pub(super) async fn run(permit: &Permit, input: &SearchInput, call: &Call) -> Result<Output, ToolError> {
    let Action::WebSearch { query } = permit.action() else {
        return Err(ToolError::wrong("query: was not judged"));
    };
    let web = &call.house.web;
    let engine = web.engine(&call.house.db).await?;
    let name = engine.name();
    let key = (format!("{name} {query}"), input.search_type.clone());
    let found = match web.found.get(&key) {
        Some(found) => found,
        None => {
            web.spend(call.turn_id, Errand::Search)?;
            let found = engine.find(&call.house.client, query, input.search_type.as_deref(), MOST).await;
            let found = Arc::new(found.map_err(|error| ToolError::tell(error.to_string()))?);
            web.found.put(key, Arc::clone(&found));
            found
        }
    };
    let limit = usize::try_from(input.limit.unwrap_or(LIMIT)).unwrap_or(usize::MAX);
    let pages: Vec<Value> = found
        .iter()
        .take(limit)
        .map(|page| {
            let mut json = json!({
                "title": plain(&page.title, DEPTH),
                "url": page.url,
                "text": plain(&page.excerpt, DEPTH),
            });
            if let Some(published) = &page.published {
                json["published"] = published.as_str().into();
            }
            json
        })
        .collect();
    let count = u32::try_from(pages.len()).ok();
    let mut json = json!({ "material": UNTRUSTED_WEB, "engine": name, "pages": pages });
    if count == Some(0) {
        json["next"] = "nothing was found; ask in other words".into();
    }
    Ok(Output { json, count, ..Output::default() })
}

impl SearchInput {
    /// What is about notes and lines is about no page.
    fn only_web(&self) -> Result<(), ToolError> {
        ToolError::unless_absent(
            &[
                ("knowledgeBaseIds", self.knowledge_base_ids.is_some()),
                ("pathPrefix", self.path_prefix.is_some()),
                ("tags", self.tags.is_some()),
                ("fileTypes", self.file_types.is_some()),
                ("updatedAfter", self.updated_after.is_some()),
                ("updatedBefore", self.updated_before.is_some()),
                ("pattern", self.pattern.is_some()),
                ("dir", self.dir.is_some()),
                ("glob", self.glob.is_some()),
                ("recursive", self.recursive.is_some()),
                ("queries", self.queries.is_some()),
                ("output", self.output.is_some()),
                ("multiline", self.multiline.is_some()),
                ("ignoreCase", self.ignore_case.is_some()),
                ("context", self.context.is_some()),
                ("offset", self.offset.is_some()),
            ],
            "does not go with target web",
        )
    }
}
