//! What has to change in notes so that their links lead where they lead once a file or folder moved.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures::{StreamExt, stream};
use orangery_domain::{FileId, FileKind, FilePlace, KbId, KbPath, LinkKind, LinkUpdate, Relinked, TextEdit};
use orangery_store::table::file::FileRow;
use orangery_store::table::link;

use super::written::{self, Written};
use super::{lead, lead_firmly, name_key, place_of};
use crate::catalog::Files;
use crate::{Library, Result};

/// Files whose links are asked for at once.
const AT_ONCE: usize = 500;
/// Notes that are read while one is worked on.
const READ_AHEAD: usize = 16;

/// The files after some moves, and where those are that moved.
struct Then {
    files: Files,
    moved: BTreeMap<FileId, KbPath>,
}

impl Then {
    fn of(disk: &Files, kb: KbId, moves: &[(&KbPath, &KbPath)]) -> Self {
        let mut moved: BTreeMap<FileId, KbPath> = BTreeMap::new();
        for (from, to) in moves {
            let again = moved.iter().filter(|(_, path)| path.is_within(from)).map(|(id, path)| (*id, path));
            let anew = disk.within(kb, from).filter(|row| !moved.contains_key(&row.id));
            let found = again.chain(anew.map(|row| (row.id, &row.path)));
            let found: Vec<_> = found.filter_map(|(id, path)| Some((id, path.carried(from, to)?))).collect();
            moved.extend(found);
        }
        let mut files = disk.of_kb(kb);
        // All leave before any arrives: two may change places.
        for id in moved.keys() {
            files.remove(*id);
        }
        for (id, path) in &moved {
            let Some(row) = disk.row(*id) else { continue };
            let kind = FileKind::of_name(path.name());
            files.put(FileRow { path: path.clone(), kind, ..FileRow::clone(row) });
        }
        Self { files, moved }
    }
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
    pub async fn relink(&self, from: &FilePlace, to: &FilePlace) -> Result<Relinked> {
        self.relink_after(&[], from, to).await
    }

    /// As [`Library::relink`], when the moves of `earlier` were made in their order, which the disk does not know
    /// of yet.
    pub async fn relink_after(
        &self,
        earlier: &[(FilePlace, FilePlace)],
        from: &FilePlace,
        to: &FilePlace,
    ) -> Result<Relinked> {
        let kb = from.kb_id;
        let mut moves: Vec<(&KbPath, &KbPath)> = earlier
            .iter()
            .filter(|(from, to)| from.kb_id == kb && to.kb_id == kb)
            .map(|(from, to)| (&from.path, &to.path))
            .collect();
        if kb != to.kb_id {
            let left = self.left_behind(&moves, from, to).await?;
            return Ok(Relinked { updates: Vec::new(), left });
        }
        let (disk, was, is) = {
            let files = self.catalog().read();
            let was = Then::of(&files, kb, &moves);
            moves.push((&from.path, &to.path));
            (files.of_kb(kb), was, Then::of(&files, kb, &moves))
        };
        let earlier = Move { before: &disk, after: &was.files, moved: &was.moved };
        let change = Move { before: &disk, after: &is.files, moved: &is.moved };
        let mut notes = self.concerned(kb, &change).await?;
        notes.extend(self.concerned(kb, &earlier).await?);
        let mut out = Relinked::default();
        let notes: Vec<(FileId, FilePlace)> =
            notes.into_iter().filter_map(|id| Some((id, place_of(disk.row(id)?)))).collect();
        let read = notes.into_iter().map(|(id, place)| async move {
            let note = self.read_note(&place).await;
            (id, place, note)
        });
        let mut read = stream::iter(read).buffered(READ_AHEAD);
        while let Some((id, place, note)) = read.next().await {
            // What cannot be read has no links that anybody follows.
            let Ok(note) = note else { continue };
            let (edits, left) = change.edits(&place, id, &note.decoded.text);
            let (pending, left_before) = match earlier.moved.is_empty() {
                true => (Vec::new(), 0),
                false => earlier.edits(&place, id, &note.decoded.text),
            };
            if left > left_before {
                out.left.push(place.clone());
            }
            if edits != pending {
                out.updates.push(LinkUpdate { place, base: note.hash, edits, pending });
            }
        }
        Ok(out)
    }

    /// Notes whose links part when what is at `from`, once `moves` are made, goes to another knowledge base.
    async fn left_behind(
        &self,
        moves: &[(&KbPath, &KbPath)],
        from: &FilePlace,
        to: &FilePlace,
    ) -> Result<Vec<FilePlace>> {
        let (disk, after, gone) = {
            let files = self.catalog().read();
            let was = Then::of(&files, from.kb_id, moves);
            let mut after = files.of_kb(to.kb_id);
            let mut gone = BTreeMap::new();
            for row in was.files.within(from.kb_id, &from.path) {
                let Some(path) = row.path.carried(&from.path, &to.path) else { continue };
                after.put(FileRow { kb_id: to.kb_id, path: path.clone(), ..FileRow::clone(row) });
                gone.insert(row.id, path);
            }
            (files.of_kb(from.kb_id), after, gone)
        };
        let db = self.db().reader();
        let (mut left, mut names, mut notes) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        for row in gone.keys().filter_map(|id| disk.row(*id)) {
            names.insert(name_key(row.path.name()));
            notes.extend((row.kind == FileKind::Markdown).then_some(row.id));
        }
        for some in notes.chunks(AT_ONCE) {
            for (id, link) in link::of_files(db, some).await? {
                let (Some(row), Some(path)) = (disk.row(id), gone.get(&id)) else { continue };
                let (was, is) = (place_of(row), FilePlace { kb_id: to.kb_id, path: path.clone() });
                let Some(meant) = lead(&disk, &was, link.kind, &link.target) else { continue };
                if lead(&after, &is, link.kind, &link.target).is_none_or(|found| found.id != meant.id) {
                    left.insert(was);
                }
            }
        }
        for some in names.into_iter().collect::<Vec<_>>().chunks(AT_ONCE) {
            for link in link::to_keys(db, from.kb_id, some).await? {
                let Ok(path) = KbPath::parse(&link.path) else { continue };
                let note = FilePlace { kb_id: from.kb_id, path };
                let meant = lead(&disk, &note, link.link.kind, &link.link.target);
                if !gone.contains_key(&link.file_id)
                    && meant.is_some_and(|meant| gone.contains_key(&meant.id))
                {
                    left.insert(note);
                }
            }
        }
        Ok(left.into_iter().collect())
    }

