//! The sample knowledge base: the user guide, as a folder of notes.

use std::path::{Path, PathBuf};

use orangery_domain::{FilePlace, KbPath, Language};
use orangery_store::files;
use rust_embed::RustEmbed;

use crate::error::{Result, WireError};
use crate::request::SampleAdded;
use crate::rooms::Rooms;

#[derive(RustEmbed)]
#[folder = "sample"]
struct Sample;

const FOLDER: &str = "Orangery guide";
const ENGLISH: &str = "English/Start here.md";
const CHINESE: &str = "中文/从这里开始.md";
/// Folders of that name that are tried.
const TRIES: u32 = 100;

/// Writes the guide into the folder for samples and registers it. One that is there already is
/// registered as it is; anything else is never written over.
pub(crate) async fn add(rooms: &Rooms, language: Language) -> Result<SampleAdded> {
    let parent = rooms.config.sample_dir.clone();
    let folder = tokio::task::spawn_blocking(move || place(&parent)).await.map_err(WireError::internal)??;
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let known =
        rooms.library.knowledge_bases().into_iter().find(|kb| real(Path::new(&kb.root)) == real(&folder));
    let is_new = known.is_none();
    let kb = match known {
        Some(kb) => kb,
        None => rooms.library.add(&folder, None).await?,
    };
    let first = if chinese(language) { CHINESE } else { ENGLISH };
    let path = KbPath::parse(first).map_err(WireError::internal)?;
    let first = FilePlace { kb_id: kb.id, path };
    if is_new {
        // Brought in twice in one run, it was opened the first time.
        let _ = rooms.sample.set(first.clone());
    }
    Ok(SampleAdded { first, kb })
}

/// Where the guide is now: there already, or written.
fn place(parent: &Path) -> Result<PathBuf> {
    for number in 1..TRIES {
        let name = if number == 1 { FOLDER.to_owned() } else { format!("{FOLDER} {number}") };
        let folder = parent.join(name);
        if folder.join(ENGLISH).is_file() && folder.join(CHINESE).is_file() {
            return Ok(folder);
        }
        match write(&folder) {
            Err(orangery_store::Error::Exists(_)) => {}
            Err(error) => return Err(error.into()),
            Ok(()) => return Ok(folder),
        }
    }
    Err(orangery_store::Error::Exists(parent.join(FOLDER).display().to_string()).into())
}

fn write(folder: &Path) -> orangery_store::Result<()> {
    let content = Sample::iter().filter_map(|name| Some((name.to_string(), Sample::get(&name)?.data)));
    files::unpack(folder, content)
}

/// Where the user chose no language, the one of the environment.
fn chinese(language: Language) -> bool {
    match language {
        Language::Chinese => true,
        Language::English => false,
        Language::System => ["LC_ALL", "LC_MESSAGES", "LANG"]
            .iter()
            .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
            .is_some_and(|locale| locale.starts_with("zh")),
    }
}
