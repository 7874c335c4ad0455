//! Cuts a page into columns along the white space that runs down it, and each part again.

use std::collections::HashMap;

use super::Context;
use super::bidi::{self, Direction};
use super::word::Word;

/// How often a part is cut again.
const DEEPEST: u32 = 24;
/// Places looked at for white space, those where most words begin or end first.
const CANDIDATES: usize = 32;
/// The narrowest white space between columns, in sizes.
const NARROWEST: f32 = 0.7;

/// The words of each column, columns in reading order.
pub fn columns(context: &Context<'_>, mut words: Vec<u32>) -> Vec<Vec<u32>> {
    // Their numbers follow the lines.
    words.sort_unstable();
    let cutter = Cutter {
        words: context.words,
        from_right: from_right(context, &words),
        mono_is_code: !context.style.mono,
    };
    let mut columns = Vec::new();
    cutter.cut(words, DEEPEST, &mut columns);
    columns
}

/// Whether most of the text runs from right to left: its columns do too.
fn from_right(context: &Context<'_>, words: &[u32]) -> bool {
    let mut balance = 0_i64;
    for word in words {
        let first = context.words[*word as usize].glyphs[0];
        match bidi::direction(context.glyphs[first as usize].letter) {
            Direction::Right => balance += 1,
            Direction::Left => balance -= 1,
            _ => {}
        }
    }
    balance > 0
}

struct Cutter<'a> {
    words: &'a [Word],
    from_right: bool,
    /// Lines of signs equally wide are lines of a program.
    mono_is_code: bool,
}

/// White space between two columns.
struct Gutter {
    x: f32,
    top: f32,
    bottom: f32,
    score: f32,
}

/// The words of one side of a gutter that stand on one line.
struct Row {
    row: u32,
    mono: bool,
    base: f32,
    left: f32,
    right: f32,
    /// White space within it, all together, and how many gaps that are.
    blank: f32,
    gaps: u32,
    /// The widest stretch without a wide gap, and its letters.
    widest: f32,
    widest_letters: usize,
    /// Where the last stretch begins, and its letters.
    stretch: f32,
    stretch_letters: usize,
}

