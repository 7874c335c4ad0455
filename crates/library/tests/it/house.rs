//! A knowledge base in a temporary folder.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use orangery_domain::{FileId, FilePlace, KbId, KbPath, SearchPage, SearchQuery};
use orangery_library::{Fact, Library, LibraryConfig, WorkerCommand};
use orangery_store::Db;
use orangery_store::secret::Secrets;
use tokio_util::sync::CancellationToken;

pub struct House {
    pub folder: Folder,
    pub db: Db,
    pub library: Library,
    pub kb: KbId,
    pub facts: Arc<Mutex<Vec<Fact>>>,
}

/// The disk side, which outlives an opened library.
pub struct Folder {
    keep: Option<tempfile::TempDir>,
    base: PathBuf,
}

impl Folder {
    pub fn new() -> Self {
        let keep = tempfile::tempdir().unwrap();
        let base = keep.path().to_owned();
        std::fs::create_dir(base.join("kb")).unwrap();
        std::fs::create_dir(base.join("data")).unwrap();
        Self { keep: Some(keep), base }
    }

    /// Made by another process, and removed by it.
    pub fn of(base: &Path) -> Self {
        Self { keep: None, base: base.to_owned() }
    }

    pub fn base(&self) -> &Path {
        self.keep.as_ref().map_or(&self.base, |keep| keep.path())
    }

    pub fn kb(&self) -> PathBuf {
        self.base().join("kb")
    }

    pub fn index(&self) -> PathBuf {
        self.base().join("data/index")
    }

    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.kb().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub fn remove(&self, path: &str) {
        std::fs::remove_file(self.kb().join(path)).unwrap();
    }

    pub fn rename(&self, from: &str, to: &str) {
        std::fs::rename(self.kb().join(from), self.kb().join(to)).unwrap();
    }

    /// Opens the library; the folder is registered if it is not yet.
    pub async fn open(self, watch: bool) -> House {
        self.open_with(watch, None).await
    }

    /// The same with documents, and nobody watches.
    pub async fn open_reading_documents(self, worker: Option<WorkerCommand>) -> House {
        self.open_with(false, worker).await
    }

    async fn open_with(self, watch: bool, worker: Option<WorkerCommand>) -> House {
        let secrets = Arc::new(Secrets::open(&self.base().join("data")));
        let db = Db::open(&self.base().join("data/orangery.db")).await.unwrap();
        let facts = Arc::new(Mutex::new(Vec::new()));
        let library = Library::open(LibraryConfig {
            db: db.clone(),
            index_folder: self.index(),
            notify: Arc::new({
                let facts = Arc::clone(&facts);
                move |fact| facts.lock().unwrap().push(fact)
            }),
            cancel: CancellationToken::new(),
            worker,
            secrets: Some(secrets),
            watch,
        })
        .await
        .unwrap();
        let kb = match library.knowledge_bases().first() {
            Some(kb) => kb.id,
            None => library.add(&self.kb(), None).await.unwrap().id,
        };
        House { folder: self, db, library, kb, facts }
    }
}

impl House {
    /// With these notes, indexed.
    pub async fn with(notes: &[(&str, &str)]) -> Self {
        let folder = Folder::new();
        for (path, text) in notes {
            folder.write(path, text);
        }
        let house = folder.open(false).await;
        house.library.settle().await;
        house
    }

    pub async fn close(self) -> Folder {
        self.library.close().await;
        self.db.close().await;
        self.folder
    }

    /// Looks at everything again and waits.
    pub async fn rescan(&self) {
        self.library.rescan(self.kb).unwrap();
        self.library.settle().await;
    }

    pub fn place(&self, path: &str) -> FilePlace {
        FilePlace { kb_id: self.kb, path: KbPath::parse(path).unwrap() }
    }

    pub fn id(&self, path: &str) -> Option<FileId> {
        self.library.file(&self.place(path)).map(|file| file.id)
    }

    /// Paths of all known files, sorted.
    pub fn files(&self) -> Vec<String> {
        let mut files: Vec<String> = self
            .library
            .files(&Default::default())
            .unwrap()
            .into_iter()
            .map(|file| file.path.to_string())
            .collect();
        files.sort();
        files
    }

    pub async fn ask(&self, query: SearchQuery) -> SearchPage {
        self.library.search(&query).await.unwrap()
    }

    /// Paths that answer plain words, best first.
    pub async fn search(&self, text: &str) -> Vec<String> {
        paths(&self.ask(SearchQuery { text: text.into(), limit: 200, ..SearchQuery::default() }).await)
    }

    /// The same with operators.
    pub async fn operators(&self, text: &str) -> Vec<String> {
        paths(&self.ask(SearchQuery { text: text.into(), operators: true, ..SearchQuery::default() }).await)
    }

    /// Waits until `holds`.
    pub async fn eventually(&self, holds: impl Fn() -> bool) {
        let started = Instant::now();
        while !holds() {
            assert!(started.elapsed() < Duration::from_secs(60), "it never came to be");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Waits until a search warns, or no longer warns, of `code`.
    pub async fn until_warned(&self, code: &str, wanted: bool) {
        let started = Instant::now();
        loop {
            let page = self.ask(SearchQuery { text: "word".into(), ..SearchQuery::default() }).await;
            if page.warnings.iter().any(|warning| warning.code == code) == wanted {
                return;
            }
            assert!(started.elapsed() < Duration::from_secs(60), "{:?}", page.warnings);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until `text` is answered by exactly `expected`, in any order.
    pub async fn until(&self, text: &str, expected: &[&str]) {
        let started = Instant::now();
        loop {
            let mut found = self.search(text).await;
            found.sort();
            if found == expected {
                return;
            }
            assert!(started.elapsed() < Duration::from_secs(60), "{text}: {found:?} instead of {expected:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

pub fn paths(page: &SearchPage) -> Vec<String> {
    page.groups.iter().map(|group| group.place.path.to_string()).collect()
}

/// What stands under UTF-16 marks.
pub fn under(text: &str, marks: &[(u32, u32)]) -> Vec<String> {
    let units: Vec<u16> = text.encode_utf16().collect();
    marks
        .iter()
        .map(|(start, end)| String::from_utf16(&units[*start as usize..*end as usize]).unwrap())
        .collect()
}
