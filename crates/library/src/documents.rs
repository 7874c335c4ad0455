//! Documents as viewers and the assistant read them: what their reader gave, from memory, from the database,
//! or from a worker, in that order.

mod look;
mod pixels;
pub mod queue;
mod recent;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use orangery_domain::{ContentHash, FileInfo, FileKind, FilePlace, KeyPlace, Warning};
use orangery_extract::Document;
use orangery_extract::document::{self, code};
use orangery_store::root::CheckedPath;
use orangery_store::secret::{Secret, Secrets};
use orangery_store::table::extraction::{self, Key, Packed};
use orangery_store::table::file::{self, FileRow, Stamp};

use crate::extractor::{DOCUMENT_LIMIT, Extractor, Fault, Subject, Urgency};
use crate::ingest::is_settled;
use crate::sensitive::is_private_key;
use crate::{Error, Inner, Library, Result, trouble};

pub use pixels::{Drawable, Look, PICTURE_LIMIT, PictureSource};
use recent::Recent;

/// Everything about reading documents.
pub struct Documents {
    /// Absent where no worker can be started: then documents are known by name alone.
    pub extractor: Option<Extractor>,
    pub secrets: Option<Arc<Secrets>>,
    pub pictures: orangery_store::cache::Cache,
    recent: Mutex<Recent>,
    /// One at a time reads the same bytes.
    readings: Mutex<HashMap<Key, Weak<tokio::sync::Mutex<()>>>>,
    pub queue: queue::Queue,
}

/// Bytes of page pictures and the like that are kept.
const PICTURES_LIMIT: u64 = 256 << 20;

impl Documents {
    pub fn new(
        extractor: Option<Extractor>,
        secrets: Option<Arc<Secrets>>,
        pictures: std::path::PathBuf,
    ) -> Self {
        Self {
            extractor,
            secrets,
            pictures: orangery_store::cache::Cache::new(pictures, PICTURES_LIMIT),
            recent: Mutex::default(),
            readings: Mutex::default(),
            queue: queue::Queue::default(),
        }
    }

    fn recent(&self) -> MutexGuard<'_, Recent> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn turn(&self, key: &Key) -> Arc<tokio::sync::Mutex<()>> {
        let mut readings = self.readings.lock().unwrap_or_else(PoisonError::into_inner);
        readings.retain(|_, turn| turn.strong_count() > 0);
        if let Some(turn) = readings.get(key).and_then(Weak::upgrade) {
            return turn;
        }
        let turn = Arc::default();
        readings.insert(key.clone(), Arc::downgrade(&turn));
        turn
    }
}

/// A document as it is on disk now.
#[derive(Debug, Clone)]
pub struct DocumentSource {
    /// Where its bytes are.
    pub place: FilePlace,
    pub checked: CheckedPath,
    /// Absent for a file that the scan does not know.
    pub file: Option<FileInfo>,
    /// What its reader gave; its trouble where nothing could be read.
    pub document: Arc<Document>,
    subject: Subject,
}

impl DocumentSource {
    pub fn kind(&self) -> FileKind {
        self.subject.kind
    }

    /// Of the bytes.
    pub fn hash(&self) -> ContentHash {
        self.subject.hash
    }

    /// As the document names itself, else its file.
    pub fn title(&self) -> String {
        title(&self.document, self.place.path.stem())
    }
}

/// As a document names itself, else its file.
pub fn title(document: &Document, stem: &str) -> String {
    document.title.clone().filter(|title| !title.trim().is_empty()).unwrap_or_else(|| stem.to_owned())
}

/// Troubles that another password or another program ends, so that nobody may call them the last word.
pub fn is_locked(document: &Document) -> bool {
    let locked = |code: &str| matches!(code, code::ENCRYPTED | code::WRONG_PASSWORD);
    document.trouble.as_ref().is_some_and(|trouble| locked(&trouble.code))
}

fn may_pass(document: &Document) -> bool {
    document.trouble.as_ref().is_some_and(|trouble| trouble.code == code::PDFIUM_MISSING)
}

