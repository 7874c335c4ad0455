//! A conflict ends: the user says what becomes of the lines where both sides changed.

use orangery_domain::{
    ChangeSet, ConflictView, ContentHash, ErrorKind, FilePlace, MergeChoice, MergeRegion, OperationId,
    OperationKind, OperationState, TextEdit,
    text::{Decoded, Encoding, encode, splice},
};
use orangery_store::{
    blob::Packed,
    table::{
        blob,
        operation::{self, Proposal},
    },
};

use super::{catch_up::lies_at, close_conflicts, settle_set};
use crate::{
    Changes, Error, House, Result,
    diff::between,
    disk::{known, look_at},
    edits,
    merge::Merge,
    note,
    operation::{Loaded, load, not_rejected, to_json, undecided},
    tree::{self, Depth},
};

impl Changes {
    /// Proposes, in place of an operation in conflict, its change on the file as it is now, with one
    /// choice for each region where the two meet. Where no text can be laid beside another (the file is
    /// gone, or is no text) one choice decides the whole. Nothing is written. When nothing is left to
    /// change, the operation is rejected and nothing takes its place.
    ///
    /// # Errors
    /// `Conflict` when the file is not `seen` any more, where that is given, or when the choices do not
    /// fit the regions.
    pub async fn resolve(
        &self,
        id: OperationId,
        choices: &[MergeChoice],
        seen: Option<ContentHash>,
    ) -> Result<ChangeSet> {
        let house = self.house();
        let set = house.operation(id).await?.change_set_id;
        {
            let held = house.locks.set(set).await;
            let loaded = load(&house.db, house.operation(id).await?).await?;
            if loaded.row.state != OperationState::Conflict || loaded.is_folder() && !loaded.is_whole() {
                return Err(Error::NotAConflict(id));
            }
            if loaded.is_whole() {
                let resolved = house.resolve_whole(&loaded, choices).await?;
                house.put_in_place(&loaded, &Now { bytes: None, decoded: None }, resolved).await?;
                drop(held);
                return self.get(set).await;
            }
            let now = house.now(&loaded).await?;
            if seen.is_some_and(|seen| now.hash() != Some(seen)) {
                return Err(Error::BaseMoved { path: loaded.place().path.clone() });
            }
            let whole = loaded.result(not_rejected)?;
            let resolved = now.resolve(&loaded, whole.as_deref(), choices)?;
            house.put_in_place(&loaded, &now, resolved).await?;
        }
        self.get(set).await
    }
}

impl House {
    /// The three texts of a conflict.
    pub(super) async fn conflict(&self, loaded: &Loaded) -> Result<ConflictView> {
        let now = self.now(loaded).await?;
        let textual = loaded.kind() != OperationKind::RemoveCreated && !loaded.is_whole();
        let proposal = textual.then(|| proposed_text(loaded));
        let disk = now.decoded.as_ref().map(|decoded| decoded.text.as_str());
        let regions = match (&proposal, disk) {
            (Some(proposal), Some(disk)) if loaded.decoded.is_some() => {
                Merge::of(loaded.base_text(), disk, proposal)
                    .regions()
                    .iter()
                    .map(MergeRegion::from)
                    .collect()
            }
            _ => Vec::new(),
        };
        Ok(ConflictView {
            base: loaded.base.as_ref().map(|_| loaded.base_text().to_owned()),
            disk: disk.map(str::to_owned),
            disk_hash: now.hash(),
            proposal,
            regions,
        })
    }

    /// A move, a delete or a coming back is made with what is there now, or not at all.
    async fn resolve_whole(&self, loaded: &Loaded, choices: &[MergeChoice]) -> Result<Successor> {
        let misfit = Error::ChoicesMisfit { id: loaded.row.id, regions: 1, given: choices.len() };
        match choices {
            [MergeChoice::Disk] => return Ok(None),
            [MergeChoice::Proposal] => {}
            _ => return Err(misfit),
        }
        let proposal = &loaded.row.proposal;
        let depth = match loaded.kind() {
            OperationKind::Delete => Depth::State,
            _ => Depth::Shape,
        };
        let tree = match tree::look_at(&self.roots, loaded.place()).await? {
            _ if loaded.kind() == OperationKind::BringBack => proposal.tree.clone(),
            Some(entry) if matches!(entry.found, tree::Found::File { .. } | tree::Found::Folder) => {
                let seen = entry.seen_whole(depth).await?;
                Some(self.whole_of(loaded.place(), seen).await?)
            }
            // There is nothing left to do it with.
            _ => return Ok(None),
        };
        let note = Some(note::resolved(loaded.row.id));
        let decisions = undecided(&[]);
        Ok(Some((Proposal { tree, built_on: None, note, decisions, ..proposal.clone() }, Vec::new())))
    }

