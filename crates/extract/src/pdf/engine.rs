//! PDFium: finds out what a file holds, page by page. All that is known of the library stays here.

use std::path::Path;
use std::sync::OnceLock;

use orangery_domain::Area;
use pdfium_render::prelude::*;

use super::layout::Glyph;
use super::object::{self, PagePicture};
use super::{note, outline};
use crate::document::code;

/// Characters of one page that are looked at one by one; with more, its text comes as its content does.
const GLYPHS: usize = 200_000;

static ENGINE: OnceLock<Pdfium> = OnceLock::new();
/// Why a library that should be there was not loaded.
static FAILED: OnceLock<String> = OnceLock::new();

/// Loads the library, once for the process. What was loaded first stays.
pub fn bind(library: &Path) -> Result<(), String> {
    if ENGINE.get().is_some() {
        return Ok(());
    }
    let bindings = Pdfium::bind_to_library(library).map_err(|error| match error {
        // As the system says it.
        PdfiumError::LoadLibraryError(error) => error.to_string(),
        error => error.to_string(),
    });
    match bindings {
        Ok(bindings) => {
            ENGINE.get_or_init(|| Pdfium::new(bindings));
            Ok(())
        }
        // Another thread was quicker.
        Err(_) if ENGINE.get().is_some() => Ok(()),
        Err(error) => Err(error),
    }
}

/// Every file that is refused for the lack of the library says this besides.
pub fn blame(reason: String) {
    // What was said first stays, as what was loaded first does.
    let _ = FAILED.set(reason);
}

/// What [`blame`] was told.
pub fn blamed() -> &'static str {
    FAILED.get().map_or("", String::as_str)
}

/// Why a file, or a page of it, does not open; the codes of [`code`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The library is not loaded.
    Missing,
    Encrypted,
    WrongPassword,
    Damaged,
    NoPage,
}

impl Refusal {
    pub fn code(self) -> &'static str {
        match self {
            Self::Missing => code::PDFIUM_MISSING,
            Self::Encrypted => code::ENCRYPTED,
            Self::WrongPassword => code::WRONG_PASSWORD,
            Self::Damaged => code::DAMAGED,
            Self::NoPage => code::NO_PAGE,
        }
    }
}

/// An open file.
pub struct File<'a> {
    document: PdfDocument<'a>,
}

/// What stands on a page, as it is shown: its rotation applied, points from the top left corner.
#[derive(Debug, Default)]
pub struct Page {
    pub label: String,
    pub width: f32,
    pub height: f32,
    pub glyphs: Vec<Glyph>,
    /// Characters that are not blank, with a usable box or not.
    pub letters: usize,
    /// Share of the page that pictures cover, 0 to 1 and more where they overlap.
    pub pictured: f32,
    /// Anything but text is on it.
    pub drawn: bool,
    pub pictures: Vec<PagePicture>,
    pub links: Vec<PageLink>,
    pub notes: Vec<note::Note>,
}

#[derive(Debug)]
pub struct PageLink {
    pub area: Area,
    /// An address, or `#page=N`.
    pub target: String,
}

pub fn open<'a>(bytes: &'a [u8], password: Option<&str>) -> Result<File<'a>, Refusal> {
    let engine = ENGINE.get().ok_or(Refusal::Missing)?;
    match engine.load_pdf_from_byte_slice(bytes, password) {
        Ok(document) => Ok(File { document }),
        Err(PdfiumError::PdfiumLibraryInternalError(PdfiumInternalError::PasswordError)) => {
            // An empty password was tried by the library itself.
            let given = password.is_some_and(|password| !password.is_empty());
            Err(if given { Refusal::WrongPassword } else { Refusal::Encrypted })
        }
        Err(PdfiumError::PdfiumLibraryInternalError(PdfiumInternalError::SecurityError)) => {
            Err(Refusal::Encrypted)
        }
        Err(_) => Err(Refusal::Damaged),
    }
}

impl<'a> File<'a> {
    pub fn pages(&self) -> u32 {
        u32::try_from(self.document.pages().len()).unwrap_or(0)
    }

    /// The index of the page of this number, from 1.
    pub fn index(&self, page: u32) -> Result<u32, Refusal> {
        let index = page.checked_sub(1).filter(|index| *index < self.pages());
        index.ok_or(Refusal::NoPage)
    }

    pub fn title(&self) -> Option<String> {
        self.property(PdfDocumentMetadataTagType::Title)
    }

