//! From glyphs to words, by the gaps between them.

use std::ops::Range;

use super::Glyph;
use super::frame::{ABOVE, BELOW, Cell, Frame, is_ideographic};

/// Base lines this close, in sizes, are one.
const SAME_BASE: f32 = 0.22;
/// A gap this wide, in sizes, ends what is looked at as one run of text.
const RUN: f32 = 1.2;

#[derive(Debug, Clone)]
pub struct Word {
    pub left: f32,
    pub right: f32,
    pub base: f32,
    pub top: f32,
    pub bottom: f32,
    pub size: f32,
    pub bold: bool,
    pub mono: bool,
    /// Words on one base line have the same; lines are counted downwards.
    pub row: u32,
    /// Its cells, from left to right; numbers of glyphs.
    pub glyphs: Vec<u32>,
    /// White space to the words before and after it on the same base line; infinite where there is none.
    pub before: f32,
    pub after: f32,
    /// All of it is of a script that is written without blanks.
    pub ideographic: bool,
}

/// A cell that is not blank, and whether the file has a blank before it.
struct Inked<'a> {
    cell: &'a Cell,
    blank: bool,
}

/// By base line, then from left to right.
pub fn words(frame: &Frame, glyphs: &[Glyph]) -> Vec<Word> {
    let mut words = Vec::new();
    for (number, row) in (0..).zip(rows(&frame.cells)) {
        let mut cells: Vec<&Cell> = frame.cells[row].iter().collect();
        cells.sort_by(|a, b| a.left.total_cmp(&b.left).then(a.glyph.cmp(&b.glyph)));
        let mut inked: Vec<Inked<'_>> = Vec::with_capacity(cells.len());
        let mut blank = false;
        for cell in cells {
            let glyph = &glyphs[cell.glyph as usize];
            if glyph.letter.is_whitespace() {
                blank = true;
                continue;
            }
            if inked.last().is_some_and(|last| is_overprint(last.cell, cell, glyphs)) {
                continue;
            }
            inked.push(Inked { cell, blank });
            blank = false;
        }
        let first = words.len();
        split(&inked, glyphs, &mut words);
        for word in &mut words[first..] {
            word.row = number;
        }
        for index in first + 1..words.len() {
            let gap = words[index].left - words[index - 1].right;
            words[index].before = gap;
            words[index - 1].after = gap;
        }
    }
    words
}

/// Ranges of cells that stand on one base line.
fn rows(cells: &[Cell]) -> Vec<Range<usize>> {
    let mut rows = Vec::new();
    let mut start = 0;
    for index in 1..=cells.len() {
        let ends = index == cells.len() || {
            let (first, last, next) = (&cells[start], &cells[index - 1], &cells[index]);
            let size = last.size.min(next.size);
            next.base - last.base > size * SAME_BASE || next.base - first.base > size * SAME_BASE * 2.0
        };
        if ends && start < index {
            rows.push(start..index);
            start = index;
        }
    }
    rows
}

/// The same sign printed twice, slightly apart, to look bold.
fn is_overprint(last: &Cell, cell: &Cell, glyphs: &[Glyph]) -> bool {
    let (a, b) = (&glyphs[last.glyph as usize], &glyphs[cell.glyph as usize]);
    a.letter == b.letter
        && (cell.left - last.left).abs() < cell.size * 0.1
        && (cell.right - cell.left) > cell.size * 0.15
}

/// Cuts a row into words.
fn split(row: &[Inked<'_>], glyphs: &[Glyph], words: &mut Vec<Word>) {
    let letter = |inked: &Inked<'_>| glyphs[inked.cell.glyph as usize].letter;
    let gap = |index: usize| row[index].cell.left - row[index - 1].cell.right;
    let size = |index: usize| row[index].cell.size.max(row[index - 1].cell.size);
    let mut start = 0;
    while start < row.len() {
        let mut end = start + 1;
        while end < row.len() && gap(end) < size(end) * RUN {
            end += 1;
        }
        // How far apart letters of one word are here: what most gaps are, tracked text included.
        let mut gaps: Vec<f32> = (start + 1..end)
            .filter(|index| !row[*index].blank)
            .map(|index| gap(index) / size(index))
            .collect();
        let blanks = (start + 1..end).filter(|index| row[*index].blank).count();
        gaps.sort_unstable_by(f32::total_cmp);
        let usual = if gaps.len() >= 6 { gaps[gaps.len() * 2 / 5].clamp(-0.1, 0.8) } else { 0.0 };
        let slack = if blanks * 12 > end - start { 0.22 } else { parting(&gaps, usual) };
        let mut from = start;
        for index in start + 1..=end {
            let apart = index == end || {
                let gap = gap(index) / size(index);
                let close = is_ideographic(letter(&row[index])) && is_ideographic(letter(&row[index - 1]));
                let slack = if close { 0.45 } else { slack };
                gap > usual + slack || (row[index].blank && gap > usual + 0.03)
            };
            if apart {
                words.push(word(&row[from..index], glyphs));
                from = index;
            }
        }
        start = end;
    }
}

/// How much wider than usual a gap between words is, in a run without blanks: where gaps leave the widest
/// space between narrow and wide ones.
fn parting(gaps: &[f32], usual: f32) -> f32 {
    const DEFAULT: f32 = 0.16;
    let likely = usual + 0.06..usual + 0.3;
    let mut best = (0.05, DEFAULT);
    for pair in gaps.windows(2).skip(gaps.len() / 2) {
        let middle = (pair[0] + pair[1]) / 2.0;
        if pair[1] - pair[0] > best.0 && likely.contains(&middle) && pair[0] < usual + 0.16 {
            best = (pair[1] - pair[0], middle - usual);
        }
    }
    if gaps.len() < 12 { DEFAULT } else { best.1 }
}

fn word(cells: &[Inked<'_>], glyphs: &[Glyph]) -> Word {
    let first = cells[0].cell;
    let size = cells.iter().map(|inked| inked.cell.size).fold(0.0, f32::max);
    let of = |inked: &Inked<'_>| &glyphs[inked.cell.glyph as usize];
    Word {
        left: first.left,
        right: cells.iter().map(|inked| inked.cell.right).fold(first.right, f32::max),
        base: first.base,
        top: first.base - size * ABOVE,
        bottom: first.base + size * BELOW,
        size,
        bold: cells.iter().filter(|inked| of(inked).bold).count() * 2 > cells.len(),
        mono: cells.iter().all(|inked| of(inked).mono),
        row: 0,
        glyphs: cells.iter().map(|inked| inked.cell.glyph).collect(),
        before: f32::INFINITY,
        after: f32::INFINITY,
        ideographic: cells.iter().all(|inked| is_ideographic(of(inked).letter)),
    }
}
