//! What a command line would run, read before it runs.
//!
//! The line is parsed as the shell would, down into substitutions, here-documents and the programs that
//! run another one. Nothing is guessed: what only the shell will know is a word that is absent here, and
//! where whole commands cannot be known the reading says why. Rules are judged on this alone.

mod read;
#[cfg(test)]
mod table;
mod word;
mod wrapper;

/// A word of a command; absent where it is known only when the command runs.
pub type Word = Option<String>;

/// One program with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimpleCommand {
    pub words: Vec<Word>,
    /// It only runs the next one, and changes nothing about it that matters: forbidding it forbids the
    /// whole, allowing the next one is enough.
    pub wraps: bool,
}

/// Why not all that a line runs can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unread {
    /// It is in the language of a shell that is not read here.
    Shell,
    /// It cannot be parsed.
    Syntax,
    /// What it runs is made only while it runs.
    RunTime,
    /// A program that runs others in a way that is not known here.
    Wrapper,
}

impl Unread {
    /// Stable, with words in every language of the UI.
    pub fn code(self) -> &'static str {
        match self {
            Self::Shell => "shell",
            Self::Syntax => "syntax",
            Self::RunTime => "runTime",
            Self::Wrapper => "wrapper",
        }
    }
}

/// What a line would do, as far as that can be known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// Everything it runs, and as commands of their own what it writes to (`>` and a file) and the
    /// variables that it sets (`NAME=value`).
    pub commands: Vec<SimpleCommand>,
    /// Set when there may be more.
    pub unread: Option<Unread>,
    /// Every text in it that could name a file, with a gap where a part is not known.
    pub texts: Vec<String>,
}

impl Reading {
    /// Of a line for Bash or another shell of its family.
    pub fn of_bash(line: &str) -> Self {
        read::Reader::default().whole(line)
    }

    /// Of a line for a shell that is not read here.
    pub fn of_other(line: &str) -> Self {
        Self { commands: Vec::new(), unread: Some(Unread::Shell), texts: vec![line.to_owned()] }
    }
}
