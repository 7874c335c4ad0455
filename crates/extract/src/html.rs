//! Web pages: the text that a reader comes for. Scripts, styles, what is hidden, and what only leads
//! around a site are left out. Nothing is fetched.

mod article;
mod charset;
mod table;
#[cfg(test)]
mod tests;
mod tree;
mod walk;

use orangery_domain::text::Encoding;
use orangery_domain::{BlockKind, DocumentPage, OutlineEntry, Spot};

use crate::document::{Builder, Document, Limits, code};
use crate::office;

pub use article::{Article, Form, article};
pub(crate) use charset::close_empty;
pub use charset::decoded;
use tree::{Page, node};
use walk::Walker;

/// Bytes of one page that are looked at; larger ones are cut there.
const PAGE: usize = 64 << 20;
/// More are no description of the page.
const REMARKS: usize = 16;

/// Reads a web page. `chosen` is the encoding that the user gave it.
pub fn read(bytes: &[u8], chosen: Option<Encoding>, limits: &Limits) -> Document {
    if bytes.is_empty() {
        return Document::refused(code::DAMAGED, "empty");
    }
    let (text, malformed) = charset::decode(&bytes[..bytes.len().min(PAGE)], chosen);
    let mut builder = Builder::new(*limits);
    if bytes.len() > PAGE {
        builder.warn(code::PARTS_LEFT_OUT, "");
    }
    if malformed {
        builder.warn(code::MALFORMED_TEXT, "");
    }
    let text = if text.trim_start().starts_with("<?xml") { close_empty(&text) } else { text.into() };
    let Added { title, remarks, .. } = add_text(&mut builder, &text, Spot::Flow, false);
    // Behind the text: the first heading may be its title.
    remarks.iter().for_each(|remark| office::add_remark(&mut builder, remark, Spot::Flow));
    let mut document = builder.finish();
    document.title = title.or_else(|| {
        let first = document.blocks.first()?;
        matches!(first.kind, BlockKind::Heading { level: 1 }).then(|| first.text.clone())
    });
    document.outline = outline(&document);
    document
}

/// Adds a page to a document that holds others.
pub(crate) fn add(builder: &mut Builder, bytes: &[u8], spot: Spot) {
    let (text, _) = charset::decode(&bytes[..bytes.len().min(PAGE)], None);
    add_text(builder, &text, spot, false);
}

/// What a page says about itself.
#[derive(Debug, Default)]
pub(crate) struct Added {
    pub title: Option<String>,
    /// What its head says of the content, and who wrote it.
    pub remarks: Vec<String>,
    /// Pictures that it shows: address, what is said instead of them, and the block they follow.
    pub pictures: Vec<(String, String, u32)>,
    /// Blocks that carry an `id`: name and number of the block.
    pub anchors: Vec<(String, u32)>,
}

/// Adds a chapter of a book: all of it is main text.
pub(crate) fn add_chapter(builder: &mut Builder, text: &str, spot: Spot) -> Added {
    add_text(builder, text, spot, true)
}

fn add_text(builder: &mut Builder, text: &str, spot: Spot, whole: bool) -> Added {
    let depth = builder.limits().depth * 2;
    let page = Page::parse(text, depth);
    if page.is_cut() {
        builder.warn(code::PARTS_LEFT_OUT, "");
    }
    let title = page.find(node::ROOT, |page, at| page.is(at, "title") && page.is_html(at));
    let title = title.map(|at| walk::squeezed(&page.text(at))).filter(|title| !title.is_empty());
    let body = page.find(node::ROOT, |page, at| page.is(at, "body")).unwrap_or(node::ROOT);
    let root = if whole { body } else { main_part(&page, body) };
    let before = builder.blocks();
    let mut walker = Walker::new(&page, builder, spot, !whole && root == body);
    walker.run(root);
    let mut added = walker.into_added();
    if builder.blocks() == before && !whole {
        // A page that is nothing but navigation still has text.
        let mut walker = Walker::new(&page, builder, spot, false);
        walker.run(body);
        added = walker.into_added();
    }
    added.title = title;
    added.remarks = remarks(&page);
    added
}

fn remarks(page: &Page) -> Vec<String> {
    let named = |at: usize| {
        let name = page.attribute(at, "name").filter(|_| page.is(at, "meta") && page.is_html(at))?;
        let known = ["description", "keywords", "author"];
        let known = known.iter().any(|known| name.trim().eq_ignore_ascii_case(known));
        page.attribute(at, "content").filter(|_| known).map(walk::squeezed)
    };
    page.descendants(node::ROOT).filter_map(named).filter(|remark| !remark.is_empty()).take(REMARKS).collect()
}

/// The text of a piece of a page, on one line. What lies deeper than `depth` elements is left out.
pub fn plain(text: &str, depth: usize) -> String {
    walk::squeezed(&Page::parse(text, depth * 2).text(node::ROOT))
}

/// The links of a navigation page, with how deep their lists nest, from 1.
pub(crate) fn navigation(text: &str, depth: usize) -> Vec<(u8, String, String)> {
    let page = Page::parse(text, depth * 2);
    let is_toc = |page: &Page, at| {
        page.is(at, "nav")
            && page
                .attribute(at, "type")
                .or(page.attribute(at, "epub:type"))
                .is_some_and(|kind| kind.contains("toc"))
    };
    let nav = page.find(node::ROOT, is_toc).or_else(|| page.find(node::ROOT, |page, at| page.is(at, "nav")));
    let mut links = Vec::new();
    if let Some(nav) = nav {
        nested(&page, nav, 0, &mut links);
    }
    links
}

fn nested(page: &Page, at: usize, level: u8, links: &mut Vec<(u8, String, String)>) {
    for child in page.children(at) {
        match page.name(child) {
            "ol" | "ul" => nested(page, child, level.saturating_add(1), links),
            "a" => {
                let title = walk::squeezed(&page.text(child));
                if let Some(target) = page.attribute(child, "href").filter(|_| !title.is_empty()) {
                    links.push((level.max(1), title, target.to_owned()));
                }
            }
            _ => nested(page, child, level, links),
        }
    }
}

/// Where the page says that its main text is, when that is most of what it has.
fn main_part(page: &Page, body: usize) -> usize {
    let main = page.find(body, |page, at| {
        page.is(at, "main") || page.attribute(at, "role").is_some_and(|role| role == "main")
    });
    let only_article = || {
        let mut articles = page.descendants(body).filter(|at| page.is(*at, "article"));
        let first = articles.next()?;
        articles.next().is_none().then_some(first)
    };
    let Some(found) = main.or_else(only_article) else { return body };
    let length = |at| page.text(at).split_whitespace().map(str::len).sum::<usize>();
    let (part, all) = (length(found), length(body));
    if part >= 500 || part * 3 >= all { found } else { body }
}

pub(crate) fn outline(document: &Document) -> Vec<OutlineEntry> {
    let headings = document.blocks.iter().zip(&document.spots).enumerate();
    headings
        .filter_map(|(at, (block, spot))| match block.kind {
            BlockKind::Heading { level } => Some(OutlineEntry {
                level,
                title: block.text.replace('\n', " "),
                spot: Some(*spot),
                block: Some(at as u32 + 1),
            }),
            _ => None,
        })
        .collect()
}

/// A chapter of a book has no fixed size.
pub(crate) fn unsized_page(label: String, layer: orangery_domain::TextLayer) -> DocumentPage {
    DocumentPage { label, width: 0.0, height: 0.0, layer }
}
