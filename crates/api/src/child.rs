//! What a host's binary is when it is started by itself: a process that reads documents, or the watchdog of
//! commands.

use std::path::PathBuf;
use std::process::ExitCode;

use orangery_library::WorkerCommand;

const EXTRACT_WORKER: &str = "extract-worker";

/// Called first by every main. Where the process was started as a child, it does what it is there for, and
/// this is how it ends.
pub fn main() -> Option<ExitCode> {
    if orangery_process::child::requested() {
        let code = orangery_process::child::watchdog_main();
        return Some(ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX)));
    }
    if std::env::args_os().nth(1)? != EXTRACT_WORKER {
        return None;
    }
    Some(match orangery_library::worker::serve() {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever asked went away in the middle of a question.
        Err(_) => ExitCode::FAILURE,
    })
}

/// How this program starts itself as the watchdog of commands; `None` where it cannot be found, and then no
/// command is run.
pub fn watchdog() -> Option<orangery_process::Launch> {
    orangery_process::Launch::this_binary().ok()
}

/// How this program starts itself as a worker; `None` where it cannot be found.
pub fn worker() -> Option<WorkerCommand> {
    // On Linux the running program itself, though its file was replaced by an update since.
    let program = if cfg!(target_os = "linux") {
        PathBuf::from("/proc/self/exe")
    } else {
        std::env::current_exe().ok()?
    };
    Some(WorkerCommand::new(program, &[EXTRACT_WORKER]))
}
