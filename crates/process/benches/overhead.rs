//! What the engine costs beside bare `bash -c true`: median of 200, as a ratio.
//!
//! Both start their shell and wait for it; the bare one has no supervisor, no limit and no kept output.

#![expect(clippy::disallowed_methods, clippy::unwrap_used, clippy::print_stdout, reason = "a bench")]

use std::process::{Command as Bare, Stdio};
use std::time::{Duration, Instant};

use orangery_process::{AllowedCommand, Command, Launch, Outcome, Runner, child};
use tokio_util::sync::CancellationToken;

const ROUNDS: usize = 200;

fn main() {
    if child::requested() {
        std::process::exit(child::watchdog_main());
    }
    // As in the app, where the thread that hears of an event goes on with the task that waits for it.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let runner = Runner::new(Launch::this_binary().unwrap());
    let folder = std::env::temp_dir();
    let command = AllowedCommand::check(Command::new("true", &folder)).unwrap();
    let shell = runner.shell().unwrap().path.clone();
    let (mut bare, mut ours) = (Vec::new(), Vec::new());
    // In turns, so that both see the same machine. The first round warms up.
    for round in 0..=ROUNDS {
        let began = Instant::now();
        let mut command_line = Bare::new(&shell);
        command_line.args(["-c", "true"]).current_dir(&folder).stdin(Stdio::null());
        assert!(command_line.output().unwrap().status.success());
        let bare_took = began.elapsed();
        let began = Instant::now();
        let finished = runtime.block_on(runner.run(&command, &CancellationToken::new(), |_, _| {}));
        let ours_took = began.elapsed();
        assert_eq!(finished.outcome, Outcome::Exited(0));
        if round > 0 {
            bare.push(bare_took);
            ours.push(ours_took);
        }
    }
    let (bare, ours) = (median(bare), median(ours));
    let ratio = ours.as_secs_f64() / bare.as_secs_f64();
    println!("bare {bare:?}, with the engine {ours:?}: ratio {ratio:.2} (median of {ROUNDS})");
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
