//! Lines of files on disk, beside a naive search for the same.

use std::collections::BTreeSet;

use orangery_domain::text::{Encoding, encode};
use orangery_domain::{FileKind, KbId, KbPath, TextPage, TextQuery};
use orangery_library::{Error, LineQuery, LineSearch, Take};
use regex::RegexBuilder;

use crate::house::{Folder, House, under};

impl House {
    async fn lines(&self, query: TextQuery) -> TextPage {
        self.library.text(&query).await.unwrap()
    }

    async fn fitting(&self, pattern: &str) -> Vec<(String, u32)> {
        fitting(
            &self.lines(TextQuery { pattern: pattern.into(), limit: 10_000, ..TextQuery::default() }).await,
        )
    }
}

fn fitting(page: &TextPage) -> Vec<(String, u32)> {
    let rows = page.files.iter().flat_map(|file| {
        let rows = file.rows.iter().filter(|row| !row.context);
        rows.map(|row| (file.place.path.to_string(), row.line))
    });
    rows.collect()
}

fn pairs(expected: &[(&str, u32)]) -> Vec<(String, u32)> {
    expected.iter().map(|(path, line)| ((*path).to_owned(), *line)).collect()
}

async fn opened(folder: Folder) -> House {
    let house = folder.open(false).await;
    house.library.settle().await;
    house
}

