use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};

use orangery_domain::{FileKind, SearchQuery};

use crate::house::{House, under};
use orangery_store::table::{chunk, file};

/// FAULTS A1 and A7.
#[tokio::test(flavor = "multi_thread")]
async fn mixed_titles_are_found_by_either_script_in_any_order() {
    let house = House::with(&[
        ("GO常用命令.md", "# GO常用命令\n\n一些笔记"),
        ("GO的env变量.md", "# GO的env变量\n\n另一些笔记"),
        ("无关.md", "什么都没有"),
    ])
    .await;
    for (query, expected) in [
        ("go 命令", "GO常用命令.md"),
        ("命令 GO", "GO常用命令.md"),
        ("GO 变量", "GO的env变量.md"),
        ("变量 go", "GO的env变量.md"),
        ("env变量", "GO的env变量.md"),
        ("GO常用", "GO常用命令.md"),
    ] {
        assert_eq!(house.search(query).await, [expected], "{query}");
    }
    let both = house.search("go").await;
    assert_eq!(both.len(), 2);
}

/// FAULTS A4.
#[tokio::test(flavor = "multi_thread")]
async fn all_terms_of_a_short_query_count() {
    let house = House::with(&[
        ("both.md", "你好 再见"),
        ("one.md", "你好"),
        ("en.md", "alpha beta"),
        ("en1.md", "alpha"),
    ])
    .await;
    assert_eq!(house.search("你好 再见").await, ["both.md"]);
    assert_eq!(house.search("alpha beta").await, ["en.md"]);
    // Nothing holds both: what holds one is better than nothing.
    assert_eq!(house.search("alpha 再见").await.len(), 3);
    assert_eq!(house.search("nothing").await, Vec::<String>::new());
}

