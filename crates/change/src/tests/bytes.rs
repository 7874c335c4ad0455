//! Bytes outside an edit are the same bytes afterwards, and undoing gives back the very file.

use orangery_domain::text::{Encoding, encode};
use proptest::prelude::*;

use super::support::*;

/// Encodings with words that tell their detector what they are.
const KINDS: [(Encoding, bool, &str, &str); 7] = [
    (Encoding::Utf8, false, "naïve 中文 🍊", "étude"),
    (Encoding::Utf8, true, "naïve 中文 🍊", "étude"),
    (Encoding::Utf16Le, true, "naïve 中文 🍊", "étude"),
    (Encoding::Utf16Be, true, "naïve 中文 🍊", "étude"),
    (Encoding::Gb18030, false, "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。", "会议纪要"),
    (
        Encoding::ShiftJis,
        false,
        "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。",
        "こんにちは",
    ),
    (Encoding::Big5, false, "床前明月光，疑是地上霜。舉頭望明月，低頭思故鄉。這是一個測試檔案。", "會議記錄"),
];

#[derive(Debug, Clone)]
struct Case {
    kind: usize,
    endings: Vec<usize>,
    last_break: bool,
    changed: Vec<usize>,
    shape: u8,
    /// Begins with front matter.
    front: bool,
    /// Accepted hunk by hunk instead of applied whole.
    by_hunks: bool,
}

prop_compose! {
    fn case()(
        kind in 0..KINDS.len(),
        endings in proptest::collection::vec(0usize..3, 3..9),
        last_break in any::<bool>(),
        picked in proptest::collection::btree_set(0usize..9, 1..4),
        shape in 0u8..4,
        front in any::<bool>(),
        by_hunks in any::<bool>(),
    ) -> Case {
        let changed = picked.into_iter().filter(|at| *at < endings.len()).collect();
        Case { kind, endings, last_break, changed, shape, front, by_hunks }
    }
}

fn text(case: &Case, changed: bool) -> String {
    let (_, _, words, new) = KINDS[case.kind];
    let mut out = String::new();
    if case.front {
        let ending = ["\n", "\r\n", "\r"][case.endings[0]];
        for line in ["---", "title:  'a'   # kept", "tags: [ x,y ]", "---"] {
            out += line;
            out += ending;
        }
    }
    for (at, ending) in case.endings.iter().enumerate() {
        let ending = ["\n", "\r\n", "\r"][*ending];
        if changed && case.changed.contains(&at) {
            out += &match case.shape {
                0 => format!("{at}: {new}{words}"),
                1 => format!("{at}: {words}{ending}{new}"),
                2 => format!("{at}: "),
                _ => format!("{at}: {words}{new}  "),
            };
        } else {
            out += &format!("{at}: {words}");
        }
        if case.last_break || at + 1 < case.endings.len() {
            out += ending;
        }
    }
    out
}

async fn check(house: &House, case: &Case) -> Result<(), TestCaseError> {
    let (encoding, bom, words, new) = KINDS[case.kind];
    let before = encode(&text(case, false), encoding, bom).unwrap();
    let after = encode(&text(case, true), encoding, bom).unwrap();
    house.put("a.md", &before);
    let edits = case
        .changed
        .iter()
        .map(|at| crate::ReplaceEdit {
            original: format!("{at}: {words}"),
            next: match case.shape {
                0 => format!("{at}: {new}{words}"),
                1 => format!("{at}: {words}\n{new}"),
                2 => format!("{at}: "),
                _ => format!("{at}: {words}{new}  "),
            },
            ..Default::default()
        })
        .collect();
    let proposed = match house.edit("a.md", crate::EditRequest::MultiReplace { edits }).await {
        Ok(proposed) => proposed,
        Err(refusal) => return Err(TestCaseError::fail(refusal.to_string())),
    };
    let applied = if case.by_hunks {
        let (set, id) = (proposed.change_set_id, proposed.operation_id);
        let hunks = house.changes.diff(id).await.unwrap().hunks;
        // In no special order.
        for hunk in hunks.iter().rev() {
            let accept = decision(id, Some(hunk.index), orangery_domain::HunkDecision::Accepted);
            house.changes.review(set, &[accept]).await.unwrap();
        }
        house.changes.apply(set, &[], false).await.unwrap()
    } else {
        house.apply(&proposed).await
    };
    prop_assert_eq!(&applied.applied, &[proposed.operation_id]);
    // A line inserted before the last one without an ending takes the ending above it.
    let lone_last = !case.last_break && case.shape == 1 && case.changed.contains(&(case.endings.len() - 1));
    if !lone_last {
        prop_assert_eq!(house.get("a.md").unwrap(), after);
    }
    house.changes.undo(proposed.change_set_id).await.unwrap();
    prop_assert_eq!(house.get("a.md").unwrap(), before);
    prop_assert!(house.journal_is_empty().await);
    Ok(())
}

