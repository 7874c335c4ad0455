//! The processes of macOS and other Unixes, from `ps`.
//!
//! Nobody there adopts orphans, so who was seen below the shell, or in its process group, is remembered.
//! A process that leaves the group and loses its parent between two looks is not found; macOS has no
//! call that would tell of it.

use std::collections::{HashMap, HashSet};
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use super::below;

#[derive(Default)]
pub(crate) struct Known {
    groups: HashSet<Pid>,
    /// Who was seen, and when it had started.
    seen: HashMap<Pid, String>,
    looks: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub id: Pid,
    pub parent: Pid,
    group: Option<Pid>,
    started: String,
    dead: bool,
}

impl Known {
    pub(crate) fn group(&mut self, leader: Pid) {
        self.groups.insert(leader);
    }

    /// Every tenth time, which is five times a second: `ps` is a process too.
    pub(crate) fn note(&mut self, root: Pid) {
        self.looks += 1;
        if self.looks % 10 == 1 {
            self.members(root, &[]);
        }
    }

    pub(crate) fn members(&mut self, root: Pid, except: &[Pid]) -> Vec<Entry> {
        let entries = entries();
        let mut roots: HashSet<Pid> = entries
            .iter()
            .filter(|entry| {
                self.seen.get(&entry.id) == Some(&entry.started)
                    || entry.group.is_some_and(|group| self.groups.contains(&group))
            })
            .map(|entry| entry.id)
            .collect();
        let mut found = roots.clone();
        roots.insert(root);
        found.extend(below(&entries, &roots, except));
        found.remove(&root);
        let members: Vec<Entry> =
            entries.into_iter().filter(|entry| found.contains(&entry.id) && !entry.dead).collect();
        self.seen.extend(members.iter().map(|entry| (entry.id, entry.started.clone())));
        members
    }
}

impl Entry {
    pub(crate) fn signal(&self, signals: &[Signal]) {
        for signal in signals {
            let _ = kill_process(self.id, *signal);
        }
    }
}

fn entries() -> Vec<Entry> {
    let output = Command::new("/bin/ps")
        .args(["-axo", "pid=,ppid=,pgid=,stat=,lstart="])
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let Ok(output) = output else { return Vec::new() };
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(parse)
        // `ps` itself has ended, but it is in its own list.
        .filter(|entry| rustix::process::test_kill_process(entry.id).is_ok())
        .collect()
}

fn parse(line: &str) -> Option<Entry> {
    let mut fields = line.split_ascii_whitespace();
    let mut number = || fields.next()?.parse().ok();
    let (id, parent, group): (i32, i32, i32) = (number()?, number()?, number()?);
    let dead = fields.next()?.starts_with('Z');
    let started = fields.collect::<Vec<_>>().join(" ");
    let (id, parent, group) = (Pid::from_raw(id)?, Pid::from_raw(parent)?, Pid::from_raw(group));
    Some(Entry { id, parent, group, started, dead })
}
