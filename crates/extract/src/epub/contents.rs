//! A book's table of contents: the navigation page of EPUB 3, or the NCX of EPUB 2.

use orangery_domain::percent::decoded;

use super::part_of;
use crate::html;
use crate::package::Package;
use crate::xml::{Element, Ns, Tree};

/// Entries that a table of contents may have.
const ENTRIES: usize = 20_000;

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub level: u8,
    pub title: String,
    pub part: String,
    /// A name within the part; empty for the part itself.
    pub fragment: String,
}

pub(super) fn read(package: &mut Package<'_>, navigation: Option<&str>, toc: Option<&str>) -> Vec<Entry> {
    let from_page = navigation.map(|part| navigation_page(package, part)).unwrap_or_default();
    if !from_page.is_empty() {
        return from_page;
    }
    let Some((part, text)) = toc.and_then(|part| Some((part, package.text(part)?))) else {
        return Vec::new();
    };
    let tree = Tree::parse(&text, package.limits().depth);
    let mut entries = Vec::new();
    if let Some(map) = tree.root().find(Ns::Toc, "navMap") {
        points(map, folder(part), 1, &mut entries);
    }
    entries
}

fn folder(part: &str) -> &str {
    part.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn points(parent: Element<'_, '_>, folder: &str, level: u8, entries: &mut Vec<Entry>) {
    for point in parent.children().filter(|child| child.is(Ns::Toc, "navPoint")) {
        let label = point.child(Ns::Toc, "navLabel").and_then(|label| label.child(Ns::Toc, "text"));
        let title = label.map(|text| text.text().split_whitespace().collect::<Vec<_>>().join(" "));
        let target = point.child(Ns::Toc, "content").and_then(|content| content.attribute("src"));
        if let (Some(title), Some(target)) = (title.filter(|title| !title.is_empty()), target)
            && entries.len() < ENTRIES
        {
            entries.push(entry(level, title, folder, &target));
        }
        points(point, folder, level.saturating_add(1), entries);
    }
}

fn navigation_page(package: &mut Package<'_>, part: &str) -> Vec<Entry> {
    let Some(text) = package.text(part) else { return Vec::new() };
    let links = html::navigation(&html::close_empty(&text), package.limits().depth);
    let links = links.into_iter().take(ENTRIES);
    links.map(|(level, title, target)| entry(level, title, folder(part), &target)).collect()
}

fn entry(level: u8, title: String, folder: &str, target: &str) -> Entry {
    let fragment = target.split_once('#').map(|(_, fragment)| decoded(fragment)).unwrap_or_default();
    Entry { level, title, part: part_of(folder, target), fragment }
}
