//! `orangery` alone: the desktop window, if it was installed beside this binary.

use std::path::Path;

use clap::CommandFactory;

use crate::args::Cli;
use crate::out::{Exit, Out};

/// Starts the window and waits for it, or prints help.
pub fn open(data_dir: Option<&Path>, out: Out) -> anyhow::Result<Exit> {
    let name = format!("orangery-desktop{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe()?.with_file_name(name);
    if !beside.is_file() {
        out.piece(Cli::command().render_help());
        return Ok(Exit::Done);
    }
    if !has_display() {
        out.note("there is no display here; `orangery serve` prints a link for a browser");
        return Ok(Exit::Failed);
    }
    let mut command = std::process::Command::new(beside);
    if let Some(folder) = data_dir {
        command.env("ORANGERY_DATA_DIR", folder);
    }
    let status = command.status()?;
    Ok(if status.success() { Exit::Done } else { Exit::Failed })
}

/// Whether a window could be shown.
fn has_display() -> bool {
    let named = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(all(unix, not(target_os = "macos"))) || named("DISPLAY") || named("WAYLAND_DISPLAY")
}
