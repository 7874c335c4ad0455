//! Quotes inside of code blocks, where a curly one is another character and not a better one.

use std::ops::Range;

use orangery_domain::TextEdit;

use super::fold::straight;
use crate::edits::splice;

/// Makes the quotes straight that `edits` of `text` put into fenced code; a block that has curly ones of
/// its own means them.
pub fn straighten(text: &str, edits: &mut Vec<TextEdit>) {
    if !edits.iter().any(|edit| edit.insert.contains(curly)) {
        return;
    }
    let after = splice(text, edits);
    // Where each insert is in the text as it will be.
    let mut inserts: Vec<Range<usize>> = Vec::with_capacity(edits.len());
    let (mut copied, mut end) = (0, 0);
    for edit in edits.iter() {
        let start = end + (edit.range.start - copied);
        (copied, end) = (edit.range.end, start + edit.insert.len());
        inserts.push(start..end);
    }
    let own = |block: &Range<usize>| {
        let code = after.get(block.clone()).unwrap_or_default();
        let inserted = |at: usize| inserts.iter().any(|insert| insert.contains(&at));
        code.char_indices().any(|(at, char)| curly(char) && !inserted(block.start + at))
    };
    let blocks: Vec<_> = blocks(&after).into_iter().filter(|block| !own(block)).collect();
    for (edit, insert) in edits.iter_mut().zip(inserts) {
        let in_code = |at: usize| blocks.iter().any(|block| block.contains(&(insert.start + at)));
        let written = edit.insert.char_indices();
        edit.insert = written.map(|(at, char)| if in_code(at) { straight(char) } else { char }).collect();
    }
    // What only made quotes curly changes nothing now.
    edits.retain(|edit| text.get(edit.range.clone()) != Some(edit.insert.as_str()));
}

fn curly(char: char) -> bool {
    straight(char) != char
}

/// The lines between the fences of every fenced block.
fn blocks(text: &str) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut open: Option<(char, usize, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        // Fences stand in lists and quotations as well.
        let bare = line.trim_start_matches(|char: char| char.is_whitespace() || char == '>').trim_end();
        let Some(mark) = bare.chars().next().filter(|char| matches!(char, '`' | '~')) else { continue };
        let length = bare.chars().take_while(|char| *char == mark).count();
        match open {
            None if length >= 3 => open = Some((mark, length, at)),
            Some((of, least, from)) if of == mark && length >= least && length == bare.len() => {
                blocks.push(from..start);
                open = None;
            }
            _ => {}
        }
    }
    if let Some((.., from)) = open {
        blocks.push(from..text.len());
    }
    blocks
}
