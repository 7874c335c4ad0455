//! Contents that are brought to the disk together, before each of them gets its name: a disk is as quick
//! with many as with one.

use std::{collections::BTreeMap, ops::Range, thread};

use orangery_domain::KbId;
use orangery_store::{
    root::{CheckedPath, Staged},
    table::journal::{Act, Step},
};

use super::write::{Reached, Tools, stage};
use crate::stop::Point;

/// Contents staged at once: what a kill can leave lying about for the next start to clear away.
const MOST: usize = 256;
const MOST_BYTES: usize = 64 << 20;
/// Waiting for the disk costs a thread and no time of the processor.
const THREADS: usize = 32;

/// The batch that is being written.
#[derive(Default)]
pub struct Ahead {
    steps: Range<usize>,
    staged: BTreeMap<usize, Staged>,
    /// Where names were given that are not on the disk yet.
    folders: BTreeMap<(KbId, String), CheckedPath>,
}

impl Ahead {
    /// Ends the batch before step `at`, unless that is one of it, and stages what can be written together
    /// from there on. What cannot be staged is left to its turn, which says why.
    ///
    /// # Errors
    /// When the names that were given do not reach the disk.
    pub fn reach(
        &mut self,
        tools: &Tools<'_>,
        steps: &[Step],
        at: usize,
        reached: &[Reached],
    ) -> orangery_store::Result<()> {
        if self.steps.contains(&at) {
            return Ok(());
        }
        self.name()?;
        let mut bytes = 0;
        let together = |step: &&Step| {
            let size = step.new.and_then(|new| tools.contents.get(&new)).map_or(0, Vec::len);
            bytes += size;
            step.act == Act::Content && !step.folder && bytes <= MOST_BYTES
        };
        let count = steps.iter().skip(at).take(MOST).take_while(together).count();
        self.steps = at..at + count;
        self.staged.clear();
        // One alone gains nothing.
        if count < 2 {
            return Ok(());
        }
        for (at, step) in steps.iter().enumerate().skip(at).take(count) {
            let Some(new) = step.new.filter(|_| reached.get(at) != Some(&Reached::New)) else { continue };
            let place = &step.place;
            let checked = tools.roots.root(place.kb_id).and_then(|root| root.resolve(&place.path));
            let staged =
                checked.and_then(|checked| stage(tools, &checked, new, step.old.is_some(), step.mode));
            if let Ok(staged) = staged {
                self.folders.entry(folder_of(step)).or_insert_with(|| staged.target().clone());
                self.staged.insert(at, staged);
            }
        }
        self.sync();
        tools.seam.point(Point::Synced);
        Ok(())
    }

    /// Keeps what reached the disk.
    fn sync(&mut self) {
        let all: Vec<(usize, Staged)> = std::mem::take(&mut self.staged).into_iter().collect();
        let share = all.len().div_ceil(THREADS).max(1);
        let lost: Vec<usize> = thread::scope(|scope| {
            let part = |part: &[(usize, Staged)]| -> Vec<usize> {
                part.iter().filter(|(_, staged)| staged.sync().is_err()).map(|(at, _)| *at).collect()
            };
            let threads: Vec<_> = all.chunks(share).map(|chunk| scope.spawn(move || part(chunk))).collect();
            // A thread that died synced nothing that can be counted on.
            let shares = threads.into_iter().zip(all.chunks(share));
            let lost = |(thread, chunk): (thread::ScopedJoinHandle<'_, Vec<usize>>, &[(usize, Staged)])| {
                thread.join().unwrap_or_else(|_| chunk.iter().map(|(at, _)| *at).collect())
            };
            shares.flat_map(lost).collect()
        });
        self.staged.extend(all.into_iter().filter(|(at, _)| !lost.contains(at)));
    }

    /// The content of step `at`, on the disk.
    pub fn take(&mut self, at: usize) -> Option<Staged> {
        self.staged.remove(&at)
    }

    /// Brings the names that were given to the disk, and clears away what was staged and not put.
    pub fn end(mut self) -> orangery_store::Result<()> {
        self.staged.clear();
        self.name()
    }

    fn name(&mut self) -> orangery_store::Result<()> {
        std::mem::take(&mut self.folders).into_values().try_for_each(|within| within.sync_parent())
    }
}

fn folder_of(step: &Step) -> (KbId, String) {
    let parent = step.place.path.parent().map(|parent| parent.key()).unwrap_or_default();
    (step.place.kb_id, parent)
}
