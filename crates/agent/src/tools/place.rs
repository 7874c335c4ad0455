//! From what a call names to what the gate judges.

use std::path::{Path, PathBuf};

use orangery_change::is_review_always;
use orangery_domain::{FileId, FileKind, FilePlace, KbId, KbPath, KnowledgeBase, PathError};
use orangery_library::is_sensitive;
use orangery_store::root::{CheckedPath, EntryKind, Root, Roots};

use crate::Error;
use crate::gate::{Reach, Target};
use crate::tool::{Call, ToolError};

/// One is enough to have a folder judged; some more are for the card.
const DELICATE: usize = 8;

/// A file or folder as a call names it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Named<'a> {
    pub path: Option<&'a str>,
    pub file_id: Option<i64>,
    pub knowledge_base_id: Option<i64>,
}

/// Finds what `named` means. It need not exist; what exists is followed to where its bytes are, so
/// that a link is judged by its target.
pub(super) async fn target(call: &Call, named: Named<'_>) -> Result<Target, ToolError> {
    match named {
        Named { path: None, file_id: None, .. } => Err(ToolError::wrong("path: give path or fileId")),
        Named { path: Some(_), file_id: Some(_), .. } => {
            Err(ToolError::wrong("fileId: give either path or fileId, not both"))
        }
        Named { file_id: Some(_), knowledge_base_id: Some(_), .. } => {
            Err(ToolError::wrong("knowledgeBaseId: goes with path; a fileId is enough alone"))
        }
        Named { file_id: Some(id), .. } => {
            let place = call.place_of(FileId(id))?;
            let kb = call.knowledge_base(place.kb_id)?;
            inside(call, kb, &place.path, &[]).await
        }
        Named { path: Some(path), knowledge_base_id, .. } => by_path(call, path, knowledge_base_id).await,
    }
}

/// Where a target lies on disk, absolute.
pub(super) fn on_disk(call: &Call, target: &Target) -> Result<PathBuf, ToolError> {
    match &target.reach {
        Reach::Outside(path) => Ok(path.clone()),
        Reach::Selected(place) | Reach::Unselected(place) => {
            let root = Roots::root(&call.house.library, place.kb_id)?;
            Ok(if place.path.is_root() {
                root.path().to_owned()
            } else {
                root.path().join(place.path.as_str())
            })
        }
    }
}

/// As [`target`], for what is done to the file or folder itself: a link stands for itself then, and is refused.
pub(super) async fn entry(call: &Call, named: Named<'_>) -> Result<Target, ToolError> {
    let target = target(call, named).await?;
    let linked = match named {
        Named { path: Some(path), .. } if is_absolute(path) => {
            let path = PathBuf::from(path);
            blocking(move || Ok(std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink()))).await?
        }
        Named { path: Some(path), knowledge_base_id, .. } => {
            let kb = match knowledge_base_id {
                Some(id) => call.knowledge_base(KbId(id))?,
                None => call.first()?,
            };
            let path = KbPath::parse(path).map_err(|error| ToolError::wrong(format!("path: {error}")))?;
            let root = Roots::root(&call.house.library, kb.id).map_err(Error::from)?;
            blocking(move || {
                let meta = root.resolve_entry(&path).and_then(|entry| entry.metadata());
                Ok(meta.is_ok_and(|meta| meta.kind == EntryKind::Link))
            })
            .await?
        }
        _ => false,
    };
    if linked {
        return Err(ToolError::tell(
            "path: is a link; links are not moved or deleted here, because their targets would seem to be. Name what \
             it leads to",
        ));
    }
    Ok(target)
}

