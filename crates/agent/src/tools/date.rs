//! Days as models write them.

use orangery_domain::day::first_moment;

use crate::tool::ToolError;

/// The first moment of a day like `2026-01-31`, in milliseconds since 1970.
pub(super) fn day(field: &str, text: Option<&str>) -> Result<Option<i64>, ToolError> {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return Ok(None) };
    match first_moment(text) {
        None => Err(ToolError::wrong(format!("{field}: {text:?} is not a day like 2026-01-31"))),
        moment => Ok(moment),
    }
}
