//! Opening a file or an address in the program that the user has chosen for it.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::Error;
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

/// An absolute path or a URL that may be opened. Holding one is the permission: only the gate makes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedTarget(OsString);

impl AllowedTarget {
    /// Takes `target` if it can be opened at all; nothing else passes, so nothing is a switch of the
    /// opener. To be called by the one who has decided that it may.
    pub fn check(target: &str) -> Result<Self, Error> {
        let is_address = target.split_once(':').is_some_and(|(scheme, rest)| {
            scheme.len() > 1
                && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
                && scheme.chars().all(|one| one.is_ascii_alphanumeric() || "+-.".contains(one))
                && !rest.is_empty()
        });
        let holds_control = target.chars().any(char::is_control);
        if holds_control || !(is_address || Path::new(target).is_absolute()) {
            return Err(Error::Target(target.into()));
        }
        Ok(Self(target.into()))
    }
}

/// Opens `target`. What shows it is the user's from then on: it is not ended with the app.
pub async fn open(target: &AllowedTarget) -> std::io::Result<Opened> {
    for (program, arguments) in openers() {
        let started = tokio::process::Command::new(program)
            .args(&arguments)
            .arg(&target.0)
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

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests decide themselves")]
mod tests {
    use super::*;

    #[test]
    fn only_absolute_paths_and_addresses_are_opened() {
        let absolute = if cfg!(windows) { r"C:\notes\a.pdf" } else { "/notes/a: b.pdf" };
        for target in [absolute, "https://example.org/?q=a b", "mailto:me@example.org"] {
            assert!(AllowedTarget::check(target).is_ok(), "{target}");
        }
        for target in ["", "-h", "--help", "notes/a.pdf", "https:", ":x", "-x:y", "https://a\nb", "/a\0b"] {
            assert_eq!(AllowedTarget::check(target), Err(Error::Target(target.into())));
        }
    }
}
