//! Proposals of new text for a file.

use orangery_domain::{
    ContentHash, FilePlace, Provenance, SessionId, TextEdit, Warning,
    text::{SpliceError, splice},
};
use orangery_store::table::{operation, read};

use super::{Proposals, Proposed, Refusal, basis::Basis, guard, hold, refusal, session_of};
use crate::{
    Error, House, Result,
    anchor::{self, Miss, ReplaceEdit},
    edits,
};

/// What to do with the text of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditRequest {
    /// `occurrence` counts from 1.
    Replace {
        original: String,
        next: String,
        occurrence: Option<u32>,
    },
    Append {
        content: String,
    },
    MultiReplace {
        edits: Vec<ReplaceEdit>,
    },
    Rewrite {
        content: String,
    },
}

impl Proposals {
    /// Proposes an edit of a file's text. `read` is the hash of the file as the session last saw it.
    pub async fn edit(
        &self,
        provenance: &Provenance,
        place: &FilePlace,
        read: Option<ContentHash>,
        request: EditRequest,
    ) -> Result<Proposed, Refusal> {
        let house = &*self.0;
        let session = session_of(provenance);
        let _held = hold(house, provenance).await;
        let asked = place;
        let (place, basis) = house.basis(session, place).await?;
        let read = match (read, session) {
            // What is to be moved was read under the name that it still has on disk.
            (None, Some(session)) if place != *asked || basis.moved_from.is_some() => {
                let known = basis.moved_from.as_ref().unwrap_or(&place);
                read::hash(&house.db, session, known).await?
            }
            _ => read,
        };
        let text = basis.decoded.text.as_str();
        if let Some(refusal) = house.stale(session, &place, read, &basis, &request).await? {
            return Err(refusal);
        }
        let (edits, overlooked) = edits_of(&place, &basis, &request)?;
        if edits.is_empty() {
            return Err(Refusal::NoChange { path: place.path });
        }
        let after = edits::splice(text, &edits);
        if after.trim().is_empty() && !text.trim().is_empty() {
            return Err(Refusal::WouldEmpty { path: place.path });
        }
        // Made once now, so that what cannot be written is refused and not found out at apply.
        splice(&basis.bytes, &basis.decoded, &edits).map_err(|error| match error {
            SpliceError::Unencodable { character, encoding } => {
                Refusal::Unencodable { path: place.path.clone(), character, encoding: encoding.label() }
            }
            error => Refusal::Failed(Error::Splice { path: place.path.clone(), reason: error }),
        })?;

        let (mut proposal, contents) = basis.proposal(&place, &edits)?;
        proposal.warnings.extend(overlooked.iter().map(|what| Warning::new("anchorLoose", *what)));
        let (added_chars, removed_chars) = basis.sizes(&edits);
        let path = &place.path;
        let places = if edits.len() == 1 { "1 place".to_owned() } else { format!("{} places", edits.len()) };
        let mut summary = format!("edit {path}: {places}, +{added_chars} −{removed_chars} characters");
        if !overlooked.is_empty() {
            let mut overlooked = overlooked;
            overlooked.sort_unstable();
            overlooked.dedup();
            summary += &format!("; found although it differs in {}", overlooked.join(", "));
        }
        let proposed = house.propose(None, provenance, &contents, &[proposal], summary).await?;
        Ok(Proposed { added_chars, removed_chars, ..proposed })
    }
}

impl House {
    /// The refusal of an edit by somebody who does not know the file as it is.
    async fn stale(
        &self,
        session: Option<&SessionId>,
        place: &FilePlace,
        read: Option<ContentHash>,
        basis: &Basis,
        request: &EditRequest,
    ) -> Result<Option<Refusal>, Refusal> {
        let Some(disk) = basis.disk else { return Ok(None) };
        if read == Some(disk) || basis.built_on.is_some() {
            return Ok(None);
        }
        if let Some(session) = session
            && operation::session_wrote(self.db.reader(), session, place, disk).await?
        {
            return Ok(None);
        }
        let path = place.path.clone();
        Ok(Some(match read {
            None => Refusal::NotRead { path },
            Some(_) => Refusal::Changed { path, around: around(&basis.decoded.text, request) },
        }))
    }
}

