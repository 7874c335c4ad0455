//! The machine and the host.

use std::path::Path;

use orangery_domain::ErrorKind;
use orangery_library::DiffersBy;
use orangery_store::files;

use crate::error::{Code, Result, WireError};
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
    let data = tokio::task::spawn_blocking(move || data(&folder)).await.map_err(WireError::internal)?;
    let mut findings = vec![data, keyring, pdf(rooms).await];
    findings.extend(rooms.library.index_trouble().map(|reason| Finding {
        name: "index".into(),
        ok: false,
        detail: reason,
        remedy: Some(
            "let your user read and write the folder `index` of the data directory; it can also be moved away, and is \
             built anew"
                .into(),
        ),
    }));
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

/// Differences that are told one by one.
const TOLD: usize = 200;

/// Index, database and disk, compared.
pub(crate) async fn verify(rooms: &Rooms, _: Nothing) -> Result<DoctorReport> {
    let verified = rooms.library.verify().await?;
    let known = rooms.library.knowledge_bases();
    let differ = verified.differences.len();
    let finding = |ok, detail, remedy: Option<&str>| Finding {
        name: "verify".into(),
        ok,
        detail,
        remedy: remedy.map(str::to_owned),
    };
    let told = verified.differences.iter().take(TOLD).map(|difference| {
        let (said, remedy) = differs(difference.fault);
        let kb = |id| known.iter().find(|kb| kb.id == id).map(|kb| kb.name.as_str()).unwrap_or_default();
        let named = match (&difference.place, difference.file) {
            (Some(place), _) => format!("{}: {}", kb(place.kb_id), place.path),
            (None, Some(file)) => format!("file {file}"),
            (None, None) => String::new(),
        };
        finding(false, format!("{named}: {said}"), Some(remedy))
    });
    let mut findings: Vec<Finding> = told.collect();
    if differ > TOLD {
        findings.push(finding(false, format!("and {} more", differ - TOLD), None));
    }
    if differ == 0 {
        let files = verified.files;
        findings.push(finding(true, format!("index, database and disk agree on {files} files"), None));
    }
    findings.extend(verified.offline.iter().map(|name| {
        finding(true, format!("{name}: is not connected, so its files were not compared"), None)
    }));
    Ok(DoctorReport { findings })
}

fn differs(fault: DiffersBy) -> (&'static str, &'static str) {
    const RESCAN: &str = "run `orangery kb rescan` for it";
    const ANEW: &str = "move the folder `index` of the data directory away: it is built anew";
    match fault {
        DiffersBy::Unknown => ("is on disk, and not known", RESCAN),
        DiffersBy::Gone => ("is known, and not on disk", RESCAN),
        DiffersBy::Changed => {
            ("has other bytes than those that are known, with the same size and time", "save the file again")
        }
        DiffersBy::NotIndexed => ("is not in the index", ANEW),
        DiffersBy::IndexedOtherwise => ("is in the index with other words than it says", ANEW),
        DiffersBy::Orphan => ("is in the index, and not known", ANEW),
        DiffersBy::Remembered => ("is in memory otherwise than in the database", "start the program again"),
    }
}

/// Asked of the process that reads documents: that the library is there says little.
async fn pdf(rooms: &Rooms) -> Finding {
    let missing = rooms.library.misses_pdf().await;
    Finding {
        name: "pdf".into(),
        ok: missing.is_none(),
        remedy: missing.as_ref().map(|_| {
            "run `cargo xtask pdfium`, which puts PDFium beside the program, or name one with ORANGERY_PDFIUM"
                .into()
        }),
        detail: missing.unwrap_or_else(|| "PDF files can be read".into()),
    }
}

/// What can be said where the rooms cannot be opened, which `error` tells.
pub(crate) fn doctor_outside(data_dir: &Path, error: &WireError) -> DoctorReport {
    let closed = Finding {
        name: "database".into(),
        ok: false,
        detail: error.message.clone(),
        remedy: Some(closed_remedy(error).into()),
    };
    DoctorReport { findings: vec![data(data_dir), closed] }
}

fn closed_remedy(error: &WireError) -> &'static str {
    match error.code {
        Code::DiskFull => "make room on the disk of the data directory",
        Code::AccessDenied | Code::ReadOnly => {
            "let your user read and write the data directory, or name another with --data-dir"
        }
        Code::NewerDatabase => {
            "use the version of this program that wrote it, or name another data directory with --data-dir"
        }
        _ if error.kind != ErrorKind::Corrupt => {
            "mend what is said here, or name another data directory with --data-dir"
        }
        // Only what is damaged is given up: it holds all history.
        _ => {
            "move the database elsewhere, with the files beside it that begin with its name, and start again: the \
             knowledge bases are then added anew, and their files are as they were; what history and settings hold \
             stays in the file that was moved"
        }
    }
}

/// The data directory and its disk. Blocks.
fn data(folder: &Path) -> Finding {
    let room = files::room(folder);
    let tight = room.is_some_and(|room| room < LEAST_ROOM);
    let in_the_way = folder.exists() && !folder.is_dir();
    let folder = folder.display();
    Finding {
        name: "data".into(),
        ok: !tight && !in_the_way,
        detail: match room {
            _ if in_the_way => format!("{folder} is no folder"),
            Some(room) => format!("{folder}, {:.1} GB free", room as f64 / 1e9),
            None => folder.to_string(),
        },
        remedy: match (in_the_way, tight) {
            (true, _) => Some("move it out of the way, or name another folder with --data-dir".into()),
            (false, true) => Some(
                "make room on this disk; until then what changes may not be stored, and so not found or saved"
                    .into(),
            ),
            (false, false) => None,
        },
    }
}

fn keyring_remedy() -> &'static str {
    if cfg!(target_os = "linux") {
        "install and start a secret service (Debian: gnome-keyring), or keep keys for one run or in a passphrase file"
    } else {
        "unlock the system's keyring, or keep keys for one run or in a passphrase file"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_damaged_database_is_to_be_moved_away() {
        let told = |code: Code, kind: ErrorKind| {
            let error = WireError { kind, ..WireError::new(code, "why") };
            closed_remedy(&error).starts_with("move the database")
        };
        assert!(told(Code::Database, ErrorKind::Corrupt));
        for (code, kind) in [
            (Code::Database, ErrorKind::Unavailable),
            (Code::ReadOnly, ErrorKind::Unavailable),
            (Code::AccessDenied, ErrorKind::Unavailable),
            (Code::NewerDatabase, ErrorKind::Unavailable),
            (Code::DiskFull, ErrorKind::Unavailable),
        ] {
            assert!(!told(code, kind), "{code:?}");
        }
    }
}
