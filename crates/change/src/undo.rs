//! Taking back: by change set, by turn, and by version. Both are change sets of their own, through the same door.

use std::collections::HashMap;

use orangery_domain::{
    Applied, ChangeSetId, ChangeSetState, ContentHash, ErrorKind, FilePlace, KbId, KbPath, OperationKind,
    OperationState, Provenance, SessionId, TextEdit, TurnId, VersionId, text::Encoding,
};
use orangery_store::{
    blob::Packed,
    table::{
        blob, change_set, file,
        operation::{self, OperationRow, Proposal},
        version,
    },
};

use crate::{
    Changes, Error, House, Result,
    diff::between,
    disk::{Found, KnownOf, known, look_at},
    operation::{blank, is_folder, nothing, to_json, undecided},
    propose::folder,
    review::waits,
    tree::{self, Depth, carried, is_within, same_place},
};

impl Changes {
    /// Takes back what was applied of a change set. What nobody touched since is taken back at once.
    /// Where a file moved on, nothing is written: the operation is a conflict, and if what moved lies
    /// apart, the same taking back is proposed on the file as it is now. One that wrote nothing is gone on with.
    ///
    /// # Errors
    /// `UndoWaits` when part was taken back already and the rest waits.
    pub async fn undo(&self, id: ChangeSetId) -> Result<Applied> {
        self.uncut(move |house| async move { house.undo(id).await }).await
    }

    /// Takes back everything that a turn did, or what it did at or below `within`. What somebody changed since is
    /// left alone and becomes a conflict.
    pub async fn restore_turn(
        &self,
        session: &SessionId,
        turn: TurnId,
        within: Option<&FilePlace>,
    ) -> Result<Applied> {
        let (session, within) = (session.clone(), within.cloned());
        self.uncut(move |house| async move { house.restore_turn(&session, turn, within.as_ref()).await })
            .await
    }

    /// Gives a file the content of an earlier version; a file that is gone comes back.
    pub async fn restore(&self, id: VersionId) -> Result<Applied> {
        self.uncut(move |house| async move { house.restore(id).await }).await
    }
}

impl House {
    async fn undo(&self, id: ChangeSetId) -> Result<Applied> {
        let _held = self.locks.set(id).await;
        self.recover().await?;
        let (set, rows) = self.set(id).await?;
        if set.state == ChangeSetState::Undone {
            return Err(Error::AlreadyUndone(id));
        }
        let waiting = change_set::waiting_undo(self.db.reader(), id).await?;
        let undo = match waiting {
            Some(undo) => undo,
            None => {
                let (contents, proposals) = self.take_back(&rows, None).await?;
                if proposals.is_empty() {
                    return Err(Error::NothingApplied(id));
                }
                self.store(&Provenance::Undo { of: id }, &contents, &proposals).await?.0
            }
        };
        let _held = self.locks.set(undo).await;
        if waiting.is_some() {
            let (_, rows) = self.set(undo).await?;
            if rows.iter().any(|row| row.state == OperationState::Applied) {
                return Err(Error::UndoWaits { id, undo });
            }
            self.see_again(&rows).await?;
        }
        if let Some(applied) = self.apply_back(undo).await? {
            return Ok(applied);
        }
        // Somebody took all of it back by hand.
        let mut write = self.db.write().await?;
        change_set::set_state(&mut write, id, ChangeSetState::Undone, None).await?;
        write.commit().await.map_err(orangery_store::Error::from)?;
        Err(Error::AlreadyUndone(id))
    }

    async fn restore_turn(
        &self,
        session: &SessionId,
        turn: TurnId,
        within: Option<&FilePlace>,
    ) -> Result<Applied> {
        self.recover().await?;
        let rows = operation::applied_of_turn(self.db.reader(), session, turn).await?;
        let (contents, proposals) = self.take_back(&rows, within).await?;
        if proposals.is_empty() {
            return Err(Error::NothingDone { turn });
        }
        let provenance = Provenance::RestoreTurn { session_id: session.clone(), turn_id: turn };
        let (set, _) = self.store(&provenance, &contents, &proposals).await?;
        let _held = self.locks.set(set).await;
        self.apply_back(set).await?.ok_or(Error::NothingDone { turn })
    }

