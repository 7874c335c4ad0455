//! Where links lead, and what leads to a note.

mod relink;
mod written;

use std::collections::HashMap;

use orangery_domain::{FilePlace, KbPath, LinkKind, NoteLink, NoteLinks, WrittenLink, percent};
use orangery_extract::markdown;
use orangery_store::table::file::FileRow;
use orangery_store::table::link::{self, LinkRow};

use crate::catalog::Files;
use crate::{Error, Library, Result};

/// Extensions that a link to a note may leave out.
const NOTE_EXTENSIONS: [&str; 5] = [".md", ".markdown", ".mdown", ".mkd", ".txt"];

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Resolved {
    /// Absent: nothing is there.
    pub place: Option<FilePlace>,
    /// Line of the heading or block, from 1.
    pub line: Option<u32>,
    /// Where a new note would go.
    pub would_be: Option<FilePlace>,
}

/// What links may call a file: its name without case, Unicode form and the extension of a note.
pub fn name_key(name: &str) -> String {
    let key = KbPath::parse(name).map_or_else(|_| name.to_owned(), |path| path.key()).to_lowercase();
    match NOTE_EXTENSIONS.iter().find_map(|extension| key.strip_suffix(extension)) {
        Some(stem) if !stem.is_empty() => stem.to_owned(),
        _ => key,
    }
}

/// What a link's target must be called; `None` for one that leads out of the files or within the note.
pub fn target_key(kind: LinkKind, target: &str) -> Option<String> {
    let target = readable(kind, target)?;
    let last = target.rsplit('/').next().unwrap_or_default();
    (!last.is_empty()).then(|| name_key(last))
}

/// The path that a link's target names; `None` for addresses.
fn readable(kind: LinkKind, target: &str) -> Option<String> {
    let target = target.trim();
    if target.is_empty()
        || target.contains("://")
        || target.starts_with("//")
        || target.starts_with("mailto:")
    {
        return None;
    }
    Some(match kind {
        LinkKind::Wiki | LinkKind::Embed => target.to_owned(),
        LinkKind::Inline | LinkKind::Image => {
            percent::decoded(target.split(['?', '#']).next().unwrap_or_default())
        }
    })
}

/// The file that a link in `from` leads to.
pub fn lead<'a>(
    files: &'a Files,
    from: &FilePlace,
    kind: LinkKind,
    target: &str,
) -> Option<&'a std::sync::Arc<FileRow>> {
    let target = readable(kind, target)?;
    let folder = from.path.parent().unwrap_or_else(KbPath::root);
    let relative = || {
        let path = match target.strip_prefix('/') {
            Some(absolute) => KbPath::parse(absolute),
            None => KbPath::parse(&format!("./{}/{target}", folder.as_str())),
        };
        named_exactly(files, from, &path.ok()?)
    };
    match kind {
        LinkKind::Inline | LinkKind::Image => relative()
            .or_else(|| (!target.contains('/')).then(|| nearest(files, from, &folder, &target)).flatten()),
        LinkKind::Wiki | LinkKind::Embed if target.starts_with("./") || target.starts_with("../") => {
            relative()
        }
        LinkKind::Wiki | LinkKind::Embed => {
            let path = KbPath::parse(target.trim_start_matches('/')).ok()?;
            (target.contains('/').then(|| named_exactly(files, from, &path)).flatten())
                .or_else(|| nearest(files, from, &folder, path.as_str()))
        }
    }
}

/// As [`lead`], where every program that reads Markdown finds the file too: links with a path do not fall back to the
/// nearest file of that name.
fn lead_firmly<'a>(
    files: &'a Files,
    from: &FilePlace,
    kind: LinkKind,
    target: &str,
) -> Option<&'a std::sync::Arc<FileRow>> {
    match kind {
        LinkKind::Wiki | LinkKind::Embed => lead(files, from, kind, target),
        LinkKind::Inline | LinkKind::Image => {
            let target = readable(kind, target)?;
            let folder = from.path.parent().unwrap_or_else(KbPath::root);
            let path = match target.strip_prefix('/') {
                Some(absolute) => KbPath::parse(absolute),
                None => KbPath::parse(&format!("./{}/{target}", folder.as_str())),
            };
            named_exactly(files, from, &path.ok()?)
        }
    }
}

