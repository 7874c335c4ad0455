use orangery_domain::DiffSign;
use proptest::prelude::*;

use super::*;
use crate::edits::{fits, splice};

/// Hunks as text: `@ old new`, then rows, `ending` after a bar, marked words in brackets.
fn show(old: &str, new: &str) -> String {
    let edits = between(old, new);
    assert_eq!(splice(old, &edits), new);
    show_edits(old, new, &edits)
}

fn show_edits(old: &str, new: &str, edits: &[TextEdit]) -> String {
    let mut out = String::new();
    for hunk in hunks(old, new, edits, true).hunks {
        out += &format!(
            "@ {}-{} {}-{} {}\n",
            hunk.old.start,
            hunk.old.end,
            hunk.new.start,
            hunk.new.end,
            hunk.heading_path.join(" > ")
        );
        for row in hunk.rows {
            let sign = match row.sign {
                DiffSign::Same => ' ',
                DiffSign::Removed => '-',
                DiffSign::Added => '+',
            };
            let units: Vec<u16> = row.text.encode_utf16().collect();
            let mut text = String::new();
            let mut at = 0;
            for (from, to) in row.marks {
                text += &String::from_utf16(&units[at..from as usize]).unwrap();
                text += &format!("[{}]", String::from_utf16(&units[from as usize..to as usize]).unwrap());
                at = to as usize;
            }
            text += &String::from_utf16(&units[at..]).unwrap();
            out += &format!("{sign}{text}");
            if let Some(ending) = row.ending {
                out += &format!("|{ending}");
            }
            out.push('\n');
        }
    }
    out
}

#[test]
fn a_hunk_has_its_heading_context_and_word_marks() {
    let old = "# Room\n\n## Light\na\nb\nc\nA factor of 2 % on most desks.\nd\ne\nf\ng\n";
    let new = old.replace("2 %", "2.1 %");
    assert_eq!(
        show(old, &new),
        "@ 4-10 4-10 Room > Light\n a\n b\n c\n-A factor of [2] % on most desks.\n+A factor of [2.1] % on most desks.\n d\n e\n f\n"
    );
}

#[test]
fn far_changes_are_hunks_of_their_own_and_share_no_line() {
    let lines: Vec<String> = (0..12).map(|n| format!("line {n}\n")).collect();
    let old = lines.concat();
    let new = old.replace("line 2\n", "line two\n").replace("line 7\n", "line seven\n");
    let shown = show(&old, &new);
    assert_eq!(
        shown,
        "@ 1-5 1-5 \n line 0\n line 1\n-line [2]\n+line [two]\n line 3\n line 4\n\
         @ 6-11 6-11 \n line 5\n line 6\n-line [7]\n+line [seven]\n line 8\n line 9\n line 10\n"
    );
}

#[test]
fn line_endings_and_the_final_newline_are_seen() {
    // FAULTS D2: computed from real bytes, so a changed ending is a changed line.
    assert_eq!(show("a\r\nb\r\n", "a\nb\r\n"), "@ 1-2 1-2 \n-a|CRLF\n+a|LF\n b\n");
    assert_eq!(show("a\nb", "a\nb\n"), "@ 1-2 1-2 \n a\n-b|none\n+b|LF\n");
    assert_eq!(show("a\rb\r", "a\nb\r"), "@ 1-2 1-2 \n-a|CR\n+a|LF\n b\n");
    // An added line that does not end as the others do says so.
    assert_eq!(show("a\r\n", "a\r\nb\n"), "@ 1-1 1-2 \n a\n+b|LF\n");
}

#[test]
fn from_and_to_nothing() {
    assert_eq!(show("", "a\nb"), "@ 1-0 1-2 \n+a\n+b\n");
    assert_eq!(show("a\n", ""), "@ 1-1 1-0 \n-a\n");
    assert_eq!(show("a\n", "a\n"), "");
}

#[test]
fn unequal_blocks_pair_the_lines_that_are_alike() {
    let old = "Roof monitors: 1.62 m including blinds.\n";
    let new = "Something new entirely.\nRoof monitors: 1.86 m without blinds.\n";
    assert_eq!(
        show(old, new),
        "@ 1-1 1-2 \n-Roof monitors: [1.62] m [including] blinds.\n+Something new entirely.\n+Roof monitors: [1.86] m [without] blinds.\n"
    );
}

