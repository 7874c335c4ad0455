//! Paragraphs of DrawingML.

use crate::document::Inline;
use crate::office::{alternative, math, number};
use crate::package::Relationships;
use crate::xml::{Element, Ns};

/// A paragraph on a slide.
#[derive(Debug, Clone, Default)]
pub(crate) struct Paragraph {
    pub inline: Inline,
    pub is_item: bool,
}

/// The text of one paragraph, nothing but that.
pub(crate) fn plain(paragraph: Element<'_, '_>) -> String {
    let mut inline = Inline::default();
    pieces(paragraph, None, &mut inline);
    inline.shown().to_owned()
}

/// The paragraphs of a text body. In an outline body, what says nothing else is a list item.
pub(crate) fn paragraphs(
    body: Element<'_, '_>,
    relationships: &Relationships,
    is_outline: bool,
) -> Vec<Paragraph> {
    let mut counters: Vec<(String, i64)> = Vec::new();
    let mut out = Vec::new();
    for element in body.children().filter(|child| child.is(Ns::Drawing, "p")) {
        let mut inline = Inline::default();
        pieces(element, Some(relationships), &mut inline);
        let properties = element.child(Ns::Drawing, "pPr");
        let level = properties.and_then(|found| found.number::<usize>("lvl")).unwrap_or(0).min(8);
        let of = |name: &str| properties.and_then(|found| found.child(Ns::Drawing, name));
        if inline.is_blank() {
            continue;
        }
        let mut label = Inline::default();
        let numbered = of("buAutoNum");
        counters.truncate(level + 1);
        if let Some(numbered) = numbered {
            let kind = numbered.attribute("type").unwrap_or_default().into_owned();
            let start = numbered.number("startAt").unwrap_or(1);
            counters.resize(level + 1, (String::new(), 0));
            let counter = &mut counters[level];
            *counter = match counter {
                (before, count) if *before == kind && *count > 0 => (kind.clone(), *count + 1),
                _ => (kind.clone(), start),
            };
            label.mark(&format!("{} ", auto_number(&kind, counter.1)));
        } else if counters.len() > level {
            counters.truncate(level);
        }
        let bullet = of("buChar").is_some() || of("buBlip").is_some() || numbered.is_some();
        let is_item = bullet || is_outline && of("buNone").is_none();
        inline.trim_start();
        label.append(&inline);
        out.push(Paragraph { inline: label, is_item });
    }
    out
}

/// A number in one of the schemes of `ST_TextAutonumberScheme`.
fn auto_number(kind: &str, value: i64) -> String {
    let schemes = [
        ("alphaLc", "lowerLetter"),
        ("alphaUc", "upperLetter"),
        ("romanLc", "lowerRoman"),
        ("romanUc", "upperRoman"),
        ("circleNum", "decimalEnclosedCircle"),
        ("ea1Chs", "chineseCounting"),
        ("ea1Cht", "chineseCounting"),
        ("ea1Jpn", "japaneseCounting"),
    ];
    let format =
        schemes.iter().find(|(start, _)| kind.starts_with(start)).map_or("decimal", |(_, name)| name);
    let text = number::format(format, value);
    match () {
        () if kind.ends_with("ParenBoth") => format!("({text})"),
        () if kind.ends_with("ParenR") => format!("{text})"),
        () if kind.ends_with("Period") => format!("{text}."),
        () if kind.ends_with("Minus") => format!("- {text} -"),
        () => text,
    }
}

fn pieces(parent: Element<'_, '_>, relationships: Option<&Relationships>, out: &mut Inline) {
    for child in parent.children() {
        match child.name() {
            (Ns::Drawing, "r" | "fld") => {
                let start = out.position();
                if let Some(text) = child.child(Ns::Drawing, "t") {
                    out.push(&text.text());
                }
                let link = child.child(Ns::Drawing, "rPr").and_then(|found| {
                    found.child(Ns::Drawing, "hlinkClick")?.attribute_of(Ns::Reference, "id")
                });
                let target = link.and_then(|id| relationships?.get(&id));
                if let Some(found) = target.filter(|found| found.external) {
                    out.link(start, &found.target);
                }
            }
            (Ns::Drawing, "br") => out.push("\n"),
            (Ns::Math, "oMath" | "oMathPara") => out.push(&math::linear(child)),
            (Ns::Compatibility, "AlternateContent") => {
                if let Some(branch) = alternative(child) {
                    pieces(branch, relationships, out);
                }
            }
            (Ns::Drawing, "pPr" | "endParaRPr") => {}
            // `a14:m` holds a formula.
            (_, "m") => pieces(child, relationships, out),
            _ => {}
        }
    }
}

/// A table: one line a row, cells apart by tabs, the cells that a merge covers empty.
pub(crate) fn table(table: Element<'_, '_>, relationships: &Relationships) -> Inline {
    let mut out = Inline::default();
    let rows = table.children().filter(|child| child.is(Ns::Drawing, "tr"));
    for (at, row) in rows.enumerate() {
        if at > 0 {
            out.push("\n");
        }
        for (at, cell) in row.children().filter(|child| child.is(Ns::Drawing, "tc")).enumerate() {
            if at > 0 {
                out.push("\t");
            }
            let covered =
                |name: &str| cell.attribute(name).is_some_and(|value| crate::office::is_on(Some(&value)));
            if covered("hMerge") || covered("vMerge") {
                continue;
            }
            let Some(body) = cell.child(Ns::Drawing, "txBody") else { continue };
            let mut text = Inline::default();
            for paragraph in paragraphs(body, relationships, false) {
                if !text.is_blank() {
                    text.push(" ");
                }
                text.append(&paragraph.inline);
            }
            text.flatten();
            out.append(&text);
        }
    }
    out
}