    /// What takes back the applied operations of `rows`, those at or below `within` if that is given.
    pub(crate) async fn take_back(
        &self,
        rows: &[OperationRow],
        within: Option<&FilePlace>,
    ) -> Result<(Vec<Packed>, Vec<Proposal>)> {
        let mut proposals = Vec::new();
        let mut contents = Vec::new();
        let mut taken = taken_back(rows);
        taken.retain(|taken| within.is_none_or(|within| taken.touches(within)));
        let mut at_hand = self.at_hand(&taken).await?;
        let mut taken = taken.into_iter().peekable();
        while taken.peek().is_some() {
            let some: Vec<TakenBack> = taken.by_ref().take(AT_HAND).collect();
            let hashes: Vec<_> = some.iter().flat_map(TakenBack::contents).collect();
            at_hand.contents = blob::get_all(self.db.reader(), &hashes).await?;
            for taken in some {
                match taken {
                    TakenBack::Content(swap) => {
                        let (proposal, needed) = self.swap(&swap, None, &at_hand).await?;
                        proposals.push(proposal);
                        contents.extend(needed);
                    }
                    TakenBack::Whole(proposal, now) => proposals.push(self.as_it_is(*proposal, &now).await?),
                    TakenBack::BroughtBack(row) => proposals.extend(self.gone_again(&row).await?),
                }
            }
        }
        Ok((contents, proposals))
    }

    /// What is known of the files whose content goes back.
    async fn at_hand(&self, taken: &[TakenBack]) -> Result<AtHand> {
        let mut paths: HashMap<KbId, Vec<&KbPath>> = HashMap::new();
        for taken in taken {
            if let TakenBack::Content(Swap { place, .. }) = taken {
                paths.entry(place.kb_id).or_default().push(&place.path);
            }
        }
        let mut at_hand = AtHand::default();
        for (kb, paths) in paths {
            at_hand.known.insert(kb, KnownOf::paths(&self.db, kb, &paths).await?);
        }
        Ok(at_hand)
    }

    /// As `rows` that wait were proposed some time ago, what they mean as a whole is looked at again.
    async fn see_again(&self, rows: &[OperationRow]) -> Result<()> {
        let mut seen = Vec::new();
        for row in rows.iter().filter(|row| waits(row.state)) {
            let proposal = match row.proposal.kind {
                OperationKind::Move => Some(self.as_it_is(row.proposal.clone(), &row.proposal.place).await?),
                OperationKind::Delete => self.gone_again(row).await?,
                _ => None,
            };
            seen.extend(proposal.and_then(|proposal| Some((row.id, proposal.tree?))));
        }
        if seen.is_empty() {
            return Ok(());
        }
        let mut write = self.db.write().await?;
        for (id, tree) in &seen {
            operation::set_tree(&mut write, *id, tree).await?;
        }
        write.commit().await.map_err(orangery_store::Error::from)?;
        Ok(())
    }

    /// What goes back goes with all that was done to it since.
    async fn as_it_is(&self, proposal: Proposal, now: &FilePlace) -> Result<Proposal> {
        if proposal.kind != OperationKind::Move {
            return Ok(proposal);
        }
        match tree::look_at(&self.roots, now).await? {
            Some(entry) if matches!(entry.found, tree::Found::File { .. } | tree::Found::Folder) => {
                let seen = entry.seen_whole(Depth::Shape).await?;
                Ok(Proposal { tree: Some(self.whole_of(now, seen).await?), ..proposal })
            }
            _ => Ok(proposal),
        }
    }

    /// The delete that takes back a coming back; nothing where nothing is.
    async fn gone_again(&self, row: &OperationRow) -> Result<Option<Proposal>> {
        let place = &row.proposal.place;
        let Some(entry) = tree::look_at(&self.roots, place).await? else { return Ok(None) };
        if !matches!(entry.found, tree::Found::File { .. } | tree::Found::Folder) {
            return Ok(None);
        }
        let seen = entry.seen_whole(Depth::State).await?;
        Ok(Some(Proposal {
            file_id: known(&self.db, place).await?.file_id,
            tree: Some(self.whole_of(place, seen).await?),
            ..blank(OperationKind::Delete, place)
        }))
    }

