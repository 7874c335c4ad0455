//! `kb` and `index`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use futures::StreamExt;
use orangery_api::CHANGES_LOST;
use orangery_api::domain::{FileInfo, KbId, KnowledgeBase, ScanHold, ScanPhase};
use orangery_api::error::{Code, WireError};
use orangery_api::request::{AddKnowledgeBase, KbRef};
use serde::Serialize;

use crate::Result;
use crate::args::Kb;
use crate::call::{Caller, usage};
use crate::human;
use crate::out::{Exit, Out};
use crate::place;
use crate::sentence::Said;

/// Events may be missed by a hair; then this finds out.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

pub async fn run(caller: &Caller, command: Kb, out: Out) -> Result {
    match command {
        Kb::Add { path, name } => {
            let kb = add(caller, &path, name).await?;
            out.value(&kb, |out| out.line(format_args!("{}\t{}\t{}", kb.id, kb.name, kb.root)));
        }
        Kb::List => {
            let known = caller.knowledge_bases().await?;
            out.value(&known, |out| {
                for kb in &known {
                    let state = state(kb);
                    out.line(format_args!("{}\t{}\t{}\t{} files{state}", kb.id, kb.name, kb.root, kb.files));
                }
            });
        }
        Kb::Remove { kb } => {
            let known = caller.knowledge_bases().await?;
            let kb_id = place::knowledge_base(&known, &kb)?.id;
            caller.call::<()>("kb.forget", KbRef { kb_id }).await?;
            out.value(&(), |_| {});
        }
        Kb::Rescan { kb } => {
            let known = caller.knowledge_bases().await?;
            let kb_id = place::knowledge_base(&known, &kb)?.id;
            let kb = scanned(caller, kb_id).await?;
            out.value(&kb, |out| out.line(format_args!("{} files, {} unreadable", kb.files, kb.unreadable)));
        }
        Kb::Pause { kb } => hold(caller, &kb, "kb.pause", out).await?,
        Kb::Cancel { kb } => hold(caller, &kb, "kb.cancel", out).await?,
    }
    Ok(Exit::Done)
}

/// What to know of it in a list.
fn state(kb: &KnowledgeBase) -> String {
    match kb.scan.held {
        _ if kb.offline => "\toffline".into(),
        Some(held) => format!("\t{}", stopped(kb, held)),
        None => String::new(),
    }
}

/// How far a scan came that the user stopped.
fn stopped(kb: &KnowledgeBase, held: ScanHold) -> String {
    let how = match held {
        ScanHold::Paused => "paused",
        ScanHold::Cancelled => "cancelled",
    };
    let scan = &kb.scan;
    let documents = match scan.documents {
        0 => String::new(),
        all => format!(", {} of {all} documents read", scan.documents_read),
    };
    format!("{how}: {} of {} files searchable{documents}", scan.searchable, scan.found)
}

