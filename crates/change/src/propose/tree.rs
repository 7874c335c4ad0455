//! Proposals that move, rename or delete whole files and folders, and those that update links after them.

use std::collections::BTreeSet;

use futures::{StreamExt, stream};
use orangery_domain::{
    ChangeSetId, FilePlace, KbPath, LinkUpdate, OperationId, OperationKind, Provenance, Relinked, SessionId,
    TextEdit, Warning,
};
use orangery_store::table::{
    file,
    operation::{self, Proposal, Tree},
};

use super::{
    Now, Proposals, Proposed, Refusal, View, basis::Basis, hold, is_review_always, session_of, steering,
};
use crate::{
    House, Result,
    diff::between,
    disk::{KnownOf, known},
    edits, note,
    operation::blank,
    tree::{self, Depth, Found, KEPT_BYTES, Seen, is_within, listing::Listing, same_place},
};

/// What a proposal on a file or folder found.
struct Source {
    /// As the session knows it.
    place: FilePlace,
    disk: FilePlace,
    entry: tree::Entry,
}

/// The link updates that go with a move.
#[derive(Debug, Default)]
pub struct Followed {
    pub updates: Vec<(FilePlace, Proposed)>,
    /// Notes in which links are left that will not lead any more where they lead; the move says so too.
    pub left: Vec<FilePlace>,
}

/// Notes that are read while one is worked on: each waits for the disk and the database more than it works.
const READ_AHEAD: usize = 16;

impl Proposals {
    /// Proposes that the file or folder at `from` goes to `to`. Folders that the target needs are proposed
    /// before it.
    pub async fn relocate(
        &self,
        provenance: &Provenance,
        from: &FilePlace,
        to: &FilePlace,
    ) -> Result<Proposed, Refusal> {
        let house = &*self.0;
        let _held = hold(house, provenance).await;
        house.propose_move(provenance, from, to).await
    }

    /// Proposes that the file or folder at `place` goes to the system's trash.
    pub async fn delete(&self, provenance: &Provenance, place: &FilePlace) -> Result<Proposed, Refusal> {
        let house = &*self.0;
        let _held = hold(house, provenance).await;
        house.propose_delete(provenance, None, place).await
    }

    /// The moves that the session waits for, up to and with `last`: where each finds its file and where it leaves
    /// it, once those before are made.
    pub async fn moves_until(
        &self,
        session: &SessionId,
        last: OperationId,
    ) -> Result<Vec<(FilePlace, FilePlace)>> {
        Ok(self.0.view(Some(session), &[]).await?.moves_until(last))
    }

    /// Proposes the link updates that go with the move `of`, each as an operation that can be rejected by
    /// itself. A note that changed since its links were read is left as it is.
    pub async fn follow(
        &self,
        provenance: &Provenance,
        of: OperationId,
        relinked: &Relinked,
    ) -> Result<Followed, Refusal> {
        let house = &*self.0;
        let _held = hold(house, provenance).await;
        Ok(house.propose_links(provenance, of, relinked).await?)
    }
}

impl House {
    async fn source(&self, view: &View, place: &FilePlace) -> Result<Source, Refusal> {
        let path = || place.path.clone();
        if place.path.is_root() {
            return Err(Refusal::Root);
        }
        let place = match view.now(place) {
            Now::Proposed => return Err(Refusal::NotYet { path: path() }),
            Now::Going(with) => return Err(Refusal::Going { path: path(), with: with.path }),
            Now::Moved(to) => to,
            Now::OnDisk(_) => place.clone(),
        };
        let Some(disk) = view.disk(&place) else { return Err(Refusal::NotThere { path: place.path }) };
        let entry = tree::look_at(&self.roots, &disk).await?;
        let Some(entry) = entry.filter(|entry| entry.found != Found::Nothing) else {
            return Err(Refusal::NotThere { path: place.path });
        };
        if entry.found == Found::Other {
            return Err(Refusal::NotMovable { path: place.path });
        }
        let spelled = FilePlace { kb_id: disk.kb_id, path: entry.checked.place().clone() };
        let place = if same_place(&disk, &place) { spelled.clone() } else { place };
        Ok(Source { place, disk: spelled, entry })
    }

