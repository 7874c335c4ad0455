//! The part of a rule in parentheses.

use globset::{GlobBuilder, GlobMatcher};
use orangery_domain::KbPath;
use regex::Regex;

use crate::gate::{Action, CommandLine};
use crate::shell::Word;

#[derive(Debug, Clone)]
pub(super) enum Condition {
    /// `path:` a glob over relative and absolute spellings; a folder stands for all below it.
    Path(GlobMatcher),
    /// `domain:` a host and its subdomains.
    Domain(String),
    /// The first words of a command; `open` with `:*`, else exactly these.
    Command { words: Vec<String>, open: bool },
    /// `/…/` over paths, URLs or commands.
    Pattern(Regex),
}

/// How a condition stands to a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meeting {
    No,
    /// It depends on what is known only when the command runs.
    Perhaps,
    Yes,
}

impl Condition {
    /// Reads the text between the parentheses of a rule for `tool`.
    pub(super) fn parse(tool: &str, text: &str) -> Result<Self, String> {
        let of_files = matches!(tool, "search" | "read" | "list" | "edit" | "write");
        let of_network = matches!(tool, "web" | "search" | "read" | "browser" | "exec");
        if let Some(glob) = text.strip_prefix("path:") {
            if !of_files {
                return Err(format!("path: has no meaning for {tool}"));
            }
            // `*` crosses folders: a rule that forbids too much is better than one that forbids too little.
            let glob = glob.strip_prefix("./").unwrap_or(glob).trim_end_matches('/');
            return GlobBuilder::new(&composed(glob))
                .literal_separator(false)
                .case_insensitive(cfg!(any(windows, target_os = "macos")))
                .build()
                .map(|glob| Self::Path(glob.compile_matcher()))
                .map_err(|error| error.to_string());
        }
        if let Some(domain) = text.strip_prefix("domain:") {
            if !of_network {
                return Err(format!("domain: has no meaning for {tool}"));
            }
            return match url::Host::parse(domain.trim_end_matches('.')) {
                Ok(host) => Ok(Self::Domain(host.to_string())),
                Err(error) => Err(format!("{domain} is not a host: {error}")),
            };
        }
        if let Some(pattern) =
            text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')).filter(|text| !text.is_empty())
        {
            return Regex::new(pattern).map(Self::Pattern).map_err(|error| error.to_string());
        }
        if tool != "exec" {
            return Err(format!("{text} is not a condition for {tool}: use path:, domain: or /regex/"));
        }
        let (words, open) = match text.strip_suffix(":*") {
            Some(words) => (words, true),
            None => (text, false),
        };
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        if words.is_empty() {
            return Err("names no command".into());
        }
        Ok(Self::Command { words, open })
    }

    /// Whether any part of `action` meets it: what denies and asks.
    pub(super) fn touches(&self, action: &Action) -> bool {
        if let Action::Exec(command) = action {
            let simple = command.commands.iter().any(|simple| self.meets(&simple.words) == Meeting::Yes);
            return simple || matches!(self, Self::Pattern(pattern) if pattern.is_match(&command.line));
        }
        let file =
            action.targets().iter().flat_map(|target| &target.paths).any(|path| self.holds_for_path(path));
        file || self.holds_for_address(action)
    }

    /// Whether it covers `action` as a whole: what allows. Commands are judged one by one by the caller.
    pub(super) fn covers(&self, action: &Action) -> bool {
        self.holds_for_address(action)
    }

    /// Whether it might meet a part of `command` that nobody knows before it runs.
    pub(super) fn may_touch(&self, command: &CommandLine) -> bool {
        if !matches!(self, Self::Command { .. } | Self::Pattern(_)) {
            return false;
        }
        command.unread.is_some()
            || command.commands.iter().any(|simple| self.meets(&simple.words) == Meeting::Perhaps)
    }

    /// Whether a command is allowed by it: all of its words are known, and fit.
    pub(super) fn permits(&self, command: &[Word]) -> bool {
        command.iter().all(Option::is_some)
            && self.meets(command) == Meeting::Yes
            && self.same_program(command)
    }

    /// A permission that names a program by its path is for the one there, not for its namesakes.
    fn same_program(&self, command: &[Word]) -> bool {
        let Self::Command { words, .. } = self else { return true };
        match (words.first(), command.first()) {
            (Some(rule), Some(Some(word))) => !rule.contains(['/', '\\']) || rule == word,
            _ => true,
        }
    }

    /// A word that is not known may turn out to be any number of words.
    fn meets(&self, command: &[Word]) -> Meeting {
        let known: Vec<&str> = command.iter().map_while(|word| word.as_deref()).collect();
        let is_whole = known.len() == command.len();
        match self {
            Self::Command { words, open } => {
                let fits = words.iter().zip(&known).enumerate().all(|(index, (rule, word))| {
                    // The command is known by its name, wherever it is installed.
                    if index == 0 { basename(rule) == basename(word) } else { rule == word }
                });
                let as_long = known.len() >= words.len();
                match (as_long, is_whole) {
                    _ if !fits => Meeting::No,
                    (false, true) => Meeting::No,
                    (false, false) => Meeting::Perhaps,
                    (true, _) if *open => Meeting::Yes,
                    (true, _) if known.len() > words.len() => Meeting::No,
                    (true, true) => Meeting::Yes,
                    (true, false) => Meeting::Perhaps,
                }
            }
            Self::Pattern(pattern) => {
                let text: Vec<&str> =
                    command.iter().map(|word| word.as_deref().unwrap_or_default()).collect();
                match pattern.is_match(&text.join(" ")) {
                    true => Meeting::Yes,
                    false if is_whole => Meeting::No,
                    false => Meeting::Perhaps,
                }
            }
            Self::Path(_) | Self::Domain(_) => Meeting::No,
        }
    }

    /// A path is met by a rule for it or for any folder above it.
    pub(super) fn holds_for_path(&self, path: &str) -> bool {
        match self {
            Self::Path(glob) => {
                let ends = path.char_indices().filter(|(_, c)| *c == '/').map(|(at, _)| at);
                glob.is_match(path) || ends.filter(|at| *at > 0).any(|at| glob.is_match(&path[..at]))
            }
            Self::Pattern(pattern) => pattern.is_match(path),
            Self::Domain(_) | Self::Command { .. } => false,
        }
    }

    fn holds_for_address(&self, action: &Action) -> bool {
        match (self, action.address()) {
            (Self::Domain(domain), Some(address)) => {
                address.host == *domain
                    || address.host.strip_suffix(domain.as_str()).is_some_and(|rest| rest.ends_with('.'))
            }
            (Self::Pattern(pattern), Some(address)) => pattern.is_match(&address.url),
            _ => false,
        }
    }
}

/// NFC, as the paths that it is compared with.
fn composed(glob: &str) -> String {
    let part = |part: &str| KbPath::parse(part).map_or_else(|_| part.to_owned(), |part| part.key());
    glob.split('/').map(part).collect::<Vec<_>>().join("/")
}

fn basename(command: &str) -> &str {
    command.rsplit(['/', '\\']).next().unwrap_or(command)
}
