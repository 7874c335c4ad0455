//! Blocks into passages: neighbours under one heading path, within a size budget.

mod lines;

use orangery_domain::{Block, BlockKind, Spot};
use orangery_extract::Document;
use orangery_store::table::chunk::{Chunk, Spots};

/// Characters that a passage should not exceed: enough for a citation to make sense, little enough that
/// a match in it says where to look. Of 400, 800, 1,200, 1,600, 2,400 and 4,800 it ranks best: nDCG@10 on
/// Cranfield is .387, .386, .392, .388, .385 and .386; on CMRC's Chinese articles all are alike, .935.
const BUDGET: usize = 1_200;
/// A single block is cut only beyond this.
const BLOCK_LIMIT: usize = 4_800;

/// The passages of a text. Their ranges tile it: the first begins at 0, each ends where the next
/// begins, the last ends with the text. A text without blocks has none.
pub fn chunks(text: &str, blocks: &[Block]) -> Vec<Chunk> {
    let mut builder = Builder::default();
    for block in blocks {
        builder.add(block, None, text.get(block.range.clone()));
    }
    builder.finish(text.len())
}

/// The passages of a document. None spans slides, sheets or chapters; pages it may, for a sentence does.
pub fn document_chunks(document: &Document) -> Vec<Chunk> {
    let mut builder = Builder::default();
    let mut part = None;
    for (number, (block, spot)) in (1..).zip(document.blocks.iter().zip(&document.spots)) {
        let apart = matches!(spot, Spot::Slide { .. } | Spot::Chapter { .. } | Spot::Row { .. });
        if apart && part != spot.part() {
            builder.flush();
            builder.headings.clear();
            part = spot.part();
            if let Some(sheet) = sheet_name(document, *spot) {
                builder.headings.push((0, sheet.to_owned()));
            }
        }
        builder.add(block, Some((number, *spot)), None);
    }
    builder.finish(document.text.len())
}

/// The name of the sheet that a row is in, where there are several.
fn sheet_name(document: &Document, spot: Spot) -> Option<&str> {
    let Spot::Row { sheet, .. } = spot else { return None };
    let named = document.pages.get(sheet.checked_sub(1)? as usize)?;
    (document.pages.len() > 1 && !named.label.is_empty()).then_some(named.label.as_str())
}

/// Makes the ranges tile the text.
fn tiled(mut chunks: Vec<Chunk>, length: usize) -> Vec<Chunk> {
    // What stands between blocks belongs to the passage before it.
    let starts: Vec<u32> = chunks.iter().skip(1).map(|chunk| chunk.range.start).collect();
    let end = length as u32;
    for (chunk, end) in chunks.iter_mut().zip(starts.into_iter().chain([end])) {
        chunk.range.end = end;
    }
    if let Some(first) = chunks.first_mut() {
        first.range.start = 0;
    }
    chunks
}

#[derive(Default)]
struct Builder {
    headings: Vec<(u8, String)>,
    chunks: Vec<Chunk>,
    open: Option<Chunk>,
    characters: usize,
}

impl Builder {
    /// `spot` is the number of a document's block, from 1, and where it stands; `source` the block as a
    /// note has it.
    fn add(&mut self, block: &Block, spot: Option<(u32, Spot)>, source: Option<&str>) {
        if let BlockKind::Heading { level } = block.kind {
            self.flush();
            self.headings.retain(|(outer, _)| *outer < level);
            self.headings.push((level, block.text.trim().to_owned()));
        }
        let known = lines::of_text(block, source);
        for (part, first) in parts(&block.text) {
            self.push(block, part, known.as_deref().and_then(|lines| lines.get(first..)), spot);
        }
    }

    fn finish(mut self, length: usize) -> Vec<Chunk> {
        self.flush();
        tiled(self.chunks, length)
    }

