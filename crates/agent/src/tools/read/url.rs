//! `read url`: a page of the web, by its main part.

use std::sync::Arc;
use std::time::Duration;

use orangery_extract::html::{Form, article};
use orangery_net::{Arrived, Limits, PageUrl, Response};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{ReadInput, window};
use crate::Error;
use crate::gate::{Action, Address, Detour, Fetch, Permit};
use crate::tool::{Call, Output, ToolError, unavailable};
use crate::tools::place::blocking;
use crate::tools::{UNTRUSTED_WEB, WEB_OFF};
use crate::web::{Errand, Page};

const LIMITS: Limits = Limits { silence: Duration::from_secs(20), body: 1 << 20 };
/// Redirects that are followed.
const HOPS: u32 = 3;
const MOST_CHARACTERS: usize = 9_000;
const MOST_HEADERS: usize = 16;

/// How a page comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum ExtractMode {
    Markdown,
    Text,
}

impl ExtractMode {
    fn form(mode: Option<Self>) -> Form {
        match mode {
            None | Some(Self::Markdown) => Form::Markdown,
            Some(Self::Text) => Form::Text,
        }
    }
}

pub(super) async fn resolve(input: &ReadInput, address: &str, call: &Call) -> Result<Action, ToolError> {
    input.only_url()?;
    characters(input)?;
    let headers = input.headers.clone().unwrap_or_default();
    if headers.len() > MOST_HEADERS {
        return Err(ToolError::wrong(format!("headers: give at most {MOST_HEADERS}")));
    }
    let page = PageUrl::parse(address).map_err(|error| ToolError::wrong(format!("url: {error}")))?;
    let fetch = Fetch { address: named(&page), headers: headers.into_iter().collect() };
    if !call.house.web.is_on(&call.house.db).await? {
        return unavailable(call, Action::ReadUrl(fetch), WEB_OFF);
    }
    Ok(Action::ReadUrl(fetch))
}

pub(super) async fn run(permit: Permit, input: &ReadInput, call: &Call) -> Result<Output, ToolError> {
    let Action::ReadUrl(fetch) = permit.action() else {
        return Err(ToolError::wrong("url: was not judged"));
    };
    let form = ExtractMode::form(input.extract_mode);
    let asked = PageUrl::parse(&fetch.address.url).map_err(refused)?;
    // What a page says to other headers is another answer.
    let key = fetch.headers.is_empty().then(|| (asked.clone(), form));
    let kept = key.as_ref().and_then(|key| call.house.web.pages.get(key));
    let page = match kept {
        Some(page) => page,
        None => {
            call.house.web.spend(call.turn_id, Errand::Page)?;
            match fetched(permit, asked, form, call).await? {
                Ok(page) => {
                    let page = Arc::new(page);
                    if let Some(key) = key {
                        call.house.web.pages.put(key, Arc::clone(&page));
                    }
                    page
                }
                Err(elsewhere) => {
                    let json = json!({
                        "movedTo": elsewhere.as_str(),
                        "next": "the page has moved to another host, which the user was not asked about; read that url",
                    });
                    return Ok(Output { json, ..Output::default() });
                }
            }
        }
    };
    let skip = usize::try_from(input.offset.unwrap_or(0)).unwrap_or(usize::MAX);
    let view = window::by_characters(&page.text, 0..page.text.len(), skip, characters(input)?)?;
    let mut json = json!({
        "material": UNTRUSTED_WEB,
        "url": page.url.as_str(),
        "title": page.title,
        "mediaType": page.media_type,
    });
    for (field, value) in [("author", &page.author), ("published", &page.published)] {
        if let Some(value) = value {
            json[field] = value.as_str().into();
        }
    }
    if !page.notes.is_empty() {
        json["notes"] = json!(page.notes);
    }
    if let (Some(json), serde_json::Value::Object(shown)) = (json.as_object_mut(), view.json) {
        json.extend(shown);
    }
    Ok(Output { json, count: Some(1), ..Output::default() })
}

impl ReadInput {
    /// What is about files is about no page.
    fn only_url(&self) -> Result<(), ToolError> {
        ToolError::unless_absent(
            &[
                ("path", self.path.is_some()),
                ("fileId", self.file_id.is_some()),
                ("knowledgeBaseId", self.knowledge_base_id.is_some()),
                ("files", self.files.is_some()),
                ("around", self.around.is_some()),
                ("context", self.context.is_some()),
                ("lineOffset", self.line_offset.is_some()),
                ("lineLimit", self.line_limit.is_some()),
                ("heading", self.heading.is_some()),
                ("page", self.page.is_some()),
                ("pageEnd", self.page_end.is_some()),
                ("slide", self.slide.is_some()),
                ("row", self.row.is_some()),
                ("rowEnd", self.row_end.is_some()),
                ("sheet", self.sheet.is_some()),
                ("block", self.block.is_some()),
                ("includeImages", self.include_images.is_some()),
                ("documentImages", self.document_images.is_some()),
                ("base", self.base.is_some()),
                ("history", self.history.is_some()),
            ],
            "does not go with url",
        )
    }

    /// What is about pages is about no file.
    pub(super) fn only_files(&self) -> Result<(), ToolError> {
        ToolError::unless_absent(
            &[
                ("extractMode", self.extract_mode.is_some()),
                ("maxChars", self.max_chars.is_some()),
                ("headers", self.headers.is_some()),
            ],
            "goes with url",
        )
    }
}

fn characters(input: &ReadInput) -> Result<usize, ToolError> {
    match input.max_chars.map(usize::try_from) {
        None => Ok(window::CHARACTERS),
        Some(Ok(most @ 1..=MOST_CHARACTERS)) => Ok(most),
        Some(_) => Err(ToolError::wrong(format!("maxChars: give 1 to {MOST_CHARACTERS}"))),
    }
}

