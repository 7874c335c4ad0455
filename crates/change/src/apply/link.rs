//! Steps on symbolic links, which are made again as they were and never followed.

#![expect(clippy::disallowed_methods, reason = "the writers of CheckedPath are for the writing steps alone")]

use orangery_domain::FilePlace;
use orangery_store::root::Roots;

use super::write::{Reached, Tools, Trouble};
use crate::tree::{self, Entry, Found};

/// Makes a link that says `target`, and says whether there was anything to do.
pub fn make(tools: &Tools<'_>, place: &FilePlace, target: &str) -> Result<bool, Trouble> {
    let entry = tree::look(tools.roots, place)?;
    match state(&entry, target) {
        Reached::New => return Ok(false),
        Reached::Other => return Err(Trouble::Moved),
        Reached::Old => {}
    }
    tools.seam.write().map_err(orangery_store::Error::io("create the link", &place.path))?;
    entry.checked.create_link(target)?;
    Ok(true)
}

/// Takes it back.
pub fn remove(tools: &Tools<'_>, place: &FilePlace, target: &str) -> Result<bool, Trouble> {
    let entry = tree::look(tools.roots, place)?;
    match state(&entry, target) {
        Reached::Old => return Ok(false),
        Reached::Other => return Err(Trouble::Moved),
        Reached::New => {}
    }
    tools.seam.write().map_err(orangery_store::Error::io("remove", &place.path))?;
    entry.checked.remove_link()?;
    Ok(true)
}

pub fn reached(roots: &dyn Roots, place: &FilePlace, target: &str) -> Reached {
    match tree::look(roots, place) {
        Ok(entry) => state(&entry, target),
        // Its folder is not there either.
        Err(orangery_store::Error::NotFound(_)) => Reached::Old,
        Err(_) => Reached::Other,
    }
}

fn state(entry: &Entry, target: &str) -> Reached {
    match entry.found {
        Found::Nothing => Reached::Old,
        Found::Other if entry.checked.link_target().is_ok_and(|own| own.as_deref() == Some(target)) => {
            Reached::New
        }
        Found::Other | Found::File { .. } | Found::Folder => Reached::Other,
    }
}
