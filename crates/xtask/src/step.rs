//! Named steps: which one runs, which one failed, how long each took, and what the test runners said last.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;

#[derive(Default)]
pub struct Steps {
    taken: Vec<(String, Duration)>,
    summaries: Vec<String>,
}

impl Steps {
    /// Does one step; its name is in the error when it fails.
    pub fn step(&mut self, name: &str, work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
        println!("\n── {name}");
        let start = Instant::now();
        let done = work();
        self.taken.push((name.to_owned(), start.elapsed()));
        if done.is_err() {
            self.print_times();
        }
        done.with_context(|| format!("step failed: {name}"))
    }

    /// A step whose command ends with lines worth repeating at the very end.
    pub fn summed_up(
        &mut self,
        name: &str,
        command: Command,
        is_summary: fn(&str) -> bool,
    ) -> anyhow::Result<()> {
        let mut lines = Vec::new();
        self.step(name, || {
            let (done, kept) = run_keeping(command, is_summary);
            lines = kept;
            done
        })?;
        anyhow::ensure!(!lines.is_empty(), "step failed: {name}: it said nothing of what it ran");
        self.summaries.append(&mut lines);
        Ok(())
    }

    pub fn finish(&self) {
        self.print_times();
        println!();
        for line in &self.summaries {
            println!("{line}");
        }
    }

    fn print_times(&self) {
        println!("\n── times");
        for (name, time) in &self.taken {
            println!("{:>8.1} s  {name}", time.as_secs_f64());
        }
        let total: Duration = self.taken.iter().map(|(_, time)| time).sum();
        println!("{:>8.1} s  together", total.as_secs_f64());
    }
}

/// Runs a command, shows all it prints, and keeps the lines of interest.
fn run_keeping(mut command: Command, keep: fn(&str) -> bool) -> (anyhow::Result<()>, Vec<String>) {
    let mut kept = Vec::new();
    let done = (|| {
        let program = command.get_program().to_string_lossy().into_owned();
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("start {program}"))?;
        let errors = child.stderr.take().context("piped")?;
        let output = child.stdout.take().context("piped")?;
        let reader = std::thread::spawn(move || show(errors, keep));
        kept.extend(show(output, keep));
        kept.extend(reader.join().unwrap_or_default());
        let status = child.wait()?;
        anyhow::ensure!(status.success(), "{program} ended with {status}");
        Ok(())
    })();
    (done, kept)
}

fn show(stream: impl std::io::Read, keep: fn(&str) -> bool) -> Vec<String> {
    let mut kept = Vec::new();
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    while matches!(reader.read_until(b'\n', &mut line), Ok(read) if read > 0) {
        let text = String::from_utf8_lossy(&line);
        print!("{text}");
        if keep(&text) {
            kept.push(text.trim_end().to_owned());
        }
        line.clear();
    }
    kept
}
