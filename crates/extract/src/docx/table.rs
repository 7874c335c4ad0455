//! Tables: one line a row, cells apart by tabs, the cells that a merge covers empty.

use orangery_domain::{BlockKind, Spot};

use super::Reader;
use crate::document::Inline;
use crate::xml::{Element, Ns};

/// Empty cells that one cell may stand for; a sheet of paper has room for fewer.
const SPAN: usize = 64;

impl Reader<'_> {
    pub(super) fn table_blocks(&mut self, table: Element<'_, '_>) {
        let rows = self.rows(table);
        // A frame around text is drawn as a table of one cell.
        if let [row] = rows.as_slice()
            && let [cell] = row.as_slice()
        {
            self.flow(*cell);
            self.end_carry();
            return;
        }
        let mut out = Inline::default();
        let mut first = true;
        for row in rows {
            if !std::mem::take(&mut first) {
                out.push("\n");
            }
            let mut first = true;
            for cell in row {
                if !std::mem::take(&mut first) {
                    out.push("\t");
                }
                let properties = cell.child(Ns::Word, "tcPr");
                let of = |name: &str| properties.and_then(|found| found.child(Ns::Word, name));
                let merged = |name: &str| {
                    of(name)
                        .is_some_and(|found| found.attribute("val").is_none_or(|value| value == "continue"))
                };
                if !merged("vMerge") && !merged("hMerge") {
                    let mut text = self.gather(cell, " ");
                    text.flatten();
                    out.append(&text);
                }
                let span = of("gridSpan").and_then(|found| found.number::<usize>("val")).unwrap_or(1);
                out.push(&"\t".repeat(span.clamp(1, SPAN) - 1));
            }
        }
        if !out.is_blank() {
            self.builder.push_inline(BlockKind::Table, Spot::Flow, &out);
            self.caption(BlockKind::Table, "");
        }
    }

    /// The rows of a table as lists of cells, without those that are deleted.
    pub(super) fn rows<'t, 'a>(&self, table: Element<'t, 'a>) -> Vec<Vec<Element<'t, 'a>>> {
        let mut rows = Vec::new();
        within(table, "tr", &mut rows);
        let gone = |element: &Element<'_, '_>, properties: &str, names: &[&str]| {
            element.child(Ns::Word, properties).is_some_and(|found| {
                found.children().any(|child| child.ns() == Ns::Word && names.contains(&child.name().1))
            })
        };
        rows.retain(|row| !gone(row, "trPr", &["del", "moveFrom"]));
        let cells = |row| {
            let mut cells = Vec::new();
            within(row, "tc", &mut cells);
            cells.retain(|cell| !gone(cell, "tcPr", &["cellDel"]));
            cells
        };
        rows.into_iter().map(cells).collect()
    }
}

/// The elements called `name` in `parent`, through the wrappers that may stand between.
fn within<'t, 'a>(parent: Element<'t, 'a>, name: &str, out: &mut Vec<Element<'t, 'a>>) {
    for child in parent.children() {
        match child.name() {
            (Ns::Word, found) if found == name => out.push(child),
            (Ns::Word, "sdt" | "sdtContent" | "customXml" | "ins" | "moveTo") => within(child, name, out),
            _ => {}
        }
    }
}
