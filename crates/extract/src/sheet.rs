//! Workbooks (ECMA-376, SpreadsheetML): sheets of cells as they are shown.
//!
//! Read part by part as a stream over our own package, so that the bounds of packages hold here too and
//! numbers are written by their formats; formulas give the values that were last computed.

mod cells;
mod comment;
mod format;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use orangery_domain::{BlockKind, DocumentPage, OutlineEntry, Spot, TextLayer, Warning};

use crate::csv::push_flat;
use crate::document::{Builder, Document, Grid, Limits, Paging, Rows, RowsWanted, code};
use crate::office::{self, diagram};
use crate::package::Package;
use crate::xml::{Ns, Tree};

use cells::{Cells, shared_strings};
use format::Formats;

/// A sheet of the workbook.
struct Sheet {
    name: String,
    part: String,
    is_hidden: bool,
}

struct Workbook<'p> {
    package: Package<'p>,
    sheets: Vec<Sheet>,
    strings: Vec<Box<str>>,
    /// Some shared strings are too much to hold.
    lacks_strings: bool,
    formats: Formats,
    /// Names of those who comment, by id.
    people: HashMap<String, String>,
}

/// Reads a workbook: a block for each row that is not blank.
pub fn read(bytes: &[u8], limits: &Limits) -> Document {
    let mut workbook = match Workbook::open(bytes, limits) {
        Ok(workbook) => workbook,
        Err(trouble) => return Document { trouble: Some(trouble), ..Document::default() },
    };
    let mut builder = Builder::new(*limits);
    let sheets = std::mem::take(&mut workbook.sheets);
    let many = sheets.len() > 1;
    for (at, sheet) in sheets.iter().enumerate() {
        let number = at as u32 + 1;
        if many {
            let spot = Spot::Row { sheet: number, row: 1 };
            let heading = BlockKind::Heading { level: 1 };
            let block = builder.push(heading, spot, &sheet.name).map(|_| builder.blocks());
            let entry = OutlineEntry { level: 1, title: sheet.name.clone(), spot: Some(spot), block };
            builder.document().outline.push(entry);
        }
        let heading = builder.blocks();
        workbook.add_rows(&mut builder, sheet, number);
        workbook.add_beside(&mut builder, sheet, number);
        let empty = builder.blocks() == heading;
        builder.document().pages.push(DocumentPage {
            label: sheet.name.clone(),
            width: 0.0,
            height: 0.0,
            layer: if empty { TextLayer::Empty } else { TextLayer::Present },
        });
    }
    let hidden: Vec<&str> =
        sheets.iter().filter(|sheet| sheet.is_hidden).map(|sheet| sheet.name.as_str()).collect();
    if !hidden.is_empty() {
        builder.warn(code::HIDDEN_PARTS, hidden.join(", "));
    }
    if workbook.lacks_strings {
        builder.warn(code::PARTS_LEFT_OUT, "");
    }
    let properties = office::Properties::of(&mut workbook.package);
    properties.add_remarks(&mut builder, Spot::Row { sheet: 1, row: 1 });
    let mut document = builder.finish();
    document.title = properties.title;
    office::conclude(document, &workbook.package)
}

/// The cells of some rows; and all rows of their sheet where they are not too many.
pub fn rows(bytes: &[u8], limits: &Limits, wanted: RowsWanted) -> Result<(Rows, Option<Grid>), Warning> {
    let mut workbook = Workbook::open(bytes, limits)?;
    let mut paging = Paging::new(wanted);
    let part = wanted.sheet.checked_sub(1).and_then(|at| workbook.sheets.get(at as usize));
    let part = part.map(|sheet| sheet.part.clone());
    if let Some(stream) = part.and_then(|part| workbook.package.stream(&part)) {
        let mut cells = Cells::new(stream, &workbook.strings, &workbook.formats, limits.text);
        while let Some((row, values)) = cells.next_row() {
            paging.add(row, &values);
        }
    }
    Ok(paging.finish())
}

