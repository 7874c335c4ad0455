//! What a read shows as pixels: picture files, pages without text, pictures in documents and notes.

use std::collections::HashSet;
use std::ops::Range;

use orangery_domain::{DocumentPicture, FileKind, FilePlace, Spot, TextLayer};
use orangery_extract::Document;
use orangery_library::{Drawable, Library, Look};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Source;
use super::part::Part;
use super::trouble;
use super::window::{View, Window};
use crate::Error;
use crate::picture::Shown;
use crate::tool::{Call, ToolError};

/// Whether pixels come with the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum IncludeImages {
    #[default]
    Auto,
    Always,
    None,
}

/// Pictures of one call.
const MOST: usize = 8;
/// Pages that `always` draws when no page was named, and pictures of a note that it shows.
const MOST_ALWAYS: usize = 4;
const MOST_LISTED: usize = 64;

/// What a call shows so far.
pub(super) struct Sight<'a> {
    call: &'a Call,
    include: IncludeImages,
    shown: Vec<Shown>,
}

/// Something to show, with the words for it.
struct Wanted {
    label: String,
    told: Value,
    look: Look,
}

impl<'a> Sight<'a> {
    pub fn new(call: &'a Call, include: Option<IncludeImages>) -> Self {
        Self { call, include: include.unwrap_or_default(), shown: Vec::new() }
    }

    pub fn into_shown(self) -> Vec<Shown> {
        self.shown
    }

