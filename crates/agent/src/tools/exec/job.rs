//! Commands in the background, for the conversation that started them.

use std::time::Duration;

use orangery_process::{JobId, Snapshot};

use super::report;
use crate::programs::Programs;
use crate::tool::{Call, Output, ToolError};

pub(super) async fn output(
    programs: &Programs,
    job: JobId,
    wait: Option<Duration>,
    call: &Call,
) -> Result<Output, ToolError> {
    let snapshot = programs.jobs.output(&call.session_id, job, wait).await;
    Ok(told(job, &snapshot.map_err(|error| missing(programs, &error, call))?))
}

pub(super) async fn stop(programs: &Programs, job: JobId, call: &Call) -> Result<Output, ToolError> {
    let snapshot = programs.jobs.stop(&call.session_id, job).await;
    Ok(told(job, &snapshot.map_err(|error| missing(programs, &error, call))?))
}

/// That a job failed is no failure of the call that asks for it.
fn told(job: JobId, snapshot: &Snapshot) -> Output {
    let mut output = match &snapshot.finished {
        Some(finished) => Output { json: report::finished(finished, None).json, ..Output::default() },
        None => Output { json: report::so_far(snapshot), ..Output::default() },
    };
    output.json["job"] = job.0.into();
    output.json["running"] = snapshot.finished.is_none().into();
    output
}

fn missing(programs: &Programs, error: &orangery_process::Error, call: &Call) -> ToolError {
    let jobs = programs.jobs.list(Some(&call.session_id));
    let known: Vec<String> = jobs.iter().map(|job| job.id.to_string()).collect();
    let known = if known.is_empty() {
        "there are none".to_owned()
    } else {
        format!("there are {}", known.join(", "))
    };
    ToolError::tell(format!("job: {error} in this conversation; {known}"))
}
