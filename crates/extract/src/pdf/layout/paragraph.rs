//! From the lines of a column to its blocks.

use super::frame::is_ideographic;
use super::join;
use super::line::Line;
use super::table;
use super::{Context, Piece, Role};

/// What the lines of a column have in common.
struct Column {
    left: f32,
    right: f32,
    /// Where a third of its lines begin, or further to the left.
    usual_left: f32,
    /// From base line to base line within paragraphs, in sizes.
    pitch: f32,
}

/// Appends the blocks that `lines` make.
pub fn pieces(context: &Context<'_>, lines: &[Line], pieces: &mut Vec<Piece>) {
    let tables = table::find(context, lines);
    let mut start = 0;
    for table in tables {
        text(context, &lines[start..table.lines.start], pieces);
        start = table.lines.end;
        pieces.push(table.piece(context, lines));
    }
    text(context, &lines[start..], pieces);
}

fn text(context: &Context<'_>, lines: &[Line], pieces: &mut Vec<Piece>) {
    if lines.is_empty() {
        return;
    }
    let column = Column::of(lines);
    let from = pieces.len();
    let mut start = 0;
    for index in 1..=lines.len() {
        if index == lines.len() || breaks(context, &column, lines, start, index) {
            pieces.push(piece(context, &column, &lines[start..index]));
            start = index;
        }
    }
    footnotes(context.style.body * 0.93, from, pieces);
}

/// Marks the notes at the end of a column: from the first one on, all is in letters smaller than `large`.
fn footnotes(large: f32, from: usize, pieces: &mut [Piece]) {
    let is_small = |piece: &Piece| piece.size < large && piece.role != Role::Table;
    let end = pieces.iter().skip(from).rev().take_while(|piece| is_small(piece)).count();
    let start = pieces.len() - end;
    if end == 0 || (start == from && !pieces[..from].iter().any(|piece| piece.size >= large)) {
        return;
    }
    let Some(first) = pieces[start..].iter().position(|piece| is_footnote(&piece.text)) else { return };
    for piece in &mut pieces[start + first..] {
        piece.role = Role::Footnote;
    }
}

impl Column {
    fn of(lines: &[Line]) -> Self {
        let mut pitches: Vec<f32> = lines
            .windows(2)
            .filter(|pair| (pair[0].size - pair[1].size).abs() < pair[0].size * 0.1)
            .map(|pair| (pair[1].base - pair[0].base) / pair[1].size)
            .filter(|pitch| *pitch > 0.5 && *pitch < 4.0)
            .collect();
        pitches.sort_by(f32::total_cmp);
        // Lines within paragraphs are nearer than lines across them.
        let pitch = pitches.get(pitches.len() / 3).copied().unwrap_or(1.2);
        let mut lefts: Vec<f32> = lines.iter().map(|line| line.left).collect();
        lefts.sort_unstable_by(f32::total_cmp);
        Self {
            usual_left: lefts.get(lefts.len() / 3).copied().unwrap_or(0.0),
            left: lines.iter().map(|line| line.left).fold(f32::INFINITY, f32::min),
            right: lines.iter().map(|line| line.right).fold(f32::NEG_INFINITY, f32::max),
            pitch,
        }
    }

    /// Whether a line begins as most lines that are not set in do.
    fn begins(&self, line: &Line) -> bool {
        self.usual_left <= line.left + line.size * 0.3
    }
}

/// Whether a new block begins with the line `index`; its block so far begins with `start`.
fn breaks(context: &Context<'_>, column: &Column, lines: &[Line], start: usize, index: usize) -> bool {
    let (first, last, next) = (&lines[start], &lines[index - 1], &lines[index]);
    let size = last.size.max(next.size);
    let gap = (next.base - last.base) / size;
    let is_code = |line: &Line| line.mono && !context.style.mono;
    if is_code(last) || is_code(next) {
        return is_code(last) != is_code(next) || gap > 2.6;
    }
    if (last.size - next.size).abs() > size * 0.08 || gap > (column.pitch * 1.3).max(column.pitch + 0.2) {
        return true;
    }
    if last.bold != next.bold
        && is_heading(context, &lines[start..index]) != is_heading(context, &lines[index..=index])
    {
        return true;
    }
    if marker(&next.text) {
        // Set out or at the left: an item. Within a paragraph a line may begin with a dash or a number.
        let at_margin = next.left < column.left + size * 4.0;
        let hangs = lines.get(index + 1).is_some_and(|after| after.left > next.left + size * 0.4);
        if at_margin && (marker(&first.text) || hangs || is_short(context, column, last, next)) {
            return true;
        }
    }
    let in_item = marker(&first.text);
    // The first line of a paragraph is set in, or, in a list of works, all but the first.
    let indent = next.left - last.left;
    let room = size * 0.6..size * 4.5;
    if room.contains(&indent) && !in_item && column.begins(last) && reaches(column, next, size) {
        let set_in = lines.get(index + 1).is_none_or(|after| next.left - after.left > size * 0.6);
        let hanging = index - 1 == start
            && lines.get(index + 1).is_some_and(|after| (after.left - next.left).abs() < size * 0.3);
        if set_in && !hanging {
            return true;
        }
    }
    if room.contains(&-indent) && index - start > 1 && (last.left - lines[index - 2].left).abs() < size * 0.3
    {
        return true;
    }
    is_short(context, column, last, next) && ends(&last.text)
}

fn reaches(column: &Column, line: &Line, size: f32) -> bool {
    line.right > column.left + (column.right - column.left) * 0.3 + size
}

