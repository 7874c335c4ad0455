//! One door for all formats.

use orangery_domain::text::Encoding;
use orangery_domain::{FileKind, Warning};

use super::{Document, Grid, Limits, Rows, RowsWanted, code};
use crate::{csv, docx, epub, html, image, pdf, pptx, sheet};

/// What the user said about a file, and how much it may cost.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// For PDF files that are locked.
    pub password: Option<String>,
    /// For tables and pages whose encoding was guessed wrong.
    pub encoding: Option<Encoding>,
    pub limits: Limits,
}

/// Reads a document called `name`. It never fails: what cannot be read says why in its trouble.
pub fn read(kind: FileKind, name: &str, bytes: &[u8], options: &Options) -> Document {
    let mut document = read_as(kind, name, bytes, options);
    // Pictures never have text, and pages of a PDF that are pictures say so themselves.
    let said = kind == FileKind::Image || (kind == FileKind::Pdf && !document.warnings.is_empty());
    if document.blocks.is_empty() && document.trouble.is_none() && !said {
        let detail = if document.pictures.is_empty() { "" } else { "pictures" };
        document.warnings.push(Warning::new(code::NO_TEXT, detail));
    }
    document
}

fn read_as(kind: FileKind, name: &str, bytes: &[u8], options: &Options) -> Document {
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

/// The bytes of a picture that [`read`] listed: as they are stored, or as PNG where that is no format of pictures.
pub fn picture(kind: FileKind, bytes: &[u8], options: &Options, id: &str) -> Option<Vec<u8>> {
    match kind {
        FileKind::Docx => docx::picture(bytes, id),
        FileKind::Pptx => pptx::picture(bytes, id),
        FileKind::Epub => epub::picture(bytes, id),
        FileKind::Pdf => pdf::figure(bytes, &pdf::Options { password: options.password.clone() }, id),
        FileKind::Image => id.is_empty().then(|| bytes.to_vec()),
        _ => None,
    }
}

/// The cells of some rows of a table called `name`; and all rows of that sheet, for who asks for more of them,
/// where they are not too many to keep.
pub fn rows(
    name: &str,
    bytes: &[u8],
    options: &Options,
    wanted: RowsWanted,
) -> Result<(Rows, Option<Grid>), Warning> {
    if is_workbook(name) {
        sheet::rows(bytes, &options.limits, wanted)
    } else {
        csv::rows(bytes, name, options.encoding, wanted)
    }
}

fn is_workbook(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".xlsx")
}

#[cfg(test)]
mod tests;
