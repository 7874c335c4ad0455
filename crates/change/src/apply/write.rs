//! The one place that writes files of the user.

#![expect(clippy::disallowed_methods, reason = "the writers of CheckedPath are for this module alone")]

use std::{collections::HashMap, io};

use orangery_domain::{ContentHash, FilePlace, KbPath, Warning};
use orangery_store::{
    root::{CheckedPath, Roots, Staged},
    table::journal::{Act, Step},
};

use super::{ahead::Ahead, link, whole};
use crate::{
    Error,
    disk::{Found, look},
    note,
    stop::{Point, Seam},
    trash::Item,
    tree,
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
    /// What went to the trash, for each step.
    pub items: Vec<Option<Item>>,
    pub failure: Option<Failure>,
}

/// What steps are written with.
pub struct Tools<'a> {
    pub roots: &'a dyn Roots,
    pub contents: &'a Contents,
    pub seam: &'a Seam,
    /// Writes down that a step on a whole file or folder begins, or is about to be taken back.
    pub begun: &'a dyn Fn(usize) -> orangery_store::Result<()>,
}

/// Writes all steps in order; after a failure, what was written is put back in reverse. Blocks.
pub fn write_all(tools: &Tools<'_>, steps: &[Step]) -> Outcome {
    let mut outcome =
        Outcome { reached: vec![Reached::Old; steps.len()], items: vec![None; steps.len()], failure: None };
    let mut done = Vec::new();
    let mut failure = None;
    let mut ahead = Ahead::default();
    for (at, step) in steps.iter().enumerate() {
        match write(tools, steps, at, &mut outcome, &mut ahead) {
            Ok(wrote) => {
                outcome.reached[at] = Reached::New;
                done.extend(wrote.then_some(at));
            }
            Err(error) => {
                // An error after the change itself leaves the new state: it is put back with the others.
                let now = reached(tools.roots, step);
                outcome.reached[at] = now;
                done.extend((now == Reached::New && !matches!(error, Trouble::Moved)).then_some(at));
                failure = Some((at, error));
                break;
            }
        }
        tools.seam.point(Point::AfterWrite);
    }
    // What was staged must be gone before a folder is moved back or into the trash.
    let ended = ahead.end();
    let failure = failure.or_else(|| ended.err().map(|error| (steps.len() - 1, error.into())));
    if failure.is_none() {
        close_folders(tools, steps, &outcome);
    }
    outcome.failure = failure.map(|(step, trouble)| {
        let left = unwrite(tools, steps, &done, &mut outcome);
        Failure { step, trouble, left }
    });
    outcome
}

/// What a dead process left in the journal.
#[derive(Debug, Clone, Copy)]
pub struct Left {
    /// When it began, in milliseconds since 1970.
    pub since: i64,
    /// The step on a whole file or folder that it began last.
    pub progress: Option<usize>,
}

/// Finishes what a dead process began: steps that were not written are written; where that fails, those
/// that were are put back. What somebody else changed meanwhile is left alone. Blocks.
pub fn finish(tools: &Tools<'_>, steps: &[Step], left: Left) -> Outcome {
    let mut outcome = found(tools, steps, left);
    let mut ahead = Ahead::default();
    let mut failure = None;
    for (at, step) in steps.iter().enumerate() {
        // What looks like another's work may only wait for a step before it; writing looks again.
        if outcome.reached[at] == Reached::New {
            continue;
        }
        match write(tools, steps, at, &mut outcome, &mut ahead) {
            Ok(_) => outcome.reached[at] = Reached::New,
            Err(Trouble::Moved) => outcome.reached[at] = Reached::Other,
            Err(error) => {
                outcome.reached[at] = reached(tools.roots, step);
                failure = Some((at, error));
                break;
            }
        }
        tools.seam.point(Point::AfterWrite);
    }
    // What was staged must be gone before a folder is moved back or into the trash.
    let ended = ahead.end();
    let failure = failure.or_else(|| ended.err().map(|error| (steps.len() - 1, error.into())));
    if failure.is_none() {
        close_folders(tools, steps, &outcome);
    }
    outcome.failure = failure.map(|(step, trouble)| {
        // Folders stay: whether they were made for this is not known any more.
        let made = |step: &Step| step.folder && step.act == Act::Content;
        let done: Vec<usize> = (0..steps.len())
            .filter(|at| outcome.reached[*at] == Reached::New && !made(&steps[*at]))
            .collect();
        let left = unwrite(tools, steps, &done, &mut outcome);
        Failure { step, trouble, left }
    });
    outcome
}

