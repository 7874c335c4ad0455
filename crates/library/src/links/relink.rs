//! What has to change in notes so that their links lead where they lead once a file or folder moved.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use orangery_domain::{ContentHash, FileId, FileKind, FilePlace, KbPath, LinkKind, TextEdit};
use orangery_store::table::file::FileRow;
use orangery_store::table::link;

use super::written::{self, Written};
use super::{lead, lead_firmly, name_key, place_of};
use crate::catalog::Files;
use crate::{Library, Result};

/// Link updates of one note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relinked {
    /// Where the note is before the move.
    pub place: FilePlace,
    /// The content that the edits are of.
    pub base: ContentHash,
    pub edits: Vec<TextEdit>,
}

/// The files before and after a move, and who is who.
struct Move<'a> {
    before: &'a Files,
    after: &'a Files,
    moved: &'a BTreeMap<FileId, KbPath>,
}

impl Library {
    /// The link updates that a move of the file or folder at `from` to `to` asks for, by note. Links end at the
    /// knowledge base: what leaves it takes none along.
    pub async fn relink(&self, from: &FilePlace, to: &FilePlace) -> Result<Vec<Relinked>> {
        if from.kb_id != to.kb_id {
            return Ok(Vec::new());
        }
        let (before, after, moved) = {
            let files = self.catalog().read();
            let rows: Vec<Arc<FileRow>> = files.within(from.kb_id, &from.path).cloned().collect();
            let moved: BTreeMap<FileId, KbPath> = rows
                .iter()
                .filter_map(|row| Some((row.id, carried(&row.path, &from.path, &to.path)?)))
                .collect();
            let mut after = files.of_kb(from.kb_id);
            let before = after.clone();
            for row in rows {
                let Some(path) = moved.get(&row.id) else { continue };
                let kind = FileKind::of_name(path.name());
                after.put(FileRow { path: path.clone(), kind, ..FileRow::clone(&row) });
            }
            (before, after, moved)
        };
        let change = Move { before: &before, after: &after, moved: &moved };
        let mut out = Vec::new();
        for id in self.concerned(from, &change).await? {
            let Some(row) = before.row(id) else { continue };
            let place = place_of(row);
            // What cannot be read has no links that anybody follows.
            let Ok(note) = self.read_note(&place).await else { continue };
            let edits = change.edits(&place, id, &note.decoded.text);
            if !edits.is_empty() {
                out.push(Relinked { place, base: note.hash, edits });
            }
        }
        Ok(out)
    }

    /// Notes with a link to the file at `place`, or to one below it.
    pub async fn linking(&self, place: &FilePlace) -> Result<Vec<FilePlace>> {
        let rows: BTreeMap<FileId, Arc<FileRow>> = {
            let files = self.catalog().read();
            files.within(place.kb_id, &place.path).map(|row| (row.id, Arc::clone(row))).collect()
        };
        let names: BTreeSet<String> = rows.values().map(|row| name_key(row.path.name())).collect();
        let mut notes = BTreeSet::new();
        for name in names {
            let links = link::to_key(self.db().reader(), place.kb_id, &name).await?;
            let files = self.catalog().read();
            for link in links {
                let Ok(path) = KbPath::parse(&link.path) else { continue };
                let from = FilePlace { kb_id: place.kb_id, path };
                let to = lead(&files, &from, link.link.kind, &link.link.target);
                if to.is_some_and(|to| rows.contains_key(&to.id) && to.id != link.file_id) {
                    notes.insert(from);
                }
            }
        }
        Ok(notes.into_iter().collect())
    }

    /// Notes with a link that would lead elsewhere after the move.
    async fn concerned(&self, from: &FilePlace, change: &Move<'_>) -> Result<BTreeSet<FileId>> {
        let db = self.db().reader();
        let mut notes = BTreeSet::new();
        let mut names = BTreeSet::new();
        for (id, path) in change.moved {
            let Some(row) = change.before.row(*id) else { continue };
            names.insert(name_key(row.path.name()));
            names.insert(name_key(path.name()));
            if row.kind != FileKind::Markdown {
                continue;
            }
            // Its own links count from where it is.
            for link in link::of_file(db, *id).await? {
                if change.turns(&place_of(row), *id, link.kind, &link.target).is_some() {
                    notes.insert(*id);
                }
            }
        }
        for name in names {
            for link in link::to_key(db, from.kb_id, &name).await? {
                let Ok(path) = KbPath::parse(&link.path) else { continue };
                let place = FilePlace { kb_id: from.kb_id, path };
                if change.turns(&place, link.file_id, link.link.kind, &link.link.target).is_some() {
                    notes.insert(link.file_id);
                }
            }
        }
        Ok(notes)
    }
}

impl Move<'_> {
    fn note_after(&self, place: &FilePlace, id: FileId) -> FilePlace {
        let path = self.moved.get(&id).cloned().unwrap_or_else(|| place.path.clone());
        FilePlace { kb_id: place.kb_id, path }
    }

    /// The file that a link of the note leads to, when it would not lead there any more.
    fn turns(&self, note: &FilePlace, id: FileId, kind: LinkKind, target: &str) -> Option<&Arc<FileRow>> {
        if target.trim().is_empty() {
            return None;
        }
        let meant = lead(self.before, note, kind, target)?;
        let firm = lead_firmly(self.before, note, kind, target).is_some_and(|firm| firm.id == meant.id);
        let after = self.note_after(note, id);
        let then = if firm {
            lead_firmly(self.after, &after, kind, target)
        } else {
            lead(self.after, &after, kind, target)
        };
        if then.is_some_and(|then| then.id == meant.id) { None } else { self.after.row(meant.id) }
    }

    /// The edits of a note's text.
    fn edits(&self, note: &FilePlace, id: FileId, text: &str) -> Vec<TextEdit> {
        let after = self.note_after(note, id);
        let mut edits = Vec::new();
        for Written { kind, target, range, form } in written::targets(text) {
            let Some(meant) = self.turns(note, id, kind, &target) else { continue };
            let spelled =
                written::spellings(form, &target, &after.path, &meant.path).into_iter().find(|new| {
                    lead_firmly(self.after, &after, kind, new).is_some_and(|found| found.id == meant.id)
                });
            if let Some(insert) = spelled {
                edits.push(TextEdit { range, insert });
            }
        }
        edits.sort_by_key(|edit| edit.range.start);
        edits.dedup_by(|a, b| a.range == b.range);
        edits
    }
}

fn carried(path: &KbPath, from: &KbPath, to: &KbPath) -> Option<KbPath> {
    let below: Vec<&str> = path.components().skip(from.components().count()).collect();
    if below.is_empty() { Some(to.clone()) } else { to.join(&below.join("/")).ok() }
}
