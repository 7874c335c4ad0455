//! Questions to the user that block a tool call.

use orangery_domain::{Approval, ApprovalCard, ApprovalId, ApprovalState, SessionId, TurnId};

use crate::{Db, Error, Result};

/// Adds a question that waits.
pub async fn insert(
    db: &Db,
    session: &SessionId,
    turn: TurnId,
    call_id: &str,
    card: ApprovalCard,
    now: i64,
) -> Result<Approval> {
    let json = serde_json::to_string(&card)
        .map_err(|error| Error::Stored { what: "approval.card", value: error.to_string() })?;
    let state = name(ApprovalState::Waiting);
    let mut write = db.write().await?;
    let id = sqlx::query!(
        "insert into approval (session_id, turn_id, call_id, card, state, asked_at) values (?, ?, ?, ?, ?, ?)",
        session.0,
        turn.0,
        call_id,
        json,
        state,
        now
    )
    .execute(&mut *write)
    .await?
    .last_insert_rowid();
    write.commit().await?;
    Ok(Approval {
        id: ApprovalId(id),
        session_id: session.clone(),
        turn_id: turn,
        call_id: call_id.into(),
        card,
        state: ApprovalState::Waiting,
    })
}

/// Ends a question that waits; `false` when it had ended already.
pub async fn close(db: &Db, id: ApprovalId, state: ApprovalState, now: i64) -> Result<bool> {
    let (state, waiting) = (name(state), name(ApprovalState::Waiting));
    let mut write = db.write().await?;
    let changed = sqlx::query!(
        "update approval set state = ?, answered_at = ? where approval_id = ? and state = ?",
        state,
        now,
        id.0,
        waiting
    )
    .execute(&mut *write)
    .await?
    .rows_affected();
    write.commit().await?;
    Ok(changed == 1)
}

/// Ends what still waits of a turn that is over.
pub async fn expire(db: &Db, turn: TurnId, now: i64) -> Result<()> {
    let (expired, waiting) = (name(ApprovalState::Expired), name(ApprovalState::Waiting));
    let mut write = db.write().await?;
    sqlx::query!(
        "update approval set state = ?, answered_at = ? where turn_id = ? and state = ?",
        expired,
        now,
        turn.0,
        waiting
    )
    .execute(&mut *write)
    .await?;
    write.commit().await?;
    Ok(())
}

/// A session's questions in order.
pub async fn list(db: &Db, session: &SessionId) -> Result<Vec<Approval>> {
    let rows = sqlx::query!(
        r#"select approval_id as "approval_id!", turn_id, call_id, card, state
           from approval where session_id = ? order by approval_id"#,
        session.0
    )
    .fetch_all(db.reader())
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(Approval {
                id: ApprovalId(row.approval_id),
                session_id: session.clone(),
                turn_id: TurnId(row.turn_id),
                call_id: row.call_id,
                card: serde_json::from_str(&row.card)
                    .map_err(|error| Error::Stored { what: "approval.card", value: error.to_string() })?,
                state: state(&row.state)
                    .ok_or_else(|| Error::Stored { what: "approval.state", value: row.state.clone() })?,
            })
        })
        .collect()
}

fn name(state: ApprovalState) -> &'static str {
    match state {
        ApprovalState::Waiting => "waiting",
        ApprovalState::Allowed => "allowed",
        ApprovalState::Denied => "denied",
        ApprovalState::ClosedByLevel => "closedByLevel",
        ApprovalState::Expired => "expired",
    }
}

fn state(text: &str) -> Option<ApprovalState> {
    [
        ApprovalState::Waiting,
        ApprovalState::Allowed,
        ApprovalState::Denied,
        ApprovalState::ClosedByLevel,
        ApprovalState::Expired,
    ]
    .into_iter()
    .find(|state| name(*state) == text)
}
