//! The machine and the host.

use orangery_store::files;

use crate::error::{Result, WireError};
use crate::request::{Capabilities, DoctorReport, Finding, Nothing};
use crate::rooms::Rooms;

/// Bytes that must be free for work to go on: the index merges in steps of tens of megabytes.
const LEAST_ROOM: u64 = 64 << 20;

pub(crate) async fn capabilities(rooms: &Rooms, _: Nothing) -> Result<Capabilities> {
    Ok(rooms.config.capabilities.clone())
}

/// What is there, what is missing, and how to get it.
pub(crate) async fn doctor(rooms: &Rooms, _: Nothing) -> Result<DoctorReport> {
    let secrets = rooms.secrets.status().await;
    let keyring = Finding {
        name: "keyring".into(),
        ok: secrets.keyring,
        detail: secrets.reason.unwrap_or_else(|| "API keys can be kept in it".into()),
        remedy: (!secrets.keyring).then(|| keyring_remedy().into()),
    };
    let folder = rooms.config.data_dir.clone();
    let room =
        tokio::task::spawn_blocking(move || files::room(&folder)).await.map_err(WireError::internal)?;
    let tight = room.is_some_and(|room| room < LEAST_ROOM);
    let folder = rooms.config.data_dir.display();
    let data = Finding {
        name: "data".into(),
        ok: !tight,
        detail: match room {
            Some(room) => format!("{folder}, {} MiB free", room >> 20),
            None => folder.to_string(),
        },
        remedy: tight.then(|| {
            "make room on this disk; until then what changes may not be stored, and so not found or saved"
                .into()
        }),
    };
    let mut findings = vec![data, keyring];
    findings.extend(rooms.findings());
    for broken in rooms.assistant.broken_rules(&[]).await? {
        findings.push(Finding {
            name: "permissions".into(),
            ok: false,
            detail: broken.detail,
            remedy: Some("correct the file; until then much is denied, and all else is asked".into()),
        });
    }
    Ok(DoctorReport { findings })
}

fn keyring_remedy() -> &'static str {
    if cfg!(target_os = "linux") {
        "install and start a secret service (Debian: gnome-keyring), or keep keys for one run or in a passphrase file"
    } else {
        "unlock the system's keyring, or keep keys for one run or in a passphrase file"
    }
}
