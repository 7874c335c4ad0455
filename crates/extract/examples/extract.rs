//! Reads many documents in one process and prints or writes their text, for measuring.
//!
//! `extract [--all] [--out FOLDER] FILE…` prints times as JSON when it writes to a folder. Without
//! `--all` it gives what the text of a document is measured by: no headers and footers, and no list
//! numbers and note marks; pages of a PDF apart by form feeds. `ORANGERY_PDFIUM` is the library for PDF.
#![expect(clippy::print_stdout, reason = "a program whose output is its purpose")]
#![expect(clippy::disallowed_methods, reason = "it writes what it extracted where it is told to")]

use std::path::PathBuf;
use std::time::Instant;

use orangery_domain::{BlockKind, FileKind, Spot};
use orangery_extract::document::{Options, read};
use orangery_extract::{Document, pdf};

fn main() -> std::io::Result<()> {
    let (mut all, mut out, mut files) = (false, None, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--all" => all = true,
            "--out" => out = arguments.next().map(PathBuf::from),
            _ => files.push(PathBuf::from(argument)),
        }
    }
    if let Some(folder) = &out {
        std::fs::create_dir_all(folder)?;
    }
    if let Some(library) = std::env::var_os("ORANGERY_PDFIUM") {
        pdf::bind(library.as_ref()).map_err(std::io::Error::other)?;
    }
    let mut times = Vec::new();
    let mut failed = Vec::new();
    for file in &files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let start = Instant::now();
        let bytes = std::fs::read(file)?;
        let document = read(FileKind::of_name(&name), &name, &bytes, &Options::default());
        let text = text(&document, all);
        times.push(start.elapsed().as_secs_f64());
        let trouble = document.trouble.as_ref();
        failed.extend(trouble.map(|trouble| format!("{name}: {} {}", trouble.code, trouble.detail)));
        match &out {
            Some(folder) => std::fs::write(folder.join(format!("{name}.txt")), text)?,
            None => {
                println!("==> {name} {:?} {:?}", document.trouble, document.warnings);
                println!("{text}");
            }
        }
    }
    if out.is_some() {
        times.sort_by(f64::total_cmp);
        let middle = times.get(times.len() / 2).copied().unwrap_or(0.0) * 1e3;
        let total: f64 = times.iter().sum();
        let failed: Vec<String> = failed.iter().map(|one| format!("{one:?}")).collect();
        println!(
            "{{\"files\": {}, \"extract_s\": {total:.4}, \"p50_ms\": {middle:.3}, \"failed\": [{}]}}",
            files.len(),
            failed.join(", ")
        );
    }
    Ok(())
}

fn text(document: &Document, all: bool) -> String {
    if all {
        return document.text.clone();
    }
    let mut text = String::new();
    let mut page = 1;
    for (block, spot) in document.blocks.iter().zip(&document.spots) {
        if let Spot::Page { page: this, .. } = spot {
            (page..*this).for_each(|_| text.push('\u{c}'));
            page = *this;
        }
        if !matches!(block.kind, BlockKind::Header | BlockKind::Footer) {
            text.push_str(&block.text);
            text.push('\n');
        }
    }
    text
}