/// How far a dead process came. Steps are written in order and taken back in reverse, so the one on a whole file or
/// folder that was begun last is the only one of its kind that can be either way; contents are looked at where no
/// such step can have carried them off.
fn found(tools: &Tools<'_>, steps: &[Step], left: Left) -> Outcome {
    let mut outcome =
        Outcome { reached: vec![Reached::Old; steps.len()], items: vec![None; steps.len()], failure: None };
    let is_whole = |at: usize| steps.get(at).is_some_and(|step| step.act.is_whole());
    let begun = left.progress.filter(|at| is_whole(*at));
    let done = begun.filter(|at| reached(tools.roots, &steps[*at]) != Reached::Old);
    // All up to here is written, and contents up to there may be.
    let (written, open) = match (begun, done) {
        (_, Some(at)) => (Some(at), (at + 1..steps.len()).find(|at| is_whole(*at)).unwrap_or(steps.len())),
        (Some(at), None) => ((0..at).rev().find(|at| is_whole(*at)), at),
        (None, None) => (None, (0..steps.len()).find(|at| is_whole(*at)).unwrap_or(steps.len())),
    };
    for (at, step) in steps.iter().enumerate() {
        if written.is_some_and(|written| at <= written) {
            outcome.reached[at] = Reached::New;
            if let Act::Trash { seen } = step.act {
                outcome.items[at] = whole::find_item(tools.roots, &step.place, seen, left.since);
            }
        } else if at < open {
            outcome.reached[at] = reached(tools.roots, step);
        }
    }
    if let Some(at) = done {
        outcome.reached[at] = reached(tools.roots, &steps[at]);
    }
    outcome
}

fn begin(tools: &Tools<'_>, at: usize, step: &Step) -> Result<(), Trouble> {
    if step.act.is_whole() {
        (tools.begun)(at)?;
    }
    Ok(())
}

