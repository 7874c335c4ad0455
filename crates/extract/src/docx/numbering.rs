//! The numbers of lists, computed as Word does: it stores none.

use std::collections::{HashMap, HashSet};

use crate::office::{number, symbol};
use crate::xml::{Element, Ns};

const LEVELS: usize = 9;

#[derive(Debug, Clone)]
struct Level {
    start: i64,
    format: String,
    /// `%1.%2`; `None` where it is not given.
    text: String,
    /// Only a level at or above this one (from 1) makes it start again; 0 never does.
    restart: Option<usize>,
    /// All numbers in plain digits, whatever the other levels use.
    legal: bool,
    suffix: bool,
    style: Option<String>,
    font: Option<String>,
}

impl Default for Level {
    fn default() -> Self {
        Self {
            start: 0,
            format: "decimal".into(),
            text: String::new(),
            restart: None,
            legal: false,
            suffix: true,
            style: None,
            font: None,
        }
    }
}

#[derive(Debug, Default)]
struct Abstract {
    levels: Vec<Level>,
    /// It is the list of this list style; another one holds the levels.
    style_link: Option<String>,
}

#[derive(Debug, Default)]
struct Instance {
    base: String,
    starts: HashMap<usize, i64>,
    levels: HashMap<usize, Level>,
}

/// All lists of a document and how far they have counted.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    abstracts: HashMap<String, Abstract>,
    /// The list behind each list style.
    by_style: HashMap<String, String>,
    instances: HashMap<String, Instance>,
    counters: HashMap<String, [Option<i64>; LEVELS]>,
    started: HashSet<(String, usize)>,
}

/// What stands before a list item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Label {
    /// With the blank behind it.
    pub text: String,
    /// Only a bullet or a bare number: it guides the eye and is no word of the text.
    pub bare: bool,
}

impl Numbering {
    pub(super) fn read(root: Element<'_, '_>) -> Self {
        let mut numbering = Self::default();
        for element in root.children() {
            match element.name() {
                (Ns::Word, "abstractNum") => {
                    let Some(id) = element.attribute("abstractNumId") else { continue };
                    let mut list = Abstract::default();
                    for child in element.children() {
                        match child.name() {
                            (Ns::Word, "lvl") => {
                                let (at, level) = level(child);
                                if at < LEVELS {
                                    list.levels.resize(list.levels.len().max(at + 1), Level::default());
                                    list.levels[at] = level;
                                }
                            }
                            (Ns::Word, "numStyleLink") => list.style_link = value(child),
                            (Ns::Word, "styleLink") => {
                                if let Some(style) = value(child) {
                                    numbering.by_style.insert(style, id.clone().into_owned());
                                }
                            }
                            _ => {}
                        }
                    }
                    numbering.abstracts.insert(id.into_owned(), list);
                }
                (Ns::Word, "num") => {
                    let (Some(id), Some(base)) = (
                        element.attribute("numId"),
                        element.child(Ns::Word, "abstractNumId").and_then(value),
                    ) else {
                        continue;
                    };
                    let mut instance = Instance { base, ..Instance::default() };
                    for change in element.children().filter(|child| child.is(Ns::Word, "lvlOverride")) {
                        let Some(at) = change.number::<usize>("ilvl").filter(|at| *at < LEVELS) else {
                            continue;
                        };
                        if let Some(start) = change.child(Ns::Word, "startOverride") {
                            instance.starts.insert(at, start.number("val").unwrap_or(1));
                        }
                        if let Some(element) = change.child(Ns::Word, "lvl") {
                            instance.levels.insert(at, level(element).1);
                        }
                    }
                    numbering.instances.insert(id.into_owned(), instance);
                }
                _ => {}
            }
        }
        numbering
    }

    /// The levels behind a list, over the list style that it may take them from.
    fn base(&self, id: &str) -> Option<&str> {
        let mut id = self.instances.get(id)?.base.as_str();
        for _ in 0..4 {
            let (key, found) = self.abstracts.get_key_value(id)?;
            match found.style_link.as_ref().and_then(|style| self.by_style.get(style)) {
                Some(next) if next != key => id = next,
                _ => return Some(key),
            }
        }
        Some(id)
    }

    /// The level of a list that a style claims for its paragraphs.
    pub(super) fn level_of_style(&self, id: &str, chain: &[String]) -> Option<usize> {
        let levels = &self.abstracts.get(self.base(id)?)?.levels;
        chain.iter().find_map(|style| levels.iter().position(|level| level.style.as_ref() == Some(style)))
    }

