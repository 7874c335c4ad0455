//! Walking the machine's folders, for hosts without a dialog of their own.

use std::path::{Path, PathBuf};

use crate::error::{Code, Result, WireError};
use crate::request::{BrowseFolder, FolderEntry, FolderListing};
use crate::rooms::Rooms;

/// Folders only, hidden ones left out, in the order of their names.
pub(crate) async fn browse(_: &Rooms, request: BrowseFolder) -> Result<FolderListing> {
    let path = match request.path.filter(|path| !path.is_empty()) {
        Some(path) => PathBuf::from(path),
        None => match directories::UserDirs::new() {
            Some(user) => user.home_dir().to_owned(),
            None => PathBuf::from(std::path::MAIN_SEPARATOR_STR),
        },
    };
    if !path.is_absolute() {
        let message = format!("browse {}: give an absolute path", path.display());
        return Err(WireError::new(Code::NotAFolder, message).with("path", path.display()));
    }
    tokio::task::spawn_blocking(move || list(&path)).await.map_err(WireError::internal)?
}

fn list(path: &Path) -> Result<FolderListing> {
    let entries = std::fs::read_dir(path).map_err(|error| {
        let code = match error.kind() {
            std::io::ErrorKind::NotFound => Code::NotFound,
            std::io::ErrorKind::PermissionDenied => Code::AccessDenied,
            std::io::ErrorKind::NotADirectory => Code::NotAFolder,
            _ => Code::Io,
        };
        let message = format!("browse {}: {error}", path.display());
        WireError::new(code, message).with("path", path.display())
    })?;
    let mut folders: Vec<FolderEntry> = entries
        .flatten()
        .filter(|entry| entry.path().is_dir())
        // A name that is not Unicode cannot travel; such a folder cannot be chosen here.
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let path = entry.path().to_str()?.to_owned();
            (!name.starts_with('.')).then_some(FolderEntry { name, path })
        })
        .collect();
    folders.sort_by_cached_key(|folder| folder.name.to_lowercase());
    Ok(FolderListing {
        path: path.display().to_string(),
        parent: path.parent().map(|parent| parent.display().to_string()),
        folders,
    })
}
