//! What a call would do: facts that `resolve` finds out and the gate judges.

use std::path::{Path, PathBuf};
use std::time::Duration;

use orangery_change::is_review_always;
use orangery_domain::{CardFact, FileKind, FilePlace, KbPath};
use orangery_library::is_sensitive;

use crate::shell::{SimpleCommand, Unread};

/// One thing that a tool call would do. The rows of the gate's table are these variants; tools that
/// come later have their rows already, because a level denies before anybody asks what is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Passages out of folders or whole knowledge bases.
    Search(Vec<Target>),
    /// Contents of files.
    Read(Vec<Target>),
    /// Names of files.
    List(Vec<Target>),
    /// A file of an enabled skill's package.
    ReadSkill {
        skill: String,
    },
    /// A change of existing files, as a proposal.
    Edit(Vec<Target>),
    /// A new file or folder, as a proposal.
    Write(Vec<Target>),
    Exec(CommandLine),
    /// Look at a command of this session that runs in the background, or end it.
    Job {
        id: u64,
        ends: bool,
    },
    /// Open a file in the program the system has for it.
    OpenPath(Target),
    /// Open an address in the system's browser.
    OpenUrl(Address),
    WebSearch {
        query: String,
    },
    ReadUrl(Fetch),
    Browser(BrowserStep),
    Mcp {
        server: String,
        tool: String,
    },
    Desktop {
        operation: String,
    },
    Task(TaskStep),
}

/// A file or folder, and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub reach: Reach,
    pub kind: FileKind,
    /// Every spelling that a rule may name: relative to its knowledge base and absolute, of the place
    /// itself and of what it links to.
    pub paths: Vec<String>,
    /// Bytes, where the file exists.
    pub size: Option<u64>,
}

/// Where a target lies, seen from the session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// In a knowledge base that the session selected.
    Selected(FilePlace),
    /// In a registered knowledge base that it did not select.
    Unselected(FilePlace),
    /// Anywhere else on the machine, by its absolute path.
    Outside(PathBuf),
}

/// A command as the shell would get it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    pub line: String,
    /// Where it runs; absolute.
    pub folder: PathBuf,
    /// Every simple command in it, as far as that is known.
    pub commands: Vec<SimpleCommand>,
    /// Set when there may be more than `commands`.
    pub unread: Option<Unread>,
    /// It names a sensitive file.
    pub sensitive: bool,
    /// Absent: until it ends by itself or is stopped.
    pub timeout: Option<Duration>,
    pub background: bool,
    /// Present: it writes only below these folders, and has no network.
    pub confined: Option<Vec<PathBuf>>,
}

/// A URL with its host in normal form (lower case, punycode).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Address {
    pub url: String,
    pub host: String,
}

