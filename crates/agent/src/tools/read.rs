//! `read`: the text of files.

mod history;
mod image;
mod part;
pub(crate) mod recording;
mod section;
mod sight;
mod trouble;
mod url;
mod window;

use std::collections::BTreeMap;

use orangery_domain::text::decode;
use orangery_domain::{ContentHash, FileInfo, FileKind, FilePlace};
use orangery_extract::Document;
use orangery_library::{Drawable, NOTE_LIMIT};
use orangery_store::now_ms;
use orangery_store::table;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Error;
use crate::gate::{Action, Address, Fetch, Permit, Reach, Target};
use crate::tool::{Call, Output, Part, Tool, ToolError};
use crate::tools::UNTRUSTED;
use crate::tools::place::{self, Named, blocking, open_outside};
use crate::tools::write::refused;
use history::HistoryInput;
use sight::{IncludeImages, Sight};
use url::ExtractMode;
use window::Window;

/// Reads the text of a note, PDF, Word file, presentation, table, web page, book or recording, or of several,
/// and shows pictures. Without
/// further parameters it gives the first 6,000 characters; go on with `offset` = nextOffset. Use `around`
/// to look at places that a search named, and `heading` for one section. A file must have been read in this session
/// before it can be edited. Sections of what you read have numbers in `passages`: write [n] behind what
/// you take from them.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ReadInput {
    /// Path relative to the first knowledge base, or to that of `knowledgeBaseId`; or an absolute path.
    path: Option<String>,
    /// Instead of `path`: the id that search and list give.
    file_id: Option<i64>,
    knowledge_base_id: Option<i64>,
    /// Instead of one file: up to 16, each read with the other parameters of this call.
    files: Option<Vec<FileName>>,
    /// Skip this many characters.
    offset: Option<u64>,
    /// Line numbers, from 1, to show with their surroundings, as rows of number, tab, line.
    around: Option<Vec<u32>>,
    /// Lines before and after each of `around`; 20 when absent, 0 for the line alone.
    context: Option<u32>,
    /// The first line to show, from 1, as rows of number, tab, line.
    line_offset: Option<u32>,
    /// How many lines to show; 2,048 when absent.
    line_limit: Option<u32>,
    /// Only the section under this heading of a note or document.
    heading: Option<String>,
    /// The page of a PDF, from 1.
    page: Option<u32>,
    /// The last page, when more than one is wanted.
    page_end: Option<u32>,
    /// The slide of a presentation, from 1.
    slide: Option<u32>,
    /// The row of a table, from 1, as a spreadsheet counts.
    row: Option<u32>,
    /// The last row, when more than one is wanted.
    row_end: Option<u32>,
    /// The sheet that the rows are in, from 1; 1 when absent.
    sheet: Option<u32>,
    /// The block of a document, from 1, as passages name them.
    block: Option<u32>,
    /// Whether pictures come with the text, in the next message. `auto`, when absent: pages of a PDF that have
    /// no text, or that were named by page or block, and the pictures of a block that was named. `always`:
    /// also the first pages of a PDF, and pictures in documents and notes. `none`: no picture.
    include_images: Option<IncludeImages>,
    /// True: also list the pictures that a document holds, with id, place, caption and size.
    document_images: Option<bool>,
    /// `disk`: the file as it is, without the changes of this session that wait for the user.
    base: Option<Base>,
    /// Instead of a file: the address of a page, http or https, of which the main part comes. What is private
    /// or on this machine is not fetched.
    url: Option<String>,
    /// With url: `markdown`, when absent, or `text`.
    extract_mode: Option<ExtractMode>,
    /// With url: how many characters, 1 to 9000; 6000 when absent.
    max_chars: Option<u32>,
    /// With url: what to send besides, by name. The user sees it.
    headers: Option<BTreeMap<String, String>>,
    /// Instead of the text: earlier contents of the file that were kept before a change wrote over them,
    /// listed, or one of them compared with the file.
    history: Option<HistoryInput>,
}

/// One of several files.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct FileName {
    path: Option<String>,
    file_id: Option<i64>,
    knowledge_base_id: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Base {
    Disk,
}

