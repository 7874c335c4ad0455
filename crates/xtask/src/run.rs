//! `cargo xtask run`: from a clone to a window with the sample knowledge base in it.

use xshell::{Shell, cmd};

use crate::{doctor, place, setup};

/// Optimised enough to be used, quick enough to be waited for; see the workspace manifest.
const PROFILE: &str = "quick";

pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(place::root());
    setup::system_packages(&shell, setup::TO_BUILD)?;
    let ui = place::root().join("ui");
    setup::npm_packages(&shell, &ui)?;
    cmd!(shell, "npm run build --prefix {ui}").run()?;
    // Both hosts at once: one would build the shared crates with other features than the other.
    cmd!(shell, "cargo build --profile {PROFILE} --workspace --bins --exclude orangery-xtask").run()?;

    if doctor::has_display() {
        let window = place::built(PROFILE, "orangery-desktop");
        cmd!(shell, "{window} --sample {arguments...}").run()?;
    } else {
        println!("no display here, so the same interface is served on loopback");
        let host = place::built(PROFILE, "orangery");
        cmd!(shell, "{host} serve --sample {arguments...}").run()?;
    }
    Ok(())
}
