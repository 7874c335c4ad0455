//! Opening a file or an address in the program that the user has chosen for it.

use std::ffi::{OsStr, OsString};
use std::process::Stdio;
use std::time::Duration;

use crate::environment::is_passed_on;

/// How long the opener may take to say that it could not.
const PATIENCE: Duration = Duration::from_secs(10);

/// What came of opening something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opened {
    /// It was handed over, or the program that shows it still runs.
    Yes,
    /// The system has nothing that opens things.
    NoOpener,
    /// The opener refused, with this exit code.
    Refused(i32),
}

/// Opens `target`, an absolute path or a URL that the caller has been allowed to open. What shows it is
/// the user's from then on: it is not ended with the app.
pub async fn open(target: &OsStr) -> std::io::Result<Opened> {
    for (program, arguments) in openers() {
        let started = tokio::process::Command::new(program)
            .args(&arguments)
            .arg(target)
            .env_clear()
            .envs(std::env::vars_os().filter(|(name, value)| is_passed_on(name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .in_own_group()
            .spawn();
        match started {
            Ok(mut opener) => {
                return match tokio::time::timeout(PATIENCE, opener.wait()).await {
                    Ok(status) => {
                        let status = status?;
                        let refused = Opened::Refused(status.code().unwrap_or(1));
                        Ok(if status.success() { Opened::Yes } else { refused })
                    }
                    // Some openers are the viewer themselves.
                    Err(_) => Ok(Opened::Yes),
                };
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Opened::NoOpener)
}

fn openers() -> Vec<(&'static str, Vec<OsString>)> {
    if cfg!(windows) {
        vec![("rundll32.exe", vec!["url.dll,FileProtocolHandler".into()])]
    } else if cfg!(target_os = "macos") {
        vec![("/usr/bin/open", Vec::new())]
    } else {
        vec![("xdg-open", Vec::new()), ("gio", vec!["open".into()])]
    }
}

trait OwnGroup {
    /// Out of reach of Ctrl+C in the terminal of the app.
    fn in_own_group(&mut self) -> &mut Self;
}

impl OwnGroup for tokio::process::Command {
    fn in_own_group(&mut self) -> &mut Self {
        #[cfg(unix)]
        self.process_group(0);
        self
    }
}
