//! Three texts side by side: what a proposal was made on, what is on disk now, and what the proposal
//! makes of its base.
//!
//! Lines are aligned, with their endings. Changes of one side that no change of the other touches are
//! taken; where both sides change the same lines, or put lines in at the same place, they meet, and
//! somebody has to choose. A changed line beside a changed line of the other side does not meet it, but
//! lines that come or go do: what stands around them is what they were written for.

use std::ops::Range;

use orangery_domain::{LineRange, MergeChoice, MergeKind, MergeRegion};
use similar::DiffOp;

use crate::{
    anchor::line_feeds,
    diff::{Lines, align},
};

/// Rows of the three texts, from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    pub kind: MergeKind,
    pub base: Range<usize>,
    pub disk: Range<usize>,
    pub proposal: Range<usize>,
}

impl From<&Region> for MergeRegion {
    fn from(region: &Region) -> Self {
        let lines = |rows: &Range<usize>| LineRange { start: rows.start as u32 + 1, end: rows.end as u32 };
        Self {
            kind: region.kind,
            base: lines(&region.base),
            disk: lines(&region.disk),
            proposal: lines(&region.proposal),
        }
    }
}

/// Three texts and how they lie beside each other.
#[derive(Debug)]
pub struct Merge<'a> {
    base: Lines<'a>,
    disk: Lines<'a>,
    proposal: Lines<'a>,
    regions: Vec<Region>,
}

/// More or fewer choices than there are regions to choose in.
#[derive(Debug, PartialEq, Eq)]
pub struct Misfit {
    pub regions: usize,
}

impl<'a> Merge<'a> {
    pub fn of(base: &'a str, disk: &'a str, proposal: &'a str) -> Self {
        let (base, disk, proposal) = (Lines::of(base), Lines::of(disk), Lines::of(proposal));
        let ours = changes(&base, &disk);
        let theirs = changes(&base, &proposal);
        let mut merge = Self { base, disk, proposal, regions: Vec::new() };
        merge.lay(&ours, &theirs);
        merge
    }

    /// In order, covering all three texts; neighbours are of different kinds.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// How many regions want a choice.
    pub fn meets(&self) -> usize {
        self.regions.iter().filter(|region| region.kind == MergeKind::Meets).count()
    }

    /// The merged text, with one choice for each region where the sides meet.
    pub fn text(&self, choices: &[MergeChoice]) -> Result<String, Misfit> {
        if choices.len() != self.meets() {
            return Err(Misfit { regions: self.meets() });
        }
        let mut choices = choices.iter();
        let mut out = Text { text: String::new(), ending: self.usual_ending() };
        for region in &self.regions {
            let disk = || self.disk.rows_in(region.disk.clone());
            let proposal = || self.proposal.rows_in(region.proposal.clone());
            match region.kind {
                MergeKind::Same | MergeKind::Disk | MergeKind::Both => out.rows(&disk()),
                MergeKind::Proposal => out.rows(&proposal()),
                MergeKind::Meets => match choices.next() {
                    Some(MergeChoice::Disk) | None => out.rows(&disk()),
                    Some(MergeChoice::Proposal) => out.rows(&proposal()),
                    Some(MergeChoice::Both) => {
                        out.rows(&disk());
                        out.rows(&proposal());
                    }
                    Some(MergeChoice::Text(text)) => out.written(text),
                },
            }
        }
        Ok(out.text)
    }

