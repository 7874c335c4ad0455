//! Which part of a text is shown, and how.

use std::ops::Range;

use orangery_change::TRUNCATION_MARK;
use orangery_domain::FileKind;
use orangery_domain::position::LineIndex;
use orangery_extract::markdown;
use serde_json::{Value, json};

use super::part::{self, Part};
use super::{ReadInput, Source};
use crate::tool::ToolError;

/// Unicode scalar values of a read by characters.
pub(super) const CHARACTERS: usize = 6_000;
const CONTEXT: u32 = 20;
const LINES: u32 = 2_048;
/// A read by lines stops before it grows past this, whatever the lines are.
const ROW_CHARACTERS: usize = 48_000;
const HEADINGS_TOLD: usize = 40;

/// The part of a text that a call asks for.
#[derive(Debug, PartialEq)]
pub(super) enum Window {
    Characters { offset: usize },
    Around { lines: Vec<u32>, context: u32 },
    Lines { first: u32, count: u32 },
    Section { heading: String, offset: usize },
    Part { part: Part, offset: usize },
}

impl Default for Window {
    fn default() -> Self {
        Self::Characters { offset: 0 }
    }
}

/// What is shown of a text.
#[derive(Debug)]
pub(super) struct View {
    /// Bytes of the text, in order and apart.
    pub ranges: Vec<Range<usize>>,
    pub json: Value,
}

impl Window {
    /// The part that the call names, if it names one.
    pub(super) fn part(&self) -> Option<Part> {
        match self {
            Self::Part { part, .. } => Some(*part),
            _ => None,
        }
    }

    /// Refuses parameters that contradict each other, by name.
    pub(super) fn of(input: &ReadInput) -> Result<Self, ToolError> {
        let part = Part::of(input)?;
        let ways = [
            ("page, slide, row or block", part.is_some()),
            ("around", input.around.is_some()),
            ("lineOffset", input.line_offset.is_some() || input.line_limit.is_some()),
            ("heading", input.heading.is_some()),
            ("offset", input.offset.is_some() && input.heading.is_none() && part.is_none()),
        ];
        let mut given = ways.iter().filter(|(_, given)| *given).map(|(name, _)| *name);
        if let (Some(first), Some(second)) = (given.next(), given.next()) {
            return Err(ToolError::wrong(format!("{second}: cannot go with {first}")));
        }
        if input.context.is_some() && input.around.is_none() {
            return Err(ToolError::wrong("context: goes with around only"));
        }
        let offset = usize::try_from(input.offset.unwrap_or(0)).unwrap_or(usize::MAX);
        if let Some(part) = part {
            return Ok(Self::Part { part, offset });
        }
        if let Some(lines) = &input.around {
            if lines.is_empty() || lines.contains(&0) {
                return Err(ToolError::wrong("around: give line numbers from 1"));
            }
            return Ok(Self::Around { lines: lines.clone(), context: input.context.unwrap_or(CONTEXT) });
        }
        if input.line_offset.is_some() || input.line_limit.is_some() {
            let (first, count) = (input.line_offset.unwrap_or(1), input.line_limit.unwrap_or(LINES));
            if first == 0 {
                return Err(ToolError::wrong("lineOffset: lines count from 1"));
            }
            if count == 0 || count > LINES {
                return Err(ToolError::wrong(format!("lineLimit: give 1 to {LINES}")));
            }
            return Ok(Self::Lines { first, count });
        }
        match &input.heading {
            Some(heading) if heading.trim().is_empty() => Err(ToolError::wrong("heading: is blank")),
            Some(heading) => Ok(Self::Section { heading: heading.clone(), offset }),
            None => Ok(Self::Characters { offset }),
        }
    }

