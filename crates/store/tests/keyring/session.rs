//! A bus and an unlocked keyring of their own.

use std::io;
use std::process::{Command, Stdio};

/// Set where everything is installed that tests need.
const PACKAGES: &str = "ORANGERY_TEST_PACKAGES";

/// Runs the shell's `script` in such a session, with the test's own program as `$0`. Nothing happens where the system
/// has no keyring: `cargo xtask test` installs it where it can, and says so.
pub fn run(script: &str) -> io::Result<()> {
    let there = |program| Command::new(program).arg("--version").stdout(Stdio::null()).status().is_ok();
    if !there("dbus-run-session") || !there("gnome-keyring-daemon") {
        assert!(std::env::var_os(PACKAGES).is_none(), "the packages for tests are said to be there");
        return Ok(());
    }
    let unlocked = "printf 'password' | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1\n";
    let home = tempfile::tempdir()?;
    let status = Command::new("dbus-run-session")
        .args(["--", "sh", "-c", &format!("{unlocked}{script}")])
        .arg(std::env::current_exe()?)
        .env("HOME", home.path())
        .env("XDG_RUNTIME_DIR", home.path())
        .env("XDG_DATA_HOME", home.path())
        .env_remove("DBUS_SESSION_BUS_ADDRESS")
        .status()?;
    assert!(status.success());
    Ok(())
}
