//! Operations of change sets.

use orangery_domain::{
    ChangeSetId, ContentHash, FileId, FilePlace, FolderContents, KbId, OperationId, OperationKind,
    OperationState, SessionId, TurnId, Warning,
};
use serde::{Deserialize, Serialize};
use sqlx::{SqliteConnection, SqliteExecutor};

use super::wire::{from_json, from_name, to_hash, to_json, to_name, to_path};
use crate::{Error, Result};

/// What is proposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    pub kind: OperationKind,
    pub place: FilePlace,
    pub file_id: Option<FileId>,
    /// What it was proposed on; absent where nothing was there.
    pub base: Option<ContentHash>,
    /// Label of the encoding that base was decoded with; absent for folders and what is no text.
    pub encoding: Option<String>,
    /// JSON edits of the decoded base.
    pub edits: Option<ContentHash>,
    /// One letter per edit: `u`, `a` or `r`.
    pub decisions: String,
    /// The bytes it makes when taken whole, where they are known to the last.
    pub exact: Option<ContentHash>,
    pub built_on: Option<OperationId>,
    pub warnings: Vec<Warning>,
    pub note: Option<String>,
    /// Where a move leads.
    pub target: Option<FilePlace>,
    /// Set for a move, a delete and a coming back.
    pub tree: Option<Tree>,
    /// The move whose links this updates.
    pub follows: Option<OperationId>,
}

/// What an operation on the tree is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tree {
    pub folder: bool,
    /// Of a file its content, of a folder its listing, when it was proposed.
    pub seen: ContentHash,
    /// Bytes of the file, or of all files in the folder.
    pub size: u64,
    /// Of a folder.
    pub contents: Option<FolderContents>,
    /// What the system's trash calls it.
    pub item: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationRow {
    pub id: OperationId,
    pub change_set_id: ChangeSetId,
    pub state: OperationState,
    pub proposal: Proposal,
    /// Set when applied: what was there before and after; absent where nothing was.
    pub applied_at: Option<i64>,
    pub before: Option<ContentHash>,
    pub after: Option<ContentHash>,
    /// The turn that proposed it.
    pub turn_id: Option<TurnId>,
}

struct Raw {
    operation_id: i64,
    change_set_id: i64,
    kind: String,
    knowledge_base_id: i64,
    path: String,
    file_id: Option<i64>,
    state: String,
    base_hash: Option<Vec<u8>>,
    encoding: Option<String>,
    edits_hash: Option<Vec<u8>>,
    decisions: String,
    exact_hash: Option<Vec<u8>>,
    built_on: Option<i64>,
    before_hash: Option<Vec<u8>>,
    after_hash: Option<Vec<u8>>,
    applied_at: Option<i64>,
    warnings: String,
    note: Option<String>,
    target_knowledge_base_id: Option<i64>,
    target_path: Option<String>,
    follows: Option<i64>,
    tree: Option<String>,
    turn_id: Option<i64>,
}

impl TryFrom<Raw> for OperationRow {
    type Error = Error;

    fn try_from(raw: Raw) -> Result<Self> {
        Ok(Self {
            id: OperationId(raw.operation_id),
            change_set_id: ChangeSetId(raw.change_set_id),
            state: from_name("the state of an operation", &raw.state)?,
            proposal: Proposal {
                kind: from_name("the kind of an operation", &raw.kind)?,
                place: FilePlace { kb_id: KbId(raw.knowledge_base_id), path: to_path(&raw.path)? },
                file_id: raw.file_id.map(FileId),
                base: to_hash(raw.base_hash)?,
                encoding: raw.encoding,
                edits: to_hash(raw.edits_hash)?,
                decisions: raw.decisions,
                exact: to_hash(raw.exact_hash)?,
                built_on: raw.built_on.map(OperationId),
                warnings: from_json("warnings", &raw.warnings)?,
                note: raw.note,
                target: match (raw.target_knowledge_base_id, raw.target_path) {
                    (Some(kb), Some(path)) => Some(FilePlace { kb_id: KbId(kb), path: to_path(&path)? }),
                    _ => None,
                },
                tree: raw.tree.map(|tree| from_json("a tree operation", &tree)).transpose()?,
                follows: raw.follows.map(OperationId),
            },
            applied_at: raw.applied_at,
            before: to_hash(raw.before_hash)?,
            after: to_hash(raw.after_hash)?,
            turn_id: raw.turn_id.map(TurnId),
        })
    }
}

fn key(hash: &Option<ContentHash>) -> Option<&[u8]> {
    hash.as_ref().map(|hash| &hash.0[..])
}

