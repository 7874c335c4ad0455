//! Pictures in a file: their names, and the text that goes with them.

use std::ops::Range;

use orangery_domain::Area;

/// A caption is no further from its picture, in points; boxes of text reach into each other a little.
const NEAR: f32 = 40.0;
const WITHIN: f32 = 6.0;

/// A block of a page.
#[derive(Debug)]
pub struct Placed {
    pub area: Area,
    /// In the text of the document.
    pub range: Range<usize>,
    /// Its number, from 1.
    pub block: u32,
    pub is_caption: bool,
}

/// The name of a picture: its page, and its number on it, both from 1.
pub fn id(page: u32, number: usize) -> String {
    format!("{page}/{number}")
}

/// What [`id`] was made of.
pub fn parts(id: &str) -> Option<(u32, usize)> {
    let (page, number) = id.split_once('/')?;
    let (page, number) = (page.parse().ok()?, number.parse().ok()?);
    (page > 0 && number > 0).then_some((page, number))
}

/// The caption of a picture, and the block that it stands at: that of its caption, or the one above it.
pub fn place(picture: Area, placed: &[Placed]) -> (Option<Range<usize>>, Option<u32>) {
    let beside = |area: &Area| area.left < picture.right && picture.left < area.right;
    let distance = |area: &Area| {
        let (below, above) = (area.top - picture.bottom, picture.top - area.bottom);
        // Most stand below; above them stand those of the picture before.
        let found = if below >= -WITHIN { below } else { above + WITHIN };
        (-WITHIN..=NEAR).contains(&found).then_some(found)
    };
    let captions = placed.iter().filter(|one| one.is_caption && beside(&one.area));
    let near = captions.filter_map(|one| distance(&one.area).map(|distance| (distance, one)));
    if let Some((_, caption)) = near.min_by(|a, b| a.0.total_cmp(&b.0)) {
        return (Some(caption.range.clone()), Some(caption.block));
    }
    let above = |one: &&Placed| one.area.bottom <= picture.top + WITHIN && beside(&one.area);
    (None, placed.iter().rev().find(above).map(|one| one.block))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_the_caption_that_is_nearest() {
        let block = |block: u32, top: f32, is_caption: bool| Placed {
            area: Area { left: 50.0, top, right: 250.0, bottom: top + 10.0 },
            range: block as usize..block as usize + 1,
            block,
            is_caption,
        };
        let placed =
            [block(1, 20.0, false), block(2, 40.0, true), block(3, 155.0, true), block(4, 300.0, false)];
        let area = |left: f32, top: f32| Area { left, top, right: left + 100.0, bottom: top + 90.0 };
        assert_eq!(place(area(60.0, 60.0), &placed), (Some(3..4), Some(3)));
        // Above, where nothing is below.
        assert_eq!(place(area(60.0, 60.0), &placed[..2]), (Some(2..3), Some(2)));
        assert_eq!(place(area(60.0, 320.0), &placed), (None, Some(4)));
        assert_eq!(place(area(400.0, 60.0), &placed), (None, None));
    }

    #[test]
    fn names_lead_back() {
        assert_eq!(parts(&id(7, 2)), Some((7, 2)));
        for other in ["", "1", "0/1", "1/0", "1/2/3", "word/media/a.png"] {
            assert_eq!(parts(other), None, "{other}");
        }
    }
}