const MOST_FILES: usize = 16;
/// Characters of one answer, shared by its files; one file alone gets no more than [`window::CHARACTERS`].
const BATCH_CHARACTERS: usize = 24_000;

pub(crate) struct Read;

impl Tool for Read {
    type Input = ReadInput;
    const NAME: &'static str = "read";

    fn least(&self) -> Action {
        Action::Read(vec![])
    }

    fn parts(&self) -> Vec<Part> {
        let fetch = Fetch { address: Address::default(), headers: vec![] };
        let fields = &["url", "extractMode", "maxChars", "headers"];
        vec![Part { needs: Action::ReadUrl(fetch), fields, values: &[] }]
    }

    fn subject(&self, input: &ReadInput) -> String {
        if let Some(url) = &input.url {
            return url.trim().to_owned();
        }
        let name = |path: &Option<String>, id: Option<i64>| {
            path.clone().or_else(|| id.map(|id| format!("#{id}"))).unwrap_or_default()
        };
        match &input.files {
            Some(files) => {
                files.iter().map(|file| name(&file.path, file.file_id)).collect::<Vec<_>>().join(", ")
            }
            None => name(&input.path, input.file_id),
        }
    }

    async fn resolve(&self, input: &ReadInput, call: &Call) -> Result<Action, ToolError> {
        if let Some(address) = &input.url {
            return url::resolve(input, address, call).await;
        }
        input.only_files()?;
        let window = Window::of(input)?;
        if let Some(history) = &input.history {
            history.check()?;
            if input.files.is_some() || input.base.is_some() || window != Window::default() {
                return Err(ToolError::wrong("history: goes with path or fileId only"));
            }
            if input.path.is_none() && input.file_id.is_none() && history.names_turn() {
                return Ok(Action::Read(vec![]));
            }
        }
        let alone = Named {
            path: input.path.as_deref(),
            file_id: input.file_id,
            knowledge_base_id: input.knowledge_base_id,
        };
        let Some(files) = &input.files else {
            return Ok(Action::Read(vec![place::target(call, alone).await?]));
        };
        if input.path.is_some() || input.file_id.is_some() || input.knowledge_base_id.is_some() {
            return Err(ToolError::wrong("files: give either files or one path or fileId, not both"));
        }
        if files.is_empty() || files.len() > MOST_FILES {
            return Err(ToolError::wrong(format!("files: give 1 to {MOST_FILES} files")));
        }
        let mut targets = Vec::with_capacity(files.len());
        for (index, file) in files.iter().enumerate() {
            let named = Named {
                path: file.path.as_deref(),
                file_id: file.file_id,
                knowledge_base_id: file.knowledge_base_id,
            };
            let target = place::target(call, named)
                .await
                .map_err(|error| error.reworded(|message| format!("files[{index}].{message}")))?;
            targets.push(target);
        }
        Ok(Action::Read(targets))
    }

    async fn run(&self, permit: Permit, input: ReadInput, call: &Call) -> Result<Output, ToolError> {
        if input.url.is_some() {
            return url::run(permit, &input, call).await;
        }
        let window = Window::of(&input)?;
        if let Some(history) = &input.history {
            let place = permit.targets().first().and_then(|target| target.place());
            if place.is_none() && !permit.targets().is_empty() {
                return Err(ToolError::tell("history: is kept of files in knowledge bases only"));
            }
            let mut json = history::answer(call, place, history).await?;
            json["material"] = UNTRUSTED.into();
            return Ok(Output { json, ..Output::default() });
        }
        let listed = input.document_images == Some(true);
        let mut sight = Sight::new(call, input.include_images);
        if input.files.is_none() {
            let [target] = permit.targets() else {
                return Err(ToolError::wrong("path: names no file"));
            };
            let wanted = Wanted { window: &window, characters: window::CHARACTERS, base: input.base, listed };
            let mut json = one(call, target, &wanted, &mut sight).await?;
            json["material"] = UNTRUSTED.into();
            return Ok(Output { json, count: Some(1), pictures: sight.into_shown(), ..Output::default() });
        }
        let characters = window::CHARACTERS.min(BATCH_CHARACTERS / permit.targets().len().max(1));
        let wanted = Wanted { window: &window, characters, base: input.base, listed };
        let mut files = Vec::new();
        for target in permit.targets() {
            // One bad name does not spoil the others.
            files.push(match one(call, target, &wanted, &mut sight).await {
                Ok(json) => json,
                Err(
                    ToolError::Tell(message) | ToolError::Wrong(message) | ToolError::Barred { message, .. },
                ) => {
                    json!({ "path": target.named(), "error": message })
                }
                Err(stop) => return Err(stop),
            });
        }
        let count = u32::try_from(files.len()).ok();
        let json = json!({ "material": UNTRUSTED, "files": files });
        Ok(Output { json, count, pictures: sight.into_shown(), ..Output::default() })
    }
}

