//! Slides (ECMA-376, PresentationML), transitional and strict.
//!
//! Each slide gives its title, what lies on it in the order that the eye goes, and then what is said
//! about it: speaker notes and comments. What a master shows on many slides comes once.

mod order;
mod shape;
#[cfg(test)]
mod tests;
pub(crate) mod text;

use std::collections::{HashMap, HashSet};

use orangery_domain::{BlockKind, DocumentPage, DocumentPicture, OutlineEntry, Spot, TextLayer};

use crate::document::{Builder, Document, Inline, Limits, code};
use crate::office;
use crate::package::Package;
use crate::xml::{Ns, Tree};

use shape::{Content, Places, Role, Shape};

/// English Metric Units in a point.
const POINT: f32 = 12_700.0;

/// Reads a presentation.
pub fn read(bytes: &[u8], limits: &Limits) -> Document {
    let mut package = match Package::open(bytes, limits) {
        Ok(package) => package,
        Err(trouble) => return Document { trouble: Some(trouble), ..Document::default() },
    };
    let main = office::main_part(&mut package, "ppt/presentation.xml");
    let text = main.as_deref().and_then(|main| package.text(main)).unwrap_or_default();
    let tree = Tree::parse(&text, limits.depth);
    let root = tree.root();
    match root.ns() {
        Ns::Word => return Document::refused(code::NOT_THIS_KIND, "docx"),
        Ns::Sheets => return Document::refused(code::NOT_THIS_KIND, "xlsx"),
        _ => {}
    }
    let relationships = package.relationships(main.as_deref().unwrap_or("ppt/presentation.xml"));
    let listed = root.child(Ns::Slides, "sldIdLst").into_iter().flat_map(|list| list.children());
    let mut slides: Vec<String> = listed
        .filter_map(|slide| relationships.part(&slide.attribute_of(Ns::Reference, "id")?).map(str::to_owned))
        .collect();
    if slides.is_empty() {
        slides = numbered_slides(&package);
    }
    if slides.is_empty() && main.is_none() {
        return office::no_main_part(&package);
    }
    let size = root.child(Ns::Slides, "sldSz");
    let of = |name: &str| size.and_then(|size| size.number::<f32>(name)).unwrap_or(0.0) / POINT;
    let size = (of("cx"), of("cy"));
    let mut authors = HashMap::new();
    let lists = ["commentAuthors", "authors"].map(|kind| relationships.first(kind).map(str::to_owned));
    for part in lists.into_iter().flatten() {
        read_authors(&mut package, &part, &mut authors);
    }
    let reader = Reader {
        package,
        builder: Builder::new(*limits),
        size,
        authors,
        places: HashMap::new(),
        masters: HashSet::new(),
        hidden: Vec::new(),
    };
    reader.document(&slides)
}

/// The bytes of a picture that [`read`] listed.
pub fn picture(bytes: &[u8], id: &str) -> Option<Vec<u8>> {
    office::picture(bytes, id)
}

/// The slides by the numbers in their names, where the list of them is lost.
fn numbered_slides(package: &Package<'_>) -> Vec<String> {
    let mut found: Vec<(u32, String)> = package
        .names()
        .filter_map(|name| {
            let number = name.strip_prefix("ppt/slides/slide")?.strip_suffix(".xml")?;
            Some((number.parse().ok()?, name.to_owned()))
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, name)| name).collect()
}

fn read_authors(package: &mut Package<'_>, part: &str, authors: &mut HashMap<String, String>) {
    let depth = package.limits().depth;
    let Some(text) = package.text(part) else { return };
    for author in Tree::parse(&text, depth).root().children() {
        if let (Some(id), Some(name)) = (author.attribute_of(Ns::None, "id"), author.attribute("name")) {
            authors.insert(id.into_owned(), name.into_owned());
        }
    }
}

