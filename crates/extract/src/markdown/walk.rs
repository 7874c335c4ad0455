//! One pass over the parser's events: blocks, links and tags.
//!
//! The parser yields nested containers; search and citations want a flat list. A block is a leaf of
//! the tree, named for the container that gives it its meaning, and markup in front of it on its line
//! (`- `, `> `, `[^1]: `) belongs to it.

use std::ops::Range;

use orangery_domain::{BlockKind, Link, LinkKind};
use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Tag, TagEnd};

use super::tag;

/// Characters of a link's own text that are kept.
const ALIAS: usize = 400;

/// A block without its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) kind: BlockKind,
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

#[derive(Debug, Default)]
pub(super) struct Walk<'a> {
    source: &'a str,
    /// Where the parsed part begins.
    start: usize,
    pub(super) blocks: Vec<Piece>,
    pub(super) links: Vec<Link>,
    pub(super) tags: Vec<&'a str>,
    containers: Vec<Container>,
    leaf: Option<Leaf>,
    open_links: Vec<OpenLink>,
    /// Plain text read so far without a gap, outside links.
    run: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Container {
    Quote,
    Item,
    Footnote,
}

#[derive(Debug)]
struct Leaf {
    piece: Piece,
    /// Nothing but display math so far.
    math: bool,
}

#[derive(Debug)]
struct OpenLink {
    /// Place in `links`.
    at: usize,
    /// Where its text begins in the text of the leaf.
    text: usize,
    /// Whether its text is an alias.
    named: bool,
}

/// Walks `source` from byte `start` on.
pub(super) fn walk(source: &str, start: usize) -> Walk<'_> {
    let mut walk = Walk { source, start, run: start..start, ..Walk::default() };
    for (event, range) in super::parser(&source[start..]).into_offset_iter() {
        walk.event(event, range.start + start..range.end + start);
    }
    walk.finish();
    walk
}

/// A link whose target is split from its fragment; its line is not known yet.
pub(super) fn link(kind: LinkKind, target: &str, alias: Option<String>, range: Range<usize>) -> Link {
    let (target, fragment) = match target.split_once('#') {
        Some((target, fragment)) if !has_scheme(target) => (target, Some(fragment)),
        _ => (target, None),
    };
    Link {
        kind,
        target: target.trim().into(),
        fragment: fragment.map(|fragment| fragment.trim().into()),
        alias,
        range,
        line: 0,
    }
}

/// Whether `target` is a URL of some scheme. One letter is a Windows drive.
fn has_scheme(target: &str) -> bool {
    target.split_once(':').is_some_and(|(scheme, _)| {
        scheme.len() > 1 && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    })
}

