//! A page as browsers understand it, in one flat list of nodes, with bounds on depth and number.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

use html5ever::interface::tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, LocalName, Namespace, QualName, ns};

/// Nodes of one page.
const NODES: usize = 4_000_000;
/// Bytes after which the bounds are looked at: the reader of HTML itself knows none.
const STEP: usize = 4096;

pub(super) mod node {
    /// The document itself.
    pub(in super::super) const ROOT: usize = 0;
}

#[derive(Debug)]
enum Content {
    Document,
    Element { name: QualName, attributes: Vec<Attribute> },
    Text(StrTendril),
    Other,
}

#[derive(Debug)]
struct Node {
    content: Content,
    depth: usize,
    parent: Option<usize>,
    first: Option<usize>,
    last: Option<usize>,
    before: Option<usize>,
    next: Option<usize>,
}

impl Node {
    fn new(content: Content) -> Self {
        Self { content, depth: 0, parent: None, first: None, last: None, before: None, next: None }
    }
}

/// A parsed page.
#[derive(Debug)]
pub(super) struct Page {
    nodes: Vec<Node>,
    cut: bool,
    /// How many elements lie within each other at the most.
    pub(super) depth: usize,
}

impl Page {
    /// Parses a page. What comes after more than `depth` elements within each other is left out.
    pub(super) fn parse(text: &str, depth: usize) -> Self {
        let sink = Sink { nodes: RefCell::new(vec![Node::new(Content::Document)]), deepest: Cell::new(0) };
        let mut parser = html5ever::parse_document(sink, html5ever::ParseOpts::default());
        let mut rest = text;
        let mut cut = false;
        while !rest.is_empty() {
            let (step, after) = rest.split_at(rest.floor_char_boundary(STEP));
            parser.process(StrTendril::from(step));
            rest = after;
            let sink = &parser.tokenizer.sink.sink;
            if sink.deepest.get() > depth || sink.nodes.borrow().len() > NODES {
                cut = !rest.is_empty();
                break;
            }
        }
        let depth = parser.tokenizer.sink.sink.deepest.get();
        Self { nodes: parser.finish(), cut, depth }
    }

    /// Whether something was left out.
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }

    pub(super) fn children(&self, at: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.nodes[at].first, |at| self.nodes[*at].next)
    }

    /// All nodes within, in order.
    pub(super) fn descendants(&self, root: usize) -> impl Iterator<Item = usize> {
        let mut stack: Vec<usize> = self.nodes[root].first.into_iter().collect();
        std::iter::from_fn(move || {
            let at = stack.pop()?;
            stack.extend(self.nodes[at].next);
            stack.extend(self.nodes[at].first);
            Some(at)
        })
    }

    pub(super) fn find(&self, root: usize, wanted: impl Fn(&Self, usize) -> bool) -> Option<usize> {
        self.descendants(root).find(|at| wanted(self, *at))
    }

    /// An element's name, in small letters; empty for what is none.
    pub(super) fn name(&self, at: usize) -> &str {
        match &self.nodes[at].content {
            Content::Element { name, .. } => &name.local,
            _ => "",
        }
    }

    pub(super) fn is(&self, at: usize, name: &str) -> bool {
        self.name(at) == name
    }

    /// Not of a drawing or a formula within the page.
    pub(super) fn is_html(&self, at: usize) -> bool {
        matches!(&self.nodes[at].content, Content::Element { name, .. } if name.ns == ns!(html))
    }

    pub(super) fn attribute(&self, at: usize, name: &str) -> Option<&str> {
        match &self.nodes[at].content {
            Content::Element { attributes, .. } => {
                attributes.iter().find(|found| &*found.name.local == name).map(|found| &*found.value)
            }
            _ => None,
        }
    }

    /// The text of a text node.
    pub(super) fn own_text(&self, at: usize) -> Option<&str> {
        match &self.nodes[at].content {
            Content::Text(text) => Some(text),
            _ => None,
        }
    }

    /// All text within.
    pub(super) fn text(&self, at: usize) -> String {
        let mut out = String::new();
        for at in self.descendants(at) {
            out.push_str(self.own_text(at).unwrap_or_default());
        }
        out
    }
}

struct Sink {
    nodes: RefCell<Vec<Node>>,
    deepest: Cell<usize>,
}

