//! PDF: what PDFium finds on the pages, in the order that people read it in.
//!
//! [`layout`] makes blocks of glyphs and is where reading order comes from. A file beyond its bounds, or a
//! page whose glyphs have no usable places, comes in the order of its content, and a warning says so.

mod engine;
mod figure;
mod garbled;
mod layout;
mod note;
mod object;
mod outline;
mod picture;
mod stream;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use orangery_domain::{
    Area, Block, BlockKind, DocumentPage, DocumentPicture, Link, LinkKind, OutlineEntry, Spot, TextLayer,
    Warning,
};

use crate::document::{Builder, Document, Limits, code};
use crate::office;
use engine::{File, Page, Refusal};
use figure::Placed;
use layout::{PageGlyphs, Piece, Role};
use note::NoteKind;
pub use picture::Picture;

/// Files up to this size and pages are read by the places of their glyphs.
const ORDERED_BYTES: usize = 4 << 20;
const ORDERED_PAGES: u32 = 200;
/// Glyphs of all pages that are held at once to be put in order.
const ORDERED_GLYPHS: usize = 3_000_000;
/// Pages read at all.
const PAGES: u32 = 20_000;

/// Pictures that are listed.
const FIGURES: usize = 2_000;

/// Entries of a table of contents made of headings.
const HEADINGS: usize = 2_000;

#[derive(Debug, Clone, Default)]
pub struct Options {
    pub password: Option<String>,
}

/// The file name of the library on this platform.
pub fn library_name() -> &'static str {
    if cfg!(windows) {
        "pdfium.dll"
    } else if cfg!(target_os = "macos") {
        "libpdfium.dylib"
    } else {
        "libpdfium.so"
    }
}

/// Loads the library, once for the process; until then every file is refused as `pdfiumMissing`.
pub fn bind(library: &Path) -> Result<(), String> {
    engine::bind(library)
}

/// As [`bind`], for a library that is meant to be there: files that are refused for it name it.
pub fn bind_named(library: &Path) -> Result<(), String> {
    let bound = engine::bind(library);
    if let Err(reason) = &bound {
        // Some systems name it themselves.
        let path = library.display().to_string();
        let named = reason.starts_with(&path);
        engine::blame(if named { reason.clone() } else { format!("{path}: {reason}") });
    }
    bound
}

/// Reads a file. Never fails: what cannot be read is a document that says why.
pub fn read(bytes: &[u8], options: &Options, limits: &Limits) -> Document {
    guarded(|| {
        let file = engine::open(bytes, options.password.as_deref())?;
        Ok(extract(&file, bytes.len(), *limits))
    })
    .unwrap_or_else(|refusal| match refusal {
        Refusal::Missing => Document::refused(refusal.code(), engine::blamed()),
        refusal => Document::refused(refusal.code(), ""),
    })
}

/// A picture of the page of this number, from 1, as PNG, `width` pixels wide; less wide where it would
/// have more than `most` pixels. The error is a code of [`crate::document`].
pub fn picture(
    bytes: &[u8],
    options: &Options,
    page: u32,
    width: u32,
    most: u32,
) -> Result<Picture, &'static str> {
    guarded(|| {
        let file = engine::open(bytes, options.password.as_deref())?;
        let picture = file.picture(file.index(page)?, width, most);
        let (width, height, pixels) = picture.ok_or(Refusal::Damaged)?;
        Picture::of(width, height, &pixels).ok_or(Refusal::Damaged)
    })
    .map_err(Refusal::code)
}

/// A picture in the file, by the id that [`read`] gave it, as PNG: cut out of its page, so with all that lies
/// over it.
pub fn figure(bytes: &[u8], options: &Options, id: &str) -> Option<Vec<u8>> {
    let (page, number) = figure::parts(id)?;
    let cut = guarded(|| {
        let file = engine::open(bytes, options.password.as_deref())?;
        Ok(file.cutting(page - 1, number - 1))
    });
    let (width, height, pixels) = cut.ok().flatten()?;
    Picture::of(width, height, &pixels).map(|picture| picture.png)
}

