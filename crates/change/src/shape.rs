//! What a list shows of an operation, without its texts.

use std::collections::HashMap;

use orangery_domain::{ContentHash, HunkDecision, Operation, OperationKind, Sizes, Warning, text::Encoding};
use orangery_store::{
    blob::Packed,
    table::{
        blob,
        comment::CommentRow,
        operation::{OperationRow, Proposal},
        shape::{HunkShape, Shape},
    },
};

use crate::{
    House, Result,
    diff::{TextDiff, TextHunk, shapes},
    edits,
    operation::{Loaded, from_json, is_folder, letters_to_decisions, load, not_rejected},
};

impl Loaded {
    /// How its edits group into hunks.
    pub fn shape(&self) -> Shape {
        let base = self.base_text();
        Shape {
            base: self.row.proposal.base,
            edits: self.row.proposal.edits,
            hunks: shapes(base, &edits::splice(base, &self.edits), &self.edits),
        }
    }

    /// The same from its hunks, where they are at hand.
    pub fn shape_of(&self, diff: &TextDiff) -> Shape {
        let shape = |hunk: &TextHunk| HunkShape {
            start: hunk.edits.start as u32,
            end: hunk.edits.end as u32,
            added: hunk.added,
            removed: hunk.removed,
        };
        let hunks = diff.hunks.iter().map(shape).collect();
        Shape { base: self.row.proposal.base, edits: self.row.proposal.edits, hunks }
    }
}

impl House {
    /// The shape of what is about to be stored with `contents`; of what is stored, `known` may be at hand.
    pub(crate) async fn shape_of(
        &self,
        proposal: &Proposal,
        contents: &HashMap<ContentHash, &Packed>,
        known: &HashMap<ContentHash, Vec<u8>>,
    ) -> Result<Option<Shape>> {
        let (Some(encoding), Some(stored)) = (proposal.encoding.as_deref(), proposal.edits) else {
            return Ok(None);
        };
        let Some(encoding) = Encoding::from_label(encoding) else { return Ok(None) };
        let edits = from_json(&self.content(stored, contents, known).await?)?;
        let base = match proposal.base {
            Some(hash) => {
                crate::operation::decode_as(&self.content(hash, contents, known).await?, encoding)?.text
            }
            None => String::new(),
        };
        let hunks = shapes(&base, &edits::splice(&base, &edits), &edits);
        Ok(Some(Shape { base: proposal.base, edits: proposal.edits, hunks }))
    }

    async fn content(
        &self,
        hash: ContentHash,
        contents: &HashMap<ContentHash, &Packed>,
        known: &HashMap<ContentHash, Vec<u8>>,
    ) -> Result<Vec<u8>> {
        match (contents.get(&hash), known.get(&hash)) {
            (Some(packed), _) => Ok((*packed).clone().unpack()?),
            (None, Some(bytes)) => Ok(bytes.clone()),
            (None, None) => Ok(blob::get(self.db.reader(), hash).await?),
        }
    }

    /// An operation as people see it; `known` is its shape as it was stored.
    pub(crate) async fn describe(
        &self,
        row: OperationRow,
        known: Option<&Shape>,
        comments: &[CommentRow],
    ) -> Result<Operation> {
        let fits = |shape: &&Shape| shape.base == row.proposal.base && shape.edits == row.proposal.edits;
        let sizes = self.sizes(&row.proposal).await?;
        if let Some(shape) = known.filter(fits) {
            return Ok(summarize(&row, &shape.hunks, sizes, comments));
        }
        let shape = match row.proposal.edits {
            Some(_) => load(&self.db, row.clone()).await?.shape().hunks,
            None => Vec::new(),
        };
        Ok(summarize(&row, &shape, sizes, comments))
    }

    /// Bytes before and after, where the content is no text.
    pub(crate) async fn sizes(&self, proposal: &Proposal) -> Result<Option<Sizes>> {
        if proposal.encoding.is_some() || is_folder(proposal) {
            return Ok(None);
        }
        if let Some(tree) = &proposal.tree {
            return Ok(Some(Sizes {
                before: (proposal.kind != OperationKind::BringBack).then_some(tree.size),
                after: (proposal.kind != OperationKind::Delete).then_some(tree.size),
            }));
        }
        let size = async |hash| match hash {
            Some(hash) => blob::size(self.db.reader(), hash).await.map(Some),
            None => Ok(None),
        };
        let sizes = Sizes { before: size(proposal.base).await?, after: size(proposal.exact).await? };
        Ok((sizes.before.is_some() || sizes.after.is_some()).then_some(sizes))
    }
}

/// What the decisions on a hunk's edits have in common.
pub(crate) fn decision_on(decisions: &[HunkDecision], start: usize, end: usize) -> HunkDecision {
    let mut decisions = decisions.get(start..end).unwrap_or_default().iter();
    let first = decisions.next().copied().unwrap_or_default();
    if decisions.all(|decision| *decision == first) { first } else { HunkDecision::Undecided }
}

fn summarize(
    row: &OperationRow,
    hunks: &[HunkShape],
    sizes: Option<Sizes>,
    comments: &[CommentRow],
) -> Operation {
    let proposal = &row.proposal;
    let letters = letters_to_decisions(&proposal.decisions);
    let decisions: Vec<HunkDecision> =
        hunks.iter().map(|hunk| decision_on(&letters, hunk.start as usize, hunk.end as usize)).collect();
    let counted = || hunks.iter().zip(&decisions).filter(|(_, decision)| not_rejected(**decision));
    let count = |wanted| decisions.iter().filter(|decision| **decision == wanted).count() as u32;
    let mut warnings = proposal.warnings.clone();
    let kept = proposal.encoding.as_deref().and_then(Encoding::from_label);
    if let Some(encoding) = kept.filter(|encoding| *encoding != Encoding::Utf8) {
        warnings.push(Warning::new("encodingKept", encoding.label()));
    }
    Operation {
        id: row.id,
        change_set_id: row.change_set_id,
        kind: proposal.kind,
        place: proposal.place.clone(),
        target: proposal.target.clone(),
        file_id: proposal.file_id,
        state: row.state,
        added: counted().map(|(hunk, _)| hunk.added).sum(),
        removed: counted().map(|(hunk, _)| hunk.removed).sum(),
        hunks: decisions.len() as u32,
        hunks_accepted: count(HunkDecision::Accepted),
        hunks_rejected: count(HunkDecision::Rejected),
        sizes,
        contents: proposal.tree.as_ref().and_then(|tree| tree.contents),
        follows: proposal.follows,
        comments: comments
            .iter()
            .filter(|comment| comment.operation_id == row.id)
            .map(|comment| comment.comment.clone())
            .collect(),
        warnings,
        note: proposal.note.clone(),
    }
}
