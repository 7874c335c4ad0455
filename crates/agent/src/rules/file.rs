//! Reading one `permissions.yaml`.

use std::path::PathBuf;

use serde::Deserialize;
use serde_saphyr::Spanned;

use super::condition::Condition;
use super::{Rule, Subject};

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// The user's own: all of it counts.
    User,
    /// Came with a knowledge base: it may deny and ask, never allow.
    KnowledgeBase,
}

/// A file that is there and cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    pub file: String,
    /// From 1, where it is known.
    pub line: Option<u64>,
    pub message: String,
}

impl Broken {
    pub(super) fn problem(&self) -> String {
        match self.line {
            Some(line) => format!("line {line}: {}", self.message),
            None => self.message.clone(),
        }
    }
}

pub(super) struct Parsed {
    pub allow: Vec<Rule>,
    pub ask: Vec<Rule>,
    pub deny: Vec<Rule>,
    /// Where the entries of the list `allow` stand, from 1.
    pub allow_lines: Vec<u64>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Lists {
    allow_all: Option<bool>,
    allow: Option<Vec<Spanned<String>>>,
    ask: Option<Vec<Spanned<String>>>,
    deny: Option<Vec<Spanned<String>>>,
}

/// Reads `text`. Nothing of a file counts when one line of it is wrong: half a list of prohibitions
/// would look like a whole one.
pub(super) fn parse(name: &str, text: &str, trust: Trust) -> Result<Parsed, Broken> {
    let broken = |line: Option<u64>, message: String| Broken { file: name.into(), line, message };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let says_nothing = text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'));
    let lists: Lists = if says_nothing {
        Lists::default()
    } else {
        serde_saphyr::from_str(text).map_err(|error| {
            broken(error.location().map(|at| at.line()), first_line(&error.without_snippet().to_string()))
        })?
    };
    let rules = |list: Option<Vec<Spanned<String>>>| {
        list.unwrap_or_default()
            .into_iter()
            .map(|entry| {
                rule(name, &entry.value).map_err(|message| broken(Some(entry.defined.line()), message))
            })
            .collect::<Result<Vec<_>, _>>()
    };
    let allow_lines = lists.allow.iter().flatten().map(|entry| entry.defined.line()).collect();
    let (mut allow, ask, deny) = (rules(lists.allow)?, rules(lists.ask)?, rules(lists.deny)?);
    if lists.allow_all == Some(true) {
        allow.push(Rule {
            text: "allow_all".into(),
            file: name.into(),
            subject: Subject::Everything,
            condition: None,
            within: None,
        });
    }
    if trust == Trust::KnowledgeBase {
        allow.clear();
    }
    Ok(Parsed { allow, ask, deny, allow_lines })
}

fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().trim().to_owned()
}

/// Between a rule and the folder below which it holds, a JSON string: no quotation mark stands in one
/// without a backslash, so that the last of these is the border.
pub(super) const WITHIN: &str = ") in \"";

/// `*`, `tool` or `tool(condition)`, and for commands ` in "folder"` behind.
fn rule(file: &str, text: &str) -> Result<Rule, String> {
    let text = text.trim();
    let (said, within) = match text.rfind(WITHIN).filter(|_| !text.ends_with(')')) {
        None => (text, None),
        Some(at) => {
            let folder = serde_json::from_str::<PathBuf>(&text[at + WITHIN.len() - 1..])
                .map_err(|error| format!("{text}: what stands behind `in` is no folder: {error}"))?;
            if !folder.is_absolute() {
                return Err(format!("{text}: the folder behind `in` must be absolute"));
            }
            (&text[..=at], Some(folder))
        }
    };
    let (subject, condition) = match said.split_once('(') {
        None => (said, None),
        Some((subject, rest)) => {
            let condition =
                rest.strip_suffix(')').ok_or_else(|| format!("{text} lacks its closing parenthesis"))?;
            (subject.trim_end(), Some(condition.trim()))
        }
    };
    let known = matches!(
        subject,
        "search"
            | "read"
            | "list"
            | "edit"
            | "write"
            | "exec"
            | "browser"
            | "task"
            | "web"
            | "mcp"
            | "desktop"
    );
    let parsed = match (subject, condition) {
        ("*", None) => Subject::Everything,
        ("*", Some(_)) => return Err(format!("{text}: * takes no condition")),
        // A misspelt prohibition must not pass for one that never applies.
        _ if !known && !subject.starts_with("mcp__") => return Err(format!("there is no tool {subject:?}")),
        _ => Subject::Tool(subject.into()),
    };
    if within.is_some() && subject != "exec" {
        return Err(format!("{text}: only rules for exec hold in a folder"));
    }
    let condition = condition.map(|condition| Condition::parse(subject, condition)).transpose()?;
    Ok(Rule { text: text.into(), file: file.into(), subject: parsed, condition, within })
}
