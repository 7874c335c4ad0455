//! Earlier contents of a file.

use orangery_domain::{
    FileKind, FilePlace, HunkDecision, Moment, Sizes, TurnId, Version, VersionDiff, VersionId,
};
use orangery_store::table::{blob, file, version};

use crate::{
    Changes, Error, House, Proposals, Result,
    diff::{between, hunks},
    disk::{known, look_at},
    review::{encoding_between, missing, to_hunks},
    tree,
};

impl Changes {
    /// The versions of the file at a place, the newest first; those of before a rename too.
    pub async fn history(&self, place: &FilePlace) -> Result<Vec<Version>> {
        self.house().history(place).await
    }

    /// The bytes of a version.
    pub async fn read_version(&self, id: VersionId) -> Result<Vec<u8>> {
        self.house().read_version(id).await
    }

    /// Compares two contents of a file. A file that is not there now counts as empty.
    pub async fn compare(&self, place: &FilePlace, old: &Moment, new: &Moment) -> Result<VersionDiff> {
        self.house().compare(place, old, new).await
    }
}

impl Proposals {
    /// As [`Changes::history`].
    pub async fn history(&self, place: &FilePlace) -> Result<Vec<Version>> {
        self.0.history(place).await
    }

    /// What a turn wrote over, of all files, the newest first.
    pub async fn history_of_turn(&self, turn: TurnId) -> Result<Vec<Version>> {
        Ok(version::of_turn(self.0.db.reader(), turn).await?)
    }

    /// As [`Changes::compare`].
    pub async fn compare(&self, place: &FilePlace, old: &Moment, new: &Moment) -> Result<VersionDiff> {
        self.0.compare(place, old, new).await
    }
}

impl House {
    async fn history(&self, place: &FilePlace) -> Result<Vec<Version>> {
        let file = file::by_place(self.db.reader(), place).await?;
        let versions = version::of_place(self.db.reader(), place, file.map(|file| file.id)).await?;
        if !versions.is_empty() {
            return Ok(versions);
        }
        // No versions of a file is one thing, no such file another.
        match tree::look_at(&self.roots, place).await?.map(|entry| entry.found) {
            Some(tree::Found::Folder) => Err(orangery_store::Error::Folder(place.path.to_string()).into()),
            Some(tree::Found::Nothing) | None => {
                Err(orangery_store::Error::NotFound(place.path.to_string()).into())
            }
            Some(tree::Found::File { .. } | tree::Found::Other) => Ok(versions),
        }
    }

    async fn read_version(&self, id: VersionId) -> Result<Vec<u8>> {
        let found = version::by_id(self.db.reader(), id).await?;
        let version = found.ok_or_else(|| missing("version", id))?;
        Ok(blob::get(self.db.reader(), version.hash).await?)
    }

    async fn compare(&self, place: &FilePlace, old: &Moment, new: &Moment) -> Result<VersionDiff> {
        let (old, new) = (self.at(place, old).await?, self.at(place, new).await?);
        let sizes = Sizes {
            before: old.as_ref().map(|bytes| bytes.len() as u64),
            after: new.as_ref().map(|bytes| bytes.len() as u64),
        };
        let known = known(&self.db, place).await?;
        let decode = |bytes: Option<&[u8]>| known.decode(place, bytes.unwrap_or_default());
        let (Ok(before), Ok(after)) = (decode(old.as_deref()), decode(new.as_deref())) else {
            return Ok(VersionDiff {
                sizes,
                text: false,
                old_lines: 0,
                new_lines: 0,
                added: 0,
                removed: 0,
                hunks: Vec::new(),
                encoding: None,
            });
        };
        let encoding = (old.is_some() && new.is_some()).then(|| encoding_between(&before, &after)).flatten();
        let markdown = FileKind::of_name(place.path.name()) == FileKind::Markdown;
        let compared = tokio::task::spawn_blocking(move || {
            let edits = between(&before.text, &after.text);
            hunks(&before.text, &after.text, &edits, markdown)
        });
        let diff = compared.await.map_err(Error::task)?;
        Ok(VersionDiff {
            sizes,
            text: true,
            old_lines: diff.old_lines,
            new_lines: diff.new_lines,
            added: diff.added,
            removed: diff.removed,
            hunks: to_hunks(diff.hunks, |_| HunkDecision::Undecided),
            encoding,
        })
    }

    async fn at(&self, place: &FilePlace, moment: &Moment) -> Result<Option<Vec<u8>>> {
        match moment {
            Moment::Version(id) => self.read_version(*id).await.map(Some),
            Moment::Now => match look_at(&self.roots, place).await {
                Ok(disk) => Ok(disk.bytes().map(<[u8]>::to_vec)),
                Err(error) if error.kind() == orangery_domain::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error),
            },
        }
    }
}
