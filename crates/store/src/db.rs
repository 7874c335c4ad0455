//! One SQLite database: a single writing connection and a few readers.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sqlx::sqlite::{
    SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};
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
/// What SQLite calls the mode in which space is given back in slices.
const INCREMENTAL: i64 = 2;
/// Pages given back at a time: some ten milliseconds of work.
const SLICE: u32 = 2_000;

impl Db {
    /// Opens or creates the database at `path` and brings it up to date.
    ///
    /// # Errors
    /// `Corrupt` when the file is no database, `Unavailable` when it is of a newer version or cannot be
    /// opened; `diskFull` where that is the cause.
    pub async fn open(path: &Path) -> Result<Self> {
        Self::open_writing(path).await.map_err(|error| error.or_full(path))
    }

    async fn open_writing(path: &Path) -> Result<Self> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .auto_vacuum(SqliteAutoVacuum::Incremental)
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
        self.begin("pragma synchronous = full; begin immediate").await
    }

    /// As [`Db::write`], for what promises nothing about files: it outlives this process at once, and a
    /// power cut after the next [`Db::write`], which brings all before it to the disk.
    pub async fn write_soon(&self) -> Result<Transaction<'static, Sqlite>> {
        self.begin("pragma synchronous = normal; begin immediate").await
    }

    async fn begin(&self, begin: &'static str) -> Result<Transaction<'static, Sqlite>> {
        match self.writer.begin_with(begin).await {
            // SQLite rolls back by itself when its disk is full. The connection goes on to count a
            // transaction that is no more, and would refuse every later one: another takes its place.
            Err(sqlx::Error::InvalidSavePointStatement) => {
                self.writer.acquire().await?.close().await?;
                Ok(self.writer.begin_with(begin).await?)
            }
            begun => Ok(begun?),
        }
    }

    /// Bytes of the file that hold nothing and would be given back.
    pub async fn free_bytes(&self) -> Result<u64> {
        let pages = sqlx::query_scalar::<_, i64>("pragma freelist_count").fetch_one(&self.readers).await?;
        let size = sqlx::query_scalar::<_, i64>("pragma page_size").fetch_one(&self.readers).await?;
        Ok(pages.cast_unsigned() * size.cast_unsigned())
    }

    /// Gives the space of what was deleted back to the disk. Between two slices others can write; only a
    /// database of a time when it could not be done in slices is written anew once, in one go.
    pub async fn give_back(&self) -> Result<()> {
        let mode = sqlx::query_scalar::<_, i64>("pragma auto_vacuum").fetch_one(&self.writer).await?;
        if mode == INCREMENTAL {
            loop {
                let before = self.free_bytes().await?;
                sqlx::query(sqlx::AssertSqlSafe(format!("pragma incremental_vacuum({SLICE})")))
                    .fetch_all(&self.writer)
                    .await?;
                let after = self.free_bytes().await?;
                if after == 0 || after >= before {
                    break;
                }
            }
        } else {
            sqlx::query("pragma auto_vacuum = incremental").execute(&self.writer).await?;
            sqlx::query("vacuum").execute(&self.writer).await?;
        }
        sqlx::query("pragma wal_checkpoint(truncate)").fetch_all(&self.writer).await?;
        Ok(())
    }

    /// Lets the database grow by `pages` at most, as on a disk that is nearly full.
    #[cfg(any(test, feature = "stop-points"))]
    pub async fn leave_room(&self, pages: u32) -> Result<()> {
        let mut writer = self.writer.acquire().await?;
        let size = sqlx::query_scalar::<_, i64>("pragma page_count").fetch_one(&mut *writer).await?;
        let most = size + i64::from(pages);
        sqlx::query(sqlx::AssertSqlSafe(format!("pragma max_page_count = {most}")))
            .execute(&mut *writer)
            .await?;
        Ok(())
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
    async fn a_transaction_reaches_the_disk_when_it_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open(&folder.path().join("orangery.db")).await.unwrap();
        let mode = async |write: &mut Transaction<'static, Sqlite>| {
            sqlx::query_scalar::<_, i64>("pragma synchronous").fetch_one(&mut **write).await.unwrap()
        };
        let (full, normal) = (2, 1);
        for _ in 0..2 {
            let mut write = db.write_soon().await.unwrap();
            assert_eq!(mode(&mut write).await, normal);
            drop(write);
            let mut write = db.write().await.unwrap();
            assert_eq!(mode(&mut write).await, full);
            write.commit().await.unwrap();
        }
        db.close().await;
    }

    #[tokio::test]
    async fn space_goes_back_to_the_disk_in_slices() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("orangery.db");
        let db = Db::open(&path).await.unwrap();
        let mode = sqlx::query_scalar::<_, i64>("pragma auto_vacuum").fetch_one(&db.writer).await.unwrap();
        assert_eq!(mode, INCREMENTAL);
        let mut write = db.write().await.unwrap();
        // Nothing that packing makes smaller.
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        };
        let noise: Vec<u8> = (0..20_000_000).map(|_| random()).collect();
        let packed = crate::blob::Packed::new(&noise);
        crate::table::blob::put(&mut write, &packed).await.unwrap();
        write.commit().await.unwrap();
        let mut write = db.write().await.unwrap();
        crate::table::blob::sweep(&mut write).await.unwrap();
        write.commit().await.unwrap();
        let free = db.free_bytes().await.unwrap();
        let before = std::fs::metadata(&path).unwrap().len();
        assert!(free > u64::from(SLICE) * 4096, "{free}");
        db.give_back().await.unwrap();
        assert_eq!(db.free_bytes().await.unwrap(), 0);
        let after = std::fs::metadata(&path).unwrap().len();
        assert!(after + free / 2 < before, "{before} {after}");
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
