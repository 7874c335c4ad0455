//! The committed TypeScript is what the Rust types say.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn files(folder: &Path) -> BTreeMap<String, String> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect()
}

#[test]
fn typescript() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src/api/generated");
    if std::env::var_os("UPDATE_TYPES").is_some() {
        orangery_api::typescript::generate(&committed).unwrap();
        return;
    }
    let fresh = tempfile::tempdir().unwrap();
    let fresh: PathBuf = fresh.path().join("generated");
    orangery_api::typescript::generate(&fresh).unwrap();
    let (committed, fresh) = (files(&committed), files(&fresh));
    let changed: Vec<&String> = fresh
        .keys()
        .chain(committed.keys())
        .filter(|name| committed.get(*name) != fresh.get(*name))
        .collect();
    assert!(changed.is_empty(), "run UPDATE_TYPES=1 cargo test -p orangery-api typescript: {changed:?}");
}
