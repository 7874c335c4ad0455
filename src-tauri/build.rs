//! Declares the commands of the window, so that its capabilities must name them.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let assets = std::path::Path::new("../ui/dist");
    // The folder must be there even where nobody has built the UI yet: `cargo check` needs none of it.
    #[expect(clippy::disallowed_methods, reason = "a folder of build output")]
    std::fs::create_dir_all(assets)?;
    println!("cargo:rerun-if-changed={}", assets.display());
    let commands = tauri_build::AppManifest::new().commands(&["rpc", "events", "painted"]);
    tauri_build::try_build(tauri_build::Attributes::new().app_manifest(commands))?;
    Ok(())
}