impl<'p> Workbook<'p> {
    fn open(bytes: &'p [u8], limits: &Limits) -> Result<Self, Warning> {
        let mut package = Package::open(bytes, limits)?;
        let refused = |package: &Package<'_>| {
            office::no_main_part(package).trouble.unwrap_or_else(|| Warning::new(code::DAMAGED, ""))
        };
        let Some(main) = office::main_part(&mut package, "xl/workbook.xml") else {
            return Err(refused(&package));
        };
        let Some(text) = package.text(&main) else { return Err(refused(&package)) };
        let tree = Tree::parse(&text, limits.depth);
        let root = tree.root();
        match root.ns() {
            Ns::Word => return Err(Warning::new(code::NOT_THIS_KIND, "docx")),
            Ns::Slides => return Err(Warning::new(code::NOT_THIS_KIND, "pptx")),
            _ if !root.is(Ns::Sheets, "workbook") => return Err(refused(&package)),
            _ => {}
        }
        let relationships = package.relationships(&main);
        let listed = root.child(Ns::Sheets, "sheets").into_iter().flat_map(|list| list.children());
        let sheets = listed
            .filter_map(|sheet| {
                let part = relationships.part(&sheet.attribute_of(Ns::Reference, "id")?)?.to_owned();
                Some(Sheet {
                    name: sheet.attribute("name").unwrap_or_default().into_owned(),
                    part,
                    is_hidden: sheet.attribute("state").is_some_and(|state| state != "visible"),
                })
            })
            .collect();
        let since_1904 = root
            .child(Ns::Sheets, "workbookPr")
            .and_then(|found| found.attribute("date1904"))
            .is_some_and(|value| office::is_on(Some(&value)));
        let styles = relationships.first("styles").unwrap_or("xl/styles.xml").to_owned();
        let formats = match package.text(&styles) {
            Some(text) => Formats::read(Tree::parse(&text, limits.depth).root(), since_1904),
            None => Formats::plain(since_1904),
        };
        let strings = relationships.first("sharedStrings").unwrap_or("xl/sharedStrings.xml").to_owned();
        let strings = package.stream(&strings).map(shared_strings);
        let (strings, all) = strings.unwrap_or_else(|| (Vec::new(), true));
        let people = relationships.first("person").map(str::to_owned);
        let people = people.map(|part| comment::people(&mut package, &part)).unwrap_or_default();
        Ok(Self { package, sheets, strings, lacks_strings: !all, formats, people })
    }

    fn add_rows(&mut self, builder: &mut Builder, sheet: &Sheet, number: u32) {
        let room = self.package.limits().text;
        let Some(stream) = self.package.stream(&sheet.part) else {
            builder.warn(code::PARTS_DAMAGED, "");
            return;
        };
        let mut cells = Cells::new(stream, &self.strings, &self.formats, room);
        let mut line = String::new();
        while let Some((row, values)) = cells.next_row() {
            if builder.is_full() {
                break;
            }
            line.clear();
            for (column, cell) in values.iter().enumerate() {
                if column > 0 {
                    line.push('\t');
                }
                push_flat(&mut line, cell);
            }
            builder.push(BlockKind::Row, Spot::Row { sheet: number, row }, &line);
        }
        if cells.is_cut() {
            builder.warn(code::PARTS_LEFT_OUT, "");
        }
        if cells.is_broken() {
            builder.warn(code::PARTS_DAMAGED, "");
        }
    }

    /// Comments on cells, and what is drawn over them.
    fn add_beside(&mut self, builder: &mut Builder, sheet: &Sheet, number: u32) {
        let relationships = self.package.relationships(&sheet.part);
        let depth = self.package.limits().depth;
        for comment in comment::comments(&mut self.package, &relationships, &self.people) {
            builder.push(BlockKind::Comment, Spot::Row { sheet: number, row: comment.row }, &comment.text);
        }
        let drawings: Vec<String> = relationships.all("drawing").map(str::to_owned).collect();
        for part in drawings {
            let Some(text) = self.package.text(&part) else { continue };
            let relationships = self.package.relationships(&part);
            let tree = Tree::parse(&text, depth);
            let spot = Spot::Row { sheet: number, row: 1 };
            for element in tree.root().descendants() {
                match element.name() {
                    (Ns::Drawing, "p") => {
                        builder.push(BlockKind::Paragraph, spot, &crate::pptx::text::plain(element));
                    }
                    (Ns::Chart, "chart") => {
                        let id = element.attribute_of(Ns::Reference, "id");
                        if let Some(part) = id.and_then(|id| relationships.part(&id)) {
                            for line in diagram::chart(&mut self.package, part) {
                                builder.push(BlockKind::Paragraph, spot, &line);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}
