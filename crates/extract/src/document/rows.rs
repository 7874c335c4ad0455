//! Cells of a table, for a grid that shows some rows at a time.

/// Which rows a grid wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowsWanted {
    /// From 1; 1 where there is only one.
    pub sheet: u32,
    /// From 1.
    pub first: u32,
    pub count: u32,
    /// Bytes that the cells may have together; rows beyond are left for the next request.
    pub bytes: usize,
}

/// Rows of cells as they are shown, one behind the other; a row without cells is an empty list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rows {
    /// The number of the first row here, from 1.
    pub first: u32,
    pub rows: Vec<Vec<String>>,
    /// Rows of the whole sheet.
    pub total: u32,
    /// Columns of the widest row here.
    pub columns: u32,
    /// Bytes that the cells here have together.
    pub(crate) bytes: usize,
}

impl Rows {
    /// Whether the request asks for one row more. The first row always has room, or nothing would.
    pub(crate) fn has_room(&self, wanted: &RowsWanted) -> bool {
        self.rows.is_empty() && wanted.count > 0
            || (self.rows.len() as u32) < wanted.count && self.bytes < wanted.bytes
    }

    pub(crate) fn add(&mut self, row: Vec<String>) {
        self.bytes += row.iter().map(String::len).sum::<usize>() + row.len() * size_of::<String>();
        self.columns = self.columns.max(row.len() as u32);
        self.rows.push(row);
    }
}
