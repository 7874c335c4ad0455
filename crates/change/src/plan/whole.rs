//! Steps that move whole files and folders, put them into the trash, or bring them back.

use orangery_domain::{ContentHash, ErrorKind, FilePlace, OperationKind, Warning};
use orangery_store::{
    blob::Packed,
    root::EntryKind,
    table::{
        blob,
        journal::{Act, Step},
        operation::Tree,
        version,
    },
};

use super::{Draft, Drafted, content::no_folder, leaves};
use crate::{
    Error, House, Result,
    apply::manifest::{Manifest, Part, What},
    note,
    operation::Loaded,
    trash::{self as system, Held},
    tree::{
        self, Depth, Entry, Found, KEPT_BYTES, is_within,
        listing::{Keepable, Listing},
        same_place,
    },
};

/// Why an operation is no step.
enum Verdict {
    Conflict(Warning),
    Failed(Warning),
    /// It is so already.
    Done,
}

type Planned<T> = Result<Result<T, Verdict>>;

impl House {
    pub(super) async fn plan_whole(&self, draft: &mut Draft<'_>, loaded: &Loaded) -> Result<()> {
        let id = loaded.row.id;
        let planned = match &loaded.row.proposal.tree {
            Some(tree) => match loaded.kind() {
                OperationKind::Move => self.plan_move(draft, loaded, tree).await,
                OperationKind::Delete => self.plan_trash(draft, loaded, tree).await,
                _ => self.plan_fetch(draft, loaded, tree).await,
            },
            None => Err(Error::Internal(format!("operation {id} does not say what it is about"))),
        };
        let verdict = match planned {
            Ok(Ok(())) => {
                draft.plan.decide(loaded);
                return Ok(());
            }
            Ok(Err(verdict)) => verdict,
            Err(error) => match error.kind() {
                ErrorKind::Internal | ErrorKind::Corrupt => return Err(error),
                ErrorKind::NotFound => Verdict::Conflict(note::plain(note::GONE)),
                _ => Verdict::Failed(error.note()),
            },
        };
        match verdict {
            Verdict::Conflict(note) => draft.plan.conflict(id, note),
            Verdict::Failed(note) => draft.plan.failed.push((id, note)),
            Verdict::Done => {
                draft.plan.decide(loaded);
                draft.plan.idle.push(id);
            }
        }
        Ok(())
    }

    async fn plan_move(&self, draft: &mut Draft<'_>, loaded: &Loaded, tree: &Tree) -> Planned<()> {
        let id = loaded.row.id;
        let place = draft.layout.in_turn(id, loaded.place());
        let Some(to) = draft.layout.target_in_turn(id) else {
            return Err(Error::Internal(format!("operation {id} leads nowhere")));
        };
        if place.path.is_root() || to.path.is_root() {
            return Err(Error::KbRoot);
        }
        if tree.folder && is_within(&to, &place) && !same_place(&to, &place) {
            return Err(Error::IntoItself { path: place.path });
        }
        let disk = draft.layout.on_disk(id, loaded.place());
        let target = draft.layout.on_disk(id, &to);
        let comes = draft.comes(disk.as_ref().unwrap_or(&place));
        let source = match &disk {
            Some(disk) if !comes => tree::look_at(&self.roots, disk).await?,
            _ => None,
        };
        let there = match &target {
            Some(target) if !draft.clears(target) => tree::look_at(&self.roots, target).await?,
            _ => None,
        };
        let source = match source {
            Some(source) if source.found != Found::Nothing => Some(source),
            _ if comes => None,
            _ => return Ok(Err(self.is_moved(there, tree).await?)),
        };
        if let Some(source) = &source
            && let Some(verdict) = self.is_another(source, tree, Depth::Shape).await?
        {
            return Ok(Err(verdict));
        }
        // What a folder brings along is only seen when it is there; then nothing is overwritten either.
        if draft.coming.iter().any(|coming| target.as_ref().is_some_and(|target| same_place(coming, target)))
            || draft.steps.iter().any(|drafted| makes(&drafted.step, &to))
        {
            return Ok(Err(Verdict::Conflict(taken(&to))));
        }
        if let Some(there) = &there
            && there.found != Found::Nothing
            && !source.as_ref().is_some_and(|source| is_same_entry(source, there))
        {
            return Ok(Err(Verdict::Conflict(taken(&to))));
        }
        let parent = to.path.parent().map(|path| FilePlace { kb_id: to.kb_id, path });
        if let Some(parent) = &parent {
            if !self.folder_there(draft, id, parent).await? {
                return Ok(Err(Verdict::Failed(no_folder(parent))));
            }
            let leaving: Vec<FilePlace> = draft
                .steps
                .iter()
                .filter(|drafted| leaves(&drafted.step))
                .filter_map(|d| d.disk.clone())
                .collect();
            if let Some(parent) = draft.layout.on_disk(id, parent)
                && let Some(other) = self.alike(&parent, &to, disk.as_ref(), &leaving).await?
            {
                return Ok(Err(Verdict::Conflict(Warning::new(note::NAME_ALIKE, other))));
            }
            if let Some(source) = &source
                && self.is_elsewhere(source, parent).await?
            {
                return Err(orangery_store::Error::OtherVolume(to.path.to_string()).into());
            }
        }
        let there = Packed::new(&[]);
        let seen = (!comes).then_some(tree.seen);
        let step = Step {
            place,
            folder: tree.folder,
            old: None,
            new: Some(there.hash()),
            keep_version: false,
            operations: vec![id],
            mode: None,
            act: Act::Move { to, seen },
        };
        draft.plan.contents.push(there);
        draft.steps.push(Drafted { step, disk });
        Ok(Ok(()))
    }