/// FAULTS A3.
#[tokio::test(flavor = "multi_thread")]
async fn every_piece_of_a_run_that_follows_latin_text_is_found() {
    let text = "Rust所有权与借用检查器";
    let house = House::with(&[("a.md", text), ("b.md", "别的内容")]).await;
    let run: Vec<char> = text.chars().skip(4).collect();
    for length in 1..=4 {
        for piece in run.windows(length) {
            let piece: String = piece.iter().collect();
            assert_eq!(house.search(&piece).await, ["a.md"], "{piece}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn planted_facts_are_found_in_both_languages() {
    let mut notes = vec![
        ("zh.md".to_owned(), "# 记录\n\n经过复核，岚屿水库的警戒水位最终确定为12.5米。".to_owned()),
        ("zh2.md".to_owned(), "据报道，岚屿水库的检修周期为30天。".to_owned()),
        ("zh3.md".to_owned(), "苓珩水库的警戒水位为30米。".to_owned()),
        ("mix.md".to_owned(), "本周用Varenlo控制器重新测量了校准常数，结果是3毫特斯拉。".to_owned()),
        ("en.md".to_owned(), "After the last review the calibration constant of the Mikbelzan spectrometer was set to 3 millitesla.".to_owned()),
        ("en2.md".to_owned(), "The Mikbelzan spectrometer has a licensing budget of 20 euros.".to_owned()),
        ("code.md".to_owned(), "```rust\nlet hdr = parse_drufisol_header(buf)?;\n```".to_owned()),
        ("heading.md".to_owned(), "text\n\n## Quobel onboarding checklist\n\nmore".to_owned()),
    ];
    for at in 0..40 {
        notes.push((
            format!("filler{at}.md"),
            format!("# The {at}\n\nwhat is the of the last review 是多少 的 {at}"),
        ));
    }
    let notes: Vec<(&str, &str)> = notes.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let house = House::with(&notes).await;
    for (query, expected) in [
        ("岚屿水库 警戒水位", "zh.md"),
        ("岚屿水库的警戒水位是多少", "zh.md"),
        ("岚屿 水位", "zh.md"),
        ("Varenlo 校准常数", "mix.md"),
        ("Varenlo校准常数", "mix.md"),
        ("Mikbelzan spectrometer calibration constant", "en.md"),
        ("what is the calibration constant of the Mikbelzan spectrometer?", "en.md"),
        ("Mikbelzan spectrometers calibrated constants", "en.md"),
        ("Mikbelzon spectrometer calibration constant", "en.md"),
        ("parse_drufisol_header", "code.md"),
        ("drufisol header", "code.md"),
        ("Quobel onboarding", "heading.md"),
    ] {
        assert_eq!(house.search(query).await.first().map(String::as_str), Some(expected), "{query}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn citations_name_headings_and_lines_and_mark_what_was_asked() {
    let text = "---\ntitle: 手册\n---\n# Setup\n\nintro\n\n## 数据库\n\n先安装。\n\n然后执行数据库备份，用 PgDump 即可。\n";
    let house = House::with(&[("a.md", text)]).await;
    let page = house.ask(SearchQuery { text: "数据库备份 pgdump".into(), ..SearchQuery::default() }).await;
    let group = &page.groups[0];
    assert_eq!(
        (group.title.as_str(), group.kind, page.total_files, page.more),
        ("手册", FileKind::Markdown, 1, false)
    );
    let hit = &group.hits[0];
    assert_eq!(hit.heading_path, ["Setup", "数据库"]);
    assert_eq!((hit.lines.start, hit.lines.end), (12, 12));
    let marked = under(&hit.snippet, &hit.marks);
    assert!(marked.contains(&"数据库备份".to_owned()) && marked.contains(&"PgDump".to_owned()), "{marked:?}");
    // Nothing is marked that was not asked for.
    assert!(
        marked.iter().all(|mark| ["数据库备份", "数据库", "PgDump"].contains(&mark.as_str())),
        "{marked:?}"
    );
    assert_eq!(page.incomplete, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_stands_in_a_table_or_code_is_cited_by_its_line() {
    let text = "intro\n\n| name | place |\n|---|---|\n| lemon | south |\n| citron | north |\n\n\
                ```sh\nfirst\nkumquat --now\n```\n\n> [!note]\n> pomelo\n";
    let house = House::with(&[("a.md", text)]).await;
    for (word, line) in [("place", 3), ("south", 5), ("citron", 6), ("kumquat", 10), ("pomelo", 14)] {
        let page = house.ask(SearchQuery { text: word.into(), ..SearchQuery::default() }).await;
        let lines = page.groups[0].hits[0].lines;
        assert_eq!((lines.start, lines.end), (line, line), "{word}");
    }
}

/// As the migration leaves what was stored before lines were kept.
#[tokio::test(flavor = "multi_thread")]
async fn the_lines_of_notes_that_were_stored_before_are_made_anew() {
    let house = House::with(&[("a.md", "| a |\n|---|\n| b |\n| kumquat |\n"), ("b.txt", "kumquat")]).await;
    let id = house.id("a.md").unwrap();
    let mut chunks = chunk::of_file(house.db.reader(), id).await.unwrap();
    chunks[0].line_map.truncate(1);
    let row = file::by_id(house.db.reader(), id).await.unwrap().unwrap();
    let stamp = file::Stamp { modified_ns: row.modified_ns - 1, ..row.stamp() };
    let mut tx = house.db.write().await.unwrap();
    chunk::replace(&mut tx, id, &chunks).await.unwrap();
    file::choose_encoding(&mut tx, id, None).await.unwrap();
    file::restamp(&mut tx, id, stamp).await.unwrap();
    tx.commit().await.unwrap();
    let house = house.close().await.open(false).await;
    house.library.settle().await;
    assert_eq!(house.id("a.md"), Some(id));
    let asked = SearchQuery { text: "kumquat path:a.md".into(), operators: true, ..SearchQuery::default() };
    assert_eq!(house.ask(asked).await.groups[0].hits[0].lines.start, 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_narrow_and_malformed_ones_warn() {
    let house = House::with(&[
        ("work/a.md", "#project/x\n\nred green blue"),
        ("work/b.md", "#project\n\ngreen red"),
        ("home/c.txt", "red blue"),
        ("home/d.md", "使用Rust写程序"),
    ])
    .await;
    for (query, expected) in [
        ("\"red green\"", vec!["work/a.md"]),
        ("\"使用Rust写\"", vec!["home/d.md"]),
        ("red -blue", vec!["work/b.md"]),
        ("-red", vec!["home/d.md"]),
        ("red tag:project", vec!["work/a.md", "work/b.md"]),
        ("red tag:project/x", vec!["work/a.md"]),
        ("red -tag:project", vec!["home/c.txt"]),
        ("red path:home", vec!["home/c.txt"]),
        ("red file:a.md", vec!["work/a.md"]),
        ("type:text", vec!["home/c.txt"]),
        ("red in:kb after:2001 before:2999-01-01", vec!["home/c.txt", "work/a.md", "work/b.md"]),
        ("red after:2999", vec![]),
        ("程序 OR blue", vec!["home/c.txt", "home/d.md", "work/a.md"]),
        ("", vec![]),
    ] {
        let mut found = house.operators(query).await;
        found.sort();
        assert_eq!(found, expected, "{query}");
    }
    let page =
        house.ask(SearchQuery { text: "\"red blue".into(), operators: true, ..SearchQuery::default() }).await;
    assert_eq!(page.warnings[0].code, "unclosedQuote");
    assert_eq!(page.total_files, 2);
    // In plain language nothing is an operator.
    assert_eq!(house.search("red tag:project").await.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_headings_and_patterns_are_asked_of_the_text() {
    let house = House::with(&[
        ("a.md", "# Set up\n\nred green\n\nblue TODO-17\n\n## 备份方案\n\nmore red"),
        ("b.md", "# Other\n\nred\n\ngreen todo-8\n\nset up"),
    ])
    .await;
    for (query, expected) in [
        ("line:(red green)", vec!["a.md"]),
        ("red -line:(red green)", vec!["b.md"]),
        ("line:green", vec!["a.md", "b.md"]),
        ("heading:(set up)", vec!["a.md"]),
        ("heading:备份 red", vec!["a.md"]),
        ("/TODO-[0-9]+/", vec!["a.md"]),
        ("/todo-[0-9]+/i", vec!["a.md", "b.md"]),
        ("red -/TODO/", vec!["b.md"]),
        ("/^green/", vec!["b.md"]),
        ("/nowhere/", vec![]),
    ] {
        let mut found = house.operators(query).await;
        found.sort();
        assert_eq!(found, expected, "{query}");
    }
    let page = house
        .ask(SearchQuery { text: "/TODO-[0-9]+/".into(), operators: true, ..SearchQuery::default() })
        .await;
    let hit = &page.groups[0].hits[0];
    assert_eq!(under(&hit.snippet, &hit.marks), ["TODO-17"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_only_narrow() {
    let house =
        House::with(&[("work/a.md", "#x\n\nword"), ("workshop/b.md", "word"), ("c.txt", "word")]).await;
    let ask = |change: fn(&mut SearchQuery)| {
        let mut query = SearchQuery { text: "word".into(), ..SearchQuery::default() };
        change(&mut query);
        house.ask(query)
    };
    assert_eq!(ask(|_| {}).await.total_files, 3);
    assert_eq!(ask(|query| query.path_prefix = Some("work".into())).await.total_files, 1);
    assert_eq!(ask(|query| query.tags = vec!["#X".into()]).await.total_files, 1);
    assert_eq!(ask(|query| query.file_types = vec![FileKind::Text]).await.total_files, 1);
    assert_eq!(ask(|query| query.kb_ids = vec![orangery_domain::KbId(99)]).await.total_files, 0);
    assert_eq!(ask(|query| query.updated_before = Some(1_000)).await.total_files, 0);
    let page = ask(|query| (query.limit, query.offset) = (1, 1)).await;
    assert_eq!((page.groups.len(), page.total_files, page.more), (1, 3, true));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_word_may_be_unfinished() {
    let house = House::with(&[("a.md", "the spectrometer"), ("b.md", "a spectrum")]).await;
    let ask =
        |text: &str| house.ask(SearchQuery { text: text.into(), prefix: true, ..SearchQuery::default() });
    assert_eq!(ask("spectr").await.total_files, 2);
    assert_eq!(ask("spectro").await.total_files, 1);
    assert_eq!(ask("spectr ").await.total_files, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_word_that_nothing_holds_finds_what_is_one_slip_away() {
    let house =
        House::with(&[("en.md", "the spectrometer"), ("ru.md", "спектрометр"), ("no.md", "spectre")]).await;
    for (query, expected) in [
        ("spectromete", vec!["en.md"]),
        ("spectrometerr", vec!["en.md"]),
        ("spectrameter", vec!["en.md"]),
        ("spectormeter", vec!["en.md"]),
        ("psectrometer", vec!["en.md"]),
        ("xpectrometer", vec!["en.md"]),
        ("спектрамедр", vec![]),
        ("спектраметр", vec!["ru.md"]),
        ("зпектрометр", vec!["ru.md"]),
        // Two slips, and a word too short to guess at.
        ("spactrameter", vec![]),
        ("tha", vec![]),
    ] {
        assert_eq!(house.search(query).await, expected, "{query}");
    }
    // What is marked is what was meant.
    let page = house.ask(SearchQuery { text: "spectormeter".into(), ..SearchQuery::default() }).await;
    let hit = &page.groups[0].hits[0];
    assert_eq!(under(&hit.snippet, &hit.marks), ["spectrometer"]);
    // A word that is there is never taken for another.
    assert_eq!(house.search("spectre").await, ["no.md"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_answers_by_its_name_is_shown_with_its_beginning() {
    let house = House::with(&[("harvest.md", "first words"), ("b.md", "the harvest began")]).await;
    let page = house.ask(SearchQuery { text: "harvest".into(), ..SearchQuery::default() }).await;
    let mut shown: Vec<_> = page
        .groups
        .iter()
        .flat_map(|group| group.hits.iter().map(|hit| (hit.place.path.as_str(), hit.snippet.as_str())))
        .collect();
    shown.sort_unstable();
    assert_eq!(shown, [("b.md", "the harvest began"), ("harvest.md", "first words")]);
}

/// FAULTS A6.
#[tokio::test(flavor = "multi_thread")]
async fn a_very_common_character_is_an_ordinary_question() {
    let notes: Vec<(String, String)> =
        (0..600).map(|at| (format!("{at}.md"), format!("这是第{at}篇的笔记，关于的的的。"))).collect();
    let notes: Vec<(&str, &str)> = notes.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let house = House::with(&notes).await;
    let page = house.ask(SearchQuery { text: "的".into(), ..SearchQuery::default() }).await;
    assert_eq!((page.total_files, page.groups.len(), page.more), (600, 20, true));
}

/// FAULTS B10.
#[tokio::test(flavor = "multi_thread")]
async fn incomplete_answers_say_so() {
    let folder = crate::house::Folder::new();
    for at in 0..300 {
        folder.write(&format!("{at}.md"), format!("word {at}"));
    }
    let house = folder.open(false).await;
    loop {
        let page = house.ask(SearchQuery { text: "word".into(), ..SearchQuery::default() }).await;
        let Some(incomplete) = page.incomplete else {
            // It may only stop saying so when everything is found, or before anything was known.
            if page.total_files == 300 {
                break;
            }
            assert_eq!(page.total_files, 0);
            tokio::task::yield_now().await;
            continue;
        };
        assert!(incomplete.done < incomplete.total && incomplete.total <= 300);
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_breaks_off_does_not_cost_the_index() {
    let house = House::with(&[("a.md", "alpha")]).await;
    let before = segments(&house);
    let query = SearchQuery { text: "alpha".into(), ..SearchQuery::default() };
    let error = house.library.search_beside(&query, |_, _| panic!("a fault of ours")).await.unwrap_err();
    assert_eq!(error.code(), "indexUnavailable");
    house.library.settle().await;
    assert_eq!(house.search("alpha").await, ["a.md"]);
    assert_eq!(segments(&house), before, "the index was built anew");
    assert!(!house.folder.base().join("data/index.damaged").exists());
}

/// What the index is made of.
fn segments(house: &House) -> Vec<std::ffi::OsString> {
    let names = std::fs::read_dir(house.folder.index()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.filter(|name| name.to_string_lossy().ends_with(".idx")).collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_nobody_waits_for_ends_and_one_at_work_holds_up_no_scan() {
    let notes: Vec<(String, String)> =
        (0..300).map(|at| (format!("{at}.md"), format!("word {at}"))).collect();
    let notes: Vec<(&str, &str)> = notes.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let house = House::with(&notes).await;
    let (looks, gate) = (Arc::new(AtomicUsize::new(0)), Arc::new(Barrier::new(2)));
    let ended = Arc::new(());
    let hidden = {
        let (looks, gate, ended) = (Arc::clone(&looks), Arc::clone(&gate), Arc::clone(&ended));
        move |_, _: &orangery_domain::KbPath| {
            let _held = &ended;
            if looks.fetch_add(1, Ordering::SeqCst) == 0 {
                gate.wait();
                gate.wait();
            }
            false
        }
    };
    let query = SearchQuery { text: "word".into(), ..SearchQuery::default() };
    let library = house.library.clone();
    let asked = tokio::spawn(async move { library.search_beside(&query, hidden).await.map(|_| ()) });
    let at_work = Arc::clone(&gate);
    tokio::task::spawn_blocking(move || at_work.wait()).await.unwrap();
    // In the middle of a question files come and go.
    house.folder.write("new.md", "fresh");
    house.rescan().await;
    assert_eq!(house.search("fresh").await, ["new.md"]);
    asked.abort();
    assert!(asked.await.unwrap_err().is_cancelled());
    gate.wait();
    house.eventually(|| Arc::strong_count(&ended) == 1).await;
    assert_eq!(looks.load(Ordering::SeqCst), 1, "it went on for nobody");
}

#[tokio::test(flavor = "multi_thread")]
async fn tags_are_counted_by_files() {
    let house = House::with(&[
        ("a.md", "#glass #roof #glass"),
        ("b.md", "About #roof/flat and #glass."),
        ("c.txt", "#no"),
    ])
    .await;
    let tags = house.library.tags();
    let tags: Vec<_> = tags.iter().map(|(tag, files)| (tag.as_str(), *files)).collect();
    assert_eq!(tags, [("glass", 2), ("roof", 1), ("roof/flat", 1)]);
}
