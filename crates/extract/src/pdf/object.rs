//! What is drawn on a page besides its text.

use orangery_domain::Area;
use pdfium_render::prelude::*;

use super::engine::Shown;

/// Objects of a page that are looked at for what they cover, and for pictures; maps have millions.
const COVERING: usize = 400;
const OBJECTS: usize = 20_000;
/// An empty page may be ruled; more strokes than these, however small, say something.
const RULES: usize = 12;
/// Pictures of one page.
const PICTURES: usize = 64;
/// What is smaller, in points, is a sign or a line.
const SMALLEST: f32 = 20.0;
/// What is thinner, in points, is a rule.
const RULE: f32 = 4.0;
/// What covers more of a page is its background, or the page itself.
const BACKGROUND: f32 = 0.9;
/// Pictures are drawn with so many pixels a point, as print wants them, within so many on their longer side
/// and so many on their whole page.
const SCALE: f32 = 200.0 / 72.0;
const LONGEST: f32 = 2_048.0;
const PIXELS: f32 = 16_000_000.0;

/// What was found.
#[derive(Debug, Default)]
pub struct Seen {
    /// Share of the page that pictures and drawings cover, 0 to 1 and more where they overlap.
    pub covered: f32,
    /// Anything but text is on it, and more than a few rules.
    pub drawn: bool,
    pub pictures: Vec<PagePicture>,
}

/// A picture on a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PagePicture {
    /// Within the page.
    pub area: Area,
    /// Pixels that it is drawn with.
    pub width: u32,
    pub height: u32,
    /// Pixels a point.
    pub scale: f32,
    /// A drawing, or any other part of the page that was written apart: a caption tells that it is one.
    pub may_be_none: bool,
}

pub fn read(page: &PdfPage<'_>, shown: Shown) -> Seen {
    let mut seen = Seen::default();
    let whole = (shown.width * shown.height).max(1.0);
    let objects = page.objects();
    let mut lines = 0;
    for index in 0..objects.len().min(OBJECTS) {
        let Ok(object) = objects.get(index) else { continue };
        let kind = object.object_type();
        match kind {
            PdfPageObjectType::Text => {}
            PdfPageObjectType::Path => {
                lines += 1;
                seen.drawn |= lines > RULES || !is_rule(&object);
            }
            _ => seen.drawn = true,
        }
        let is_picture = kind == PdfPageObjectType::Image;
        if !is_picture && kind != PdfPageObjectType::XObjectForm {
            continue;
        }
        let Ok(bounds) = object.bounds() else { continue };
        let area = shown.area(&bounds.to_rect());
        let area = Area {
            left: area.left.max(0.0),
            top: area.top.max(0.0),
            right: area.right.min(shown.width),
            bottom: area.bottom.min(shown.height),
        };
        let (width, height) = ((area.right - area.left).max(0.0), (area.bottom - area.top).max(0.0));
        if index < COVERING {
            seen.covered += width * height / whole;
        }
        let worth = width >= SMALLEST && height >= SMALLEST && width * height < whole * BACKGROUND;
        let known = || seen.pictures.iter().any(|picture| picture.area == area);
        if worth && seen.pictures.len() < PICTURES && !known() {
            let scale = SCALE.min(LONGEST / width.max(height)).min((PIXELS / whole).sqrt());
            let side = |points: f32| (points * scale).round().max(1.0) as u32;
            let (width, height) = (side(width), side(height));
            seen.pictures.push(PagePicture { area, width, height, scale, may_be_none: !is_picture });
        }
    }
    seen
}

/// Whether it is no more than a line across or down, such as those that part a page from its head.
fn is_rule(object: &PdfPageObject<'_>) -> bool {
    let Ok(bounds) = object.bounds() else { return false };
    let bounds = bounds.to_rect();
    bounds.width().value.abs() <= RULE || bounds.height().value.abs() <= RULE
}