    /// The source is not there: either somebody moved it just so, or it is gone.
    async fn is_moved(&self, there: Option<Entry>, tree: &Tree) -> Result<Verdict> {
        let gone = || Verdict::Conflict(note::plain(note::GONE));
        match there {
            Some(there) if matches!(there.found, Found::File { .. } | Found::Folder) => {
                let seen = there.seen_whole(Depth::Shape).await?;
                Ok(if seen.folder == tree.folder && seen.mark == tree.seen { Verdict::Done } else { gone() })
            }
            _ => Ok(gone()),
        }
    }

    /// Whether what is there is not what the operation was proposed for.
    async fn is_another(&self, entry: &Entry, tree: &Tree, depth: Depth) -> Result<Option<Verdict>> {
        let folder = match entry.found {
            Found::Folder => true,
            Found::File { .. } => false,
            Found::Nothing | Found::Other => {
                return Ok(Some(Verdict::Conflict(note::plain(note::NOT_PLAIN))));
            }
        };
        if folder != tree.folder {
            let now = if folder { note::FOLDER_THERE } else { note::FILE_THERE };
            return Ok(Some(Verdict::Conflict(note::plain(now))));
        }
        let entry = Entry { checked: entry.checked.clone(), found: entry.found };
        let seen = entry.seen_whole(depth).await?;
        let changed = if folder { note::FOLDER_CHANGED } else { note::FILE_CHANGED };
        Ok((seen.mark != tree.seen).then(|| Verdict::Conflict(note::plain(changed))))
    }

    /// An entry of the folder `parent` on disk whose name a disk that ignores case takes for that of `to`.
    pub(crate) async fn alike(
        &self,
        parent: &FilePlace,
        to: &FilePlace,
        source: Option<&FilePlace>,
        leaving: &[FilePlace],
    ) -> Result<Option<String>> {
        let Some(folder) = tree::look_at(&self.roots, parent).await? else { return Ok(None) };
        if folder.found != Found::Folder {
            return Ok(None);
        }
        let listed = tokio::task::spawn_blocking(move || folder.checked.list()).await;
        let wanted = to.path.key();
        let wanted = wanted.rsplit('/').next().unwrap_or_default().to_lowercase();
        Ok(listed.map_err(Error::task)??.into_iter().find_map(|entry| {
            let path = parent.path.join(&entry.name).ok()?;
            let place = FilePlace { kb_id: parent.kb_id, path };
            let alike = place.path.key().rsplit('/').next().is_some_and(|name| name.to_lowercase() == wanted);
            let own = source.is_some_and(|source| same_place(source, &place));
            let goes = leaving.iter().any(|leaving| same_place(leaving, &place));
            (alike && !own && !goes).then_some(entry.name)
        }))
    }

