//! Books (EPUB 2 and 3): chapters in the order of the spine, with the book's own table of contents.
//! A book under digital rights management is locked, whatever else it holds.

mod contents;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use orangery_domain::percent::decoded;
use orangery_domain::{DocumentPicture, OutlineEntry, Spot, TextLayer};

use crate::document::{Builder, Document, Limits, code};
use crate::html::{self, close_empty};
use crate::office;
use crate::package::{Package, resolve};
use crate::xml::{Ns, Tree};

use contents::Entry;

/// Ways to scramble fonts that are no lock on the text.
const FONTS: &[&str] = &["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"];

/// Of each kind; more describe nothing.
const REMARKS: usize = 64;

/// A file of the book.
#[derive(Debug, Clone)]
struct Resource {
    part: String,
    media: String,
}

/// Reads a book.
pub fn read(bytes: &[u8], limits: &Limits) -> Document {
    let mut package = match Package::open(bytes, limits) {
        Ok(package) => package,
        Err(trouble) => return Document { trouble: Some(trouble), ..Document::default() },
    };
    let Some((opf, text)) = book(&mut package) else { return office::no_main_part(&package) };
    let tree = Tree::parse(&text, limits.depth);
    let folder = opf.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut resources: HashMap<String, Resource> = HashMap::new();
    let mut spine: Vec<String> = Vec::new();
    let (mut navigation, mut ncx, mut toc, mut title) = (None, None, None, None);
    let mut about = About::default();
    for element in tree.root().descendants() {
        match element.name() {
            (Ns::Dublin, "title") if title.is_none() => {
                title = Some(element.text().trim().to_owned()).filter(|title| !title.is_empty());
            }
            (Ns::Dublin, name) => about.take(name, &element.text(), limits.depth),
            (Ns::Book, "item") => {
                let (Some(id), Some(href)) = (element.attribute("id"), element.attribute("href")) else {
                    continue;
                };
                let resource = Resource {
                    part: part_of(folder, &href),
                    media: element.attribute("media-type").unwrap_or_default().into_owned(),
                };
                let properties = element.attribute("properties").unwrap_or_default();
                if navigation.is_none() && properties.split(' ').any(|word| word == "nav") {
                    navigation = Some(resource.part.clone());
                }
                if ncx.is_none() && resource.media == "application/x-dtbncx+xml" {
                    ncx = Some(resource.part.clone());
                }
                resources.insert(id.into_owned(), resource);
            }
            (Ns::Book, "spine") => toc = element.attribute("toc").map(|id| id.into_owned()),
            (Ns::Book, "itemref") => spine.extend(element.attribute("idref").map(|id| id.into_owned())),
            _ => {}
        }
    }
    let toc = toc.and_then(|id| resources.get(&id)).map(|one| one.part.clone()).or(ncx);
    let chapters: Vec<Resource> = spine.iter().filter_map(|id| resources.get(id).cloned()).collect();
    let locked = locked(&mut package);
    if !chapters.is_empty() && chapters.iter().all(|chapter| locked.contains(&chapter.part)) {
        return Document::refused(code::SEALED, "");
    }
    let entries = contents::read(&mut package, navigation.as_deref(), toc.as_deref());
    let mut titles: HashMap<&str, &str> = HashMap::new();
    for entry in &entries {
        titles.entry(&entry.part).or_insert(&entry.title);
    }
    let mut reader = Reader { package, builder: Builder::new(*limits), places: HashMap::new(), locked };
    if tree.is_broken() {
        reader.builder.warn(code::PARTS_DAMAGED, "");
    }
    for (at, chapter) in chapters.iter().enumerate() {
        let is_contents = navigation.as_ref() == Some(&chapter.part) && chapters.len() > 1;
        reader.chapter(chapter, at as u32 + 1, titles.get(chapter.part.as_str()).copied(), is_contents);
    }
    let last = Spot::Chapter { chapter: (chapters.len() as u32).max(1) };
    about.remarks().for_each(|remark| office::add_remark(&mut reader.builder, &remark, last));
    reader.finish(&entries, title)
}

/// What a book says of itself besides its title.
#[derive(Debug, Default)]
struct About {
    creators: Vec<String>,
    subjects: Vec<String>,
    descriptions: Vec<String>,
}

impl About {
    fn take(&mut self, name: &str, text: &str, depth: usize) {
        let list = match name {
            "creator" => &mut self.creators,
            "subject" => &mut self.subjects,
            "description" => &mut self.descriptions,
            _ => return,
        };
        // Descriptions are often pieces of a page.
        let text = if text.contains('<') { html::plain(text, depth) } else { text.trim().to_owned() };
        if !text.is_empty() && list.len() < REMARKS && !list.contains(&text) {
            list.push(text);
        }
    }

