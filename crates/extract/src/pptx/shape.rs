//! What lies on a slide, and where.

use std::collections::HashMap;

use super::order::Rect;
use super::text::{self, Paragraph};
use crate::document::Inline;
use crate::office::{self, alternative, diagram};
use crate::package::{Package, Relationships};
use crate::xml::{Element, Ns, Tree};

/// Shapes of one slide; a thousand times what anybody draws.
const SHAPES: usize = 100_000;

/// A shape with content.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub role: Role,
    /// On the slide, in its units.
    pub area: Rect,
    pub content: Content,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Title,
    Other,
    /// Repeated below the slides.
    Footer,
}

#[derive(Debug, Clone)]
pub(super) enum Content {
    Text(Vec<Paragraph>),
    Table(Inline),
    Lines(Vec<String>),
    Picture { part: String, said: String },
}

/// What a layout or a master gives the slides that use it.
#[derive(Debug, Default)]
pub(super) struct Places {
    by_index: HashMap<String, Rect>,
    by_kind: HashMap<String, Rect>,
    /// Its own text, which no slide can change.
    pub text: Vec<Inline>,
}

impl Places {
    pub(super) fn read(package: &mut Package<'_>, part: &str) -> Self {
        let mut places = Self::default();
        let depth = package.limits().depth;
        let Some(text) = package.text(part) else { return places };
        let tree = Tree::parse(&text, depth);
        let relationships = package.relationships(part);
        for shape in tree.root().descendants().filter(|element| element.is(Ns::Slides, "sp")) {
            let Some(placeholder) = placeholder(shape) else {
                let body = shape.child(Ns::Slides, "txBody");
                let paragraphs = body.map(|body| text::paragraphs(body, &relationships, false));
                places.text.extend(paragraphs.unwrap_or_default().into_iter().map(|one| one.inline));
                continue;
            };
            let Some(area) = frame(shape) else { continue };
            if let Some(index) = placeholder.index {
                places.by_index.insert(index, area);
            }
            places.by_kind.entry(placeholder.kind).or_insert(area);
        }
        places
    }

    fn find(&self, placeholder: &Placeholder) -> Option<Rect> {
        let index = placeholder.index.as_ref().and_then(|index| self.by_index.get(index));
        let kind = || match placeholder.kind.as_str() {
            "ctrTitle" => self.by_kind.get("ctrTitle").or_else(|| self.by_kind.get("title")),
            "subTitle" => self.by_kind.get("subTitle").or_else(|| self.by_kind.get("body")),
            "obj" => self.by_kind.get("obj").or_else(|| self.by_kind.get("body")),
            kind => self.by_kind.get(kind),
        };
        index.or_else(kind).copied()
    }
}

struct Placeholder {
    kind: String,
    index: Option<String>,
}

fn placeholder(shape: Element<'_, '_>) -> Option<Placeholder> {
    let own = shape.children().find(|child| child.ns() == Ns::Slides && child.name().1.starts_with("nv"))?;
    let found = own.child(Ns::Slides, "nvPr")?.child(Ns::Slides, "ph")?;
    let kind = found.attribute("type").map_or_else(|| "obj".to_owned(), |kind| kind.into_owned());
    Some(Placeholder { kind, index: found.attribute("idx").map(|index| index.into_owned()) })
}

/// Where a shape says that it lies.
fn frame(shape: Element<'_, '_>) -> Option<Rect> {
    let properties = shape.children().find(|child| matches!(child.name(), (Ns::Slides, "spPr" | "grpSpPr")));
    let moved = match properties {
        Some(properties) => properties.child(Ns::Drawing, "xfrm")?,
        None => shape.child(Ns::Slides, "xfrm")?,
    };
    rect(moved, "off", "ext")
}

fn rect(moved: Element<'_, '_>, offset: &str, extent: &str) -> Option<Rect> {
    let offset = moved.child(Ns::Drawing, offset)?;
    let extent = moved.child(Ns::Drawing, extent)?;
    let (left, top): (f64, f64) = (offset.number("x")?, offset.number("y")?);
    let (width, height): (f64, f64) = (extent.number("cx")?, extent.number("cy")?);
    let sound = [left, top, width, height].iter().all(|value| value.is_finite());
    sound.then_some(Rect { left, top, right: left + width, bottom: top + height })
}

/// How a group's inside lies on the slide.
#[derive(Debug, Clone, Copy)]
struct Transform {
    scale: (f64, f64),
    offset: (f64, f64),
}

impl Transform {
    const NONE: Self = Self { scale: (1.0, 1.0), offset: (0.0, 0.0) };

    fn apply(self, rect: Rect) -> Rect {
        let x = |value: f64| value * self.scale.0 + self.offset.0;
        let y = |value: f64| value * self.scale.1 + self.offset.1;
        Rect { left: x(rect.left), top: y(rect.top), right: x(rect.right), bottom: y(rect.bottom) }
    }

