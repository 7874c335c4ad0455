//! What is told of a command.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use orangery_process::{AllowedCommand, KEPT, Launch, Obstacle, Outcome, Runner, Source};
use tokio_util::sync::CancellationToken;

use crate::support::House;

#[tokio::test]
async fn codes_signals_and_outputs_are_apart() {
    let house = House::new();
    for (line, expected) in [
        ("true", Outcome::Exited(0)),
        ("exit 7", Outcome::Exited(7)),
        ("no-such-program", Outcome::Exited(127)),
        ("kill -9 $$", Outcome::Signalled(9)),
        ("kill -TERM $$", Outcome::Signalled(15)),
        ("if then", Outcome::Exited(2)),
    ] {
        let finished = house.run(line).await;
        assert_eq!(finished.outcome.is_success(), line == "true");
        assert_eq!(finished.outcome, expected, "{line}");
    }
    let finished = house.run("echo out; echo err >&2; pwd").await;
    let here = house.path().canonicalize().unwrap();
    assert_eq!(finished.stdout.text(), format!("out\n{}\n", here.display()));
    assert_eq!(finished.stderr.text(), "err\n");
}

/// I3.
#[tokio::test]
async fn output_before_the_limit_is_kept() {
    let house = House::new();
    let finished = house.run_for("echo before; echo warned >&2; sleep 1000", Duration::from_secs(3)).await;
    assert_eq!(finished.outcome, Outcome::TimedOut);
    assert_eq!((finished.stdout.text().as_str(), finished.stderr.text().as_str()), ("before\n", "warned\n"));
}

/// I4: nobody can be asked, so nobody waits for an answer.
#[tokio::test]
async fn a_question_gets_no_answer_at_once() {
    let house = House::new();
    let finished =
        house.run("read -rsp 'Password: ' word; echo \"read $?\"; [ -t 0 ] || echo no terminal").await;
    assert_eq!(finished.stdout.text(), "read 1\nno terminal\n");
    let finished = house.run("read -rsp 'Password: ' word </dev/tty; echo \"read $?\"").await;
    assert_eq!(finished.stdout.text(), "read 1\n");
}

#[tokio::test]
async fn bytes_that_are_no_text() {
    let house = House::new();
    let finished = house.run(r"printf 'caf\xe9 \xe4\xb8\xa4 \xff'").await;
    assert_eq!(finished.stdout.text(), "caf\\xE9 两 \\xFF");
    assert_eq!(finished.stdout.head, b"caf\xE9 \xE4\xB8\xA4 \xFF");
}

/// More than is kept is still read: the command must not wait for us.
#[tokio::test(flavor = "multi_thread")]
async fn five_megabytes() {
    let house = House::new();
    let line = "echo begins; head -c 5000000 /dev/zero | tr '\\0' x; echo ends; echo fine >&2";
    let finished = house.run(line).await;
    assert_eq!(finished.outcome, Outcome::Exited(0));
    assert_eq!(finished.stdout.total(), 5_000_000 + 12);
    assert!(finished.stdout.text().starts_with("begins\nxxx") && finished.stdout.text().ends_with("xends\n"));
    assert_eq!(finished.stderr.text(), "fine\n");
    assert!(finished.stdout.head.len() + finished.stdout.tail.len() + "fine\n".len() <= KEPT);
}

#[tokio::test]
async fn output_is_heard_as_it_comes() {
    let house = House::new();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ears = heard.clone();
    let command =
        house.allowed("printf 'one\\n'; printf 'two\\n' >&2; printf '\\xe4\\xb8'; printf '\\xa4\\xc3'");
    let live = move |source, text: &str| ears.lock().unwrap().push((source, text.to_owned()));
    let finished = house.runner.run(&command, &CancellationToken::new(), live).await;
    let heard = heard.lock().unwrap();
    let all = |wanted| {
        heard.iter().filter(|(source, _)| *source == wanted).map(|(_, text)| text.as_str()).collect()
    };
    let (stdout, stderr): (String, String) = (all(Source::Stdout), all(Source::Stderr));
    assert_eq!((stdout.as_str(), stderr.as_str()), ("one\n两\\xC3", "two\n"));
    assert_eq!(finished.stdout.text(), stdout);
}

#[tokio::test]
async fn what_cannot_start_says_why() {
    let house = House::new();
    let folder = house.path().join("gone");
    std::fs::create_dir(&folder).unwrap();
    let mut command = house.command("true");
    command.folder = folder.clone();
    let command = AllowedCommand::check(command).unwrap();
    std::fs::remove_dir(&folder).unwrap();
    let finished = house.runner.run(&command, &CancellationToken::new(), |_, _| {}).await;
    assert!(matches!(finished.outcome, Outcome::CouldNotStart(Obstacle::Folder(_))), "{finished:?}");
    // Longer than the system takes an argument.
    let finished = house.run(&format!("true {}", "x".repeat(300_000))).await;
    assert!(matches!(finished.outcome, Outcome::CouldNotStart(Obstacle::Shell(_))), "{:?}", finished.outcome);
}

/// What never ends and never stops writing ends at its limit.
#[tokio::test(flavor = "multi_thread")]
async fn endless_output() {
    let house = House::new();
    let finished = house.run_for("yes & yes >&2", Duration::from_secs(1)).await;
    assert_eq!((finished.outcome, finished.survivors), (Outcome::TimedOut, 0));
    assert!(finished.stdout.text().starts_with("y\ny\n") && finished.stdout.dropped > 0);
    assert_eq!(house.living(), Vec::<String>::new());
}

#[tokio::test]
async fn a_broken_watchdog_runs_nothing() {
    let house = House::new();
    for program in ["/bin/false", "/no/such/program"] {
        let launch = Launch { program: program.into(), arguments: vec![] };
        let runner = Runner::new(launch);
        let finished = runner.run(&house.allowed("true"), &CancellationToken::new(), |_, _| {}).await;
        assert!(matches!(finished.outcome, Outcome::CouldNotStart(_)), "{finished:?}");
    }
}

#[tokio::test]
async fn what_was_cancelled_before_never_runs() {
    let house = House::new();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let finished = house.runner.run(&house.allowed("touch made"), &cancel, |_, _| {}).await;
    assert_eq!(finished.outcome, Outcome::Cancelled);
    assert!(!house.path().join("made").exists());
}

/// No descriptor of the app, no rights beyond the user's.
#[tokio::test]
async fn a_command_gets_nothing_it_should_not_have() {
    let house = House::new();
    let finished = house.run("for open in /proc/$$/fd/*; do echo ${open##*/}; done").await;
    // Bash keeps 255 for a script; the glob needs none.
    let open: Vec<_> = finished.stdout.text().lines().map(str::to_owned).collect();
    assert!(open.iter().all(|number| ["0", "1", "2", "3", "255"].contains(&number.as_str())), "{open:?}");
    let finished = house.run("grep NoNewPrivs /proc/self/status").await;
    assert_eq!(finished.stdout.text(), "NoNewPrivs:\t1\n");
}
