//! Differences between two texts: as edits, and as hunks for a reader.
//!
//! Hunks come from the edits themselves, not from a second look at the two texts. So accepting a hunk is
//! exactly applying its edits, and a diff of a long text costs what its edits cost.

mod heading;
mod lines;
mod words;

use std::{
    ops::Range,
    time::{Duration, Instant},
};

use orangery_domain::{DiffRow, DiffSign, LineRange, TextEdit};
use orangery_store::table::shape::HunkShape;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::edits::{landing, shrink};

use heading::Headings;
pub use lines::{Lines, ending, strip_ending};
pub use words::likeness;

/// Unchanged lines shown around a change.
const CONTEXT: usize = 3;
/// Changes with at most this many unchanged lines between them are one hunk.
const NEAR: usize = 3;
/// After this long the alignment may be coarser than the best one; it is never wrong.
const PATIENCE: Duration = Duration::from_millis(800);

/// Edits that make `new` of `old`: whole lines are aligned, and of a changed line only what differs
/// between the first and the last different character is replaced.
pub fn between(old: &str, new: &str) -> Vec<TextEdit> {
    let (old, new) = (Lines::of(old), Lines::of(new));
    let ops = align(&old.rows(), &new.rows());
    let mut edits = Vec::new();
    for op in ops {
        let (old_rows, new_rows) = match op {
            DiffOp::Equal { .. } => continue,
            op => (op.old_range(), op.new_range()),
        };
        if old_rows.len() == new_rows.len() {
            // Line by line, so that the bytes between two changed words of neighbouring lines stay.
            let pairs = old_rows.zip(new_rows);
            edits.extend(pairs.filter_map(|(a, b)| replaced(&old, a..a + 1, &new, b..b + 1)));
        } else {
            edits.extend(replaced(&old, old_rows, &new, new_rows));
        }
    }
    edits
}

fn replaced(
    old: &Lines<'_>,
    old_rows: Range<usize>,
    new: &Lines<'_>,
    new_rows: Range<usize>,
) -> Option<TextEdit> {
    let insert = new.text().get(new.range(new_rows))?.to_owned();
    let range = old.range(old_rows);
    shrink(old.text(), TextEdit { range, insert })
}

pub(crate) fn align(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let deadline = Instant::now().checked_add(PATIENCE);
    capture_diff_slices_deadline(Algorithm::Patience, old, new, deadline)
}

/// The diff of one text for a reader.
#[derive(Debug, Default)]
pub struct TextDiff {
    pub old_lines: u32,
    pub new_lines: u32,
    pub added: u32,
    pub removed: u32,
    pub hunks: Vec<TextHunk>,
}

/// A run of changes that are decided together.
#[derive(Debug)]
pub struct TextHunk {
    /// Which of the edits.
    pub edits: Range<usize>,
    /// Context included.
    pub old: LineRange,
    pub new: LineRange,
    pub heading_path: Vec<String>,
    pub rows: Vec<DiffRow>,
    /// Rows from 0, from the first changed one to the last, context excluded.
    pub changed: Range<usize>,
    pub became: Range<usize>,
    pub added: u32,
    pub removed: u32,
}

/// Whole rows that a run of edits changes.
#[derive(Debug, Clone)]
struct Change {
    edits: Range<usize>,
    old: Range<usize>,
    new: Range<usize>,
}

/// The hunks of `edits`, where `new` is `old` with them in place. Headings are looked for in Markdown.
pub fn hunks(old: &str, new: &str, edits: &[TextEdit], markdown: bool) -> TextDiff {
    let (old, new) = (Lines::of(old), Lines::of(new));
    let groups = groups(changes(&old, &new, edits));
    let headings = if markdown { Headings::of(&new) } else { Headings::default() };
    let usual = old.usual_ending();

    let mut diff =
        TextDiff { old_lines: old.count() as u32, new_lines: new.count() as u32, ..TextDiff::default() };
    for (at, group) in groups.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| groups.get(at)).and_then(|group| group.last());
        let after = groups.get(at + 1).and_then(|group| group.first());
        let hunk = hunk(&old, &new, group, before, after, &headings, usual);
        diff.added += hunk.added;
        diff.removed += hunk.removed;
        diff.hunks.push(hunk);
    }
    diff
}

/// As [`hunks`], without the rows: what a list of changes needs to know.
pub fn shapes(old: &str, new: &str, edits: &[TextEdit]) -> Vec<HunkShape> {
    let (old, new) = (Lines::of(old), Lines::of(new));
    let shape = |group: Vec<Change>| {
        let mut shape = HunkShape { start: u32::MAX, end: 0, added: 0, removed: 0 };
        for change in group {
            shape.start = shape.start.min(change.edits.start as u32);
            shape.end = shape.end.max(change.edits.end as u32);
            for op in align(&old.rows_in(change.old), &new.rows_in(change.new)) {
                if !matches!(op, DiffOp::Equal { .. }) {
                    shape.added += op.new_range().len() as u32;
                    shape.removed += op.old_range().len() as u32;
                }
            }
        }
        shape
    };
    groups(changes(&old, &new, edits)).into_iter().map(shape).collect()
}

