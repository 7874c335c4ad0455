//! After a file or folder went elsewhere: what is known of it goes along.

use orangery_domain::{
    ChangeSetId, ContentHash, FilePlace, OperationId, OperationKind, OperationState, Provenance,
};
use orangery_store::{
    SqliteConnection,
    table::{
        file,
        journal::{Act, Step},
        operation, read, version,
    },
};

use super::write::Reached;
use crate::{
    House, Result,
    apply::manifest::{Manifest, Part, What},
    trash::Item,
    tree::{self, Depth, carried, is_within},
};

/// A folder that waiting operations of a set mean as a whole.
#[derive(Debug, Clone)]
pub struct Meant {
    id: OperationId,
    place: FilePlace,
    tree: operation::Tree,
    depth: Depth,
}

impl House {
    /// Folders that waiting operations of the set mean, that are as they were seen, and in which `steps` change
    /// something: the set's own work must not part it from them.
    pub(super) async fn still_meant(&self, set: Option<ChangeSetId>, steps: &[Step]) -> Result<Vec<Meant>> {
        let Some(set) = set.filter(|_| !steps.is_empty()) else { return Ok(Vec::new()) };
        let mut out = Vec::new();
        for row in operation::of_set(self.db.reader(), set).await? {
            let Some(tree) =
                row.proposal.tree.filter(|tree| tree.folder && row.state != OperationState::Applied)
            else {
                continue;
            };
            let place = row.proposal.place;
            let touched = steps.iter().flat_map(Step::places).any(|touched| is_within(touched, &place));
            if !touched {
                continue;
            }
            let depth = match row.proposal.kind {
                OperationKind::Delete => Depth::State,
                _ => Depth::Shape,
            };
            let meant = Meant { id: row.id, place, tree, depth };
            if self.mark_of(&meant).await == Some(meant.tree.seen) {
                out.push(meant);
            }
        }
        Ok(out)
    }

    /// `None` where it is gone or cannot be looked at: then it is looked at again before anything is done with it,
    /// and what is written now must not wait for that.
    async fn mark_of(&self, meant: &Meant) -> Option<ContentHash> {
        let entry = tree::look_at(&self.roots, &meant.place).await.ok()??;
        let seen = entry.seen_whole(meant.depth).await.ok()?;
        seen.folder.then_some(seen.mark)
    }

    /// The same folders as they look now.
    pub(super) async fn seen_again(&self, meant: Vec<Meant>) -> Vec<(OperationId, operation::Tree)> {
        let mut out = Vec::new();
        for meant in meant {
            if let Some(seen) = self.mark_of(&meant).await {
                out.push((meant.id, operation::Tree { seen, ..meant.tree }));
            }
        }
        out
    }
}

/// Takes over what became of a step on a whole file or folder.
pub async fn settle(
    write: &mut SqliteConnection,
    set: Option<ChangeSetId>,
    provenance: &Provenance,
    (step, reached): (&Step, Reached),
    item: Option<Item>,
    now: i64,
) -> Result<()> {
    match &step.act {
        Act::Content => {
            if reached == Reached::New && step.old != step.new {
                see_anew(write, set, step).await?;
            }
        }
        Act::Move { to, .. } if reached == Reached::New => follow(write, set, step, to).await?,
        Act::Trash { .. } if reached == Reached::New => {
            if step.folder {
                keep(write, set, provenance, step, now).await?;
            }
            name_item(write, step, item).await?;
        }
        // A fetch that was taken back went into the trash under another name.
        Act::Fetch { .. } if item.is_some() => name_item(write, step, item).await?,
        Act::Move { .. } | Act::Trash { .. } | Act::Fetch { .. } | Act::Link { .. } => {}
    }
    Ok(())
}

/// Rows, versions, reads and waiting proposals go where the file went.
async fn follow(
    write: &mut SqliteConnection,
    set: Option<ChangeSetId>,
    step: &Step,
    to: &FilePlace,
) -> Result<()> {
    let from = &step.place;
    let mut rows = file::within(&mut *write, from).await?;
    // A name that is another only in case or Unicode form finds itself.
    rows.retain(|row| row.path.is_within(&from.path));
    for row in rows {
        let place = FilePlace { kb_id: row.kb_id, path: row.path.clone() };
        let Some(place) = carried(&place, from, to) else { continue };
        let title = if row.title == row.path.stem() { place.path.stem() } else { &row.title };
        file::move_to(write, row.id, &place, title).await?;
    }
    version::follow(write, from, to).await?;
    read::follow(write, from, to).await?;
    let moved = step.operations.first().copied();
    for row in operation::waiting_within(&mut *write, from).await? {
        // What the same set proposed later already knows.
        let knows = Some(row.change_set_id) == set && moved.is_some_and(|moved| row.id >= moved);
        if let Some(place) = carried(&row.proposal.place, from, to).filter(|_| !knows) {
            operation::set_place(write, row.id, &place).await?;
        }
    }
    for row in operation::waiting_into(&mut *write, from).await? {
        let knows = Some(row.change_set_id) == set && moved.is_some_and(|moved| row.id >= moved);
        let target = row.proposal.target.and_then(|target| carried(&target, from, to));
        if let Some(target) = target.filter(|_| !knows) {
            operation::set_target(write, row.id, &target).await?;
        }
    }
    Ok(())
}

/// What the set means to do with a file as a whole, it means to do with the file as the set made it.
async fn see_anew(write: &mut SqliteConnection, set: Option<ChangeSetId>, step: &Step) -> Result<()> {
    let (Some(set), Some(old), Some(new), false) = (set, step.old, step.new, step.folder) else {
        return Ok(());
    };
    for row in operation::waiting_within(&mut *write, &step.place).await? {
        if let Some(tree) = row.proposal.tree.filter(|tree| row.change_set_id == set && tree.seen == old) {
            let seen = operation::Tree { seen: new, ..tree };
            operation::set_tree(write, row.id, &seen).await?;
        }
    }
    Ok(())
}

/// The files of a folder that went become versions.
async fn keep(
    write: &mut SqliteConnection,
    set: Option<ChangeSetId>,
    provenance: &Provenance,
    step: &Step,
    now: i64,
) -> Result<()> {
    let Some(old) = step.old else { return Ok(()) };
    let bytes = orangery_store::table::blob::get_in(&mut *write, old).await?;
    let Some(manifest) = Manifest::from_json(&bytes) else { return Ok(()) };
    let files: Vec<_> = manifest
        .parts(&step.place)
        .filter_map(|Part { place, mode, what }| match what {
            What::File(hash) => Some((place, hash, mode)),
            What::Folder | What::Link(_) => None,
        })
        .collect();
    let kept: Vec<_> =
        files.iter().map(|(place, hash, mode)| version::Kept { place, hash: *hash, mode: *mode }).collect();
    version::insert_all(write, &kept, provenance, set, now).await?;
    Ok(())
}

async fn name_item(write: &mut SqliteConnection, step: &Step, item: Option<Item>) -> Result<()> {
    let (item, went) = item.map(|item| (Some(item.name), item.mark)).unwrap_or_default();
    for id in &step.operations {
        let id: OperationId = *id;
        let row = operation::by_id(&mut *write, id).await?;
        if let Some(tree) = row.and_then(|row| row.proposal.tree) {
            operation::set_tree(write, id, &operation::Tree { item: item.clone(), went, ..tree }).await?;
        }
    }
    Ok(())
}
