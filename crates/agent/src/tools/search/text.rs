//! `search target=text`: lines of files on disk that fit a pattern.

use std::collections::HashMap;
use std::path::Path;

use orangery_domain::{KbId, KbPath, TextRow};
use orangery_library::{CONTEXT_LIMIT, LINE_QUERIES, LineFile, LinePage, LineQuery, LineSearch, Take};
use orangery_store::root::{CheckedPath, Root};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{SearchInput, hidden, scope};
use crate::Error;
use crate::gate::{Action, Permit, Reach, Target};
use crate::tool::{Call, Output, ToolError};
use crate::tools::UNTRUSTED;
use crate::tools::place::{self, Named, open_outside};

/// One of several patterns.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct TextQuery {
    /// The folder, or the one file, to search; all knowledge bases when absent.
    pub dir: Option<String>,
    /// A regular expression, in Rust's syntax.
    pub pattern: Option<String>,
    /// Only files whose path below `dir`, or name, fits: `**/2026-*.md`; with `!` before it, only the others.
    pub glob: Option<String>,
    /// False: only what lies right in `dir`. True when absent.
    pub recursive: Option<bool>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum TextOutput {
    #[default]
    Files,
    Content,
}

const LIMIT: u32 = 256;
const MOST: u32 = 1_024;
const BYTES: usize = 128 * 1024;

/// What a call asks, its parameters checked.
#[derive(Debug)]
struct Asked {
    queries: Vec<TextQuery>,
    output: TextOutput,
    context: u32,
    offset: u64,
    limit: u32,
}

impl Asked {
    fn of(input: &SearchInput) -> Result<Self, ToolError> {
        ToolError::unless_absent(
            &[
                ("query", input.query.is_some()),
                ("pathPrefix", input.path_prefix.is_some()),
                ("tags", input.tags.is_some()),
                ("updatedAfter", input.updated_after.is_some()),
                ("updatedBefore", input.updated_before.is_some()),
                ("image", input.image.is_some()),
            ],
            "goes with target notes; target text takes pattern, dir, glob and recursive, or queries",
        )?;
        input.no_search_type()?;
        let output = input.output.unwrap_or_default();
        let context = input.context.unwrap_or(0);
        if input.context.is_some() && output == TextOutput::Files {
            return Err(ToolError::wrong("context: goes with output content"));
        }
        if context > CONTEXT_LIMIT {
            return Err(ToolError::wrong(format!("context: give 0 to {CONTEXT_LIMIT}")));
        }
        let limit = input.limit.unwrap_or(LIMIT);
        if limit == 0 || limit > MOST {
            return Err(ToolError::wrong(format!("limit: give 1 to {MOST}")));
        }
        Ok(Self { queries: queries(input)?, output, context, offset: input.offset.unwrap_or(0), limit })
    }

    /// The name of the `at`th query's `field`, as the call says it.
    fn field(input: &SearchInput, at: usize, field: &str) -> String {
        if input.queries.is_some() { format!("queries[{at}].{field}") } else { field.to_owned() }
    }
}

/// The patterns that a call asks for; one when it does not use `queries`.
fn queries(input: &SearchInput) -> Result<Vec<TextQuery>, ToolError> {
    let alone = TextQuery {
        dir: input.dir.clone(),
        pattern: input.pattern.clone(),
        glob: input.glob.clone(),
        recursive: input.recursive,
    };
    let given = match &input.queries {
        None => vec![alone],
        Some(_) if alone != TextQuery::default() => {
            return Err(ToolError::wrong(
                "queries: cannot go with dir, pattern, glob and recursive; put them into its entries",
            ));
        }
        Some(queries) if queries.is_empty() => return Err(ToolError::wrong("queries: is empty")),
        Some(queries) if queries.len() > LINE_QUERIES => {
            return Err(ToolError::wrong(format!("queries: at most {LINE_QUERIES} go together")));
        }
        Some(queries) => queries.clone(),
    };
    for (at, query) in given.iter().enumerate() {
        let field = |field| Asked::field(input, at, field);
        if query.pattern.as_deref().unwrap_or_default().is_empty() {
            return Err(ToolError::wrong(format!("{}: is missing", field("pattern"))));
        }
        if query.glob.as_deref().is_some_and(|glob| glob.trim().is_empty()) {
            return Err(ToolError::wrong(format!("{}: is blank", field("glob"))));
        }
    }
    Ok(given)
}