    /// Notes with a link to the file at `place`, or to one below it.
    pub async fn linking(&self, place: &FilePlace) -> Result<Vec<FilePlace>> {
        let rows: BTreeMap<FileId, Arc<FileRow>> = {
            let files = self.catalog().read();
            files.within(place.kb_id, &place.path).map(|row| (row.id, Arc::clone(row))).collect()
        };
        let names: BTreeSet<String> = rows.values().map(|row| name_key(row.path.name())).collect();
        let mut notes = BTreeSet::new();
        for some in names.into_iter().collect::<Vec<_>>().chunks(AT_ONCE) {
            let links = link::to_keys(self.db().reader(), place.kb_id, some).await?;
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
    async fn concerned(&self, kb: KbId, change: &Move<'_>) -> Result<BTreeSet<FileId>> {
        let db = self.db().reader();
        let (mut notes, mut names, mut own) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        for (id, path) in change.moved {
            let Some(row) = change.before.row(*id) else { continue };
            names.insert(name_key(row.path.name()));
            names.insert(name_key(path.name()));
            // Its own links count from where it is.
            own.extend((row.kind == FileKind::Markdown).then_some(*id));
        }
        for some in own.chunks(AT_ONCE) {
            for (id, link) in link::of_files(db, some).await? {
                let Some(row) = change.before.row(id).filter(|_| !notes.contains(&id)) else { continue };
                if change.turns(&place_of(row), id, link.kind, &link.target).is_some() {
                    notes.insert(id);
                }
            }
        }
        for some in names.into_iter().collect::<Vec<_>>().chunks(AT_ONCE) {
            for link in link::to_keys(db, kb, some).await? {
                let Ok(path) = KbPath::parse(&link.path) else { continue };
                let place = FilePlace { kb_id: kb, path };
                if !notes.contains(&link.file_id)
                    && change.turns(&place, link.file_id, link.link.kind, &link.link.target).is_some()
                {
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
        let stays = then.is_some_and(|then| then.id == meant.id) && self.respelled(meant.id).is_none();
        if stays { None } else { self.after.row(meant.id) }
    }

    /// What a file was called that has the same name but for upper and lower case now.
    fn respelled(&self, id: FileId) -> Option<&KbPath> {
        let (old, new) = (&self.before.row(id)?.path, self.moved.get(&id)?);
        (old != new && old.key().to_lowercase() == new.key().to_lowercase()).then_some(old)
    }

    /// The edits of a note's text, and how many links nothing can be written for.
    fn edits(&self, note: &FilePlace, id: FileId, text: &str) -> (Vec<TextEdit>, usize) {
        let after = self.note_after(note, id);
        let (mut edits, mut left) = (Vec::new(), 0);
        for Written { kind, target, range, form, whole } in written::targets(text) {
            let Some(meant) = self.turns(note, id, kind, &target) else { continue };
            let written = text.get(range.clone()).unwrap_or_default();
            // Who spells it in a way of their own goes on to.
            if let Some(old) = self.respelled(meant.id)
                && !written::spellings(form, &target, &note.path, old).iter().any(|old| old == written)
            {
                continue;
            }
            let spelled =
                written::spellings(form, &target, &after.path, &meant.path).into_iter().find(|new| {
                    lead_firmly(self.after, &after, kind, new).is_some_and(|found| found.id == meant.id)
                });
            if let Some(insert) = spelled {
                if insert != written {
                    edits.push(TextEdit { range, insert });
                }
                continue;
            }
            // A name that no wiki link can hold.
            let source = match kind {
                LinkKind::Wiki if !written::is_property(text, &whole) => text.get(whole.clone()),
                _ => None,
            };
            let inline = source.map(|source| written::inline_instead(source, &after.path, &meant.path));
            let inline = inline.into_iter().flatten();
            let mut targets =
                inline.filter_map(|inline| Some((written::targets(&inline).pop()?.target, inline)));
            let leads = |target: &str| {
                lead_firmly(self.after, &after, LinkKind::Inline, target)
                    .is_some_and(|found| found.id == meant.id)
            };
            if let Some((_, insert)) = targets.find(|(target, _)| leads(target)) {
                edits.push(TextEdit { range: whole, insert });
            } else if lead(self.after, &after, kind, &target).is_none_or(|found| found.id != meant.id) {
                left += 1;
            }
        }
        edits.sort_by_key(|edit| edit.range.start);
        edits.dedup_by(|a, b| a.range == b.range);
        (edits, left)
    }
}