    /// What is recorded of a file or folder that an operation is about as a whole.
    pub(crate) async fn whole_of(&self, disk: &FilePlace, seen: Seen) -> Result<Tree> {
        let mut contents = seen.contents;
        if let Some(contents) = &mut contents {
            let indexed = file::within(self.db.reader(), disk).await?;
            let indexed = indexed.iter().filter(|row| row.trouble.is_none()).count() as u64;
            contents.unindexed = contents.files.saturating_sub(indexed);
        }
        Ok(Tree { folder: seen.folder, seen: seen.mark, size: seen.size, contents, item: None, went: None })
    }

    pub(crate) async fn propose_move(
        &self,
        provenance: &Provenance,
        from: &FilePlace,
        to: &FilePlace,
    ) -> Result<Proposed, Refusal> {
        let view = self.view(session_of(provenance), &[from, to]).await?;
        let source = self.source(&view, from).await?;
        if to.path.is_root() || to.path.name().trim().is_empty() {
            return Err(Refusal::BlankPath);
        }
        let folder = source.entry.found == Found::Folder;
        let to = self.spelled_target(to).await?;
        if source.place == to {
            return Err(Refusal::SameName { path: to.path });
        }
        if folder && is_within(&to, &source.place) && !same_place(&to, &source.place) {
            return Err(Refusal::IntoItself { path: source.place.path, to: to.path });
        }
        self.check_free(&view, &source, &to).await?;
        let folders = self.folders_above(&view, &to).await?;
        if let Some(parent) = to.path.parent() {
            let parent = FilePlace { kb_id: to.kb_id, path: parent };
            let disk = view.disk(&parent).unwrap_or_else(|| parent.clone());
            if self.is_elsewhere(&source.entry, &disk).await? {
                return Err(Refusal::OtherVolume { path: source.place.path, to: to.path });
            }
            let mut leaving = view.leaving();
            leaving.push(source.disk.clone());
            if let Some(other) = self.alike(&disk, &to, Some(&source.disk), &leaving).await? {
                return Err(Refusal::Alike { path: to.path, other });
            }
        }
        let (place, disk) = (source.place, source.disk);
        let steers = self.steers(&source.entry, &place, Some(&to)).await?;
        let seen = source.entry.seen_whole(Depth::Shape).await?;
        let tree = self.whole_of(&disk, seen).await?;
        let what = described(&place, &tree);
        let renamed = place.kb_id == to.kb_id && place.path.parent() == to.path.parent();
        let summary = if renamed {
            format!("rename {what} to {}", to.path.name())
        } else {
            format!("move {what} to {}", to.path)
        };
        let proposal = Proposal {
            file_id: known(&self.db, &disk).await?.file_id,
            target: Some(to),
            warnings: steering(steers),
            tree: Some(tree),
            ..blank(OperationKind::Move, &place)
        };
        let proposals: Vec<Proposal> = folders.into_iter().chain([proposal]).collect();
        Ok(self.propose(None, provenance, &[], &proposals, summary).await?)
    }

    /// The target with its folders as the disk spells them, as far as they are there; its own name as it
    /// was asked for.
    async fn spelled_target(&self, to: &FilePlace) -> Result<FilePlace, Refusal> {
        let Some(parent) = to.path.parent() else { return Ok(to.clone()) };
        let parent = FilePlace { kb_id: to.kb_id, path: parent };
        let spelled = self.spelled_new(&parent).await?;
        let path =
            spelled.path.join(to.path.name()).map_err(|error| crate::Error::Internal(error.to_string()))?;
        Ok(FilePlace { kb_id: to.kb_id, path })
    }

