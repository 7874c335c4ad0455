//! Everything below a folder: hidden, ignored and foreign entries too. Links are listed and not followed.

use orangery_domain::{ContentHash, FolderContents};
use orangery_store::root::{CheckedPath, Entry, EntryKind, Volume, is_temporary};

use super::{Depth, KEPT_BYTES};

#[derive(Debug, Default)]
pub struct Listing {
    /// By path.
    entries: Vec<Listed>,
}

#[derive(Debug)]
pub struct Listed {
    /// Below the folder, joined by `/`.
    pub path: String,
    /// Absent where some name on the way is not Unicode: it can be counted and not reached.
    pub checked: Option<CheckedPath>,
    pub kind: EntryKind,
    pub size: u64,
    pub modified_ns: i64,
    pub volume: Volume,
    /// Who may read, write and run it, on systems that say it in bits.
    pub mode: Option<u32>,
}

/// What history can keep of an entry.
#[derive(Debug)]
pub enum Keepable {
    Folder,
    File,
    /// What the link says.
    Link(String),
    /// It is in the trash alone.
    Nothing,
}

impl Listed {
    /// Blocks.
    pub fn keepable(&self) -> orangery_store::Result<Keepable> {
        Ok(match (self.kind, &self.checked) {
            (EntryKind::Folder, Some(_)) => Keepable::Folder,
            (EntryKind::File, Some(_)) => Keepable::File,
            (EntryKind::Link, Some(checked)) if cfg!(unix) => {
                checked.link_target()?.map_or(Keepable::Nothing, Keepable::Link)
            }
            _ => Keepable::Nothing,
        })
    }
}

impl Listing {
    /// Lists what is below `folder`. Blocks.
    pub fn of(folder: &CheckedPath) -> orangery_store::Result<Self> {
        let mut entries = Vec::new();
        let mut todo = vec![(String::new(), folder.clone())];
        while let Some((above, folder)) = todo.pop() {
            let own = folder.list()?;
            for (entry, volume) in own.iter().zip(folder.volumes(&own)?) {
                if is_temporary(&entry.name) {
                    continue;
                }
                let listed = listed(&above, &folder, (entry, volume));
                if let (EntryKind::Folder, Some(checked)) = (listed.kind, &listed.checked) {
                    todo.push((listed.path.clone(), checked.clone()));
                }
                entries.push(listed);
            }
        }
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Self { entries })
    }

    pub fn entries(&self) -> &[Listed] {
        &self.entries
    }

    /// What it is, as deep as is asked for. Contents are read up to what history would keep; of more, sizes and times
    /// have to do. Blocks.
    pub fn mark(&self, depth: Depth) -> orangery_store::Result<ContentHash> {
        let reads = depth == Depth::State && self.contents().bytes <= KEPT_BYTES;
        let mut text = Vec::new();
        for entry in &self.entries {
            text.extend_from_slice(entry.path.as_bytes());
            // No name holds a NUL.
            text.extend_from_slice(&[0, letter(entry.kind)]);
            match (entry.kind, &entry.checked) {
                (EntryKind::File, Some(checked)) if reads => text.extend_from_slice(&checked.hash()?.0),
                (EntryKind::Link, Some(checked)) if depth == Depth::State => {
                    text.extend_from_slice(checked.link_target()?.unwrap_or_default().as_bytes());
                    text.push(0);
                }
                (EntryKind::File, _) if depth == Depth::State => {
                    text.extend_from_slice(&entry.size.to_le_bytes());
                    text.extend_from_slice(&entry.modified_ns.to_le_bytes());
                }
                _ => {}
            }
        }
        Ok(ContentHash::of(&text))
    }

    /// What is in the trash alone once the folder is there.
    pub fn unkept(&self) -> orangery_store::Result<Vec<String>> {
        let mut unkept = Vec::new();
        for entry in &self.entries {
            if matches!(entry.keepable()?, Keepable::Nothing) {
                unkept.push(entry.path.clone());
            }
        }
        Ok(unkept)
    }

    /// What is on another volume than `own`, if something is.
    pub fn elsewhere(&self, own: Volume) -> Option<&str> {
        let other = |entry: &&Listed| entry.volume.is_other(own);
        self.entries.iter().find(other).map(|entry| entry.path.as_str())
    }

    /// How much it is. What search finds is for others to say: `unindexed` counts all files.
    pub fn contents(&self) -> FolderContents {
        let mut contents = FolderContents::default();
        for entry in &self.entries {
            let hidden = entry.path.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
            contents.hidden += u64::from(hidden);
            if entry.kind == EntryKind::Folder {
                contents.folders += 1;
            } else {
                contents.files += 1;
                contents.unindexed += 1;
                contents.bytes += if entry.kind == EntryKind::File { entry.size } else { 0 };
            }
        }
        contents
    }
}

fn listed(above: &str, folder: &CheckedPath, (entry, volume): (&Entry, Volume)) -> Listed {
    Listed {
        path: if above.is_empty() { entry.name.clone() } else { format!("{above}/{}", entry.name) },
        checked: folder.child(entry),
        kind: entry.meta.kind,
        size: entry.meta.size,
        modified_ns: entry.meta.modified_ns,
        volume,
        mode: entry.meta.mode,
    }
}

fn letter(kind: EntryKind) -> u8 {
    match kind {
        EntryKind::File => b'f',
        EntryKind::Folder => b'd',
        EntryKind::Link => b'l',
        EntryKind::Special => b's',
    }
}
