//! Proposals: what somebody wants to change, kept for review. Nothing here writes a file.

mod create;
mod guard;
mod refusal;
mod restore;
mod tree;
mod view;

use std::{collections::HashMap, sync::Arc};

use orangery_domain::{
    ChangeSetId, ContentHash, FilePlace, KbPath, OperationId, OperationKind, Provenance, SessionId, TextEdit,
    TurnId, Warning,
    text::{Decoded, Encoding, SpliceError, splice},
};
use orangery_store::{
    blob::Packed,
    table::{
        blob,
        operation::{self, Proposal},
        shape,
    },
};

use crate::{
    Error, House, Result,
    anchor::{self, Miss, ReplaceEdit},
    disk::{Found, Known, known, known_beside, look_at},
    edits,
    operation::{Loaded, load, not_rejected, to_json, undecided},
    review,
};

pub(crate) use create::folder;
pub use guard::{REDACTION_MARK, TRUNCATION_MARK};
pub use refusal::Refusal;
pub use tree::LinkUpdate;
pub(crate) use view::{Now, View};

/// Can propose changes, and do nothing else.
#[derive(Clone)]
pub struct Proposals(pub(crate) Arc<House>);

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

/// A proposal that waits for review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    pub change_set_id: ChangeSetId,
    pub operation_id: OperationId,
    /// Operations that must be applied before it, in order: the folders that a new file needs.
    pub needs: Vec<OperationId>,
    /// One line, for models and people.
    pub summary: String,
    pub added_chars: usize,
    pub removed_chars: usize,
    /// The file steers assistants: at no level is it changed without review.
    pub review_always: bool,
}

/// A file with a session's own pending changes in place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingText {
    pub text: String,
    /// Of the file on disk that the changes are proposed for; absent where it is not there yet.
    pub base: Option<ContentHash>,
}

/// Whether the file at `path` steers assistants: `AGENTS.md` and everything under `.orange/`.
pub fn is_review_always(path: &KbPath) -> bool {
    path.components().any(|part| part.eq_ignore_ascii_case(".orange"))
        || path.name().eq_ignore_ascii_case("AGENTS.md")
}

/// What an edit is made on: the file, or the file with the session's pending changes.
struct Basis {
    /// The file on disk.
    disk: Option<ContentHash>,
    bytes: Vec<u8>,
    /// The bytes on disk.
    on_disk: Option<Vec<u8>>,
    decoded: Decoded,
    /// The pending operation whose result this is.
    built_on: Option<OperationId>,
    /// Where the file is on disk, when it is to be moved.
    moved_from: Option<FilePlace>,
    known: Known,
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
        let _held = match session {
            Some(session) => Some(house.locks.session(session).await),
            None => None,
        };
        let asked = place;
        let (place, basis) = house.basis(session, place).await?;
        let read = match (read, session) {
            // What is to be moved was read under the name that it still has on disk.
            (None, Some(session)) if place != *asked || basis.moved_from.is_some() => {
                let known = basis.moved_from.as_ref().unwrap_or(&place);
                orangery_store::table::read::hash(&house.db, session, known).await?
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

        let base = Packed::new(&basis.bytes);
        let stored_edits = Packed::new(&to_json(&edits)?);
        let mut warnings: Vec<Warning> =
            overlooked.iter().map(|what| Warning::new("anchorLoose", *what)).collect();
        let review_always = is_review_always(&place.path);
        if review_always {
            warnings.push(Warning::new("reviewAlways", ""));
        }
        let proposal = Proposal {
            kind: OperationKind::Edit,
            file_id: basis.known.file_id,
            base: Some(base.hash()),
            encoding: Some(basis.decoded.encoding.label().to_owned()),
            edits: Some(stored_edits.hash()),
            decisions: undecided(&edits),
            exact: None,
            built_on: basis.built_on,
            warnings,
            note: None,
            target: None,
            tree: None,
            follows: None,
            place,
        };
        let (change_set_id, ids) =
            house.store(provenance, &[base, stored_edits], std::slice::from_ref(&proposal)).await?;
        let (operation_id, needs) = with_needs(ids)?;
        let added_chars = edits.iter().map(|edit| edit.insert.chars().count()).sum();
        let removed_chars =
            edits.iter().map(|edit| text.get(edit.range.clone()).unwrap_or_default().chars().count()).sum();
        let path = &proposal.place.path;
        let places = if edits.len() == 1 { "1 place".to_owned() } else { format!("{} places", edits.len()) };
        let mut summary = format!("edit {path}: {places}, +{added_chars} −{removed_chars} characters");
        if !overlooked.is_empty() {
            let mut overlooked = overlooked;
            overlooked.sort_unstable();
            overlooked.dedup();
            summary += &format!("; found despite different {}", overlooked.join(", "));
        }
        Ok(Proposed {
            change_set_id,
            operation_id,
            needs,
            summary,
            added_chars,
            removed_chars,
            review_always,
        })
    }

    /// The file with the session's own pending changes in place; `None` when there are none that
    /// still fit the file.
    pub async fn pending_text(
        &self,
        session: &SessionId,
        place: &FilePlace,
    ) -> Result<Option<PendingText>, Refusal> {
        let basis = match self.0.basis(Some(session), place).await {
            Ok((_, basis)) => basis,
            Err(Refusal::NotThere { .. } | Refusal::NotAFile { .. } | Refusal::Going { .. }) => {
                return Ok(None);
            }
            Err(refusal) => return Err(refusal),
        };
        let pending = basis.built_on.is_some() || basis.moved_from.is_some();
        Ok(pending.then_some(PendingText { text: basis.decoded.text, base: basis.disk }))
    }
}

impl House {
    /// What the next edit of `place` in the session is made on, and the place as the disk spells it.
    async fn basis(
        &self,
        session: Option<&SessionId>,
        place: &FilePlace,
    ) -> Result<(FilePlace, Basis), Refusal> {
        let place = self.spelled_new(place).await?;
        let view = self.view(session, &[&place]).await?;
        self.basis_in(&view, place, None).await
    }

