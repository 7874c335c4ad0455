//! `search`: passages in notes, or lines of files on disk.

mod text;
mod web;

use std::collections::HashMap;

use orangery_domain::{Citation, FileKind, KbId, KbPath, SearchGroup, SearchQuery};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Error;
use crate::gate::{Action, Permit};
use crate::tool::{Call, Output, Part, Tool, ToolError};
use crate::tools::UNTRUSTED;
use crate::tools::date::day;
use crate::tools::place::{self, Named};
use text::{TextOutput, TextQuery};

/// Finds passages in the user's notes. Every passage has a number in `citation`: write it as [n] behind
/// what you take from it. Ask in plain words, in the language of the notes; all words count, so leave
/// out what need not be there. Read the file around a passage before you rely on its details.
///
/// With `target` = text it finds lines of files on disk that fit a regular expression, in everything that is
/// text: give `pattern` with `dir`, `glob` and `recursive`, or several as `queries`. The answer names files
/// with their first matching lines, which `read` takes as `around`, or with `output` = content the lines.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchInput {
    /// What to look for in notes, in plain words.
    query: Option<String>,
    /// `notes` when absent.
    target: Option<SearchTarget>,
    /// Only in these of the selected knowledge bases.
    knowledge_base_ids: Option<Vec<i64>>,
    /// Only below this folder of the (first) knowledge base.
    path_prefix: Option<String>,
    /// Only in notes that carry all of these tags.
    tags: Option<Vec<String>>,
    /// Only in files of these types.
    file_types: Option<Vec<String>>,
    /// Only in files changed on or after this day: 2026-01-31.
    updated_after: Option<String>,
    /// Only in files changed before this day: 2026-01-31.
    updated_before: Option<String>,
    /// How many passages, 1 to 16, 4 when absent; of target text how many files or lines, 256 when absent; of
    /// target web how many pages, 1 to 8, 5 when absent.
    limit: Option<u32>,
    /// Target text: a regular expression, in Rust's syntax.
    pattern: Option<String>,
    /// Target text: the folder, or the one file, to search; all of the knowledge bases when absent.
    dir: Option<String>,
    /// Target text: only files whose path below `dir`, or name, fits; with `!` before it, only the others.
    glob: Option<String>,
    /// Target text: false for what lies right in `dir`; true when absent.
    recursive: Option<bool>,
    /// Target text, instead of the four above: several patterns, answered together.
    queries: Option<Vec<TextQuery>>,
    /// Target text: `files` when absent, or `content` for the lines themselves.
    output: Option<TextOutput>,
    /// Target text: the pattern may go over ends of lines, and `.` fits them.
    multiline: Option<bool>,
    /// Target text: upper and lower case are the same.
    ignore_case: Option<bool>,
    /// Target text with output content: lines before and after each, 0 to 20; they are flagged and not counted.
    context: Option<u32>,
    /// Target text: how many files or lines to skip, as the answer says; all else must stay as it was.
    offset: Option<u64>,
    /// Target web: a kind of search that the user's engine has; it says which when it has not.
    search_type: Option<String>,
    /// Models that look for pictures send it. Not offered, and not worth a refusal.
    #[schemars(skip)]
    image: Option<Value>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum SearchTarget {
    #[default]
    Notes,
    Text,
    Web,
    #[schemars(skip)]
    Image,
}

const LIMIT: u32 = 4;
const MOST: u32 = 16;
const NO_IMAGES: &str =
    "image is ignored: pictures hold no text to search; list finds them by name, then read";

pub(crate) struct Search;

impl Tool for Search {
    type Input = SearchInput;
    const NAME: &'static str = "search";

    fn least(&self) -> Action {
        Action::Search(vec![])
    }

    fn parts(&self) -> Vec<Part> {
        let needs = Action::WebSearch { query: String::new() };
        vec![Part { needs, fields: &["searchType"], values: &[("target", "web")] }]
    }