/// A text as the model is to see it.
pub(super) struct Source {
    text: String,
    /// Of the bytes on disk, where the file is there.
    hash: Option<ContentHash>,
    /// Absent outside all knowledge bases.
    place: Option<FilePlace>,
    file: Option<FileInfo>,
    kind: FileKind,
    /// Changes of this session that wait for the user are in the text.
    pending: bool,
    /// What the text was read from, where that is no text itself.
    document: Option<Drawable>,
    /// The model that wrote it down, where it was spoken.
    transcribed_by: Option<String>,
}

impl Source {
    fn document(&self) -> Option<&Document> {
        self.document.as_ref().map(|drawable| &*drawable.document)
    }
}

/// What a call wants of each file.
struct Wanted<'a> {
    window: &'a Window,
    characters: usize,
    base: Option<Base>,
    /// The pictures of documents are listed.
    listed: bool,
}

async fn one(
    call: &Call,
    target: &Target,
    wanted: &Wanted<'_>,
    sight: &mut Sight<'_>,
) -> Result<Value, ToolError> {
    if target.kind == FileKind::Image {
        return picture(call, target, wanted, sight).await;
    }
    let source = source(call, target, wanted.base).await?;
    let mut view = wanted.window.view(&source, wanted.characters)?;
    let mut json = json!({ "path": target.named() });
    if let Some(place) = &source.place
        && call.selected.first().is_none_or(|first| first.id != place.kb_id)
    {
        json["knowledgeBaseId"] = place.kb_id.0.into();
    }
    if let Some(file) = &source.file {
        json["fileId"] = file.id.0.into();
        json["title"] = file.title.clone().into();
    }
    if let Some(model) = &source.transcribed_by {
        json["transcribedBy"] = model.as_str().into();
    }
    if source.pending {
        json["pending"] = true.into();
    }
    if let Value::Object(shown) = view.json.take() {
        for (key, value) in shown {
            json[key] = value;
        }
    }
    let passages = match source.document() {
        Some(document) => {
            for (key, value) in part::about(document, &view.ranges) {
                json[key] = value;
            }
            part::passages(call, &source, document, &view.ranges)
        }
        None => section::passages(call, &source, &view.ranges),
    };
    if !passages.is_empty() {
        json["passages"] = passages.into();
    }
    if let Some(drawable) = &source.document {
        if wanted.listed {
            sight::listed(&drawable.document, &mut json);
        }
        sight.document(drawable, &source, wanted.window, &view, &mut json).await?;
    }
    // Outside the knowledge bases Markdown is text only.
    if source.kind == FileKind::Markdown
        && let Some(place) = &source.place
    {
        let images = image::refs(call, place, &source.text, &view.ranges).await?;
        sight.note(&source, &images, &mut json).await?;
        if !images.is_empty() {
            json["imageRefs"] = images.into();
        }
    }
    if let (Some(place), Some(hash)) = (&source.place, source.hash) {
        table::read::record(&call.house.db, &call.session_id, place, hash, now_ms()).await?;
    }
    Ok(json)
}

