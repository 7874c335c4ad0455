//! What stands in a line: runs, fields, links, drawings.

use super::flow::{Paragraph, Picture};
use super::{Reader, note_mark, style};
use crate::document::code;
use crate::office::{self, alternative, diagram, is_on, math, symbol};
use crate::xml::{Element, Ns};

/// Fields within each other; what begins deeper is no field.
const FIELDS: usize = 64;

/// A field that has begun: its instruction first, then its result.
#[derive(Debug)]
pub(super) struct Field {
    instruction: String,
    /// Past the instruction: what follows is shown.
    pub result: bool,
    /// Where its result begins in the paragraph.
    pub start: usize,
}

impl Reader<'_> {
    /// Reads what stands in a paragraph, or in a part of one.
    pub(super) fn inlines<'t, 'a>(
        &mut self,
        parent: Element<'t, 'a>,
        out: &mut Paragraph,
        boxes: &mut Vec<Element<'t, 'a>>,
        hidden: bool,
    ) {
        for child in parent.children() {
            match child.name() {
                (Ns::Word, "r") => self.run(child, out, boxes, hidden),
                (Ns::Word, "hyperlink") => {
                    let start = out.inline.position();
                    self.inlines(child, out, boxes, hidden);
                    let id = child.attribute_of(Ns::Reference, "id");
                    let target = id.and_then(|id| self.relationships.get(&id));
                    if let Some(found) = target.filter(|found| found.external) {
                        let target = match child.attribute("anchor") {
                            Some(anchor) if !found.target.contains('#') => {
                                format!("{}#{anchor}", found.target)
                            }
                            _ => found.target.clone(),
                        };
                        out.inline.link(start, &target);
                    }
                }
                (Ns::Word, "fldSimple") => {
                    let start = out.inline.position();
                    self.inlines(child, out, boxes, hidden);
                    if let Some(target) = child.attribute("instr").and_then(|text| hyperlink(&text)) {
                        out.inline.link(start, &target);
                    }
                }
                (Ns::Word, "sdt") => {
                    if let Some(content) = child.child(Ns::Word, "sdtContent") {
                        self.inlines(content, out, boxes, hidden);
                    }
                }
                (Ns::Word, "ins" | "moveTo" | "smartTag" | "customXml" | "dir" | "bdo" | "sdtContent") => {
                    self.inlines(child, out, boxes, hidden);
                }
                (Ns::Math, "oMath" | "oMathPara") => out.inline.push(&math::linear(child)),
                (Ns::Compatibility, "AlternateContent") => {
                    if let Some(branch) = alternative(child) {
                        self.inlines(branch, out, boxes, hidden);
                    }
                }
                _ => {}
            }
        }
    }

    fn run<'t, 'a>(
        &mut self,
        run: Element<'t, 'a>,
        out: &mut Paragraph,
        boxes: &mut Vec<Element<'t, 'a>>,
        hidden: bool,
    ) {
        let properties = run.child(Ns::Word, "rPr");
        let (mut hidden, mut font) = (hidden, None);
        if let Some(properties) = properties {
            let of = |name: &str| properties.child(Ns::Word, name);
            let named = of("rStyle").and_then(|found| found.attribute("val"));
            if let Some(style) = named.and_then(|id| self.styles.find(&id)) {
                hidden |= style.hidden;
                font.clone_from(&style.font);
            }
            if let Some(vanish) = of("vanish") {
                hidden = is_on(vanish.attribute("val").as_deref());
            }
            font = style::font(properties).or(font);
        }
        self.pieces(run, out, boxes, hidden, font.as_deref());
    }

    fn pieces<'t, 'a>(
        &mut self,
        run: Element<'t, 'a>,
        out: &mut Paragraph,
        boxes: &mut Vec<Element<'t, 'a>>,
        hidden: bool,
        font: Option<&str>,
    ) {
        for piece in run.children() {
            match piece.name() {
                (Ns::Word, "fldChar") => self.field(piece, out),
                (Ns::Word, "instrText") => {
                    if let Some(field) = self.fields.last_mut().filter(|field| !field.result) {
                        field.instruction.push_str(&piece.text());
                    }
                }
                (Ns::Word, "rPr" | "delText" | "delInstrText" | "lastRenderedPageBreak") => {}
                _ if self.fields.iter().any(|field| !field.result) => {}
                _ if hidden => self.say_hidden(piece),
                (Ns::Word, "t") => {
                    let text = piece.text();
                    match symbol::translate(font, &text) {
                        Some(text) => out.inline.push(&text),
                        None => out.inline.push(&text),
                    }
                }
                (Ns::Word, "tab" | "ptab") => out.inline.push("\t"),
                (Ns::Word, "br" | "cr") => out.inline.push("\n"),
                (Ns::Word, "noBreakHyphen") => out.inline.push("-"),
                (Ns::Word, "sym") => {
                    let code = piece.attribute("char").and_then(|code| u32::from_str_radix(&code, 16).ok());
                    let font = piece.attribute("font").unwrap_or_default();
                    if let Some(character) = code.and_then(|code| symbol::character(&font, code)) {
                        out.inline.push(character.encode_utf8(&mut [0; 4]));
                    }
                }
                (Ns::Word, "footnoteReference" | "endnoteReference") => self.note(piece, out),
                (Ns::Word, "ruby") => self.ruby(piece, out, boxes),
                (Ns::Word, "drawing" | "pict" | "object") => self.drawing(piece, "", out, boxes),
                (Ns::Math, "oMath" | "oMathPara") => out.inline.push(&math::linear(piece)),
                (Ns::Compatibility, "AlternateContent") => {
                    if let Some(branch) = alternative(piece) {
                        self.pieces(branch, out, boxes, hidden, font);
                    }
                }
                _ => {}
            }
        }
    }

    fn say_hidden(&mut self, piece: Element<'_, '_>) {
        if piece.is(Ns::Word, "t") && !piece.text().trim().is_empty() {
            self.builder.warn(code::HIDDEN_LEFT_OUT, "");
        }
    }

    fn field(&mut self, element: Element<'_, '_>, out: &mut Paragraph) {
        let start = out.inline.position();
        match element.attribute("fldCharType").as_deref() {
            Some("begin") if self.fields.len() < FIELDS => {
                self.fields.push(Field { instruction: String::new(), result: false, start });
            }
            Some("separate") => {
                if let Some(field) = self.fields.last_mut() {
                    (field.result, field.start) = (true, start);
                }
            }
            Some("end") => {
                if let Some(field) = self.fields.pop()
                    && field.result
                    && let Some(target) = hyperlink(&field.instruction)
                {
                    out.inline.link(field.start, &target);
                }
            }
            _ => {}
        }
    }

    /// Links that go on in the next paragraph cover what they have of this one. An instruction without
    /// an end must not swallow the rest of the document.
    pub(super) fn end_of_paragraph(&mut self, out: &mut Paragraph) {
        for field in &mut self.fields {
            if !field.result {
                field.result = true;
            } else if let Some(target) = hyperlink(&field.instruction) {
                out.inline.link(field.start, &target);
            }
        }
    }

    fn note(&mut self, element: Element<'_, '_>, out: &mut Paragraph) {
        let Some(id) = element.attribute("id") else { return };
        let endnote = element.name().1 == "endnoteReference";
        let list = if endnote { &mut self.endnotes } else { &mut self.footnotes };
        let at = list.place(&id);
        out.inline.mark(&note_mark(endnote, at + 1));
    }

    /// The base with its reading in brackets behind it.
    fn ruby<'t, 'a>(
        &mut self,
        element: Element<'t, 'a>,
        out: &mut Paragraph,
        boxes: &mut Vec<Element<'t, 'a>>,
    ) {
        if let Some(base) = element.child(Ns::Word, "rubyBase") {
            self.inlines(base, out, boxes, false);
        }
        let mut reading = Paragraph::default();
        if let Some(above) = element.child(Ns::Word, "rt") {
            self.inlines(above, &mut reading, boxes, false);
        }
        if !reading.inline.is_blank() {
            out.inline.push(&format!("({})", reading.inline.shown().trim()));
        }
    }

    /// Pictures, text boxes, diagrams and charts in a drawing, old style or new.
    fn drawing<'t, 'a>(
        &mut self,
        parent: Element<'t, 'a>,
        alternative_text: &str,
        out: &mut Paragraph,
        boxes: &mut Vec<Element<'t, 'a>>,
    ) {
        let mut described = alternative_text.to_owned();
        for child in parent.children() {
            let picture = |reader: &Self, id: &str, said: String| {
                let part = child.attribute_of(Ns::Reference, id)?;
                let part = reader.relationships.part(&part)?.to_owned();
                Some(Picture { part, alternative: said })
            };
            match child.name() {
                (Ns::Word, "txbxContent") => boxes.push(child),
                (Ns::WordDrawing, "docPr") | (Ns::Picture | Ns::Shape, "cNvPr") => {
                    let text = child.attribute("descr").filter(|text| !text.trim().is_empty());
                    if let Some(text) = text.or_else(|| child.attribute("title")) {
                        described = text.trim().to_owned();
                    }
                }
                (Ns::Picture, "nvPicPr") => {
                    let named = child.child(Ns::Picture, "cNvPr").and_then(|found| found.attribute("descr"));
                    if let Some(text) = named.filter(|text| !text.trim().is_empty()) {
                        described = text.trim().to_owned();
                    }
                }
                (Ns::Drawing, "blip") => out.pictures.extend(picture(self, "embed", described.clone())),
                (Ns::Vml, "imagedata") => {
                    let said = child.attribute("title").map(|text| text.trim().to_owned());
                    let said = said.filter(|_| described.is_empty()).unwrap_or_else(|| described.clone());
                    out.pictures.extend(picture(self, "id", said));
                }
                (Ns::Vml, "textpath") => {
                    out.drawn.extend(child.attribute("string").map(|text| text.into_owned()));
                }
                (Ns::Diagram, "relIds") => {
                    let lines = diagram::diagram(&mut self.package, &self.relationships, child);
                    out.drawn.extend(lines);
                }
                (Ns::Chart, "chart") => {
                    let part = child.attribute_of(Ns::Reference, "id");
                    if let Some(part) = part.and_then(|id| self.relationships.part(&id)) {
                        out.drawn.extend(diagram::chart(&mut self.package, part));
                    }
                }
                (Ns::Compatibility, "AlternateContent") => {
                    if let Some(branch) = office::alternative(child) {
                        self.drawing(branch, &described, out, boxes);
                    }
                }
                (Ns::Vml, _) => {
                    let own = child.attribute("alt").filter(|text| !text.trim().is_empty());
                    let own = own.map_or_else(|| described.clone(), |text| text.trim().to_owned());
                    self.drawing(child, &own, out, boxes);
                }
                _ => self.drawing(child, &described, out, boxes),
            }
        }
    }
}