    fn subject(&self, input: &SearchInput) -> String {
        match input.target {
            Some(SearchTarget::Text) => text::subject(input),
            _ => input.query.as_deref().unwrap_or_default().trim().into(),
        }
    }

    async fn resolve(&self, input: &SearchInput, call: &Call) -> Result<Action, ToolError> {
        if matches!(input.target, Some(SearchTarget::Text)) {
            return text::resolve(input, call).await;
        }
        if matches!(input.target, Some(SearchTarget::Web)) {
            return web::resolve(input, call).await;
        }
        input.only_notes()?;
        if input.query.as_deref().unwrap_or_default().trim().is_empty() {
            return Err(ToolError::wrong("query: is blank"));
        }
        if input.limit.is_some_and(|limit| limit == 0 || limit > MOST) {
            return Err(ToolError::wrong(format!("limit: give 1 to {MOST}")));
        }
        // Filters only ever narrow what the session selected.
        let ids = scope(input, call)?;
        let folder = input.path_prefix.as_deref().filter(|prefix| !prefix.trim().is_empty()).unwrap_or(".");
        let mut targets = Vec::with_capacity(ids.len());
        for id in ids {
            let named = Named { path: Some(folder), knowledge_base_id: Some(id.0), ..Named::default() };
            targets.push(place::target(call, named).await?);
        }
        Ok(Action::Search(targets))
    }

    async fn run(&self, permit: Permit, input: SearchInput, call: &Call) -> Result<Output, ToolError> {
        if matches!(input.target, Some(SearchTarget::Text)) {
            return text::run(permit, input, call).await;
        }
        if matches!(input.target, Some(SearchTarget::Web)) {
            return web::run(&permit, &input, call).await;
        }
        let limit = input.limit.unwrap_or(LIMIT);
        let (file_types, images) = file_types(input.file_types.unwrap_or_default())?;
        let images = images
            || input.image.is_some()
            || matches!(input.target.unwrap_or_default(), SearchTarget::Image);
        let mut hints: Vec<String> = images.then(|| NO_IMAGES.to_owned()).into_iter().collect();
        let query = SearchQuery {
            text: input.query.unwrap_or_default(),
            kb_ids: permit
                .targets()
                .iter()
                .filter_map(|target| target.place())
                .map(|place| place.kb_id)
                .collect(),
            // The tool speaks plain language: a minus or a quote in it is only that.
            operators: false,
            path_prefix: permit
                .targets()
                .iter()
                .filter_map(|target| target.place())
                .find(|place| !place.path.is_root())
                .map(|place| place.path.to_string()),
            tags: input.tags.unwrap_or_default(),
            file_types,
            updated_after: day("updatedAfter", input.updated_after.as_deref())?,
            updated_before: day("updatedBefore", input.updated_before.as_deref())?,
            limit,
            per_file: limit.min(3),
            ..SearchQuery::default()
        };
        let page = call.house.library.search_beside(&query, hidden(call)).await.map_err(Error::from)?;
        hints.extend(page.warnings.iter().map(|warning| format!("{} {}", warning.code, warning.detail)));
        let chosen = choose(page.groups, limit as usize);
        let passages: Vec<Value> = chosen.into_iter().map(|citation| passage(call, citation)).collect();
        let mut json = json!({ "material": UNTRUSTED, "passages": passages, "totalFiles": page.total_files });
        if page.more {
            json["more"] = "more files match; narrow the query or raise limit".into();
        }
        if let Some(incomplete) = page.incomplete {
            json["incomplete"] =
                format!("only {} of {} files are searchable yet", incomplete.done, incomplete.total).into();
        }
        if !hints.is_empty() {
            json["hints"] = hints.into();
        }
        let count = json["passages"].as_array().map(Vec::len).and_then(|count| u32::try_from(count).ok());
        Ok(Output { json, count, ..Output::default() })
    }
}

