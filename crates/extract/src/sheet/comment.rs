//! Comments on cells: notes of the old kind, and threads.

use std::collections::HashMap;

use super::cells::place;
use crate::package::{Package, Relationships};
use crate::xml::{Element, Ns, Tree};

/// What older programs show of a thread: an explanation, and then the thread.
const STAND_IN: &str = "[Threaded comment]";

pub(super) struct Comment {
    /// From 1.
    pub row: u32,
    /// With the cell and who said it.
    pub text: String,
}

/// Names of people by id.
pub(super) fn people(package: &mut Package<'_>, part: &str) -> HashMap<String, String> {
    let depth = package.limits().depth;
    let Some(text) = package.text(part) else { return HashMap::new() };
    let tree = Tree::parse(&text, depth);
    let people = tree.root().children();
    people
        .filter_map(|one| {
            Some((one.attribute("id")?.into_owned(), one.attribute("displayName")?.into_owned()))
        })
        .collect()
}

/// The comments of one sheet, in order of their parts.
pub(super) fn comments(
    package: &mut Package<'_>,
    relationships: &Relationships,
    people: &HashMap<String, String>,
) -> Vec<Comment> {
    let depth = package.limits().depth;
    let mut found = Vec::new();
    for part in relationships.all("comments") {
        let Some(text) = package.text(part) else { continue };
        let tree = Tree::parse(&text, depth);
        let authors: Vec<String> = tree
            .root()
            .descendants()
            .filter(|element| element.is(Ns::Sheets, "author"))
            .map(|author| author.text().trim().to_owned())
            .collect();
        for comment in tree.root().descendants().filter(|element| element.is(Ns::Sheets, "comment")) {
            let runs = comment.descendants().filter(|element| element.is(Ns::Sheets, "t"));
            let said: String = runs.map(|run| run.text().into_owned()).collect();
            if said.starts_with(STAND_IN) {
                continue;
            }
            let author = comment.number::<usize>("authorId").and_then(|at| authors.get(at));
            // The old kind begins with its author's name, written out.
            let author = author.filter(|author| !said.starts_with(author.as_str()));
            found.extend(one(comment, author.map(String::as_str), &said));
        }
    }
    for part in relationships.all("threadedComment") {
        let Some(text) = package.text(part) else { continue };
        let tree = Tree::parse(&text, depth);
        for comment in tree.root().children().filter(|element| element.name().1 == "threadedComment") {
            let said = comment.children().find(|child| child.name().1 == "text");
            let author = comment.attribute("personId").and_then(|id| people.get(id.as_ref()));
            let said = said.map(|said| said.text().into_owned()).unwrap_or_default();
            found.extend(one(comment, author.map(String::as_str), &said));
        }
    }
    found
}

fn one(comment: Element<'_, '_>, author: Option<&str>, said: &str) -> Option<Comment> {
    let said = said.trim();
    if said.is_empty() {
        return None;
    }
    let cell = comment.attribute("ref").unwrap_or_default();
    let text = match author.filter(|author| !author.is_empty()) {
        Some(author) => format!("{cell} {author}: {said}"),
        None => format!("{cell} {said}"),
    };
    Some(Comment { row: place(&cell).map_or(1, |(_, row)| row), text })
}
