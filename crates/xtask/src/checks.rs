//! `cargo xtask test`: every check there is, the quick ones first.

use std::process::Command;

use xshell::{Shell, cmd};

use crate::step::Steps;
use crate::{pdfium, place, setup};

/// Properties are checked on the same random cases each time, so that a check that fails names a change and
/// not luck; `cargo xtask fuzz properties` looks for new cases.
const PROPERTY_SEED: &str = "PROPTEST_RNG_SEED";

pub fn test() -> anyhow::Result<()> {
    let shell = Shell::new()?;
    let root = place::root();
    shell.change_dir(&root);
    let ui = root.join("ui");
    let e2e = root.join("tests/e2e");
    let mut steps = Steps::default();

    steps.step("system packages", || {
        setup::system_packages(&shell, &[setup::TO_BUILD, setup::TO_TEST].concat())
    })?;
    steps.step("npm packages", || {
        setup::npm_packages(&shell, &ui)?;
        setup::npm_packages(&shell, &e2e)
    })?;
    steps.step("PDFium", || pdfium::fetch(&shell))?;
    steps.step("cargo tools", || setup::cargo_tools(&shell))?;

    steps.step("format", || Ok(cmd!(shell, "cargo fmt --all --check").run()?))?;
    for (name, script) in
        [("UI types", "check"), ("UI lint", "lint"), ("UI unit tests", "test"), ("UI build", "build")]
    {
        steps.step(name, || Ok(cmd!(shell, "npm run {script} --prefix {ui}").run()?))?;
    }
    steps.step("types of the browser tests", || Ok(cmd!(shell, "npm run check --prefix {e2e}").run()?))?;

    // The whole workspace each time: a part of it would build its dependencies with other features.
    steps
        .step("clippy", || Ok(cmd!(shell, "cargo clippy --workspace --all-targets -- -D warnings").run()?))?;
    steps.step("licences, bans, sources", || {
        Ok(cmd!(shell, "cargo deny check licenses bans sources").run()?)
    })?;
    steps.step("advisories", || advisories(&shell))?;
    let mut nextest = Command::new("cargo");
    nextest.current_dir(&root).args(["nextest", "run", "--workspace", "--no-fail-fast"]);
    if std::env::var_os(PROPERTY_SEED).is_none() {
        nextest.env(PROPERTY_SEED, "1");
    }
    if setup::knows_debian_packages() {
        // They were brought in above: a test that misses one of them is not to pass without it.
        nextest.env("ORANGERY_TEST_PACKAGES", "1");
    }
    steps.summed_up("Rust tests", nextest, |line| line.trim_start().starts_with("Summary ["))?;
    steps.step("hosts", || Ok(cmd!(shell, "cargo build --workspace --bins").run()?))?;

    let mut playwright = in_a_session_of_its_own();
    playwright
        .current_dir(&e2e)
        .env("ORANGERY_HOST", place::built("debug", "orangery"))
        .env("ORANGERY_DESKTOP", place::built("debug", "orangery-desktop"));
    steps.summed_up("browser and window tests", playwright, is_playwright_count)?;

    steps.finish();
    Ok(())
}

/// Playwright; on Linux with a display and a session bus that nobody looks at.
fn in_a_session_of_its_own() -> Command {
    let runner = ["npx", "--no-install", "playwright", "test"];
    if cfg!(target_os = "linux") {
        let mut command = Command::new("dbus-run-session");
        command.args(["--", "xvfb-run", "-a", "-s", "-screen 0 1440x900x24"]).args(runner);
        command
    } else {
        let mut command = Command::new(runner[0]);
        command.args(&runner[1..]).arg("--project=web");
        command
    }
}

/// Known faults of dependencies, where the list of them can be had.
fn advisories(shell: &Shell) -> anyhow::Result<()> {
    if cmd!(shell, "cargo deny fetch db").quiet().ignore_stderr().run().is_err() {
        println!("left out: the list of advisories cannot be reached from here");
        return Ok(());
    }
    Ok(cmd!(shell, "cargo deny check advisories").run()?)
}

/// `  12 passed (8.3s)` and its kin.
fn is_playwright_count(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next().is_some_and(|word| word.parse::<u32>().is_ok())
        && words.next().is_some_and(|word| matches!(word, "passed" | "failed" | "flaky" | "skipped"))
}