/// Adds an undecided operation at the end of a change set. The contents it names are stored already.
pub async fn insert(
    db: &mut SqliteConnection,
    set: ChangeSetId,
    proposal: &Proposal,
    turn: Option<TurnId>,
) -> Result<OperationId> {
    let kind = to_name(&proposal.kind)?;
    let state = to_name(&OperationState::Undecided)?;
    let (path, path_key) = (proposal.place.path.as_str(), proposal.place.path.key());
    let file_id = proposal.file_id.map(|id| id.0);
    let (base, edits, exact) = (key(&proposal.base), key(&proposal.edits), key(&proposal.exact));
    let built_on = proposal.built_on.map(|id| id.0);
    let warnings = to_json(&proposal.warnings)?;
    let target_kb = proposal.target.as_ref().map(|target| target.kb_id.0);
    let target_path = proposal.target.as_ref().map(|target| target.path.as_str());
    let follows = proposal.follows.map(|id| id.0);
    let tree = proposal.tree.as_ref().map(to_json).transpose()?;
    let turn = turn.map(|turn| turn.0);
    let id = sqlx::query_scalar!(
        r#"insert into operation (change_set_id, kind, knowledge_base_id, path, path_key, file_id, state, base_hash,
                                encoding, edits_hash, decisions, exact_hash, built_on, warnings, note,
                                target_knowledge_base_id, target_path, follows, tree, turn_id)
         values (?1, ?2, ?3, ?4, ?5, (select file_id from file where file_id = ?6), ?7, ?8, ?9, ?10, ?11, ?12, ?13,
                 ?14, ?15, ?16, ?17, ?18, ?19, ?20)
         returning operation_id as "operation_id!""#,
        set.0,
        kind,
        proposal.place.kb_id.0,
        path,
        path_key,
        file_id,
        state,
        base,
        proposal.encoding,
        edits,
        proposal.decisions,
        exact,
        built_on,
        warnings,
        proposal.note,
        target_kb,
        target_path,
        follows,
        tree,
        turn
    )
    .fetch_one(db)
    .await?;
    Ok(OperationId(id))
}

/// The operations of a set in the order in which they were proposed.
pub async fn of_set(db: impl SqliteExecutor<'_>, set: ChangeSetId) -> Result<Vec<OperationRow>> {
    sqlx::query_as!(
        Raw,
        "select operation_id, change_set_id, kind, knowledge_base_id, path, file_id, state, base_hash, encoding,
                edits_hash, decisions, exact_hash, built_on, before_hash, after_hash, applied_at, warnings, note,
                target_knowledge_base_id, target_path, follows, tree, turn_id
         from operation where change_set_id = ?1 order by operation_id",
        set.0
    )
    .fetch_all(db)
    .await?
    .into_iter()
    .map(OperationRow::try_from)
    .collect()
}

pub async fn by_id(db: impl SqliteExecutor<'_>, id: OperationId) -> Result<Option<OperationRow>> {
    sqlx::query_as!(
        Raw,
        "select operation_id, change_set_id, kind, knowledge_base_id, path, file_id, state, base_hash, encoding,
                edits_hash, decisions, exact_hash, built_on, before_hash, after_hash, applied_at, warnings, note,
                target_knowledge_base_id, target_path, follows, tree, turn_id
         from operation where operation_id = ?1",
        id.0
    )
    .fetch_optional(db)
    .await?
    .map(OperationRow::try_from)
    .transpose()
}