    /// The transform within a group that lies in this one.
    fn within(self, group: Element<'_, '_>) -> Self {
        let moved = group.child(Ns::Slides, "grpSpPr").and_then(|found| found.child(Ns::Drawing, "xfrm"));
        let rects =
            moved.and_then(|moved| Some((rect(moved, "off", "ext")?, rect(moved, "chOff", "chExt")?)));
        let Some((outer, inner)) = rects else { return self };
        let ratio = |outer: f64, inner: f64| if inner.abs() > 0.0 { outer / inner } else { 1.0 };
        let scale = (
            ratio(outer.right - outer.left, inner.right - inner.left),
            ratio(outer.bottom - outer.top, inner.bottom - inner.top),
        );
        let offset = (outer.left - inner.left * scale.0, outer.top - inner.top * scale.1);
        Self {
            scale: (self.scale.0 * scale.0, self.scale.1 * scale.1),
            offset: (self.scale.0 * offset.0 + self.offset.0, self.scale.1 * offset.1 + self.offset.1),
        }
    }
}

/// Collects the shapes of one slide.
pub(super) struct Shapes<'s, 'p> {
    package: &'s mut Package<'p>,
    relationships: &'s Relationships,
    /// The layout's places, then the master's.
    inherited: &'s [&'s Places],
    pub shapes: Vec<Shape>,
    /// Whether a shape with text is hidden.
    pub hid: bool,
    /// Whether there are more shapes than are read.
    pub cut: bool,
}

impl<'s, 'p> Shapes<'s, 'p> {
    pub(super) fn new(
        package: &'s mut Package<'p>,
        relationships: &'s Relationships,
        inherited: &'s [&'s Places],
    ) -> Self {
        Self { package, relationships, inherited, shapes: Vec::new(), hid: false, cut: false }
    }

    /// Reads the shapes of a slide, or of a page of notes.
    pub(super) fn read(&mut self, root: Element<'_, '_>) {
        let common = root.child(Ns::Slides, "cSld").unwrap_or(root);
        if let Some(tree) = common.child(Ns::Slides, "spTree") {
            self.children(tree, Transform::NONE);
        }
    }

    fn children(&mut self, parent: Element<'_, '_>, transform: Transform) {
        for child in parent.children() {
            if self.shapes.len() >= SHAPES {
                self.cut = true;
                return;
            }
            match child.name() {
                (Ns::Slides, "sp" | "graphicFrame" | "pic") => self.shape(child, transform),
                (Ns::Slides, "grpSp") => self.children(child, transform.within(child)),
                (Ns::Compatibility, "AlternateContent") => {
                    if let Some(branch) = alternative(child) {
                        self.children(branch, transform);
                    }
                }
                _ => {}
            }
        }
    }

    fn shape(&mut self, element: Element<'_, '_>, transform: Transform) {
        let placeholder = placeholder(element);
        let kind = placeholder.as_ref().map(|found| found.kind.as_str()).unwrap_or_default();
        let role = match kind {
            "title" | "ctrTitle" => Role::Title,
            "ftr" | "hdr" => Role::Footer,
            // What these show is the page's number, today's date, the slide in small.
            "sldNum" | "dt" | "sldImg" => return,
            _ => Role::Other,
        };
        let inherited = placeholder.as_ref();
        let inherited = inherited.and_then(|own| self.inherited.iter().find_map(|places| places.find(own)));
        let area = frame(element).map(|area| transform.apply(area)).or(inherited).unwrap_or_default();
        let own = element.children().find(|child| child.name().1.starts_with("nv"));
        let named = own.and_then(|own| own.child(Ns::Slides, "cNvPr"));
        if let Some(hidden) = named.and_then(|named| named.attribute("hidden"))
            && office::is_on(Some(&hidden))
        {
            self.hid = true;
            return;
        }
        let said = named.and_then(|named| named.attribute("descr")).unwrap_or_default().trim().to_owned();
        let mut add = |content| self.shapes.push(Shape { role, area, content });
        if let Some(body) = element.child(Ns::Slides, "txBody") {
            let outline = matches!(kind, "body" | "obj");
            let paragraphs = text::paragraphs(body, self.relationships, outline);
            if !paragraphs.is_empty() {
                add(Content::Text(paragraphs));
            }
            return;
        }
        if element.is(Ns::Slides, "pic") {
            let blip =
                element.find(Ns::Drawing, "blip").and_then(|blip| blip.attribute_of(Ns::Reference, "embed"));
            if let Some(part) = blip.and_then(|id| self.relationships.part(&id)) {
                add(Content::Picture { part: part.to_owned(), said });
            }
            return;
        }
        for found in element.descendants() {
            match found.name() {
                (Ns::Drawing, "tbl") => {
                    let table = text::table(found, self.relationships);
                    if !table.is_blank() {
                        add(Content::Table(table));
                    }
                    return;
                }
                (Ns::Diagram, "relIds") => {
                    let lines = diagram::diagram(self.package, self.relationships, found);
                    add(Content::Lines(lines));
                    return;
                }
                (Ns::Chart, "chart") => {
                    let part = found.attribute_of(Ns::Reference, "id");
                    if let Some(part) = part.and_then(|id| self.relationships.part(&id)) {
                        let lines = diagram::chart(self.package, part);
                        add(Content::Lines(lines));
                    }
                    return;
                }
                (Ns::Drawing, "blip") => {
                    let part = found.attribute_of(Ns::Reference, "embed");
                    if let Some(part) = part.and_then(|id| self.relationships.part(&id)) {
                        add(Content::Picture { part: part.to_owned(), said });
                    }
                    return;
                }
                _ => {}
            }
        }
    }
}