    /// Whether the nearest folder above `to` that is there lies on another volume than `source`.
    pub(crate) async fn is_elsewhere(&self, source: &Entry, parent: &FilePlace) -> Result<bool> {
        let Ok(own) = source.checked.volume() else { return Ok(false) };
        for path in std::iter::successors(Some(parent.path.clone()), orangery_domain::KbPath::parent) {
            let place = FilePlace { kb_id: parent.kb_id, path };
            if let Some(folder) = tree::look_at(&self.roots, &place).await?
                && let Ok(volume) = folder.checked.volume()
            {
                return Ok(volume.is_other(own));
            }
        }
        Ok(false)
    }

    /// Whether an entry lies on another volume than the folder that holds it.
    pub(crate) async fn is_mounted(&self, entry: &Entry, disk: &FilePlace) -> Result<bool> {
        match disk.path.parent() {
            Some(path) => self.is_elsewhere(entry, &FilePlace { kb_id: disk.kb_id, path }).await,
            None => Ok(false),
        }
    }

    async fn plan_trash(&self, draft: &mut Draft<'_>, loaded: &Loaded, tree: &Tree) -> Planned<()> {
        let id = loaded.row.id;
        let place = draft.layout.at_the_end(id, loaded.place());
        if place.path.is_root() {
            return Err(Error::KbRoot);
        }
        let disk = draft.layout.on_disk(id, loaded.place());
        if draft.trash.iter().any(|other| is_within(&place, &other.step.place)) {
            return Ok(Err(Verdict::Done));
        }
        let entry = match &disk {
            Some(disk) => tree::look_at(&self.roots, disk).await?,
            None => None,
        };
        let Some(entry) = entry.filter(|entry| entry.found != Found::Nothing) else {
            return Ok(Err(Verdict::Done));
        };
        if let Some(verdict) = self.is_another(&entry, tree, Depth::State).await? {
            return Ok(Err(verdict));
        }
        let mounted = self.is_mounted(&entry, disk.as_ref().unwrap_or(&place)).await?;
        let kept = tokio::task::spawn_blocking(move || keep(&entry)).await.map_err(Error::task)??;
        if let Some(at) = tree::elsewhere(&place.path, mounted, kept.elsewhere.as_deref()) {
            return Err(Error::VolumeWithin { path: place.path, at });
        }
        // An earlier step may give the file another content, which is then the one to be kept.
        let newer = draft.steps.iter().rev().find(|drafted| {
            drafted.step.act == Act::Content
                && drafted.disk.as_ref().zip(disk.as_ref()).is_some_and(|(a, b)| same_place(a, b))
        });
        let newer = newer.and_then(|drafted| drafted.step.new).filter(|_| !tree.folder);
        let step = Step {
            place,
            folder: tree.folder,
            old: Some(newer.unwrap_or(kept.old)),
            new: None,
            keep_version: !tree.folder && (kept.whole || newer.is_some()),
            operations: vec![id],
            mode: kept.mode,
            act: Act::Trash { seen: Some(tree.seen) },
        };
        draft.plan.held.extend(kept.held);
        draft.plan.contents.extend(kept.contents);
        draft.trash.push(Drafted { step, disk });
        Ok(Ok(()))
    }

