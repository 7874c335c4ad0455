//! Where files are while moves of their own change set wait, run, or are left out.
//!
//! Every operation names its file by where the operations before it leave that file. Which of them
//! happen is only known when they are applied.

use orangery_domain::{FilePlace, OperationId, OperationKind, OperationState};
use orangery_store::table::operation::OperationRow;

use super::{carried, is_within};

/// A move of the set that has not happened yet.
#[derive(Debug, Clone)]
struct Shift {
    id: OperationId,
    from: FilePlace,
    to: FilePlace,
    taken: bool,
}

/// The moves of a set that are not applied, oldest first.
#[derive(Debug, Default)]
pub struct Layout(Vec<Shift>);

impl Layout {
    /// `taken` says which moves happen; absent, the move is one of before.
    pub fn of(rows: &[OperationRow], taken: impl Fn(OperationId) -> Option<bool>) -> Self {
        let waiting = rows
            .iter()
            .filter(|row| row.proposal.kind == OperationKind::Move && row.state != OperationState::Applied);
        let shift = |row: &OperationRow| {
            let to = row.proposal.target.clone()?;
            let taken = taken(row.id)?;
            Some(Shift { id: row.id, from: row.proposal.place.clone(), to, taken })
        };
        Self(waiting.filter_map(shift).collect())
    }

    fn before(&self, id: OperationId) -> impl DoubleEndedIterator<Item = &Shift> {
        self.0.iter().filter(move |shift| shift.id < id)
    }

    /// Where the file that `id` names as `place` is when its turn comes: moves that are left out did not
    /// happen.
    pub fn in_turn(&self, id: OperationId, place: &FilePlace) -> FilePlace {
        let mut here = place.clone();
        // The same place in the words of the moves, which know nothing of what was left out.
        let mut named = place.clone();
        for shift in self.before(id).rev() {
            let Some(back) = carried(&named, &shift.to, &shift.from) else { continue };
            if !shift.taken {
                here = carried(&here, &shift.to, &shift.from).unwrap_or(here);
            }
            named = back;
        }
        here
    }

    /// As [`Layout::in_turn`], once all of the set is done: where what waits for the end is then.
    pub fn at_the_end(&self, id: OperationId, place: &FilePlace) -> FilePlace {
        let mut here = self.in_turn(id, place);
        for shift in self.0.iter().filter(|shift| shift.taken && shift.id > id) {
            let (from, to) = (self.in_turn(shift.id, &shift.from), self.target_in_turn(shift.id));
            if let Some(to) = to {
                here = carried(&here, &from, &to).unwrap_or(here);
            }
        }
        here
    }

    /// Where a move leads when its turn comes: a rename stays in the folder in which the file is.
    pub fn target_in_turn(&self, id: OperationId) -> Option<FilePlace> {
        let shift = self.0.iter().find(|shift| shift.id == id)?;
        let renamed =
            shift.from.kb_id == shift.to.kb_id && shift.from.path.parent() == shift.to.path.parent();
        if !renamed {
            return Some(shift.to.clone());
        }
        let from = self.in_turn(id, &shift.from);
        let path = from.path.parent()?.join(shift.to.path.name()).ok()?;
        Some(FilePlace { kb_id: from.kb_id, path })
    }

    /// Where on disk the file lies now that will be at `place` when the turn of `id` comes; `None` when
    /// what lies there now has gone by then.
    pub fn on_disk(&self, id: OperationId, place: &FilePlace) -> Option<FilePlace> {
        let mut here = self.in_turn(id, place);
        for shift in self.before(id).rev().filter(|shift| shift.taken) {
            let from = self.in_turn(shift.id, &shift.from);
            let Some(to) = self.target_in_turn(shift.id) else { continue };
            if let Some(back) = carried(&here, &to, &from) {
                here = back;
            } else if is_within(&here, &from) {
                return None;
            }
        }
        Some(here)
    }
}

#[cfg(test)]
mod tests {
    use orangery_domain::{KbId, KbPath};

    use super::*;

    fn place(path: &str) -> FilePlace {
        FilePlace { kb_id: KbId(1), path: KbPath::parse(path).unwrap() }
    }

    fn layout(moves: &[(i64, &str, &str, bool)]) -> Layout {
        let shift = |(id, from, to, taken): &(i64, &str, &str, bool)| Shift {
            id: OperationId(*id),
            from: place(from),
            to: place(to),
            taken: *taken,
        };
        Layout(moves.iter().map(shift).collect())
    }

    #[track_caller]
    fn check(layout: &Layout, id: i64, named: &str, in_turn: &str, on_disk: Option<&str>, end: &str) {
        let (id, named) = (OperationId(id), place(named));
        assert_eq!(layout.in_turn(id, &named), place(in_turn), "in turn");
        assert_eq!(layout.on_disk(id, &named), on_disk.map(place), "on disk");
        assert_eq!(layout.at_the_end(id, &named), place(end), "at the end");
    }

    #[test]
    fn files_are_followed_through_what_is_taken_and_what_is_not() {
        let both = layout(&[(2, "a", "b", true), (4, "b", "c", true)]);
        check(&both, 1, "a", "a", Some("a"), "c");
        check(&both, 3, "b", "b", Some("a"), "c");
        check(&both, 5, "c", "c", Some("a"), "c");
        // A new file in the old place.
        check(&both, 5, "a", "a", None, "a");
        let second = layout(&[(2, "a", "b", false), (4, "b", "c", true)]);
        check(&second, 3, "b", "a", Some("a"), "c");
        check(&second, 5, "c", "c", Some("a"), "c");
        let neither = layout(&[(2, "a", "b", false), (4, "b", "c", false)]);
        check(&neither, 5, "c", "a", Some("a"), "a");
    }

    #[test]
    fn a_rename_stays_in_the_folder_that_was_not_moved() {
        let inner = layout(&[(1, "p", "q", false), (2, "q/a", "q/b", true)]);
        assert_eq!(inner.target_in_turn(OperationId(2)), Some(place("p/b")));
        check(&inner, 3, "q/b", "p/b", Some("p/a"), "p/b");
        let outer = layout(&[(1, "p", "q", true), (2, "q/a", "q/b", false)]);
        check(&outer, 3, "q/b", "q/a", Some("p/a"), "q/a");
        check(&outer, 3, "q/deep/c", "q/deep/c", Some("p/deep/c"), "q/deep/c");
    }
}
