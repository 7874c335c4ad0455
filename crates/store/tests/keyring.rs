//! A key in the real keyring outlives the process that put it there.

#[path = "keyring/session.rs"]
mod session;

use std::path::Path;

use orangery_domain::KeyPlace;
use orangery_store::secret::{Secret, Secrets};

const STEP: &str = "ORANGERY_TEST_KEYRING";

/// Each step is a process.
const STEPS: &str = r#"
for step in set get remove; do
    ORANGERY_TEST_KEYRING=$step "$0" --exact step || exit 1
done
"#;

#[test]
fn a_key_survives_a_restart() {
    session::run(STEPS).unwrap();
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
