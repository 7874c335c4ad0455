//! Walls around a command.

use std::io::ErrorKind;
use std::net::TcpListener;

use orangery_process::{
    AllowedCommand, Blocked, Command, Confinement, Error, Finished, Obstacle, Outcome, Support,
};
use tempfile::TempDir;

use crate::support::House;

struct Confined {
    house: House,
    outside: TempDir,
}

impl Confined {
    /// `None` where the kernel cannot confine, after a look that it is then refused.
    fn new() -> Option<Self> {
        let confined = Self { house: House::new(), outside: tempfile::tempdir().unwrap() };
        if let Support::No(reason) = Confinement::support() {
            let refused = AllowedCommand::check(confined.command("true"));
            assert_eq!(refused, Err(Error::NoConfinement(reason)));
            return None;
        }
        Some(confined)
    }

    fn command(&self, line: &str) -> Command {
        let mut command = self.house.command(&line.replace("OUT", self.outside.path().to_str().unwrap()));
        command.confinement = Some(Confinement { writable: vec![self.house.path().into()] });
        command
    }

    async fn run(&self, line: &str) -> Finished {
        self.house.run_command(self.command(line)).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn writes_stay_within_the_walls() {
    let Some(confined) = Confined::new() else { return };
    let line =
        "echo a >a && mkdir b && mv a b/ && rm b/a && echo c >\"$TMPDIR/c\" && cat \"$TMPDIR/c\" >/dev/null";
    let finished = confined.run(&format!("{line} && echo \"$TMPDIR\"")).await;
    assert_eq!(
        (finished.outcome, finished.blocked),
        (Outcome::Exited(0), vec![]),
        "{:?}",
        finished.stderr.text()
    );
    let temporary = finished.stdout.text();
    assert!(temporary.contains("orangery-command-"), "{temporary}");
    assert!(!std::path::Path::new(temporary.trim_end()).exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_outside_is_refused_and_said() {
    let Some(confined) = Confined::new() else { return };
    let kept = confined.outside.path().join("kept");
    std::fs::write(&kept, "old").unwrap();
    std::fs::write(confined.house.path().join("own"), "own").unwrap();
    for line in [
        "echo new >OUT/kept",
        "echo new >OUT/new",
        "truncate -s 0 OUT/kept",
        "rm -f OUT/kept",
        "mv OUT/kept .",
        "mkdir OUT/folder",
        "ln -s kept OUT/link",
        "cp own OUT/new",
        "ln -s OUT inside; echo new >inside/kept",
        "setsid --wait sh -c 'echo new >OUT/kept'",
        "env -i bash -c 'echo new >OUT/kept'",
    ] {
        let finished = confined.run(line).await;
        assert!(!finished.outcome.is_success(), "{line}");
        let said = !finished.blocked.is_empty();
        assert!(said, "{line}: {}", finished.stderr.text());
    }
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "old");
    assert_eq!(std::fs::read_dir(confined.outside.path()).unwrap().count(), 1);
    let finished = confined.run("echo new >OUT/kept").await;
    assert_eq!(finished.blocked, [Blocked::Write(kept.clone())]);
    assert!(finished.blocked[0].to_string().contains("confinement"));
    // The same without walls.
    let line = format!("echo new >{}", kept.display());
    assert_eq!(confined.house.run(&line).await.blocked, []);
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "new\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn there_is_no_network() {
    let Some(confined) = Confined::new() else { return };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let line = format!("exec 3<>/dev/tcp/127.0.0.1/{}", listener.local_addr().unwrap().port());
    let finished = confined.run(&line).await;
    assert!(!finished.outcome.is_success());
    assert_eq!(finished.blocked, [Blocked::Network], "{}", finished.stderr.text());
    assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
    let finished = confined.run("exec 3<>/dev/udp/127.0.0.1/9").await;
    assert_eq!(finished.blocked, [Blocked::Network], "{}", finished.stderr.text());
    // The same without walls.
    assert_eq!(confined.house.run(&line).await.outcome, Outcome::Exited(0));
    assert!(listener.accept().is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_confined_command_ends_like_any_other() {
    let Some(confined) = Confined::new() else { return };
    let finished = confined.run("setsid sleep 1000 & (sleep 1000 &); echo done").await;
    assert_eq!((finished.outcome, finished.stdout.text().as_str()), (Outcome::Exited(0), "done\n"));
    assert_eq!(confined.house.living(), Vec::<String>::new());
}

/// Rather not at all than without its walls.
#[tokio::test(flavor = "multi_thread")]
async fn a_wall_that_cannot_be_built_starts_nothing() {
    let Some(confined) = Confined::new() else { return };
    let mut command = confined.command("touch made");
    command.confinement = Some(Confinement { writable: vec![confined.house.path().join("gone")] });
    let finished = confined.house.run_command(command).await;
    assert!(matches!(finished.outcome, Outcome::CouldNotStart(Obstacle::Confinement(_))), "{finished:?}");
    assert!(!confined.house.path().join("made").exists());
}

/// Since Linux 6.12 nobody behind walls ends what is outside.
#[tokio::test(flavor = "multi_thread")]
async fn what_watches_is_out_of_reach() {
    let Some(confined) = Confined::new() else { return };
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    let mut numbers = release.split(['.', '-']).map(|number| number.parse::<u32>().unwrap_or(0));
    let is_new = (numbers.next(), numbers.next()) >= (Some(6), Some(12));
    let finished = confined.run("sleep 1000 & kill -9 $PPID; echo still").await;
    if is_new {
        assert_eq!((finished.outcome, finished.stdout.text().as_str()), (Outcome::Exited(0), "still\n"));
    } else {
        assert!(matches!(finished.outcome, Outcome::Lost), "{finished:?}");
    }
}
