//! XML parts as trees that borrow their text.
//!
//! Never fails: a part that breaks off, or that nests too deep, gives the tree up to there. Entities
//! are the five of XML and numbers; whatever a document type declares is never looked at, so nothing
//! is expanded and nothing fetched.

mod namespace;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use orangery_domain::text::{Encoding, decode as decode_text};
use quick_xml::Reader;
use quick_xml::events::Event;

pub(crate) use namespace::Ns;
use namespace::Scope;

/// Elements of one part; a real part of the largest size that is read has fewer.
const NODES: usize = 20_000_000;

/// A parsed part.
#[derive(Debug)]
pub(crate) struct Tree<'a> {
    nodes: Vec<Node<'a>>,
    attributes: Vec<Attribute<'a>>,
    broken: bool,
}

#[derive(Debug)]
struct Node<'a> {
    content: Content<'a>,
    /// 0 where there is none: the root is nobody's child or neighbour.
    first: u32,
    next: u32,
}

#[derive(Debug)]
enum Content<'a> {
    Element { ns: Ns, name: &'a str, attributes: (u32, u32) },
    Text(Cow<'a, str>),
}

#[derive(Debug)]
struct Attribute<'a> {
    ns: Ns,
    name: &'a str,
    /// As written, entities and all.
    value: &'a str,
}

struct Open {
    node: u32,
    last: u32,
    scope: usize,
}

impl<'a> Tree<'a> {
    /// Parses `text`. Elements deeper than `depth` are left out with what they hold.
    pub(crate) fn parse(text: &'a str, depth: usize) -> Self {
        let root = Node {
            content: Content::Element { ns: Ns::None, name: "", attributes: (0, 0) },
            first: 0,
            next: 0,
        };
        let mut tree = Tree { nodes: vec![root], attributes: Vec::new(), broken: false };
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        let mut scope = Scope::default();
        let mut open = vec![Open { node: 0, last: 0, scope: 0 }];
        let mut too_deep = 0_usize;
        loop {
            let before = reader.buffer_position() as usize;
            let Ok(event) = reader.read_event() else {
                tree.broken = true;
                break;
            };
            if tree.nodes.len() >= NODES {
                tree.broken = true;
                break;
            }
            match event {
                Event::Eof => break,
                Event::Start(_) if too_deep > 0 || open.len() > depth => {
                    too_deep += 1;
                    tree.broken = true;
                }
                Event::Start(ref tag) | Event::Empty(ref tag) => {
                    // The event's own text lives too short; the same bytes lie behind the bracket.
                    let Some(start) = text.get(before..).and_then(|rest| rest.find('<')) else { break };
                    let start = before + start + 1;
                    let Some(content) = text.get(start..start + tag.len()) else { break };
                    let mark = scope.mark();
                    let node = tree.element(content, tag.name().0.len(), &mut scope);
                    tree.link(&mut open, node);
                    if matches!(event, Event::Start(_)) {
                        open.push(Open { node, last: 0, scope: mark });
                    } else {
                        scope.restore(mark);
                    }
                }
                Event::End(_) if too_deep > 0 => too_deep -= 1,
                Event::End(_) => {
                    if open.len() > 1
                        && let Some(closed) = open.pop()
                    {
                        scope.restore(closed.scope);
                    }
                }
                _ if too_deep > 0 => {}
                Event::Text(value) => tree.text(&mut open, value.into_inner()),
                Event::CData(value) => tree.text(&mut open, value.into_inner()),
                Event::GeneralRef(reference) => {
                    if let Some(character) = character(&reference) {
                        tree.text(&mut open, Cow::Owned(character.into()));
                    }
                }
                _ => {}
            }
        }
        tree.broken |= open.len() > 1;
        tree
    }

