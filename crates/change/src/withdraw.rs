//! Proposals of turns that their user took out of the conversation.

use orangery_domain::{OperationId, OperationKind, SessionId, TurnId};
use orangery_store::table::{change_set, operation};

use crate::review::{settle_set, waits};
use crate::{Proposals, Result};

impl Proposals {
    /// Rejects what waits of a session's turns from `first` on, and says how many operations that were. They
    /// stay readable; what was applied stays applied.
    pub async fn withdraw(&self, session: &SessionId, first: TurnId) -> Result<usize> {
        let house = &self.0;
        let mut withdrawn = 0;
        for set in change_set::list(house.db.reader(), true, Some(session), u32::MAX).await? {
            let _held = house.locks.set(set.id).await;
            let (_, mut rows) = house.set(set.id).await?;
            rows.retain(|row| row.turn_id >= Some(first) && waits(row.state));
            if rows.is_empty() {
                continue;
            }
            let moves = rows.iter().filter(|row| row.proposal.kind == OperationKind::Move);
            let moves: Vec<OperationId> = moves.map(|row| row.id).collect();
            let mut write = house.db.write().await?;
            operation::reject_followers(&mut write, &moves).await?;
            crate::review::reject_rest(&mut write, &rows).await?;
            settle_set(&mut write, set.id, None).await?;
            write.commit().await.map_err(orangery_store::Error::from)?;
            house.restack(set.id).await?;
            withdrawn += rows.len();
        }
        Ok(withdrawn)
    }
}
