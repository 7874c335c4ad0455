//! Checks every query of `crates/store` against the migrations and writes what it learnt to
//! `crates/store/.sqlx`, so that a build needs no database.

use xshell::{Shell, cmd};

use crate::place;

pub fn run() -> anyhow::Result<()> {
    let root = place::root();
    let shell = Shell::new()?;
    shell.create_dir(place::target())?;
    let database = place::target().join("prepare.db");
    for suffix in ["", "-wal", "-shm"] {
        let mut name = database.clone().into_os_string();
        name.push(suffix);
        shell.remove_path(name)?;
    }
    let url = format!("sqlite://{}", database.display());
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let pool = sqlx::SqlitePool::connect(&format!("{url}?mode=rwc")).await?;
        sqlx::migrate::Migrator::new(root.join("migrations")).await?.run(&pool).await?;
        pool.close().await;
        anyhow::Ok(())
    })?;

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