impl Cutter<'_> {
    fn word(&self, index: u32) -> &Word {
        &self.words[index as usize]
    }

    /// `words` by base line.
    fn cut(&self, words: Vec<u32>, depth: u32, columns: &mut Vec<Vec<u32>>) {
        if words.is_empty() {
            return;
        }
        let gutter = if depth == 0 || words.len() < 6 { None } else { self.gutter(&words) };
        let Some(gutter) = gutter else {
            columns.push(words);
            return;
        };
        let mut parts: [Vec<u32>; 4] = Default::default();
        for index in words {
            let word = self.word(index);
            let middle = (word.top + word.bottom) / 2.0;
            let part = if middle < gutter.top {
                0
            } else if middle > gutter.bottom {
                3
            } else if ((word.left + word.right) / 2.0 < gutter.x) != self.from_right {
                1
            } else {
                2
            };
            parts[part].push(index);
        }
        self.finish_above(&mut parts);
        for part in parts {
            self.cut(part, depth - 1, columns);
        }
    }

    /// The last line of a paragraph above the columns may be so short that it stands above the first of
    /// them alone; it belongs to its paragraph.
    fn finish_above(&self, parts: &mut [Vec<u32>; 4]) {
        let side = if self.from_right { 2 } else { 1 };
        let row = |words: &[u32], base: f32| -> Option<(f32, f32)> {
            let of = words.iter().map(|index| self.word(*index));
            let row = of.filter(|word| (word.base - base).abs() < word.size * 0.4);
            row.map(|word| (word.left, word.size)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
        };
        let base = |index: &u32| self.word(*index).base;
        let (Some(above), Some(first)) = (parts[0].last().map(base), parts[side].first().map(base)) else {
            return;
        };
        let (Some((above_left, size)), Some((left, own_size))) =
            (row(&parts[0], above), row(&parts[side], first))
        else {
            return;
        };
        let pitch = first - above;
        let Some(second) = parts[side].iter().map(base).find(|base| base - first > own_size * 0.4) else {
            return;
        };
        let Some((second_left, _)) = row(&parts[side], second) else { return };
        let other = parts[3 - side].first().map_or(f32::INFINITY, base);
        let goes_on = (left - above_left).abs() < size * 0.3
            && (size - own_size).abs() < size * 0.05
            && pitch < size * 1.5
            && other - first > size * 0.5
            && (second - first > pitch * 1.15 || (second_left - left).abs() > size * 0.5);
        if goes_on {
            let end = parts[side].partition_point(|index| base(index) - first < own_size * 0.4);
            let line: Vec<u32> = parts[side].drain(..end).collect();
            parts[0].extend(line);
        }
    }

    fn gutter(&self, words: &[u32]) -> Option<Gutter> {
        let size = self.usual_size(words);
        let mut places: HashMap<(bool, i32), (u32, f32)> = HashMap::new();
        for index in words {
            let word = self.word(*index);
            if word.before > size * NARROWEST {
                let place = places.entry((false, word.left.round() as i32)).or_insert((0, word.left));
                *place = (place.0 + 1, place.1.min(word.left));
            }
            if word.after > size * NARROWEST {
                let place = places.entry((true, word.right.round() as i32)).or_insert((0, word.right));
                *place = (place.0 + 1, place.1.max(word.right));
            }
        }
        let mut places: Vec<(u32, bool, f32)> =
            places.into_iter().map(|((ends, _), (count, x))| (count, ends, x)).collect();
        if words.len() > 40 {
            // Where columns begin or end, more than one line does.
            places.retain(|(count, ..)| *count > 1);
        }
        places.sort_by(|a, b| b.0.cmp(&a.0).then(a.2.total_cmp(&b.2)).then(a.1.cmp(&b.1)));
        places.truncate(CANDIDATES);
        let mut best: Option<Gutter> = None;
        for (_, ends, x) in places {
            let (slack, width) = (size * 0.1, size * NARROWEST);
            let (from, to) = if ends { (x + slack, x + width) } else { (x - width, x - slack) };
            self.along(words, from, to, size, &mut best);
        }
        best
    }

    /// Looks for free stretches of the strip from `from` to `to`.
    fn along(&self, words: &[u32], from: f32, to: f32, size: f32, best: &mut Option<Gutter>) {
        let mut stretch: Vec<u32> = Vec::new();
        let mut start = f32::NEG_INFINITY;
        let mut flush = |stretch: &mut Vec<u32>, start: f32, end: f32| {
            if stretch.len() >= 4 {
                stretch.retain(|index| {
                    let word = self.word(*index);
                    let middle = (word.top + word.bottom) / 2.0;
                    middle > start && middle < end
                });
                if let Some(gutter) = self.judge(stretch, (from + to) / 2.0, size)
                    && best.as_ref().is_none_or(|best| best.score < gutter.score)
                {
                    *best = Some(gutter);
                }
            }
            stretch.clear();
        };
        for index in words {
            let word = self.word(*index);
            if word.left < to && word.right > from {
                flush(&mut stretch, start, word.top);
                start = start.max(word.bottom);
            } else {
                stretch.push(*index);
            }
        }
        flush(&mut stretch, start, f32::INFINITY);
    }

    /// Whether what stands on both sides of `x` are columns.
    fn judge(&self, words: &[u32], x: f32, size: f32) -> Option<Gutter> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for index in words {
            let word = self.word(*index);
            let side = if word.right <= x { &mut left } else { &mut right };
            add(side, word, size);
        }
        trim(&mut left, &mut right, size);
        let (mut left_side, mut right_side) = (Side::of(&left)?, Side::of(&right)?);
        let top = left[0].base.max(right[0].base) - size;
        let bottom = left[left.len() - 1].base.min(right[right.len() - 1].base) + size * 0.3;
        let common = bottom - top;
        let width = right_side.left - left_side.right;
        if left.len().min(right.len()) < 2 || common < size * 1.8 || width < size * NARROWEST * 0.8 {
            return None;
        }
        // Marks of a list, numbers of equations: they belong to the line beside them.
        if left_side.width() < size * 3.5 || right_side.width() < size * 3.5 {
            return None;
        }
        // The rest is judged where both sides have text.
        let within = |row: &Row| row.base > top && row.base < bottom + size * 0.2;
        let both: [Vec<&Row>; 2] = [
            left.iter().filter(|row| within(row)).collect(),
            right.iter().filter(|row| within(row)).collect(),
        ];
        left_side.look_at(&both[0]);
        right_side.look_at(&both[1]);
        let rates = [matched(&both[0], &both[1], size), matched(&both[1], &both[0], size)];
        let matched = rates[0].max(rates[1]);
        // Lines beside lines may be rows of a table. Columns hold text on both sides, or text on one and on
        // the other something that takes no notice of its lines: a figure, a program.
        let text = left_side.is_text() && right_side.is_text()
            || left_side.is_solid(both[0].len()) && rates[1] < 0.85
            || right_side.is_solid(both[1].len()) && rates[0] < 0.85;
        if matched > 0.6 && !text {
            return None;
        }
        // A program and the remarks beside it.
        let code = both.iter().all(|rows| rows.iter().filter(|row| row.mono).count() * 10 > rows.len() * 9);
        if self.mono_is_code && matched > 0.8 && code {
            return None;
        }
        // White space that comes about by chance within lines has ragged edges, and is no wider than the
        // other gaps of these lines.
        let even = left_side.even_right.max(right_side.even_left);
        if width < size * 1.4 && even < 0.5 {
            return None;
        }
        let (wider, all) = wider(&both[0], &both[1], size);
        // So few lines are columns only when all speaks for it.
        if both[0].len().min(both[1].len()) < 3 && (!text || width < size * 2.5 || wider < all) {
            return None;
        }
        if wider * 5 < all * 3 && (width < size * 1.4 || both[0].len().min(both[1].len()) < 8) {
            return None;
        }
        let all_top = left[0].base.min(right[0].base) - size;
        let all_bottom = left[left.len() - 1].base.max(right[right.len() - 1].base) + size * 0.3;
        Some(Gutter {
            x,
            top: all_top,
            bottom: all_bottom,
            // Wide and long; what goes on beyond the shorter side counts too.
            score: common * (0.9 + 0.1 * (width / (size * 2.0)).min(1.0)) + (all_bottom - all_top) * 0.25,
        })
    }

    fn usual_size(&self, words: &[u32]) -> f32 {
        let mut sizes: Vec<f32> = words.iter().map(|index| self.word(*index).size).collect();
        let middle = sizes.len() / 2;
        let (_, middle, _) = sizes.select_nth_unstable_by(middle, f32::total_cmp);
        middle.max(0.5)
    }
}