    fn element(&mut self, content: &'a str, name_length: usize, scope: &mut Scope<'a>) -> u32 {
        let first = self.attributes.len();
        let attributes = content.get(name_length..).unwrap_or_default();
        for (name, value) in pairs(attributes) {
            match name.strip_prefix("xmlns") {
                Some("") => scope.declare("", value),
                Some(prefix) if prefix.starts_with(':') => scope.declare(&prefix[1..], value),
                _ => self.attributes.push(Attribute { ns: Ns::None, name, value }),
            }
        }
        for attribute in &mut self.attributes[first..] {
            if let Some((prefix, local)) = attribute.name.split_once(':') {
                (attribute.ns, attribute.name) = (scope.resolve(prefix), local);
            }
        }
        let name = &content[..name_length];
        let (prefix, name) = name.split_once(':').unwrap_or(("", name));
        let attributes = (first as u32, self.attributes.len() as u32);
        self.nodes.push(Node {
            content: Content::Element { ns: scope.resolve(prefix), name, attributes },
            first: 0,
            next: 0,
        });
        self.nodes.len() as u32 - 1
    }

    fn text(&mut self, open: &mut [Open], value: Cow<'a, str>) {
        if open.len() > 1 && !value.is_empty() {
            self.nodes.push(Node { content: Content::Text(value), first: 0, next: 0 });
            let node = self.nodes.len() as u32 - 1;
            self.link(open, node);
        }
    }

    fn link(&mut self, open: &mut [Open], node: u32) {
        if let Some(parent) = open.last_mut() {
            if parent.last == 0 {
                self.nodes[parent.node as usize].first = node;
            } else {
                self.nodes[parent.last as usize].next = node;
            }
            parent.last = node;
        }
    }

    /// The outermost element; one without a name and without children when there is none.
    pub(crate) fn root(&self) -> Element<'_, 'a> {
        let document = Element { tree: self, index: 0 };
        document.children().next().unwrap_or(document)
    }

    /// Whether the part broke off, or was cut because it nests too deep.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken
    }
}

/// `name="value"` pairs of a tag; what is malformed is passed over.
fn pairs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start();
            let equals = rest.find('=')?;
            let name = rest[..equals].trim_end();
            let value = rest[equals + 1..].trim_start();
            let quote = value.chars().next()?;
            if quote != '"' && quote != '\'' {
                rest = value;
                continue;
            }
            let end = value[1..].find(quote)? + 1;
            rest = &value[end + 1..];
            let name = name.rsplit(char::is_whitespace).next().unwrap_or(name);
            return Some((name, &value[1..end]));
        }
    })
}

/// An element of a tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Element<'t, 'a> {
    tree: &'t Tree<'a>,
    index: u32,
}

/// What an element holds: elements and text in order.
pub(crate) enum Item<'t, 'a> {
    Element(Element<'t, 'a>),
    Text(&'t str),
}

impl<'t, 'a> Element<'t, 'a> {
    pub(crate) fn ns(self) -> Ns {
        self.name().0
    }

    /// Namespace and local name.
    pub(crate) fn name(self) -> (Ns, &'a str) {
        match self.tree.nodes[self.index as usize].content {
            Content::Element { ns, name, .. } => (ns, name),
            Content::Text(_) => (Ns::None, ""),
        }
    }

    pub(crate) fn is(self, ns: Ns, name: &str) -> bool {
        self.name() == (ns, name)
    }

    pub(crate) fn items(self) -> impl Iterator<Item = Item<'t, 'a>> {
        let mut at = self.tree.nodes[self.index as usize].first;
        std::iter::from_fn(move || {
            let index = (at != 0).then_some(at)?;
            let node = &self.tree.nodes[index as usize];
            at = node.next;
            Some(match &node.content {
                Content::Text(text) => Item::Text(text),
                Content::Element { .. } => Item::Element(Element { tree: self.tree, index }),
            })
        })
    }

    pub(crate) fn children(self) -> impl Iterator<Item = Element<'t, 'a>> {
        self.items().filter_map(|item| match item {
            Item::Element(element) => Some(element),
            Item::Text(_) => None,
        })
    }

    /// The first child of this name.
    pub(crate) fn child(self, ns: Ns, name: &str) -> Option<Element<'t, 'a>> {
        self.children().find(|child| child.is(ns, name))
    }

    /// The first element of this name at any depth, in order of the part.
    pub(crate) fn find(self, ns: Ns, name: &str) -> Option<Element<'t, 'a>> {
        self.descendants().find(|element| element.is(ns, name))
    }

