//! Commands through the real binary.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::bench::Bench;

/// The variable that every process of a command inherits, however it is detached.
const MARK: &str = "ORANGERY_TEST_MARK";

/// Some of it deaf, some detached.
const BUSY: &str =
    "setsid sleep 1000 & (sleep 1000 &); (trap '' TERM; sleep 1000) & echo ready > ready; sleep 1000";

#[test]
fn one_command_and_how_it_ended() {
    let bench = Bench::with(&[("a.md", b"# A\n")]);
    let ran = bench.tool(0, "L4", "exec", &json!({"command": "cat a.md"}));
    assert_eq!(ran["output"]["stdout"], "# A\n", "{ran}");
    let failed = bench.tool(5, "L4", "exec", &json!({"command": "echo half; exit 7"}));
    assert_eq!((&failed["output"]["exitCode"], &failed["output"]["stdout"]), (&json!(7), &json!("half\n")));
    assert_eq!(bench.tool(4, "L3", "exec", &json!({"command": "ls"}))["asked"]["question"], "command");
    bench.tool(3, "L2", "exec", &json!({"command": "ls"}));
    bench.tool(2, "L4", "exec", &json!({"command": "ls", "timeoutSeconds": 1}));
    bench.tool(2, "L4", "exec", &json!({"command": "ls", "cwd": "nowhere"}));
    let (notes, call) = (bench.path(""), r#"{"command":"echo seen; exit 3"}"#);
    let output = bench.run(["tool", "exec", call, "--kb", &notes, "--level", "L3", "--approve"]);
    assert_eq!(output.status.code(), Some(5));
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("seen"),
        "what it wrote is printed all the same"
    );
}

/// I5: five seconds after the app was killed nothing is left.
#[test]
fn sigkill_of_the_app_leaves_nothing() {
    for background in [false, true] {
        let bench = Bench::with(&[("a.md", b"# A\n")]);
        let mark = bench.top().display().to_string();
        let mut app = app(&bench, &mark, background);
        let ready = Path::new(&bench.path("ready")).to_owned();
        until("the command runs", Duration::from_secs(60), || ready.exists());
        assert!(living(&mark).len() > 4, "{:?}", living(&mark));
        // SIGKILL.
        app.kill().unwrap();
        app.wait().unwrap();
        until("all has ended", Duration::from_secs(5), || living(&mark).is_empty());
    }
}

/// In the foreground by the command line, in the background by the loopback host.
fn app(bench: &Bench, mark: &str, background: bool) -> Child {
    let notes = bench.path("");
    let call = |background: bool| json!({ "command": BUSY, "background": background }).to_string();
    if !background {
        let mut command = bench.command();
        command.args(["tool", "exec", &call(false), "--kb", &notes, "--level", "L4"]).env(MARK, mark);
        return command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    }
    let host = host(bench, mark);
    let started = bench.ends(0, ["tool", "exec", &call(true), "--kb", &notes, "--level", "L4"]);
    assert_eq!(started["output"]["running"], true, "{started}");
    host
}

/// A loopback host that has the data directory; calls go through it.
fn host(bench: &Bench, mark: &str) -> Child {
    let mut command = bench.command();
    command.args(["serve", "--port", "0"]).env(MARK, mark).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut host = command.spawn().unwrap();
    // It has it once it says where it is.
    let mut lines = BufReader::new(host.stdout.take().unwrap()).lines();
    while !lines.next().unwrap().unwrap().contains("http://") {}
    std::thread::spawn(move || lines.count());
    host
}

#[test]
fn an_interrupted_call_ends_in_the_process_that_runs_it() {
    let bench = Bench::with(&[("a.md", b"# A\n")]);
    let mark = bench.top().display().to_string();
    let mut host = host(&bench, &mark);
    let call = json!({ "command": "echo ready > ready; sleep 1000" }).to_string();
    let mut command = bench.command();
    command.args(["tool", "exec", &call, "--kb", &bench.path(""), "--level", "L4"]);
    let mut caller = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let ready = Path::new(&bench.path("ready")).to_owned();
    until("the command runs", Duration::from_secs(60), || ready.exists());
    let with_it = living(&mark).len();
    std::process::Command::new("kill").args(["-INT", &caller.id().to_string()]).status().unwrap();
    assert_eq!(caller.wait().unwrap().code(), Some(130));
    until("the command has ended", Duration::from_secs(10), || living(&mark).len() < with_it);
    assert!(bench.json(["change", "list"]).as_array().unwrap().is_empty(), "the host still answers");
    host.kill().unwrap();
    host.wait().unwrap();
}

/// Command lines of what carries the mark, the app aside once it is killed.
fn living(mark: &str) -> Vec<String> {
    let mark = format!("{MARK}={mark}\0");
    let processes = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    processes
        .filter(|process| {
            let environment = std::fs::read(process.join("environ")).unwrap_or_default();
            let environment = [environment, vec![0]].concat();
            environment.windows(mark.len()).any(|part| part == mark.as_bytes())
        })
        .map(|process| {
            let line = std::fs::read(process.join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).replace('\0', " ")
        })
        .collect()
}

#[track_caller]
fn until(what: &str, limit: Duration, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + limit;
    while !holds() {
        assert!(Instant::now() < end, "never: {what}");
        std::thread::yield_now();
    }
}