fn named(page: &PageUrl) -> Address {
    Address { url: page.as_str().to_owned(), host: page.host().to_owned() }
}

/// The page, over as many redirects as the permit covers; or where it has gone, when only the user can say
/// whether to follow.
async fn fetched(
    mut permit: Permit,
    first: PageUrl,
    form: Form,
    call: &Call,
) -> Result<Result<Page, PageUrl>, ToolError> {
    let mut at = first.clone();
    for _ in 0..=HOPS {
        let Action::ReadUrl(fetch) = permit.action() else {
            return Err(ToolError::wrong("url: was not judged"));
        };
        // They are for whom the user saw.
        let headers = if at.same_origin(&first) { &fetch.headers[..] } else { &[] };
        match call.house.web.content.open(&at, headers, LIMITS).await.map_err(refused)? {
            Arrived::Here(response) => return read(response, at, form, call).await.map(Ok),
            Arrived::Moved(to) => {
                permit = match permit.follow(named(&to), call.level, call.plan, &call.rules) {
                    Ok(permit) => permit,
                    Err(Detour::Ask) => return Ok(Err(to)),
                    Err(Detour::Deny(reason)) => {
                        let message = format!("the page has moved to {}: {reason}", to.as_str());
                        return Err(ToolError::Barred { code: reason.code(), message });
                    }
                };
                at = to;
            }
        }
    }
    Err(ToolError::tell(format!("{} sent on more than {HOPS} times", first.as_str())))
}

async fn read(response: Response, url: PageUrl, form: Form, call: &Call) -> Result<Page, ToolError> {
    if !response.is_success() {
        return Err(ToolError::tell(format!("{} answered with status {}", url.host(), response.status())));
    }
    let content_type = response.header("content-type").unwrap_or_default().to_ascii_lowercase();
    let (media_type, rest) = content_type.split_once(';').unwrap_or((&content_type, ""));
    let media_type = media_type.trim().to_owned();
    let charset = rest.split(';').find_map(|part| part.trim().strip_prefix("charset="));
    let charset = charset.map(|charset| charset.trim_matches(['"', '\'']).to_owned());
    let bytes = response.body().await.map_err(refused)?;
    let page = Page {
        url,
        title: None,
        author: None,
        published: None,
        media_type,
        text: String::new(),
        notes: Vec::new(),
    };
    match reader(&page.media_type, &bytes) {
        Some(Reader::Page) => {
            let address = page.url.as_str().to_owned();
            let article = blocking(move || Ok(article(&bytes, charset.as_deref(), &address, form))).await?;
            let whole = "no main part was found: this is all the text of the page";
            Ok(Page {
                title: article.title,
                author: article.author,
                published: article.published,
                text: article.text,
                notes: article.whole.then(|| whole.to_owned()).into_iter().collect(),
                ..page
            })
        }
        Some(Reader::Text) => {
            let text =
                blocking(move || Ok(orangery_extract::html::decoded(&bytes, charset.as_deref()))).await?;
            Ok(Page { text, ..page })
        }
        Some(Reader::Document(name)) => {
            let read = call.house.library.read_document_bytes(name, bytes).await.map_err(Error::from)?;
            if let Some(trouble) = &read.document.trouble {
                return Err(ToolError::tell(format!(
                    "the {} cannot be read: {}",
                    page.media_type, trouble.code
                )));
            }
            let notes = read.document.warnings.iter().map(|warning| warning.code.clone()).collect();
            Ok(Page { title: read.document.title.clone(), text: read.document.text.clone(), notes, ..page })
        }
        None => Err(ToolError::tell(format!(
            "{} is {}, which is no text; only pages, text and documents are read",
            page.url.as_str(),
            if page.media_type.is_empty() { "of no known kind" } else { &page.media_type }
        ))),
    }
}

/// How something is read.
enum Reader {
    Page,
    Text,
    /// As a file of this name.
    Document(&'static str),
}

/// How what a server calls `media_type` is read; nothing for what is no text.
fn reader(media_type: &str, bytes: &[u8]) -> Option<Reader> {
    let office = "application/vnd.openxmlformats-officedocument.";
    match media_type {
        "text/html" | "application/xhtml+xml" => Some(Reader::Page),
        "application/pdf" => Some(Reader::Document("page.pdf")),
        "application/epub+zip" => Some(Reader::Document("page.epub")),
        _ if media_type.starts_with(office) => match &media_type[office.len()..] {
            "wordprocessingml.document" => Some(Reader::Document("page.docx")),
            "presentationml.presentation" => Some(Reader::Document("page.pptx")),
            "spreadsheetml.sheet" => Some(Reader::Document("page.xlsx")),
            _ => None,
        },
        _ if media_type.starts_with("text/") => Some(Reader::Text),
        "application/json" | "application/xml" | "application/javascript" | "application/yaml" => {
            Some(Reader::Text)
        }
        _ if media_type.ends_with("+json") || media_type.ends_with("+xml") => Some(Reader::Text),
        // A server that says nothing: no text holds zeros.
        "" if bytes.contains(&0) => None,
        "" if bytes.trim_ascii_start().starts_with(b"<") => Some(Reader::Page),
        "" => Some(Reader::Text),
        _ => None,
    }
}

/// What stood in the way, for the model; what is private is as final as a denial.
fn refused(error: orangery_net::Error) -> ToolError {
    match error {
        orangery_net::Error::Private(_) => {
            ToolError::Barred { code: "privateAddress", message: error.to_string() }
        }
        error => ToolError::tell(error.to_string()),
    }
}
