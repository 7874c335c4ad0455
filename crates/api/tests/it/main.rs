//! The API on a real data directory and real folders.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "tests make their own folders")]

mod code;
mod dropped;
mod every;
mod history;
mod house;
mod marked;
mod owner;
mod secret;
mod typescript;

/// Before the tests of this program run: started as the watchdog of commands, it is one.
#[ctor::ctor(unsafe)]
fn child() {
    if std::env::args().nth(1).as_deref() == Some("process-watchdog") {
        let ended = orangery_api::child::main();
        std::process::exit(i32::from(ended != Some(std::process::ExitCode::SUCCESS)));
    }
}
