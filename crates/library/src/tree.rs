//! Files by folder and by name.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use globset::GlobBuilder;
use orangery_domain::{FileId, FileInfo, FileKind, FilePlace, KbId, KbPath, TreeEntry};
use orangery_store::root::{Entry, EntryKind, Root, is_temporary};

use crate::index::fold::folded;
use crate::scan::is_hidden_folder;
use crate::sensitive::is_sensitive;
use crate::trouble;
use crate::{Error, Library, Result};

/// Which files to list. Everything given narrows.
#[derive(Debug, Clone, Default)]
pub struct FileFilter {
    /// Empty means every knowledge base.
    pub kb_ids: Vec<KbId>,
    pub prefix: Option<KbPath>,
    /// Occurs in the path, whatever its case.
    pub query: Option<String>,
    /// Empty means every kind.
    pub kinds: Vec<FileKind>,
    /// Over the whole path; `*` stays within a folder. Newest files first.
    pub glob: Option<String>,
    /// 0 means all.
    pub limit: usize,
}

impl Library {
    /// The entries of a folder as they are on disk: folders first, then files, by natural order. Dot files
    /// are left out.
    pub async fn list(&self, kb: KbId, folder: &KbPath) -> Result<Vec<TreeEntry>> {
        let root = self.reached(kb).await?;
        let wanted = folder.clone();
        let listed = tokio::task::spawn_blocking(move || {
            let checked = root.resolve(&wanted)?;
            let shown = checked.list()?.into_iter().filter(is_shown);
            // Behind a link, entries are named where they are.
            let folder = checked.place();
            Ok::<_, orangery_store::Error>(
                shown.map(|entry| describe(&root, kb, folder, entry)).collect::<Vec<_>>(),
            )
        });
        let mut entries = listed.await.map_err(|_| Error::Closed)??;
        let files = self.catalog().read();
        for entry in &mut entries {
            if let Some(row) = files.at(kb, &entry.path) {
                entry.file_id = Some(row.id);
                entry.trouble = row.trouble.clone();
            }
        }
        entries.sort_by(|a, b| b.folder.cmp(&a.folder).then_with(|| natural(&a.name, &b.name)));
        Ok(entries)
    }

    /// The scanned file at a place.
    pub fn file(&self, place: &FilePlace) -> Option<FileInfo> {
        self.catalog().read().by_place(place).map(|row| row.info())
    }

    pub fn file_by_id(&self, id: FileId) -> Option<FileInfo> {
        self.catalog().read().row(id).map(|row| row.info())
    }

    /// Scanned files that something is wrong with, by natural order of their paths.
    pub fn troubled(&self) -> Vec<FileInfo> {
        let files = self.catalog().read();
        let mut found: Vec<_> =
            files.rows().filter(|row| row.trouble.is_some()).map(|row| row.info()).collect();
        found.sort_by(by_path);
        found
    }

    /// All tags with how many files have each, those of most files first.
    pub fn tags(&self) -> Vec<(String, u32)> {
        let mut counts = BTreeMap::<String, u32>::new();
        for row in self.catalog().read().rows() {
            for tag in row.tags.iter().collect::<BTreeSet<_>>() {
                *counts.entry(tag.clone()).or_default() += 1;
            }
        }
        let mut tags: Vec<_> = counts.into_iter().collect();
        // Stable: those of as many files stay in the order of their letters.
        tags.sort_by_key(|(_, files)| std::cmp::Reverse(*files));
        tags
    }

