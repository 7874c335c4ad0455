//! `exec`: runs a command, looks after one in the background, opens something for the user.

mod feed;
mod folder;
mod job;
mod report;
mod secret;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use orangery_domain::{Event, KbId};
use orangery_library::Mark;
use orangery_process::{AllowedCommand, DEFAULT_TIMEOUT_SECONDS, JobId, Opened, ShellKind, TIMEOUT_SECONDS};
use orangery_store::table;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::Error;
use crate::gate::{Action, Address, CommandLine, Permit};
use crate::programs::Programs;
use crate::shell::Reading;
use crate::tool::{Call, Output, Tool, ToolError};
use crate::tools::place;

/// The setting that confines commands; it is off unless it is stored.
const CONFINED: &str = "confineCommands";
/// Milliseconds that a call waits for a job, unless it says how many.
const WAIT_MS: u64 = 30_000;
const LONGEST_WAIT_MS: u64 = 600_000;
/// How long the result of a command waits for a look at the files that it may have changed.
const LOOK: Duration = Duration::from_secs(2);

/// Runs a command line in the user's shell, or looks after one that runs in the background, or opens a
/// file or address in the user's own program. Give exactly one of `command`, `job` and `open`.
///
/// There is no terminal and nobody answers a command's questions. Nothing is kept for the next call: no
/// folder, no variables. Everything that a command starts ends with it. To change notes use edit and
/// write: what a command changes is in no change set and cannot be undone there.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExecInput {
    /// A command line for the shell that you are told of.
    command: Option<String>,
    /// With command. The folder to run in: absolute, or relative to the first knowledge base, whose root
    /// is the default.
    cwd: Option<String>,
    /// With command. It is ended after this long: 5 to 1800, 120 unless given; in the background without
    /// limit unless given.
    timeout_seconds: Option<u64>,
    /// With command. Starts it and goes on; the result has the number of the job.
    background: Option<bool>,
    /// The number of a command of this conversation that runs in the background. Give action too.
    job: Option<u64>,
    /// With job: see what it has written, or end it.
    action: Option<JobAction>,
    /// With action output: wait until the job has ended.
    block: Option<bool>,
    /// With block: how long at most, 1 to 600000; 30000 unless given.
    wait_ms: Option<u64>,
    /// A path or URL to open in the program that the user has chosen for it. The user is asked.
    open: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum JobAction {
    Output,
    Stop,
}

/// What a call is for.
#[derive(Debug, PartialEq, Eq)]
enum Wanted<'a> {
    Run {
        line: &'a str,
        cwd: Option<&'a str>,
        timeout: Option<Duration>,
        background: bool,
    },
    /// With how long to wait for its end.
    Output {
        job: u64,
        wait: Option<Duration>,
    },
    Stop {
        job: u64,
    },
    Open(&'a str),
}

pub(crate) struct Exec;

impl Tool for Exec {
    type Input = ExecInput;
    const NAME: &'static str = "exec";

    fn least(&self) -> Action {
        Action::Job { id: 0, ends: false }
    }

    fn subject(&self, input: &ExecInput) -> String {
        match wanted(input) {
            Ok(Wanted::Run { line, .. }) => line.trim().to_owned(),
            Ok(Wanted::Output { job, .. } | Wanted::Stop { job }) => format!("#{job}"),
            Ok(Wanted::Open(target)) => target.to_owned(),
            Err(_) => String::new(),
        }
    }

    async fn resolve(&self, input: &ExecInput, call: &Call) -> Result<Action, ToolError> {
        match wanted(input)? {
            Wanted::Run { line, cwd, timeout, background } => {
                command_line(call, line, cwd, timeout, background).await.map(Action::Exec)
            }
            Wanted::Output { job, .. } => Ok(Action::Job { id: job, ends: false }),
            Wanted::Stop { job } => Ok(Action::Job { id: job, ends: true }),
            Wanted::Open(target) => opening(call, target).await,
        }
    }

    async fn run(&self, permit: Permit, input: ExecInput, call: &Call) -> Result<Output, ToolError> {
        let wanted = wanted(&input)?;
        if let Some(target) = permit.opening() {
            return open(target).await;
        }
        let programs = call.house.programs.as_deref();
        let programs =
            programs.ok_or_else(|| ToolError::tell("commands cannot be run in this process of the app"))?;
        match (wanted, permit.command()) {
            (Wanted::Run { background: true, .. }, Some(command)) => {
                start(programs, command.map_err(refused)?, call)
            }
            (Wanted::Run { .. }, Some(command)) => run(programs, command.map_err(refused)?, call).await,
            (Wanted::Output { job, wait }, _) => job::output(programs, JobId(job), wait, call).await,
            (Wanted::Stop { job }, _) => job::stop(programs, JobId(job), call).await,
            (Wanted::Run { .. } | Wanted::Open(_), _) => Err(ToolError::wrong("command: was not judged")),
        }
    }
}