/// A file that is a picture: it has no text, only pixels.
async fn picture(
    call: &Call,
    target: &Target,
    wanted: &Wanted<'_>,
    sight: &mut Sight<'_>,
) -> Result<Value, ToolError> {
    if *wanted.window != Window::default() {
        return Err(ToolError::tell(format!(
            "{}: is a picture, which has no lines or pages",
            target.named()
        )));
    }
    let Some(place) = target.place() else {
        return Err(ToolError::tell(format!("{} is a picture outside all knowledge bases", target.named())));
    };
    if sight::is_vector(place.path.name()) {
        return Err(ToolError::tell(format!("{} is an SVG, which is not shown as pixels", target.named())));
    }
    let mut json = json!({ "path": place.path });
    if call.selected.first().is_none_or(|first| first.id != place.kb_id) {
        json["knowledgeBaseId"] = place.kb_id.0.into();
    }
    if let Some(file) = call.house.library.file(place) {
        json["fileId"] = file.id.0.into();
    }
    sight.file(place, &mut json).await?;
    Ok(json)
}

/// Fetches the text behind a permitted target.
async fn source(call: &Call, target: &Target, base: Option<Base>) -> Result<Source, ToolError> {
    if FileKind::is_recording(target.named()) {
        return recording::transcript(call, target).await;
    }
    if target.kind.is_document() {
        return document(call, target).await;
    }
    let place = match &target.reach {
        Reach::Selected(place) | Reach::Unselected(place) => place,
        Reach::Outside(path) => {
            let checked = open_outside(path).await?;
            let path = target.named().to_owned();
            let raw = blocking(move || {
                let size = checked.metadata()?.size;
                if size > NOTE_LIMIT {
                    return Err(orangery_store::Error::TooLarge { path, size, limit: NOTE_LIMIT }.into());
                }
                Ok(checked.read()?)
            })
            .await?;
            let decoded = decode(&raw, None, &[]).map_err(|error| ToolError::tell(error.to_string()))?;
            return Ok(Source {
                text: decoded.text,
                hash: Some(ContentHash::of(&raw)),
                place: None,
                file: None,
                kind: target.kind,
                pending: false,
                document: None,
                transcribed_by: None,
            });
        }
    };
    let pending = match base {
        Some(Base::Disk) => None,
        None => call.house.proposals.pending_text(&call.session_id, place).await.map_err(refused)?,
    };
    let note = match call.house.library.read_note(place).await {
        Ok(note) => {
            place::unchanged(&note.checked, &place.path)?;
            note
        }
        Err(error) => {
            // A file that only the session's own change set holds so far.
            if let Some(pending) = pending {
                return Ok(Source {
                    text: pending.text,
                    // Of a file that is to be moved here.
                    hash: pending.base,
                    place: Some(place.clone()),
                    file: None,
                    kind: target.kind,
                    pending: true,
                    document: None,
                    transcribed_by: None,
                });
            }
            return Err(Error::from(error).into());
        }
    };
    Ok(Source {
        pending: pending.is_some(),
        text: pending.map_or(note.decoded.text, |pending| pending.text),
        hash: Some(note.hash),
        place: Some(place.clone()),
        file: note.file,
        kind: target.kind,
        document: None,
        transcribed_by: None,
    })
}

/// The text of a permitted target that is no text itself.
async fn document(call: &Call, target: &Target) -> Result<Source, ToolError> {
    let library = &call.house.library;
    let (drawable, hash, place, file) = match &target.reach {
        Reach::Selected(place) | Reach::Unselected(place) => {
            let source = library.read_document(place).await.map_err(Error::from)?;
            place::unchanged(&source.checked, &place.path)?;
            let (hash, file) = (source.hash(), source.file.clone());
            (source.drawable(), Some(hash), Some(source.place), file)
        }
        Reach::Outside(path) => {
            let checked = open_outside(path).await?;
            let bytes = blocking(move || Ok(checked.read()?)).await?;
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let drawable = library.read_document_bytes(&name, bytes).await.map_err(Error::from)?;
            let hash = drawable.hash();
            (drawable, Some(hash), None, None)
        }
    };
    if let Some(trouble) = &drawable.document.trouble {
        return Err(trouble::told(target, trouble));
    }
    Ok(Source {
        text: drawable.document.text.clone(),
        hash,
        place,
        file,
        kind: target.kind,
        pending: false,
        document: Some(drawable),
        transcribed_by: None,
    })
}