    /// `known` are the lines of `part` and of what follows it in its block.
    fn push(&mut self, block: &Block, part: &str, known: Option<&[u32]>, spot: Option<(u32, Spot)>) {
        let characters = part.chars().count();
        if self.characters > 0 && self.characters + characters > BUDGET {
            self.flush();
        }
        let rows = part.matches('\n').count();
        let whole = part.len() == block.text.len();
        let (from, to) = match known {
            Some(lines) if !whole => (lines.first().copied(), lines.get(rows).or(lines.last()).copied()),
            _ => (None, None),
        };
        let (from, to) = (from.unwrap_or(block.lines.start), to.unwrap_or(block.lines.end));
        let start = block.range.start as u32;
        let chunk = self.open.get_or_insert_with(|| Chunk {
            heading_path: self.headings.iter().map(|(_, heading)| heading.clone()).collect(),
            range: start..start,
            lines: (from, from),
            text: String::new(),
            line_map: Vec::new(),
            spots: spot.map(|(first, _)| Spots { first, list: Vec::new() }),
        });
        if !chunk.text.is_empty() {
            chunk.text.push('\n');
        }
        let mut at = chunk.text.len() as u32;
        if let (Some(spots), Some((_, spot))) = (&mut chunk.spots, spot) {
            spots.list.push((at, spot));
        }
        for (row, piece) in part.split('\n').enumerate() {
            match known.and_then(|lines| lines.get(row)) {
                Some(line) => chunk.line_map.push((at, *line)),
                None if row == 0 => chunk.line_map.push((at, from)),
                None => {}
            }
            at += piece.len() as u32 + 1;
        }
        chunk.text.push_str(part);
        chunk.lines.1 = chunk.lines.1.max(to);
        self.characters += characters;
    }

    fn flush(&mut self) {
        self.chunks.extend(self.open.take());
        self.characters = 0;
    }
}

/// A block's text in parts, each with how many lines of the text are before it; whole unless it is very
/// long.
fn parts(text: &str) -> Vec<(&str, usize)> {
    if text.len() <= BLOCK_LIMIT {
        return vec![(text, 0)];
    }
    let mut parts = Vec::new();
    let (mut rest, mut before) = (text, 0);
    while !rest.is_empty() {
        let mut end = rest.len();
        if end > BUDGET * 3 {
            end = rest.floor_char_boundary(BUDGET * 3);
            // At a line, else at a blank, else anywhere.
            let cut = rest[..end].rfind('\n').or_else(|| rest[..end].rfind(' ')).map(|at| at + 1);
            end = cut.filter(|cut| *cut > BUDGET).unwrap_or(end);
        }
        parts.push((rest[..end].strip_suffix('\n').unwrap_or(&rest[..end]), before));
        before += rest[..end].matches('\n').count();
        rest = &rest[end..];
    }
    parts
}

/// The source line of the byte `at` of a passage's text.
pub fn line_at(chunk: &Chunk, at: usize) -> u32 {
    let before = chunk.line_map.partition_point(|(offset, _)| *offset as usize <= at);
    match before.checked_sub(1).and_then(|before| chunk.line_map.get(before)) {
        Some((_, line)) => *line,
        None => chunk.lines.0,
    }
}

/// The block of a document that holds the byte `at` of a passage's text, from 1, and where it stands.
pub fn spot_at(chunk: &Chunk, at: usize) -> Option<(u32, Spot)> {
    let spots = chunk.spots.as_ref()?;
    let before = spots.list.partition_point(|(offset, _)| *offset as usize <= at).saturating_sub(1);
    let (_, spot) = spots.list.get(before)?;
    Some((spots.first + before as u32, *spot))
}

#[cfg(test)]
mod tests {
    use orangery_domain::FileKind;

    use super::*;

    fn of(text: &str) -> Vec<Chunk> {
        chunks(text, &orangery_extract::note(FileKind::Markdown, text).blocks)
    }