    /// As [`House::basis`], for a place spelled as on disk that `view` takes in.
    async fn basis_in(
        &self,
        view: &View,
        mut place: FilePlace,
        prior: Option<&[Encoding]>,
    ) -> Result<(FilePlace, Basis), Refusal> {
        match view.now(&place) {
            Now::Going(with) => return Err(Refusal::Going { path: place.path, with: with.path }),
            Now::Moved(to) => place = to,
            Now::OnDisk(_) | Now::Proposed => {}
        }
        let disk = view.disk(&place);
        let found = match &disk {
            Some(disk) => match look_at(&self.roots, disk).await {
                // The parent may be a proposal too.
                Err(error) if error.kind() == orangery_domain::ErrorKind::NotFound => None,
                other => Some(other?),
            },
            None => None,
        };
        let disk = disk.unwrap_or_else(|| place.clone());
        let known = match prior {
            Some(prior) => known_beside(&self.db, &disk, prior).await?,
            None => known(&self.db, &disk).await?,
        };
        let on_disk = match found.map(|disk| disk.found) {
            Some(Found::Folder) => return Err(Refusal::NotAFile { path: place.path }),
            Some(Found::File(bytes)) => Some(bytes),
            Some(Found::Nothing) | None => None,
        };
        let hash = on_disk.as_deref().map(ContentHash::of);
        let moved_from = (!crate::tree::same_place(&disk, &place)).then_some(disk);

        let chain = self.chain(view, &place, on_disk.as_deref()).await?;
        if let Some((bytes, last)) = chain {
            let decoded = match &last.decoded {
                Some(decoded) => crate::operation::decode_as(&bytes, decoded.encoding)?,
                None => known.decode(&place, &bytes)?,
            };
            let built_on = Some(last.row.id);
            return Ok((place, Basis { disk: hash, bytes, on_disk, decoded, built_on, moved_from, known }));
        }
        let Some(bytes) = on_disk else {
            return Err(Refusal::NotThere { path: place.path });
        };
        let decoded = known.decode(&place, &bytes)?;
        let on_disk = Some(bytes.clone());
        Ok((place, Basis { disk: hash, bytes, on_disk, decoded, built_on: None, moved_from, known }))
    }

