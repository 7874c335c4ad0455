//! Workers that misbehave, played by a shell.
#![cfg(unix)]

use std::path::Path;

use super::*;

fn subject(bytes: &[u8]) -> Subject {
    Subject {
        bytes: Arc::new(bytes.to_vec()),
        hash: ContentHash::of(bytes),
        kind: FileKind::Table,
        name: "a.csv".into(),
        password: None,
        encoding: None,
    }
}

fn pool(script: &str, patience: Duration) -> Extractor {
    let command = WorkerCommand::new("/bin/sh".into(), &["-c", script]);
    Extractor::new(WorkerCommand { patience, ..command })
}

const LONG: Duration = Duration::from_secs(100);

/// A whole answer, as a shell can print it: an empty document.
fn answers() -> String {
    let head = serde_json::to_vec(&Answer::Document(Box::default())).unwrap();
    let mut frame = wire::lengths(&head, &[]).unwrap().to_vec();
    frame.extend(head);
    let octal: String = frame.iter().map(|byte| format!("\\{byte:03o}")).collect();
    format!("printf '{octal}'")
}

#[tokio::test]
async fn what_is_no_worker_is_no_fault_of_the_document() {
    for script in ["echo running 1 test", "exit 1", "printf orange"] {
        let fault = pool(script, LONG).read(&subject(b"a"), Urgency::Now).await.unwrap_err();
        assert!(matches!(fault, Fault::NoWorker(_)), "{script}: {fault:?}");
        assert_eq!(fault.trouble(), None);
    }
    let missing = Extractor::new(WorkerCommand::new("/nowhere/orangery".into(), &[]));
    assert!(matches!(missing.read(&subject(b"a"), Urgency::Whenever).await, Err(Fault::NoWorker(_))));
}

#[tokio::test]
async fn a_worker_that_dies_or_babbles_crashed_of_the_document() {
    for script in [
        "printf orangew1; head -c 12 >/dev/null; exit 3",
        "printf orangew1; head -c 12 >/dev/null; kill -9 $$",
        "printf orangew1; head -c 12 >/dev/null; printf 'what else is there to say'; cat >/dev/null",
        // Killed before it read anything.
        "printf orangew1",
    ] {
        let fault = pool(script, LONG).read(&subject(&[7; 300_000]), Urgency::Now).await;
        assert_eq!(fault, Err(Fault::Crashed), "{script}");
    }
}

#[tokio::test]
async fn a_worker_yields_only_where_nobody_waits() {
    let script = format!(
        "[ -z \"$ORANGERY_WORKER_YIELDS\" ] || exit 1; printf orangew1; {}; cat >/dev/null",
        answers()
    );
    let extractor = pool(&script, LONG);
    assert!(extractor.read(&subject(b"a"), Urgency::Now).await.is_ok());
    // The one that rests is not for the index.
    let fault = extractor.read(&subject(b"a"), Urgency::Whenever).await;
    assert!(matches!(fault, Err(Fault::NoWorker(_))), "{fault:?}");
}

/// Nobody of that number is there any more, or only its tombstone.
fn is_gone(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.map_or(true, |stat| stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')))
}

async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < Duration::from_secs(60), "{what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn pid_in(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_default().trim().to_owned()
}

#[tokio::test]
#[cfg(target_os = "linux")]
async fn a_worker_that_takes_too_long_is_ended() {
    let keep = tempfile::tempdir().unwrap();
    let file = keep.path().join("pid");
    let script = format!("echo $$ > {}; printf orangew1; exec sleep 1000", file.display());
    let fault = pool(&script, Duration::from_millis(200)).read(&subject(b"a"), Urgency::Now).await;
    assert_eq!(fault, Err(Fault::TooSlow));
    let pid = pid_in(&file);
    assert!(!pid.is_empty());
    until("the worker is ended", || is_gone(&pid)).await;
}

#[tokio::test]
#[cfg(target_os = "linux")]
async fn a_worker_whose_answer_nobody_waits_for_is_ended() {
    let keep = tempfile::tempdir().unwrap();
    let file = keep.path().join("pid");
    let script = format!("echo $$ > {}; printf orangew1; exec sleep 1000", file.display());
    let pool = pool(&script, LONG);
    let asking = tokio::spawn(async move { pool.read(&subject(b"a"), Urgency::Whenever).await });
    until("the worker starts", || !pid_in(&file).is_empty()).await;
    let pid = pid_in(&file);
    asking.abort();
    assert!(asking.await.is_err());
    until("the worker is ended", || is_gone(&pid)).await;
}

/// A worker that died while nobody asked it is replaced, and the document is not blamed.
#[tokio::test]
async fn a_worker_that_died_in_its_sleep_is_replaced() {
    let keep = tempfile::tempdir().unwrap();
    let file = keep.path().join("pids");
    let script =
        format!("echo $$ >> {}; printf orangew1; head -c 12 >/dev/null; {}", file.display(), answers());
    let pool = pool(&script, LONG);
    for _ in 0..3 {
        assert_eq!(pool.read(&subject(b"a"), Urgency::Now).await, Ok(Document::default()));
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 3);
    pool.close();
    assert_eq!(pool.read(&subject(b"a"), Urgency::Now).await, Err(Fault::Closed));
}
