//! `cargo xtask doctor`: what this machine has of what the two verbs need.

use std::process::Command;

use crate::{pdfium, setup};

pub fn doctor() -> anyhow::Result<()> {
    for (program, remedy) in [
        ("rustc", "https://rustup.rs"),
        ("cargo", "https://rustup.rs"),
        ("node", "Node 20 or newer, https://nodejs.org"),
        ("npm", "comes with Node"),
    ] {
        let version =
            Command::new(program).arg("--version").output().ok().filter(|output| output.status.success());
        match version {
            Some(output) => line(true, program, String::from_utf8_lossy(&output.stdout).trim()),
            None => line(false, program, remedy),
        }
    }
    for tool in setup::CARGO_TOOLS {
        let found = setup::has_cargo_tool(tool.verb);
        let word = if found { "found" } else { "installed by `cargo xtask test`" };
        line(found, &format!("cargo {}", tool.verb), word);
    }
    let found = pdfium::library().is_file();
    line(found, "PDFium", if found { "found" } else { "fetched by `cargo xtask run` and `test`" });
    if setup::knows_debian_packages() {
        for (purpose, packages) in [("to build", setup::TO_BUILD), ("to test", setup::TO_TEST)] {
            let missing = setup::missing_packages(packages)?;
            let word = if missing.is_empty() {
                "all there".to_owned()
            } else {
                format!("missing: {}", missing.join(" "))
            };
            line(missing.is_empty(), &format!("system packages {purpose}"), &word);
        }
    }
    let display = has_display();
    line(
        display,
        "display",
        if display { "found" } else { "none: `cargo xtask run` will serve on loopback" },
    );
    Ok(())
}

pub fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

fn line(good: bool, name: &str, detail: &str) {
    println!("{} {name}: {detail}", if good { "ok     " } else { "missing" });
}