impl TextQuery {
    /// The folders to look into: one, or every knowledge base of the scope.
    fn folders<'a>(&'a self, scope: &[KbId]) -> Vec<Named<'a>> {
        let Some(dir) = self.dir.as_deref() else {
            let root = |id: &KbId| Named { path: Some("."), knowledge_base_id: Some(id.0), file_id: None };
            return scope.iter().map(root).collect();
        };
        // A relative path belongs to the first knowledge base.
        let kb = scope.first().filter(|_| !place::is_absolute(dir)).map(|id| id.0);
        vec![Named { path: Some(dir), knowledge_base_id: kb, file_id: None }]
    }
}

pub(super) fn subject(input: &SearchInput) -> String {
    queries(input)
        .map(|queries| {
            let patterns = queries.into_iter().filter_map(|query| query.pattern);
            patterns.collect::<Vec<_>>().join(", ")
        })
        .unwrap_or_default()
}

pub(super) async fn resolve(input: &SearchInput, call: &Call) -> Result<Action, ToolError> {
    let asked = Asked::of(input)?;
    super::file_types(input.file_types.clone().unwrap_or_default())?;
    let scope = scope(input, call)?;
    let mut targets = Vec::new();
    for (at, query) in asked.queries.iter().enumerate() {
        for folder in query.folders(&scope) {
            let target = place::target(call, folder).await;
            let dir = |message: String| match message.strip_prefix("path: ") {
                Some(rest) => format!("{}: {rest}", Asked::field(input, at, "dir")),
                None => message,
            };
            targets.push(target.map_err(|error| error.reworded(dir))?);
        }
    }
    Ok(Action::Search(targets))
}

pub(super) async fn run(permit: Permit, input: SearchInput, call: &Call) -> Result<Output, ToolError> {
    let asked = Asked::of(&input)?;
    let scope = scope(&input, call)?;
    let (kinds, images) = super::file_types(input.file_types.clone().unwrap_or_default())?;
    let mut places: HashMap<&str, (Option<KbId>, CheckedPath)> = HashMap::new();
    let mut targets = permit.targets().iter();
    let (mut queries, mut origins) = (Vec::new(), Vec::new());
    for (at, query) in asked.queries.iter().enumerate() {
        for target in targets.by_ref().take(query.folders(&scope).len()) {
            let (kb, checked) = match places.get(target.shown()) {
                Some(known) => known.clone(),
                None => {
                    let opened = open(call, target).await?;
                    places.insert(target.shown(), opened.clone());
                    opened
                }
            };
            queries.push(LineQuery {
                kb,
                at: checked,
                pattern: query.pattern.clone().unwrap_or_default(),
                glob: query.glob.clone(),
                recursive: query.recursive.unwrap_or(true),
            });
            origins.push(at);
        }
    }
    if queries.len() > LINE_QUERIES {
        return Err(ToolError::wrong(format!(
            "queries: over these knowledge bases they are {}, and at most {LINE_QUERIES} go together; name dir",
            queries.len()
        )));
    }
    let said: Vec<(String, Option<String>)> =
        queries.iter().map(|query| (query.pattern.clone(), query.glob.clone())).collect();
    let take = match asked.output {
        TextOutput::Files => Take::Files,
        TextOutput::Content => Take::Lines { context: asked.context, bytes: BYTES },
    };
    let search = LineSearch {
        queries,
        literal: false,
        whole_words: false,
        ignore_case: input.ignore_case.unwrap_or(false),
        multiline: input.multiline.unwrap_or(false),
        kinds,
        take,
        offset: asked.offset,
        limit: asked.limit.into(),
        hidden: Box::new(unseen(call)),
    };
    let page = call.house.library.lines(search).await.map_err(|error| {
        // Said with the field that it is about.
        let field = |wrong: &str, name: &str, glob: bool| {
            let at = said.iter().position(|(pattern, own)| match glob {
                true => own.as_deref().is_some_and(|own| own.trim_start_matches(['!', '/']) == wrong),
                false => pattern == wrong,
            });
            Asked::field(&input, at.and_then(|at| origins.get(at).copied()).unwrap_or(0), name)
        };
        match &error {
            orangery_library::Error::Pattern(pattern, reason) => {
                ToolError::wrong(format!("{}: {reason}", field(pattern, "pattern", false)))
            }
            orangery_library::Error::Glob(glob, reason) => {
                ToolError::wrong(format!("{}: {glob:?} is no glob: {reason}", field(glob, "glob", true)))
            }
            _ => ToolError::from(Error::from(error)),
        }
    })?;
    let mut output = answer(call, &asked, page);
    if images {
        output.json["hints"] = json!([super::NO_IMAGES]);
    }
    Ok(output)
}

