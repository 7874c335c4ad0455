//! Text of drawings that stand in parts of their own: diagrams (SmartArt) and charts.

use std::collections::HashMap;

use crate::package::{Package, Relationships};
use crate::xml::{Element, Ns, Tree};

/// The lines of a diagram, top down as it was drawn where it was, else in order of its data.
/// `relation` is the element that names its parts.
pub(crate) fn diagram(
    package: &mut Package<'_>,
    relationships: &Relationships,
    relation: Element<'_, '_>,
) -> Vec<String> {
    let Some(data) = relation.attribute("dm").and_then(|id| relationships.part(&id).map(str::to_owned))
    else {
        return Vec::new();
    };
    let depth = package.limits().depth;
    let Some(text) = package.text(&data) else { return Vec::new() };
    let tree = Tree::parse(&text, depth);
    // The data names its drawing by a relationship of the part that shows it.
    let drawn = tree.root().descendants().find_map(|element| {
        let id = element.is(Ns::DrawnDiagram, "dataModelExt").then(|| element.attribute("relId"))??;
        relationships.part(&id).map(str::to_owned)
    });
    if let Some(text) = drawn.and_then(|part| package.text(&part)) {
        let drawing = Tree::parse(&text, depth);
        let lines: Vec<String> = drawing
            .root()
            .descendants()
            .filter(|element| element.is(Ns::DrawnDiagram, "txBody"))
            .flat_map(paragraphs)
            .collect();
        if !lines.is_empty() {
            return lines;
        }
    }
    by_data(tree.root())
}

/// Points in order of the tree that their connections make.
fn by_data(root: Element<'_, '_>) -> Vec<String> {
    let mut points = Vec::new();
    let mut children: HashMap<String, Vec<(u32, String)>> = HashMap::new();
    for element in root.descendants() {
        match element.name() {
            (Ns::Diagram, "pt") => {
                let kind = element.attribute("type").unwrap_or_default();
                let id = element.attribute("modelId").unwrap_or_default().into_owned();
                let shown = matches!(&*kind, "" | "node" | "asst");
                let lines: Vec<String> = match element.child(Ns::Diagram, "t") {
                    Some(body) if shown => paragraphs(body).collect(),
                    _ => Vec::new(),
                };
                points.push((id, kind == "doc", lines));
            }
            (Ns::Diagram, "cxn") if matches!(element.attribute("type").as_deref(), None | Some("parOf")) => {
                if let (Some(from), Some(to)) = (element.attribute("srcId"), element.attribute("destId")) {
                    let order = element.number("srcOrd").unwrap_or(0);
                    children.entry(from.into_owned()).or_default().push((order, to.into_owned()));
                }
            }
            _ => {}
        }
    }
    for list in children.values_mut() {
        list.sort();
    }
    let mut by_id: HashMap<&str, &Vec<String>> =
        points.iter().map(|(id, _, lines)| (id.as_str(), lines)).collect();
    let mut out = Vec::new();
    let mut stack: Vec<&str> =
        points.iter().filter(|(_, document, _)| *document).map(|(id, ..)| id.as_str()).collect();
    while let Some(id) = stack.pop() {
        // Taken out, so that a circle of connections ends.
        let Some(lines) = by_id.remove(id) else { continue };
        out.extend(lines.iter().cloned());
        if let Some(list) = children.get(id) {
            stack.extend(list.iter().rev().map(|(_, to)| to.as_str()));
        }
    }
    // What hangs on nothing is still text.
    out.extend(
        points
            .iter()
            .filter(|(id, ..)| by_id.contains_key(id.as_str()))
            .flat_map(|(.., lines)| lines.clone()),
    );
    out
}

/// The paragraphs of a text body of DrawingML, without blank ones.
fn paragraphs<'t>(body: Element<'t, '_>) -> impl Iterator<Item = String> + 't {
    let paragraphs: Vec<String> = body
        .children()
        .filter(|child| child.is(Ns::Drawing, "p"))
        .map(|paragraph| crate::pptx::text::plain(paragraph))
        .filter(|text| !text.trim().is_empty())
        .collect();
    paragraphs.into_iter()
}

/// What a chart says in words: titles, the names of series, categories with their values.
pub(crate) fn chart(package: &mut Package<'_>, part: &str) -> Vec<String> {
    let depth = package.limits().depth;
    let Some(text) = package.text(part) else { return Vec::new() };
    let tree = Tree::parse(&text, depth);
    let mut lines: Vec<String> = Vec::new();
    for element in tree.root().descendants() {
        match element.name() {
            (Ns::Chart, "title") => {
                let words: Vec<String> = element
                    .descendants()
                    .filter(|found| found.is(Ns::Drawing, "p"))
                    .map(crate::pptx::text::plain)
                    .collect();
                lines.push(words.join(" "));
            }
            (Ns::Chart, "ser") => {
                let name = element.child(Ns::Chart, "tx").map(points).unwrap_or_default().join(" ");
                let categories = element.child(Ns::Chart, "cat").map(points).unwrap_or_default();
                let values = element.child(Ns::Chart, "val").map(points).unwrap_or_default();
                let pairs: Vec<String> = (0..categories.len().max(values.len()))
                    .map(|at| {
                        let get = |list: &[String]| list.get(at).cloned().unwrap_or_default();
                        format!("{} {}", get(&categories), get(&values)).trim().to_owned()
                    })
                    .collect();
                let colon = if name.is_empty() || pairs.is_empty() { "" } else { ": " };
                lines.push(format!("{name}{colon}{}", pairs.join(", ")));
            }
            _ => {}
        }
    }
    lines.retain(|line| !line.trim().is_empty());
    lines
}

fn points(element: Element<'_, '_>) -> Vec<String> {
    let values = element.descendants().filter(|found| found.is(Ns::Chart, "v"));
    values.map(|value| value.text().trim().to_owned()).take(1000).collect()
}