impl Library {
    /// Reads a document as it is on disk now; whoever asks waits for it, before the index does.
    ///
    /// # Errors
    /// `Invalid` when it is no document, or too large. What is wrong with the document itself is in it.
    pub async fn read_document(&self, place: &FilePlace) -> Result<DocumentSource> {
        let (subject, checked, row) = self.document_subject(place).await?;
        let place = FilePlace { kb_id: place.kb_id, path: checked.place().clone() };
        let given_up = row.as_ref().and_then(|row| {
            let trouble = row.trouble.as_ref().filter(|trouble| is_last_word(trouble))?;
            let same = row.hash == Some(subject.hash) && row.read_version == document::VERSION;
            same.then(|| Document { trouble: Some(trouble.clone()), ..Document::default() })
        });
        let document = match given_up {
            Some(document) => Arc::new(document),
            None => self.0.extracted(&subject, Urgency::Now).await.or_else(|fault| refused(&fault))?,
        };
        if let Some(row) = &row
            && (row.read_version != document::VERSION || row.hash != Some(subject.hash))
        {
            self.0.documents.queue.ask_for(row.id);
        }
        Ok(DocumentSource { place, checked, file: row.map(|row| row.info()), document, subject })
    }

    /// Reads the bytes of a document that lies outside all knowledge bases.
    pub async fn read_document_bytes(&self, name: &str, bytes: Vec<u8>) -> Result<Drawable> {
        let kind = FileKind::of_name(name);
        if !kind.is_document() {
            return Err(Error::NotADocument(name.to_owned()));
        }
        let subject = self.0.subject(bytes, kind, name, None).await?;
        let document = self.0.extracted(&subject, Urgency::Now).await.or_else(|fault| refused(&fault))?;
        Ok(Drawable { document, subject })
    }

    /// Why no PDF can be read here; nothing where they can.
    pub async fn misses_pdf(&self) -> Option<String> {
        // No PDF: with its library there, the reader calls it damaged. What it said earlier says nothing of now.
        let asked = async {
            let nothing = self.0.subject(b"%PDF-".to_vec(), FileKind::Pdf, "nothing.pdf", None).await?;
            Ok::<_, Error>(self.0.extractor()?.read(&nothing, Urgency::Now).await)
        };
        match asked.await {
            Ok(Ok(read)) if may_pass(&read) => {
                let detail = read.trouble.map(|trouble| trouble.detail).filter(|detail| !detail.is_empty());
                Some(
                    detail
                        .map_or("PDFium is missing".into(), |why| format!("PDFium cannot be loaded: {why}")),
                )
            }
            Ok(Ok(_)) => None,
            Ok(Err(fault)) => Some(Error::from(fault).to_string()),
            Err(error) => Some(error.to_string()),
        }
    }

    /// Reads a locked document with a password, and keeps the password in `keep` once it fits: for this
    /// run, or longer.
    ///
    /// # Errors
    /// `Denied` with `wrongPassword` when it does not fit; what else is wrong with it, no password helps.
    pub async fn unlock_document(&self, place: &FilePlace, password: Secret, keep: KeyPlace) -> Result<()> {
        let (mut subject, checked, row) = self.document_subject(place).await?;
        subject.password = Some(password.expose().to_owned());
        let inner = &self.0;
        let extractor = inner.extractor()?;
        let document = extractor.read(&subject, Urgency::Now).await.map_err(Error::from)?;
        if is_locked(&document) {
            return Err(Error::WrongPassword(checked.place().to_string()));
        }
        if let Some(trouble) = document.trouble {
            return Err(Error::Document(trouble));
        }
        let name = password_name(subject.hash);
        let secrets = inner.documents.secrets.as_ref().ok_or(Error::Closed)?;
        secrets.set(&name, password.clone(), KeyPlace::Run).await?;
        inner.keep_extracted(&subject, document).await;
        if let Some(row) = row {
            inner.wait_again(&row).await?;
        }
        if keep != KeyPlace::Run && keep != KeyPlace::None {
            secrets.set(&name, password, keep).await?;
            let mut tx = inner.db.write().await?;
            extraction::set_password_place(&mut tx, subject.hash, keep).await?;
            tx.commit().await.map_err(orangery_store::Error::from)?;
        }
        Ok(())
    }