async fn hold(caller: &Caller, name: &str, method: &str, out: Out) -> Result<()> {
    let known = caller.knowledge_bases().await?;
    let kb_id = place::knowledge_base(&known, name)?.id;
    caller.call::<()>(method, KbRef { kb_id }).await?;
    let known = caller.knowledge_bases().await?;
    let kb = place::knowledge_base(&known, name)?;
    out.value(kb, |out| match kb.scan.held {
        Some(held) => out.line(stopped(kb, held)),
        None => out.line("nothing was at work"),
    });
    Ok(())
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Indexed {
    knowledge_base: KnowledgeBase,
    files: u64,
    searchable: u64,
    unreadable: u64,
    took_ms: u64,
}

pub async fn index(caller: &Caller, paths: Vec<PathBuf>, out: Out) -> Result {
    let mut all = Vec::new();
    for path in paths {
        let started = Instant::now();
        let kb = find_or_add(caller, &path).await?;
        let kb = scanned(caller, kb.id).await?;
        let took_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let indexed = Indexed {
            files: kb.files,
            searchable: kb.scan.searchable,
            unreadable: kb.unreadable,
            took_ms,
            knowledge_base: kb,
        };
        if !out.json {
            out.line(format_args!(
                "{}: {}, {} searchable, {} unreadable, {:.2} s",
                indexed.knowledge_base.root,
                human::count(indexed.files, "file"),
                indexed.searchable,
                indexed.unreadable,
                started.elapsed().as_secs_f64()
            ));
            unreadable(caller, indexed.knowledge_base.id, out).await?;
        }
        all.push(indexed);
    }
    out.value(&all, |_| {});
    Ok(Exit::Done)
}

/// Files that are named with their reason; more would hide what was said before them.
const NAMED: usize = 10;

/// Says of the files that could not be read why.
async fn unreadable(caller: &Caller, kb_id: KbId, out: Out) -> Result<()> {
    let all: Vec<FileInfo> = caller.call("file.troubled", ()).await?;
    let (mut named, mut more) = (0, 0);
    for file in all.iter().filter(|file| file.kb_id == kb_id) {
        let Some(trouble) = &file.trouble else { continue };
        if named == NAMED {
            more += 1;
            continue;
        }
        named += 1;
        out.note(format_args!("  {}: {}", file.path, Said(trouble)));
    }
    if more > 0 {
        out.note(format_args!("  and {more} more; the app lists them all"));
    }
    Ok(())
}

/// The knowledge base at `path`, registered and scanned now if it was not known.
pub async fn ready(caller: &Caller, path: &Path) -> Result<KnowledgeBase> {
    if let Some(kb) = at(caller, path).await? {
        return Ok(kb);
    }
    let kb = add(caller, path, None).await?;
    scanned(caller, kb.id).await
}

pub async fn find_or_add(caller: &Caller, path: &Path) -> Result<KnowledgeBase> {
    match at(caller, path).await? {
        Some(kb) => Ok(kb),
        None => add(caller, path, None).await,
    }
}

/// By its folder alone: a name may be that of another folder.
async fn at(caller: &Caller, path: &Path) -> Result<Option<KnowledgeBase>> {
    let folder = place::real(path);
    let known = caller.knowledge_bases().await?;
    Ok(known.into_iter().find(|kb| place::real(Path::new(&kb.root)) == folder))
}

async fn add(caller: &Caller, path: &Path, name: Option<String>) -> Result<KnowledgeBase> {
    let root = std::path::absolute(path).map_err(|error| usage(format!("{}: {error}", path.display())))?;
    let Some(root) = root.to_str().map(str::to_owned) else {
        return Err(usage(format!("{}: the name is not Unicode", path.display())));
    };
    caller.call("kb.add", AddKnowledgeBase { root, name }).await
}

/// Scans the knowledge base and waits until every file is searchable.
async fn scanned(caller: &Caller, kb_id: KbId) -> Result<KnowledgeBase> {
    let mut events = caller.events().await;
    let before = now_ms();
    caller.call::<()>("kb.rescan", KbRef { kb_id }).await?;
    loop {
        let known = caller.knowledge_bases().await?;
        let kb = known.into_iter().find(|kb| kb.id == kb_id).ok_or_else(|| {
            WireError::new(Code::NoKnowledgeBase, format!("knowledge base {kb_id} was removed meanwhile"))
        })?;
        if kb.offline {
            let message = format!("scan {}: the folder cannot be read", kb.root);
            return Err(WireError::new(Code::Offline, message).with("path", &kb.root));
        }
        if let Some(held) = kb.scan.held {
            let message = format!("scan {}: {}; `kb rescan` goes on", kb.root, stopped(&kb, held));
            return Err(WireError::new(Code::Cancelled, message));
        }
        let idle = kb.scan.phase == ScanPhase::Idle;
        if !idle && kb.troubles.iter().any(|trouble| CHANGES_LOST.is(trouble)) {
            let message = format!(
                "scan {}: not finished, because what was found could not be kept; is the disk of the data directory \
                 full? It is tried again",
                kb.root
            );
            return Err(WireError::new(Code::Io, message).with("path", &kb.root));
        }
        if idle && kb.scanned_at.is_some_and(|at| at >= before) {
            return Ok(kb);
        }
        // An event, its absence for a while, and the end of the stream all mean: look again.
        let _ = tokio::time::timeout(LOOK_AGAIN, events.next()).await;
    }
}

fn now_ms() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.as_millis()).unwrap_or(i64::MAX)
}
