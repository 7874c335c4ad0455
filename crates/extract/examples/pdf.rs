//! Reads PDF files whose paths come line by line on standard input; writes each one's text as
//! `LENGTH\nTEXT`, pages apart by form feeds, without what pages repeat. For measuring.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program of the command line")]

use std::io::{BufRead as _, Write as _};

use orangery_domain::{BlockKind, Spot};
use orangery_extract::document::Limits;
use orangery_extract::pdf;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let verbose = arguments.next().is_some_and(|argument| argument == "--blocks");
    let library = std::env::var_os("ORANGERY_PDFIUM").unwrap_or_else(|| pdf::library_name().into());
    if let Err(error) = pdf::bind(library.as_ref()) {
        eprintln!("{error}");
        std::process::exit(1);
    }
    let password = std::env::var("PDF_PASSWORD").ok();
    let options = pdf::Options { password };
    for path in std::io::stdin().lock().lines().map_while(Result::ok) {
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("{path}: {error}");
                Vec::new()
            }
        };
        let document = pdf::read(&bytes, &options, &Limits::default());
        let mut text = String::new();
        let mut page = 1;
        if verbose {
            println!("## {path}: {:?} {:?}", document.trouble, document.warnings);
            for page in &document.pages {
                println!("   {page:?}");
            }
            for link in &document.links {
                println!("   {link:?}");
            }
            for entry in &document.outline {
                println!("   {entry:?}");
            }
        }
        for (block, spot) in document.blocks.iter().zip(&document.spots) {
            if verbose {
                println!("{:?} {spot:?}\n{}\n", block.kind, block.text);
            }
            if let Spot::Page { page: here, .. } = spot {
                while page < *here {
                    text.push('\u{c}');
                    page += 1;
                }
            }
            if !matches!(block.kind, BlockKind::Header | BlockKind::Footer) {
                text.push_str(&block.text);
                text.push('\n');
            }
        }
        if !verbose {
            let mut out = std::io::stdout().lock();
            let written = write!(out, "{}\n{text}", text.len()).and_then(|()| out.flush());
            if written.is_err() {
                return;
            }
        }
    }
}
