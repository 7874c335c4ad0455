//! The command line as it is typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use orangery_api::domain::{ChangeSetId, Level, OperationId, VersionId};

/// A local-first knowledge base. Without a command, opens the desktop window.
///
/// Exit codes: 0 done; 2 wrong usage or parameters; 3 denied; 4 an approval was needed; 5 failed;
/// 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "orangery", version)]
pub struct Cli {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Args)]
pub struct Common {
    /// Print one JSON value instead of text
    #[arg(long, global = true)]
    pub json: bool,
    /// Where the app keeps its own files
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the interface to a browser on this machine
    Serve {
        /// Default: 7420, or any free port when that is taken
        #[arg(long)]
        port: Option<u16>,
        /// Folders to add first
        #[arg(long, value_name = "PATH", num_args = 1..)]
        kb: Vec<PathBuf>,
        /// Open the user guide where there is no knowledge base yet
        #[arg(long)]
        sample: bool,
    },
    /// Knowledge bases
    #[command(subcommand)]
    Kb(Kb),
    /// Add folders, scan them and wait until they can be searched
    Index {
        /// Folders
        #[arg(required = true)]
        paths: Vec<PathBuf>,
    },
    /// Search notes
    Search {
        /// One that begins with `-` excludes a word
        #[arg(allow_hyphen_values = true)]
        query: String,
        /// Read no operators in the query
        #[arg(long)]
        plain: bool,
        /// Files to show
        #[arg(long, value_name = "FILES", default_value_t = 20)]
        limit: u32,
        /// Search only here: a folder, name or id
        #[arg(long)]
        kb: Vec<String>,
        /// Read the query as a regular expression, and find lines of all files that are text
        #[arg(long, conflicts_with = "plain")]
        text: bool,
        #[command(flatten)]
        lines: Lines,
    },
    /// Print a note
    Read(Place),
    /// List a folder
    List {
        /// A folder of a knowledge base. Default: every root
        path: Option<String>,
        /// The knowledge base of a relative path: a folder, name or id
        #[arg(long)]
        kb: Option<String>,
    },
    /// Links out of and into a note
    Links(Place),
    /// Settings
    #[command(subcommand)]
    Settings(Settings),
    /// One call of one of the assistant's tools, through the same gate
    #[command(
        after_help = "A file is edited only after it was read in the same session: read it and edit it with one \
                            --session ID of your choice."
    )]
    Tool(Tool),
    /// Change sets
    #[command(subcommand)]
    Change(Change),
    /// Earlier versions of a file
    History(Place),
    /// Bring back an earlier version
    Restore {
        #[command(flatten)]
        place: Place,
        /// As `history` lists them
        #[arg(long, value_name = "ID")]
        version: VersionId,
    },
    /// Ask the assistant: one turn, streamed
    Ask {
        /// In plain words
        question: String,
        /// L1 reads only, L2 proposes edits, L3 asks (and ends the turn here), L4 does not. Default: as in the settings
        #[arg(long)]
        level: Option<Level>,
        /// Id or name of a configured model. Default: the one in the settings
        #[arg(long)]
        model: Option<String>,
        /// Folders to work in. Default: all
        #[arg(long, value_name = "PATH", num_args = 1..)]
        kb: Vec<PathBuf>,
    },
    /// What is installed, found and missing
    Doctor {
        /// Compare index, database and disk, and name every difference
        #[arg(long)]
        verify: bool,
    },
}

/// How lines are searched.
#[derive(Debug, Args)]
pub struct Lines {
    /// With --text: read the query as it stands
    #[arg(long, requires = "text")]
    pub literal: bool,
    /// With --text: upper and lower case are the same
    #[arg(long, short, requires = "text")]
    pub ignore_case: bool,
    /// With --text: only whole words
    #[arg(long, short, requires = "text")]
    pub word: bool,
    /// With --text: the pattern may go over ends of lines
    #[arg(long, short = 'U', requires = "text")]
    pub multiline: bool,
    /// With --text: only files whose path or name fits; with `!` before it, only the others
    #[arg(long, short, value_name = "GLOB", requires = "text")]
    pub glob: Option<String>,
    /// With --text: lines to show before and after each
    #[arg(long, short = 'C', value_name = "LINES", requires = "text", default_value_t = 0)]
    pub context: u32,
}

/// A file, by its path on disk or inside a knowledge base.
#[derive(Debug, Args)]
pub struct Place {
    /// On disk, or in the knowledge base
    pub path: String,
    /// The knowledge base of a relative path: a folder, name or id
    #[arg(long)]
    pub kb: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum Kb {
    /// Register a folder
    Add {
        /// The folder; its files stay where they are
        path: PathBuf,
        /// What to call it. Default: the folder's own name
        #[arg(long)]
        name: Option<String>,
    },
    /// All knowledge bases
    List,
    /// Forget a knowledge base; its files stay
    Remove {
        /// Its folder, name or id
        kb: String,
    },
    /// Compare the index with the files again; goes on after a pause or a cancelled scan
    Rescan {
        /// Its folder, name or id
        kb: String,
    },
    /// Let scanning and reading rest until the next rescan
    Pause {
        /// Its folder, name or id
        kb: String,
    },
    /// Give up the scan at work: the rest is not found until the next rescan
    Cancel {
        /// Its folder, name or id
        kb: String,
    },
}

#[derive(Debug, Subcommand)]
pub enum Settings {
    /// All settings, or one
    Get {
        /// Default: all of them
        key: Option<String>,
    },
    /// Change one; the value is JSON or plain text
    Set {
        /// As `settings get` lists them
        key: String,
        value: String,
    },
}

#[derive(Debug, Args)]
pub struct Tool {
    /// search, read, list, edit, write…
    pub name: String,
    /// The tool's input
    #[arg(value_name = "JSON")]
    pub input: String,
    /// Folders the call may work in; added when they are not known
    #[arg(long, value_name = "PATH", num_args = 1.., required = true)]
    pub kb: Vec<PathBuf>,
    /// L1 reads only, L2 proposes edits, L3 needs --approve for what is asked, L4 does not ask
    #[arg(long)]
    pub level: Level,
    /// As in Plan: look, and change nothing
    #[arg(long)]
    pub plan: bool,
    /// Answer what would be asked with yes
    #[arg(long)]
    pub approve: bool,
    /// Go on in this session; an unknown one is made
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum Change {
    /// Change sets, newest first
    List {
        /// Only what waits
        #[arg(long)]
        pending: bool,
    },
    /// Operations and their diffs
    Show {
        /// As `change list` shows it
        id: ChangeSetId,
    },
    /// Apply all that is not rejected, or what is selected
    Apply {
        /// As `change list` shows it
        id: ChangeSetId,
        #[command(flatten)]
        selection: Selection,
    },
    /// Reject a change set, or what is selected of it
    Reject {
        /// As `change list` shows it
        id: ChangeSetId,
        #[command(flatten)]
        selection: Selection,
    },
    /// Take back what was applied, as a new change set
    Undo {
        /// As `change list` shows it
        id: ChangeSetId,
    },
}

#[derive(Debug, Args)]
pub struct Selection {
    /// Only these operations
    #[arg(long, value_name = "ID", num_args = 1..)]
    pub operation: Vec<OperationId>,
    /// Only these hunks of the one operation, counted from 0
    #[arg(long, value_name = "N", num_args = 1..)]
    pub hunk: Vec<u32>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn no_two_arguments_quarrel() {
        super::Cli::command().debug_assert();
    }
}
