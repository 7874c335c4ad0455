//! From glyphs on pages to blocks in reading order. Pure: nothing here knows where glyphs come from.
//!
//! Glyphs of one direction are laid level ([`frame`]); gaps between them make words ([`word`]); what
//! stands at the same place on several pages is set aside ([`running`]); white space that runs down a
//! page cuts it into columns, again and again ([`column`]); the words of a column make lines ([`line`]),
//! and lines make tables ([`table`]) and paragraphs ([`paragraph`]), which may go on in the next column.

mod bidi;
mod column;
mod frame;
mod join;
mod line;
mod paragraph;
mod running;
mod table;
mod word;

#[cfg(test)]
mod tests;

use orangery_domain::Area;

pub use join::{Compounds, append};

use frame::Frame;
use line::Line;
use word::Word;

/// Bytes of what a glyph stands for besides its first character; ligatures of words have a dozen.
const MORE: usize = 64;

/// One glyph on a page as it is shown: points from the top left corner, `y` downwards.
#[derive(Debug, Clone, PartialEq)]
pub struct Glyph {
    pub letter: char,
    /// What it stands for besides: the rest of a ligature.
    pub more: Option<Box<str>>,
    /// The box of its font around it.
    pub area: Area,
    /// Where it begins, on its base line.
    pub x: f32,
    pub y: f32,
    /// The direction that it is read in, of length 1.
    pub dx: f32,
    pub dy: f32,
    /// How far it reaches in that direction.
    pub advance: f32,
    pub size: f32,
    pub bold: bool,
    /// Of a font whose signs are all equally wide.
    pub mono: bool,
}

impl Glyph {
    /// Has it stand for one more character; `false` when it stands for as many as any may.
    pub fn add(&mut self, letter: char) -> bool {
        let mut more = self.more.take().map(String::from).unwrap_or_default();
        let has_room = more.len() < MORE;
        if has_room {
            more.push(letter);
        }
        self.more = Some(more.into());
        has_room
    }
}

/// The glyphs of a page, in the order of its content.
#[derive(Debug, Default)]
pub struct PageGlyphs {
    pub height: f32,
    pub glyphs: Vec<Glyph>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// `level` 1 to 6.
    Heading {
        level: u8,
    },
    Paragraph,
    ListItem,
    Table,
    Caption,
    Footnote,
    /// A program, line by line.
    Code,
    Header,
    Footer,
}

/// A block on a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    pub role: Role,
    pub text: String,
    pub area: Area,
    /// The size of most of it.
    size: f32,
    bold: bool,
    /// Its first line is set in, its last line reaches the end of the column: what continuation goes by.
    indented: bool,
    full: bool,
}

/// What is the same for the whole document.
struct Style {
    /// The size most text has.
    body: f32,
    /// Most text is bold; is of a font whose signs are all equally wide.
    bold: bool,
    mono: bool,
    compounds: Compounds,
}

/// Blocks of each page in reading order, what pages repeat at the end of theirs.
pub fn document(pages: &[PageGlyphs]) -> Vec<Vec<Piece>> {
    let frames: Vec<Vec<Frame>> = pages.iter().map(|page| frame::frames(&page.glyphs)).collect();
    let words: Vec<Vec<Vec<Word>>> = frames
        .iter()
        .zip(pages)
        .map(|(frames, page)| frames.iter().map(|frame| word::words(frame, &page.glyphs)).collect())
        .collect();
    let style = style(pages);
    let repeated = running::find(pages, &frames, &words);
    let mut found: Vec<Vec<Piece>> = Vec::with_capacity(pages.len());
    for (index, page) in pages.iter().enumerate() {
        let mut pieces = Vec::new();
        for (number, frame) in frames[index].iter().enumerate() {
            let all = &words[index][number];
            let set_aside = &repeated[index];
            let context = Context { glyphs: &page.glyphs, frame, words: all, style: &style };
            let upright = frame.is_upright();
            let body: Vec<u32> =
                (0..all.len() as u32).filter(|word| !upright || !set_aside.holds(*word)).collect();
            context.body(body, &mut pieces);
        }
        if let Some((number, frame)) = frames[index].iter().enumerate().find(|(_, frame)| frame.is_upright())
        {
            let context =
                Context { glyphs: &page.glyphs, frame, words: &words[index][number], style: &style };
            for (role, words) in repeated[index].rows() {
                pieces.extend(context.row(words, role));
            }
        }
        found.push(pieces);
    }
    levels(&mut found, style.body);
    join::across_pages(&mut found, &style.compounds);
    found
}

