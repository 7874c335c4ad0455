//! Puts blocks one behind the other into one text.

use std::ops::Range;

use orangery_domain::{Block, BlockKind, LineRange, Link, LinkKind, Spot, Warning};

use super::{Document, Inline, Limits, code};

/// Builds the text, the blocks and their places.
#[derive(Debug)]
pub struct Builder {
    document: Document,
    limits: Limits,
    /// The line that the next character of the text stands in, from 1.
    line: u32,
    full: bool,
}

impl Builder {
    pub fn new(limits: Limits) -> Self {
        Self { document: Document::default(), limits, line: 1, full: false }
    }

    /// Adds a block and returns where it lies in the text; `None` when it is blank or there is no more
    /// room. Line ends become LF, blanks at either end go, NUL and other control characters but tab
    /// become nothing.
    pub fn push(&mut self, kind: BlockKind, spot: Spot, text: &str) -> Option<Range<usize>> {
        let text = clean(text);
        let text = text.trim_matches(|c: char| c.is_whitespace() && c != '\t').trim_start_matches('\u{feff}');
        if text.trim().is_empty() {
            return None;
        }
        if self.document.text.len() + text.len() > self.limits.text {
            if !self.full {
                self.full = true;
                let limit = (self.limits.text >> 20).to_string();
                self.document.warnings.push(Warning::new(code::TEXT_CUT, limit));
            }
            return None;
        }
        if let Some(last) = self.document.blocks.last() {
            let between = if close(last.kind, kind) { "\n" } else { "\n\n" };
            self.document.text.push_str(between);
            self.line += between.len() as u32;
        }
        let start = self.document.text.len();
        self.document.text.push_str(text);
        let range = start..self.document.text.len();
        let first = self.line;
        self.line += text.matches('\n').count() as u32;
        self.document.blocks.push(Block {
            kind,
            range: range.clone(),
            lines: LineRange { start: first, end: self.line },
            text: text.to_owned(),
        });
        self.document.spots.push(spot);
        Some(range)
    }

    /// Adds a block whose reading text and indexed text may differ, and the links in it.
    pub fn push_inline(&mut self, kind: BlockKind, spot: Spot, inline: &Inline) -> Option<Range<usize>> {
        let range = self.push(kind, spot, inline.shown())?;
        let first = self.document.blocks.last().map_or(1, |block| block.lines.start);
        let block = &self.document.text[range.clone()];
        // What `push` trimmed from the front moves the links.
        let trimmed = inline.shown().find(block).unwrap_or(0);
        let line_ends: Vec<usize> = block.match_indices('\n').map(|(at, _)| range.start + at).collect();
        let known = self.document.links.len();
        for (place, target) in inline.links() {
            let start = range.start + place.start.saturating_sub(trimmed);
            let end = (range.start + place.end.saturating_sub(trimmed)).min(range.end);
            let Some(text) = self.document.text.get(start..end).filter(|text| !text.trim().is_empty()) else {
                continue;
            };
            let (target, fragment) = match target.split_once('#') {
                Some((target, fragment)) => (target, Some(fragment.to_owned())),
                None => (target.as_str(), None),
            };
            let before = line_ends.partition_point(|end| *end < start) as u32;
            let link = Link {
                kind: LinkKind::Inline,
                target: target.to_owned(),
                fragment,
                alias: Some(text.to_owned()),
                range: start..end,
                line: first + before,
            };
            self.document.links.push(link);
        }
        // A link within another one ends first, and so comes first.
        self.document.links[known..].sort_by_key(|link| link.range.start);
        if let (Some(indexed), Some(block)) = (inline.indexed(), self.document.blocks.last_mut()) {
            indexed.trim().clone_into(&mut block.text);
        }
        Some(range)
    }

    /// Adds a warning once, however often it is met.
    pub fn warn(&mut self, code: &str, detail: impl Into<String>) {
        let warning = Warning::new(code, detail);
        if !self.document.warnings.contains(&warning) {
            self.document.warnings.push(warning);
        }
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// How many blocks there are: the number, from 1, of the last one.
    pub fn blocks(&self) -> u32 {
        self.document.blocks.len() as u32
    }

    /// Whether the limit of the text is reached; more would be left out.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Everything that is not text.
    pub fn document(&mut self) -> &mut Document {
        &mut self.document
    }

    pub fn finish(self) -> Document {
        self.document
    }
}

/// Rows and items stand line by line, all else a blank line apart.
fn close(before: BlockKind, after: BlockKind) -> bool {
    before == after && matches!(after, BlockKind::Row | BlockKind::ListItem | BlockKind::Line)
}

fn clean(text: &str) -> std::borrow::Cow<'_, str> {
    let odd = |c: char| c == '\r' || (c.is_control() && c != '\n' && c != '\t');
    if !text.contains(odd) {
        return text.into();
    }
    text.replace("\r\n", "\n").replace(['\r', '\u{b}', '\u{c}'], "\n").replace(odd, "").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_stand_apart_and_know_their_lines() {
        let mut builder = Builder::new(Limits::default());
        builder.push(BlockKind::Heading { level: 1 }, Spot::Flow, " One\r\ntwo ");
        assert_eq!(builder.push(BlockKind::Paragraph, Spot::Flow, " \n\0 "), None);
        builder.push(BlockKind::Row, Spot::Row { sheet: 1, row: 1 }, "\ta\tb");
        builder.push(BlockKind::Row, Spot::Row { sheet: 1, row: 2 }, "c\u{c}d");
        let document = builder.finish();
        assert_eq!(document.text, "One\ntwo\n\n\ta\tb\nc\nd");
        let lines: Vec<_> =
            document.blocks.iter().map(|block| (block.lines.start, block.lines.end)).collect();
        assert_eq!(lines, [(1, 2), (4, 4), (5, 6)]);
        for block in &document.blocks {
            assert_eq!(document.text[block.range.clone()], block.text);
        }
        assert_eq!(document.spots.len(), 3);
    }

    #[test]
    fn links_come_in_the_order_they_begin_in_and_know_their_lines() {
        let mut inline = Inline::new("one ");
        let outer = inline.position();
        inline.push("two\nthree ");
        let inner = inline.position();
        inline.push("four");
        inline.link(inner, "inner");
        inline.link(outer, "outer");
        let mut builder = Builder::new(Limits::default());
        builder.push_inline(BlockKind::Paragraph, Spot::Flow, &inline);
        let links = builder.finish().links;
        let found: Vec<_> = links.iter().map(|link| (link.target.as_str(), link.line)).collect();
        assert_eq!(found, [("outer", 1), ("inner", 2)]);
    }

    #[test]
    fn beyond_the_limit_blocks_are_left_out_and_that_is_said_once() {
        let mut builder = Builder::new(Limits { text: 8, ..Limits::default() });
        assert!(builder.push(BlockKind::Paragraph, Spot::Flow, "12345678").is_some());
        for _ in 0..2 {
            assert_eq!(builder.push(BlockKind::Paragraph, Spot::Flow, "9"), None);
        }
        assert!(builder.is_full());
        assert_eq!(builder.finish().warnings, [Warning::new("textCut", "0")]);
    }
}