/// The words of the page of this number, from 1, with their boxes, in reading order. The error is a code
/// of [`crate::document`].
pub fn words(bytes: &[u8], options: &Options, page: u32) -> Result<Vec<(String, Area)>, &'static str> {
    guarded(|| {
        let file = engine::open(bytes, options.password.as_deref())?;
        let page = file.page(file.index(page)?).ok_or(Refusal::Damaged)?;
        Ok(layout::words(&PageGlyphs { height: page.height, glyphs: page.glyphs }))
    })
    .map_err(Refusal::code)
}

/// The wrapper of the library asserts in places; a file is not to end the process by that.
fn guarded<T>(work: impl FnOnce() -> Result<T, Refusal>) -> Result<T, Refusal> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Refusal::Damaged))
}

fn extract(file: &File<'_>, bytes: usize, limits: Limits) -> Document {
    let count = file.pages();
    if count == 0 {
        return Document::refused(Refusal::Damaged.code(), "");
    }
    let mut reading =
        Reading { builder: Builder::new(limits), troubles: Troubles::default(), first_block: vec![] };
    let pages = (bytes <= ORDERED_BYTES && count <= ORDERED_PAGES).then(|| load(file, count)).flatten();
    if let Some(pages) = pages {
        reading.by_glyphs(file, pages);
    } else {
        reading.troubles.stream = true;
        reading.by_stream(file, count.min(PAGES));
    }
    if count > PAGES {
        reading.troubles.left_out = count - PAGES;
    }
    reading.finish(file, count)
}

/// All pages with their glyphs; `None` when these are too many.
fn load(file: &File<'_>, count: u32) -> Option<Vec<Option<Page>>> {
    let mut held = 0;
    (0..count)
        .map(|index| {
            let page = file.page(index);
            held += page.as_ref().map_or(0, |page| page.glyphs.len());
            (held <= ORDERED_GLYPHS).then_some(page)
        })
        .collect()
}

/// What there is to say about pages, each by its number from 1.
#[derive(Debug, Default)]
struct Troubles {
    images: Vec<u32>,
    garbled: Vec<u32>,
    poor: Vec<u32>,
    damaged: Vec<u32>,
    stream: bool,
    left_out: u32,
}

struct Reading {
    builder: Builder,
    troubles: Troubles,
    /// How many blocks there were before each page.
    first_block: Vec<u32>,
}

impl Reading {
    fn by_glyphs(&mut self, file: &File<'_>, mut pages: Vec<Option<Page>>) {
        let glyphs: Vec<PageGlyphs> = pages
            .iter_mut()
            .map(|page| {
                page.as_mut().map_or_else(PageGlyphs::default, |page| PageGlyphs {
                    height: page.height,
                    glyphs: std::mem::take(&mut page.glyphs),
                })
            })
            .collect();
        let ordered = layout::document(&glyphs);
        for ((index, page), pieces) in (0..).zip(pages).zip(ordered) {
            self.first_block.push(self.builder.blocks());
            let Some(page) = page else {
                self.troubles.damaged.push(index + 1);
                self.builder.document().pages.push(empty_page());
                continue;
            };
            let found: usize = glyphs[index as usize]
                .glyphs
                .iter()
                .filter(|glyph| !glyph.letter.is_whitespace())
                .map(|glyph| 1 + glyph.more.as_ref().map_or(0, |more| more.chars().count()))
                .sum();
            if found * 10 < page.letters * 9 {
                self.troubles.poor.push(index + 1);
                if let Some((_, text)) = file.stream(index) {
                    self.stream_page(index + 1, &page, &text);
                    continue;
                }
            }
            self.ordered_page(index + 1, &page, pieces);
        }
    }

    fn by_stream(&mut self, file: &File<'_>, count: u32) {
        for index in 0..count {
            self.first_block.push(self.builder.blocks());
            match file.stream(index) {
                Some((page, text)) => self.stream_page(index + 1, &page, &text),
                None => {
                    self.troubles.damaged.push(index + 1);
                    self.builder.document().pages.push(empty_page());
                }
            }
        }
    }

