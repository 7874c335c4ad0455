//! The processes of Linux, from `/proc`.

use std::collections::HashSet;
use std::ffi::OsString;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::below;

/// Linux has orphans adopted by the nearest ancestor that asked for it: nothing has to be remembered.
#[derive(Default)]
pub(crate) struct Known(());

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub id: Pid,
    pub parent: Pid,
    /// Ticks since the start of the system; tells a process from a later one with the same number.
    started: u64,
    dead: bool,
}

impl Known {
    pub(crate) fn mark(&mut self, _environment: &mut Vec<(OsString, OsString)>) {}

    pub(crate) fn group(&mut self, _leader: Pid) {}

    pub(crate) fn note(&mut self, _root: Pid) {}

    pub(crate) fn members(&mut self, root: Pid, except: &[Pid]) -> Vec<Entry> {
        let entries = entries();
        let found = below(&entries, &HashSet::from([root]), except);
        // Who is dead waits for its parent to take note, which ends with the parent.
        entries.into_iter().filter(|entry| found.contains(&entry.id) && !entry.dead).collect()
    }
}

impl Entry {
    /// Sends `signals` to this process and no other, whatever became of its number meanwhile.
    pub(crate) fn signal(&self, signals: &[Signal]) {
        let Ok(handle) = pidfd_open(self.id, PidfdFlags::empty()) else { return };
        // The handle is of whoever has the number now: the same one only if it began at the same time.
        if entry(self.id).is_none_or(|now| now.started != self.started) {
            return;
        }
        for signal in signals {
            // It may have ended, which is what is wanted.
            let _ = pidfd_send_signal(&handle, *signal);
        }
    }
}

/// Children of `id`, the process with a single thread that asks. Quick, and empty where the kernel does
/// not offer it.
pub(crate) fn children(id: Pid) -> Vec<Pid> {
    let id = id.as_raw_nonzero();
    let listed = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
    listed.split_ascii_whitespace().filter_map(|id| Pid::from_raw(id.parse().ok()?)).collect()
}

fn entries() -> Vec<Entry> {
    let Ok(folder) = std::fs::read_dir("/proc") else { return Vec::new() };
    folder
        .flatten()
        .filter_map(|item| Pid::from_raw(item.file_name().to_str()?.parse().ok()?))
        .filter_map(entry)
        .collect()
}

fn entry(id: Pid) -> Option<Entry> {
    let line = std::fs::read(format!("/proc/{}/stat", id.as_raw_nonzero())).ok()?;
    parse(id, &String::from_utf8_lossy(&line))
}

/// `proc_pid_stat(5)`: the name in brackets may hold anything, so fields count from the last bracket.
fn parse(id: Pid, line: &str) -> Option<Entry> {
    let (_, fields) = line.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace();
    let dead = matches!(fields.next()?, "Z" | "X");
    let parent = Pid::from_raw(fields.next()?.parse().ok()?)?;
    // Field 22; the parent is field 4.
    let started = fields.nth(17)?.parse().ok()?;
    Some(Entry { id, parent, started, dead })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: i32) -> Pid {
        Pid::from_raw(number).unwrap()
    }

    #[test]
    fn names_with_brackets_do_not_confuse() {
        let line = "7 (a) b (c) S 3 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 8123 1 2 3";
        let expected = Entry { id: id(7), parent: id(3), started: 8123, dead: false };
        assert_eq!(parse(id(7), line), Some(expected));
        assert_eq!(parse(id(1), "1 (init) S 0 1 1 0 -1 0 1 0 0 0 0 0 0 0 20 0 1 0 5 1 2"), None);
        assert!(parse(id(7), &line.replace(" S ", " Z ")).unwrap().dead);
    }

    #[test]
    fn this_process_is_in_the_table() {
        let own = rustix::process::getpid();
        let entries = entries();
        let found = entries.iter().find(|entry| entry.id == own).unwrap();
        assert_eq!(Some(found.parent), rustix::process::getppid());
        let parents = HashSet::from([found.parent]);
        assert!(below(&entries, &parents, &[]).contains(&own));
        assert!(!below(&entries, &parents, &[own]).contains(&own));
    }
}