impl Walk<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.open(tag, range),
            Event::End(tag) => self.close(tag),
            Event::Text(text) => {
                self.inline(&range);
                self.write(&text, text.trim().is_empty());
                self.plain(range);
            }
            Event::Code(text) | Event::InlineMath(text) => {
                self.inline(&range);
                self.write(&text, false);
            }
            Event::DisplayMath(text) => {
                self.inline(&range);
                self.write(&text, true);
            }
            Event::Html(text) => self.write(&text, false),
            Event::InlineHtml(_) | Event::TaskListMarker(_) => self.inline(&range),
            Event::FootnoteReference(_) => {
                self.inline(&range);
                self.write("", false);
            }
            Event::SoftBreak | Event::HardBreak => {
                self.inline(&range);
                self.write("\n", true);
            }
            Event::Rule => {
                self.close_leaf();
                self.blocks.push(Piece { kind: BlockKind::Rule, range, text: String::new() });
            }
        }
    }

    fn open(&mut self, tag: Tag<'_>, range: Range<usize>) {
        let container = match &tag {
            Tag::BlockQuote(_) => Some(Container::Quote),
            Tag::Item => Some(Container::Item),
            Tag::FootnoteDefinition(_) => Some(Container::Footnote),
            _ => None,
        };
        if let Some(container) = container {
            self.close_leaf();
            self.containers.push(container);
            return;
        }
        match tag {
            Tag::Paragraph => self.open_leaf(self.kind(), range),
            Tag::Heading { level, .. } => self.open_leaf(self.heading(level), range),
            Tag::CodeBlock(_) => self.open_leaf(BlockKind::Code, range),
            Tag::HtmlBlock => self.open_leaf(BlockKind::Html, range),
            Tag::Table(_) => self.open_leaf(BlockKind::Table, range),
            Tag::Link { link_type, dest_url, .. } => self.open_link(false, link_type, &dest_url, range),
            Tag::Image { link_type, dest_url, .. } => self.open_link(true, link_type, &dest_url, range),
            Tag::List(_) => self.close_leaf(),
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Superscript | Tag::Subscript => {
                self.inline(&range);
            }
            Tag::TableHead | Tag::TableRow | Tag::TableCell => {}
            // Extensions that are not switched on.
            Tag::MetadataBlock(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition => {}
            // Handled above.
            Tag::BlockQuote(_) | Tag::Item | Tag::FootnoteDefinition(_) => {}
        }
    }

    fn close(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::BlockQuote(_) | TagEnd::Item | TagEnd::FootnoteDefinition => {
                self.close_leaf();
                self.containers.pop();
            }
            TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::HtmlBlock | TagEnd::Table => self.close_leaf(),
            TagEnd::CodeBlock | TagEnd::List(_) => self.close_leaf(),
            TagEnd::Link | TagEnd::Image => self.close_link(),
            TagEnd::TableCell => self.write("\t", true),
            TagEnd::TableHead | TagEnd::TableRow => {
                if let Some(leaf) = &mut self.leaf {
                    leaf.piece.text.truncate(leaf.piece.text.trim_end_matches('\t').len());
                }
                self.write("\n", true);
            }
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    /// What a paragraph is here.
    fn kind(&self) -> BlockKind {
        if self.containers.contains(&Container::Footnote) {
            return BlockKind::Footnote;
        }
        match self.containers.last() {
            Some(Container::Quote) => BlockKind::Quote,
            Some(Container::Item | Container::Footnote) => BlockKind::ListItem,
            None => BlockKind::Paragraph,
        }
    }

    /// What a heading is here: inside a container it does not divide the note.
    fn heading(&self, level: HeadingLevel) -> BlockKind {
        if self.containers.is_empty() { BlockKind::Heading { level: level as u8 } } else { self.kind() }
    }

    fn open_leaf(&mut self, kind: BlockKind, range: Range<usize>) {
        self.close_leaf();
        let math = matches!(kind, BlockKind::Paragraph);
        self.leaf = Some(Leaf { piece: Piece { kind, range, text: String::new() }, math });
    }

    /// Makes sure that inline content lies in a leaf: items of a tight list have no paragraph.
    fn inline(&mut self, range: &Range<usize>) {
        match &mut self.leaf {
            Some(leaf) => leaf.piece.range.end = leaf.piece.range.end.max(range.end),
            None => self.open_leaf(self.kind(), range.clone()),
        }
    }

    fn write(&mut self, text: &str, keeps_math: bool) {
        if let Some(leaf) = &mut self.leaf {
            leaf.piece.text.push_str(text);
            leaf.math &= keeps_math;
        }
    }

    /// Notes that `range` is plain text, where tags may stand.
    fn plain(&mut self, range: Range<usize>) {
        let plain = self.open_links.is_empty()
            && self.leaf.as_ref().is_some_and(|leaf| leaf.piece.kind != BlockKind::Code);
        if !plain {
            return;
        }
        if range.start != self.run.end {
            self.read_tags();
            self.run.start = range.start;
        }
        self.run.end = range.end;
    }

    fn read_tags(&mut self) {
        let run = std::mem::replace(&mut self.run, self.start..self.start);
        let source = self.source;
        let before = source[..run.start].chars().next_back();
        tag::find(&source[run], before, |tag| self.tags.push(tag));
    }

    fn close_leaf(&mut self) {
        self.read_tags();
        self.open_links.clear();
        let Some(leaf) = self.leaf.take() else {
            return;
        };
        let mut piece = leaf.piece;
        if leaf.math
            && !piece.text.trim().is_empty()
            && self.source[piece.range.clone()].trim().starts_with("$$")
        {
            piece.kind = BlockKind::Math;
        }
        piece.text = readable(piece.kind, &piece.text);
        self.blocks.push(piece);
    }

    fn open_link(&mut self, image: bool, link_type: LinkType, target: &CowStr<'_>, range: Range<usize>) {
        self.inline(&range);
        self.write("", false);
        let (wiki, named) = match link_type {
            LinkType::WikiLink { has_pothole } => (true, has_pothole),
            LinkType::Autolink | LinkType::Email => (false, false),
            _ => (false, true),
        };
        let kind = match (image, wiki) {
            (false, false) => LinkKind::Inline,
            (false, true) => LinkKind::Wiki,
            (true, false) => LinkKind::Image,
            (true, true) => LinkKind::Embed,
        };
        // In a table the bar of a wiki link is escaped.
        let target = if wiki { target.trim_end_matches('\\') } else { target };
        self.open_links.push(OpenLink {
            at: self.links.len(),
            text: self.leaf.as_ref().map_or(0, |leaf| leaf.piece.text.len()),
            named,
        });
        self.links.push(link(kind, target, None, range));
    }

    fn close_link(&mut self) {
        let (Some(open), Some(leaf)) = (self.open_links.pop(), &self.leaf) else {
            return;
        };
        if !open.named {
            return;
        }
        let text = leaf.piece.text.get(open.text..).unwrap_or_default();
        let alias: String = text.chars().take(ALIAS).collect();
        let alias = alias.trim();
        if let Some(link) = self.links.get_mut(open.at).filter(|_| !alias.is_empty()) {
            link.alias = Some(alias.into());
        }
    }

    /// Puts the pieces in order and gives what lies between them to one of them.
    fn finish(&mut self) {
        self.close_leaf();
        let found = std::mem::take(&mut self.blocks);
        let mut done = self.start;
        for mut piece in found {
            piece.range.start = piece.range.start.max(done);
            piece.range.end = trimmed_end(self.source, piece.range.clone());
            if piece.range.end <= piece.range.start {
                continue;
            }
            piece.range.start = self.fill(done, piece.range.start);
            done = piece.range.end;
            self.blocks.push(piece);
        }
        self.fill(done, self.source.len());
    }

    /// Makes blocks of the lines from `from` to `to` that the parser said nothing about (link
    /// definitions, empty items). Returns where the block at `to` begins: markup before it on its
    /// line is its own.
    fn fill(&mut self, from: usize, to: usize) -> usize {
        let gap = &self.source[from..to];
        let last =
            if to < self.source.len() { gap.rfind(['\r', '\n']).map_or(0, |at| at + 1) } else { gap.len() };
        let mut open: Option<Range<usize>> = None;
        let mut at = from;
        for line in gap[..last].split_inclusive(['\r', '\n']) {
            let range = at + (line.len() - line.trim_start().len())..at + line.trim_end().len();
            at += line.len();
            if range.start >= range.end {
                // CRLF is split in two; only a line that is blank by itself ends a block.
                if !line.starts_with('\n') || !self.source[..at - 1].ends_with('\r') {
                    self.blocks.extend(open.take().map(|range| unnamed(self.source, range)));
                }
                continue;
            }
            match &mut open {
                Some(open) => open.end = range.end,
                None if range.start == from && from > self.start && self.extend_last(range.end) => {}
                None => open = Some(range),
            }
        }
        self.blocks.extend(open.map(|range| unnamed(self.source, range)));
        let before = &gap[last..];
        to - before.trim_start().len()
    }

    /// Lets the last block reach to `end`, the rest of its last line.
    fn extend_last(&mut self, end: usize) -> bool {
        match self.blocks.last_mut() {
            Some(last) => {
                last.range.end = end;
                true
            }
            None => false,
        }
    }
}

/// A block of lines that the parser yields no event for.
fn unnamed(source: &str, range: Range<usize>) -> Piece {
    let text = &source[range.clone()];
    let kind = match text.chars().next() {
        Some('>') => BlockKind::Quote,
        Some('-' | '*' | '+' | '0'..='9') => BlockKind::ListItem,
        _ => BlockKind::Paragraph,
    };
    let text = text.trim_matches(|c: char| c.is_whitespace() || ">-*+".contains(c));
    Piece { kind, text: text.into(), range }
}

fn trimmed_end(source: &str, range: Range<usize>) -> usize {
    source.get(range.clone()).map_or(range.start, |text| range.start + text.trim_end().len())
}

/// What is left to read of a leaf's text.
fn readable(kind: BlockKind, text: &str) -> String {
    match kind {
        BlockKind::Html => without_tags(text),
        BlockKind::Quote => without_block_id(without_callout(text)).trim().into(),
        BlockKind::Code | BlockKind::Math => text.trim_matches(['\r', '\n']).trim_end().into(),
        BlockKind::Table => text.trim().into(),
        _ => without_block_id(text).trim().into(),
    }
}

/// `[!note]- Title` becomes `Title`.
fn without_callout(text: &str) -> &str {
    let inner = text.strip_prefix("[!").and_then(|rest| rest.split_once(']'));
    match inner {
        Some((name, rest)) if !name.contains(['\n', '\r']) => rest.trim_start_matches(['+', '-']),
        _ => text,
    }
}

/// Removes ` ^name` at the end, which names the block for links.
fn without_block_id(text: &str) -> &str {
    let trimmed = text.trim_end();
    match trimmed.rsplit_once('^') {
        Some((before, name))
            if !name.is_empty()
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
                && (before.is_empty() || before.ends_with([' ', '\t', '\n'])) =>
        {
            before.trim_end()
        }
        _ => text,
    }
}

/// The text of an HTML block: what stands outside of tags and comments.
fn without_tags(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let close = if rest.starts_with("<!--") { "-->" } else { ">" };
        let Some(end) = rest.find(close) else {
            // Not closed: whatever it is, it is there to be read.
            break;
        };
        rest = &rest[end + close.len()..];
        if !out.ends_with(char::is_whitespace) {
            out.push(' ');
        }
    }
    out.push_str(rest);
    out.trim().into()
}
