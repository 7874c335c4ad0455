//! Paragraph and character styles: what of them tells how a text is read.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::office::is_on;
use crate::xml::{Element, Ns, Tree};

/// Styles may be based on each other; more than this is a circle.
const CHAIN: usize = 40;

/// Words that start the names of heading styles, as programs that translate them write them.
const HEADING_WORDS: &[&str] = &[
    "heading",
    "标题",
    "標題",
    "見出し",
    "제목",
    "überschrift",
    "titre",
    "título",
    "titulo",
    "titolo",
    "заголовок",
    "rubrik",
    "overskrift",
    "otsikko",
    "kop",
    "nagłówek",
    "nadpis",
    "címsor",
    "başlık",
    "titlu",
    "επικεφαλίδα",
    "naslov",
    "pealkiri",
    "virsraksts",
    "antraštė",
    "judul",
    "tiêu đề",
    "đầu đề",
    "หัวเรื่อง",
    "عنوان",
    "כותרת",
    "encabezado",
    "intestazione",
    "capçalera",
    "títol",
];

/// What a paragraph is by its style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Body,
    Title,
    /// 1 to 9.
    Heading(u8),
    Caption,
    Quote,
    Code,
}

/// A style with all that it takes over from those it is based on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Style {
    pub role: Role,
    /// The list that it numbers its paragraphs in, and the level where it says.
    pub number: Option<String>,
    pub level: Option<usize>,
    pub hidden: bool,
    pub font: Option<String>,
    /// The ids of this style and those below it, nearest first.
    pub chain: Vec<String>,
}

impl Default for Style {
    fn default() -> Self {
        Self { role: Role::Body, number: None, level: None, hidden: false, font: None, chain: Vec::new() }
    }
}

#[derive(Debug, Default)]
struct Raw {
    name: String,
    based_on: Option<String>,
    /// As written: 0 to 8 are headings, 9 is body text.
    outline: Option<u8>,
    number: Option<String>,
    level: Option<usize>,
    hidden: Option<bool>,
    font: Option<String>,
}

/// All styles of a document; each is put together when a paragraph first uses it.
#[derive(Debug, Default)]
pub(super) struct Styles {
    raw: HashMap<String, Raw>,
    /// The style of paragraphs that name none.
    usual: Option<String>,
    whole: RefCell<HashMap<String, Rc<Style>>>,
    none: Rc<Style>,
}

impl Styles {
    pub(super) fn read(text: &str, depth: usize) -> Self {
        let text = without_table_styles(text);
        let tree = Tree::parse(&text, depth);
        let mut styles = Self::default();
        for element in tree.root().children().filter(|child| child.is(Ns::Word, "style")) {
            let Some(id) = element.attribute("styleId") else { continue };
            let paragraph = element.attribute("type").is_none_or(|kind| kind == "paragraph");
            if paragraph && element.attribute("default").is_some_and(|value| is_on(Some(&value))) {
                styles.usual = Some(id.clone().into_owned());
            }
            styles.raw.insert(id.into_owned(), one(element));
        }
        styles
    }

    /// The style of a paragraph.
    pub(super) fn get(&self, id: Option<&str>) -> Rc<Style> {
        let named = id.and_then(|id| self.find(id));
        let usual = || self.usual.as_deref().and_then(|id| self.find(id));
        named.or_else(usual).unwrap_or_else(|| Rc::clone(&self.none))
    }

    /// A style by its id; nothing where there is none.
    pub(super) fn find(&self, id: &str) -> Option<Rc<Style>> {
        if !self.raw.contains_key(id) {
            return None;
        }
        let mut known = self.whole.borrow_mut();
        if let Some(style) = known.get(id) {
            return Some(Rc::clone(style));
        }
        let style = Rc::new(whole(id, &self.raw));
        known.insert(id.to_owned(), Rc::clone(&style));
        Some(style)
    }
}

