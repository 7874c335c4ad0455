//! From words to lines, and from lines to text.

use orangery_domain::Area;

use super::bidi::{self, Direction};
use super::frame::{Frame, is_ideographic};
use super::word::Word;
use super::{Context, Glyph};

#[derive(Debug)]
pub struct Line {
    /// From left to right.
    pub words: Vec<u32>,
    pub left: f32,
    pub right: f32,
    pub top: f32,
    pub bottom: f32,
    pub base: f32,
    /// The size of most of it.
    pub size: f32,
    pub bold: bool,
    /// All of it is of a font whose signs are equally wide.
    pub mono: bool,
    pub text: String,
}

/// The lines of a column, downwards.
pub fn lines(context: &Context<'_>, words: &[u32]) -> Vec<Line> {
    let mut open: Vec<Open> = Vec::new();
    for index in words {
        let word = &context.words[*index as usize];
        // A line stays open for as long as something could still stand beside it.
        let fits = |line: &Open| line.takes(word);
        let from = open.len().saturating_sub(8);
        let chosen = match open[from..].iter().position(fits) {
            // An initial of several lines stands beside the first of them.
            Some(first) if open[from + first].size * 1.8 < word.size => Some(first),
            Some(_) => open[from..].iter().rposition(fits),
            None => None,
        };
        match chosen {
            Some(line) => open[from + line].add(*index, word),
            None => open.push(Open::new(*index, word)),
        }
    }
    open.sort_by(|a, b| a.base.total_cmp(&b.base));
    open.into_iter().map(|line| Line::of(context, line.words)).collect()
}

/// A line that is being put together.
struct Open {
    words: Vec<u32>,
    top: f32,
    bottom: f32,
    base: f32,
    size: f32,
}

impl Open {
    fn new(index: u32, word: &Word) -> Self {
        Self { words: vec![index], top: word.top, bottom: word.bottom, base: word.base, size: word.size }
    }

    fn takes(&self, word: &Word) -> bool {
        let both = self.bottom.min(word.bottom) - self.top.max(word.top);
        both >= (self.bottom - self.top).min(word.bottom - word.top) * 0.5
    }

    fn add(&mut self, index: u32, word: &Word) {
        self.words.push(index);
        // Small signs above and below hang on to the line; an initial does not make it taller.
        if word.size > self.size * 1.05 && word.size < self.size * 1.8 {
            (self.top, self.bottom, self.base, self.size) = (word.top, word.bottom, word.base, word.size);
        }
    }
}

impl Line {
    pub fn of(context: &Context<'_>, mut words: Vec<u32>) -> Self {
        let all = context.words;
        words.sort_by(|a, b| all[*a as usize].left.total_cmp(&all[*b as usize].left));
        let each = || words.iter().map(|word| &all[*word as usize]);
        let letters = |word: &Word| word.glyphs.len();
        let count: usize = each().map(letters).sum();
        let bold: usize = each().filter(|word| word.bold).map(letters).sum();
        let size = usual_size(each());
        let main = || each().filter(|word| (word.size - size).abs() < size * 0.05);
        let fold = |start: f32, pick: fn(&Word) -> f32, with: fn(f32, f32) -> f32| {
            each().map(pick).fold(start, with)
        };
        let mut line = Self {
            left: fold(f32::INFINITY, |word| word.left, f32::min),
            right: fold(f32::NEG_INFINITY, |word| word.right, f32::max),
            top: fold(f32::INFINITY, |word| word.top, f32::min),
            bottom: fold(f32::NEG_INFINITY, |word| word.bottom, f32::max),
            base: main().map(|word| word.base).fold(f32::NEG_INFINITY, f32::max),
            size,
            bold: bold * 2 > count,
            mono: each().all(|word| word.mono),
            text: String::new(),
            words,
        };
        line.text = text(context, &line.words);
        line
    }

    pub fn area(&self, frame: &Frame) -> Area {
        frame.area(self.left, self.top, self.right, self.bottom)
    }

    pub fn letters(&self, context: &Context<'_>) -> usize {
        self.words.iter().map(|word| context.words[*word as usize].glyphs.len()).sum()
    }
}

/// The size that most letters have.
fn usual_size<'a>(words: impl Iterator<Item = &'a Word>) -> f32 {
    let mut sizes: Vec<(f32, usize)> = words.map(|word| (word.size, word.glyphs.len())).collect();
    sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = sizes.iter().map(|(_, letters)| letters).sum::<usize>() / 2;
    let mut seen = 0;
    sizes
        .iter()
        .find(|(_, letters)| {
            seen += letters;
            seen > half
        })
        .map_or(1.0, |(size, _)| *size)
}

