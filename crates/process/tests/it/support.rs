//! An app with its own watchdog, and eyes on every process that comes from it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use orangery_process::{AllowedCommand, Command, Finished, Launch, Runner, Source, child};
use tempfile::TempDir;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// Long enough for the slowest machine; nothing is expected to take it.
pub const GENEROUS: Duration = Duration::from_secs(20);

/// The variable that every process of a command inherits, however it is detached.
const MARK: &str = "ORANGERY_TEST_MARK";

pub struct House {
    pub runner: Arc<Runner>,
    pub folder: TempDir,
    program: PathBuf,
}

impl House {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // A name of its own, by which its processes can be counted beside those of other tests.
        let program = folder.path().join("app");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_process-test-app"), &program).unwrap();
        let launch = Launch { program: program.clone(), arguments: vec![child::ARGUMENT.into()] };
        Self { runner: Arc::new(Runner::new(launch)), folder, program }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    fn mark(&self) -> String {
        self.path().display().to_string()
    }

    /// `line` in the folder, limited to what no test waits for.
    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(line, self.path());
        command.environment = command.environment.with(MARK, self.mark());
        command.timeout = Some(GENEROUS);
        command
    }

    pub fn allowed(&self, line: &str) -> AllowedCommand {
        AllowedCommand::check(self.command(line)).unwrap()
    }

    pub async fn run(&self, line: &str) -> Finished {
        self.run_command(self.command(line)).await
    }

    pub async fn run_command(&self, command: Command) -> Finished {
        let command = AllowedCommand::check(command).unwrap();
        self.runner.run(&command, &CancellationToken::new(), |_, _| {}).await
    }

    pub async fn run_for(&self, line: &str, limit: Duration) -> Finished {
        self.run_command(Command { timeout: Some(limit), ..self.command(line) }).await
    }

    /// Runs `line` until it has said "ready", then cancels it.
    pub async fn cancel_when_ready(&self, line: &str) -> Finished {
        let command = self.allowed(line);
        let cancel = CancellationToken::new();
        self.runner.run(&command, &cancel, cancel_at_ready(&cancel)).await
    }

    /// Command lines of what still runs of the commands.
    pub fn living(&self) -> Vec<String> {
        let mark = format!("{MARK}={}\0", self.mark());
        let of_ours = |process: &Path| {
            let environment = std::fs::read(process.join("environ")).ok()?;
            let environment = [environment, vec![0]].concat();
            environment.windows(mark.len()).any(|part| part == mark.as_bytes()).then_some(())
        };
        processes()
            .filter(|process| of_ours(process).is_some())
            .map(|process| command_line(&process))
            .collect()
    }

    /// Watchdogs and supervisors that run, and the app if it is a process.
    pub fn apps(&self) -> usize {
        self.app_processes().count()
    }

    /// Descriptors that watchdog and supervisors hold open.
    pub fn open_files(&self) -> usize {
        self.app_processes()
            .filter_map(|process| Some(std::fs::read_dir(process.join("fd")).ok()?.count()))
            .sum()
    }

    fn app_processes(&self) -> impl Iterator<Item = PathBuf> {
        let name = self.program.display().to_string();
        processes().filter(move |process| command_line(process).starts_with(&name))
    }

    /// The test app as a process that runs `line`.
    pub fn app(&self, arguments: &[&str]) -> std::process::Command {
        let mut app = std::process::Command::new(&self.program);
        app.args(arguments).env(MARK, self.mark());
        app
    }
}

pub fn cancel_at_ready(cancel: &CancellationToken) -> impl FnMut(Source, &str) + Send + 'static {
    let cancel = cancel.clone();
    let mut said = String::new();
    move |_, text| {
        said.push_str(text);
        if said.contains("ready") {
            cancel.cancel();
        }
    }
}

pub fn tell_ready() -> (Arc<Notify>, impl FnMut(Source, &str) + Send + 'static) {
    let ready = Arc::new(Notify::new());
    let tell = ready.clone();
    (ready, move |_: Source, text: &str| {
        if text.contains("ready") {
            tell.notify_one();
        }
    })
}

fn processes() -> impl Iterator<Item = PathBuf> {
    let is_number = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().parse::<u32>().is_ok();
    std::fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path()).filter(is_number)
}

/// Empty for one that has ended.
fn command_line(process: &Path) -> String {
    let line = std::fs::read(process.join("cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&line).replace('\0', " ")
}

/// Waits until `holds`.
#[track_caller]
pub fn until(what: &str, limit: Duration, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + limit;
    while !holds() {
        assert!(Instant::now() < end, "never: {what}");
        std::thread::yield_now();
    }
}
