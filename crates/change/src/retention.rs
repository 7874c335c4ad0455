//! How long versions are kept, what they take, and how space comes back.

use orangery_domain::HistoryUsage;
use orangery_store::{
    now_ms,
    table::{blob, version, version::Retention},
};

use crate::{Changes, House, Result};

const DAY: i64 = 24 * 60 * 60 * 1000;

/// The newest 32 of a file and everything of the last 7 days always; beyond, up to 100 and 90 days.
fn retention(now: i64) -> Retention {
    Retention { always: 32, since: now - 7 * DAY, most: 100, oldest: now - 90 * DAY }
}

impl Changes {
    /// What history takes.
    pub async fn usage(&self) -> Result<HistoryUsage> {
        let db = &self.house().db;
        let usage = version::usage(db.reader(), &retention(now_ms())).await?;
        Ok(HistoryUsage { reclaimable_bytes: usage.reclaimable_bytes + db.free_bytes().await?, ..usage })
    }

    /// Drops versions beyond what is kept, and contents that nothing refers to, and gives the space back.
    /// What a change set or the journal refers to stays.
    pub async fn vacuum(&self) -> Result<HistoryUsage> {
        self.uncut(|house| async move {
            house.prune().await?;
            Ok(house.db.give_back().await?)
        })
        .await?;
        self.usage().await
    }
}

impl House {
    /// Drops what is not kept any longer. The space stays with the database.
    pub(crate) async fn prune(&self) -> Result<()> {
        let mut write = self.db.write().await?;
        let dropped = version::drop_beyond(&mut write, &retention(now_ms())).await?;
        let swept = blob::sweep(&mut write).await?;
        write.commit().await.map_err(orangery_store::Error::from)?;
        if dropped > 0 || swept > 0 {
            tracing::info!(versions = dropped, contents = swept, "dropped what is not kept any longer");
        }
        Ok(())
    }
}