/// What lies below the folder at `place` and needs a say of its own: what keeps secrets, and what steers assistants.
pub(super) async fn delicate_within(call: &Call, place: &FilePlace) -> Result<Vec<Target>, ToolError> {
    let root = Roots::root(&call.house.library, place.kb_id).map_err(Error::from)?;
    let folder = place.path.clone();
    let found = blocking(move || {
        let mut found = Vec::new();
        let Ok(top) = root.resolve_entry(&folder) else { return Ok(found) };
        let mut todo = vec![top];
        while let Some(folder) = todo.pop() {
            // What cannot be listed is not moved either.
            let Ok(entries) = folder.list() else { continue };
            for entry in entries {
                let Some(child) = folder.child(&entry) else { continue };
                if is_sensitive(child.place()) || is_review_always(child.place()) {
                    found.push(child.place().clone());
                }
                if entry.meta.kind == EntryKind::Folder {
                    todo.push(child);
                }
                if found.len() == DELICATE {
                    return Ok(found);
                }
            }
        }
        Ok(found)
    })
    .await?;
    let kb = call.knowledge_base(place.kb_id)?;
    let mut targets = Vec::with_capacity(found.len());
    for path in found {
        targets.push(inside(call, kb, &path, &[]).await?);
    }
    Ok(targets)
}

async fn by_path(call: &Call, path: &str, kb: Option<i64>) -> Result<Target, ToolError> {
    if path.trim().is_empty() {
        return Err(ToolError::wrong("path: is blank; `.` is the root of the knowledge base"));
    }
    if is_absolute(path) {
        if kb.is_some() {
            return Err(ToolError::wrong("knowledgeBaseId: goes with a relative path; this one is absolute"));
        }
        return absolute(call, Path::new(path)).await;
    }
    let kb = match kb {
        Some(id) => call.knowledge_base(KbId(id))?,
        None => call.first()?,
    };
    let relative = KbPath::parse(path).map_err(|error| match error {
        PathError::Escapes(_) => ToolError::Barred { code: "escapes", message: format!("path: {error}") },
        error => ToolError::wrong(format!("path: {error}")),
    })?;
    inside(call, kb, &relative, &[]).await
}

pub(super) fn is_absolute(path: &str) -> bool {
    Path::new(path).is_absolute() || path.starts_with('/')
}

/// A path below the root of a registered knowledge base.
async fn inside(call: &Call, kb: &KnowledgeBase, path: &KbPath, more: &[&Path]) -> Result<Target, ToolError> {
    let mut spellings = Spellings::default();
    for path in more {
        spellings.add(path.to_string_lossy());
    }
    spellings.add_both(&kb.root, path);
    let (real, size) = match look(call, kb.id, path).await {
        Ok((checked, size)) => (checked.place().clone(), size),
        // Not there: the gate still judges the name, and the tool says so later.
        Err(ToolError::Stop(error)) if error.kind() == orangery_domain::ErrorKind::NotFound => {
            (path.clone(), None)
        }
        Err(error) => return Err(error),
    };
    spellings.add_both(&kb.root, &real);
    let place = FilePlace { kb_id: kb.id, path: real };
    Ok(Target {
        kind: FileKind::of_name(place.path.name()),
        reach: if call.is_selected(kb.id) { Reach::Selected(place) } else { Reach::Unselected(place) },
        paths: spellings.0,
        size,
    })
}

/// The checked path of a place and the size of the file there.
async fn look(call: &Call, kb: KbId, path: &KbPath) -> Result<(CheckedPath, Option<u64>), ToolError> {
    let (root, path) = (Roots::root(&call.house.library, kb).map_err(Error::from)?, path.clone());
    blocking(move || {
        let checked = match root.resolve(&path) {
            Err(error) if error.kind() == orangery_domain::ErrorKind::NotFound => {
                return Err(ToolError::Stop(error.into()));
            }
            other => other?,
        };
        let size = checked.metadata().ok().filter(|meta| meta.kind == EntryKind::File).map(|meta| meta.size);
        Ok((checked, size))
    })
    .await
}

