//! What becomes of operations.

use orangery_domain::{ContentHash, FilePlace, OperationId, OperationState, Warning};
use sqlx::SqliteConnection;

use super::{Tree, key};
use crate::{
    Result,
    table::wire::{ROWS, to_json, to_name},
};

/// Takes over decisions, one letter per edit, and what they amount to.
pub async fn decide(
    db: &mut SqliteConnection,
    id: OperationId,
    state: OperationState,
    decisions: &str,
) -> Result<()> {
    let state = to_name(&state)?;
    sqlx::query!(
        "update operation set state = ?2, decisions = ?3 where operation_id = ?1",
        id.0,
        state,
        decisions
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Forgets an operation that has nothing to do.
pub async fn remove(db: &mut SqliteConnection, id: OperationId) -> Result<()> {
    sqlx::query!("delete from operation where operation_id = ?1 and state <> 'applied'", id.0)
        .execute(db)
        .await?;
    Ok(())
}

/// An operation that was applied: the file was `before` and is `after`.
#[derive(Debug, Clone, Copy)]
pub struct AppliedRow {
    pub id: OperationId,
    pub before: Option<ContentHash>,
    pub after: Option<ContentHash>,
}

pub async fn set_applied(db: &mut SqliteConnection, applied: &[AppliedRow], now: i64) -> Result<()> {
    let state = to_name(&OperationState::Applied)?;
    for some in applied.chunks(ROWS) {
        let row = |one: &AppliedRow| (one.id.0, one.before, one.after);
        let rows = to_json(&some.iter().map(row).collect::<Vec<_>>())?;
        sqlx::query!(
            "update operation set state = ?2, before_hash = unhex(one.value ->> 1), after_hash = unhex(one.value ->> 2),
                                  applied_at = ?3, note = null
             from json_each(?1) as one where operation_id = one.value ->> 0",
            rows,
            state,
            now
        )
        .execute(&mut *db)
        .await?;
    }
    Ok(())
}

pub async fn set_state(
    db: &mut SqliteConnection,
    id: OperationId,
    state: OperationState,
    note: Option<&Warning>,
) -> Result<()> {
    let state = to_name(&state)?;
    let note = note.map(to_json).transpose()?;
    sqlx::query!(
        "update operation set state = ?2, note = coalesce(?3, note) where operation_id = ?1",
        id.0,
        state,
        note
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The operation reads differently now that what lies under it moved: same edits, other base.
pub async fn set_base(
    db: &mut SqliteConnection,
    id: OperationId,
    base: Option<ContentHash>,
    edits: Option<ContentHash>,
    built_on: Option<OperationId>,
) -> Result<()> {
    let (base, edits, built_on) = (key(&base), key(&edits), built_on.map(|id| id.0));
    sqlx::query!(
        "update operation set base_hash = ?2, edits_hash = ?3, built_on = ?4, exact_hash = null
         where operation_id = ?1",
        id.0,
        base,
        edits,
        built_on
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Takes over decisions, one letter per edit, and leaves the states to what follows.
pub async fn set_decisions(db: &mut SqliteConnection, decided: &[(OperationId, String)]) -> Result<()> {
    for some in decided.chunks(ROWS) {
        let rows = to_json(&some.iter().map(|(id, letters)| (id.0, letters)).collect::<Vec<_>>())?;
        sqlx::query!(
            "update operation set decisions = one.value ->> 1
             from json_each(?1) as one where operation_id = one.value ->> 0",
            rows
        )
        .execute(&mut *db)
        .await?;
    }
    Ok(())
}

/// The operation keeps only some of its edits.
pub async fn trim(
    db: &mut SqliteConnection,
    id: OperationId,
    edits: ContentHash,
    decisions: &str,
) -> Result<()> {
    let edits = &edits.0[..];
    sqlx::query!(
        "update operation set edits_hash = ?2, decisions = ?3, exact_hash = null where operation_id = ?1",
        id.0,
        edits,
        decisions
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The conflict that this operation was proposed instead of is over.
pub async fn close_conflict(db: &mut SqliteConnection, successor: OperationId, note: &Warning) -> Result<()> {
    let note = to_json(note)?;
    sqlx::query!(
        "update operation set state = 'rejected', note = ?2
         where state = 'conflict' and operation_id = (select built_on from operation where operation_id = ?1)",
        successor.0,
        note
    )
    .execute(db)
    .await?;
    Ok(())
}

/// What people are told about an operation.
pub async fn set_remarks(
    db: &mut SqliteConnection,
    id: OperationId,
    warnings: &[Warning],
    note: Option<&Warning>,
) -> Result<()> {
    let (warnings, note) = (to_json(&warnings)?, note.map(to_json).transpose()?);
    sqlx::query!(
        "update operation set warnings = ?2, note = ?3 where operation_id = ?1",
        id.0,
        warnings,
        note
    )
    .execute(db)
    .await?;
    Ok(())
}

/// One more thing that people are told about an operation.
pub async fn add_warning(db: &mut SqliteConnection, id: OperationId, warning: &Warning) -> Result<()> {
    let warning = to_json(warning)?;
    sqlx::query!(
        "update operation set warnings = json_insert(warnings, '$[#]', json(?2)) where operation_id = ?1",
        id.0,
        warning
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The file or folder that an operation is about is elsewhere now.
pub async fn set_place(db: &mut SqliteConnection, id: OperationId, place: &FilePlace) -> Result<()> {
    let (path, key) = (place.path.as_str(), place.path.key());
    sqlx::query!(
        "update operation set knowledge_base_id = ?2, path = ?3, path_key = ?4 where operation_id = ?1",
        id.0,
        place.kb_id.0,
        path,
        key
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Where a move leads is called otherwise now.
pub async fn set_target(db: &mut SqliteConnection, id: OperationId, target: &FilePlace) -> Result<()> {
    let path = target.path.as_str();
    sqlx::query!(
        "update operation set target_knowledge_base_id = ?2, target_path = ?3 where operation_id = ?1",
        id.0,
        target.kb_id.0,
        path
    )
    .execute(db)
    .await?;
    Ok(())
}

/// What is known of a tree operation is another thing now.
pub async fn set_tree(db: &mut SqliteConnection, id: OperationId, tree: &Tree) -> Result<()> {
    let tree = to_json(tree)?;
    sqlx::query!("update operation set tree = ?2 where operation_id = ?1", id.0, tree).execute(db).await?;
    Ok(())
}

/// Link updates go with the moves that they follow.
pub async fn reject_followers(db: &mut SqliteConnection, moves: &[OperationId]) -> Result<()> {
    for on in moves {
        sqlx::query!(
            "update operation set state = 'rejected', decisions = replace(replace(decisions, 'u', 'r'), 'a', 'r')
             where follows = ?1 and state in ('undecided', 'accepted', 'failed', 'conflict')",
            on.0
        )
        .execute(&mut *db)
        .await?;
    }
    Ok(())
}
