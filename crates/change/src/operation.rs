//! An operation with its base and edits at hand.

use orangery_domain::{
    ContentHash, FileKind, FilePlace, HunkDecision, OperationKind, OperationState, TextEdit,
    text::{Decoded, Encoding, decode, splice},
};
use orangery_store::{
    Db,
    table::{
        blob,
        operation::{OperationRow, Proposal},
    },
};

use crate::{
    Error, Result,
    diff::{TextDiff, between, hunks},
    edits,
};

/// An operation as stored, with what its hashes stand for.
#[derive(Debug)]
pub struct Loaded {
    pub row: OperationRow,
    /// Absent where nothing was.
    pub base: Option<Vec<u8>>,
    /// The decoded base; empty where nothing was; absent for folders and for what is no text.
    pub decoded: Option<Decoded>,
    pub edits: Vec<TextEdit>,
    /// What it makes, where that is known to the last byte.
    exact: Option<Vec<u8>>,
    /// One for each edit, or one for an operation without edits.
    pub decisions: Vec<HunkDecision>,
}

pub async fn load(db: &Db, row: OperationRow) -> Result<Loaded> {
    let mut loaded = load_all(db, vec![row]).await?;
    loaded.pop().ok_or_else(|| Error::Internal("an operation was lost".into()))
}

/// Operations that are loaded at once; their contents are in memory twice while they are.
const LOADED: usize = 256;

/// As [`load`], for many in their order.
pub async fn load_all(db: &Db, rows: Vec<OperationRow>) -> Result<Vec<Loaded>> {
    let mut out = Vec::with_capacity(rows.len());
    let mut rows = rows.into_iter().peekable();
    while rows.peek().is_some() {
        let some: Vec<OperationRow> = rows.by_ref().take(LOADED).collect();
        let hashes =
            some.iter().flat_map(|row| [row.proposal.base, row.proposal.edits, exact_of(row)]).flatten();
        let contents = blob::get_all(db.reader(), &hashes.collect::<Vec<_>>()).await?;
        let content = |hash: ContentHash| {
            let missing = || orangery_store::Error::Stored { what: "no content", value: hash.to_hex() };
            contents.get(&hash).ok_or_else(missing)
        };
        for row in some {
            let base = row.proposal.base.map(content).transpose()?.cloned();
            let exact = exact_of(&row).map(content).transpose()?.cloned();
            let edits = match row.proposal.edits {
                Some(hash) => from_json(content(hash)?)?,
                None => Vec::new(),
            };
            let decoded = match row.proposal.encoding.as_deref().and_then(Encoding::from_label) {
                Some(encoding) => Some(decode_as(base.as_deref().unwrap_or_default(), encoding)?),
                None => None,
            };
            let decisions = letters_to_decisions(&row.proposal.decisions);
            out.push(Loaded { row, base, decoded, edits, exact, decisions });
        }
    }
    Ok(out)
}

/// What an operation makes of one file. What a whole file or folder is brought back from is looked for when it is.
fn exact_of(row: &OperationRow) -> Option<ContentHash> {
    row.proposal.exact.filter(|_| !is_whole(row.proposal.kind))
}

/// Decodes bytes whose encoding was settled when the operation was proposed.
pub fn decode_as(bytes: &[u8], encoding: Encoding) -> Result<Decoded> {
    decode(bytes, Some(encoding), &[]).map_err(|error| Error::Internal(error.to_string()))
}

impl Loaded {
    pub fn place(&self) -> &FilePlace {
        &self.row.proposal.place
    }

    pub fn kind(&self) -> OperationKind {
        self.row.proposal.kind
    }

    /// Whether it moves, deletes or brings back a whole file or folder.
    pub fn is_whole(&self) -> bool {
        is_whole(self.kind())
    }

    /// Whether it makes or removes a folder.
    pub fn is_folder(&self) -> bool {
        is_folder(&self.row.proposal)
    }

    pub fn base_text(&self) -> &str {
        self.decoded.as_ref().map_or("", |decoded| &decoded.text)
    }

    /// Edits whose decision `wanted` lets through, with their positions in the list.
    pub fn chosen(&self, wanted: impl Fn(HunkDecision) -> bool) -> Vec<TextEdit> {
        let pairs = self.edits.iter().zip(&self.decisions);
        pairs.filter(|(_, decision)| wanted(**decision)).map(|(edit, _)| edit.clone()).collect()
    }

    /// Whether every edit is let through, so that the bytes known to the last can be used.
    fn whole(&self, wanted: impl Fn(HunkDecision) -> bool) -> bool {
        self.decisions.iter().all(|decision| wanted(*decision))
    }

    /// The bytes it makes of its own base with the edits that `wanted` lets through; `None` where the
    /// file goes.
    pub fn result(&self, wanted: impl Fn(HunkDecision) -> bool + Copy) -> Result<Option<Vec<u8>>> {
        if self.kind() == OperationKind::RemoveCreated {
            return Ok(None);
        }
        if self.row.proposal.exact.is_some()
            && let (Some(exact), true) = (&self.exact, self.whole(wanted))
        {
            return Ok(Some(exact.clone()));
        }
        self.spliced(&self.chosen(wanted)).map(Some)
    }