    /// Counts one paragraph of list `id` at `level` and returns its label; `None` for no list.
    pub(super) fn next(&mut self, id: &str, level: usize) -> Option<Label> {
        let at = level.min(LEVELS - 1);
        let base = self.base(id)?.to_owned();
        let instance = self.instances.get(id)?;
        let missing = Level::default();
        let defined = &self.abstracts.get(&base)?.levels;
        let levels: [&Level; LEVELS] = std::array::from_fn(|at| {
            instance.levels.get(&at).or_else(|| defined.get(at)).unwrap_or(&missing)
        });
        let counters = self.counters.entry(base).or_default();
        let fresh = self.started.insert((id.to_owned(), at));
        let value = match (instance.starts.get(&at), counters[at]) {
            (Some(start), _) if fresh => *start,
            (_, Some(before)) => before.saturating_add(1),
            (start, None) => start.copied().unwrap_or(levels[at].start),
        };
        counters[at] = Some(value);
        for deeper in at + 1..LEVELS {
            if levels[deeper].restart.is_none_or(|level| level > at) {
                counters[deeper] = None;
            }
        }
        let own = levels[at];
        if own.format == "bullet" {
            let sign = bullet(&own.text, own.font.as_deref());
            return (!sign.is_empty()).then(|| Label { text: format!("{sign} "), bare: true });
        }
        let mut text = String::new();
        let mut characters = own.text.chars().peekable();
        while let Some(c) = characters.next() {
            let digit =
                characters.peek().and_then(|next| next.to_digit(10)).filter(|digit| (1..=9).contains(digit));
            match (c, digit) {
                ('%', Some(digit)) => {
                    characters.next();
                    let of = digit as usize - 1;
                    let count = counters[of].unwrap_or(levels[of].start);
                    let format = if own.legal { "decimal" } else { levels[of].format.as_str() };
                    text.push_str(&number::format(format, count));
                }
                _ => text.push(c),
            }
        }
        let text = symbol::translate(own.font.as_deref(), &text).unwrap_or(text);
        if text.trim().is_empty() {
            return None;
        }
        let bare = is_bare(&text);
        let gap = if own.suffix && !text.ends_with(char::is_whitespace) { " " } else { "" };
        Some(Label { text: text + gap, bare })
    }
}

fn value(element: Element<'_, '_>) -> Option<String> {
    element.attribute("val").map(|value| value.into_owned())
}

fn level(element: Element<'_, '_>) -> (usize, Level) {
    let mut level = Level::default();
    for child in element.children() {
        match child.name() {
            (Ns::Word, "start") => level.start = child.number("val").unwrap_or(0),
            (Ns::Word, "numFmt") => level.format = value(child).unwrap_or_default(),
            (Ns::Word, "lvlText") => level.text = value(child).unwrap_or_default(),
            (Ns::Word, "lvlRestart") => level.restart = child.number("val"),
            (Ns::Word, "isLgl") => level.legal = crate::office::is_on(value(child).as_deref()),
            (Ns::Word, "suff") => level.suffix = value(child).is_none_or(|suffix| suffix != "nothing"),
            (Ns::Word, "pStyle") => level.style = value(child),
            (Ns::Word, "rPr") => level.font = super::style::font(child),
            // Newer formats stand in an alternative; the plain one is in its fallback.
            (Ns::Compatibility, "AlternateContent") => {
                let plain = child.child(Ns::Compatibility, "Fallback");
                if let Some(format) = plain.and_then(|found| found.child(Ns::Word, "numFmt")) {
                    level.format = value(format).unwrap_or_default();
                }
            }
            _ => {}
        }
    }
    (element.number("ilvl").unwrap_or(0), level)
}

fn bullet(text: &str, font: Option<&str>) -> String {
    let text = symbol::translate(font, text).unwrap_or_else(|| text.to_owned());
    let text = text.trim();
    match text {
        // The letter o of a typewriter font is drawn as a ring.
        "o" => "◦".into(),
        "" | "·" => "•".into(),
        _ if text.chars().any(|c| ('\u{e000}'..='\u{f8ff}').contains(&c)) => "•".into(),
        _ => text.into(),
    }
}

/// One number or letter with the punctuation around it. `1.2`, `第三条` and `Article II` are more: people
/// quote and look for them.
fn is_bare(label: &str) -> bool {
    let core = label.trim().trim_matches(|c: char| !c.is_alphanumeric());
    let count = core.chars().count();
    let one_kind = |test: fn(char) -> bool| core.chars().all(test);
    let han = |c: char| "零〇一二三四五六七八九十百千壹贰叁肆伍陆柒捌玖拾甲乙丙丁戊己庚辛壬癸".contains(c);
    one_kind(|c| c.is_ascii_digit())
        || count <= 5 && one_kind(|c| "ivxlcmIVXLCM".contains(c))
        || core.chars().all(han)
        || count == 1
        || count <= 3 && core.chars().all(|c| c.is_ascii_alphabetic() && core.starts_with(c))
}
