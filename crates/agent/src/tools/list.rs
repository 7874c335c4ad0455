//! `list`: files by name, or what a folder holds.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::Path;

use orangery_domain::{FileInfo, FileKind, FilePlace, TreeEntry};
use orangery_library::FileFilter;
use orangery_store::root::EntryKind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Error;
use crate::gate::{Action, Permit, Reach, Target};
use crate::tool::{Call, Output, Tool, ToolError};
use crate::tools::place::{self, Named, blocking, open_outside};
use crate::tools::search::kind;

/// Lists files by name: all of the selected knowledge bases, or those that fit `query`, `prefix`,
/// `glob` and `fileType`; or, with `path`, what one folder holds. At most 120 items.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ListInput {
    /// A folder whose direct content to list; `.` is the root. Folders end in a slash.
    path: Option<String>,
    /// Only files below this folder.
    prefix: Option<String>,
    /// Only names or paths that hold this text.
    query: Option<String>,
    /// Only paths that fit, as `notes/**/2026-*.md`; the newest come first.
    glob: Option<String>,
    /// markdown, text, docx, pdf, pptx, table, html, epub, image or other.
    file_type: Option<String>,
    /// Only this knowledge base.
    knowledge_base_id: Option<i64>,
    /// Instead of the other parameters: several lists in one call.
    queries: Option<Vec<ListQuery>>,
}

/// One of several lists.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct ListQuery {
    path: Option<String>,
    prefix: Option<String>,
    query: Option<String>,
    glob: Option<String>,
    file_type: Option<String>,
    knowledge_base_id: Option<i64>,
}

const ITEMS: usize = 120;
const BYTES: usize = 128 * 1024;

pub(crate) struct List;

/// One row of the answer with what it is sorted by.
struct Item {
    json: Value,
    key: (i64, String),
    modified_at: i64,
}

impl Tool for List {
    type Input = ListInput;
    const NAME: &'static str = "list";

    fn least(&self) -> Action {
        Action::List(vec![])
    }

    fn subject(&self, input: &ListInput) -> String {
        let words = |query: &ListQuery| {
            let parts = [&query.path, &query.prefix, &query.query, &query.glob, &query.file_type];
            parts.into_iter().flatten().cloned().collect::<Vec<_>>().join(" ")
        };
        queries(input)
            .map(|queries| queries.iter().map(words).collect::<Vec<_>>().join(", "))
            .unwrap_or_default()
    }

    async fn resolve(&self, input: &ListInput, call: &Call) -> Result<Action, ToolError> {
        let mut targets = Vec::new();
        for query in queries(input)? {
            query.check()?;
            for folder in query.folders(call)? {
                targets.push(place::target(call, folder).await?);
            }
        }
        Ok(Action::List(targets))
    }

    async fn run(&self, permit: Permit, input: ListInput, call: &Call) -> Result<Output, ToolError> {
        let queries = queries(&input)?;
        let mut targets = permit.targets().iter();
        let mut items: Vec<Item> = Vec::new();
        for query in &queries {
            let folders = query.folders(call)?.len();
            for target in targets.by_ref().take(folders) {
                items.extend(query.find(call, target).await?);
            }
        }
        let mut seen = HashSet::new();
        items.retain(|item| seen.insert(item.key.clone()));
        if queries.iter().any(|query| query.glob.is_some()) {
            items.sort_by_key(|item| Reverse(item.modified_at));
        } else {
            items.sort_by(|a, b| a.key.cmp(&b.key));
        }
        Ok(answer(items))
    }
}

/// The lists that a call asks for; one when it does not use `queries`.
fn queries(input: &ListInput) -> Result<Vec<ListQuery>, ToolError> {
    let alone = ListQuery {
        path: input.path.clone(),
        prefix: input.prefix.clone(),
        query: input.query.clone(),
        glob: input.glob.clone(),
        file_type: input.file_type.clone(),
        knowledge_base_id: input.knowledge_base_id,
    };
    match &input.queries {
        None => Ok(vec![alone]),
        Some(_) if alone != ListQuery::default() => {
            Err(ToolError::wrong("queries: cannot go with the other parameters; put them into its entries"))
        }
        Some(queries) if queries.is_empty() => Err(ToolError::wrong("queries: is empty")),
        Some(queries) => Ok(queries.clone()),
    }
}

impl ListQuery {
    fn check(&self) -> Result<(), ToolError> {
        if self.path.is_some() && (self.prefix.is_some() || self.glob.is_some()) {
            let other = if self.prefix.is_some() { "prefix" } else { "glob" };
            return Err(ToolError::wrong(format!("{other}: cannot go with path, which lists one folder")));
        }
        if let Some(glob) = &self.glob
            && !glob.chars().any(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
        {
            return Err(ToolError::wrong(
                "glob: must hold a literal character; leave it out to list everything",
            ));
        }
        self.kind().map(|_| ())
    }

    fn kind(&self) -> Result<Option<FileKind>, ToolError> {
        let Some(name) = &self.file_type else { return Ok(None) };
        kind(name).map(Some).ok_or_else(|| ToolError::wrong(format!("fileType: there is no type {name:?}")))
    }

    /// The folders to look into: one, or the same in every selected knowledge base.
    fn folders(&self, call: &Call) -> Result<Vec<Named<'_>>, ToolError> {
        let given = self.path.as_deref().or(self.prefix.as_deref());
        let named = Named {
            path: Some(given.unwrap_or(".")),
            knowledge_base_id: self.knowledge_base_id,
            file_id: None,
        };
        if self.knowledge_base_id.is_some() || given.is_some_and(place::is_absolute) {
            return Ok(vec![named]);
        }
        call.first()?;
        let everywhere = call.selected.iter().map(|kb| Named { knowledge_base_id: Some(kb.id.0), ..named });
        // A relative path belongs to the first knowledge base.
        Ok(if self.path.is_some() { everywhere.take(1).collect() } else { everywhere.collect() })
    }

