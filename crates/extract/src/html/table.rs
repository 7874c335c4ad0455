//! Tables of web pages: one line a row, the cells that a span covers empty. Tables that only place
//! things are read as what they hold.

use orangery_domain::BlockKind;

use super::walk::Walker;
use crate::document::Inline;

/// Columns or rows that one cell may span, and columns that a row may have.
const SPAN: usize = 256;

impl Walker<'_> {
    pub(super) fn table(&mut self, table: usize) {
        if self.is_layout(table) {
            self.block(BlockKind::Paragraph, |walker| walker.children(table));
            return;
        }
        let page = self.page;
        if let Some(caption) = page.children(table).find(|child| page.is(*child, "caption")) {
            self.block(BlockKind::Caption, |walker| walker.children(caption));
        }
        let mut out = Inline::default();
        // For each column: rows that a cell from above still covers.
        let mut covered: Vec<usize> = Vec::new();
        for row in self.rows(table) {
            let mut line = Inline::default();
            let mut column = 0;
            let mut empty = true;
            let cells: Vec<usize> =
                page.children(row).filter(|child| matches!(page.name(*child), "td" | "th")).collect();
            for cell in cells {
                column = self.skip(&mut covered, column, &mut line);
                if column >= SPAN {
                    break;
                }
                let span = |name: &str| {
                    let value =
                        page.attribute(cell, name).and_then(|value| value.trim().parse::<usize>().ok());
                    value.unwrap_or(1).clamp(1, SPAN)
                };
                let (across, down) = (span("colspan"), span("rowspan"));
                if column > 0 {
                    line.push("\t");
                }
                let text = self.line_of(cell);
                empty &= text.is_blank();
                line.append(&text);
                line.push(&"\t".repeat(across - 1));
                covered.resize(covered.len().max(column + across), 0);
                covered[column..column + across].fill(down - 1);
                column += across;
            }
            self.skip(&mut covered, column, &mut line);
            if !empty {
                if !out.is_blank() {
                    out.push("\n");
                }
                out.append(&line);
            }
        }
        self.block(BlockKind::Table, |_| {});
        if self.is_joined() {
            self.add_line(out);
        } else if !out.is_blank() {
            self.push(BlockKind::Table, &out);
        }
    }

    /// Passes columns that a cell from above covers.
    fn skip(&self, covered: &mut [usize], mut column: usize, line: &mut Inline) -> usize {
        while let Some(rows) = covered.get_mut(column).filter(|rows| **rows > 0) {
            *rows -= 1;
            if column > 0 {
                line.push("\t");
            }
            column += 1;
        }
        column
    }

    fn rows(&self, table: usize) -> Vec<usize> {
        let page = self.page;
        let mut rows = Vec::new();
        for child in page.children(table) {
            match page.name(child) {
                "tr" => rows.push(child),
                "thead" | "tbody" | "tfoot" => {
                    rows.extend(page.children(child).filter(|row| page.is(*row, "tr")));
                }
                _ => {}
            }
        }
        rows
    }

    /// Whether a table holds tables, headings or sections, or is one column wide without a head: then it
    /// places things.
    fn is_layout(&self, table: usize) -> bool {
        let page = self.page;
        if page.attribute(table, "role").is_some_and(|role| matches!(role, "presentation" | "none")) {
            return true;
        }
        let mut heads = false;
        for at in page.descendants(table) {
            match page.name(at) {
                "table" | "h1" | "h2" | "h3" | "article" | "section" => return true,
                "th" | "caption" => heads = true,
                _ => {}
            }
        }
        let wide = |row: &usize| page.children(*row).filter(|cell| page.is(*cell, "td")).count() > 1;
        !heads && !self.rows(table).iter().any(wide)
    }
}
