//! Arithmetic of text edits: apply, invert, move over other edits, shrink.
//!
//! A list of edits is always in order and apart, its ranges are of one base text.

use std::ops::Range;

use orangery_domain::TextEdit;

use crate::diff::Lines;

/// Whether `edits` are in order, apart, and on character bounds of `text`.
pub fn fits(text: &str, edits: &[TextEdit]) -> bool {
    let mut reached = 0;
    edits.iter().all(|edit| {
        let Range { start, end } = edit.range;
        let fits = reached <= start && start <= end && text.get(start..end).is_some();
        reached = end;
        fits
    })
}

/// `text` with `edits` in place.
pub fn splice(text: &str, edits: &[TextEdit]) -> String {
    let grown: usize = edits.iter().map(|edit| edit.insert.len()).sum();
    let mut out = String::with_capacity(text.len() + grown);
    let mut reached = 0;
    for edit in edits {
        out.push_str(text.get(reached..edit.range.start).unwrap_or_default());
        out.push_str(&edit.insert);
        reached = edit.range.end;
    }
    out.push_str(text.get(reached..).unwrap_or_default());
    out
}

/// Where each edit's insert lies in the spliced text.
pub fn landing(edits: &[TextEdit]) -> Vec<Range<usize>> {
    let (mut added, mut removed) = (0, 0);
    edits
        .iter()
        .map(|edit| {
            let start = edit.range.start + added - removed;
            added += edit.insert.len();
            removed += edit.range.len();
            start..start + edit.insert.len()
        })
        .collect()
}

/// Edits of the spliced text that give `text` back.
pub fn invert(text: &str, edits: &[TextEdit]) -> Vec<TextEdit> {
    landing(edits)
        .into_iter()
        .zip(edits)
        .map(|(range, edit)| TextEdit {
            range,
            insert: text.get(edit.range.clone()).unwrap_or_default().to_owned(),
        })
        .collect()
}

/// `edits` as they read once `over`, edits of the same base, are in place; one for one. `None` when
/// two of them change the same characters or insert at the same point, so that no order is right.
pub fn rebase(edits: &[TextEdit], over: &[TextEdit]) -> Option<Vec<TextEdit>> {
    let mut over = over.iter().peekable();
    let (mut added, mut removed) = (0, 0);
    let mut out = Vec::with_capacity(edits.len());
    for edit in edits {
        while let Some(earlier) = over.next_if(|other| lies_before(other, edit)) {
            added += earlier.insert.len();
            removed += earlier.range.len();
        }
        if over.peek().is_some_and(|other| collides(other, edit)) {
            return None;
        }
        let start = edit.range.start + added - removed;
        out.push(TextEdit { range: start..start + edit.range.len(), insert: edit.insert.clone() });
    }
    Some(out)
}

fn lies_before(other: &TextEdit, edit: &TextEdit) -> bool {
    other.range.end <= edit.range.start
        && !(other.range.is_empty() && edit.range.is_empty() && other.range == edit.range)
}

fn collides(other: &TextEdit, edit: &TextEdit) -> bool {
    if other.range == edit.range {
        return true;
    }
    other.range.start < edit.range.end && edit.range.start < other.range.end
}

/// As [`rebase`], only when no line is touched by both: a mixture within a line is what nobody wrote.
pub fn rebase_by_lines(text: &str, edits: &[TextEdit], over: &[TextEdit]) -> Option<Vec<TextEdit>> {
    let lines = Lines::of(text);
    let mut others = over.iter().map(|other| lines.touched(&other.range)).peekable();
    for edit in edits {
        let own = lines.touched(&edit.range);
        while others.next_if(|other| other.end <= own.start).is_some() {}
        if others.peek().is_some_and(|other| other.start < own.end) {
            return None;
        }
    }
    rebase(edits, over)
}

/// The edit without the characters that it would put back as they were; `None` when nothing is left.
pub fn shrink(text: &str, edit: TextEdit) -> Option<TextEdit> {
    let old = text.get(edit.range.clone())?;
    let insert = edit.insert.as_str();
    let head: usize =
        old.chars().zip(insert.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let (old_rest, insert_rest) = (old.get(head..)?, insert.get(head..)?);
    let tail: usize = old_rest
        .chars()
        .rev()
        .zip(insert_rest.chars().rev())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum();
    let range = edit.range.start + head..edit.range.end - tail;
    let insert = insert_rest.get(..insert_rest.len() - tail)?.to_owned();
    (!range.is_empty() || !insert.is_empty()).then_some(TextEdit { range, insert })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn edit(range: Range<usize>, insert: &str) -> TextEdit {
        TextEdit { range, insert: insert.into() }
    }

    #[test]
    fn moves_over_what_lies_apart_and_refuses_what_does_not() {
        let base = [edit(10..12, "x"), edit(20..20, "y")];
        assert_eq!(
            rebase(&base, &[edit(0..4, ""), edit(12..15, "long")]),
            Some(vec![edit(6..8, "x"), edit(17..17, "y")])
        );
        assert_eq!(rebase(&base, &[edit(11..13, "")]), None);
        assert_eq!(rebase(&base, &[edit(20..20, "z")]), None);
        assert_eq!(rebase(&base, &[edit(19..21, "z")]), None);
        // The edge of a removed region is one point, whichever side it is seen from.
        assert_eq!(rebase(&[edit(20..20, "y")], &[edit(15..20, "")]), Some(vec![edit(15..15, "y")]));
    }

    prop_compose! {
        /// A text and edits that fit it.
        fn text_and_edits()(
            text in "[ab语é\r\n ]{0,40}",
            cuts in proptest::collection::vec((0usize..41, 0usize..4, "[xy字\r\n]{0,4}"), 0..5),
        ) -> (String, Vec<TextEdit>) {
            let bounds: Vec<usize> =
                text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let mut edits = Vec::new();
            let mut next = 0;
            let mut cuts = cuts;
            cuts.sort();
            for (at, length, insert) in cuts {
                let start = at.max(next);
                if start >= bounds.len() { break; }
                let end = (start + length).min(bounds.len() - 1);
                edits.push(TextEdit { range: bounds[start]..bounds[end], insert });
                next = end + 1;
            }
            (text, edits)
        }
    }

    proptest! {
        #[test]
        fn inverting_gives_the_text_back((text, edits) in text_and_edits()) {
            prop_assert!(fits(&text, &edits));
            let after = splice(&text, &edits);
            let back = invert(&text, &edits);
            prop_assert!(fits(&after, &back));
            prop_assert_eq!(splice(&after, &back), text);
        }

        #[test]
        fn a_part_then_the_rest_is_the_whole((text, edits) in text_and_edits(), chosen in any::<u8>()) {
            let (first, second): (Vec<_>, Vec<_>) = edits.iter().cloned().enumerate()
                .partition(|(at, _)| chosen >> (at % 8) & 1 == 1);
            let first: Vec<TextEdit> = first.into_iter().map(|(_, edit)| edit).collect();
            let second: Vec<TextEdit> = second.into_iter().map(|(_, edit)| edit).collect();
            let moved = rebase(&second, &first).expect("the edits are apart");
            prop_assert_eq!(splice(&splice(&text, &first), &moved), splice(&text, &edits));
        }

        #[test]
        fn shrinking_changes_nothing((text, edits) in text_and_edits()) {
            for edit in edits {
                let whole = splice(&text, std::slice::from_ref(&edit));
                let least: Vec<TextEdit> = shrink(&text, edit).into_iter().collect();
                prop_assert_eq!(splice(&text, &least), whole);
            }
        }
    }
}