    fn usual_ending(&self) -> &'static str {
        [&self.disk, &self.proposal].into_iter().find_map(|lines| lines.usual_ending()).unwrap_or("\n")
    }

    /// Groups the changes of both sides into regions.
    fn lay(&mut self, ours: &[Change], theirs: &[Change]) {
        let (mut ours, mut theirs) = (ours.iter().peekable(), theirs.iter().peekable());
        let mut reached = Reached::default();
        loop {
            let disk_first = match (ours.peek(), theirs.peek()) {
                (None, None) => break,
                (Some(a), Some(b)) => a.base.start <= b.base.start,
                (a, _) => a.is_some(),
            };
            let mut group = Group::default();
            if disk_first {
                group.disk.extend(ours.next());
            } else {
                group.proposal.extend(theirs.next());
            }
            loop {
                if let Some(next) = ours.next_if(|next| meets_any(next, &group.proposal)) {
                    group.disk.push(next);
                } else if let Some(next) = theirs.next_if(|next| meets_any(next, &group.disk)) {
                    group.proposal.push(next);
                } else {
                    break;
                }
            }
            self.close(&group, &mut reached);
        }
        let rest = self.base.count() - reached.base;
        self.same(rest, &mut reached);
    }

    /// Adds the region of `group`, and before it the lines that nobody changed.
    fn close(&mut self, group: &Group<'_>, reached: &mut Reached) {
        let all = || group.disk.iter().chain(&group.proposal);
        let start = all().map(|change| change.base.start).min().unwrap_or(reached.base);
        let end = all().map(|change| change.base.end).max().unwrap_or(start);
        self.same(start - reached.base, reached);
        let grown = |changes: &[&Change]| {
            let side: usize = changes.iter().map(|change| change.side.len()).sum();
            let base: usize = changes.iter().map(|change| change.base.len()).sum();
            end - start + side - base
        };
        let disk = reached.disk..reached.disk + grown(&group.disk);
        let proposal = reached.proposal..reached.proposal + grown(&group.proposal);
        let kind = match (group.disk.is_empty(), group.proposal.is_empty()) {
            (false, true) => MergeKind::Disk,
            (true, _) => MergeKind::Proposal,
            _ if self.disk.rows_in(disk.clone()) == self.proposal.rows_in(proposal.clone()) => {
                MergeKind::Both
            }
            _ => MergeKind::Meets,
        };
        *reached = Reached { base: end, disk: disk.end, proposal: proposal.end };
        self.push(Region { kind, base: start..end, disk, proposal });
    }

    fn same(&mut self, rows: usize, reached: &mut Reached) {
        if rows == 0 {
            return;
        }
        let Reached { base, disk, proposal } = *reached;
        *reached = Reached { base: base + rows, disk: disk + rows, proposal: proposal + rows };
        self.push(Region {
            kind: MergeKind::Same,
            base: base..base + rows,
            disk: disk..disk + rows,
            proposal: proposal..proposal + rows,
        });
    }

    /// Adds a region; one of the kind of its neighbour becomes one with it.
    fn push(&mut self, region: Region) {
        match self.regions.last_mut() {
            Some(last) if last.kind == region.kind => {
                last.base.end = region.base.end;
                last.disk.end = region.disk.end;
                last.proposal.end = region.proposal.end;
            }
            _ => self.regions.push(region),
        }
    }
}

#[derive(Debug, Default, Clone, Copy)]
struct Reached {
    base: usize,
    disk: usize,
    proposal: usize,
}

/// Changes of both sides that belong together.
#[derive(Default)]
struct Group<'a> {
    disk: Vec<&'a Change>,
    proposal: Vec<&'a Change>,
}

/// Rows of the base that one side made into others.
#[derive(Debug)]
struct Change {
    base: Range<usize>,
    side: Range<usize>,
}

impl Change {
    /// Line for line, so that what stands beside it is not concerned.
    fn is_line_for_line(&self) -> bool {
        self.base.len() == self.side.len()
    }
}

fn changes(base: &Lines<'_>, side: &Lines<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for op in align(&base.rows(), &side.rows()) {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let whole = Change { base: op.old_range(), side: op.new_range() };
        if whole.is_line_for_line() {
            let lines = whole.base.zip(whole.side);
            let changed = lines.filter(|(a, b)| base.full(*a) != side.full(*b));
            out.extend(changed.map(|(a, b)| Change { base: a..a + 1, side: b..b + 1 }));
        } else {
            out.push(whole);
        }
    }
    out
}

fn meets_any(change: &Change, others: &[&Change]) -> bool {
    others.iter().any(|other| {
        if change.is_line_for_line() && other.is_line_for_line() {
            change.base.start < other.base.end && other.base.start < change.base.end
        } else {
            change.base.start <= other.base.end && other.base.start <= change.base.end
        }
    })
}

