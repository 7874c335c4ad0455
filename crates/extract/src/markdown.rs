//! Markdown: CommonMark with the tables, tasks, footnotes and strike-through of GitHub, math, wiki
//! links, tags and front matter.

mod front_matter;
mod heading;
mod tag;
mod walk;

use orangery_domain::{Block, BlockKind, FileKind, LineIndex, Link, LinkKind};
use pulldown_cmark::{Options, Parser};

pub use heading::{Heading, heading_path, heading_range, headings};

use crate::Extracted;

/// Extracts a note. Runs in time about linear in the text, whatever the text.
pub fn note(text: &str) -> Extracted {
    let index = LineIndex::new(text);
    let front = front_matter::read(text);
    let start = front.as_ref().map_or(0, |front| front.range.end);
    let mut walk = walk::walk(text, start);
    let mut tags = tag::Tags::default();
    let mut title = None;
    if let Some(front) = front {
        front.tags.iter().for_each(|tag| tags.add(tag));
        walk.links.splice(0..0, front_matter::links(text, &front.range));
        walk.blocks
            .insert(0, walk::Piece { kind: BlockKind::FrontMatter, range: front.range, text: front.body });
        title = front.title;
    }
    walk.tags.iter().for_each(|tag| tags.add(tag));
    for link in &mut walk.links {
        link.line = index.line_at(link.range.start);
    }
    let blocks: Vec<_> = walk
        .blocks
        .into_iter()
        .map(|piece| Block {
            kind: piece.kind,
            lines: index.lines_of(&piece.range),
            range: piece.range,
            text: piece.text,
        })
        .collect();
    Extracted {
        title: title.or_else(|| heading::title(&blocks)),
        blocks,
        links: walk.links,
        tags: tags.into_list(),
        warnings: Vec::new(),
    }
}

/// Where a note defines what a reference leads to: `[label]: target "title"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// As [`Link::target`] has it.
    pub target: String,
    /// Bytes of the whole definition.
    pub range: std::ops::Range<usize>,
}

/// The definitions of a note's references, in order. What stands in code is none.
pub fn definitions(text: &str) -> Vec<Definition> {
    let start = front_matter::read(text).map_or(0, |front| front.range.end);
    let parser = parser(&text[start..]);
    let mut definitions: Vec<Definition> = parser
        .reference_definitions()
        .iter()
        .map(|(_, definition)| {
            let link = walk::link(LinkKind::Inline, &definition.dest, None, 0..0);
            let range = definition.span.start + start..definition.span.end + start;
            Definition { target: link.target, range }
        })
        .collect();
    definitions.sort_by_key(|definition| definition.range.start);
    definitions
}

/// The pictures of a note: `![alt](target)`, and embeds whose target is a picture.
pub fn image_refs(text: &str) -> Vec<Link> {
    let mut links = note(text).links;
    links.retain(|link| match link.kind {
        LinkKind::Image => true,
        LinkKind::Embed => FileKind::of_name(&link.target) == FileKind::Image,
        LinkKind::Wiki | LinkKind::Inline => false,
    });
    links
}

/// The parser that all of this module reads with.
fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(
        text,
        Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_MATH
            | Options::ENABLE_WIKILINKS,
    )
}

#[cfg(test)]
mod tests;
