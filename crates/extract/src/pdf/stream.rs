//! Text in the order of a page's content, where places are not looked at.

use super::layout::{Compounds, append};

/// Puts lines together to paragraphs: one ends with a line that is shorter than most and ends a sentence.
pub fn paragraphs(text: &str) -> Vec<String> {
    let compounds = Compounds::default();
    let lines: Vec<String> =
        text.lines().map(|line| line.replace(['\u{2}', '\u{FFFE}'], "-").trim().to_owned()).collect();
    let mut lengths: Vec<usize> =
        lines.iter().map(|line| line.chars().count()).filter(|length| *length > 0).collect();
    lengths.sort_unstable();
    let usual = lengths.get(lengths.len() * 3 / 4).copied().unwrap_or(0);
    let mut paragraphs = Vec::new();
    let mut open = String::new();
    for line in lines {
        let length = line.chars().count();
        append(&mut open, &line, &compounds);
        let ends = line.ends_with(['.', '!', '?', ':', '。', '！', '？', '：']);
        if length == 0 || (ends && length * 10 < usual * 9) || length * 2 < usual {
            paragraphs.push(std::mem::take(&mut open));
        }
    }
    paragraphs.push(open);
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}
