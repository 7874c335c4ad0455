//! What a confined command could not do, read from what it said.
//!
//! The kernel tells the command, not us: "permission denied" for a file, "network is down" for a socket.
//! A person or model that reads only that looks for the trouble in the wrong place.

use std::fmt;
use std::path::{Component, Path, PathBuf};

/// One kind of refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blocked {
    /// The user may write this file, the confined command may not.
    Write(PathBuf),
    /// Something was denied. The output does not tell whether it was by the walls.
    PerhapsWrite,
    Network,
}

impl fmt::Display for Blocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(path) => {
                write!(
                    f,
                    "the confinement refused to write {}, which lies outside of the folders of this session",
                    path.display()
                )
            }
            Self::PerhapsWrite => {
                write!(
                    f,
                    "the command is confined: writing outside of the folders of this session is refused"
                )
            }
            Self::Network => write!(f, "the command is confined: it has no network"),
        }
    }
}

/// `EACCES` as C libraries, Node, Python, Go, Rust and Java say it.
const DENIED: [&str; 5] = ["permission denied", "eacces", "access denied", "权限不够", "permissionerror"];

/// A refused socket, and what comes of it when names are looked up.
const NO_NETWORK: [&str; 8] = [
    "network is down",
    "enetdown",
    "could not resolve",
    "temporary failure in name resolution",
    "name or service not known",
    "eai_again",
    "网络已关闭",
    "域名解析暂时失败",
];

/// What `output` of a command in `folder` tells. `is_open` knows where it may write, `could_write` what
/// the user may.
pub(crate) fn recognise(
    output: &str,
    folder: &Path,
    is_open: impl Fn(&Path) -> bool,
    could_write: impl Fn(&Path) -> bool,
) -> Vec<Blocked> {
    let mut blocked = Vec::new();
    let mut denied = false;
    for line in output.lines() {
        let lower = line.to_lowercase();
        if NO_NETWORK.iter().any(|words| lower.contains(words)) && !blocked.contains(&Blocked::Network) {
            blocked.push(Blocked::Network);
        }
        if !DENIED.iter().any(|words| lower.contains(words)) {
            continue;
        }
        denied = true;
        let path = candidates(line)
            .map(|name| plain(&folder.join(name)))
            .find(|path| !is_open(path) && could_write(path));
        if let Some(path) = path
            && !blocked.contains(&Blocked::Write(path.clone()))
        {
            blocked.push(Blocked::Write(path));
        }
    }
    if denied && !blocked.iter().any(|one| matches!(one, Blocked::Write(_))) {
        blocked.push(Blocked::PerhapsWrite);
    }
    blocked
}

/// Parts of an error message that may be the file: what is quoted, what stands before the last colon,
/// and words that begin with a slash.
fn candidates(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split(['\'', '"', '`', '‘', '’', '“', '”']).skip(1).step_by(2);
    let before_colon = line.rsplit(": ").nth(1);
    let words = line.split_whitespace().map(|word| word.trim_matches([':', ',', ';', '(', ')']));
    quoted
        .chain(before_colon)
        .chain(words.filter(|word| word.starts_with('/')))
        .filter(|name| !name.is_empty())
}

/// Without `.` and `..`, by their names alone: what is asked for may not exist.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(output: &str, expected: &[Blocked]) {
        let is_open = |path: &Path| path.starts_with("/notes");
        let could_write = |path: &Path| path.starts_with("/home/me");
        assert_eq!(recognise(output, Path::new("/notes/sub"), is_open, could_write), expected, "{output}");
    }

    #[test]
    fn a_refused_write_is_told_from_a_denied_one() {
        let write = |path: &str| vec![Blocked::Write(path.into())];
        check("bash: line 1: /home/me/x: Permission denied", &write("/home/me/x"));
        check("touch: cannot touch '/home/me/a b': Permission denied", &write("/home/me/a b"));
        check("touch: 无法 touch ‘/home/me/甲’: 权限不够", &write("/home/me/甲"));
        check("bash: ../../home/me/x: Permission denied", &write("/home/me/x"));
        check("PermissionError: [Errno 13] Permission denied: '/home/me/x'", &write("/home/me/x"));
        check("Error: EACCES: permission denied, open '/home/me/x'", &write("/home/me/x"));
        // The user may not write it either, or it is among the open folders: who knows.
        check("bash: /etc/passwd: Permission denied", &[Blocked::PerhapsWrite]);
        check("bash: line 1: ./run.sh: Permission denied", &[Blocked::PerhapsWrite]);
        check("cat: x: No such file or directory\nall is well", &[]);
    }

    #[test]
    fn a_refused_connection_is_told() {
        check("OSError: [Errno 100] Network is down", &[Blocked::Network]);
        check("curl: (6) Could not resolve host: example.org", &[Blocked::Network]);
        check(
            "bash: connect: Network is down\nbash: /home/me/x: Permission denied\nNetwork is down",
            &[Blocked::Network, Blocked::Write("/home/me/x".into())],
        );
    }
}
