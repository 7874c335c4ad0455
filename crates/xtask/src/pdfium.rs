//! Brings in PDFium, the library that reads PDF: out of a wheel, which pip fetches by exact version and hash.
//!
//! It lies beside the programs that cargo builds, where they look for it, and with its licences in
//! `target/pdfium`.

use std::path::{Path, PathBuf};

use anyhow::Context;
use xshell::{Shell, cmd};

use crate::{place, setup};

/// As in `pdfium.txt`, which pip reads.
const VERSION: &str = "5.15.2";

/// Folders of what cargo builds whose programs read PDF.
const PROFILES: &[&str] = &["debug", "quick"];

pub fn name() -> &'static str {
    if cfg!(windows) {
        "pdfium.dll"
    } else if cfg!(target_os = "macos") {
        "libpdfium.dylib"
    } else {
        "libpdfium.so"
    }
}

/// The unpacked library; there or not.
pub fn library() -> PathBuf {
    folder().join(name())
}

/// What it may be given on under.
pub fn licences() -> PathBuf {
    folder().join("licences")
}

fn folder() -> PathBuf {
    place::target().join("pdfium").join(VERSION)
}

/// Fetches it where it lacks, and puts it beside what cargo builds.
pub fn fetch(shell: &Shell) -> anyhow::Result<()> {
    if !library().is_file() {
        unpack(shell)?;
    }
    for profile in PROFILES {
        let beside = place::target().join(profile);
        shell.create_dir(&beside)?;
        if !is_same(&library(), &beside.join(name())) {
            shell.copy_file(library(), &beside)?;
        }
    }
    Ok(())
}

fn unpack(shell: &Shell) -> anyhow::Result<()> {
    let python = python()?;
    let list = place::root().join("crates/xtask/pdfium.txt");
    let fetched = shell.create_temp_dir()?;
    let fetched = fetched.path();
    cmd!(
        shell,
        "{python} -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes --dest {fetched} --requirement {list}"
    )
    .run()
    .context("fetch PDFium with pip")?;
    let wheel = shell
        .read_dir(fetched)?
        .into_iter()
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .context("pip fetched no wheel")?;
    cmd!(shell, "{python} -m zipfile --extract {wheel} {fetched}").run()?;

    let folder = folder();
    shell.create_dir(&folder)?;
    let licences = fetched.join(format!("pypdfium2-{VERSION}.dist-info/licenses"));
    copy_folder(shell, &licences, &self::licences())?;
    // The library last: where it is, all is.
    shell.copy_file(fetched.join("pypdfium2_raw").join(name()), &folder)?;
    Ok(())
}

fn copy_folder(shell: &Shell, from: &Path, to: &Path) -> anyhow::Result<()> {
    shell.create_dir(to)?;
    for path in shell.read_dir(from)? {
        let name = path.file_name().context("a path without a name")?;
        if path.is_dir() {
            copy_folder(shell, &path, &to.join(name))?;
        } else {
            shell.copy_file(&path, to)?;
        }
    }
    Ok(())
}

/// A Python that has pip.
fn python() -> anyhow::Result<&'static str> {
    ["python3", "python", "py"]
        .into_iter()
        .find(|python| setup::succeeds(python, &["-m", "pip", "--version"]))
        .context("Python with pip is missing: PDFium comes with it (https://www.python.org)")
}

fn is_same(one: &Path, other: &Path) -> bool {
    let length = |path: &Path| path.metadata().map(|metadata| metadata.len()).ok();
    length(one).is_some() && length(one) == length(other)
}
