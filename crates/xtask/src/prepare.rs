//! Checks every query of `crates/store` against the migrations and writes what it learnt to
//! `crates/store/.sqlx`, so that a build needs no database.

use std::path::Path;

use anyhow::Context;
use xshell::{Shell, cmd};

pub fn run() -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).context("workspace root")?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    std::fs::create_dir_all(&target)?;
    let database = target.join("prepare.db");
    for suffix in ["", "-wal", "-shm"] {
        let mut name = database.clone().into_os_string();
        name.push(suffix);
        match std::fs::remove_file(&name) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    let url = format!("sqlite://{}", database.display());
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let pool = sqlx::SqlitePool::connect(&format!("{url}?mode=rwc")).await?;
        sqlx::migrate::Migrator::new(root.join("migrations")).await?.run(&pool).await?;
        pool.close().await;
        anyhow::Ok(())
    })?;

    let shell = Shell::new()?;
    let cached = root.join("crates/store/.sqlx");
    shell.remove_path(&cached)?;
    shell.create_dir(&cached)?;
    // The macros run again only when the crate is compiled again.
    cmd!(shell, "cargo clean -q -p orangery-store").run()?;
    cmd!(shell, "cargo check -q -p orangery-store")
        .env("DATABASE_URL", &url)
        .env("SQLX_OFFLINE", "false")
        .env("SQLX_OFFLINE_DIR", &cached)
        .run()?;
    Ok(())
}
