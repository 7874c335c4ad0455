//! Makes the folder that the interface is embedded from, so that the Rust side builds before the other.

use std::path::Path;

#[expect(clippy::disallowed_methods, reason = "a build folder, not a user's file")]
fn main() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/dist");
    std::fs::create_dir_all(&folder)?;
    // Release builds embed the files: a new interface is a new binary.
    println!("cargo::rerun-if-changed={}", folder.display());
    Ok(())
}
