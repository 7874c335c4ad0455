//! Taking back: by change set, and by version. Both are change sets of their own, through the same door.

use orangery_domain::{
    Applied, ChangeSetId, ChangeSetState, ContentHash, FilePlace, OperationKind, OperationState, Provenance,
    TextEdit, VersionId, text::Encoding,
};
use orangery_store::{
    blob::Packed,
    table::{
        blob, file,
        operation::{OperationRow, Proposal},
        version,
    },
};

use crate::{
    Changes, Error, House, Result,
    diff::between,
    disk::{Found, known, look_at},
    operation::{is_folder, nothing, to_json, undecided},
};

impl Changes {
    /// Takes back what was applied of a change set. What nobody touched since is taken back at once.
    /// Where a file moved on, nothing is written: the operation is a conflict, and if what moved lies
    /// apart, the same taking back is proposed on the file as it is now.
    pub async fn undo(&self, id: ChangeSetId) -> Result<Applied> {
        self.uncut(move |house| async move { house.undo(id).await }).await
    }

    /// Gives a file the content of an earlier version; a file that is gone comes back.
    pub async fn restore(&self, id: VersionId) -> Result<Applied> {
        self.uncut(move |house| async move { house.restore(id).await }).await
    }
}

impl House {
    async fn undo(&self, id: ChangeSetId) -> Result<Applied> {
        let _held = self.locks.set(id).await;
        self.recover().await?;
        let (set, rows) = self.set(id).await?;
        if set.state == ChangeSetState::Undone {
            return Err(Error::AlreadyUndone(id));
        }
        let swaps = swaps(&rows);
        if swaps.is_empty() {
            return Err(Error::NothingApplied(id));
        }
        let mut proposals = Vec::with_capacity(swaps.len());
        let mut contents = Vec::new();
        for swap in &swaps {
            let (proposal, needed) = self.swap(swap, None).await?;
            proposals.push(proposal);
            contents.extend(needed);
        }
        let (undo, _) = self.store(&Provenance::Undo { of: id }, &contents, &proposals).await?;
        let _held = self.locks.set(undo).await;
        self.apply(undo, &[], true).await
    }

    async fn restore(&self, id: VersionId) -> Result<Applied> {
        let missing = || Error::NotFound { what: "version", id: id.to_string() };
        let version = version::by_id(self.db.reader(), id).await?.ok_or_else(missing)?;
        self.recover().await?;
        let place = self.place_now(&version.place, id).await?;
        let now = match look_at(&self.roots, &place).await?.found {
            Found::File(bytes) => Some(Packed::new(&bytes)),
            Found::Nothing => None,
            Found::Folder => return Err(Error::Exists { path: place.path }),
        };
        let from = now.as_ref().map(Packed::hash);
        let swap = Swap { place, folder: false, encoding: None, from, to: Some(version.hash) };
        let (proposal, needed) = self.swap(&swap, now.as_ref()).await?;
        let contents: Vec<Packed> = needed.into_iter().chain(now).collect();
        let (set, _) = self.store(&Provenance::Restore { version: id }, &contents, &[proposal]).await?;
        let _held = self.locks.set(set).await;
        self.apply(set, &[], true).await
    }
}

/// One file or folder that goes from one content to another, both stored.
struct Swap {
    place: FilePlace,
    folder: bool,
    encoding: Option<Encoding>,
    from: Option<ContentHash>,
    to: Option<ContentHash>,
}

/// What takes back the applied operations of `rows`, the last first; applications of one file that
/// followed each other directly are taken back in one go.
fn swaps(rows: &[OperationRow]) -> Vec<Swap> {
    let mut applied: Vec<&OperationRow> =
        rows.iter().filter(|row| row.state == OperationState::Applied && row.before != row.after).collect();
    applied.sort_by_key(|row| std::cmp::Reverse((row.applied_at, row.id)));
    let mut out: Vec<Swap> = Vec::new();
    for row in applied {
        let place = &row.proposal.place;
        let same =
            |swap: &&mut Swap| swap.place.kb_id == place.kb_id && swap.place.path.key() == place.path.key();
        let encoding = row.proposal.encoding.as_deref().and_then(Encoding::from_label);
        let last = out.iter_mut().rev().find(same);
        match last {
            // Applied together with the one before: one writing of the file.
            Some(swap) if swap.to == row.before && row.after != swap.to => {}
            Some(swap) if swap.to == row.after => swap.to = row.before,
            _ => out.push(Swap {
                place: place.clone(),
                folder: is_folder(&row.proposal),
                encoding,
                from: row.after,
                to: row.before,
            }),
        }
    }
    out
}

impl House {
    /// The proposal of a swap, and its edits to be stored; `from` where the old content is at hand and
    /// not stored.
    async fn swap(&self, swap: &Swap, from: Option<&Packed>) -> Result<(Proposal, Option<Packed>)> {
        let Swap { place, folder, .. } = swap;
        let known = known(&self.db, place).await?;
        let mut proposal = Proposal {
            kind: match (folder, swap.from, swap.to) {
                (_, _, None) => OperationKind::RemoveCreated,
                (true, ..) => OperationKind::CreateFolder,
                (false, None, Some(_)) => OperationKind::CreateFile,
                (false, Some(_), Some(_)) => OperationKind::Edit,
            },
            place: place.clone(),
            file_id: known.file_id,
            base: swap.from.filter(|_| !folder),
            encoding: None,
            edits: None,
            decisions: undecided(&[]),
            exact: swap.to.filter(|_| !folder),
            built_on: None,
            warnings: Vec::new(),
            note: None,
        };
        if *folder {
            return Ok((proposal, None));
        }
        let decode = |bytes: &[u8]| match swap.encoding {
            Some(encoding) => crate::operation::decode_as(bytes, encoding).ok(),
            None => known.decode(place, bytes).ok(),
        };
        let old = match (from, swap.from) {
            (Some(packed), _) => decode(&packed.clone().unpack()?),
            (None, Some(hash)) => decode(&blob::get(self.db.reader(), hash).await?),
            (None, None) => None,
        };
        let new = match swap.to {
            Some(hash) => decode(&blob::get(self.db.reader(), hash).await?),
            None => Some(nothing()),
        };
        let old = if swap.from.is_none() { new.as_ref().map(|_| nothing()) } else { old };
        let (Some(old), Some(new)) = (old, new) else { return Ok((proposal, None)) };
        let edits = match swap.to {
            Some(_) => between(&old.text, &new.text),
            None => vec![TextEdit { range: 0..old.text.len(), insert: String::new() }],
        };
        let packed = Packed::new(&to_json(&edits)?);
        let encoding = if swap.from.is_none() { new.encoding } else { old.encoding };
        proposal.encoding = Some(encoding.label().to_owned());
        proposal.edits = Some(packed.hash());
        proposal.decisions = undecided(&edits);
        Ok((proposal, Some(packed)))
    }

    /// Where the file of a version is now: versions follow renames.
    async fn place_now(&self, place: &FilePlace, id: VersionId) -> Result<FilePlace> {
        let Some(file_id) = version::file_of(self.db.reader(), id).await? else { return Ok(place.clone()) };
        let row = file::by_id(self.db.reader(), file_id).await?;
        Ok(row.map_or_else(|| place.clone(), |row| FilePlace { kb_id: row.kb_id, path: row.path }))
    }
}
