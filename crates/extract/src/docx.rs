//! Word documents (ECMA-376, WordprocessingML), transitional and strict.
//!
//! The text is what a reader sees with all tracked changes accepted: what was inserted is there, what
//! was deleted or moved away is not. Headers and footers, notes and comments follow the body, each once.

mod flow;
mod named;
mod numbering;
mod run;
mod style;
mod table;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use orangery_domain::{BlockKind, OutlineEntry, Spot};

use crate::document::{Builder, Document, Inline, Limits, code};
use crate::office;
use crate::package::{Package, Relationships};
use crate::xml::{Element, Ns, Tree};

use named::Named;
use numbering::Numbering;
use run::Field;
use style::Styles;

/// Reads a Word document.
pub fn read(bytes: &[u8], limits: &Limits) -> Document {
    let mut package = match Package::open(bytes, limits) {
        Ok(package) => package,
        Err(trouble) => return Document { trouble: Some(trouble), ..Document::default() },
    };
    let main = office::main_part(&mut package, "word/document.xml");
    let Some((main, text)) = main.and_then(|main| Some((main.clone(), package.text(&main)?))) else {
        return office::no_main_part(&package);
    };
    let tree = Tree::parse(&text, limits.depth);
    if tree.root().ns() != Ns::Word {
        return match tree.root().ns() {
            Ns::Slides => Document::refused(code::NOT_THIS_KIND, "pptx"),
            Ns::Sheets => Document::refused(code::NOT_THIS_KIND, "xlsx"),
            _ => office::no_main_part(&package),
        };
    }
    Reader::new(package, &main).document(&tree)
}

/// The bytes of a picture that [`read`] listed.
pub fn picture(bytes: &[u8], id: &str) -> Option<Vec<u8>> {
    office::picture(bytes, id)
}

struct Reader<'p> {
    package: Package<'p>,
    builder: Builder,
    styles: Styles,
    numbering: Numbering,
    /// Of the part at work.
    relationships: Relationships,
    /// Names of the parts that hold footnotes, endnotes and comments.
    aside: [String; 3],
    /// Fields that have begun and not ended, outermost first.
    fields: Vec<Field>,
    /// Ids of notes in the order that the text refers to them.
    footnotes: Named,
    endnotes: Named,
    /// Parts of headers and footers in order of the sections.
    headers: Named,
    footers: Named,
    /// A paragraph whose mark was deleted: the next one goes on in it.
    carry: Option<flow::Paragraph>,
    /// Pictures that wait for the caption below them.
    uncaptioned: Vec<usize>,
    title: Option<String>,
}

impl<'p> Reader<'p> {
    fn new(mut package: Package<'p>, main: &str) -> Self {
        let limits = *package.limits();
        let relationships = package.relationships(main);
        let name =
            |kind: &str| relationships.first(kind).map_or_else(|| format!("word/{kind}.xml"), str::to_owned);
        let aside = ["footnotes", "endnotes", "comments"].map(name);
        let styles = package.text(&name("styles"));
        let numbering = package.text(&name("numbering"));
        let styles = styles.map(|text| Styles::read(&text, limits.depth));
        let numbering = numbering.map(|text| Numbering::read(Tree::parse(&text, limits.depth).root()));
        Self {
            package,
            builder: Builder::new(limits),
            styles: styles.unwrap_or_default(),
            numbering: numbering.unwrap_or_default(),
            relationships,
            aside,
            fields: Vec::new(),
            footnotes: Named::default(),
            endnotes: Named::default(),
            headers: Named::default(),
            footers: Named::default(),
            carry: None,
            uncaptioned: Vec::new(),
            title: None,
        }
    }

    fn document(mut self, tree: &Tree<'_>) -> Document {
        if tree.is_broken() {
            self.builder.warn(code::PARTS_DAMAGED, "");
        }
        let root = tree.root();
        self.flow(root.child(Ns::Word, "body").unwrap_or(root));
        self.end_carry();
        self.notes();
        self.comments();
        self.edges();
        let properties = office::Properties::of(&mut self.package);
        properties.add_remarks(&mut self.builder, Spot::Flow);
        let mut document = self.builder.finish();
        document.title = self.title.or(properties.title).or_else(|| {
            let first = document.blocks.first()?;
            matches!(first.kind, BlockKind::Heading { level: 1 }).then(|| first.text.clone())
        });
        document.outline = outline(&document);
        office::conclude(document, &self.package)
    }