    async fn check_free(&self, view: &View, source: &Source, to: &FilePlace) -> Result<(), Refusal> {
        let path = || to.path.clone();
        match view.now(to) {
            Now::Proposed => Err(Refusal::ProposedAlready { path: path() }),
            Now::Going(_) => Err(Refusal::StillThere { path: path() }),
            Now::Moved(_) => Ok(()),
            Now::OnDisk(disk) => {
                let there = tree::look_at(&self.roots, &disk).await?;
                let Some(there) = there.filter(|there| there.found != Found::Nothing) else { return Ok(()) };
                let own =
                    same_place(&disk, &source.disk) || there.checked.place() == source.entry.checked.place();
                let moves = view.leaving().iter().any(|leaving| same_place(leaving, &disk)) && disk != *to;
                match (own, moves) {
                    (true, _) => Ok(()),
                    (_, true) => Err(Refusal::ProposedAlready { path: path() }),
                    _ => Err(Refusal::Exists { path: path() }),
                }
            }
        }
    }

    /// Of the user's own in the set that is named, if one is.
    pub(crate) async fn propose_delete(
        &self,
        provenance: &Provenance,
        set: Option<ChangeSetId>,
        place: &FilePlace,
    ) -> Result<Proposed, Refusal> {
        let view = self.view(session_of(provenance), &[place]).await?;
        let Source { place, disk, entry } = self.source(&view, place).await?;
        let mut warnings = steering(self.steers(&entry, &place, None).await?);
        let mounted = self.is_mounted(&entry, &disk).await?;
        let seen = entry.seen_whole(Depth::State).await?;
        if let Some(at) = tree::elsewhere(&place.path, mounted, seen.elsewhere.as_deref()) {
            return Err(Refusal::VolumeWithin { path: place.path, at });
        }
        let unkept = note::some_of(&seen.unkept);
        let tree = self.whole_of(&disk, seen).await?;
        if tree.size > KEPT_BYTES {
            warnings.push(Warning::new("onlyTrash", (tree.size >> 20).to_string()));
        } else if !unkept.is_empty() {
            warnings.push(Warning::new(note::NOT_ALL_KEPT, unkept));
        }
        let summary = format!("delete {}: it goes to the system's trash", described(&place, &tree));
        let proposal = Proposal {
            file_id: known(&self.db, &disk).await?.file_id,
            warnings,
            tree: Some(tree),
            ..blank(OperationKind::Delete, &place)
        };
        Ok(self.propose(set, provenance, &[], &[proposal], summary).await?)
    }

    /// Whether what is moved or deleted steers assistants, or holds something that does.
    async fn steers(
        &self,
        entry: &tree::Entry,
        place: &FilePlace,
        to: Option<&FilePlace>,
    ) -> Result<bool, Refusal> {
        if is_review_always(&place.path) || to.is_some_and(|to| is_review_always(&to.path)) {
            return Ok(true);
        }
        if entry.found != Found::Folder {
            return Ok(false);
        }
        let folder = entry.checked.clone();
        let listed = tokio::task::spawn_blocking(move || Listing::of(&folder)).await;
        let listing = listed.map_err(crate::Error::task)?.map_err(crate::Error::from)?;
        Ok(listing.entries().iter().any(|entry| {
            orangery_domain::KbPath::parse(&entry.path).is_ok_and(|path| is_review_always(&path))
        }))
    }

