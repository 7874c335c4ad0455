//! Everything that is open while a process has the data directory. [`Rooms::open`] is the only place
//! where the crates below are wired together.

use std::sync::Arc;

use orangery_store::Db;
use orangery_store::secret::Secrets;
use tokio_util::sync::CancellationToken;

use crate::app::Config;
use crate::blob::{Blob, BlobKey};
use crate::error::{Code, Result, WireError};
use crate::event::Events;
use crate::request::Finding;

/// What handlers work with.
pub struct Rooms {
    pub(crate) config: Config,
    pub(crate) events: Arc<Events>,
    pub(crate) secrets: Arc<Secrets>,
    pub(crate) db: Db,
    cancel: CancellationToken,
}

impl Rooms {
    pub(crate) async fn open(config: &Config, cancel: CancellationToken, read_only: bool) -> Result<Self> {
        let _ = read_only;
        Ok(Self {
            db: Db::open(&config.data_dir.join("orangery.db")).await?,
            config: config.clone(),
            events: Arc::new(Events::starting_at(first_event())),
            secrets: Arc::new(Secrets::open(&config.data_dir)),
            cancel,
        })
    }

    pub(crate) async fn close(&self) {
        self.cancel.cancel();
        self.db.close().await;
    }

    pub(crate) async fn blob(&self, key: BlobKey) -> Result<Blob> {
        let BlobKey::File { place } = key;
        Err(WireError::new(Code::NotFound, format!("no file {}", place.path)).with("path", place.path))
    }

    pub(crate) async fn findings(&self) -> Result<Vec<Finding>> {
        Ok(Vec::new())
    }
}

/// Above every number of an earlier run: no run makes a thousand events a millisecond.
fn first_event() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or_default() * 1000
}