/// A text that grows by lines.
struct Text {
    text: String,
    ending: &'static str,
}

impl Text {
    fn rows(&mut self, rows: &[&str]) {
        for row in rows {
            self.part();
            self.text.push_str(row);
        }
    }

    fn written(&mut self, text: &str) {
        if !text.is_empty() {
            self.part();
            self.text.push_str(&line_feeds(text).replace('\n', self.ending));
        }
    }

    /// A last line without a line break gets one when more follows.
    fn part(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with(['\n', '\r']) {
            self.text.push_str(self.ending);
        }
    }
}

#[cfg(test)]
mod tests {
    use MergeKind::{Both, Disk, Meets, Proposal, Same};
    use proptest::prelude::*;

    use super::*;

    fn kinds(base: &str, disk: &str, proposal: &str) -> Vec<MergeKind> {
        Merge::of(base, disk, proposal).regions().iter().map(|region| region.kind).collect()
    }

    #[test]
    fn sides_that_lie_apart_are_both_taken() {
        let (base, disk, proposal) = ("a\nb\nc\nd\n", "0\na\nb\nc\nd\n", "a\nb\nc\nD\n");
        assert_eq!(kinds(base, disk, proposal), [Disk, Same, Proposal]);
        assert_eq!(Merge::of(base, disk, proposal).text(&[]), Ok("0\na\nb\nc\nD\n".into()));
        // Line beside line.
        assert_eq!(kinds("a\nb\n", "A\nb\n", "a\nB\n"), [Disk, Proposal]);
        assert_eq!(kinds("a\nb\n", "A\nB\n", "a\nB\n"), [Disk, Both]);
    }

    #[test]
    fn sides_that_meet_want_a_choice() {
        let merge = Merge::of("a\nb\nc\n", "a\nours\nc\n", "a\ntheirs\nand more\nc\n");
        assert_eq!(
            merge.regions().iter().map(MergeRegion::from).collect::<Vec<_>>()[1],
            MergeRegion {
                kind: Meets,
                base: LineRange { start: 2, end: 2 },
                disk: LineRange { start: 2, end: 2 },
                proposal: LineRange { start: 2, end: 3 },
            }
        );
        let text = |choice| merge.text(&[choice]).unwrap();
        assert_eq!(text(MergeChoice::Disk), "a\nours\nc\n");
        assert_eq!(text(MergeChoice::Proposal), "a\ntheirs\nand more\nc\n");
        assert_eq!(text(MergeChoice::Both), "a\nours\ntheirs\nand more\nc\n");
        assert_eq!(text(MergeChoice::Text("mine".into())), "a\nmine\nc\n");
        assert_eq!(text(MergeChoice::Text(String::new())), "a\nc\n");
        assert_eq!(merge.text(&[]), Err(Misfit { regions: 1 }));
        assert_eq!(merge.text(&[MergeChoice::Disk, MergeChoice::Disk]), Err(Misfit { regions: 1 }));
    }

    #[test]
    fn lines_that_come_or_go_beside_a_change_meet_it() {
        assert_eq!(kinds("a\nb\n", "a\nx\nb\n", "a\ny\nb\n"), [Same, Meets, Same]);
        assert_eq!(kinds("a\nb\nc\n", "a\nc\n", "a\nb\nx\nc\n"), [Same, Meets, Same]);
        assert_eq!(kinds("a\nb\n", "a\nb\nx\n", "a\nb\nx\n"), [Same, Both]);
        assert_eq!(kinds("", "x\n", "y\n"), [Meets]);
        assert_eq!(kinds("", "", ""), []);
    }

    #[test]
    fn endings_are_the_files_and_a_last_line_is_parted() {
        let merge = Merge::of("a\r\nb", "a\r\nours", "a\r\ntheirs\r\nmore");
        assert_eq!(merge.text(&[MergeChoice::Both]), Ok("a\r\nours\r\ntheirs\r\nmore".into()));
        assert_eq!(merge.text(&[MergeChoice::Text("x\ny\n".into())]), Ok("a\r\nx\r\ny\r\n".into()));
    }

