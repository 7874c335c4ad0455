//! Proposals that give back what was: a version of a file, or everything as it was before a turn.

use orangery_domain::{FilePlace, OperationKind, Provenance, SessionId, TurnId, VersionId};
use orangery_store::{
    blob::Packed,
    table::{
        operation::{self, Proposal},
        version,
    },
};

use super::{Proposals, Proposed, Refusal, is_review_always};
use crate::{Error, House};

impl Proposals {
    /// Proposes that the file of a version gets that content again; a file that is gone comes back.
    pub async fn restore_version(
        &self,
        provenance: &Provenance,
        id: VersionId,
    ) -> Result<(FilePlace, Proposed), Refusal> {
        let house = &*self.0;
        let _held = super::create::hold(house, provenance).await;
        let (contents, proposals) = house.swap_to(id).await?;
        let own = proposals.last().ok_or_else(|| Error::Internal("nothing is proposed".into()))?;
        let place = own.place.clone();
        if own.base == own.exact {
            return Err(Refusal::NoChange { path: place.path });
        }
        let view = house.view(super::session_of(provenance), &[&place]).await?;
        if view.contents_of(&place).next().is_some() {
            return Err(Refusal::ProposedAlready { path: place.path });
        }
        let summary = format!("restore {} to version {id}", place.path);
        let mut made = house.propose_back(provenance, &contents, &proposals, |_| summary.clone()).await?;
        let mut own = made.pop().ok_or_else(|| Error::Internal("nothing was stored".into()))?;
        own.needs = made.into_iter().map(|folder| folder.operation_id).collect();
        Ok((place, own))
    }

    /// Where the file of a version is now.
    pub async fn place_of_version(&self, id: VersionId) -> Result<FilePlace, Refusal> {
        let house = &*self.0;
        let missing = || Error::NotFound { what: "version", id: id.to_string() };
        let version = version::by_id(house.db.reader(), id).await?.ok_or_else(missing)?;
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
        let _held = super::create::hold(house, provenance).await;
        let rows = operation::applied_of_turn(house.db.reader(), session, turn).await?;
        let (contents, proposals) = house.take_back(&rows, within).await?;
        if proposals.is_empty() {
            return Err(Refusal::NothingDone { turn, within: within.map(|within| within.path.clone()) });
        }
        let made = house.propose_back(provenance, &contents, &proposals, summary).await?;
        Ok(proposals.into_iter().map(|proposal| proposal.place).zip(made).collect())
    }
}

impl House {
    async fn propose_back(
        &self,
        provenance: &Provenance,
        contents: &[Packed],
        proposals: &[Proposal],
        summary: impl Fn(&Proposal) -> String,
    ) -> Result<Vec<Proposed>, Refusal> {
        let (change_set_id, ids) = self.store(provenance, contents, proposals).await?;
        let made = proposals.iter().zip(ids).map(|(proposal, operation_id)| Proposed {
            change_set_id,
            operation_id,
            needs: Vec::new(),
            summary: summary(proposal),
            added_chars: 0,
            removed_chars: 0,
            review_always: is_review_always(&proposal.place.path)
                || proposal.target.as_ref().is_some_and(|target| is_review_always(&target.path)),
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
