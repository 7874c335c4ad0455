//! Proposals: what somebody wants to change, kept for review. Nothing here writes a file.

mod basis;
mod create;
mod edit;
mod guard;
mod refusal;
mod restore;
mod tree;
mod view;

use std::{collections::HashMap, sync::Arc};

use orangery_domain::{
    ChangeSetId, ContentHash, KbPath, OperationId, Provenance, SessionId, TurnId, Warning,
};
use orangery_store::{
    blob::Packed,
    table::{
        blob,
        operation::{self, Proposal},
        shape,
    },
};

use crate::{Error, House, Result, locks::Held, review};

pub use basis::PendingText;
pub(crate) use create::folder;
pub use edit::EditRequest;
pub use guard::{REDACTION_MARK, TRUNCATION_MARK};
pub use refusal::Refusal;
pub use tree::Followed;
pub(crate) use view::{Now, View};

/// Can propose changes, and do nothing else.
#[derive(Clone)]
pub struct Proposals(pub(crate) Arc<House>);

/// A proposal that waits for review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    pub change_set_id: ChangeSetId,
    pub operation_id: OperationId,
    /// Operations that must be applied before it, in order: the folders that a new file needs.
    pub needs: Vec<OperationId>,
    /// One line, for models and people.
    pub summary: String,
    pub added_chars: usize,
    pub removed_chars: usize,
}

/// Whether the file at `path` steers assistants, so that it is changed at no level without review: `AGENTS.md` and
/// everything under `.orange/`.
pub fn is_review_always(path: &KbPath) -> bool {
    path.components().any(|part| part.eq_ignore_ascii_case(".orange"))
        || path.name().eq_ignore_ascii_case("AGENTS.md")
}

/// Proposals whose contents are looked up together.
const AT_ONCE: usize = 256;

impl House {
    /// Stores `proposals`, the last of which is meant; the others are what it needs.
    async fn propose(
        &self,
        set: Option<ChangeSetId>,
        provenance: &Provenance,
        contents: &[Packed],
        proposals: &[Proposal],
        summary: String,
    ) -> Result<Proposed> {
        let (change_set_id, mut needs) = self.store_in(set, provenance, contents, proposals).await?;
        let operation_id = needs.pop().ok_or_else(|| Error::Internal("nothing was stored".into()))?;
        Ok(Proposed { change_set_id, operation_id, needs, summary, added_chars: 0, removed_chars: 0 })
    }

    /// Stores proposals in the session's open change set, or in one of their own.
    pub(crate) async fn store(
        &self,
        provenance: &Provenance,
        contents: &[Packed],
        proposals: &[Proposal],
    ) -> Result<(ChangeSetId, Vec<OperationId>)> {
        self.store_in(None, provenance, contents, proposals).await
    }

    /// As [`House::store`], in a set that is there already if one is named. A proposal promises nothing of
    /// files, so it waits for no disk.
    async fn store_in(
        &self,
        set: Option<ChangeSetId>,
        provenance: &Provenance,
        contents: &[Packed],
        proposals: &[Proposal],
    ) -> Result<(ChangeSetId, Vec<OperationId>)> {
        let at_hand: HashMap<ContentHash, &Packed> =
            contents.iter().map(|packed| (packed.hash(), packed)).collect();
        let mut shapes = Vec::with_capacity(proposals.len());
        for some in proposals.chunks(AT_ONCE) {
            let textual = some.iter().filter(|one| one.encoding.is_some() && one.edits.is_some());
            let named = textual.flat_map(|one| [one.base, one.edits]).flatten();
            let stored: Vec<ContentHash> = named.filter(|hash| !at_hand.contains_key(hash)).collect();
            let stored = blob::get_all(self.db.reader(), &stored).await?;
            for proposal in some {
                shapes.push(self.shape_of(proposal, &at_hand, &stored).await?);
            }
        }
        let mut write = self.db.write_soon().await?;
        blob::put_all(&mut write, contents).await?;
        let set = match set {
            Some(set) => set,
            None => review::open_set(&mut write, provenance).await?,
        };
        let ids = operation::insert_all(&mut write, set, proposals, turn_of(provenance)).await?;
        let shapes: Vec<_> =
            ids.iter().zip(&shapes).filter_map(|(id, shape)| Some((*id, shape.as_ref()?))).collect();
        shape::put_all(&mut write, &shapes).await?;
        review::reopen(&mut write, set).await?;
        write.commit().await.map_err(orangery_store::Error::from)?;
        Ok((set, ids))
    }
}

fn session_of(provenance: &Provenance) -> Option<&SessionId> {
    match provenance {
        Provenance::Assistant { session_id, .. } => Some(session_id),
        _ => None,
    }
}

fn turn_of(provenance: &Provenance) -> Option<TurnId> {
    match provenance {
        Provenance::Assistant { turn_id, .. } => *turn_id,
        _ => None,
    }
}

/// The session that proposes, for this caller alone.
async fn hold(house: &House, provenance: &Provenance) -> Option<Held> {
    match session_of(provenance) {
        Some(session) => Some(house.locks.session(session).await),
        None => None,
    }
}

/// What people are told of a change of what steers assistants.
fn steering(steers: bool) -> Vec<Warning> {
    if steers { vec![Warning::new("reviewAlways", "")] } else { Vec::new() }
}