    fn library(&self) -> &'a Library {
        &self.call.house.library
    }

    /// Says in `json` why nothing can be seen; true where it can.
    fn sees(&self, json: &mut Value) -> bool {
        let missing = self.call.vision.missing();
        if let Some(reason) = &missing {
            json["visionUnavailable"] = reason.as_str().into();
        }
        missing.is_none()
    }

    /// A file that is a picture.
    pub async fn file(&mut self, place: &FilePlace, json: &mut Value) -> Result<(), ToolError> {
        if self.include == IncludeImages::None || !self.sees(json) {
            return Ok(());
        }
        if self.shown.len() == MOST {
            json["error"] = too_many().into();
            return Ok(());
        }
        let picture = self.library().look_at_file(place).await.map_err(|error| match error {
            orangery_library::Error::Document(trouble) => {
                ToolError::tell(format!("{} cannot be shown: {}", place.path, trouble::sentence(&trouble)))
            }
            error => Error::from(error).into(),
        })?;
        crate::tools::place::unchanged(&picture.checked, &place.path)?;
        json["image"] = json!({ "width": picture.seen.width, "height": picture.seen.height });
        let label = json["path"].as_str().unwrap_or_default().to_owned();
        self.shown.push(Shown { label, seen: picture.seen });
        Ok(())
    }

    /// Pages and pictures of a document, of which `view` is shown as text.
    pub async fn document(
        &mut self,
        from: &Drawable,
        source: &Source,
        window: &Window,
        view: &View,
        json: &mut Value,
    ) -> Result<(), ToolError> {
        let path = json["path"].as_str().unwrap_or_default().to_owned();
        let (mut wanted, mut left) = self.wanted(&from.document, source, window, view, &path);
        if wanted.is_empty() || !self.sees(json) {
            return Ok(());
        }
        let room = MOST - self.shown.len();
        left += wanted.len().saturating_sub(room);
        wanted.truncate(room);
        let mut images = Vec::new();
        for Wanted { label, mut told, look } in wanted {
            match self.library().look(from, &look).await {
                Ok(seen) => {
                    told["width"] = seen.width.into();
                    told["height"] = seen.height.into();
                    self.shown.push(Shown { label, seen });
                }
                Err(orangery_library::Error::Document(trouble)) => {
                    told["skipped"] = trouble::sentence(&trouble).into()
                }
                Err(error) => return Err(Error::from(error).into()),
            }
            images.push(told);
        }
        json["images"] = images.into();
        if left > 0 {
            json["imagesLeftOut"] = format!("{left} more; name them by page, slide or block").into();
        }
        Ok(())
    }

    /// What is to be shown, and how many more there are.
    fn wanted(
        &self,
        document: &Document,
        source: &Source,
        window: &Window,
        view: &View,
        path: &str,
    ) -> (Vec<Wanted>, usize) {
        let always = self.include == IncludeImages::Always;
        if self.include == IncludeImages::None {
            return (vec![], 0);
        }
        let part = window.part();
        if source.kind != FileKind::Pdf {
            let asked = matches!(part, Some(Part::Block(_)));
            let pictures = if always || asked { pictures(document, part, &view.ranges) } else { vec![] };
            return (pictures.into_iter().map(|picture| picture_wanted(picture, path)).collect(), 0);
        }
        let (named, pages) = pages(document, part, view);
        let seen: Vec<u32> = pages.filter(|page| named || always || is_pixels(document, *page)).collect();
        let most = if always && !named { MOST_ALWAYS } else { MOST };
        let left = seen.len().saturating_sub(most);
        let wanted = seen.into_iter().take(most).map(|page| Wanted {
            label: format!("{path}, page {page}"),
            told: json!({ "page": page }),
            look: Look::Page(page),
        });
        (wanted.collect(), left)
    }

    /// The pictures that a note shows, by the references that were told of them.
    pub async fn note(&mut self, source: &Source, refs: &[Value], json: &mut Value) -> Result<(), ToolError> {
        let Some(place) = &source.place else { return Ok(()) };
        // What is outside the session's choice is text only.
        if self.include != IncludeImages::Always || !self.call.is_selected(place.kb_id) {
            return Ok(());
        }
        let there = refs.iter().filter(|image| image["exists"] == true);
        let paths = there.filter_map(|image| image["path"].as_str());
        // Not shown as pixels, so that they take no picture's place.
        let mut paths: Vec<&str> = paths.filter(|path| !is_vector(path)).collect();
        let mut known = HashSet::new();
        paths.retain(|path| known.insert(*path));
        if paths.is_empty() || !self.sees(json) {
            return Ok(());
        }
        let mut images = Vec::new();
        for path in paths.iter().take(MOST_ALWAYS.min(MOST - self.shown.len())) {
            let mut told = json!({ "path": path });
            let Ok(path) = orangery_domain::KbPath::parse(path) else { continue };
            let picture = FilePlace { kb_id: place.kb_id, path };
            if self.call.hides("read", &picture) {
                told["skipped"] = "denied".into();
            } else {
                match self.library().look_at_file(&picture).await {
                    Ok(seen) => {
                        told["width"] = seen.seen.width.into();
                        told["height"] = seen.seen.height.into();
                        self.shown.push(Shown { label: picture.path.to_string(), seen: seen.seen });
                    }
                    Err(error) => told["skipped"] = skipped(error)?.into(),
                }
            }
            images.push(told);
        }
        let left = paths.len() - images.len();
        json["images"] = images.into();
        if left > 0 {
            json["imagesLeftOut"] = format!("{left} more; read them by path").into();
        }
        Ok(())
    }
}

/// Vector pictures have no pixels.
pub(super) fn is_vector(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".svg")
}

fn too_many() -> String {
    format!("no more than {MOST} pictures are shown by one call; read it alone")
}

/// What is wrong with one picture of several.
fn skipped(error: orangery_library::Error) -> Result<String, ToolError> {
    match error {
        orangery_library::Error::Document(trouble) => Ok(trouble::sentence(&trouble)),
        error => match ToolError::from(Error::from(error)) {
            ToolError::Stop(error) => Err(ToolError::Stop(error)),
            other => Ok(other.to_string()),
        },
    }
}

/// Whether the text of a page is missing or of no use.
fn is_pixels(document: &Document, page: u32) -> bool {
    let layer = page.checked_sub(1).and_then(|at| document.pages.get(at as usize)).map(|page| page.layer);
    matches!(layer, Some(TextLayer::Absent | TextLayer::Garbled))
}