/// An absolute path: in a knowledge base when it leads into one, else outside.
async fn absolute(call: &Call, path: &Path) -> Result<Target, ToolError> {
    let roots: Vec<_> = call.registered.iter().map(|kb| (kb.id, PathBuf::from(&kb.root))).collect();
    let given = path.to_owned();
    let (real, home, size) = blocking(move || {
        let real = real_path(&given)?;
        let home = roots.into_iter().find_map(|(id, root)| {
            let root = std::fs::canonicalize(&root).unwrap_or(root);
            real.strip_prefix(&root).ok().map(|rest| (id, rest.to_owned()))
        });
        let size = std::fs::metadata(&real)
            .ok()
            .filter(|meta| home.is_none() && meta.is_file())
            .map(|meta| meta.len());
        Ok((real, home, size))
    })
    .await?;
    if let Some((id, rest)) = home {
        let relative =
            rest.to_str().ok_or_else(|| ToolError::wrong("path: the name is not Unicode")).and_then(
                |text| KbPath::parse(text).map_err(|error| ToolError::wrong(format!("path: {error}"))),
            )?;
        return inside(call, call.knowledge_base(id)?, &relative, &[path, &real]).await;
    }
    let mut spellings = Spellings::default();
    spellings.add(path.to_string_lossy());
    spellings.add(real.to_string_lossy());
    let name = real.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Target { reach: Reach::Outside(real), kind: FileKind::of_name(&name), paths: spellings.0, size })
}

/// With all links followed as far as anything exists.
fn real_path(path: &Path) -> Result<PathBuf, ToolError> {
    if path.components().any(|part| part == std::path::Component::ParentDir) {
        return Err(ToolError::wrong("path: an absolute path must not hold `..`"));
    }
    for ancestor in path.ancestors() {
        if let Ok(real) = std::fs::canonicalize(ancestor) {
            let rest = path.strip_prefix(ancestor).unwrap_or(Path::new(""));
            return Ok(if rest.as_os_str().is_empty() { real } else { real.join(rest) });
        }
        // A link to nothing: what is made through it would land elsewhere.
        if std::fs::symlink_metadata(ancestor).is_ok_and(|meta| meta.is_symlink()) {
            return Err(ToolError::tell(format!("path: {} is a link to nothing", ancestor.display())));
        }
    }
    Ok(path.to_owned())
}

/// What was judged is what is touched: a file or folder in whose place somebody has put a link since then
/// is another one, for the gate to judge anew.
pub(super) fn unchanged(checked: &CheckedPath, judged: &KbPath) -> Result<(), ToolError> {
    if checked.place().key() == judged.key() {
        return Ok(());
    }
    Err(ToolError::tell(format!(
        "path: {judged} leads elsewhere since the call was judged; make the call again"
    )))
}

/// [`unchanged`], for what is found by its place alone.
pub(super) async fn still_there(call: &Call, place: &FilePlace) -> Result<(), ToolError> {
    match look(call, place.kb_id, &place.path).await {
        Ok((checked, _)) => unchanged(&checked, &place.path),
        // A file that only a proposal holds so far.
        Err(ToolError::Stop(error)) if error.kind() == orangery_domain::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// A file outside all knowledge bases, reached through a handle on its folder.
pub(super) async fn open_outside(path: &Path) -> Result<CheckedPath, ToolError> {
    let path = path.to_owned();
    blocking(move || {
        let (folder, name) = match (path.parent(), path.file_name().and_then(|name| name.to_str())) {
            (Some(folder), Some(name)) => {
                (folder, KbPath::parse(name).map_err(|error| ToolError::tell(error.to_string()))?)
            }
            _ => (path.as_path(), KbPath::root()),
        };
        if std::fs::canonicalize(folder).is_ok_and(|real| real != folder) {
            return Err(ToolError::tell(format!(
                "path: {} leads elsewhere since the call was judged; make the call again",
                path.display()
            )));
        }
        let checked = Root::open(folder)?.resolve(&name)?;
        unchanged(&checked, &name)?;
        Ok(checked)
    })
    .await
}

/// Runs file system work where it may block.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ToolError> + Send + 'static,
) -> Result<T, ToolError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) => Err(ToolError::Stop(Error::Task(error.to_string()))),
    }
}

#[derive(Default)]
struct Spellings(Vec<String>);

impl Spellings {
    fn add(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() && !self.0.contains(&text) {
            self.0.push(text);
        }
    }

    fn add_both(&mut self, root: &str, path: &KbPath) {
        let key = path.key();
        let root = root.trim_end_matches(['/', '\\']);
        self.add(if path.is_root() { root.to_owned() } else { format!("{root}/{key}") });
        self.add(key);
    }
}
