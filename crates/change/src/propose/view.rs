//! The tree as a session sees it: the disk with its own waiting operations done.

use std::collections::{BTreeSet, HashMap};

use orangery_domain::{FilePlace, KbId, KbPath, OperationId, OperationKind, OperationState, SessionId};
use orangery_store::table::operation::{self, OperationRow};

use crate::{
    House, Result,
    operation::is_whole,
    tree::{carried, is_within, layout::Layout, same_place},
};

/// After everything that waits.
const LAST: OperationId = OperationId(i64::MAX);

/// What a session proposed and nobody applied or rejected.
#[derive(Debug, Default)]
pub struct View {
    rows: Vec<OperationRow>,
    layout: Layout,
    /// Rows that wait for the content of a file, by where it lies on disk, or will lie where it does not.
    contents: HashMap<(bool, KbId, String), Vec<usize>>,
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
    /// As far as `places` and what lies above them are concerned.
    pub(crate) async fn view(&self, session: Option<&SessionId>, places: &[&FilePlace]) -> Result<View> {
        let Some(session) = session else { return Ok(View::default()) };
        let above = |place: &&FilePlace| std::iter::successors(Some(place.path.clone()), KbPath::parent);
        let keys: BTreeSet<String> = places.iter().flat_map(above).map(|path| path.key()).collect();
        let keys: Vec<String> = keys.into_iter().collect();
        let rows = operation::waiting_of_session(self.db.reader(), session, &keys).await?;
        let rejected: Vec<OperationId> =
            rows.iter().filter(|row| row.state == OperationState::Rejected).map(|row| row.id).collect();
        let layout = Layout::of(&rows, |id| Some(!rejected.contains(&id)));
        let rows = rows.into_iter().filter(|row| row.state != OperationState::Rejected).collect();
        Ok(View::of(rows, layout))
    }
}

impl View {
    fn of(rows: Vec<OperationRow>, layout: Layout) -> Self {
        let mut contents: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, row) in rows.iter().enumerate() {
            let waits = matches!(row.state, OperationState::Undecided | OperationState::Accepted);
            if waits && !is_whole(row.proposal.kind) {
                let place = &row.proposal.place;
                contents.entry(key(layout.on_disk(row.id, place), place)).or_default().push(at);
            }
        }
        Self { rows, layout, contents }
    }

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
        let rows = self.contents.get(&key(self.disk(place), place));
        rows.into_iter().flatten().filter_map(|at| self.rows.get(*at))
    }

    /// The moves that wait, up to and with `last`, by where each finds its file and where it leaves it.
    pub fn moves_until(&self, last: OperationId) -> Vec<(FilePlace, FilePlace)> {
        let moves = self.rows.iter().filter(|row| row.proposal.kind == OperationKind::Move && row.id <= last);
        let ends = |row: &OperationRow| {
            let from = self.layout.in_turn(row.id, &row.proposal.place);
            Some((from, self.layout.target_in_turn(row.id)?))
        };
        moves.filter_map(ends).collect()
    }

    /// Places on disk that waiting moves leave.
    pub fn leaving(&self) -> Vec<FilePlace> {
        let moves = self.rows.iter().filter(|row| row.proposal.kind == OperationKind::Move);
        moves.filter_map(|row| self.layout.on_disk(row.id, &row.proposal.place)).collect()
    }
}

fn key(disk: Option<FilePlace>, named: &FilePlace) -> (bool, KbId, String) {
    let place = disk.as_ref().unwrap_or(named);
    (disk.is_some(), place.kb_id, place.path.key())
}
