//! From what somebody types to a knowledge base or a place in one.

use std::path::{Path, PathBuf};

use orangery_api::domain::{FilePlace, KbPath, KnowledgeBase, ModelProfile, PathError};
use orangery_api::error::{Code, WireError};

use crate::Result;
use crate::call::{Caller, usage};

/// The knowledge base called `text`: its id, its name, or its folder.
pub fn knowledge_base<'a>(known: &'a [KnowledgeBase], text: &str) -> Result<&'a KnowledgeBase> {
    let folder = real(Path::new(text));
    let by_folder = known.iter().find(|kb| real(Path::new(&kb.root)) == folder);
    let by_id = || known.iter().find(|kb| kb.id.to_string() == text);
    let by_name = || known.iter().find(|kb| kb.name == text);
    by_folder.or_else(by_id).or_else(by_name).ok_or_else(|| {
        WireError::new(
            Code::NoKnowledgeBase,
            format!("no knowledge base {text:?}; `orangery kb list` shows those there are"),
        )
        .with("path", text)
    })
}

/// The place that `text` names: a path on disk below a known folder, or a path inside `kb`, which may
/// be left out where there is only one.
pub async fn file(caller: &Caller, text: &str, kb: Option<&str>) -> Result<FilePlace> {
    let known = caller.knowledge_bases().await?;
    if let Some(kb) = kb {
        let kb = knowledge_base(&known, kb)?;
        return below(kb, Path::new(text)).map_or_else(|| inside(kb, text), Ok);
    }
    let on_disk = known.iter().find_map(|kb| below(kb, Path::new(text)));
    match (on_disk, known.as_slice()) {
        (Some(place), _) => Ok(place),
        (None, [only]) => inside(only, text),
        (None, _) => Err(WireError::new(
            Code::NotFound,
            format!("{text:?} lies in no knowledge base; add its folder, or say which with --kb"),
        )
        .with("path", text)),
    }
}

fn inside(kb: &KnowledgeBase, text: &str) -> Result<FilePlace> {
    match KbPath::parse(text) {
        Ok(path) => Ok(FilePlace { kb_id: kb.id, path }),
        Err(error @ PathError::Escapes(_)) => {
            Err(WireError::new(Code::Escapes, error.to_string()).with("path", text))
        }
        Err(error) => Err(usage(error.to_string())),
    }
}

/// `path`, as the shell means it, in `kb`; `None` when it lies elsewhere.
fn below(kb: &KnowledgeBase, path: &Path) -> Option<FilePlace> {
    let root = real(Path::new(&kb.root));
    // The last part is left as it is: a link is the file that is meant, not what it leads to.
    let path = std::path::absolute(path).ok()?;
    let full = match (path.parent(), path.file_name()) {
        _ if real(&path) == root => root.clone(),
        (Some(parent), Some(name)) => real(parent).join(name),
        _ => path,
    };
    let relative = full.strip_prefix(&root).ok()?.to_str()?;
    Some(FilePlace { kb_id: kb.id, path: KbPath::parse(relative).ok()? })
}

/// The configured model called `name`, by its name or id.
pub async fn model(caller: &Caller, name: &str) -> Result<ModelProfile> {
    let models: Vec<ModelProfile> = caller.call("model.list", ()).await?;
    let known = models.iter().map(|model| model.name.as_str()).collect::<Vec<_>>().join(", ");
    let found = models.iter().find(|model| model.name == name || model.id.to_string() == name).cloned();
    found.ok_or_else(|| {
        let there = if known.is_empty() {
            "none is set up; that is done in the window".into()
        } else {
            format!("there are {known}")
        };
        WireError::new(Code::ModelNotFound, format!("no model {name:?}; {there}")).with("modelId", name)
    })
}

/// The path with its links followed, or as it is where nothing is there.
pub fn real(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}
