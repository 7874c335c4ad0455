//! Everything that comes from one process, and its end.

#[cfg(target_os = "linux")]
#[path = "tree/proc.rs"]
mod table;
#[cfg(not(target_os = "linux"))]
#[path = "tree/ps.rs"]
mod table;

use std::collections::HashSet;
use std::ffi::OsString;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitStatus, getpid, kill_process};

use super::reap;
use table::{Entry, Known};

/// Between the polite signal and the one that cannot be refused.
const GRACE: Duration = Duration::from_millis(400);

/// After which a process that the system does not end is given up. Together with the grace this stays
/// well below the two seconds in which a reply is due.
const PATIENCE: Duration = Duration::from_millis(1000);

const STEP: Duration = Duration::from_millis(2);

pub(super) struct Tree {
    root: Pid,
    except: Vec<Pid>,
    known: Known,
}

impl Tree {
    pub(super) fn below_this_process() -> Self {
        Self { root: getpid(), except: Vec::new(), known: Known::default() }
    }

    /// Marks what will run with `environment`, where nobody adopts.
    pub(super) fn marked(mut self, environment: &mut Vec<(OsString, OsString)>) -> Self {
        self.known.mark(environment);
        self
    }

    /// The shell leads the group of what it starts, which finds them where nobody adopts.
    pub(super) fn of_shell(mut self, shell: Pid) -> Self {
        self.known.group(shell);
        self
    }

    /// Leaves these, and what comes from them, alone.
    pub(super) fn except(mut self, others: Vec<Pid>) -> Self {
        self.except = others;
        self
    }

    /// To be called now and then where orphans are not adopted: remembers who belongs to whom.
    pub(super) fn note(&mut self) {
        self.known.note(self.root);
    }

    /// Ends everything, politely first; how many would not end. `ended` hears of children of this process.
    pub(super) fn end_all(&mut self, mut ended: impl FnMut(Pid, WaitStatus)) -> u32 {
        if !self.any_left(&mut ended) {
            return 0;
        }
        self.signal(&[Signal::TERM, Signal::CONT]);
        if self.wait(GRACE, &mut ended) {
            return 0;
        }
        if self.kill(PATIENCE, &mut ended) {
            return 0;
        }
        u32::try_from(self.members().len()).unwrap_or(u32::MAX)
    }

    /// Kills until all are gone, or `limit` is over; whether they are.
    ///
    /// Who forks while the signals go out has a child that got none, and who forks and ends all the time
    /// is gone from any list before it is read. So those who have fallen to this process are killed as
    /// fast as they come, which is faster than they can fork.
    fn kill(&mut self, limit: Duration, ended: &mut impl FnMut(Pid, WaitStatus)) -> bool {
        let end = Instant::now() + limit;
        let mut killed = HashSet::new();
        let mut next_round = Instant::now();
        loop {
            if Instant::now() >= next_round {
                self.signal(&[Signal::KILL]);
                next_round = Instant::now() + STEP * 5;
            }
            if !self.any_left(ended) {
                return true;
            }
            if Instant::now() >= end {
                return false;
            }
            let adopted = table::children(self.root);
            let fresh: Vec<Pid> =
                adopted.into_iter().filter(|id| !self.except.contains(id) && killed.insert(*id)).collect();
            for id in &fresh {
                // A child keeps its number until this process takes note of its end: it is no other.
                let _ = kill_process(*id, Signal::KILL);
            }
            if fresh.is_empty() {
                std::thread::sleep(STEP);
            }
        }
    }

    /// Whether all are gone within `limit`.
    fn wait(&mut self, limit: Duration, ended: &mut impl FnMut(Pid, WaitStatus)) -> bool {
        let end = Instant::now() + limit;
        loop {
            if !self.any_left(ended) {
                return true;
            }
            if Instant::now() >= end {
                return false;
            }
            std::thread::sleep(STEP);
        }
    }

    fn any_left(&mut self, ended: &mut impl FnMut(Pid, WaitStatus)) -> bool {
        let any_child = reap(ended);
        // Where orphans are adopted, who has no child has no descendant.
        let all_hang_on_children = cfg!(target_os = "linux") && self.except.is_empty();
        if all_hang_on_children { any_child } else { !self.members().is_empty() }
    }

    fn signal(&mut self, signals: &[Signal]) {
        for member in self.members() {
            member.signal(signals);
        }
    }

    fn members(&mut self) -> Vec<Entry> {
        self.known.members(self.root, &self.except)
    }
}

/// All of `entries` that come from `roots`, without `except` and what comes from those.
fn below(entries: &[Entry], roots: &HashSet<Pid>, except: &[Pid]) -> HashSet<Pid> {
    let mut found = roots.clone();
    loop {
        let before = found.len();
        for entry in entries {
            if found.contains(&entry.parent) && !except.contains(&entry.id) {
                found.insert(entry.id);
            }
        }
        if found.len() == before {
            return found.difference(roots).copied().collect();
        }
    }
}
