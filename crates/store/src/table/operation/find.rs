//! Operations by who proposed them, when and where.

use orangery_domain::{ContentHash, FilePlace, SessionId, TurnId};
use sqlx::SqliteExecutor;

use super::{OperationRow, Raw, rows};
use crate::{Result, table::wire::to_json};

/// What a session proposed and nobody has rejected or applied, oldest first; with the rejected moves that others of
/// their set were built on. As long as nothing moves, what is elsewhere than at `keys` is left out.
pub async fn waiting_of_session(
    db: impl SqliteExecutor<'_>,
    session: &SessionId,
    keys: &[String],
) -> Result<Vec<OperationRow>> {
    let keys = to_json(&keys)?;
    let raw = operations!(
        "join change_set on change_set.change_set_id = operation.change_set_id
         where session_id = ?1
         and (operation.state in ('undecided', 'accepted', 'failed')
              or operation.state = 'rejected' and kind = 'move' and change_set.state in ('pending', 'partlyApplied'))
         and (path_key in (select value from json_each(?2))
              or exists (select 1 from operation as moved
                         join change_set as own on own.change_set_id = moved.change_set_id
                         where own.session_id = ?1 and moved.kind = 'move'
                         and moved.state in ('undecided', 'accepted', 'failed', 'rejected')))
         order by operation.operation_id",
        session.0,
        keys
    );
    rows(raw.fetch_all(db).await?)
}

/// Whether an applied operation of the session left the file with this content.
pub async fn session_wrote(
    db: impl SqliteExecutor<'_>,
    session: &SessionId,
    place: &FilePlace,
    hash: ContentHash,
) -> Result<bool> {
    let (path_key, hash) = (place.path.key(), &hash.0[..]);
    let found = sqlx::query_scalar!(
        r#"select exists (
             select 1 from operation join change_set on change_set.change_set_id = operation.change_set_id
             where session_id = ?1 and knowledge_base_id = ?2 and path_key = ?3 and after_hash = ?4
           ) as "found!: bool""#,
        session.0,
        place.kb_id.0,
        path_key,
        hash
    )
    .fetch_one(db)
    .await?;
    Ok(found)
}

/// What a turn did and nobody took back as a whole, in the order in which it was done.
pub async fn applied_of_turn(
    db: impl SqliteExecutor<'_>,
    session: &SessionId,
    turn: TurnId,
) -> Result<Vec<OperationRow>> {
    let raw = operations!(
        "join change_set on change_set.change_set_id = operation.change_set_id
         where session_id = ?1 and coalesce(operation.turn_id, change_set.turn_id) = ?2
         and operation.state = 'applied' and change_set.state <> 'undone'
         order by operation.applied_at, operation.operation_id",
        session.0,
        turn.0
    );
    rows(raw.fetch_all(db).await?)
}

/// Everything that waits, of whichever session, at or below a place, oldest first.
pub async fn waiting_within(db: impl SqliteExecutor<'_>, place: &FilePlace) -> Result<Vec<OperationRow>> {
    let key = place.path.key();
    let (above, beyond) = around(&key);
    let raw = operations!(
        "where knowledge_base_id = ?1 and state in ('undecided', 'accepted', 'failed', 'conflict')
         and (path_key = ?2 or path_key > ?3 and path_key < ?4)
         order by operation_id",
        place.kb_id.0,
        key,
        above,
        beyond
    );
    rows(raw.fetch_all(db).await?)
}

/// Moves that wait, of whichever session, and lead to a place or below it, oldest first.
pub async fn waiting_into(db: impl SqliteExecutor<'_>, place: &FilePlace) -> Result<Vec<OperationRow>> {
    let path = place.path.as_str();
    let (above, beyond) = around(path);
    let raw = operations!(
        "where target_knowledge_base_id = ?1 and state in ('undecided', 'accepted', 'failed', 'conflict')
         and (target_path = ?2 or target_path > ?3 and target_path < ?4)
         order by operation_id",
        place.kb_id.0,
        path,
        above,
        beyond
    );
    rows(raw.fetch_all(db).await?)
}

/// Between these two lies all that is below `path`: the character after '/' is '0'.
fn around(path: &str) -> (String, String) {
    (format!("{path}/"), format!("{path}0"))
}