impl Sink {
    fn add(&self, content: Content) -> usize {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node::new(content));
        nodes.len() - 1
    }

    fn detach(&self, at: usize) {
        let mut nodes = self.nodes.borrow_mut();
        let (parent, before, next) =
            (nodes[at].parent.take(), nodes[at].before.take(), nodes[at].next.take());
        match before {
            Some(before) => nodes[before].next = next,
            None => {
                if let Some(parent) = parent {
                    nodes[parent].first = next;
                }
            }
        }
        match next {
            Some(next) => nodes[next].before = before,
            None => {
                if let Some(parent) = parent {
                    nodes[parent].last = before;
                }
            }
        }
    }

    /// Puts `at` below `parent`, in front of `next` or last.
    fn attach(&self, at: usize, parent: usize, next: Option<usize>) {
        self.detach(at);
        let mut nodes = self.nodes.borrow_mut();
        let before = match next {
            Some(next) => nodes[next].before,
            None => nodes[parent].last,
        };
        let depth = nodes[parent].depth + 1;
        self.deepest.set(self.deepest.get().max(depth));
        let node = &mut nodes[at];
        (node.depth, node.parent, node.before, node.next) = (depth, Some(parent), before, next);
        match before {
            Some(before) => nodes[before].next = Some(at),
            None => nodes[parent].first = Some(at),
        }
        match next {
            Some(next) => nodes[next].before = Some(at),
            None => nodes[parent].last = Some(at),
        }
    }

    fn insert(&self, parent: usize, next: Option<usize>, child: NodeOrText<usize>) {
        let at = match child {
            NodeOrText::AppendNode(at) => at,
            NodeOrText::AppendText(text) => {
                let mut nodes = self.nodes.borrow_mut();
                let before = match next {
                    Some(next) => nodes[next].before,
                    None => nodes[parent].last,
                };
                if let Some(before) = before
                    && let Content::Text(present) = &mut nodes[before].content
                {
                    present.push_tendril(&text);
                    return;
                }
                drop(nodes);
                self.add(Content::Text(text))
            }
        };
        self.attach(at, parent, next);
    }
}

#[derive(Debug)]
struct Name<'a>(Ref<'a, QualName>);

impl html5ever::interface::ElemName for Name<'_> {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for Sink {
    type Handle = usize;
    type Output = Vec<Node>;
    type ElemName<'a> = Name<'a>;

    fn finish(self) -> Vec<Node> {
        self.nodes.into_inner()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> usize {
        node::ROOT
    }

    fn elem_name<'a>(&'a self, target: &'a usize) -> Name<'a> {
        Name(Ref::map(self.nodes.borrow(), |nodes| match &nodes[*target].content {
            Content::Element { name, .. } => name,
            // Only elements are ever asked for their name.
            _ => nameless(),
        }))
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, _: ElementFlags) -> usize {
        self.add(Content::Element { name, attributes })
    }

    fn create_comment(&self, _: StrTendril) -> usize {
        self.add(Content::Other)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> usize {
        self.add(Content::Other)
    }

    fn append(&self, parent: &usize, child: NodeOrText<usize>) {
        self.insert(*parent, None, child);
    }

    fn append_before_sibling(&self, sibling: &usize, child: NodeOrText<usize>) {
        let parent = self.nodes.borrow()[*sibling].parent;
        if let Some(parent) = parent {
            self.insert(parent, Some(*sibling), child);
        }
    }

    fn append_based_on_parent_node(&self, element: &usize, before: &usize, child: NodeOrText<usize>) {
        if self.nodes.borrow()[*element].parent.is_some() {
            self.append_before_sibling(element, child);
        } else {
            self.append(before, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &usize) -> usize {
        *target
    }

    fn same_node(&self, one: &usize, other: &usize) -> bool {
        one == other
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn add_attrs_if_missing(&self, target: &usize, new: Vec<Attribute>) {
        if let Content::Element { attributes, .. } = &mut self.nodes.borrow_mut()[*target].content {
            for attribute in new {
                if !attributes.iter().any(|known| known.name == attribute.name) {
                    attributes.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &usize) {
        self.detach(*target);
    }

    fn reparent_children(&self, from: &usize, to: &usize) {
        loop {
            let first = self.nodes.borrow()[*from].first;
            let Some(first) = first else { return };
            self.attach(first, *to, None);
        }
    }
}

fn nameless() -> &'static QualName {
    static NAMELESS: std::sync::LazyLock<QualName> =
        std::sync::LazyLock::new(|| QualName::new(None, ns!(), LocalName::from("")));
    &NAMELESS
}
