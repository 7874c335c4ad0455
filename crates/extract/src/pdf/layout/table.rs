//! Lines whose words stand below each other, wide gaps between them, are rows of a table.

use std::ops::Range;

use super::line::{self, Line};
use super::{Context, Piece, Role};

/// A gap this wide, in sizes, parts cells.
const GAP: f32 = 1.1;

/// Cells of one line; a line of more is no row of a table.
const CELLS: usize = 256;

pub struct Table {
    pub lines: Range<usize>,
    /// The cells of each line.
    rows: Vec<Vec<Cell>>,
}

struct Cell {
    left: f32,
    right: f32,
    words: Range<usize>,
}

impl Cell {
    /// Whether two cells stand below each other: at the left, in the middle or at the right.
    fn aligns(&self, other: &Self, slack: f32) -> bool {
        (self.left - other.left).abs() < slack
            || (self.right - other.right).abs() < slack
            || ((self.left + self.right) - (other.left + other.right)).abs() < slack * 1.5
    }
}

/// The tables among `lines`, downwards.
pub fn find(context: &Context<'_>, lines: &[Line]) -> Vec<Table> {
    let rows: Vec<Vec<Cell>> = lines.iter().map(|line| cells(context, line)).collect();
    let mut tables = Vec::new();
    let mut start = 0;
    while start < lines.len() {
        let end = extent(lines, &rows, start);
        let full = rows[start..end].iter().filter(|row| row.len() > 1).count();
        let widest = rows[start..end].iter().map(Vec::len).max().unwrap_or(0);
        if full >= 3 || (full == 2 && widest >= 3) {
            tables.push(start..end);
            start = end;
        } else {
            start += 1;
        }
    }
    let mut rows: Vec<Option<Vec<Cell>>> = rows.into_iter().map(Some).collect();
    tables
        .into_iter()
        .map(|lines| Table { rows: rows[lines.clone()].iter_mut().filter_map(Option::take).collect(), lines })
        .collect()
}

/// The end of the table that begins with the line `start`; `start` itself when none does.
fn extent(lines: &[Line], rows: &[Vec<Cell>], start: usize) -> usize {
    if rows[start].len() < 2 {
        return start;
    }
    let mut end = start + 1;
    let mut last_full = start;
    while end < lines.len() {
        let (last, line) = (&lines[end - 1], &lines[end]);
        if line.base - last.base > line.size.max(last.size) * 3.0 {
            break;
        }
        if rows[end].len() > 1 {
            if !alike(&rows[last_full], &rows[end], line.size) {
                break;
            }
            last_full = end;
        } else {
            // What does not fit into a cell goes on below it, but not at the left, where text would.
            let goes_on = end == last_full + 1
                && rows[end].first().is_some_and(|cell| {
                    rows[last_full][1..].iter().any(|other| other.aligns(cell, line.size * 0.4))
                        && cell.left > rows[last_full][0].right
                });
            if !goes_on {
                break;
            }
        }
        end += 1;
    }
    end
}

fn alike(above: &[Cell], below: &[Cell], size: f32) -> bool {
    let (few, many) = if above.len() < below.len() { (above, below) } else { (below, above) };
    let matched = few.iter().filter(|cell| many.iter().any(|other| other.aligns(cell, size * 0.4))).count();
    matched * 3 >= few.len() * 2 && matched >= 2.min(few.len())
}

fn cells(context: &Context<'_>, line: &Line) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    // Programs are set out with blanks.
    let is_code = line.mono && !context.style.mono;
    for (index, word) in line.words.iter().enumerate() {
        let word = &context.words[*word as usize];
        match cells.last_mut() {
            Some(cell) if is_code || word.left - cell.right < line.size * GAP => {
                cell.right = cell.right.max(word.right);
                cell.words.end = index + 1;
            }
            _ => cells.push(Cell { left: word.left, right: word.right, words: index..index + 1 }),
        }
    }
    if cells.len() > CELLS {
        cells = vec![Cell { left: line.left, right: line.right, words: 0..line.words.len() }];
    }
    cells
}

impl Table {
    /// One line a row, its cells apart by tabs; what a row lacks stays empty.
    pub fn piece(&self, context: &Context<'_>, lines: &[Line]) -> Piece {
        let lines = &lines[self.lines.clone()];
        let columns = self.columns();
        let mut rows: Vec<Vec<String>> = Vec::new();
        for (line, cells) in lines.iter().zip(&self.rows) {
            let mut row = vec![String::new(); columns.len()];
            for cell in cells {
                let text = line::text(context, &line.words[cell.words.clone()]);
                let column = nearest(&columns, cell);
                let place = &mut row[column];
                if !place.is_empty() {
                    place.push(' ');
                }
                place.push_str(text.trim());
            }
            if cells.len() == 1
                && let Some(above) = rows.last_mut()
            {
                for (above, text) in above.iter_mut().zip(&row) {
                    if !text.is_empty() {
                        super::join::append(above, text, &context.style.compounds);
                    }
                }
            } else {
                rows.push(row);
            }
        }
        let text = rows.iter().map(|row| row.join("\t").trim_end().to_owned()).collect::<Vec<_>>().join("\n");
        let area = lines
            .iter()
            .map(|line| line.area(context.frame))
            .reduce(orangery_domain::Area::around)
            .unwrap_or_else(|| context.frame.area(0.0, 0.0, 0.0, 0.0));
        Piece {
            role: Role::Table,
            text,
            area,
            size: lines.first().map_or(0.0, |line| line.size),
            bold: false,
            indented: false,
            full: false,
        }
    }

    /// Where columns are: cells of the rows with most of them, and what else stands apart from these.
    fn columns(&self) -> Vec<(f32, f32)> {
        let most = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut columns: Vec<(f32, f32)> = Vec::new();
        let mut rows: Vec<&Vec<Cell>> = self.rows.iter().collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.len()));
        for row in rows {
            for cell in row {
                let over: Vec<usize> = (0..columns.len())
                    .filter(|index| columns[*index].0 < cell.right && cell.left < columns[*index].1)
                    .collect();
                match over[..] {
                    [] => columns.push((cell.left, cell.right)),
                    // A cell of a fuller row shows how wide a column is; one across several does not.
                    [only] if row.len() * 2 > most => {
                        columns[only] = (columns[only].0.min(cell.left), columns[only].1.max(cell.right));
                    }
                    _ => {}
                }
            }
        }
        columns.sort_by(|a, b| a.0.total_cmp(&b.0));
        columns
    }
}

/// The column that a cell lies in most.
fn nearest(columns: &[(f32, f32)], cell: &Cell) -> usize {
    let shared = |column: &(f32, f32)| column.1.min(cell.right) - column.0.max(cell.left);
    let mut best = 0;
    for (index, column) in columns.iter().enumerate() {
        if shared(column) > shared(&columns[best]) + 0.01 {
            best = index;
        }
    }
    best
}