/// The file at a path that may lack its extension or differ in case.
fn named_exactly<'a>(
    files: &'a Files,
    from: &FilePlace,
    path: &KbPath,
) -> Option<&'a std::sync::Arc<FileRow>> {
    let place = FilePlace { kb_id: from.kb_id, path: path.clone() };
    if let Some(row) = files.by_place(&place) {
        return Some(row);
    }
    let wanted = comparable(path.as_str());
    files
        .named(from.kb_id, &name_key(path.name()))
        .filter(|row| same_path(&comparable(row.path.as_str()), &wanted))
        .min_by_key(|row| rank_of_extension(&row.path))
}

/// Of the files whose path ends with `target`, the one in the nearest folder.
fn nearest<'a>(
    files: &'a Files,
    from: &FilePlace,
    folder: &KbPath,
    target: &str,
) -> Option<&'a std::sync::Arc<FileRow>> {
    let wanted = comparable(target);
    let name = target.rsplit('/').next().unwrap_or_default();
    files
        .named(from.kb_id, &name_key(name))
        .filter(|row| {
            let path = comparable(row.path.as_str());
            same_path(&path, &wanted) || ends_with_path(&path, &wanted)
        })
        .min_by_key(|row| {
            let parent = row.path.parent().unwrap_or_else(KbPath::root);
            (rank_of_extension(&row.path), distance(folder, &parent), row.path.as_str().to_owned())
        })
}

fn comparable(path: &str) -> String {
    KbPath::parse(path).map_or_else(|_| path.to_owned(), |path| path.key()).to_lowercase()
}

/// Equal, the extension of a note apart when `wanted` has none.
fn same_path(path: &str, wanted: &str) -> bool {
    path.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || NOTE_EXTENSIONS.contains(&rest))
}

fn ends_with_path(path: &str, wanted: &str) -> bool {
    path.match_indices('/').any(|(at, _)| same_path(&path[at + 1..], wanted))
}

fn rank_of_extension(path: &KbPath) -> usize {
    let name = path.name().to_lowercase();
    NOTE_EXTENSIONS.iter().position(|extension| name.ends_with(extension)).unwrap_or(0)
}

/// Steps from one folder to another.
fn distance(a: &KbPath, b: &KbPath) -> usize {
    let common = a.components().zip(b.components()).take_while(|(a, b)| a == b).count();
    a.components().count() + b.components().count() - 2 * common
}

/// The line of a heading or block in a note's text.
pub fn line_of(text: &str, fragment: &str) -> Option<u32> {
    let fragment = percent::decoded(fragment.trim());
    let index = orangery_domain::position::LineIndex::new(text);
    if let Some(block) = fragment.strip_prefix('^') {
        return text.lines().find_map(|line| {
            let holds = line.trim_end().strip_suffix(block)?.strip_suffix('^').is_some();
            let offset = line.as_ptr() as usize - text.as_ptr() as usize;
            holds.then(|| index.line_at(offset))
        });
    }
    // `#A#B` names B below A.
    let heading = fragment.rsplit('#').next().unwrap_or_default();
    let range = markdown::heading_range(text, heading).or_else(|| {
        // As other programs write anchors: lower case, blanks as hyphens.
        markdown::headings(text)
            .into_iter()
            .find(|known| slug(&known.text) == slug(heading))
            .map(|known| known.range)
    });
    range.map(|range| index.line_at(range.start))
}

fn slug(text: &str) -> String {
    text.trim()
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .flat_map(char::to_lowercase)
        .collect()
}