/// The words of one page with their boxes, in reading order.
pub fn words(page: &PageGlyphs) -> Vec<(String, Area)> {
    let style = style(std::slice::from_ref(page));
    let mut found = Vec::new();
    for frame in &frame::frames(&page.glyphs) {
        let words = word::words(frame, &page.glyphs);
        let context = Context { glyphs: &page.glyphs, frame, words: &words, style: &style };
        for column in column::columns(&context, (0..words.len() as u32).collect()) {
            for index in line::lines(&context, &column).into_iter().flat_map(|line| line.words) {
                let word = &words[index as usize];
                let area = frame.area(word.left, word.top, word.right, word.bottom);
                found.push((line::text(&context, &[index]), area));
            }
        }
    }
    found
}

/// A frame of a page and what is in it.
struct Context<'a> {
    glyphs: &'a [Glyph],
    frame: &'a Frame,
    words: &'a [Word],
    style: &'a Style,
}

impl Context<'_> {
    fn body(&self, words: Vec<u32>, pieces: &mut Vec<Piece>) {
        let first = pieces.len();
        for column in column::columns(self, words) {
            let start = pieces.len();
            let lines = line::lines(self, &column);
            paragraph::pieces(self, &lines, pieces);
            join::across_columns(pieces, first, start, &self.style.compounds);
        }
    }

    fn row(&self, words: &[u32], role: Role) -> Option<Piece> {
        let line = Line::of(self, words.to_vec());
        (!line.text.trim().is_empty()).then(|| Piece {
            role,
            area: line.area(self.frame),
            text: line.text,
            size: line.size,
            bold: line.bold,
            indented: false,
            full: false,
        })
    }
}

fn style(pages: &[PageGlyphs]) -> Style {
    // By quarters of a point.
    let mut sizes = vec![0_usize; 400];
    let (mut bold, mut mono, mut all) = (0, 0, 0);
    for glyph in pages.iter().flat_map(|page| &page.glyphs) {
        if let Some(count) = sizes.get_mut((glyph.size * 4.0).round() as usize) {
            *count += 1;
        }
        bold += usize::from(glyph.bold);
        mono += usize::from(glyph.mono);
        all += 1;
    }
    let body = (0..sizes.len()).rev().max_by_key(|size| sizes[*size]).filter(|size| sizes[*size] > 0);
    Style {
        body: body.map_or(10.0, |size| size as f32 / 4.0),
        bold: bold * 2 > all,
        mono: mono * 2 > all,
        compounds: Compounds::default(),
    }
    .with_compounds(pages)
}

impl Style {
    fn with_compounds(mut self, pages: &[PageGlyphs]) -> Self {
        for page in pages {
            self.compounds.learn(&page.glyphs);
        }
        self
    }
}

/// Gives headings their levels: the largest is the first.
fn levels(pages: &mut [Vec<Piece>], body: f32) {
    let key = |piece: &Piece| ((piece.size * 2.0).round() as i32, piece.bold);
    let is_heading = |piece: &&mut Piece| matches!(piece.role, Role::Heading { .. });
    let mut kinds: Vec<(i32, bool)> = pages
        .iter_mut()
        .flatten()
        .filter(is_heading)
        .map(|piece| key(piece))
        .filter(|(size, _)| *size as f32 / 2.0 > body * 0.8)
        .collect();
    kinds.sort_by(|a, b| b.cmp(a));
    kinds.dedup();
    for piece in pages.iter_mut().flatten().filter(is_heading) {
        let rank = kinds.partition_point(|kind| *kind > key(piece));
        piece.role = Role::Heading { level: (rank + 1).min(6) as u8 };
    }
}
