//! The last resort of a second pass: whole lines found whatever their indentation, and new text
//! indented as the file is.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{
    fold::{Folded, Looseness},
    style::Style,
};
use crate::diff::{Lines, ending, strip_ending};

/// What of a row is compared when indentation is not.
pub fn key(row: &str) -> String {
    Folded::new(strip_ending(row).trim_matches([' ', '\t']), Looseness::ALL).text().to_owned()
}

/// Rows of the file whose keys are `anchor`'s, as the row each run starts at.
pub fn find(file_keys: &[String], anchor: &str) -> Vec<usize> {
    let keys: Vec<String> = Lines::of(anchor).rows().into_iter().map(key).collect();
    if keys.iter().all(String::is_empty) || keys.len() > file_keys.len() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(window) = file_keys.get(at..at + keys.len()) {
        if window == keys.as_slice() {
            found.push(at);
            at += keys.len();
        } else {
            at += 1;
        }
    }
    found
}

/// What the rows from `row` on, which `anchor` was found in, become: their bytes and the new text.
pub fn rewrite(lines: &Lines<'_>, row: usize, anchor: &str, next: &str) -> (Range<usize>, String) {
    let (anchor, next) = (Lines::of(anchor), Lines::of(next));
    let rows = row..row + anchor.count();
    let mut range = lines.range(rows.clone());
    let last = rows.end - 1;
    if ending(anchor.full(anchor.count().saturating_sub(1))).is_none() {
        range.end -= lines.full(last).len() - lines.body(last).len();
    }
    let style = Style::of(lines.text().get(range.clone()).unwrap_or_default());
    let indents = Indents::learn(lines, row, &anchor, &next);
    let usual = lines.ending_near(range.start).unwrap_or("\n");

    let old_keys: Vec<String> = anchor.rows().into_iter().map(key).collect();
    let new_keys: Vec<String> = next.rows().into_iter().map(key).collect();
    let mut text = String::new();
    for op in capture_diff_slices(Algorithm::Myers, &old_keys, &new_keys) {
        for (step, at) in op.new_range().enumerate() {
            // The line that this one stands for in the file, when there is one.
            let twin = match op {
                DiffOp::Equal { old_index, .. } => Some(old_index + step),
                _ => None,
            };
            let body = match twin {
                Some(twin) => lines.body(row + twin).trim_start_matches([' ', '\t']).to_owned(),
                None => style.adopt(next.body(at).trim_start_matches([' ', '\t']), &text),
            };
            let kept = twin.filter(|twin| indent(anchor.body(*twin)) == indent(next.body(at)));
            match kept {
                Some(kept) => text.push_str(indent(lines.body(row + kept))),
                None if body.is_empty() => {}
                None => text.push_str(&indents.place(indent(next.body(at)))),
            }
            text.push_str(&body);
            if ending(next.full(at)).is_some() {
                text.push_str(twin.and_then(|twin| ending(lines.full(row + twin))).unwrap_or(usual));
            }
        }
    }
    (range, text)
}

fn indent(row: &str) -> &str {
    let body = row.trim_start_matches([' ', '\t']);
    row.get(..row.len() - body.len()).unwrap_or_default()
}

/// A tab counts as four columns where tabs and blanks are compared.
fn width(indent: &str) -> usize {
    indent.bytes().map(|byte| if byte == b'\t' { 4 } else { 1 }).sum()
}

/// How indentation in the model's text reads in the file.
struct Indents {
    /// The model's, its width, the file's; of lines that were found.
    pairs: Vec<(String, usize, String)>,
    /// Columns of one level in the model's text.
    unit: usize,
    /// One level in the file.
    file_unit: String,
}

impl Indents {
    fn learn(lines: &Lines<'_>, row: usize, anchor: &Lines<'_>, next: &Lines<'_>) -> Self {
        let mut pairs = Vec::new();
        for at in 0..anchor.count() {
            let (own, file) = (anchor.body(at), lines.body(row + at));
            if !own.trim().is_empty() {
                pairs.push((indent(own).to_owned(), width(indent(own)), indent(file).to_owned()));
            }
        }
        let own = pairs.iter().map(|pair| pair.1);
        let added = (0..next.count())
            .filter(|at| !next.body(*at).trim().is_empty())
            .map(|at| width(indent(next.body(at))));
        let unit = step(own.chain(added)).unwrap_or(4);
        let file_unit = if pairs.iter().any(|pair| pair.2.contains('\t')) {
            "\t".to_owned()
        } else {
            let file = pairs.iter().map(|pair| width(&pair.2));
            " ".repeat(step(file.clone()).or_else(|| file.filter(|width| *width > 0).min()).unwrap_or(unit))
        };
        Self { pairs, unit, file_unit }
    }

    /// `indent` of the model as the file would write it.
    fn place(&self, indent: &str) -> String {
        if let Some(pair) = self.pairs.iter().find(|pair| pair.0 == indent) {
            return pair.2.clone();
        }
        let wanted = width(indent);
        let below = self.pairs.iter().filter(|pair| pair.1 <= wanted).max_by_key(|pair| pair.1);
        if let Some((_, from, file)) = below {
            return file.clone() + &self.file_unit.repeat((wanted - from).div_ceil(self.unit));
        }
        match self.pairs.iter().min_by_key(|pair| pair.1) {
            Some((_, from, file)) => {
                let mut file = file.as_str();
                for _ in 0..(from - wanted).div_ceil(self.unit) {
                    file = file.strip_suffix(self.file_unit.as_str()).unwrap_or_default();
                }
                file.to_owned()
            }
            None => indent.to_owned(),
        }
    }
}

/// The least difference between two of `widths`.
fn step(widths: impl Iterator<Item = usize>) -> Option<usize> {
    let mut widths: Vec<usize> = widths.collect();
    widths.sort_unstable();
    widths.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 0).min()
}