/// A page to be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetch {
    pub address: Address,
    /// What is sent besides what every request says: names and values.
    pub headers: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowserStep {
    /// `page.element.click`
    pub operation: String,
    /// The page it works on or goes to.
    pub address: Option<Address>,
    /// Tab, element, text: what the card shows.
    pub facts: Vec<CardFact>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskStep {
    /// A sub-agent, with the tools of its role that its parent has too.
    Run {
        role: String,
        read_only: bool,
    },
    /// Several that talk to each other.
    Team {
        read_only: bool,
    },
    /// `ask`, `todo`, `board`, `plan`, `compact`, `output`, `message`, `done`: nothing outside the
    /// conversation changes.
    Note {
        operation: String,
    },
    Worktree,
    Hook {
        command: String,
    },
}

impl Target {
    /// Whether any of its spellings names a file that keeps secrets.
    pub fn sensitive(&self) -> bool {
        self.is_named_so(is_sensitive)
    }

    /// Whether it steers assistants: `.orange/` and `AGENTS.md`.
    pub fn instruction(&self) -> bool {
        self.is_named_so(is_review_always)
    }

    /// Judged on every spelling, so that a link with a harmless name hides nothing. What is no path
    /// counts as the worst.
    fn is_named_so(&self, judge: fn(&KbPath) -> bool) -> bool {
        self.paths.iter().any(|path| {
            let below_drive = path.split_once(":\\").map_or(path.as_str(), |(_, rest)| rest);
            KbPath::parse(below_drive.trim_start_matches(['/', '\\'])).map_or(true, |path| judge(&path))
        })
    }

    /// The place in a knowledge base, selected or not.
    pub fn place(&self) -> Option<&FilePlace> {
        match &self.reach {
            Reach::Selected(place) | Reach::Unselected(place) => Some(place),
            Reach::Outside(_) => None,
        }
    }

    /// The absolute path of where it really lies, links followed.
    pub fn real(&self) -> &str {
        let is_absolute = |path: &&String| Path::new(path).is_absolute();
        self.paths.iter().rfind(is_absolute).map_or("", String::as_str)
    }

    /// As a result names it: within a knowledge base by the path there, so that nothing of the machine around
    /// it reaches a provider.
    pub fn named(&self) -> &str {
        self.place().map_or(self.shown(), |place| place.path.as_str())
    }

    /// The longest spelling, which is the absolute one: what a card shows.
    pub fn shown(&self) -> &str {
        self.paths.iter().max_by_key(|path| path.len()).map_or("", String::as_str)
    }
}

impl CommandLine {
    /// Whether it runs more than can be told. The shell of another system is only not read: what it runs
    /// is written there for everybody.
    pub fn hides_commands(&self) -> bool {
        self.unread.is_some_and(|reason| reason != Unread::Shell)
    }

    fn facts(&self) -> Vec<CardFact> {
        let fact = |label: &str, value: String| CardFact { label: label.into(), value };
        let mut facts = vec![
            fact("command", self.line.clone()),
            fact("cwd", self.folder.display().to_string()),
            fact("confinement", if self.confined.is_some() { "on" } else { "off" }.into()),
        ];
        facts.extend(self.timeout.map(|limit| fact("timeout", limit.as_secs().to_string())));
        if self.background {
            facts.push(fact("background", "yes".into()));
        }
        facts.extend(self.unread.map(|reason| fact("unread", reason.code().into())));
        facts
    }
}

impl Action {
    /// The tool as rules and cards name it.
    pub fn tool(&self) -> &str {
        match self {
            Self::Search(_) | Self::WebSearch { .. } => "search",
            Self::Read(_) | Self::ReadSkill { .. } | Self::ReadUrl(_) => "read",
            Self::List(_) => "list",
            Self::Edit(_) => "edit",
            Self::Write(_) => "write",
            Self::Exec(_) | Self::Job { .. } | Self::OpenPath(_) | Self::OpenUrl(_) => "exec",
            Self::Browser(_) => "browser",
            Self::Mcp { .. } => "mcp",
            Self::Desktop { .. } => "desktop",
            Self::Task(_) => "task",
        }
    }

    /// Files and folders it touches.
    pub fn targets(&self) -> &[Target] {
        match self {
            Self::Search(targets)
            | Self::Read(targets)
            | Self::List(targets)
            | Self::Edit(targets)
            | Self::Write(targets) => targets,
            Self::OpenPath(target) => std::slice::from_ref(target),
            Self::ReadSkill { .. }
            | Self::Exec(_)
            | Self::Job { .. }
            | Self::OpenUrl(_)
            | Self::WebSearch { .. }
            | Self::ReadUrl(_)
            | Self::Browser(_)
            | Self::Mcp { .. }
            | Self::Desktop { .. }
            | Self::Task(_) => &[],
        }
    }

    /// The host it talks to, where that is known.
    pub fn address(&self) -> Option<&Address> {
        match self {
            Self::OpenUrl(address) | Self::ReadUrl(Fetch { address, .. }) => Some(address),
            Self::Browser(step) => step.address.as_ref(),
            _ => None,
        }
    }

    /// The part of the network that rules call `web`.
    pub fn is_web(&self) -> bool {
        matches!(self, Self::WebSearch { .. } | Self::ReadUrl(_))
    }

    /// What the user must see before saying yes, in full.
    pub fn facts(&self) -> Vec<CardFact> {
        let fact = |label: &str, value: &str| CardFact { label: label.into(), value: value.into() };
        let mut facts = Vec::new();
        for target in self.targets() {
            facts.push(fact("path", target.shown()));
            if let Some(size) = target.size {
                facts.push(fact("size", &size.to_string()));
            }
        }
        match self {
            Self::Exec(command) => facts.extend(command.facts()),
            Self::Job { id, ends } => {
                facts.push(fact("job", &id.to_string()));
                facts.push(fact("operation", if *ends { "stop" } else { "output" }));
            }
            Self::OpenUrl(address) => facts.push(fact("url", &address.url)),
            Self::ReadUrl(fetch) => {
                facts.push(fact("url", &fetch.address.url));
                let header = |(name, value): &(String, String)| fact("header", &format!("{name}: {value}"));
                facts.extend(fetch.headers.iter().map(header));
            }
            Self::WebSearch { query } => facts.push(fact("query", query)),
            Self::Browser(step) => {
                facts.push(fact("operation", &step.operation));
                if let Some(address) = &step.address {
                    facts.push(fact("url", &address.url));
                }
                facts.extend(step.facts.iter().cloned());
            }
            Self::Mcp { server, tool } => {
                facts.push(fact("server", server));
                facts.push(fact("operation", tool));
            }
            Self::Desktop { operation } => facts.push(fact("operation", operation)),
            Self::Task(TaskStep::Run { role, .. }) => facts.push(fact("role", role)),
            Self::Task(TaskStep::Note { operation }) => facts.push(fact("operation", operation)),
            Self::Task(TaskStep::Worktree) => facts.push(fact("operation", "worktree")),
            Self::Task(TaskStep::Team { .. }) => facts.push(fact("operation", "team")),
            Self::Task(TaskStep::Hook { command }) => facts.push(fact("command", command)),
            Self::ReadSkill { skill } => facts.push(fact("skill", skill)),
            Self::Search(_)
            | Self::Read(_)
            | Self::List(_)
            | Self::Edit(_)
            | Self::Write(_)
            | Self::OpenPath(_) => {}
        }
        facts
    }
}
