//! `orangery` alone: the desktop window, if it was installed beside this binary.

use clap::CommandFactory;

use crate::args::Cli;
use crate::out::{Exit, Out};

/// Starts the window and waits for it, or prints help.
pub fn open(out: Out) -> anyhow::Result<Exit> {
    let name = format!("orangery-desktop{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe()?.with_file_name(name);
    if !beside.is_file() {
        out.piece(Cli::command().render_help());
        return Ok(Exit::Done);
    }
    let status = std::process::Command::new(beside).status()?;
    Ok(if status.success() { Exit::Done } else { Exit::Failed })
}
