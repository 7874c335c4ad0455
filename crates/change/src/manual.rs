//! What the user does with whole files and folders: applied at once, and undoable like any set.

use orangery_domain::{Applied, ChangeSetId, FilePlace, FolderContents, Provenance, Relinked};

use crate::{
    Changes, Error, House, Refusal, Result,
    tree::{self, Depth, Found, KEPT_BYTES, is_within, same_place},
};

/// What moving or deleting files and folders touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weight {
    pub contents: FolderContents,
    /// Whether history keeps a copy when they are deleted: each of them is small enough.
    pub kept: bool,
    /// What history cannot keep for another reason.
    pub unkept: Vec<String>,
}

impl Changes {
    /// What moving or deleting `places` touches.
    pub async fn weigh(&self, places: &[FilePlace]) -> Result<Weight> {
        let house = self.house();
        let mut weight = Weight { contents: FolderContents::default(), kept: true, unkept: Vec::new() };
        for place in apart(places) {
            let (contents, unkept) = house.weigh(&place).await?;
            let sum = &mut weight.contents;
            sum.files += contents.files;
            sum.folders += contents.folders;
            sum.hidden += contents.hidden;
            sum.unindexed += contents.unindexed;
            sum.bytes += contents.bytes;
            // Each is an operation of its own.
            weight.kept &= contents.bytes <= KEPT_BYTES;
            weight.unkept.extend(unkept.iter().map(|below| format!("{}/{below}", place.path)));
        }
        Ok(weight)
    }

    /// Moves a file or folder, and updates the links that `relinked` names.
    ///
    /// # Errors
    /// Nothing was changed then.
    pub async fn relocate(&self, from: &FilePlace, to: &FilePlace, relinked: Relinked) -> Result<Applied> {
        let (from, to) = (from.clone(), to.clone());
        self.uncut(move |house| async move {
            house.recover().await?;
            let proposed = house.propose_move(&Provenance::Manual, &from, &to).await.map_err(told)?;
            let set = proposed.change_set_id;
            let links = house.propose_links(&Provenance::Manual, proposed.operation_id, &relinked).await;
            match links {
                Ok(_) => house.at_once(set, &from).await,
                Err(error) => {
                    house.drop_set(set).await?;
                    Err(error)
                }
            }
        })
        .await
    }

    /// Puts files and folders into the system's trash, as one set.
    ///
    /// # Errors
    /// Nothing was deleted then.
    pub async fn trash(&self, places: &[FilePlace]) -> Result<Applied> {
        let places = apart(places);
        self.uncut(move |house| async move {
            house.recover().await?;
            let Some(first) = places.first().cloned() else { return Err(Error::BlankPath) };
            let mut set = None;
            for place in &places {
                match house.propose_delete(&Provenance::Manual, set, place).await {
                    Ok(proposed) => set = Some(proposed.change_set_id),
                    Err(refusal) => {
                        if let Some(set) = set {
                            house.drop_set(set).await?;
                        }
                        return Err(told(refusal));
                    }
                }
            }
            let set = set.ok_or(Error::BlankPath)?;
            house.at_once(set, &first).await
        })
        .await
    }
}

impl House {
    async fn weigh(&self, place: &FilePlace) -> Result<(FolderContents, Vec<String>)> {
        let entry = tree::look_at(&self.roots, place).await?;
        let missing = || orangery_store::Error::NotFound(place.path.to_string());
        let entry = entry.filter(|entry| entry.found != Found::Nothing).ok_or_else(missing)?;
        let hidden = u64::from(place.path.name().starts_with('.'));
        match entry.found {
            Found::File { size } => {
                let known = crate::disk::known(&self.db, place).await?;
                let unindexed = u64::from(known.file_id.is_none());
                let contents = FolderContents { files: 1, folders: 0, hidden, unindexed, bytes: size };
                Ok((contents, Vec::new()))
            }
            Found::Folder => {
                let mut seen = entry.seen_whole(Depth::Shape).await?;
                let unkept = std::mem::take(&mut seen.unkept);
                let tree = self.whole_of(place, seen).await?;
                let contents = tree.contents.unwrap_or_default();
                let (folders, hidden) = (contents.folders + 1, contents.hidden + hidden);
                Ok((FolderContents { folders, hidden, ..contents }, unkept))
            }
            Found::Nothing | Found::Other => {
                Err(orangery_store::Error::Special(place.path.to_string()).into())
            }
        }
    }

    /// Applies a set of the user's own whole, or gives it up.
    async fn at_once(&self, set: ChangeSetId, place: &FilePlace) -> Result<Applied> {
        let applied = {
            let _held = self.locks.set(set).await;
            self.apply(set, &[], true).await
        };
        let (applied, failure) = applied?;
        if !applied.applied.is_empty() {
            return Ok(applied);
        }
        self.drop_set(set).await?;
        Err(match failure {
            Some(failure) => failure.into_error(place.path.clone()),
            None => Error::BaseMoved { path: place.path.clone() },
        })
    }

    /// What the user wanted done at once and could not be done is not left to be reviewed.
    async fn drop_set(&self, set: ChangeSetId) -> Result<()> {
        let _held = self.locks.set(set).await;
        let mut write = self.db.write().await?;
        orangery_store::table::change_set::remove_unapplied(&mut write, set).await?;
        write.commit().await.map_err(orangery_store::Error::from)?;
        Ok(())
    }
}

/// `places` without what lies within another of them.
fn apart(places: &[FilePlace]) -> Vec<FilePlace> {
    let mut out: Vec<FilePlace> = Vec::new();
    for (at, place) in places.iter().enumerate() {
        let within = places.iter().enumerate().any(|(other_at, other)| {
            other_at != at && is_within(place, other) && (!same_place(place, other) || other_at < at)
        });
        if !within {
            out.push(place.clone());
        }
    }
    out
}

/// A refusal as the error of what was to be done at once.
fn told(refusal: Refusal) -> Error {
    match refusal {
        Refusal::Failed(error) => error,
        Refusal::Root => Error::KbRoot,
        Refusal::BlankPath => Error::BlankPath,
        Refusal::NotThere { path } | Refusal::NotYet { path } | Refusal::Going { path, .. } => {
            orangery_store::Error::NotFound(path.to_string()).into()
        }
        Refusal::NotMovable { path } => orangery_store::Error::Special(path.to_string()).into(),
        Refusal::IntoItself { path, .. } => Error::IntoItself { path },
        Refusal::VolumeWithin { path, at } => Error::VolumeWithin { path, at },
        Refusal::OtherVolume { to, .. } => orangery_store::Error::OtherVolume(to.to_string()).into(),
        Refusal::Exists { path }
        | Refusal::ProposedAlready { path }
        | Refusal::StillThere { path }
        | Refusal::NoChange { path }
        | Refusal::SameName { path }
        | Refusal::InTheWay { parent: path, .. } => Error::Exists { path },
        Refusal::Alike { path, other } => Error::Alike { path, other },
        refusal => Error::Internal(refusal.to_string()),
    }
}
