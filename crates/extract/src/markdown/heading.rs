//! Headings: the outline of a note, and parts of it by heading.

use std::ops::Range;

use orangery_domain::{Block, BlockKind};

/// A heading of a note. Headings inside quotes, lists and footnotes do not divide a note and are not
/// among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    pub text: String,
    /// Bytes of the heading itself.
    pub range: Range<usize>,
}

/// The headings of a note, in order.
pub fn headings(text: &str) -> Vec<Heading> {
    super::note(text).blocks.into_iter().filter_map(of_block).collect()
}

fn of_block(block: Block) -> Option<Heading> {
    match block.kind {
        BlockKind::Heading { level } => Some(Heading { level, text: block.text, range: block.range }),
        _ => None,
    }
}

/// Bytes from the heading called `heading` up to the next heading of the same or a higher level.
/// `heading` may carry its `#` signs, which then give its level. The first that fits wins: by exact
/// text, else without regard to case and white space.
pub fn heading_range(text: &str, heading: &str) -> Option<Range<usize>> {
    let wanted = heading.trim();
    let name = wanted.trim_start_matches('#');
    let signs = wanted.len() - name.len();
    let level = (1..=6).contains(&signs).then_some(signs);
    let headings = headings(text);
    let find = |same: &dyn Fn(&Heading) -> bool| {
        headings.iter().position(|heading| {
            same(heading) && level.is_none_or(|level| usize::from(heading.level) == level)
        })
    };
    let at = find(&|heading| heading.text == name.trim())
        .or_else(|| find(&|heading| folded(&heading.text) == folded(name)))?;
    let start = headings[at].range.start;
    let end = headings[at + 1..]
        .iter()
        .find(|next| next.level <= headings[at].level)
        .map_or(text.len(), |next| next.range.start);
    Some(start..end)
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The headings that stand above byte `offset`, outermost first. A heading counts from its own first
/// byte on.
pub fn heading_path(text: &str, offset: usize) -> Vec<String> {
    let mut path: Vec<Heading> = Vec::new();
    for heading in headings(text).into_iter().take_while(|heading| heading.range.start <= offset) {
        path.retain(|above| above.level < heading.level);
        path.push(heading);
    }
    path.into_iter().map(|heading| heading.text).collect()
}

/// The first heading of level 1, else the first heading, that has text.
pub(super) fn title(blocks: &[Block]) -> Option<String> {
    let headings = || {
        blocks.iter().filter_map(|block| match block.kind {
            BlockKind::Heading { level } if !block.text.is_empty() => Some((level, &block.text)),
            _ => None,
        })
    };
    headings()
        .find(|(level, _)| *level == 1)
        .or_else(|| headings().next())
        .map(|(_, text)| text.split_whitespace().collect::<Vec<_>>().join(" "))
}
