//! What runs commands, for all sessions, and the commands that run in the background.

use std::sync::Arc;

use orangery_domain::{CommandEnd, Job, JobOutput, SessionId};
use orangery_process::{Captured, JobId, Jobs, Launch, Outcome, Runner, Shell};
use tokio_util::task::TaskTracker;

use crate::assistant::{Assistant, Inner};
use crate::{Error, Result};

/// The engine of commands. One for the whole app.
#[derive(Debug)]
pub struct Programs {
    pub(crate) runner: Arc<Runner>,
    pub(crate) jobs: Jobs,
    /// What looks after jobs.
    pub(crate) tasks: TaskTracker,
}

impl Programs {
    /// `launch` is how this app's binary is started as the watchdog.
    pub fn new(launch: Launch) -> Self {
        let runner = Arc::new(Runner::new(launch));
        Self { jobs: Jobs::new(Arc::clone(&runner)), runner, tasks: TaskTracker::new() }
    }

    /// The shell that commands are written for; absent where there is none.
    pub(crate) fn shell(&self) -> Option<&Shell> {
        self.runner.shell().ok()
    }

    pub(crate) async fn close(&self) {
        self.jobs.end_all().await;
        self.tasks.close();
        self.tasks.wait().await;
    }
}

impl Assistant {
    /// Commands in the background, of one session or of all, oldest first.
    pub fn jobs(&self, session: Option<&SessionId>) -> Vec<Job> {
        let programs = self.0.house.programs.iter();
        programs.flat_map(|programs| programs.jobs.list(session)).map(|job| shown(&job)).collect()
    }

    /// What a command in the background has written so far.
    pub async fn job_output(&self, id: u64) -> Result<JobOutput> {
        let (programs, job) = self.0.job(id)?;
        let snapshot = programs.jobs.output(&job.session_id, JobId(id), None).await;
        let snapshot = snapshot.map_err(|_| Error::NoJob(id))?;
        let text = Captured::text;
        Ok(JobOutput {
            stdout: text(&snapshot.stdout),
            stderr: text(&snapshot.stderr),
            job: self.0.job(id)?.1,
        })
    }

    /// Ends a command in the background, with everything that it started.
    pub async fn stop_job(&self, id: u64) -> Result<()> {
        let (programs, job) = self.0.job(id)?;
        programs.jobs.stop(&job.session_id, JobId(id)).await.map_err(|_| Error::NoJob(id))?;
        Ok(())
    }
}

impl Inner {
    fn job(&self, id: u64) -> Result<(&Programs, Job)> {
        let programs = self.house.programs.as_deref().ok_or(Error::NoJob(id))?;
        let job = programs.jobs.list(None).into_iter().find(|job| job.id.0 == id);
        Ok((programs, shown(&job.ok_or(Error::NoJob(id))?)))
    }
}

fn shown(job: &orangery_process::Job) -> Job {
    Job {
        id: job.id.0,
        session_id: job.session.clone(),
        command: job.line.clone(),
        cwd: job.folder.display().to_string(),
        end: job.outcome.as_ref().map(end),
        took_ms: u64::try_from(job.took.as_millis()).unwrap_or(u64::MAX),
    }
}

/// How a command ended, as people and models are told.
pub(crate) fn end(outcome: &Outcome) -> CommandEnd {
    match outcome {
        Outcome::Exited(code) => CommandEnd::Exited { code: *code },
        Outcome::Signalled(signal) => CommandEnd::Signalled { signal: *signal },
        Outcome::TimedOut => CommandEnd::TimedOut,
        Outcome::Cancelled => CommandEnd::Cancelled,
        Outcome::CouldNotStart(obstacle) => CommandEnd::CouldNotStart { reason: obstacle.to_string() },
        Outcome::Lost => CommandEnd::Lost,
    }
}