    /// What its properties say about its content.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        let about = [PdfDocumentMetadataTagType::Subject, PdfDocumentMetadataTagType::Keywords];
        about.into_iter().filter_map(|tag| self.property(tag))
    }

    fn property(&self, tag: PdfDocumentMetadataTagType) -> Option<String> {
        let tag = self.document.metadata().get(tag)?;
        let value = tag.value().trim();
        (!value.is_empty()).then(|| value.to_owned())
    }

    pub fn outline(&self) -> Vec<outline::Entry> {
        outline::read(self.document.bookmarks())
    }

    /// The page of this number, from 0; `None` when it is too damaged to load.
    pub fn page(&self, index: u32) -> Option<Page> {
        let page = self.load(index)?;
        let shown = Shown::of(&page);
        let mut result = Page {
            label: page.label().unwrap_or_default().to_owned(),
            width: shown.width,
            height: shown.height,
            ..Page::default()
        };
        if let Ok(text) = page.text() {
            (result.glyphs, result.letters) = glyphs(&text, shown);
        }
        let seen = object::read(&page, shown);
        (result.pictured, result.drawn, result.pictures) = (seen.covered, seen.drawn, seen.pictures);
        if !page.annotations().is_empty() {
            result.links = links(&page, shown);
            result.notes = note::read(page.annotations(), shown);
        }
        Some(result)
    }

    /// The text of a page as its content comes, and what the page is like but for its links: nothing says
    /// which text they lie on.
    pub fn stream(&self, index: u32) -> Option<(Page, String)> {
        let page = self.load(index)?;
        let shown = Shown::of(&page);
        let text = page.text().map(|text| text.all()).unwrap_or_default();
        let letters = text.chars().filter(|letter| !letter.is_whitespace()).count();
        let seen = object::read(&page, shown);
        let label = page.label().unwrap_or_default().to_owned();
        let notes = note::read(page.annotations(), shown);
        let page = Page {
            label,
            width: shown.width,
            height: shown.height,
            letters,
            pictured: seen.covered,
            drawn: seen.drawn,
            pictures: seen.pictures,
            notes,
            ..Page::default()
        };
        Some((page, text))
    }

    /// A picture of a page: width, height and its pixels as RGBA, rows from the top. It becomes less wide
    /// where it would have more than `most` pixels.
    pub fn picture(&self, index: u32, width: u32, most: u32) -> Option<(u32, u32, Vec<u8>)> {
        let page = self.load(index)?;
        let shown = Shown::of(&page);
        let area = (shown.width * shown.height).max(1.0);
        let scale = (width.max(1) as f32 / shown.width.max(1.0)).min((most.max(1) as f32 / area).sqrt());
        let side = |points: f32| (points * scale).round().clamp(1.0, most.max(1) as f32) as Pixels;
        let (width, height) = (side(shown.width), side(shown.height));
        if i64::from(width) * i64::from(height) > i64::from(most.max(1)) * 2 {
            return None;
        }
        drawn(&page, width, height)
    }

    /// A picture on a page by its number on it, from 0, as it is shown there.
    pub fn cutting(&self, index: u32, number: usize) -> Option<(u32, u32, Vec<u8>)> {
        let page = self.load(index)?;
        let shown = Shown::of(&page);
        let cut = *object::read(&page, shown).pictures.get(number)?;
        let side = |points: f32| (points * cut.scale).round().max(1.0) as Pixels;
        let (wide, high, pixels) = drawn(&page, side(shown.width), side(shown.height))?;
        let left = ((cut.area.left * cut.scale).round() as u32).min(wide.saturating_sub(cut.width));
        let top = ((cut.area.top * cut.scale).round() as u32).min(high.saturating_sub(cut.height));
        let (width, height) = (cut.width.min(wide - left), cut.height.min(high - top));
        let rows = pixels.chunks_exact(wide as usize * 4).skip(top as usize).take(height as usize);
        let columns = left as usize * 4..(left + width) as usize * 4;
        Some((width, height, rows.flat_map(|row| &row[columns.clone()]).copied().collect()))
    }

    fn load(&self, index: u32) -> Option<PdfPage<'a>> {
        self.document.pages().get(i32::try_from(index).ok()?).ok()
    }
}

/// A page of so many pixels: width, height, and RGBA.
fn drawn(page: &PdfPage<'_>, width: Pixels, height: Pixels) -> Option<(u32, u32, Vec<u8>)> {
    let config =
        PdfRenderConfig::new().set_fixed_size(width, height).render_form_data(true).render_annotations(true);
    let bitmap = page.render_with_config(&config).ok()?;
    let (width, height) = (u32::try_from(bitmap.width()).ok()?, u32::try_from(bitmap.height()).ok()?);
    Some((width, height, bitmap.as_rgba_bytes()))
}

