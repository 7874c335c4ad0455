//! The processes of macOS and other Unixes, from `ps`.
//!
//! Nobody there adopts orphans, so who was seen below the shell, or in its process group, is remembered,
//! and a variable marks whatever the command starts. A process that leaves the group, loses its parent
//! between two looks and hides its variables, as the system's own programs do, is not found; macOS has no
//! call that would tell of it.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::time::SystemTime;

use rustix::process::{Pid, Signal, getpid, kill_process};

use super::below;

const MARK: &str = "ORANGERY_COMMAND";

/// All processes, all of each line, with variables behind the arguments.
const SWITCHES: &str = if cfg!(target_vendor = "apple") { "-axwwE" } else { "-axwwe" };

#[derive(Default)]
pub(crate) struct Known {
    mark: Option<String>,
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
    /// The value of the mark, if it can be seen.
    mark: Option<String>,
}

impl Known {
    pub(crate) fn mark(&mut self, environment: &mut Vec<(OsString, OsString)>) {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let mark = format!("{}-{}", getpid().as_raw_nonzero(), now.as_nanos());
        environment.push((MARK.into(), mark.clone().into()));
        self.mark = Some(mark);
    }

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
                    || (entry.mark.is_some() && entry.mark == self.mark)
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

/// Nobody falls to this process here.
pub(crate) fn children(_id: Pid) -> Vec<Pid> {
    Vec::new()
}

fn entries() -> Vec<Entry> {
    let output = Command::new("/bin/ps")
        .args([SWITCHES, "-o", "pid=,ppid=,pgid=,stat=,lstart=,command="])
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
    // Week day, month, day, time and year.
    let started = fields.by_ref().take(5).collect::<Vec<_>>().join(" ");
    let mark = fields.find_map(|word| word.strip_prefix(MARK)?.strip_prefix('=').map(str::to_owned));
    let (id, parent, group) = (Pid::from_raw(id)?, Pid::from_raw(parent)?, Pid::from_raw(group));
    Some(Entry { id, parent, group, started, dead, mark })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_a_mark() {
        let line = " 7  3  7 S+   Mon Nov 30 17:19:45 2026 sleep 9 HOME=/x ORANGERY_COMMAND=3-8 A=b";
        let entry = parse(line).unwrap();
        assert_eq!(entry.started, "Mon Nov 30 17:19:45 2026");
        assert_eq!((entry.parent, entry.mark.as_deref()), (Pid::from_raw(3).unwrap(), Some("3-8")));
        assert_eq!(parse(" 7  3  7 Z Mon Nov 30 17:19:45 2026 (sleep)").unwrap().mark, None);
        assert_eq!(parse("7 3"), None);
    }
}