    async fn plan_fetch(&self, draft: &mut Draft<'_>, loaded: &Loaded, tree: &Tree) -> Planned<()> {
        let id = loaded.row.id;
        let place = draft.layout.in_turn(id, loaded.place());
        let disk = draft.layout.on_disk(id, loaded.place());
        let there = match &disk {
            Some(disk) if !draft.clears(disk) => tree::look_at(&self.roots, disk).await?,
            _ => None,
        };
        let exact = loaded.row.proposal.exact;
        if let Some(there) = there.filter(|there| there.found != Found::Nothing) {
            let same = matches!(there.found, Found::File { .. })
                && !tree.folder
                && there.seen_whole(Depth::Shape).await.is_ok_and(|seen| Some(seen.mark) == exact);
            return Ok(Err(if same { Verdict::Done } else { Verdict::Conflict(taken(&place)) }));
        }
        if let Some(parent) = place.path.parent() {
            let parent = FilePlace { kb_id: place.kb_id, path: parent };
            if !self.folder_there(draft, id, &parent).await? {
                let note = Warning::new(note::FOLDER_GONE, parent.path.as_str());
                return Ok(Err(Verdict::Failed(note)));
            }
        }
        let went = Some(tree.went.unwrap_or(tree.seen));
        let held = match &tree.item {
            Some(item) => self.trash_holds(item, &place, went).await?,
            None => Held::Nothing,
        };
        if let Some(item) = tree.item.clone().filter(|_| held == Held::Same) {
            let db = self.db.reader();
            let (content, mode) = match exact {
                // Of a folder it says who might do what in it.
                Some(exact) if tree.folder => (Packed::new(&blob::get(db, exact).await?), None),
                Some(exact) => (Packed::new(&[]), version::mode(db, loaded.place(), exact).await?),
                None => (Packed::new(&[]), None),
            };
            let step = Step {
                place: place.clone(),
                folder: tree.folder,
                old: None,
                new: Some(exact.unwrap_or(content.hash())),
                keep_version: false,
                operations: vec![id],
                mode,
                act: Act::Fetch { item, seen: went },
            };
            draft.plan.contents.push(content);
            draft.coming.push(disk.clone().unwrap_or(place));
            draft.steps.push(Drafted { step, disk });
            return Ok(Ok(()));
        }
        // What is in the trash instead stays there.
        let planned = self.plan_rebuild(draft, loaded, tree, place, disk).await?;
        Ok(planned.map_err(|verdict| match verdict {
            Verdict::Failed(note) if note.code == note::NOT_KEPT && held == Held::Other => {
                Verdict::Failed(note::plain(note::NOT_WHAT_WENT))
            }
            verdict => verdict,
        }))
    }

    /// Brings back from what history kept.
    async fn plan_rebuild(
        &self,
        draft: &mut Draft<'_>,
        loaded: &Loaded,
        tree: &Tree,
        place: FilePlace,
        disk: Option<FilePlace>,
    ) -> Planned<()> {
        let lost = || Ok(Err(Verdict::Failed(note::plain(note::NOT_KEPT))));
        let Some(exact) = loaded.row.proposal.exact else { return lost() };
        let there = ContentHash::of(&[]);
        // Of the whole of it, the first step is the operation's.
        let mut first = vec![loaded.row.id];
        let mut make = |place: FilePlace, new: Option<ContentHash>, mode: Option<u32>, act: Act| Step {
            place,
            folder: new.is_none(),
            old: None,
            new: Some(new.unwrap_or(there)),
            keep_version: false,
            operations: std::mem::take(&mut first),
            mode,
            act,
        };
        let mut steps = Vec::new();
        if tree.folder {
            let bytes = blob::get(self.db.reader(), exact).await?;
            let manifest = Manifest::from_json(&bytes).filter(|manifest| manifest.whole);
            let Some(manifest) = manifest else { return lost() };
            steps.push(make(place.clone(), None, manifest.mode(), Act::Content));
            for Part { place, mode, what } in manifest.parts(&place) {
                let (new, act) = match what {
                    What::Folder => (None, Act::Content),
                    What::Link(target) => (None, Act::Link { target: target.to_owned() }),
                    What::File(hash) => {
                        if !blob::is_known(self.db.reader(), hash).await? {
                            return lost();
                        }
                        draft.plan.contents.push(Packed::new(&blob::get(self.db.reader(), hash).await?));
                        (Some(hash), Act::Content)
                    }
                };
                steps.push(make(place, new, mode, act));
            }
            if !manifest.left.is_empty() {
                let left = Warning::new(note::LEFT_BEHIND, note::some_of(&manifest.left));
                draft.plan.remarks.push((loaded.row.id, left));
            }
            draft.plan.contents.push(Packed::new(&[]));
        } else {
            draft.plan.contents.push(Packed::new(&blob::get(self.db.reader(), exact).await?));
            let mode = version::mode(self.db.reader(), loaded.place(), exact).await?;
            steps.push(make(place.clone(), Some(exact), mode, Act::Content));
        }
        draft.coming.push(disk.unwrap_or(place));
        draft.steps.extend(steps.into_iter().map(|step| Drafted { step, disk: None }));
        Ok(Ok(()))
    }

