//! Operations of change sets.

use orangery_domain::{
    ChangeSetId, ContentHash, FileId, FilePlace, FolderContents, KbId, OperationId, OperationKind,
    OperationState, TurnId, Warning,
};
use serde::{Deserialize, Serialize};
use sqlx::{SqliteConnection, SqliteExecutor};

use super::wire::{ROWS, from_json, from_name, in_order, to_hash, to_json, to_name, to_path};
use crate::{Error, Result};

/// Operations as rows: what follows `from operation`, and the values that it names.
macro_rules! operations {
    ($tail:tt $(, $value:expr)*) => {
        sqlx::query_as!(
            Raw,
            r#"select operation.operation_id as "operation_id!", operation.change_set_id as "change_set_id!",
                      kind as "kind!", knowledge_base_id as "knowledge_base_id!", path as "path!", file_id,
                      operation.state as "state!", base_hash, encoding, edits_hash, decisions as "decisions!",
                      exact_hash, built_on, before_hash, after_hash, operation.applied_at,
                      warnings as "warnings!", note, target_knowledge_base_id, target_path, follows, tree,
                      operation.turn_id
               from operation "# + $tail
            $(, $value)*
        )
    };
}

mod find;
mod settle;

pub use find::{applied_of_turn, session_wrote, waiting_into, waiting_of_session, waiting_within};
pub use settle::{
    AppliedRow, add_warning, close_conflict, decide, reject_followers, remove, set_applied, set_base,
    set_decisions, set_place, set_remarks, set_state, set_target, set_tree, trim,
};

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
    /// The reason of a conflict or failure, or what it stands for.
    pub note: Option<Warning>,
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
    /// Of what went to the trash, as it was then, where that is not what was `seen`.
    #[serde(default)]
    pub went: Option<ContentHash>,
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
                note: raw.note.map(|note| from_json("a note", &note)).transpose()?,
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

fn rows(raw: Vec<Raw>) -> Result<Vec<OperationRow>> {
    raw.into_iter().map(OperationRow::try_from).collect()
}

/// Adds an undecided operation at the end of a change set. The contents it names are stored already.
pub async fn insert(
    db: &mut SqliteConnection,
    set: ChangeSetId,
    proposal: &Proposal,
    turn: Option<TurnId>,
) -> Result<OperationId> {
    let ids = insert_all(db, set, std::slice::from_ref(proposal), turn).await?;
    ids.first().copied().ok_or_else(|| Error::Stored { what: "no operation", value: set.0.to_string() })
}

/// An operation on its way into the table.
#[derive(Serialize)]
struct New<'a> {
    kind: String,
    kb: i64,
    path: &'a str,
    key: String,
    file: Option<i64>,
    base: Option<ContentHash>,
    encoding: Option<&'a str>,
    edits: Option<ContentHash>,
    decisions: &'a str,
    exact: Option<ContentHash>,
    built_on: Option<i64>,
    warnings: String,
    note: Option<String>,
    target_kb: Option<i64>,
    target_path: Option<&'a str>,
    follows: Option<i64>,
    tree: Option<String>,
}

impl<'a> New<'a> {
    fn of(proposal: &'a Proposal) -> Result<Self> {
        Ok(Self {
            kind: to_name(&proposal.kind)?,
            kb: proposal.place.kb_id.0,
            path: proposal.place.path.as_str(),
            key: proposal.place.path.key(),
            file: proposal.file_id.map(|id| id.0),
            base: proposal.base,
            encoding: proposal.encoding.as_deref(),
            edits: proposal.edits,
            decisions: &proposal.decisions,
            exact: proposal.exact,
            built_on: proposal.built_on.map(|id| id.0),
            warnings: to_json(&proposal.warnings)?,
            note: proposal.note.as_ref().map(to_json).transpose()?,
            target_kb: proposal.target.as_ref().map(|target| target.kb_id.0),
            target_path: proposal.target.as_ref().map(|target| target.path.as_str()),
            follows: proposal.follows.map(|id| id.0),
            tree: proposal.tree.as_ref().map(to_json).transpose()?,
        })
    }
}

/// As [`insert`], for many in their order.
pub async fn insert_all(
    db: &mut SqliteConnection,
    set: ChangeSetId,
    proposals: &[Proposal],
    turn: Option<TurnId>,
) -> Result<Vec<OperationId>> {
    let (state, turn) = (to_name(&OperationState::Undecided)?, turn.map(|turn| turn.0));
    let mut ids = Vec::with_capacity(proposals.len());
    for some in proposals.chunks(ROWS) {
        let rows = to_json(&some.iter().map(New::of).collect::<Result<Vec<_>>>()?)?;
        let made = sqlx::query_scalar!(
            r#"insert into operation (change_set_id, kind, knowledge_base_id, path, path_key, file_id, state, base_hash,
                                    encoding, edits_hash, decisions, exact_hash, built_on, warnings, note,
                                    target_knowledge_base_id, target_path, follows, tree, turn_id)
             select ?1, value ->> 'kind', value ->> 'kb', value ->> 'path', value ->> 'key',
                    (select file_id from file where file_id = value ->> 'file'), ?2, unhex(value ->> 'base'),
                    value ->> 'encoding', unhex(value ->> 'edits'), value ->> 'decisions', unhex(value ->> 'exact'),
                    value ->> 'built_on', value ->> 'warnings', value ->> 'note', value ->> 'target_kb',
                    value ->> 'target_path', value ->> 'follows', value ->> 'tree', ?3
             from json_each(?4) order by key
             returning operation_id as "operation_id!""#,
            set.0,
            state,
            turn,
            rows
        )
        .fetch_all(&mut *db)
        .await?;
        ids.extend(in_order(made).into_iter().map(OperationId));
    }
    Ok(ids)
}

/// The operations of a set in the order in which they were proposed.
pub async fn of_set(db: impl SqliteExecutor<'_>, set: ChangeSetId) -> Result<Vec<OperationRow>> {
    rows(operations!("where change_set_id = ?1 order by operation_id", set.0).fetch_all(db).await?)
}

pub async fn by_id(db: impl SqliteExecutor<'_>, id: OperationId) -> Result<Option<OperationRow>> {
    let raw = operations!("where operation_id = ?1", id.0).fetch_optional(db).await?;
    raw.map(OperationRow::try_from).transpose()
}