impl Failure {
    pub fn into_error(self, path: KbPath) -> Error {
        match self.trouble {
            Trouble::Moved | Trouble::Replaced => Error::BaseMoved { path },
            Trouble::Io(error) => error.into(),
            Trouble::Trash(reason) => Error::Trash { path, reason },
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
    /// What was to be deleted was replaced, and what took its place is there.
    #[error("something else took its place while it was being deleted; nothing was deleted")]
    Replaced,
    /// Nothing was deleted.
    #[error("the system's trash cannot be used ({0}); nothing is deleted without it")]
    Trash(String),
}

impl Trouble {
    /// As what an operation is told to have failed for.
    pub fn note(&self) -> Warning {
        match self {
            Self::Moved => note::plain(note::CHANGED_MEANWHILE),
            Self::Replaced => note::plain(note::REPLACED),
            Self::Io(error) => Warning::new(error.code(), error.to_string()),
            Self::Trash(reason) => Warning::new("trash", reason),
        }
    }
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
fn write(
    tools: &Tools<'_>,
    steps: &[Step],
    at: usize,
    outcome: &mut Outcome,
    ahead: &mut Ahead,
) -> Result<bool, Trouble> {
    ahead.reach(tools, steps, at, &outcome.reached)?;
    tools.seam.point(Point::BeforeWrite);
    let step = &steps[at];
    begin(tools, at, step)?;
    match &step.act {
        Act::Content => {
            let (contents, staged) = ((step.old, step.new), ahead.take(at));
            change_with(tools, &step.place, step.folder, contents, step.mode, staged)
        }
        Act::Move { to, seen } => whole::relocate(tools, (&step.place, to), *seen),
        Act::Trash { seen } => whole::trash(tools, &step.place, *seen, &mut outcome.items[at]),
        Act::Fetch { item, seen } => {
            let fetched = whole::fetch(tools, item, *seen, &step.place)?;
            if let Err(error) = whole::set_modes(tools, step) {
                tracing::warn!(%error, "what came back is open to others than before");
            }
            Ok(fetched)
        }
        Act::Link { target } => link::make(tools, &step.place, target),
    }
}

/// Folders that were made to be filled are closed to whom they were. One that stays open to its owner is no reason to
/// take all of it back.
fn close_folders(tools: &Tools<'_>, steps: &[Step], outcome: &Outcome) {
    for (step, reached) in steps.iter().zip(&outcome.reached).rev() {
        let made = step.folder && step.act == Act::Content && step.old.is_none();
        if made
            && *reached == Reached::New
            && let Err(error) = whole::set_mode(tools, &step.place, step.mode)
        {
            tracing::warn!(%error, "a folder stays open to its owner");
        }
    }
}

/// Puts the steps `done` back, the last first, and names those that it could not.
fn unwrite(tools: &Tools<'_>, steps: &[Step], done: &[usize], outcome: &mut Outcome) -> Vec<String> {
    let mut left = Vec::new();
    // Moves that could not be taken back, the latest first, and what stayed in the trash: what was done before
    // them is where they took it.
    let mut stuck: Vec<(FilePlace, FilePlace)> = Vec::new();
    let mut gone: Vec<FilePlace> = Vec::new();
    for at in done.iter().rev().copied() {
        let step = &steps[at];
        let now = |place: &FilePlace| {
            let follow = |place: FilePlace, (from, to): &(FilePlace, FilePlace)| {
                tree::carried(&place, from, to).unwrap_or(place)
            };
            stuck.iter().rev().fold(place.clone(), follow)
        };
        let place = now(&step.place);
        tools.seam.point(Point::BeforeUnwrite);
        let item = outcome.items[at].take();
        // A note that cannot be taken leaves the last one: it is taken back all the same.
        if step.act.is_whole()
            && let Err(error) = (tools.begun)(at)
        {
            tracing::warn!(%error, "the journal does not follow");
        }
        let back = if gone.iter().any(|gone| tree::is_within(&place, gone)) {
            Err(Trouble::Moved)
        } else {
            match &step.act {
                Act::Content => change(tools, &place, step.folder, (step.new, step.old), step.mode),
                Act::Move { to, .. } => whole::relocate(tools, (&now(to), &place), None),
                Act::Trash { .. } => whole::untrash(tools, step, &place, item.as_ref()),
                Act::Fetch { .. } => whole::trash(tools, &place, None, &mut outcome.items[at]),
                Act::Link { target } => link::remove(tools, &place, target),
            }
        };
        match back {
            Ok(_) => outcome.reached[at] = Reached::Old,
            Err(error) => {
                outcome.items[at] = outcome.items[at].take().or(item);
                left.push(format!("{}: {error}", step.place.path));
                match &step.act {
                    Act::Move { to, .. } => stuck.push((step.place.clone(), to.clone())),
                    Act::Trash { .. } => gone.push(place),
                    Act::Content | Act::Fetch { .. } | Act::Link { .. } => {}
                }
            }
        }
        tools.seam.point(Point::AfterUnwrite);
    }
    left
}

/// Turns what is at `place` from one content into another, and sees it to the disk. What is made gets `mode`.
pub(super) fn change(
    tools: &Tools<'_>,
    place: &FilePlace,
    folder: bool,
    (from, to): (Option<ContentHash>, Option<ContentHash>),
    mode: Option<u32>,
) -> Result<bool, Trouble> {
    change_with(tools, place, folder, (from, to), mode, None)
}

/// As [`change`]; where the new content is staged already, its name reaches the disk with its batch. Looks again right
/// before it writes, as the plan may be old by now.
fn change_with(
    tools: &Tools<'_>,
    place: &FilePlace,
    folder: bool,
    (from, to): (Option<ContentHash>, Option<ContentHash>),
    mode: Option<u32>,
    staged: Option<Staged>,
) -> Result<bool, Trouble> {
    let disk = match look(tools.roots, place) {
        // Its folder is gone, and so is what should go.
        Err(orangery_store::Error::NotFound(_)) if to.is_none() => return Ok(false),
        looked => looked?,
    };
    match reached_from(&disk.found, folder, from, to) {
        Reached::New => return Ok(false),
        Reached::Other => return Err(Trouble::Moved),
        Reached::Old => {}
    }
    tools.seam.write().map_err(orangery_store::Error::io("write", &place.path))?;
    let checked: &CheckedPath = &disk.checked;
    match (folder, from, to) {
        (false, _, Some(to)) => {
            let ready = staged.filter(|staged| staged.target().place() == checked.place());
            let batched = ready.is_some();
            let staged = match ready {
                Some(staged) => staged,
                None => {
                    let staged = stage(tools, checked, to, from.is_some(), mode)?;
                    staged.sync()?;
                    tools.seam.point(Point::Synced);
                    staged
                }
            };
            tools.seam.point(Point::BeforePut);
            staged.put()?;
            tools.seam.point(Point::AfterPut);
            if !batched {
                checked.sync_parent()?;
            }
        }
        (false, Some(_), None) => checked.remove_file()?,
        (true, None, Some(_)) => checked.create_folder(mode)?,
        (true, Some(_), None) => checked.remove_empty_folder()?,
        (_, None, None) | (true, Some(_), Some(_)) => {}
    }
    Ok(true)
}

/// Writes the content that `checked` is to have beside it.
pub(super) fn stage(
    tools: &Tools<'_>,
    checked: &CheckedPath,
    content: ContentHash,
    over: bool,
    mode: Option<u32>,
) -> orangery_store::Result<Staged> {
    let bytes = tools.contents.get(&content).ok_or_else(|| missing_content(checked.place()))?;
    let staged = if over { checked.stage_over(bytes)? } else { checked.stage_new(bytes, mode)? };
    tools.seam.point(Point::Staged);
    Ok(staged)
}

fn missing_content(path: &KbPath) -> orangery_store::Error {
    orangery_store::Error::io("find the new content of", path)(io::ErrorKind::NotFound.into())
}

/// Where a step's file is now.
fn reached(roots: &dyn Roots, step: &Step) -> Reached {
    match &step.act {
        Act::Content => reached_content(roots, &step.place, step),
        Act::Move { to, .. } => whole::moved(roots, &step.place, to),
        Act::Trash { .. } => whole::trashed(roots, &step.place),
        Act::Fetch { .. } => whole::fetched(roots, &step.place),
        Act::Link { target } => link::reached(roots, &step.place, target),
    }
}

fn reached_content(roots: &dyn Roots, place: &FilePlace, step: &Step) -> Reached {
    match look(roots, place) {
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