    /// Scanned files, by natural order of their paths, or newest first where a glob is asked for.
    ///
    /// # Errors
    /// `Invalid` for a malformed glob.
    pub fn files(&self, filter: &FileFilter) -> Result<Vec<FileInfo>> {
        let glob = filter.glob.as_deref().map(|glob| {
            let built = GlobBuilder::new(glob).literal_separator(true).backslash_escape(true).build();
            built
                .map(|built| built.compile_matcher())
                .map_err(|error| Error::Glob(glob.into(), error.to_string()))
        });
        let glob = glob.transpose()?;
        let query = filter.query.as_deref().map(folded);
        let files = self.catalog().read();
        let mut found: Vec<FileInfo> = files
            .rows()
            .filter(|row| filter.kb_ids.is_empty() || filter.kb_ids.contains(&row.kb_id))
            .filter(|row| filter.kinds.is_empty() || filter.kinds.contains(&row.kind))
            .filter(|row| filter.prefix.as_ref().is_none_or(|prefix| row.path.is_within(prefix)))
            .filter(|row| {
                query.as_ref().is_none_or(|query| folded(row.path.as_str()).contains(query.as_str()))
            })
            .filter(|row| {
                glob.as_ref()
                    .is_none_or(|glob| glob.is_match(row.path.as_str()) || glob.is_match(row.path.name()))
            })
            .map(|row| row.info())
            .collect();
        if glob.is_some() {
            found.sort_by_key(|file| (std::cmp::Reverse(file.modified_at), file.id));
        } else {
            found.sort_by(by_path);
        }
        if filter.limit > 0 {
            found.truncate(filter.limit);
        }
        Ok(found)
    }
}

fn by_path(a: &FileInfo, b: &FileInfo) -> Ordering {
    a.kb_id.cmp(&b.kb_id).then_with(|| natural(a.path.as_str(), b.path.as_str()))
}

fn is_shown(entry: &Entry) -> bool {
    let folder = entry.meta.kind == EntryKind::Folder;
    let hidden = if folder { is_hidden_folder(&entry.name) } else { entry.name.starts_with('.') };
    !hidden && !is_temporary(&entry.name)
}

fn describe(root: &Root, kb: KbId, folder: &KbPath, entry: Entry) -> TreeEntry {
    let mut trouble = None;
    let mut meta = entry.meta;
    let mut path = folder.join(&entry.name).unwrap_or_else(|_| folder.clone());
    if !entry.unicode {
        trouble = Some(trouble::NAME_NOT_UNICODE.of(&entry.name));
    } else if meta.kind == EntryKind::Link {
        match root.resolve(&path).and_then(|checked| Ok((checked.metadata()?, checked))) {
            Ok((target, checked)) => {
                meta = target;
                // A file has one place; a folder is entered under the name it was reached by.
                if target.kind == EntryKind::File {
                    path = checked.place().clone();
                }
            }
            Err(error) => trouble = Some(trouble::LINK.of(error.code())),
        }
    } else if meta.kind == EntryKind::Special {
        trouble = Some(trouble::SPECIAL_FILE.of(""));
    } else if meta.kind == EntryKind::File && is_sensitive(&path) {
        trouble = Some(trouble::SENSITIVE.of(""));
    }
    TreeEntry {
        kb_id: kb,
        kind: if meta.kind == EntryKind::Folder { FileKind::Other } else { FileKind::of_name(&entry.name) },
        folder: meta.kind == EntryKind::Folder,
        size: meta.size,
        modified_at: meta.modified_ms(),
        path,
        name: entry.name,
        file_id: None,
        trouble,
    }
}

/// Numbers compare as numbers, case does not count unless nothing else differs.
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.chars().peekable(), b.chars().peekable());
    loop {
        match (left.peek().copied(), right.peek().copied()) {
            (None, None) => return a.cmp(b),
            (None, _) => return Ordering::Less,
            (_, None) => return Ordering::Greater,
            (Some(x), Some(y)) if x.is_ascii_digit() && y.is_ascii_digit() => {
                let order = compare_numbers(&take_digits(&mut left), &take_digits(&mut right));
                if order != Ordering::Equal {
                    return order;
                }
            }
            (Some(x), Some(y)) => {
                let order = x.to_lowercase().cmp(y.to_lowercase());
                if order != Ordering::Equal {
                    return order;
                }
                left.next();
                right.next();
            }
        }
    }
}

fn take_digits(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> String {
    let mut digits = String::new();
    while let Some(digit) = chars.next_if(char::is_ascii_digit) {
        digits.push(digit);
    }
    digits
}

fn compare_numbers(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_as_people_count() {
        let mut names = ["b", "a10", "A2", "a2", "a", "第10章", "第2章", "a01"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["a", "a01", "A2", "a2", "a10", "b", "第2章", "第10章"]);
    }
}
