//! Brings in what a fresh machine lacks: system packages, npm packages, cargo's own tools.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context;
use xshell::{Shell, cmd};

use crate::place;

/// What the window needs to be built on Debian and its kin, and pip, which brings in PDFium.
pub const TO_BUILD: &[&str] = &[
    "build-essential",
    "curl",
    "file",
    "libayatana-appindicator3-dev",
    "libgtk-3-dev",
    "librsvg2-dev",
    "libssl-dev",
    "libwebkit2gtk-4.1-dev",
    "libxdo-dev",
    "pkg-config",
    "python3-pip",
    "wget",
];

/// What its tests need besides.
pub const TO_TEST: &[&str] = &[
    "chromium",
    "dbus",
    "dbus-x11",
    "fonts-dejavu-core",
    "fonts-noto-cjk",
    "gnome-keyring",
    "webkit2gtk-driver",
    "xauth",
    "xvfb",
];

/// A tool of cargo's, at the version that is installed where none is there.
pub struct CargoTool {
    pub verb: &'static str,
    pub version: &'static str,
}

pub const CARGO_TOOLS: &[CargoTool] =
    &[CargoTool { verb: "nextest", version: "0.9.143" }, CargoTool { verb: "deny", version: "0.20.2" }];

/// Installs the missing ones among `wanted`, or says the line that would and stops.
pub fn system_packages(shell: &Shell, wanted: &[&str]) -> anyhow::Result<()> {
    if !knows_debian_packages() {
        return Ok(());
    }
    let missing = missing_packages(wanted)?;
    if missing.is_empty() {
        return Ok(());
    }
    let shell = shell.clone();
    shell.set_var("DEBIAN_FRONTEND", "noninteractive");
    if is_root()? {
        cmd!(shell, "apt-get update -q").run()?;
        cmd!(shell, "apt-get install -q -y --no-install-recommends {missing...}").run()?;
    } else if succeeds("sudo", &["-n", "true"]) {
        cmd!(shell, "sudo -n apt-get update -q").run()?;
        cmd!(shell, "sudo -n apt-get install -q -y --no-install-recommends {missing...}").run()?;
    } else {
        let list = missing.join(" ");
        anyhow::bail!(
            "system packages are missing and this user may not install them; run this, then the same command again:\n\n  \
             sudo apt-get update && sudo apt-get install --no-install-recommends {list}\n"
        );
    }
    Ok(())
}

pub fn knows_debian_packages() -> bool {
    cfg!(target_os = "linux") && place::on_path("dpkg-query") && place::on_path("apt-get")
}

/// Those of `wanted` that dpkg does not have installed.
pub fn missing_packages<'a>(wanted: &[&'a str]) -> anyhow::Result<Vec<&'a str>> {
    // It ends with an error when it does not know a package, and still lists the others.
    let output = Command::new("dpkg-query")
        .args(["--show", "--showformat", "${Package} ${db:Status-Status}\n"])
        .args(wanted)
        .stderr(Stdio::null())
        .output()
        .context("ask dpkg-query")?;
    let listed = String::from_utf8_lossy(&output.stdout).into_owned();
    let installed: Vec<&str> = listed.lines().filter_map(|line| line.strip_suffix(" installed")).collect();
    Ok(wanted.iter().copied().filter(|name| !installed.contains(name)).collect())
}

/// `npm ci`, where the lock file is newer than what was installed from it.
pub fn npm_packages(shell: &Shell, folder: &Path) -> anyhow::Result<()> {
    let written = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    let installed = written(&folder.join("node_modules/.package-lock.json"));
    let locked = written(&folder.join("package-lock.json"));
    if installed.is_some() && installed >= locked {
        return Ok(());
    }
    anyhow::ensure!(place::on_path("npm"), "npm is missing: install Node 20 or newer (https://nodejs.org)");
    // Playwright drives the system's Chromium; it need not bring its own.
    cmd!(shell, "npm ci --prefix {folder} --no-audit --no-fund")
        .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
        .run()?;
    Ok(())
}

pub fn cargo_tools(shell: &Shell) -> anyhow::Result<()> {
    for CargoTool { verb, version } in CARGO_TOOLS {
        if !has_cargo_tool(verb) {
            let name = format!("cargo-{verb}");
            // What these do takes seconds; optimising them to the last takes minutes.
            cmd!(shell, "cargo install {name} --version {version} --locked")
                .env("CARGO_PROFILE_RELEASE_LTO", "off")
                .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
                .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
                .run()?;
        }
    }
    Ok(())
}

pub fn has_cargo_tool(verb: &str) -> bool {
    succeeds("cargo", &[verb, "--version"])
}

fn is_root() -> anyhow::Result<bool> {
    let output = Command::new("id").arg("-u").output().context("ask who runs this")?;
    Ok(output.stdout.trim_ascii() == b"0")
}

pub fn succeeds(program: &str, arguments: &[&str]) -> bool {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
