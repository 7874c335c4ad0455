//! The app of the tests. With nothing but the argument of the watchdog it is one; with `run FOLDER LINE`
//! it runs a command without limit and writes its output as it comes; with `open TARGET` it opens one.

use std::error::Error;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use orangery_process::{AllowedCommand, AllowedTarget, Command, Launch, Runner, child, open};
use tokio_util::sync::CancellationToken;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    if child::requested() {
        std::process::exit(child::watchdog_main());
    }
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let runtime = tokio::runtime::Runtime::new()?;
    match arguments.iter().map(|argument| argument.to_str()).collect::<Option<Vec<_>>>().as_deref() {
        Some(["run", folder, line]) => runtime.block_on(run(folder, line)),
        Some(["open", target]) => {
            #[expect(clippy::disallowed_methods, reason = "the tests decide what may be opened")]
            let target = AllowedTarget::check(target)?;
            let opened = runtime.block_on(open(&target))?;
            writeln!(std::io::stdout(), "{opened:?}")?;
            Ok(ExitCode::SUCCESS)
        }
        _ => Err("watchdog, run or open".into()),
    }
}

async fn run(folder: &str, line: &str) -> Result<ExitCode, Box<dyn Error>> {
    let runner = Runner::new(Launch::this_binary()?);
    let command = Command { timeout: None, ..Command::new(line, folder) };
    #[expect(clippy::disallowed_methods, reason = "the tests decide what may run")]
    let command = AllowedCommand::check(command)?;
    let never = CancellationToken::new();
    let finished = runner.run(&command, &never, |_, text| {
        let mut stdout = std::io::stdout();
        // Whoever does not read any more does not care.
        let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    });
    let finished = finished.await;
    Ok(if finished.outcome.is_success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
