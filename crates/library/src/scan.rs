//! Which files of a folder the knowledge base knows: a walk below the root's handle, with the ignore
//! rules that people already have.

use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use orangery_domain::KbPath;
use orangery_store::root::{Entry, EntryKind, Meta, Root, is_temporary};

use crate::sensitive::is_sensitive;
use crate::trouble::{self, Trouble};

/// A file that the knowledge base knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub path: KbPath,
    pub meta: Meta,
}

/// What a walk saw.
#[derive(Debug, Default)]
pub struct Walk {
    pub files: Vec<Found>,
    /// Folders that were entered, the start included.
    pub folders: Vec<KbPath>,
    /// What atomic writes left unfinished.
    pub temporaries: Vec<KbPath>,
    /// What gave no answer: nothing is known of it and of what lies below.
    pub unseen: Vec<Unseen>,
}

/// A place that could not be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unseen {
    pub path: KbPath,
    /// Whether it may answer the next time without anybody's doing.
    pub passing: bool,
    pub trouble: Trouble,
}

impl Unseen {
    pub fn new(path: &KbPath, error: &orangery_store::Error) -> Self {
        tracing::debug!(%error, "not seen");
        let denied = error.kind() == orangery_domain::ErrorKind::Denied;
        let trouble = if denied { trouble::NO_PERMISSION } else { trouble::NO_ANSWER };
        Self { path: path.clone(), passing: !denied, trouble }
    }
}

/// Later ones outrank earlier ones.
const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", ".orangeignore"];
/// Version control that does not hide what is its own.
const VERSION_CONTROL: [&str; 2] = ["CVS", "_darcs"];
/// What programs make from what is the user's: shown, and not known.
const BUILT_FOLDERS: [&str; 2] = ["node_modules", "target"];
/// The one dot folder that is the user's.
const OWN_FOLDER: &str = ".orange";
/// Deeper trees are a mistake or an attack.
pub const DEPTH_LIMIT: usize = 128;
const IGNORE_FILE_LIMIT: u64 = 1 << 20;

/// What is left out of one root.
pub struct Rules<'a> {
    pub root: &'a Root,
    /// The app's own data, where it lies inside the root.
    pub own_data: Option<KbPath>,
}

/// The rules that hold inside one folder: those of the folders above, outermost first.
#[derive(Clone, Default)]
pub struct Stack(Vec<(KbPath, std::sync::Arc<Gitignore>)>);

impl Stack {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the entry at `path`, which lies below the folders of the rules, is left out.
    pub fn ignores(&self, path: &str, folder: bool) -> bool {
        for (base, rules) in self.0.iter().rev() {
            let below = path[base.as_str().len()..].trim_start_matches('/');
            let matched = rules.matched(Path::new(below), folder);
            if !matched.is_none() {
                return matched.is_ignore();
            }
        }
        false
    }
}

impl Rules<'_> {
    /// Walks `start` and all below it. `Ok(None)` when `stop` said so. A folder that went away is as empty;
    /// one that gives no answer is not. Only of the start itself it is an error.
    pub fn walk(
        &self,
        start: &KbPath,
        stop: &dyn Fn(usize) -> bool,
    ) -> Result<Option<Walk>, orangery_store::Error> {
        let mut walk = Walk::default();
        let Some(stack) = self.stack_at(start) else {
            return Ok(Some(walk));
        };
        let mut todo = vec![(start.clone(), stack)];
        while let Some((folder, mut stack)) = todo.pop() {
            if stop(walk.files.len()) {
                return Ok(None);
            }
            let listed = self.root.resolve(&folder).and_then(|checked| checked.list());
            let mut entries = match listed {
                Ok(entries) => entries,
                Err(error) if folder == *start => return Err(error),
                Err(error) => {
                    if error.is_no_answer() {
                        walk.unseen.push(Unseen::new(&folder, &error));
                    }
                    continue;
                }
            };
            let is_file = |name: &str| {
                entries.iter().any(|entry| entry.name == name && entry.meta.kind == EntryKind::File)
            };
            self.push_rules(&folder, is_file, &mut stack);
            entries.sort_by(|a, b| a.name.cmp(&b.name));
            walk.folders.push(folder.clone());
            for entry in entries {
                self.entry(&folder, &entry, &stack, &mut todo, &mut walk);
            }
        }
        Ok(Some(walk))
    }

    fn entry(
        &self,
        folder: &KbPath,
        entry: &Entry,
        stack: &Stack,
        todo: &mut Vec<(KbPath, Stack)>,
        walk: &mut Walk,
    ) {
        let Some(path) = child(folder, entry) else {
            return;
        };
        match entry.meta.kind {
            EntryKind::Folder => {
                if self.enters(&path)
                    && !stack.ignores(path.as_str(), true)
                    && path.components().count() < DEPTH_LIMIT
                {
                    todo.push((path, stack.clone()));
                }
            }
            EntryKind::File if is_temporary(&entry.name) => walk.temporaries.push(path),
            EntryKind::File => {
                if knows(&path) && !stack.ignores(path.as_str(), false) {
                    walk.files.push(Found { path, meta: entry.meta });
                }
            }
            // A link's target is found where it is, if it lies in this root.
            EntryKind::Link | EntryKind::Special => {}
        }
    }

    /// Whether the scan knows the file at `path`, were it there.
    pub fn admits(&self, path: &KbPath) -> bool {
        let Some(parent) = path.parent() else {
            return false;
        };
        knows(path)
            && self.stack_at(&parent).is_some_and(|mut stack| {
                self.push_rules_of(&parent, &mut stack);
                !stack.ignores(path.as_str(), false)
            })
    }

    /// The rules that hold for the entry of `folder`; `None` when the folder itself is left out.
    fn stack_at(&self, folder: &KbPath) -> Option<Stack> {
        let mut stack = Stack::default();
        let mut at = KbPath::root();
        for part in folder.components() {
            self.push_rules_of(&at, &mut stack);
            at = at.join(part).ok()?;
            if !self.enters(&at) || stack.ignores(at.as_str(), true) {
                return None;
            }
        }
        Some(stack)
    }

    fn push_rules_of(&self, folder: &KbPath, stack: &mut Stack) {
        let listed = IGNORE_FILES.iter().filter_map(|name| self.rules_in(folder, name));
        push(folder, listed.collect(), stack);
    }

    /// Adds the rules that `folder` itself holds, of which `is_file` says that they are there.
    pub fn push_rules(&self, folder: &KbPath, is_file: impl Fn(&str) -> bool, stack: &mut Stack) {
        let listed =
            IGNORE_FILES.iter().filter(|name| is_file(name)).filter_map(|name| self.rules_in(folder, name));
        push(folder, listed.collect(), stack);
    }

    /// The rules of the folders above `folder`, be it left out itself: who names it, means it.
    pub fn stack_above(&self, folder: &KbPath) -> Stack {
        let mut stack = Stack::default();
        let mut at = KbPath::root();
        for part in folder.components() {
            self.push_rules_of(&at, &mut stack);
            let Ok(next) = at.join(part) else { break };
            at = next;
        }
        stack
    }

    fn rules_in(&self, folder: &KbPath, name: &str) -> Option<String> {
        let checked = self.root.resolve(&folder.join(name).ok()?).ok()?;
        let small = checked.metadata().ok()?.size <= IGNORE_FILE_LIMIT;
        small.then(|| checked.read().ok()).flatten().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    pub fn enters(&self, folder: &KbPath) -> bool {
        let name = folder.name();
        !is_hidden_folder(name) && !BUILT_FOLDERS.contains(&name) && self.own_data.as_ref() != Some(folder)
    }
}

