//! On which lines of a note the lines of a block's readable text stand.
//!
//! Readable text has no fences, no line below a table's head and no markers, so that the two do not simply
//! run side by side.

use orangery_domain::{Block, BlockKind};

/// The line of the note, from 1, of each line of the block's readable text; `None` where only the block's
/// own lines are known. `source` is the block as it is written in a note; of a document there is none.
pub(super) fn of_text(block: &Block, source: Option<&str>) -> Option<Vec<u32>> {
    let count = block.text.matches('\n').count() + 1;
    let spanned = block.lines.end.saturating_sub(block.lines.start) as usize + 1;
    if count == spanned {
        return Some((block.lines.start..).take(count).collect());
    }
    let source = source?.replace("\r\n", "\n");
    let written: Vec<&str> = source.split(['\n', '\r']).collect();
    let places: Vec<usize> = match block.kind {
        BlockKind::Table => rows(&written),
        BlockKind::Code | BlockKind::Math | BlockKind::FrontMatter => fenced(&block.text, &written)?,
        BlockKind::Quote if is_bare_callout(written.first()?) => (1..written.len()).collect(),
        BlockKind::Html => return None,
        _ if count + 1 == spanned && is_marker(written.last()?) => (0..written.len()).collect(),
        _ => return None,
    };
    let lines: Vec<u32> =
        places.into_iter().take(count).map(|place| block.lines.start + place as u32).collect();
    (lines.len() == count).then_some(lines)
}

/// The rows of a table from the first that is not empty: readable text begins there.
fn rows(written: &[&str]) -> Vec<usize> {
    let is_empty = |line: &str| line.chars().all(|c| c.is_whitespace() || "|>".contains(c));
    let rows = (0..written.len()).filter(|place| *place != DELIMITER);
    rows.skip_while(|place| is_empty(written[*place])).collect()
}

/// Below the head of a table stands what divides it from the body.
const DELIMITER: usize = 1;

/// What stands below an opening fence. Blank lines at the beginning are not in the readable text, or not
/// all of them, so that the first lines that are not blank are the same.
fn fenced(text: &str, written: &[&str]) -> Option<Vec<usize>> {
    let is_blank = |line: &str| line.chars().all(|c| c.is_whitespace() || c == '>');
    let before = text.split('\n').position(|line| !line.trim().is_empty())?;
    let first = (1..written.len()).find(|place| !is_blank(written[*place]))?;
    Some((first.checked_sub(before)?..written.len()).collect())
}

/// `> [!note]` without a title.
fn is_bare_callout(line: &str) -> bool {
    let inner = line.trim_start_matches(|c: char| c.is_whitespace() || c == '>');
    inner
        .strip_prefix("[!")
        .and_then(|rest| rest.split_once(']'))
        .is_some_and(|(_, title)| title.trim_start_matches(['+', '-']).trim().is_empty())
}

/// What ends a block on a line of its own and is not read: `^name`, or the line under a heading.
fn is_marker(line: &str) -> bool {
    let line = line.trim_matches(|c: char| c.is_whitespace() || c == '>');
    line.starts_with('^') || (!line.is_empty() && line.chars().all(|c| c == '=' || c == '-'))
}
