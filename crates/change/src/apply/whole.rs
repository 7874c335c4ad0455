//! Steps on whole files and folders: moved, put into the trash, brought back.

#![expect(clippy::disallowed_methods, reason = "the movers of CheckedPath are for the writing steps alone")]

use orangery_domain::{ContentHash, FilePlace};
use orangery_store::{root::Roots, table::journal::Step};

use super::link;
use super::manifest::{Manifest, Part, What};
use super::write::{Reached, Tools, Trouble, change};
use crate::{
    stop::Point,
    trash::{self as system, Held, Item},
    tree::{self, Depth, Entry, Found},
};

/// Gives what is at the first place the second, if it is still what was `seen` and nothing is there. Says
/// whether there was anything to do.
pub fn relocate(
    tools: &Tools<'_>,
    (from, to): (&FilePlace, &FilePlace),
    seen: Option<ContentHash>,
) -> Result<bool, Trouble> {
    let source = tree::look(tools.roots, from)?;
    let target = tree::look(tools.roots, to)?;
    if source.found == Found::Nothing {
        return match target.found {
            Found::Nothing if source.checked.is_on_the_way_to(&target.checked) => {
                source.checked.move_to(&target.checked)?;
                Ok(true)
            }
            Found::Nothing => Err(Trouble::Moved),
            _ => Ok(false),
        };
    }
    if source.found == Found::Other || !is_still(&source, seen, Depth::Shape)? {
        return Err(Trouble::Moved);
    }
    if source.checked.end_move_to(&target.checked)? {
        return Ok(true);
    }
    tools.seam.write().map_err(orangery_store::Error::io("move", &from.path))?;
    tools.seam.point(Point::BeforeMove);
    // The target as it is called, not as a disk that ignores case found it.
    let target = match target.found {
        Found::Nothing => target.checked,
        _ => target.checked.renamed(to.path.name())?,
    };
    source.checked.move_to(&target)?;
    tools.seam.point(Point::AfterMove);
    Ok(true)
}

/// Puts what is at `place` into the system's trash, if it is still what was `seen`, and says what went there.
pub fn trash(
    tools: &Tools<'_>,
    place: &FilePlace,
    seen: Option<ContentHash>,
    item: &mut Option<Item>,
) -> Result<bool, Trouble> {
    let entry = match tree::look(tools.roots, place) {
        Err(orangery_store::Error::NotFound(_)) => return Ok(false),
        looked => looked?,
    };
    match entry.found {
        Found::Nothing => return Ok(false),
        Found::Other => return Err(Trouble::Moved),
        Found::File { .. } | Found::Folder => {}
    }
    let before = entry.checked.metadata()?;
    // Where the same plan changed something in it, it is what it is now.
    let mark = entry.seen(Depth::State)?.mark;
    if seen.is_some_and(|seen| seen != mark) {
        return Err(Trouble::Moved);
    }
    tools.seam.write().map_err(orangery_store::Error::io("put into the trash", &place.path))?;
    tools.seam.point(Point::BeforeTrash);
    let name = system::put(&entry.checked).map_err(|trouble| match trouble {
        system::Trouble::Replaced => Trouble::Replaced,
        trouble => Trouble::Trash(trouble.to_string()),
    })?;
    // The trash takes what has the name, whatever that is by then: nobody decided on another thing.
    if let Some(name) = &name
        && system::is_another(name, &before)
    {
        system::fetch(name, &entry.checked).map_err(|trouble| {
            Trouble::Trash(format!("something else took its place meanwhile, and stays in there: {trouble}"))
        })?;
        return Err(Trouble::Replaced);
    }
    *item = name.map(|name| Item { name, mark: Some(mark) });
    tools.seam.point(Point::AfterTrash);
    Ok(true)
}

/// Brings `item` back from the trash, if it is still what was `seen`.
pub fn fetch(
    tools: &Tools<'_>,
    item: &str,
    seen: Option<ContentHash>,
    place: &FilePlace,
) -> Result<bool, Trouble> {
    let entry = tree::look(tools.roots, place)?;
    if entry.found != Found::Nothing {
        return Err(Trouble::Moved);
    }
    if system::holds(item, &entry.checked, seen) != Held::Same {
        return Err(Trouble::Trash("what it holds is not what went there".into()));
    }
    tools.seam.write().map_err(orangery_store::Error::io("bring back", &place.path))?;
    tools.seam.point(Point::BeforeFetch);
    system::fetch(item, &entry.checked).map_err(|trouble| Trouble::Trash(trouble.to_string()))?;
    tools.seam.point(Point::AfterFetch);
    Ok(true)
}

/// Takes a trash step back: out of the trash, or from what was kept.
pub fn untrash(
    tools: &Tools<'_>,
    step: &Step,
    place: &FilePlace,
    item: Option<&Item>,
) -> Result<bool, Trouble> {
    let entry = tree::look(tools.roots, place)?;
    if entry.found != Found::Nothing {
        return Ok(false);
    }
    let held = item.filter(|item| system::holds(&item.name, &entry.checked, item.mark) == Held::Same);
    match (held, step.old) {
        (Some(item), _) => fetch(tools, &item.name, item.mark, place),
        (None, Some(old)) if !step.folder => change(tools, place, false, (None, Some(old)), step.mode),
        (None, Some(old)) => {
            let manifest = tools.contents.get(&old).and_then(|bytes| Manifest::from_json(bytes));
            let whole = manifest.filter(|manifest| manifest.whole);
            let manifest = whole.ok_or_else(|| Trouble::Trash("it does not give the folder back".into()))?;
            rebuild(tools, place, &manifest)?;
            Ok(true)
        }
        (None, None) => Err(Trouble::Trash("it does not give the file back".into())),
    }
}