impl Library {
    /// Where links written in `from` lead, in their order.
    pub async fn resolve_links(&self, from: &FilePlace, links: &[WrittenLink]) -> Vec<Resolved> {
        let mut resolved: Vec<Resolved> = {
            let files = self.catalog().read();
            let resolve = |link: &WrittenLink| {
                let place = if link.target.trim().is_empty() {
                    Some(from.clone())
                } else {
                    lead(&files, from, link.kind, &link.target).map(|row| place_of(row))
                };
                let would_be = if place.is_none() { would_be(from, link.kind, &link.target) } else { None };
                Resolved { place, would_be, line: None }
            };
            links.iter().map(resolve).collect()
        };
        // Of each note that a fragment is looked for in.
        let mut texts: HashMap<FilePlace, Option<String>> = HashMap::new();
        for (link, resolved) in links.iter().zip(&mut resolved) {
            let (Some(place), Some(fragment)) = (&resolved.place, &link.fragment) else { continue };
            if fragment.is_empty() {
                continue;
            }
            if !texts.contains_key(place) {
                // A note that cannot be read opens at its top.
                let text = self.read_note(place).await.ok().map(|note| note.decoded.text);
                texts.insert(place.clone(), text);
            }
            let text = texts.get(place).and_then(Option::as_deref);
            resolved.line = text.and_then(|text| line_of(text, fragment));
        }
        resolved
    }

    /// Links out of and into a note; none as long as it has not been scanned.
    ///
    /// # Errors
    /// `NotFound` when nothing is there.
    pub async fn links(&self, place: &FilePlace) -> Result<NoteLinks> {
        let Some(row) = self.catalog().read().by_place(place).cloned() else {
            let checked = self.resolve(place).await?;
            tokio::task::spawn_blocking(move || checked.metadata()).await.map_err(|_| Error::Closed)??;
            return Ok(NoteLinks { outgoing: Vec::new(), backlinks: Vec::new() });
        };
        let own = place_of(&row);
        let written = link::of_files(self.db().reader(), &[row.id]).await?;
        let pointing = link::to_keys(self.db().reader(), row.kb_id, &[name_key(row.path.name())]).await?;
        let files = self.catalog().read();
        let outgoing = written.into_iter().map(|(_, link)| {
            let to = lead(&files, &own, link.kind, &link.target).map(|row| place_of(row));
            note_link(own.clone(), row.title.clone(), link, to)
        });
        let outgoing = outgoing.collect();
        let backlinks = pointing.into_iter().filter_map(|from| {
            let place = FilePlace { kb_id: row.kb_id, path: KbPath::parse(&from.path).ok()? };
            let to = lead(&files, &place, from.link.kind, &from.link.target)?;
            (to.id == row.id && from.file_id != row.id)
                .then(|| note_link(place, from.title, from.link, Some(own.clone())))
        });
        Ok(NoteLinks { outgoing, backlinks: backlinks.collect() })
    }
}

fn place_of(row: &FileRow) -> FilePlace {
    FilePlace { kb_id: row.kb_id, path: row.path.clone() }
}

fn note_link(from: FilePlace, from_title: String, link: LinkRow, to: Option<FilePlace>) -> NoteLink {
    NoteLink {
        from,
        from_title,
        line: link.line,
        context: link.context,
        kind: link.kind,
        target: link.target,
        to,
    }
}

/// A wiki link to nothing offers a note beside the one that holds it, or at the path it names.
fn would_be(from: &FilePlace, kind: LinkKind, target: &str) -> Option<FilePlace> {
    let target = readable(kind, target)?;
    let folder = from.path.parent().unwrap_or_else(KbPath::root);
    let wiki_path =
        matches!(kind, LinkKind::Wiki | LinkKind::Embed) && target.contains('/') && !target.starts_with('.');
    let path = match target.strip_prefix('/') {
        Some(absolute) => KbPath::parse(absolute),
        None if wiki_path => KbPath::parse(&target),
        None => KbPath::parse(&format!("./{}/{target}", folder.as_str())),
    };
    let path = path.ok().filter(|path| !path.is_root())?;
    let named = NOTE_EXTENSIONS.iter().any(|extension| path.name().to_lowercase().ends_with(extension));
    let path = if named { path } else { KbPath::parse(&format!("{path}.md")).ok()? };
    Some(FilePlace { kb_id: from.kb_id, path })
}
