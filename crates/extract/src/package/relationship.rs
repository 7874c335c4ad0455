//! How the parts of an Office package point at each other.

use std::collections::HashMap;

use super::Package;
use crate::xml::{Ns, Tree};

/// Where one part leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Relationship {
    /// The last word of its type: `hyperlink`, `image`, `footnotes`. The words are the same in the
    /// transitional and the strict vocabulary.
    pub kind: String,
    /// Name of a part, or an address where `external`.
    pub target: String,
    pub external: bool,
}

/// The relationships of one part, by id, and in order of the file.
#[derive(Debug, Default)]
pub(crate) struct Relationships {
    list: Vec<Relationship>,
    by_id: HashMap<String, usize>,
}

impl Relationships {
    pub(crate) fn get(&self, id: &str) -> Option<&Relationship> {
        self.list.get(*self.by_id.get(id)?)
    }

    /// The part that `id` leads to.
    pub(crate) fn part(&self, id: &str) -> Option<&str> {
        self.get(id).filter(|found| !found.external).map(|found| found.target.as_str())
    }

    /// The first part of this kind.
    pub(crate) fn first(&self, kind: &str) -> Option<&str> {
        self.all(kind).next()
    }

    /// The parts of this kind, in order of the file.
    pub(crate) fn all(&self, kind: &str) -> impl Iterator<Item = &str> {
        self.list.iter().filter(move |one| one.kind == kind && !one.external).map(|one| one.target.as_str())
    }
}

impl Package<'_> {
    /// What the part `name` points at; nothing when it has no relationships. `""` is the package.
    pub(crate) fn relationships(&mut self, name: &str) -> Relationships {
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        let slash = if folder.is_empty() { "" } else { "/" };
        let Some(text) = self.text(&format!("{folder}{slash}_rels/{file}.rels")) else {
            return Relationships::default();
        };
        let tree = Tree::parse(&text, self.limits.depth);
        let mut found = Relationships::default();
        for element in tree.root().children().filter(|element| element.is(Ns::Relationships, "Relationship"))
        {
            let (Some(id), Some(kind), Some(target)) =
                (element.attribute("Id"), element.attribute("Type"), element.attribute("Target"))
            else {
                continue;
            };
            let external = element.attribute("TargetMode").is_some_and(|mode| mode == "External");
            let target = if external { target.into_owned() } else { resolve(folder, &target) };
            let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
            found.by_id.insert(id.into_owned(), found.list.len());
            found.list.push(Relationship { kind, target, external });
        }
        found
    }
}

/// The part that `target` names as seen from `folder`; a fragment is not part of it.
pub(crate) fn resolve(folder: &str, target: &str) -> String {
    let target = target.split('#').next().unwrap_or_default().replace('\\', "/");
    let (base, rest) = match target.strip_prefix('/') {
        Some(rest) => ("", rest),
        None => (folder, target.as_str()),
    };
    let mut segments: Vec<&str> = base.split('/').filter(|segment| !segment.is_empty()).collect();
    for segment in rest.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop();
            }
            _ => segments.push(segment),
        }
    }
    segments.join("/")
}