/// The edits that a request means on `text`, and what was overlooked to find them.
fn edits_of(
    place: &FilePlace,
    basis: &Basis,
    request: &EditRequest,
) -> Result<(Vec<TextEdit>, Vec<&'static str>), Refusal> {
    let path = || place.path.clone();
    let text = basis.decoded.text.as_str();
    let fit = |new: &str| guard::check(new, text).map_err(|unfit| Refusal::Unfit { path: path(), unfit });
    let replacements = match request {
        EditRequest::Replace { original, next, occurrence } => vec![ReplaceEdit {
            original: original.clone(),
            next: next.clone(),
            occurrence: *occurrence,
            replace_all: false,
        }],
        EditRequest::MultiReplace { edits } => edits.clone(),
        EditRequest::Append { content } => {
            fit(content)?;
            return Ok((append(text, content).into_iter().collect(), Vec::new()));
        }
        EditRequest::Rewrite { content } => {
            fit(content)?;
            let content = content.strip_prefix('\u{feff}').unwrap_or(content);
            return Ok((anchor::rewrite(text, &keep_final_break(text, content)), Vec::new()));
        }
    };
    for replacement in &replacements {
        fit(&replacement.original)?;
        fit(&replacement.next)?;
    }
    let located = anchor::locate(text, &replacements).map_err(|miss| Refusal::Anchor {
        path: path(),
        of: replacements.len(),
        around: refusal::context(text, &miss),
        now: Box::new(refusal::Now {
            content: ContentHash::of(&basis.bytes),
            pending: basis.built_on.is_some(),
        }),
        miss,
    })?;
    // Each text is short enough; put in at many places they may be too much all the same.
    guard::fits(located.edits.iter().map(|edit| edit.insert.len()).sum())
        .map_err(|unfit| Refusal::Unfit { path: path(), unfit })?;
    Ok((located.edits, located.overlooked))
}

/// Whether the last line of a file has a line break is a habit of the file, not of who rewrites it.
fn keep_final_break(text: &str, content: &str) -> String {
    let content = anchor::line_feeds(content);
    if text.is_empty() || content.is_empty() {
        return content;
    }
    match (text.ends_with(['\n', '\r']), content.strip_suffix('\n')) {
        (true, None) => content + "\n",
        (false, Some(shorter)) => shorter.to_owned(),
        _ => content,
    }
}

/// New lines at the end, whether or not the last one had a line break.
fn append(text: &str, content: &str) -> Option<TextEdit> {
    let mut insert = keep_final_break(text, content);
    if insert.is_empty() {
        return None;
    }
    if !text.is_empty() && !text.ends_with(['\n', '\r']) {
        insert.insert(0, '\n');
    }
    let ending = crate::diff::Lines::of(text).ending_near(text.len()).unwrap_or("\n");
    if ending != "\n" {
        insert = insert.replace('\n', ending);
    }
    Some(TextEdit { range: text.len()..text.len(), insert })
}

/// Of a file that changed, this many lines are shown where nothing says which are meant.
const SHOWN_LINES: usize = 20;
/// Around each place that is meant.
const CONTEXT: usize = 3;

/// The text where a request wanted to work, as it is now.
fn around(text: &str, request: &EditRequest) -> String {
    let count = crate::diff::Lines::of(text).count();
    let originals: Vec<&String> = match request {
        EditRequest::Replace { original, .. } => vec![original],
        EditRequest::MultiReplace { edits } => edits.iter().map(|edit| &edit.original).collect(),
        EditRequest::Append { .. } => return anchor::around(text, count as u32, CONTEXT),
        // All of it is meant, and has to be read.
        EditRequest::Rewrite { .. } => return String::new(),
    };
    let mut lines: Vec<u32> = originals.into_iter().filter_map(|original| line_of(text, original)).collect();
    lines.sort_unstable();
    lines.dedup_by(|next, line| *next <= *line + 2 * CONTEXT as u32);
    if lines.is_empty() {
        // What it quotes is gone without a trace.
        let rest = if count > SHOWN_LINES { "...\n" } else { "" };
        return anchor::around(text, 1, SHOWN_LINES - 1) + rest;
    }
    let places = lines.iter().take(refusal::SHOWN_PLACES).map(|line| anchor::around(text, *line, CONTEXT));
    places.collect::<Vec<_>>().join("...\n")
}

/// Where `original` is, or what comes nearest to it.
fn line_of(text: &str, original: &str) -> Option<u32> {
    let wanted = [ReplaceEdit { original: original.to_owned(), ..ReplaceEdit::default() }];
    match anchor::locate(text, &wanted) {
        Ok(located) => {
            let edit = located.edits.first()?;
            Some(crate::diff::Lines::of(text).at(edit.range.start) as u32 + 1)
        }
        Err(Miss::Ambiguous { lines, .. }) => lines.first().copied(),
        Err(Miss::Missing { nearest, .. }) => nearest.first().map(|near| near.differs_at),
        Err(_) => None,
    }
}
