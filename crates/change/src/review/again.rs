//! What was rejected is proposed again.

use std::collections::HashMap;

use orangery_domain::{
    ChangeSet, ChangeSetId, ChangeSetState, HunkDecision, OperationId, OperationKind, OperationState,
    Provenance, TextEdit, text::splice,
};
use orangery_store::{
    blob::Packed,
    now_ms,
    table::{
        blob, change_set,
        operation::{self, OperationRow, Proposal},
        shape,
    },
};

use super::{missing, over, settle_set};
use crate::{
    Changes, Error, House, Result,
    diff::between,
    edits,
    merge::Merge,
    note,
    operation::{Loaded, decisions_to_letters, load, state_of, to_json, undecided},
};

/// What is proposed anew, with what it needs stored.
struct Anew {
    proposal: Proposal,
    contents: Vec<Packed>,
    /// Both changed the same lines since: the user has to choose.
    meets: bool,
}

impl Changes {
    /// Takes rejected hunks up again, one or all. In a set that is still open, on a file that is as it
    /// was, they wait again where they are. Else they become an operation of their own on the file as it
    /// is now: a conflict where they meet what changed since. What was rejected stays where it is, to be
    /// read. Gives the set in which they wait.
    ///
    /// # Errors
    /// `Invalid` when nothing of it is rejected, or the file says so already.
    pub async fn propose_again(&self, id: OperationId, hunk: Option<u32>) -> Result<ChangeSet> {
        let house = self.house();
        let own = house.operation(id).await?.change_set_id;
        let set = {
            let _held = house.locks.set(own).await;
            let (set, rows) = house.set(own).await?;
            let mut loaded = load(&house.db, house.operation(id).await?).await?;
            if over::is_superseded(&loaded.row) {
                return Err(Error::Superseded(id));
            }
            let taken = take_up(&mut loaded, hunk)?;
            let open = match set.state {
                ChangeSetState::Pending | ChangeSetState::PartlyApplied | ChangeSetState::Rejected => true,
                ChangeSetState::Applied | ChangeSetState::Undone => false,
            };
            if open && loaded.row.state != OperationState::Applied && house.fits(&loaded, &rows).await? {
                let letters = decisions_to_letters(&loaded.decisions);
                let mut write = house.db.write().await?;
                operation::decide(&mut write, id, state_of(&loaded.decisions), &letters).await?;
                settle_set(&mut write, own, None).await?;
                write.commit().await.map_err(orangery_store::Error::from)?;
                house.restack(own).await?;
                own
            } else {
                let anew = house.anew(&loaded, &taken).await?;
                let set = if open { own } else { house.open_set(&set.provenance).await? };
                house.add(set, anew).await?;
                set
            }
        };
        self.get(set).await
    }
}

/// Makes the rejected edits of `hunk`, or all, undecided, and says which they were.
fn take_up(loaded: &mut Loaded, hunk: Option<u32>) -> Result<Vec<usize>> {
    let range = match hunk {
        Some(index) => {
            let hunks = loaded.shape().hunks;
            let hunk = hunks.get(index as usize).ok_or_else(|| missing("hunk", index))?;
            hunk.start as usize..hunk.end as usize
        }
        None => 0..loaded.decisions.len(),
    };
    let mut taken = Vec::new();
    for at in range {
        if let Some(decision) = loaded.decisions.get_mut(at)
            && *decision == HunkDecision::Rejected
        {
            *decision = HunkDecision::Undecided;
            taken.push(at);
        }
    }
    // An operation that is over without a hunk being rejected was given up as a whole.
    if taken.is_empty() && loaded.row.state == OperationState::Rejected {
        taken = (0..loaded.decisions.len()).collect();
        loaded.decisions.fill(HunkDecision::Undecided);
    }
    if taken.is_empty() { Err(Error::NothingRejected(loaded.row.id)) } else { Ok(taken) }
}

impl House {
    /// Whether the operation can still be applied where it stands: on the file, or on others of its set
    /// that wait.
    async fn fits(&self, loaded: &Loaded, rows: &[OperationRow]) -> Result<bool> {
        if !matches!(loaded.kind(), OperationKind::Edit | OperationKind::CreateFile) {
            return Ok(true);
        }
        let now = self.now(loaded).await?.hash();
        let mut row = &loaded.row;
        loop {
            if row.proposal.base == now {
                return Ok(true);
            }
            match row.proposal.built_on.and_then(|on| rows.iter().find(|row| row.id == on)) {
                Some(under) if under.id < row.id && under.state != OperationState::Conflict => row = under,
                _ => return Ok(false),
            }
        }
    }

