//! Paragraphs one behind the other: which block each is, and what belongs to it.

use orangery_domain::{BlockKind, DocumentPicture, Spot};

use super::Reader;
use super::style::Role;
use crate::document::{Inline, code};
use crate::office;
use crate::xml::{Element, Ns};

/// A paragraph as it is read, with what is anchored in it.
#[derive(Debug, Clone, Default)]
pub(super) struct Paragraph {
    pub inline: Inline,
    pub label: Option<Inline>,
    pub kind: Option<BlockKind>,
    pub is_title: bool,
    /// Nothing but one formula.
    pub formula: bool,
    pub pictures: Vec<Picture>,
    /// Text of boxes, diagrams and charts that are not written as paragraphs.
    pub drawn: Vec<String>,
}

#[derive(Debug, Clone)]
pub(super) struct Picture {
    pub part: String,
    pub alternative: String,
}

impl Reader<'_> {
    /// Adds what `container` holds, block by block.
    pub(super) fn flow(&mut self, container: Element<'_, '_>) {
        for child in container.children() {
            if self.builder.is_full() {
                return;
            }
            match child.name() {
                (Ns::Word, "p") => self.paragraph_blocks(child),
                (Ns::Word, "tbl") => {
                    self.end_carry();
                    self.table_blocks(child);
                }
                (Ns::Word, "sdt") => {
                    if let Some(content) = child.child(Ns::Word, "sdtContent") {
                        self.flow(content);
                    }
                }
                (Ns::Word, "sdtContent" | "customXml" | "smartTag" | "ins" | "moveTo") => self.flow(child),
                (Ns::Word, "sectPr") => self.section(child),
                (Ns::Word, "altChunk") => self.chunk(child),
                (Ns::Compatibility, "AlternateContent") => {
                    if let Some(branch) = office::alternative(child) {
                        self.flow(branch);
                    }
                }
                (Ns::Math, "oMath" | "oMathPara") => {
                    let formula = office::math::linear(child);
                    self.builder.push(BlockKind::Math, Spot::Flow, &formula);
                }
                _ => {}
            }
        }
    }

    fn paragraph_blocks(&mut self, element: Element<'_, '_>) {
        let mut boxes = Vec::new();
        let mut paragraph = self.paragraph(element, &mut boxes);
        if let Some(before) = self.carry.take() {
            paragraph = joined(before, paragraph);
        }
        let properties = element.child(Ns::Word, "pPr");
        let mark = properties.and_then(|found| found.child(Ns::Word, "rPr"));
        let deleted = mark.is_some_and(|mark| {
            mark.children().any(|child| matches!(child.name(), (Ns::Word, "del" | "moveFrom")))
        });
        if deleted && boxes.is_empty() {
            self.carry = Some(paragraph);
        } else {
            self.emit(paragraph);
        }
        for content in boxes {
            self.flow(content);
        }
        if let Some(section) = properties.and_then(|found| found.child(Ns::Word, "sectPr")) {
            self.section(section);
        }
    }

    /// A paragraph whose mark was deleted stands alone when no other follows.
    pub(super) fn end_carry(&mut self) {
        if let Some(paragraph) = self.carry.take() {
            self.emit(paragraph);
        }
    }

    fn emit(&mut self, paragraph: Paragraph) {
        let kind = match paragraph.kind {
            _ if paragraph.formula => BlockKind::Math,
            Some(kind) => kind,
            None => BlockKind::Paragraph,
        };
        let blank = paragraph.inline.is_blank();
        if !blank {
            let labelled = match paragraph.label {
                Some(mut label) => {
                    label.append(&super::trimmed(&paragraph.inline));
                    label
                }
                None => paragraph.inline,
            };
            let pushed = self.builder.push_inline(kind, Spot::Flow, &labelled);
            if pushed.is_some() && paragraph.is_title && self.title.is_none() {
                self.title = Some(labelled.words().trim().replace('\n', " "));
            }
            self.caption(kind, labelled.words());
        }
        for picture in paragraph.pictures {
            self.picture(picture);
        }
        for line in paragraph.drawn {
            self.builder.push(BlockKind::Paragraph, Spot::Flow, &line);
        }
    }

    /// The first text below pictures is theirs when it is a caption.
    pub(super) fn caption(&mut self, kind: BlockKind, text: &str) {
        let waiting = std::mem::take(&mut self.uncaptioned);
        if kind == BlockKind::Caption {
            for at in waiting {
                if let Some(picture) = self.builder.document().pictures.get_mut(at) {
                    picture.caption = text.trim().to_owned();
                }
            }
        }
    }

    pub(super) fn picture(&mut self, picture: Picture) {
        let (width, height, size) = office::measure(&mut self.package, &picture.part);
        let block = self.builder.blocks();
        let pictures = &mut self.builder.document().pictures;
        self.uncaptioned.push(pictures.len());
        pictures.push(DocumentPicture {
            id: picture.part,
            caption: picture.alternative,
            block,
            spot: Spot::Flow,
            width,
            height,
            size,
        });
    }

    /// Reads one paragraph. Text boxes that are anchored in it are put into `boxes`.
    pub(super) fn paragraph<'t, 'a>(
        &mut self,
        element: Element<'t, 'a>,
        boxes: &mut Vec<Element<'t, 'a>>,
    ) -> Paragraph {
        let mut paragraph = Paragraph::default();
        let properties = element.child(Ns::Word, "pPr");
        let style = properties.and_then(|found| found.child(Ns::Word, "pStyle")?.attribute("val"));
        let style = self.styles.get(style.as_deref());
        let outline = properties.and_then(|found| found.child(Ns::Word, "outlineLvl")?.number::<u8>("val"));
        let role = match outline {
            Some(level @ 0..=8) => Role::Heading(level + 1),
            Some(_) if matches!(style.role, Role::Heading(_)) => Role::Body,
            _ => style.role,
        };
        paragraph.kind = match role {
            Role::Body => None,
            Role::Title => Some(BlockKind::Heading { level: 1 }),
            Role::Heading(level) => Some(BlockKind::Heading { level: level.min(6) }),
            Role::Caption => Some(BlockKind::Caption),
            Role::Quote => Some(BlockKind::Quote),
            Role::Code => Some(BlockKind::Code),
        };
        paragraph.is_title = role == Role::Title;
        self.label(&mut paragraph, properties, &style);
        let start = paragraph.inline.position();
        for field in &mut self.fields {
            // A link that goes on from the paragraph before begins anew.
            field.start = start;
        }
        self.inlines(element, &mut paragraph, boxes, style.hidden);
        self.end_of_paragraph(&mut paragraph);
        let only = |child: Element<'_, '_>| {
            matches!(child.name(), (Ns::Math, _) | (Ns::Word, "pPr" | "bookmarkStart" | "bookmarkEnd"))
        };
        paragraph.formula = paragraph.kind.is_none()
            && element.children().any(|child| child.ns() == Ns::Math)
            && element.children().all(only);
        paragraph
    }

    /// Counts the paragraph in its list, and writes its number.
    fn label(
        &mut self,
        paragraph: &mut Paragraph,
        properties: Option<Element<'_, '_>>,
        style: &super::style::Style,
    ) {
        let list = properties.and_then(|found| found.child(Ns::Word, "numPr"));
        let direct = list.and_then(|list| list.child(Ns::Word, "numId")?.attribute("val"));
        let level = list.and_then(|list| list.child(Ns::Word, "ilvl")?.number::<usize>("val"));
        let id = match &direct {
            Some(id) => Some(id.as_ref()),
            None => style.number.as_deref(),
        };
        let Some(id) = id.filter(|id| *id != "0") else { return };
        let own = || self.numbering.level_of_style(id, &style.chain).or(style.level);
        let level = level.or_else(own).unwrap_or(0);
        let Some(label) = self.numbering.next(id, level) else { return };
        let mut inline = Inline::default();
        if label.bare {
            inline.mark(&label.text)
        } else {
            inline.push(&label.text)
        }
        paragraph.label = Some(inline);
        paragraph.kind = paragraph.kind.or(Some(BlockKind::ListItem));
    }

    /// The text of `container` as one piece, its paragraphs apart by `separator`: a cell, a note.
    pub(super) fn gather(&mut self, container: Element<'_, '_>, separator: &str) -> Inline {
        let mut out = Inline::default();
        self.gather_into(container, separator, &mut out);
        out
    }

    fn gather_into(&mut self, container: Element<'_, '_>, separator: &str, out: &mut Inline) {
        let mut glued = false;
        for child in container.children() {
            match child.name() {
                (Ns::Word, "p") => {
                    let mut boxes = Vec::new();
                    let paragraph = self.paragraph(child, &mut boxes);
                    if !paragraph.inline.is_blank() {
                        if !out.is_blank() && !glued {
                            out.push(separator);
                        }
                        if let Some(label) = paragraph.label.filter(|_| !glued) {
                            out.append(&label);
                        }
                        out.append(&paragraph.inline);
                    }
                    for line in paragraph.drawn {
                        out.push(separator);
                        out.push(&line);
                    }
                    for picture in paragraph.pictures {
                        self.picture(picture);
                    }
                    for content in boxes {
                        let text = self.gather(content, separator);
                        if !text.is_blank() {
                            out.push(separator);
                            out.append(&text);
                        }
                    }
                    let mark = child.child(Ns::Word, "pPr").and_then(|found| found.child(Ns::Word, "rPr"));
                    glued = mark.is_some_and(|mark| {
                        mark.children().any(|one| matches!(one.name(), (Ns::Word, "del" | "moveFrom")))
                    });
                }
                (Ns::Word, "tbl") => {
                    for row in self.rows(child) {
                        for cell in row {
                            let text = self.gather(cell, separator);
                            if !text.is_blank() {
                                if !out.is_blank() {
                                    out.push(separator);
                                }
                                out.append(&text);
                            }
                        }
                    }
                }
                (Ns::Word, "sdt") => {
                    if let Some(content) = child.child(Ns::Word, "sdtContent") {
                        self.gather_into(content, separator, out);
                    }
                }
                (Ns::Word, "sdtContent" | "customXml" | "smartTag" | "ins" | "moveTo") => {
                    self.gather_into(child, separator, out);
                }
                (Ns::Compatibility, "AlternateContent") => {
                    if let Some(branch) = office::alternative(child) {
                        self.gather_into(branch, separator, out);
                    }
                }
                (Ns::Math, "oMath" | "oMathPara") => out.push(&office::math::linear(child)),
                _ => {}
            }
        }
    }

    /// Notes the headers and footers of a section.
    fn section(&mut self, element: Element<'_, '_>) {
        for child in element.children() {
            let is_header = child.is(Ns::Word, "headerReference");
            if !is_header && !child.is(Ns::Word, "footerReference") {
                continue;
            }
            let part = child.attribute_of(Ns::Reference, "id");
            if let Some(part) = part.and_then(|id| self.relationships.part(&id)) {
                let list = if is_header { &mut self.headers } else { &mut self.footers };
                list.place(part);
            }
        }
    }

    /// Another document that this one embeds whole, as programs do that write web pages as Word files.
    fn chunk(&mut self, element: Element<'_, '_>) {
        let part = element.attribute_of(Ns::Reference, "id");
        let Some(part) = part.and_then(|id| self.relationships.part(&id).map(str::to_owned)) else { return };
        let extension = part.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        if !matches!(extension.as_str(), "htm" | "html" | "xhtml") {
            self.builder.warn(code::PARTS_LEFT_OUT, "");
            return;
        }
        if let Some(bytes) = self.package.part(&part) {
            self.end_carry();
            crate::html::add(&mut self.builder, &bytes, Spot::Flow);
        }
    }
}

/// Two paragraphs of which the first lost its end: the first keeps what it is, unless it is empty.
fn joined(before: Paragraph, after: Paragraph) -> Paragraph {
    let mut whole = before;
    if whole.inline.is_blank() {
        whole.label = after.label;
        whole.kind = after.kind;
        whole.is_title = after.is_title;
        whole.formula = after.formula;
    }
    whole.inline.append(&after.inline);
    whole.pictures.extend(after.pictures);
    whole.drawn.extend(after.drawn);
    whole
}
