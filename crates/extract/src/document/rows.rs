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
    bytes: usize,
}

impl Rows {
    fn new(wanted: &RowsWanted) -> Self {
        Self { first: wanted.first.max(1), ..Self::default() }
    }

    /// The number of the row that would come next.
    fn next(&self) -> u32 {
        self.first.saturating_add(self.rows.len() as u32)
    }

    /// Whether the request asks for one row more. The first row always has room, or nothing would.
    fn has_room(&self, wanted: &RowsWanted) -> bool {
        self.rows.is_empty() && wanted.count > 0
            || (self.rows.len() as u32) < wanted.count && self.bytes < wanted.bytes
    }

    fn add(&mut self, row: Vec<String>) {
        self.bytes += row.iter().map(String::len).sum::<usize>() + row.len() * size_of::<String>();
        self.columns = self.columns.max(row.len() as u32);
        self.rows.push(row);
    }
}

/// All rows of a sheet, close together: who pages through a table is not to have it parsed for each page.
#[derive(Debug, Default)]
pub struct Grid {
    text: String,
    /// Where each cell ends in `text`.
    cells: Vec<u32>,
    /// Where each row, from the first one on, ends in `cells`.
    rows: Vec<u32>,
}

/// Bytes that a grid may take.
const GRID: usize = 128 << 20;

impl Grid {
    /// The rows that are asked for; the sheet that is asked for is this one.
    pub fn rows(&self, wanted: RowsWanted) -> Rows {
        let mut found = Rows { total: self.rows.len() as u32, ..Rows::new(&wanted) };
        while found.has_room(&wanted)
            && let Some(row) = self.row(found.next())
        {
            found.add(row);
        }
        found
    }

    fn row(&self, number: u32) -> Option<Vec<String>> {
        let at = number.checked_sub(1)? as usize;
        let end = *self.rows.get(at)? as usize;
        let begins = |ends: &[u32], at: usize| at.checked_sub(1).map_or(0, |before| ends[before] as usize);
        let cells = begins(&self.rows, at)..end;
        let cell = |at| self.text[begins(&self.cells, at)..self.cells[at] as usize].to_owned();
        Some(cells.map(cell).collect())
    }

    /// Adds the row of this number behind the last; rows that are not written are still rows. `false` where
    /// there is no room for it.
    fn push<C: AsRef<str>>(&mut self, row: u32, cells: &[C]) -> bool {
        let text: usize = cells.iter().map(|cell| cell.as_ref().len()).sum();
        let numbers = self.cells.len() + cells.len() + (row as usize).max(self.rows.len());
        if self.text.len() + text + numbers * size_of::<u32>() > GRID {
            return false;
        }
        let blank = (row as usize).saturating_sub(1).max(self.rows.len());
        self.rows.resize(blank, self.cells.len() as u32);
        for cell in cells {
            self.text.push_str(cell.as_ref());
            self.cells.push(self.text.len() as u32);
        }
        self.rows.push(self.cells.len() as u32);
        true
    }
}

/// Rows on their way from a reader: those that are asked for, and all of them while there is room.
#[derive(Debug)]
pub(crate) struct Paging {
    wanted: RowsWanted,
    found: Rows,
    grid: Option<Grid>,
}

impl Paging {
    pub(crate) fn new(wanted: RowsWanted) -> Self {
        Self { found: Rows::new(&wanted), wanted, grid: Some(Grid::default()) }
    }

    /// The row of this number, which is higher than that of the one before.
    pub(crate) fn add<C: AsRef<str>>(&mut self, row: u32, cells: &[C]) {
        if self.grid.as_mut().is_some_and(|grid| !grid.push(row, cells)) {
            self.grid = None;
        }
        let found = &mut self.found;
        while found.next() < row && found.has_room(&self.wanted) {
            found.add(Vec::new());
        }
        if found.next() == row && found.has_room(&self.wanted) {
            found.add(cells.iter().map(|cell| cell.as_ref().to_owned()).collect());
        }
        found.total = row;
    }

    pub(crate) fn finish(self) -> (Rows, Option<Grid>) {
        (self.found, self.grid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_gives_the_rows_that_its_reader_gave() {
        let written: &[(u32, &[&str])] = &[(2, &["a", "", "bc"]), (3, &[]), (6, &["", "知识", "d", "e"])];
        let page = |wanted| {
            let mut paging = Paging::new(wanted);
            written.iter().for_each(|(row, cells)| paging.add(*row, cells));
            paging.finish()
        };
        for first in 1..9 {
            for count in 0..9 {
                for bytes in [0, 100, 10_000] {
                    let wanted = RowsWanted { sheet: 1, first, count, bytes };
                    let (rows, grid) = page(wanted);
                    assert_eq!(grid.unwrap().rows(wanted), rows, "{wanted:?}");
                }
            }
        }
        let all = page(RowsWanted { sheet: 1, first: 1, count: 9, bytes: 10_000 }).0;
        assert_eq!((all.total, all.columns, all.rows.len()), (6, 4, 6));
        assert_eq!(all.rows[5], ["", "知识", "d", "e"]);
    }

    #[test]
    fn what_is_too_much_to_keep_is_not_kept() {
        let wanted = RowsWanted { sheet: 1, first: 900, count: 1, bytes: 10 };
        let mut paging = Paging::new(wanted);
        let cells = vec![""; 16_384];
        for row in 1..=3_000 {
            paging.add(row, &cells);
        }
        let (rows, grid) = paging.finish();
        assert_eq!((rows.rows.len(), rows.total), (1, 3_000));
        assert!(grid.is_none());
    }
}
