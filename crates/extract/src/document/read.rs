//! One door for all formats.

use orangery_domain::text::Encoding;
use orangery_domain::{FileKind, Warning};

use super::{Document, Limits, Rows, RowsWanted, code};
use crate::{csv, docx, epub, html, image, pdf, pptx, sheet};

/// What the user said about a file, and how much it may cost.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// For files that are locked.
    pub password: Option<String>,
    /// For tables and pages whose encoding was guessed wrong.
    pub encoding: Option<Encoding>,
    pub limits: Limits,
}

/// Reads a document called `name`. It never fails: what cannot be read says why in its trouble.
pub fn read(kind: FileKind, name: &str, bytes: &[u8], options: &Options) -> Document {
    let limits = &options.limits;
    match kind {
        FileKind::Docx => docx::read(bytes, limits),
        FileKind::Pptx => pptx::read(bytes, limits),
        FileKind::Epub => epub::read(bytes, limits),
        FileKind::Html => html::read(bytes, options.encoding, limits),
        FileKind::Table if is_workbook(name) => sheet::read(bytes, limits),
        FileKind::Table => csv::read(bytes, name, options.encoding, limits),
        FileKind::Pdf => pdf::read(bytes, &pdf::Options { password: options.password.clone() }, limits),
        FileKind::Image => image::read(bytes, limits),
        FileKind::Markdown | FileKind::Text | FileKind::Other => {
            Document::refused(code::NOT_THIS_KIND, kind.as_str())
        }
    }
}

/// The cells of some rows of a table called `name`.
pub fn rows(name: &str, bytes: &[u8], options: &Options, wanted: RowsWanted) -> Result<Rows, Warning> {
    if is_workbook(name) {
        sheet::rows(bytes, &options.limits, wanted)
    } else {
        csv::rows(bytes, name, options.encoding, wanted)
    }
}

fn is_workbook(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".xlsx")
}