/// Table styles are nine tenths of many files and tell nothing about how a text is read; parsing them
/// would take longer than all the rest.
fn without_table_styles(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find("<w:style ") else { return Cow::Borrowed(text) };
    let (head, mut rest) = text.split_at(first);
    let mut out = head.to_owned();
    const END: &str = "</w:style>";
    while rest.starts_with("<w:style ") {
        let Some(end) = rest.find(END) else { break };
        let (style, after) = rest.split_at(end + END.len());
        let tag = style.split('>').next().unwrap_or_default();
        if !tag.contains("w:type=\"table\"") {
            out.push_str(style);
        }
        rest = after.trim_start();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn one(element: Element<'_, '_>) -> Raw {
    let value = |element: Element<'_, '_>| element.attribute("val").map(|value| value.into_owned());
    let mut raw = Raw::default();
    for child in element.children() {
        match child.name() {
            (Ns::Word, "name") => raw.name = value(child).unwrap_or_default(),
            (Ns::Word, "basedOn") => raw.based_on = value(child),
            (Ns::Word, "pPr") => {
                raw.outline = child.child(Ns::Word, "outlineLvl").and_then(|found| found.number("val"));
                if let Some(list) = child.child(Ns::Word, "numPr") {
                    raw.number = list.child(Ns::Word, "numId").and_then(value);
                    raw.level = list.child(Ns::Word, "ilvl").and_then(|found| found.number("val"));
                }
            }
            (Ns::Word, "rPr") => {
                raw.hidden = child.child(Ns::Word, "vanish").map(|found| is_on(value(found).as_deref()));
                raw.font = font(child);
            }
            _ => {}
        }
    }
    raw
}

/// The font that run properties name.
pub(super) fn font(properties: Element<'_, '_>) -> Option<String> {
    let fonts = properties.child(Ns::Word, "rFonts")?;
    let name = fonts.attribute("ascii").or_else(|| fonts.attribute("hAnsi"))?;
    Some(name.into_owned())
}

fn whole(id: &str, raw: &HashMap<String, Raw>) -> Style {
    let mut style = Style::default();
    let mut role = None;
    let mut hidden = None;
    let mut outline = None;
    let mut at = Some(id);
    while let Some((id, found)) = at.and_then(|id| raw.get_key_value(id)) {
        if style.chain.len() == CHAIN || style.chain.contains(id) {
            break;
        }
        style.chain.push(id.clone());
        role =
            role.or_else(|| by_name(&found.name)).or_else(|| by_name(id).filter(|_| found.name.is_empty()));
        outline = outline.or(found.outline);
        hidden = hidden.or(found.hidden);
        if style.number.is_none() {
            style.number.clone_from(&found.number);
        }
        style.level = style.level.or(found.level);
        if style.font.is_none() {
            style.font.clone_from(&found.font);
        }
        at = found.based_on.as_deref();
    }
    style.hidden = hidden.unwrap_or(false);
    style.role = match (role, outline) {
        (Some(Role::Title), _) => Role::Title,
        (_, Some(level @ 0..=8)) => Role::Heading(level + 1),
        // Body text by its level, such as the heading above a table of contents.
        (Some(Role::Heading(_)), Some(_)) => Role::Body,
        (Some(role), _) => role,
        (None, _) => Role::Body,
    };
    style
}

/// What a style is by its name; names of built-in styles are English in Word's own files and
/// translated in those of other programs.
fn by_name(name: &str) -> Option<Role> {
    let name = name.trim().to_lowercase();
    // `Heading 1;h1` carries an alias.
    let name = name.split([',', ';']).next().unwrap_or_default().trim();
    match name {
        "title" | "标题" | "標題" | "表題" | "제목" | "titel" | "titre" | "título" | "titolo"
        | "заглавие" => {
            return Some(Role::Title);
        }
        "caption"
        | "题注"
        | "題注"
        | "標號"
        | "図表番号"
        | "캡션"
        | "beschriftung"
        | "légende"
        | "epígrafe"
        | "leyenda"
        | "didascalia"
        | "legenda"
        | "название объекта" => return Some(Role::Caption),
        "quote" | "intense quote" | "block text" | "引用" | "明显引用" | "zitat" | "citation" | "cita"
        | "citazione" => return Some(Role::Quote),
        "html preformatted" | "source code" | "preformatted text" | "macro text" | "code" | "代码"
        | "plain text code" => {
            return Some(Role::Code);
        }
        _ => {}
    }
    HEADING_WORDS.iter().find_map(|word| {
        let rest = name.strip_prefix(word)?.trim();
        let level: u8 = rest.parse().ok().or_else(|| chinese_digit(rest))?;
        (1..=9).contains(&level).then_some(Role::Heading(level))
    })
}

fn chinese_digit(text: &str) -> Option<u8> {
    let mut characters = text.chars();
    let only = characters.next().filter(|_| characters.as_str().is_empty())?;
    "一二三四五六七八九".chars().position(|digit| digit == only).map(|at| at as u8 + 1)
}

#[cfg(test)]
mod tests {
    use super::{Role, by_name};

    #[test]
    fn headings_are_known_by_name_in_many_languages() {
        for (name, expected) in [
            ("heading 3", Some(Role::Heading(3))),
            ("Heading 1,h1", Some(Role::Heading(1))),
            ("标题 2", Some(Role::Heading(2))),
            ("标题一", Some(Role::Heading(1))),
            ("Überschrift 4", Some(Role::Heading(4))),
            ("Título 1", Some(Role::Heading(1))),
            ("Title", Some(Role::Title)),
            ("heading 12", None),
            ("Headings", None),
            ("Body Text", None),
        ] {
            assert_eq!(by_name(name), expected, "{name}");
        }
    }
}
