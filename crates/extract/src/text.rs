//! Plain text: every line that is not blank is a block.

use orangery_domain::{Block, BlockKind, LineIndex, LineRange};

use crate::Extracted;

pub(crate) fn lines(text: &str) -> Extracted {
    let index = LineIndex::new(text);
    let blocks = (1..=index.line_count())
        .filter_map(|line| {
            let range = index.line(line)?;
            let content = text[range.clone()].trim();
            (!content.is_empty()).then(|| Block {
                kind: BlockKind::Line,
                range,
                lines: LineRange { start: line, end: line },
                text: content.into(),
            })
        })
        .collect();
    Extracted { blocks, ..Extracted::default() }
}

#[cfg(test)]
mod tests {
    use orangery_domain::FileKind;

    #[test]
    fn lines_are_blocks_and_nothing_is_markup() {
        let got = crate::note(FileKind::Text, "# one\r\n\r\n  [[two]] #three\rfour\u{2028}five");
        let blocks: Vec<_> = got
            .blocks
            .iter()
            .map(|block| (block.lines.start, block.text.as_str(), block.range.clone()))
            .collect();
        assert_eq!(
            blocks,
            [(1, "# one", 0..5), (3, "[[two]] #three", 9..25), (4, "four\u{2028}five", 26..37)]
        );
        assert!(got.links.is_empty() && got.tags.is_empty() && got.title.is_none());
    }
}
