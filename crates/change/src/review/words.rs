//! The user's own words in place of what was proposed.

use orangery_domain::{
    HunkDecision, OperationDiff, OperationId, OperationKind, OperationState, TextEdit, Warning, text::splice,
};
use orangery_store::{
    blob::Packed,
    table::{blob, comment, operation, shape},
};

use super::{missing, over, settle_set};
use crate::{
    Changes, Error, Result, anchor,
    comment::{Texts, anchor as anchor_comments},
    diff::{Lines, TextHunk, ending},
    edits::{self, shrink},
    operation::{Loaded, decisions_to_letters, load, state_of, to_json},
};

impl Changes {
    /// The lines of a hunk from its first changed one to its last become `text`; no text takes them out.
    /// The hunk keeps its place in the list, and what it makes is what is applied. Lines as they are in
    /// the file reject the hunk: it has to stay, as every hunk does, to be seen and proposed again.
    pub async fn edit_proposal(&self, id: OperationId, hunk: u32, text: &str) -> Result<OperationDiff> {
        let house = self.house();
        let set = house.operation(id).await?.change_set_id;
        {
            let _held = house.locks.set(set).await;
            let (set, _) = house.set(set).await?;
            let mut loaded = load(&house.db, house.operation(id).await?).await?;
            over::still_open(&set, &loaded.row)?;
            match (loaded.row.state, loaded.kind()) {
                (OperationState::Conflict, _) => return Err(Error::InConflict(id)),
                (_, OperationKind::Edit | OperationKind::CreateFile) => {}
                _ => return Err(missing("hunk", hunk)),
            }
            let hunks = loaded.diff().hunks;
            let found = hunks.get(hunk as usize).ok_or_else(|| missing("hunk", hunk))?;
            let edited = reword(&mut loaded, found, text)?;
            if edited {
                let mark = Warning::new("editedByUser", hunk.to_string());
                if !loaded.row.proposal.warnings.contains(&mark) {
                    loaded.row.proposal.warnings.push(mark);
                }
            }
            let stored = Packed::new(&to_json(&loaded.edits)?);
            let letters = decisions_to_letters(&loaded.decisions);
            let comments = comment::of_operation(house.db.reader(), id).await?;

            let mut write = house.db.write().await?;
            if edited {
                blob::put(&mut write, &stored).await?;
                loaded.row.proposal.edits = Some(stored.hash());
                operation::trim(&mut write, id, stored.hash(), &letters).await?;
                let proposal = &loaded.row.proposal;
                operation::set_remarks(&mut write, id, &proposal.warnings, proposal.note.as_ref()).await?;
                shape::put(&mut write, id, &loaded.shape()).await?;
                anchor_comments(&mut write, &comments, id, &Texts::of(&loaded)).await?;
            }
            operation::decide(&mut write, id, state_of(&loaded.decisions), &letters).await?;
            settle_set(&mut write, set.id, None).await?;
            write.commit().await.map_err(orangery_store::Error::from)?;
            house.restack(set.id).await?;
        }
        self.diff(id).await
    }
}

/// Puts `text` in place of a hunk's new lines; false when that is what the file says, and the hunk is
/// rejected instead.
fn reword(loaded: &mut Loaded, hunk: &TextHunk, text: &str) -> Result<bool> {
    let base = loaded.base_text();
    let new = edits::splice(base, &loaded.edits);
    let lines = Lines::of(base);
    let range = lines.range(hunk.changed.clone());
    let old = base.get(range.clone()).unwrap_or_default();
    let wanted = close_last_line(&lines, &Lines::of(&new), hunk, text);
    let insert = if hunk.changed.is_empty() {
        match lines.ending_near(range.start) {
            Some(ending) => wanted.replace('\n', ending),
            None => wanted,
        }
    } else {
        // Lines that are as they were keep their endings.
        edits::splice(old, &anchor::rewrite(old, &wanted))
    };
    if insert == old {
        if let Some(own) = loaded.decisions.get_mut(hunk.edits.clone()) {
            own.fill(HunkDecision::Rejected);
        }
        return Ok(false);
    }
    let decision = match loaded.decision(hunk.edits.clone()) {
        HunkDecision::Rejected => HunkDecision::Undecided,
        other => other,
    };
    // One edit for the whole: so it stays one hunk, whatever its lines have in common with the old ones.
    let Some(edit) = shrink(base, TextEdit { range, insert }) else { return Ok(false) };
    loaded.edits.splice(hunk.edits.clone(), [edit]);
    loaded.decisions.splice(hunk.edits.clone(), [decision]);
    if let Some(decoded) = &loaded.decoded {
        let bytes = loaded.base.as_deref().unwrap_or_default();
        splice(bytes, decoded, &loaded.edits).map_err(Error::splice(loaded.place()))?;
    }
    Ok(true)
}

/// `text` with LF, and a last line break where one belongs: before more lines always, at the end of the
/// file as the proposal has it there.
fn close_last_line(old: &Lines<'_>, new: &Lines<'_>, hunk: &TextHunk, text: &str) -> String {
    let mut text = anchor::line_feeds(text);
    if text.is_empty() {
        return text;
    }
    let at_end = hunk.changed.end == old.count();
    let last = |lines: &Lines<'_>, rows: &std::ops::Range<usize>| {
        rows.end.checked_sub(1).filter(|_| !rows.is_empty()).map(|row| ending(lines.full(row)).is_some())
    };
    let broken = !at_end || last(new, &hunk.became).or_else(|| last(old, &hunk.changed)).unwrap_or(true);
    match (broken, text.ends_with('\n')) {
        (true, false) => text.push('\n'),
        (false, true) => {
            text.pop();
        }
        _ => {}
    }
    text
}
