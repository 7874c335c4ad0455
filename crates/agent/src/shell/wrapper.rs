//! Programs whose arguments are another command.
//!
//! A list of programs can never be whole. It holds what is in every system, and for the rest the names
//! that are known to run something in a way that is not worked out here, which is asked.

use super::Word;

/// What a command runs besides itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Inner {
    None,
    Command {
        words: Vec<Word>,
        /// `NAME=value`, which `env` and `sudo` put before it.
        settings: Vec<Word>,
        transparent: bool,
    },
    Commands(Vec<Vec<Word>>),
    /// A line for a shell; absent where it is not known.
    Line(Word),
    Unknown,
}

/// Options of a program that runs another: those that stand alone, and those that take a value.
struct Options {
    alone: &'static [&'static str],
    valued: &'static [&'static str],
}

const SHELLS: [&str; 9] = ["bash", "sh", "dash", "zsh", "ksh", "mksh", "ash", "fish", "rbash"];

const RUN_OTHERS: [&str; 52] = [
    "parallel",
    "watch",
    "flock",
    "chroot",
    "unshare",
    "nsenter",
    "script",
    "su",
    "runuser",
    "pkexec",
    "doas",
    "strace",
    "ltrace",
    "gdb",
    "valgrind",
    "perf",
    "systemd-run",
    "at",
    "batch",
    "entr",
    "tmux",
    "screen",
    "busybox",
    "toybox",
    "ssh",
    "mosh",
    "proot",
    "fakeroot",
    "firejail",
    "bwrap",
    "chpst",
    "runcon",
    "capsh",
    "setpriv",
    "taskset",
    "numactl",
    "chrt",
    "unbuffer",
    "expect",
    "caffeinate",
    "faketime",
    "xvfb-run",
    "dbus-run-session",
    "start-stop-daemon",
    "docker",
    "podman",
    "wsl",
    "cmd",
    "powershell",
    "pwsh",
    "setarch",
    "alias",
];

/// What `words`, whose first is known, runs besides itself.
pub(super) fn inner(words: &[Word]) -> Inner {
    let Some(Some(name)) = words.first() else { return Inner::None };
    let name = name.rsplit('/').next().unwrap_or(name);
    let rest = &words[1..];
    let transparent = |options: &Options, leading: usize| after(rest, options, leading, true);
    match name {
        "nohup" | "setsid" | "builtin" => {
            transparent(&Options { alone: &["-f", "-w", "-c"], valued: &[] }, 0)
        }
        "command" if starts_with_any(rest, &["-v", "-V"]) => Inner::None,
        "command" => transparent(&Options { alone: &["-p"], valued: &[] }, 0),
        "exec" => transparent(&Options { alone: &["-c", "-l"], valued: &["-a"] }, 0),
        "time" => transparent(&Options { alone: &["-p", "-v"], valued: &["-f"] }, 0),
        "nice" => transparent(&Options { alone: &[], valued: &["-n", "--adjustment"] }, 0),
        "ionice" => {
            transparent(&Options { alone: &["-t"], valued: &["-c", "-n", "--class", "--classdata"] }, 0)
        }
        "timeout" => transparent(
            &Options {
                alone: &["--foreground", "--preserve-status", "-v", "--verbose", "-f", "-p"],
                valued: &["-k", "-s", "--kill-after", "--signal"],
            },
            1,
        ),
        "stdbuf" => transparent(
            &Options { alone: &[], valued: &["-i", "-o", "-e", "--input", "--output", "--error"] },
            0,
        ),
        "env" => with_settings(
            rest,
            &Options {
                alone: &["-i", "-", "--ignore-environment", "-v", "--debug"],
                valued: &["-u", "--unset"],
            },
            true,
        ),
        "sudo" => with_settings(
            rest,
            &Options {
                alone: &[
                    "-n",
                    "-E",
                    "-H",
                    "-k",
                    "-S",
                    "-b",
                    "-A",
                    "-P",
                    "--non-interactive",
                    "--preserve-env",
                ],
                valued: &["-u", "-g", "--user", "--group"],
            },
            false,
        ),
        "xargs" => xargs(rest),
        "find" => find(rest),
        "fd" | "fdfind" if has_any(rest, &["-x", "-X", "--exec", "--exec-batch"]) => Inner::Unknown,
        "eval" => Inner::Line(joined(rest)),
        "trap" => trap(rest),
        name if SHELLS.contains(&name) => shell(rest),
        name if RUN_OTHERS.contains(&name) => Inner::Unknown,
        _ => Inner::None,
    }
}

/// The command after the options and `leading` words more.
fn after(rest: &[Word], options: &Options, leading: usize, transparent: bool) -> Inner {
    let Some(at) = past_options(rest, options) else { return Inner::Unknown };
    match rest.get(at + leading..) {
        Some([]) | None => Inner::None,
        Some(words) => Inner::Command { words: words.to_vec(), settings: Vec::new(), transparent },
    }
}