/// Whether a folder called so is shown nowhere.
pub fn is_hidden_folder(name: &str) -> bool {
    (name.starts_with('.') && name != OWN_FOLDER) || VERSION_CONTROL.contains(&name)
}

fn child(folder: &KbPath, entry: &Entry) -> Option<KbPath> {
    entry.unicode.then(|| folder.join(&entry.name).ok()).flatten()
}

fn knows(path: &KbPath) -> bool {
    !path.name().starts_with('.') && !is_temporary(path.name()) && !is_sensitive(path)
}

fn push(folder: &KbPath, texts: Vec<String>, stack: &mut Stack) {
    if texts.is_empty() {
        return;
    }
    let mut builder = GitignoreBuilder::new("");
    for line in texts.iter().flat_map(|text| text.lines()) {
        // A line that is no glob is as absent, as git has it.
        let _ = builder.add_line(None, line);
    }
    if let Ok(rules) = builder.build() {
        stack.0.push((folder.clone(), std::sync::Arc::new(rules)));
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "builds a folder for the test")]
    fn rules_of_every_folder_are_honoured() {
        let keep = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = keep.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(".gitignore", "*.log\n/build/\nsecret.md\n");
        write("sub/.gitignore", "!keep.log\nlocal.md\n");
        write("sub/.orangeignore", "!local.md\nnot-this.md\n");
        for path in [
            "a.md",
            "a.log",
            "build/x.md",
            "sub/build/x.md",
            "sub/keep.log",
            "sub/local.md",
            "sub/not-this.md",
            "sub/secret.md",
            ".git/x.md",
            ".hidden.md",
            ".dot/x.md",
            ".orange/memory.md",
            "node_modules/x.md",
            "target/x.md",
            "data/x.md",
            "server.pem",
            ".orangery-0123abcd.tmp",
            "-dash #100%.md",
            "dots...",
        ] {
            write(path, "x");
        }
        let root = Root::open(keep.path()).unwrap();
        let rules = Rules { root: &root, own_data: Some(KbPath::parse("data").unwrap()) };
        let walk = rules.walk(&KbPath::root(), &|_| false).unwrap().unwrap();
        let mut paths: Vec<_> = walk.files.iter().map(|file| file.path.as_str()).collect();
        paths.sort_unstable();
        let expected = [
            "-dash #100%.md",
            ".orange/memory.md",
            "a.md",
            "dots...",
            "sub/build/x.md",
            "sub/keep.log",
            "sub/local.md",
        ];
        assert_eq!(paths, expected);
        assert_eq!(walk.temporaries.len(), 1);
        for path in &expected {
            assert!(rules.admits(&KbPath::parse(path).unwrap()), "{path}");
        }
        for path in ["a.log", "build/x.md", "sub/secret.md", ".git/x.md", ".hidden.md", "data/x.md"] {
            assert!(!rules.admits(&KbPath::parse(path).unwrap()), "{path}");
        }
        let sub = rules.walk(&KbPath::parse("sub").unwrap(), &|_| false).unwrap().unwrap();
        assert_eq!(sub.files.len(), 3);
        assert!(rules.walk(&KbPath::parse("build").unwrap(), &|_| false).unwrap().unwrap().files.is_empty());
        assert!(rules.walk(&KbPath::root(), &|_| true).unwrap().is_none());
    }
}