    fn ordered_page(&mut self, number: u32, page: &Page, pieces: Vec<Piece>) {
        let text: String = pieces.iter().map(|piece| piece.text.as_str()).collect::<Vec<_>>().join("\n");
        let layer = self.page(number, page, &text);
        let mut placed = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let kind = kind(piece.role);
            let spot = Spot::Page { page: number, area: Some(piece.area) };
            if let Some(range) = self.builder.push(kind, spot, &piece.text) {
                let block = self.builder.blocks();
                placed.push(Placed {
                    area: piece.area,
                    range,
                    block,
                    is_caption: piece.role == Role::Caption,
                });
            }
        }
        self.figures(number, page, layer, &placed);
        self.notes(number, page);
        self.links(page, &placed);
    }

    fn stream_page(&mut self, number: u32, page: &Page, text: &str) {
        let layer = self.page(number, page, text);
        self.figures(number, page, layer, &[]);
        for paragraph in stream::paragraphs(text) {
            self.builder.push(BlockKind::Paragraph, Spot::Page { page: number, area: None }, &paragraph);
        }
        self.notes(number, page);
    }

    /// Lists the pictures of a page. One that is nothing but pictures is one itself.
    fn figures(&mut self, number: u32, page: &Page, layer: TextLayer, placed: &[Placed]) {
        if matches!(layer, TextLayer::Absent | TextLayer::Empty) {
            return;
        }
        let before = self.first_block.last().copied().unwrap_or(0);
        let document = self.builder.document();
        for (at, picture) in page.pictures.iter().enumerate() {
            if document.pictures.len() >= FIGURES {
                return;
            }
            let (caption, block) = figure::place(picture.area, placed);
            if picture.may_be_none && caption.is_none() {
                continue;
            }
            document.pictures.push(DocumentPicture {
                id: figure::id(number, at + 1),
                caption: caption.map(|range| document.text[range].to_owned()).unwrap_or_default(),
                block: block.unwrap_or(before),
                spot: Spot::Page { page: number, area: Some(picture.area) },
                width: picture.width,
                height: picture.height,
                size: 0,
            });
        }
    }

    /// Notes what kind of page this is.
    fn page(&mut self, number: u32, page: &Page, text: &str) -> TextLayer {
        let scanned = page.pictured > 0.5 && page.letters < 40;
        let layer = if page.letters == 0 && !page.drawn {
            TextLayer::Empty
        } else if page.letters == 0 || scanned {
            self.troubles.images.push(number);
            TextLayer::Absent
        } else if garbled::is_garbled(text) {
            self.troubles.garbled.push(number);
            TextLayer::Garbled
        } else {
            TextLayer::Present
        };
        let label = page.label.clone();
        self.builder.document().pages.push(DocumentPage {
            label,
            width: page.width,
            height: page.height,
            layer,
        });
        layer
    }

    fn notes(&mut self, number: u32, page: &Page) {
        for note in &page.notes {
            let kind = match note.kind {
                NoteKind::Comment => BlockKind::Comment,
                NoteKind::OnPage => BlockKind::Paragraph,
            };
            self.builder.push(kind, Spot::Page { page: number, area: Some(note.area) }, &note.text);
        }
    }

    /// Puts links at the blocks that they lie in.
    fn links(&mut self, page: &Page, placed: &[Placed]) {
        let mut found = Vec::new();
        for link in &page.links {
            let shared = |area: &Area| {
                let width = area.right.min(link.area.right) - area.left.max(link.area.left);
                let height = area.bottom.min(link.area.bottom) - area.top.max(link.area.top);
                width.max(0.0) * height.max(0.0)
            };
            let best = placed.iter().max_by(|a, b| shared(&a.area).total_cmp(&shared(&b.area)));
            let Some(Placed { range, .. }) = best.filter(|best| shared(&best.area) > 0.0) else { continue };
            let line = self.line_of(range.start);
            let within = link.target.starts_with('#');
            found.push(Link {
                kind: LinkKind::Inline,
                target: link.target.clone(),
                fragment: within.then(|| link.target[1..].to_owned()),
                alias: None,
                range: range.clone(),
                line,
            });
        }
        found.sort_by_key(|link| link.range.start);
        self.builder.document().links.extend(found);
    }

    fn line_of(&mut self, start: usize) -> u32 {
        let blocks = &self.builder.document().blocks;
        let index = blocks.partition_point(|block| block.range.end <= start);
        blocks.get(index).map_or(1, |block| block.lines.start)
    }

    fn finish(mut self, file: &File<'_>, count: u32) -> Document {
        let blocks = self.builder.blocks();
        let first = self.first_block;
        for remark in file.remarks() {
            office::add_remark(&mut self.builder, &remark, Spot::Page { page: count.max(1), area: None });
        }
        let document = self.builder.document();
        document.title = file.title();
        document.outline = file
            .outline()
            .into_iter()
            .map(|entry| {
                let page = entry.page.filter(|page| *page <= count);
                OutlineEntry {
                    level: entry.level,
                    block: page.and_then(|page| block_of(document, &first, page, &entry.title, blocks)),
                    spot: page.map(|page| Spot::Page { page, area: None }),
                    title: entry.title,
                }
            })
            .collect();
        if document.outline.is_empty() {
            document.outline = headings(document);
        }
        let troubles = self.troubles;
        let mut warn = |code, detail: String| document.warnings.push(Warning::new(code, detail));
        for (code, pages) in [
            (code::IMAGE_ONLY, &troubles.images),
            (code::GARBLED_TEXT, &troubles.garbled),
            (code::POOR_COVERAGE, &troubles.poor),
            (code::PAGES_DAMAGED, &troubles.damaged),
        ] {
            if !pages.is_empty() {
                warn(code, ranges(pages));
            }
        }
        if troubles.stream {
            warn(code::CONTENT_ORDER, String::new());
        }
        if troubles.left_out > 0 {
            warn(code::PARTS_LEFT_OUT, troubles.left_out.to_string());
        }
        self.builder.finish()
    }
}

