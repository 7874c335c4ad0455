//! A document's own table of contents.

use std::collections::HashSet;

use pdfium_render::prelude::*;

/// Entries read; more are no table of contents.
const MOST: usize = 10_000;
const DEEPEST: u8 = 32;

#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// 1 is outermost.
    pub level: u8,
    pub title: String,
    /// From 1.
    pub page: Option<u32>,
}

/// In reading order. A tree that leads back into itself ends where it does.
pub fn read(bookmarks: &PdfBookmarks<'_>) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut seen = HashSet::new();
    let mut waiting: Vec<(u8, PdfBookmark<'_>)> =
        bookmarks.root().map(|first| (1, first)).into_iter().collect();
    while let Some((level, bookmark)) = waiting.pop() {
        if entries.len() >= MOST || !seen.insert(bookmark.clone()) {
            continue;
        }
        if let Some(next) = bookmark.next_sibling() {
            waiting.push((level, next));
        }
        if level < DEEPEST
            && let Some(child) = bookmark.first_child()
        {
            waiting.push((level + 1, child));
        }
        let title = bookmark.title().unwrap_or_default();
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        if title.is_empty() {
            continue;
        }
        let of = |place: PdfDestination<'_>| place.page_index().ok();
        let index = bookmark.destination().and_then(of).or_else(|| match bookmark.action() {
            Some(PdfAction::LocalDestination(action)) => action.destination().ok().and_then(of),
            _ => None,
        });
        let page = index.and_then(|index| u32::try_from(index).ok());
        entries.push(Entry { level, title, page: page.map(|index| index + 1) });
    }
    entries
}
