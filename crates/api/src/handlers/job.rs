//! Commands in the background.

use orangery_domain::{Job, JobOutput};

use crate::error::Result;
use crate::request::{JobRef, ListJobs};
use crate::rooms::Rooms;

pub(crate) async fn list(rooms: &Rooms, request: ListJobs) -> Result<Vec<Job>> {
    Ok(rooms.assistant.jobs(request.session_id.as_ref()))
}

pub(crate) async fn output(rooms: &Rooms, request: JobRef) -> Result<JobOutput> {
    Ok(rooms.assistant.job_output(request.job).await?)
}

pub(crate) async fn stop(rooms: &Rooms, request: JobRef) -> Result<()> {
    Ok(rooms.assistant.stop_job(request.job).await?)
}