/// What `input` asks for; refuses what contradicts itself.
fn wanted(input: &ExecInput) -> Result<Wanted<'_>, ToolError> {
    let ExecInput { command, cwd, timeout_seconds, background, job, action, block, wait_ms, open } = input;
    let given = [("command", command.is_some()), ("job", job.is_some()), ("open", open.is_some())];
    let given: Vec<&str> = given.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect();
    let kind = match given.as_slice() {
        [] => return Err(ToolError::wrong("command: give command, or job with action, or open")),
        [kind] => *kind,
        [_, other, ..] => {
            return Err(ToolError::wrong(format!("{other}: give only one of command, job and open")));
        }
    };
    let belongings = [
        ("cwd", cwd.is_some(), "command"),
        ("timeoutSeconds", timeout_seconds.is_some(), "command"),
        ("background", background.is_some(), "command"),
        ("action", action.is_some(), "job"),
        ("block", block.is_some(), "job"),
        ("waitMs", wait_ms.is_some(), "job"),
    ];
    if let Some((name, _, owner)) = belongings.into_iter().find(|(_, there, owner)| *there && *owner != kind)
    {
        return Err(ToolError::wrong(format!("{name}: belongs to {owner}, not to {kind}")));
    }
    if let Some(line) = command {
        if line.trim().is_empty() {
            return Err(ToolError::wrong("command: is blank"));
        }
        if timeout_seconds.is_some_and(|seconds| !TIMEOUT_SECONDS.contains(&seconds)) {
            let (least, most) = TIMEOUT_SECONDS.into_inner();
            return Err(ToolError::wrong(format!("timeoutSeconds: is {least} to {most}")));
        }
        let background = background.unwrap_or(false);
        let limit = timeout_seconds.or((!background).then_some(DEFAULT_TIMEOUT_SECONDS));
        let timeout = limit.map(Duration::from_secs);
        return Ok(Wanted::Run { line, cwd: cwd.as_deref(), timeout, background });
    }
    if let Some(target) = open {
        if target.trim().is_empty() {
            return Err(ToolError::wrong("open: is blank"));
        }
        return Ok(Wanted::Open(target.trim()));
    }
    let job = job.unwrap_or_default();
    let block = block.unwrap_or(false);
    match action {
        None => Err(ToolError::wrong("action: is missing; a job needs output or stop")),
        Some(JobAction::Stop) if block || wait_ms.is_some() => {
            Err(ToolError::wrong("block: belongs to the action output; stop waits for the end by itself"))
        }
        Some(JobAction::Stop) => Ok(Wanted::Stop { job }),
        Some(JobAction::Output) if wait_ms.is_some() && !block => {
            Err(ToolError::wrong("waitMs: belongs to block: true"))
        }
        Some(JobAction::Output) => {
            let wait_ms = wait_ms.unwrap_or(WAIT_MS);
            if !(1..=LONGEST_WAIT_MS).contains(&wait_ms) {
                return Err(ToolError::wrong(format!("waitMs: is 1 to {LONGEST_WAIT_MS}")));
            }
            Ok(Wanted::Output { job, wait: block.then_some(Duration::from_millis(wait_ms)) })
        }
    }
}

/// All that the gate is to know of a command.
async fn command_line(
    call: &Call,
    line: &str,
    cwd: Option<&str>,
    timeout: Option<Duration>,
    background: bool,
) -> Result<CommandLine, ToolError> {
    let (folder, keeps_secrets) = folder::of(call, cwd).await?;
    let kind = call.house.programs.as_ref().and_then(|programs| programs.shell()).map(|shell| shell.kind);
    let text = line.to_owned();
    let reading = place::blocking(move || {
        Ok(match kind {
            Some(ShellKind::PowerShell | ShellKind::WindowsPowerShell) => Reading::of_other(&text),
            Some(ShellKind::Bash | ShellKind::Sh) | None => Reading::of_bash(&text),
        })
    })
    .await?;
    let confined = confines(call).await?.then(|| writable(call));
    Ok(CommandLine {
        line: line.to_owned(),
        folder,
        sensitive: keeps_secrets || reading.texts.iter().any(|text| secret::names(text)),
        commands: reading.commands,
        unread: reading.unread,
        timeout,
        background,
        confined,
    })
}

async fn confines(call: &Call) -> Result<bool, ToolError> {
    let settings = table::setting::all(call.house.db.reader()).await?;
    Ok(settings.get(CONFINED).and_then(serde_json::Value::as_bool).unwrap_or(false))
}