/// Adds a word to the rows of a side; words come by base line.
fn add(rows: &mut Vec<Row>, word: &Word, size: f32) {
    match rows.last_mut() {
        Some(row) if word.row == row.row => {
            let gap = word.left - row.right;
            if gap > 0.0 {
                row.blank += gap;
                row.gaps += 1;
            }
            if gap > size * 1.2 {
                row.stretch = word.left;
                row.stretch_letters = 0;
            }
            row.right = row.right.max(word.right);
            row.mono &= word.mono;
            row.stretch_letters += word.glyphs.len();
            if row.right - row.stretch > row.widest {
                row.widest = row.right - row.stretch;
                row.widest_letters = row.stretch_letters;
            }
        }
        _ => rows.push(Row {
            row: word.row,
            mono: word.mono,
            base: word.base,
            left: word.left,
            right: word.right,
            blank: 0.0,
            gaps: 0,
            widest: word.right - word.left,
            widest_letters: word.glyphs.len(),
            stretch: word.left,
            stretch_letters: word.glyphs.len(),
        }),
    }
}

/// Takes lines off both ends that run across the gutter and only happen to have a blank there.
fn trim(left: &mut Vec<Row>, right: &mut Vec<Row>, size: f32) {
    for at_end in [false, true] {
        for _ in 0..3 {
            let (Some(left_side), Some(right_side)) = (Side::of(left), Side::of(right)) else { return };
            let row = |rows: &[Row]| if at_end { rows.len() - 1 } else { 0 };
            let (a, b) = (&left[row(left)], &right[row(right)]);
            let across = (a.base - b.base).abs() < size * 0.3 && b.left - a.right < size * 1.6;
            let at_edge = (a.right - left_side.usual_right).abs() < size * 0.3
                || (b.left - right_side.usual_left).abs() < size * 0.3;
            if !across || at_edge {
                break;
            }
            let (a, b) = (row(left), row(right));
            left.remove(a);
            right.remove(b);
        }
    }
}

