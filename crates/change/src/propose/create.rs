//! Proposals of new files and folders.

use orangery_domain::{
    ErrorKind, FileKind, FilePlace, KbPath, OperationKind, Provenance, TextEdit, text::Encoding,
};
use orangery_store::{blob::Packed, table::operation::Proposal};

use super::{Now, Proposals, Proposed, Refusal, View, guard, hold, is_review_always, session_of, steering};
use crate::{
    House,
    disk::{Found, look_at},
    operation::{blank, to_json, undecided},
};

impl Proposals {
    /// Proposes a new note. Folders that it needs are proposed before it, each on its own.
    pub async fn create_file(
        &self,
        provenance: &Provenance,
        place: &FilePlace,
        text: &str,
    ) -> Result<Proposed, Refusal> {
        let house = &*self.0;
        let place = &house.spelled_new(place).await?;
        let path = &place.path;
        if path.name().trim().is_empty() {
            return Err(Refusal::BlankPath);
        }
        if !FileKind::of_name(path.name()).is_note() {
            return Err(Refusal::Extension { path: path.clone() });
        }
        guard::check(text, "").map_err(|unfit| Refusal::Unfit { path: path.clone(), unfit })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let _held = hold(house, provenance).await;
        let mut proposals = house.folders_for(provenance, place).await?;

        let edits = [TextEdit { range: 0..0, insert: text.to_owned() }];
        let stored_edits = Packed::new(&to_json(&edits)?);
        proposals.push(Proposal {
            encoding: Some(Encoding::Utf8.label().to_owned()),
            edits: Some(stored_edits.hash()),
            decisions: undecided(&edits),
            warnings: steering(is_review_always(path)),
            ..blank(OperationKind::CreateFile, place)
        });
        let added_chars = text.chars().count();
        let folders = match proposals.len() - 1 {
            0 => String::new(),
            1 => ", with its folder".to_owned(),
            more => format!(", with {more} folders"),
        };
        let summary = format!("new file {path}: {added_chars} characters{folders}");
        let proposed = house.propose(None, provenance, &[stored_edits], &proposals, summary).await?;
        Ok(Proposed { added_chars, ..proposed })
    }

    /// Proposes a new folder, and before it the folders that it needs.
    pub async fn create_folder(
        &self,
        provenance: &Provenance,
        place: &FilePlace,
    ) -> Result<Proposed, Refusal> {
        let house = &*self.0;
        let place = &house.spelled_new(place).await?;
        if place.path.name().trim().is_empty() {
            return Err(Refusal::BlankPath);
        }
        let _held = hold(house, provenance).await;
        let mut proposals = house.folders_for(provenance, place).await?;
        proposals.push(folder(place));
        let summary = format!("new folder {}", place.path);
        Ok(house.propose(None, provenance, &[], &proposals, summary).await?)
    }
}

impl House {
    /// The folders above `place` that are neither there nor proposed, from the top. Refuses when
    /// something is at `place` itself.
    async fn folders_for(
        &self,
        provenance: &Provenance,
        place: &FilePlace,
    ) -> Result<Vec<Proposal>, Refusal> {
        let view = self.view(session_of(provenance), &[place]).await?;
        let missing = self.folders_above(&view, place).await?;
        match view.now(place) {
            Now::Proposed => return Err(Refusal::ProposedAlready { path: place.path.clone() }),
            Now::Going(_) => return Err(Refusal::StillThere { path: place.path.clone() }),
            // What is there now is elsewhere by then.
            Now::Moved(_) => {}
            Now::OnDisk(disk) => {
                if self.found_at(&disk).await? != Found::Nothing {
                    return Err(Refusal::Exists { path: place.path.clone() });
                }
            }
        }
        Ok(missing)
    }

    /// The folders above `place` that are neither there nor proposed, from the top.
    pub(super) async fn folders_above(
        &self,
        view: &View,
        place: &FilePlace,
    ) -> Result<Vec<Proposal>, Refusal> {
        let mut above: Vec<KbPath> = std::iter::successors(place.path.parent(), KbPath::parent).collect();
        above.retain(|path| !path.is_root());
        above.reverse();
        let mut missing = Vec::new();
        for parent in above {
            let at = FilePlace { kb_id: place.kb_id, path: parent.clone() };
            let path = || place.path.clone();
            let found = match view.now(&at) {
                Now::Proposed => Found::Folder,
                Now::Going(with) => return Err(Refusal::Going { path: path(), with: with.path }),
                Now::Moved(to) => {
                    return Err(Refusal::MovedAway { path: path(), parent, to: to.path });
                }
                Now::OnDisk(disk) if missing.is_empty() => self.found_at(&disk).await?,
                Now::OnDisk(_) => Found::Nothing,
            };
            match found {
                Found::Folder => {}
                Found::File(_) => return Err(Refusal::InTheWay { path: path(), parent }),
                Found::Nothing => missing.push(folder(&at)),
            }
        }
        Ok(missing)
    }

    /// The place with its folders as the disk spells them, as far as they are there.
    pub(super) async fn spelled_new(&self, place: &FilePlace) -> Result<FilePlace, Refusal> {
        match look_at(&self.roots, place).await {
            Ok(disk) => Ok(FilePlace { kb_id: place.kb_id, path: disk.checked.place().clone() }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(place.clone()),
            Err(error) => Err(error.into()),
        }
    }

    /// What is at `place`; nothing when its parent is missing.
    async fn found_at(&self, place: &FilePlace) -> Result<Found, Refusal> {
        match look_at(&self.roots, place).await {
            Ok(disk) => Ok(disk.found),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Found::Nothing),
            Err(error) => Err(error.into()),
        }
    }
}

pub fn folder(place: &FilePlace) -> Proposal {
    blank(OperationKind::CreateFolder, place)
}