    /// Reads a document again, whatever came of it before.
    pub async fn retry_document(&self, place: &FilePlace) -> Result<()> {
        let (subject, _, row) = self.document_subject(place).await?;
        let inner = &self.0;
        inner.documents.recent().forget(subject.hash);
        let mut tx = inner.db.write().await?;
        extraction::remove(&mut tx, subject.hash).await?;
        tx.commit().await.map_err(orangery_store::Error::from)?;
        if let Some(row) = row {
            inner.wait_again(&row).await?;
        }
        Ok(())
    }

    /// The bytes of a document as they are now, and the row that is about it.
    async fn document_subject(
        &self,
        place: &FilePlace,
    ) -> Result<(Subject, CheckedPath, Option<Arc<FileRow>>)> {
        self.subject(place, FileKind::is_document, DOCUMENT_LIMIT).await
    }

    /// The same of a file of a kind that is `wanted`, of no more than `limit` bytes.
    async fn subject(
        &self,
        place: &FilePlace,
        wanted: impl Fn(FileKind) -> bool,
        limit: u64,
    ) -> Result<(Subject, CheckedPath, Option<Arc<FileRow>>)> {
        let root = self.root(place.kb_id)?;
        let path = place.path.clone();
        let resolved = tokio::task::spawn_blocking(move || {
            let checked = root.resolve(&path)?;
            let meta = checked.metadata()?;
            Ok::<_, orangery_store::Error>((checked, meta))
        });
        let (checked, meta) = resolved.await.map_err(|_| Error::Closed)??;
        let found = FilePlace { kb_id: place.kb_id, path: checked.place().clone() };
        let kind = FileKind::of_name(found.path.name());
        if !wanted(kind) {
            return Err(Error::NotADocument(found.path.to_string()));
        }
        if meta.size > limit {
            let path = found.path.to_string();
            return Err(orangery_store::Error::TooLarge { path, size: meta.size, limit }.into());
        }
        let row = self.catalog().read().by_place(&found).cloned();
        let encoding = row.as_ref().and_then(|row| chosen(row));
        let stamp = Stamp::from(meta);
        let held = self.0.documents.recent().bytes(&found, stamp);
        let mut subject = match held {
            Some((hash, bytes)) => {
                Subject { bytes, hash, kind, name: found.path.name().to_owned(), password: None, encoding }
            }
            None => {
                let reading = checked.clone();
                let bytes = tokio::task::spawn_blocking(move || reading.read());
                let bytes = bytes.await.map_err(|_| Error::Closed)??;
                let subject = self.0.subject(bytes, kind, found.path.name(), encoding).await?;
                if is_settled(meta) {
                    let bytes = Arc::clone(&subject.bytes);
                    self.0.documents.recent().keep_bytes(found, stamp, subject.hash, bytes);
                }
                subject
            }
        };
        subject.password = self.0.password(subject.hash).await;
        Ok((subject, checked, row))
    }
}

/// What a document is called among the secrets.
fn password_name(hash: ContentHash) -> String {
    format!("document/{}", hash.to_hex())
}

/// The encoding that the user chose for a file.
fn chosen(row: &FileRow) -> Option<String> {
    row.encoding.clone().filter(|_| row.encoding_chosen)
}

/// Troubles of reading that are not looked for again until somebody asks for it: they cost what they cost.
fn is_last_word(said: &Warning) -> bool {
    trouble::CRASHED.is(said) || trouble::TOO_SLOW.is(said)
}

/// What cannot be read is a document with its trouble; what is no fault of the document is an error.
fn refused(fault: &Fault) -> Result<Arc<Document>> {
    match fault.trouble() {
        Some(trouble) => Ok(Arc::new(Document { trouble: Some(trouble), ..Document::default() })),
        None => Err(fault.clone().into()),
    }
}

impl Inner {
    pub(crate) fn extractor(&self) -> Result<&Extractor> {
        self.documents.extractor.as_ref().ok_or_else(|| Error::NoReader("none was given".into()))
    }

