//! Nothing outlives its command.

use std::time::Duration;

use futures::future::join_all;
use orangery_process::Outcome;
use tokio_util::sync::CancellationToken;

use crate::support::{GENEROUS, House, tell_ready, until};

/// Ways to leave something behind. Each says "ready" when it has, and does not end by itself.
const STUBBORN: [(&str, &str); 8] = [
    ("two children", "sleep 1000 & echo ready; sleep 1000"),
    ("a double fork", "( (sleep 1000 &) & ); echo ready; sleep 1000"),
    ("a session of its own", "setsid sleep 1000 & echo ready; sleep 1000"),
    (
        "a daemon",
        "(setsid sh -c '(sleep 1000 &) ; exec sleep 1000' >/dev/null 2>&1 &); echo ready; sleep 1000",
    ),
    ("no hang-up", "nohup sleep 1000 & disown; echo ready; sleep 1000"),
    ("deaf", "trap '' TERM; (trap '' TERM; sleep 1000) & echo ready; while :; do sleep 1000; done"),
    ("stopped", "sleep 1000 & kill -STOP $!; echo ready; kill -STOP $$"),
    ("a tree", "sh -c 'sh -c \"sleep 1000 & sleep 1000\" & sleep 1000' & echo ready; wait"),
];

#[tokio::test(flavor = "multi_thread")]
async fn at_the_time_limit() {
    let limit = Duration::from_secs(3);
    let ended = STUBBORN.map(|(name, line)| async move {
        let house = House::new();
        let finished = house.run_for(line, limit).await;
        assert_eq!(finished.outcome, Outcome::TimedOut, "{name}: {finished:?}");
        assert!(finished.stdout.text().contains("ready"), "{name}: {finished:?}");
        assert_eq!((finished.survivors, house.living()), (0, vec![]), "{name}");
        assert!(finished.took >= limit && finished.took < limit + GENEROUS, "{name}: {:?}", finished.took);
    });
    join_all(ended).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn at_a_stop() {
    let ended = STUBBORN.map(|(name, line)| async move {
        let house = House::new();
        let finished = house.cancel_when_ready(line).await;
        assert_eq!(finished.outcome, Outcome::Cancelled, "{name}: {finished:?}");
        assert_eq!((finished.survivors, house.living()), (0, vec![]), "{name}");
    });
    join_all(ended).await;
}

/// Also the ones that hold the pipes open.
#[tokio::test(flavor = "multi_thread")]
async fn at_the_normal_end() {
    let lines = [
        "sleep 1000 & echo done",
        "( (sleep 1000 &) & ); echo done",
        "setsid sleep 1000 & echo done",
        "(setsid sh -c '(sleep 1000 &) ; exec sleep 1000' >/dev/null 2>&1 &); echo done",
        "(trap '' TERM; sleep 1000) & echo done",
        "exec 5>&1; (sleep 1000 >&5 2>/dev/null) & echo done",
    ];
    let ended = lines.map(|line| async move {
        let house = House::new();
        let finished = house.run(line).await;
        assert_eq!(finished.outcome, Outcome::Exited(0), "{line}: {finished:?}");
        assert_eq!(finished.stdout.text(), "done\n", "{line}");
        assert_eq!((finished.survivors, house.living()), (0, vec![]), "{line}");
    });
    join_all(ended).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn when_nobody_waits_any_more() {
    let house = House::new();
    let command = house.allowed("setsid sleep 1000 & echo ready; sleep 1000");
    let runner = house.runner.clone();
    let (ready, tell) = tell_ready();
    let run = tokio::spawn(async move { runner.run(&command, &CancellationToken::new(), tell).await });
    ready.notified().await;
    assert!(!house.living().is_empty());
    run.abort();
    until("all has ended", GENEROUS, || house.living().is_empty());
}

/// Each of them is gone before anybody can find it, and has left another.
#[tokio::test(flavor = "multi_thread")]
async fn what_forks_faster_than_it_can_be_listed() {
    let house = House::new();
    let comet = "$SIG{TERM} = q(IGNORE); $| = 1; print qq(ready\\n); while (1) { fork and exit }";
    let finished = house
        .cancel_when_ready(&format!("for one in 1 2 3 4 5 6; do perl -e '{comet}' & done; sleep 1000"))
        .await;
    assert_eq!((finished.outcome, finished.survivors), (Outcome::Cancelled, 0));
    assert_eq!(house.living(), Vec::<String>::new());
}

/// I2: whatever the number, the count of processes comes back.
#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_time_limits() {
    let house = House::new();
    house.run("true").await;
    until("only the watchdog is left", GENEROUS, || house.apps() == 1);
    let open_files = house.open_files();
    for _ in 0..10 {
        let batch = (0..10).map(|_| {
            house.run_for("setsid sleep 1000 & (sleep 1000 &); sleep 1000", Duration::from_millis(40))
        });
        for finished in join_all(batch).await {
            assert_eq!(finished.outcome, Outcome::TimedOut);
            assert_eq!(finished.survivors, 0);
        }
    }
    assert_eq!(house.living(), Vec::<String>::new());
    until("only the watchdog is left", GENEROUS, || house.apps() == 1);
    assert_eq!(house.open_files(), open_files);
}

/// Many at once do not end each other.
#[tokio::test(flavor = "multi_thread")]
async fn each_supervisor_ends_its_own() {
    let house = House::new();
    let long = house.allowed("setsid sleep 1000 & sleep 1000 & echo ready; wait; echo late");
    let runner = house.runner.clone();
    let cancel = CancellationToken::new();
    let (ready, tell) = tell_ready();
    let stop = cancel.clone();
    let run = tokio::spawn(async move { runner.run(&long, &stop, tell).await });
    ready.notified().await;
    until("all three run", GENEROUS, || house.living().len() == 3);
    for finished in join_all((0..8).map(|_| house.run("sleep 1000 & setsid sleep 1000 & true"))).await {
        assert_eq!(finished.outcome, Outcome::Exited(0));
    }
    assert_eq!(house.living().len(), 3);
    cancel.cancel();
    assert_eq!(run.await.unwrap().outcome, Outcome::Cancelled);
    assert_eq!(house.living(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_watchdog_goes_with_its_app() {
    let mut house = House::new();
    house.run("true").await;
    until("only the watchdog is left", GENEROUS, || house.apps() == 1);
    house.runner = House::new().runner;
    until("the watchdog has gone", GENEROUS, || house.apps() == 0);
}
