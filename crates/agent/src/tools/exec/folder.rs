//! The folder that a command runs in.

use std::path::PathBuf;

use crate::tool::{Call, ToolError};
use crate::tools::place::{self, Named};

/// Where `cwd` lies, and whether it is a place of secrets. Absent: the root of the first knowledge base.
pub(super) async fn of(call: &Call, cwd: Option<&str>) -> Result<(PathBuf, bool), ToolError> {
    let path = cwd.unwrap_or(".");
    if path.trim().is_empty() {
        return Err(ToolError::wrong("cwd: is blank; `.` is the root of the first knowledge base"));
    }
    let target = place::target(call, Named { path: Some(path), ..Named::default() })
        .await
        .map_err(|error| error.reworded(|message| message.replacen("path:", "cwd:", 1)))?;
    let folder = place::on_disk(call, &target)?;
    let (keeps_secrets, asked) = (target.sensitive(), folder.clone());
    let is_folder = place::blocking(move || Ok(asked.is_dir())).await?;
    if !is_folder {
        return Err(ToolError::wrong(format!("cwd: {} is no folder that is there", folder.display())));
    }
    Ok((folder, keeps_secrets))
}
