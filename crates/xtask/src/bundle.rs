//! `cargo xtask bundle`: the packages of the window, each with PDFium and its licences in it.
//!
//! What is packaged is named here and not in `tauri.conf.json`: every build of the window would want the library there,
//! and most need none.

use std::path::Path;

use anyhow::Context;
use xshell::{Shell, cmd};

use crate::{pdfium, place, setup};

pub fn bundle(arguments: &[String]) -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(place::root());
    setup::system_packages(&shell, setup::TO_BUILD)?;
    pdfium::fetch(&shell)?;
    setup::npm_packages(&shell, &place::root().join("ui"))?;
    anyhow::ensure!(
        setup::succeeds("cargo", &["tauri", "--version"]),
        "the packager is missing: cargo install tauri-cli --version ^2 --locked"
    );
    let carried = carried(&pdfium::library(), &pdfium::licences())?;
    cmd!(shell, "cargo tauri build --config {carried} {arguments...}").run()?;
    Ok(())
}

/// What the packages carry besides the window, as its configuration says it. The library lies where the programs that
/// read PDF look for it.
fn carried(library: &Path, licences: &Path) -> anyhow::Result<String> {
    let text = |path: &Path| path.to_str().map(quoted).context("a path that is not Unicode");
    let (from, to) = (text(library)?, quoted(pdfium::name()));
    let licences = text(licences)?;
    Ok(format!("{{\"bundle\":{{\"resources\":{{{from}:{to},{licences}:\"pdfium-licences\"}}}}}}"))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_carry_the_library_and_its_licences() {
        let carried = carried(Path::new("/a b/lib.so"), Path::new("C:\\l")).unwrap();
        let expected = format!(
            r#"{{"bundle":{{"resources":{{"/a b/lib.so":"{}","C:\\l":"pdfium-licences"}}}}}}"#,
            pdfium::name()
        );
        assert_eq!(carried, expected);
    }
}
