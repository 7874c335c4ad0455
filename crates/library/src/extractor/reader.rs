//! Which reader does what. Runs in the worker.

use std::path::{Path, PathBuf};

use orangery_domain::text::Encoding;
use orangery_domain::{FileKind, PageWord, RowPage, Warning};
use orangery_extract::document::{self, Grid, Limits, Options, RowsWanted, code};
use orangery_extract::image::{self, Fit, Fitted};
use orangery_extract::{Document, pdf};

use super::wire::{Pixels, Question};
use crate::trouble;

/// Loads the library that reads PDF, from where `ORANGERY_PDFIUM` says or from where it comes with this program.
/// Without it every PDF says that it is missing, or why the one that is there cannot be loaded.
pub fn bind() {
    let named = std::env::var_os("ORANGERY_PDFIUM").map(PathBuf::from);
    let shipped = || {
        let program = std::env::current_exe().ok()?;
        shipped_libraries(&program).into_iter().find(|library| library.is_file())
    };
    if let Some(library) = named.or_else(shipped) {
        // A PDF that cannot be read for it says so itself.
        let _ = pdf::bind_named(&library);
    }
}

/// Where it may come with `program`, the likeliest first: beside it, or where the packages of the window put what
/// belongs to it.
fn shipped_libraries(program: &Path) -> Vec<PathBuf> {
    let Some(folder) = program.parent() else { return Vec::new() };
    let packaged = ["../Resources", "../lib/Orangery"].map(|place| folder.join(place));
    let folders = std::iter::once(folder.to_owned()).chain(packaged);
    folders.map(|folder| folder.join(pdf::library_name())).collect()
}

/// Bytes that the cells of one answer may have together.
pub const CELLS: usize = 4 << 20;

fn options(question: &Question) -> Options {
    Options {
        password: question.password.clone(),
        encoding: question.encoding.as_deref().and_then(Encoding::from_label),
        limits: Limits::default(),
    }
}

pub fn read(question: &Question, bytes: &[u8]) -> Document {
    document::read(question.kind, &question.name, bytes, &options(question))
}

/// Pixels that the picture of a page may have.
const PIXELS: u32 = 16_000_000;

/// PNG.
pub fn page(question: &Question, bytes: &[u8], page: u32, width: u32) -> Result<Vec<u8>, Warning> {
    let options = pages(question)?;
    let picture = pdf::picture(bytes, &options, page, width, PIXELS);
    picture.map(|picture| picture.png).map_err(|code| Warning::new(code, ""))
}

/// Which blocks they belong to is not known here.
pub fn words(question: &Question, bytes: &[u8], page: u32) -> Result<Vec<PageWord>, Warning> {
    let options = pages(question)?;
    let words = pdf::words(bytes, &options, page).map_err(|code| Warning::new(code, ""))?;
    Ok(words.into_iter().map(|(text, area)| PageWord { text, area, block: 0 }).collect())
}

/// How to open a document that has pages to look at.
fn pages(question: &Question) -> Result<pdf::Options, Warning> {
    match question.kind {
        FileKind::Pdf => Ok(pdf::Options { password: question.password.clone() }),
        kind => Err(Warning::new(code::NOT_THIS_KIND, kind.as_str())),
    }
}

pub fn picture(question: &Question, bytes: &[u8], id: &str) -> Option<Vec<u8>> {
    document::picture(question.kind, bytes, &options(question), id)
}

/// What a model is to see, made to fit.
pub fn pixels(question: &Question, bytes: &[u8], of: &Pixels, fit: Fit) -> Result<Fitted, Warning> {
    match of {
        Pixels::File => image::fit(bytes, fit),
        Pixels::Page { page, width } => image::fit(&self::page(question, bytes, *page, *width)?, fit),
        Pixels::Picture { id } => {
            let picture = picture(question, bytes, id).ok_or_else(|| trouble::NO_PICTURE.of(id))?;
            image::fit(&picture, fit)
        }
    }
}

/// A sheet whose rows were asked for, and what it was asked as.
#[derive(Debug)]
pub struct Asked {
    name: String,
    encoding: Option<String>,
    sheet: u32,
    grid: Grid,
}

/// `last` is the sheet that was asked for last of the same bytes, and becomes this one.
pub fn rows(
    question: &Question,
    bytes: &[u8],
    wanted: RowsWanted,
    last: &mut Option<Asked>,
) -> Result<RowPage, Warning> {
    if question.kind != FileKind::Table {
        return Err(Warning::new(code::NOT_THIS_KIND, question.kind.as_str()));
    }
    let same = |asked: &&Asked| {
        asked.name == question.name && asked.encoding == question.encoding && asked.sheet == wanted.sheet
    };
    let rows = match last.as_ref().filter(same) {
        Some(asked) => asked.grid.rows(wanted),
        None => {
            // Not two of them at once.
            *last = None;
            let (rows, grid) = document::rows(&question.name, bytes, &options(question), wanted)?;
            let (name, encoding) = (question.name.clone(), question.encoding.clone());
            *last = grid.map(|grid| Asked { name, encoding, sheet: wanted.sheet, grid });
            rows
        }
    };
    Ok(RowPage { rows: rows.rows, total: rows.total, columns: rows.columns })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_looked_for_where_packages_put_it() {
        let found = shipped_libraries(Path::new("/usr/bin/orangery-desktop"));
        let places: Vec<_> = found.iter().map(|path| path.parent().unwrap().to_str().unwrap()).collect();
        assert_eq!(places, ["/usr/bin", "/usr/bin/../Resources", "/usr/bin/../lib/Orangery"]);
        assert!(found.iter().all(|path| path.ends_with(pdf::library_name())));
        assert_eq!(shipped_libraries(Path::new("/")), Vec::<PathBuf>::new());
    }
}
