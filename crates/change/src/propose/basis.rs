//! What an edit is made on.

use orangery_domain::{
    ContentHash, FilePlace, OperationId, OperationKind, SessionId, TextEdit, text::Decoded,
};
use orangery_store::{blob::Packed, table::operation::Proposal};

use super::{Now, Proposals, Refusal, View, is_review_always, steering};
use crate::{
    House, Result,
    disk::{Found, Known, KnownOf, known, look_at},
    operation::{Loaded, blank, load, not_rejected, to_json, undecided},
};

/// A file with a session's own pending changes in place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingText {
    pub text: String,
    /// Of the file on disk that the changes are proposed for; absent where it is not there yet.
    pub base: Option<ContentHash>,
}

/// What an edit is made on: the file, or the file with the session's pending changes.
pub(super) struct Basis {
    /// The file on disk.
    pub disk: Option<ContentHash>,
    pub bytes: Vec<u8>,
    /// The bytes on disk.
    pub on_disk: Option<Vec<u8>>,
    pub decoded: Decoded,
    /// The pending operation whose result this is.
    pub built_on: Option<OperationId>,
    /// Where the file is on disk, when it is to be moved.
    pub moved_from: Option<FilePlace>,
    pub known: Known,
}

impl Basis {
    /// The proposal of `edits`, with the contents that it names.
    pub fn proposal(&self, place: &FilePlace, edits: &[TextEdit]) -> Result<(Proposal, [Packed; 2])> {
        let (base, stored) = (Packed::new(&self.bytes), Packed::new(&to_json(edits)?));
        let proposal = Proposal {
            file_id: self.known.file_id,
            base: Some(base.hash()),
            encoding: Some(self.decoded.encoding.label().to_owned()),
            edits: Some(stored.hash()),
            decisions: undecided(edits),
            built_on: self.built_on,
            warnings: steering(is_review_always(&place.path)),
            ..blank(OperationKind::Edit, place)
        };
        Ok((proposal, [base, stored]))
    }

    /// Characters that `edits` put in and take out.
    pub fn sizes(&self, edits: &[TextEdit]) -> (usize, usize) {
        let chars = |text: &str| text.chars().count();
        let taken = |edit: &TextEdit| self.decoded.text.get(edit.range.clone()).map_or(0, chars);
        (edits.iter().map(|edit| chars(&edit.insert)).sum(), edits.iter().map(taken).sum())
    }
}

impl Proposals {
    /// The file with the session's own pending changes in place; `None` when there are none that
    /// still fit the file.
    pub async fn pending_text(
        &self,
        session: &SessionId,
        place: &FilePlace,
    ) -> Result<Option<PendingText>, Refusal> {
        let basis = match self.0.basis(Some(session), place).await {
            Ok((_, basis)) => basis,
            Err(Refusal::NotThere { .. } | Refusal::NotAFile { .. } | Refusal::Going { .. }) => {
                return Ok(None);
            }
            Err(refusal) => return Err(refusal),
        };
        let pending = basis.built_on.is_some() || basis.moved_from.is_some();
        Ok(pending.then_some(PendingText { text: basis.decoded.text, base: basis.disk }))
    }
}

impl House {
    /// What the next edit of `place` in the session is made on, and the place as the disk spells it.
    pub(super) async fn basis(
        &self,
        session: Option<&SessionId>,
        place: &FilePlace,
    ) -> Result<(FilePlace, Basis), Refusal> {
        let place = self.spelled_new(place).await?;
        let view = self.view(session, &[&place]).await?;
        self.basis_in(&view, place, None).await
    }

    /// As [`House::basis`], for a place spelled as on disk that `view` takes in.
    pub(super) async fn basis_in(
        &self,
        view: &View,
        mut place: FilePlace,
        beside: Option<&KnownOf>,
    ) -> Result<(FilePlace, Basis), Refusal> {
        match view.now(&place) {
            Now::Going(with) => return Err(Refusal::Going { path: place.path, with: with.path }),
            Now::Moved(to) => place = to,
            Now::OnDisk(_) | Now::Proposed => {}
        }
        let disk = view.disk(&place);
        let found = match &disk {
            Some(disk) => match look_at(&self.roots, disk).await {
                // The parent may be a proposal too.
                Err(error) if error.kind() == orangery_domain::ErrorKind::NotFound => None,
                other => Some(other?),
            },
            None => None,
        };
        let disk = disk.unwrap_or_else(|| place.clone());
        let known = match beside {
            Some(beside) => beside.known(&self.db, &disk).await?,
            None => known(&self.db, &disk).await?,
        };
        let on_disk = match found.map(|disk| disk.found) {
            Some(Found::Folder) => return Err(Refusal::NotAFile { path: place.path }),
            Some(Found::File(bytes)) => Some(bytes),
            Some(Found::Nothing) | None => None,
        };
        let hash = on_disk.as_deref().map(ContentHash::of);
        let moved_from = (!crate::tree::same_place(&disk, &place)).then_some(disk);

        let chain = self.chain(view, &place, on_disk.as_deref()).await?;
        if let Some((bytes, last)) = chain {
            let decoded = match &last.decoded {
                Some(decoded) => crate::operation::decode_as(&bytes, decoded.encoding)?,
                None => known.decode(&place, &bytes)?,
            };
            let built_on = Some(last.row.id);
            return Ok((place, Basis { disk: hash, bytes, on_disk, decoded, built_on, moved_from, known }));
        }
        let Some(bytes) = on_disk else {
            return Err(Refusal::NotThere { path: place.path });
        };
        let decoded = known.decode(&place, &bytes)?;
        let on_disk = Some(bytes.clone());
        Ok((place, Basis { disk: hash, bytes, on_disk, decoded, built_on: None, moved_from, known }))
    }

    /// The file with the session's pending operations made one after the other, and the last of them;
    /// `None` when there are none, or when the file moved away from under them.
    async fn chain(
        &self,
        view: &View,
        place: &FilePlace,
        disk: Option<&[u8]>,
    ) -> Result<Option<(Vec<u8>, Loaded)>> {
        let mut current = disk.map(<[u8]>::to_vec);
        let mut last = None;
        for row in view.contents_of(place) {
            let loaded = load(&self.db, row.clone()).await?;
            if loaded.is_folder() || loaded.kind() == OperationKind::RemoveCreated {
                return Ok(None);
            }
            let next = if crate::operation::is(loaded.row.proposal.base, current.as_deref()) {
                loaded.result(not_rejected)?
            } else if last.is_some() {
                // A hunk of the one before was rejected since.
                match &current {
                    Some(current) => loaded.result_on(current, not_rejected)?,
                    None => None,
                }
            } else {
                None
            };
            let Some(next) = next else { return Ok(None) };
            current = Some(next);
            last = Some(loaded);
        }
        Ok(current.zip(last))
    }
}
