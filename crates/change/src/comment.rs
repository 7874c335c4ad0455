//! What people say about lines of a proposal, and how it gets back to the assistant.

use std::fmt::Write;

use orangery_domain::{
    ChangeSetId, Comment, CommentId, CommentLine, FilePlace, OperationId, Provenance, SessionId,
};
use orangery_store::{
    SqliteConnection, now_ms,
    table::comment::{self, CommentRow},
};

use crate::{
    Changes, Error, Result,
    diff::Lines,
    edits,
    operation::{Loaded, load},
    review::missing,
};

/// Unsent comments of a set as one prompt for its session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    pub session_id: SessionId,
    pub text: String,
    /// The files that the comments are about, each once.
    pub places: Vec<FilePlace>,
    pub comments: Vec<CommentId>,
}

impl Changes {
    /// Keeps a comment, with the line that it is about.
    ///
    /// # Errors
    /// `Invalid` when it is blank, `NotFound` when there is no such line.
    pub async fn comment(&self, id: OperationId, line: CommentLine, text: &str) -> Result<Comment> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Error::BlankComment);
        }
        let house = self.house();
        let loaded = load(&house.db, house.operation(id).await?).await?;
        let texts = Texts::of(&loaded);
        let quote = texts.line(line).ok_or_else(|| missing("line", number(line)))?;
        let now = now_ms();
        let mut write = house.db.write().await?;
        let id = comment::insert(&mut write, id, line, &quote, text, now).await?;
        write.commit().await.map_err(orangery_store::Error::from)?;
        Ok(Comment { id, line, quote, text: text.to_owned(), created_at: now, sent_at: None })
    }

    pub async fn remove_comment(&self, id: CommentId) -> Result<()> {
        let mut write = self.house().db.write().await?;
        if comment::by_id(&mut *write, id).await?.is_none() {
            return Err(missing("comment", id));
        }
        comment::delete(&mut write, id).await?;
        write.commit().await.map_err(orangery_store::Error::from)?;
        Ok(())
    }

    /// The comments of a set that the assistant has not seen.
    ///
    /// # Errors
    /// `Invalid` when there is none, or when the set is of no session.
    pub async fn letter(&self, id: ChangeSetId) -> Result<Letter> {
        let house = self.house();
        let (set, rows) = house.set(id).await?;
        let Provenance::Assistant { session_id, .. } = set.provenance else {
            return Err(Error::NoSessionOfSet(id));
        };
        let mut unsent = comment::of_set(house.db.reader(), id).await?;
        unsent.retain(|row| row.comment.sent_at.is_none());
        if unsent.is_empty() {
            return Err(Error::NothingToSend(id));
        }
        let mut letter = Letter {
            session_id,
            text: "My comments on the changes that you proposed:".into(),
            places: Vec::new(),
            comments: unsent.iter().map(|row| row.comment.id).collect(),
        };
        for row in &rows {
            let mut own: Vec<&Comment> = unsent
                .iter()
                .filter(|comment| comment.operation_id == row.id)
                .map(|comment| &comment.comment)
                .collect();
            own.sort_by_key(|comment| (number(comment.line), comment.id));
            let place = &row.proposal.place;
            if !own.is_empty() && !letter.places.contains(place) {
                letter.places.push(place.clone());
            }
            for comment in own {
                quote(&mut letter.text, place, row.id, comment);
            }
        }
        Ok(letter)
    }

    /// The assistant has them now.
    pub async fn comments_sent(&self, comments: &[CommentId]) -> Result<()> {
        let now = now_ms();
        let mut write = self.house().db.write().await?;
        for id in comments {
            comment::set_sent(&mut write, *id, now).await?;
        }
        write.commit().await.map_err(orangery_store::Error::from)?;
        Ok(())
    }
}

fn quote(text: &mut String, place: &FilePlace, operation: OperationId, comment: &Comment) {
    let path = &place.path;
    // Writing to a string does not fail.
    let _ = match comment.line {
        CommentLine::Old(line) => {
            write!(
                text,
                "\n\n{path}, line {line} of the file (operation {operation}):\n> {}\n\n",
                comment.quote
            )
        }
        CommentLine::New(line) => write!(
            text,
            "\n\n{path}, line {line} of the proposed text (operation {operation}):\n> {}\n\n",
            comment.quote
        ),
        CommentLine::Operation => write!(text, "\n\n{path}, the whole of operation {operation}:\n\n"),
    };
    text.push_str(&comment.text);
}

/// From 1; 0 for the whole operation.
fn number(line: CommentLine) -> u32 {
    match line {
        CommentLine::Old(line) | CommentLine::New(line) => line,
        CommentLine::Operation => 0,
    }
}

/// The two sides of an operation that comments stand at.
pub(crate) struct Texts {
    old: String,
    new: String,
}

impl Texts {
    pub(crate) fn of(loaded: &Loaded) -> Self {
        let old = loaded.base_text().to_owned();
        Self { new: edits::splice(&old, &loaded.edits), old }
    }

    fn line(&self, line: CommentLine) -> Option<String> {
        let (text, line) = match line {
            CommentLine::Old(line) => (&self.old, line),
            CommentLine::New(line) => (&self.new, line),
            CommentLine::Operation => return Some(String::new()),
        };
        let lines = Lines::of(text);
        let row = (line as usize).checked_sub(1)?;
        (row < lines.count()).then(|| lines.body(row).to_owned())
    }

    /// Where a comment stands in these texts: at the line that it quotes, the nearest to where it stood;
    /// where that is gone, at the same number, as far as there are lines.
    fn place(&self, comment: &Comment) -> CommentLine {
        let nearest = |text: &str, line: u32| {
            let lines = Lines::of(text);
            let stood = (line as usize).saturating_sub(1);
            let found = (0..lines.count())
                .filter(|row| lines.body(*row) == comment.quote)
                .min_by_key(|row| row.abs_diff(stood));
            found.unwrap_or(stood.min(lines.count().saturating_sub(1))) as u32 + 1
        };
        match comment.line {
            CommentLine::Old(line) => CommentLine::Old(nearest(&self.old, line)),
            CommentLine::New(line) => CommentLine::New(nearest(&self.new, line)),
            CommentLine::Operation => CommentLine::Operation,
        }
    }
}

/// Moves comments to where their lines are in `texts`, those of operation `to`.
pub(crate) async fn anchor(
    write: &mut SqliteConnection,
    comments: &[CommentRow],
    to: OperationId,
    texts: &Texts,
) -> Result<()> {
    for row in comments {
        let line = texts.place(&row.comment);
        if line != row.comment.line || to != row.operation_id {
            comment::move_to(write, row.comment.id, to, line).await?;
        }
    }
    Ok(())
}
