//! What Word files, slides and sheets share: formulas, symbol fonts, diagrams, alternatives, titles.

pub(crate) mod diagram;
pub(crate) mod math;
pub(crate) mod number;
pub(crate) mod symbol;

use orangery_domain::{BlockKind, Spot, Warning};

use crate::document::{Builder, Document, code};
use crate::package::Package;
use crate::xml::{Element, Ns, Tree};

/// The branch of an `AlternateContent` that counts: the first choice with content, else the fallback.
/// They say the same, so only one may be read.
pub(crate) fn alternative<'t, 'a>(element: Element<'t, 'a>) -> Option<Element<'t, 'a>> {
    let choice =
        element.children().find(|child| child.is(Ns::Compatibility, "Choice") && has_content(*child));
    choice.or_else(|| element.child(Ns::Compatibility, "Fallback"))
}

fn has_content(element: Element<'_, '_>) -> bool {
    element.descendants().any(|found| {
        matches!(
            found.name(),
            (Ns::Word | Ns::Drawing | Ns::Math, "t")
                | (Ns::Word, "sym" | "txbxContent")
                | (Ns::Drawing, "blip")
                | (Ns::Vml, "imagedata")
                | (Ns::Chart, "chart")
                | (Ns::Diagram, "relIds")
        )
    })
}

/// Whether a toggle such as `<w:vanish/>` is on.
pub(crate) fn is_on(value: Option<&str>) -> bool {
    !matches!(value, Some("0" | "false" | "off"))
}

/// The part that an Office package is about.
pub(crate) fn main_part(package: &mut Package<'_>, usual: &str) -> Option<String> {
    let relationships = package.relationships("");
    let named = relationships.first("officeDocument").map(str::to_owned);
    named.filter(|name| package.has(name)).or_else(|| package.has(usual).then(|| usual.to_owned()))
}

/// What a package's properties say about its content. Who made it, and with what, says nothing about that.
#[derive(Debug, Default)]
pub(crate) struct Properties {
    pub title: Option<String>,
    remarks: Vec<String>,
}

impl Properties {
    pub(crate) fn of(package: &mut Package<'_>) -> Self {
        let relationships = package.relationships("");
        let name = relationships.first("core-properties").unwrap_or("docProps/core.xml");
        let Some(text) = package.text(name) else { return Self::default() };
        let tree = Tree::parse(&text, 16);
        let remarks = tree
            .root()
            .children()
            .filter(|element| matches!(element.name().1, "subject" | "keywords" | "description"));
        Self { title: title(&tree), remarks: remarks.map(|element| element.text().into_owned()).collect() }
    }

    /// Adds them as remarks at `spot`.
    pub(crate) fn add_remarks(&self, builder: &mut Builder, spot: Spot) {
        self.remarks.iter().for_each(|remark| add_remark(builder, remark, spot));
    }
}

/// A remark about the document as a whole, unless it is one that programs write unasked.
pub(crate) fn add_remark(builder: &mut Builder, text: &str, spot: Spot) {
    let lower = text.trim().to_lowercase();
    if lower != "unspecified" && !lower.starts_with("generated ") {
        builder.push(BlockKind::Comment, spot, text);
    }
}

/// The title, unless it is one that programs write unasked.
fn title(tree: &Tree<'_>) -> Option<String> {
    let title = tree.root().child(Ns::Dublin, "title")?.text().trim().to_owned();
    let lower = title.to_lowercase();
    let unasked = ["word document", "powerpoint presentation", "microsoft word -", "microsoft powerpoint -"];
    let unasked = unasked.iter().any(|start| lower.starts_with(start)) || lower == "untitled";
    (!title.is_empty() && !unasked).then_some(title)
}

/// Why a package without its main part cannot be read.
pub(crate) fn no_main_part(package: &Package<'_>) -> Document {
    if package.is_encrypted() {
        return Document::refused(code::SEALED, "");
    }
    let starts = |folder: &str| package.names().any(|name| name.starts_with(folder));
    let kinds = [("word/", "docx"), ("ppt/", "pptx"), ("xl/", "xlsx"), ("META-INF/", "epub")];
    match kinds.iter().find(|(folder, _)| starts(folder)) {
        _ if package.is_damaged() => Document::refused(code::DAMAGED, ""),
        Some((_, kind)) => Document::refused(code::NOT_THIS_KIND, *kind),
        None => Document::refused(code::NOT_THIS_KIND, "zip"),
    }
}

/// Ends a document: what the package has to say, and damage where that left nothing.
pub(crate) fn conclude(mut document: Document, package: &Package<'_>) -> Document {
    for warning in package.warnings() {
        // The reader may have said the same already.
        if !document.warnings.contains(&warning) {
            document.warnings.push(warning);
        }
    }
    if document.blocks.is_empty() && package.is_damaged() {
        document.trouble = Some(Warning::new(code::DAMAGED, ""));
    }
    document
}

/// Width and height in pixels, and bytes, of a picture in the package.
pub(crate) fn measure(package: &mut Package<'_>, part: &str) -> (u32, u32, u64) {
    let Some((head, size)) = package.head(part, 64 << 10) else { return (0, 0, 0) };
    let (width, height) = crate::image::pixels(&head).unwrap_or((0, 0));
    (width, height, size)
}

/// A picture's bytes, by the name of its part.
pub(crate) fn picture(bytes: &[u8], id: &str) -> Option<Vec<u8>> {
    let extension = id.rsplit('.').next()?.to_ascii_lowercase();
    let known = ["png", "jpg", "jpeg", "jpe", "gif", "webp", "bmp", "tif", "tiff", "svg", "emf", "wmf"];
    if !known.contains(&extension.as_str()) {
        return None;
    }
    let mut package = Package::open(bytes, &crate::document::Limits::default()).ok()?;
    package.part(id).filter(|bytes| !bytes.is_empty())
}
