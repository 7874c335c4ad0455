//! Earlier contents of a file.

use orangery_domain::{FilePlace, Version, VersionId};
use orangery_store::table::{blob, file, version};

use crate::{Changes, Error, Result};

impl Changes {
    /// The versions of the file at a place, the newest first; those of before a rename too.
    pub async fn history(&self, place: &FilePlace) -> Result<Vec<Version>> {
        let db = self.house().db.reader();
        let file = file::by_place(db, place).await?;
        Ok(version::of_place(db, place, file.map(|file| file.id)).await?)
    }

    /// The bytes of a version.
    pub async fn read_version(&self, id: VersionId) -> Result<Vec<u8>> {
        let db = self.house().db.reader();
        let missing = || Error::NotFound { what: "version", id: id.to_string() };
        let version = version::by_id(db, id).await?.ok_or_else(missing)?;
        Ok(blob::get(db, version.hash).await?)
    }
}