    /// Whether a file that waits to be edited changed since. What is built on another operation reads on
    /// from that one.
    pub(super) async fn is_outdated(&self, loaded: &Loaded) -> Result<bool> {
        let proposal = &loaded.row.proposal;
        let waits = matches!(loaded.row.state, OperationState::Undecided | OperationState::Accepted);
        if !waits || loaded.kind() != OperationKind::Edit || proposal.built_on.is_some() {
            return Ok(false);
        }
        let rows = operation::of_set(self.db.reader(), loaded.row.change_set_id).await?;
        let Some(disk) = lies_at(&rows, loaded) else { return Ok(false) };
        Ok(self.now_at(&disk).await?.hash() != proposal.base)
    }

    /// What is at the place of an operation by now.
    pub(super) async fn now(&self, loaded: &Loaded) -> Result<Now> {
        self.now_at(loaded.place()).await
    }

    pub(super) async fn now_at(&self, place: &FilePlace) -> Result<Now> {
        let bytes = match look_at(&self.roots, place).await {
            Ok(disk) => disk.bytes().map(<[u8]>::to_vec),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let decoded = match &bytes {
            Some(bytes) => known(&self.db, place).await?.decode(place, bytes).ok(),
            None => None,
        };
        Ok(Now { bytes, decoded })
    }

    /// Rejects the operation and what was offered instead of it, and adds what resolves it.
    async fn put_in_place(&self, loaded: &Loaded, now: &Now, resolved: Successor) -> Result<()> {
        let row = &loaded.row;
        let (proposal, contents) = resolved.unzip();
        let rows = operation::of_set(self.db.reader(), row.change_set_id).await?;
        let offered = rows.iter().filter(|other| {
            other.proposal.built_on == Some(row.id)
                && matches!(other.state, OperationState::Undecided | OperationState::Accepted)
                && other.proposal.note == Some(note::on_current(row.id))
        });
        let settled = proposal.is_some().then(|| note::plain(note::SETTLED));
        let base = now.bytes.as_deref().map(Packed::new);

        let mut write = self.db.write().await?;
        for content in base.iter().chain(contents.iter().flatten()) {
            blob::put(&mut write, content).await?;
        }
        for other in offered {
            let letters = "r".repeat(other.proposal.decisions.len());
            operation::decide(&mut write, other.id, OperationState::Rejected, &letters).await?;
            operation::set_state(&mut write, other.id, OperationState::Rejected, settled.as_ref()).await?;
        }
        operation::set_state(&mut write, row.id, OperationState::Rejected, settled.as_ref()).await?;
        close_conflicts(&mut write, row.id).await?;
        if let Some(proposal) = proposal {
            operation::insert(&mut write, row.change_set_id, &proposal, row.turn_id).await?;
        }
        settle_set(&mut write, row.change_set_id, None).await?;
        write.commit().await.map_err(orangery_store::Error::from)?;
        Ok(())
    }
}

/// What an operation makes of its base, without what was rejected of it.
fn proposed_text(loaded: &Loaded) -> String {
    edits::splice(loaded.base_text(), &loaded.chosen(not_rejected))
}

/// A file as it is on disk by now.
pub(super) struct Now {
    pub bytes: Option<Vec<u8>>,
    /// Absent where the file is gone or no text.
    pub decoded: Option<Decoded>,
}

/// What takes the place of a conflict, with the contents that it needs stored; nothing where the file
/// stays as it is.
type Successor = Option<(Proposal, Vec<Packed>)>;

impl Now {
    pub(super) fn hash(&self) -> Option<ContentHash> {
        self.bytes.as_deref().map(ContentHash::of)
    }

