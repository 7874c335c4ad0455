//! Puts lines together: hyphens, blanks, and paragraphs that go on elsewhere.

use std::collections::HashSet;

use super::frame::is_ideographic;
use super::{Glyph, Piece, Role};

/// Words written with a hyphen within lines: where one of them is broken at its hyphen, it keeps it.
#[derive(Debug, Default)]
pub struct Compounds(HashSet<String>);

impl Compounds {
    /// Learns from glyphs in the order of their content, which mostly keeps words together.
    pub fn learn(&mut self, glyphs: &[Glyph]) {
        for (index, glyph) in glyphs.iter().enumerate() {
            if !is_hyphen(glyph.letter) || index == 0 || index + 1 == glyphs.len() {
                continue;
            }
            let level = |other: &Glyph| {
                (other.y - glyph.y).abs() < glyph.size * 0.2
                    && (other.x - glyph.x).abs() < glyph.size * 1.3
                    && other.letter.is_alphabetic()
            };
            if !level(&glyphs[index - 1]) || !level(&glyphs[index + 1]) || self.0.len() > 20_000 {
                continue;
            }
            let mut start = index - 1;
            while start > 0 && index - start < 40 && is_one_word(&glyphs[start - 1], &glyphs[start]) {
                start -= 1;
            }
            let mut end = index + 1;
            while end + 1 < glyphs.len() && end - index < 40 && is_one_word(&glyphs[end], &glyphs[end + 1]) {
                end += 1;
            }
            let before = glyphs[start..index].iter().map(|glyph| glyph.letter);
            let after = glyphs[index + 1..=end].iter().map(|glyph| glyph.letter);
            let word = before.chain(std::iter::once('-')).chain(after);
            self.0.insert(word.flat_map(char::to_lowercase).collect());
        }
    }

    fn knows(&self, before: &str, after: &str) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let letters = |letter: &char| letter.is_alphabetic();
        let head: String = before.chars().rev().take_while(letters).collect();
        let head: String = head.chars().rev().collect();
        let tail: String = after.chars().take_while(letters).collect();
        self.0.contains(&format!("{head}-{tail}").to_lowercase())
    }
}

/// Whether a letter is followed by one of the same word.
fn is_one_word(glyph: &Glyph, next: &Glyph) -> bool {
    glyph.letter.is_alphabetic()
        && next.letter.is_alphabetic()
        && (next.y - glyph.y).abs() < glyph.size * 0.2
        && (next.x - glyph.x - glyph.advance).abs() < glyph.size * 0.16
}

pub fn is_hyphen(letter: char) -> bool {
    matches!(letter, '-' | '\u{2010}' | '\u{AD}')
}

/// Adds a sign as it is meant: forms of presentation become letters.
pub fn push_plain(text: &mut String, letter: char) {
    use unicode_normalization::UnicodeNormalization as _;
    match letter {
        '\u{FB00}'..='\u{FB4F}'
        | '\u{FB50}'..='\u{FDFF}'
        | '\u{FE70}'..='\u{FEFE}'
        | '\u{2F00}'..='\u{2FDF}' => {
            text.extend(std::iter::once(letter).nfkc());
        }
        letter => text.push(letter),
    }
}

/// Appends a line to what stands before it.
pub fn append(text: &mut String, line: &str, compounds: &Compounds) {
    let line = line.trim();
    if text.is_empty() {
        text.push_str(line);
        return;
    }
    let Some(next) = line.chars().next() else { return };
    let Some(last) = text.chars().next_back() else { return };
    if is_hyphen(last) {
        let head = &text[..text.len() - last.len_utf8()];
        let soft = last == '\u{AD}';
        let before = head.chars().next_back();
        if soft || before.is_some_and(char::is_alphabetic) && next.is_lowercase() {
            let first: String = line.chars().take_while(|letter| !letter.is_whitespace()).collect();
            let kept = !soft && (compounds.knows(head, &first) || is_chained(head));
            if !kept {
                text.truncate(text.len() - last.len_utf8());
            }
            text.push_str(line);
            return;
        }
        if before.is_some_and(|before| !before.is_whitespace()) && next.is_alphanumeric() {
            text.push_str(line);
            return;
        }
    }
    if !is_unspaced(last) || !is_unspaced(next) {
        text.push(' ');
    }
    text.push_str(line);
}