impl SearchInput {
    /// What is about lines is no filter of notes.
    fn only_notes(&self) -> Result<(), ToolError> {
        ToolError::unless_absent(
            &[
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
            "goes with target text",
        )?;
        self.no_search_type()
    }

    fn no_search_type(&self) -> Result<(), ToolError> {
        match self.search_type {
            Some(_) => Err(ToolError::wrong("searchType: goes with target web")),
            None => Ok(()),
        }
    }
}

fn scope(input: &SearchInput, call: &Call) -> Result<Vec<KbId>, ToolError> {
    call.first()?;
    let Some(ids) = input.knowledge_base_ids.as_ref().filter(|ids| !ids.is_empty()) else {
        return Ok(call.selected.iter().map(|kb| kb.id).collect());
    };
    if let Some(other) = ids.iter().find(|id| !call.is_selected(KbId(**id))) {
        return Err(ToolError::wrong(format!(
            "knowledgeBaseIds: {other} is not among those that this session selected"
        )));
    }
    Ok(ids.iter().copied().map(KbId).collect())
}

/// The types that hold text, and whether there were pictures among them.
fn file_types(names: Vec<String>) -> Result<(Vec<FileKind>, bool), ToolError> {
    let (mut kinds, mut images) = (Vec::new(), false);
    for name in names {
        match kind(&name) {
            Some(FileKind::Image) => images = true,
            Some(kind) => kinds.push(kind),
            None => return Err(ToolError::wrong(format!("fileTypes: there is no type {name:?}"))),
        }
    }
    Ok((kinds, images))
}

/// A file type as models name it.
pub(super) fn kind(name: &str) -> Option<FileKind> {
    match name {
        "txt" => Some(FileKind::Text),
        "md" => Some(FileKind::Markdown),
        name => FileKind::from_name(name),
    }
}

/// What a rule hides from a search of the folder above is not counted either.
fn hidden(call: &Call) -> impl Fn(KbId, &KbPath) -> bool + Send + Sync + 'static {
    let rules = call.rules.clone();
    let roots: HashMap<KbId, String> = call.registered.iter().map(|kb| (kb.id, kb.root.clone())).collect();
    move |kb, path| {
        let relative = path.key();
        let absolute = roots.get(&kb).map(|root| format!("{root}/{relative}")).unwrap_or_default();
        rules.hides("search", &[&relative, &absolute])
    }
}

/// The best passage of every file before the second of any; in the order of the files.
fn choose(groups: Vec<SearchGroup>, limit: usize) -> Vec<Citation> {
    let most = groups.iter().map(|group| group.hits.len()).max().unwrap_or(0);
    let mut taken = vec![0; groups.len()];
    let mut left = limit;
    for round in 1..=most {
        for (count, group) in taken.iter_mut().zip(&groups) {
            if left > 0 && group.hits.len() >= round {
                *count = round;
                left -= 1;
            }
        }
    }
    groups.into_iter().zip(taken).flat_map(|(group, count)| group.hits.into_iter().take(count)).collect()
}

fn passage(call: &Call, citation: Citation) -> Value {
    let mut json = json!({
        "citation": null,
        "path": citation.place.path,
        "fileId": citation.file_id,
        "title": citation.title,
        "headingPath": citation.heading_path,
        "lines": [citation.lines.start, citation.lines.end],
        "text": citation.snippet,
    });
    if let Some(spot) = citation.spot.filter(|spot| spot.is_numbered()) {
        json["at"] = spot.to_string().into();
    }
    if let Some((first, last)) = citation.blocks {
        json["blocks"] = json!([first, last]);
        // Lines are those of the text that was read from it, which nobody sees.
        if let Some(shown) = json.as_object_mut() {
            shown.remove("lines");
        }
    }
    if call.selected.first().is_some_and(|first| first.id != citation.place.kb_id) {
        json["knowledgeBaseId"] = citation.place.kb_id.0.into();
    }
    json["citation"] = call.cite(citation).into();
    json
}