/// The pages that a view is about, and whether the call named them.
fn pages(document: &Document, part: Option<Part>, view: &View) -> (bool, std::ops::RangeInclusive<u32>) {
    let page_of = |spot: &Spot| match spot {
        Spot::Page { page, .. } => Some(*page),
        _ => None,
    };
    let last = document.pages.len() as u32;
    match part {
        Some(Part::Pages(first, last)) => (true, first..=last),
        Some(Part::Block(block)) => {
            let spot = block.checked_sub(1).and_then(|at| document.spots.get(at as usize));
            let page = spot.and_then(page_of).unwrap_or(0);
            (true, page.max(1)..=page)
        }
        _ => {
            // Pages without text have no block: those at the ends and between belong to what is shown.
            let touched = |block: &orangery_domain::Block| touches(&block.range, &view.ranges);
            let blocks = || document.blocks.iter().zip(&document.spots);
            let of_view = blocks().filter(|(block, _)| touched(block)).filter_map(|(_, spot)| page_of(spot));
            let (low, high) = of_view.fold((None, None), |(low, high), page| {
                (
                    Some(low.map_or(page, |low: u32| low.min(page))),
                    Some(high.map_or(page, |high: u32| high.max(page))),
                )
            });
            let start = view.ranges.first().is_none_or(|range| range.start == 0);
            let end = view.ranges.last().is_none_or(|range| range.end >= document.text.len());
            (false, if start { 1 } else { low.unwrap_or(1) }..=if end { last } else { high.unwrap_or(last) })
        }
    }
}

fn touches(block: &Range<usize>, ranges: &[Range<usize>]) -> bool {
    ranges.iter().any(|range| block.start < range.end && range.start < block.end)
}

/// The pictures in what is shown of a document.
fn pictures<'d>(
    document: &'d Document,
    part: Option<Part>,
    ranges: &[Range<usize>],
) -> Vec<&'d DocumentPicture> {
    let is_shown = |picture: &&DocumentPicture| match part {
        Some(Part::Block(block)) => picture.block == block,
        Some(Part::Slide(slide)) => picture.spot == Spot::Slide { slide },
        _ => {
            let block = (picture.block as usize).checked_sub(1).and_then(|at| document.blocks.get(at));
            let first = ranges.first().is_none_or(|range| range.start == 0);
            block.map_or(first, |block| touches(&block.range, ranges))
        }
    };
    document.pictures.iter().filter(is_shown).collect()
}

fn picture_wanted(picture: &DocumentPicture, path: &str) -> Wanted {
    let at = if picture.spot.is_numbered() { format!(", {}", picture.spot) } else { String::new() };
    let caption = if picture.caption.is_empty() { String::new() } else { format!(": {}", picture.caption) };
    Wanted {
        label: format!("{path}{at}, picture {}{caption}", picture.id),
        told: json!({ "id": picture.id }),
        look: Look::Picture(picture.id.clone()),
    }
}

/// The pictures of a document, as `documentImages` lists them.
pub(super) fn listed(document: &Document, json: &mut Value) {
    let pictures = document.pictures.iter().take(MOST_LISTED).map(|picture| {
        let mut told = json!({ "id": picture.id });
        match picture.spot {
            Spot::Page { page, .. } => told["page"] = page.into(),
            Spot::Slide { slide } => told["slide"] = slide.into(),
            _ => {}
        }
        if picture.block > 0 {
            told["block"] = picture.block.into();
        }
        if !picture.caption.is_empty() {
            told["caption"] = picture.caption.as_str().into();
        }
        if picture.width > 0 {
            told["size"] = json!([picture.width, picture.height]);
        }
        told
    });
    json["documentImages"] = pictures.collect();
    if document.pictures.len() > MOST_LISTED {
        let left = document.pictures.len() - MOST_LISTED;
        json["documentImagesLeftOut"] = format!("{left} more, which stand further on").into();
    }
}
