use super::*;
use crate::edits::{fits, splice};

fn replace(original: &str, next: &str) -> ReplaceEdit {
    ReplaceEdit { original: original.into(), next: next.into(), ..ReplaceEdit::default() }
}

#[track_caller]
fn check(text: &str, original: &str, next: &str, expected: &str) {
    let located = locate(text, &[replace(original, next)])
        .unwrap_or_else(|miss| panic!("{original:?} in {text:?}: {miss:?}"));
    assert!(fits(text, &located.edits), "{located:?}");
    assert_eq!(splice(text, &located.edits), expected);
}

#[track_caller]
fn refused(text: &str, edits: &[ReplaceEdit]) -> Miss {
    locate(text, edits).expect_err("a refusal")
}

#[test]
fn inserted_lines_end_as_the_file_does_there() {
    check("a\r\nb\r\nc\n", "a\nb", "a\nx\nb", "a\r\nx\r\nb\r\nc\n");
    check("a\rb\r", "b", "b\nc", "a\rb\rc\r");
    check("a\r\nb\nc\n", "c", "c\nd", "a\r\nb\nc\nd\n");
    // An anchor quoted with the file's own endings fits as well.
    check("a\r\nb\r\n", "a\r\nb", "a\r\nb2", "a\r\nb2\r\n");
}

#[test]
fn quotes_fit_each_other_and_the_files_style_stays() {
    // FAULTS E1
    check(
        "He said “hello” to her.\n",
        "said \"hello\"",
        "said \"good morning\"",
        "He said “good morning” to her.\n",
    );
    check(
        "It’s a dog’s life.\n",
        "It's a dog's life.",
        "It's a cat's life, isn't it?",
        "It’s a cat’s life, isn’t it?\n",
    );
    check("let a = \"b\";\n", "let a = “b”;", "let a = “c”;", "let a = \"c\";\n");
    // Changing the quotes themselves.
    check("a \"b\" c\n", "a \"b\" c", "a “b” c", "a “b” c\n");
    check("a “b” c\n", "a “b” c", "a \"b\" c", "a \"b\" c\n");
    check("“a” and “b”\n", "\"a\" and \"b\"", "'a' and \"b\"", "'a' and “b”\n");
    // Only when one place fits.
    let miss = refused("“a”\n„a“\n", &[replace("\"a\"", "\"b\"")]);
    assert_eq!(miss, Miss::Ambiguous { edit: 0, lines: vec![1, 2] });
    // The exact place wins over a loose one.
    check("“a”\n\"a\"\n", "\"a\"", "\"b\"", "“a”\n\"b\"\n");
}

#[test]
fn code_never_gets_curly_quotes() {
    // FAULTS E1
    let text = "“Say” it:\n\n```js\nlet a = \"b\";\nlet c = 1;\n```\n\nDone.\n";
    check(text, "let c = 1;", "let c = “d”;", &text.replace("c = 1", "c = \"d\""));
    check(
        text,
        "let a = \"b\";",
        "let a = “b”;\nlet b = ‘x’;",
        &text.replace("\"b\";", "\"b\";\nlet b = 'x';"),
    );
    check(text, "let a = “b”;", "let a = “c”;", &text.replace("\"b\"", "\"c\""));
    // Beside a block they are the writer's.
    check(text, "Done.", "“Done.”", &text.replace("Done.", "“Done.”"));
    // A block that comes with the edit, in a list.
    check("- a\n", "- a\n", "- “a”\n  ~~~\n  say(“a”)\n  ~~~\n", "- “a”\n  ~~~\n  say(\"a\")\n  ~~~\n");
    // A block that is about curly quotes has its own.
    check("```\n“a”\nb\n```\n", "b", "‘b’", "```\n“a”\n‘b’\n```\n");
}

#[test]
fn tabs_and_blanks_of_indentation_fit_each_other() {
    // FAULTS E3, E5
    check(
        "if a:\n\tone()\n\tif b:\n\t\ttwo()\n",
        "    if b:\n        two()\n",
        "    if b:\n        two()\n        three()\n    four()\n",
        "if a:\n\tone()\n\tif b:\n\t\ttwo()\n\t\tthree()\n\tfour()\n",
    );
    check(
        "- a\n    - b\n    - c\n",
        "  - b\n  - c",
        "  - b\n    - d\n  - c",
        "- a\n    - b\n        - d\n    - c\n",
    );
    check("\tone\n\ttwo\n", "one\ntwo", "one\n  half\ntwo", "\tone\n\t\thalf\n\ttwo\n");
    // Asking for another indentation works.
    check("\tone\n\ttwo\n", "    one\n    two", "    one\n        two", "\tone\n\t\ttwo\n");
    // Not when two places fit.
    let miss = refused("\ta\nx\n\t\ta\n", &[replace("  a\n", "  b\n")]);
    assert_eq!(miss, Miss::Ambiguous { edit: 0, lines: vec![1, 3] });
}

#[test]
fn other_lines_of_a_file_with_tabs_stay_as_they_are() {
    // FAULTS E4
    let text = "\tone\r\n\t\ttwo\n\tthree  \n";
    check(text, "  two\n", "  2\n", "\tone\r\n\t\t2\n\tthree  \n");
}

#[test]
fn letters_fit_in_either_form() {
    check("cafe\u{301} noir\n", "café noir", "café blanc", "cafe\u{301} blanc\n");
    check("café noir\n", "cafe\u{301} noir", "cafe\u{301} crème", "café crème\n");
}

#[test]
fn blanks_at_line_ends_survive() {
    // FAULTS E9: two of them are a hard break.
    check("one  \ntwo\n", "one  \ntwo", "one  \n2", "one  \n2\n");
    check("one  \ntwo\n", "one\ntwo", "one\n2", "one  \n2\n");
    check("one  \ntwo\n", "one", "1", "1  \ntwo\n");
    check("one\ntwo\n", "one", "one  ", "one  \ntwo\n");
    check("one  \ntwo\n", "one  \n", "one\n", "one\ntwo\n");
}

