//! Parts of documents, as a call names them: pages, slides, rows, blocks, and what is under a heading.

use std::ops::Range;

use orangery_domain::{BlockKind, Citation, FileKind, LineRange, Spot};
use orangery_extract::Document;
use serde_json::{Value, json};

use super::{ReadInput, Source};
use crate::tool::{Call, ToolError};

/// A part of a document, numbers from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Pages(u32, u32),
    Slide(u32),
    Rows { sheet: u32, first: u32, last: u32 },
    Block(u32),
}

/// A passage grows to about this many characters before the next one begins.
const PASSAGE: usize = 1_000;
const SNIPPET: usize = 240;
const MOST: usize = 24;

impl Part {
    /// What a call names, refusing parameters that contradict each other.
    pub(super) fn of(input: &ReadInput) -> Result<Option<Self>, ToolError> {
        let ways = [
            ("page", input.page.is_some()),
            ("slide", input.slide.is_some()),
            ("row", input.row.is_some()),
            ("block", input.block.is_some()),
        ];
        let mut given = ways.iter().filter(|(_, given)| *given).map(|(name, _)| *name);
        if let (Some(first), Some(second)) = (given.next(), given.next()) {
            return Err(ToolError::wrong(format!("{second}: cannot go with {first}")));
        }
        for (name, given, with, has) in [
            ("pageEnd", input.page_end.is_some(), "page", input.page.is_some()),
            ("rowEnd", input.row_end.is_some(), "row", input.row.is_some()),
            ("sheet", input.sheet.is_some(), "row", input.row.is_some()),
        ] {
            if given && !has {
                return Err(ToolError::wrong(format!("{name}: goes with {with} only")));
            }
        }
        if let Some(first) = input.page {
            return Ok(Some(Self::Pages(first, input.page_end.unwrap_or(first))));
        }
        if let Some(first) = input.row {
            let (sheet, last) = (input.sheet.unwrap_or(1), input.row_end.unwrap_or(first));
            return Ok(Some(Self::Rows { sheet, first, last }));
        }
        Ok(input.slide.map(Self::Slide).or(input.block.map(Self::Block)))
    }

    /// The bytes of the document's text that are the part; `None` where it holds no text.
    pub(super) fn range(
        self,
        kind: FileKind,
        document: &Document,
    ) -> Result<Option<Range<usize>>, ToolError> {
        let pages = document.pages.len() as u32;
        let is_in: Box<dyn Fn(usize, Spot) -> bool> = match self {
            Self::Pages(first, last) => {
                only("page", kind, FileKind::Pdf, "PDF files have pages")?;
                within("page", "pages", first, pages)?;
                within("pageEnd", "pages", last, pages)?;
                in_order("pageEnd", first, last)?;
                Box::new(
                    move |_, spot| matches!(spot, Spot::Page { page, .. } if (first..=last).contains(&page)),
                )
            }
            Self::Slide(wanted) => {
                only("slide", kind, FileKind::Pptx, "presentations have slides")?;
                within("slide", "slides", wanted, pages)?;
                Box::new(move |_, spot| spot == Spot::Slide { slide: wanted })
            }
            Self::Rows { sheet: wanted, first, last } => {
                only("row", kind, FileKind::Table, "tables have rows")?;
                within("sheet", "sheets", wanted, pages.max(1))?;
                let rows = document.spots.iter().filter_map(|spot| match spot {
                    Spot::Row { sheet, row } if *sheet == wanted => Some(*row),
                    _ => None,
                });
                let count = rows.max().unwrap_or(0);
                within("row", "rows", first, count)?;
                in_order("rowEnd", first, last)?;
                within("rowEnd", "rows", last, count)?;
                Box::new(
                    move |_, spot| matches!(spot, Spot::Row { sheet, row } if sheet == wanted && (first..=last).contains(&row)),
                )
            }
            Self::Block(wanted) => {
                within("block", "blocks", wanted, document.blocks.len() as u32)?;
                Box::new(move |at, _| at as u32 + 1 == wanted)
            }
        };
        let blocks = document.blocks.iter().zip(&document.spots).enumerate();
        let found = blocks.filter(|(at, (_, spot))| is_in(*at, **spot)).map(|(_, (block, _))| &block.range);
        Ok(found.fold(None, |all: Option<Range<usize>>, range| {
            Some(all.map_or(range.clone(), |all| all.start.min(range.start)..all.end.max(range.end)))
        }))
    }
}

fn only(name: &str, kind: FileKind, wanted: FileKind, which: &str) -> Result<(), ToolError> {
    if kind == wanted { Ok(()) } else { Err(ToolError::tell(format!("{name}: only {which}"))) }
}

