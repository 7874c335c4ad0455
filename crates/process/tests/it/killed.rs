//! Nothing outlives the app, however it ends.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::time::Duration;

use orangery_process::Outcome;

use crate::support::{GENEROUS, House, until};

/// Some of it deaf, some detached.
const BUSY: &str = "setsid sleep 1000 & (sleep 1000 &); (trap '' TERM; sleep 1000) & echo ready; sleep 1000";

/// I5: five seconds after the app was killed nothing is left.
#[test]
fn sigkill_of_the_app() {
    let house = House::new();
    let folder = house.path().to_str().unwrap();
    let mut app = house.app(&["run", folder, BUSY]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(app.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "ready");
    assert!(house.living().len() > 4, "{:?}", house.living());
    // SIGKILL.
    app.kill().unwrap();
    app.wait().unwrap();
    until("all has ended", Duration::from_secs(5), || house.living().is_empty());
    until("nobody is left who watched", GENEROUS, || house.apps() == 0);
}

/// What a killed supervisor held falls to the watchdog.
#[tokio::test(flavor = "multi_thread")]
async fn sigkill_of_the_supervisor() {
    let house = House::new();
    let finished =
        house.run("setsid sleep 1000 & (sleep 1000 &); echo ready; kill -9 $PPID; sleep 1000").await;
    assert_eq!(finished.outcome, Outcome::Lost);
    assert_eq!(finished.stdout.text(), "ready\n");
    until("all has ended", GENEROUS, || house.living().is_empty());
    assert_eq!(house.run("echo again").await.stdout.text(), "again\n");
}

/// Commands that run go on under their supervisors; for the next there is another watchdog.
#[tokio::test(flavor = "multi_thread")]
async fn sigkill_of_the_watchdog() {
    let house = House::new();
    let finished = house.run("kill -9 $(cut -d ' ' -f 4 /proc/$PPID/stat); sleep 1000 & echo still").await;
    assert_eq!((finished.outcome, finished.stdout.text().as_str()), (Outcome::Exited(0), "still\n"));
    assert_eq!(house.living(), Vec::<String>::new());
    for _ in 0..2 {
        let finished = house.run("echo again").await;
        assert_eq!((finished.outcome, finished.stdout.text().as_str()), (Outcome::Exited(0), "again\n"));
    }
}

/// Who starts the app may ignore the ends of children, which is inherited.
#[test]
fn ends_are_heard_of_whoever_started_the_app() {
    let house = House::new();
    let app = house.app(&["run", house.path().to_str().unwrap(), "sleep 1000 & echo done; exit 1"]);
    let mut deaf = std::process::Command::new("perl");
    deaf.args(["-e", "$SIG{CHLD} = q(IGNORE); exec @ARGV"]).arg(app.get_program()).args(app.get_args());
    let output = deaf.output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), b"done\n".as_slice()));
}

/// The one test for variables of a whole process.
#[test]
fn secrets_of_the_app_stay_with_it() {
    let house = House::new();
    let folder = house.path().to_str().unwrap();
    let line = "env; tr '\\0' '\\n' < /proc/$PPID/environ";
    let app = house
        .app(&["run", folder, line])
        .env("EXAMPLE_API_KEY", "s3cret-value")
        .env("DATABASE", "postgres://me:s3cret-value@localhost/")
        .env("BASH_ENV", "/dev/s3cret-value")
        .env("EXAMPLE_PLAIN", "plain-value")
        .stdout(Stdio::piped())
        .spawn();
    let mut output = String::new();
    app.unwrap().stdout.unwrap().read_to_string(&mut output).unwrap();
    assert!(output.contains("plain-value") && !output.contains("s3cret"), "{output}");
    assert!(output.contains("GIT_TERMINAL_PROMPT=0"), "{output}");
}

#[test]
fn opening_is_left_to_the_opener_of_the_system() {
    let house = House::new();
    let tools = house.path().join("tools");
    std::fs::create_dir(&tools).unwrap();
    let opened = |target: &str| {
        let output = house.app(&["open", target]).env("PATH", &tools).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(opened("https://example.org"), "NoOpener\n");
    let opener = tools.join("xdg-open");
    let log = house.path().join("log");
    std::fs::write(&opener, format!("#!/bin/sh\necho \"$@\" >>'{}'\n[ \"$1\" != /bad ]", log.display()))
        .unwrap();
    std::fs::set_permissions(&opener, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    assert_eq!((opened("https://example.org"), opened("/bad")), ("Yes\n".into(), "Refused(1)\n".into()));
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "https://example.org\n/bad\n");
}