#[test]
fn only_what_differs_in_a_line_is_replaced() {
    let edits = between("one two three\nfour five six\n", "one 2 three\nfour 5 six\n");
    assert_eq!(
        edits.iter().map(|edit| (edit.range.clone(), edit.insert.as_str())).collect::<Vec<_>>(),
        [(4..7, "2"), (19..23, "5")]
    );
}

prop_compose! {
    fn lines_text()(lines in proptest::collection::vec(("[ab汉]{0,3}", 0usize..3), 0..12), rest in "[ab]{0,2}") -> String {
        let mut text = String::new();
        for (line, ending) in lines {
            text += &line;
            text += ["\n", "\r\n", "\r"][ending];
        }
        text + &rest
    }
}

proptest! {
    #[test]
    fn accepting_all_hunks_is_the_whole_and_any_subset_is_its_rows(old in lines_text(), new in lines_text(), chosen in any::<u16>()) {
        let edits = between(&old, &new);
        prop_assert!(fits(&old, &edits));
        prop_assert_eq!(splice(&old, &edits), new.clone());
        check_subset(&old, &new, &edits, chosen)?;
    }

    /// Edits as a model makes them, not as a line diff would.
    #[test]
    fn hunks_cover_edits_of_any_shape(old in lines_text(), cuts in proptest::collection::vec((0usize..30, 0usize..5, "[xa\r\n]{0,3}"), 0..4), chosen in any::<u16>()) {
        let bounds: Vec<usize> = old.char_indices().map(|(at, _)| at).chain([old.len()]).collect();
        let mut edits = Vec::new();
        let mut next = 0;
        let mut cuts = cuts;
        cuts.sort();
        for (at, length, insert) in cuts {
            let start = at.max(next);
            if start >= bounds.len() { break; }
            let end = (start + length).min(bounds.len() - 1);
            edits.extend(crate::edits::shrink(&old, TextEdit { range: bounds[start]..bounds[end], insert }));
            next = end + 1;
        }
        let new = splice(&old, &edits);
        check_subset(&old, &new, &edits, chosen)?;
    }
}

/// Every edit is in one hunk; unchanged rows are the same on both sides; taking some hunks gives
/// exactly their new rows amid the old rows of the others.
fn check_subset(old: &str, new: &str, edits: &[TextEdit], chosen: u16) -> Result<(), TestCaseError> {
    let diff = hunks(old, new, edits, true);
    let mut next = 0;
    for hunk in &diff.hunks {
        prop_assert_eq!(hunk.edits.start, next);
        prop_assert!(hunk.edits.end > next);
        next = hunk.edits.end;
    }
    prop_assert_eq!(next, edits.len());
    let shown = diff.hunks.iter().map(|hunk| (hunk.edits.clone(), hunk.added, hunk.removed));
    let listed = shapes(old, new, edits);
    let listed =
        listed.iter().map(|shape| (shape.start as usize..shape.end as usize, shape.added, shape.removed));
    prop_assert_eq!(shown.collect::<Vec<_>>(), listed.collect::<Vec<_>>());

    let (old_lines, new_lines) = (Lines::of(old), Lines::of(new));
    let mut taken = Vec::new();
    let mut expected = String::new();
    let mut reached = 0;
    for (at, hunk) in diff.hunks.iter().enumerate() {
        let take = chosen >> (at % 16) & 1 == 1;
        if take {
            taken.extend(edits[hunk.edits.clone()].iter().cloned());
        }
        let start = hunk.old.start as usize - 1;
        prop_assert!(start >= reached, "hunks share rows");
        expected += &old_lines.rows_in(reached..start).concat();
        for row in &hunk.rows {
            match row.sign {
                DiffSign::Same => {
                    let (a, b) = (row.old_line.unwrap() as usize - 1, row.new_line.unwrap() as usize - 1);
                    prop_assert_eq!(old_lines.full(a), new_lines.full(b));
                    expected += old_lines.full(a);
                }
                DiffSign::Removed if !take => expected += old_lines.full(row.old_line.unwrap() as usize - 1),
                DiffSign::Added if take => expected += new_lines.full(row.new_line.unwrap() as usize - 1),
                _ => {}
            }
        }
        reached = hunk.old.end as usize;
    }
    expected += &old_lines.rows_in(reached..old_lines.count()).concat();
    prop_assert_eq!(splice(old, &taken), expected);
    Ok(())
}
