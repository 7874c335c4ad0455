//! A knowledge base to change.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use orangery_domain::{
    Applied, ContentHash, FilePlace, HunkDecision, KbId, KbPath, OperationId, OperationState, Provenance,
    SessionId, TurnId,
};
use orangery_store::{
    Db,
    root::{Root, Roots},
    table::{journal, knowledge_base},
};

use crate::{Changes, EditRequest, Proposals, Proposed, Refusal, Written, stop::Seam};

pub struct OneRoot(pub Root);

impl Roots for OneRoot {
    fn root(&self, _: KbId) -> orangery_store::Result<Root> {
        Ok(self.0.clone())
    }
}

pub struct House {
    folder: tempfile::TempDir,
    pub kb: KbId,
    pub db: Db,
    pub changes: Changes,
    pub proposals: Proposals,
    pub seam: Seam,
    pub written: Arc<Mutex<Vec<Written>>>,
}

impl House {
    pub async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("kb")).unwrap();
        Self::open(folder).await
    }

    pub async fn open(folder: tempfile::TempDir) -> Self {
        let seam = Seam::default();
        let written: Arc<Mutex<Vec<Written>>> = Arc::default();
        let (db, kb, changes) = open(folder.path(), seam.clone(), Arc::clone(&written)).await;
        let proposals = changes.proposals();
        Self { folder, kb, db, changes, proposals, seam, written }
    }

    /// Everything closed and opened again, as after a restart.
    pub async fn restart(self) -> Self {
        self.db.close().await;
        Self::open(self.folder).await
    }

    /// As a process beside the owner sees it.
    pub fn beside(&self) -> Changes {
        let roots = Arc::new(OneRoot(Root::open(&self.path("")).unwrap()));
        Changes::reading(self.db.clone(), roots)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("kb").join(name)
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn put(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub fn get(&self, name: &str) -> Option<Vec<u8>> {
        std::fs::read(self.path(name)).ok()
    }

    #[track_caller]
    pub fn holds(&self, name: &str, expected: impl AsRef<[u8]>) {
        let got = self.get(name).unwrap_or_else(|| panic!("{name} is not there"));
        let expected = expected.as_ref();
        assert_eq!(String::from_utf8_lossy(&got), String::from_utf8_lossy(expected), "{name}");
        assert_eq!(got, expected, "{name}");
    }

    pub fn hash(&self, name: &str) -> Option<ContentHash> {
        self.get(name).map(|bytes| ContentHash::of(&bytes))
    }

    pub fn place(&self, name: &str) -> FilePlace {
        FilePlace { kb_id: self.kb, path: KbPath::parse(name).unwrap() }
    }

    /// Proposes with the file just read.
    pub async fn edit(&self, name: &str, request: EditRequest) -> Result<Proposed, Refusal> {
        let read = self.hash(name);
        self.proposals.edit(&by("s"), &self.place(name), read, request).await
    }

    pub async fn replace(&self, name: &str, original: &str, next: &str) -> Result<Proposed, Refusal> {
        self.edit(name, replace(original, next)).await
    }

    pub async fn apply(&self, proposed: &Proposed) -> Applied {
        self.changes.apply(proposed.change_set_id, &[], true).await.unwrap()
    }

    pub async fn state(&self, operation: OperationId) -> OperationState {
        self.changes.diff(operation).await.unwrap().operation.state
    }

    pub async fn journal_is_empty(&self) -> bool {
        journal::all(self.db.reader()).await.unwrap().is_empty()
    }

    /// Names in a folder, temporary files included.
    pub fn names(&self, name: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(name)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

pub async fn open(folder: &Path, seam: Seam, written: Arc<Mutex<Vec<Written>>>) -> (Db, KbId, Changes) {
    let db = Db::open(&folder.join("orangery.db")).await.unwrap();
    let known = knowledge_base::all(db.reader()).await.unwrap();
    let kb = match known.first() {
        Some(row) => row.id,
        None => {
            let mut write = db.write().await.unwrap();
            let kb = knowledge_base::insert(&mut write, "kb", "/kb").await.unwrap();
            write.commit().await.unwrap();
            kb
        }
    };
    let roots = Arc::new(OneRoot(Root::open(&folder.join("kb")).unwrap()));
    let notify = Arc::new(move |one| written.lock().unwrap().push(one));
    let changes = Changes::open_with(db.clone(), roots, notify, seam).await.unwrap();
    (db, kb, changes)
}

pub fn by(session: &str) -> Provenance {
    by_turn(session, 1)
}

pub fn by_turn(session: &str, turn: i64) -> Provenance {
    Provenance::Assistant {
        session_id: SessionId(session.into()),
        turn_id: Some(TurnId(turn)),
        goal: "tidy up".into(),
    }
}

pub fn replace(original: &str, next: &str) -> EditRequest {
    EditRequest::Replace { original: original.into(), next: next.into(), occurrence: None }
}

pub fn rewrite(content: &str) -> EditRequest {
    EditRequest::Rewrite { content: content.into() }
}

pub fn append(content: &str) -> EditRequest {
    EditRequest::Append { content: content.into() }
}

pub fn decision(
    operation_id: OperationId,
    hunk: Option<u32>,
    decision: HunkDecision,
) -> orangery_domain::Decision {
    orangery_domain::Decision { operation_id, hunk, decision }
}

/// Runs `test` in a process of its own, whose trash is a temporary folder: no test reaches the user's. `name` is
/// that of the test that calls.
pub fn with_trash<F: Future<Output = ()>>(name: &str, test: impl FnOnce() -> F) {
    const OWN: &str = "ORANGERY_TEST_TRASH";
    if std::env::var_os(OWN).is_some() {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(test());
        return;
    }
    let trash = tempfile::tempdir().unwrap();
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env(OWN, "1")
        .env("XDG_DATA_HOME", trash.path())
        .env("HOME", trash.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("1 passed"), "there is no test {name}: {said}");
}

/// What is in this process's trash.
pub fn trashed() -> Vec<String> {
    let files = std::path::PathBuf::from(std::env::var_os("XDG_DATA_HOME").unwrap()).join("Trash/files");
    let Ok(entries) = std::fs::read_dir(files) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

pub fn empty_trash() {
    let trash = std::path::PathBuf::from(std::env::var_os("XDG_DATA_HOME").unwrap()).join("Trash");
    std::fs::remove_dir_all(trash).unwrap();
}