/// The address of a `HYPERLINK` instruction; `None` for other fields and for places in the document.
fn hyperlink(instruction: &str) -> Option<String> {
    let rest = instruction.trim_start();
    let (word, rest) = rest.split_at_checked("HYPERLINK".len())?;
    if !word.eq_ignore_ascii_case("HYPERLINK") {
        return None;
    }
    let mut address = None;
    let mut place = None;
    let mut switch = None;
    for token in tokens(rest) {
        match (switch.take(), token.as_str()) {
            (Some('l'), _) => place = Some(token),
            (Some('t' | 'o'), _) => {}
            (_, "\\l") => switch = Some('l'),
            (_, "\\t") => switch = Some('t'),
            (_, "\\o") => switch = Some('o'),
            (_, other) if other.starts_with('\\') => {}
            _ if address.is_none() => address = Some(token),
            _ => {}
        }
    }
    let address = address?;
    match place {
        Some(place) => Some(format!("{address}#{place}")),
        None => Some(address),
    }
}

/// Words of an instruction; quotes hold one together.
fn tokens(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if matches!(first, '"' | '“' | '”') {
            let body = &rest[first.len_utf8()..];
            let end = body.find(['"', '”']).unwrap_or(body.len());
            out.push(body[..end].replace("\\\\", "\\"));
            rest = body[end..].strip_prefix(['"', '”']).unwrap_or("");
        } else {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            out.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
        rest = rest.trim_start();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::hyperlink;

    #[test]
    fn instructions_name_where_they_lead() {
        for (instruction, expected) in [
            (r#" HYPERLINK "https://example.org/a b" \o "tip" "#, Some("https://example.org/a b")),
            (r#"hyperlink https://example.org \t _blank"#, Some("https://example.org")),
            (r#"HYPERLINK "notes.docx" \l "part2""#, Some("notes.docx#part2")),
            (r#"HYPERLINK \l "_Toc1""#, None),
            ("PAGEREF _Toc1", None),
            ("字段", None),
        ] {
            assert_eq!(hyperlink(instruction).as_deref(), expected, "{instruction}");
        }
    }
}