/// How the space of a page's content lies in the page as it is shown.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    left: f32,
    bottom: f32,
    right: f32,
    top: f32,
    turns: u8,
    pub width: f32,
    pub height: f32,
}

impl Shown {
    fn of(page: &PdfPage<'_>) -> Self {
        let sane = |value: f32, otherwise: f32| {
            if value.is_finite() && value.abs() < 1e6 { value } else { otherwise }
        };
        let turns = match page.rotation() {
            Ok(PdfPageRenderRotation::Degrees90) => 1,
            Ok(PdfPageRenderRotation::Degrees180) => 2,
            Ok(PdfPageRenderRotation::Degrees270) => 3,
            _ => 0,
        };
        let (width, height) = (sane(page.width().value, 612.0), sane(page.height().value, 792.0));
        let (across, up) = if turns % 2 == 0 { (width, height) } else { (height, width) };
        let (left, bottom) = match page.boundaries().bounding() {
            Ok(found) => (sane(found.bounds.left().value, 0.0), sane(found.bounds.bottom().value, 0.0)),
            Err(_) => (0.0, 0.0),
        };
        Self { left, bottom, right: left + across, top: bottom + up, turns, width, height }
    }

    pub fn point(&self, x: f32, y: f32) -> (f32, f32) {
        match self.turns {
            0 => (x - self.left, self.top - y),
            1 => (y - self.bottom, x - self.left),
            2 => (self.right - x, y - self.bottom),
            _ => (self.top - y, self.right - x),
        }
    }

    /// A direction: the same without the corner.
    fn direction(&self, x: f32, y: f32) -> (f32, f32) {
        match self.turns {
            0 => (x, -y),
            1 => (y, x),
            2 => (-x, y),
            _ => (-y, -x),
        }
    }

    pub fn area(&self, bounds: &PdfRect) -> Area {
        let (ax, ay) = self.point(bounds.left().value, bounds.top().value);
        let (bx, by) = self.point(bounds.right().value, bounds.bottom().value);
        Area { left: ax.min(bx), top: ay.min(by), right: ax.max(bx), bottom: ay.max(by) }
    }
}

fn glyphs(text: &PdfPageText<'_>, shown: Shown) -> (Vec<Glyph>, usize) {
    let characters = text.chars();
    if characters.len() > GLYPHS {
        return (Vec::new(), characters.len());
    }
    let mut glyphs: Vec<Glyph> = Vec::with_capacity(characters.len());
    let mut letters = 0;
    let mut origin = (f32::NAN, f32::NAN);
    let mut fonts = Fonts::default();
    for character in characters.iter() {
        let Some(letter) = letter(character.unicode_value()) else { continue };
        if letter.is_whitespace() && character.is_generated().unwrap_or(true) {
            fonts.doubt();
            continue;
        }
        if !letter.is_whitespace() {
            letters += 1;
        }
        let (Ok((x, y)), Ok(matrix), Ok(bounds)) =
            (character.origin(), character.matrix(), character.loose_bounds())
        else {
            continue;
        };
        let (x, y) = (x.value, y.value);
        // What one glyph stands for comes as several characters in one place: `f` and `i` of a ligature.
        if (x, y) == origin
            && !letter.is_whitespace()
            && glyphs.last_mut().is_some_and(|last| last.add(letter))
        {
            continue;
        }
        let (a, b) = (matrix.a(), matrix.b());
        // Most text is upright.
        let long = |x: f32, y: f32| if y == 0.0 { x.abs() } else { x.hypot(y) };
        let (length, height) = (long(a, b), long(matrix.d(), matrix.c()));
        let size = character.unscaled_font_size().value.abs() * height;
        let area = shown.area(&bounds);
        let usable = [x, y, size, length, area.left, area.top, area.right, area.bottom]
            .iter()
            .all(|value| value.is_finite() && value.abs() < 1e6);
        if !usable || size < 0.01 {
            continue;
        }
        if letter.is_whitespace() {
            // One without a width was put in by the library.
            if (area.right - area.left).max(area.bottom - area.top) < size * 0.02 {
                continue;
            }
            fonts.doubt();
        }
        origin = (x, y);
        let (dx, dy) = if length > 0.0 { shown.direction(a / length, b / length) } else { (1.0, 0.0) };
        let (px, py) = shown.point(x, y);
        let advance = advance(area, dx, dy, size);
        let look = fonts.of(&character, size, (px, py));
        fonts.next = (px + advance * dx, py + advance * dy);
        glyphs.push(Glyph {
            advance,
            letter,
            more: None,
            area,
            x: px,
            y: py,
            dx,
            dy,
            size,
            bold: look.bold,
            mono: look.mono,
        });
    }
    (glyphs, letters)
}

