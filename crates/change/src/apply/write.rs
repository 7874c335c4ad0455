//! The one place that writes files of the user.

#![expect(clippy::disallowed_methods, reason = "the writers of CheckedPath are for this module alone")]

use std::{collections::HashMap, io};

use orangery_domain::{ContentHash, FilePlace, KbPath};
use orangery_store::{
    root::{CheckedPath, Roots},
    table::journal::Step,
};

use crate::{
    Error,
    disk::{Found, look},
    stop::{Point, Seam},
};

pub type Contents = HashMap<ContentHash, Vec<u8>>;

/// Where a step's file is, by its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    Old,
    New,
    /// Somebody else was there, or it cannot be read.
    Other,
}

/// Why writing stopped.
#[derive(Debug)]
pub struct Failure {
    pub step: usize,
    pub trouble: Trouble,
    /// Files that could not be put back.
    pub left: Vec<String>,
}

#[derive(Debug)]
pub struct Outcome {
    pub reached: Vec<Reached>,
    pub failure: Option<Failure>,
}

/// Writes all steps in order; after a failure, what was written is put back in reverse. Blocks.
pub fn write_all(roots: &dyn Roots, steps: &[Step], contents: &Contents, seam: &Seam) -> Outcome {
    let mut done = Vec::new();
    let mut failure = None;
    for (at, step) in steps.iter().enumerate() {
        seam.point(Point::BeforeWrite);
        match write(roots, step, contents, seam) {
            Ok(wrote) => done.extend(wrote.then_some(at)),
            Err(error) => {
                // An error after the rename leaves the new file: it is put back with the others.
                let written = reached(roots, step) == Reached::New;
                done.extend((written && matches!(error, Trouble::Io(_))).then_some(at));
                failure = Some((at, error));
                break;
            }
        }
        seam.point(Point::AfterWrite);
    }
    let failure = failure.map(|(step, trouble)| {
        let left = unwrite(roots, steps, &done, contents, seam);
        Failure { step, trouble, left }
    });
    Outcome { reached: steps.iter().map(|step| reached(roots, step)).collect(), failure }
}

/// Finishes what a dead process began: steps that were not written are written; where that fails,
/// those that were are put back. A file that somebody else changed meanwhile is left alone. Blocks.
pub fn finish(roots: &dyn Roots, steps: &[Step], contents: &Contents, seam: &Seam) -> Outcome {
    let mut failure = None;
    for (at, step) in steps.iter().enumerate() {
        seam.point(Point::BeforeWrite);
        match write(roots, step, contents, seam) {
            Ok(_) | Err(Trouble::Moved) => {}
            Err(error @ Trouble::Io(_)) => {
                // Folders stay: whether they were made for this is not known any more.
                let done: Vec<usize> = (0..steps.len())
                    .filter(|at| {
                        steps
                            .get(*at)
                            .is_some_and(|step| !step.folder && reached(roots, step) == Reached::New)
                    })
                    .collect();
                let left = unwrite(roots, steps, &done, contents, seam);
                failure = Some(Failure { step: at, trouble: error, left });
                break;
            }
        }
        seam.point(Point::AfterWrite);
    }
    Outcome { reached: steps.iter().map(|step| reached(roots, step)).collect(), failure }
}

impl Failure {
    pub fn into_error(self, path: KbPath) -> Error {
        match self.trouble {
            Trouble::Moved => Error::BaseMoved { path },
            Trouble::Io(error) => error.into(),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// The file was neither as planned nor as wanted.
    #[error("the file changed while it was being applied")]
    Moved,
    #[error(transparent)]
    Io(orangery_store::Error),
}

impl From<orangery_store::Error> for Trouble {
    fn from(error: orangery_store::Error) -> Self {
        match error {
            orangery_store::Error::Exists(_) => Self::Moved,
            error => Self::Io(error),
        }
    }
}

/// Makes one step, and says whether there was anything to do.
fn write(roots: &dyn Roots, step: &Step, contents: &Contents, seam: &Seam) -> Result<bool, Trouble> {
    change(roots, &step.place, step.folder, (step.old, step.new), contents, seam)
}

/// Puts the steps `done` back, the last first, and names those that it could not.
fn unwrite(
    roots: &dyn Roots,
    steps: &[Step],
    done: &[usize],
    contents: &Contents,
    seam: &Seam,
) -> Vec<String> {
    let mut left = Vec::new();
    for step in done.iter().rev().filter_map(|at| steps.get(*at)) {
        seam.point(Point::BeforeUnwrite);
        if let Err(error) = change(roots, &step.place, step.folder, (step.new, step.old), contents, seam) {
            left.push(format!("{}: {error}", step.place.path));
        }
        seam.point(Point::AfterUnwrite);
    }
    left
}

/// Turns what is at `place` from one content into another. Looks again right before it writes, as
/// the plan may be old by now.
fn change(
    roots: &dyn Roots,
    place: &FilePlace,
    folder: bool,
    (from, to): (Option<ContentHash>, Option<ContentHash>),
    contents: &Contents,
    seam: &Seam,
) -> Result<bool, Trouble> {
    let disk = match look(roots, place) {
        // Its folder is gone, and so is what should go.
        Err(orangery_store::Error::NotFound(_)) if to.is_none() => return Ok(false),
        looked => looked?,
    };
    match reached_from(&disk.found, folder, from, to) {
        Reached::New => return Ok(false),
        Reached::Other => return Err(Trouble::Moved),
        Reached::Old => {}
    }
    seam.write().map_err(orangery_store::Error::io("write", &place.path))?;
    let content =
        |hash: ContentHash| contents.get(&hash).map(Vec::as_slice).ok_or_else(|| missing_content(place));
    let checked: &CheckedPath = &disk.checked;
    match (folder, from, to) {
        (false, Some(_), Some(to)) => checked.replace(content(to)?)?,
        (false, None, Some(to)) => checked.create_new(content(to)?)?,
        (false, Some(_), None) => checked.remove_file()?,
        (true, None, Some(_)) => checked.create_folder()?,
        (true, Some(_), None) => checked.remove_empty_folder()?,
        (_, None, None) | (true, Some(_), Some(_)) => {}
    }
    Ok(true)
}

fn missing_content(place: &FilePlace) -> orangery_store::Error {
    orangery_store::Error::io("find the new content of", &place.path)(io::ErrorKind::NotFound.into())
}

/// Where a step's file is now.
pub fn reached(roots: &dyn Roots, step: &Step) -> Reached {
    match look(roots, &step.place) {
        Ok(disk) => reached_from(&disk.found, step.folder, step.old, step.new),
        // Its folder is not there either.
        Err(orangery_store::Error::NotFound(_)) => {
            reached_from(&Found::Nothing, step.folder, step.old, step.new)
        }
        Err(_) => Reached::Other,
    }
}

fn reached_from(found: &Found, folder: bool, old: Option<ContentHash>, new: Option<ContentHash>) -> Reached {
    let now = match (folder, found) {
        (_, Found::Nothing) => None,
        (true, Found::Folder) => Some(ContentHash::of(&[])),
        (false, Found::File(bytes)) => Some(ContentHash::of(bytes)),
        _ => return Reached::Other,
    };
    if now == new {
        Reached::New
    } else if now == old {
        Reached::Old
    } else {
        Reached::Other
    }
}
