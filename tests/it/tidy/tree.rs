//! The text files of the project, as they are on disk.

use std::path::{Path, PathBuf};

pub struct SourceFile {
    /// Below the root, with slashes.
    pub name: String,
    pub text: String,
}

const READ: &[&str] = &["rs", "ts", "svelte", "css", "js", "mjs", "md", "toml", "sql", "json"];
/// Written by tools, or by nobody.
const SKIPPED: &[&str] = &["target", "node_modules", "dist", "results", "gen", "generated", ".sqlx"];

impl SourceFile {
    pub fn is_code(&self) -> bool {
        [".rs", ".ts", ".svelte", ".css"].iter().any(|end| self.name.ends_with(end))
    }

    pub fn is_test(&self) -> bool {
        self.name.starts_with("tests/") || self.name.contains("/tests") || self.name.ends_with(".test.ts")
    }

    /// A note of the user guide.
    pub fn is_sample(&self) -> bool {
        self.name.starts_with("crates/api/sample/")
    }

    /// Whether `target` is a file in the folder of this one.
    pub fn beside(&self, target: &str) -> bool {
        root().join(&self.name).parent().is_some_and(|folder| folder.join(target).is_file())
    }
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

pub fn files() -> Vec<SourceFile> {
    let root = root();
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                if !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if READ.iter().any(|ending| path.extension().is_some_and(|is| is == *ending))
                && name != "package-lock.json"
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
                files.push(SourceFile { name, text });
            }
        }
    }
    assert!(files.len() > 20, "the project is not where it was looked for");
    files
}