/// The width of a box in its own direction, from the upright box around it.
fn advance(area: Area, dx: f32, dy: f32, size: f32) -> f32 {
    let (width, height) = (area.right - area.left, area.bottom - area.top);
    let (along, across) = (dx.abs(), dy.abs());
    if across < 0.02 {
        return width;
    }
    if along < 0.02 {
        return height;
    }
    let level = along * along - across * across;
    let found = if level.abs() > 0.3 {
        (width * along - height * across) / level
    } else {
        (width - size * 1.2 * across) / along
    };
    found.clamp(0.0, size * 3.0)
}

/// The character that a value of the library means; `None` for what is nothing to read.
fn letter(value: u32) -> Option<char> {
    match value {
        // A hyphen at the end of a line, as the library marks it.
        0x02 | 0xFFFE => Some('-'),
        0x09 | 0x0A | 0x0D => Some(' '),
        0 | 0xFEFF | 0xFFFF => None,
        0..0x20 | 0x7F..0xA0 => Some(char::REPLACEMENT_CHARACTER),
        value => Some(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER)),
    }
}

/// What fonts look like, by their names. To ask for a name is dear, and within a line a font of another
/// name mostly has another size or weight: so that is asked where a line begins or the text jumps.
#[derive(Default)]
struct Fonts {
    known: Option<Known>,
    /// A word ended: another font may begin.
    doubtful: bool,
    /// Where the next glyph stands when the text goes on.
    next: (f32, f32),
}

struct Known {
    size: f32,
    weight: Option<PdfFontWeight>,
    look: Look,
}

#[derive(Clone, Copy)]
struct Look {
    bold: bool,
    mono: bool,
}

impl Fonts {
    fn doubt(&mut self) {
        self.doubtful = true;
    }

    /// The look of a character that stands at `at`.
    fn of(&mut self, character: &PdfPageTextChar<'_>, size: f32, at: (f32, f32)) -> Look {
        let goes_on = (at.0 - self.next.0).abs() + (at.1 - self.next.1).abs() < size * 0.9;
        let known = self.known.as_ref().filter(|known| goes_on && known.size == size);
        if let Some(known) = known
            && (!self.doubtful || known.weight == character.font_weight())
        {
            self.doubtful = false;
            return known.look;
        }
        let name = character.font_name().to_ascii_lowercase();
        let named = |words: &[&str]| words.iter().any(|word| name.contains(word));
        let look = Look {
            bold: named(&["bold", "black", "heavy", "demi"]) || name.ends_with("-bd"),
            mono: named(&["mono", "courier", "consol", "typewriter", "cmtt", "menlo", "nimbusmon"]),
        };
        self.known = Some(Known { size, weight: character.font_weight(), look });
        self.doubtful = false;
        look
    }
}

fn links(page: &PdfPage<'_>, shown: Shown) -> Vec<PageLink> {
    let mut found: Vec<PageLink> = Vec::new();
    // The number is one of an annotation; asked for one that is no link, the next link answers.
    for index in 0..page.annotations().len().min(note::MOST) {
        let Ok(link) = page.links().get(index) else { break };
        let Ok(bounds) = link.rect() else { continue };
        let area = shown.area(&bounds);
        if found.last().is_some_and(|last| last.area == area) {
            continue;
        }
        let address = link.action().and_then(|action| match action {
            PdfAction::Uri(action) => action.uri().ok(),
            PdfAction::LocalDestination(action) => action.destination().ok().and_then(|place| within(&place)),
            _ => None,
        });
        let target = address.or_else(|| link.destination().and_then(|place| within(&place)));
        if let Some(target) = target.filter(|target| !target.trim().is_empty()) {
            found.push(PageLink { area, target });
        }
    }
    found
}

/// How a place in the document itself is written.
fn within(place: &PdfDestination<'_>) -> Option<String> {
    let index = place.page_index().ok()?;
    (index >= 0).then(|| format!("#page={}", index + 1))
}