    /// Names and subjects are one line each.
    fn remarks(self) -> impl Iterator<Item = String> {
        [self.creators.join(", "), self.subjects.join(", ")].into_iter().chain(self.descriptions)
    }
}

/// The bytes of a picture that [`read`] listed.
pub fn picture(bytes: &[u8], id: &str) -> Option<Vec<u8>> {
    office::picture(bytes, id)
}

/// The package document: its name and its text.
fn book(package: &mut Package<'_>) -> Option<(String, String)> {
    let named = package.text("META-INF/container.xml").and_then(|text| {
        let tree = Tree::parse(&text, 16);
        let file = tree.root().find(Ns::Container, "rootfile")?.attribute("full-path")?;
        Some(resolve("", &file))
    });
    let named = named.filter(|name| package.has(name));
    let name = named.or_else(|| package.names().find(|name| name.ends_with(".opf")).map(str::to_owned))?;
    let text = package.text(&name)?;
    Some((name, text))
}

/// The parts that only a rights manager can open.
fn locked(package: &mut Package<'_>) -> HashSet<String> {
    let Some(text) = package.text("META-INF/encryption.xml") else { return HashSet::new() };
    let tree = Tree::parse(&text, 64);
    let data = tree.root().descendants().filter(|found| found.is(Ns::Encryption, "EncryptedData"));
    data.filter_map(|data| {
        let method =
            data.child(Ns::Encryption, "EncryptionMethod").and_then(|found| found.attribute("Algorithm"));
        if method.is_some_and(|method| FONTS.contains(&method.as_ref())) {
            return None;
        }
        let target = data.find(Ns::Encryption, "CipherReference")?.attribute("URI")?;
        Some(part_of("", &target))
    })
    .collect()
}

/// The part behind a link, which is percent-encoded as links are.
fn part_of(folder: &str, target: &str) -> String {
    let target = target.split(['#', '?']).next().unwrap_or_default();
    resolve(folder, &decoded(target))
}

struct Reader<'p> {
    package: Package<'p>,
    builder: Builder,
    /// Chapter and block of each part, and of each name within.
    places: HashMap<(String, String), (u32, Option<u32>)>,
    locked: HashSet<String>,
}

impl Reader<'_> {
    fn chapter(&mut self, chapter: &Resource, number: u32, named: Option<&str>, is_contents: bool) {
        let spot = Spot::Chapter { chapter: number };
        let before = self.builder.blocks();
        let mut title = None;
        let is_page = chapter.media.contains("html") || chapter.media.is_empty();
        if self.locked.contains(&chapter.part) {
            self.builder.warn(code::PARTS_LEFT_OUT, "");
        } else if is_page && !is_contents && !self.builder.is_full() {
            match self.package.text(&chapter.part) {
                Some(text) => title = self.page(chapter, &text, spot),
                None => self.builder.warn(code::PARTS_DAMAGED, ""),
            }
        }
        let first = (self.builder.blocks() > before).then_some(before + 1);
        self.places.insert((chapter.part.clone(), String::new()), (number, first));
        let layer = if first.is_some() { TextLayer::Present } else { TextLayer::Empty };
        let page = html::unsized_page(named.map(str::to_owned).or(title).unwrap_or_default(), layer);
        self.builder.document().pages.push(page);
    }

    fn page(&mut self, chapter: &Resource, text: &str, spot: Spot) -> Option<String> {
        let Spot::Chapter { chapter: number } = spot else { return None };
        let added = html::add_chapter(&mut self.builder, &close_empty(text), spot);
        for (name, block) in added.anchors {
            self.places.insert((chapter.part.clone(), name), (number, Some(block)));
        }
        let folder = chapter.part.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        for (source, caption, block) in added.pictures {
            let part = part_of(&folder, &source);
            if !self.package.has(&part) {
                continue;
            }
            let (width, height, size) = office::measure(&mut self.package, &part);
            let picture = DocumentPicture { id: part, caption, block, spot, width, height, size };
            self.builder.document().pictures.push(picture);
        }
        added.title
    }

    fn finish(self, entries: &[Entry], title: Option<String>) -> Document {
        let mut document = self.builder.finish();
        document.title = title;
        document.outline = entries
            .iter()
            .map(|entry| {
                let exact = self.places.get(&(entry.part.clone(), entry.fragment.clone()));
                let place = exact.or_else(|| self.places.get(&(entry.part.clone(), String::new())));
                OutlineEntry {
                    level: entry.level,
                    title: entry.title.clone(),
                    spot: place.map(|(chapter, _)| Spot::Chapter { chapter: *chapter }),
                    block: place.and_then(|(_, block)| *block),
                }
            })
            .collect();
        if document.outline.is_empty() {
            document.outline = html::outline(&document);
        }
        office::conclude(document, &self.package)
    }
}
