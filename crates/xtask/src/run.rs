//! `cargo xtask run`: from a clone to a window with the sample knowledge base in it.

use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use anyhow::Context;
use xshell::{Shell, cmd};

use crate::{doctor, pdfium, place, setup};

/// Optimised enough to be used, quick enough to be waited for; see the workspace manifest.
const PROFILE: &str = "quick";

pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(place::root());
    setup::system_packages(&shell, setup::TO_BUILD)?;
    pdfium::fetch(&shell)?;
    let ui = place::root().join("ui");
    setup::npm_packages(&shell, &ui)?;
    // Both hosts embed the UI: a new one, be it the same, has them built anew.
    if !is_built(&ui) {
        cmd!(shell, "npm run build --prefix {ui}").run()?;
    }
    // Both hosts at once: one would build the shared crates with other features than the other.
    cmd!(shell, "cargo build --profile {PROFILE} --workspace --bins --exclude orangery-xtask").run()?;

    let mut app = if doctor::has_display() {
        Command::new(place::built(PROFILE, "orangery-desktop"))
    } else {
        println!("no display here, so the same interface is served on loopback");
        let mut host = Command::new(place::built(PROFILE, "orangery"));
        host.arg("serve");
        host
    };
    let status = app.arg("--sample").args(arguments).status().context("start the app")?;
    // The app said itself what went wrong. One that a signal ended, as Ctrl+C does, was meant to end.
    match status.code() {
        None | Some(0) => Ok(()),
        Some(code) => std::process::exit(code),
    }
}

/// Whether the built UI is newer than all that it is built from.
fn is_built(ui: &Path) -> bool {
    let built = ui.join("dist/index.html").metadata().and_then(|metadata| metadata.modified());
    built.is_ok_and(|built| newest(ui).is_some_and(|newest| newest < built))
}

/// When the newest source of the UI was written; `None` when that cannot be told.
fn newest(folder: &Path) -> Option<SystemTime> {
    let mut newest = folder.metadata().ok()?.modified().ok()?;
    for entry in folder.read_dir().ok()? {
        let entry = entry.ok()?;
        let name = entry.file_name();
        if name == "node_modules" || name == "dist" {
            continue;
        }
        let written = if entry.file_type().ok()?.is_dir() {
            self::newest(&entry.path())?
        } else {
            entry.metadata().ok()?.modified().ok()?
        };
        newest = newest.max(written);
    }
    Some(newest)
}