#[test]
fn only_the_edited_span_changes_and_undo_is_identity() {
    // FAULTS D1, D3, D4, D5, E4, F4
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let house = runtime.block_on(House::new());
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(96));
    let done = runner
        .run(&case().prop_filter("something changes", |case| !case.changed.is_empty()), |case| {
            runtime.block_on(check(&house, &case))
        });
    done.unwrap();
}

#[tokio::test]
async fn a_character_that_the_encoding_lacks_is_refused_by_name() {
    // FAULTS D5
    let house = House::new().await;
    let (encoding, bom, words, _) = KINDS[5];
    let bytes = encode(&format!("{words}\n"), encoding, bom).unwrap();
    house.put("a.md", &bytes);
    let refusal = house.replace("a.md", "名前", "名前🍊").await.unwrap_err().to_string();
    assert!(refusal.contains("'🍊'") && refusal.contains("Shift_JIS"), "{refusal}");
    house.holds("a.md", bytes);
}

#[tokio::test]
async fn one_property_changes_one_line() {
    // FAULTS D7, D9
    let house = House::new().await;
    let text = "---\n# about this\ntitle: \"A 'b'\"   # keep\ntags:\n    - x\n    -   y\n\nempty:\n...: no\n---\n# Body  \n\n* one\n+ two\n";
    house.put("a.md", text);
    let proposed = house.replace("a.md", "title: \"A 'b'\"", "title: \"B\"").await.unwrap();
    house.apply(&proposed).await;
    house.holds("a.md", text.replace("\"A 'b'\"", "\"B\""));
    let proposed = house.replace("a.md", "* one", "* 1").await.unwrap();
    house.apply(&proposed).await;
    house.holds("a.md", text.replace("\"A 'b'\"", "\"B\"").replace("* one", "* 1"));
}

#[tokio::test]
async fn a_byte_order_mark_is_neither_lost_nor_added() {
    // FAULTS D3, D4
    let house = House::new().await;
    house.put("a.md", "\u{feff}one\n");
    let proposed = house.edit("a.md", rewrite("\u{feff}uno\ndos\n")).await.unwrap();
    house.apply(&proposed).await;
    house.holds("a.md", "\u{feff}uno\ndos\n");
    house.put("b.md", "one\n");
    let proposed = house.edit("b.md", rewrite("\u{feff}uno\n")).await.unwrap();
    house.apply(&proposed).await;
    house.holds("b.md", "uno\n");
    house.proposals.create_file(&by("s"), &house.place("c.md"), "\u{feff}new\n").await.unwrap();
    house.changes.apply(house.changes.list(true, None, 0).await.unwrap()[0].id, &[], true).await.unwrap();
    house.holds("c.md", "new\n");
}

#[tokio::test]
async fn the_diff_shows_what_happens_to_line_ends() {
    // FAULTS D2
    let house = House::new().await;
    house.put("a.md", "one\r\ntwo\rthree\n");
    let proposed = house.edit("a.md", rewrite("one\ntwo\nthree 3\n")).await.unwrap();
    let diff = house.changes.diff(proposed.operation_id).await.unwrap();
    let changed: Vec<_> = diff.hunks[0]
        .rows
        .iter()
        .filter(|row| row.sign != orangery_domain::DiffSign::Same)
        .map(|row| (row.text.as_str(), row.ending.as_deref()))
        .collect();
    // The lines that stay keep their ends, so there is nothing to show for them.
    assert_eq!(changed, [("three", None), ("three 3", None)]);
    house.apply(&proposed).await;
    house.holds("a.md", "one\r\ntwo\rthree 3\n");
}
