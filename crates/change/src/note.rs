//! Why an operation is in conflict or could not be applied, and what it stands for: codes, each with a sentence
//! in every language of the UI.

use orangery_domain::{OperationId, Warning};

pub const GONE: &str = "gone";
pub const FOLDER_THERE: &str = "folderThere";
pub const FILE_THERE: &str = "fileThere";
/// Neither a file nor a folder is there.
pub const NOT_PLAIN: &str = "notPlain";
/// Names the place.
pub const TAKEN: &str = "taken";
/// Names what is there.
pub const NAME_ALIKE: &str = "nameAlike";
pub const FOLDER_HOLDS: &str = "folderHolds";
pub const CHANGED_AFTER_MADE: &str = "changedAfterMade";
/// Since it was proposed.
pub const FILE_CHANGED: &str = "fileChanged";
pub const FOLDER_CHANGED: &str = "folderChanged";
/// On disk, in the very lines.
pub const CHANGED_HERE: &str = "changedHere";
/// On disk, elsewhere: the same change is proposed anew.
pub const OFFERED_ANEW: &str = "offeredAnew";
pub const CHANGED_MEANWHILE: &str = "changedMeanwhile";
/// As it was to go to the trash; what took its place stays.
pub const REPLACED: &str = "replaced";
/// Another operation of the set.
pub const MEETS_OTHER: &str = "meetsOther";
pub const MEETS_APPLIED: &str = "meetsApplied";
/// A rejected change. The mark of such a conflict, too.
pub const ON_REJECTED: &str = "builtOnRejected";
/// Names the folder.
pub const NO_FOLDER: &str = "noFolder";
pub const FOLDER_GONE: &str = "folderGone";
pub const MOVE_FIRST: &str = "moveFirst";
/// Neither by the trash nor by history.
pub const NOT_KEPT: &str = "notKept";
/// The trash holds something else under the name, or it was changed there; and history has not all of it.
pub const NOT_WHAT_WENT: &str = "notWhatWent";
/// Names what only the trash had, and what came back without it.
pub const LEFT_BEHIND: &str = "leftBehind";
/// Names notes with links that will not lead any more where they lead.
pub const LINKS_NOT_UPDATED: &str = "linksNotUpdated";
/// A conflict that is resolved, and a clean merge that was offered instead of it: another operation stands for it.
pub const SETTLED: &str = "settled";
/// The file changed since it was proposed: it was moved onto the text that is there now.
pub const CAUGHT_UP: &str = "caughtUp";
/// Somebody made the same change: applying writes nothing.
pub const SAID_ALREADY: &str = "saidAlready";
/// Names what only the trash will have.
pub const NOT_ALL_KEPT: &str = "notAllKept";

/// The first few of many names.
pub fn some_of(names: &[String]) -> String {
    const MOST: usize = 8;
    let shown = names.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > MOST { format!("{shown}, …") } else { shown }
}

pub fn plain(code: &str) -> Warning {
    Warning::new(code, "")
}

/// Stands for the operation `id`, which is settled.
pub fn resolved(id: OperationId) -> Warning {
    Warning::new("resolved", id.to_string())
}

/// A clean merge that is offered instead of the conflict `id`.
pub fn on_current(id: OperationId) -> Warning {
    Warning::new("onCurrent", id.to_string())
}

pub fn again(id: OperationId) -> Warning {
    Warning::new("again", id.to_string())
}
