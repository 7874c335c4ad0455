//! One SQLite database: a single writing connection and a few readers.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Sqlite, SqlitePool, Transaction};

use crate::Result;

/// Readers see the last commit and never wait for the writer (WAL); writers queue for one connection,
/// so that no transaction fails for being second.
#[derive(Debug, Clone)]
pub struct Db {
    writer: SqlitePool,
    readers: SqlitePool,
}

/// How long a writer queues before it gives up. Transactions are short; this only bounds a fault.
const WRITER_WAIT: Duration = Duration::from_secs(60);
const READERS: u32 = 4;

impl Db {
    /// Opens or creates the database at `path` and brings it up to date.
    ///
    /// # Errors
    /// `Corrupt` when the file is no database, `Unavailable` when it is of a newer version or cannot be
    /// opened.
    pub async fn open(path: &Path) -> Result<Self> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // The journal of `apply` promises that what it wrote survives a power cut.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(10))
            .pragma("temp_store", "memory");
        let writer = SqlitePoolOptions::new()
            .max_connections(1)
            .acquire_timeout(WRITER_WAIT)
            .idle_timeout(None)
            .max_lifetime(None)
            .connect_with(options.clone())
            .await?;
        sqlx::migrate!("../../migrations").run(&writer).await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .acquire_timeout(WRITER_WAIT)
            .connect_lazy_with(options.pragma("query_only", "on"));
        Ok(Self { writer, readers })
    }

    /// Opens the database at `path` beside the process that owns it: nothing is made, brought up to date
    /// or written, and whatever tries to write fails.
    pub fn open_reading(path: &Path) -> Self {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .read_only(true)
            .busy_timeout(Duration::from_secs(10))
            .pragma("temp_store", "memory");
        let pool = SqlitePoolOptions::new().max_connections(READERS).acquire_timeout(WRITER_WAIT);
        let readers = pool.connect_lazy_with(options);
        Self { writer: readers.clone(), readers }
    }

    /// Where to send queries that change nothing.
    pub fn reader(&self) -> &SqlitePool {
        &self.readers
    }

    /// Begins a transaction that may write; waits for the one before it. Dropped without a commit, it
    /// rolls back. Hold it briefly, and never across a wait for anything but the database.
    pub async fn write(&self) -> Result<Transaction<'static, Sqlite>> {
        Ok(self.writer.begin_with("begin immediate").await?)
    }

    /// Closes all connections, writing the WAL back.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// Milliseconds since 1970.
pub fn now_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |elapsed| i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn writers_queue_and_readers_cannot_write() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open(&folder.path().join("orangery.db")).await.unwrap();
        let first = db.write().await.unwrap();
        let second = tokio::spawn({
            let db = db.clone();
            async move { db.write().await.unwrap().commit().await.unwrap() }
        });
        assert!(
            sqlx::query("insert into knowledge_base (name, root, created_at) values ('a', '/a', 0)")
                .execute(db.reader())
                .await
                .is_err()
        );
        assert!(!second.is_finished());
        first.rollback().await.unwrap();
        second.await.unwrap();
        db.close().await;
    }

    #[tokio::test]
    async fn beside_its_owner_it_is_only_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("orangery.db");
        let owner = Db::open(&path).await.unwrap();
        let beside = Db::open_reading(&path);
        assert!(crate::table::knowledge_base::all(beside.reader()).await.unwrap().is_empty());
        let mut write = beside.write().await.unwrap();
        let written =
            sqlx::query("insert into knowledge_base (name, root, created_at) values ('a', '/a', 0)")
                .execute(&mut *write)
                .await;
        assert!(written.is_err());
        drop(write);
        owner.write().await.unwrap().commit().await.unwrap();
        beside.close().await;
        owner.close().await;
    }

    #[tokio::test]
    #[expect(clippy::disallowed_methods, reason = "plays a damaged disk")]
    async fn what_is_no_database_is_corrupt() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("orangery.db");
        std::fs::write(&path, vec![b'x'; 8192]).unwrap();
        let error = Db::open(&path).await.unwrap_err();
        assert_eq!(error.kind(), orangery_domain::ErrorKind::Corrupt, "{error}");
    }
}
