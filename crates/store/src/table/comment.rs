//! What people said about lines of proposals.

use orangery_domain::{ChangeSetId, Comment, CommentId, CommentLine, OperationId};
use sqlx::{SqliteConnection, SqliteExecutor};

use crate::{Error, Result};

/// A comment and the operation that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentRow {
    pub operation_id: OperationId,
    pub comment: Comment,
}

struct Raw {
    comment_id: i64,
    operation_id: i64,
    side: String,
    line: i64,
    quote: String,
    text: String,
    created_at: i64,
    sent_at: Option<i64>,
}

impl TryFrom<Raw> for CommentRow {
    type Error = Error;

    fn try_from(raw: Raw) -> Result<Self> {
        let line = u32::try_from(raw.line).unwrap_or(u32::MAX);
        let line = match raw.side.as_str() {
            "old" => CommentLine::Old(line),
            "new" => CommentLine::New(line),
            "operation" => CommentLine::Operation,
            _ => return Err(Error::Stored { what: "the side of a comment", value: raw.side }),
        };
        Ok(Self {
            operation_id: OperationId(raw.operation_id),
            comment: Comment {
                id: CommentId(raw.comment_id),
                line,
                quote: raw.quote,
                text: raw.text,
                created_at: raw.created_at,
                sent_at: raw.sent_at,
            },
        })
    }
}

fn columns(line: CommentLine) -> (&'static str, i64) {
    match line {
        CommentLine::Old(line) => ("old", line.into()),
        CommentLine::New(line) => ("new", line.into()),
        CommentLine::Operation => ("operation", 0),
    }
}

pub async fn insert(
    db: &mut SqliteConnection,
    operation: OperationId,
    line: CommentLine,
    quote: &str,
    text: &str,
    now: i64,
) -> Result<CommentId> {
    let (side, line) = columns(line);
    let id = sqlx::query_scalar!(
        r#"insert into comment (operation_id, side, line, quote, text, created_at)
         values (?1, ?2, ?3, ?4, ?5, ?6) returning comment_id as "comment_id!""#,
        operation.0,
        side,
        line,
        quote,
        text,
        now
    )
    .fetch_one(db)
    .await?;
    Ok(CommentId(id))
}

pub async fn by_id(db: impl SqliteExecutor<'_>, id: CommentId) -> Result<Option<CommentRow>> {
    sqlx::query_as!(
        Raw,
        "select comment_id, operation_id, side, line, quote, text, created_at, sent_at from comment
         where comment_id = ?1",
        id.0
    )
    .fetch_optional(db)
    .await?
    .map(CommentRow::try_from)
    .transpose()
}

/// The comments on the operations of a set, oldest first.
pub async fn of_set(db: impl SqliteExecutor<'_>, set: ChangeSetId) -> Result<Vec<CommentRow>> {
    sqlx::query_as!(
        Raw,
        r#"select comment_id as "comment_id!", comment.operation_id as "operation_id!", side as "side!",
                  line as "line!", quote as "quote!", text as "text!", created_at as "created_at!", sent_at
           from comment join operation on operation.operation_id = comment.operation_id
           where change_set_id = ?1 order by comment_id"#,
        set.0
    )
    .fetch_all(db)
    .await?
    .into_iter()
    .map(CommentRow::try_from)
    .collect()
}

/// The comments on one operation, oldest first.
pub async fn of_operation(db: impl SqliteExecutor<'_>, operation: OperationId) -> Result<Vec<CommentRow>> {
    sqlx::query_as!(
        Raw,
        "select comment_id, operation_id, side, line, quote, text, created_at, sent_at from comment
         where operation_id = ?1 order by comment_id",
        operation.0
    )
    .fetch_all(db)
    .await?
    .into_iter()
    .map(CommentRow::try_from)
    .collect()
}

pub async fn delete(db: &mut SqliteConnection, id: CommentId) -> Result<()> {
    sqlx::query!("delete from comment where comment_id = ?1", id.0).execute(db).await?;
    Ok(())
}

/// The line that a comment stands at is another by now, or its operation is.
pub async fn move_to(
    db: &mut SqliteConnection,
    id: CommentId,
    operation: OperationId,
    line: CommentLine,
) -> Result<()> {
    let (side, line) = columns(line);
    sqlx::query!(
        "update comment set operation_id = ?2, side = ?3, line = ?4 where comment_id = ?1",
        id.0,
        operation.0,
        side,
        line
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The comment went to the assistant.
pub async fn set_sent(db: &mut SqliteConnection, id: CommentId, now: i64) -> Result<()> {
    sqlx::query!("update comment set sent_at = ?2 where comment_id = ?1", id.0, now).execute(db).await?;
    Ok(())
}
