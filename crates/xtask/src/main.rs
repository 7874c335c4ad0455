//! What developers type: `cargo xtask run`, `cargo xtask test`, and a few more. Stands outside the house.

#[cfg(feature = "prepare")]
mod prepare;

fn main() -> anyhow::Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("prepare") => prepare(),
        other => anyhow::bail!("unknown verb {other:?}"),
    }
}

#[cfg(feature = "prepare")]
fn prepare() -> anyhow::Result<()> {
    prepare::run()
}

#[cfg(not(feature = "prepare"))]
fn prepare() -> anyhow::Result<()> {
    let shell = xshell::Shell::new()?;
    xshell::cmd!(shell, "cargo run -q -p orangery-xtask --features prepare -- prepare").run()?;
    Ok(())
}
