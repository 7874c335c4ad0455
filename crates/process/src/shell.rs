//! The one shell that runs every command line of this system.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::Error;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShellKind {
    /// PowerShell 7 and later.
    PowerShell,
    /// The one that comes with Windows, 5.1.
    WindowsPowerShell,
    Bash,
    /// `/bin/sh`, whatever it is.
    Sh,
}

/// A shell that was found. The model is told which one it writes for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shell {
    pub kind: ShellKind,
    /// Absolute.
    pub path: PathBuf,
}

impl Shell {
    /// The first of the shells of this system that is there.
    pub fn find() -> Result<Self, Error> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        // A relative entry would let the folder that a command runs in choose the shell.
        let folders: Vec<PathBuf> =
            std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect();
        let candidates = if cfg!(windows) { windows(&folders) } else { unix(&folders) };
        first(candidates, Path::is_file).ok_or_else(|| {
            let wanted =
                if cfg!(windows) { "neither pwsh nor powershell" } else { "neither bash nor /bin/sh" };
            Error::NoShell(wanted.into())
        })
    }

    /// For people and models.
    pub fn name(&self) -> &'static str {
        match self.kind {
            ShellKind::PowerShell => "PowerShell 7",
            ShellKind::WindowsPowerShell => "Windows PowerShell 5.1",
            ShellKind::Bash => "Bash",
            ShellKind::Sh => "sh",
        }
    }

    /// What makes this shell run `line`: no profile, nobody to ask.
    pub(crate) fn arguments(&self, line: &str) -> Vec<OsString> {
        let (switches, line): (&[&str], String) = match self.kind {
            ShellKind::Bash => (&["--noprofile", "--norc", "-c", "--"], line.into()),
            ShellKind::Sh => (&["-c", "--"], line.into()),
            ShellKind::PowerShell | ShellKind::WindowsPowerShell => {
                (&["-NoLogo", "-NoProfile", "-NonInteractive", "-Command"], power_shell(line))
            }
        };
        switches.iter().map(OsString::from).chain([OsString::from(line)]).collect()
    }
}

/// PowerShell writes in the code page of the console and makes every failure a 1: UTF-8 it shall be, and
/// the code of the program that failed. Nothing that failed ends with 0.
fn power_shell(line: &str) -> String {
    format!(
        "[Console]::OutputEncoding = [Text.UTF8Encoding]::new($false)\n\
         $OutputEncoding = [Console]::OutputEncoding\n\
         $ProgressPreference = 'SilentlyContinue'\n\
         {line}\n\
         if ($?) {{ exit 0 }}\n\
         if ($LASTEXITCODE) {{ exit $LASTEXITCODE }}\n\
         exit 1\n"
    )
}

fn first(candidates: Vec<Shell>, is_there: impl Fn(&Path) -> bool) -> Option<Shell> {
    candidates.into_iter().find(|shell| is_there(&shell.path))
}

fn unix(folders: &[PathBuf]) -> Vec<Shell> {
    let usual = ["/bin", "/usr/bin", "/usr/local/bin", "/run/current-system/sw/bin"].map(PathBuf::from);
    let bash = folders.iter().chain(&usual).map(|folder| folder.join("bash"));
    let mut shells: Vec<Shell> = bash.map(|path| Shell { kind: ShellKind::Bash, path }).collect();
    shells.push(Shell { kind: ShellKind::Sh, path: "/bin/sh".into() });
    shells
}

fn windows(folders: &[PathBuf]) -> Vec<Shell> {
    let below = |variable: &str, rest: &str| std::env::var_os(variable).map(|top| Path::new(&top).join(rest));
    let new = folders
        .iter()
        .map(|folder| folder.join("pwsh.exe"))
        .chain(below("ProgramFiles", r"PowerShell\7\pwsh.exe"))
        .map(|path| Shell { kind: ShellKind::PowerShell, path });
    let own = below("SystemRoot", r"System32\WindowsPowerShell\v1.0\powershell.exe")
        .into_iter()
        .chain(folders.iter().map(|folder| folder.join("powershell.exe")))
        .map(|path| Shell { kind: ShellKind::WindowsPowerShell, path });
    new.chain(own).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_shell_is_taken_first() {
        let folders = ["/opt/bin".into(), "/bin".into()];
        let choose = |candidates: Vec<Shell>, there: &[&str]| {
            first(candidates, |path| there.iter().any(|one| path == Path::new(one)))
                .map(|shell| (shell.kind, shell.path.display().to_string()))
        };
        assert_eq!(
            choose(unix(&folders), &["/bin/sh", "/bin/bash", "/opt/bin/bash"]),
            Some((ShellKind::Bash, "/opt/bin/bash".into()))
        );
        assert_eq!(choose(unix(&folders), &["/bin/sh"]), Some((ShellKind::Sh, "/bin/sh".into())));
        assert_eq!(choose(unix(&folders), &[]), None);
        let both = ["/opt/bin/powershell.exe", "/bin/pwsh.exe"];
        assert_eq!(choose(windows(&folders), &both), Some((ShellKind::PowerShell, "/bin/pwsh.exe".into())));
        assert_eq!(
            choose(windows(&folders), &both[..1]),
            Some((ShellKind::WindowsPowerShell, "/opt/bin/powershell.exe".into()))
        );
    }

    #[test]
    fn a_line_is_one_argument_and_no_switch() {
        let arguments = |kind| Shell { kind, path: "/bin/shell".into() }.arguments("-x 'a b'");
        assert_eq!(arguments(ShellKind::Bash), ["--noprofile", "--norc", "-c", "--", "-x 'a b'"]);
        assert_eq!(arguments(ShellKind::Sh), ["-c", "--", "-x 'a b'"]);
        let power_shell = arguments(ShellKind::PowerShell);
        assert_eq!(power_shell.len(), 5);
        assert!(power_shell[4].to_str().unwrap().contains("\n-x 'a b'\nif ($?) { exit 0 }"));
    }

    #[cfg(unix)]
    #[test]
    fn both_shells_of_unix_take_their_arguments() {
        let found = Shell::find().unwrap();
        for shell in [found, Shell { kind: ShellKind::Sh, path: "/bin/sh".into() }] {
            let arguments = shell.arguments("echo \"$0\" 'a b'; exit 3");
            let output = std::process::Command::new(&shell.path).args(arguments).output().unwrap();
            assert_eq!(output.status.code(), Some(3), "{shell:?}");
            assert!(String::from_utf8_lossy(&output.stdout).ends_with(" a b\n"), "{output:?}");
        }
    }
}