#[tokio::test(flavor = "multi_thread")]
async fn every_encoding_and_every_ending_is_read_as_everywhere_else() {
    let folder = Folder::new();
    let text = "第一行\n水库的警戒水位是一百七十五米\n第三行，这里没有什么\n";
    folder.write("utf8.md", text);
    folder.write("bom.md", format!("\u{FEFF}{text}"));
    folder.write("gb.txt", encode(text, Encoding::Gb18030, false).unwrap());
    for (name, encoding, mark) in
        [("le.txt", Encoding::Utf16Le, b"\xFF\xFE"), ("be.txt", Encoding::Utf16Be, b"\xFE\xFF")]
    {
        folder.write(name, [&mark[..], &encode(text, encoding, false).unwrap()].concat());
    }
    folder.write("cr.txt", text.replace('\n', "\r"));
    folder.write("crlf.txt", text.replace('\n', "\r\n"));
    folder.write("picture.png", b"\x89PNG\0\0\xE6\xB0\xB4\xE5\xBA\x93");
    let house = opened(folder).await;
    let names = ["be.txt", "bom.md", "cr.txt", "crlf.txt", "gb.txt", "le.txt", "utf8.md"];
    for pattern in ["^水库.*米$", "水库", r"\b水库的"] {
        assert_eq!(house.fitting(pattern).await, names.map(|name| (name.to_owned(), 2)), "{pattern}");
    }
    let page = house.lines(TextQuery { pattern: "警戒|水位".into(), ..TextQuery::default() }).await;
    for file in &page.files {
        let row = &file.rows[0];
        assert_eq!(row.text, "水库的警戒水位是一百七十五米", "{}", file.place.path);
        assert_eq!(under(&row.text, &row.marks), ["警戒", "水位"]);
    }
    assert_eq!((page.total_files, page.total_lines, page.unread), (7, 7, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_user_chose_as_encoding_counts() {
    let folder = Folder::new();
    // Valid UTF-8 by chance, and meant as something else.
    folder.write("odd.txt", encode("é", Encoding::Utf8, false).unwrap());
    let house = opened(folder).await;
    assert_eq!(house.fitting("Ã").await, []);
    house.library.choose_encoding(&house.place("odd.txt"), Encoding::Windows1252).await.unwrap();
    assert_eq!(house.fitting("Ã").await, pairs(&[("odd.txt", 1)]));
    assert_eq!(house.fitting("é").await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_out_does_not_answer_unless_it_is_named() {
    let folder = Folder::new();
    folder.write(".gitignore", "*.log\n/build/\n");
    folder.write(".orangeignore", "!keep.log\n");
    for path in [
        "a.md",
        "a.log",
        "keep.log",
        "build/b.md",
        "sub/build/c.md",
        ".hidden.md",
        ".obsidian/d.md",
        ".orange/memory.md",
        "node_modules/e.js",
        "server.pem",
        ".env",
        "code.rs",
    ] {
        folder.write(path, "needle\n");
    }
    folder.write("key.txt", "-----BEGIN OPENSSH PRIVATE KEY-----\nneedle\n");
    #[cfg(unix)]
    {
        std::fs::write(folder.base().join("outside.md"), "needle\n").unwrap();
        std::os::unix::fs::symlink("../outside.md", folder.kb().join("link.md")).unwrap();
        std::os::unix::fs::symlink("..", folder.kb().join("up")).unwrap();
    }
    let house = opened(folder).await;
    let expected = [".orange/memory.md", "a.md", "code.rs", "keep.log", "sub/build/c.md"];
    assert_eq!(house.fitting("needle").await, expected.map(|path| (path.to_owned(), 1)));
    for (folder, expected) in [
        ("build", vec![("build/b.md", 1)]),
        (".obsidian", vec![(".obsidian/d.md", 1)]),
        ("sub", vec![("sub/build/c.md", 1)]),
        ("a.log", vec![("a.log", 1)]),
        ("nowhere", vec![]),
    ] {
        let query = TextQuery {
            pattern: "needle".into(),
            folder: Some(KbPath::parse(folder).unwrap()),
            ..TextQuery::default()
        };
        assert_eq!(fitting(&house.lines(query).await), pairs(&expected), "{folder}");
    }
    let of = |glob: &str, types: Vec<FileKind>| TextQuery {
        pattern: "needle".into(),
        glob: Some(glob.into()),
        file_types: types,
        ..TextQuery::default()
    };
    for (query, expected) in [
        (of("*.rs", vec![]), vec!["code.rs"]),
        (of("sub/**/*.md", vec![]), vec!["sub/build/c.md"]),
        (of("!*.md", vec![]), vec!["code.rs", "keep.log"]),
        (of("*.{rs,log}", vec![FileKind::Text]), vec!["keep.log"]),
    ] {
        let found: Vec<String> =
            house.lines(query).await.files.iter().map(|file| file.place.path.to_string()).collect();
        assert_eq!(found, expected);
    }
}

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

const PIECES: &[&str] = &[
    "rust",
    "Rust",
    "trust",
    "写",
    "知识库",
    "x",
    "foo_bar",
    "-2",
    " ",
    " ",
    "é",
    "e\u{301}",
    "İ",
    "ß",
    "\t",
    "。",
    "a",
    "ab",
    "42",
    "😀",
    ".",
    "(",
    "naïve",
    "한국어를",
];

const PATTERNS: &[&str] = &[
    "rust",
    r"\brust\b",
    r"\Brust",
    r"rust\B",
    "知识",
    r"\b知识库\b",
    r"^\s*rust",
    r"[a-z]+\d+",
    r"\w+写",
    "写$",
    "^$",
    r"\b",
    r"^\B$",
    "(a|ab)(x|42)",
    "(?i)RUST|İ",
    r"(?-u:\b)x",
    r"\p{Han}{3}",
    "é|ß",
    r"\.",
    r"\(",
    r"한국어를\b",
    r"(?:\b)+foo_bar",
    r"[^a]\b.",
    "😀",
    r"\s\s",
];

/// FAULTS J1 to J4 ask for speed; this asks for the same answer as one line after the other gives.
#[tokio::test(flavor = "multi_thread")]
async fn lines_are_those_of_a_naive_search() {
    let folder = Folder::new();
    let mut numbers = Numbers(7);
    let mut files: Vec<(String, String)> = Vec::new();
    for number in 0..160 {
        let ending = ["\n", "\r\n", "\n", "\r"][numbers.below(4)];
        let mut text = String::new();
        for _ in 0..numbers.below(30) {
            for _ in 0..numbers.below(7) {
                text.push_str(PIECES[numbers.below(PIECES.len())]);
            }
            text.push_str(ending);
        }
        if numbers.below(2) == 0 {
            text.push_str("the last rust");
        }
        let path = format!("{}/n{number:03}.md", ["a", "b/c", "b", "知识"][numbers.below(4)]);
        folder.write(&path, &text);
        files.push((path, text));
    }
    files.sort();
    let house = opened(folder).await;
    for pattern in PATTERNS {
        for (ignore_case, whole_words, literal) in
            [(false, false, false), (true, false, false), (false, true, false), (false, false, true)]
        {
            let mut naive = if literal { regex::escape(pattern) } else { format!("(?:{pattern})") };
            if whole_words {
                naive = format!(r"\b{{start-half}}{naive}\b{{end-half}}");
            }
            let naive = RegexBuilder::new(&naive).case_insensitive(ignore_case).build().unwrap();
            let expected: Vec<(String, u32)> = files
                .iter()
                .flat_map(|(path, text)| {
                    let text = text.replace("\r\n", "\n").replace('\r', "\n");
                    let lines: Vec<String> = text.split_terminator('\n').map(str::to_owned).collect();
                    (1..).zip(lines).map(|(number, line)| (path.clone(), number, line)).collect::<Vec<_>>()
                })
                .filter(|(.., line)| naive.is_match(line))
                .map(|(path, number, _)| (path, number))
                .collect();
            let query = TextQuery {
                pattern: (*pattern).into(),
                ignore_case,
                whole_words,
                literal,
                limit: 10_000,
                ..TextQuery::default()
            };
            let page = house.lines(query.clone()).await;
            let context = format!("{pattern} {ignore_case} {whole_words} {literal}");
            assert_eq!(page.next_offset, None, "{context}");
            let differ: Vec<_> = fitting(&page)
                .into_iter()
                .collect::<BTreeSet<_>>()
                .symmetric_difference(&expected.iter().cloned().collect())
                .cloned()
                .collect();
            assert_eq!(differ, [], "{context}");
            assert_eq!(page.total_lines, expected.len() as u64, "{context}");
            // What is marked fits.
            for row in page.files.iter().flat_map(|file| &file.rows) {
                assert!(under(&row.text, &row.marks).iter().all(|mark| !mark.is_empty()), "{context}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_hold_every_line_once_and_context_is_not_counted() {
    let folder = Folder::new();
    for file in 0..7 {
        let text: String =
            (0..40).map(|line| format!("{}\n", if line % 3 == file % 3 { "hit" } else { "miss" })).collect();
        folder.write(&format!("f{file}.md"), text);
    }
    let house = opened(folder).await;
    let whole = house.fitting("hit").await;
    for context in [0, 2] {
        let (mut offset, mut seen, mut contexts) = (0, Vec::new(), 0);
        loop {
            let query =
                TextQuery { pattern: "hit".into(), context, offset, limit: 10, ..TextQuery::default() };
            let page = house.lines(query).await;
            assert_eq!(page.total_lines, whole.len() as u64);
            seen.extend(fitting(&page));
            for file in &page.files {
                let lines: Vec<u32> = file.rows.iter().map(|row| row.line).collect();
                assert!(lines.windows(2).all(|pair| pair[0] < pair[1]), "{lines:?}");
                contexts += file.rows.iter().filter(|row| row.context).count();
                assert!(file.rows.iter().all(|row| row.context == (row.text == "miss")), "{file:?}");
            }
            match page.next_offset {
                Some(next) => offset = next,
                None => break,
            }
        }
        assert_eq!(seen, whole);
        assert_eq!(contexts > 0, context > 0);
    }
    let beyond = TextQuery { pattern: "hit".into(), offset: 9_999, ..TextQuery::default() };
    let page = house.lines(beyond).await;
    assert_eq!((page.files.len(), page.next_offset), (0, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pattern_may_go_over_lines() {
    let house = House::with(&[("a.md", "one\ntwo\nthree\nfour\n"), ("b.md", "one\r\ntwo\r\n")]).await;
    let over = |pattern: &str| TextQuery { pattern: pattern.into(), multiline: true, ..TextQuery::default() };
    let found = house.lines(over("one.*two")).await;
    assert_eq!(fitting(&found), pairs(&[("a.md", 1), ("a.md", 2), ("b.md", 1), ("b.md", 2)]));
    assert_eq!(under(&found.files[0].rows[1].text, &found.files[0].rows[1].marks), ["two"]);
    assert_eq!(fitting(&house.lines(over(r"two\nthree\b")).await), pairs(&[("a.md", 2), ("a.md", 3)]));
    assert_eq!(fitting(&house.lines(over("^three$")).await), pairs(&[("a.md", 3)]));
    let wrong = TextQuery { pattern: r"two\nthree".into(), ..TextQuery::default() };
    assert!(matches!(house.library.text(&wrong).await, Err(Error::Pattern(..))));
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_that_are_asked_together_are_answered_once() {
    let folder = Folder::new();
    folder.write(".gitignore", "build/\n");
    for path in ["top.md", "a/one.md", "a/b/two.md", "a/b/two.txt", "build/three.md"] {
        folder.write(path, "red\ngreen\nred green\nblue\n");
    }
    let house = opened(folder).await;
    let root = house.library.root(house.kb).unwrap();
    let query = |dir: &str, pattern: &str, glob: Option<&str>, recursive: bool| LineQuery {
        kb: Some(house.kb),
        at: root.resolve(&KbPath::parse(dir).unwrap()).unwrap(),
        pattern: pattern.into(),
        glob: glob.map(str::to_owned),
        recursive,
    };
    let asked = |queries: Vec<LineQuery>| LineSearch {
        queries,
        literal: false,
        whole_words: false,
        ignore_case: false,
        multiline: false,
        kinds: Vec::new(),
        take: Take::Files,
        offset: 0,
        limit: 100,
        hidden: Box::new(|_: Option<KbId>, _, path| path.as_str() == "a/b/two.txt"),
    };
    for (queries, expected) in [
        (
            vec![query(".", "red", None, true), query(".", "green", None, true)],
            vec![("a/b/two.md", 3), ("a/one.md", 3), ("top.md", 3)],
        ),
        (
            vec![query(".", "red", None, false), query("a", "blue", None, true)],
            vec![("a/b/two.md", 1), ("a/one.md", 1), ("top.md", 2)],
        ),
        (
            vec![query(".", "red", Some("*.txt"), true), query("a/b", "blue", Some("t*.md"), true)],
            vec![("a/b/two.md", 1)],
        ),
        (
            vec![query(".", "red", None, true), query("build", "blue", None, true)],
            vec![("a/b/two.md", 2), ("a/one.md", 2), ("build/three.md", 1), ("top.md", 2)],
        ),
        (
            vec![query("a", "red", None, false), query("a/b/two.md", "blue", None, true)],
            vec![("a/b/two.md", 1), ("a/one.md", 2)],
        ),
        (
            vec![query("a/b/two.md", "red", None, true), query("a/b", "green", None, true)],
            vec![("a/b/two.md", 3)],
        ),
    ] {
        let said = format!("{queries:?}");
        let page = house.library.lines(asked(queries)).await.unwrap();
        let found: Vec<(String, u64)> =
            page.files.iter().map(|file| (file.path.to_string(), file.count)).collect();
        let expected: Vec<(String, u64)> =
            expected.into_iter().map(|(path, count)| (path.to_owned(), count)).collect();
        assert_eq!(found, expected, "{said}");
        assert_eq!(page.total_files, expected.len() as u64);
    }
}

/// More than one buffer, and more than is read at once.
#[tokio::test(flavor = "multi_thread")]
async fn large_files_are_searched_to_their_end() {
    let folder = Folder::new();
    let (line, last) = ("这是一行很普通的字，没有别的。Nothing but words.\n".repeat(40), "the needle 针\n");
    let count = (33 << 20) / line.len() + 1;
    for (name, encoding) in [("gb.data", Encoding::Gb18030), ("large.data", Encoding::Utf8)] {
        let encoded = |text: &str| encode(text, encoding, false).unwrap();
        // In GB18030 it is shorter.
        let count = if encoding == Encoding::Utf8 { count } else { count * 3 / 2 };
        folder.write(name, [encoded(&line).repeat(count), encoded(last)].concat());
    }
    folder.write("middle.data", format!("{}\nneedle\n", "x".repeat(200_000)));
    let house = opened(folder).await;
    let last = |count: usize| u32::try_from(count * 40 + 1).unwrap();
    let expected =
        pairs(&[("gb.data", last(count * 3 / 2)), ("large.data", last(count)), ("middle.data", 2)]);
    assert_eq!(house.fitting("needle( 针)?$").await, expected);
}