    /// The file with the session's pending operations made one after the other, and the last of them;
    /// `None` when there are none, or when the file moved away from under them.
    async fn chain(
        &self,
        view: &View,
        place: &FilePlace,
        disk: Option<&[u8]>,
    ) -> Result<Option<(Vec<u8>, Loaded)>> {
        let mut current = disk.map(<[u8]>::to_vec);
        let mut last = None;
        for row in view.contents_of(place) {
            let loaded = load(&self.db, row.clone()).await?;
            if loaded.is_folder() || loaded.kind() == OperationKind::RemoveCreated {
                return Ok(None);
            }
            let next = if crate::operation::is(loaded.row.proposal.base, current.as_deref()) {
                loaded.result(&self.db, not_rejected).await?
            } else if last.is_some() {
                // A hunk of the one before was rejected since.
                match &current {
                    Some(current) => loaded.result_on(current, not_rejected)?,
                    None => None,
                }
            } else {
                None
            };
            let Some(next) = next else { return Ok(None) };
            current = Some(next);
            last = Some(loaded);
        }
        Ok(current.zip(last))
    }

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

    /// Stores proposals in the session's open change set, or in one of their own.
    pub(crate) async fn store(
        &self,
        provenance: &Provenance,
        contents: &[Packed],
        proposals: &[Proposal],
    ) -> Result<(ChangeSetId, Vec<OperationId>)> {
        self.store_in(None, provenance, contents, proposals).await
    }

    /// As [`House::store`], in a set that is there already if one is named. A proposal promises nothing of
    /// files, so it waits for no disk.
    async fn store_in(
        &self,
        set: Option<ChangeSetId>,
        provenance: &Provenance,
        contents: &[Packed],
        proposals: &[Proposal],
    ) -> Result<(ChangeSetId, Vec<OperationId>)> {
        let at_hand: HashMap<ContentHash, &Packed> =
            contents.iter().map(|packed| (packed.hash(), packed)).collect();
        let mut shapes = Vec::with_capacity(proposals.len());
        for proposal in proposals {
            shapes.push(self.shape_of(proposal, &at_hand).await?);
        }
        let mut write = self.db.write_soon().await?;
        for content in contents {
            blob::put(&mut write, content).await?;
        }
        let set = match set {
            Some(set) => set,
            None => review::open_set(&mut write, provenance).await?,
        };
        let mut ids = Vec::with_capacity(proposals.len());
        for (proposal, shape) in proposals.iter().zip(&shapes) {
            let id = operation::insert(&mut write, set, proposal, turn_of(provenance)).await?;
            if let Some(shape) = shape {
                shape::put(&mut write, id, shape).await?;
            }
            ids.push(id);
        }
        review::reopen(&mut write, set).await?;
        write.commit().await.map_err(orangery_store::Error::from)?;
        Ok((set, ids))
    }
}

fn session_of(provenance: &Provenance) -> Option<&SessionId> {
    match provenance {
        Provenance::Assistant { session_id, .. } => Some(session_id),
        _ => None,
    }
}

fn turn_of(provenance: &Provenance) -> Option<TurnId> {
    match provenance {
        Provenance::Assistant { turn_id, .. } => *turn_id,
        _ => None,
    }
}

/// The last operation and those before it.
fn with_needs(mut ids: Vec<OperationId>) -> Result<(OperationId, Vec<OperationId>)> {
    let last = ids.pop().ok_or_else(|| Error::Internal("nothing was stored".into()))?;
    Ok((last, ids))
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

/// The text where a request wanted to work, as it is now.
fn around(text: &str, request: &EditRequest) -> String {
    let original = match request {
        EditRequest::Replace { original, .. } => original,
        EditRequest::MultiReplace { edits } => match edits.first() {
            Some(edit) => &edit.original,
            None => return String::new(),
        },
        EditRequest::Append { .. } | EditRequest::Rewrite { .. } => return String::new(),
    };
    let wanted = [ReplaceEdit { original: original.clone(), next: String::new(), ..ReplaceEdit::default() }];
    let line = match anchor::locate(text, &wanted) {
        Ok(located) => {
            located.edits.first().map(|edit| crate::diff::Lines::of(text).at(edit.range.start) as u32 + 1)
        }
        Err(Miss::Ambiguous { lines, .. }) => lines.first().copied(),
        Err(Miss::Missing { nearest, .. }) => nearest.first().map(|near| near.differs_at),
        Err(_) => None,
    };
    line.map_or_else(String::new, |line| anchor::around(text, line, 3))
}