/// Changes that are decided together.
fn groups(changes: Vec<Change>) -> Vec<Vec<Change>> {
    let mut groups: Vec<Vec<Change>> = Vec::new();
    for change in changes {
        match groups.last_mut() {
            Some(group) if group.last().is_some_and(|last| change.old.start - last.old.end <= NEAR) => {
                group.push(change);
            }
            _ => groups.push(vec![change]),
        }
    }
    groups
}

/// Widens each edit to whole rows of both texts; edits that meet in a row become one change.
fn changes(old: &Lines<'_>, new: &Lines<'_>, edits: &[TextEdit]) -> Vec<Change> {
    let landings = landing(edits);
    let mut out: Vec<Change> = Vec::new();
    let mut at = 0;
    while let (Some(edit), Some(landed)) = (edits.get(at), landings.get(at)) {
        // To the left, up to a place where a line starts in both texts.
        let reached = at.checked_sub(1).and_then(|before| edits.get(before)).map_or(0, |edit| edit.range.end);
        let mut row = old.at(edit.range.start);
        let mut start = None;
        loop {
            let from = old.start(row).min(edit.range.start);
            if from < reached {
                break;
            }
            let back = edit.range.start - from;
            if old.is_start(from) && landed.start.checked_sub(back).is_some_and(|from| new.is_start(from)) {
                start = Some((from, landed.start - back));
                break;
            }
            match row.checked_sub(1) {
                Some(above) => row = above,
                None => break,
            }
        }
        // To the right, up to such a place or into the next edit.
        let mut last = at;
        let end = loop {
            let (Some(edit), Some(landed)) = (edits.get(last), landings.get(last)) else {
                break (old.text().len(), new.text().len());
            };
            match settle_right(old, new, edit, landed, edits.get(last + 1)) {
                Some(end) => break end,
                None => last += 1,
            }
        };
        let rows = |start: (usize, usize)| Change {
            edits: at..last + 1,
            old: old.at(start.0)..row_bound(old, end.0),
            new: new.at(start.1)..row_bound(new, end.1),
        };
        match (start, out.last_mut()) {
            (Some(start), _) => out.push(rows(start)),
            // The row started inside what the edit before changed: one change with it.
            (None, Some(before)) => {
                before.edits.end = last + 1;
                before.old.end = row_bound(old, end.0);
                before.new.end = row_bound(new, end.1);
            }
            (None, None) => out.push(rows((0, 0))),
        }
        at = last + 1;
    }
    out
}

/// The first place right of `edit` where a line starts in both texts; `None` if the next edit begins
/// before it.
fn settle_right(
    old: &Lines<'_>,
    new: &Lines<'_>,
    edit: &TextEdit,
    landed: &Range<usize>,
    next: Option<&TextEdit>,
) -> Option<(usize, usize)> {
    let bound = next.map_or(old.text().len(), |next| next.range.start);
    let mut to = edit.range.end;
    loop {
        if to > bound {
            return None;
        }
        let there = landed.end + (to - edit.range.end);
        let ends = to == old.text().len() && there == new.text().len();
        if ends || old.is_start(to) && new.is_start(there) {
            return Some((to, there));
        }
        if to == old.text().len() {
            return None;
        }
        to = old.start(old.at(to) + 1);
    }
}

/// The row after the last one before `offset`, which is a line start or the end of the text.
fn row_bound(lines: &Lines<'_>, offset: usize) -> usize {
    if offset >= lines.text().len() { lines.count() } else { lines.at(offset) }
}

fn hunk(
    old: &Lines<'_>,
    new: &Lines<'_>,
    group: &[Change],
    before: Option<&Change>,
    after: Option<&Change>,
    headings: &Headings,
    usual: Option<&'static str>,
) -> TextHunk {
    let (first, last) = match (group.first(), group.last()) {
        (Some(first), Some(last)) => (first, last),
        _ => unreachable!("a group of changes is never empty"),
    };
    // Context that two hunks could both show is split between them, so that no line is shown twice.
    let gap = before.map_or(first.old.start, |before| first.old.start - before.old.end);
    let lead = if before.is_some() { CONTEXT.min(gap - gap / 2) } else { CONTEXT.min(gap) };
    let gap = after.map_or(old.count() - last.old.end, |after| after.old.start - last.old.end);
    let trail = if after.is_some() { CONTEXT.min(gap / 2) } else { CONTEXT.min(gap) };

    let mut hunk = TextHunk {
        edits: first.edits.start..last.edits.end,
        old: line_range(first.old.start - lead..last.old.end + trail),
        new: line_range(first.new.start - lead..last.new.end + trail),
        heading_path: headings.above(first.new.start.saturating_sub(1)),
        rows: Vec::new(),
        changed: first.old.start..last.old.end,
        became: first.new.start..last.new.end,
        added: 0,
        removed: 0,
    };
    let mut shown = (first.old.start - lead, first.new.start - lead);
    for change in group {
        hunk.same(old, shown, change.old.start - shown.0);
        let (old_rows, new_rows) = (old.rows_in(change.old.clone()), new.rows_in(change.new.clone()));
        for op in align(&old_rows, &new_rows) {
            let (a, b) = (op.old_range(), op.new_range());
            let a = a.start + change.old.start..a.end + change.old.start;
            let b = b.start + change.new.start..b.end + change.new.start;
            if matches!(op, DiffOp::Equal { .. }) {
                hunk.same(old, (a.start, b.start), a.len());
            } else {
                hunk.changed(old, a, new, b, usual);
            }
        }
        shown = (change.old.end, change.new.end);
    }
    hunk.same(old, shown, trail);
    hunk
}

