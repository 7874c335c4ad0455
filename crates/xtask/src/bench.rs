//! `cargo xtask bench [FILTER]`: the benches beside the crates, with optimised code.

use xshell::{Shell, cmd};

use crate::place;

pub fn bench(filter: &[String]) -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(place::root());
    cmd!(shell, "cargo bench --workspace --benches -- {filter...}").run()?;
    Ok(())
}