/// The block, from 1, that an entry of the outline leads to: the heading of its name on that page, or
/// the first block of the page.
fn block_of(document: &Document, first: &[u32], page: u32, title: &str, blocks: u32) -> Option<u32> {
    let start = *first.get(page as usize - 1)?;
    let end = first.get(page as usize).copied().unwrap_or(blocks);
    let plain = |text: &str| {
        text.chars()
            .filter(|letter| letter.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    let wanted = plain(title);
    let named = (start..end).take(200).find(|index| {
        let block = &document.blocks[*index as usize];
        block.text.len() < title.len() * 3 + 20 && plain(&block.text).ends_with(&wanted)
    });
    named.or((start < end).then_some(start)).map(|index| index + 1)
}

/// The headings as a table of contents.
fn headings(document: &Document) -> Vec<OutlineEntry> {
    let blocks = (1..).zip(&document.blocks).zip(&document.spots);
    let entry = |((number, block), spot): ((u32, &Block), &Spot)| match block.kind {
        BlockKind::Heading { level } => {
            Some(OutlineEntry { level, title: block.text.clone(), spot: Some(*spot), block: Some(number) })
        }
        _ => None,
    };
    blocks.filter_map(entry).take(HEADINGS).collect()
}

fn kind(role: Role) -> BlockKind {
    match role {
        Role::Heading { level } => BlockKind::Heading { level },
        Role::Paragraph => BlockKind::Paragraph,
        Role::ListItem => BlockKind::ListItem,
        Role::Table => BlockKind::Table,
        Role::Caption => BlockKind::Caption,
        Role::Footnote => BlockKind::Footnote,
        Role::Code => BlockKind::Code,
        Role::Header => BlockKind::Header,
        Role::Footer => BlockKind::Footer,
    }
}

fn empty_page() -> DocumentPage {
    DocumentPage { label: String::new(), width: 0.0, height: 0.0, layer: TextLayer::Empty }
}

/// `1-3, 7` for 1, 2, 3 and 7.
fn ranges(pages: &[u32]) -> String {
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for page in pages {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == *page => *last = *page,
            _ => parts.push((*page, *page)),
        }
    }
    let written =
        |(from, to): &(u32, u32)| if from == to { from.to_string() } else { format!("{from}-{to}") };
    parts.iter().map(written).collect::<Vec<_>>().join(", ")
}
