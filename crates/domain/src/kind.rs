//! Closed sets that the whole house branches on.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a file is, by its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum FileKind {
    Markdown,
    Text,
    Docx,
    Pdf,
    Pptx,
    Table,
    Html,
    Epub,
    Image,
    Other,
}

impl FileKind {
    /// The kind of a file called `name`. Extensions compare without case.
    pub fn of_name(name: &str) -> Self {
        let extension = match name.rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => extension.to_ascii_lowercase(),
            _ => return Self::Other,
        };
        match extension.as_str() {
            "md" | "markdown" | "mdown" | "mkd" => Self::Markdown,
            "txt" | "text" | "log" | "org" | "rst" | "adoc" => Self::Text,
            "docx" => Self::Docx,
            "pdf" => Self::Pdf,
            "pptx" => Self::Pptx,
            "csv" | "tsv" | "xlsx" => Self::Table,
            "html" | "htm" => Self::Html,
            "epub" => Self::Epub,
            "png" | "jpg" | "jpeg" | "webp" | "gif" | "svg" => Self::Image,
            _ => Self::Other,
        }
    }

    /// Whether a file called `name` holds speech, by its extension: what speech-to-text servers take.
    pub fn is_recording(name: &str) -> bool {
        let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        let known =
            ["mp3", "m4a", "wav", "ogg", "oga", "opus", "flac", "aac", "mp4", "mpeg", "mpga", "webm", "mov"];
        extension.is_some_and(|extension| known.contains(&extension.as_str()))
    }

    /// Notes are what Orangery itself writes: Markdown and plain text.
    pub fn is_note(self) -> bool {
        matches!(self, Self::Markdown | Self::Text)
    }

    /// Documents are what is not text itself and yet holds some.
    pub fn is_document(self) -> bool {
        matches!(self, Self::Docx | Self::Pdf | Self::Pptx | Self::Table | Self::Html | Self::Epub)
    }

    /// The name used in filters and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Text => "text",
            Self::Docx => "docx",
            Self::Pdf => "pdf",
            Self::Pptx => "pptx",
            Self::Table => "table",
            Self::Html => "html",
            Self::Epub => "epub",
            Self::Image => "image",
            Self::Other => "other",
        }
    }

    /// The kind called `text` by [`Self::as_str`].
    pub fn from_name(text: &str) -> Option<Self> {
        [
            Self::Markdown,
            Self::Text,
            Self::Docx,
            Self::Pdf,
            Self::Pptx,
            Self::Table,
            Self::Html,
            Self::Epub,
            Self::Image,
            Self::Other,
        ]
        .into_iter()
        .find(|kind| kind.as_str() == text)
    }
}

/// Why something failed, for callers that branch. Every library error maps onto exactly one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum ErrorKind {
    NotFound,
    Invalid,
    Conflict,
    Denied,
    Cancelled,
    Unavailable,
    Corrupt,
    Internal,
}

/// A soft trouble: the value is there, and this is what to know about it. `code` is stable and has a
/// sentence in every language of the UI; `detail` names the file, number or word concerned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Warning {
    pub code: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

impl Warning {
    pub fn new(code: &str, detail: impl Into<String>) -> Self {
        Self { code: code.into(), detail: detail.into() }
    }
}