fn with_settings(rest: &[Word], options: &Options, transparent: bool) -> Inner {
    let Some(at) = past_options(rest, options) else { return Inner::Unknown };
    let mut words = &rest[at..];
    let mut settings = Vec::new();
    while let Some((first, others)) = words.split_first() {
        match first {
            None => return Inner::Unknown,
            Some(text) if is_setting(text) => settings.push(first.clone()),
            Some(_) => break,
        }
        words = others;
    }
    if words.is_empty() && settings.is_empty() {
        return Inner::None;
    }
    Inner::Command { words: words.to_vec(), settings, transparent }
}

fn is_setting(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// How many words the options take; `None` where one of them is not known.
fn past_options(rest: &[Word], options: &Options) -> Option<usize> {
    let mut at = 0;
    while let Some(word) = rest.get(at) {
        let word = word.as_deref()?;
        if word == "--" {
            return Some(at + 1);
        }
        if !word.starts_with('-') {
            return Some(at);
        }
        let (name, value) = match word.split_once('=') {
            Some((name, _)) if word.starts_with("--") => (name, true),
            _ => (word, false),
        };
        let attached = || {
            // `-n5`, or `-5` of nice.
            !word.starts_with("--")
                && options.valued.iter().any(|option| {
                    option.len() == 2
                        && (word.starts_with(option) || word[1..].chars().all(|c| c.is_ascii_digit()))
                })
        };
        if options.alone.contains(&name) || (value && options.valued.contains(&name)) {
            at += 1;
        } else if options.valued.contains(&name) {
            // The value has to be there, and may be anything.
            rest.get(at + 1)?;
            at += 2;
        } else if attached() {
            at += 1;
        } else {
            return None;
        }
    }
    Some(at)
}

fn xargs(rest: &[Word]) -> Inner {
    let options = Options {
        alone: &["-0", "--null", "-r", "--no-run-if-empty", "-t", "--verbose", "-x", "--exit"],
        valued: &[
            "-n",
            "-L",
            "-P",
            "-s",
            "-d",
            "-I",
            "--max-args",
            "--max-lines",
            "--max-procs",
            "--delimiter",
        ],
    };
    match after(rest, &options, 0, false) {
        Inner::Command { words, .. } => {
            let mut words: Vec<Word> = words.into_iter().map(without_place_holder).collect();
            // What comes in through the pipe.
            words.push(None);
            Inner::Command { words, settings: Vec::new(), transparent: false }
        }
        other => other,
    }
}

/// `{}` stands for a name that is found later.
fn without_place_holder(word: Word) -> Word {
    word.filter(|text| !text.contains("{}"))
}

fn find(rest: &[Word]) -> Inner {
    let mut commands = Vec::new();
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        match word.as_deref() {
            Some("-exec" | "-execdir" | "-ok" | "-okdir") => {
                let command: Vec<Word> = words
                    .by_ref()
                    .take_while(|word| !matches!(word.as_deref(), Some(";" | "+")))
                    .cloned()
                    .map(without_place_holder)
                    .collect();
                commands.push(command);
            }
            // It might be one of these.
            None => return Inner::Unknown,
            Some(_) => {}
        }
    }
    if commands.is_empty() { Inner::None } else { Inner::Commands(commands) }
}

/// `sh -c line`; a shell without a script reads its commands from what it is fed.
fn shell(rest: &[Word]) -> Inner {
    let mut takes_line = false;
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        match word.as_deref() {
            None => return Inner::Line(None),
            Some("--version" | "--help") => return Inner::None,
            Some("-o" | "+o" | "-O" | "+O") => drop(words.next()),
            Some("--rcfile" | "--init-file") => return Inner::Unknown,
            Some("--") if takes_line => {}
            Some(option) if option.starts_with("--") => {}
            Some(option) if option.len() > 1 && option.starts_with(['-', '+']) => {
                if option.contains('s') {
                    return Inner::Line(None);
                }
                takes_line |= option.contains('c');
            }
            Some(_) if takes_line => return Inner::Line(word.clone()),
            // A script, which is known by its name as every program is.
            Some(_) => return Inner::None,
        }
    }
    Inner::Line(None)
}

fn trap(rest: &[Word]) -> Inner {
    match rest {
        [] | [_] => Inner::None,
        [Some(option), ..] if option == "-p" || option == "-l" || option == "-" => Inner::None,
        [Some(option), line, ..] if option == "--" => Inner::Line(line.clone()),
        [line, ..] => Inner::Line(line.clone()),
    }
}

fn joined(words: &[Word]) -> Word {
    words.iter().cloned().collect::<Option<Vec<String>>>().map(|words| words.join(" "))
}

fn starts_with_any(rest: &[Word], names: &[&str]) -> bool {
    rest.first().and_then(Option::as_deref).is_some_and(|first| names.contains(&first))
}

fn has_any(rest: &[Word], names: &[&str]) -> bool {
    rest.iter().flatten().any(|word| names.contains(&word.as_str()))
}