struct Reader<'p> {
    package: Package<'p>,
    builder: Builder,
    /// Width and height of all slides, points.
    size: (f32, f32),
    /// Names of those who comment, by id.
    authors: HashMap<String, String>,
    /// Where layouts and masters put their placeholders.
    places: HashMap<String, Places>,
    /// Layouts and masters whose own text is in the document.
    masters: HashSet<String>,
    /// Numbers of slides that are not shown.
    hidden: Vec<String>,
}

impl Reader<'_> {
    fn document(mut self, slides: &[String]) -> Document {
        for (at, part) in slides.iter().enumerate() {
            if self.builder.is_full() {
                break;
            }
            self.slide(part, at as u32 + 1);
        }
        if !self.hidden.is_empty() {
            self.builder.warn(code::HIDDEN_PARTS, self.hidden.join(", "));
        }
        let last = Spot::Slide { slide: self.builder.document().pages.len().max(1) as u32 };
        let properties = office::Properties::of(&mut self.package);
        properties.add_remarks(&mut self.builder, last);
        let mut document = self.builder.finish();
        let first = document.pages.first().map(|page| page.label.clone()).filter(|label| !label.is_empty());
        document.title = properties.title.or(first);
        office::conclude(document, &self.package)
    }

    fn slide(&mut self, part: &str, number: u32) {
        let spot = Spot::Slide { slide: number };
        let before = self.builder.blocks();
        let mut label = String::new();
        if let Some(text) = self.package.text(part) {
            let tree = Tree::parse(&text, self.package.limits().depth);
            if tree.is_broken() {
                self.builder.warn(code::PARTS_DAMAGED, "");
            }
            if tree.root().attribute_of(Ns::None, "show").is_some_and(|show| !office::is_on(Some(&show))) {
                self.hidden.push(number.to_string());
            }
            label = self.shapes(part, &tree, spot);
        }
        let empty = self.builder.blocks() == before;
        self.notes(part, spot);
        self.comments(part, spot);
        self.builder.document().pages.push(DocumentPage {
            label,
            width: self.size.0,
            height: self.size.1,
            layer: if empty { TextLayer::Empty } else { TextLayer::Present },
        });
    }

    /// Adds what lies on a slide and returns its title.
    fn shapes(&mut self, part: &str, tree: &Tree<'_>, spot: Spot) -> String {
        let relationships = self.package.relationships(part);
        let layout = relationships.first("slideLayout").map(str::to_owned);
        let master = layout
            .as_deref()
            .and_then(|layout| self.package.relationships(layout).first("slideMaster").map(str::to_owned));
        let above: Vec<String> = [layout, master].into_iter().flatten().collect();
        for name in &above {
            if !self.places.contains_key(name) {
                let places = Places::read(&mut self.package, name);
                self.places.insert(name.clone(), places);
            }
        }
        let inherited: Vec<&Places> = above.iter().filter_map(|name| self.places.get(name)).collect();
        let mut found = shape::Shapes::new(&mut self.package, &relationships, &inherited);
        found.read(tree.root());
        let (hid, cut, mut shapes) = (found.hid, found.cut, found.shapes);
        if cut {
            self.builder.warn(code::PARTS_LEFT_OUT, "");
        }
        if hid {
            self.builder.warn(code::HIDDEN_LEFT_OUT, "");
        }
        order::sort(&mut shapes, |shape| shape.area);
        let mut label = String::new();
        let (titles, rest): (Vec<Shape>, Vec<Shape>) =
            shapes.into_iter().partition(|shape| shape.role == Role::Title);
        let (edges, rest): (Vec<Shape>, Vec<Shape>) =
            rest.into_iter().partition(|shape| shape.role == Role::Footer);
        for shape in titles {
            let Content::Text(paragraphs) = shape.content else { continue };
            let mut whole = Inline::default();
            for paragraph in paragraphs.into_iter().filter(|one| !one.inline.is_blank()) {
                if !whole.is_blank() {
                    whole.push(" ");
                }
                whole.append(&paragraph.inline);
            }
            whole.flatten();
            let level = if label.is_empty() { 1 } else { 2 };
            if self.builder.push_inline(BlockKind::Heading { level }, spot, &whole).is_some()
                && label.is_empty()
            {
                label = whole.words().trim().to_owned();
                let block = Some(self.builder.blocks());
                let entry = OutlineEntry { level: 1, title: label.clone(), spot: Some(spot), block };
                self.builder.document().outline.push(entry);
            }
        }
        for shape in rest.into_iter().chain(edges) {
            self.shape(shape, spot);
        }
        for name in above {
            if self.masters.insert(name.clone()) {
                let lines = self.places.get(&name).map(|places| places.text.clone()).unwrap_or_default();
                for line in lines {
                    self.builder.push_inline(BlockKind::Footer, spot, &line);
                }
            }
        }
        label
    }

    fn shape(&mut self, shape: Shape, spot: Spot) {
        match shape.content {
            Content::Text(paragraphs) => {
                for paragraph in paragraphs {
                    let kind = match (shape.role, paragraph.is_item) {
                        (Role::Footer, _) => BlockKind::Footer,
                        (_, true) => BlockKind::ListItem,
                        _ => BlockKind::Paragraph,
                    };
                    self.builder.push_inline(kind, spot, &paragraph.inline);
                }
            }
            Content::Table(table) => {
                self.builder.push_inline(BlockKind::Table, spot, &table);
            }
            Content::Lines(lines) => {
                for line in lines {
                    self.builder.push(BlockKind::Paragraph, spot, &line);
                }
            }
            Content::Picture { part, said } => {
                let (width, height, size) = office::measure(&mut self.package, &part);
                let block = self.builder.blocks();
                self.builder.document().pictures.push(DocumentPicture {
                    id: part,
                    caption: said,
                    block,
                    spot,
                    width,
                    height,
                    size,
                });
            }
        }
    }

    fn notes(&mut self, slide: &str, spot: Spot) {
        let relationships = self.package.relationships(slide);
        let Some(part) = relationships.first("notesSlide").map(str::to_owned) else { return };
        let Some(text) = self.package.text(&part) else { return };
        let tree = Tree::parse(&text, self.package.limits().depth);
        let relationships = self.package.relationships(&part);
        let mut found = shape::Shapes::new(&mut self.package, &relationships, &[]);
        found.read(tree.root());
        let mut notes = Inline::default();
        for shape in found.shapes.into_iter().filter(|shape| shape.role != Role::Footer) {
            let Content::Text(paragraphs) = shape.content else { continue };
            for paragraph in paragraphs.into_iter().filter(|one| !one.inline.is_blank()) {
                if !notes.is_blank() {
                    notes.push("\n");
                }
                notes.append(&paragraph.inline);
            }
        }
        self.builder.push_inline(BlockKind::SpeakerNotes, spot, &notes);
    }

    /// Comments, of the old kind and of the one with replies.
    fn comments(&mut self, slide: &str, spot: Spot) {
        let relationships = self.package.relationships(slide);
        let parts: Vec<String> = relationships.all("comments").map(str::to_owned).collect();
        for part in parts {
            let Some(text) = self.package.text(&part) else { continue };
            let tree = Tree::parse(&text, self.package.limits().depth);
            for element in tree.root().descendants() {
                let said = match element.name() {
                    (Ns::Slides, "cm") => {
                        element.child(Ns::Slides, "text").map(|text| text.text().into_owned())
                    }
                    (Ns::Threads, "cm" | "reply") => element.child(Ns::Threads, "txBody").map(|body| {
                        let paragraphs = body.children().filter(|child| child.is(Ns::Drawing, "p"));
                        paragraphs.map(text::plain).collect::<Vec<_>>().join("\n")
                    }),
                    _ => None,
                };
                let Some(said) = said.filter(|said| !said.trim().is_empty()) else { continue };
                let author = element.attribute("authorId").and_then(|id| self.authors.get(id.as_ref()));
                let line = match author {
                    Some(author) => format!("{author}: {}", said.trim()),
                    None => said,
                };
                self.builder.push(BlockKind::Comment, spot, &line);
            }
        }
    }
}
