//! The `orangery` binary: the loopback host and the command line, both over the one API.

mod args;
mod ask;
mod call;
mod change;
mod desktop;
mod find;
mod human;
mod knowledge_base;
mod out;
mod place;
mod sentence;
mod serve;
mod settings;
mod tool;
mod word;

use std::process::ExitCode;

use clap::Parser;
use orangery_api::{App, Config};

use args::{Cli, Command};
use call::Caller;
use orangery_api::error::WireError;
use out::{Exit, Out};

type Result<T = Exit> = std::result::Result<T, WireError>;

fn main() -> anyhow::Result<ExitCode> {
    if let Some(ended) = orangery_api::child::main() {
        return Ok(ended);
    }
    let cli = Cli::parse();
    log();
    let out = Out { json: cli.common.json };
    let Some(command) = cli.command else {
        return Ok(ExitCode::from(desktop::open(cli.common.data_dir.as_deref(), out)?.code()));
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let exit = runtime.block_on(run(command, cli.common.data_dir, out)).unwrap_or_else(|error| {
        out.error(&error);
        Exit::of(&error)
    });
    // Not waited for: a thread that hangs in a system call must not keep the shell.
    runtime.shutdown_background();
    Ok(ExitCode::from(exit.code()))
}

/// `ORANGERY_LOG` as in `warn,orangery_library=debug`; to standard error.
fn log() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("ORANGERY_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("error"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
}

async fn run(command: Command, data_dir: Option<std::path::PathBuf>, out: Out) -> Result {
    let serving = matches!(command, Command::Serve { .. });
    let mut config = Config::from_environment(if serving { "web" } else { "command" }, data_dir)?;
    config.watch = serving;
    let app = match App::open(config.clone()).await {
        Err(error) if matches!(command, Command::Doctor { .. }) => {
            settings::show(&App::doctor_outside(&config, &error).await?, out);
            return Ok(Exit::of(&error));
        }
        opened => opened?,
    };
    let result = match command {
        Command::Serve { port, kb, sample } => serve::run(&app, port, kb, sample, out).await,
        command => until_interrupted(command, &app, out).await,
    };
    app.shutdown().await;
    result
}

/// What Ctrl-C cuts short is dropped where it stands, except a turn and a call of a tool: those would go on in
/// the process that has the data directory.
async fn until_interrupted(command: Command, app: &App, out: Out) -> Result {
    let mut interrupt = std::pin::pin!(interrupted());
    if needs_fresh_index(&command) {
        tokio::select! {
            () = app.catch_up() => {}
            () = &mut interrupt => return Ok(Exit::Interrupted),
        }
    }
    let caller = Caller::new(app);
    match command {
        Command::Ask { question, level, model, kb } => {
            ask::run(&caller, question, level, model, kb, interrupt, out).await
        }
        Command::Tool(call) => tool::run(&caller, call, interrupt, out).await,
        command => tokio::select! {
            result = carry_out(command, &caller, out) => result,
            () = interrupt => Ok(Exit::Interrupted),
        },
    }
}

/// Whether what the command shows depends on files that may have changed while nobody watched.
fn needs_fresh_index(command: &Command) -> bool {
    matches!(
        command,
        Command::Search { text: false, .. }
            | Command::List { .. }
            | Command::Links(_)
            | Command::Tool(_)
            | Command::Ask { .. }
            | Command::Doctor { verify: true }
    )
}

async fn carry_out(command: Command, caller: &Caller, out: Out) -> Result {
    match command {
        // These know themselves how to end.
        Command::Serve { .. } | Command::Ask { .. } | Command::Tool(_) => Ok(Exit::Usage),
        Command::Kb(command) => knowledge_base::run(caller, command, out).await,
        Command::Index { paths } => knowledge_base::index(caller, paths, out).await,
        Command::Search { query, kb, text: true, lines, .. } => {
            find::lines(caller, query, lines, kb, out).await
        }
        Command::Search { query, plain, limit, kb, .. } => {
            find::search(caller, query, plain, limit, kb, out).await
        }
        Command::Read(place) => find::read(caller, place, out).await,
        Command::List { path, kb } => find::list(caller, path, kb, out).await,
        Command::Links(place) => find::links(caller, place, out).await,
        Command::Settings(command) => settings::run(caller, command, out).await,
        Command::Change(command) => change::run(caller, command, out).await,
        Command::History(place) => change::history(caller, place, out).await,
        Command::Restore { place, version } => change::restore(caller, place, version, out).await,
        Command::Doctor { verify } => settings::doctor(caller, verify, out).await,
    }
}

/// Ctrl-C, or the polite end that a service manager asks for.
pub async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
