//! `cargo xtask fuzz [SECONDS] [READER…]`: changes documents at random and reads them, a minute for each
//! reader. How, and why this way: `crates/extract/examples/fuzz.rs`. The last reader is none of them:
//! `properties` are those of the tests, on many new random cases.

use xshell::{Shell, cmd};

use crate::place;

const READERS: &[&str] = &["docx", "pptx", "xlsx", "csv", "html", "epub", "svg", "jpg", PROPERTIES];
const PROPERTIES: &str = "properties";
/// The packages whose tests hold properties.
const WITH_PROPERTIES: &str =
    "package(orangery-domain) + package(orangery-extract) + package(orangery-change)";
const CASES: &str = "4000";

pub fn fuzz(arguments: &[String]) -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(place::root());
    // A number that overflows is a finding too.
    shell.set_var("CARGO_PROFILE_QUICK_OVERFLOW_CHECKS", "true");
    let (seconds, readers) = match arguments.split_first() {
        Some((first, rest)) if first.parse::<u32>().is_ok() => (first.as_str(), rest),
        _ => ("60", arguments),
    };
    let readers: Vec<&str> = match readers {
        [] => READERS.to_vec(),
        some => some.iter().map(String::as_str).collect(),
    };
    for reader in readers {
        if reader == PROPERTIES {
            cmd!(shell, "cargo nextest run --workspace --no-fail-fast -E {WITH_PROPERTIES}")
                .env("PROPTEST_CASES", CASES)
                .run()?;
            continue;
        }
        cmd!(shell, "cargo run -q --profile quick -p orangery-extract --example fuzz -- {reader} {seconds}")
            .run()?;
    }
    Ok(())
}