/// The text of words that stand on one line from left to right, in the order it is read in.
pub fn text(context: &Context<'_>, words: &[u32]) -> String {
    /// A glyph, or a blank.
    type Sign = Option<u32>;
    let mut signs: Vec<Sign> = Vec::new();
    let mut last: Option<&Word> = None;
    for index in words {
        let word = &context.words[*index as usize];
        if last.is_some_and(|last| are_apart(last, word, context.glyphs)) {
            signs.push(None);
        }
        signs.extend(word.glyphs.iter().copied().map(Some));
        last = Some(word);
    }
    let glyph = |sign: u32| &context.glyphs[sign as usize];
    let mut text = String::with_capacity(signs.len());
    let turned = signs.iter().flatten().any(|sign| bidi::direction(glyph(*sign).letter) == Direction::Right);
    if turned {
        let directions: Vec<Direction> = signs
            .iter()
            .map(|sign| sign.map_or(Direction::Neutral, |sign| bidi::direction(glyph(sign).letter)))
            .collect();
        for index in bidi::logical(&directions) {
            push(&mut text, signs[index].map(glyph));
        }
    } else {
        let mut signs = signs.into_iter().map(|sign| sign.map(glyph)).peekable();
        while let Some(sign) = signs.next() {
            match (sign, signs.peek().copied().flatten()) {
                (Some(one), Some(other)) if let Some(letter) = accented(one, other) => {
                    text.push(letter);
                    signs.next();
                }
                _ => push(&mut text, sign),
            }
        }
    }
    text
}

/// The letter that a mark and a letter in one place make: some programs print the two over each other.
fn accented(one: &Glyph, other: &Glyph) -> Option<char> {
    use unicode_normalization::char::compose;
    let middle = |glyph: &Glyph| glyph.x + glyph.advance / 2.0;
    if (middle(one) - middle(other)).abs() > one.size * 0.2 {
        return None;
    }
    let (mark, letter) = match (combining(one.letter), combining(other.letter)) {
        (Some(mark), None) => (mark, other.letter),
        (None, Some(mark)) => (mark, one.letter),
        _ => return None,
    };
    let letter = match letter {
        'ı' => 'i',
        'ȷ' => 'j',
        letter => letter,
    };
    compose(letter, mark)
}

/// A mark that stands alone, as one that belongs to a letter.
fn combining(mark: char) -> Option<char> {
    Some(match mark {
        '`' => '\u{300}',
        '´' => '\u{301}',
        'ˆ' | '^' => '\u{302}',
        '˜' => '\u{303}',
        '¯' => '\u{304}',
        '˘' => '\u{306}',
        '˙' => '\u{307}',
        '¨' => '\u{308}',
        '˚' => '\u{30A}',
        '˝' => '\u{30B}',
        'ˇ' => '\u{30C}',
        '¸' => '\u{327}',
        '˛' => '\u{328}',
        _ => return None,
    })
}

fn push(text: &mut String, glyph: Option<&Glyph>) {
    let Some(glyph) = glyph else {
        text.push(' ');
        return;
    };
    super::join::push_plain(text, glyph.letter);
    for letter in glyph.more.as_deref().unwrap_or_default().chars() {
        super::join::push_plain(text, letter);
    }
}

/// Whether a blank stands between two words of a line.
fn are_apart(last: &Word, word: &Word, glyphs: &[Glyph]) -> bool {
    let gap = word.left - last.right;
    if (last.base - word.base).abs() < 0.01 || last.after == gap {
        // They were parted for their gap.
        return !(last.ideographic && word.ideographic && gap < last.size);
    }
    let letter = |index: u32| glyphs[index as usize].letter;
    let (end, start) = (letter(last.glyphs[last.glyphs.len() - 1]), letter(word.glyphs[0]));
    if last.size > word.size * 1.8 && last.glyphs.len() == 1 && start.is_lowercase() {
        // An initial and the rest of its word.
        return false;
    }
    if word.size < last.size * 0.85 && last.glyphs.len() > 2 && end.is_alphabetic() && start.is_numeric() {
        // The number of a footnote is no part of the word.
        return !is_ideographic(end);
    }
    gap > last.size.min(word.size) * 0.16
}