    /// What gives the file of a version that content, last; before it come the folders above the file
    /// that are gone.
    pub(crate) async fn swap_to(&self, id: VersionId) -> Result<(Vec<Packed>, Vec<Proposal>)> {
        let missing = || Error::NotFound { what: "version", id: id.to_string() };
        let version = version::by_id(self.db.reader(), id).await?.ok_or_else(missing)?;
        let place = self.place_now(&version.place, id).await?;
        let now = match look_at(&self.roots, &place).await.map(|disk| disk.found) {
            Ok(Found::File(bytes)) => Some(Packed::new(&bytes)),
            Ok(Found::Nothing) => None,
            Ok(Found::Folder) => return Err(Error::Exists { path: place.path }),
            // The folder that it lay in is gone with it.
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let mut proposals = if now.is_none() { self.folders_gone(&place).await? } else { Vec::new() };
        let from = now.as_ref().map(Packed::hash);
        let swap = Swap { place, folder: false, encoding: None, from, to: Some(version.hash) };
        let (proposal, needed) = self.swap(&swap, now.as_ref(), &AtHand::default()).await?;
        proposals.push(proposal);
        Ok((needed.into_iter().chain(now).collect(), proposals))
    }

    /// The folders above `place` that are not there, from the top.
    async fn folders_gone(&self, place: &FilePlace) -> Result<Vec<Proposal>> {
        let mut gone = Vec::new();
        let above = std::iter::successors(place.path.parent(), KbPath::parent);
        for path in above.take_while(|path| !path.is_root()) {
            let at = FilePlace { kb_id: place.kb_id, path };
            match tree::look_at(&self.roots, &at).await? {
                Some(entry) if entry.found != tree::Found::Nothing => break,
                _ => gone.push(folder(&at)),
            }
        }
        gone.reverse();
        Ok(gone)
    }

    async fn restore(&self, id: VersionId) -> Result<Applied> {
        self.recover().await?;
        let (contents, proposals) = self.swap_to(id).await?;
        let (set, _) = self.store(&Provenance::Restore { version: id }, &contents, &proposals).await?;
        let _held = self.locks.set(set).await;
        Ok(self.apply(set, &[], true).await?.0)
    }
}

/// What takes things back whose contents are loaded at once.
const AT_HAND: usize = 256;

/// What was asked of the database for many at once. What is not in it is asked for when it is needed.
#[derive(Default)]
struct AtHand {
    known: HashMap<KbId, KnownOf>,
    contents: HashMap<ContentHash, Vec<u8>>,
}

/// One file or folder that goes from one content to another, both stored.
struct Swap {
    place: FilePlace,
    folder: bool,
    encoding: Option<Encoding>,
    from: Option<ContentHash>,
    to: Option<ContentHash>,
}

/// What takes one or several operations back.
enum TakenBack {
    Content(Swap),
    /// And where the file is now.
    Whole(Box<Proposal>, FilePlace),
    /// What came back and has to go again.
    BroughtBack(Box<OperationRow>),
}

impl TakenBack {
    fn contents(&self) -> impl Iterator<Item = ContentHash> + use<> {
        let both = match self {
            Self::Content(swap) if !swap.folder => [swap.from, swap.to],
            _ => [None, None],
        };
        both.into_iter().flatten()
    }

