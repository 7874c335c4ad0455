//! Why not, and what to ask.

use orangery_domain::Level;

/// Why an action is denied. The code is stable; the sentence is what a model reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    #[error("Plan is on and denies {what} until the user turns it off")]
    Plan { what: &'static str },
    #[error("the rule {rule} denies this ({file})")]
    Rule { rule: String, file: String },
    #[error("level {level} denies {what}; no approval can lift that, only the user can choose another level")]
    Level { level: Level, what: &'static str },
    #[error(
        "{path} is a picture outside the selected knowledge bases; pictures are read only from selected ones, at every level"
    )]
    ImageOutside { path: String },
    #[error(
        "{path} is outside the selected knowledge bases; files are changed only inside them, at every level"
    )]
    ChangeOutside { path: String },
    #[error(
        "the permission rules in {file} cannot be read ({problem}), so this counts as denied until they are mended"
    )]
    BrokenRules { file: String, problem: String },
}

impl Reason {
    /// Stable, with a sentence in every language of the UI.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Plan { .. } => "deniedByPlan",
            Self::Rule { .. } => "deniedByRule",
            Self::Level { .. } => "deniedByLevel",
            Self::ImageOutside { .. } => "deniedImageOutside",
            Self::ChangeOutside { .. } => "deniedChangeOutside",
            Self::BrokenRules { .. } => "deniedByBrokenRules",
        }
    }
}

/// What the user is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    OutsideRead,
    SensitiveFile,
    Command,
    /// A command of which cannot be told beforehand what it runs.
    CommandUnread,
    OpenPath,
    OpenUrl,
    Web,
    Browser,
    Mcp,
    Desktop,
    Worktree,
    Hook,
    /// The level would allow it; a rule wants it asked.
    Rule,
}

impl Question {
    /// Stable, with a sentence in every language of the UI.
    pub fn code(self) -> &'static str {
        match self {
            Self::OutsideRead => "outsideRead",
            Self::SensitiveFile => "sensitiveFile",
            Self::Command => "command",
            Self::CommandUnread => "commandUnread",
            Self::OpenPath => "openPath",
            Self::OpenUrl => "openUrl",
            Self::Web => "web",
            Self::Browser => "browser",
            Self::Mcp => "mcp",
            Self::Desktop => "desktop",
            Self::Worktree => "worktree",
            Self::Hook => "hook",
            Self::Rule => "askedByRule",
        }
    }

    /// Whether an allow rule may answer in the user's place. Secrets, foreign folders, addresses,
    /// work trees and hooks are asked every time.
    pub fn rules_may_answer(self) -> bool {
        match self {
            Self::Command | Self::OpenPath | Self::Web | Self::Browser | Self::Mcp | Self::Desktop => true,
            Self::OutsideRead
            | Self::SensitiveFile
            | Self::CommandUnread
            | Self::OpenUrl
            | Self::Worktree
            | Self::Hook
            | Self::Rule => false,
        }
    }
}