    prop_compose! {
        fn lines_text()(lines in proptest::collection::vec(("[abc汉]{0,2}", 0usize..6), 0..10), rest in "[ab]{0,2}") -> String {
            let mut text = String::new();
            for (line, ending) in lines {
                text += &line;
                text += ["\n", "\n", "\n", "\n", "\r\n", "\r"][ending];
            }
            text + &rest
        }
    }

    prop_compose! {
        /// A text and one made of it.
        fn changed(from: String)(cuts in proptest::collection::vec((any::<prop::sample::Index>(), 0usize..3, lines_text()), 0..3)) -> String {
            let mut rows: Vec<String> = Lines::of(&from).rows().into_iter().map(str::to_owned).collect();
            for (at, gone, new) in cuts {
                let start = at.index(rows.len() + 1);
                let end = (start + gone).min(rows.len());
                rows.splice(start..end, [new]);
            }
            rows.concat()
        }
    }

    fn three() -> impl Strategy<Value = (String, String, String)> {
        lines_text().prop_flat_map(|base| (Just(base.clone()), changed(base.clone()), changed(base)))
    }

    proptest! {
        #[test]
        fn regions_cover_all_three_and_mean_what_they_say((base, disk, proposal) in three()) {
            let merge = Merge::of(&base, &disk, &proposal);
            let (mut b, mut d, mut p) = (String::new(), String::new(), String::new());
            for region in merge.regions() {
                let own = merge.base.rows_in(region.base.clone());
                let ours = merge.disk.rows_in(region.disk.clone());
                let theirs = merge.proposal.rows_in(region.proposal.clone());
                match region.kind {
                    Same => prop_assert!(own == ours && own == theirs),
                    Disk => prop_assert!(own == theirs && own != ours),
                    Proposal => prop_assert!(own == ours && own != theirs),
                    Both => prop_assert!(ours == theirs && own != ours),
                    Meets => prop_assert!(ours != theirs && own != ours && own != theirs),
                }
                b += &own.concat();
                d += &ours.concat();
                p += &theirs.concat();
            }
            prop_assert_eq!((b, d, p), (base, disk, proposal));
        }

        #[test]
        fn one_side_alone_is_that_side((base, side, _) in three()) {
            prop_assert_eq!(Merge::of(&base, &base, &side).text(&[]), Ok(side.clone()));
            prop_assert_eq!(Merge::of(&base, &side, &base).text(&[]), Ok(side.clone()));
            prop_assert_eq!(Merge::of(&base, &side, &side).text(&[]), Ok(side));
        }

        #[test]
        fn sides_can_be_swapped((base, disk, proposal) in three()) {
            let (one, two) = (Merge::of(&base, &disk, &proposal), Merge::of(&base, &proposal, &disk));
            let swap = |kind| match kind { Disk => Proposal, Proposal => Disk, same => same };
            prop_assert_eq!(
                one.regions().iter().map(|region| (region.kind, region.base.clone())).collect::<Vec<_>>(),
                two.regions().iter().map(|region| (swap(region.kind), region.base.clone())).collect::<Vec<_>>()
            );
            let ours = one.text(&vec![MergeChoice::Disk; one.meets()]);
            prop_assert_eq!(ours, two.text(&vec![MergeChoice::Proposal; two.meets()]));
        }

        /// Every line of the merged text stands in one of the texts, and what only one side changed is
        /// there.
        #[test]
        fn nothing_is_made_up((base, disk, proposal) in three()) {
            let merge = Merge::of(&base, &disk, &proposal);
            let bodies = |text: &str| -> Vec<String> {
                let lines = Lines::of(text);
                (0..lines.count()).map(|row| lines.body(row).to_owned()).collect()
            };
            let known: Vec<String> = bodies(&disk).into_iter().chain(bodies(&proposal)).collect();
            let merged = merge.text(&vec![MergeChoice::Both; merge.meets()]).unwrap();
            for line in bodies(&merged) {
                prop_assert!(known.contains(&line), "{:?}", line);
            }
        }
    }
}
