//! Which words of two paired lines differ.

use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

/// Lines longer than this many bytes get no marks: nobody reads them word by word.
const LONGEST: usize = 8_000;

/// UTF-16 ranges of one line.
type Marks = Vec<(u32, u32)>;

/// What differs in the old and in the new line. Both are empty when the lines have so
/// little in common that marks would be noise.
pub fn marks(old: &str, new: &str) -> (Marks, Marks) {
    if old.len() > LONGEST || new.len() > LONGEST {
        return (Vec::new(), Vec::new());
    }
    // Word bounds of UAX #29: a word of an alphabet is one token, so is one Han or Hiragana character.
    let old_words: Vec<&str> = old.split_word_bounds().collect();
    let new_words: Vec<&str> = new.split_word_bounds().collect();
    let ops = capture_diff_slices(Algorithm::Myers, &old_words, &new_words);
    let kept: usize = ops
        .iter()
        .filter(|op| matches!(op, DiffOp::Equal { .. }))
        .flat_map(|op| old_words.get(op.old_range()).unwrap_or_default())
        .filter(|word| !word.trim().is_empty())
        .map(|word| word.len())
        .sum();
    let solid = |words: &[&str]| words.iter().map(|word| word.trim().len()).sum::<usize>();
    if kept * 5 < solid(&old_words).min(solid(&new_words)) {
        return (Vec::new(), Vec::new());
    }
    (
        ranges(&old_words, ops.iter().map(DiffOp::old_range), &ops),
        ranges(&new_words, ops.iter().map(DiffOp::new_range), &ops),
    )
}

/// How alike two lines are, from 0 to 1, by the words they share.
pub fn likeness(old: &str, new: &str) -> f32 {
    if old.len() > LONGEST || new.len() > LONGEST {
        return if old == new { 1.0 } else { 0.0 };
    }
    let mut old_words: Vec<&str> = old.unicode_words().collect();
    let mut new_words: Vec<&str> = new.unicode_words().collect();
    let total = old_words.len() + new_words.len();
    if total == 0 {
        return if old.trim() == new.trim() { 1.0 } else { 0.0 };
    }
    old_words.sort_unstable();
    new_words.sort_unstable();
    let mut shared = 0;
    let mut rest = new_words.iter().peekable();
    for word in old_words {
        while rest.next_if(|other| **other < word).is_some() {}
        if rest.next_if(|other| **other == word).is_some() {
            shared += 1;
        }
    }
    (2 * shared) as f32 / total as f32
}

/// Changed token ranges as UTF-16, neighbours with nothing but blanks between them joined.
fn ranges(words: &[&str], sides: impl Iterator<Item = std::ops::Range<usize>>, ops: &[DiffOp]) -> Marks {
    let mut out: Marks = Vec::new();
    let mut column = 0u32;
    let mut blank_since_last = false;
    for (side, op) in sides.zip(ops) {
        let words = words.get(side).unwrap_or_default();
        let width: u32 = words.iter().map(|word| word.encode_utf16().count() as u32).sum();
        if matches!(op, DiffOp::Equal { .. }) {
            blank_since_last = words.iter().all(|word| word.trim().is_empty());
        } else if width > 0 {
            match out.last_mut() {
                Some(last) if blank_since_last || last.1 == column => last.1 = column + width,
                _ => out.push((column, column + width)),
            }
            blank_since_last = false;
        }
        column += width;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, old_marked: &[&str], new_marked: &[&str]) {
        let (old_marks, new_marks) = marks(old, new);
        let cut = |text: &str, marks: &[(u32, u32)]| -> Vec<String> {
            let units: Vec<u16> = text.encode_utf16().collect();
            marks
                .iter()
                .map(|&(from, to)| String::from_utf16(&units[from as usize..to as usize]).unwrap())
                .collect()
        };
        assert_eq!(cut(old, &old_marks), old_marked, "{old:?}");
        assert_eq!(cut(new, &new_marks), new_marked, "{new:?}");
    }

    #[test]
    fn marks_follow_words() {
        check("due end of November", "due 30 of November", &["end"], &["30"]);
        check(
            "a daylight factor of 2 % here",
            "a daylight factor of at least 2.1 % here",
            &["2"],
            &["at least 2.1"],
        );
        check("使用旧的方法写作", "使用新的方法写作", &["旧"], &["新"]);
        // Columns count UTF-16 units: the emoji takes two.
        check("🍊 one pear", "🍊 one fig", &["pear"], &["fig"]);
        check("totally different", "nothing shared at all", &[], &[]);
    }
}
