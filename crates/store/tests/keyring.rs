//! A key in the real keyring outlives the process that put it there.

use std::path::Path;
use std::process::{Command, Stdio};

use orangery_domain::KeyPlace;
use orangery_store::secret::{Secret, Secrets};

const STEP: &str = "ORANGERY_TEST_KEYRING";
/// Set where everything is installed that tests need.
const PACKAGES: &str = "ORANGERY_TEST_PACKAGES";

/// A bus and an unlocked keyring of their own, in which each step is a process.
const SESSION: &str = r#"
printf 'password' | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
for step in set get remove; do
    ORANGERY_TEST_KEYRING=$step "$0" --exact step || exit 1
done
"#;

#[test]
fn a_key_survives_a_restart() {
    let there = |program| Command::new(program).arg("--version").stdout(Stdio::null()).status().is_ok();
    // Not every system has this keyring; `cargo xtask test` installs it where it can, and says so.
    if !there("dbus-run-session") || !there("gnome-keyring-daemon") {
        assert!(std::env::var_os(PACKAGES).is_none(), "the packages for tests are said to be there");
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let status = Command::new("dbus-run-session")
        .args(["--", "sh", "-c", SESSION])
        .arg(std::env::current_exe().unwrap())
        .env("HOME", home.path())
        .env("XDG_RUNTIME_DIR", home.path())
        .env("XDG_DATA_HOME", home.path())
        .env_remove("DBUS_SESSION_BUS_ADDRESS")
        .status()
        .unwrap();
    assert!(status.success());
}

/// Not a test of its own: one process of the session above.
#[tokio::test]
async fn step() {
    let Ok(step) = std::env::var(STEP) else { return };
    let secrets = Secrets::open(Path::new("/data"));
    let (name, place) = ("model/1", KeyPlace::Keyring);
    assert!(secrets.status().await.keyring, "{:?}", secrets.status().await);
    match step.as_str() {
        "set" => secrets.set(name, Secret::new("密钥-1"), place).await.unwrap(),
        "get" => {
            assert_eq!(secrets.get(name, place).await.unwrap(), Some(Secret::new("密钥-1")));
            // Another data directory has keys of its own.
            let other = Secrets::open(Path::new("/other"));
            assert_eq!(other.get(name, place).await.unwrap(), None);
        }
        _ => {
            secrets.remove(name, place).await.unwrap();
            assert_eq!(secrets.get(name, place).await.unwrap(), None);
        }
    }
}
