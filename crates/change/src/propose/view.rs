//! The tree as a session sees it: the disk with its own waiting operations done.

use orangery_domain::{FilePlace, OperationId, OperationKind, OperationState, SessionId};
use orangery_store::table::operation::{self, OperationRow};

use crate::{
    House, Result,
    tree::{carried, is_within, layout::Layout, same_place},
};

/// After everything that waits.
const LAST: OperationId = OperationId(i64::MAX);

/// What a session proposed and nobody applied or rejected.
#[derive(Debug, Default)]
pub struct View {
    rows: Vec<OperationRow>,
    layout: Layout,
}

/// What a path means to a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Now {
    /// What lies on disk there, if anything does.
    OnDisk(FilePlace),
    /// It is to be here instead.
    Moved(FilePlace),
    /// It is to be made, and nothing on disk stands for it.
    Proposed,
    /// It is to be deleted, alone or with the folder that is named.
    Going(FilePlace),
}

impl House {
    pub(crate) async fn view(&self, session: Option<&SessionId>) -> Result<View> {
        let Some(session) = session else { return Ok(View::default()) };
        let rows = operation::waiting_of_session(self.db.reader(), session).await?;
        let rejected: Vec<OperationId> =
            rows.iter().filter(|row| row.state == OperationState::Rejected).map(|row| row.id).collect();
        let layout = Layout::of(&rows, |id| Some(!rejected.contains(&id)));
        let rows = rows.into_iter().filter(|row| row.state != OperationState::Rejected).collect();
        Ok(View { rows, layout })
    }
}

impl View {
    /// What `place` means once all that waits is done.
    pub fn now(&self, place: &FilePlace) -> Now {
        let mut here = place.clone();
        for (at, row) in self.rows.iter().enumerate().rev() {
            let own = &row.proposal.place;
            match row.proposal.kind {
                OperationKind::CreateFile | OperationKind::CreateFolder if same_place(own, &here) => {
                    return Now::Proposed;
                }
                OperationKind::BringBack if is_within(&here, own) => return Now::Proposed,
                OperationKind::Delete if is_within(&here, own) => return Now::Going(own.clone()),
                OperationKind::RemoveCreated if same_place(own, &here) => return Now::Going(own.clone()),
                OperationKind::Move => {
                    let Some(target) = &row.proposal.target else { continue };
                    if let Some(back) = carried(&here, target, own) {
                        here = back;
                    } else if let Some(away) = carried(&here, own, target) {
                        let to = self.later(at + 1, away);
                        return match self.now(&to) {
                            Now::Going(with) => Now::Going(with),
                            _ => Now::Moved(to),
                        };
                    }
                }
                _ => {}
            }
        }
        Now::OnDisk(here)
    }

    /// Where the moves from the `at`-th row on take what is at `place`.
    fn later(&self, at: usize, place: FilePlace) -> FilePlace {
        let rows = self.rows.get(at..).unwrap_or_default();
        let moves = rows.iter().filter(|row| row.proposal.kind == OperationKind::Move);
        moves.fold(place, |here, row| {
            let target = row.proposal.target.as_ref();
            target.and_then(|target| carried(&here, &row.proposal.place, target)).unwrap_or(here)
        })
    }

    /// Where on disk the file lies that `place` names, if any does.
    pub fn disk(&self, place: &FilePlace) -> Option<FilePlace> {
        self.layout.on_disk(LAST, place)
    }

    /// What waits for the content of the file that `place` names, oldest first.
    pub fn contents_of(&self, place: &FilePlace) -> impl Iterator<Item = &OperationRow> {
        let file = self.layout.on_disk(LAST, place);
        let named = place.clone();
        self.rows.iter().filter(move |row| {
            let waits = matches!(row.state, OperationState::Undecided | OperationState::Accepted);
            let whole = crate::operation::is_whole(row.proposal.kind);
            let same = match (self.layout.on_disk(row.id, &row.proposal.place), &file) {
                (Some(own), Some(file)) => same_place(&own, file),
                (None, None) => same_place(&row.proposal.place, &named),
                _ => false,
            };
            waits && !whole && same
        })
    }

    /// Places on disk that waiting moves leave.
    pub fn leaving(&self) -> Vec<FilePlace> {
        let moves = self.rows.iter().filter(|row| row.proposal.kind == OperationKind::Move);
        moves.filter_map(|row| self.layout.on_disk(row.id, &row.proposal.place)).collect()
    }
}
