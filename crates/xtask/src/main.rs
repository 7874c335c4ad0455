//! What developers type: `cargo xtask run`, `cargo xtask test`, and a few more. Stands outside the house.
//!
//! Both verbs of the README first bring in what the machine lacks, so that a fresh clone needs nothing else.
#![expect(clippy::print_stdout, reason = "a terminal is who this talks to")]

mod bench;
mod bundle;
mod checks;
mod doctor;
mod fuzz;
mod pdfium;
mod place;
#[cfg(feature = "prepare")]
mod prepare;
mod run;
mod setup;
mod step;
mod types;

const HELP: &str = "\
cargo xtask VERB

  run       build, and open the window with the sample knowledge base; without a display, serve it on loopback
  test      every check there is
  types     write the TypeScript types of the API anew
  prepare   check the SQL against the migrations and write what was learnt to crates/store/.sqlx
  bundle    build the packages of the window, with the library that reads PDF in them
  pdfium    fetch the library that reads PDF; the two above do
  bench     run the benches of the crates that have some
  fuzz      change documents at random and read them, a minute for each reader
  doctor    say what this machine has and lacks
";

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let verb = arguments.next();
    let rest: Vec<String> = arguments.collect();
    match verb.as_deref() {
        Some("run") => run::run(&rest),
        Some("test") => checks::test(),
        Some("bundle") => bundle::bundle(&rest),
        Some("types") => types::types(),
        Some("prepare") => prepare(),
        Some("pdfium") => pdfium(),
        Some("bench") => bench::bench(&rest),
        Some("fuzz") => fuzz::fuzz(&rest),
        Some("doctor") => doctor::doctor(),
        None | Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            Ok(())
        }
        Some(other) => anyhow::bail!("unknown verb {other}\n\n{HELP}"),
    }
}

fn pdfium() -> anyhow::Result<()> {
    pdfium::fetch(&xshell::Shell::new()?)?;
    println!("{}", pdfium::library().display());
    Ok(())
}

#[cfg(feature = "prepare")]
fn prepare() -> anyhow::Result<()> {
    prepare::run()
}

#[cfg(not(feature = "prepare"))]
fn prepare() -> anyhow::Result<()> {
    let shell = xshell::Shell::new()?;
    xshell::cmd!(shell, "cargo run -q -p orangery-xtask --features prepare -- prepare").run()?;
    Ok(())
}