    async fn find(&self, call: &Call, target: &Target) -> Result<Vec<Item>, ToolError> {
        let kind = self.kind()?;
        let query = self.query.as_deref().map(str::to_lowercase);
        let fits = |path: &str, entry_kind: Option<FileKind>| {
            query.as_ref().is_none_or(|query| path.to_lowercase().contains(query))
                && kind.is_none_or(|kind| entry_kind == Some(kind))
        };
        let place = match &target.reach {
            Reach::Selected(place) | Reach::Unselected(place) => place,
            Reach::Outside(folder) => return outside(folder, fits).await,
        };
        let library = &call.house.library;
        if self.path.is_some() {
            place::still_there(call, place).await?;
            let entries = library.list(place.kb_id, &place.path).await.map_err(Error::from)?;
            let entries = entries.into_iter().filter(|entry| {
                let place = FilePlace { kb_id: place.kb_id, path: entry.path.clone() };
                fits(entry.path.as_str(), (!entry.folder).then_some(entry.kind))
                    && !call.hides(List::NAME, &place)
            });
            return Ok(entries.map(|entry| of_entry(call, entry)).collect());
        }
        let filter = FileFilter {
            kb_ids: vec![place.kb_id],
            prefix: (!place.path.is_root()).then(|| place.path.clone()),
            query: self.query.clone(),
            kinds: kind.into_iter().collect(),
            glob: self.glob.clone(),
            ..FileFilter::default()
        };
        let files = library.files(&filter).map_err(Error::from)?;
        let shown = |file: &FileInfo| {
            !call.hides(List::NAME, &FilePlace { kb_id: file.kb_id, path: file.path.clone() })
        };
        let files = files.into_iter().filter(shown);
        Ok(files.map(|file| of_file(call, file)).collect())
    }
}

async fn outside(
    folder: &Path,
    fits: impl Fn(&str, Option<FileKind>) -> bool,
) -> Result<Vec<Item>, ToolError> {
    let checked = open_outside(folder).await?;
    let folder = folder.display().to_string();
    let entries = blocking(move || Ok(checked.list()?)).await?;
    let items = entries.into_iter().filter_map(|entry| {
        let path = format!("{}/{}", folder.trim_end_matches('/'), entry.name);
        let is_folder = entry.meta.kind == EntryKind::Folder;
        let kind = FileKind::of_name(&entry.name);
        fits(&path, (!is_folder).then_some(kind)).then(|| Item {
            json: row(&path, is_folder, kind, entry.meta.size),
            key: (0, path),
            modified_at: entry.meta.modified_ns / 1_000_000,
        })
    });
    Ok(items.collect())
}

fn row(path: &str, folder: bool, kind: FileKind, size: u64) -> Value {
    if folder {
        return json!({ "path": format!("{path}/") });
    }
    let mut json = json!({ "path": path, "fileType": kind.as_str(), "size": size });
    if kind == FileKind::Image {
        json["requiresVision"] = true.into();
    }
    json
}

fn of_entry(call: &Call, entry: TreeEntry) -> Item {
    let mut json = row(entry.path.as_str(), entry.folder, entry.kind, entry.size);
    if let Some(id) = entry.file_id {
        json["fileId"] = id.0.into();
    }
    if let Some(trouble) = &entry.trouble {
        json["trouble"] = trouble.code.clone().into();
    }
    let place = FilePlace { kb_id: entry.kb_id, path: entry.path };
    item(call, place, json, entry.modified_at)
}

fn of_file(call: &Call, file: FileInfo) -> Item {
    let mut json = row(file.path.as_str(), false, file.kind, file.size);
    json["fileId"] = file.id.0.into();
    if file.title != file.path.stem() {
        json["title"] = file.title.into();
    }
    if let Some(trouble) = &file.trouble {
        json["trouble"] = trouble.code.clone().into();
    }
    item(call, FilePlace { kb_id: file.kb_id, path: file.path }, json, file.modified_at)
}

fn item(call: &Call, place: FilePlace, mut json: Value, modified_at: i64) -> Item {
    if call.selected.first().is_none_or(|first| first.id != place.kb_id) {
        json["knowledgeBaseId"] = place.kb_id.0.into();
    }
    Item { json, key: (place.kb_id.0, place.path.key()), modified_at }
}

/// As many rows as fit, and how many did not.
fn answer(items: Vec<Item>) -> Output {
    let total = items.len();
    let (mut shown, mut bytes) = (Vec::new(), 0);
    for item in items.into_iter().take(ITEMS) {
        bytes += item.json.to_string().len() + 1;
        if bytes > BYTES {
            break;
        }
        shown.push(item.json);
    }
    let count = u32::try_from(total).ok();
    let dropped = total - shown.len();
    let mut json = json!({ "items": shown, "total": total });
    if dropped > 0 {
        json["dropped"] = dropped.into();
        json["hint"] = "narrow the list with query, prefix, fileType or glob".into();
    }
    Output { json, count, ..Output::default() }
}