/// What was judged, opened: another place that has come there since is not it.
async fn open(call: &Call, target: &Target) -> Result<(Option<KbId>, CheckedPath), ToolError> {
    match &target.reach {
        Reach::Selected(place) | Reach::Unselected(place) => {
            place::still_there(call, place).await?;
            let checked = call.house.library.resolve(place).await.map_err(Error::from)?;
            place::unchanged(&checked, &place.path)?;
            let there = checked.clone();
            place::blocking(move || Ok(there.metadata().map(|_| ())?)).await?;
            Ok((Some(place.kb_id), checked))
        }
        Reach::Outside(path) => {
            let checked = open_outside(path).await?;
            let there = checked.clone();
            place::blocking(move || Ok(there.metadata().map(|_| ())?)).await?;
            Ok((None, checked))
        }
    }
}

/// What a rule hides from a search of the folder above does not answer.
fn unseen(call: &Call) -> impl Fn(Option<KbId>, &Root, &KbPath) -> bool + Send + Sync + 'static {
    let inside = hidden(call);
    let rules = call.rules.clone();
    move |kb, root, path| match kb {
        Some(kb) => inside(kb, path),
        None => rules.hides("search", &[&absolute(root.path(), path)]),
    }
}

fn absolute(root: &Path, path: &KbPath) -> String {
    root.join(path.as_str()).display().to_string()
}

fn answer(call: &Call, asked: &Asked, page: LinePage) -> Output {
    let LinePage { files, total_files, total_lines, next, unread } = page;
    let (mut shown, mut rows, mut bytes, mut cut) = (Vec::new(), 0_u64, 0, false);
    for file in files {
        let matched = file.rows.iter().filter(|row| !row.context).count() as u64;
        let json = of_file(call, asked.output, file);
        bytes += json.to_string().len() + 1;
        // Lines are weighed where they are taken.
        if asked.output == TextOutput::Files && bytes > BYTES && !shown.is_empty() {
            cut = true;
            break;
        }
        shown.push(json);
        rows += matched;
    }
    let (what, total, taken) = match asked.output {
        TextOutput::Files => ("files", total_files, shown.len() as u64),
        TextOutput::Content => ("lines", total_lines, rows),
    };
    let next = if cut { Some(asked.offset + taken) } else { next };
    let range =
        if taken == 0 { "0-0".to_owned() } else { format!("{}-{}", asked.offset + 1, asked.offset + taken) };
    let within =
        if asked.output == TextOutput::Content { format!(" in {total_files} files") } else { String::new() };
    let rest = next.map_or_else(|| "last page".to_owned(), |next| format!("next offset {next}"));
    let mut json = json!({
        "material": UNTRUSTED,
        "files": shown,
        "footer": format!("{what} {range} of {total}{within}, {rest}"),
    });
    if let Some(next) = next {
        json["nextOffset"] = next.into();
    }
    if unread > 0 {
        json["unread"] = format!("{unread} files or folders could not be read").into();
    }
    Output { json, count: u32::try_from(total).ok(), ..Output::default() }
}

fn of_file(call: &Call, output: TextOutput, file: LineFile) -> Value {
    let path = match file.kb {
        Some(_) => file.path.to_string(),
        None => absolute(file.root.path(), &file.path),
    };
    let mut json = json!({ "path": path, "count": file.count });
    if let Some(kb) = file.kb.filter(|kb| call.selected.first().is_none_or(|first| first.id != *kb)) {
        json["knowledgeBaseId"] = kb.0.into();
    }
    match output {
        TextOutput::Files => json["lines"] = file.first.into(),
        TextOutput::Content => json["rows"] = file.rows.iter().map(row).collect(),
    }
    json
}

fn row(row: &TextRow) -> Value {
    let mut json = json!({ "line": row.line, "text": row.text });
    if row.context {
        json["context"] = true.into();
    }
    json
}
