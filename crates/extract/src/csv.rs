//! Tables as plain text: CSV, TSV and their many dialects (RFC 4180, read leniently).

mod dialect;
mod encoding;
mod record;
#[cfg(test)]
mod tests;

use orangery_domain::text::Encoding;
use orangery_domain::{BlockKind, Spot, Warning};

use crate::document::{Builder, Document, Grid, Limits, Paging, Rows, RowsWanted};

use dialect::Dialect;
use encoding::text;
use record::Records;

/// Reads a table. The name only tells what its separator likely is; `chosen` is the encoding that the
/// user gave it.
pub fn read(bytes: &[u8], name: &str, chosen: Option<Encoding>, limits: &Limits) -> Document {
    let mut builder = Builder::new(*limits);
    let text = match text(bytes, chosen, &mut builder) {
        Ok(text) => text,
        Err(trouble) => return Document { trouble: Some(trouble), ..Document::default() },
    };
    let dialect = dialect::sniff(&text, name);
    let mut line = String::new();
    for (at, record) in Records::new(&text, dialect).enumerate() {
        if builder.is_full() {
            break;
        }
        line.clear();
        for (column, cell) in record.iter().enumerate() {
            if column > 0 {
                line.push('\t');
            }
            push_flat(&mut line, cell);
        }
        let row = u32::try_from(at + 1).unwrap_or(u32::MAX);
        builder.push(BlockKind::Row, Spot::Row { sheet: 1, row }, &line);
    }
    builder.finish()
}

/// The cells of some rows, as they are, line ends and all; and all rows where they are not too many.
pub fn rows(
    bytes: &[u8],
    name: &str,
    chosen: Option<Encoding>,
    wanted: RowsWanted,
) -> Result<(Rows, Option<Grid>), Warning> {
    let mut ignored = Builder::new(Limits::default());
    let text = text(bytes, chosen, &mut ignored)?;
    let dialect = dialect::sniff(&text, name);
    let mut paging = Paging::new(wanted);
    for (at, record) in Records::new(&text, dialect).enumerate() {
        paging.add(u32::try_from(at + 1).unwrap_or(u32::MAX), &record);
    }
    Ok(paging.finish())
}

/// A cell within a line: its own line ends and tabs become blanks.
pub(crate) fn push_flat(line: &mut String, cell: &str) {
    if !cell.contains(['\n', '\r', '\t']) {
        line.push_str(cell);
        return;
    }
    for (at, part) in cell.split(['\n', '\r', '\t']).filter(|part| !part.is_empty()).enumerate() {
        if at > 0 {
            line.push(' ');
        }
        line.push_str(part);
    }
}