    /// The edits `taken` of an operation on the file as it is now.
    async fn anew(&self, loaded: &Loaded, taken: &[usize]) -> Result<Anew> {
        let note = Some(note::again(loaded.row.id));
        let row = &loaded.row.proposal;
        let same = |contents| Anew {
            proposal: Proposal {
                decisions: undecided(&[]),
                built_on: None,
                note: note.clone(),
                ..row.clone()
            },
            contents,
            meets: false,
        };
        if loaded.decoded.is_none()
            || !matches!(loaded.kind(), OperationKind::Edit | OperationKind::CreateFile)
        {
            return Ok(same(Vec::new()));
        }
        let wanted: Vec<TextEdit> = taken.iter().filter_map(|at| loaded.edits.get(*at)).cloned().collect();
        let now = self.now(loaded).await?;
        let stored = Packed::new(&to_json(&wanted)?);
        // As it was, to be applied where the file is as it was or gone, and to be resolved where not.
        let as_it_was = |meets| Anew {
            proposal: Proposal {
                edits: Some(stored.hash()),
                decisions: undecided(&wanted),
                exact: None,
                built_on: None,
                note: note.clone(),
                ..row.clone()
            },
            contents: vec![stored.clone()],
            meets,
        };
        if now.hash() == row.base {
            return Ok(as_it_was(false));
        }
        let (Some(bytes), Some(text)) = (&now.bytes, &now.decoded) else { return Ok(as_it_was(true)) };
        let proposal = edits::splice(loaded.base_text(), &wanted);
        let Ok(merged) = Merge::of(loaded.base_text(), &text.text, &proposal).text(&[]) else {
            return Ok(as_it_was(true));
        };
        let edits = between(&text.text, &merged);
        if edits.is_empty() {
            return Err(Error::ThereAlready { path: loaded.place().path.clone() });
        }
        splice(bytes, text, &edits).map_err(Error::splice(loaded.place()))?;
        let (base, stored) = (Packed::new(bytes), Packed::new(&to_json(&edits)?));
        Ok(Anew {
            proposal: Proposal {
                kind: OperationKind::Edit,
                base: Some(base.hash()),
                encoding: Some(text.encoding.label().to_owned()),
                edits: Some(stored.hash()),
                decisions: undecided(&edits),
                exact: None,
                built_on: None,
                note,
                ..row.clone()
            },
            contents: vec![base, stored],
            meets: false,
        })
    }

    /// The set of the same session that still waits, else a new one: what is finished stays so.
    async fn open_set(&self, provenance: &Provenance) -> Result<ChangeSetId> {
        let mut write = self.db.write().await?;
        let open = match provenance {
            Provenance::Assistant { session_id, .. } => {
                change_set::open_of_session(&mut *write, session_id, None).await?
            }
            _ => None,
        };
        let set = match open {
            Some(set) => set,
            None => change_set::insert(&mut write, provenance, now_ms()).await?,
        };
        write.commit().await.map_err(orangery_store::Error::from)?;
        Ok(set)
    }

    async fn add(&self, set: ChangeSetId, anew: Anew) -> Result<()> {
        let at_hand = anew.contents.iter().map(|packed| (packed.hash(), packed)).collect();
        let shape = self.shape_of(&anew.proposal, &at_hand, &HashMap::new()).await?;
        let mut write = self.db.write().await?;
        for content in &anew.contents {
            blob::put(&mut write, content).await?;
        }
        let id = operation::insert(&mut write, set, &anew.proposal, None).await?;
        if let Some(shape) = shape {
            shape::put(&mut write, id, &shape).await?;
        }
        if anew.meets {
            let note = note::plain(note::CHANGED_HERE);
            operation::set_state(&mut write, id, OperationState::Conflict, Some(&note)).await?;
        }
        settle_set(&mut write, set, None).await?;
        write.commit().await.map_err(orangery_store::Error::from)?;
        Ok(())
    }
}