fn within(name: &str, many: &str, number: u32, count: u32) -> Result<(), ToolError> {
    if (1..=count).contains(&number) {
        return Ok(());
    }
    let range = if count == 0 { "there are none".into() } else { format!("{many} are 1 to {count}") };
    Err(ToolError::tell(format!("{name}: there is no {number}; {range}")))
}

fn in_order(name: &str, first: u32, last: u32) -> Result<(), ToolError> {
    if first <= last { Ok(()) } else { Err(ToolError::wrong(format!("{name}: {last} is before {first}"))) }
}

/// What is under a heading, up to the next one of the same level; or the headings that there are.
pub(super) fn under_heading(document: &Document, heading: &str) -> Result<Range<usize>, Vec<String>> {
    let text = |at: usize| document.blocks[at].text.trim();
    let level = |at: usize| match document.blocks[at].kind {
        BlockKind::Heading { level } => Some(level),
        _ => None,
    };
    let headings: Vec<usize> = (0..document.blocks.len()).filter(|at| level(*at).is_some()).collect();
    let wanted = heading.trim();
    let same = |at: &&usize| text(**at) == wanted;
    let alike = |at: &&usize| text(**at).to_lowercase() == wanted.to_lowercase();
    let Some(found) = headings.iter().find(same).or_else(|| headings.iter().find(alike)) else {
        return Err(headings.into_iter().map(|at| text(at).to_owned()).collect());
    };
    let next = headings.iter().find(|at| *at > found && level(**at) <= level(*found));
    let end = next.map_or(document.text.len(), |at| document.blocks[*at].range.start);
    Ok(document.blocks[*found].range.start..end)
}

/// What a document has besides its text, told with every read of it.
pub(super) fn about(document: &Document, ranges: &[Range<usize>]) -> Vec<(&'static str, Value)> {
    let mut told = Vec::new();
    let first = document.blocks.iter().zip(&document.spots).find(|(block, _)| {
        ranges.iter().any(|range| block.range.start < range.end && range.start < block.range.end)
    });
    if let Some((_, spot)) = first
        && spot.is_numbered()
    {
        told.push(("begins", spot.to_string().into()));
    }
    if !document.pages.is_empty() {
        told.push(("parts", document.pages.len().into()));
    }
    if !document.warnings.is_empty() {
        let warnings = document.warnings.iter().map(|warning| format!("{} {}", warning.code, warning.detail));
        told.push(("warnings", warnings.map(|warning| warning.trim().to_owned()).collect::<Vec<_>>().into()));
    }
    told
}

/// Numbers the parts of a document that lie in `ranges`, so that an answer can point at them.
pub(super) fn passages(
    call: &Call,
    source: &Source,
    document: &Document,
    ranges: &[Range<usize>],
) -> Vec<Value> {
    let (Some(place_of), Some(file)) = (&source.place, &source.file) else { return vec![] };
    let mut path: Vec<(u8, String)> = Vec::new();
    let mut found: Vec<(Citation, usize)> = Vec::new();
    let mut open = false;
    for (number, (block, spot)) in (1..).zip(document.blocks.iter().zip(&document.spots)) {
        if let BlockKind::Heading { level } = block.kind {
            path.retain(|(above, _)| *above < level);
            path.push((level, block.text.clone()));
            open = false;
        }
        if !ranges.iter().any(|range| block.range.start < range.end && range.start < block.range.end) {
            open = false;
            continue;
        }
        let size = block.text.chars().count();
        let full = found.len() == MOST;
        match found.last_mut() {
            Some((last, held))
                if open && *held < PASSAGE && last.spot.and_then(Spot::part) == spot.part() =>
            {
                *held += size;
                last.lines.end = block.lines.end;
                last.blocks = last.blocks.map(|(first, _)| (first, number));
                last.spot_end = Some(*spot);
                super::section::add(&mut last.snippet, &block.text, SNIPPET);
            }
            _ if full => break,
            _ => {
                let mut snippet = String::new();
                super::section::add(&mut snippet, &block.text, SNIPPET);
                let citation = Citation {
                    file_id: file.id,
                    place: place_of.clone(),
                    title: file.title.clone(),
                    heading_path: path.iter().map(|(_, name)| name.clone()).collect(),
                    lines: LineRange { start: block.lines.start, end: block.lines.end },
                    blocks: Some((number, number)),
                    spot: Some(*spot),
                    spot_end: None,
                    snippet,
                    marks: vec![],
                };
                found.push((citation, size));
                open = true;
            }
        }
    }
    let numbered = found.into_iter().map(|(citation, _)| {
        let mut json = json!({ "blocks": citation.blocks });
        if let Some(spot) = citation.spot.filter(|spot| spot.is_numbered()) {
            json["at"] = spot.to_string().into();
        }
        if !citation.heading_path.is_empty() {
            json["heading"] = citation.heading_path.join(" › ").into();
        }
        json["citation"] = call.cite(citation).into();
        json
    });
    numbered.collect()
}