    async fn trash_holds(&self, item: &str, place: &FilePlace, went: Option<ContentHash>) -> Result<Held> {
        let (roots, place, item) = (self.roots.clone(), place.clone(), item.to_owned());
        let held = tokio::task::spawn_blocking(move || {
            // The folder may be one that is still to come; its root tells the volume all the same.
            let root =
                roots.root(place.kb_id).and_then(|root| root.resolve(&orangery_domain::KbPath::root()));
            let to = root.and_then(|root| root.renamed(place.path.as_str()));
            to.map_or(Held::Nothing, |to| system::holds(&item, &to, went))
        });
        held.await.map_err(Error::task)
    }
}

/// What history keeps of an entry that goes to the trash.
struct Kept {
    old: ContentHash,
    contents: Vec<Packed>,
    held: Vec<ContentHash>,
    mode: Option<u32>,
    whole: bool,
    elsewhere: Option<String>,
}

/// Reads what is kept of `entry`. Blocks.
fn keep(entry: &Entry) -> orangery_store::Result<Kept> {
    let meta = entry.checked.metadata()?;
    let mode = meta.mode;
    if let Found::File { size } = entry.found {
        let whole = size <= KEPT_BYTES;
        let content = if whole { Packed::new(&entry.checked.read()?) } else { Packed::new(&[]) };
        let (old, contents) = (content.hash(), vec![content]);
        return Ok(Kept { old, contents, held: Vec::new(), mode, whole, elsewhere: None });
    }
    let listing = Listing::of(&entry.checked)?;
    let elsewhere = listing.elsewhere(entry.checked.volume()?).map(str::to_owned);
    let whole = listing.contents().bytes <= KEPT_BYTES;
    let mut manifest = Manifest { whole, ..Manifest::default() };
    manifest.modes.extend(mode.map(|mode| (String::new(), mode)));
    let (mut contents, mut held) = (Vec::new(), Vec::new());
    for listed in listing.entries() {
        let path = || listed.path.clone();
        match (listed.keepable()?, &listed.checked) {
            (Keepable::Folder, _) => manifest.folders.push(path()),
            (Keepable::Link(target), _) => manifest.links.push((path(), target)),
            (Keepable::File, Some(checked)) if whole => {
                let packed = Packed::new(&checked.read()?);
                manifest.files.push((path(), packed.hash()));
                held.push(packed.hash());
                contents.push(packed);
            }
            (Keepable::File | Keepable::Nothing, _) => manifest.left.push(path()),
        }
        if listed.kind != EntryKind::Link {
            manifest.modes.extend(listed.mode.map(|mode| (path(), mode)));
        }
    }
    let manifest_bytes = Packed::new(&manifest.to_json());
    let old = manifest_bytes.hash();
    contents.push(manifest_bytes);
    Ok(Kept { old, contents, held, mode, whole, elsewhere })
}

fn taken(place: &FilePlace) -> Warning {
    Warning::new(note::TAKEN, place.path.as_str())
}

fn makes(step: &Step, place: &FilePlace) -> bool {
    match &step.act {
        Act::Content => step.new.is_some() && step.old.is_none() && same_place(&step.place, place),
        Act::Move { to, .. } => same_place(to, place),
        Act::Fetch { .. } | Act::Link { .. } => same_place(&step.place, place),
        Act::Trash { .. } => false,
    }
}

/// One entry that two spellings find.
fn is_same_entry(a: &Entry, b: &Entry) -> bool {
    a.checked.place() == b.checked.place()
        || match (a.checked.metadata(), b.checked.metadata()) {
            (Ok(one), Ok(other)) => {
                one.inode.is_some()
                    && (one.inode, one.device) == (other.inode, other.device)
                    && a.checked.place().key().to_lowercase() == b.checked.place().key().to_lowercase()
            }
            _ => false,
        }
}
