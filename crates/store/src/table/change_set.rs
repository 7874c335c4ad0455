//! Change sets.

use orangery_domain::{ChangeSetId, ChangeSetState, Provenance, SessionId};
use sqlx::{SqliteConnection, SqliteExecutor};

use super::wire::{from_json, from_name, to_json, to_name};
use crate::{Error, Result};

/// A change set without its operations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeSetRow {
    pub id: ChangeSetId,
    pub provenance: Provenance,
    pub state: ChangeSetState,
    pub created_at: i64,
    pub applied_at: Option<i64>,
    pub undone_by: Option<ChangeSetId>,
}

struct Raw {
    change_set_id: i64,
    provenance: String,
    state: String,
    created_at: i64,
    applied_at: Option<i64>,
    undone_by: Option<i64>,
}

impl TryFrom<Raw> for ChangeSetRow {
    type Error = Error;

    fn try_from(raw: Raw) -> Result<Self> {
        Ok(Self {
            id: ChangeSetId(raw.change_set_id),
            provenance: from_json("a provenance", &raw.provenance)?,
            state: from_name("the state of a change set", &raw.state)?,
            created_at: raw.created_at,
            applied_at: raw.applied_at,
            undone_by: raw.undone_by.map(ChangeSetId),
        })
    }
}

/// Opens a pending change set.
pub async fn insert(db: &mut SqliteConnection, provenance: &Provenance, now: i64) -> Result<ChangeSetId> {
    let (session, turn) = match provenance {
        Provenance::Assistant { session_id, turn_id, .. } => {
            (Some(&session_id.0), turn_id.map(|turn| turn.0))
        }
        _ => (None, None),
    };
    let json = to_json(provenance)?;
    let state = to_name(&ChangeSetState::Pending)?;
    let id = sqlx::query_scalar!(
        "insert into change_set (provenance, session_id, turn_id, state, created_at) values (?1, ?2, ?3, ?4, ?5)
         returning change_set_id",
        json,
        session,
        turn,
        state,
        now
    )
    .fetch_one(db)
    .await?;
    Ok(ChangeSetId(id))
}

pub async fn get(db: impl SqliteExecutor<'_>, id: ChangeSetId) -> Result<Option<ChangeSetRow>> {
    sqlx::query_as!(
        Raw,
        "select change_set_id, provenance, state, created_at, applied_at, undone_by from change_set
         where change_set_id = ?1",
        id.0
    )
    .fetch_optional(db)
    .await?
    .map(ChangeSetRow::try_from)
    .transpose()
}

/// The set that takes a session's next proposal: the one that still waits, else the one that the same
/// turn has just had applied.
pub async fn open_of_session(
    db: impl SqliteExecutor<'_>,
    session: &SessionId,
    turn: Option<i64>,
) -> Result<Option<ChangeSetId>> {
    let id = sqlx::query_scalar!(
        r#"select change_set_id as "change_set_id!" from change_set where session_id = ?1
           and (state in ('pending', 'partlyApplied')
                or state = 'applied' and turn_id = ?2 and undone_by is null)
           order by change_set_id desc limit 1"#,
        session.0,
        turn
    )
    .fetch_optional(db)
    .await?;
    Ok(id.map(ChangeSetId))
}

/// The set that takes `of` back and still waits, in part or whole.
pub async fn waiting_undo(db: impl SqliteExecutor<'_>, of: ChangeSetId) -> Result<Option<ChangeSetId>> {
    let id = sqlx::query_scalar!(
        r#"select change_set_id as "change_set_id!" from change_set
           where json_extract(provenance, '$.source') = 'undo' and json_extract(provenance, '$.of') = ?1
           and state in ('pending', 'partlyApplied') order by change_set_id desc limit 1"#,
        of.0
    )
    .fetch_optional(db)
    .await?;
    Ok(id.map(ChangeSetId))
}

/// The newest first; `pending` leaves out those with nothing left to decide or apply. Sets whose
/// operations went with their knowledge base are left out.
pub async fn list(
    db: impl SqliteExecutor<'_>,
    pending: bool,
    session: Option<&SessionId>,
    limit: u32,
) -> Result<Vec<ChangeSetRow>> {
    let session = session.map(|session| &session.0);
    sqlx::query_as!(
        Raw,
        r#"select change_set_id as "change_set_id!", provenance, state, created_at, applied_at, undone_by
           from change_set
           where (?1 is null or session_id = ?1)
           and (not ?2 or state in ('pending', 'partlyApplied'))
           and exists (select 1 from operation where operation.change_set_id = change_set.change_set_id)
           order by change_set_id desc limit ?3"#,
        session,
        pending,
        limit
    )
    .fetch_all(db)
    .await?
    .into_iter()
    .map(ChangeSetRow::try_from)
    .collect()
}

/// `applied_at` is kept where none is given.
pub async fn set_state(
    db: &mut SqliteConnection,
    id: ChangeSetId,
    state: ChangeSetState,
    applied_at: Option<i64>,
) -> Result<()> {
    let state = to_name(&state)?;
    sqlx::query!(
        "update change_set set state = ?2, applied_at = coalesce(?3, applied_at) where change_set_id = ?1",
        id.0,
        state,
        applied_at
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Says which set took this one back, or that none does any more.
pub async fn set_undone_by(
    db: &mut SqliteConnection,
    id: ChangeSetId,
    undone_by: Option<ChangeSetId>,
) -> Result<()> {
    let undone_by = undone_by.map(|id| id.0);
    sqlx::query!("update change_set set undone_by = ?2 where change_set_id = ?1", id.0, undone_by)
        .execute(db)
        .await?;
    Ok(())
}

/// Forgets a set of which nothing was applied.
pub async fn remove_unapplied(db: &mut SqliteConnection, id: ChangeSetId) -> Result<()> {
    sqlx::query!(
        "delete from change_set where change_set_id = ?1
         and not exists (select 1 from operation where change_set_id = ?1 and state = 'applied')",
        id.0
    )
    .execute(db)
    .await?;
    Ok(())
}
