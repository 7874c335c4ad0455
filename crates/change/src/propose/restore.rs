//! Proposals that give back what was: a version of a file, or everything as it was before a turn.

use orangery_domain::{FilePlace, OperationKind, Provenance, SessionId, TurnId, VersionId};
use orangery_store::{
    blob::Packed,
    table::{
        operation::{self, Proposal},
        version,
    },
};

use super::{Proposals, Proposed, Refusal, hold, is_review_always, session_of, steering};
use crate::{Error, House};

impl Proposals {
    /// Proposes that the file of a version gets that content again; a file that is gone comes back.
    pub async fn restore_version(
        &self,
        provenance: &Provenance,
        id: VersionId,
    ) -> Result<(FilePlace, Proposed), Refusal> {
        let house = &*self.0;
        let _held = hold(house, provenance).await;
        let (contents, proposals) = house.swap_to(id).await?;
        let own = proposals.last().ok_or_else(|| Error::Internal("nothing is proposed".into()))?;
        let place = own.place.clone();
        if own.base == own.exact {
            return Err(Refusal::NoChange { path: place.path });
        }
        let view = house.view(session_of(provenance), &[&place]).await?;
        if view.contents_of(&place).next().is_some() {
            return Err(Refusal::ProposedAlready { path: place.path });
        }
        let summary = format!("restore {} to version {id}", place.path);
        let mut made = house.propose_back(provenance, &contents, proposals, |_| summary.clone()).await?;
        let (_, mut own) = made.pop().ok_or_else(|| Error::Internal("nothing was stored".into()))?;
        own.needs = made.into_iter().map(|(_, folder)| folder.operation_id).collect();
        Ok((place, own))
    }

    /// Where the file of a version is now.
    pub async fn place_of_version(&self, id: VersionId) -> Result<FilePlace, Refusal> {
        let house = &*self.0;
        let version = version::by_id(house.db.reader(), id).await?.ok_or(Refusal::NoVersion { id })?;
        Ok(house.place_now(&version.place, id).await?)
    }

    /// The files and folders that taking a turn back would touch.
    pub async fn places_of_turn(
        &self,
        session: &SessionId,
        turn: TurnId,
        within: Option<&FilePlace>,
    ) -> Result<Vec<FilePlace>, Refusal> {
        let house = &*self.0;
        let rows = operation::applied_of_turn(house.db.reader(), session, turn).await?;
        let (_, proposals) = house.take_back(&rows, within).await?;
        Ok(proposals.into_iter().flat_map(|one| std::iter::once(one.place).chain(one.target)).collect())
    }

    /// Proposes that everything that `turn` did is taken back, or what it did at or below `within`. Each step
    /// is an operation of its own.
    pub async fn restore_turn(
        &self,
        provenance: &Provenance,
        session: &SessionId,
        turn: TurnId,
        within: Option<&FilePlace>,
    ) -> Result<Vec<(FilePlace, Proposed)>, Refusal> {
        let house = &*self.0;
        let _held = hold(house, provenance).await;
        let rows = operation::applied_of_turn(house.db.reader(), session, turn).await?;
        let (contents, proposals) = house.take_back(&rows, within).await?;
        if proposals.is_empty() {
            return Err(Refusal::NothingDone { turn, within: within.map(|within| within.path.clone()) });
        }
        house.propose_back(provenance, &contents, proposals, summary).await
    }
}

impl House {
    /// Stores `proposals`, each of which is meant.
    async fn propose_back(
        &self,
        provenance: &Provenance,
        contents: &[Packed],
        mut proposals: Vec<Proposal>,
        summary: impl Fn(&Proposal) -> String,
    ) -> Result<Vec<(FilePlace, Proposed)>, Refusal> {
        for proposal in &mut proposals {
            let mut places = std::iter::once(&proposal.place).chain(&proposal.target);
            proposal.warnings = steering(places.any(|place| is_review_always(&place.path)));
        }
        let (change_set_id, ids) = self.store(provenance, contents, &proposals).await?;
        let made = proposals.into_iter().zip(ids).map(|(proposal, operation_id)| {
            let (needs, summary) = (Vec::new(), summary(&proposal));
            let (added_chars, removed_chars) = (0, 0);
            let proposed =
                Proposed { change_set_id, operation_id, needs, summary, added_chars, removed_chars };
            (proposal.place, proposed)
        });
        Ok(made.collect())
    }
}

fn summary(proposal: &Proposal) -> String {
    let path = &proposal.place.path;
    match (proposal.kind, &proposal.target) {
        (OperationKind::Move, Some(target)) => format!("move {path} back to {}", target.path),
        (OperationKind::BringBack, _) => format!("bring back {path}"),
        (OperationKind::RemoveCreated, _) => format!("remove {path}, which was made"),
        (OperationKind::Delete, _) => format!("delete {path} again"),
        (OperationKind::CreateFile | OperationKind::CreateFolder, _) => format!("make {path} again"),
        _ => format!("give {path} back its earlier text"),
    }
}