/// What a confined command may write below: the selected folders that are there.
fn writable(call: &Call) -> Vec<PathBuf> {
    call.selected.iter().filter(|kb| !kb.offline).map(|kb| PathBuf::from(&kb.root)).collect()
}

async fn run(programs: &Programs, command: AllowedCommand, call: &Call) -> Result<Output, ToolError> {
    let mark = mark(call);
    let (writer, feed) = feed::feed();
    let send = send(call, None);
    let work = programs.runner.run(&command, &call.cancel, move |source, text| writer.push(source, text));
    let pump = async {
        feed.pump(&send).await;
        std::future::pending::<std::convert::Infallible>().await
    };
    let finished = tokio::select! {
        finished = work => finished,
        never = pump => match never {},
    };
    feed.flush(&send);
    // The look is taken all the same; a turn that was stopped does not wait for it.
    let patience = if call.cancel.is_cancelled() { Duration::ZERO } else { LOOK };
    let touched = call.house.library.since(&mark, patience).await;
    Ok(report::finished(&finished, report::files(call, touched)))
}

fn start(programs: &Programs, command: AllowedCommand, call: &Call) -> Result<Output, ToolError> {
    if let Err(error) = programs.runner.shell() {
        return Err(ToolError::tell(error.to_string()));
    }
    let mark = mark(call);
    let (writer, feed) = feed::feed();
    let job =
        programs.jobs.start(call.session_id.clone(), command, move |source, text| writer.push(source, text));
    let (send, library) = (send(call, Some(job)), call.house.library.clone());
    programs.tasks.spawn(async move {
        // Until the command has ended.
        feed.pump(&send).await;
        library.since(&mark, LOOK).await;
    });
    let json = json!({
        "job": job.0,
        "running": true,
        "next": "see what it writes with job and action output, end it with action stop; it ends with this conversation",
        "undo": report::OUTSIDE_OF_UNDO,
    });
    Ok(Output { json, ..Output::default() })
}

/// Only the knowledge bases of the session are looked at: the rest of the machine is not known here.
fn mark(call: &Call) -> Mark {
    let kb_ids: Vec<KbId> = call.selected.iter().map(|kb| kb.id).collect();
    call.house.library.mark(&kb_ids)
}

/// Tells everybody what the command of this call writes.
fn send(call: &Call, job: Option<JobId>) -> impl Fn(feed::Pieces) + Send + Sync + 'static {
    let (house, session_id, turn_id) = (Arc::clone(&call.house), call.session_id.clone(), call.turn_id);
    let call_id = call.call_id.clone();
    move |feed::Pieces { pieces, skipped }| {
        let (session_id, call_id) = (session_id.clone(), call_id.clone());
        let job = job.map(|job| job.0);
        (house.emit)(Event::Output { session_id, turn_id, call_id, job, skipped, pieces });
    }
}

/// What is to be opened: an address, or a file like any other that is read.
async fn opening(call: &Call, target: &str) -> Result<Action, ToolError> {
    if let Some(address) = address(target)? {
        return Ok(Action::OpenUrl(address));
    }
    let named = place::Named { path: Some(target), ..place::Named::default() };
    let mut found = place::target(call, named)
        .await
        .map_err(|error| error.reworded(|message| message.replacen("path:", "open:", 1)))?;
    let path = place::on_disk(call, &found)?;
    let text = path.to_str().ok_or_else(|| ToolError::wrong("open: the name is not Unicode"))?;
    if !path.exists() {
        return Err(ToolError::tell(format!("open: there is nothing at {target}")));
    }
    // The last spelling is what is opened.
    found.paths.retain(|path| path != text);
    found.paths.push(text.to_owned());
    Ok(Action::OpenPath(found))
}

/// An address with its scheme; `None` for what is a path.
fn address(target: &str) -> Result<Option<Address>, ToolError> {
    let Ok(url) = url::Url::parse(target) else { return Ok(None) };
    // `C:\notes` reads as an address too.
    if url.scheme().len() == 1 {
        return Ok(None);
    }
    match url.scheme() {
        "file" => Err(ToolError::wrong("open: give the path instead of a file: address")),
        "javascript" | "data" | "blob" | "about" | "view-source" => {
            Err(ToolError::wrong(format!("open: addresses of {}: are not opened", url.scheme())))
        }
        _ => Ok(Some(Address { host: url.host_str().unwrap_or_default().to_owned(), url: url.into() })),
    }
}

async fn open(
    target: Result<orangery_process::AllowedTarget, orangery_process::Error>,
) -> Result<Output, ToolError> {
    let target = target.map_err(refused)?;
    match orangery_process::open(&target).await {
        Ok(Opened::Yes) => Ok(Output { json: json!({ "opened": true }), ..Output::default() }),
        Ok(Opened::NoOpener) => Err(ToolError::tell(
            "open: this system has nothing that opens files and addresses for the user (xdg-open)",
        )),
        Ok(Opened::Refused(code)) => {
            Err(ToolError::tell(format!("open: the system's opener refused it (exit code {code})")))
        }
        Err(error) => Err(ToolError::Stop(Error::Task(format!("open: {error}")))),
    }
}

