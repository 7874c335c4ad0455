//! What is being written to files right now, so that a death on the way is finished or taken back.

use orangery_domain::{ChangeSetId, ContentHash, FilePlace, KbId, OperationId, Provenance};
use serde::{Deserialize, Serialize};
use sqlx::{SqliteConnection, SqlitePool};

use super::wire::{ROWS, from_json, to_hash, to_json, to_path};
use crate::Result;

/// One intent: steps that are written together or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Journal {
    pub id: i64,
    pub change_set_id: Option<ChangeSetId>,
    pub provenance: Provenance,
    /// Milliseconds since 1970.
    pub started_at: i64,
    /// The step on a whole file or folder that was begun last.
    pub progress: Option<usize>,
    pub steps: Vec<Step>,
}

/// One file or folder that becomes something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub place: FilePlace,
    pub folder: bool,
    /// Content before and after; absent where nothing is there. A folder that is there counts as an
    /// empty content.
    pub old: Option<ContentHash>,
    pub new: Option<ContentHash>,
    /// Whether the old content becomes a version.
    pub keep_version: bool,
    pub operations: Vec<OperationId>,
    /// Who may read, write and run it where it is there on one side only: what it is made with, by this step or by
    /// taking it back.
    pub mode: Option<u32>,
    pub act: Act,
}

/// What is done to the place of a step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "act")]
pub enum Act {
    /// `old` becomes `new`.
    #[default]
    Content,
    /// What is there goes to `to`, if it is still `seen`.
    Move { to: FilePlace, seen: Option<ContentHash> },
    /// What is there goes to the system's trash, if it is still `seen`. Of a folder, `old` is a manifest of what
    /// is kept of it.
    Trash { seen: Option<ContentHash> },
    /// What the system's trash calls `item` comes there, if it is still what was `seen`; of a folder, `new` is its
    /// manifest.
    Fetch {
        item: String,
        #[serde(default)]
        seen: Option<ContentHash>,
    },
    /// A symbolic link is made that says `target`.
    Link { target: String },
}

impl Act {
    /// Whether it takes a file or folder elsewhere, whatever that holds.
    pub fn is_whole(&self) -> bool {
        match self {
            Self::Move { .. } | Self::Trash { .. } | Self::Fetch { .. } => true,
            Self::Content | Self::Link { .. } => false,
        }
    }

    /// Where a move leads.
    pub fn target(&self) -> Option<&FilePlace> {
        match self {
            Self::Move { to, .. } => Some(to),
            Self::Content | Self::Trash { .. } | Self::Fetch { .. } | Self::Link { .. } => None,
        }
    }
}

impl Step {
    /// The contents before and after, where there are any.
    pub fn contents(&self) -> impl Iterator<Item = ContentHash> + use<> {
        [self.old, self.new].into_iter().flatten()
    }

    /// The places that it touches.
    pub fn places(&self) -> impl Iterator<Item = &FilePlace> {
        std::iter::once(&self.place).chain(self.act.target())
    }
}

/// A step on its way into the table.
#[derive(Serialize)]
struct New<'a> {
    kb: i64,
    path: &'a str,
    folder: bool,
    old: Option<ContentHash>,
    new: Option<ContentHash>,
    keep_version: bool,
    operations: String,
    mode: Option<u32>,
    act: Option<String>,
}

impl<'a> New<'a> {
    fn of(step: &'a Step) -> Result<Self> {
        Ok(Self {
            kb: step.place.kb_id.0,
            path: step.place.path.as_str(),
            folder: step.folder,
            old: step.old,
            new: step.new,
            keep_version: step.keep_version,
            operations: to_json(&step.operations)?,
            mode: step.mode,
            act: (step.act != Act::Content).then(|| to_json(&step.act)).transpose()?,
        })
    }
}