    /// The subject of some bytes; hashing them takes a while.
    async fn subject(
        &self,
        bytes: Vec<u8>,
        kind: FileKind,
        name: &str,
        encoding: Option<String>,
    ) -> Result<Subject> {
        let hashed = tokio::task::spawn_blocking(move || (ContentHash::of(&bytes), Arc::new(bytes)));
        let (hash, bytes) = hashed.await.map_err(|_| Error::Closed)?;
        Ok(Subject { bytes, hash, kind, name: name.to_owned(), password: None, encoding })
    }

    /// The password of a locked document, where it is known. The keyring is asked only for those that are
    /// in it.
    async fn password(&self, hash: ContentHash) -> Option<String> {
        let secrets = self.documents.secrets.as_ref()?;
        let place = extraction::password_place(self.db.reader(), hash).await.unwrap_or(KeyPlace::None);
        match secrets.get(&password_name(hash), place).await {
            Ok(secret) => secret.map(|secret| secret.expose().to_owned()),
            Err(error) => {
                tracing::info!(%error, "the password of a document cannot be had");
                None
            }
        }
    }

    /// What the reader of a document gives, and nobody reads the same twice.
    async fn extracted(&self, subject: &Subject, urgency: Urgency) -> Result<Arc<Document>, Fault> {
        let key = Key { hash: subject.hash, kind: subject.kind, encoding: subject.encoding.clone() };
        if let Some(document) = self.documents.recent().document(&key) {
            return Ok(document);
        }
        let turn = self.documents.turn(&key);
        let _turn = turn.lock().await;
        let known = self.known_extraction(&key).await;
        if let Some(document) = known
            && (!is_locked(&document) || subject.password.is_none())
        {
            self.documents.recent().keep(key, &document);
            return Ok(document);
        }
        let extractor = self.extractor().map_err(|error| Fault::NoWorker(error.to_string()))?;
        let document = extractor.read(subject, urgency).await?;
        Ok(self.keep_extracted(subject, document).await)
    }

    async fn known_extraction(&self, key: &Key) -> Option<Arc<Document>> {
        let packed = match extraction::get(self.db.reader(), key, document::VERSION).await {
            Ok(packed) => packed?,
            Err(error) => {
                tracing::warn!(%error, "what was read from a document");
                return None;
            }
        };
        let unpacked = tokio::task::spawn_blocking(move || {
            let json = packed.unpack().ok()?;
            serde_json::from_slice::<Document>(&json).ok()
        });
        unpacked.await.ok().flatten().map(Arc::new)
    }

    /// Keeps what was read, where the next one finds it.
    async fn keep_extracted(&self, subject: &Subject, mut document: Document) -> Arc<Document> {
        if is_private_key(&document.text) {
            document = Document { trouble: Some(trouble::SENSITIVE.of("")), ..Document::default() };
        }
        let key = Key { hash: subject.hash, kind: subject.kind, encoding: subject.encoding.clone() };
        let document = Arc::new(document);
        if may_pass(&document) {
            return document;
        }
        self.documents.recent().keep(key.clone(), &document);
        let kept = Arc::clone(&document);
        let packed = tokio::task::spawn_blocking(move || {
            let json = serde_json::to_vec(&*kept).unwrap_or_default();
            Packed::new(&json)
        });
        let stored = async {
            let packed = packed.await.map_err(|_| Error::Closed)??;
            let mut tx = self.db.write().await?;
            extraction::put(&mut tx, &key, document::VERSION, &packed).await?;
            tx.commit().await.map_err(orangery_store::Error::from)?;
            Ok::<_, Error>(())
        };
        // Beside the owner of the data nothing is written; it is read again then.
        if let Err(error) = stored.await {
            tracing::warn!(%error, "what was read from a document is not kept");
        }
        document
    }

    /// A document is to be read again, before others.
    async fn wait_again(&self, row: &FileRow) -> Result<()> {
        let _rows = self.rows.lock().await;
        let mut tx = self.db.write().await?;
        file::read_again(&mut tx, row.id).await?;
        tx.commit().await.map_err(orangery_store::Error::from)?;
        self.catalog.write().read_again(row.id);
        self.documents.queue.ask_for(row.id);
        Ok(())
    }
}