/// The one of `rows`, which follow each other downwards, that stands beside `row`.
fn beside<'a>(row: &Row, rows: &[&'a Row], size: f32) -> Option<&'a Row> {
    let first = rows.partition_point(|other| other.base <= row.base - size * 0.25);
    rows.get(first).copied().filter(|other| other.base < row.base + size * 0.25)
}

/// How many of `rows` have one of `others` beside them.
fn matched(rows: &[&Row], others: &[&Row], size: f32) -> f32 {
    let matched = rows.iter().filter(|row| beside(row, others, size).is_some()).count();
    matched as f32 / rows.len().max(1) as f32
}

/// On how many lines the gap between the sides is wider than those within; and of how many that can be
/// said.
fn wider(left: &[&Row], right: &[&Row], size: f32) -> (usize, usize) {
    let (mut wider, mut all) = (0, 0);
    for row in left {
        let Some(other) = beside(row, right, size) else { continue };
        let gaps = row.gaps + other.gaps;
        if gaps > 0 {
            all += 1;
            wider += usize::from(other.left - row.right > (row.blank + other.blank) / gaps as f32 * 1.4);
        }
    }
    (wider, all)
}

/// What the rows on one side of a gutter have in common.
struct Side {
    left: f32,
    right: f32,
    usual_left: f32,
    usual_right: f32,
    /// Share of rows that begin and end where most do.
    even_left: f32,
    even_right: f32,
    /// Share of rows that are full of text, and of those full of much text.
    text: f32,
    long_text: f32,
}

impl Side {
    fn of(rows: &[Row]) -> Option<Self> {
        let all: Vec<&Row> = rows.iter().collect();
        let first = rows.first()?;
        let mut side = Self {
            left: rows.iter().map(|row| row.left).fold(first.left, f32::min),
            right: rows.iter().map(|row| row.right).fold(first.right, f32::max),
            usual_left: 0.0,
            usual_right: 0.0,
            even_left: 0.0,
            even_right: 0.0,
            text: 0.0,
            long_text: 0.0,
        };
        side.look_at(&all);
        Some(side)
    }

    fn look_at(&mut self, rows: &[&Row]) {
        (self.usual_left, self.even_left) = usual(rows.iter().map(|row| row.left));
        (self.usual_right, self.even_right) = usual(rows.iter().map(|row| row.right));
        let widest = rows.iter().map(|row| row.widest).fold(1.0, f32::max);
        let share = |letters: usize| {
            let full = |row: &&&Row| row.widest > widest * 0.7 && row.widest_letters >= letters;
            rows.iter().filter(full).count() as f32 / rows.len().max(1) as f32
        };
        (self.text, self.long_text) = (share(14), share(30));
    }

    fn width(&self) -> f32 {
        self.right - self.left
    }

    /// Lines of text, not cells of a table.
    fn is_text(&self) -> bool {
        self.text >= 0.3
    }

    /// Many lines of text, as no cell of a table has.
    fn is_solid(&self, rows: usize) -> bool {
        rows >= 8 && self.long_text >= 0.7
    }
}

/// The value that most of `values` have, and the share of those that do.
fn usual(values: impl Iterator<Item = f32>) -> (f32, f32) {
    let mut values: Vec<f32> = values.collect();
    values.sort_by(f32::total_cmp);
    let mut best = (0.0, 0);
    let mut start = 0;
    for end in 0..values.len() {
        while values[end] - values[start] > 1.5 {
            start += 1;
        }
        if end + 1 - start > best.1 {
            best = (values[(start + end) / 2], end + 1 - start);
        }
    }
    (best.0, best.1 as f32 / values.len().max(1) as f32)
}
