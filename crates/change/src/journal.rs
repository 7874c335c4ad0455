//! What a dead process left half written is finished, or taken back.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
    time::SystemTime,
};

use orangery_store::{
    root::Roots,
    table::{
        blob,
        journal::{self, Act, Journal, Step},
    },
};

use crate::{
    Error, House, Result,
    apply::{
        progress,
        write::{self, Left, Tools},
    },
    stop::Point,
};

impl House {
    /// Deals with every journal entry whose knowledge bases can be reached. What cannot be dealt with
    /// stays for the next time: the app has to open all the same.
    pub(crate) async fn recover(&self) -> Result<()> {
        for entry in journal::all(self.db.reader()).await? {
            let places: Vec<_> = entry.steps.iter().flat_map(Step::places).cloned().collect();
            let whole = entry.steps.iter().filter(|step| step.act.is_whole());
            let trees = whole.flat_map(Step::places).map(|place| place.kb_id).collect();
            let _held = self.locks.trees(trees, &places).await;
            // Whoever writes holds the paths until the entry is gone; so what is left now is nobody's.
            if !journal::is_open(self.db.reader(), entry.id).await? {
                continue;
            }
            if places.iter().any(|place| self.roots.root(place.kb_id).is_err()) {
                tracing::warn!(journal = entry.id, "a knowledge base is offline; its journal waits");
                continue;
            }
            match self.finish(&entry).await {
                Ok(()) => tracing::info!(journal = entry.id, "finished what was being written"),
                Err(error) => tracing::error!(journal = entry.id, %error, "the journal cannot be finished"),
            }
        }
        Ok(())
    }

    async fn finish(&self, entry: &Journal) -> Result<()> {
        let mut contents = HashMap::new();
        for hash in entry.steps.iter().flat_map(Step::contents) {
            contents.insert(hash, blob::get(self.db.reader(), hash).await?);
        }
        for hash in journal::held(self.db.reader(), entry.id).await? {
            contents.insert(hash, blob::get(self.db.reader(), hash).await?);
        }
        let (roots, seam, steps) = (Arc::clone(&self.roots), self.seam.clone(), entry.steps.clone());
        let left = Left { since: entry.started_at, progress: entry.progress };
        let (db, journal, opened) = (self.db.clone(), entry.id, self.opened);
        let finished = tokio::task::spawn_blocking(move || {
            clear_away(&*roots, &steps, opened);
            let begun = progress(&db, journal);
            let tools = Tools { roots: &*roots, contents: &contents, seam: &seam, begun: &begun };
            write::finish(&tools, &steps, left)
        })
        .await;
        let outcome = finished.map_err(Error::task)?;
        self.seam.point(Point::Recovered);
        self.settle(entry.id, entry.change_set_id, &entry.provenance, &entry.steps, &outcome, &[]).await
    }
}

/// Removes the contents that were waiting beside their files. What cannot be removed harms nothing. Blocks.
fn clear_away(roots: &dyn Roots, steps: &[Step], opened: SystemTime) {
    let mut cleared = BTreeSet::new();
    for step in steps.iter().filter(|step| step.act == Act::Content && !step.folder) {
        let folder = (step.place.kb_id, step.place.path.parent().map(|parent| parent.key()));
        if cleared.insert(folder)
            && let Ok(checked) = roots.root(step.place.kb_id).and_then(|root| root.resolve(&step.place.path))
            && let Err(error) = checked.remove_stale_beside(opened)
        {
            tracing::warn!(%error, "an unfinished file stays");
        }
    }
}
