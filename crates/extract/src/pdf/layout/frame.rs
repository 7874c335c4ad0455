//! Lays glyphs of one direction level: in a frame every text runs from left to right and line follows
//! line downwards, however it stands on the page.

use orangery_domain::Area;

use super::Glyph;

/// How much of a glyph's size stands above its base line, and how much below.
pub const ABOVE: f32 = 0.8;
pub const BELOW: f32 = 0.2;

/// Directions this close to the edges of the page are meant to be along them.
const SLANT: f32 = 0.07;

#[derive(Debug)]
pub struct Frame {
    /// The direction of reading on the page.
    dx: f32,
    dy: f32,
    /// By base line, then from left to right.
    pub cells: Vec<Cell>,
}

/// A glyph in a frame: `u` along the line, `v` down the lines.
#[derive(Debug, Clone, Copy)]
pub struct Cell {
    pub left: f32,
    pub right: f32,
    pub base: f32,
    pub size: f32,
    pub glyph: u32,
}

impl Frame {
    /// Whether its text stands upright on the page.
    pub fn is_upright(&self) -> bool {
        self.dx > 0.98
    }

    /// A box of the frame on the page.
    pub fn area(&self, left: f32, top: f32, right: f32, bottom: f32) -> Area {
        let corner = |u: f32, v: f32| (u * self.dx - v * self.dy, u * self.dy + v * self.dx);
        let corners = [corner(left, top), corner(right, top), corner(left, bottom), corner(right, bottom)];
        let mut area =
            Area { left: corners[0].0, top: corners[0].1, right: corners[0].0, bottom: corners[0].1 };
        for (x, y) in corners {
            area = area.around(Area { left: x, top: y, right: x, bottom: y });
        }
        area
    }
}

/// One frame for each direction, that of most glyphs first.
pub fn frames(glyphs: &[Glyph]) -> Vec<Frame> {
    let hanging = hanging(glyphs);
    let mut groups: Vec<(f32, f32, Vec<u32>)> = Vec::new();
    for (index, glyph) in glyphs.iter().enumerate() {
        let (dx, dy) = if hanging[index] { (0.0, 1.0) } else { straight(glyph.dx, glyph.dy) };
        let near = |group: &&mut (f32, f32, Vec<u32>)| group.0 * dx + group.1 * dy > 0.995;
        // So many directions are a drawing; what it says is kept, its order is nobody's.
        let crowded = groups.len() >= 64;
        match groups.iter_mut().find(|group| crowded || near(group)) {
            Some(group) => group.2.push(index as u32),
            None => groups.push((dx, dy, vec![index as u32])),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.2.len()));
    groups
        .into_iter()
        .map(|(mut dx, mut dy, indices)| {
            // A scan's text may lie slightly askew: level is what its glyphs say, all together.
            let (sum_x, sum_y) = indices
                .iter()
                .filter(|index| !hanging[**index as usize])
                .map(|index| &glyphs[*index as usize])
                .fold((0.0, 0.0), |(x, y), glyph| (x + glyph.dx, y + glyph.dy));
            let length: f32 = f32::hypot(sum_x, sum_y);
            if length > 0.0 && (sum_x * dx + sum_y * dy) / length > 0.9 {
                (dx, dy) = (sum_x / length, sum_y / length);
            }
            let cells = indices.iter().map(|index| {
                let glyph = &glyphs[*index as usize];
                if hanging[*index as usize] {
                    return Cell {
                        left: glyph.area.top,
                        right: glyph.area.bottom,
                        base: -glyph.area.right + glyph.size * ABOVE,
                        size: glyph.size,
                        glyph: *index,
                    };
                }
                let left = glyph.x * dx + glyph.y * dy;
                Cell {
                    left,
                    right: left + glyph.advance,
                    base: glyph.y * dx - glyph.x * dy,
                    size: glyph.size,
                    glyph: *index,
                }
            });
            let mut cells: Vec<Cell> = cells.collect();
            cells.sort_by(|a, b| a.base.total_cmp(&b.base).then(a.left.total_cmp(&b.left)));
            Frame { dx, dy, cells }
        })
        .collect()
}

fn straight(dx: f32, dy: f32) -> (f32, f32) {
    if dx.abs() < SLANT {
        (0.0, dy.signum())
    } else if dy.abs() < SLANT {
        (dx.signum(), 0.0)
    } else {
        (dx, dy)
    }
}

/// Which glyphs stand upright in a line that runs down: vertical Chinese and Japanese.
fn hanging(glyphs: &[Glyph]) -> Vec<bool> {
    let mut hanging = vec![false; glyphs.len()];
    let mut standing = 0;
    let upright = |glyph: &Glyph| glyph.dx > 0.98;
    for index in 1..glyphs.len() {
        let (before, after) = (&glyphs[index - 1], &glyphs[index]);
        if !upright(before)
            || !upright(after)
            || !is_ideographic(before.letter)
            || !is_ideographic(after.letter)
        {
            continue;
        }
        let size = before.size.max(after.size);
        let (across, down) = (after.area.left - before.area.left, after.area.top - before.area.top);
        if across.abs() < size * 0.4 && down > size * 0.6 && down < size * 1.6 {
            hanging[index - 1] = true;
            hanging[index] = true;
        } else if down.abs() < size * 0.4 && across > size * 0.4 && across < size * 2.0 {
            standing += 1;
        }
    }
    let hung = hanging.iter().filter(|hangs| **hangs).count();
    // Single characters one below the other in a page of level text are a list or the cells of a table.
    if hung < 2 || hung < standing {
        return vec![false; glyphs.len()];
    }
    for index in 1..glyphs.len() {
        // Figures and signs within such a line go with it.
        let near = |other: &Glyph, glyph: &Glyph| {
            (other.area.left - glyph.area.left).abs() < other.size
                && (glyph.area.top - other.area.top).abs() < other.size * 2.5
        };
        if !hanging[index]
            && hanging[index - 1]
            && upright(&glyphs[index])
            && near(&glyphs[index - 1], &glyphs[index])
        {
            hanging[index] = true;
        }
    }
    hanging
}

/// Scripts that are written without blanks and may run downwards.
pub fn is_ideographic(letter: char) -> bool {
    matches!(letter,
        '\u{2E80}'..='\u{2FDF}' | '\u{3000}'..='\u{30FF}' | '\u{3105}'..='\u{312F}' | '\u{31A0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FE30}'..='\u{FE4F}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}