/// What a session has proposed for a file and nobody has rejected or applied, oldest first.
pub async fn pending_of_session(
    db: impl SqliteExecutor<'_>,
    session: &SessionId,
    place: &FilePlace,
) -> Result<Vec<OperationRow>> {
    let path_key = place.path.key();
    sqlx::query_as!(
        Raw,
        r#"select operation_id as "operation_id!", operation.change_set_id, kind, knowledge_base_id, path, file_id,
                operation.state, base_hash, encoding, edits_hash, decisions, exact_hash, built_on, before_hash,
                after_hash, operation.applied_at, warnings, note, target_knowledge_base_id, target_path, follows,
                tree, operation.turn_id
         from operation join change_set on change_set.change_set_id = operation.change_set_id
         where session_id = ?1 and knowledge_base_id = ?2 and path_key = ?3
         and operation.state in ('undecided', 'accepted')
         order by operation_id"#,
        session.0,
        place.kb_id.0,
        path_key
    )
    .fetch_all(db)
    .await?
    .into_iter()
    .map(OperationRow::try_from)
    .collect()
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

/// The operation was applied: the file was `before` and is `after`.
pub async fn set_applied(
    db: &mut SqliteConnection,
    id: OperationId,
    before: Option<ContentHash>,
    after: Option<ContentHash>,
    now: i64,
) -> Result<()> {
    let state = to_name(&OperationState::Applied)?;
    let (before, after) = (key(&before), key(&after));
    sqlx::query!(
        "update operation set state = ?2, before_hash = ?3, after_hash = ?4, applied_at = ?5, note = null
         where operation_id = ?1",
        id.0,
        state,
        before,
        after,
        now
    )
    .execute(db)
    .await?;
    Ok(())
}

pub async fn set_state(
    db: &mut SqliteConnection,
    id: OperationId,
    state: OperationState,
    note: Option<&str>,
) -> Result<()> {
    let state = to_name(&state)?;
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

/// Takes over decisions and leaves the state to what follows.
pub async fn set_decisions(db: &mut SqliteConnection, id: OperationId, decisions: &str) -> Result<()> {
    sqlx::query!("update operation set decisions = ?2 where operation_id = ?1", id.0, decisions)
        .execute(db)
        .await?;
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
pub async fn close_conflict(db: &mut SqliteConnection, successor: OperationId) -> Result<()> {
    sqlx::query!(
        "update operation set state = 'rejected'
         where state = 'conflict' and operation_id = (select built_on from operation where operation_id = ?1)",
        successor.0
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
    note: Option<&str>,
) -> Result<()> {
    let warnings = to_json(&warnings)?;
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

/// What a session proposed and nobody has rejected or applied, oldest first; with the rejected moves that others of
/// their set were built on.
pub async fn waiting_of_session(
    db: impl SqliteExecutor<'_>,
    session: &SessionId,
) -> Result<Vec<OperationRow>> {
    sqlx::query_as!(
        Raw,
        r#"select operation_id as "operation_id!", operation.change_set_id, kind, knowledge_base_id, path, file_id,
                operation.state, base_hash, encoding, edits_hash, decisions, exact_hash, built_on, before_hash,
                after_hash, operation.applied_at, warnings, note, target_knowledge_base_id, target_path, follows,
                tree, operation.turn_id
         from operation join change_set on change_set.change_set_id = operation.change_set_id
         where session_id = ?1 and (operation.state in ('undecided', 'accepted', 'failed')
                or operation.state = 'rejected' and kind = 'move' and change_set.state in ('pending', 'partlyApplied'))
         order by operation_id"#,
        session.0
    )
    .fetch_all(db)
    .await?
    .into_iter()
    .map(OperationRow::try_from)
    .collect()
}

/// What a turn did and nobody took back as a whole, in the order in which it was done.
pub async fn applied_of_turn(
    db: impl SqliteExecutor<'_>,
    session: &SessionId,
    turn: TurnId,
) -> Result<Vec<OperationRow>> {
    sqlx::query_as!(
        Raw,
        r#"select operation_id as "operation_id!", operation.change_set_id, kind, knowledge_base_id, path, file_id,
                operation.state, base_hash, encoding, edits_hash, decisions, exact_hash, built_on, before_hash,
                after_hash, operation.applied_at, warnings, note, target_knowledge_base_id, target_path, follows,
                tree, operation.turn_id
         from operation join change_set on change_set.change_set_id = operation.change_set_id
         where session_id = ?1 and coalesce(operation.turn_id, change_set.turn_id) = ?2
         and operation.state = 'applied' and change_set.state <> 'undone'
         order by operation.applied_at, operation_id"#,
        session.0,
        turn.0
    )
    .fetch_all(db)
    .await?
    .into_iter()
    .map(OperationRow::try_from)
    .collect()
}

/// Everything that waits, of whichever session, at or below a place, oldest first.
pub async fn waiting_within(db: impl SqliteExecutor<'_>, place: &FilePlace) -> Result<Vec<OperationRow>> {
    let key = place.path.key();
    sqlx::query_as!(
        Raw,
        r#"select operation_id as "operation_id!", change_set_id, kind, knowledge_base_id, path, file_id, state,
                base_hash, encoding, edits_hash, decisions, exact_hash, built_on, before_hash, after_hash, applied_at,
                warnings, note, target_knowledge_base_id, target_path, follows, tree, turn_id
         from operation where knowledge_base_id = ?1 and state in ('undecided', 'accepted', 'failed', 'conflict')
         and (path_key = ?2 or substr(path_key, 1, length(?2) + 1) = ?2 || '/')
         order by operation_id"#,
        place.kb_id.0,
        key
    )
    .fetch_all(db)
    .await?
    .into_iter()
    .map(OperationRow::try_from)
    .collect()
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