/// `state-of-the-` and its kin are broken at a hyphen of their own.
fn is_chained(head: &str) -> bool {
    let word = head.rsplit(char::is_whitespace).next().unwrap_or_default();
    word.chars().filter(|letter| is_hyphen(*letter)).count() > 0
}

/// Scripts that put no blank between words.
fn is_unspaced(letter: char) -> bool {
    is_ideographic(letter)
        || matches!(letter, '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}')
        || matches!(letter, '“' | '”' | '‘' | '’' | '…' | '—')
}

/// Whether a sentence goes on from `before` to `after`.
pub fn continues(before: &str, after: &str) -> bool {
    let (Some(last), Some(next)) = (before.trim_end().chars().next_back(), after.trim_start().chars().next())
    else {
        return false;
    };
    if is_hyphen(last) {
        return next.is_lowercase();
    }
    let ended = matches!(
        last,
        '.' | '!'
            | '?'
            | ':'
            | ';'
            | '。'
            | '！'
            | '？'
            | '：'
            | '；'
            | '…'
            | '”'
            | '"'
            | '」'
            | '』'
            | '۔'
            | '؟'
    );
    !ended && (next.is_lowercase() || (is_ideographic(last) && is_ideographic(next)))
}

/// Where the first paragraph of a column, from `start`, goes on with the last one of the page so far,
/// from `first`, they become one; what stands below the one and above the other comes after it.
pub fn across_columns(pieces: &mut Vec<Piece>, first: usize, start: usize, compounds: &Compounds) {
    let aside = |piece: &Piece| matches!(piece.role, Role::Footnote | Role::Caption | Role::Table);
    let Some(begin) = (start..pieces.len()).find(|index| !aside(&pieces[*index])) else { return };
    let next = &pieces[begin];
    if next.role != Role::Paragraph || next.indented {
        return;
    }
    // Small letters at the end of a column are notes.
    let small = |piece: &Piece| piece.size < next.size * 0.93;
    let open = (first..start).rev().find(|index| !aside(&pieces[*index]) && !small(&pieces[*index]));
    let Some(open) = open else { return };
    let last = &pieces[open];
    let alike = (last.size - next.size).abs() < last.size * 0.05 && last.bold == next.bold;
    let goes_on = match last.text.chars().next_back() {
        Some(letter) if is_ideographic(letter) => last.full && continues(&last.text, &next.text),
        _ => continues(&last.text, &next.text),
    };
    if !matches!(last.role, Role::Paragraph | Role::ListItem) || !alike || !goes_on {
        return;
    }
    let next = pieces.remove(begin);
    let last = &mut pieces[open];
    append(&mut last.text, &next.text, compounds);
    last.area = last.area.around(next.area);
    last.full = next.full;
}

/// Completes a word that is broken at the end of a page.
pub fn across_pages(pages: &mut [Vec<Piece>], compounds: &Compounds) {
    for index in 1..pages.len() {
        let (before, after) = pages.split_at_mut(index);
        let aside = |piece: &&mut Piece| !matches!(piece.role, Role::Header | Role::Footer | Role::Footnote);
        let Some(last) = before[index - 1].iter_mut().rev().find(aside) else { continue };
        let Some(next) = after[0].iter_mut().find(aside) else { continue };
        let both = last.role == Role::Paragraph && next.role == Role::Paragraph;
        if !both || !last.text.ends_with(is_hyphen) || !continues(&last.text, &next.text) {
            continue;
        }
        let end = next.text.find(char::is_whitespace).unwrap_or(next.text.len());
        let word = next.text[..end].to_owned();
        append(&mut last.text, &word, compounds);
        next.text.replace_range(..end, "");
        next.text = next.text.trim_start().to_owned();
    }
    for page in pages {
        page.retain(|piece| !piece.text.trim().is_empty());
    }
}
