//! Commands in the background.

use std::time::Duration;

use orangery_domain::SessionId;
use orangery_process::{Error, JobId, Jobs, Outcome};

use crate::support::{GENEROUS, House, tell_ready, until};

fn session(name: &str) -> SessionId {
    SessionId(name.into())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_followed_and_stopped() {
    let house = House::new();
    let jobs = Jobs::new(house.runner.clone());
    let (one, other) = (session("one"), session("other"));
    let (ready, tell) = tell_ready();
    let mut changed = jobs.changed();
    let id = jobs.start(one.clone(), house.allowed("setsid sleep 1000 & echo ready; sleep 1000"), tell);
    ready.notified().await;
    let running = jobs.output(&one, id, Some(Duration::from_millis(20))).await.unwrap();
    assert_eq!((running.finished, running.stdout.text().as_str()), (None, "ready\n"));
    let listed = jobs.list(Some(&one));
    assert!(listed[0].outcome.is_none() && listed[0].line.contains("setsid") && listed.len() == 1);
    // Another session neither sees nor ends it.
    assert!(jobs.list(Some(&other)).is_empty());
    assert_eq!(jobs.stop(&other, id).await, Err(Error::NoJob(id.0)));
    changed.mark_unchanged();
    let stopped = jobs.stop(&one, id).await.unwrap().finished.unwrap();
    assert_eq!((stopped.outcome, stopped.survivors), (Outcome::Cancelled, 0));
    changed.changed().await.unwrap();
    assert_eq!(house.living(), Vec::<String>::new());
    // It can still be read, and stopping it again changes nothing.
    assert_eq!(jobs.stop(&one, id).await.unwrap().finished.unwrap().outcome, Outcome::Cancelled);
    assert!(jobs.list(None)[0].outcome.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_ends_is_waited_for() {
    let house = House::new();
    let jobs = Jobs::new(house.runner.clone());
    let id = jobs.start(session("one"), house.allowed("echo done; exit 3"), |_, _| {});
    let ended = jobs.output(&session("one"), id, Some(GENEROUS)).await.unwrap();
    assert_eq!(ended.finished.unwrap().outcome, Outcome::Exited(3));
    assert_eq!(ended.stdout.text(), "done\n");
    assert_eq!(jobs.output(&session("one"), JobId(99), None).await, Err(Error::NoJob(99)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_takes_its_jobs_with_it() {
    let house = House::new();
    let jobs = Jobs::new(house.runner.clone());
    let mut ids = Vec::new();
    for name in ["one", "one", "other"] {
        let (ready, tell) = tell_ready();
        ids.push(jobs.start(session(name), house.allowed("echo ready; exec sleep 1000"), tell));
        ready.notified().await;
    }
    jobs.end_session(&session("one")).await;
    assert_eq!(house.living().len(), 1);
    let left: Vec<JobId> = jobs.list(None).iter().map(|job| job.id).collect();
    assert_eq!(left, ids[2..]);
    jobs.end_all().await;
    assert_eq!((house.living().len(), jobs.list(None).len()), (0, 0));
    let (ready, tell) = tell_ready();
    jobs.start(session("one"), house.allowed("echo ready; exec sleep 1000"), tell);
    ready.notified().await;
    drop(jobs);
    until("the job has gone with the list", GENEROUS, || house.living().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn old_jobs_are_forgotten() {
    let house = House::new();
    let jobs = Jobs::new(house.runner.clone());
    for _ in 0..20 {
        let id = jobs.start(session("one"), house.allowed("true"), |_, _| {});
        jobs.output(&session("one"), id, Some(GENEROUS)).await.unwrap();
    }
    let left = jobs.list(None);
    assert_eq!((left.len(), left.last().unwrap().id), (16, JobId(20)));
}
