//! `permissions.yaml`: lists of what is allowed, asked and denied.
//!
//! Rules only narrow what a level gives, and answer some of its questions; [`crate::gate::decide`] says
//! which. Reading a command line is not done here: the action brings its words ([`crate::shell`]).

mod condition;
mod file;
mod load;
mod offer;
mod write;

pub use file::{Broken, Trust};
pub(crate) use load::{of_session, user_file};
pub(crate) use offer::offers;
pub(crate) use write::write;

use std::path::PathBuf;

use crate::gate::{Action, Reason};
use crate::shell::Word;
use condition::Condition;

/// The union of the rules that apply to a call.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    allow: Vec<Rule>,
    ask: Vec<Rule>,
    deny: Vec<Rule>,
    broken: Vec<Broken>,
}

/// One line of a list.
#[derive(Debug, Clone)]
struct Rule {
    /// As written.
    text: String,
    /// The file it stands in.
    file: String,
    subject: Subject,
    condition: Option<Condition>,
    /// Commands are meant only where they run in this folder or below it.
    within: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Subject {
    Everything,
    /// A tool, or one of the families `web`, `mcp` and `desktop`.
    Tool(String),
}

/// What all rules together say to an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attitude {
    Deny(Reason),
    /// The rule that asks.
    Ask(String),
    Allow,
    Silent,
}

impl Rules {
    /// Adds the rules of one file. What cannot be understood is kept as [`Broken`] and counts against
    /// the assistant.
    pub fn add(&mut self, name: &str, text: &str, trust: Trust) {
        match file::parse(name, text, trust) {
            Ok(parsed) => {
                self.allow.extend(parsed.allow);
                self.ask.extend(parsed.ask);
                self.deny.extend(parsed.deny);
            }
            Err(broken) => self.broken.push(broken),
        }
    }

    /// A file that is there and cannot be read.
    pub fn add_broken(&mut self, broken: Broken) {
        self.broken.push(broken);
    }

    /// Files that cannot be understood.
    pub fn broken(&self) -> &[Broken] {
        &self.broken
    }

    /// Deny beats ask beats allow.
    pub fn attitude(&self, action: &Action) -> Attitude {
        if let Some(rule) = self.deny.iter().find(|rule| rule.touches(action)) {
            return Attitude::Deny(Reason::Rule { rule: rule.text.clone(), file: rule.file.clone() });
        }
        if let Some(broken) = self.broken.first() {
            let reaches_out = action.is_web() || matches!(action.tool(), "exec" | "browser" | "mcp");
            return if reaches_out {
                Attitude::Deny(Reason::BrokenRules { file: broken.file.clone(), problem: broken.problem() })
            } else {
                Attitude::Ask(format!("{}: {}", broken.file, broken.problem()))
            };
        }
        if let Some(rule) = self.ask.iter().find(|rule| rule.touches(action)) {
            return Attitude::Ask(rule.text.clone());
        }
        // What cannot be known before it runs cannot be shown to escape a prohibition.
        if let Action::Exec(command) = action
            && let Some(rule) = self.deny.iter().chain(&self.ask).find(|rule| {
                rule.is_for(action, Use::Forbid)
                    && rule.condition.as_ref().is_some_and(|condition| condition.may_touch(command))
            })
        {
            return Attitude::Ask(rule.text.clone());
        }
        if self.allows(action) { Attitude::Allow } else { Attitude::Silent }
    }

    /// Whether a deny rule hides this path from `tool`, so that a search or list of the folder above
    /// does not show it either.
    pub fn hides(&self, tool: &str, paths: &[&str]) -> bool {
        self.deny.iter().any(|rule| rule.hides(tool, paths))
    }

    /// Whether one command of `action` is allowed.
    fn allows_command(&self, action: &Action, words: &[Word]) -> bool {
        self.allow.iter().any(|rule| {
            rule.is_for(action, Use::Permit)
                && rule.condition.as_ref().is_none_or(|condition| condition.permits(words))
        })
    }

    fn allows(&self, action: &Action) -> bool {
        match action {
            // Nor to keep within a permission.
            Action::Exec(command) => {
                command.unread.is_none()
                    && !command.commands.is_empty()
                    && command
                        .commands
                        .iter()
                        .all(|simple| simple.wraps || self.allows_command(action, &simple.words))
            }
            _ => self.allow.iter().any(|rule| {
                rule.is_for(action, Use::Permit)
                    && rule.condition.as_ref().is_none_or(|condition| condition.covers(action))
            }),
        }
    }
}

/// Whether a rule forbids (or asks) or permits: where its subject is in doubt, the cautious reading
/// counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Forbid,
    Permit,
}

impl Rule {
    /// Whether a deny or ask rule meets any part of the action.
    fn touches(&self, action: &Action) -> bool {
        self.is_for(action, Use::Forbid)
            && self.condition.as_ref().is_none_or(|condition| condition.touches(action))
    }

    fn is_for(&self, action: &Action, purpose: Use) -> bool {
        if let (Some(within), Action::Exec(command)) = (&self.within, action)
            && !command.folder.starts_with(within)
        {
            return false;
        }
        let Subject::Tool(name) = &self.subject else { return true };
        if action.is_web() {
            // `read` in an allow list is about files; about the web only when it names a domain.
            return name == "web"
                || (name == action.tool() && (purpose == Use::Forbid || self.condition.is_some()));
        }
        if let Action::Mcp { server, tool } = action {
            return name == "mcp" || *name == format!("mcp__{server}__{tool}");
        }
        name == action.tool()
    }

    fn hides(&self, tool: &str, paths: &[&str]) -> bool {
        let for_tool = match &self.subject {
            Subject::Everything => true,
            // What may not be read may not be quoted by a search either.
            Subject::Tool(name) => name == tool || (tool == "search" && name == "read"),
        };
        for_tool
            && self
                .condition
                .as_ref()
                .is_some_and(|condition| paths.iter().any(|path| condition.holds_for_path(path)))
    }
}

#[cfg(test)]
mod tests;