    pub(crate) async fn propose_links(
        &self,
        provenance: &Provenance,
        of: OperationId,
        relinked: &Relinked,
    ) -> Result<Followed> {
        let Relinked { updates, left } = relinked;
        let mut left: BTreeSet<FilePlace> = left.iter().cloned().collect();
        let Some(moved) = operation::by_id(self.db.reader(), of).await? else {
            return Err(crate::Error::NotFound { what: "operation", id: of.to_string() });
        };
        let session = session_of(provenance);
        let places: Vec<&FilePlace> = updates.iter().map(|update| &update.place).collect();
        let view = self.view(session, &places).await?;
        let paths: Vec<&KbPath> = places.iter().map(|place| &place.path).collect();
        let known = KnownOf::paths(&self.db, moved.proposal.place.kb_id, &paths).await?;
        let (mut contents, mut proposals, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
        let (view, known) = (&view, &known);
        let read = updates.iter().cloned().map(|update| async move {
            match self.basis_in(view, update.place.clone(), Some(known)).await {
                Ok((place, basis)) if basis.disk == Some(update.base) => {
                    Ok(Some((update, Some((place, basis)))))
                }
                // Changed meanwhile: its links are read again by whoever moves next.
                Ok(_) => Ok(Some((update, None))),
                Err(Refusal::Failed(error)) => Err(error),
                // What goes takes its links along.
                Err(_) => Ok(None),
            }
        });
        let mut read = stream::iter(read).buffered(READ_AHEAD);
        while let Some(found) = read.next().await {
            let Some((update, found)) = found? else { continue };
            let Some((mut place, basis)) = found else {
                left.insert(update.place);
                continue;
            };
            // Outside a session nobody but this move knows where the note is then.
            if let (None, Some(target)) = (session, &moved.proposal.target) {
                place = tree::carried(&place, &moved.proposal.place, target).unwrap_or(place);
            }
            let Some(edits) = links_on(&basis, &update)? else {
                left.insert(update.place);
                continue;
            };
            if edits.is_empty() {
                continue;
            }
            sizes.push((edits.len(), basis.sizes(&edits)));
            let (proposal, needed) = basis.proposal(&place, &edits)?;
            proposals.push(Proposal { follows: Some(of), ..proposal });
            contents.extend(needed);
        }
        let left: Vec<FilePlace> = left.into_iter().collect();
        if !left.is_empty() {
            let names: Vec<String> = left.iter().map(|place| place.path.to_string()).collect();
            let warning = Warning::new(note::LINKS_NOT_UPDATED, note::some_of(&names));
            let mut write = self.db.write_soon().await?;
            operation::add_warning(&mut write, of, &warning).await?;
            write.commit().await.map_err(orangery_store::Error::from)?;
        }
        if proposals.is_empty() {
            return Ok(Followed { updates: Vec::new(), left });
        }
        let change_set_id = moved.change_set_id;
        let (_, ids) = self.store_in(Some(change_set_id), provenance, &contents, &proposals).await?;
        let made = proposals.into_iter().zip(ids).zip(sizes);
        let made = made.map(|((proposal, operation_id), (links, (added_chars, removed_chars)))| {
            let place = proposal.place;
            let proposed = Proposed {
                change_set_id,
                operation_id,
                needs: Vec::new(),
                summary: format!("update {links} links in {}", place.path),
                added_chars,
                removed_chars,
            };
            (place, proposed)
        });
        Ok(Followed { updates: made.collect(), left })
    }
}

/// An update of the note on disk, as edits of what the session makes of the note; `None` where they meet, or where the
/// note's encoding cannot hold the new name.
fn links_on(basis: &Basis, update: &LinkUpdate) -> Result<Option<Vec<TextEdit>>> {
    let text = &basis.decoded.text;
    let edits = match &basis.on_disk {
        Some(disk) if basis.built_on.is_some() => {
            let disk = crate::operation::decode_as(disk, basis.decoded.encoding)?;
            if !edits::fits(&disk.text, &update.edits) || !edits::fits(&disk.text, &update.pending) {
                return Ok(None);
            }
            // The note as it would be with the updates of before alone: from there the links go on.
            let before = edits::splice(&disk.text, &update.pending);
            let on = between(&before, &edits::splice(&disk.text, &update.edits));
            edits::rebase_by_lines(&before, &on, &between(&before, text))
        }
        _ => Some(update.edits.clone()),
    };
    let holds = |edits: &Vec<TextEdit>| {
        edits::fits(text, edits) && orangery_domain::text::splice(&basis.bytes, &basis.decoded, edits).is_ok()
    };
    Ok(edits.filter(holds))
}

fn described(place: &FilePlace, tree: &Tree) -> String {
    match &tree.contents {
        Some(contents) => {
            let files = match contents.files {
                1 => "1 file".to_owned(),
                files => format!("{files} files"),
            };
            let folders = match contents.folders {
                0 => String::new(),
                1 => ", 1 folder".to_owned(),
                folders => format!(", {folders} folders"),
            };
            format!("folder {} ({files}{folders})", place.path)
        }
        None => place.path.to_string(),
    }
}
