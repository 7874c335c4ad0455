//! Bytes in, blocks and warnings out.
//!
//! This crate opens no file, follows no link and fetches nothing; what a link leads to is for others
//! to find. It never fails: what cannot be understood is plain text, or a document with its trouble,
//! and what a reader should know about it is a warning.

pub mod csv;
pub mod document;
pub mod docx;
pub mod epub;
pub mod html;
pub mod image;
pub mod markdown;
mod office;
mod package;
pub mod pdf;
pub mod pptx;
pub mod sheet;
mod text;
mod xml;

pub use document::Document;

use orangery_domain::{Block, FileKind, Link, Warning};

/// What a document holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extracted {
    /// In order, apart; every byte that is not blank lies in exactly one.
    pub blocks: Vec<Block>,
    /// In order of where they begin.
    pub links: Vec<Link>,
    /// Without `#`, each once (compared without case), in order of first use.
    pub tags: Vec<String>,
    /// As the document names itself; absent where only its file name does.
    pub title: Option<String>,
    pub warnings: Vec<Warning>,
}

/// Extracts a note from its decoded text: Markdown, or any other text line by line.
pub fn note(kind: FileKind, text: &str) -> Extracted {
    match kind {
        FileKind::Markdown => markdown::note(text),
        _ => text::lines(text),
    }
}