/// Whether the first word of the next line would have found room at the end of this one.
fn is_short(context: &Context<'_>, column: &Column, line: &Line, next: &Line) -> bool {
    let Some(word) = next.words.first().map(|word| &context.words[*word as usize]) else { return false };
    let needed = if word.ideographic { word.size } else { word.right - word.left };
    column.right - line.right > needed + line.size * 1.2
}

fn ends(text: &str) -> bool {
    let closing = |letter: char| matches!(letter, '"' | '”' | '’' | '\'' | ')' | '）' | '」' | '』' | ']');
    let last = text.trim_end().trim_end_matches(closing).chars().next_back();
    last.is_some_and(|last| {
        matches!(last, '.' | '!' | '?' | ':' | '。' | '！' | '？' | '：' | '…' | '؟' | '۔')
    })
}

fn piece(context: &Context<'_>, column: &Column, lines: &[Line]) -> Piece {
    let is_code = !context.style.mono && lines.iter().all(|line| line.mono);
    let mut text = if is_code { program(lines) } else { String::new() };
    let mut area = lines[0].area(context.frame);
    let mut letters = (0, 0);
    for line in lines {
        if !is_code {
            join::append(&mut text, &line.text, &context.style.compounds);
        }
        area = area.around(line.area(context.frame));
        let count = line.letters(context);
        letters = (letters.0 + count, letters.1 + if line.bold { count } else { 0 });
    }
    let size = lines.iter().map(|line| line.size).fold(0.0, f32::max);
    let last = &lines[lines.len() - 1];
    let role = if is_code {
        Role::Code
    } else if is_heading(context, lines) {
        Role::Heading { level: 1 }
    } else if is_caption(&text) {
        Role::Caption
    } else if marker(&text) {
        Role::ListItem
    } else {
        Role::Paragraph
    };
    let second = lines.get(1).map_or(column.left, |line| line.left);
    Piece {
        role,
        area,
        size,
        bold: letters.1 * 2 > letters.0,
        indented: lines[0].left > second + size * 0.6,
        full: column.right - last.right < size * 1.5,
        text,
    }
}

/// The lines of a program, set in as they stand.
fn program(lines: &[Line]) -> String {
    let left = lines.iter().map(|line| line.left).fold(f32::INFINITY, f32::min);
    let line = |line: &Line| {
        let wide = (line.right - line.left) / line.text.chars().count().max(1) as f32;
        let blanks = ((line.left - left) / wide.max(1.0)).round().clamp(0.0, 120.0) as usize;
        format!("{}{}", " ".repeat(blanks), line.text.trim())
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Larger or bolder than the text, and short.
fn is_heading(context: &Context<'_>, lines: &[Line]) -> bool {
    let style = context.style;
    if lines.len() > 4 {
        return false;
    }
    let letters: usize = lines.iter().map(|line| line.letters(context)).sum();
    if !(2..=240).contains(&letters) {
        return false;
    }
    let size = lines.iter().map(|line| line.size).fold(f32::INFINITY, f32::min);
    let text = &lines[lines.len() - 1].text;
    let is_words = lines.iter().any(|line| line.text.chars().any(char::is_alphabetic));
    let larger = size > style.body * 1.13;
    let bolder = !style.bold
        && size > style.body * 0.93
        && lines.iter().all(|line| line.bold)
        && !text.ends_with(['.', ',', ';']);
    is_words && (larger || bolder)
}

fn is_caption(text: &str) -> bool {
    let rest = [
        "Figure ",
        "Fig. ",
        "Fig ",
        "Table ",
        "Listing ",
        "Algorithm ",
        "Abbildung ",
        "Tabelle ",
        "图",
        "表",
        "圖",
    ]
    .iter()
    .find_map(|word| text.strip_prefix(word));
    let Some(rest) = rest.map(str::trim_start) else { return false };
    let number: String =
        rest.chars().take_while(|letter| letter.is_ascii_digit() || matches!(letter, '.' | '-')).collect();
    let after = rest[number.len()..].trim_start().chars().next();
    // `Figure 7 shows` begins a sentence.
    let named = after.is_none_or(|after| {
        matches!(after, ':' | '：' | '|' | '–' | '—' | '(') || after.is_uppercase() || is_ideographic(after)
    });
    number.chars().any(|letter| letter.is_ascii_digit()) && (number.ends_with('.') || named)
}

/// Whether a text begins as an item of a list does.
fn marker(text: &str) -> bool {
    let text = text.trim_start();
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return false };
    if matches!(
        first,
        '•' | '◦' | '▪' | '‣' | '●' | '○' | '■' | '□' | '–' | '➢' | '✓' | '·' | '\u{F0B7}' | '\u{F0A7}'
    ) {
        return letters
            .next()
            .is_some_and(|next| next.is_whitespace() || is_ideographic(next) || first != '–');
    }
    let head: &str = text.split_whitespace().next().unwrap_or_default();
    if matches!(head, "-" | "*") {
        return text.len() > head.len();
    }
    let bare = head.trim_start_matches(['(', '[']);
    let Some(inner) = bare.strip_suffix(['.', ')', ']']) else { return false };
    let number = !inner.is_empty() && inner.len() <= 3 && inner.chars().all(|letter| letter.is_ascii_digit());
    let short = inner.chars().count() == 1
        && inner.chars().all(|letter| letter.is_ascii_lowercase())
        && head.ends_with(')');
    (number || short) && text.len() > head.len()
}

/// Begins with the number or sign that refers to it.
fn is_footnote(text: &str) -> bool {
    let Some(first) = text.chars().next() else { return false };
    first.is_numeric() || matches!(first, '*' | '†' | '‡' | '§' | '¶' | '∗' | '※' | '[' | '①'..='⑳')
}