fn rebuild(tools: &Tools<'_>, place: &FilePlace, manifest: &Manifest) -> Result<(), Trouble> {
    let there = ContentHash::of(&[]);
    change(tools, place, true, (None, Some(there)), manifest.mode())?;
    for Part { place, mode, what } in manifest.parts(place) {
        match what {
            What::Folder => change(tools, &place, true, (None, Some(there)), mode)?,
            What::File(hash) => change(tools, &place, false, (None, Some(hash)), mode)?,
            What::Link(target) => link::make(tools, &place, target)?,
        };
    }
    let parts: Vec<_> = manifest.parts(place).collect();
    for part in parts.iter().rev().filter(|part| matches!(part.what, What::Folder)) {
        set_mode(tools, &part.place, part.mode)?;
    }
    set_mode(tools, place, manifest.mode())
}

/// Opens what is at `place` to whom `mode` says and to nobody else; a folder once it holds what it is to hold.
pub fn set_mode(tools: &Tools<'_>, place: &FilePlace, mode: Option<u32>) -> Result<(), Trouble> {
    let Some(mode) = mode else { return Ok(()) };
    let entry = tree::look(tools.roots, place)?;
    if matches!(entry.found, Found::File { .. } | Found::Folder) {
        entry.checked.set_mode(mode)?;
    }
    Ok(())
}

/// Gives what the step brought back from the trash to whom it was open, whatever was done to it there.
pub fn set_modes(tools: &Tools<'_>, step: &Step) -> Result<(), Trouble> {
    let content = step.new.filter(|_| step.folder).and_then(|new| tools.contents.get(&new));
    let Some(manifest) = content.and_then(|bytes| Manifest::from_json(bytes)) else {
        return set_mode(tools, &step.place, step.mode);
    };
    // What a folder holds, before the folder.
    for (path, mode) in manifest.modes.iter().rev() {
        let place = match path.as_str() {
            "" => Some(step.place.path.clone()),
            path => step.place.path.join(path).ok(),
        };
        if let Some(path) = place {
            set_mode(tools, &FilePlace { kb_id: step.place.kb_id, path }, Some(*mode))?;
        }
    }
    Ok(())
}

fn is_still(entry: &Entry, seen: Option<ContentHash>, depth: Depth) -> Result<bool, Trouble> {
    let Some(seen) = seen else { return Ok(true) };
    Ok(entry.seen(depth)?.mark == seen)
}

/// How far a move came: what is moved is at exactly one of two places.
pub fn moved(roots: &dyn Roots, from: &FilePlace, to: &FilePlace) -> Reached {
    let (Ok(source), Ok(target)) = (there(roots, from), there(roots, to)) else { return Reached::Other };
    let (source, target) = match (source, target) {
        (Some(source), Some(target)) => (source, target),
        // The folder of one of them is not there.
        (Some(source), None) if source.found != Found::Nothing => return Reached::Old,
        (None, Some(target)) if target.found != Found::Nothing => return Reached::New,
        _ => return Reached::Other,
    };
    match (source.found, target.found) {
        (Found::Nothing, Found::Nothing) if source.checked.is_on_the_way_to(&target.checked) => Reached::Old,
        (Found::Nothing, Found::Nothing) => Reached::Other,
        (Found::Nothing, _) => Reached::New,
        (_, Found::Nothing) => Reached::Old,
        // One entry in two spellings, or a move in two halves; writing knows what to do.
        _ if is_same_entry(&source, &target) => {
            if source.checked.place() == target.checked.place() && spelled(&source, to) {
                Reached::New
            } else {
                Reached::Old
            }
        }
        _ => Reached::Other,
    }
}

/// Whether the disk spells the entry as `place` does.
fn spelled(entry: &Entry, place: &FilePlace) -> bool {
    entry.checked.place().name() == place.path.name()
}

fn is_same_entry(a: &Entry, b: &Entry) -> bool {
    match (a.checked.metadata(), b.checked.metadata()) {
        (Ok(a), Ok(b)) => a.inode.is_some() && (a.inode, a.device) == (b.inode, b.device),
        _ => false,
    }
}

/// `None` when the parent is missing.
fn there(roots: &dyn Roots, place: &FilePlace) -> orangery_store::Result<Option<Entry>> {
    match tree::look(roots, place) {
        Ok(entry) => Ok(Some(entry)),
        Err(orangery_store::Error::NotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

pub fn trashed(roots: &dyn Roots, place: &FilePlace) -> Reached {
    match there(roots, place) {
        Ok(None) => Reached::New,
        Ok(Some(entry)) if entry.found == Found::Nothing => Reached::New,
        Ok(Some(_)) => Reached::Old,
        Err(_) => Reached::Other,
    }
}

pub fn fetched(roots: &dyn Roots, place: &FilePlace) -> Reached {
    match there(roots, place) {
        Ok(None) => Reached::Old,
        Ok(Some(entry)) if entry.found == Found::Nothing => Reached::Old,
        Ok(Some(_)) => Reached::New,
        Err(_) => Reached::Other,
    }
}

/// What went to the trash from `place`, as it is now if nobody knows what was `seen`.
pub fn find_item(
    roots: &dyn Roots,
    place: &FilePlace,
    seen: Option<ContentHash>,
    since: i64,
) -> Option<Item> {
    let name = system::find(&roots.root(place.kb_id).ok()?, &place.path, since)?;
    let mark = seen.or_else(|| system::mark(&name));
    Some(Item { name, mark })
}
