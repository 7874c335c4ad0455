//! Where things are.

use std::path::PathBuf;

/// The folder of the workspace manifest.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").components().fold(
        PathBuf::new(),
        |mut path, part| {
            if part == std::path::Component::ParentDir {
                path.pop();
            } else {
                path.push(part);
            }
            path
        },
    )
}

/// Where cargo puts what it builds.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |folder| root().join(folder))
}

/// A program that the given profile built.
pub fn built(profile_folder: &str, name: &str) -> PathBuf {
    target().join(profile_folder).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Whether a program of this name can be started.
pub fn on_path(name: &str) -> bool {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(&file).is_file()))
}
