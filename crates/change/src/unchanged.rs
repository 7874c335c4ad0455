//! The lines between hunks, for a review that unfolds them.

use orangery_domain::{LineRange, OperationId};
use orangery_store::table::operation;

use crate::{Changes, Error, Result, diff::Lines, operation::load};

impl Changes {
    /// Lines of what an operation was proposed on, without their endings; fewer where the text ends.
    pub async fn unchanged(&self, id: OperationId, lines: LineRange) -> Result<Vec<String>> {
        let house = self.house();
        let row = operation::by_id(house.db.reader(), id)
            .await?
            .ok_or_else(|| Error::NotFound { what: "operation", id: id.to_string() })?;
        let loaded = load(&house.db, row).await?;
        let all = Lines::of(loaded.base_text());
        let end = all.count().min(lines.end as usize);
        let start = (lines.start.max(1) as usize - 1).min(end);
        Ok((start..end).map(|at| all.body(at).to_owned()).collect())
    }
}