fn refused(error: orangery_process::Error) -> ToolError {
    match &error {
        orangery_process::Error::NoConfinement(_) => ToolError::tell(format!(
            "{error}; the user chose that commands are confined, and can switch that off where the level is chosen"
        )),
        _ if error.kind() == orangery_domain::ErrorKind::Invalid => {
            ToolError::wrong(format!("command: {error}"))
        }
        _ => ToolError::tell(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: serde_json::Value, expected: Result<Wanted<'_>, &str>) {
        let input: ExecInput = serde_json::from_value(input.clone()).unwrap();
        let got = wanted(&input).map_err(|error| error.to_string());
        assert_eq!(
            got.as_ref().map_err(String::as_str),
            expected.as_ref().map_err(|text| *text),
            "{input:?}"
        );
    }

    #[test]
    fn what_belongs_together() {
        let run = |seconds: Option<u64>, background| {
            Ok(Wanted::Run { line: "ls", cwd: None, timeout: seconds.map(Duration::from_secs), background })
        };
        check(json!({"command": "ls"}), run(Some(120), false));
        check(json!({"command": "ls", "timeoutSeconds": 5}), run(Some(5), false));
        check(json!({"command": "ls", "background": true}), run(None, true));
        check(json!({"command": "ls", "background": true, "timeoutSeconds": 1800}), run(Some(1800), true));
        let output = |milliseconds: Option<u64>| {
            Ok(Wanted::Output { job: 3, wait: milliseconds.map(Duration::from_millis) })
        };
        check(json!({"job": 3, "action": "output"}), output(None));
        check(json!({"job": 3, "action": "output", "block": true}), output(Some(30_000)));
        check(json!({"job": 3, "action": "output", "block": true, "waitMs": 600_000}), output(Some(600_000)));
        check(json!({"job": 3, "action": "stop"}), Ok(Wanted::Stop { job: 3 }));
        check(json!({"open": " https://a.example "}), Ok(Wanted::Open("https://a.example")));
    }

    #[test]
    fn what_contradicts_itself_is_refused_by_name() {
        for (input, refusal) in [
            (json!({}), "command: give command, or job with action, or open"),
            (json!({"command": "ls", "job": 1}), "job: give only one of command, job and open"),
            (json!({"command": "ls", "open": "a"}), "open: give only one of command, job and open"),
            (json!({"command": " \n"}), "command: is blank"),
            (json!({"command": "ls", "timeoutSeconds": 4}), "timeoutSeconds: is 5 to 1800"),
            (json!({"command": "ls", "timeoutSeconds": 1801}), "timeoutSeconds: is 5 to 1800"),
            (json!({"command": "ls", "action": "output"}), "action: belongs to job, not to command"),
            (json!({"command": "ls", "block": true}), "block: belongs to job, not to command"),
            (json!({"job": 1, "action": "stop", "cwd": "."}), "cwd: belongs to command, not to job"),
            (json!({"open": "a", "background": false}), "background: belongs to command, not to open"),
            (json!({"open": "a", "timeoutSeconds": 9}), "timeoutSeconds: belongs to command, not to open"),
            (json!({"open": ""}), "open: is blank"),
            (json!({"job": 1}), "action: is missing; a job needs output or stop"),
            (
                json!({"job": 1, "action": "stop", "block": true}),
                "block: belongs to the action output; stop waits for the end by itself",
            ),
            (json!({"job": 1, "action": "output", "waitMs": 5}), "waitMs: belongs to block: true"),
            (json!({"job": 1, "action": "output", "block": true, "waitMs": 0}), "waitMs: is 1 to 600000"),
            (
                json!({"job": 1, "action": "output", "block": true, "waitMs": 600_001}),
                "waitMs: is 1 to 600000",
            ),
        ] {
            check(input, Err(refusal));
        }
    }

    #[test]
    fn addresses_are_told_from_paths() {
        for path in ["notes/a.pdf", "/home/me/a.pdf", "a b.md", r"C:\notes\a.md", "."] {
            assert_eq!(address(path).unwrap(), None, "{path}");
        }
        assert_eq!(address("HTTPS://Example.org/a").unwrap().unwrap().host, "example.org");
        assert_eq!(address("mailto:me@example.org").unwrap().unwrap().host, "");
        for refused in ["file:///etc/passwd", "javascript:alert(1)", "data:text/html,x"] {
            assert!(address(refused).is_err(), "{refused}");
        }
    }
}
