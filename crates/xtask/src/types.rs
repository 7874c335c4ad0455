//! `cargo xtask types`: the TypeScript of the API, generated anew from the Rust types.

use xshell::{Shell, cmd};

use crate::place;

pub fn types() -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(place::root());
    cmd!(shell, "cargo test -q -p orangery-api typescript").env("UPDATE_TYPES", "1").run()?;
    Ok(())
}
