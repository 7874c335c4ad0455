//! A note of 1 MB with 1,000 scattered edits: found, compared, shown and written. Prints milliseconds,
//! the best of several rounds, and fails where a person would have to wait.

#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

use std::time::{Duration, Instant};

use orangery_change::{
    ReplaceEdit, anchor,
    diff::{between, hunks},
    edits,
};
use orangery_domain::text::{decode, splice};

const EDITS: usize = 1_000;
const LINES: usize = 12_000;
/// What a review may take to open, on a slow machine.
const BOUND: Duration = Duration::from_secs(1);

fn main() {
    let line = |at: usize| format!("Line {at} of the note says that 第{at}行 is like the others, nearly.\n");
    let before: String =
        (0..LINES).map(|at| if at % 40 == 0 { format!("## Part {at}\n") } else { line(at) }).collect();
    let changed: Vec<usize> = (0..EDITS).map(|at| at * (LINES / EDITS) + 1).collect();
    let replacements: Vec<ReplaceEdit> = changed
        .iter()
        .map(|&at| ReplaceEdit {
            original: line(at),
            next: line(at).replace("nearly", "but not quite"),
            ..ReplaceEdit::default()
        })
        .collect();
    let bytes = before.as_bytes();
    println!("{} KiB, {LINES} lines, {EDITS} edits", bytes.len() / 1024);

    let located = measure("locate", || anchor::locate(&before, &replacements));
    let edits = match located {
        Ok(located) => located.edits,
        Err(miss) => panic!("{miss:?}"),
    };
    let after = edits::splice(&before, &edits);
    let compared = measure("compare", || between(&before, &after));
    assert_eq!(edits::splice(&before, &compared), after);
    let diff = measure("hunks", || hunks(&before, &after, &edits, true));
    assert_eq!(diff.hunks.len(), EDITS);
    let decoded = match decode(bytes, None, &[]) {
        Ok(decoded) => decoded,
        Err(error) => panic!("{error}"),
    };
    let spliced = measure("splice", || splice(bytes, &decoded, &edits));
    assert_eq!(spliced.as_deref(), Ok(after.as_bytes()));
    // Nothing in common: the worst a comparison meets.
    let other: String = (0..LINES).map(|at| format!("{} quite other text\n", at * 7)).collect();
    measure("compare with another text", || between(&before, &other));
}

fn measure<T>(what: &str, work: impl Fn() -> T) -> T {
    let mut best = Duration::MAX;
    let mut result = None;
    for _ in 0..3 {
        let start = Instant::now();
        result = Some(work());
        best = best.min(start.elapsed());
    }
    println!("{what}: {:.1} ms", best.as_secs_f64() * 1_000.0);
    assert!(best < BOUND, "{what} takes {best:?}");
    match result {
        Some(result) => result,
        None => unreachable!("three rounds were run"),
    }
}