impl TextHunk {
    fn same(&mut self, old: &Lines<'_>, (old_row, new_row): (usize, usize), count: usize) {
        self.rows.extend((0..count).map(|at| DiffRow {
            sign: DiffSign::Same,
            old_line: Some((old_row + at + 1) as u32),
            new_line: Some((new_row + at + 1) as u32),
            text: old.body(old_row + at).to_owned(),
            marks: Vec::new(),
            ending: None,
        }));
    }

    fn changed(
        &mut self,
        old: &Lines<'_>,
        old_rows: Range<usize>,
        new: &Lines<'_>,
        new_rows: Range<usize>,
        usual: Option<&'static str>,
    ) {
        self.removed += old_rows.len() as u32;
        self.added += new_rows.len() as u32;
        let row = |lines: &Lines<'_>, sign, at: usize| DiffRow {
            sign,
            old_line: (sign == DiffSign::Removed).then_some((at + 1) as u32),
            new_line: (sign == DiffSign::Added).then_some((at + 1) as u32),
            text: lines.body(at).to_owned(),
            marks: Vec::new(),
            ending: (ending(lines.full(at)) != usual && usual.is_some())
                .then(|| lines::ending_name(lines.full(at)).to_owned()),
        };
        let mut removed: Vec<DiffRow> = old_rows.clone().map(|at| row(old, DiffSign::Removed, at)).collect();
        let mut added: Vec<DiffRow> = new_rows.clone().map(|at| row(new, DiffSign::Added, at)).collect();
        for (a, b) in pair(&removed, &added) {
            let (Some(gone), Some(came)) = (removed.get_mut(a), added.get_mut(b)) else { continue };
            (gone.marks, came.marks) = words::marks(&gone.text, &came.text);
            let full = (old.full(old_rows.start + a), new.full(new_rows.start + b));
            let differ = ending(full.0) != ending(full.1);
            gone.ending = differ.then(|| lines::ending_name(full.0).to_owned());
            came.ending = differ.then(|| lines::ending_name(full.1).to_owned());
        }
        self.rows.append(&mut removed);
        self.rows.append(&mut added);
    }
}

/// Which removed line became which added one: in order, the most alike first.
fn pair(removed: &[DiffRow], added: &[DiffRow]) -> Vec<(usize, usize)> {
    /// Above this many comparisons lines are paired by position.
    const MOST: usize = 2_500;
    if removed.len() == added.len() || removed.len() * added.len() > MOST {
        return (0..removed.len().min(added.len())).map(|at| (at, at)).collect();
    }
    // Longest common subsequence, weighted by likeness.
    let width = added.len() + 1;
    let mut best = vec![0f32; (removed.len() + 1) * width];
    let mut alike = vec![0f32; removed.len() * width];
    for a in (0..removed.len()).rev() {
        for b in (0..added.len()).rev() {
            let like = likeness(&removed[a].text, &added[b].text);
            let like = if like >= 0.3 { like } else { 0.0 };
            alike[a * width + b] = like;
            best[a * width + b] = (like + best[(a + 1) * width + b + 1])
                .max(best[(a + 1) * width + b])
                .max(best[a * width + b + 1]);
        }
    }
    let (mut a, mut b) = (0, 0);
    let mut pairs = Vec::new();
    while a < removed.len() && b < added.len() {
        let here = best[a * width + b];
        if here == best[(a + 1) * width + b] {
            a += 1;
        } else if here == best[a * width + b + 1] {
            b += 1;
        } else {
            if alike[a * width + b] > 0.0 {
                pairs.push((a, b));
            }
            a += 1;
            b += 1;
        }
    }
    pairs
}

fn line_range(rows: Range<usize>) -> LineRange {
    LineRange { start: rows.start as u32 + 1, end: rows.end as u32 }
}

#[cfg(test)]
mod tests;