    /// Cuts the part out of `source`.
    pub(super) fn view(&self, source: &Source, characters: usize) -> Result<View, ToolError> {
        let text = source.text.as_str();
        match self {
            Self::Characters { offset } => by_characters(text, 0..text.len(), *offset, characters),
            Self::Part { part, offset } => {
                let Some(document) = source.document() else {
                    return Err(ToolError::tell(
                        "page, slide, row and block: this file is plain text; use around or heading",
                    ));
                };
                match part.range(source.kind, document)? {
                    Some(range) => by_characters(text, range, *offset, characters),
                    None => Ok(View { ranges: vec![], json: json!({ "text": "", "totalCharacters": 0 }) }),
                }
            }
            Self::Section { heading, offset } => {
                if let Some(document) = source.document() {
                    let range = part::under_heading(document, heading)
                        .map_err(|headings| ToolError::tell(no_heading(&headings, heading)))?;
                    return by_characters(text, range, *offset, characters);
                }
                if source.kind != FileKind::Markdown {
                    return Err(ToolError::tell("heading: only Markdown has headings; use around or offset"));
                }
                let Some(range) = markdown::heading_range(text, heading) else {
                    return Err(ToolError::tell(no_heading(&super::section::headings(text), heading)));
                };
                by_characters(text, range, *offset, characters)
            }
            Self::Around { lines, context } => {
                let index = LineIndex::new(text);
                let count = index.line_count();
                if let Some(beyond) = lines.iter().find(|line| **line > count) {
                    return Err(ToolError::tell(format!(
                        "around: there is no line {beyond}; lines are 1 to {count}"
                    )));
                }
                let mut windows: Vec<(u32, u32)> = lines
                    .iter()
                    .map(|line| {
                        (line.saturating_sub(*context).max(1), line.saturating_add(*context).min(count))
                    })
                    .collect();
                windows.sort_unstable();
                windows.dedup_by(|next, kept| {
                    let joined = next.0 <= kept.1.saturating_add(1);
                    if joined {
                        kept.1 = kept.1.max(next.1);
                    }
                    joined
                });
                Ok(by_lines(text, &index, &windows))
            }
            Self::Lines { first, count } => {
                let index = LineIndex::new(text);
                let all = index.line_count();
                if *first > all {
                    return Err(ToolError::tell(format!(
                        "lineOffset: there is no line {first}; lines are 1 to {all}"
                    )));
                }
                let last = first.saturating_add(count - 1).min(all);
                Ok(by_lines(text, &index, &[(*first, last)]))
            }
        }
    }
}

/// `offset` and the limit count Unicode scalar values from the start of `range`.
pub(super) fn by_characters(
    text: &str,
    range: Range<usize>,
    offset: usize,
    limit: usize,
) -> Result<View, ToolError> {
    let part = &text[range.clone()];
    let total = part.chars().count();
    if offset > 0 && offset >= total {
        return Err(ToolError::tell(format!(
            "offset: {offset} is beyond the end; there are {total} characters, so offsets are 0 to {}",
            total.saturating_sub(1)
        )));
    }
    let byte = |at: usize| part.char_indices().nth(at).map_or(part.len(), |(byte, _)| byte);
    let (start, end) = (byte(offset), byte(offset + limit));
    let mut shown = part[start..end].to_owned();
    if end < part.len() {
        shown += &cut_off(format_args!("characters {offset} to {} of {total}", offset + limit));
    }
    let mut json = json!({ "text": shown, "totalCharacters": total });
    if offset > 0 {
        json["offset"] = offset.into();
    }
    if end < part.len() {
        json["nextOffset"] = (offset + limit).into();
    }
    let shown = range.start + start..range.start + end;
    Ok(View { ranges: vec![shown], json })
}

/// Ends what was cut, so that nobody takes it for the whole: an edit that holds it is refused.
pub(super) fn cut_off(what: std::fmt::Arguments<'_>) -> String {
    format!("\n{TRUNCATION_MARK}: {what}]")
}

fn by_lines(text: &str, index: &LineIndex, windows: &[(u32, u32)]) -> View {
    let count = index.line_count();
    let (mut rows, mut ranges, mut size) = (String::new(), Vec::new(), 0);
    let mut next = None;
    'windows: for (number, (first, last)) in windows.iter().enumerate() {
        if number > 0 || *first > 1 {
            rows.push_str("...\n");
        }
        let mut shown: Option<Range<usize>> = None;
        for line in *first..=*last {
            let range = index.line(line).unwrap_or(text.len()..text.len());
            let row = format!("{line}\t{}\n", &text[range.clone()]);
            size += row.chars().count();
            if size > ROW_CHARACTERS && !ranges.is_empty() | shown.is_some() {
                rows += &cut_off(format_args!("before line {line} of {count}"));
                next = Some(line);
                ranges.extend(shown);
                break 'windows;
            }
            rows.push_str(&row);
            shown = Some(shown.map_or(range.start, |shown| shown.start)..range.end);
        }
        ranges.extend(shown);
        if number + 1 == windows.len() && *last < count {
            rows.push_str("...\n");
        }
    }
    let mut json = json!({ "rows": rows, "totalLines": count });
    let last = windows.last().map_or(count, |(_, last)| *last);
    match next {
        Some(line) => json["nextLineOffset"] = line.into(),
        None if windows.len() == 1 && last < count => json["nextLineOffset"] = (last + 1).into(),
        None => {}
    }
    View { ranges, json }
}

fn no_heading(headings: &[String], heading: &str) -> String {
    if headings.is_empty() {
        return format!("heading: there is no heading {heading:?}, nor any other");
    }
    let more = if headings.len() > HEADINGS_TOLD { ", and more" } else { "" };
    let names: Vec<_> = headings.iter().take(HEADINGS_TOLD).map(|heading| format!("{heading:?}")).collect();
    format!("heading: there is no heading {heading:?}; there are {}{more}", names.join(", "))
}
