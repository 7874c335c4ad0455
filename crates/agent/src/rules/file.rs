//! Reading one `permissions.yaml`.

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
    let (mut allow, ask, deny) = (rules(lists.allow)?, rules(lists.ask)?, rules(lists.deny)?);
    if lists.allow_all == Some(true) {
        allow.push(Rule {
            text: "allow_all".into(),
            file: name.into(),
            subject: Subject::Everything,
            condition: None,
        });
    }
    if trust == Trust::KnowledgeBase {
        allow.clear();
    }
    Ok(Parsed { allow, ask, deny })
}

fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().trim().to_owned()
}

/// `*`, `tool` or `tool(condition)`.
fn rule(file: &str, text: &str) -> Result<Rule, String> {
    let text = text.trim();
    let (subject, condition) = match text.split_once('(') {
        None => (text, None),
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
    let condition = condition.map(|condition| Condition::parse(subject, condition)).transpose()?;
    Ok(Rule { text: text.into(), file: file.into(), subject: parsed, condition })
}