    /// All elements within, in order of the part, without this one.
    pub(crate) fn descendants(self) -> impl Iterator<Item = Element<'t, 'a>> {
        let mut stack: Vec<u32> = vec![self.tree.nodes[self.index as usize].first];
        std::iter::from_fn(move || {
            loop {
                let index = stack.pop()?;
                if index == 0 {
                    continue;
                }
                let node = &self.tree.nodes[index as usize];
                stack.push(node.next);
                stack.push(node.first);
                if matches!(node.content, Content::Element { .. }) {
                    return Some(Element { tree: self.tree, index });
                }
            }
        })
    }

    /// The value of an attribute, whatever its prefix; names are unique enough in the formats read.
    pub(crate) fn attribute(self, name: &str) -> Option<Cow<'a, str>> {
        self.find_attribute(|attribute| attribute.name == name)
    }

    pub(crate) fn attribute_of(self, ns: Ns, name: &str) -> Option<Cow<'a, str>> {
        self.find_attribute(|attribute| attribute.ns == ns && attribute.name == name)
    }

    fn find_attribute(self, wanted: impl Fn(&Attribute<'a>) -> bool) -> Option<Cow<'a, str>> {
        let Content::Element { attributes: (from, to), .. } = self.tree.nodes[self.index as usize].content
        else {
            return None;
        };
        let list = &self.tree.attributes[from as usize..to as usize];
        list.iter().find(|attribute| wanted(attribute)).map(|attribute| unescape(attribute.value))
    }

    /// A number in an attribute.
    pub(crate) fn number<T: std::str::FromStr>(self, name: &str) -> Option<T> {
        self.attribute(name)?.trim().parse().ok()
    }

    /// The text directly in this element.
    pub(crate) fn text(self) -> Cow<'t, str> {
        let mut out = Cow::Borrowed("");
        for item in self.items() {
            if let Item::Text(text) = item {
                if out.is_empty() { out = Cow::Borrowed(text) } else { out.to_mut().push_str(text) }
            }
        }
        out
    }
}

/// Replaces entities: the five of XML and numbers; any other stays as it is written.
pub(crate) fn unescape(value: &str) -> Cow<'_, str> {
    if !value.contains('&') {
        return Cow::Borrowed(value);
    }
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(12).position(|byte| byte == b';');
        let known = end.and_then(|end| Some((character(&rest[1..end])?, end)));
        match known {
            Some((character, end)) => {
                out.push(character);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// What the entity `name` stands for.
pub(crate) fn character(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code).filter(|&character| character != '\0')?
        }
    })
}

/// A part's text: by byte order mark, by how its first bracket is written, by what it declares; bytes
/// that make no sense become U+FFFD.
pub(crate) fn decode(bytes: Vec<u8>) -> String {
    let encoding = match bytes.as_slice() {
        [0xEF, 0xBB, 0xBF, ..] => Some(Encoding::Utf8),
        [0xFF, 0xFE, ..] | [b'<', 0, ..] => Some(Encoding::Utf16Le),
        [0xFE, 0xFF, ..] | [0, b'<', ..] => Some(Encoding::Utf16Be),
        _ => declared(&bytes),
    };
    match encoding.unwrap_or(Encoding::Utf8) {
        Encoding::Utf8 if !bytes.starts_with(b"\xEF\xBB\xBF") => match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        },
        encoding => decode_text(&bytes, Some(encoding), &[]).map(|decoded| decoded.text).unwrap_or_default(),
    }
}

fn declared(bytes: &[u8]) -> Option<Encoding> {
    let head =
        std::str::from_utf8(bytes.get(..bytes.len().min(200))?.split(|&byte| byte == b'>').next()?).ok()?;
    let value = head.strip_prefix("<?xml")?.split_once("encoding")?.1.trim_start().strip_prefix('=')?;
    let value = value.trim_start();
    let (quote, rest) = value.split_at_checked(1).filter(|(quote, _)| matches!(*quote, "\"" | "'"))?;
    let label = rest.split(quote).next()?;
    // Bytes that begin like ASCII are no UTF-16, whatever they declare.
    Encoding::from_label(label).filter(|&found| !matches!(found, Encoding::Utf16Le | Encoding::Utf16Be))
}