    #[test]
    fn passages_follow_headings_and_tile_the_text() {
        let text = "intro\n\n# One\n\na\n\nb\n\n### Deep\n\nc\n\n## Two\n\n```\nx\ny\n```\n";
        let chunks = of(text);
        let shown: Vec<_> =
            chunks.iter().map(|chunk| (chunk.heading_path.join("/"), chunk.text.as_str())).collect();
        let expected =
            [("", "intro"), ("One", "One\na\nb"), ("One/Deep", "Deep\nc"), ("One/Two", "Two\nx\ny")];
        assert_eq!(shown, expected.map(|(path, text)| (path.to_owned(), text)));
        assert_eq!(chunks[1].lines, (3, 7));
        assert_eq!(line_at(&chunks[1], 4), 5);
        tiles(text, &chunks);
    }

    /// Every word `L<n>` of a note stands on line n, and is said to.
    #[track_caller]
    fn stands(text: &str) {
        let mut seen = 0;
        for chunk in of(text) {
            for (at, _) in chunk.text.match_indices('L') {
                let digits: String = chunk.text[at + 1..].chars().take_while(char::is_ascii_digit).collect();
                assert_eq!(line_at(&chunk, at).to_string(), digits, "{text:?} in {:?}", chunk.text);
                seen += 1;
            }
        }
        assert_eq!(seen, text.matches('L').count(), "{text:?}");
    }

    #[test]
    fn what_stands_in_tables_code_lists_and_quotes_is_cited_by_its_own_line() {
        for text in [
            "| L1 | a |\n|---|---|\n| L3 | b |\n| c | L4 |\n\nL6\n",
            "|  |  |\n|---|---|\n|  | L3 |\n| L4 |  |\n",
            "> | L1 |\n> |---|\n> | L3 |\n",
            "- L1\n\n  | L3 |\n  |---|\n  | L5 |\n",
            "```rust\nL2\n\nL4\n```\nL6",
            "```\n\n\nL4\n   \nL6\n\n```\n",
            "~~~\nL2",
            "text\n\n    L3\n\n    L5\n",
            "> ```\n> L2\n>\n> L4\n> ```\n> L6\n",
            "1. L1\n   - L2\n     ```\n     L4\n     L5\n     ```\n   - L7\n     L8\n",
            "> L1\n> L2\n>\n> L4\n> > L5\n",
            "> [!note]\n> L2\n> L3\n\n> [!tip]- L5\n> L6\n",
            "- [ ] L1\n- [x] L2\n  L3\n* L4\n",
            "L1\nL2\n^name\n\nL5\nL6\n===\nL8\n",
            "---\ntitle: L2\nother: L3\n---\n$$\nL6\n$$\n",
        ] {
            stands(text);
            stands(&text.replace('\n', "\r\n"));
        }
        let rows: String = (1..=2_000).filter(|n| *n != 2).map(|n| format!("| L{n} |\n")).collect();
        stands(&rows.replacen('\n', "\n|---|\n", 1));
        let code: String = (2..=2_000).map(|n| format!("L{n}\n")).collect();
        stands(&format!("```\n{code}```\n"));
    }

    #[test]
    fn any_text_is_tiled_within_the_budget() {
        let long = "word ".repeat(3_000);
        let han = "知识管理".repeat(2_000);
        let table = "| a | b |\n|---|---|\n".to_owned() + &"| x | y |\n".repeat(900);
        for text in [&*long, &han, &table, "", "\n\n", "a\r\n\r\nb\r", &"p\n\n".repeat(2_000)] {
            let chunks = of(text);
            tiles(text, &chunks);
            for chunk in &chunks {
                assert!(chunk.text.len() <= BLOCK_LIMIT + BUDGET * 4, "{}", chunk.text.len());
                assert!(chunk.lines.0 <= chunk.lines.1 && chunk.lines.0 > 0);
            }
        }
    }

    fn tiles(text: &str, chunks: &[Chunk]) {
        let mut at = 0;
        for chunk in chunks {
            assert_eq!(chunk.range.start, at);
            at = chunk.range.end;
        }
        assert_eq!(at as usize, if chunks.is_empty() { at as usize } else { text.len() });
        let joined: String =
            chunks.iter().map(|chunk| &text[chunk.range.start as usize..chunk.range.end as usize]).collect();
        assert!(chunks.is_empty() || joined == text);
    }
}