    /// A part that the main one points at, with its relationships put in force.
    fn enter(&mut self, name: &str) -> Option<String> {
        let text = self.package.text(name)?;
        self.relationships = self.package.relationships(name);
        self.fields.clear();
        Some(text)
    }

    fn notes(&mut self) {
        let lists = [("footnote", BlockKind::Footnote), ("endnote", BlockKind::Endnote)];
        for (at, (name, block)) in lists.into_iter().enumerate() {
            let list = if name == "footnote" { &mut self.footnotes } else { &mut self.endnotes };
            let wanted = std::mem::take(list).into_names();
            if wanted.is_empty() {
                continue;
            }
            let part = self.aside[at].clone();
            let Some(text) = self.enter(&part) else { continue };
            let tree = Tree::parse(&text, self.package.limits().depth);
            let notes: HashMap<String, Element<'_, '_>> = tree
                .root()
                .children()
                .filter(|note| note.is(Ns::Word, name))
                .filter_map(|note| Some((note.attribute("id")?.into_owned(), note)))
                .collect();
            for (at, id) in wanted.iter().enumerate() {
                let Some(note) = notes.get(id) else { continue };
                let text = self.gather(*note, "\n");
                if text.is_blank() {
                    continue;
                }
                let mut inline = Inline::default();
                inline.mark(&format!("{} ", note_mark(name == "endnote", at + 1)));
                inline.append(&trimmed(&text));
                self.builder.push_inline(block, Spot::Flow, &inline);
            }
        }
    }

    fn comments(&mut self) {
        let part = self.aside[2].clone();
        let Some(text) = self.enter(&part) else { return };
        let tree = Tree::parse(&text, self.package.limits().depth);
        for comment in tree.root().children().filter(|child| child.is(Ns::Word, "comment")) {
            let text = self.gather(comment, "\n");
            if text.is_blank() {
                continue;
            }
            let author = comment.attribute("author").unwrap_or_default();
            let mut inline = Inline::default();
            if !author.trim().is_empty() {
                inline.push(&format!("{}: ", author.trim()));
            }
            inline.append(&trimmed(&text));
            self.builder.push_inline(BlockKind::Comment, Spot::Flow, &inline);
        }
    }

    /// Headers and footers, each text once: sections often repeat them in parts of their own.
    fn edges(&mut self) {
        let mut seen = HashSet::new();
        let headers = std::mem::take(&mut self.headers).into_names();
        let footers = std::mem::take(&mut self.footers).into_names();
        let headers = headers.into_iter().map(|part| (part, BlockKind::Header));
        for (part, kind) in headers.chain(footers.into_iter().map(|part| (part, BlockKind::Footer))) {
            let Some(text) = self.enter(&part) else { continue };
            let tree = Tree::parse(&text, self.package.limits().depth);
            let inline = self.gather(tree.root(), "\n");
            if inline.is_blank() || !seen.insert((kind, inline.shown().to_owned())) {
                continue;
            }
            self.builder.push_inline(kind, Spot::Flow, &inline);
        }
    }
}

/// `[2]` for the second footnote, `[ii]` for the second endnote, as Word counts them.
fn note_mark(endnote: bool, at: usize) -> String {
    let kind = if endnote { "lowerRoman" } else { "decimal" };
    format!("[{}]", office::number::format(kind, at as i64))
}

fn trimmed(inline: &Inline) -> Inline {
    let mut inline = inline.clone();
    inline.trim_start();
    inline
}

/// The headings as a table of contents.
fn outline(document: &Document) -> Vec<OutlineEntry> {
    let headings = document.blocks.iter().enumerate();
    headings
        .filter_map(|(at, block)| match block.kind {
            BlockKind::Heading { level } => Some(OutlineEntry {
                level,
                title: document.text[block.range.clone()].replace('\n', " "),
                spot: Some(Spot::Flow),
                block: Some(at as u32 + 1),
            }),
            _ => None,
        })
        .collect()
}