    fn resolve(&self, loaded: &Loaded, whole: Option<&[u8]>, choices: &[MergeChoice]) -> Result<Successor> {
        let id = loaded.row.id;
        let misfit = |regions| Error::ChoicesMisfit { id, regions, given: choices.len() };
        let textual = loaded.decoded.is_some() && loaded.kind() != OperationKind::RemoveCreated;
        if let (true, Some(now)) = (textual, &self.decoded) {
            let proposal = proposed_text(loaded);
            let merge = Merge::of(loaded.base_text(), &now.text, &proposal);
            let text = merge.text(choices).map_err(|wrong| misfit(wrong.regions))?;
            return self.edit(loaded, now, &text);
        }
        let [choice] = choices else { return Err(misfit(1)) };
        match choice {
            MergeChoice::Disk => Ok(None),
            MergeChoice::Proposal => self.whole(loaded, whole),
            MergeChoice::Text(text) if textual && self.bytes.is_none() => {
                self.anew(loaded, crate::anchor::line_feeds(text))
            }
            MergeChoice::Both | MergeChoice::Text(_) => Err(misfit(1)),
        }
    }

    /// The text on disk becomes `text`.
    fn edit(&self, loaded: &Loaded, now: &Decoded, text: &str) -> Result<Successor> {
        let edits = between(&now.text, text);
        if edits.is_empty() {
            return Ok(None);
        }
        let bytes = self.bytes.as_deref().unwrap_or_default();
        // Made once now, so that what cannot be written is known before it is accepted.
        splice(bytes, now, &edits).map_err(Error::splice(loaded.place()))?;
        let stored = Packed::new(&to_json(&edits)?);
        let proposal = Proposal {
            kind: OperationKind::Edit,
            encoding: Some(now.encoding.label().to_owned()),
            edits: Some(stored.hash()),
            decisions: undecided(&edits),
            exact: None,
            ..self.successor(loaded)
        };
        Ok(Some((proposal, vec![stored])))
    }

    /// The proposal as it was made, which gives `bytes`, whatever is there now.
    fn whole(&self, loaded: &Loaded, bytes: Option<&[u8]>) -> Result<Successor> {
        let Some(bytes) = bytes else { return self.removal(loaded) };
        if loaded.decoded.is_some() && self.bytes.is_none() {
            return self.anew(loaded, proposed_text(loaded));
        }
        let exact = Packed::new(bytes);
        let kind = if self.bytes.is_some() { OperationKind::Edit } else { OperationKind::CreateFile };
        let proposal = Proposal {
            kind,
            encoding: None,
            edits: None,
            decisions: undecided(&[]),
            exact: Some(exact.hash()),
            ..self.successor(loaded)
        };
        Ok(Some((proposal, vec![exact])))
    }

    /// The file goes, although it is not as it was made.
    fn removal(&self, loaded: &Loaded) -> Result<Successor> {
        if self.bytes.is_none() {
            return Ok(None);
        }
        let edits: Vec<TextEdit> = self
            .decoded
            .iter()
            .map(|now| TextEdit { range: 0..now.text.len(), insert: String::new() })
            .collect();
        let stored = Packed::new(&to_json(&edits)?);
        let proposal = Proposal {
            encoding: self.decoded.as_ref().map(|now| now.encoding.label().to_owned()),
            edits: Some(stored.hash()),
            decisions: undecided(&edits),
            ..self.successor(loaded)
        };
        Ok(Some((proposal, vec![stored])))
    }

    /// The file, which is gone, is made again with `text`, in the encoding that it had.
    fn anew(&self, loaded: &Loaded, text: String) -> Result<Successor> {
        let (encoding, bom) =
            loaded.decoded.as_ref().map_or((Encoding::Utf8, false), |was| (was.encoding, was.bom));
        let exact = Packed::new(&encode(&text, encoding, bom).map_err(Error::splice(loaded.place()))?);
        let edits = [TextEdit { range: 0..0, insert: text }];
        let stored = Packed::new(&to_json(&edits)?);
        let proposal = Proposal {
            kind: OperationKind::CreateFile,
            encoding: Some(encoding.label().to_owned()),
            edits: Some(stored.hash()),
            decisions: undecided(&edits),
            exact: Some(exact.hash()),
            ..self.successor(loaded)
        };
        Ok(Some((proposal, vec![stored, exact])))
    }

    /// What every successor has from the operation in conflict.
    fn successor(&self, loaded: &Loaded) -> Proposal {
        Proposal {
            base: self.hash(),
            built_on: None,
            note: Some(note::resolved(loaded.row.id)),
            ..loaded.row.proposal.clone()
        }
    }
}