#[test]
fn row_numbers_of_a_read_are_not_part_of_the_text() {
    check("alpha\nbeta\ngamma\n", "12\tbeta\n13\tgamma", "beta\ndelta", "alpha\nbeta\ndelta\n");
    check("alpha\nbeta\n", "2⇥beta", "2⇥delta", "alpha\ndelta\n");
    check("alpha\n\nbeta\n", "1\talpha\n2\t\n3\tbeta", "alpha\n\ngamma", "alpha\n\ngamma\n");
    // A file that really has them is taken at its word.
    check("1\ta\n2\tb\n", "2\tb", "3\tb", "1\ta\n3\tb\n");
}

#[test]
fn a_last_line_quoted_with_a_break_fits() {
    check("a\nlast", "last\n", "last one\n", "a\nlast one");
    // But nowhere else.
    assert!(matches!(refused("last x\nb", &[replace("last\n", "y\n")]), Miss::Missing { .. }));
}

#[test]
fn a_doubtful_place_refuses_the_call_and_names_all_lines() {
    // FAULTS E4, E7
    let text = "x\na\ny\na\nz a\n";
    assert_eq!(refused(text, &[replace("a", "b")]), Miss::Ambiguous { edit: 0, lines: vec![2, 4, 5] });
    let second = ReplaceEdit { occurrence: Some(2), ..replace("a", "b") };
    assert_eq!(
        splice(text, &locate(text, std::slice::from_ref(&second)).unwrap().edits),
        "x\na\ny\nb\nz a\n"
    );
    let fourth = ReplaceEdit { occurrence: Some(4), ..second };
    assert_eq!(refused(text, &[fourth]), Miss::Occurrence { edit: 0, asked: 4, lines: vec![2, 4, 5] });
    let all = ReplaceEdit { replace_all: true, ..replace("a", "b") };
    assert_eq!(splice(text, &locate(text, &[all]).unwrap().edits), "x\nb\ny\nb\nz b\n");
    assert_eq!(refused(text, &[replace("", "b")]), Miss::Empty { edit: 0 });
}

#[test]
fn edits_that_meet_refuse_the_call() {
    let text = "one two three\nfour\n";
    assert_eq!(
        refused(text, &[replace("one two", "1 2"), replace("two three", "2 3")]),
        Miss::Overlap { edit: 1, other: 0, lines: (1, 1) }
    );
    assert_eq!(
        refused(text, &[replace("one", "four times one"), replace("four", "4")]),
        Miss::InsideEarlier { edit: 1, earlier: 0 }
    );
    assert!(matches!(
        refused(text, &[replace("one", "1"), replace("five", "5")]),
        Miss::Missing { edit: 1, .. }
    ));
    // Neighbours keep the order of the text, whatever that of the call.
    let located = locate("ab\n", &[replace("b", "2b"), replace("a", "a1")]).unwrap();
    assert_eq!(splice("ab\n", &located.edits), "a12b\n");
    // Order in the call does not matter, and all are found on the text as it was.
    let located = locate(text, &[replace("four", "4"), replace("one", "1")]).unwrap();
    assert_eq!(splice(text, &located.edits), "1 two three\n4\n");
}

/// FAULTS E10: every line that goes was quoted as it is, so one that is another refuses the call.
#[test]
fn no_line_is_taken_out_that_was_not_quoted() {
    let lines = ["one", "two", "three", "four", "five"];
    let text = lines.map(|line| format!("{line} of many\n")).concat();
    let quoted = |lines: &[&str]| lines.iter().map(|line| format!("{line} of many\n")).collect::<String>();
    for wrong in 0..lines.len() {
        let mut other = lines;
        other[wrong] = "another";
        assert!(matches!(refused(&text, &[replace(&quoted(&other), "")]), Miss::Missing { .. }), "{wrong}");
        // Nor is one passed over.
        let fewer: Vec<&str> =
            lines.iter().enumerate().filter(|(at, _)| *at != wrong).map(|(_, line)| *line).collect();
        if (1..lines.len() - 1).contains(&wrong) {
            assert!(
                matches!(refused(&text, &[replace(&quoted(&fewer), "")]), Miss::Missing { .. }),
                "{wrong}"
            );
        }
    }
    check(&text, &quoted(&lines[1..4]), "", &quoted(&[lines[0], lines[4]]));
}

#[test]
fn a_miss_says_what_came_nearest() {
    // FAULTS E6
    let text = "alpha\nbeta is here\ngamma\n";
    let Miss::Missing { nearest, .. } = refused(text, &[replace("alpha\nbeta was here\ngamma", "x")]) else {
        panic!("missing");
    };
    assert_eq!((nearest[0].line, nearest[0].differs_at), (1, 2));
    assert_eq!(nearest[0].found, "beta is here");
}

#[test]
fn rewriting_keeps_the_endings_of_lines_that_stay() {
    let text = "a\r\nb\nc\r\n";
    let edits = rewrite(text, "a\nB\nc\nd\n");
    assert_eq!(splice(text, &edits), "a\r\nB\nc\r\nd\r\n");
}

#[test]
fn a_narrow_change_is_a_narrow_edit() {
    // Bytes around the changed word are never encoded again.
    let text = "key: \"v\" # note\nother: 1\n";
    let located =
        locate(text, &[replace("key: \"v\" # note\nother: 1", "key: \"w\" # note\nother: 1")]).unwrap();
    assert_eq!(located.edits, [TextEdit { range: 6..7, insert: "w".into() }]);
}