    /// `edits` of the base, made.
    fn spliced(&self, edits: &[TextEdit]) -> Result<Vec<u8>> {
        let base = self.base.as_deref().unwrap_or_default();
        match &self.decoded {
            Some(decoded) => splice(base, decoded, edits).map_err(Error::splice(self.place())),
            None => Ok(base.to_owned()),
        }
    }

    /// The bytes it makes of `current`, which is not its base, when that can be done without touching
    /// what was changed between the two.
    pub fn result_on(
        &self,
        current: &[u8],
        wanted: impl Fn(HunkDecision) -> bool,
    ) -> Result<Option<Vec<u8>>> {
        let Some(decoded) = &self.decoded else { return Ok(None) };
        let now = decode_as(current, decoded.encoding)?;
        let over = between(&decoded.text, &now.text);
        let Some(moved) = edits::rebase_by_lines(&decoded.text, &self.chosen(wanted), &over) else {
            return Ok(None);
        };
        splice(current, &now, &moved).map(Some).map_err(Error::splice(self.place()))
    }

    /// Its hunks, of what was proposed; empty for folders.
    pub fn diff(&self) -> TextDiff {
        let base = self.base_text();
        let markdown = FileKind::of_name(self.place().path.name()) == FileKind::Markdown;
        hunks(base, &edits::splice(base, &self.edits), &self.edits, markdown)
    }

    /// What the edits of a hunk have in common.
    pub fn decision(&self, edits: std::ops::Range<usize>) -> HunkDecision {
        crate::shape::decision_on(&self.decisions, edits.start, edits.end)
    }
}

pub fn is_folder(proposal: &Proposal) -> bool {
    match proposal.kind {
        OperationKind::CreateFolder => true,
        OperationKind::RemoveCreated => proposal.base.is_none(),
        OperationKind::Move | OperationKind::Delete | OperationKind::BringBack => {
            proposal.tree.as_ref().is_some_and(|tree| tree.folder)
        }
        OperationKind::Edit | OperationKind::CreateFile => false,
    }
}

/// A proposal about `place` that says nothing else yet.
pub fn blank(kind: OperationKind, place: &FilePlace) -> Proposal {
    Proposal {
        kind,
        place: place.clone(),
        file_id: None,
        base: None,
        encoding: None,
        edits: None,
        decisions: undecided(&[]),
        exact: None,
        built_on: None,
        warnings: Vec::new(),
        note: None,
        target: None,
        tree: None,
        follows: None,
    }
}

pub fn is_whole(kind: OperationKind) -> bool {
    match kind {
        OperationKind::Move | OperationKind::Delete | OperationKind::BringBack => true,
        OperationKind::Edit
        | OperationKind::CreateFile
        | OperationKind::CreateFolder
        | OperationKind::RemoveCreated => false,
    }
}

/// What decisions amount to.
pub fn state_of(decisions: &[HunkDecision]) -> OperationState {
    if decisions.contains(&HunkDecision::Undecided) {
        OperationState::Undecided
    } else if decisions.contains(&HunkDecision::Accepted) {
        OperationState::Accepted
    } else {
        OperationState::Rejected
    }
}

pub fn not_rejected(decision: HunkDecision) -> bool {
    decision != HunkDecision::Rejected
}

pub fn accepted(decision: HunkDecision) -> bool {
    decision == HunkDecision::Accepted
}

pub fn letters_to_decisions(letters: &str) -> Vec<HunkDecision> {
    let decision = |letter| match letter {
        'a' => HunkDecision::Accepted,
        'r' => HunkDecision::Rejected,
        _ => HunkDecision::Undecided,
    };
    letters.chars().map(decision).collect()
}

pub fn decisions_to_letters(decisions: &[HunkDecision]) -> String {
    let letter = |decision: &HunkDecision| match decision {
        HunkDecision::Accepted => 'a',
        HunkDecision::Rejected => 'r',
        HunkDecision::Undecided => 'u',
    };
    decisions.iter().map(letter).collect()
}

/// Undecided letters for a new operation.
pub fn undecided(edits: &[TextEdit]) -> String {
    "u".repeat(edits.len().max(1))
}

pub fn to_json(edits: &[TextEdit]) -> Result<Vec<u8>> {
    let rows: Vec<(usize, usize, &str)> =
        edits.iter().map(|edit| (edit.range.start, edit.range.end, edit.insert.as_str())).collect();
    serde_json::to_vec(&rows).map_err(|error| Error::Internal(error.to_string()))
}

pub fn from_json(bytes: &[u8]) -> Result<Vec<TextEdit>> {
    let rows: Vec<(usize, usize, String)> =
        serde_json::from_slice(bytes).map_err(|error| Error::Internal(error.to_string()))?;
    Ok(rows.into_iter().map(|(start, end, insert)| TextEdit { range: start..end, insert }).collect())
}

/// The empty text of a file that is not there yet.
pub fn nothing() -> Decoded {
    Decoded {
        text: String::new(),
        encoding: Encoding::Utf8,
        bom: false,
        line_ending: orangery_domain::LineEnding::Lf,
        dominant: orangery_domain::text::Ending::Lf,
        malformed: false,
    }
}

/// Whether `hash` is what `bytes` are.
pub fn is(hash: Option<ContentHash>, bytes: Option<&[u8]>) -> bool {
    hash == bytes.map(ContentHash::of)
}
