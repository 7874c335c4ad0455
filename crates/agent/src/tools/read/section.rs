//! Numbers for the parts of what was read, so that an answer can point at lines.

use std::ops::Range;

use orangery_domain::position::LineIndex;
use orangery_domain::{Block, BlockKind, Citation, FileKind, LineRange};
use serde_json::{Value, json};

use super::Source;
use crate::tool::Call;

/// A part grows to about this many characters of readable text before the next one begins.
const PART: usize = 1_000;
const SNIPPET: usize = 240;
const MOST: usize = 24;

/// The headings of a note, in order.
pub(super) fn headings(text: &str) -> Vec<String> {
    orangery_extract::note(FileKind::Markdown, text)
        .blocks
        .into_iter()
        .filter(|block| matches!(block.kind, BlockKind::Heading { .. }))
        .map(|block| block.text)
        .collect()
}

/// Numbers the parts of `source` that lie in `ranges`.
pub(super) fn passages(call: &Call, source: &Source, ranges: &[Range<usize>]) -> Vec<Value> {
    // Lines of a text that is not on disk would point at the wrong place.
    let (Some(place), Some(file), false) = (&source.place, &source.file, source.pending) else {
        return vec![];
    };
    let lines = LineIndex::new(&source.text);
    parts(source.kind, &source.text, ranges, &lines)
        .into_iter()
        .take(MOST)
        .map(|part| {
            let mut json = json!({ "lines": [part.lines.start, part.lines.end] });
            if !part.heading_path.is_empty() {
                json["heading"] = part.heading_path.join(" › ").into();
            }
            json["citation"] = call
                .cite(Citation {
                    file_id: file.id,
                    place: place.clone(),
                    title: file.title.clone(),
                    heading_path: part.heading_path,
                    lines: part.lines,
                    blocks: None,
                    spot: None,
                    spot_end: None,
                    snippet: part.snippet,
                    marks: vec![],
                })
                .into();
            json
        })
        .collect()
}

#[derive(Debug, PartialEq)]
struct Part {
    heading_path: Vec<String>,
    lines: LineRange,
    snippet: String,
    size: usize,
}

/// Neighbouring blocks under one heading path, cut to what the ranges show.
fn parts(kind: FileKind, text: &str, ranges: &[Range<usize>], lines: &LineIndex) -> Vec<Part> {
    let mut path: Vec<(u8, String)> = Vec::new();
    let mut parts: Vec<Part> = Vec::new();
    let mut open = false;
    for block in orangery_extract::note(kind, text).blocks {
        if let BlockKind::Heading { level } = block.kind {
            path.retain(|(above, _)| *above < level);
            path.push((level, block.text.clone()));
            open = false;
        }
        let Some(shown) = shown(&block, ranges) else {
            open = false;
            continue;
        };
        let cut = LineRange { start: lines.line_at(shown.start), end: lines.line_at(shown.end) };
        match parts.last_mut() {
            Some(part) if open && part.size < PART => {
                part.lines.end = part.lines.end.max(cut.end);
                part.size += block.text.chars().count();
                add(&mut part.snippet, &block.text, SNIPPET);
            }
            _ => {
                let mut snippet = String::new();
                add(&mut snippet, &block.text, SNIPPET);
                parts.push(Part {
                    heading_path: path.iter().map(|(_, name)| name.clone()).collect(),
                    lines: cut,
                    snippet,
                    size: block.text.chars().count(),
                });
                open = true;
            }
        }
    }
    parts
}

/// The bytes of a block that some range shows, the last one included.
fn shown(block: &Block, ranges: &[Range<usize>]) -> Option<Range<usize>> {
    let overlap = |range: &Range<usize>| {
        let (start, end) = (block.range.start.max(range.start), block.range.end.min(range.end));
        (start < end).then_some(start..end)
    };
    let mut found = ranges.iter().filter_map(overlap);
    let first = found.next()?;
    let end = found.next_back().map_or(first.end, |last| last.end);
    Some(first.start..end.saturating_sub(1).max(first.start))
}

pub(super) fn add(snippet: &mut String, text: &str, limit: usize) {
    if !snippet.is_empty() {
        snippet.push(' ');
    }
    let left = limit.saturating_sub(snippet.chars().count());
    snippet.extend(text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(left));
}
