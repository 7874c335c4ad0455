use super::*;

/// Terms as `word`, `word*` (prefix), `run`, `"phrase"`, with `+` and `-` for roles, `|` between wants.
fn shown(query: &Query) -> String {
    let want = |want: &Want| match want {
        Want::Word { word, prefix, .. } => format!("{word}{}", if *prefix { "*" } else { "" }),
        Want::Run(units) => units.concat(),
        Want::Phrase(words) => {
            let words: Vec<_> = words.iter().map(|(position, word)| format!("{word}@{position}")).collect();
            format!("\"{}\"", words.join(" "))
        }
    };
    let terms: Vec<String> = query
        .terms
        .iter()
        .map(|term| {
            let role = match term.role {
                Role::Should => "",
                Role::Must => "+",
                Role::Not => "-",
            };
            format!("{role}{}", term.wants.iter().map(want).collect::<Vec<_>>().join("|"))
        })
        .collect();
    terms.join(" ")
}

fn plain(text: &str, expected: &str, sentence: bool) {
    let query = Query::parse(text, false, false);
    assert_eq!((shown(&query).as_str(), query.sentence), (expected, sentence), "{text}");
}

fn operators(text: &str, expected: &str, warning: &str) {
    let query = Query::parse(text, true, false);
    let warnings: Vec<_> = query.warnings.iter().map(|warning| warning.code.as_str()).collect();
    assert_eq!((shown(&query).as_str(), warnings.join(" ").as_str()), (expected, warning), "{text}");
}

#[test]
fn scripts_are_split_and_function_words_left_out() {
    plain("go 命令", "go 命令", false);
    plain("使用Rust写", "使用 rust 写", false);
    plain("What is the Café's budget?", "cafe budget", true);
    plain("岚屿水库的警戒水位是多少", "岚屿水库 警戒水位", true);
    plain("如何备份数据库", "备份数据库", true);
    plain("目的地", "目的地", false);
    plain("什么", "什么", false);
    plain("the who", "the who", false);
    plain("getUserName", "getusername", false);
    plain("\"rust\" -go OR tag:x", "rust go tag x", true);
}

#[test]
fn operators_are_read_and_malformed_ones_become_words() {
    operators("rust -go \"使用Rust写\"", "rust -go +\"使用@0 rust@2 写@3\"", "");
    operators("a1 OR b2 c3", "a1|b2 c3", "");
    operators("\"getUser now\"", "+\"get@0 user@1 now@2\"", "");
    operators("OR rust", "rust", "danglingOr");
    operators("rust OR", "rust", "danglingOr");
    operators("\"open quote", "open quote", "unclosedQuote");
    operators("tag: x", "x", "emptyOperator");
    operators("after:soon x", "soon x", "unreadableDate");
    operators("type:nothing", "nothing", "unknownType");
    operators("/q(b/ x", "q b x", "unreadablePattern");
    operators("line: x", "x", "emptyOperator");
    operators("/usr/local/bin", "usr local bin", "");
    operators("https://example.org - x", "https example.org x", "");
    operators("has:link x", "link x", "unknownOperator");
    operators("-bogus:\"two words\" x", "-bogus +\"two@0 words@1\" x", "unknownOperator");
    operators("modified:>soon", "modified soon", "unknownOperator");
    operators("after:nonsense", "nonsense", "unreadableDate");
    operators("std::fs 10:30 localhost:8080 \"has:x\"", "std fs 10 30 localhost 8080 +\"has@0 x@1\"", "");
    assert_eq!(Query::parse("has:link", true, false).warnings[0].detail, "has:");
    assert_eq!(Query::parse("Tag:x", true, false).filters[0].test, FileTest::Tag("x".into()));
    let query = Query::parse("tag:#Work/A -path:\"old notes\" type:md in:KB x", true, false);
    assert_eq!(query.filters.len(), 4);
    assert_eq!(query.filters[0], Filter { test: FileTest::Tag("work/a".into()), not: false });
    assert_eq!(query.filters[1], Filter { test: FileTest::Path("old notes".into()), not: true });
    assert_eq!(query.filters[2].test, FileTest::Type(FileKind::Markdown));
    assert_eq!(Query::parse("type:Word", true, false).filters[0].test, FileTest::Type(FileKind::Docx));
    assert_eq!(Query::parse("type:scan", true, false).filters[0].test, FileTest::Scan);
}

/// What is asked of texts: `[words]` on a line, `#[words]` in a heading, `/pattern/`.
#[test]
fn lines_headings_and_patterns_are_read() {
    let shown = |text: &str| {
        let query = Query::parse(text, true, false);
        let texts = query.texts.iter().map(|test| {
            let not = if test.not { "-" } else { "" };
            match &test.within {
                Within::Line(wants) => format!("{not}[{}]", spelled(wants).join(" ")),
                Within::Heading(wants) => format!("{not}#[{}]", spelled(wants).join(" ")),
                Within::Pattern(pattern) => format!("{not}/{pattern}/"),
            }
        });
        (texts.collect::<Vec<_>>().join(" "), self::shown(&query))
    };
    let pair = |texts: &str, terms: &str| (texts.to_owned(), terms.to_owned());
    assert_eq!(shown("line:(Red 备份) x"), pair("[red 备份]", "+red +备份 x"));
    assert_eq!(shown("-line:red x"), pair("-[red]", "x"));
    assert_eq!(shown("heading:\"set up\""), pair("#[set up]", "+\"set@0 up@1\""));
    assert_eq!(shown(r"/a\/b+/ -/c d/i"), pair(r"/a\/b+/ -/c d/", ""));
}

#[test]
fn the_last_word_is_a_prefix_while_it_is_typed() {
    let show = |text| shown(&Query::parse(text, true, true));
    assert_eq!(show("spectro cal"), "spectro cal*");
    assert_eq!(show("the"), "the*");
    assert_eq!(show("cal "), "cal");
    assert_eq!(show("知识"), "知识");
}
