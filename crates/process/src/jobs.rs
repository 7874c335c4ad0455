//! Commands that run beside the conversation.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use orangery_domain::SessionId;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::run::Outputs;
use crate::{AllowedCommand, Captured, Error, Finished, Outcome, Runner, Source};

/// Ended jobs of one session whose output is still held.
const REMEMBERED: usize = 16;

/// Names a job; never used twice while the app runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u64);

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A line of the list of jobs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub id: JobId,
    pub session: SessionId,
    pub line: String,
    pub folder: PathBuf,
    /// How it ended; `None` while it runs.
    pub outcome: Option<Outcome>,
    /// Since the start, or from start to end.
    pub took: Duration,
}

/// A job at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// `None` while it runs.
    pub finished: Option<Finished>,
    pub stdout: Captured,
    pub stderr: Captured,
    pub took: Duration,
}

/// All jobs of the app. Dropping it ends them.
#[derive(Debug)]
pub struct Jobs {
    runner: Arc<Runner>,
    state: Mutex<State>,
    changed: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct State {
    last: u64,
    held: BTreeMap<JobId, Held>,
    tasks: JoinSet<()>,
}

#[derive(Debug, Clone)]
struct Held {
    session: SessionId,
    line: String,
    folder: PathBuf,
    began: Instant,
    stop: CancellationToken,
    outputs: Arc<Mutex<Outputs>>,
    finished: watch::Receiver<Option<Finished>>,
}

impl Jobs {
    pub fn new(runner: Arc<Runner>) -> Self {
        Self { runner, state: Mutex::default(), changed: watch::Sender::new(0) }
    }

    /// Starts `command` and leaves it running. Its time limit holds, if it has one. `live` hears the
    /// output as it comes. To be called within a runtime.
    pub fn start(
        &self,
        session: SessionId,
        command: AllowedCommand,
        mut live: impl FnMut(Source, &str) + Send + 'static,
    ) -> JobId {
        let (tell, finished) = watch::channel(None);
        let held = Held {
            session,
            line: command.line.clone(),
            folder: command.folder.clone(),
            began: Instant::now(),
            stop: CancellationToken::new(),
            outputs: Arc::new(Mutex::new(Outputs::new())),
            finished,
        };
        let mut state = self.state();
        state.forget_old(&held.session);
        state.last += 1;
        let id = JobId(state.last);
        state.held.insert(id, held.clone());
        let (runner, changed) = (self.runner.clone(), self.changed.clone());
        state.tasks.spawn(async move {
            let end = runner.execute(&command, &held.stop, |source, bytes| {
                let text = lock(&held.outputs).push(source, bytes);
                if !text.is_empty() {
                    live(source, &text);
                }
            });
            let end = end.await;
            let rest: Vec<_> = lock(&held.outputs).rest().collect();
            for (source, text) in rest {
                live(source, &text);
            }
            let finished = end.finished(&lock(&held.outputs));
            tell.send_replace(Some(finished));
            changed.send_modify(|count| *count += 1);
        });
        // Takes in tasks that have ended.
        while state.tasks.try_join_next().is_some() {}
        drop(state);
        self.changed.send_modify(|count| *count += 1);
        id
    }

    /// The job as it is now or, with `wait`, as soon as it has ended, after that long at the latest.
    pub async fn output(
        &self,
        session: &SessionId,
        id: JobId,
        wait: Option<Duration>,
    ) -> Result<Snapshot, Error> {
        let held = self.held(session, id)?;
        if let Some(wait) = wait {
            // Either way the snapshot tells.
            let _ = tokio::time::timeout(wait, held.ended()).await;
        }
        Ok(held.snapshot())
    }

    /// Ends a job and everything that it started; how it ended. One that has ended stays as it is.
    pub async fn stop(&self, session: &SessionId, id: JobId) -> Result<Snapshot, Error> {
        let held = self.held(session, id)?;
        held.stop.cancel();
        held.ended().await;
        Ok(held.snapshot())
    }

    /// The jobs of one session, or all, oldest first.
    pub fn list(&self, session: Option<&SessionId>) -> Vec<Job> {
        let state = self.state();
        let wanted = state.held.iter().filter(|(_, held)| session.is_none_or(|one| *one == held.session));
        wanted.map(|(id, held)| held.job(*id)).collect()
    }

    /// Ends all jobs of a session, and forgets them.
    pub async fn end_session(&self, session: &SessionId) {
        self.end(|held| held.session == *session).await;
    }

    /// Ends all jobs, and forgets them.
    pub async fn end_all(&self) {
        self.end(|_| true).await;
    }

    /// Counts starts, ends and removals: changes when the list does.
    pub fn changed(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    async fn end(&self, is_meant: impl Fn(&Held) -> bool) {
        let meant: Vec<Held> = self.state().held.values().filter(|held| is_meant(held)).cloned().collect();
        meant.iter().for_each(|held| held.stop.cancel());
        futures::future::join_all(meant.iter().map(Held::ended)).await;
        self.state().held.retain(|_, held| !meant.iter().any(|one| one.is_same(held)));
        self.changed.send_modify(|count| *count += 1);
    }

    /// A job of another session does not exist for this one.
    fn held(&self, session: &SessionId, id: JobId) -> Result<Held, Error> {
        let state = self.state();
        let held = state.held.get(&id).filter(|held| held.session == *session);
        held.cloned().ok_or(Error::NoJob(id.0))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

/// What a panic elsewhere left behind is still a list of jobs.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    fn forget_old(&mut self, session: &SessionId) {
        let ended: Vec<JobId> = self
            .held
            .iter()
            .filter(|(_, held)| held.session == *session && held.finished.borrow().is_some())
            .map(|(id, _)| *id)
            .collect();
        for id in ended.iter().take((ended.len() + 1).saturating_sub(REMEMBERED)) {
            self.held.remove(id);
        }
    }
}

impl Held {
    async fn ended(&self) {
        // The sender goes only with its task, which is over then too.
        let _ = self.finished.clone().wait_for(Option::is_some).await;
    }

    fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.outputs, &other.outputs)
    }

    fn took(&self) -> Duration {
        self.finished.borrow().as_ref().map_or_else(|| self.began.elapsed(), |finished| finished.took)
    }

    fn job(&self, id: JobId) -> Job {
        Job {
            id,
            session: self.session.clone(),
            line: self.line.clone(),
            folder: self.folder.clone(),
            outcome: self.finished.borrow().as_ref().map(|finished| finished.outcome.clone()),
            took: self.took(),
        }
    }

    fn snapshot(&self) -> Snapshot {
        let finished = self.finished.borrow().clone();
        let (stdout, stderr) = lock(&self.outputs).captured();
        Snapshot { finished, stdout, stderr, took: self.took() }
    }
}