/// Writes the intent down. The contents it names are stored already; `held` are those that must stay
/// besides until it is settled.
pub async fn begin(
    db: &mut SqliteConnection,
    set: Option<ChangeSetId>,
    provenance: &Provenance,
    steps: &[Step],
    held: &[ContentHash],
    now: i64,
) -> Result<i64> {
    let (set, provenance) = (set.map(|set| set.0), to_json(provenance)?);
    let journal = sqlx::query_scalar!(
        "insert into journal (change_set_id, provenance, started_at) values (?1, ?2, ?3) returning journal_id",
        set,
        provenance,
        now
    )
    .fetch_one(&mut *db)
    .await?;
    let mut first = 0i64;
    for some in steps.chunks(ROWS) {
        let rows = to_json(&some.iter().map(New::of).collect::<Result<Vec<_>>>()?)?;
        sqlx::query!(
            "insert into journal_step (journal_id, ordinal, knowledge_base_id, path, folder, old_hash, new_hash,
                                       keep_version, operations, mode, act)
             select ?1, ?2 + key, value ->> 'kb', value ->> 'path', value ->> 'folder', unhex(value ->> 'old'),
                    unhex(value ->> 'new'), value ->> 'keep_version', value ->> 'operations', value ->> 'mode',
                    value ->> 'act'
             from json_each(?3)",
            journal,
            first,
            rows
        )
        .execute(&mut *db)
        .await?;
        first += some.len() as i64;
    }
    for some in held.chunks(ROWS) {
        let rows = to_json(&some)?;
        sqlx::query!(
            "insert into journal_content (journal_id, hash) select ?1, unhex(value) from json_each(?2) where true
             on conflict do nothing",
            journal,
            rows
        )
        .execute(&mut *db)
        .await?;
    }
    Ok(journal)
}

/// All that was begun and not ended, oldest first.
pub async fn all(db: &SqlitePool) -> Result<Vec<Journal>> {
    let rows = sqlx::query!(
        "select journal_id, change_set_id, provenance, started_at, progress from journal order by journal_id"
    )
    .fetch_all(db)
    .await?;
    let mut journals = Vec::with_capacity(rows.len());
    for row in rows {
        let steps = sqlx::query!(
            r#"select knowledge_base_id, path, folder as "folder: bool", old_hash, new_hash,
                      keep_version as "keep_version: bool", operations, mode, act
               from journal_step where journal_id = ?1 order by ordinal"#,
            row.journal_id
        )
        .fetch_all(db)
        .await?;
        let steps = steps
            .into_iter()
            .map(|step| {
                Ok(Step {
                    place: FilePlace { kb_id: KbId(step.knowledge_base_id), path: to_path(&step.path)? },
                    folder: step.folder,
                    old: to_hash(step.old_hash)?,
                    new: to_hash(step.new_hash)?,
                    keep_version: step.keep_version,
                    operations: from_json("operations of a step", &step.operations)?,
                    mode: step.mode.and_then(|mode| u32::try_from(mode).ok()),
                    act: match &step.act {
                        Some(act) => from_json("a step", act)?,
                        None => Act::Content,
                    },
                })
            })
            .collect::<Result<_>>()?;
        journals.push(Journal {
            id: row.journal_id,
            change_set_id: row.change_set_id.map(ChangeSetId),
            provenance: from_json("a provenance", &row.provenance)?,
            started_at: row.started_at,
            progress: row.progress.and_then(|at| usize::try_from(at).ok()),
            steps,
        });
    }
    Ok(journals)
}

/// A step on a whole file or folder is about to be made, or to be taken back.
pub async fn set_progress(db: &mut SqliteConnection, id: i64, step: usize) -> Result<()> {
    let step = i64::try_from(step).unwrap_or(i64::MAX);
    sqlx::query!("update journal set progress = ?2 where journal_id = ?1", id, step).execute(db).await?;
    Ok(())
}

/// The contents that an entry holds beside those that its steps name.
pub async fn held(db: &SqlitePool, id: i64) -> Result<Vec<ContentHash>> {
    let rows = sqlx::query_scalar!("select hash from journal_content where journal_id = ?1", id)
        .fetch_all(db)
        .await?;
    let hashes = rows.into_iter().map(|hash| to_hash(Some(hash)));
    Ok(hashes.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// Whether an entry is still there.
pub async fn is_open(db: &SqlitePool, id: i64) -> Result<bool> {
    let found = sqlx::query_scalar!(
        r#"select exists (select 1 from journal where journal_id = ?1) as "found!: bool""#,
        id
    )
    .fetch_one(db)
    .await?;
    Ok(found)
}

/// What was intended is done or taken back.
pub async fn end(db: &mut SqliteConnection, id: i64) -> Result<()> {
    sqlx::query!("delete from journal where journal_id = ?1", id).execute(db).await?;
    Ok(())
}