    fn touches(&self, within: &FilePlace) -> bool {
        let at = |place: &FilePlace| is_within(place, within) || is_within(within, place);
        match self {
            Self::Content(swap) => is_within(&swap.place, within),
            Self::Whole(proposal, _) => {
                at(&proposal.place)
                    || proposal.target.as_ref().is_some_and(|target| is_within(target, within))
            }
            Self::BroughtBack(row) => at(&row.proposal.place),
        }
    }
}

/// What takes back the applied operations of `rows`, the last first; applications of one file that
/// followed each other directly are taken back in one go.
fn taken_back(rows: &[OperationRow]) -> Vec<TakenBack> {
    let mut applied: Vec<&OperationRow> =
        rows.iter().filter(|row| row.state == OperationState::Applied && row.before != row.after).collect();
    // What went to the trash went after everything else that was applied with it.
    let last = |row: &OperationRow| row.proposal.kind == OperationKind::Delete;
    applied.sort_by_key(|row| std::cmp::Reverse((row.applied_at, last(row), row.id)));
    let mut out: Vec<TakenBack> = Vec::new();
    // Where in it the content of a file goes back last.
    let mut last_of: HashMap<(KbId, String), usize> = HashMap::new();
    // Moves that came after what is looked at, the latest first.
    let mut moves: Vec<(FilePlace, FilePlace)> = Vec::new();
    for row in applied {
        let place = &row.proposal.place;
        let now = |place: &FilePlace| {
            let follow = |place: FilePlace, (from, to): &(FilePlace, FilePlace)| {
                carried(&place, from, to).unwrap_or(place)
            };
            moves.iter().rev().fold(place.clone(), follow)
        };
        match (row.proposal.kind, &row.proposal.target, &row.proposal.tree) {
            (OperationKind::Move, Some(target), Some(tree)) => {
                let back = Proposal {
                    file_id: row.proposal.file_id,
                    target: Some(place.clone()),
                    tree: Some(tree.clone()),
                    ..blank(OperationKind::Move, target)
                };
                let here = now(target);
                out.push(TakenBack::Whole(Box::new(back), here));
                moves.push((place.clone(), target.clone()));
            }
            (OperationKind::Delete, _, Some(tree)) => {
                let there = ContentHash::of(&[]);
                let exact = row.before.filter(|before| *before != there || tree.size == 0);
                let tree = Some(tree.clone());
                let back = Proposal { exact, tree, ..blank(OperationKind::BringBack, place) };
                out.push(TakenBack::Whole(Box::new(back), place.clone()));
            }
            (OperationKind::BringBack, ..) => out.push(TakenBack::BroughtBack(Box::new(row.clone()))),
            _ => {
                let here = now(place);
                let encoding = row.proposal.encoding.as_deref().and_then(Encoding::from_label);
                let key = (here.kb_id, here.path.key());
                match last_of.get(&key).and_then(|at| out.get_mut(*at)) {
                    // Applied together with the one before: one writing of the file.
                    Some(TakenBack::Content(swap)) if swap.to == row.before && row.after != swap.to => {}
                    Some(TakenBack::Content(swap)) if swap.to == row.after => swap.to = row.before,
                    _ => {
                        last_of.insert(key, out.len());
                        out.push(TakenBack::Content(Swap {
                            place: place.clone(),
                            folder: is_folder(&row.proposal),
                            encoding,
                            from: row.after,
                            to: row.before,
                        }));
                    }
                }
            }
        }
    }
    // A file that goes need not go back to where it came from.
    let going: Vec<FilePlace> = out
        .iter()
        .filter_map(|taken| match taken {
            TakenBack::Content(swap) if swap.to.is_none() => Some(swap.place.clone()),
            _ => None,
        })
        .collect();
    let mut seen = Vec::new();
    out.retain(|taken| match taken {
        TakenBack::Content(swap) => {
            seen.push(swap.place.clone());
            true
        }
        TakenBack::Whole(proposal, _) if proposal.kind == OperationKind::Move => {
            let gone = |place: &FilePlace| same_place(place, &proposal.place);
            !(going.iter().any(gone) && seen.iter().any(gone))
        }
        _ => true,
    });
    out
}

impl House {
    /// The proposal of a swap, and its edits to be stored; `from` where the old content is at hand and
    /// not stored.
    async fn swap(
        &self,
        swap: &Swap,
        from: Option<&Packed>,
        at_hand: &AtHand,
    ) -> Result<(Proposal, Option<Packed>)> {
        let Swap { place, folder, .. } = swap;
        let known = match at_hand.known.get(&place.kb_id) {
            Some(known) => known.known(&self.db, place).await?,
            None => known(&self.db, place).await?,
        };
        let content = async |hash: ContentHash| match at_hand.contents.get(&hash) {
            Some(bytes) => Ok(bytes.clone()),
            None => blob::get(self.db.reader(), hash).await,
        };
        let kind = match (folder, swap.from, swap.to) {
            (_, _, None) => OperationKind::RemoveCreated,
            (true, ..) => OperationKind::CreateFolder,
            (false, None, Some(_)) => OperationKind::CreateFile,
            (false, Some(_), Some(_)) => OperationKind::Edit,
        };
        let mut proposal = Proposal {
            file_id: known.file_id,
            base: swap.from.filter(|_| !folder),
            exact: swap.to.filter(|_| !folder),
            ..blank(kind, place)
        };
        if *folder {
            return Ok((proposal, None));
        }
        let decode = |bytes: &[u8]| match swap.encoding {
            Some(encoding) => crate::operation::decode_as(bytes, encoding).ok(),
            None => known.decode(place, bytes).ok(),
        };
        let old = match (from, swap.from) {
            (Some(packed), _) => decode(&packed.clone().unpack()?),
            (None, Some(hash)) => decode(&content(hash).await?),
            (None, None) => None,
        };
        let new = match swap.to {
            Some(hash) => decode(&content(hash).await?),
            None => Some(nothing()),
        };
        let old = if swap.from.is_none() { new.as_ref().map(|_| nothing()) } else { old };
        let (Some(old), Some(new)) = (old, new) else { return Ok((proposal, None)) };
        let edits = match swap.to {
            Some(_) => between(&old.text, &new.text),
            None => vec![TextEdit { range: 0..old.text.len(), insert: String::new() }],
        };
        let packed = Packed::new(&to_json(&edits)?);
        let encoding = if swap.from.is_none() { new.encoding } else { old.encoding };
        proposal.encoding = Some(encoding.label().to_owned());
        proposal.edits = Some(packed.hash());
        proposal.decisions = undecided(&edits);
        Ok((proposal, Some(packed)))
    }

    /// Where the file of a version is now: versions follow renames.
    pub(crate) async fn place_now(&self, place: &FilePlace, id: VersionId) -> Result<FilePlace> {
        let Some(file_id) = version::file_of(self.db.reader(), id).await? else { return Ok(place.clone()) };
        let row = file::by_id(self.db.reader(), file_id).await?;
        Ok(row.map_or_else(|| place.clone(), |row| FilePlace { kb_id: row.kb_id, path: row.path }))
    }
}
