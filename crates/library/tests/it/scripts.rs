//! Searches in and across scripts, on an index.

use orangery_domain::SearchQuery;

use crate::house::{House, under};

/// FAULTS A8 and A10: whatever stands in a text is found as a phrase, also across words of the dictionary.
#[tokio::test(flavor = "multi_thread")]
async fn any_piece_of_a_text_is_found_as_a_phrase() {
    let text = "我喜欢羽毛球和滑雪，也在用Rust写getUserName的代码。The café’s budget is 1,234 euros";
    let house = House::with(&[("a.md", text), ("b.md", "羽毛和球，写代码，Rust budget")]).await;
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let han = |at: usize| text[at..].chars().next().is_some_and(|c| c as u32 >= 0x4e00);
    for from in starts.iter().filter(|at| han(**at)) {
        for to in starts.iter().filter(|to| *to > from && han(**to)).take(7) {
            let piece = &text[*from..*to];
            if piece.chars().count() > 2 {
                let found = house.operators(&format!("\"{piece}\"")).await;
                assert_eq!(found, ["a.md"], "{piece}");
            }
        }
    }
    for piece in
        ["羽毛球和", "Rust写", "写getUserName的代码", "UserName的", "cafe's budget is", "1,234 euros", "234"]
    {
        assert_eq!(house.operators(&format!("\"{piece}\"")).await, ["a.md"], "{piece}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn traditional_and_simplified_full_and_half_width_find_each_other() {
    let house = House::with(&[
        ("hant.md", "資料庫的備份與還原（ＳＱＬ），頭髮、後臺、為什麼"),
        ("hans.md", "资料库的备份与还原(SQL)，头发、后台、为什么"),
    ])
    .await;
    for query in ["資料庫", "资料库", "备份與还原", "sql", "ＳＱＬ", "頭髮", "后台", "\"為什麼\"", "庫", "發"]
    {
        let mut found = house.operators(query).await;
        found.sort();
        assert_eq!(found, ["hans.md", "hant.md"], "{query}");
    }
}

/// FAULTS A5: what the list says is found is what is marked, for traditional text in full-width brackets.
#[tokio::test(flavor = "multi_thread")]
async fn marks_fall_on_the_text_whatever_its_spelling() {
    let house = House::with(&[("a.md", "前言（警戒水位）與cafe\u{301}，ｶﾞｽ🍊（警戒）水位")]).await;
    for (query, expected) in [
        ("警戒水位", vec!["警戒水位"]),
        ("cafe", vec!["cafe\u{301}"]),
        ("ガス", vec!["ｶﾞｽ"]),
        ("🍊 与", vec!["與", "🍊"]),
        ("戒", vec!["戒", "戒"]),
    ] {
        let page = house.ask(SearchQuery { text: query.into(), ..SearchQuery::default() }).await;
        let hit = &page.groups[0].hits[0];
        assert_eq!(under(&hit.snippet, &hit.marks), expected, "{query}");
    }
}

/// A word is preferred to the same characters across words, and both are found.
#[tokio::test(flavor = "multi_thread")]
async fn words_come_before_pieces_of_other_words() {
    let filler = "其他内容".repeat(3);
    let word = format!("研究国中的学生{filler}");
    let across = format!("发展中国家很多{filler}");
    let house = House::with(&[("across.md", &across), ("word.md", &word.replace("国中", "中国"))]).await;
    assert_eq!(house.search("中国").await, ["word.md", "across.md"]);
    assert_eq!(house.search("展中").await, ["across.md"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn korean_thai_and_hindi_are_found_by_their_words() {
    let house = House::with(&[
        ("ko.md", "데이터베이스를 매일 백업합니다"),
        ("th.md", "โรงแรมราคาถูกในกรุงเทพ"),
        ("hi.md", "यह किताब अच्छी है"),
        ("hi2.md", "यह की बात"),
    ])
    .await;
    for (query, expected) in [
        ("데이터베이스", "ko.md"),
        ("데이터베이스에서", "ko.md"),
        ("백업", "ko.md"),
        ("ราคาถูก", "th.md"),
        ("กรุงเทพ", "th.md"),
        ("किताब", "hi.md"),
    ] {
        assert_eq!(house.search(query).await, [expected], "{query}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_called_just_so_comes_first_and_neighbours_before_what_is_apart() {
    let apart =
        format!("release one two three four five six seven eight nine ten eleven plan {}", "x ".repeat(40));
    let near =
        format!("one two three four release plan five six seven eight nine ten eleven {}", "x ".repeat(40));
    let often = "release plan ".repeat(30);
    let house = House::with(&[
        ("apart.md", apart.as_str()),
        ("near.md", near.as_str()),
        ("Release plan.md", "nothing here"),
        ("a/Release plan for often.md", often.as_str()),
        ("often.md", often.as_str()),
    ])
    .await;
    let found = house.search("release plan").await;
    assert_eq!(found.first().map(String::as_str), Some("Release plan.md"), "{found:?}");
    let at = |path: &str| found.iter().position(|found| found == path);
    assert!(at("near.md") < at("apart.md"), "{found:?}");
    let by_path = house.search("a/Release plan for often").await;
    assert_eq!(by_path.first().map(String::as_str), Some("a/Release plan for often.md"));
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_are_found_however_they_are_grouped() {
    let house = House::with(&[("a.md", "it cost 1,234,567 euros at 12.5%"), ("b.md", "1,2 and 34")]).await;
    for query in ["1234567", "1,234,567", "12.5", "12.5%"] {
        assert_eq!(house.search(query).await, ["a.md"], "{query}");
    }
}
